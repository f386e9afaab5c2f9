"""Compare two lists of URLs: find the pages that were added, removed or changed, and show them.

A removed page may have moved. ``history/moved_pages.py`` finds its new address.
"""

import json
import posixpath
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import islice
from pathlib import Path
from sys import intern
from typing import Literal, NamedTuple, get_args
from urllib.parse import quote

from sitemap_docs.folder.folder_site import find_listed_record, open_listed
from sitemap_docs.history.moved_pages import MovedPage, UnmovedPage, WhyUnmoved, find_moved_pages
from sitemap_docs.host_rules import Outcome, OutcomeKind
from sitemap_docs.model import Reason, SitemapError
from sitemap_docs.sitemap import urllist
from sitemap_docs.surroundings import read_surroundings
from sitemap_docs.text import fitting, many, markdown_code
from sitemap_docs.urls.base import split_url
from sitemap_docs.urls.link_styles import drop_style
from sitemap_docs.webroot import address_finder, open_visitor

ChangeKind = Literal["added", "removed", "changed"]

RedirectForm = Literal["netlify", "sphinx-reredirects", "mkdocs-redirects", "table"]
"""The form in which :func:`redirect_line` writes a redirect."""

#: All forms of redirects.
FORMS: tuple[RedirectForm, ...] = get_args(RedirectForm)

#: The first lines of the form ``table``, with the names of the fields in the dashboard of Read the Docs.
TABLE_HEAD = ("| From URL | To URL |", "|---|---|")
KINDS: tuple[ChangeKind, ...] = get_args(ChangeKind)
SIGNS: Mapping[ChangeKind, str] = {"added": "+", "removed": "-", "changed": "~"}
#: The number of changes of each kind that are shown by default.
SHOWN = 50
_COMMENT = 60_000  # bytes. A comment on GitHub has at most 65,536 characters.

#: The largest number of addresses in a list. Two such lists take 0.8 GB of memory.
MAX_ADDRESSES = 2_000_000

#: The marks around a text in Python and in YAML.
_PYTHON, _YAML = "\"'"
_COMMIT_DIGITS = 8  # of a commit, in texts
#: Characters that redirect files may contain as they are. ``*`` and ``:`` would be wildcards there.
_PLAIN = "%/@!$&'()+,;=~?"

#: The reasons for which the new addresses of many pages are unknown, each with its cause and an advice.
_NO_MOVES = {
    WhyUnmoved.NO_RECORD: "there is no record of the build of NEW. Pass a folder as NEW that was built on "
    "this machine, or set the option `record` in its configuration to the file of the record.",
    WhyUnmoved.NO_CLONE: "the sources of NEW are not in a git repository on this machine. Run the command in "
    "a clone of the repository.",
    WhyUnmoved.GIT_FAILED: "git has failed",
    WhyUnmoved.SHALLOW: "this clone is shallow. Fetch the whole history: git fetch --unshallow",
    WhyUnmoved.NOT_COMPARED: "this partial clone lacks the contents of old files, so git finds only files "
    "that were renamed without any other change. Run the command in a clone that was made without --filter.",
    WhyUnmoved.NO_SOURCE: "git shows no source file for such an address, as for generated pages. If you "
    "moved the page, write the redirect yourself.",
    WhyUnmoved.AMBIGUOUS: "git shows several files that could replace its source. Choose the new page, and "
    "write the redirect yourself.",
    WhyUnmoved.NOT_LISTED: "no listed page, or more than one, has the renamed source. Choose the new page, "
    "and write the redirect yourself.",
}

_LIMIT = re.compile(r"(\d{1,2}(?:\.\d+)?|100)\s*%|(\d{1,9})", re.ASCII)


class RedirectLines(NamedTuple):
    """Redirects as lines of text, such as ``/old/ /new/ 301`` for Netlify."""

    #: The lines to print. The format ``table`` begins with a header.
    lines: tuple[str, ...] = ()
    #: A message about pages that the format cannot redirect, or ``""``.
    problem: str = ""


class Change(NamedTuple):
    """A URL that was added or removed, or whose date changed, between two sitemaps."""

    #: ``added``, ``removed``, or ``changed`` if the URL has another date.
    kind: ChangeKind
    loc: str
    #: The old ``lastmod``, or ``""``.
    before: str = ""
    #: The new ``lastmod``, or ``""``.
    after: str = ""
    #: What visitors of a removed URL find now, such as a redirect.
    outcome: OutcomeKind = ""
    #: The target of the redirect.
    target: str = ""
    #: The new URL of a removed page.
    moved: str = ""
    #: The reason why the new URL is unknown.
    unmoved: UnmovedPage | None = None


#: A function that returns for each of some old URLs its new URL, or the reason why the new URL is unknown.
FindMoves = Callable[[list[str]], Mapping[str, MovedPage | UnmovedPage]]


class Difference:
    """The changes between two lists of URLs, sorted by URL.

    Args:
        old: The old URLs with their dates.
        new: The new URLs with their dates.
        find_outcome: Returns what visitors find at a removed URL, such as a redirect. Its arguments are the
            removed URL and all new URLs.
        find_moves: Returns the new URLs of removed pages.
        left_locs: The URLs of files from an earlier build that are still in the folder. Their pages may have
            moved.
        base_warning: A warning if the base URL has changed since the sitemap was built, or ``""``.

    Raises:
        SitemapError: A list contains more than :data:`MAX_ADDRESSES` URLs.
    """

    def __init__(
        self,
        old: Iterable[tuple[str, str]],
        new: Iterable[tuple[str, str]],
        find_outcome: Callable[[str, Container[str]], Outcome] | None = None,
        find_moves: FindMoves | None = None,
        left_locs: AbstractSet[str] = frozenset(),
        base_warning: str = "",
    ) -> None:
        self.base_warning = base_warning
        self._before, self._after = _newest_dates(old), _newest_dates(new)
        self.old, self.new = len(self._before), len(self._after)
        removed = sorted(self._before.keys() - self._after.keys())
        outcomes = {loc: find_outcome(loc, self._after) for loc in removed} if find_outcome else {}
        gone = []
        for loc in removed:
            kind = outcomes[loc].kind if loc in outcomes else ""
            if kind in ("", "lost") or (kind == "served" and loc in left_locs):
                gone.append(loc)
        moves = find_moves(gone) if find_moves else {}
        self._changes = []
        for loc in sorted(self.locs()):
            before, after = self._before.get(loc), self._after.get(loc)
            if before is None:
                self._changes.append(Change("added", loc, after=after or ""))
            elif after is None:
                self._changes.append(
                    _removed_change(loc, before, outcomes.get(loc, Outcome("")), moves.get(loc))
                )
            elif before != after:
                self._changes.append(Change("changed", loc, before, after))
        self.counts = Counter(change.kind for change in self._changes)
        self.outcomes = Counter(change.outcome for change in self._changes if change.kind == "removed")
        self.moved_pages = tuple(page for page in moves.values() if isinstance(page, MovedPage))
        self.unmoved_pages = tuple(page for page in moves.values() if isinstance(page, UnmovedPage))

    def changes(self, *kinds: ChangeKind) -> Iterator[Change]:
        """Return the URLs that were added, removed or changed. ``changes("added")`` returns only one kind."""
        selected = kinds or KINDS
        return (change for change in self._changes if change.kind in selected)

    def locs(self) -> AbstractSet[str]:
        """Return all URLs of the old and the new sitemap, without duplicates."""
        return self._before.keys() | self._after.keys()

    def new_locs(self) -> AbstractSet[str]:
        """Return all URLs of the new sitemap."""
        return self._after.keys()

    @property
    def lost(self) -> int:
        """The number of removed URLs at which visitors find neither a page nor a redirect."""
        return self.outcomes["lost"]


def _removed_change(loc: str, before: str, outcome: Outcome, move: MovedPage | UnmovedPage | None) -> Change:
    """Create the :class:`Change` for a URL that is missing in the new sitemap.

    Args:
        loc: The URL.
        before: The old ``lastmod``.
        outcome: What visitors find at the URL now.
        move: The new URL of the page, or the reason why it is unknown. None if no new URL was searched for.
    """
    # A page may have any text as the target of its redirect, also one that UTF-8 cannot encode.
    target = outcome.target.encode("utf-8", "backslashreplace").decode()
    moved = move.row.loc if isinstance(move, MovedPage) else ""
    unmoved = move if isinstance(move, UnmovedPage) else None
    return Change("removed", loc, before, "", outcome.kind, target, moved, unmoved)


def _newest_dates(urls: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Map each URL to its date, or to the newest date if the URL occurs several times."""
    dates: dict[str, str] = {}
    for loc, date in urls:
        dates[loc] = intern(max(date, dates.get(loc, "")))  # many pages have one date
        if len(dates) > MAX_ADDRESSES:
            raise SitemapError(
                f"OLD or NEW lists more than {MAX_ADDRESSES:,} addresses, too many to compare at once. "
                "Compare the sitemaps in the index one by one."
            )
    return dates


def compare_places(old: str, new: str, redirects: Iterable[Path] = ()) -> Difference:
    """Compare the URLs of two sitemaps. Each is given as a file, a built folder or a web address.

    Args:
        old: The old sitemap, folder or web address.
        new: The new sitemap, folder or web address.
        redirects: More files with redirects, or folders with such files.

    Raises:
        SitemapError: A sitemap, a folder or a file cannot be read.
    """
    surroundings = read_surroundings()
    folder = open_listed(new, surroundings)
    webroot = folder.webroot if folder else None
    visitor = open_visitor(webroot, redirects, address_finder(webroot, surroundings.platform))
    rows = [*folder.record.rows()] if folder and folder.record else None

    def find_moves(locs: list[str]) -> Mapping[str, MovedPage | UnmovedPage]:
        if not locs:
            return {}
        old_record = find_listed_record(Path(old), surroundings)
        old_rows = old_record.rows() if old_record else ()
        return find_moved_pages(locs, rows, surroundings.environ, old_rows)

    left_locs = {row.loc for row in rows or () if row.reason is Reason.LEFT}
    old_urls, new_urls = urllist.read_urls(old), urllist.read_urls(new)
    warning = folder.warning if folder else ""
    return Difference(old_urls, new_urls, visitor.find_outcome, find_moves, left_locs, warning)


def headline(difference: Difference) -> str:
    """Return a line such as ``1,000 URLs before, 1,003 now: 5 added, 2 removed, 10 changed``."""
    counts = ", ".join(f"{difference.counts[kind]:,} {kind}" for kind in KINDS)
    return f"{many(difference.old, 'URL')} before, {difference.new:,} now: {counts}"


def violations(
    difference: Difference, limits: Iterable[str], *, require_redirects: bool = False
) -> Iterator[str]:
    """Yield an error message for too many removed URLs, and for removed URLs without a redirect.

    Args:
        difference: The changes between two sitemaps.
        limits: Limits for the number of removed URLs, such as ``100`` or ``5%``. All limits apply.
        require_redirects: Whether each removed URL must still have a page, or redirect to a page.

    Raises:
        SitemapError: A limit is neither a number nor a percentage.
    """
    for limit in limits:
        match = _LIMIT.fullmatch(limit.strip())
        if match is None:
            raise SitemapError(
                f"The limit {limit!r} is not valid. Write a percentage such as 5%, or a number such as 20."
            )
        share, number = match.groups()
        most = difference.old * float(share) / 100 if share else int(number)
        if difference.counts["removed"] > most:
            yield (
                f"{difference.counts['removed']:,} of {difference.old:,} URLs were removed, more than "
                f"the limit of {limit.strip()}. Check that the build is complete, or raise --max-removed."
            )
    if require_redirects and difference.lost:
        yield _lost_message(difference)


def warnings(difference: Difference) -> Iterator[str]:
    """Yield warnings about changes between two sitemaps that may be mistakes, such as lost dates."""
    if difference.base_warning:
        yield difference.base_warning
    if difference.new and 0 < difference.old == difference.counts["removed"]:
        yield _no_common_address(difference)
    if difference.lost:
        yield _lost_message(difference)
    undated = sum(1 for change in difference.changes("changed") if not change.after)
    if undated:
        yield (
            f"{many(undated, 'page')} had a date in OLD, but not in NEW. If NEW was built in a shallow "
            "clone, fetch the whole history before the build."
        )


def _no_common_address(difference: Difference) -> str:
    """Return a warning that the old and the new sitemap have no URL in common, with the probable cause.

    ``difference`` contains the removed and the added URLs.
    """
    removed = [change.loc for change in difference.changes("removed")]
    added = [change.loc for change in difference.changes("added")]
    old_locs = {drop_style(loc): loc for loc in removed}
    pairs = [(old_locs[drop_style(loc)], loc) for loc in added if drop_style(loc) in old_locs]
    if pairs:
        # A page such as a.html is a clearer example than index.html.
        old_loc, new_loc = min(pairs, key=lambda pair: pair[0].endswith("/index.html"))
        return (
            "OLD and NEW have no address in common, because the style of the addresses has changed: "
            f"OLD lists {old_loc}, NEW lists {new_loc}. To keep the old addresses, build NEW in the old "
            "style. Otherwise, redirect them."
        )
    old, new = urllist.common_folder(removed), urllist.common_folder(added)
    if old and old == new:
        return (
            f"OLD and NEW have no address in common, although both list pages below {old}. Check that both "
            "are builds of the same site."
        )
    return (
        f"OLD and NEW have no address in common: OLD lists {old or 'several hosts'}, NEW lists "
        f"{new or 'several hosts'}. If one of them has a wrong base URL, build it again."
    )


def _lost_message(difference: Difference) -> str:
    """Return an error message about removed URLs that have neither a page nor a redirect."""
    has = "has" if difference.lost == 1 else "have"
    message = (
        f"{many(difference.lost, 'removed address')} {has} neither a page nor a redirect. "
        "Redirect each removed address to the page that replaces it."
    )
    if difference.moved_pages:
        message += (
            f" Git shows that {many(len(difference.moved_pages), 'page')} moved. To print redirects, pass "
            f"--redirects {'|'.join(FORMS)}."
        )
    return message


def unknown_moves(difference: Difference) -> Iterator[str]:
    """Yield the reasons, such as a shallow clone, why it is unknown whether removed pages have moved.

    ``difference`` contains the changes between the old and the new URLs of a site.
    """
    for why, cause in _NO_MOVES.items():
        pages = [page for page in difference.unmoved_pages if page.why is why]
        if not pages:
            continue
        words = f": {pages[0].words}" if pages[0].words else ""
        yield f"It is unknown whether {many(len(pages), 'removed page')} moved, because {cause}{words}"


def difference_text(difference: Difference, most: int | None = None) -> Iterator[str]:
    """Yield the changes between two sitemaps as lines for a terminal, at most ``most`` of each kind."""
    yield headline(difference)
    for kind in KINDS:
        sign = SIGNS[kind]
        for change in islice(difference.changes(kind), most):
            yield f"{sign} {change.loc}  {_change_text(change)}".rstrip()
        if most is not None and difference.counts[kind] > most:
            yield f"{sign} … and {difference.counts[kind] - most:,} more (-v shows them)"


def difference_data(difference: Difference) -> Mapping[str, object]:
    """Return the changes for JSON."""
    return {
        "old": difference.old,
        "new": difference.new,
        "counts": {kind: difference.counts[kind] for kind in KINDS},
        "lost": difference.lost,
        **{kind: [_fields(change) for change in difference.changes(kind)] for kind in KINDS},
    }


def difference_markdown(difference: Difference, violations: Iterable[str] = ()) -> str:
    """Return the changes between two sitemaps as Markdown, for a comment on GitHub or GitLab.

    ``violations`` are messages about exceeded limits or missing redirects.
    """
    lines = [f"**Sitemap:** {headline(difference)}", ""]
    for sentence in dict.fromkeys((*violations, *warnings(difference))):
        lines += [f"> {sentence}", ""]
    rows = []
    for kind in KINDS:
        for change in islice(difference.changes(kind), SHOWN):
            happened = _change_text(change, markdown_code)
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


def _change_text(change: Change, escape: Callable[[str], str] = str) -> str:
    """Describe a change of a URL, such as ``2026-01-01 → 2026-02-01`` for a new date.

    ``escape`` escapes special characters, for example in Markdown.
    """
    if change.kind == "changed":
        before = escape(change.before) if change.before else "no date"
        after = escape(change.after) if change.after else "no date"
        return f"{before} → {after}"
    if change.kind == "added":
        return escape(change.after) if change.after else ""
    if change.outcome == "redirected":
        return f"redirects to {escape(change.target)}" if change.target else "redirects"
    found = {"": "", "served": "still served, but not listed", "lost": "no redirect"}[change.outcome]
    if change.moved:
        return ", ".join(filter(None, [f"→ {escape(change.moved)}", found]))
    why = _why_unmoved(change.unmoved, escape) if change.unmoved else ""
    return ", ".join(filter(None, [found, why]))


def _why_unmoved(page: UnmovedPage, escape: Callable[[str], str]) -> str:
    """Return why the new URL of a removed page is unknown, such as ``docs/a.md was deleted in …``.

    ``escape`` escapes special characters, for example in Markdown.
    """
    source = escape(page.source)
    removed = "not committed yet"
    if page.commit:
        removed = f"in {page.commit[:_COMMIT_DIGITS]}"
    return {
        WhyUnmoved.NO_RECORD: "source unknown (there is no record of the build)",
        WhyUnmoved.NO_CLONE: "unknown whether it moved: no git repository",
        WhyUnmoved.GIT_FAILED: "unknown whether it moved: git failed",
        WhyUnmoved.SHALLOW: "unknown whether it moved: the clone is shallow",
        WhyUnmoved.NO_SOURCE: "source unknown (git shows no file for this address)",
        WhyUnmoved.SOURCE_EXISTS: f"its source {source} still exists",
        WhyUnmoved.NOT_RENAMED: f"{source} was deleted ({removed}), not renamed",
        WhyUnmoved.NOT_COMPARED: f"{source} was deleted ({removed}), and its contents are not in this clone",
        WhyUnmoved.AMBIGUOUS: f"several files could replace {source}",
        WhyUnmoved.NOT_LISTED: f"{source} was renamed, and the new page is not listed",
    }[page.why]


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
        "unmoved": change.unmoved.why.value if change.unmoved else None,
    }


def redirect_lines(moved_pages: Iterable[MovedPage], form: str) -> RedirectLines:
    """Return lines that redirect moved pages to their new URLs, in a format such as ``netlify``."""
    lines = []
    pages_without_line = []
    for page in moved_pages:
        line = redirect_line(page, form)
        if line is None:
            pages_without_line.append(page)
        else:
            lines.append(line)
    if lines and form == "table":
        lines = [*TABLE_HEAD, *lines]
    problem = ""
    if pages_without_line:
        first = pages_without_line[0]
        example = f"{first.loc} to {first.row.loc}"
        advice = f"Redirect this page yourself: {example}."
        if len(pages_without_line) > 1:
            advice = f"Redirect these pages yourself, for example {example}."
        problem = (
            f"The format {form} cannot redirect {many(len(pages_without_line), 'moved page')}, because the "
            "name of a page differs from the name of its source, because the source was outside the folder "
            f"of the sources, or because the style of the addresses has changed. {advice}"
        )
    return RedirectLines(tuple(lines), problem)


def redirect_line(page: MovedPage, form: str) -> str | None:
    """Return the line that redirects a moved page, such as ``/old/ /new/ 301`` for Netlify.

    Return None if the format cannot express the redirect.
    """
    old, new = split_url(page.loc), split_url(page.row.loc)
    old_path, new_path = quote(old.path, _PLAIN), quote(new.path, _PLAIN)
    if form == "netlify":
        target = new_path
        if old.netloc != new.netloc:
            target = f"{new.scheme}://{new.netloc}{new_path}"
        return f"{old_path} {target} 301"
    if form == "table":
        return f"| {old_path} | {new_path} |"
    folder, new_document, new_ending = _document_of(page)
    if not new_document or not page.old_source.startswith(folder):
        return None
    old_document, old_ending = posixpath.splitext(page.old_source.removeprefix(folder))
    if not _is_written_at(old_path, old_document, page.row.file, new_document):
        return None
    if form == "sphinx-reredirects":
        target = posixpath.relpath(new_path, posixpath.dirname(old_path))
        if new_path.endswith("/"):
            target += "/"
        if old_path.endswith(".html") and quote(old_document) != old_document:
            # sphinx-reredirects would write the file of the redirect with a percent-encoded name.
            old_document += ".html"
        return f"{_quoted(old_document)}: {_quoted(target)},"
    old_name, new_name = old_document + old_ending, new_document + new_ending
    return f"{_quoted(old_name, _YAML)}: {_quoted(new_name, _YAML)}"


def _is_written_at(old_path: str, old_document: str, new_file: str, new_document: str) -> bool:
    """Check whether the redirect page of a moved page would have the page's old URL.

    If ``a.md`` has become ``b.md``, Sphinx or MkDocs writes the redirect page ``a/index.html``, with the URL
    ``/a/``. Then the old URL ``/a.html`` has no redirect.
    """
    if old_document == new_document:  # The redirect would replace the page.
        return False
    if new_file == f"{new_document}/index.html":
        return not old_path.endswith(".html") or old_path.endswith("/index.html")
    # The page of a folder has a slash at the end in each style.
    names = {posixpath.basename(document).lower() for document in (old_document, new_document)}
    return not old_path.endswith("/") or not names.isdisjoint(("index", "readme"))


def _quoted(text: str, mark: str = _PYTHON) -> str:
    """Return a text as a string literal. ``mark`` is the quotation mark, such as ``'`` for YAML."""
    # A file in a pull request may have any name.
    if mark in text or "\\" in text or not text.isprintable():
        return json.dumps(text)
    return f"{mark}{text}{mark}"


def _document_of(page: MovedPage) -> tuple[str, str, str]:
    """Split the path of a page's source file: ``docs/guide/a.md`` becomes ``("docs/", "guide/a", ".md")``.

    The second part, ``guide/a``, is also in the path of the page's HTML file, such as ``guide/a/index.html``.
    If both paths have no such part, return three empty strings.
    """
    source, ending = posixpath.splitext(page.new_source)
    name = posixpath.splitext(page.row.file)[0]
    folder = posixpath.dirname(name)
    for document in (name, folder, posixpath.join(folder, "README")):
        if document and f"/{source}".endswith(f"/{document}"):
            return source.removesuffix(document), document, ending
    return "", "", ""
