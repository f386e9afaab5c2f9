"""A built folder as the flags, the TOML file, its generator and the platform describe it together."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast, get_args

import click
from platformdirs import user_cache_path

from sitemap_docs import validators
from sitemap_docs.cli.flags import all_options, configured, given, read_config, reading_options
from sitemap_docs.folder.addressing import find_base, guess_links, read_home
from sitemap_docs.folder.pages import Directory, Links, pages
from sitemap_docs.folder.sources import SourceFolders, SourceMap
from sitemap_docs.generators import find_projects
from sitemap_docs.hosting import build_time, platform
from sitemap_docs.model import SitemapError
from sitemap_docs.options import Options
from sitemap_docs.pipeline import SiteBuild

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from sitemap_docs.generators import GeneratorConfig
    from sitemap_docs.model import Finding, Page

    Command = Callable[..., object]

T = TypeVar("T")
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
LINKS = ("auto", *get_args(Links))


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderSite:
    """The site, the folder of its pages, and who named the base URL."""

    site: SiteBuild
    directory: Directory
    base_by: str

    def sources(self) -> Iterator[Path]:
        """The files whose history dates the pages: a pass of its own, so that pages need not be kept."""
        if self.directory.origins.folders:
            for page in self.pages(lambda _: None):
                yield from page.sources

    def pages(self, tell: Callable[[Finding], None]) -> Iterator[Page]:
        return pages(self.directory, tell)


def site_flags(command: Command) -> Command:
    """Gives a command the argument SITE and all flags that :func:`open_folder` reads."""
    return click.argument("folder", metavar="[SITE]", type=FOLDER, required=False)(
        _flags(command, all_options)
    )


def reading_flags(command: Command) -> Command:
    """Gives a command that writes no sitemap the flags that matter to it, and no argument."""
    return _flags(command, reading_options)


def _flags(command: Command, options: Callable[[Command], Command]) -> Command:
    for flag in (
        click.option("--cache-dir", type=click.Path(file_okay=False, path_type=Path), help=_CACHE),
        configured,
        options,
        click.option("--links", type=click.Choice(LINKS), help=_LINKS),
        click.option("--map", "maps", multiple=True, metavar="SITE=SOURCE", help=_MAP),
        click.option("--source", "sources", type=FOLDER, multiple=True, help=_SOURCE),
        click.option("--base-url", help="Where the folder is deployed. [default: found, and said]"),
    ):
        command = flag(command)
    return command


_CACHE = "Where git's answers are kept between builds. [default: the user's cache folder]"
_LINKS = (
    "Addresses: folders (a.html, b/), files (a.html, b/index.html), clean (a, b/) or bare (a, b). "
    "[default: auto, from canonical links]"
)
_MAP = "Where sources lie that are not at their page's path, such as 'fr/**=**.fr.md'. Repeat it for more."
_SOURCE = (
    "Folder of the sources. Repeat it for more. [default: the generator's, if its configuration is found]"
)


def open_folder(flags: Mapping[str, Any], environ: Mapping[str, str] = os.environ) -> FolderSite:
    """The site that a command's flags describe; flags win over the TOML file, and that over mkdocs.yml.

    Flags have the names of their variables in :func:`site_flags`; those that are missing were not given.
    Raises SitemapError.
    """
    flags = dict.fromkeys(_ASKED) | dict(flags)
    said = read_config(flags["config"])
    own = _Own.of(flags, {name: said.pop(name) for name in _OWN if name in said})
    folder = flags["folder"]
    here = Path.cwd()
    projects = tuple(find_projects([folder.parent, here] if folder else [here]))
    output = (folder or _built_by(projects)).resolve()
    inherited = projects[0].options if projects else {}
    options = Options.of({**inherited, **said, **given(flags)}).without_scheme()
    where = platform(environ)
    base, by = find_base(own.base_urls, projects, output, where)
    directory = Directory(root=str(output), base=base, origins=own.origins(projects))
    site = SiteBuild(
        root=flags["config"].parent if flags["config"] else here,
        output=output,
        base=base,
        platform=where,
        options=options,
        environ=environ,
        now=build_time(environ, time()),
        cache=flags["cache_dir"] or user_cache_path("sitemap-docs", appauthor=False),
        gzip="beside" if (output / f"{options.filename}.gz").is_file() else "off",
        urlset_stays=(read_home(output).generator or "").startswith(("mkdocs", "zensical")),
    )
    links = own.links or guess_links(directory)
    return FolderSite(site=site, directory=replace(directory, links=links), base_by=by)


def _built_by(projects: Iterable[GeneratorConfig]) -> Path:
    for project in projects:
        if project.site and project.site.is_dir():
            return project.site
    raise SitemapError("Which folder? Name the one that your site is built into, such as site/ or public/.")


_ASKED = ("config", "folder", "base_url", "sources", "maps", "links", "cache_dir")
_OWN = ("base_url", "source", "map", "links")


class _Own(NamedTuple):
    """What only built folders have options for; from the flags, else from the TOML file."""

    base_urls: tuple[tuple[str, str], ...]
    folders: tuple[Path, ...]
    rules: tuple[SourceMap, ...]
    links: Links | None

    @classmethod
    def of(cls, flags: Mapping[str, Any], said: Mapping[str, object]) -> _Own:
        base_url = _read("base_url", said, validators.string, "")
        maps = flags["maps"] or _read("map", said, validators.texts, None)
        links = flags["links"] or _read("links", said, validators.choice(*LINKS), "auto")
        top = flags["config"].parent if flags["config"] else Path()
        sources = flags["sources"] or _folders(top, _read("source", said, validators.texts, None))
        return cls(
            base_urls=((flags["base_url"] or "", "--base-url"), (base_url, "the TOML file")),
            folders=tuple(sources),
            rules=tuple(SourceMap.of(text) for text in maps),
            links=None if links == "auto" else cast("Links", links),
        )

    def origins(self, projects: Iterable[GeneratorConfig]) -> SourceFolders:
        docs = (project.docs for project in projects if project.docs and project.docs.is_dir())
        return SourceFolders(self.folders or tuple(islice(docs, 1)), self.rules)


def _read(name: str, said: Mapping[str, object], parse: Callable[[object], T], default: object) -> T:
    value = said.get(name, default)
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
