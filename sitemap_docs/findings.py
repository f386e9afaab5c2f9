"""Which modules declare rules: read where a name is looked up, and for the manual; by no plain build."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module

from sitemap_docs.audit.registry import ALL, load_rules
from sitemap_docs.model import DECLARED, Rule

MODULES = (
    *("audit.settings", "cli.check", "config.page_options", "config.patterns", "decide", "publish"),
    *("folder.collect", "folder.folder_site", "folder.generators", "history.diagnostics"),
    *("join.joining", "join.old_versions", "listing.addresses", "listing.extra_urls", "listing.selection"),
    *("mkdocs.collect", "mkdocs.shown_dates", "output.ownership", "output.robots_file"),
    *("output.text_sitemap", "output.writer", "sphinx.address", "sphinx.collect", "sphinx.config"),
    *("sphinx.events", "sphinx.extension", "sphinx.former_addresses", "sphinx.shown_dates"),
    *("urls.base", "urls.languages"),
)


def all_rules() -> dict[str, list[Rule]]:
    """The rules of the audit, of builds, joins and front doors by name; of several, the audit's is first.

    Those of a host that is not installed are not among them. Raises SitemapError.
    """
    load_rules()
    for module in MODULES:
        with suppress(ModuleNotFoundError):  # of a host
            import_module(f"sitemap_docs.{module}")
    rules = {name: [rule] for name, rule in ALL.items()}
    for rule in DECLARED:
        rules.setdefault(rule.id, []).append(rule)
    return rules
