"""The one HTTP client: what a command asks of the network has limits, and one budget of seconds."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping
from concurrent import futures
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from functools import partial
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from sitemap_docs import __version__
from sitemap_docs.model import SitemapError
from sitemap_docs.urls.base import MOVED, OK, PORTS, resolve, split_url

if TYPE_CHECKING:
    import httpx

PRODUCT = "sitemap-docs"
"""The user agent of robots.txt whose rules hold for this client."""

AGENT = f"{PRODUCT}/{__version__}"
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
    and target: all absolute. ``canonical`` is that of the ``Link`` header, as it is written.
    """

    url: str
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    target: str = ""
    hops: tuple[tuple[int, str], ...] = ()
    canonical: str = ""
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


class Client:
    """Asks servers over connections that are kept. What it is asked ends within its seconds."""

    def __init__(self, seconds: float) -> None:
        self._end = monotonic() + seconds
        self._http: httpx.Client | None = None

    @property
    def remaining(self) -> float:
        """The seconds that are left."""
        return max(0.0, self._end - monotonic())

    def close(self) -> None:
        if self._http is not None:
            self._http.close()

    def request(
        self, url: str, *, most: int, seconds: float = BUDGET, posted: bytes | None = None
    ) -> Response:
        """The response to one request, whatever goes wrong; redirects are not followed.

        ``most`` are the bytes of the body that are read and kept, unpacked. ``seconds`` are for the whole
        response, within those of the client. ``posted`` is JSON to send. Raises SitemapError without httpx.
        """
        if self._http is None:
            self._http = _open()
        seconds = min(seconds, self.remaining)
        ask = partial(_exchange, self._http, url, most=most, end=monotonic() + seconds, posted=posted)
        with suppress(TimeoutError, futures.TimeoutError):  # two until Python 3.11
            if seconds:
                # httpx limits the time between two bytes, and no one that of the look-up of a name.
                return in_thread(ask).result(seconds)
        if not self.remaining:
            return Response(url=url, error=OVER)
        return Response(url=url, error=f"no complete response in {seconds:g} seconds")


@contextmanager
def budget(seconds: float) -> Iterator[Client]:
    """All that is asked of the network inside ends within ``seconds``, whatever servers do."""
    client = Client(seconds)
    token = _current.set(client)
    try:
        yield client
    finally:
        _current.reset(token)
        client.close()


@contextmanager
def current_client() -> Iterator[Client]:
    """The client of the budget around, or one for what is asked inside."""
    client = _current.get()
    if client is not None:
        yield client
        return
    with budget(BUDGET) as client:
        yield client


def in_thread(function: Callable[[], _T]) -> futures.Future[_T]:
    """Returns what a function will return. The thread that it runs in does not keep a process from ending."""
    future: futures.Future[_T] = futures.Future()

    def run() -> None:
        try:
            future.set_result(function())
        except BaseException as error:  # noqa: BLE001  of whoever asks for the result
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future


def read_url(url: str, most: int) -> bytes:
    """Returns what a web address holds, or its first bytes; raises SitemapError."""
    with current_client() as client:
        response = follow(url, partial(client.request, most=most))
    if response.error:
        raise SitemapError(f"{url} cannot be read: {response.error}. Try again, or use a file.")
    if response.status != OK:
        raise SitemapError(f"{url} answers {response.status}: check the address.")
    return response.body


def follow(url: str, ask: Callable[[str], Response]) -> Response:
    """The response in the end, over the redirects that are allowed; ``ask`` gets that of one address."""
    asked = [url]
    hops: list[tuple[int, str]] = []
    response = ask(url)
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
            response = ask(target)
    return replace(response, url=url, hops=tuple(hops))


def why_not_asked(url: str, other: str) -> str:
    """Returns why an address to which ``other`` leads is not asked for; ``""`` for one of the same server.

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


def _exchange(http: httpx.Client, url: str, *, most: int, end: float, posted: bytes | None) -> Response:
    """The response to a request, which no one reads after ``end``."""
    import httpx  # noqa: PLC0415  the extra `web`

    method, headers = "GET", {}
    if posted is not None:
        method, headers = "POST", {"Content-Type": "application/json; charset=utf-8"}
    try:
        _ = split_url(url).port  # the system takes 99999 for another port
        with http.stream(method, url, content=posted, headers=headers) as answer:
            body = _read(answer, most, end)
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
    )


def reason(error: Exception) -> str:
    """Returns what went wrong with a file or on the network, as a short phrase."""
    return str(getattr(error, "strerror", None) or error) or type(error).__name__


def _read(answer: httpx.Response, most: int, end: float) -> bytes:
    """The body, unpacked a piece at a time: a few packed bytes can stand for gigabytes."""
    coding = answer.headers.get("content-encoding", "identity").strip().lower()
    if coding not in ("identity", "gzip", "x-gzip", ""):
        raise ValueError(f"Content-Encoding {coding!r} was not requested: only gzip")
    unpacker = zlib.decompressobj(wbits=31) if "gzip" in coding else None
    body = bytearray()
    for piece in answer.iter_raw():
        if monotonic() > end:
            raise TimeoutError  # no one waits for it any more
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
    return bytes(body)


def _open() -> httpx.Client:
    from http.cookiejar import CookieJar, DefaultCookiePolicy  # noqa: PLC0415  20 ms, and with ssl

    try:
        import httpx  # noqa: PLC0415
    except ImportError:
        raise SitemapError("Web addresses need httpx: python -m pip install httpx") from None
    try:
        return httpx.Client(
            timeout=SILENCE,
            # Who asks decides how many run at once, and one that is given up must not hold up the others.
            limits=httpx.Limits(),
            headers={"User-Agent": AGENT, "Accept-Encoding": "gzip"},
            # A crawler keeps no cookies, and those of 300 pages fill a request.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        )
    except (ImportError, OSError, ValueError, httpx.InvalidURL) as error:
        # The environment names a proxy that httpx cannot use, or certificates that are not there.
        raise SitemapError(f"HTTPS_PROXY, ALL_PROXY or SSL_CERT_FILE: {reason(error)}") from None


_current: ContextVar[Client | None] = ContextVar("client", default=None)
