"""The public Python API: build and check a folder, read a sitemap, register a rule of the audit.

What this module names, and what :mod:`sitemap_docs.model` defines, changes only with a new major version.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitemap_docs.audit.registry import Findings, Location, rule, settings_of
from sitemap_docs.audit.run import audit_site
from sitemap_docs.audit.site import AlternateLinks, HtmlPage, RobotsFile, Site, Sitemap, TextFile, Url
from sitemap_docs.build import build_site
from sitemap_docs.built import read_built
from sitemap_docs.config.typed import BuildOptions, CheckOptions
from sitemap_docs.findings import of_audit
from sitemap_docs.folder.collect import collect_pages
from sitemap_docs.folder.folder_site import open_folder
from sitemap_docs.folder.settings import FolderSettings
from sitemap_docs.model import Entry, Finding, Rule, Severity, SitemapError
from sitemap_docs.publish import Published
from sitemap_docs.sitemap.reader import parse

if TYPE_CHECKING:
    from typing_extensions import Unpack  # of type checkers; `typing` has it from Python 3.11 on


__all__ = [
    "AlternateLinks",
    "BuildOptions",
    "CheckOptions",
    "Entry",
    "Finding",
    "Findings",
    "HtmlPage",
    "Location",
    "Published",
    "RobotsFile",
    "Rule",
    "Site",
    "Sitemap",
    "SitemapError",
    "TextFile",
    "Url",
    "build",
    "check",
    "read_sitemap",
    "rule",
]


def build(  # noqa: PLR0913  all but the first by name
    folder: str | os.PathLike[str],
    *,
    base_url: str = "",
    sources: Sequence[str | os.PathLike[str]] = (),
    maps: Sequence[str] = (),
    config: str | os.PathLike[str] | None = None,
    generator_config: str | os.PathLike[str] | None = None,
    dry_run: bool = False,
    **options: Unpack[BuildOptions],
) -> Published:
    """Writes the sitemap of a built folder, as ``sitemap-docs build`` does, and returns what was written.

    ``sources`` are folders of sources, whose history dates the pages, and ``maps``, written ``SITE=SOURCE``,
    those at other paths. ``config`` is a TOML file with options; none is looked for. ``generator_config`` is
    the generator's own configuration; without it, that next to the built folder counts. ``options`` are those
    of the manual, by name, and win over the files. Raises SitemapError, before any file is changed.
    """
    described = {"base_url": base_url, "maps": tuple(maps), "options": options}
    opened = open_folder(_settings(folder, config, generator_config, sources, **described))
    project = replace(opened.project, dry_run=dry_run)
    return build_site(project, collect_pages(opened), check=opened.is_audited)


def check(  # noqa: PLR0913  all but the first by name
    folder: str | os.PathLike[str],
    *,
    base_url: str = "",
    sources: Sequence[str | os.PathLike[str]] = (),
    maps: Sequence[str] = (),
    config: str | os.PathLike[str] | None = None,
    generator_config: str | os.PathLike[str] | None = None,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    severity: Severity = "warning",
    **options: Unpack[CheckOptions],
) -> tuple[Finding, ...]:
    """Audits a built folder, as ``sitemap-docs check`` does, and returns what was found.

    The site is described as to :func:`build`, with the options that a check reads. ``select`` and ``ignore``
    are names of rules, globs of them, groups, ``default`` or ``all``; findings milder than ``severity`` are
    left out. What the last build decided counts. Raises SitemapError.
    """
    unwanted = tuple(ignore)
    given = {**options, "ignore": unwanted} if unwanted else options
    described = {"base_url": base_url, "maps": tuple(maps), "options": given}
    built = read_built(_settings(folder, config, generator_config, sources, **described))
    settings = settings_of(
        built.project.options, select=tuple(select), ignore=of_audit(unwanted), severity=severity
    )
    audited = audit_site(built, settings, sources_from=built.project.surroundings.here)
    return (*settings.findings, *audited.findings)


def read_sitemap(file: str | os.PathLike[str]) -> tuple[Entry, ...]:
    """The entries of a sitemap or an index, in the file's order; ``.xml`` or ``.xml.gz``.

    What the protocol does not allow is left out. Raises SitemapError for what is no sitemap.
    """
    try:
        return tuple(parse(Path(file)).entries())
    except OSError as error:
        raise SitemapError(f"{file} cannot be read: {error.strerror}.") from None


def _settings(
    folder: str | os.PathLike[str],
    config: str | os.PathLike[str] | None,
    generator_config: str | os.PathLike[str] | None,
    sources: Iterable[str | os.PathLike[str]],
    **described: Any,  # noqa: ANN401  as FolderSettings has them
) -> FolderSettings:
    path = Path(folder)
    if not path.is_dir():
        raise SitemapError(f"There is no folder {path}: name the folder that your site is built into.")
    return FolderSettings(
        folder=path,
        config=Path(config) if config else None,
        generator_config=Path(generator_config) if generator_config else None,
        detects=False,
        sources=tuple(map(Path, sources)),
        **described,
    )
