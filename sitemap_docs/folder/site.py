"""A built folder as its user, the TOML file, its generator and the platform describe it together."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar, cast, get_args

from sitemap_docs.config import validators
from sitemap_docs.config.options import Options, removed_options
from sitemap_docs.config.parsing import read_project_options
from sitemap_docs.files import HTML_SUFFIXES
from sitemap_docs.folder.addressing import (
    FoundLinks,
    find_base,
    find_homes,
    find_links,
    listed_alternates,
    reachable,
    read_home,
)
from sitemap_docs.folder.collect import Directory, Links, pages
from sitemap_docs.folder.generators import find_projects
from sitemap_docs.model import PageOptions, Reason, SitemapError
from sitemap_docs.output.record import read_record
from sitemap_docs.paths import seen_from, user_cache
from sitemap_docs.pipeline import SiteBuild
from sitemap_docs.sources.includes import Includes
from sitemap_docs.sources.lookup import SourceFolders, SourceMap
from sitemap_docs.text import many
from sitemap_docs.urls.platforms import build_time, platform

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from sitemap_docs.folder.generators import GeneratorConfig
    from sitemap_docs.model import Finding, Page
    from sitemap_docs.output.record import Record
    from sitemap_docs.urls.base import Base
    from sitemap_docs.urls.platforms import Platform

T = TypeVar("T")
_LISTED = PageOptions(listed=True)
_LEFT_OUT = PageOptions()
LINKS = ("auto", *get_args(Links))


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderSettings:
    """A built folder as the user describes it; what is missing comes from the TOML file, or is found.

    ``base_url_by`` and ``links_by`` are what messages call ``base_url`` and ``links``. ``maps`` are written
    ``site glob=source glob``. ``cache_dir`` holds dates between builds. ``options`` are those of
    :class:`sitemap_docs.config.options.Options`, by name.
    """

    folder: Path | None = None
    config: Path | None = None
    base_url: str = ""
    base_url_by: str = "base_url"
    sources: tuple[Path, ...] = ()
    maps: tuple[str, ...] = ()
    links: Links | Literal["auto"] | None = None
    links_by: str = "links"
    cache_dir: Path | None = None
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderSite:
    """The site, the folder of its pages, what named the base URL and the links, the record of the build.

    ``findings`` are those about the configuration.
    """

    site: SiteBuild
    directory: Directory
    base_by: str
    links: FoundLinks
    record: Record | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def read_from(self) -> str:
        """Whether the last build's decisions are known, as ``-v`` prints it."""
        if self.record is None:
            return "no record of the build of this sitemap: pages are judged from the folder alone"
        return f"the record of the last build is used: {many(len(self.record.lines), 'page')}"

    def sources(self) -> Iterator[Path]:
        """The files whose history dates the pages: a pass of its own, so that pages need not be kept."""
        if self.directory.sources:
            for page in self.pages(lambda _: None):
                yield from page.sources

    def count(self) -> int:
        """About how many pages there are, without looking into any."""
        return sum(
            name.lower().endswith(HTML_SUFFIXES)
            for _, _, names in os.walk(self.directory.root)
            for name in names
        )

    def pages(self, on_finding: Callable[[Finding], None]) -> Iterator[Page]:
        """The pages of the folder, as the last build knew them where there is a record of it."""
        found = pages(self.directory, on_finding)
        return found if self.record is None else (self._recorded(page, self.record) for page in found)

    def _recorded(self, page: Page, record: Record) -> Page:
        known = record.page(seen_from(self.directory.root, page.file))
        if known is None:
            return page
        base = self.site.base
        path = page.path if base.loc(page.path) == known.loc else base.path_of(known.loc)
        return page._replace(
            path=page.path if path is None else path,
            sources=tuple(map(Path, known.sources)),
            default=Reason(known.reason) if known.reason else None,
            options=_LEFT_OUT if known.reason else _LISTED,
        )


def open_folder(settings: FolderSettings, environ: Mapping[str, str] = os.environ) -> FolderSite:
    """The site that ``settings`` describe; they win over the TOML file, and that over mkdocs.yml.

    Raises SitemapError.
    """
    return _open(settings, environ, built=False)


def open_built(settings: FolderSettings, environ: Mapping[str, str] = os.environ) -> FolderSite:
    """As :func:`open_folder`, for what reads the result of a build: its record and its sitemap count, too.

    Raises SitemapError.
    """
    return _open(settings, environ, built=True)


def _open(settings: FolderSettings, environ: Mapping[str, str], *, built: bool) -> FolderSite:
    known = _Description.of(settings, environ, built=built)
    base, by = known.base(listed=built)
    directory = known.directory(base)
    links = known.links(directory)
    directory = replace(directory, links=links.links)
    directory = replace(directory, homes=find_homes(directory))
    site = known.site(directory, environ)
    return FolderSite(
        site=site,
        directory=directory,
        base_by=by,
        links=links,
        record=known.record,
        findings=tuple(removed_options(known.given)),
    )


class _Description(NamedTuple):
    """What describes a folder: the user, the TOML file, generators, the platform and the last build.

    ``own`` are the configurations of generators that write this folder, ``given`` the options as written.
    """

    output: Path
    settings: FolderSettings
    file: _FileSettings
    projects: tuple[GeneratorConfig, ...]
    own: tuple[GeneratorConfig, ...]
    given: Mapping[str, object]
    options: Options
    platform: Platform
    cache: Path
    record: Record | None

    @classmethod
    def of(cls, settings: FolderSettings, environ: Mapping[str, str], *, built: bool) -> _Description:
        file = _FileSettings.of(settings.config)
        here, folder = Path.cwd(), settings.folder
        found = find_projects([folder.parent, here], folder.resolve()) if folder else find_projects([here])
        projects = tuple(found)
        output = (folder or _built_by(projects)).resolve()
        own = tuple(project for project in projects if project.describes(output))
        given = _given({**file.options, **settings.options}, own)
        cache = settings.cache_dir or user_cache()
        return cls(
            output=output,
            settings=settings,
            file=file,
            projects=projects,
            own=own,
            given=given,
            options=Options.of(given).without_scheme(),
            platform=platform(environ),
            cache=cache,
            record=read_record(output, cache / "records") if built else None,
        )

    def base(self, *, listed: bool) -> tuple[Base, str]:
        named = (
            (self.settings.base_url, self.settings.base_url_by),
            (self.file.base_url, "the TOML file"),
            (self.record.base if self.record else "", "the record of the last build"),
        )
        return find_base(named, self.projects, self.output, self.platform, listed=listed)

    def directory(self, base: Base) -> Directory:
        options, projects = self.options, self.projects
        return Directory(
            root=str(self.output),
            base=base,
            sources=_source_folders(self.settings, self.file, self.own),
            fields=options.lastmod_fields,
            includes=next((Includes(each.markdown) for each in projects if each.markdown), None),
            dependencies=options.lastmod_dependencies,
            templates=next((each.templates for each in projects if each.templates), None),
        )

    def links(self, directory: Directory) -> FoundLinks:
        given = (self.settings.links, self.settings.links_by), (self.file.links, "the TOML file")
        for links, by in given:
            if links == "auto":
                break
            if links:
                return FoundLinks(links, f"from {by}")
        return find_links(directory, self.own)

    def site(self, directory: Directory, environ: Mapping[str, str]) -> SiteBuild:
        return SiteBuild(
            root=self.file.folder or Path.cwd(),
            output=self.output,
            base=directory.base,
            platform=self.platform,
            options=self.options,
            environ=environ,
            now=build_time(environ, time()),
            cache=self.cache,
            records=self.cache / "records",
            gzip="beside" if (self.output / f"{self.options.filename}.gz").is_file() else "off",
            source_of=directory.sources.copied,
            full_urlset=(read_home(self.output).generator or "").startswith(("mkdocs", "zensical")),
            alternates=listed_alternates(directory, self.output / self.options.filename),
        )


def _given(given: Mapping[str, object], own: Iterable[GeneratorConfig]) -> dict[str, object]:
    """The options as written, those of our plugin in the generator's configuration included."""
    if given.get("orphans") is False:
        raise SitemapError(
            "The option `orphans` is for Sphinx and MkDocs only, which know their navigation: name the pages "
            "in `excludes`."
        )
    inherited = next((project.options for project in own), {})
    return {**inherited, **given}


def _built_by(projects: Iterable[GeneratorConfig]) -> Path:
    for project in projects:
        if project.site and project.site.is_dir():
            return project.site
    raise SitemapError(
        "Missing argument SITE: pass the folder that your site is built into, such as site/ or public/."
    )


class _FileSettings(NamedTuple):
    """The options in the TOML file, and apart from them those that only built folders have."""

    folder: Path | None = None
    options: Mapping[str, object] = {}
    base_url: str = ""
    sources: tuple[Path, ...] = ()
    maps: tuple[str, ...] = ()
    links: Links | Literal["auto"] = "auto"

    @classmethod
    def of(cls, file: Path | None) -> _FileSettings:
        table = read_project_options(file)
        folder = file.parent if file else None
        return cls(
            folder=folder,
            base_url=reachable(_pop(table, "base_url", validators.string, "")),
            maps=_pop(table, "map", validators.texts, None),
            links=cast("Links", _pop(table, "links", validators.choice(*LINKS), "auto")),
            sources=tuple(_folders(folder or Path(), _pop(table, "source", validators.texts, None))),
            options=table,
        )


def _source_folders(
    settings: FolderSettings, file: _FileSettings, projects: Iterable[GeneratorConfig]
) -> SourceFolders:
    found = ([folder for folder in project.sources if folder.is_dir()] for project in projects)
    layout = next((project.layout for project in projects if project.layout), None)
    rules = tuple(SourceMap.of(text) for text in settings.maps or file.maps)
    return SourceFolders(
        settings.sources or file.sources or tuple(next(filter(None, found), ())), rules, layout
    )


def _pop(table: dict[str, object], name: str, parse: Callable[[object], T], default: object) -> T:
    value = table.pop(name, default)
    try:
        return parse(value)
    except ValueError as error:
        raise SitemapError(
            f"In the TOML file, `{name.replace('_', '-')}` must be {error}, not {validators.shown(value)}."
        ) from None


def _folders(top: Path, names: Iterable[str]) -> Iterator[Path]:
    for name in names:
        if not (top / name).is_dir():
            raise SitemapError(f"In the TOML file, `source` names {top / name}: there is no such folder.")
        yield top / name
