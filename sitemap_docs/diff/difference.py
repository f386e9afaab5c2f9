"""What changed between two lists of URLs: pages added, removed, changed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from sitemap_docs.model import SitemapError
from sitemap_docs.sitemap import urllist
from sitemap_docs.webroot.host_rules import Outcome, OutcomeKind, finder, read_redirects

Kind = Literal["added", "removed", "changed"]

KINDS: tuple[Kind, ...] = get_args(Kind)

_Dates = tuple[str | None, str | None]
_NEITHER: _Dates = (None, None)
_LIMIT = re.compile(r"(\d{1,2}(?:\.\d+)?|100)\s*%|(\d{1,9})", re.ASCII)


class Change(NamedTuple):
    """What became of one URL.

    ``before`` and ``after`` are its ``lastmod``, ``""`` for none. ``outcome`` is what is found at an address
    that was removed: a redirect to ``target``, a page that is not listed, or nothing; ``""`` where it cannot
    be known.
    """

    kind: Kind
    loc: str
    before: str = ""
    after: str = ""
    outcome: OutcomeKind = ""
    target: str = ""


class Difference:
    """How many URLs there were and are, and each change, in the order of the addresses.

    ``counts`` has the number of changes of each kind, ``outcomes`` that of what is found at the addresses
    that were removed. ``locs`` are the addresses of both lists.
    """

    def __init__(
        self,
        old: Iterable[tuple[str, str]],
        new: Iterable[tuple[str, str]],
        find: Callable[[str], Outcome] | None = None,
    ) -> None:
        listed = _newest_dates(old, new)
        self.locs: Collection[str] = listed.keys()
        self.old = sum(before is not None for before, _ in listed.values())
        self.new = sum(after is not None for _, after in listed.values())
        self.counts: Counter[Kind] = Counter()
        self.outcomes: Counter[OutcomeKind] = Counter()
        self._changes: list[Change] = []
        for loc in sorted(loc for loc, (before, after) in listed.items() if before != after):
            before, after = listed[loc]
            if before is None:
                change = Change("added", loc, after=after or "")
            elif after is not None:
                change = Change("changed", loc, before, after)
            else:
                change = Change("removed", loc, before)
                if find:
                    outcome, target = find(loc)
                    change = change._replace(outcome=outcome, target=target)
                self.outcomes[change.outcome] += 1
            self.counts[change.kind] += 1
            self._changes.append(change)

    def changes(self, *kinds: Kind) -> Iterator[Change]:
        """The changes of some kinds, or all."""
        selected = kinds or KINDS
        return (change for change in self._changes if change.kind in selected)

    @property
    def lost(self) -> int:
        """How many of the removed addresses lead nowhere."""
        return self.outcomes["lost"]

    @property
    def unknown(self) -> bool:
        """Whether it cannot be known what is found at an address that was removed."""
        return self.outcomes[""] > 0


def _newest_dates(old: Iterable[tuple[str, str]], new: Iterable[tuple[str, str]]) -> dict[str, _Dates]:
    """The newest date of each address in both lists; None where a list does not have it."""
    listed: dict[str, _Dates] = {}
    pairs: dict[_Dates, _Dates] = {}  # a million pages share the dates of some thousand commits
    for loc, date in old:
        before, _ = listed.get(loc, _NEITHER)
        if before is None or before < date:
            listed[loc] = pairs.setdefault((date, None), (date, None))
    for loc, date in new:
        before, after = listed.get(loc, _NEITHER)
        if after is None or after < date:
            listed[loc] = pairs.setdefault((before, date), (before, date))
    return listed


class Limit(NamedTuple):
    """How many URLs may be removed: a share of the old ones, or a number."""

    number: float
    percent: bool

    @classmethod
    def of(cls, text: str) -> Limit:
        """The limit that ``5%``, ``2.5%`` or ``100`` names; raises SitemapError."""
        match = _LIMIT.fullmatch(text.strip())
        if match is None:
            raise SitemapError(f"{text!r} is not a limit: write a share such as 5% or a number such as 20.")
        share, number = match.groups()
        return cls(float(share or number), share is not None)

    def exceeded(self, difference: Difference) -> bool:
        limit = self.number
        if self.percent:
            limit = difference.old * self.number / 100
        return difference.counts["removed"] > limit

    def __str__(self) -> str:
        return f"{self.number:g}{'%' * self.percent}"


def compare_places(old: str, new: str, redirects: Iterable[Path] = ()) -> Difference:
    """The difference of two places: sitemaps, built folders or web addresses (``urllist.read_urls``).

    What is found at a removed address is known where the new place is a folder, and from the files of
    ``redirects``. Raises SitemapError.
    """
    built = urllist.built_at(new)
    places = [*redirects]
    if built:
        places.insert(0, built.folder)
    find = None
    if places:
        find = finder(read_redirects(*places), built)
    return Difference(urllist.read_urls(old), urllist.read_urls(new), find)
