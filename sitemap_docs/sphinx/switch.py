"""What the first sitemap in place of sphinx-sitemap's changes."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from sitemap_docs.model import Reason, SitemapError
from sitemap_docs.output.ownership import is_ours
from sitemap_docs.sitemap.reader import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from sitemap_docs.listing.selection import Decision
    from sitemap_docs.model import Page
    from sitemap_docs.urls.base import Base

LINK = 1  # of a page's names


class Before(NamedTuple):
    """What sphinx-sitemap listed, or would list: the addresses, and that of a page by its link."""

    locs: frozenset[str]
    of: Callable[[str], str]


def replaced_locs(file: Path) -> tuple[str, ...] | None:
    """The addresses in a sitemap of sphinx-sitemap's; none where no file is, None for any other sitemap."""
    if not file.is_file():
        return ()
    if not file.is_file() or is_ours(file):
        return None
    try:
        return tuple(entry.loc for entry in parse(file).entries())
    except SitemapError:  # it is replaced, whatever is wrong with it
        return None


def before_file(locs: Sequence[str], pages: Iterable[Page]) -> Before | None:
    """What a file listed; None where none of the pages can be found in it."""
    for page in sorted(pages, key=lambda page: -len(page.path)):
        link = page.names[LINK]
        for loc in locs:
            if link and loc.endswith((link, quote(link))):
                start = loc.removesuffix(link).removesuffix(quote(link))
                return Before(frozenset(locs), partial(_in_file, frozenset(locs), start))
    return None


def _in_file(locs: frozenset[str], start: str, link: str) -> str:
    return start + link if start + link in locs else start + quote(link)


def before_settings(listed: Callable[[str], str], pages: Iterable[Page], out: Iterable[Decision]) -> Before:
    """What sphinx-sitemap would list: each page that its own patterns do not take out."""
    excluded = {decision.page.names[LINK] for decision in out if decision.reason is Reason.EXCLUDED}
    links = (page.names[LINK] for page in pages)
    return Before(frozenset(listed(link) for link in links if link not in excluded), listed)


def changes(before: Before, pages: Sequence[Page], out: Iterable[Decision], base: Base) -> Iterator[str]:
    """A line for each kind of change; none where nothing changes."""
    gone = {decision.page.names[LINK]: decision for decision in out}
    listed = [page.names[LINK] for page in pages if page.names[LINK] not in gone]
    moved = [link for link in listed if before.of(link) in before.locs and before.of(link) != base.loc(link)]
    if moved:
        link = max(moved, key=len)
        yield f"{_counted(len(moved), 'address')}: {before.of(link)} is now {base.loc(link)}"
    if added := [base.loc(link) for link in listed if before.of(link) not in before.locs]:
        yield f"{_counted(len(added), 'page')} added, such as {added[0]}"
    lost = [each for link, each in gone.items() if before.of(link) in before.locs]
    if lost:
        reasons = Counter(each.reason for each in lost if each.reason)
        shown = ", ".join(reason.counted(number) for reason, number in reasons.most_common())
        yield f"{_counted(len(lost), 'page')} left out: {shown}"


def _counted(number: int, noun: str) -> str:
    plural = {"page": "pages", "address": "addresses change"}
    singular = {"page": "page", "address": "address changes"}
    return f"{number} {(singular if number == 1 else plural)[noun]}"
