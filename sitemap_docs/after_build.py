"""The audit at the end of a build, where the option `check` is set."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sitemap_docs.model import Finding, Page
    from sitemap_docs.pipeline import SiteBuild


def checked(site: SiteBuild, pages: Iterable[Page]) -> tuple[Finding, ...]:
    """One finding for each rule of the audit that the site trips; none unless the option ``check`` is set.

    A preview and a version without a sitemap are not checked. To be called when all files are in place.
    Raises SitemapError for a check that names no rule.
    """
    if not site.options.check or site.noindex or (site.platform.preview and not site.options.previews):
        return ()
    from sitemap_docs.audit.run import findings_of_build  # noqa: PLC0415  expensive, and off by default

    return findings_of_build(site, pages)
