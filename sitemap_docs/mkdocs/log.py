"""Findings in the log of MkDocs: as warnings, which fail a strict build, or as information."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from sitemap_docs.config.strictness import severity_in
from sitemap_docs.mkdocs.host import get_plugin_logger

if TYPE_CHECKING:
    from sitemap_docs.model import Finding

LEVELS = {"error": logging.ERROR, "warning": logging.WARNING, "info": logging.INFO}

logger = get_plugin_logger("sitemap-docs")


def report(finding: Finding, *, strict: bool) -> None:
    """Logs a finding of the build; in a strict one, only wrong settings of ours are warnings."""
    logger.log(LEVELS[severity_in(finding, strict=strict)], "%s", finding)


def log(finding: Finding) -> None:
    """Logs what the option ``check`` found, by its severity and with its rule."""
    logger.log(LEVELS[finding.severity], "%s [%s]", finding, finding.rule)
