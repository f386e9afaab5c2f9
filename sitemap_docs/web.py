"""The one HTTP client: what a command asks of the network has limits, and one budget of seconds."""

from __future__ import annotations

import zlib
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from functools import partial
from importlib.util import find_spec
from io import BytesIO
from re import Pattern
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from sitemap_docs import __version__
from sitemap_docs.model import MAX_BYTES, SitemapError
from sitemap_docs.urls.base import MOVED, PORTS, resolve, split_url

if TYPE_CHECKING:
    import httpx
    from anyio.from_thread import BlockingPortal

PRODUCT = "sitemap-docs"
"""The user agent of robots.txt whose rules hold for this client."""

AGENT = f"{PRODUCT}/{__version__}"
OK = 200
BUDGET = 600.0
"""Seconds that a command may spend on the network in all, unless ``--timeout`` is set."""
OVER = "no complete response before --timeout was over"
SILENCE = 30.0
"""Seconds without a byte after which a request ends."""
HOPS = 10
"""Redirects that are followed at most."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """A server's response for one address.

    ``status`` is 0 where there was none, and ``error`` is the reason. Names of headers are in lower case.
    ``target`` is where the response redirects to, and ``hops`` are the redirects that were followed, status
    and target: all absolute. ``canonical`` is that of the ``Link`` header, as it is written. ``seconds`` is
    the time to the headers.
    """

    url: str
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    target: str = ""
    hops: tuple[tuple[int, str], ...] = ()
    canonical: str = ""
    seconds: float = 0.0
    version: str = ""
    error: str = ""

    @property
    def retry_after(self) -> float | None:
        """``Retry-After`` as seconds from now (RFC 9110 10.2.3); None for none or nonsense."""
        text = self.headers.get("retry-after", "").strip()
        if text.isascii() and text.isdigit():
            return float(text[:9])
        from email.utils import parsedate_to_datetime  # noqa: PLC0415  loads the network, which few need

        try:
            when = parsedate_to_datetime(text)
        except (ValueError, TypeError, OverflowError):
            return None
        if when.tzinfo is None:
            when = when.replace(tzinfo=timezone.utc)
        return max(0.0, (when - datetime.now(timezone.utc)).total_seconds())


def is_web(address: str) -> bool:
    return address.lower().startswith(("https://", "http://"))


@contextmanager
def budget(seconds: float) -> Iterator[None]:
    """All that is asked of the network inside ends within ``seconds``, whatever servers do."""
    with ExitStack() as stack:
        token = _current.set(_Budget(stack, monotonic() + seconds))
        try:
            yield
        finally:
            _current.reset(token)


def remaining() -> float:
    """The seconds that are left of the budget; all of one where there is none."""
    current = _current.get()
    return BUDGET if current is None else max(0.0, current.end - monotonic())


def run(function: Callable[[httpx.AsyncClient], Awaitable[_T]]) -> _T:
    """What an asynchronous function returns for the client of this budget.

    Raises SitemapError where httpx is not installed.
    """
    current = _current.get()
    if current is None:
        with budget(BUDGET):
            return run(function)
    if current.opened is None:
        current.opened = _open(current.stack)
    portal, client = current.opened
    return portal.call(function, client)


def open_url(url: str) -> BytesIO:
    """What a web address holds, at most 52,428,800 bytes; raises SitemapError."""

    async def get(client: httpx.AsyncClient) -> Response:
        return await follow(url, partial(request, client, most=MAX_BYTES + 1))

    response = run(get)
    if response.error:
        raise SitemapError(f"{url} cannot be read: {response.error}. Try again, or use a file.")
    if response.status != OK:
        raise SitemapError(f"{url} answers {response.status}: check the address.")
    if len(response.body) > MAX_BYTES:
        raise SitemapError(f"{url} has more than {MAX_BYTES:,} bytes; a sitemap may not.")
    return BytesIO(response.body)


def post_json(url: str, body: bytes) -> Response:
    """The response to a POST; a redirect is not followed, which would make a GET of it."""
    return run(partial(request, url=url, most=0, posted=body))


async def follow(url: str, ask: Callable[[str], Awaitable[Response]]) -> Response:
    """The response in the end, over the redirects that are allowed; ``ask`` gets that of one address."""
    asked = [url]
    hops: list[tuple[int, str]] = []
    response = await ask(url)
    while response.target:
        target = response.target
        hops.append((response.status, target))
        problem = why_not_asked(target, asked[-1])
        if problem:
            response = Response(url=url, error=f"it redirects to {target}, {problem}")
        elif target in asked or len(hops) > HOPS:
            response = Response(url=url, error="it redirects in a circle")
        else:
            asked.append(target)
            response = await ask(target)
    return replace(response, url=url, hops=tuple(hops))


def why_not_asked(url: str, other: str) -> str:
    """Why an address to which ``other`` leads is not asked for; ``""`` for one of the same server.

    A server is a host, with or without ``www.``, and a port; 443 may follow 80. What a site says must not
    send requests to the machines and services around us.

    >>> why_not_asked("https://example.org/b", "http://www.example.org/a")
    ''
    >>> why_not_asked("https://example.org:8443/", "https://example.org/")
    'on another port'
    """
    there, here = split_url(url), split_url(other)
    if there.scheme not in PORTS or here.scheme not in PORTS:
        return "which is not a web address"
    if "@" in there.netloc:
        return "which contains a user name"
    if (there.hostname or "").removeprefix("www.") != (here.hostname or "").removeprefix("www."):
        return "on another host"
    try:
        ports = here.port or PORTS[here.scheme], there.port or PORTS[there.scheme]
    except ValueError:
        return "on a port that does not exist"
    if ports[0] != ports[1] and ports != (80, 443):
        return "on another port"
    return ""


async def request(
    client: httpx.AsyncClient,
    url: str,
    *,
    most: int,
    until: Pattern[bytes] | None = None,
    seconds: float = BUDGET,
    posted: bytes | None = None,
) -> Response:
    """The response to one request, whatever goes wrong; redirects are not followed.

    ``most`` are the bytes of the body that are read and kept, unpacked; what follows a match of ``until``
    is not read. ``seconds`` are for the whole response, within the budget. ``posted`` is JSON to send.
    """
    import anyio  # noqa: PLC0415  the extra `web`
    import httpx  # noqa: PLC0415

    seconds = min(seconds, remaining())
    start = monotonic()
    method, headers = "GET", {}
    if posted is not None:
        method, headers = "POST", {"Content-Type": "application/json; charset=utf-8"}
    try:
        _ = split_url(url).port  # httpx tries ports that do not exist, and fails in a task group
        # httpx limits the time between two bytes: one now and then would hold us for ever.
        with anyio.fail_after(seconds):
            async with client.stream(method, url, content=posted, headers=headers) as answer:
                waited = monotonic() - start
                body = await _read(answer, most, until)
    except TimeoutError:
        if not remaining():
            return Response(url=url, error=OVER)
        return Response(url=url, error=f"no complete response in {seconds:g} seconds")
    except httpx.TimeoutException:
        return Response(url=url, error="no answer in time")
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        return Response(url=url, error=reason(error))
    names = {name.lower(): value for name, value in answer.headers.items()}
    if "x-robots-tag" in names:  # each line may begin with a bot of its own
        names["x-robots-tag"] = "\n".join(answer.headers.get_list("x-robots-tag"))
    target = ""
    if answer.status_code in MOVED and names.get("location"):
        target = resolve(url, names["location"])
    return Response(
        url=url,
        status=answer.status_code,
        headers=names,
        body=body,
        target=target,
        canonical=answer.links.get("canonical", {}).get("url", ""),
        seconds=waited,
        version=answer.http_version,
    )


def reason(error: Exception) -> str:
    """What went wrong with a file or on the network, as a short phrase."""
    return str(getattr(error, "strerror", None) or error) or type(error).__name__


async def _read(answer: httpx.Response, most: int, until: Pattern[bytes] | None) -> bytes:
    """The body, unpacked a piece at a time: a few packed bytes can stand for gigabytes."""
    coding = answer.headers.get("content-encoding", "identity").strip().lower()
    if coding not in ("identity", "gzip", "x-gzip", ""):
        raise ValueError(f"Content-Encoding {coding!r} was not requested: only gzip")
    unpacker = zlib.decompressobj(wbits=31) if "gzip" in coding else None
    body = bytearray()
    searched = 0
    async for piece in answer.aiter_raw():
        missing = most - len(body)
        if missing <= 0:
            break
        if unpacker is None:
            body += piece[:missing]
        else:
            try:
                body += unpacker.decompress(piece, missing)
            except zlib.error as error:
                raise ValueError(f"the gzip data is broken: {error}") from None
        if until and until.search(body, searched):
            break
        searched = max(0, len(body) - _OVERLAP)
    return bytes(body)


_OVERLAP = 16
"""Bytes that are searched again with the next piece: a match may begin in one and end in the other."""


def _open(stack: ExitStack) -> tuple[BlockingPortal, httpx.AsyncClient]:
    """A client that ``stack`` closes, and a loop in a thread, where it runs.

    The thread is for the callers: they are not asynchronous, or already in a loop, as in a notebook.
    """
    from http.cookiejar import CookieJar, DefaultCookiePolicy  # noqa: PLC0415  20 ms, and with ssl

    try:
        import httpx  # noqa: PLC0415
        from anyio.from_thread import start_blocking_portal  # noqa: PLC0415
    except ImportError:
        raise SitemapError("Web addresses need httpx: python -m pip install 'sitemap-docs[web]'") from None
    try:
        client = httpx.AsyncClient(
            http2=find_spec("h2") is not None,
            timeout=SILENCE,
            headers={"User-Agent": AGENT, "Accept-Encoding": "gzip"},
            # A crawler keeps no cookies, and those of 300 pages fill a request.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        )
    except (ImportError, OSError, ValueError, httpx.InvalidURL) as error:
        # The environment names a proxy that httpx cannot use, or certificates that are not there.
        raise SitemapError(f"HTTPS_PROXY, ALL_PROXY or SSL_CERT_FILE: {reason(error)}") from None
    portal = stack.enter_context(start_blocking_portal())
    # Where the user interrupts the command, a request is still under way: it ends with the budget.
    stack.callback(portal.call, portal.stop, True)
    stack.enter_context(portal.wrap_async_context_manager(client))
    return portal, client


@dataclass
class _Budget:
    """The end of what a command may ask, and its client, once something is asked."""

    stack: ExitStack
    end: float
    opened: tuple[BlockingPortal, httpx.AsyncClient] | None = None


_current: ContextVar[_Budget | None] = ContextVar("budget", default=None)
