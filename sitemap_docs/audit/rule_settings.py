"""Read the settings of an audit from the option ``check`` and from flags: which rules run, and how."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import partial
from typing import get_args

from sitemap_docs.audit.registry import FORMER, audit_rules, current_name, folder_rules
from sitemap_docs.config.ignored import Ignored
from sitemap_docs.config.option_types import AUDIT_FIELDS, OptionType, Table, read_fields
from sitemap_docs.config.options import Options
from sitemap_docs.config.patterns import Globs
from sitemap_docs.config.similar_names import hint
from sitemap_docs.model import Finding, Rule, Severity, SitemapError
from sitemap_docs.rules import reported_text

#: The severities, the most severe first.
SEVERITIES: tuple[Severity, ...] = get_args(Severity)


@dataclass(frozen=True, kw_only=True)
class RuleSettings:
    """A project's settings for one rule of the audit."""

    severity: Severity
    #: Globs of the places where findings are hidden.
    ignore: tuple[str, ...] = ()
    #: Settings that only this rule has.
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings of an audit."""

    #: The rules that run, by name.
    rules: Mapping[str, RuleSettings]
    #: The lowest severity that is reported.
    severity: Severity
    #: Warnings about mistakes in the settings.
    findings: tuple[Finding, ...] = ()
    #: Rules to ignore, each with globs of places.
    ignored: Ignored = ()

    @property
    def whole(self) -> bool:
        """Whether a selected rule needs whole HTML pages, not only their ``<head>``."""
        known_rules = audit_rules()
        return any(known_rules[name].whole for name in self.rules)


_DEFAULTS = Options()


def settings_of(
    options: Options = _DEFAULTS,
    *,
    rules: Mapping[str, Rule] | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    severity: str | None = None,
) -> Settings:
    """Return the settings of an audit, from the options of a project and the flags of the command.

    ``rules`` are the rules to choose from, by default all rules for built folders. ``select``, ``ignore`` and
    ``severity`` are flags.

    Raises:
        SitemapError: A value is not valid, or no selected rule can run.
    """
    if rules is None:
        rules = folder_rules()
    table = dict(options.check) if isinstance(options.check, Mapping) else {}
    if severity:
        table["severity"] = severity
    written = read_fields(table, AUDIT_FIELDS, "check: ")
    wanted, missing = _select_rules(select, written.get("select") or ["default"])
    unwanted, missing_too = _select_rules(ignore, written.get("ignore", ()))
    missing += missing_too
    ignored_everywhere = [name for name, places in options.ignore if not places.patterns]
    unwanted |= _select_rules((), ignored_everywhere)[0]
    if select and not wanted & {*rules, ""}:
        raise SitemapError(
            "None of the selected rules can check this site. Select other rules. Rules whose names begin "
            "with `live-` need a deployed site, and most others need a built folder. Only some rules about "
            "robots.txt and sitemaps check both."
        )

    known_rules = audit_rules()
    tables = dict(written.get("rules", ()))
    configured = {}
    for name, settings_table in tables.items():
        now = current_name(name)
        if now is None:
            missing.append(name)
        elif now and (now == name or now not in tables):
            configured[now] = _rule_settings(known_rules[now], settings_table)
    minimum = written.get("severity", "warning")
    chosen = {}
    for name, rule in rules.items():
        settings = configured.get(name) or RuleSettings(severity=rule.severity)
        is_severe = SEVERITIES.index(settings.severity) <= SEVERITIES.index(minimum)
        if name in wanted and name not in unwanted and is_severe:
            chosen[name] = settings
    findings = []
    if missing:
        names = " ".join(map(no_rule, dict.fromkeys(missing)))
        findings.append(unknown_rule(f"In `check`: {names} Correct or remove the name."))
    places = [(name, Globs(settings.ignore)) for name, settings in chosen.items() if settings.ignore]
    return Settings(
        rules=chosen, severity=minimum, findings=tuple(findings), ignored=(*options.ignore, *places)
    )


def _select_rules(flags: Sequence[str], written: Sequence[str]) -> tuple[set[str], list[str]]:
    """Return the selected rules, and the names in the configuration that are not rules.

    ``flags`` contains the names on the command line, and ``written`` the names that are written in the
    configuration. If there are flags, the configuration is ignored.

    Raises:
        SitemapError: A name in a flag is not a rule.
    """
    selected: set[str] = set()
    missing = []
    for name in flags or written:
        matching = set()
        for known, rule in audit_rules().items():
            is_default = name == "default" and rule.is_default
            if is_default or name in ("all", rule.group) or fnmatchcase(known, name):
                matching.add(known)
        if not matching:
            # A rule that was removed has the successor "". Its name selects nothing, and is no mistake.
            matching = {now for former, now in FORMER.items() if fnmatchcase(former, name)}
        if matching:
            selected |= matching
        elif flags:
            raise SitemapError(no_rule(name))
        else:
            missing.append(name)
    return selected, missing


@reported_text(strict=True)
def unknown_rule(message: str) -> None:
    """A setting contains the name of a rule that does not exist.

    The setting has no effect, so findings that it should hide are still reported.
    Write the name as the finding has it in brackets; `sitemap-docs check --list-rules` shows all.
    Wrong: `check: {ignore: [titel-missing]}`
    Right: `check: {ignore: [title-missing]}`
    Source: sitemap-docs: the page Check a sitemap and a site
    """


def no_rule(name: str, others: Iterable[str] = ()) -> str:
    """Return the error message for an unknown rule, which suggests similar names.

    ``others`` are names to suggest besides the rules of the audit.
    """
    known_rules = audit_rules()
    groups = {rule.group for rule in known_rules.values()}
    known = (*known_rules, *others, *sorted(groups), "default", "all")
    otherwise = "`sitemap-docs check --list-rules` shows them all."
    similar_names = [
        f"`{known_name}`" for known_name in dict.fromkeys(known) if name.rstrip("s") in known_name
    ]
    if similar_names:
        otherwise = f"Did you mean {' or '.join(similar_names[:3])}?"
    return f"There is no rule {name!r}. {hint(name, known, otherwise)}"


def _rule_settings(rule: Rule, table: Table) -> RuleSettings:
    """Check and convert the user's settings for one rule, such as ``{"severity": "error"}``."""
    fields = {name: AUDIT_FIELDS[name] for name in ("severity", "ignore")}
    for name, default in rule.settings.items():
        fields[name] = OptionType("number", partial(_check_type, default), {})
    values = read_fields(table, fields, f"check: rules: {rule.id}: ")
    severity = values.pop("severity", rule.severity)
    return RuleSettings(severity=severity, ignore=values.pop("ignore", ()), values=values)


def _check_type(default: object, value: object) -> object:
    """Return ``value`` if it has the type of ``default``, otherwise raise ValueError."""
    accepted = (int, float) if isinstance(default, float) else (type(default),)
    if type(value) not in accepted:
        raise ValueError(f"a value such as {default}")
    return value
