"""What of a build's findings may fail a build that its user made strict, by ``-W`` or ``--strict``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sitemap_docs.model import Finding, Severity

#: The findings that name a setting of ours with a wrong value, in the configuration or in front matter.
OWN_SETTINGS = frozenset(
    {
        "extra-sitemaps-unused",
        "locales-without-own",
        "page-option",
        "page-sources",
        "robots-groups-unused",
        "url-out-of-scope",
    }
)


def severity_in(finding: Finding, *, strict: bool) -> Severity:
    """How a host logs what a build found: in a strict build as information, but for our own settings.

    A strict build that passes without us passes with us, too.
    """
    if strict and finding.rule not in OWN_SETTINGS:
        return "info"
    return finding.severity
