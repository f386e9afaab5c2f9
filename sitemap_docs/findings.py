"""Which modules declare rules: read where a name is looked up, and for the manual; by no plain build."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from fnmatch import fnmatchcase
from importlib import import_module

from sitemap_docs.audit.registry import ALL, FORMER, load_rules
from sitemap_docs.audit.run import Audited, has_read
from sitemap_docs.audit.settings import Settings, no_rule, unknown_rule
from sitemap_docs.config.ignored import ALWAYS, ignore_unused, is_ignored
from sitemap_docs.config.patterns import Globs
from sitemap_docs.model import DECLARED, Finding, Rule

MODULES = (
    *(
        "audit.settings",
        "cli.check",
        "config.ignored",
        "config.page_options",
        "config.patterns",
        "decide",
        "publish",
    ),
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


def about_ignored(names: Iterable[str]) -> Iterator[Finding]:
    """Yields what is wrong with names in the option ``ignore``. Raises SitemapError."""
    rules = all_rules()
    known = {*rules, *FORMER, *(rule.group for rule in ALL.values())}
    for name in dict.fromkeys(names):
        if name in ALWAYS:
            yield ignore_unused(name)
        elif not any(fnmatchcase(each, name) for each in known):
            yield unknown_rule(f"The option `ignore`: {no_rule(name, rules)} Correct or remove it.")


def unmatched(audited: Audited, settings: Settings) -> Iterator[str]:
    """Yields a line for each place that is ignored and where no rule found anything.

    Only for names of which each rule ran and saw all that it is about. Raises SitemapError.
    """
    site = audited.site
    rules = all_rules()
    ignored = [(name, pattern) for name, places in settings.ignored for pattern in places.patterns]
    for page in site.pages:
        ignored += [(name, page.place.where) for name in page.row.ignore]
    for name, pattern in dict.fromkeys(ignored):
        named = [each for known in rules if fnmatchcase(known, name) for each in rules[known]]
        ran = [
            each
            for each in named
            if each.id in settings.rules and each is ALL[each.id] and has_read(site, each)
        ]
        one = ((name, Globs((pattern.removeprefix("!"),))),)
        is_used = any(is_ignored(each.rule, one, each.places(site.base.url)) for each in audited.found)
        if named and named == ran and not is_used:
            yield f"{name} is ignored at {pattern}, where nothing is found"


def of_audit(ignored: Iterable[str]) -> list[str]:
    """Returns what names whole rules of the audit among values of ``ignore``. Raises SitemapError."""
    names = [each for each in ignored if "=" not in each]
    of_builds = all_rules().keys() - ALL.keys() if names else set()
    return [name for name in names if name not in of_builds]
