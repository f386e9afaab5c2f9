"""Which rules run, and how: the option ``check``, and what the flags of a command add to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from sitemap_docs.audit.registry import ALL, RULES, SEVERITIES, Rule, load_rules
from sitemap_docs.config.options import OPTION_REMOVED
from sitemap_docs.config.validators import nearest, shown
from sitemap_docs.model import Finding, Severity, SitemapError

Check = bool | tuple[tuple[str, object], ...]
"""The value of the option ``check``."""

REPLACED = {
    "changefreq-invalid": "priority-changefreq-invalid",
    "hreflang-x-default-duplicate": "hreflang-duplicate-code",
    "images": "sitemap",
    "index-child-host": "index-child-out-of-scope",
    "index-html-beside-folder": "loc-duplicate-after-normalising",
    "lastmod-no-timezone": "lastmod-format",
    "live-noindex-header": "live-noindex",
    "live-redirect-chain": "live-redirect",
    "loc-scheme": "loc-relative",
    "loc-session-id": "loc-query",
    "loc-whitespace": "loc-not-encoded",
    "other": "llms",
    "priority-invalid": "priority-changefreq-invalid",
    "robots-line-without-colon": "robots-unknown-directive",
    "robots-name-case": "robots-absent",
    "scheme-not-canonical": "host-not-canonical",
    "trailing-slash-inconsistent": "loc-duplicate-after-normalising",
    "unavailable-after-past": "noindex-listed",
    "xml-doctype": "xml-not-wellformed",
}
"""A rule or a group that earlier versions had → what reports the same now."""

REMOVED = {
    *REPLACED,
    "ai-signal-contradicts-disallow", "case-collision", "content-usage-syntax", "element-order",
    "gzip-name-mismatch", "html-lang-missing", "image-loc-relative", "indexnow-key-body",
    "indexnow-key-format", "lang-attribute-mismatch", "lastmod-too-old", "live-not-packed",
    "live-robots-type", "live-sitemap-type", "llms-no-h1", "llms-no-links", "llms-too-short",
    "loc-credentials", "loc-default-port", "loc-dot-segments", "loc-double-encoded",
    "loc-in-several-sitemaps", "loc-uppercase-host", "near-limit", "noindex-outside-head",
    "non-html-listed", "robots-bom", "robots-dollar-not-last", "robots-empty-user-agent",
    "robots-rule-too-long", "robots-sitemap-duplicate-line", "robots-sitemap-host", "sitemap-unreferenced",
    "stylesheet-missing", "too-many-images", "xml-bom",
}  # fmt: skip
"""Every rule and group that earlier versions had."""

_TABLE = {"select", "ignore", "severity", "rules"}


@dataclass(frozen=True, kw_only=True)
class RuleSettings:
    """A project's settings of one rule: severity, globs of places to ignore, the rule's own settings."""

    severity: Severity
    ignore: tuple[str, ...] = ()
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Which rules run, and how; ``severity`` is the minimum that is reported.

    ``findings`` are those about the settings themselves: names of rules that were removed.
    """

    rules: Mapping[str, RuleSettings]
    severity: Severity = "warning"
    findings: tuple[Finding, ...] = ()

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
        minimum = _severity("severity", severity)
        wanted, removed = _named(tuple(select) or ("default",))
        unwanted, removed_too = _named(ignore)
        removed += removed_too
        tables = {}
        for name, table in (each or {}).items():
            if name in ALL or not _is_removed(name):
                tables[name] = _rule_settings(name, table)
            else:
                removed.append(name)

        # A selection of removed rules alone is a warning, as no build fails because of them.
        if not wanted & rules.keys() and not removed:
            raise SitemapError(
                "None of the selected rules runs here: those that begin with `live-` are for deployed sites, "
                "the others for built folders; many about robots.txt and sitemaps are for both."
            )
        chosen = {}
        for name, rule in rules.items():
            settings = tables.get(name) or RuleSettings(severity=rule.severity)
            reported = SEVERITIES.index(settings.severity) <= SEVERITIES.index(minimum)
            if name in wanted and name not in unwanted and reported:
                chosen[name] = settings
        findings: tuple[Finding, ...] = ()
        if removed:
            findings = (_removed_finding(removed),)
        return cls(rules=chosen, severity=minimum, findings=findings)


def settings_of(
    option: Check,
    *,
    rules: Mapping[str, Rule] = RULES,
    **flags: Any,  # noqa: ANN401
) -> Settings:
    """Settings from the option ``check`` and from flags, which win. Raises SitemapError."""
    table: dict[str, Any] = {}
    if isinstance(option, tuple):
        table.update(option)
    unknown = sorted(table.keys() - _TABLE)
    if unknown:
        raise SitemapError(f"`check` has no setting `{unknown[0]}`. It has: {', '.join(sorted(_TABLE))}.")
    for name in ("select", "ignore"):
        names = table.get(name, [])
        if not isinstance(names, (list, tuple)) or not all(isinstance(text, str) for text in names):
            raise SitemapError(f"`check: {name}` must be a list of rules, not {names!r}.")
    each = table.pop("rules", {})
    if not isinstance(each, Mapping):
        raise SitemapError(f"`check: rules` must be a mapping from rules to their settings, not {each!r}.")
    table |= {name: value for name, value in flags.items() if value}
    return Settings.of(each=each, rules=rules, **table)


def _named(names: Iterable[str]) -> tuple[set[str], list[str]]:
    """The rules that names, globs and groups mean, and the names of rules that were removed."""
    found: set[str] = set()
    removed = []
    for name in names:
        matching: set[str] = set()
        for known, rule in ALL.items():
            is_default = name == "default" and not rule.whole
            if is_default or name in ("all", rule.group) or fnmatchcase(known, name):
                matching.add(known)
        if matching:
            found |= matching
        elif _is_removed(name):
            removed.append(name)
        else:
            raise SitemapError(unknown_rule(name))
    return found, removed


def unknown_rule(name: str) -> str:
    """That a rule, glob or group is not known, and the name that was probably meant."""
    groups = {rule.group for rule in ALL.values()}
    similar = nearest(name, (*ALL, *sorted(groups), "default", "all"))
    hint = "`sitemap-docs check --list-rules` shows them all."
    if similar:
        hint = f"Did you mean `{similar}`?"
    return f"There is no rule {name!r}. {hint}"


def _rule_settings(name: str, table: object) -> RuleSettings:
    """The settings of one rule from its table. Raises SitemapError."""
    rule = ALL.get(name)
    if rule is None:
        raise SitemapError(unknown_rule(name))
    if not isinstance(table, dict):
        raise SitemapError(f"The settings of the rule {name} must be a mapping, not {shown(table)}.")
    ignore = table.get("ignore", [])
    if not isinstance(ignore, list) or not all(isinstance(glob, str) for glob in ignore):
        raise SitemapError(f"The rule {name}: `ignore` must be a list of globs, not {ignore!r}.")
    values: dict[str, object] = {}
    for key, written in table.items():
        if key in ("severity", "ignore"):
            continue
        default = rule.settings.get(key)
        value = written
        if type(written) is int and isinstance(default, float):
            value = float(written)  # a whole number is a fine value of a setting that may have a fraction
        if key not in rule.settings or type(value) is not type(default):
            known = ", ".join(["severity", "ignore", *rule.settings])
            raise SitemapError(f"The rule {name} has no setting `{key} = {written!r}`. It has: {known}.")
        values[key] = value
    severity = _severity(f"{name}: severity", table.get("severity", rule.severity))
    return RuleSettings(severity=severity, ignore=tuple(ignore), values=values)


def _severity(name: str, value: object) -> Severity:
    for known in SEVERITIES:
        if value == known:
            return known
    raise SitemapError(f"`{name}` must be one of {', '.join(SEVERITIES)}, not {value!r}.")


def _is_removed(name: str) -> bool:
    """Whether a rule, or every rule that a glob matches, was removed."""
    return any(fnmatchcase(rule, name) for rule in REMOVED)


def _removed_finding(names: Iterable[str]) -> Finding:
    """One warning for all removed rules that a configuration names."""
    listed = []
    instead = []
    for name in sorted(set(names)):
        listed.append(f"`{name}`")
        if name in REPLACED:
            instead.append(f"`{REPLACED[name]}` reports what `{name}` did")
    message = f"The audit has no rule {', '.join(listed)} anymore: remove it from `check`."
    if instead:
        message += f" {'; '.join(instead)}."
    return Finding(rule=OPTION_REMOVED, message=message)
