"""What we use of MkDocs, or of ProperDocs where that alone is installed: the same names in both."""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = [
    "BasePlugin",
    "LegacyConfig",
    "Optional",
    "PluginError",
    "Type",
    "ValidationError",
    "event_priority",
    "get_data",
    "get_plugin_logger",
]

if TYPE_CHECKING:
    from mkdocs.config.base import LegacyConfig, ValidationError
    from mkdocs.config.config_options import Optional, Type
    from mkdocs.exceptions import PluginError
    from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
    from mkdocs.utils.meta import get_data
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
