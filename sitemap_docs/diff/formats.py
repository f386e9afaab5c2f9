"""A difference as text: for a terminal, for programs, for a comment in a code review."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from sitemap_docs.diff.difference import KINDS, Change, Difference, Kind, Limit
from sitemap_docs.text import escaped_json, fitting, many, markdown_code

SIGNS: Mapping[Kind, str] = {"added": "+", "removed": "-", "changed": "~"}
_ROWS = 50  # of each kind, in a comment
_COMMENT = 60_000  # bytes; GitHub takes 65,536 characters


def headline(difference: Difference) -> str:
    """``1,000 URLs before, 1,003 now: 5 added, 2 removed, 10 changed``."""
    counts = ", ".join(f"{difference.counts[kind]:,} {kind}" for kind in KINDS)
    return f"{many(difference.old, 'URL')} before, {difference.new:,} now: {counts}"


def violations(
    difference: Difference, limits: Iterable[Limit], *, require_redirects: bool = False
) -> Iterator[str]:
    """A message for each requirement that the difference violates: limits exceeded, redirects missing."""
    for limit in limits:
        if limit.exceeded(difference):
            yield (
                f"{difference.counts['removed']:,} of {difference.old:,} URLs were removed, more than "
                f"{limit}. Check that the build is complete, or raise --max-removed."
            )
    if require_redirects and difference.lost:
        yield _lost(difference)


def warnings(difference: Difference) -> Iterator[str]:
    """A message for each change that may be a mistake."""
    if difference.lost:
        yield _lost(difference)
    undated = sum(1 for change in difference.changes("changed") if not change.after)
    if undated:
        yield f"{many(undated, 'page')} lost the date: fetch the whole history if the clone is shallow."


def _lost(difference: Difference) -> str:
    has = "has" if difference.lost == 1 else "have"
    return (
        f"{many(difference.lost, 'removed address')} {has} neither a page nor a redirect: "
        "redirect each to the page that replaces it."
    )


def difference_text(difference: Difference, most: int | None = None) -> Iterator[str]:
    """Lines for a terminal; ``most`` is how many changes of each kind are shown, None for all."""
    yield headline(difference)
    for kind in KINDS:
        sign = SIGNS[kind]
        for change in islice(difference.changes(kind), most):
            yield f"{sign} {change.loc}  {_happened(change)}".rstrip()
        if most is not None and difference.counts[kind] > most:
            yield f"{sign} … and {difference.counts[kind] - most:,} more (-v shows them)"


def difference_json(difference: Difference) -> Iterator[str]:
    """One JSON object in pieces: counts, and a list of objects for each kind."""
    counts = {kind: difference.counts[kind] for kind in KINDS}
    yield f'{{"old": {difference.old}, "new": {difference.new}, "counts": {json.dumps(counts)}'
    yield f', "lost": {difference.lost}'
    for kind in KINDS:
        yield f', "{kind}": ['
        separator = ""
        for change in difference.changes(kind):
            yield f"{separator}\n{escaped_json(json.dumps(_fields(change)))}"
            separator = ","
        yield "]"
    yield "}"


def difference_markdown(difference: Difference, violations: Iterable[str] = ()) -> str:
    """A heading line and a table, short enough for a comment on GitHub or GitLab."""
    lines = [f"**Sitemap:** {headline(difference)}", ""]
    for sentence in dict.fromkeys((*violations, *warnings(difference))):
        lines += [f"> {sentence}", ""]
    rows = []
    for kind in KINDS:
        for change in islice(difference.changes(kind), _ROWS):
            happened = _happened(change, markdown_code)
            rows.append(f"| {kind} | {markdown_code(change.loc)} | {happened} |")
    if not rows:
        return lines[0]
    lines += ["| | URL | what happened |", "|---|---|---|"]
    shown = list(fitting(rows, _COMMENT - sum(len(line) + 1 for line in lines)))
    lines += shown
    rest = sum(difference.counts.values()) - len(shown)
    if rest:
        lines.append(f"| | | … and {rest:,} more |")
    return "\n".join(lines)


def _happened(change: Change, shown: Callable[[str], str] = str) -> str:
    """What happened to a URL; ``shown`` escapes what sitemaps and redirects hold."""
    if change.kind == "changed":
        before = after = "no date"
        if change.before:
            before = shown(change.before)
        if change.after:
            after = shown(change.after)
        return f"{before} → {after}"
    if change.kind == "added":
        if not change.after:
            return ""
        return shown(change.after)
    if change.outcome == "redirected":
        if not change.target:
            return "redirects"
        return f"redirects to {shown(change.target)}"
    return {"": "", "served": "still there, not listed", "lost": "no redirect"}[change.outcome]


def _fields(change: Change) -> Mapping[str, str | None]:
    if change.kind == "added":
        return {"loc": change.loc, "lastmod": change.after or None}
    if change.kind == "changed":
        return {"loc": change.loc, "before": change.before or None, "after": change.after or None}
    return {
        "loc": change.loc,
        "lastmod": change.before or None,
        "found": change.outcome or None,
        "redirect": change.target or None,
    }
