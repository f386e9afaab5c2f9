"""The figures of one run and those of the runs before it, kept as lines of JSON in a file of the user."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.model import SitemapError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sitemap_docs.report.figures import Figures

_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "date": str,
    "listed": int,
    "left_out": int,
    "undated": int,
    "median_age": (int, float, type(None)),
    "error": int,
    "warning": int,
    "info": int,
}


class ReportRun(NamedTuple):
    """The counts of one report; ``date`` is ISO 8601, ``median_age`` in days, the last three are findings."""

    date: str
    listed: int
    left_out: int
    undated: int
    median_age: float | None
    error: int
    warning: int
    info: int

    @property
    def findings(self) -> int:
        return self.error + self.warning + self.info


def run_of(figures: Figures) -> ReportRun:
    """The counts of a report."""
    found: Counter[str] = Counter()
    for each in figures.found:
        found[each.severity] += len(each.findings)
    return ReportRun(
        date=figures.now.isoformat(),
        listed=figures.listed,
        left_out=sum(each.pages for each in figures.left_out),
        undated=figures.undated,
        median_age=figures.median_age,
        error=found["error"],
        warning=found["warning"],
        info=found["info"],
    )


def read_runs(file: Path) -> tuple[ReportRun, ...]:
    """The runs that a file holds, in its order; none if it does not exist. Raises SitemapError."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    except (OSError, UnicodeDecodeError) as error:
        raise SitemapError(f"{file} could not be read: {error}. Pass another file to --history.") from None
    return tuple(
        _read(line, f"{file}, line {number}") for number, line in enumerate(lines, 1) if line.strip()
    )


def append_run(file: Path, run: ReportRun) -> None:
    """Appends one line. Raises SitemapError."""
    try:
        with file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(run._asdict()) + "\n")
    except OSError as error:
        raise SitemapError(f"{file} could not be written: {error.strerror}.") from None


def _read(line: str, where: str) -> ReportRun:
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    if not isinstance(found, dict) or not all(
        isinstance(found.get(name, ...), _TYPES[name]) for name in _TYPES
    ):
        raise SitemapError(
            f"{where}: not a line of `report --history`. Remove the line, or pass another file."
        )
    return ReportRun(**{name: found[name] for name in ReportRun._fields})
