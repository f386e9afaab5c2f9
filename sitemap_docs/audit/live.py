"""A deployed site as crawlers get it: the responses of its server."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from io import BytesIO
from typing import TYPE_CHECKING

from sitemap_docs import web
from sitemap_docs.audit.site import RobotsFile
from sitemap_docs.audit.sitemaps import MAX_UNPACKED, Sitemap, sitemap_facts
from sitemap_docs.audit.visitor import (
    Answer,
    Limits,
    Staging,
    Visitor,
)
from sitemap_docs.model import SitemapError
from sitemap_docs.progress import unwatched
from sitemap_docs.robots.document import MAX_BYTES, parse_robots
from sitemap_docs.sitemap.walk import Walk
from sitemap_docs.urls.base import resolve
from sitemap_docs.web import OK

if TYPE_CHECKING:
    from httpx import AsyncClient

    from sitemap_docs.audit.sitemaps import Url
    from sitemap_docs.progress import Watch
    from sitemap_docs.urls.base import Base

MAX_SITEMAPS = 10_000
"""Sitemaps of a site that are fetched at most."""
MAX_LISTED = 500_000
"""Entries of all sitemaps of a site, after which no more of them are read: each takes half a kilobyte."""
_DEEPEST = 2  # an index of indexes; engines read one level


@dataclass(frozen=True, kw_only=True)
class LiveSite:
    """The responses for robots.txt, each sitemap, each listed address, and an address that does not exist.

    ``unread`` are sitemaps beyond the limits; ``not_reached`` counts the listed addresses that were not
    asked for, or not answered, before the budget was over.
    """

    base: Base
    robots_response: Answer
    sitemap_responses: tuple[tuple[Answer, Sitemap], ...]
    pages: tuple[Answer, ...]
    nowhere: Answer
    unread: tuple[str, ...] = ()
    not_reached: int = 0

    @property
    def robots(self) -> RobotsFile | None:
        """The robots.txt that was served; None when the site is not its whole host."""
        served = self.robots_response.status == OK and self.base.is_root
        return RobotsFile(self.robots_response.url, self.robots_response.body) if served else None

    @property
    def sitemaps(self) -> tuple[Sitemap, ...]:
        """Those that were served; their names are their addresses."""
        return tuple(sitemap for answer, sitemap in self.sitemap_responses if answer.status == OK)

    @property
    def entries(self) -> tuple[Url, ...]:
        """The entries of all sitemaps, those of indexes included."""
        return tuple(url for each in self.sitemaps for url in each.urls)

    @property
    def urls(self) -> tuple[Url, ...]:
        """The entries of all urlsets."""
        return tuple(url for each in self.sitemaps if not each.is_index for url in each.urls)

    def source_of(self, url: str) -> str:  # noqa: ARG002
        """``""``: the source of a deployed page is not known."""
        return ""


def visit_site(base: Base, limits: Limits, *, watch: Watch = unwatched, at: Base | None = None) -> LiveSite:
    """Fetches robots.txt, the sitemaps of ``base`` and every address that they list, within the budget.

    ``watch`` counts the responses. ``at`` is where the site is served now, such as a staging host: requests
    go there, addresses stay those below ``base``. robots.txt is obeyed. Raises SitemapError without httpx,
    or when no server answers.
    """

    async def visit(client: AsyncClient) -> LiveSite:
        visitor = Visitor(client, limits, Staging(base, at or base))
        robots = await visitor.fetch(f"{base.origin}/robots.txt", most=MAX_BYTES)
        if robots.error:
            origin = visitor.staging.at.origin
            raise SitemapError(f"{origin} could not be reached: {robots.error}. Check the address.")
        visitor.obey(robots)
        sitemaps: list[tuple[Answer, Sitemap]] = []
        unread: list[str] = []
        if not robots.is_broken:
            sitemaps, unread = await _sitemaps(visitor, base, robots)
        nowhere = await visitor.fetch(base.loc(f"no-such-page-{secrets.token_hex(8)}"))
        locs = (url.loc for _, each in sitemaps if not each.is_index for url in each.urls)
        listed = list(dict.fromkeys(loc for loc in locs if is_in_scope(base, loc)))
        if limits.pages:
            del listed[limits.pages :]
        # More cannot be asked for in time, and each answer takes memory.
        possible = listed[: int(limits.rate * web.remaining()) + 1]
        pages = [page for page in await visitor.fetch_all(possible, watch) if page.reached]
        return LiveSite(
            base=base,
            robots_response=robots,
            sitemap_responses=tuple(sitemaps),
            pages=tuple(pages),
            nowhere=nowhere,
            unread=tuple(unread),
            not_reached=len(listed) - len(pages),
        )

    return web.run(visit)


def is_in_scope(base: Base, url: str) -> bool:
    """Whether an address is one of the site's: nothing is fetched from other servers."""
    return base.path_of(url.partition("#")[0].partition("?")[0]) is not None


async def _sitemaps(
    visitor: Visitor, base: Base, robots: Answer
) -> tuple[list[tuple[Answer, Sitemap]], list[str]]:
    """The sitemaps that are found, and the addresses of those that were too many.

    They are those that robots.txt names for the site, else the one at the usual place, and what their
    indexes name. The robots.txt of a host covers all sites on it: one below a path has a sitemap next to
    its home page.
    """
    lines = parse_robots(robots.body).sitemaps if robots.status == OK else ()
    named = [line.value for line in lines if line.value and not web.why_not_asked(line.value, base.url)]
    usual = base.loc("sitemap.xml")
    if base.is_root:
        walk = Walk(named or [usual])
    else:
        walk = Walk([usual, *(url for url in named if is_in_scope(base, url))])
    depths: dict[str, int] = {}
    found: list[tuple[Answer, Sitemap]] = []
    unread: list[str] = []
    listed = 0
    for url in walk:
        if len(found) == MAX_SITEMAPS or listed > MAX_LISTED:
            unread.append(url)
            continue
        answer = await visitor.fetch(url, most=MAX_UNPACKED)
        sitemap = sitemap_facts(BytesIO(answer.body if answer.status == OK else b""), url)
        found.append((replace(answer, body=b""), sitemap))
        listed += len(sitemap.urls)
        depth = depths.get(url, 0)
        if sitemap.is_index and depth < _DEEPEST:
            children = [resolve(url, child.loc) for child in sitemap.urls]
            own = [child for child in children if not web.why_not_asked(child, base.url)]
            depths.update(dict.fromkeys(own, depth + 1))
            walk.add(own)
    return found, unread
