"""What the configuration of MkDocs, ProperDocs, Zensical, mdBook or MyST names.

Those are the base URL, the spelling of links, the folders, and where sources lie. Configurations of other
generators are not read: these have sitemaps of their own, and the manual has the line for each.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from posixpath import basename, dirname, normpath, splitext
from typing import Any, NamedTuple
from unicodedata import normalize

from sitemap_docs import files, web
from sitemap_docs.config.frontmatter import read_front_matter
from sitemap_docs.config.generator_files import load_defaults, load_json, load_yaml, merged
from sitemap_docs.config.options import LinkStyle
from sitemap_docs.config.parsing import ENABLED, TABLE, TABLE_TOO, as_list, as_mapping, as_text, load_toml
from sitemap_docs.model import Finding, SitemapError, reported
from sitemap_docs.sources.markup import MarkdownConfig
from sitemap_docs.sources.source_files import SourceLayout
from sitemap_docs.text import linear

_MYST_HOMES = ("index.json", "readme.json", "main.json")
_NOT_IN_SLUGS = re.compile(r"<[^<>]*>|[^\w\- ]")
#: Whose configurations are not read, by what their names begin with.
_OTHERS = {"hugo": "Hugo", "_config": "Jekyll", "docusaurus": "Docusaurus", "antora-playbook": "Antora"}
_LONGEST_NAME, _LONGEST_PATH = 255, 1_000  # bytes and characters at most; a whole path has 1,024 on macOS


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratorConfig:
    """One configuration file; ``base_url`` is "" where it names none.

    ``site`` is the folder that is built, ``source`` that of the sources. ``links`` is how addresses are
    spelled. ``layout`` is where sources lie that are not at their page's path. ``options`` are those of our
    plugin, which Zensical does not load (0.0.73); None without it. ``markdown`` is how pages are rendered;
    None for MyST.
    ``defaults`` is what MkDocs' plugin meta adds to their front matter, and ``templates`` the theme's
    ``custom_dir``, whose files MkDocs copies where it lies among the sources.
    """

    file: Path
    site: Path
    source: Path
    base_url: str = ""
    links: LinkStyle = "folders"
    layout: SourceLayout | None = None
    options: Mapping[str, object] | None = None
    markdown: MarkdownConfig | None = None
    templates: Path | None = None
    defaults: PageDefaults | None = None
    takes_any_folder: bool = False

    def builds(self, folder: Path) -> bool:
        """Whether a folder, without symbolic links in its path, is what the generator writes."""
        return self.site.resolve() == folder

    def describes(self, folder: Path) -> bool:
        """Whether the folder is the generator's; of MkDocs, that of its flag ``--site-dir``, too."""
        return self.takes_any_folder or self.builds(folder)


class Projects(NamedTuple):
    """The configurations that were found, and a finding for each that cannot be read or is not."""

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
        builds = built is not None and project.builds(built)
        return project.source.resolve() not in documented, not builds

    projects = Projects([], [])
    for folder in [*near, *sorted(farther.difference(near))]:
        for name, read in CONFIGURATIONS.items():
            file = folder / name
            if not file.is_file():
                continue
            try:
                project = read(_Written(file, LOADERS[file.suffix](file)))
            except SitemapError as error:
                if folder in near:
                    projects.findings.append(configuration_unreadable(str(error)))
                continue
            # Farther away, there are also configurations of other projects.
            if folder in near or rank(project) != (True, True):
                projects.configs.append(project)
    projects.configs.sort(key=rank)
    if not projects.configs and not documented:
        projects.findings.extend(_not_read(near))
    return projects


def _not_read(folders: Iterable[Path]) -> Iterator[Finding]:
    """A finding for each configuration in the folders that is not read."""
    for folder in folders:
        for file in sorted([*folder.glob("*.*"), *folder.glob("config/_default/*")]):
            if message := _instead(file):
                yield configuration_not_read(message)


def _instead(file: Path) -> str:
    """What to write in place of a configuration that is not read; ``""`` for one of another name."""
    generator = _OTHERS.get(file.name.partition(".")[0])
    if generator is None:
        return ""
    return (
        f"{file} is not read. Pass --base-url, the folder of the sources as --source, and --map for those at "
        f"other paths: the manual's page about generators has the line for {generator}."
    )


def read_named(file: Path) -> GeneratorConfig:
    """The project of a configuration that the user named; it is that of any folder. Raises SitemapError.

    Its name holds that of the generator's own file without the ending, as ``mkdocs.en.yml`` does; one of
    MkDocs may have any name.
    """
    if message := _instead(file):
        raise SitemapError(message)
    if file.suffix in LOADERS:
        written = _Written(file, LOADERS[file.suffix](file))
        readers = [read for name, read in CONFIGURATIONS.items() if name.partition(".")[0] in file.name]
        if "site_name" in written.keys:  # which MkDocs requires
            readers.append(_read_mkdocs)
        if readers:
            return replace(readers[0](written), takes_any_folder=True)
    raise SitemapError(
        f"{file} is no configuration that can be read: it must have a `site_name`, as those of MkDocs, or a "
        "name that holds that of the generator's own, such as zensical, book or myst; and end in .yml, .yaml "
        "or .toml."
    )


class _Written(NamedTuple):
    """A configuration file, and what it holds."""

    file: Path
    keys: Mapping[str, Any]

    @property
    def root(self) -> Path:
        """The folder of the project."""
        return self.file.absolute().parent

    def value(self, *names: str) -> object:
        """What a table, or one inside another, has for the last of the names; None without it."""
        setting: object = self.keys
        for name in names:
            setting = as_mapping(setting).get(name)
        return setting

    def text(self, *names: str) -> str:
        return as_text(self.value(*names))

    def folder(self, *names: str, default: str) -> Path:
        return self.below(self.text(*names) or default)

    def below(self, path: str) -> Path:
        """The whole path of one from the folder of the project; SitemapError for one that no system has."""
        try:
            names = os.fsencode(path).split(b"/")
        except UnicodeEncodeError:  # half a character, which YAML can hold
            names = [b"\0"]
        if b"\0" in b"".join(names) or max(map(len, names)) > _LONGEST_NAME or len(path) > _LONGEST_PATH:
            raise SitemapError(
                f"{self.file} names a path that no folder can have, {path[:60]!r}. Correct it."
            )
        return Path(os.path.abspath(self.root / path))  # noqa: PTH100  links stay, as MkDocs leaves them


def _read_mkdocs(written: _Written) -> GeneratorConfig:
    docs = written.folder("docs_dir", default="docs")
    plugins = _named(written.value("plugins"))
    options = plugins.get(TABLE, plugins.get(TABLE_TOO))
    if options is not None:
        options = {str(name): value for name, value in options.items() if name != ENABLED}
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
        source=docs,
        links="files" if written.value("use_directory_urls") is False else "folders",
        options=options,
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


def _read_mdbook(written: _Written) -> GeneratorConfig:
    """https://rust-lang.github.io/mdBook/format/configuration/renderers.html ``site-url`` may be a path."""
    site = written.folder("build", "build-dir", default="book")
    if len(as_mapping(written.value("output"))) > 1:
        site /= "html"
    docs = written.folder("book", "src", default="src")
    url = written.text("output", "html", "site-url")
    return GeneratorConfig(
        file=written.file,
        base_url=url if web.is_web(url) else "",
        site=site,
        source=docs,
        markdown=MarkdownConfig(docs=docs, root=written.root, start=written.root, plugins={"mdbook": {}}),
    )


def _read_myst(written: _Written) -> GeneratorConfig:
    """MyST and Jupyter Book 2 read no base URL but the path in the variable ``BASE_URL``."""
    site = written.root / "_build/html"
    return GeneratorConfig(
        file=written.file,
        site=site,
        source=written.root,
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


LOADERS = {".toml": load_toml, ".yaml": load_yaml, ".yml": load_yaml}
"""What reads a configuration, by the ending of its name."""
CONFIGURATIONS: dict[str, Callable[[_Written], GeneratorConfig]] = {
    "zensical.toml": _read_zensical,
    "properdocs.yml": _read_mkdocs,
    "mkdocs.yml": _read_mkdocs,
    "mkdocs.yaml": _read_mkdocs,
    "book.toml": _read_mdbook,
    "myst.yml": _read_myst,
}
"""The readers of the configurations, by the name of the file."""


@reported()
def configuration_unreadable(error: str) -> str:
    """The configuration of a generator is there and cannot be read.

    What it names, such as the base URL and the folder of the sources, is not known.
    Correct the file.
    Wrong: `site_url: [https://docs.example.org/` in mkdocs.yml
    Right: `site_url: https://docs.example.org/`
    Source: sitemap-docs: the page Any folder of HTML
    """
    return f"{error} It is not used."


@reported("info")
def configuration_not_read(message: str) -> str:
    """The configuration of a generator is there whose files are not read.

    Base URL and sources are those of the command line and of the pages.
    Pass them to the command, as the manual has the lines for each generator.
    Wrong: `sitemap-docs build public` next to `hugo.toml`
    Right: `sitemap-docs build public --base-url https://docs.example.org/ --source content`
    Source: sitemap-docs: the page Any folder of HTML
    """
    return message
