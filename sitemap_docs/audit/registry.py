"""The registry of rules, and which of them run: the option ``check``, with what the flags of a command add.

A rule is a generator function; its name, docstring and arguments describe it.
"""

from __future__ import annotations

import inspect
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache, partial
from importlib.metadata import entry_points
from typing import NamedTuple, TypeVar, get_args

from sitemap_docs.config.ignored import Ignored
from sitemap_docs.config.option_types import AUDIT_FIELDS, OptionType, Table, read_fields
from sitemap_docs.config.options import Options
from sitemap_docs.config.patterns import Globs
from sitemap_docs.config.similar_names import hint
from sitemap_docs.model import Finding, Rule, Severity, SitemapError, reported

GROUP = "sitemap_docs.rules"
"""The entry points of installed packages that register rules of their own: modules, which are imported."""

SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""From the worst to the least severe."""


class Location(NamedTuple):
    """Where a finding is: a URL or a file's name, the file of the site, a line in it, the page's source."""

    where: str
    file: str = ""
    line: int = 0
    source: str = ""


Findings = Iterator[tuple[Location, str]]
Function = TypeVar("Function", bound=Callable[..., Findings])


RULES: dict[str, Rule] = {}
"""The rules for built folders; importing ``sitemap_docs.audit`` fills it."""

LIVE: dict[str, Rule] = {}
"""The rules for deployed sites; importing ``sitemap_docs.audit`` fills it."""

ALL: Mapping[str, Rule] = ChainMap(RULES, LIVE)

FORMER: Mapping[str, str] = {
    "canonical-to-noindex": "canonical-chain",
    "canonical-to-redirect": "canonical-chain",
    "canonical-to-other-language": "",
    "configuration-not-read": "",
    "duplicate-title": "",
    "error-page-listed": "utility-page-listed",
    "hreflang-self-missing": "hreflang-return-link-missing",
    "hreflang-target-noindex": "hreflang-target-not-canonical",
    "hreflang-target-redirect": "hreflang-target-not-canonical",
    "image-missing-file": "target-missing",
    "index-child-missing": "target-missing",
    "index-child-out-of-scope": "loc-out-of-scope",
    "live-sitemap-broken": "xml-not-wellformed",
    "live-slow": "",
    "live-unreachable": "live-status",
    "llms-coverage": "",
    "llms-link-left-out": "",
    "loc-duplicate-after-normalising": "loc-duplicate",
    "loc-placeholder-host": "base-url-unlikely",
    "meta-refresh-listed": "redirect-source-listed",
    "old-version-indexable": "",
    "orphan-page": "",
    "redirect-loop": "redirect-target-missing",
    "robots-noindex-directive": "robots-unknown-directive",
    "static-file-not-listed": "",
    "translation-not-listed": "",
}
"""Names that rules had → the rule that reports the same now; ``""``: none does. All are valid settings."""


def current_name(name: str) -> str | None:
    """The rule that has a name or, if it is a former one, its rule now; None where no rule ever had it."""
    return name if name in ALL else FORMER.get(name)


@lru_cache
def other_names(rule: str) -> frozenset[str]:
    """What else may name a rule of the audit in settings: its group, and the rules that it has replaced."""
    return frozenset((ALL[rule].group, *(name for name, now in FORMER.items() if now == rule)))


def rule(severity: Severity, *, once: bool = False) -> Callable[[Function], Function]:
    """Registers a generator function as a rule, under its name with hyphens.

    Its first argument names what it is called for: ``sitemap`` (each file), ``entry`` (each of all files),
    ``url`` (each of the urlsets), ``links`` (each set of alternates), ``page`` (each HTML file), ``robots``
    (the host's robots.txt), ``llms`` (llms.txt) or ``site``; of a deployed site ``answer`` (each page's) or
    ``deployed``. ``site`` may follow. ``body`` marks it as a rule that reads whole pages.
    Keyword-only arguments are its settings. It yields locations and messages. With ``once``, what it finds in
    a site is one finding, with the number and the first place.
    """

    def register(function: Function) -> Function:
        name = function.__name__.replace("_", "-")
        if name in ALL and ALL[name].function.__module__ != function.__module__:
            raise ValueError(f"{ALL[name].function.__module__} has a rule {name!r} already: use another name")
        takes = []
        settings = {}
        for each in inspect.signature(function).parameters.values():
            if each.kind is each.KEYWORD_ONLY:
                settings[each.name.replace("_", "-")] = each.default
            else:
                takes.append(each.name)
        (LIVE if takes[0] in ("answer", "deployed") else RULES)[name] = Rule(
            id=name,
            group=function.__module__.rpartition(".")[2],
            severity=severity,
            function=function,
            takes=tuple(takes),
            settings=settings,
            once=once,
        )
        return function

    return register


@lru_cache(maxsize=1)
def load_rules() -> None:
    """Registers the rules of installed packages, once; SitemapError for one that cannot be imported."""
    for point in entry_points(group=GROUP):
        try:
            point.load()
        except Exception as error:
            package = point.dist.name if point.dist else point.value
            raise SitemapError(
                f"The rules {point.name!r} of the package {package} cannot be loaded from {point.value}: "
                f"{type(error).__name__}: {error}. Update or uninstall the package."
            ) from error


_NO_FILES = {("robots",), ("sitemap",), ("entry",), ("url",)}


def deployed_rules() -> Mapping[str, Rule]:
    """The rules of a deployed site: its own, and those of robots.txt and sitemaps that need no files.

    Those of installed packages are among them. Raises SitemapError.
    """
    load_rules()
    shared = {name: each for name, each in RULES.items() if each.takes in _NO_FILES}
    return {**LIVE, **shared}


# --- which rules run ---


@dataclass(frozen=True, kw_only=True)
class RuleSettings:
    """A project's settings of one rule: severity, globs of places to ignore, the rule's own settings."""

    severity: Severity
    ignore: tuple[str, ...] = ()
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Which rules run, and how; ``severity`` is the minimum that is reported.

    ``findings`` are those about the settings themselves: names of rules that do not exist. ``ignored`` is the
    option ``ignore``, with what settings of single rules ignore.
    """

    rules: Mapping[str, RuleSettings]
    severity: Severity
    findings: tuple[Finding, ...] = ()
    ignored: Ignored = ()

    @property
    def whole(self) -> bool:
        """Whether a rule needs whole pages."""
        return any(name in RULES and RULES[name].whole for name in self.rules)


_DEFAULTS = Options()


def settings_of(
    options: Options = _DEFAULTS,
    *,
    rules: Mapping[str, Rule] = RULES,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    severity: str | None = None,
) -> Settings:
    """Settings from the options ``check`` and ``ignore`` and from flags, which win.

    ``select`` and ``ignore`` are names of rules, globs of them, groups (``hreflang``), ``all`` or
    ``default``: all that read no whole pages. Raises SitemapError for values that are not known, and for
    flags that name no rule or leave none of ``rules``; a name in the option that is no rule is a finding.
    A name that a rule had is that of the rule which reports the same now.
    """
    load_rules()
    table = dict(options.check) if isinstance(options.check, Mapping) else {}
    if severity:
        table["severity"] = severity
    written = read_fields(table, AUDIT_FIELDS, "check: ")
    wanted, missing = _named(select, written.get("select") or ["default"])
    unwanted, others = _named(ignore, written.get("ignore", ()))
    missing += others
    unwanted |= _named((), [name for name, places in options.ignore if not places.patterns])[0]
    if select and not wanted & {*rules, ""}:
        raise SitemapError(
            "None of the selected rules runs here: those that begin with `live-` are for deployed sites, "
            "the others for built folders; many about robots.txt and sitemaps are for both."
        )

    tables = dict(written.get("rules", ()))
    configured = {}
    for name, settings_table in tables.items():
        now = current_name(name)
        if now is None:
            missing.append(name)
        elif now and (now == name or now not in tables):
            configured[now] = _rule_settings(ALL[now], settings_table)
    minimum = written.get("severity", "warning")
    chosen = {}
    for name, rule in rules.items():
        settings = configured.get(name) or RuleSettings(severity=rule.severity)
        reported = SEVERITIES.index(settings.severity) <= SEVERITIES.index(minimum)
        if name in wanted and name not in unwanted and reported:
            chosen[name] = settings
    findings = []
    if missing:
        names = " ".join(map(no_rule, dict.fromkeys(missing)))
        findings.append(unknown_rule(f"`check`: {names} Correct or remove it."))
    places = [(name, Globs(each.ignore)) for name, each in chosen.items() if each.ignore]
    return Settings(
        rules=chosen, severity=minimum, findings=tuple(findings), ignored=(*options.ignore, *places)
    )


def _named(flags: Sequence[str], written: Sequence[str]) -> tuple[set[str], list[str]]:
    """The rules that names of flags mean, or else those of the option, and what is no rule in the option.

    ``""`` is among them where a rule was named that went without another in its place.
    """
    named: set[str] = set()
    missing = []
    for name in flags or written:
        matching = set()
        for known, rule in ALL.items():
            is_default = name == "default" and not rule.whole
            if is_default or name in ("all", rule.group) or fnmatchcase(known, name):
                matching.add(known)
        if not matching:
            matching = {now for former, now in FORMER.items() if fnmatchcase(former, name)}
        if matching:
            named |= matching
        elif flags:
            raise SitemapError(no_rule(name))
        else:
            missing.append(name)
    return named, missing


@reported(strict=True)
def unknown_rule(message: str) -> str:
    """A setting names a rule that there is not.

    It has no effect: what it should switch off is reported.
    Write the name as the finding has it in brackets; `sitemap-docs check --list-rules` shows all.
    Wrong: `check: {ignore: [titel-missing]}`
    Right: `check: {ignore: [title-missing]}`
    Source: sitemap-docs: the page Check a site
    """
    return message


def no_rule(name: str, others: Iterable[str] = ()) -> str:
    """That a rule, glob or group is not known, and the name that was probably meant."""
    groups = {rule.group for rule in ALL.values()}
    known = (*ALL, *others, *sorted(groups), "default", "all")
    otherwise = "`sitemap-docs check --list-rules` shows them all."
    if like := [f"`{each}`" for each in dict.fromkeys(known) if name.rstrip("s") in each][:3]:
        otherwise = f"Did you mean {' or '.join(like)}?"
    return f"There is no rule {name!r}. {hint(name, known, otherwise)}"


def _rule_settings(rule: Rule, table: Table) -> RuleSettings:
    """The settings of one rule from its table. Raises SitemapError."""
    fields = {name: AUDIT_FIELDS[name] for name in ("severity", "ignore")}
    for name, default in rule.settings.items():
        fields[name] = OptionType("number", partial(_like, default), {})
    values = read_fields(table, fields, f"check: rules: {rule.id}: ")
    severity = values.pop("severity", rule.severity)
    return RuleSettings(severity=severity, ignore=values.pop("ignore", ()), values=values)


def _like(default: object, value: object) -> object:
    accepted = (int, float) if isinstance(default, float) else (type(default),)
    if type(value) not in accepted:
        raise ValueError(f"a value such as {default}")
    return value
