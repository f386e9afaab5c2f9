"""Rules that earlier versions had: a configuration that names one is warned, and works."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from sitemap_docs.config.options import OPTION_REMOVED
from sitemap_docs.model import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable

REMOVED = {
    "ai-signal-contradicts-disallow": "",
    "case-collision": "",
    "element-order": "",
    "gzip-name-mismatch": "",
    "hreflang-x-default-duplicate": "hreflang-duplicate-code",
    "image-loc-relative": "",
    "index-child-host": "index-child-out-of-scope",
    "index-html-beside-folder": "loc-duplicate-after-normalising",
    "indexnow-key-format": "",
    "lang-attribute-mismatch": "",
    "lastmod-no-timezone": "lastmod-format",
    "lastmod-too-old": "",
    "live-not-packed": "",
    "live-redirect-chain": "live-redirect",
    "live-robots-type": "",
    "llms-no-h1": "",
    "llms-no-links": "",
    "llms-too-short": "",
    "loc-credentials": "",
    "loc-default-port": "",
    "loc-dot-segments": "",
    "loc-double-encoded": "",
    "loc-in-several-sitemaps": "",
    "loc-scheme": "loc-relative",
    "loc-uppercase-host": "",
    "loc-whitespace": "loc-not-encoded",
    "near-limit": "",
    "noindex-outside-head": "",
    "non-html-listed": "",
    "robots-bom": "",
    "robots-dollar-not-last": "",
    "robots-empty-user-agent": "",
    "robots-line-without-colon": "robots-unknown-directive",
    "robots-name-case": "robots-absent",
    "robots-rule-too-long": "",
    "robots-sitemap-duplicate-line": "",
    "robots-sitemap-host": "",
    "sitemap-unreferenced": "",
    "stylesheet-missing": "",
    "trailing-slash-inconsistent": "loc-duplicate-after-normalising",
    "xml-bom": "",
    "xml-doctype": "xml-not-wellformed",
}
"""Rule → the rule that reports the same now, or ``""``."""


def is_removed(name: str) -> bool:
    """Whether a rule, or every rule that a glob matches, was removed."""
    return any(fnmatchcase(rule, name) for rule in REMOVED)


def removed_finding(names: Iterable[str]) -> Finding | None:
    """One warning for all removed rules that a configuration names; None without any."""
    written = sorted(set(names))
    if not written:
        return None
    instead = [f"`{REMOVED[name]}` reports what `{name}` did" for name in written if REMOVED.get(name)]
    listed = ", ".join(f"`{name}`" for name in written)
    message = f"The audit has no rule {listed} anymore: take it out of `check`."
    if instead:
        message += f" {'; '.join(instead)}."
    return Finding(rule=OPTION_REMOVED, message=message)
