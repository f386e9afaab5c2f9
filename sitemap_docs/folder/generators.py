"""What the configuration of a site generator names: base URL, spelling of links, and folders."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from posixpath import basename, dirname, normpath, splitext
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urljoin

from sitemap_docs import files, web
from sitemap_docs.config.parsing import load_json, load_python, load_toml, load_yaml
from sitemap_docs.javascript import OPEN, load_javascript
from sitemap_docs.model import SitemapError
from sitemap_docs.sources.includes import MarkdownConfig
from sitemap_docs.sources.lookup import SourceLayout

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from sitemap_docs.folder.collect import Links


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratorConfig:
    """One configuration file; ``base_url`` is "" where it names none.

    ``site`` is the folder that is built, ``sources`` the folders of the sources. ``links`` is how addresses
    are spelled; None where the file does not settle it. ``layout`` is where sources lie that are not at their
    page's path. ``options`` are those of our plugin, which Zensical does not load (0.0.73). ``markdown`` is
    how MkDocs and Zensical render pages.
    ``templates`` is the theme's ``custom_dir``, whose files MkDocs copies where it lies among the sources.
    """

    file: Path
    base_url: str = ""
    site: Path | None = None
    sources: tuple[Path, ...] = ()
    links: Links | None = None
    layout: SourceLayout | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    markdown: MarkdownConfig | None = None
    templates: Path | None = None

    def builds(self, folder: Path) -> bool:
        """Whether a folder, without symbolic links in its path, is what the generator writes."""
        return self.site is not None and self.site.resolve() == folder

    def describes(self, folder: Path) -> bool:
        """Whether the folder is the generator's; of MkDocs, that of its flag ``--site-dir``, too."""
        return self.markdown is not None or self.builds(folder)


def find_projects(folders: Iterable[Path], built: Path | None = None) -> Iterator[GeneratorConfig]:
    """The projects whose configuration lies in one of the folders, in the folders' order.

    Those that build the folder ``built`` come first; of these, also one that lies two folders above it.
    Raises SitemapError for a configuration that cannot be read.
    """
    near = dict.fromkeys(folder.resolve() for folder in folders)
    found = [project for folder in near for project in _projects(folder)]
    if built and (above := built.parent.parent.resolve()) not in near:
        found += [project for project in _projects(above) if project.builds(built)]
    yield from sorted(found, key=lambda project: not (built and project.builds(built)))


def _projects(folder: Path) -> Iterator[GeneratorConfig]:
    for name, (load, read) in CONFIGURATIONS.items():
        file = folder / name
        if file.is_file() and (found := read(_Written(file, folder, load(file)))):
            yield found


class _Written(NamedTuple):
    """A configuration file, the folder of its project, and what it holds."""

    file: Path
    root: Path
    keys: Mapping[str, Any]

    def folder(self, key: str, default: str) -> Path:
        return self.below(_text(self.keys.get(key)) or default)

    def below(self, path: str) -> Path:
        """A path from the folder of the project; SitemapError for one that no system has."""
        if not _is_path(path):
            raise SitemapError(
                f"{self.file} names a path that no folder can have, {path[:60]!r}. Correct it."
            )
        return self.root / path


def _read_mkdocs(written: _Written) -> GeneratorConfig:
    configured, docs = written.keys, written.folder("docs_dir", "docs")
    plugins = _named(configured.get("plugins"))
    options = plugins.get("sitemap-docs", {})
    templates = _text(_table(configured, "theme").get("custom_dir"))
    return GeneratorConfig(
        file=written.file,
        base_url=_text(configured.get("site_url")),
        site=written.folder("site_dir", "site"),
        sources=(docs,),
        links="files" if configured.get("use_directory_urls") is False else "folders",
        options={str(name): value for name, value in options.items()},
        markdown=MarkdownConfig(
            docs=docs,
            root=written.root,
            start=written.root,
            extensions=_named(configured.get("markdown_extensions")),
            plugins=plugins,
        ),
        templates=written.below(templates) if templates else None,
    )


def _read_zensical(written: _Written) -> GeneratorConfig:
    project = written.keys.get("project", written.keys)
    return _read_mkdocs(written._replace(keys=project if isinstance(project, Mapping) else {}))


def _read_antora(written: _Written) -> GeneratorConfig:
    """See https://docs.antora.org/antora/latest/playbook/urls-html-extension-style/ ."""
    output, urls = _table(written.keys, "output"), _table(written.keys, "urls")
    links: dict[str, Links] = {"drop": "clean", "indexify": "folders"}
    return GeneratorConfig(
        file=written.file,
        base_url=_text(_table(written.keys, "site").get("url")),
        site=written.below(_text(output.get("dir")) or "build/site"),
        links=links.get(_text(urls.get("html_extension_style")), "files"),
    )


def _read_hugo(written: _Written) -> GeneratorConfig | None:
    """https://gohugo.io/configuration/all/ Keys are read in any case, as Hugo reads them."""
    keys = {str(key).lower(): value for key, value in written.keys.items()}
    if "baseurl" not in keys and not written.file.name.startswith("hugo."):
        return None
    written = written._replace(keys=keys)
    return GeneratorConfig(
        file=written.file,
        base_url=_web(keys.get("baseurl")),
        site=written.folder("publishdir", "public"),
        sources=(written.folder("contentdir", "content"),),
        links="folders",  # with uglyURLs, files have the names of the addresses
        layout=SourceLayout(written.root, _hugo_maps(written)),
    )


def _hugo_maps(written: _Written) -> Iterator[str]:
    """See https://gohugo.io/content-management/multilingual/ ."""
    content = _text(written.keys.get("contentdir")) or "content"
    for language, options in _table(written.keys, "languages").items():
        own = _table({language: options}, language)
        folder = {str(key).lower(): value for key, value in own.items()}.get("contentdir")
        for prefix in (f"{str(language).lower()}/", ""):
            if isinstance(folder, str):
                yield f"{prefix}**={folder.strip('/')}/**"
            yield f"{prefix}**/index.html={content}/**.{language}.html"
            yield f"{prefix}**/index.html={content}/**/_index.{language}.html"
            yield f"{prefix}**/index.html={content}/**/index.{language}.html"


def _read_jekyll(written: _Written) -> GeneratorConfig:
    """https://jekyllrb.com/docs/permalinks/ A permalink without an ending is served without ``.html``."""
    permalink = _text(written.keys.get("permalink"))
    is_clean = "/" in permalink and not permalink.endswith(("/", ":output_ext", ".html"))
    return GeneratorConfig(
        file=written.file,
        base_url=_below(_web(written.keys.get("url")), written.keys.get("baseurl") or ""),
        site=written.folder("destination", "_site"),
        sources=(written.folder("source", "."),),
        links="clean" if is_clean else "folders",
        layout=SourceLayout(written.folder("source", "."), _jekyll_maps(written)),
    )


def _jekyll_maps(written: _Written) -> Iterator[str]:
    """See https://jekyllrb.com/docs/permalinks/ and https://jekyllrb.com/docs/collections/ ."""
    collections = written.keys.get("collections")
    for name in collections if isinstance(collections, (dict, list)) else ():
        yield f"{name}/**=_{name}/**"
    yield "*/*/*/*.html=_posts/*-*-*-*.html"
    yield "*/*/*/*/index.html=_posts/*-*-*-*.html"
    yield "**/*/*/*/*.html=**/_posts/*-*-*-*.html"


def _read_docusaurus(written: _Written) -> GeneratorConfig:
    """See https://docusaurus.io/docs/api/docusaurus-config ."""
    keys = written.keys
    slash: dict[object, Links] = {True: "folders", False: "clean"}
    default: Links | None = None if OPEN in keys or "trailingSlash" in keys else "bare"
    return GeneratorConfig(
        file=written.file,
        base_url=_below(_web(keys.get("url")), keys.get("baseUrl")),
        site=written.root / "build",
        sources=(written.root / "src/pages",),
        links=slash.get(keys.get("trailingSlash"), default),
        layout=SourceLayout(written.root, _docusaurus_maps(written.root), is_numbered=True),
    )


def _docusaurus_maps(root: Path) -> Iterator[str]:
    """See https://docusaurus.io/docs/i18n/introduction#translation-files-location ."""
    for language in sorted(each.name for each in (root / "i18n").glob("*") if each.is_dir()):
        plugins = f"i18n/{language}/docusaurus-plugin-content-"
        yield from _dated(f"{language}/blog", f"{plugins}blog")
        yield f"{language}/docs/**={plugins}docs/current/**"
        yield f"{language}/**={plugins}pages/**"
        yield from _dated(f"{language}/blog", "blog")
        yield f"{language}/docs/**=docs/**"
        yield f"{language}/**=src/pages/**"
    yield from _dated("blog", "blog")
    yield "docs/**=docs/**"


def _dated(pages: str, sources: str) -> Iterator[str]:
    """A blog: its files begin with the date, which the addresses have as folders."""
    yield f"{pages}/*/*/*/**={sources}/*-*-*-**"
    yield f"{pages}/**={sources}/**"


def _read_vitepress(written: _Written) -> GeneratorConfig:
    """https://vitepress.dev/reference/site-config#sitemap ``hostname`` may hold ``base``, or leave it out."""
    keys = written.keys
    hostname = _web(_table(keys, "sitemap").get("hostname"))
    base_path = _default(keys, "base", "/")
    links: dict[object, Links] = {True: "clean", False: "folders"}
    return GeneratorConfig(
        file=written.file,
        base_url=hostname if base_path == "/" else _below(hostname and urljoin(hostname, "/"), base_path),
        site=written.folder("outDir", ".vitepress/dist"),
        sources=(written.folder("srcDir", "."),),
        links=links.get(_default(keys, "cleanUrls", default=False)),
    )


def _read_astro(written: _Written) -> GeneratorConfig:
    """See https://docs.astro.build/en/reference/configuration-reference/#site ."""
    return GeneratorConfig(
        file=written.file,
        base_url=_below(_web(written.keys.get("site")), _default(written.keys, "base", "/")),
        site=written.folder("outDir", "dist"),
        sources=(written.root / "src/content/docs", written.root / "src/pages"),
        links=_astro_links(written.keys),
    )


def _astro_links(keys: Mapping[str, Any]) -> Links | None:
    """See https://docs.astro.build/en/reference/configuration-reference/#buildformat ."""
    build: object = _default(keys, "build", {})
    written = _text(_default(build, "format", "directory")) if isinstance(build, Mapping) else ""
    slash = _text(_default(keys, "trailingSlash", "ignore"))
    if written == "directory":
        links: dict[str, Links] = {"always": "folders", "ignore": "folders", "never": "bare"}
        return links.get(slash)
    return "clean" if written in ("file", "preserve") and slash else None


def _read_mdbook(written: _Written) -> GeneratorConfig:
    """https://rust-lang.github.io/mdBook/format/configuration/renderers.html ``site-url`` may be a path."""
    book, build, output = (_table(written.keys, name) for name in ("book", "build", "output"))
    site = written.below(_text(build.get("build-dir")) or "book")
    return GeneratorConfig(
        file=written.file,
        base_url=_web(_table(output, "html").get("site-url")),
        site=site / "html" if len(output) > 1 else site,
        sources=(written.below(_text(book.get("src")) or "src"),),
        links="folders",
    )


def _read_myst(written: _Written) -> GeneratorConfig:
    """MyST and Jupyter Book 2 read no base URL but the path in the variable ``BASE_URL``."""
    site = written.root / "_build/html"
    return GeneratorConfig(
        file=written.file,
        site=site,
        sources=(written.root,),
        links="folders",
        layout=_MystLayout(written.root, site),
    )


class _MystLayout(SourceLayout):
    """The sources that MyST names in the data of each page, since addresses leave out folders and numbers."""

    def __init__(self, root: Path, site: Path) -> None:
        super().__init__(root, ())
        self._site = site

    def places(self, file: str) -> Iterator[tuple[str, str]]:
        slug = file.removesuffix("index.html").strip("/").replace("/", ".")
        for name in (f"{slug}.json", f"{slug}.index.json") if slug else _MYST_HOMES:
            found = files.find_inside(self._site, name)
            data = _if_readable(load_json)(self._site / name) if found else {}
            if location := _text(data.get("location")):
                below = normpath(f"/{location}").strip("/")
                yield dirname(below), splitext(basename(below))[0]


def _read_pelican(written: _Written) -> GeneratorConfig | None:
    """https://docs.getpelican.com/en/stable/settings.html publishconf.py changes what pelicanconf.py says."""
    published, local = written.root / "publishconf.py", written.root / "pelicanconf.py"
    if written.file == local and published.is_file():
        return None
    if written.file == published and local.is_file():
        written = written._replace(keys={**load_python(local), **written.keys})
    content = written.folder("PATH", "content")
    address = _text(written.keys.get("ARTICLE_URL"))
    return GeneratorConfig(
        file=written.file,
        base_url=_web(written.keys.get("SITEURL")),
        site=written.folder("OUTPUT_PATH", "output"),
        sources=(content,),
        links="clean" if address and not address.endswith(("/", ".html")) else "folders",
        layout=SourceLayout(content, ("**/*-*.html=**/*.*.html",)),  # news-de.html is made of news.de.md
    )


def _named(value: object) -> dict[str, Mapping[str, Any]]:
    """The options of plugins or extensions by name, from MkDocs' lists and mappings or Zensical's tables.

    A table within a table is an extension with a dotted name: ``[markdown_extensions.pymdownx.snippets]``.
    """
    found: dict[str, Mapping[str, Any]] = {}
    for each in value if isinstance(value, list) else [value]:
        named = each if isinstance(each, Mapping) else {each: {}}
        for name, options in named.items():
            table = options if isinstance(options, Mapping) else {}
            found[str(name)] = table
            found |= {f"{name}.{key}": inner for key, inner in table.items() if isinstance(inner, Mapping)}
    return found


def _table(configured: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = configured.get(name)
    return table if isinstance(table, Mapping) else {}


def _default(configured: Mapping[str, Any], name: str, default: object) -> object:
    """A setting, ``default`` where it is not there; None where it may be, since the file computes it."""
    return configured.get(name, None if OPEN in configured else default)


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _is_path(text: str) -> bool:
    """Whether a system can have a file at a path."""
    try:
        names = os.fsencode(text).split(b"/")
    except UnicodeEncodeError:
        return False
    return "\0" not in text and max(map(len, names)) <= _NAME and len(text) <= _PATH


_NAME, _PATH = 255, 1_000  # bytes and characters at most; a whole path has 1,024 on macOS


def _web(value: object) -> str:
    """A setting that is a whole web address; generators also take a path, or nothing, as a base URL."""
    return text if web.is_web(text := _text(value)) else ""


def _below(origin: str, path: object) -> str:
    """The base URL of two settings, of which the second is a path from the root of its host."""
    return f"{origin.rstrip('/')}/{path.strip('/')}" if origin and isinstance(path, str) else ""


def _if_readable(load: _Load) -> _Load:
    """For names that other programs use, too: what they wrote is no error."""

    def loaded(file: Path) -> dict[str, Any]:
        try:
            return load(file)
        except SitemapError:
            return {}

    return loaded


_Load = Callable[["Path"], dict[str, Any]]
_Read = Callable[[_Written], GeneratorConfig | None]
_MYST_HOMES = ("index.json", "readme.json", "main.json")
_HUGO: dict[str, _Load] = {"toml": load_toml, "yaml": load_yaml, "yml": load_yaml, "json": load_json}
_SCRIPTS = ("ts", "mts", "cts", "js", "mjs", "cjs")

CONFIGURATIONS: dict[str, tuple[_Load, _Read]] = {
    "zensical.toml": (load_toml, _read_zensical),
    "properdocs.yml": (load_yaml, _read_mkdocs),
    "mkdocs.yml": (load_yaml, _read_mkdocs),
    "mkdocs.yaml": (load_yaml, _read_mkdocs),
    "antora-playbook.yml": (load_yaml, _read_antora),
    **{f"docusaurus.config.{ending}": (load_javascript, _read_docusaurus) for ending in _SCRIPTS},
    **{f".vitepress/config.{ending}": (load_javascript, _read_vitepress) for ending in _SCRIPTS},
    **{f".vitepress/config/index.{ending}": (load_javascript, _read_vitepress) for ending in _SCRIPTS},
    **{f"astro.config.{ending}": (load_javascript, _read_astro) for ending in _SCRIPTS},
    **{f"hugo.{ending}": (load, _read_hugo) for ending, load in _HUGO.items()},
    **{f"config.{ending}": (_if_readable(load), _read_hugo) for ending, load in _HUGO.items()},
    **{f"config/_default/hugo.{ending}": (load, _read_hugo) for ending, load in _HUGO.items()},
    **{
        f"config/_default/config.{ending}": (_if_readable(load), _read_hugo) for ending, load in _HUGO.items()
    },
    "_config.yml": (load_yaml, _read_jekyll),
    "_config.yaml": (load_yaml, _read_jekyll),
    "_config.toml": (load_toml, _read_jekyll),
    "book.toml": (load_toml, _read_mdbook),
    "myst.yml": (load_yaml, _read_myst),
    "publishconf.py": (load_python, _read_pelican),
    "pelicanconf.py": (load_python, _read_pelican),
}
