"""The audit: finds what search engines would report or ignore in a built site."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from sitemap_docs.audit import rules
from sitemap_docs.audit.registry import ALL, LIVE, RULES, SEVERITIES, Findings, Location, Rule, load_rules
from sitemap_docs.model import Finding, Severity, SitemapError
from sitemap_docs.progress import Watch, unwatched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sitemap_docs.audit.live import LiveSite
    from sitemap_docs.audit.site import HtmlPage, Site

__all__ = ["ALL", "DEPLOYED", "LIVE", "RULES", "Settings", "audit", "rules"]

_NO_FILES = {("robots",), ("sitemap",), ("entry",), ("url",)}
# Rules for deployed sites report the same as the first two; a local server is checked on purpose.
_BUILT = {"xml-not-wellformed", "gzip-corrupt", "loc-placeholder-host"}

DEPLOYED: Mapping[str, Rule] = {
    **LIVE,
    **{name: each for name, each in RULES.items() if each.takes in _NO_FILES and name not in _BUILT},
}
"""The rules that run on a deployed site: its own, and those of robots.txt and sitemaps that need no files."""

_SHOWN = "`sitemap-docs check --list-rules` shows them all."


@dataclass(frozen=True, kw_only=True)
class RuleSettings:
    """A project's settings of one rule: severity, globs of places to ignore, the rule's own settings."""

    severity: Severity
    ignore: tuple[str, ...] = ()
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Which rules run, and how; ``severity`` is the minimum that is reported."""

    rules: Mapping[str, RuleSettings]
    severity: Severity = "warning"

    @property
    def whole(self) -> bool:
        """Whether a rule needs whole pages."""
        return any(name in RULES and RULES[name].whole for name in self.rules)

    @classmethod
    def of(
        cls,
        *,
        select: Iterable[str] = (),
        ignore: Iterable[str] = (),
        severity: str = "warning",
        each: Mapping[str, object] | None = None,
        rules: Mapping[str, Rule] = RULES,
    ) -> Settings:
        """Settings from what the user wrote.

        ``select`` and ``ignore`` are names of rules, globs of them, groups (``hreflang``), ``all`` or
        ``default``: all that read no whole pages. ``each`` maps a rule to its table: ``severity``,
        ``ignore``, its own settings. Raises SitemapError for names and values that are not known, and for a
        selection that holds none of ``rules``.
        """
        load_rules()
        tables = {name: _table(name, table) for name, table in (each or {}).items()}
        selected = _named(tuple(select) or ("default",)) & rules.keys()
        if not selected:
            raise SitemapError(
                "None of the selected rules runs here: those that begin with `live-` are for deployed sites, "
                "the others for built folders; many about robots.txt and sitemaps are for both."
            )
        chosen = selected - _named(ignore)
        default = {name: RuleSettings(severity=rule.severity) for name, rule in rules.items()}
        minimum = _severity("severity", severity)
        settings = {name: tables.get(name, default[name]) for name in rules if name in chosen}
        return cls(
            rules={name: one for name, one in settings.items() if _at_least(one.severity, minimum)},
            severity=minimum,
        )


def audit(
    site: Site | LiveSite, settings: Settings, watch: Watch = unwatched, *, about: HtmlPage | None = None
) -> Iterator[Finding]:
    """What is wrong with a built or a deployed site, by the chosen rules, in their order.

    With ``about``, rules for a page or an entry are called for this page alone.
    """
    found: dict[str, list[Finding]] = {name: [] for name in settings.rules}
    checks: dict[str, list[_Check]] = {}
    for name, configured in settings.rules.items():
        subject, *others = ALL[name].takes
        checks.setdefault(subject, []).append(_Check.of(ALL[name], configured, site, others))
    for subject, same in checks.items():
        # All rules run on one thing before the next: they read the same of it, which is cached.
        things = tuple(_SUBJECTS[subject](site))
        if about and subject in _PLACED:
            things = tuple(one for one in things if about.is_at(one.place))
        usual = [check for check in same if check.rule.plain]
        for one in watch(things, f"rules for each {subject}", len(things)):
            for check in same if len(usual) == len(same) or not one.is_plain else usual:
                for place, message in check.function(one, *check.given):
                    if not check.ignores(place):
                        found[check.rule.id].append(check.finding(place, message, site))
    return chain.from_iterable(found.values())


class _Check(NamedTuple):
    """A rule with the project's settings: a function, to be called for one thing with what is ``given``."""

    rule: Rule
    settings: RuleSettings
    function: Callable[..., Findings]
    given: tuple[object, ...] = ()

    @classmethod
    def of(cls, rule: Rule, settings: RuleSettings, site: Site | LiveSite, others: Sequence[str]) -> _Check:
        keywords = {name.replace("-", "_"): value for name, value in settings.values.items()}
        given = {name: _WITH[name](site) for name in others if name != "body"}
        function = partial(rule.function, **keywords) if keywords else rule.function
        if "body" not in others:
            return cls(rule, settings, function, tuple(given.values()))

        def with_body(page: Any) -> Findings:  # noqa: ANN401
            return iter(()) if page.body is None else function(page, body=page.body, **given)

        return cls(rule, settings, with_body)

    def ignores(self, place: Location) -> bool:
        return any(
            fnmatchcase(name, glob) for glob in self.settings.ignore for name in (place.where, place.file)
        )

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


_WITH: Mapping[str, Callable[[Any], object]] = {
    "site": lambda site: site,
    "linked": lambda site: site.linked,
}

_PLACED = {"entry", "url", "links", "page"}
"""Subjects whose rules report the place of the thing that they are called for."""

_SUBJECTS: Mapping[str, Callable[[Any], Iterable[Any]]] = {
    "site": lambda site: (site,),
    "sitemap": lambda site: site.sitemaps,
    "entry": lambda site: site.entries,
    "url": lambda site: site.urls,
    "links": lambda site: site.links,
    "page": lambda site: site.pages,
    "robots": lambda site: filter(None, [site.robots]),
    "llms": lambda site: filter(None, [site.llms]),
    "answer": lambda site: site.pages,
    "deployed": lambda site: (site,),
}


def _named(names: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for name in names:
        matching = {known for known, rule in ALL.items() if _is_named(rule, name)}
        if not matching:
            raise SitemapError(f"There is no rule {name!r}. {_SHOWN}")
        found |= matching
    return found


def _is_named(rule: Rule, name: str) -> bool:
    if name == "default":
        return not rule.whole
    return name in ("all", rule.group) or fnmatchcase(rule.id, name)


def _table(name: str, table: object) -> RuleSettings:
    rule = ALL.get(name)
    if rule is None or not isinstance(table, dict):
        raise SitemapError(f"There is no rule {name!r} to configure. {_SHOWN}")
    ignore = table.get("ignore", [])
    own = {key: value for key, value in table.items() if key not in ("severity", "ignore")}
    values = {key: _number(value, rule.settings.get(key)) for key, value in own.items()}
    for key, value in values.items():
        if key not in rule.settings or type(value) is not type(rule.settings[key]):
            known = ", ".join(["severity", "ignore", *rule.settings])
            raise SitemapError(f"The rule {name} has no setting `{key} = {value!r}`. It has: {known}.")
    if not isinstance(ignore, list) or not all(isinstance(glob, str) for glob in ignore):
        raise SitemapError(f"The rule {name}: `ignore` must be a list of globs, not {ignore!r}.")
    severity = _severity(f"{name}: severity", table.get("severity", rule.severity))
    return RuleSettings(severity=severity, ignore=tuple(ignore), values=values)


def _number(value: object, default: object) -> object:
    """A whole number as the setting has it, which may be a float."""
    return float(value) if type(value) is int and isinstance(default, float) else value


def _severity(name: str, value: object) -> Severity:
    for known in SEVERITIES:
        if value == known:
            return known
    raise SitemapError(f"`{name}` must be one of {', '.join(SEVERITIES)}, not {value!r}.")


def _at_least(severity: Severity, minimum: Severity) -> bool:
    return SEVERITIES.index(severity) <= SEVERITIES.index(minimum)
