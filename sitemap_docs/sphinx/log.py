"""How findings come into Sphinx's log, where `suppress_warnings` and `-W` work on them."""

from __future__ import annotations

from sphinx.application import Sphinx
from sphinx.util.logging import getLogger

from sitemap_docs.model import Finding
from sitemap_docs.sphinx.config import in_conf_py
from sitemap_docs.text import one_line

#: The priority of our handlers: after themes and other extensions, most of which stay at 500.
LAST = 900

logger = getLogger(__name__)


def report(finding: Finding, app: Sphinx) -> None:
    """Logs a finding of the build with its rule, at its document where it has one."""
    # -W, with and without --keep-going, before and since Sphinx 8.1
    severity = finding.severity_in(strict=app.warningiserror or app.keep_going)
    message = in_conf_py(str(finding))
    if severity == "info":
        logger.info("sitemap-docs: %s", message)
        return
    document = finding.where in app.env.all_docs
    logger.log(
        severity.upper(),
        "sitemap-docs: %s",
        in_conf_py(one_line(finding.message)) if document else message,
        type="sitemap_docs",
        subtype=finding.rule,
        location=finding.where if document else None,
    )
