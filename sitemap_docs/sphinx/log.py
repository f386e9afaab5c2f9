"""Findings in Sphinx's log: as warnings that ``suppress_warnings`` and ``-W`` know, or as information."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx.util.logging import getLogger

from sitemap_docs.config.options import OPTION_REMOVED
from sitemap_docs.history import diagnostics
from sitemap_docs.sphinx.config import in_conf_py
from sitemap_docs.text import one_line

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from sitemap_docs.model import Finding

#: What a switch from sphinx-sitemap shows is no reason to fail, and neither is git.
_LENIENT = diagnostics.RULES | {
    OPTION_REMOVED,
    "base-from-platform",
    "canonical-corrected",
    "filename-out-of-scope",
    "footer-dates",
    "locales-unused",
    "option-unused",
    "scheme-unconfirmed",
    "scheme-unused",
    "sphinx-sitemap-loaded",
    "two-base-urls",
    "unknown-option",
    "unmatched-pattern",
    "versions-share-address",
}

logger = getLogger(__name__)


def report(finding: Finding, app: Sphinx) -> None:
    """Logs a finding by its severity and rule, at its document where it has one."""
    # -W, with and without --keep-going, before and since Sphinx 8.1
    strict = app.warningiserror or app.keep_going
    message = in_conf_py(str(finding))
    if finding.severity == "info" or (strict and finding.rule in _LENIENT):
        logger.info("sitemap-docs: %s", message)
        return
    document = finding.where in app.env.all_docs
    logger.log(
        finding.severity.upper(),
        "sitemap-docs: %s",
        in_conf_py(one_line(finding.message)) if document else message,
        type="sitemap_docs",
        subtype=finding.rule,
        location=finding.where if document else None,
    )
