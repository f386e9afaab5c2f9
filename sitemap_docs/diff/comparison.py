"""Two places compared, with the redirects and renames that are known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitemap_docs.diff.difference import compute_difference
from sitemap_docs.diff.moves import by_content, by_renames, git_renames, moves
from sitemap_docs.sitemap import urllist
from sitemap_docs.webroot.redirects import finder, read_redirects, sum_up

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sitemap_docs.diff.difference import Difference
    from sitemap_docs.diff.moves import Keys


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """What is known besides the URLs of two places.

    ``redirects`` are files of redirects, or folders of them. ``repository`` is the git repository in which
    files were renamed, ever or ``since`` a commit. ``base_url`` is where the new place is deployed.
    """

    redirects: tuple[Path, ...] = ()
    repository: Path | None = None
    since: str = ""
    base_url: str = ""


def compare_places(old: str, new: str, hints: Hints, environ: Mapping[str, str]) -> Difference:
    """The difference of two places: sitemaps, built folders or web addresses (``urllist.lines``).

    Pages that moved are known by git's renames, and by their content where both places are folders. A new
    folder may hold redirects, too. Raises SitemapError.
    """
    before, now = urllist.built_at(old), urllist.built_at(new)
    rules = sum_up(map(read_redirects, (*([now.folder] if now else []), *hints.redirects)))
    ways: list[Keys] = []
    if hints.repository:
        ways.append(by_renames(git_renames(hints.repository, hints.since, environ)))
    if before and now:
        ways.append(by_content(before, now))
    return compute_difference(
        urllist.lines(old),
        urllist.lines(new),
        find=finder(rules, now),
        find_moves=lambda changes: moves(changes, *ways) if ways else {},
    )
