"""What the audit found: grouped by rule, counted, summed up for a build, compared with a baseline."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from operator import itemgetter
from pathlib import Path

from sitemap_docs.audit.registry import SEVERITIES
from sitemap_docs.model import Finding, Severity, SitemapError

VERSION = 1
"""Of the form of a baseline file."""

FIRST = 3
"""Places of a rule that are shown at first."""

_NOTHING = {"info": "no findings", "warning": "no errors or warnings", "error": "no errors"}


def by_rule(findings: Iterable[Finding]) -> list[tuple[str, list[Finding]]]:
    """The findings of each rule, the worst rules first."""
    same: dict[tuple[int, str], list[Finding]] = defaultdict(list)
    for finding in findings:
        same[SEVERITIES.index(finding.severity), finding.rule].append(finding)
    return [(rule, found) for (_, rule), found in sorted(same.items(), key=itemgetter(0))]


def counted(findings: Iterable[Finding], least: Severity = "info") -> str:
    """``2 errors, 1 warning, 3 info``; without findings, what was looked for: ``no errors or warnings``.

    ``least`` is the minimum severity that was looked for.
    """
    counts = Counter(finding.severity for finding in findings)
    parts = []
    for severity in SEVERITIES:
        if counts[severity] == 1 or (counts[severity] and severity == "info"):
            parts.append(f"{counts[severity]:,} {severity}")
        elif counts[severity]:
            parts.append(f"{counts[severity]:,} {severity}s")
    return ", ".join(parts) or _NOTHING[least]


def summed(findings: Iterable[Finding]) -> list[Finding]:
    """One finding for each rule, the worst first, with the first places of all."""
    summaries = []
    for _, (first, *more) in by_rule(findings):
        if more:
            places = list(dict.fromkeys(each.where or each.file for each in (first, *more)))
            shown = ", ".join(places[:FIRST])
            if len(places) > FIRST:
                shown += f" and {len(places) - FIRST:,} more"
            message = f"{len(more) + 1:,} times: {shown}. The first: {first.message}"
            first = replace(first, message=message)  # noqa: PLW2901
        summaries.append(first)
    return summaries


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


def write_baseline(findings: Iterable[Finding]) -> str:
    """The text of a baseline file: rule → fingerprint → place, sorted, so that versions compare well."""
    places: dict[str, dict[str, str]] = {}
    for finding, fingerprint in fingerprints(findings):
        places.setdefault(finding.rule, {})[fingerprint] = finding.where or finding.file
    rules = {}
    for rule, known in sorted(places.items()):
        rules[rule] = dict(sorted(known.items(), key=lambda item: (item[1], item[0])))
    return json.dumps({"version": VERSION, "findings": rules}, indent=1, ensure_ascii=False) + "\n"


def read_baseline(file: Path) -> Mapping[str, str]:
    """Fingerprint → rule of the findings in the file. Raises SitemapError."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        if data["version"] != VERSION:
            raise ValueError(f"it is of version {data['version']}, not {VERSION}")  # noqa: TRY301
        return {fingerprint: rule for rule, known in data["findings"].items() for fingerprint in known}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise SitemapError(
            f"The baseline {file} cannot be read: {error}. Write it with --write-baseline."
        ) from None


def split_known(
    findings: Iterable[Finding], known: Mapping[str, str]
) -> tuple[tuple[Finding, ...], tuple[Finding, ...], int]:
    """The new findings, the known ones, and how many of the baseline are gone."""
    new: list[Finding] = []
    old: list[Finding] = []
    seen = set()
    for finding, fingerprint in fingerprints(findings):
        if fingerprint in known:
            old.append(finding)
        else:
            new.append(finding)
        seen.add(fingerprint)
    return tuple(new), tuple(old), len(known.keys() - seen)
