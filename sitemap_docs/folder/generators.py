"""What the configuration of a site generator names: base URL, spelling of links, and folders.

Configurations in YAML and TOML are read, and Hugo's in JSON. Those that are programs are not: canonical
links, the file CNAME and the generator's own sitemap say the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from posixpath import basename, splitext
from typing import TYPE_CHECKING, Any, NamedTuple

from sitemap_docs import web
from sitemap_docs.config.parsing import (
    TABLE,
    TABLE_TOO,
    as_list,
    as_mapping,
    as_text,
    load_json,
    load_toml,
    load_yaml,
    unreadable,
)
from sitemap_docs.folder.layouts import BlogLayout, MystLayout, TranslatedLayout
from sitemap_docs.model import Finding, SitemapError
from sitemap_docs.sources.includes import MarkdownConfig
from sitemap_docs.sources.lookup import SourceLayout

if TYPE_CHECKING:
    from sitemap_docs.config.options import Links

_LONGEST_NAME, _LONGEST_PATH = 255, 1_000  # bytes and characters at most; a whole path has 1,024 on macOS


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
    takes_any_folder: bool = False

    def builds(self, folder: Path) -> bool:
        """Whether a folder, without symbolic links in its path, is what the generator writes."""
        return self.site is not None and self.site.resolve() == folder

    def describes(self, folder: Path) -> bool:
        """Whether the folder is the generator's; of MkDocs, that of its flag ``--site-dir``, too."""
        return self.takes_any_folder or self.builds(folder)


class Projects(NamedTuple):
    """The configurations that were found, and a finding for each that cannot be read."""

    configs: list[GeneratorConfig]
    findings: list[Finding]


def find_projects(
    folders: Iterable[Path], built: Path | None = None, sources: Iterable[Path] = ()
) -> Projects:
    """The projects whose configuration lies in one of the folders, in the folders' order.

    Those that build the folder ``built`` come first; of these, also one that lies two folders above it.
    Before them come those of the ``sources`` that the user named: their configuration lies next to them.
    """
    near = list(dict.fromkeys(folder.resolve() for folder in folders))
    documented = {folder.resolve() for folder in sources}
    farther = {folder.parent for folder in documented}
    if built:
        built = built.resolve()
        farther.add(built.parent.parent)

    def rank(project: GeneratorConfig) -> tuple[bool, bool]:
        documents = any(folder.resolve() in documented for folder in project.sources)
        builds = built is not None and project.builds(built)
        return not documents, not builds

    found = Projects([], [])
    for folder in near:
        configs, findings = _projects(folder)
        found.configs.extend(configs)
        found.findings.extend(findings)
    # Farther away, there are also configurations of other projects.
    for folder in sorted(farther - {*near}):
        configs, _ = _projects(folder)
        found.configs.extend(project for project in configs if rank(project) != (True, True))
    found.configs.sort(key=rank)
    return found


def _projects(folder: Path) -> Projects:
    found = Projects([], [])
    for name, (load, read) in CONFIGURATIONS.items():
        file = folder / name
        if not file.is_file():
            continue
        try:
            project = read(_Written(file, folder, load(file)))
        except SitemapError as error:
            if basename(name) not in _COMMON_NAMES:
                found.findings.append(unreadable(error))
            continue
        if project:
            found.configs.append(project)
    return found


class _Written(NamedTuple):
    """A configuration file, the folder of its project, and what it holds."""

    file: Path
    root: Path
    keys: Mapping[str, Any]

    def folder(self, key: str, default: str) -> Path:
        return self.below(as_text(self.keys.get(key)) or default)

    def below(self, path: str) -> Path:
        """A path from the folder of the project; SitemapError for one that no system has."""
        try:
            names = os.fsencode(path).split(b"/")
        except UnicodeEncodeError:  # half a character, which JSON can hold
            names = [b"\0"]
        if b"\0" in b"".join(names) or max(map(len, names)) > _LONGEST_NAME or len(path) > _LONGEST_PATH:
            raise SitemapError(
                f"{self.file} names a path that no folder can have, {path[:60]!r}. Correct it."
            )
        return self.root / path


def _read_mkdocs(written: _Written) -> GeneratorConfig:
    configured, docs = written.keys, written.folder("docs_dir", "docs")
    plugins = _named(configured.get("plugins"))
    options = plugins.get(TABLE, plugins.get(TABLE_TOO, {}))
    templates = as_text(as_mapping(configured.get("theme")).get("custom_dir"))
    blog = plugins.get("blog", plugins.get("material/blog"))
    layout: SourceLayout | None = None
    if "i18n" in plugins:
        layout = TranslatedLayout(docs, plugins["i18n"])
    elif blog is not None:
        layout = BlogLayout(docs, blog)
    return GeneratorConfig(
        file=written.file,
        base_url=as_text(configured.get("site_url")),
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
        takes_any_folder=True,
        layout=layout,
    )


def _read_zensical(written: _Written) -> GeneratorConfig:
    project = written.keys.get("project", written.keys)
    return _read_mkdocs(written._replace(keys=as_mapping(project)))


def _read_antora(written: _Written) -> GeneratorConfig:
    """See https://docs.antora.org/antora/latest/playbook/urls-html-extension-style/ ."""
    output, urls = as_mapping(written.keys.get("output")), as_mapping(written.keys.get("urls"))
    links: dict[str, Links] = {"drop": "clean", "indexify": "folders"}
    return GeneratorConfig(
        file=written.file,
        base_url=as_text(as_mapping(written.keys.get("site")).get("url")),
        site=written.below(as_text(output.get("dir")) or "build/site"),
        links=links.get(as_text(urls.get("html_extension_style")), "files"),
    )


def _read_hugo(written: _Written) -> GeneratorConfig | None:
    """https://gohugo.io/configuration/all/ Keys are read in any case, as Hugo reads them."""
    keys = _lowered(written.keys)
    if "baseurl" not in keys and not written.file.name.startswith("hugo."):
        return None
    written = written._replace(keys=keys)
    sources, maps = _hugo_mounts(written)
    return GeneratorConfig(
        file=written.file,
        base_url=_web(keys.get("baseurl")),
        site=written.folder("publishdir", "public"),
        sources=sources or (written.folder("contentdir", "content"),),
        links="folders",  # with uglyURLs, files have the names of the addresses
        layout=SourceLayout(written.root, [*maps, *_hugo_maps(written)]),
    )


def _lowered(value: object) -> dict[str, Any]:
    """A table with its keys in lower case, as Hugo reads them."""
    return {str(key).lower(): inner for key, inner in as_mapping(value).items()}


def _hugo_mounts(written: _Written) -> tuple[tuple[Path, ...], list[str]]:
    """The folders that are mounted as the content, and maps for what is mounted below it or for a language.

    https://gohugo.io/configuration/module/#mounts
    """
    sources, maps = [], []
    for mount in as_list(as_mapping(written.keys.get("module")).get("mounts")):
        keys = _lowered(mount)
        source, target = as_text(keys.get("source")).strip("/"), as_text(keys.get("target")).strip("/")
        language = as_text(keys.get("lang")).lower()
        if not source or not f"{target}/".startswith("content/"):
            continue
        below = target.removeprefix("content").strip("/")
        if not below and not language:
            sources.append(written.below(source))
        for prefix in dict.fromkeys([f"{language}/".lstrip("/"), ""]):
            pages = f"{prefix}{below}".strip("/")
            if written.below(source).is_file():
                maps.append(f"{splitext(pages)[0]}/index.html={source}")
            else:
                maps.append(f"{pages}/**={source}/**".lstrip("/"))
    return tuple(sources), maps


def _hugo_maps(written: _Written) -> list[str]:
    """See https://gohugo.io/content-management/multilingual/ ."""
    content = as_text(written.keys.get("contentdir")) or "content"
    maps = []
    for language, options in as_mapping(written.keys.get("languages")).items():
        folder = as_text(_lowered(options).get("contentdir")).strip("/")
        for prefix in (f"{str(language).lower()}/", ""):
            if folder:
                maps.append(f"{prefix}**={folder}/**")
            maps.append(f"{prefix}**/index.html={content}/**.{language}.html")
            maps.append(f"{prefix}**/index.html={content}/**/_index.{language}.html")
            maps.append(f"{prefix}**/index.html={content}/**/index.{language}.html")
    return maps


def _read_jekyll(written: _Written) -> GeneratorConfig:
    """https://jekyllrb.com/docs/permalinks/ A permalink without an ending is served without ``.html``."""
    permalink = as_text(written.keys.get("permalink"))
    is_clean = "/" in permalink and not permalink.endswith(("/", ":output_ext", ".html"))
    origin, path = _web(written.keys.get("url")), as_text(written.keys.get("baseurl"))
    collections = written.keys.get("collections")
    # https://jekyllrb.com/docs/collections/
    names = as_list(collections) or as_mapping(collections)
    maps = [f"{name}/**=_{name}/**" for name in names]
    maps += [
        "*/*/*/*.html=_posts/*-*-*-*.html",
        "*/*/*/*/index.html=_posts/*-*-*-*.html",
        "**/*/*/*/*.html=**/_posts/*-*-*-*.html",
    ]
    source = written.folder("source", ".")
    return GeneratorConfig(
        file=written.file,
        base_url=origin and f"{origin.rstrip('/')}/{path.strip('/')}",
        site=written.folder("destination", "_site"),
        sources=(source,),
        links="clean" if is_clean else "folders",
        layout=SourceLayout(source, maps),
    )


def _read_mdbook(written: _Written) -> GeneratorConfig:
    """https://rust-lang.github.io/mdBook/format/configuration/renderers.html ``site-url`` may be a path."""
    book, build = as_mapping(written.keys.get("book")), as_mapping(written.keys.get("build"))
    output = as_mapping(written.keys.get("output"))
    site = written.below(as_text(build.get("build-dir")) or "book")
    if len(output) > 1:
        site /= "html"
    docs = written.below(as_text(book.get("src")) or "src")
    return GeneratorConfig(
        file=written.file,
        base_url=_web(as_mapping(output.get("html")).get("site-url")),
        site=site,
        sources=(docs,),
        links="folders",
        markdown=MarkdownConfig(docs=docs, root=written.root, start=written.root, plugins={"mdbook": {}}),
    )


def _read_myst(written: _Written) -> GeneratorConfig:
    """MyST and Jupyter Book 2 read no base URL but the path in the variable ``BASE_URL``."""
    site = written.root / "_build/html"
    return GeneratorConfig(
        file=written.file,
        site=site,
        sources=(written.root,),
        links="folders",
        layout=MystLayout(written.root, site),
    )


def _named(value: object) -> dict[str, Mapping[str, Any]]:
    """The options of plugins or extensions by name, from MkDocs' lists and mappings or Zensical's tables.

    A table within a table is an extension with a dotted name: ``[markdown_extensions.pymdownx.snippets]``.
    """
    found: dict[str, Mapping[str, Any]] = {}
    for each in as_list(value) or [value]:
        named = as_mapping(each) or {each: {}}
        for name, options in named.items():
            found[str(name)] = as_mapping(options)
            for key, inner in as_mapping(options).items():
                if isinstance(inner, Mapping):
                    found[f"{name}.{key}"] = inner
    return found


def _web(value: object) -> str:
    """A setting that is a whole web address; generators also take a path, or nothing, as a base URL."""
    text = as_text(value)
    return text if web.is_web(text) else ""


_Load = Callable[["Path"], dict[str, Any]]
_Read = Callable[[_Written], GeneratorConfig | None]
_HUGO: dict[str, _Load] = {"toml": load_toml, "yaml": load_yaml, "yml": load_yaml, "json": load_json}
#: Names that other programs use, too: what they wrote is no error.
_COMMON_NAMES = frozenset(f"config.{ending}" for ending in _HUGO)

CONFIGURATIONS: dict[str, tuple[_Load, _Read]] = {
    "zensical.toml": (load_toml, _read_zensical),
    "properdocs.yml": (load_yaml, _read_mkdocs),
    "mkdocs.yml": (load_yaml, _read_mkdocs),
    "mkdocs.yaml": (load_yaml, _read_mkdocs),
    "antora-playbook.yml": (load_yaml, _read_antora),
    **{
        f"{folder}{name}.{ending}": (load, _read_hugo)
        for folder in ("", "config/_default/")
        for name in ("hugo", "config")
        for ending, load in _HUGO.items()
    },
    "_config.yml": (load_yaml, _read_jekyll),
    "_config.yaml": (load_yaml, _read_jekyll),
    "_config.toml": (load_toml, _read_jekyll),
    "book.toml": (load_toml, _read_mdbook),
    "myst.yml": (load_yaml, _read_myst),
}
