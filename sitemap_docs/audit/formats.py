"""Show the findings of an audit to people and programs, and compare them with a baseline."""

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
    """Group the findings of an audit by rule, with the most severe findings first."""
    same: dict[tuple[int, str], list[Finding]] = defaultdict(list)
    for finding in findings:
        same[SEVERITIES.index(finding.severity), finding.rule].append(finding)
    return [(rule, of_rule) for (_, rule), of_rule in sorted(same.items(), key=itemgetter(0))]


def by_severity(findings: Iterable[Finding]) -> dict[str, int]:
    """Count the findings by severity: ``{"error": 2, "warning": 1, "info": 0}``."""
    counts = Counter(finding.severity for finding in findings)
    return {severity: counts[severity] for severity in SEVERITIES}


def counted(findings: Iterable[Finding], least: Severity = "info") -> str:
    """Return the numbers of findings as text, such as ``2 errors, 1 warning``.

    Without findings, the text depends on ``least``, the lowest severity that is shown: ``no errors`` for
    ``error``, ``no findings`` for ``info``.
    """
    parts = []
    for severity, number in by_severity(findings).items():
        if number:
            parts.append(f"{number:,} info" if severity == "info" else many(number, severity))
    return ", ".join(parts) or _NOTHING[least]


def fingerprints(findings: Iterable[Finding]) -> Iterator[tuple[Finding, str]]:
    """Yield each finding of an audit with a hash, by which later audits recognize the finding.

    Numbers in the message do not change the hash.
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
    """The problems that an audit has found, ready to be shown."""

    findings: tuple[Finding, ...]
    rules: tuple[str, ...]
    folder: Path | None
    #: The folder to which shown paths are relative.
    start: Path
    scope: str
    severity: Severity = "info"
    #: The number of findings below ``severity``.
    notes: int = 0
    #: The number of findings that the baseline file hides.
    known: int = 0
    #: The number of fixed findings in the baseline file.
    gone: int = 0
    verbose: bool = False
    record: bool = False
    is_empty: bool = False

    def path(self, finding: Finding) -> str:
        """Return the path of the file to edit because of a finding, such as ``docs/a.md``."""
        if finding.source or self.folder is None:
            return finding.source
        return self.file(finding)

    def line(self, finding: Finding) -> int:
        """Return the line in the file that the user must edit for a finding, or 1 if the line is unknown."""
        if finding.source:
            return 1
        return finding.line or 1

    def file(self, finding: Finding) -> str:
        """Return the path of the built file with the problem, such as ``site/a/index.html``."""
        if not finding.file or self.folder is None:
            return finding.file
        return seen_from(self.start, self.folder / finding.file)

    @property
    def counted(self) -> str:
        """The numbers of findings and rules, such as ``2 errors (96 rules run)``."""
        return f"{counted(self.findings, self.severity)} ({many(len(self.rules), 'rule')} run)"


def report_text(report: Report) -> str:
    """Return a report as plain text, grouped by rule."""
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
    """Return the known places of a finding: the URL, and the file such as ``docs/a.md``."""
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
            f"Fixed since the baseline: {many(report.gone, 'finding')}. To remove them from the baseline, "
            "run again with --write-baseline."
        )


def report_json(report: Report) -> str:
    """Return a report as JSON."""
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


# The format: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def report_sarif(report: Report) -> str:
    """Return a report in the SARIF format, which GitHub code scanning reads."""
    manual = _manual_url()
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


def _manual_url() -> str:
    """Return the URL of our manual from the metadata of the installed package, or ``""``."""
    with suppress(PackageNotFoundError):  # in a clone that is not installed
        for each in map(str, metadata("sitemap-docs").get_all("Project-URL", ())):
            name, _, url = each.partition(", ")
            if name == "Documentation":
                return url.rstrip("/")
    return ""


def report_github(report: Report) -> str:
    """Return a report as GitHub annotations: ``::error file=docs/a.md,line=1::…``."""
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
    """Return a report in the format of GitLab's Code Quality."""
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
    """Return a report as Markdown tables, for a GitHub job summary or issue."""
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
    """Return the text of a baseline file, which lists the findings that later audits hide."""
    places: dict[str, dict[str, str]] = {}
    for finding, fingerprint in fingerprints(findings):
        places.setdefault(finding.rule, {})[fingerprint] = _place(finding)
    rules = {}
    # The findings are sorted, so that git shows small differences.
    for rule, known in sorted(places.items()):
        rules[rule] = dict(sorted(known.items(), key=lambda item: (item[1], item[0])))
    return json.dumps({"version": _VERSION, "findings": rules}, indent=1, ensure_ascii=False) + "\n"


def _place(finding: Finding) -> str:
    """Return the URL to which a finding belongs, or its file if there is no URL."""
    return finding.where or finding.file


def without_known(report: Report, baseline: Path) -> Report:
    """Return a report without the findings that a baseline file lists.

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
    """Mark the findings that are in the baseline, and return how many findings in the baseline are fixed.

    A baseline is a file with known findings to hide.

    Args:
        findings: All findings of the audit.
        rule: The name of the rule to look at.
        places: The findings in the baseline, as a mapping from their hash to their URL or file.
        is_known: A list with a boolean for each finding. The function sets it to true for known findings.
        by_place: Whether a finding with another hash is also known if its URL or file is in the baseline.
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
