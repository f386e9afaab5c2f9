"""What the audit found, as people and as machines read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
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


def report_text(report: Report) -> str:
    """For people: grouped by rule, the worst first, with counts and the first places."""
    ordered = sorted(report.findings, key=lambda each: SEVERITIES.index(each.severity))
    groups = [(rule, list(same)) for rule, same in _grouped(ordered)]
    lines = [one_line(report.scope), ""]
    for rule, same in groups:
        lines += _group(rule, same, report)
    return "\n".join([*lines, *_summary(report)])


def _grouped(findings: Sequence[Finding]) -> Iterator[tuple[str, Iterator[Finding]]]:
    ordered = sorted(findings, key=lambda each: (SEVERITIES.index(each.severity), each.rule))
    return groupby(ordered, key=attrgetter("rule"))


def _group(rule: str, same: list[Finding], report: Report) -> Iterator[str]:
    shown = same if report.verbose else same[:FIRST]
    summary = ALL[rule].summary if rule in ALL else ""
    yield f"{same[0].severity}: {rule} ({len(same):,})" + (f": {summary}" if summary else "")
    for finding in shown:
        yield one_line(f"  {'  '.join(_places(finding, report)) or 'the whole site'}")
        yield one_line(f"    {finding.message}")
    if len(same) > len(shown):
        yield f"  … and {len(same) - len(shown):,} more (-v shows all)"
    yield ""


def _places(finding: Finding, report: Report) -> list[str]:
    """The address of a finding and its file, those that are known."""
    place = f"{report.file(finding)}:{finding.line}" if finding.line else report.path(finding)
    return list(filter(None, [finding.where if finding.where != finding.file else "", place]))


def _summary(report: Report) -> Iterator[str]:
    yield _counted(report)
    if report.findings:
        yield "What a rule means: sitemap-docs check --explain-rule RULE"
    yield from _baseline(report)


def _counted(report: Report) -> str:
    """``2 errors, 1 warning (96 rules run)``."""
    counts = Counter(finding.severity for finding in report.findings)
    counted = ", ".join(many(counts[each], each) for each in SEVERITIES if counts[each])
    return f"{counted or 'No findings'} ({many(len(report.rules), 'rule')} run)"


def _baseline(report: Report) -> Iterator[str]:
    if report.known:
        yield f"Not shown: {many(report.known, 'finding')} of the baseline."
    if report.gone:
        yield f"Fixed: {many(report.gone, 'finding')} of the baseline. Update it with --write-baseline."


def report_json(report: Report) -> str:
    """One object with the findings: rule, severity, message, where, file, line, path, fingerprint."""
    counts = Counter(finding.severity for finding in report.findings)
    return json_text(
        {
            "counts": {each: counts[each] for each in SEVERITIES},
            "known": report.known,
            "record": report.record,
            "rules": report.rules,
            "findings": [
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
            ],
        }
    )


def as_sarif(report: Report) -> str:
    """SARIF 2.1.0, for code scanning."""
    return json_text(
        sarif(
            fingerprints(report.findings), report.rules, lambda each: (report.path(each), report.line(each))
        )
    )


_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


def github(report: Report) -> str:
    """Workflow commands, which GitHub shows next to the lines that they name."""
    return "\n".join(_annotation(finding, report) for finding in report.findings)


def _annotation(finding: Finding, report: Report) -> str:
    path = report.path(finding)
    places = {"file": path, "line": str(report.line(finding)) if path else "", "title": finding.rule}
    properties = ",".join(f"{name}={_escaped(value, ':,')}" for name, value in places.items() if value)
    where = f"{finding.where}: " if finding.where and finding.where != finding.file else ""
    return f"::{_COMMANDS[finding.severity]} {properties}::{_escaped(where + finding.message)}"


def _escaped(value: str, more: str = "") -> str:
    value = "\n".join(map(one_line, value.splitlines()))
    for character in "%\n" + more:
        value = value.replace(character, f"%{ord(character):02X}")
    return value


_GITLAB = {"error": "major", "warning": "minor", "info": "info"}


def gitlab(report: Report) -> str:
    """GitLab's Code Quality report."""
    return json_text(
        [
            {
                "check_name": finding.rule,
                "description": f"{finding.where}: {finding.message}" if finding.where else finding.message,
                "fingerprint": fingerprint,
                "severity": _GITLAB[finding.severity],
                "location": {"path": report.path(finding) or ".", "lines": {"begin": report.line(finding)}},
            }
            for finding, fingerprint in fingerprints(report.findings)
        ]
    )


def junit(report: Report) -> str:
    """JUnit's XML: a test case for each rule that ran, with a failure that holds its findings."""
    found = {rule: list(same) for rule, same in _grouped(report.findings)}
    rules = [*report.rules, *(rule for rule in found if rule not in report.rules)]
    counts = {"tests": str(len(rules)), "failures": str(len(found)), "errors": "0"}
    suites = Element("testsuites", counts)
    suite = SubElement(suites, "testsuite", {"name": "sitemap-docs", **counts})
    for rule in rules:
        case = SubElement(suite, "testcase", classname=ALL[rule].group if rule in ALL else "live", name=rule)
        if rule in found:
            _add_failure(case, found[rule], report)
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode")


def _add_failure(case: Element, same: list[Finding], report: Report) -> None:
    message = many(len(same), "finding") if len(same) > 1 else one_line(same[0].message)
    failure = SubElement(case, "failure", type=same[0].severity, message=message)
    failure.text = "\n".join(one_line(f"{each.where or report.path(each)}: {each.message}") for each in same)


# https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#step-isolation-and-limits
_JOB_SUMMARY = 1_000_000  # bytes; GitHub takes 1 MiB from a step


def markdown(report: Report) -> str:
    """For a job summary: a table of rules and one of places, short enough for GitHub."""
    groups = [(rule, list(same)) for rule, same in _grouped(report.findings)]
    lines = [f"**Sitemap:** {_counted(report)}", "", markdown_code(report.scope)]
    if groups:
        lines += ["", "| severity | rule | findings | what is wrong |", "|---|---|---:|---|"]
        lines += [_markdown_rule(rule, same) for rule, same in groups]
        lines += ["", "| rule | where | finding |", "|---|---|---|"]
        lines += _markdown_places([same for _, same in groups], report, _JOB_SUMMARY - _size(lines))
    return "\n".join([*lines, "", *_baseline(report)]).rstrip()


def _size(lines: Iterable[str]) -> int:
    return sum(len(line.encode()) + 1 for line in lines)


def _markdown_rule(rule: str, same: Sequence[Finding]) -> str:
    summary = one_line(ALL[rule].summary).replace("|", "\\|") if rule in ALL else ""
    return f"| {same[0].severity} | `{rule}` | {len(same):,} | {summary} |"


def _markdown_places(groups: Iterable[Sequence[Finding]], report: Report, room: int) -> Iterator[str]:
    """A row for each place that is shown; their bytes with a last row fit into ``room``."""
    found = [finding for same in groups for finding in (same if report.verbose else same[:FIRST])]
    shown = list(fitting((_markdown_place(finding, report) for finding in found), room - 200))
    yield from shown
    if rest := len(report.findings) - len(shown):
        yield f"| | | … and {rest:,} more |"


def _markdown_place(finding: Finding, report: Report) -> str:
    where = " ".join(map(markdown_code, _places(finding, report))) or "the whole site"
    return f"| `{finding.rule}` | {where} | {markdown_code(finding.message)} |"


FORMATS: Mapping[str, Callable[[Report], str]] = {
    "text": report_text,
    "json": report_json,
    "sarif": as_sarif,
    "github": github,
    "gitlab": gitlab,
    "junit": junit,
    "markdown": markdown,
}
