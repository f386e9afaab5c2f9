"""What the audit found, as people and as machines read it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from sitemap_docs import __version__
from sitemap_docs.audit.findings import FIRST, by_rule, counted, fingerprints
from sitemap_docs.audit.registry import ALL, SEVERITIES
from sitemap_docs.files import seen_from
from sitemap_docs.text import fitting, json_text, many, markdown_code, one_line

if TYPE_CHECKING:
    from sitemap_docs.model import Finding, Severity


@dataclass(frozen=True, kw_only=True)
class Report:
    """Findings, the rules that ran, what was audited in one line (``scope``), how many findings are known.

    ``folder`` is the site, ``start`` the folder that paths are relative to. ``severity`` is the minimum that
    is reported. ``record``: whether the record of the last build was used.
    """

    findings: tuple[Finding, ...]
    rules: tuple[str, ...]
    folder: Path | None
    start: Path
    scope: str
    severity: Severity = "info"
    known: int = 0
    gone: int = 0
    verbose: bool = False
    record: bool = False

    def path(self, finding: Finding) -> str:
        """The file that people would change: the page's source, else the built file; relative."""
        if finding.source or self.folder is None:
            return finding.source
        return self.file(finding)

    def line(self, finding: Finding) -> int:
        """A line of ``path``, the first where none is known."""
        if finding.source:
            return 1
        return finding.line or 1

    def file(self, finding: Finding) -> str:
        """The built file, relative."""
        if not finding.file or self.folder is None:
            return finding.file
        return seen_from(self.start, self.folder / finding.file)

    @property
    def counted(self) -> str:
        """``2 errors, 1 warning (96 rules run)``."""
        return f"{counted(self.findings, self.severity)} ({many(len(self.rules), 'rule')} run)"


def report_text(report: Report) -> str:
    """For people: grouped by rule, the worst first, with counts and the first places."""
    lines = [one_line(report.scope), ""]
    for rule, same in by_rule(report.findings):
        heading = f"{same[0].severity}: {rule} ({len(same):,})"
        if rule in ALL:
            heading += f": {ALL[rule].summary}"
        lines.append(heading)
        shown = same if report.verbose else same[:FIRST]
        for finding in shown:
            lines.append(one_line(f"  {'  '.join(_places(finding, report)) or 'the whole site'}"))
            lines.append(one_line(f"    {finding.message}"))
        if len(same) > len(shown):
            lines.append(f"  … and {len(same) - len(shown):,} more (-v shows all)")
        lines.append("")
    lines.append(report.counted[0].upper() + report.counted[1:])
    if report.findings:
        lines.append("What a rule means: sitemap-docs check --explain-rule RULE")
    return "\n".join([*lines, *_baseline(report)])


def _places(finding: Finding, report: Report) -> list[str]:
    """The address of a finding and its file, those that are known."""
    places = []
    if finding.where != finding.file:
        places.append(finding.where)
    if finding.line:
        places.append(f"{report.file(finding)}:{finding.line}")
    else:
        places.append(report.path(finding))
    return list(filter(None, places))


def _baseline(report: Report) -> list[str]:
    lines = []
    if report.known:
        lines.append(f"Not shown: {many(report.known, 'finding')} of the baseline.")
    if report.gone:
        lines.append(
            f"Fixed: {many(report.gone, 'finding')} of the baseline. Update it with --write-baseline."
        )
    return lines


def report_json(report: Report) -> str:
    """One object with the findings: rule, severity, message, where, file, line, path, fingerprint."""
    findings = []
    for finding, fingerprint in fingerprints(report.findings):
        findings.append(
            {
                "rule": finding.rule,
                "severity": finding.severity,
                "message": finding.message,
                "where": finding.where,
                "file": finding.file,
                "line": finding.line or None,
                "source": finding.source or None,
                "path": report.path(finding) or None,
                "fingerprint": fingerprint,
            }
        )
    counts = Counter(finding.severity for finding in report.findings)
    return json_text(
        {
            "counts": {each: counts[each] for each in SEVERITIES},
            "known": report.known,
            "record": report.record,
            "rules": report.rules,
            "findings": findings,
        }
    )


SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def report_sarif(report: Report) -> str:
    """A log of one run for code scanning: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html."""
    rules: list[dict[str, object]] = []
    order = {}
    for name in report.rules:
        if name in ALL:
            rule = ALL[name]
            order[name] = len(rules)
            described: dict[str, object] = {
                "id": name,
                "shortDescription": {"text": rule.summary},
                "fullDescription": {"text": rule.documentation},
                "help": {"text": rule.documentation},
                "defaultConfiguration": {"level": _LEVELS[rule.severity]},
                "properties": {"tags": [rule.group]},
            }
            _, url = rule.source
            if url:
                described["helpUri"] = url
            rules.append(described)
    results = []
    for finding, fingerprint in fingerprints(report.findings):
        location: dict[str, object] = {
            "physicalLocation": {
                "artifactLocation": {"uri": quote(os.fsencode(report.path(finding) or "."))},
                "region": {"startLine": report.line(finding)},
            }
        }
        if finding.where:
            location["logicalLocations"] = [{"fullyQualifiedName": finding.where}]
        result: dict[str, object] = {
            "ruleId": finding.rule,
            "level": _LEVELS[finding.severity],
            "message": {"text": finding.summary},
            "locations": [location],
            "partialFingerprints": {"sitemapDocs/v1": fingerprint},
        }
        if finding.rule in order:
            result["ruleIndex"] = order[finding.rule]
        results.append(result)
    driver = {"name": "sitemap-docs", "semanticVersion": __version__, "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json_text({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]})


_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


def report_github(report: Report) -> str:
    """Workflow commands, which GitHub shows next to the lines that they name."""
    lines = []
    for finding in report.findings:
        properties = []
        path = report.path(finding)
        if path:
            properties += [f"file={_escaped(path, ':,')}", f"line={report.line(finding)}"]
        properties.append(f"title={_escaped(finding.rule, ':,')}")
        text = finding.message
        if finding.where != finding.file:  # the annotation shows the file
            text = finding.summary
        lines.append(f"::{_COMMANDS[finding.severity]} {','.join(properties)}::{_escaped(text)}")
    return "\n".join(lines)


def _escaped(value: str, more: str = "") -> str:
    value = one_line(value)
    for character in "%" + more:
        value = value.replace(character, f"%{ord(character):02X}")
    return value


_GITLAB = {"error": "major", "warning": "minor", "info": "info"}


def report_gitlab(report: Report) -> str:
    """GitLab's Code Quality report."""
    issues = []
    for finding, fingerprint in fingerprints(report.findings):
        issues.append(
            {
                "check_name": finding.rule,
                "description": finding.summary,
                "fingerprint": fingerprint,
                "severity": _GITLAB[finding.severity],
                "location": {"path": report.path(finding) or ".", "lines": {"begin": report.line(finding)}},
            }
        )
    return json_text(issues)


def report_junit(report: Report) -> str:
    """JUnit's XML: a test case for each rule that ran, with a failure that holds its findings."""
    found = dict(by_rule(report.findings))
    rules = list(dict.fromkeys((*report.rules, *found)))
    counts = {"tests": str(len(rules)), "failures": str(len(found)), "errors": "0"}
    suites = Element("testsuites", counts)
    suite = SubElement(suites, "testsuite", {"name": "sitemap-docs", **counts})
    for rule in rules:
        group = "live"
        if rule in ALL:
            group = ALL[rule].group
        case = SubElement(suite, "testcase", classname=group, name=rule)
        if rule in found:
            same = found[rule]
            message = one_line(same[0].message)
            if len(same) > 1:
                message = many(len(same), "finding")
            failure = SubElement(case, "failure", type=same[0].severity, message=message)
            failure.text = "\n".join(finding.summary for finding in same)
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode")


# https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#step-isolation-and-limits
_JOB_SUMMARY = 1_000_000  # bytes; GitHub takes 1 MiB from a step


def report_markdown(report: Report) -> str:
    """For a job summary: a table of rules and one of places, short enough for GitHub."""
    lines = [f"**Sitemap:** {report.counted}", "", markdown_code(report.scope)]
    if report.findings:
        rows = []
        lines += ["", "| severity | rule | findings | what is wrong |", "|---|---|---:|---|"]
        for rule, same in by_rule(report.findings):
            summary = ""
            if rule in ALL:
                summary = one_line(ALL[rule].summary).replace("|", "\\|")
            lines.append(f"| {same[0].severity} | `{rule}` | {len(same):,} | {summary} |")
            for finding in same if report.verbose else same[:FIRST]:
                where = " ".join(map(markdown_code, _places(finding, report))) or "the whole site"
                rows.append(f"| `{rule}` | {where} | {markdown_code(finding.message)} |")
        lines += ["", "| rule | where | finding |", "|---|---|---|"]
        room = _JOB_SUMMARY - sum(len(line.encode()) + 1 for line in lines)
        shown = list(fitting(rows, room - 200))  # the last row says how many are left out
        lines += shown
        if len(shown) < len(report.findings):
            lines.append(f"| | | … and {len(report.findings) - len(shown):,} more |")
    return "\n".join([*lines, "", *_baseline(report)]).rstrip()


FORMATS: Mapping[str, Callable[[Report], str]] = {
    "text": report_text,
    "json": report_json,
    "sarif": report_sarif,
    "github": report_github,
    "gitlab": report_gitlab,
    "junit": report_junit,
    "markdown": report_markdown,
}
