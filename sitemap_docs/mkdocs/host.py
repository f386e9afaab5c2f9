"""What we use of MkDocs, or of ProperDocs where that alone is installed, and our lines in its log."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from sitemap_docs.config.strictness import severity_in

__all__ = [
    "BasePlugin",
    "LegacyConfig",
    "Optional",
    "PluginError",
    "Type",
    "ValidationError",
    "event_priority",
    "get_data",
    "log",
    "logger",
    "report",
]

if TYPE_CHECKING:
    # The same names in both.
    from mkdocs.config.base import LegacyConfig, ValidationError
    from mkdocs.config.config_options import Optional, Type
    from mkdocs.exceptions import PluginError
    from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
    from mkdocs.utils.meta import get_data

    from sitemap_docs.model import Finding
else:
    try:
        from mkdocs.config.base import LegacyConfig, ValidationError
        from mkdocs.config.config_options import Optional, Type
        from mkdocs.exceptions import PluginError
        from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
        from mkdocs.utils.meta import get_data
    except ModuleNotFoundError:  # ProperDocs' command answers for mkdocs, its library does not
        from properdocs.config.base import LegacyConfig, ValidationError
        from properdocs.config.config_options import Optional, Type
        from properdocs.exceptions import PluginError
        from properdocs.plugins import BasePlugin, event_priority, get_plugin_logger
        from properdocs.utils.meta import get_data

LEVELS = {"error": logging.ERROR, "warning": logging.WARNING, "info": logging.INFO}

logger = get_plugin_logger("sitemap-docs")


def report(finding: Finding, *, strict: bool) -> None:
    """Logs a finding of the build; in a strict one, only wrong settings of ours are warnings."""
    logger.log(LEVELS[severity_in(finding, strict=strict)], "%s", finding)


def log(finding: Finding) -> None:
    """Logs what the option ``check`` found, by its severity and with its rule."""
    logger.log(LEVELS[finding.severity], "%s [%s]", finding, finding.rule)
