"""Two places compared: what each can tell beside its URLs is asked, too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitemap_docs.changes import stock
from sitemap_docs.changes.diff import diff
from sitemap_docs.changes.moves import by_content, by_renames, git_renames, moves
from sitemap_docs.changes.redirects import finder, read_redirects, sum_up
from sitemap_docs.urls import Base

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sitemap_docs.changes.diff import Difference
    from sitemap_docs.changes.moves import Keys


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """What is known beside two places.

    ``redirects`` are files that tell of redirects, or folders of them. ``repository`` is where git knows what
    was renamed, ever or ``since`` a commit. ``base_url`` is where the new place is deployed.
    """

    redirects: tuple[Path, ...] = ()
    repository: Path | None = None
    since: str = ""
    base_url: str = ""


def compare(old: str, new: str, hints: Hints, environ: Mapping[str, str]) -> Difference:
    """The difference of two places: sitemaps, built folders or web addresses (``stock.lines``).

    Pages that moved are known by git's renames, and by their content where both places are folders. A new
    folder tells of redirects, too. Raises SitemapError.
    """
    before, now = stock.built_at(old), stock.built_at(new)
    rules = sum_up(map(read_redirects, (*([now.folder] if now else []), *hints.redirects)))
    ways: list[Keys] = []
    if hints.repository:
        ways.append(by_renames(git_renames(hints.repository, hints.since, environ)))
    if before and now:
        ways.append(by_content(before, now))
    base = Base.of(hints.base_url) if hints.base_url else now.base if now else None
    if base is None and rules.stems and (folder := stock.common_folder(stock.lines(new))):
        base = Base.of(folder)
    return diff(
        stock.lines(old),
        stock.lines(new),
        find=finder(rules, now, base),
        find_moves=lambda changes: moves(changes, *ways) if ways else {},
    )
