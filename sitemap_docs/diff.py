"""What changed between two lists of URLs: pages added, removed, changed, moved; as values and as text."""

import os
import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path
from sys import intern
from typing import Literal, NamedTuple, get_args

from sitemap_docs.files import repository_of, seen_from
from sitemap_docs.folder.addressing import built_at
from sitemap_docs.folder.settings import find_options, find_record_files
from sitemap_docs.history.git import GitTrouble, moves_of
from sitemap_docs.host_rules import Outcome, OutcomeKind
from sitemap_docs.hosting import find_hosting
from sitemap_docs.model import Row, SitemapError
from sitemap_docs.output.record import Record, read_build
from sitemap_docs.sitemap import urllist
from sitemap_docs.surroundings import Surroundings, read_surroundings
from sitemap_docs.text import fitting, many, markdown_code
from sitemap_docs.urls.base import split_url
from sitemap_docs.webroot import Webroot, outcome_finder

ChangeKind = Literal["added", "removed", "changed"]

FORMS = ("netlify", "sphinx-reredirects", "mkdocs-redirects")
"""In which :func:`redirect_lines` writes redirects."""
KINDS: tuple[ChangeKind, ...] = get_args(ChangeKind)
SIGNS: Mapping[ChangeKind, str] = {"added": "+", "removed": "-", "changed": "~"}
SHOWN = 50
"""Changes of each kind that are shown unless all are asked for."""
_COMMENT = 60_000  # bytes; GitHub takes 65,536 characters

MAX_ADDRESSES = 2_000_000
"""Addresses of a list at most; two such lists take 0.8 GB of memory."""

_LIMIT = re.compile(r"(\d{1,2}(?:\.\d+)?|100)\s*%|(\d{1,9})", re.ASCII)


class Change(NamedTuple):
    """A change of one URL.

    Attributes:
        kind: What happened to the URL.
        loc: The URL.
        before: Its former ``lastmod``, or ``""``.
        after: Its ``lastmod`` now, or ``""``.
        outcome: What is found at a removed URL: a redirect, a page that is not listed, or nothing. ``""`` if
            that is unknown.
        target: The target of the redirect.
        moved: The URL of the page to which the source was renamed in git.
    """

    kind: ChangeKind
    loc: str
    before: str = ""
    after: str = ""
    outcome: OutcomeKind = ""
    target: str = ""
    moved: str = ""


class Move(NamedTuple):
    """A page before and after its source was renamed, in two builds."""

    old: Row
    new: Row


class Difference:
    """The changes between two lists of URLs, in the order of the addresses.

    ``counts`` has the number of changes of each kind, and ``outcomes`` the number of each outcome at the
    removed addresses. Raises SitemapError for more than :data:`MAX_ADDRESSES`.
    """

    def __init__(
        self,
        old: Iterable[tuple[str, str]],
        new: Iterable[tuple[str, str]],
        find: Callable[[str], Outcome] | None = None,
    ) -> None:
        self._before, self._after = _newest_dates(old), _newest_dates(new)
        self.old, self.new = len(self._before), len(self._after)
        self._changes = []
        for loc in sorted(self.locs()):
            before, after = self._before.get(loc), self._after.get(loc)
            if before is None:
                self._changes.append(Change("added", loc, after=after or ""))
            elif after is None:
                outcome, target = find(loc) if find else Outcome("", "")
                # A page may name anything as its target, also what no text in UTF-8 can hold.
                target = target.encode("utf-8", "backslashreplace").decode()
                self._changes.append(Change("removed", loc, before, outcome=outcome, target=target))
            elif before != after:
                self._changes.append(Change("changed", loc, before, after))
        self.counts = Counter(change.kind for change in self._changes)
        self.outcomes = Counter(change.outcome for change in self._changes if change.kind == "removed")
        #: Where pages that were removed, and do not redirect, have moved; as far as that is sure.
        self.moves: Mapping[str, Move] = {}
        #: The places without a record of their build, whose sources are unknown.
        self.unrecorded: tuple[str, ...] = ()

    def name_moves(self, old: str, new: str, surroundings: Surroundings) -> None:
        """Find in git where the pages that lead nowhere have moved, by one rename of their own source.

        Both places must be folders with a record, in which only one page has the source. They may be built
        from two work trees: git is asked in that of the new one.
        """
        gone = {change.loc for change in self.changes("removed") if change.outcome in ("", "lost")}
        records = {place: _find_record(Path(place), surroundings) for place in (old, new)}
        self.unrecorded = tuple(place for place, record in records.items() if record is None)
        before, after = _by_source(records[old]), _by_source(records[new])
        root = repository_of(Path(min(after)).parent) if after else None
        top_of = cache(repository_of)
        lost: dict[bytes, Row] = {}
        for source, rows in before.items():
            if len(rows) == 1 and rows[0].loc in gone and (top := top_of(Path(source).parent)):
                lost[os.fsencode(seen_from(top, source))] = rows[0]
        moves: dict[str, Move] = {}
        if root and lost:
            with suppress(GitTrouble):
                for path, moved in moves_of(str(root), lost, surroundings.environ):
                    renamed = after.get(str(root / os.fsdecode(moved)), ())
                    if len(renamed) == 1 and renamed[0].loc != lost[path].loc:
                        moves[lost[path].loc] = Move(lost[path], renamed[0])
        self.moves = dict(sorted(moves.items()))
        for number, change in enumerate(self._changes):
            if change.kind == "removed" and change.loc in self.moves:
                self._changes[number] = change._replace(moved=self.moves[change.loc].new.loc)

    def changes(self, *kinds: ChangeKind) -> Iterator[Change]:
        """Return the changes of some kinds, or all."""
        selected = kinds or KINDS
        return (change for change in self._changes if change.kind in selected)

    def locs(self) -> AbstractSet[str]:
        """Return the addresses of both lists, each once."""
        return self._before.keys() | self._after.keys()

    @property
    def lost(self) -> int:
        """How many of the removed addresses lead nowhere."""
        return self.outcomes["lost"]


def _newest_dates(urls: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return each address with its newest date, or ``""``. Raise SitemapError for too many."""
    dates: dict[str, str] = {}
    for loc, date in urls:
        dates[loc] = intern(max(date, dates.get(loc, "")))  # many pages have one date
        if len(dates) > MAX_ADDRESSES:
            raise SitemapError(
                f"A list has more than {MAX_ADDRESSES:,} addresses, too many to compare in memory. Compare "
                "the sitemaps that the index lists one by one."
            )
    return dates


def compare_places(old: str, new: str, redirects: Iterable[Path] = ()) -> Difference:
    """Return the difference of two places: sitemaps, built folders or web addresses.

    If the new place is a folder, its pages and rules show what visitors find at a removed address.
    ``redirects`` are more files with rules.

    Raises:
        SitemapError: A place or a file cannot be read.
    """
    surroundings = read_surroundings()
    webroot = _find_webroot(new, surroundings)
    find = None
    redirect_files = [*redirects]
    if webroot:
        redirect_files.insert(0, webroot.folder)  # which may also contain a netlify.toml
    if redirect_files:
        find = outcome_finder(webroot, redirect_files)
    difference = Difference(urllist.read_urls(old), urllist.read_urls(new), find)
    difference.name_moves(old, new, surroundings)
    return difference


def _find_webroot(place: str, surroundings: Surroundings) -> Webroot | None:
    """Return the built folder at a place with its host, or None if the place is no folder.

    The record of the build says which platform serves the site. Without a record, this run shows it.
    """
    built = built_at(place)
    if built is None:
        return None
    record = _find_record(built.folder, surroundings)
    platform = record.platform if record else surroundings.platform
    host = next((options.host for options in find_options(built.folder, surroundings)), "auto")
    return Webroot(built.folder, find_hosting(platform, built.base, host, surroundings.here))


def headline(difference: Difference) -> str:
    """``1,000 URLs before, 1,003 now: 5 added, 2 removed, 10 changed``."""
    counts = ", ".join(f"{difference.counts[kind]:,} {kind}" for kind in KINDS)
    return f"{many(difference.old, 'URL')} before, {difference.new:,} now: {counts}"


def violations(
    difference: Difference, limits: Iterable[str], *, require_redirects: bool = False
) -> Iterator[str]:
    """Yield a message for each violated requirement: a limit is exceeded, or a redirect is missing.

    A limit is a share of the old URLs or a number: ``5%``, ``2.5%``, ``100``. Raise SitemapError for other
    texts.
    """
    for limit in limits:
        match = _LIMIT.fullmatch(limit.strip())
        if match is None:
            raise SitemapError(f"{limit!r} is not a limit: write a share such as 5% or a number such as 20.")
        share, number = match.groups()
        most = difference.old * float(share) / 100 if share else int(number)
        if difference.counts["removed"] > most:
            yield (
                f"{difference.counts['removed']:,} of {difference.old:,} URLs were removed, more than "
                f"{limit.strip()}. Check that the build is complete, or raise --max-removed."
            )
    if require_redirects and difference.lost:
        yield _lost(difference)


def warnings(difference: Difference) -> Iterator[str]:
    """Yield a message for each change that may be a mistake."""
    if difference.new and 0 < difference.old == difference.counts["removed"]:
        old = urllist.common_folder(change.loc for change in difference.changes("removed"))
        new = urllist.common_folder(change.loc for change in difference.changes("added"))
        yield (
            f"No address is in both lists: OLD has {old or 'several hosts'}, NEW has "
            f"{new or 'several hosts'}. Was one of them built with another base URL?"
        )
    if difference.lost:
        yield _lost(difference)
    undated = sum(1 for change in difference.changes("changed") if not change.after)
    if undated:
        yield f"{many(undated, 'page')} lost the date: fetch the whole history if the clone is shallow."


def _lost(difference: Difference) -> str:
    has = "has" if difference.lost == 1 else "have"
    printed = ""
    if difference.moves:
        printed = (
            f" For {len(difference.moves):,} that moved in git, --redirects {'|'.join(FORMS)} prints it."
        )
    return (
        f"{many(difference.lost, 'removed address')} {has} neither a page nor a redirect: "
        f"redirect each to the page that replaces it.{printed}"
    )


def difference_text(difference: Difference, most: int | None = None) -> Iterator[str]:
    """Yield lines for a terminal, with at most ``most`` changes of each kind, or with all."""
    yield headline(difference)
    for kind in KINDS:
        sign = SIGNS[kind]
        for change in islice(difference.changes(kind), most):
            yield f"{sign} {change.loc}  {_happened(change)}".rstrip()
        if most is not None and difference.counts[kind] > most:
            yield f"{sign} … and {difference.counts[kind] - most:,} more (-v shows them)"


def difference_data(difference: Difference) -> Mapping[str, object]:
    """Return the difference for JSON: counts, and a list of objects for each kind."""
    return {
        "old": difference.old,
        "new": difference.new,
        "counts": {kind: difference.counts[kind] for kind in KINDS},
        "lost": difference.lost,
        **{kind: [_fields(change) for change in difference.changes(kind)] for kind in KINDS},
    }


def difference_markdown(difference: Difference, violations: Iterable[str] = ()) -> str:
    """Return a heading line and a table, short enough for a comment on GitHub or GitLab."""
    lines = [f"**Sitemap:** {headline(difference)}", ""]
    for sentence in dict.fromkeys((*violations, *warnings(difference))):
        lines += [f"> {sentence}", ""]
    rows = []
    for kind in KINDS:
        for change in islice(difference.changes(kind), SHOWN):
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
    """Return what happened to a URL. ``shown`` escapes texts of sitemaps and redirects."""
    if change.kind == "changed":
        before = shown(change.before) if change.before else "no date"
        after = shown(change.after) if change.after else "no date"
        return f"{before} → {after}"
    if change.kind == "added":
        return shown(change.after) if change.after else ""
    if change.outcome == "redirected":
        return f"redirects to {shown(change.target)}" if change.target else "redirects"
    moved = f"→ {shown(change.moved)}" if change.moved else ""
    found = {"": "", "served": "still there, not listed", "lost": "no redirect"}[change.outcome]
    return ", ".join(filter(None, [moved, found]))


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
        "moved": change.moved or None,
    }


def _find_record(folder: Path, surroundings: Surroundings) -> Record | None:
    """Return the record of a built folder, from the file of the option ``record`` or from the cache."""
    if surroundings.cache is None or not folder.is_dir():
        return None
    for file in (*find_record_files(folder, surroundings), None):
        if record := read_build(folder.resolve(), surroundings.cache, file):
            return record
    return None


def _by_source(record: Record | None) -> dict[str, list[Row]]:
    """Return the listed pages in a record, by their own sources."""
    rows = defaultdict(list)
    for row in record.rows() if record else ():
        if row.sources and row.reason is None:
            rows[row.sources[0]].append(row)
    return rows


def redirect_lines(moves: Iterable[Move], form: str) -> Iterator[str]:
    """Yield lines with the redirects of moved pages, for the configuration of a host or an extension."""
    for move in moves:
        old, new = split_url(move.old.loc), split_url(move.new.loc)
        target = new.path if old.netloc == new.netloc else move.new.loc
        before, after = _document(move.old), _document(move.new)
        if form == "netlify":
            yield f"{old.path} {target} 301"
        elif form == "sphinx-reredirects" and before[0]:
            relative = posixpath.relpath(new.path, posixpath.dirname(old.path))
            yield f'"{before[0]}": "{relative}{"/" * new.path.endswith("/")}",'
        elif form == "mkdocs-redirects" and before[0] and after[0]:
            yield f"'{''.join(before)}': '{''.join(after)}'"


def _document(row: Row) -> tuple[str, str]:
    """Return the name of a page's source below the folder of all sources, and its ending, or two ``""``."""
    source, ending = posixpath.splitext(row.sources[0].replace(os.sep, "/"))
    name = posixpath.splitext(row.file)[0]
    folder = posixpath.dirname(name)
    for each in (name, folder, posixpath.join(folder, "README")):
        if each and f"/{source}".endswith(f"/{each}"):
            return each, ending
    return "", ""
