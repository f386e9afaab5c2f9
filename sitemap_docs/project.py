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
    """The base URL of a site, where it comes from, and where the canonical links lead.

    Attributes:
        origin: The place where the base URL was found, in words for messages: ``"`site_url` in mkdocs.yml"``.
        given_by: The flag or argument that gave the base URL for this run, or ``""``.
        canonical: The base URL of the canonical links, if they lead to another version of the site.
        canonical_by: The setting that may set the canonical links of all pages to another version. ``""`` if
            the setting is not known, and None if neither Sphinx nor MkDocs builds the pages now.
        no_sitemap: The reason why the site should have no sitemap, if it is known before the pages are read.
        findings: Problems to report if the site gets a sitemap.
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
        """The base URL of the canonical links. It differs from ``base`` if they lead to another version."""
        return self.canonical or self.base


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """Everything that is known about a project before its pages are collected.

    Attributes:
        root: The folder of the project: that of its configuration file, or the current folder.
        output: The folder that is deployed to the base URL.
        options: The options. Relative paths and globs of sources in them have been made absolute.
        address: The base URL of the site, and where it comes from.
        surroundings: The time, the environment, the platform and the cache folder.
        language: The language of the pages, such as ``de``, if Sphinx or MkDocs knows it.
        dry_run: Whether no file is written.
        hosting: How the web host serves the site, for example which addresses it redirects.
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
        """The reason why the site should have no sitemap, or None if no reason is known before its pages."""
        return self.address.no_sitemap

    @property
    def record_file(self) -> Path | None:
        """The file for the record of the build, from the option ``record``, or None.

        Without that option, the record is only in the cache folder.
        """
        return Path(self.options.record) if self.options.record else None

    def with_sitemap(self) -> Project:
        """Return a copy of the project in which the site should have a sitemap, even if it is a preview."""
        return replace(self, address=replace(self.address, no_sitemap=None))
