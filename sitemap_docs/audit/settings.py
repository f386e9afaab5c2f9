"""Which rules run, and how: the option ``check``, and what the flags of a command add to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import partial

from sitemap_docs.audit.registry import ALL, FORMER, RULES, SEVERITIES, current_name, load_rules
from sitemap_docs.config.ignored import Ignored
from sitemap_docs.config.option_types import AUDIT_FIELDS, OptionType, Table, hint, read_fields
from sitemap_docs.config.patterns import Globs
from sitemap_docs.model import Finding, Rule, Severity, SitemapError, reported

Check = bool | Table
"""The value of the option ``check``."""


#: Names of rules that are offered for one that is not known.
_LIKE = 3


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


def settings_of(
    option: Check = True,  # noqa: FBT002  as a configuration has it
    *,
    rules: Mapping[str, Rule] = RULES,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    severity: str | None = None,
    ignored: Ignored = (),
) -> Settings:
    """Settings from the option ``check`` and from flags, which win.

    ``select`` and ``ignore`` are names of rules, globs of them, groups (``hreflang``), ``all`` or
    ``default``: all that read no whole pages. Raises SitemapError for values that are not known, and for
    flags that name no rule or leave none of ``rules``; a name in the option that is no rule is a finding.
    ``ignored`` is the option ``ignore``.
    A name that a rule had is that of the rule which reports the same now.
    """
    load_rules()
    table = dict(option) if isinstance(option, Mapping) else {}
    if severity:
        table["severity"] = severity
    written = read_fields(table, AUDIT_FIELDS, "check: ")
    wanted, missing = _named(select, written.get("select") or ["default"])
    unwanted, others = _named(ignore, written.get("ignore", ()))
    missing += others
    unwanted |= _named((), [name for name, places in ignored if not places.patterns])[0]
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
    return Settings(rules=chosen, severity=minimum, findings=tuple(findings), ignored=(*ignored, *places))


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
    if like := [f"`{each}`" for each in dict.fromkeys(known) if name.rstrip("s") in each][:_LIKE]:
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
    if type(value) is int and isinstance(default, float):
        return float(value)  # a whole number is a fine value of a setting that may have a fraction
    if type(value) is not type(default):
        raise ValueError(f"a value such as {default}")
    return value
