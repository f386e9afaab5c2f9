"""Check the names of rules in the option ``ignore``, and find entries that have no effect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from sitemap_docs.audit.registry import FORMER, all_rules, audit_rules, other_names
from sitemap_docs.audit.rule_settings import Settings, no_rule, unknown_rule
from sitemap_docs.audit.run import Audited, has_all_data
from sitemap_docs.config.ignored import ALWAYS, ignore_unused, is_ignored
from sitemap_docs.config.patterns import Globs
from sitemap_docs.model import Finding, Rule


def about_ignored(names: Iterable[str]) -> Iterator[Finding]:
    """Yield a warning for each name in the option ``ignore`` that is unknown or cannot be ignored."""
    rules = all_rules()
    groups = {rule.group for rule in audit_rules().values()}
    known_names = {*rules, *FORMER, *groups}
    for name in dict.fromkeys(names):
        if name in ALWAYS:
            yield ignore_unused(name)
        elif not any(fnmatchcase(known_name, name) for known_name in known_names):
            yield unknown_rule(f"In the option `ignore`: {no_rule(name, rules)} Correct or remove the name.")


def unmatched(audited: Audited, settings: Settings) -> Iterator[str]:
    """Yield a message for each entry of the option ``ignore`` that has hidden no finding."""
    site = audited.site
    ignored = [(name, pattern) for name, places in settings.ignored for pattern in places.patterns]
    for page in site.pages:
        ignored += [(name, page.place.where) for name in page.row.ignore]
    for name, pattern in dict.fromkeys(ignored):
        rules = _rules_named(name)
        have_run = all(rule.id in settings.rules and audit_rules().get(rule.id) is rule for rule in rules)
        # A rule that has not run might have found something.
        if not (rules and have_run and all(has_all_data(site, rule) for rule in rules)):
            continue
        this_place = ((name, Globs((pattern.removeprefix("!"),))),)
        is_used = any(
            is_ignored(finding.rule, this_place, finding.places(site.base.url), other_names(finding.rule))
            for finding in audited.found
        )
        if not is_used:
            yield f"no {name} was found at {pattern}"


def _rules_named(name: str) -> list[Rule]:
    """Return the rules that a name selects: a rule, a group, or a glob such as ``hreflang-*``."""
    known_rules = audit_rules()
    matching = []
    for known_name, rules in all_rules().items():
        is_other_name = known_name in known_rules and name in other_names(known_name)
        if is_other_name or fnmatchcase(known_name, name):
            matching += rules
    return matching


def of_audit(ignored: Iterable[str]) -> list[str]:
    """Return the rules in the option ``ignore`` that an audit must skip on all pages.

    Entries for some pages, such as ``title-missing=drafts/*``, are left out, and so are rules of builds.
    """
    names = [value for value in ignored if "=" not in value]
    if not names:
        return []
    only_of_builds = all_rules().keys() - audit_rules().keys()
    return [name for name in names if name not in only_of_builds]
