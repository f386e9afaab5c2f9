"""Runs the rules on a site and returns what they find."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from sitemap_docs.audit.registry import ALL, Findings, Location, Rule
from sitemap_docs.config.patterns import Patterns, globs
from sitemap_docs.model import Finding
from sitemap_docs.progress import Watch, unwatched

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitemap_docs.audit.live import LiveSite
    from sitemap_docs.audit.settings import RuleSettings, Settings
    from sitemap_docs.audit.site import HtmlPage, Site

_ATTRIBUTES = {
    "sitemap": "sitemaps",
    "entry": "entries",
    "url": "urls",
    "links": "links",
    "page": "pages",
    "answer": "pages",
}
_PLACED = {"entry", "url", "links", "page"}
"""Subjects whose rules report the place of the thing that they are called for."""


def audit(
    site: Site | LiveSite, settings: Settings, watch: Watch = unwatched, *, about: HtmlPage | None = None
) -> tuple[Finding, ...]:
    """What is wrong with a built or a deployed site, by the chosen rules, in their order.

    With ``about``, rules for a page or an entry are called for this page alone.
    """
    found: dict[str, list[Finding]] = {name: [] for name in settings.rules}
    by_subject: dict[str, list[_Check]] = {}
    for name, configured in settings.rules.items():
        keywords = _keywords(ALL[name], configured, site)
        ignored = globs(configured.ignore)
        check = _Check(rule=ALL[name], settings=configured, keywords=keywords, ignored=ignored)
        by_subject.setdefault(check.rule.takes[0], []).append(check)

    for subject, checks in by_subject.items():
        things = _things(site, subject)
        if about and subject in _PLACED:
            things = [thing for thing in things if about.is_at(thing.place)]
        # All rules run on one thing before the next: they read the same of it, which is cached.
        for thing in watch(things, f"rules for each {subject}", len(things)):
            for check in checks:
                for place, message in check.run(thing):
                    if not check.ignores(place):
                        found[check.rule.id].append(check.finding(place, message, site))
    return tuple(chain.from_iterable(found.values()))


def _things(site: Any, subject: str) -> Sequence[Any]:  # noqa: ANN401  a built or a deployed site
    """What the rules of a subject are called for, one after the other."""
    if subject in ("site", "deployed"):
        return (site,)
    if subject in ("robots", "llms"):
        file = getattr(site, subject)
        return () if file is None else (file,)
    things: Sequence[Any] = getattr(site, _ATTRIBUTES[subject])
    return things


def _keywords(rule: Rule, settings: RuleSettings, site: Any) -> dict[str, object]:  # noqa: ANN401
    """The arguments of a rule that are the same for everything that it is called for."""
    keywords = {name.replace("-", "_"): value for name, value in settings.values.items()}
    if "site" in rule.takes[1:]:
        keywords["site"] = site
    if "linked" in rule.takes:
        keywords["linked"] = site.linked
    return keywords


@dataclass(frozen=True, slots=True, kw_only=True)
class _Check:
    """A rule with the project's settings, ready to be called."""

    rule: Rule
    settings: RuleSettings
    keywords: Mapping[str, object]
    ignored: Patterns

    def run(self, thing: Any) -> Findings:  # noqa: ANN401
        if "body" not in self.rule.takes:
            return self.rule.function(thing, **self.keywords)
        if thing.body is None:  # only the head was read
            return iter(())
        return self.rule.function(thing, body=thing.body, **self.keywords)

    def ignores(self, place: Location) -> bool:
        return self.ignored.first((place.where, place.file)) is not None

    def finding(self, place: Location, message: str, site: Site | LiveSite) -> Finding:
        return Finding(
            rule=self.rule.id,
            severity=self.settings.severity,
            message=message,
            where=place.where,
            file=place.file,
            line=place.line,
            source=place.source or site.source_of(place.where),
        )
