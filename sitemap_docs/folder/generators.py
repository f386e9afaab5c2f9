"""What the configuration of a site generator names: base URL, spelling of links, folders, where sources lie.

Configurations in YAML and TOML are read, and Hugo's in JSON. Those that are programs are not: canonical
links, the file CNAME and the generator's own sitemap say the same.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from posixpath import basename, dirname, normpath, splitext
from typing import Any, NamedTuple
from unicodedata import normalize

from sitemap_docs import files, web
from sitemap_docs.config.frontmatter import read_front_matter
from sitemap_docs.config.options import LinkStyle
from sitemap_docs.config.parsing import (
    ENABLED,
    TABLE,
    TABLE_TOO,
    as_list,
    as_mapping,
    as_text,
    load_defaults,
    load_json,
    load_toml,
    load_yaml,
    merged,
)
from sitemap_docs.model import Finding, SitemapError
from sitemap_docs.sources.markup import MarkdownConfig
from sitemap_docs.sources.source_files import SourceLayout
from sitemap_docs.text import linear

_MYST_HOMES = ("index.json", "readme.json", "main.json")
_NOT_IN_SLUGS = re.compile(r"<[^<>]*>|[^\w\- ]")
_LONGEST_NAME, _LONGEST_PATH = 255, 1_000  # bytes and characters at most; a whole path has 1,024 on macOS


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratorConfig:
    """One configuration file; ``base_url`` is "" where it names none.

    ``site`` is the folder that is built, ``sources`` the folders of the sources. ``links`` is how addresses
    are spelled; None where the file does not settle it. ``layout`` is where sources lie that are not at their
    page's path. ``options`` are those of our plugin, which Zensical does not load (0.0.73). ``markdown`` is
    how MkDocs and Zensical render pages, and ``defaults`` what its plugin meta adds to their front matter.
    ``templates`` is the theme's ``custom_dir``, whose files MkDocs copies where it lies among the sources.
    """

    file: Path
    base_url: str = ""
    site: Path | None = None
    sources: tuple[Path, ...] = ()
    links: LinkStyle | None = None
    layout: SourceLayout | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    markdown: MarkdownConfig | None = None
    templates: Path | None = None
    defaults: PageDefaults | None = None
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
    near = list(dict.fromkeys(map(Path.resolve, folders)))
    documented = set(map(Path.resolve, sources))
    farther = {folder.parent for folder in documented}
    if built:
        built = built.resolve()
        farther.add(built.parent.parent)

    def rank(project: GeneratorConfig) -> tuple[bool, bool]:
        documents = not documented.isdisjoint(map(Path.resolve, project.sources))
        builds = built is not None and project.builds(built)
        return not documents, not builds

    projects = Projects([], [])
    for folder in [*near, *sorted(farther.difference(near))]:
        for name, read in CONFIGURATIONS.items():
            file = folder / name
            if not file.is_file():
                continue
            try:
                loads = LOADERS.get(file.suffix)
                project = read(_Written(file, folder, loads(file) if loads else {}))
            except SitemapError as error:
                if folder in near and basename(name) not in _COMMON_NAMES:
                    message = f"{error} It is not used."
                    projects.findings.append(Finding(rule="configuration-unreadable", message=message))
                continue
            # Farther away, there are also configurations of other projects.
            if project and (folder in near or rank(project) != (True, True)):
                projects.configs.append(project)
    projects.configs.sort(key=rank)
    return projects


def read_named(file: Path) -> GeneratorConfig:
    """The project of a configuration that the user named; it is that of any folder. Raises SitemapError.

    Its name holds that of the generator's own file without the ending, as ``mkdocs.en.yml`` does; one of
    MkDocs may have any name.
    """
    if file.suffix in LOADERS:
        folder = file.absolute().parent
        if folder.name == "_default":  # config/_default/hugo.toml
            folder = folder.parent.parent
        written = _Written(file, folder, LOADERS[file.suffix](file))
        readers = [
            read for name, read in CONFIGURATIONS.items() if basename(name).partition(".")[0] in file.name
        ]
        if "site_name" in written.keys:  # which MkDocs requires
            readers.append(_read_mkdocs)
        for read in readers:
            project = read(written)
            if project:
                return replace(project, takes_any_folder=True)
    raise SitemapError(
        f"{file} is no configuration that can be read: it must have a `site_name`, as those of MkDocs, or a "
        "name that holds that of the generator's own, such as zensical, hugo or book; and end in .yml, "
        ".yaml, .toml or .json."
    )


class _Written(NamedTuple):
    """A configuration file, the folder of its project, and what it holds."""

    file: Path
    root: Path
    keys: Mapping[str, Any]

    def value(self, *names: str) -> object:
        """What a table, or one inside another, has for the last of the names; None without it."""
        setting: object = self.keys
        for name in names:
            setting = as_mapping(setting).get(name)
        return setting

    def text(self, *names: str) -> str:
        return as_text(self.value(*names))

    def web(self, *names: str) -> str:
        """A whole web address; generators also take a path, or nothing, as a base URL."""
        text = self.text(*names)
        return text if web.is_web(text) else ""

    def folder(self, *names: str, default: str) -> Path:
        return self.below(self.text(*names) or default)

    def below(self, path: str) -> Path:
        """The whole path of one from the folder of the project; SitemapError for one that no system has."""
        try:
            names = os.fsencode(path).split(b"/")
        except UnicodeEncodeError:  # half a character, which JSON can hold
            names = [b"\0"]
        if b"\0" in b"".join(names) or max(map(len, names)) > _LONGEST_NAME or len(path) > _LONGEST_PATH:
            raise SitemapError(
                f"{self.file} names a path that no folder can have, {path[:60]!r}. Correct it."
            )
        return Path(os.path.abspath(self.root / path))  # noqa: PTH100  links stay, as MkDocs leaves them


def _read_mkdocs(written: _Written) -> GeneratorConfig:
    docs = written.folder("docs_dir", default="docs")
    plugins = _named(written.value("plugins"))
    options = plugins.get(TABLE, plugins.get(TABLE_TOO, {}))
    templates = written.text("theme", "custom_dir")
    meta = plugins.get("meta", plugins.get("material/meta"))
    defaults = None
    if meta is not None and meta.get("enabled") is not False:
        defaults = PageDefaults(docs, as_text(meta.get("meta_file")) or ".meta.yml")
    blog = plugins.get("blog", plugins.get("material/blog"))
    layout: SourceLayout | None = None
    if "i18n" in plugins:
        layout = TranslatedLayout(docs, plugins["i18n"])
    elif blog is not None:
        layout = BlogLayout(docs, blog)
    return GeneratorConfig(
        file=written.file,
        base_url=written.text("site_url"),
        site=written.folder("site_dir", default="site"),
        sources=(docs,),
        links="files" if written.value("use_directory_urls") is False else "folders",
        options={str(name): value for name, value in options.items() if name != ENABLED},
        markdown=MarkdownConfig(
            docs=docs,
            root=written.root,
            start=written.root,
            extensions=_named(written.value("markdown_extensions")),
            plugins=plugins,
            hooks=tuple(written.below(as_text(hook)) for hook in as_list(written.value("hooks"))),
        ),
        templates=written.below(templates) if templates else None,
        defaults=defaults,
        takes_any_folder=True,
        layout=layout,
    )


def _read_zensical(written: _Written) -> GeneratorConfig:
    project = written.keys.get("project", written.keys)
    return _read_mkdocs(written._replace(keys=as_mapping(project)))


def _read_antora(written: _Written) -> GeneratorConfig:
    """See https://docs.antora.org/antora/latest/playbook/urls-html-extension-style/ ."""
    links: dict[str, LinkStyle] = {"drop": "clean", "indexify": "folders"}
    return GeneratorConfig(
        file=written.file,
        base_url=written.text("site", "url"),
        site=written.folder("output", "dir", default="build/site"),
        links=links.get(written.text("urls", "html_extension_style"), "files"),
    )


def _read_hugo(written: _Written) -> GeneratorConfig | None:
    """Keys are read in any case, as Hugo reads them.

    https://gohugo.io/configuration/all/, https://gohugo.io/content-management/multilingual/
    """
    written = written._replace(keys=_lowered(written.keys))
    if "baseurl" not in written.keys and not written.file.name.startswith("hugo."):
        return None
    sources, maps = _hugo_mounts(written)
    content = written.text("contentdir") or "content"
    for language, options in as_mapping(written.value("languages")).items():
        folder = as_text(_lowered(options).get("contentdir")).strip("/")
        for prefix in (f"{str(language).lower()}/", ""):
            if folder:
                maps.append(f"{prefix}**={folder}/**")
            pages = f"{prefix}**/index.html={content}"
            maps.append(f"{pages}/**.{language}.html")
            maps.append(f"{pages}/**/_index.{language}.html")
            maps.append(f"{pages}/**/index.{language}.html")
    return GeneratorConfig(
        file=written.file,
        base_url=written.web("baseurl"),
        site=written.folder("publishdir", default="public"),
        sources=sources or (written.folder("contentdir", default="content"),),
        links="folders",  # with uglyURLs, files have the names of the addresses
        layout=SourceLayout(written.root, maps),
    )


def _lowered(value: object) -> dict[str, Any]:
    """A table with its keys in lower case, as Hugo reads them."""
    return {str(key).lower(): inner for key, inner in as_mapping(value).items()}


def _hugo_mounts(written: _Written) -> tuple[tuple[Path, ...], list[str]]:
    """The folders that are mounted as the content, and maps for what is mounted below it or for a language.

    https://gohugo.io/configuration/module/#mounts
    """
    sources, maps = [], []
    for mount in as_list(written.value("module", "mounts")):
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


def _read_jekyll(written: _Written) -> GeneratorConfig:
    """https://jekyllrb.com/docs/permalinks/ A permalink without an ending is served without ``.html``."""
    permalink = written.text("permalink")
    permalinks = [permalink, as_text(as_mapping(written.value("collections", "posts")).get("permalink"))]
    defaults = [as_mapping(as_mapping(each).get("values")) for each in as_list(written.value("defaults"))]
    permalinks += [as_text(values.get("permalink")) for values in defaults]
    is_clean = "/" in permalink and not permalink.endswith(("/", ":output_ext", ".html"))
    origin, path = written.web("url"), written.text("baseurl")
    collections = written.value("collections")
    # https://jekyllrb.com/docs/collections/
    maps = [f"{name}/**=_{name}/**" for name in as_list(collections) or as_mapping(collections)]
    source = written.folder("source", default=".")
    return GeneratorConfig(
        file=written.file,
        base_url=origin and f"{origin.rstrip('/')}/{path.strip('/')}",
        site=written.folder("destination", default="_site"),
        sources=(source,),
        links="clean" if is_clean else "folders",
        layout=JekyllLayout(source, maps, permalinks),
    )


def _read_docusaurus(written: _Written) -> GeneratorConfig:
    """Its configuration is a program, and is not read."""
    return GeneratorConfig(
        file=written.file, site=written.root / "build", layout=DocusaurusLayout(written.root)
    )


def _read_mdbook(written: _Written) -> GeneratorConfig:
    """https://rust-lang.github.io/mdBook/format/configuration/renderers.html ``site-url`` may be a path."""
    site = written.folder("build", "build-dir", default="book")
    if len(as_mapping(written.value("output"))) > 1:
        site /= "html"
    docs = written.folder("book", "src", default="src")
    return GeneratorConfig(
        file=written.file,
        base_url=written.web("output", "html", "site-url"),
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
    by_name: dict[str, Mapping[str, Any]] = {}
    for each in as_list(value) or [value]:
        named = as_mapping(each) or {as_text(each): {}}
        for name, options in named.items():
            by_name[str(name)] = as_mapping(options)
            for key, inner in as_mapping(options).items():
                if isinstance(inner, Mapping):
                    by_name[f"{name}.{key}"] = inner
    return by_name


class PageDefaults:
    """The front matter that files such as ``.meta.yml`` have for all pages of their folders.

    https://squidfunk.github.io/mkdocs-material/plugins/meta/
    """

    def __init__(self, docs: Path, name: str) -> None:
        self._docs = docs
        self._name = name

    def below(self, meta: Mapping[str, object], source: str) -> Mapping[str, object]:
        """The front matter of a source, with what it does not say itself."""
        inherited: dict[str, Any] = {}
        page = files.seen_from(self._docs, source)
        for folder, defaults in self._by_folder:
            if page.startswith(folder):  # as the plugin compares: of the folder `a`, in `ab` as well
                inherited = merged(inherited, defaults, adds=True)
        return merged(inherited, meta, adds=True)

    @cached_property
    def _by_folder(self) -> list[tuple[str, Mapping[str, Any]]]:
        """What each file has, by its folder, those of the upper folders first."""
        by_folder: list[tuple[str, Mapping[str, Any]]] = []
        for name in sorted(files.names_below(self._docs), key=lambda name: (name.count("/"), name)):
            if basename(name) == self._name:
                with suppress(SitemapError):  # with which the plugin builds no site
                    by_folder.append((dirname(name), load_defaults(self._docs / name)))
        return by_folder


class TranslatedLayout(SourceLayout):
    """Sources of mkdocs-static-i18n: ``de/a/`` is ``a.de.md`` or ``de/a.md``, else the default language."""

    def __init__(self, docs: Path, options: Mapping[str, Any]) -> None:
        default, languages = "", []
        for each in as_list(options.get("languages")):
            language = as_text(as_mapping(each).get("locale"))
            if language:
                languages.append(language)
                if each.get("default") is True:
                    default = language
        maps = []
        for language in languages:
            prefix = "" if language == default else f"{language}/"
            if options.get("docs_structure") == "folder":
                maps.append(f"{prefix}**={default}/**")
                continue
            for ending in dict.fromkeys([language, default]):
                maps += [
                    f"{prefix}**/index.html=**.{ending}.html",
                    f"{prefix}**/index.html=**/index.{ending}.html",
                    f"{prefix}**/index.html=**/README.{ending}.html",
                    f"{prefix}**.html=**.{ending}.html",
                ]
            maps.append(f"{prefix}**=**")
        super().__init__(docs, maps)
        self._others = frozenset(languages) - {default}

    def is_untranslated(self, file: str, source: str) -> bool:
        language, slash, _ = file.partition("/")
        if not slash or language not in self._others:
            return False
        return not (
            splitext(source)[0].endswith(f".{language}") or source.startswith(f"{self.root}/{language}/")
        )


_DEEPEST_POST = 16
_STYLES = {
    "date": "/:categories/:year/:month/:day/:title.html",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": "/:categories/:year/:y_day/:title.html",
    "none": "/:categories/:title.html",
}
_KEY = re.compile(":([a-z_]+)")
_POST = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})-(.+)\.[^.]+")


class JekyllLayout(SourceLayout):
    """Posts are found by the addresses that the permalinks of the configuration give them.

    https://jekyllrb.com/docs/permalinks/
    """

    def __init__(self, source: Path, maps: Iterable[str], permalinks: Iterable[str]) -> None:
        super().__init__(source, maps)
        self._templates = [_STYLES.get(each, each) for each in (*filter(None, permalinks), "date", "pretty")]

    @cached_property
    def _posts(self) -> dict[str, set[tuple[str, bool, str]]]:
        """Posts by their files in the site, or by what follows categories there; with what precedes these."""
        posts: dict[str, set[tuple[str, bool, str]]] = {}
        for below, folders, names in files.walk_folders(os.path.realpath(self.root)):
            if "_posts/" not in f"/{below}":
                folders[:] = [name for name in folders if name == "_posts" or name[0] != "_"]
                continue
            for post in filter(None, map(_POST.fullmatch, sorted(names))):
                for template in self._templates:
                    start, categories, end = template.rpartition(":categories/")
                    file = _file_of(post, end)
                    posts.setdefault(file, set()).add((start.lstrip("/"), bool(categories), below + post[0]))
        return posts

    def places(self, file: str) -> Iterator[tuple[str, str]]:
        yield from super().places(file)
        parts = file.casefold().split("/")[-_DEEPEST_POST:]
        for number in range(len(parts)):
            end = "/".join(parts[number:])
            stems = set()
            for start, has_categories, name in self._posts.get(end, ()):
                if file.startswith(start) and (has_categories or len(end) == len(file)):
                    stems.add(splitext(name)[0])
            if len(stems) == 1:
                (name,) = stems
                yield dirname(name), basename(name)


def _file_of(post: re.Match[str], permalink: str) -> str:
    """The file of the site that a post is rendered to."""
    year, month, day, title = post.groups()
    title = title.replace(" ", "-")
    values = {"year": year, "short_year": year[2:], "title": title, "slug": title}
    values |= {"month": f"{month:0>2}", "i_month": month.lstrip("0")}
    values |= {"day": f"{day:0>2}", "i_day": day.lstrip("0"), "output_ext": ".html"}
    file = _KEY.sub(lambda key: values.get(key[1], key[0]), permalink).strip()
    if file.endswith("/"):
        file += "index"
    return f"{file.removesuffix('.html')}.html".lstrip("/").casefold()


_NUMBER = re.compile(r"(?!\d+[-_.]\d)\d+\s*[-_.]+\s*(?=[^-_.\s])")


def _unnumbered(name: str) -> str:
    number = _NUMBER.match(name)
    return name[number.end() :] if number else name


class DocusaurusLayout(SourceLayout):
    """Documents by the ``slug`` or the ``id`` in their front matter, and without numbers in their names.

    https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-content-docs#markdown-front-matter
    """

    @cached_property
    def _documents(self) -> dict[str, list[str]]:
        """The names of documents by their addresses; none where the addresses show a version of them."""
        by_address: dict[str, list[str]] = {}
        docs = Path(self.root, "docs")
        if Path(self.root, "versioned_docs").is_dir():
            return by_address
        prefix = "docs" if Path(self.root, "build/docs").is_dir() else ""
        for name in sorted(files.names_below(docs)):
            stem, ending = splitext(basename(name))
            if ending not in (".md", ".mdx") or stem.startswith("_"):
                continue
            try:
                meta = read_front_matter(str(docs / name), ("id", "slug"))
            except SitemapError:
                continue
            parts = list(map(_unnumbered, dirname(name).split("/")))
            written = str(meta.get("slug") or meta.get("id") or _unnumbered(stem))
            if not meta.get("slug") and stem.lower() in ("index", "readme", basename(dirname(name)).lower()):
                written = ""
            path = normpath("/".join(["", *filter(None, parts), written]))
            if written.startswith("/"):
                path = normpath(written)
            by_address.setdefault(f"{prefix}/{path}".replace("//", "/").strip("/"), []).append(f"docs/{name}")
        return by_address

    def places(self, file: str) -> Iterator[tuple[str, str]]:
        address = f"/{file}".removesuffix(".html").removesuffix("/index").strip("/")
        documents = self._documents.get(address, [])
        if len(documents) == 1:
            name = splitext(documents[0])[0]
            yield dirname(name), basename(name)


class MystLayout(SourceLayout):
    """The sources that MyST names in the data of each page, since addresses leave out folders and numbers."""

    def __init__(self, root: Path, site: Path) -> None:
        super().__init__(root)
        self._site = site

    def places(self, file: str) -> Iterator[tuple[str, str]]:
        slug = file.removesuffix("index.html").strip("/").replace("/", ".")
        for name in (f"{slug}.json", f"{slug}.index.json") if slug else _MYST_HOMES:
            if not files.find_inside(self._site, name):
                continue
            try:
                location = as_text(load_json(self._site / name).get("location"))
            except SitemapError:
                continue
            if location:
                below = normpath(f"/{location}").strip("/")
                yield dirname(below), splitext(basename(below))[0]


class _Post(NamedTuple):
    path: Path
    slug: str
    year: str
    categories: frozenset[str]


@linear
class BlogLayout(SourceLayout):
    """Posts are found by the last part of their address; the pages that list posts are made of these.

    https://squidfunk.github.io/mkdocs-material/plugins/blog/
    """

    def __init__(self, docs: Path, options: Mapping[str, Any]) -> None:
        super().__init__(docs)
        self._docs = docs
        self._blog = str(options.get("blog_dir", "blog")).strip("/.")
        self._folder = docs / str(options.get("post_dir", "{blog}/posts")).replace("{blog}", self._blog)

    @cached_property
    def _posts(self) -> list[_Post]:
        posts = []
        for path in map(self._folder.joinpath, sorted(files.names_below(self._folder))):
            if path.suffix != ".md":
                continue
            try:
                meta = read_front_matter(str(path), ("date", "slug", "title", "categories"))
                text = files.read_file(path).decode("utf-8", "replace")
            except (OSError, SitemapError):
                continue
            created = meta.get("date")
            if isinstance(created, dict):
                created = created.get("created")
            year = str(created.year) if isinstance(created, date) else ""
            title = str(meta.get("title") or _heading(text) or path.stem)
            post = _Post(
                path=path,
                slug=str(meta.get("slug") or slug_of(title)),
                year=year,
                categories=frozenset(slug_of(str(each)) for each in as_list(meta.get("categories"))),
            )
            posts.append(post)
        return posts

    def _below(self, file: str) -> list[str] | None:
        """The parts of a page's address below the blog; None for pages of other folders."""
        address = f"/{file}".removesuffix(".html").removesuffix("/index")
        start = f"/{self._blog}".rstrip("/")
        if not f"{address}/".startswith(f"{start}/"):
            return None
        return list(filter(None, address[len(start) :].split("/")))

    def places(self, file: str) -> Iterator[tuple[str, str]]:
        parts = self._below(file)
        if not parts:
            return
        named = [post for post in self._posts if post.slug == parts[-1]]
        if len(named) == 1:
            path = named[0].path.relative_to(self._docs)
            yield path.parent.as_posix(), path.stem

    def listed(self, file: str) -> list[Path]:
        """The posts of an index, of a year and of a category."""
        match self._below(file):
            case [] | ["page", _]:
                return [post.path for post in self._posts]
            case ["archive", year, *_]:
                return [post.path for post in self._posts if post.year == year]
            case ["category", category, *_]:
                return [post.path for post in self._posts if category in post.categories]
            case _:
                return []


def _heading(text: str) -> str:
    """The first heading of a page in Markdown, without the attributes behind it; ``""`` where it has none."""
    for line in text.splitlines():
        heading = line.removeprefix("# ").strip()
        if heading and line.startswith("# "):
            if heading.endswith("}"):
                start = heading.find(" {", heading.rfind("}", 0, -1) + 1)
                heading = heading[: start if start > 0 else None]
            return heading.rstrip()
    return ""


def slug_of(text: str) -> str:
    """A title as Material's blog has it in addresses by default.

    >>> slug_of("Hello, *World*: 2.0!")
    'hello-world-20'
    """
    return _NOT_IN_SLUGS.sub("", normalize("NFC", text)).strip().lower().replace(" ", "-")


LOADERS = {".toml": load_toml, ".yaml": load_yaml, ".yml": load_yaml, ".json": load_json}
"""What reads a configuration, by the ending of its name."""
#: Names that other programs use, too: what they wrote is no error.
_COMMON_NAMES = frozenset(f"config{ending}" for ending in LOADERS)

CONFIGURATIONS: dict[str, Callable[[_Written], GeneratorConfig | None]] = {
    "zensical.toml": _read_zensical,
    "properdocs.yml": _read_mkdocs,
    "mkdocs.yml": _read_mkdocs,
    "mkdocs.yaml": _read_mkdocs,
    "antora-playbook.yml": _read_antora,
    **{
        f"{folder}{name}{ending}": _read_hugo
        for folder in ("", "config/_default/")
        for name in ("hugo", "config")
        for ending in LOADERS
    },
    "_config.yml": _read_jekyll,
    "_config.yaml": _read_jekyll,
    "_config.toml": _read_jekyll,
    **{f"docusaurus.config.{ending}": _read_docusaurus for ending in ("js", "ts", "mjs", "cjs")},
    "book.toml": _read_mdbook,
    "myst.yml": _read_myst,
}
"""The readers of the configurations, by the name of the file."""
