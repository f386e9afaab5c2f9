"""What changed between two lists of URLs: pages added, removed, changed, moved."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from sitemap_docs.model import SitemapError
from sitemap_docs.sitemap.sorting import Lines
from sitemap_docs.sitemap.urllist import Listed, distinct
from sitemap_docs.webroot.redirects import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitemap_docs.webroot.redirects import OutcomeKind

Kind = Literal["added", "removed", "changed", "moved"]

_LIMIT = re.compile(r"(\d{1,2}(?:\.\d+)?|100)\s*%|(\d{1,9})", re.ASCII)

KINDS: tuple[Kind, ...] = get_args(Kind)


class Change(NamedTuple):
    """What became of one URL.

    ``loc`` is the old address of a page that moved, and ``to`` its new one. ``before`` and ``after`` are its
    ``lastmod``, ``""`` for none. ``outcome`` is what is found at an old address: a redirect to ``target``,
    a page that is not listed, or nothing; ``""`` where it cannot be known.
    """

    kind: Kind
    loc: str
    before: str = ""
    after: str = ""
    to: str = ""
    outcome: OutcomeKind = ""
    target: str = ""

    @property
    def line(self) -> str:
        """The values with tabs between them; the target, which a page names, is escaped."""
        target = self.target.encode("unicode_escape").decode()
        return "\t".join((self.loc, *self[:1], *self[2:-1], target))

    @classmethod
    def of(cls, line: str) -> Change:
        loc, kind, *rest, target = line.split("\t")
        return cls(kind, loc, *rest, _unescaped(target))  # type: ignore[arg-type, call-arg]


def _unescaped(text: str) -> str:
    return text.encode().decode("unicode_escape")


def unknown(_: str) -> Outcome:
    """The ``find`` of a comparison of sitemaps alone."""
    return Outcome("")


def no_moves(_: Iterable[Change]) -> Mapping[str, str]:
    """The ``find_moves`` of a comparison of sitemaps alone."""
    return {}


@dataclass(frozen=True, kw_only=True)
class Difference:
    """How many URLs there were and are, and each change, sorted by address.

    ``lost`` counts the old addresses that lead nowhere.
    """

    old: int
    new: int
    counts: Mapping[Kind, int]
    lost: int
    lines: Iterable[str]

    def changes(self, *kinds: Kind) -> Iterator[Change]:
        """The changes of some kinds, or all; each call reads them anew."""
        selected = kinds or KINDS
        return (change for line in self.lines if (change := Change.of(line)).kind in selected)

    def losses(self) -> Iterator[Change]:
        """The removed and moved URLs whose old address leads nowhere."""
        return (change for change in self.changes("removed", "moved") if change.outcome == "lost")

    @property
    def unknown(self) -> bool:
        """Whether it cannot be known what is found at an old address."""
        return any(not change.outcome for change in self.changes("removed", "moved"))

    @property
    def unchanged(self) -> int:
        return self.new - self.counts["added"] - self.counts["changed"] - self.counts["moved"]


class Limit(NamedTuple):
    """How many URLs may be removed: a share of the old ones, or a number."""

    number: float
    percent: bool

    @classmethod
    def of(cls, text: str) -> Limit:
        """The limit that ``5%``, ``2.5%`` or ``100`` names; raises SitemapError."""
        if match := _LIMIT.fullmatch(text.strip()):
            return cls(float(match[1] or match[2]), match[1] is not None)
        raise SitemapError(f"{text!r} is no limit: write a share such as 5% or a number such as 20.")

    def exceeded(self, difference: Difference) -> bool:
        removed = difference.counts["removed"]
        return removed > (difference.old * self.number / 100 if self.percent else self.number)

    def __str__(self) -> str:
        return f"{self.number:g}{'%' * self.percent}"


def compute_difference(
    old: Iterable[str],
    new: Iterable[str],
    *,
    find: Callable[[str], Outcome] = unknown,
    find_moves: Callable[[Iterable[Change]], Mapping[str, str]] = no_moves,
) -> Difference:
    """The difference of two lists of URLs, given as lines (``urllist.lines``) in any order.

    ``find`` returns what is at an address that is no longer listed. ``find_moves`` gets the pages that were
    added and removed and returns old address → new address. Memory is bounded, except for what is moved.
    """
    sizes: Counter[str] = Counter()
    before, now = (_tallied(distinct(lines), side, sizes) for side, lines in (("old", old), ("new", new)))
    plain = Lines(change.line for change in merge_changes(before, now))
    moves = find_moves(change for line in plain if (change := Change.of(line)).kind in ("added", "removed"))
    counts: Counter[Kind] = Counter()
    outcomes: Counter[OutcomeKind] = Counter()
    lines = Lines(_counted(_settled(plain, moves, find), counts, outcomes))
    return Difference(old=sizes["old"], new=sizes["new"], counts=counts, lost=outcomes["lost"], lines=lines)


def merge_changes(old: Iterator[str], new: Iterator[str]) -> Iterator[Change]:
    """What differs between two sorted streams of lines that each hold an address once."""
    before, after = next(old, ""), next(new, "")
    while before or after:
        if before == after:
            before, after = next(old, ""), next(new, "")
            continue
        was, now = Listed.of(before), Listed.of(after)
        if not after or (before and was.loc < now.loc):
            yield Change("removed", was.loc, before=was.lastmod)
            before = next(old, "")
        elif not before or now.loc < was.loc:
            yield Change("added", now.loc, after=now.lastmod)
            after = next(new, "")
        else:
            yield Change("changed", now.loc, was.lastmod, now.lastmod)
            before, after = next(old, ""), next(new, "")


def _tallied(lines: Iterator[str], side: str, sizes: Counter[str]) -> Iterator[str]:
    size = 0
    for size, line in enumerate(lines, 1):  # noqa: B007  it is counted
        yield line
    sizes[side] = size


def _settled(
    lines: Iterable[str], moves: Mapping[str, str], find: Callable[[str], Outcome]
) -> Iterator[Change]:
    arrived = set(moves.values())
    for change in map(Change.of, lines):
        if change.kind == "removed":
            to = moves.get(change.loc, "")
            outcome = find(change.loc)
            yield change._replace(
                kind="moved" if to else "removed", to=to, outcome=outcome.kind, target=outcome.target
            )
        elif change.kind == "changed" or change.loc not in arrived:
            yield change


def _counted(
    changes: Iterable[Change], counts: Counter[Kind], outcomes: Counter[OutcomeKind]
) -> Iterator[str]:
    for change in changes:
        counts[change.kind] += 1
        outcomes[change.outcome] += 1
        yield change.line
