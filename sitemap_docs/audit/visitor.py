"""The client of the live check: polite, and bounded in time and bytes, whatever a server answers."""

from __future__ import annotations

import asyncio
import re
import zlib
from dataclasses import dataclass, field, replace
from http.cookiejar import CookieJar, DefaultCookiePolicy
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from protego import Protego

from sitemap_docs import web
from sitemap_docs.html.head import Head, parse_head
from sitemap_docs.html.reader import BODY
from sitemap_docs.urls.base import resolve
from sitemap_docs.web import AGENT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import httpx

    from sitemap_docs.progress import Watch
    from sitemap_docs.urls.base import Base

OK = 200
HOPS = 10
TRIES = 3
MAX_HEAD = 262_144
"""Bytes of a page that are read at most."""
MAX_ROBOTS = 512_000
"""Bytes of robots.txt that are read, as crawlers do (RFC 9309, 2.5)."""
MAX_PAUSE = 10.0
"""Seconds between two requests at most, even with a longer Crawl-delay."""
_AGAIN = {429, 502, 503, 504}
_MOVED = {301, 302, 303, 307, 308}
_WAIT = 30.0  # seconds, the longest Retry-After that is obeyed
_SECONDS = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """A server's response for one address.

    ``hops`` are the redirects on the way, status and target; ``status`` is the last one, 0 where there was
    none and ``error`` is the reason. Names of headers are in lower case. ``canonical`` is that of the
    ``Link`` header, absolute. ``seconds`` is the time to the headers of the last answer. ``allowed`` is
    false for what robots.txt forbids to fetch.
    """

    url: str
    status: int = 0
    hops: tuple[tuple[int, str], ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    canonical: str = ""
    body: bytes = b""
    head: Head | None = None
    seconds: float = 0.0
    version: str = ""
    error: str = ""
    allowed: bool = True

    @property
    def type(self) -> str:
        """The media type, without parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def text(self) -> str:
        """The body as UTF-8, without a byte order mark."""
        return self.body.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")

    @property
    def is_html(self) -> bool:
        return self.type in ("text/html", "application/xhtml+xml")

    @property
    def final(self) -> str:
        """The address that answered in the end."""
        return self.hops[-1][1] if self.hops else self.url


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Requests at once and a second, pages at most (0: all); seconds without a byte, and for one response."""

    at_once: int = 8
    rate: float = 20.0
    patience: float = 20.0
    deadline: float = 60.0
    pages: int = 0


class Staging(NamedTuple):
    """A site that is deployed to ``base``, and the URL ``at`` which serves it now; often the same.

    >>> from sitemap_docs.urls.base import Base
    >>> staging = Staging(Base.of("https://example.org/docs/"), Base.of("http://localhost:8000/"))
    >>> staging.served("https://example.org/docs/a/"), staging.served("https://example.org/robots.txt")
    ('http://localhost:8000/a/', 'http://localhost:8000/robots.txt')
    >>> staging.deployed("http://localhost:8000/a/")
    'https://example.org/docs/a/'
    """

    base: Base
    at: Base

    def served(self, url: str) -> str:
        """Where an address of the deployed site is served now."""
        if url.startswith(self.base.url):
            return self.at.url + url[len(self.base.url) :]
        return (
            self.at.origin + url[len(self.base.origin) :] if url.startswith(f"{self.base.origin}/") else url
        )

    def deployed(self, url: str) -> str:
        """The address of the deployed site that is served at ``url`` now."""
        return self.base.url + url[len(self.at.url) :] if url.startswith(self.at.url) else url


def new_client(limits: Limits) -> httpx.AsyncClient:
    """A client that keeps no cookies: a crawler has none, and those of 300 pages fill a request."""
    import httpx  # noqa: PLC0415

    return httpx.AsyncClient(
        http2=_has_h2(),
        timeout=limits.patience,
        headers={"User-Agent": AGENT, "Accept-Encoding": "gzip"},
        limits=httpx.Limits(max_connections=limits.at_once),
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
    )


def _has_h2() -> bool:
    try:
        import h2  # noqa: F401, PLC0415
    except ImportError:
        return False
    return True


def is_broken(answer: Response) -> bool:
    """Whether the server itself failed."""
    return answer.status >= 500  # noqa: PLR2004


class Visitor:
    """Fetches addresses: few at once, with a pause between them, again where the server requests it."""

    def __init__(self, client: httpx.AsyncClient, limits: Limits, staging: Staging) -> None:
        self._client = client
        self._staging = staging
        self._deadline = limits.deadline
        self._gate = asyncio.Semaphore(limits.at_once)
        self._pause = 1 / limits.rate if limits.rate else 0.0
        self._next = 0.0
        self._rules: Protego | None = None

    def obey(self, robots: Response) -> None:
        # RFC 9309, 2.3.1: an error of the server forbids all, any other answer nothing
        text = robots.text if robots.status == OK else "User-agent: *\nDisallow: /" * is_broken(robots)
        self._rules = Protego.parse(text)
        self._pause = max(self._pause, min(self._rules.crawl_delay(AGENT) or 0.0, MAX_PAUSE))

    async def fetch_all(self, urls: Iterable[str], watch: Watch) -> tuple[Response, ...]:
        tasks = [asyncio.ensure_future(self.fetch(url)) for url in urls]
        for answer in watch(asyncio.as_completed(tasks), "pages fetched", len(tasks)):
            await answer
        return tuple(each.result() for each in tasks)

    async def fetch(self, url: str, *, most: int = 0) -> Response:
        """The answer in the end, over redirects and after new tries.

        ``most`` are the bytes of the body that are read and kept; 0 reads the head of a page.
        """
        if self._rules is not None and not self._rules.can_fetch(url, AGENT):
            return Response(url=url, allowed=False)
        hops: list[tuple[int, str]] = []
        async with self._gate:
            while True:
                answer = await self._patiently(hops[-1][1] if hops else url, most)
                target = answer.headers.get("location", "")
                if answer.status not in _MOVED or not target:
                    break
                hops.append((answer.status, self._target(answer, target)))
                if not web.same_site(hops[-1][1], url):
                    answer = Response(url=url, error=f"it redirects to {hops[-1][1]}, on another host")
                    break
                if len(hops) > HOPS or hops[-1][1] in (url, *(hop for _, hop in hops[:-1])):
                    answer = Response(url=url, error="it redirects in a circle")
                    break
        return replace(answer, url=url, hops=tuple(hops))

    def _target(self, answer: Response, target: str) -> str:
        return self._staging.deployed(resolve(self._staging.served(answer.url), target))

    async def _patiently(self, url: str, most: int) -> Response:
        for number in range(TRIES):
            await self._turn()
            answer = await self._once(url, most)
            if not answer.error and answer.status not in _AGAIN:
                break
            if number < TRIES - 1:
                await asyncio.sleep(_delay(answer, number))
        return answer

    async def _turn(self) -> None:
        now = monotonic()
        self._next = max(self._next, now) + self._pause
        await asyncio.sleep(self._next - self._pause - now)

    async def _once(self, url: str, most: int) -> Response:
        import httpx  # noqa: PLC0415

        try:
            _ = urlsplit(url).port  # httpx tries ports that do not exist, and fails in a task group
            return await asyncio.wait_for(self._fetch(url, most), self._deadline)
        except asyncio.TimeoutError:
            return Response(url=url, error=f"no whole answer in {self._deadline:g} seconds")
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            return Response(url=url, error=str(error) or type(error).__name__)

    async def _fetch(self, url: str, most: int) -> Response:
        start = monotonic()
        async with self._client.stream("GET", self._staging.served(url)) as response:
            seconds = monotonic() - start
            body, error = await _read(response, most or MAX_HEAD, head=not most)
        headers = {name.lower(): value for name, value in response.headers.items()}
        if "x-robots-tag" in headers:  # each line may begin with a bot of its own
            headers["x-robots-tag"] = "\n".join(response.headers.get_list("x-robots-tag"))
        link = response.links.get("canonical", {}).get("url", "") if "link" in headers else ""
        answer = Response(
            url=url,
            status=0 if error else response.status_code,
            headers=headers,
            canonical=resolve(url, link) if link else "",
            body=body,
            seconds=seconds,
            version=response.http_version,
            error=error,
        )
        return replace(answer, head=parse_head(body), body=b"") if answer.is_html and not most else answer


async def _read(response: httpx.Response, most: int, *, head: bool) -> tuple[bytes, str]:
    """The body, unpacked, until it is large enough or the head of a page is over; and what is wrong with it.

    Unpacked here, a piece at a time: a few packed bytes can stand for gigabytes.
    """
    coding = response.headers.get("content-encoding", "identity").strip().lower()
    if coding not in ("identity", "gzip", "x-gzip", ""):
        return b"", f"Content-Encoding {coding!r} was not requested: only gzip"
    unpacker = zlib.decompressobj(wbits=31) if "gzip" in coding else None
    body, seen = bytearray(), 0
    async for chunk in response.aiter_raw():
        try:
            body += unpacker.decompress(chunk, most - len(body)) if unpacker else chunk[: most - len(body)]
        except zlib.error as error:
            return b"", f"the gzip data is broken: {error}"
        if len(body) >= most or (head and BODY.search(body, seen)):
            break
        seen = max(0, len(body) - len(b"<body"))
    return bytes(body), ""


def _delay(answer: Response, number: int) -> float:
    seconds = answer.headers.get("retry-after", "")
    return min(float(seconds), _WAIT) if _SECONDS.fullmatch(seconds) else 0.5 * 2**number
