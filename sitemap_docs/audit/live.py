"""A deployed site as crawlers meet it: what its server really answers."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass, field, replace
from io import BytesIO
from time import monotonic
from typing import TYPE_CHECKING

from protego import Protego

from sitemap_docs import __version__, web
from sitemap_docs.audit.site import RobotsFile
from sitemap_docs.audit.sitemaps import MAX_UNPACKED, Sitemap, sitemap_facts
from sitemap_docs.html.page import Facts, head_facts
from sitemap_docs.model import SitemapError
from sitemap_docs.urls import resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import httpx

    from sitemap_docs.audit.sitemaps import Url
    from sitemap_docs.urls import Base

AGENT = f"sitemap-docs/{__version__}"
OK = 200
HOPS = 10
_DEEPEST = 2  # an index of indexes; engines read one level
TRIES = 3
_AGAIN = {429, 502, 503, 504}
_MOVED = {301, 302, 303, 307, 308}
_HEAD = 262_144  # bytes of a page that are read at most
_WAIT = 30.0  # seconds that a server may ask us to wait


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What a server says to one address.

    ``hops`` are the redirects on the way, status and target; ``status`` is the last one, 0 where there was
    none and ``error`` says why. Names of headers are in lower case. ``canonical`` is that of the ``Link``
    header, absolute. ``seconds`` went by until the headers of the last answer came. ``allowed`` is false for
    what robots.txt keeps us from asking.
    """

    url: str
    status: int = 0
    hops: tuple[tuple[int, str], ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    canonical: str = ""
    body: bytes = b""
    facts: Facts | None = None
    seconds: float = 0.0
    version: str = ""
    error: str = ""
    allowed: bool = True

    @property
    def type(self) -> str:
        """The media type, without parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def is_html(self) -> bool:
        return self.type in ("text/html", "application/xhtml+xml")

    @property
    def final(self) -> str:
        """The address that answered in the end."""
        return self.hops[-1][1] if self.hops else self.url


@dataclass(frozen=True, kw_only=True)
class LiveSite:
    """The answers for robots.txt, each sitemap, each listed address, and an address that cannot be there."""

    base: Base
    asked_robots: Response
    asked_sitemaps: tuple[tuple[Response, Sitemap], ...]
    pages: tuple[Response, ...]
    nowhere: Response

    @property
    def robots(self) -> RobotsFile | None:
        """The robots.txt that was served; None when the site is not its whole host."""
        served = self.asked_robots.status == OK and self.base.is_root
        return RobotsFile(self.asked_robots.url, self.asked_robots.body) if served else None

    @property
    def sitemaps(self) -> tuple[Sitemap, ...]:
        """Those that were served; their names are their addresses."""
        return tuple(sitemap for answer, sitemap in self.asked_sitemaps if answer.status == OK)

    @property
    def entries(self) -> tuple[Url, ...]:
        """The entries of all sitemaps, those of indexes included."""
        return tuple(url for each in self.sitemaps for url in each.urls)

    @property
    def urls(self) -> tuple[Url, ...]:
        """The entries of all urlsets."""
        return tuple(url for each in self.sitemaps if not each.is_index for url in each.urls)

    def source_of(self, url: str) -> str:  # noqa: ARG002
        """Nobody tells it."""
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How politely we ask: requests at once and a second, seconds of patience, pages at most (0: all)."""

    at_once: int = 8
    rate: float = 20.0
    patience: float = 20.0
    pages: int = 0


def visit_site(base: Base, limits: Limits, *, watch: Callable[[Response, int], None]) -> LiveSite:
    """Asks the server of ``base`` for robots.txt, the sitemaps and every address that they list.

    ``watch`` hears each page's answer, and how many there will be. robots.txt is obeyed. Raises SitemapError
    without httpx, or when no server answers.
    """
    try:
        import httpx  # noqa: F401, PLC0415
    except ImportError:
        raise SitemapError(
            "The live check needs httpx: install sitemap-docs with its extra `live`."
        ) from None
    return asyncio.run(_look(base, limits, watch))


async def _look(base: Base, limits: Limits, watch: Callable[[Response, int], None]) -> LiveSite:
    import httpx  # noqa: PLC0415

    async with httpx.AsyncClient(
        http2=_has_h2(),
        timeout=limits.patience,
        headers={"User-Agent": AGENT, "Accept-Encoding": "gzip"},
        limits=httpx.Limits(max_connections=limits.at_once),
    ) as client:
        visitor = _Visitor(client, limits)
        robots = await visitor.ask(f"{base.origin}/robots.txt", whole=True)
        if robots.error:
            raise SitemapError(f"{base.origin} does not answer: {robots.error}. Is the address right?")
        visitor.obey(robots)
        sitemaps = [] if is_broken(robots) else await _sitemaps(visitor, base, robots)
        locs = (url.loc for _, each in sitemaps if not each.is_index for url in each.urls)
        listed = list(dict.fromkeys(loc for loc in locs if is_in_scope(base, loc)))[: limits.pages or None]
        pages = await visitor.ask_all(listed, watch)
        nowhere = await visitor.ask(base.loc(f"no-such-page-{secrets.token_hex(8)}"))
    return LiveSite(
        base=base, asked_robots=robots, asked_sitemaps=tuple(sitemaps), pages=pages, nowhere=nowhere
    )


def _has_h2() -> bool:
    try:
        import h2  # noqa: F401, PLC0415
    except ImportError:
        return False
    return True


def is_in_scope(base: Base, url: str) -> bool:
    """Whether an address is one of the site's: others' servers are not asked."""
    return base.path_of(url.partition("#")[0].partition("?")[0]) is not None


async def _sitemaps(visitor: _Visitor, base: Base, robots: Response) -> list[tuple[Response, Sitemap]]:
    """Those that robots.txt names for the site, else the one at the usual place, and what their indexes name.

    The robots.txt of the host speaks for all sites on it: one below a path has a sitemap beside its home.
    Other hosts are not asked.
    """
    said = Protego.parse(_text(robots)).sitemaps if robots.status == OK else ()
    named = [url for url in said if web.same_site(url, base.url)]
    usual = base.loc("sitemap.xml")
    own = [url for url in named if is_in_scope(base, url) and url != usual]
    waiting = [(url, _DEEPEST) for url in ((named or [usual]) if base.is_root else [usual, *own])]
    found: dict[str, tuple[Response, Sitemap]] = {}
    while waiting:
        url, depth = waiting.pop(0)
        if url in found:
            continue
        answer = await visitor.ask(url, whole=True)
        sitemap = sitemap_facts(BytesIO(answer.body if answer.status == OK else b""), url)
        found[url] = (answer, sitemap)
        if sitemap.is_index and depth:
            children = (resolve(url, child.loc) for child in sitemap.urls)
            waiting += [(child, depth - 1) for child in children if web.same_site(child, base.url)]
    return list(found.values())


def is_broken(answer: Response) -> bool:
    """Whether the server itself failed."""
    return answer.status >= 500  # noqa: PLR2004


def _text(answer: Response) -> str:
    return answer.body.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")


class _Visitor:
    """A polite client: few requests at once, a pause between them, patience when the server asks for it."""

    def __init__(self, client: httpx.AsyncClient, limits: Limits) -> None:
        self._client = client
        self._gate = asyncio.Semaphore(limits.at_once)
        self._pause = 1 / limits.rate if limits.rate else 0.0
        self._next = 0.0
        self._rules: Protego | None = None

    def obey(self, robots: Response) -> None:
        # RFC 9309, 2.3.1: an error of the server forbids all, any other answer nothing
        said = _text(robots) if robots.status == OK else "User-agent: *\nDisallow: /" * is_broken(robots)
        self._rules = Protego.parse(said)
        self._pause = max(self._pause, self._rules.crawl_delay(AGENT) or 0.0)

    async def ask_all(
        self, urls: Iterable[str], watch: Callable[[Response, int], None]
    ) -> tuple[Response, ...]:
        waiting = list(urls)

        async def one(url: str) -> Response:
            answer = await self.ask(url)
            watch(answer, len(waiting))
            return answer

        return tuple(await asyncio.gather(*(one(url) for url in waiting)))

    async def ask(self, url: str, *, whole: bool = False) -> Response:
        """The answer in the end, over redirects and after new tries."""
        if self._rules is not None and not self._rules.can_fetch(url, AGENT):
            return Response(url=url, allowed=False)
        hops: list[tuple[int, str]] = []
        async with self._gate:
            while True:
                answer = await self._patiently(hops[-1][1] if hops else url, whole=whole)
                target = answer.headers.get("location", "")
                if answer.status not in _MOVED or not target:
                    break
                hops.append((answer.status, resolve(answer.url, target)))
                if not web.same_site(hops[-1][1], url):
                    answer = Response(url=url, error=f"it leads to {hops[-1][1]}, a host that is not asked")
                    break
                if len(hops) > HOPS or hops[-1][1] in (url, *(hop for _, hop in hops[:-1])):
                    answer = Response(url=url, error="it redirects in a circle")
                    break
        return replace(answer, url=url, hops=tuple(hops))

    async def _patiently(self, url: str, *, whole: bool) -> Response:
        for number in range(TRIES):
            await self._turn()
            answer = await self._once(url, whole=whole)
            if not answer.error and answer.status not in _AGAIN:
                break
            if number < TRIES - 1:
                await asyncio.sleep(_delay(answer, number))
        return answer

    async def _turn(self) -> None:
        now = monotonic()
        self._next = max(self._next, now) + self._pause
        await asyncio.sleep(self._next - self._pause - now)

    async def _once(self, url: str, *, whole: bool) -> Response:
        import httpx  # noqa: PLC0415

        start = monotonic()
        try:
            async with self._client.stream("GET", url) as response:
                seconds = monotonic() - start
                body = await _read(response, MAX_UNPACKED if whole else _HEAD)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return Response(url=url, error=str(error) or type(error).__name__)
        headers = {name.lower(): value for name, value in response.headers.items()}
        answer = Response(
            url=url,
            status=response.status_code,
            headers=headers,
            canonical=resolve(url, response.links.get("canonical", {}).get("url", ""))
            if "link" in headers
            else "",
            body=body,
            seconds=seconds,
            version=response.http_version,
        )
        return replace(answer, facts=head_facts(body), body=b"") if answer.is_html and not whole else answer


async def _read(response: httpx.Response, most: int) -> bytes:
    """The body, unpacked, until it is large enough or the head of a page is over."""
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) >= most or (most == _HEAD and b"</head>" in body):
            break
    return bytes(body)


def _delay(answer: Response, number: int) -> float:
    asked = answer.headers.get("retry-after", "")
    return min(float(asked), _WAIT) if asked.isdigit() else 0.5 * 2**number
