"""A project as it is known before its pages are collected.

The Sphinx extension, the MkDocs plugin and each command create the project once, and pass it on.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from sitemap_docs.config.options import Options
from sitemap_docs.hosting import Hosting, find_hosting
from sitemap_docs.model import Finding, NoSitemap
from sitemap_docs.surroundings import Surroundings
from sitemap_docs.urls.base import Base


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """The base URL of a site, and where it was found."""

    base: Base
    #: The place of the base URL, for messages: ``"`site_url` in mkdocs.yml"``.
    origin: str = ""
    #: The flag with the base URL, or ``""``.
    given_by: str = ""
    #: The base URL of the canonical links, if they lead to another version.
    canonical: Base | None = None
    #: The setting for the canonical links. None for a folder of HTML.
    canonical_by: str | None = None
    #: The reason why the site gets no sitemap, or None.
    no_sitemap: NoSitemap | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def links_base(self) -> Base:
        """The base URL in canonical links, which may be that of another version, such as ``/stable/``."""
        return self.canonical or self.base


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """The settings and folders of a project.

    Attributes:
        root: The folder of the configuration file, or the current folder.
        output: The folder with the built pages.
        options: The options, with absolute paths.
        address: The base URL of the site.
        surroundings: The environment of this run.
        nearby_records: Records that settings near a built folder mention. A record is the file with the
            decisions of a build.
    """

    root: Path
    output: Path
    options: Options
    address: Address
    surroundings: Surroundings
    language: str = ""
    dry_run: bool = False
    nearby_records: tuple[Path, ...] = ()
    hosting: Hosting = field(init=False, repr=False)

    def __post_init__(self) -> None:
        hosting = find_hosting(self.surroundings.platform, self.base, self.options.host, self.root)
        object.__setattr__(self, "hosting", hosting)

    @property
    def base(self) -> Base:
        """The base URL of the site."""
        return self.address.base

    @property
    def no_sitemap(self) -> NoSitemap | None:
        """The reason why no sitemap is written, for example because the build is a preview, otherwise None.

        Reasons that a build only finds in its pages are not included.
        """
        return self.address.no_sitemap

    @property
    def record_file(self) -> Path | None:
        """The file in the option ``record``, for the decisions of the build. None if it is not set."""
        return Path(self.options.record) if self.options.record else None

    @property
    def record_files(self) -> list[Path]:
        """The files that may contain the record of the last build, apart from the cache.

        The file of the option ``record`` comes first.
        """
        own = [self.record_file] if self.record_file else []
        return [*dict.fromkeys([*own, *self.nearby_records])]

    def with_sitemap(self) -> Project:
        """Return a copy of the project that always gets a sitemap, even if it is a preview."""
        return replace(self, address=replace(self.address, no_sitemap=None))
