"""The public Python API: build and check a folder, read a sitemap, register a rule of the audit.

What this module names, and what :mod:`sitemap_docs.model` defines, changes only with a new major version.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_docs.audit.registry import Location, Rule, rule
from sitemap_docs.audit.run import audit_site, findings_of_build
from sitemap_docs.audit.settings import settings_of
from sitemap_docs.config.typed import BuildOptions
from sitemap_docs.folder.site import FolderSettings, open_folder
from sitemap_docs.listing.scan import DescribedScan, Spread
from sitemap_docs.model import Entry, Finding, Severity, SitemapError
from sitemap_docs.pipeline import Published, publish
from sitemap_docs.sitemap.reader import parse

if TYPE_CHECKING:
    from typing_extensions import Unpack  # of type checkers; `typing` has it from Python 3.11 on


__all__ = [
    "BuildOptions",
    "Entry",
    "Finding",
    "Location",
    "Published",
    "Rule",
    "SitemapError",
    "Spread",
    "build",
    "check",
    "read_sitemap",
    "rule",
]


def build(
    folder: str | os.PathLike[str],
    *,
    base_url: str = "",
    sources: Sequence[str | os.PathLike[str]] = (),
    dry_run: bool = False,
    scan: Spread | None = None,
    **options: Unpack[BuildOptions],
) -> Published:
    """Writes the sitemap of a built folder, as ``sitemap-docs build`` does, and returns what was written.

    ``sources`` are folders of sources, whose history dates the pages. ``options`` are those of the manual, by
    name. This process reads the pages, or with ``scan`` those of an executor. Raises SitemapError, before any
    file is changed.
    """
    built = open_folder(_settings(folder, base_url, sources, options))
    collected = built.collect()
    described = DescribedScan(wanted=built.audited and not dry_run, scan=scan or map)
    published = publish(
        replace(built.site, dry_run=dry_run),
        collected.pages,
        (source for page in collected.pages for source in page.sources),
        scan=described,
    )
    findings = [*built.findings, *collected.findings, *published.findings]
    if described.wanted and not published.skipped:
        findings += findings_of_build(built.site, collected.pages, described.heads)
    return replace(published, findings=tuple(findings))


def check(
    folder: str | os.PathLike[str],
    *,
    base_url: str = "",
    sources: Sequence[str | os.PathLike[str]] = (),
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    severity: Severity = "warning",
    **options: Unpack[BuildOptions],
) -> tuple[Finding, ...]:
    """Audits a built folder, as ``sitemap-docs check`` does, and returns what was found.

    ``select`` and ``ignore`` are names of rules, globs of them, groups, ``default`` or ``all``; findings
    milder than ``severity`` are left out. What the last build decided counts. Raises SitemapError.
    """
    built = open_folder(_settings(folder, base_url, sources, options), is_built=True)
    settings = settings_of(
        built.site.options.check, select=tuple(select), ignore=tuple(ignore), severity=severity
    )
    audited = audit_site(built.site, built.collect().pages, settings, sources_from=Path.cwd())
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
    base_url: str,
    sources: Iterable[str | os.PathLike[str]],
    options: BuildOptions,
) -> FolderSettings:
    path = Path(folder)
    if not path.is_dir():
        raise SitemapError(f"There is no folder {path}: name the folder that your site is built into.")
    return FolderSettings(
        folder=path, base_url=base_url, sources=tuple(map(Path, sources)), options=dict(options)
    )
