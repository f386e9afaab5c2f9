"""A project as it is known before its pages are collected.

Each entry point finds the address of the site, opens the project once, and passes it on.
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
    """The address of a site, as ``find_address`` of an entry point returns it.

    Attributes:
        base: The base URL.
        origin: Where the base URL was found, as messages show it: ``"`site_url` in mkdocs.yml"``.
        given_by: The flag or argument that gave the base URL for this run, or ``""``.
        canonical: The base of the canonical links, if it is not the base URL.
        canonical_by: What may set the canonical links of all pages to another version: the name of a setting,
            or ``""`` if that is unknown. None if no host renders the pages.
        no_sitemap: The reason why the site has no sitemap, if it is known without the pages.
        findings: What to report if the site has a sitemap.
    """

    base: Base
    origin: str = ""
    given_by: str = ""
    canonical: Base | None = None
    canonical_by: str | None = None
    no_sitemap: NoSitemap | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def links_base(self) -> Base:
        """The base with which the canonical links begin."""
        return self.canonical or self.base


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """Everything that is known about a project before its pages are collected.

    Attributes:
        root: The folder of the project: that of its configuration file, or the current folder.
        output: The folder that is deployed to the base URL.
        options: The options. Their paths and globs of sources are resolved already.
        address: The address of the site.
        surroundings: The time, the environment, the platform and the cache folder.
        language: The language of the pages, if the host knows it.
        dry_run: Whether nothing is written.
        hosting: What the host does with the site.
    """

    root: Path
    output: Path
    options: Options
    address: Address
    surroundings: Surroundings
    language: str = ""
    dry_run: bool = False
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
        """The reason why the site has no sitemap, if it is known without the pages."""
        return self.address.no_sitemap

    @property
    def record_file(self) -> Path | None:
        """The file of the option ``record``. Without that option, the record is only in the cache folder."""
        return Path(self.options.record) if self.options.record else None

    def with_sitemap(self) -> Project:
        """Return the project without its reason for having no sitemap."""
        return replace(self, address=replace(self.address, no_sitemap=None))
