"""What the audit found, as people and as machines read it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from sitemap_docs.audit.baseline import fingerprints
from sitemap_docs.audit.registry import ALL, SEVERITIES
from sitemap_docs.audit.sarif import sarif
from sitemap_docs.paths import seen_from
from sitemap_docs.text import fitting, json_text, many, markdown_code, one_line

if TYPE_CHECKING:
    from pathlib import Path

    from sitemap_docs.model import Finding

FIRST = 3


@dataclass(frozen=True, kw_only=True)
class Report:
    """Findings, the rules that ran, what was audited in one line (``scope``), how many findings are known.

    ``folder`` is the site, ``start`` the folder that paths are relative to. ``record``: whether the record
    of the last build was used.
    """

    findings: tuple[Finding, ...]
    rules: tuple[str, ...]
    folder: Path | None
    start: Path
    scope: str
    known: int = 0
    gone: int = 0
    verbose: bool = False
    record: bool = False

    def path(self, finding: Finding) -> str:
        """The file that people would change: the page's source, else the built file; relative."""
        return finding.source or (self.file(finding) if self.folder else "")

    def line(self, finding: Finding) -> int:
        """A line of ``path``, the first where none is known."""
        return 1 if finding.source else finding.line or 1

    def file(self, finding: Finding) -> str:
        """The built file, relative."""
        if not finding.file or self.folder is None:
            return finding.file
        return seen_from(self.start, self.folder / finding.file)


def by_rule(findings: Iterable[Finding]) -> list[tuple[str, list[Finding]]]:
    """The findings of each rule, the worst rules first."""
    same: dict[tuple[int, str], list[Finding]] = defaultdict(list)
    for finding in findings:
        same[SEVERITIES.index(finding.severity), finding.rule].append(finding)
    return [(rule, found) for (_, rule), found in sorted(same.items(), key=itemgetter(0))]


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
    lines.append(_counted(report))
    if report.findings:
        lines.append("What a rule means: sitemap-docs check --explain-rule RULE")
    return "\n".join([*lines, *_baseline(report)])


def _places(finding: Finding, report: Report) -> list[str]:
    """The address of a finding and its file, those that are known."""
    place = report.path(finding)
    if finding.line:
        place = f"{report.file(finding)}:{finding.line}"
    where = finding.where if finding.where != finding.file else ""
    return [each for each in (where, place) if each]


def _counted(report: Report) -> str:
    """``2 errors, 1 warning (96 rules run)``."""
    counts = Counter(finding.severity for finding in report.findings)
    counted = ", ".join(many(counts[each], each) for each in SEVERITIES if counts[each])
    return f"{counted or 'No findings'} ({many(len(report.rules), 'rule')} run)"


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
    counts = Counter(finding.severity for finding in report.findings)
    findings = [
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
        for finding, fingerprint in fingerprints(report.findings)
    ]
    return json_text(
        {
            "counts": {each: counts[each] for each in SEVERITIES},
            "known": report.known,
            "record": report.record,
            "rules": report.rules,
            "findings": findings,
        }
    )


def as_sarif(report: Report) -> str:
    """SARIF 2.1.0, for code scanning."""
    placed = [
        (finding, fingerprint, report.path(finding), report.line(finding))
        for finding, fingerprint in fingerprints(report.findings)
    ]
    return json_text(sarif(placed, report.rules))


_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


def github(report: Report) -> str:
    """Workflow commands, which GitHub shows next to the lines that they name."""
    lines = []
    for finding in report.findings:
        path = report.path(finding)
        properties = []
        if path:
            properties = [f"file={_escaped(path, ':,')}", f"line={report.line(finding)}"]
        properties.append(f"title={_escaped(finding.rule, ':,')}")
        text = finding.message
        if finding.where and finding.where != finding.file:
            text = f"{finding.where}: {text}"
        lines.append(f"::{_COMMANDS[finding.severity]} {','.join(properties)}::{_escaped(text)}")
    return "\n".join(lines)


def _escaped(value: str, more: str = "") -> str:
    value = "\n".join(map(one_line, value.splitlines()))
    for character in "%\n" + more:
        value = value.replace(character, f"%{ord(character):02X}")
    return value


_GITLAB = {"error": "major", "warning": "minor", "info": "info"}


def gitlab(report: Report) -> str:
    """GitLab's Code Quality report."""
    issues = []
    for finding, fingerprint in fingerprints(report.findings):
        text = finding.message
        if finding.where:
            text = f"{finding.where}: {text}"
        issues.append(
            {
                "check_name": finding.rule,
                "description": text,
                "fingerprint": fingerprint,
                "severity": _GITLAB[finding.severity],
                "location": {"path": report.path(finding) or ".", "lines": {"begin": report.line(finding)}},
            }
        )
    return json_text(issues)


def junit(report: Report) -> str:
    """JUnit's XML: a test case for each rule that ran, with a failure that holds its findings."""
    found = dict(by_rule(report.findings))
    rules = list(dict.fromkeys((*report.rules, *found)))
    counts = {"tests": str(len(rules)), "failures": str(len(found)), "errors": "0"}
    suites = Element("testsuites", counts)
    suite = SubElement(suites, "testsuite", {"name": "sitemap-docs", **counts})
    for rule in rules:
        group = ALL[rule].group if rule in ALL else "live"
        case = SubElement(suite, "testcase", classname=group, name=rule)
        if rule in found:
            same = found[rule]
            message = one_line(same[0].message)
            if len(same) > 1:
                message = many(len(same), "finding")
            failure = SubElement(case, "failure", type=same[0].severity, message=message)
            lines = [one_line(f"{each.where or report.path(each)}: {each.message}") for each in same]
            failure.text = "\n".join(lines)
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode")


# https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#step-isolation-and-limits
_JOB_SUMMARY = 1_000_000  # bytes; GitHub takes 1 MiB from a step


def markdown(report: Report) -> str:
    """For a job summary: a table of rules and one of places, short enough for GitHub."""
    lines = [f"**Sitemap:** {_counted(report)}", "", markdown_code(report.scope)]
    if report.findings:
        rows = []
        lines += ["", "| severity | rule | findings | what is wrong |", "|---|---|---:|---|"]
        for rule, same in by_rule(report.findings):
            summary = one_line(ALL[rule].summary).replace("|", "\\|") if rule in ALL else ""
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
    "sarif": as_sarif,
    "github": github,
    "gitlab": gitlab,
    "junit": junit,
    "markdown": markdown,
}
