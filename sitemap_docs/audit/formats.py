"""What the audit found: as people and machines read it, and as a baseline for later checks."""

import hashlib
import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, metadata
from operator import itemgetter
from pathlib import Path
from urllib.parse import quote

from sitemap_docs import __version__
from sitemap_docs.audit.registry import audit_rules, current_name
from sitemap_docs.audit.rule_settings import SEVERITIES
from sitemap_docs.files import seen_from
from sitemap_docs.json_output import json_text, result_json
from sitemap_docs.model import Finding, Severity, SitemapError
from sitemap_docs.programs.github import workflow_command
from sitemap_docs.text import fitting, many, markdown_code, one_line
from sitemap_docs.web import reason

FIRST = 3
"""Places of a rule that are shown at first."""
_NOTHING = {"info": "no findings", "warning": "no errors or warnings", "error": "no errors"}


def by_rule(findings: Iterable[Finding]) -> list[tuple[str, list[Finding]]]:
    """The findings of each rule, the worst rules first."""
    same: dict[tuple[int, str], list[Finding]] = defaultdict(list)
    for finding in findings:
        same[SEVERITIES.index(finding.severity), finding.rule].append(finding)
    return [(rule, of_rule) for (_, rule), of_rule in sorted(same.items(), key=itemgetter(0))]


def by_severity(findings: Iterable[Finding]) -> dict[str, int]:
    """The number of findings of each severity."""
    counts = Counter(finding.severity for finding in findings)
    return {severity: counts[severity] for severity in SEVERITIES}


def counted(findings: Iterable[Finding], least: Severity = "info") -> str:
    """``2 errors, 1 warning, 3 info``; without findings, what was looked for: ``no errors or warnings``.

    ``least`` is the minimum severity that was looked for.
    """
    parts = []
    for severity, number in by_severity(findings).items():
        if number:
            parts.append(f"{number:,} info" if severity == "info" else many(number, severity))
    return ", ".join(parts) or _NOTHING[least]


def fingerprints(findings: Iterable[Finding]) -> Iterator[tuple[Finding, str]]:
    """Each finding with 32 hexadecimal digits that stay the same while the finding does.

    Lines, counts and dates in its message may change; several of one kind at one place are numbered.
    """
    seen: Counter[str] = Counter()
    for finding in findings:
        text = re.sub(r"\d[\d,]*", "#", finding.message)
        kind = f"{finding.rule}\0{finding.where}\0{finding.file}\0{text}"
        seen[kind] += 1
        # backslashreplace: names of files that are not in UTF-8 hold surrogates
        name = f"{kind}\0{seen[kind]}".encode("utf-8", "backslashreplace")
        yield finding, hashlib.blake2b(name, digest_size=16).hexdigest()


@dataclass(frozen=True, kw_only=True)
class Report:
    """Findings, the rules that ran, what was audited in one line (``scope``), how many findings are known.

    ``folder`` is the site, ``start`` the folder that paths are relative to. ``severity`` is the minimum that
    is reported, and ``notes`` the number of milder findings. ``record``: whether the record of the last build
    was used. ``is_empty``: of what should have been audited there was nothing, which is no success.
    """

    findings: tuple[Finding, ...]
    rules: tuple[str, ...]
    folder: Path | None
    start: Path
    scope: str
    severity: Severity = "info"
    notes: int = 0
    known: int = 0
    gone: int = 0
    verbose: bool = False
    record: bool = False
    is_empty: bool = False

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
        lines.append(f"{same[0].severity}: {rule} ({len(same):,}): {audit_rules()[rule].summary}")
        shown = same if report.verbose else same[:FIRST]
        for finding in shown:
            lines.append(one_line(f"  {'  '.join(_places(finding, report)) or 'the whole site'}"))
            lines.append(one_line(f"    {finding.message}"))
        if len(same) > len(shown):
            lines.append(f"  … and {len(same) - len(shown):,} more (-v shows all)")
        lines.append("")
    lines.append(report.counted[0].upper() + report.counted[1:])
    if report.notes:
        lines.append(f"{many(report.notes, 'note')} not shown. To show them: --severity info")
    if report.findings:
        lines.append("To read what a rule means: sitemap-docs check --explain-rule RULE")
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


def _baseline(report: Report) -> Iterator[str]:
    if report.known:
        yield f"Not shown: {many(report.known, 'finding')} that the baseline contains."
    if report.gone:
        yield (
            f"Fixed: {many(report.gone, 'finding')} that the baseline contains. Update the baseline with "
            "--write-baseline."
        )


def report_json(report: Report) -> str:
    """One object with the findings, each with the file that people would change and a fingerprint."""
    findings = []
    for finding, fingerprint in fingerprints(report.findings):
        findings.append({**finding.data(), "path": report.path(finding) or None, "fingerprint": fingerprint})
    return result_json(
        {
            "counts": by_severity(report.findings),
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
    manual = _manual()
    rules = []
    for name in report.rules:
        rule = audit_rules()[name]
        described: dict[str, object] = {
            "id": name,
            "shortDescription": {"text": rule.summary},
            "fullDescription": {"text": rule.documentation},
            "help": {"text": rule.documentation},
            "defaultConfiguration": {"level": _LEVELS[rule.severity]},
            "properties": {"tags": [rule.group]},
        }
        if manual and rule.function.__module__.startswith("sitemap_docs."):
            described["helpUri"] = f"{manual}/rules/#{name}"
        elif rule.source[1]:
            described["helpUri"] = rule.source[1]
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
        result = {
            "ruleId": finding.rule,
            "ruleIndex": report.rules.index(finding.rule),
            "level": _LEVELS[finding.severity],
            "message": {"text": finding.summary},
            "locations": [location],
            "partialFingerprints": {"sitemapDocs/v1": fingerprint},
        }
        results.append(result)
    driver = {"name": "sitemap-docs", "semanticVersion": __version__, "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json_text({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]})


def _manual() -> str:
    """Returns the address of the manual where the package's metadata name it, else ``""``."""
    with suppress(PackageNotFoundError):  # in a clone that is not installed
        for each in map(str, metadata("sitemap-docs").get_all("Project-URL", ())):
            name, _, url = each.partition(", ")
            if name == "Documentation":
                return url.rstrip("/")
    return ""


def report_github(report: Report) -> str:
    """Workflow commands, which GitHub shows next to the lines that they name."""
    lines = []
    for finding in report.findings:
        properties = {}
        path = report.path(finding)
        if path:
            properties = {"file": path, "line": str(report.line(finding))}
        text = one_line(finding.message)
        if finding.where != finding.file:  # the annotation shows the file
            text = finding.summary
        lines.append(workflow_command(finding.severity, text, **properties, title=finding.rule))
    return "\n".join(lines)


_GITLAB = {"error": "major", "warning": "minor", "info": "info"}


def report_gitlab(report: Report) -> str:
    """GitLab's Code Quality report."""
    issues = []
    for finding, fingerprint in fingerprints(report.findings):
        issue = {
            "check_name": finding.rule,
            "description": finding.summary,
            "fingerprint": fingerprint,
            "severity": _GITLAB[finding.severity],
            "location": {"path": report.path(finding) or ".", "lines": {"begin": report.line(finding)}},
        }
        issues.append(issue)
    return json_text(issues)


# https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#step-isolation-and-limits
_JOB_SUMMARY = 1_000_000  # bytes; GitHub takes 1 MiB from a step
_ISSUE = 60_000  # bytes; GitHub takes 65,536 characters


def report_markdown(report: Report) -> str:
    """Return a table of rules and one of places, for a job summary.

    If only one rule ran, the text shows all places, and is short enough for an issue.
    """
    is_of_one_rule = len(report.rules) == 1
    limit = _ISSUE if is_of_one_rule and not report.verbose else _JOB_SUMMARY
    lines = [f"**Sitemap:** {report.counted}", "", markdown_code(report.scope)]
    if report.findings:
        rows = []
        lines += ["", "| severity | rule | findings | what is wrong |", "|---|---|---:|---|"]
        for rule, same in by_rule(report.findings):
            summary = one_line(audit_rules()[rule].summary).replace("|", "\\|")
            lines.append(f"| {same[0].severity} | `{rule}` | {len(same):,} | {summary} |")
            for finding in same if report.verbose or is_of_one_rule else same[:FIRST]:
                where = " ".join(map(markdown_code, _places(finding, report))) or "the whole site"
                rows.append(f"| `{rule}` | {where} | {markdown_code(finding.message)} |")
        lines += ["", "| rule | where | finding |", "|---|---|---|"]
        room = limit - sum(len(line.encode()) + 1 for line in lines)
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
    "markdown": report_markdown,
}


_VERSION = 2
"""The form of a baseline. Raise it if messages are reworded, since a fingerprint depends on the message."""
_REWORDED = 1
"""The form of the baselines whose findings have other messages."""


def write_baseline(findings: Iterable[Finding]) -> str:
    """Return the text of a baseline file: fingerprints and places by rule, sorted for good diffs in git."""
    places: dict[str, dict[str, str]] = {}
    for finding, fingerprint in fingerprints(findings):
        places.setdefault(finding.rule, {})[fingerprint] = _place(finding)
    rules = {}
    for rule, known in sorted(places.items()):
        rules[rule] = dict(sorted(known.items(), key=lambda item: (item[1], item[0])))
    return json.dumps({"version": _VERSION, "findings": rules}, indent=1, ensure_ascii=False) + "\n"


def _place(finding: Finding) -> str:
    """Return the place of a finding in a baseline: its address, otherwise its file."""
    return finding.where or finding.file


def without_known(report: Report, baseline: Path) -> Report:
    """Return the report without the findings of a baseline file, and with their number.

    Raises:
        SitemapError: The baseline cannot be read.
    """
    try:
        data = json.loads(baseline.read_text(encoding="utf-8"))
        if data["version"] not in (_REWORDED, _VERSION):
            raise ValueError(f"it is of version {data['version']}, not {_VERSION}")  # noqa: TRY301
        is_reworded = data["version"] == _REWORDED
        is_known = [False] * len(report.findings)
        gone = 0
        for rule, places in data["findings"].items():
            # What rules that did not run reported is neither known nor gone.
            if current_name(rule) in report.rules:
                gone += _find_known(report.findings, rule, dict(places), is_known, by_place=is_reworded)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise SitemapError(
            f"The baseline {baseline} cannot be read: {reason(error)}. Write it with --write-baseline."
        ) from None
    new = tuple(finding for finding, known in zip(report.findings, is_known, strict=True) if not known)
    return replace(report, findings=new, known=len(report.findings) - len(new), gone=gone)


def _find_known(
    findings: Sequence[Finding], rule: str, places: dict[str, str], is_known: list[bool], *, by_place: bool
) -> int:
    """Mark the findings that a baseline has for a rule. Return how many of the baseline are left.

    Args:
        findings: All findings, in the order of ``is_known``.
        rule: The name of the rule in the baseline. The rule may have another name now.
        places: The place of each finding of the baseline, by its fingerprint.
        is_known: Whether each finding is in the baseline. This function changes it.
        by_place: Whether a finding is known, too, if the baseline has one for the same rule and place.
    """
    now = current_name(rule)
    as_written = [replace(each, rule=rule) if each.rule == now else each for each in findings]
    unknown = []
    for number, (finding, fingerprint) in enumerate(fingerprints(as_written)):
        if places.pop(fingerprint, None) is not None:
            is_known[number] = True
        elif finding.rule == rule:
            unknown.append(number)
    if by_place:
        left = Counter(places.values())
        for number in unknown:
            place = _place(findings[number])
            if left[place] and not is_known[number]:
                left[place] -= 1
                is_known[number] = True
        return left.total()
    return len(places)
