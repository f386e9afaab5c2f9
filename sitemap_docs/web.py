"""Send HTTP requests. All requests of a command share a time limit."""

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
"""The name of this client in robots.txt."""

AGENT = f"{PRODUCT}/{__version__}"
BUDGET = 600.0
"""The time limit for all requests of a command, in seconds. ``--timeout`` changes it."""
OVER = "no complete response before --timeout was over"
SILENCE = 30.0
"""A request ends if no byte arrives for this number of seconds."""
HOPS = 10
"""The largest number of redirects in a row that are followed."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """The response of a web server, or an error."""

    url: str
    #: The HTTP status, or 0 without a response.
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    #: The URL to which the response redirects, or ``""``.
    target: str = ""
    #: The redirects before this response, such as ``(301, "https://example.org/new/")``.
    hops: tuple[tuple[int, str], ...] = ()
    #: The canonical link in the ``Link`` header.
    canonical: str = ""
    #: The reason why there is no response, for users.
    error: str = ""

    @property
    def retry_after(self) -> float | None:
        """How many seconds to wait before the next request, by the header ``Retry-After``, or None."""
        text = self.headers.get("retry-after", "").strip()
        if text.isascii() and text.isdigit():
            return float(text[:9])
        from email.utils import parsedate_to_datetime  # noqa: PLC0415  it loads network modules

        try:
            moment = parsedate_to_datetime(text)
        except (ValueError, TypeError, OverflowError):
            return None
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=timezone.utc)
        wait = moment - datetime.now(timezone.utc)
        return max(0.0, wait.total_seconds())


class Client:
    """An HTTP client with one time limit for all its requests.

    Args:
        seconds: The time limit.
    """

    def __init__(self, seconds: float) -> None:
        self._end = monotonic() + seconds
        self._http: httpx.Client | None = None

    @property
    def remaining(self) -> float:
        """The number of seconds that are left until the time limit."""
        return max(0.0, self._end - monotonic())

    def close(self) -> None:
        if self._http is not None:
            self._http.close()

    def request(
        self, url: str, *, most: int, seconds: float = BUDGET, posted: bytes | None = None
    ) -> Response:
        """Send a request without following redirects, and return the response.

        If the network fails, the response has an ``error``.

        Args:
            url: The URL.
            most: The number of bytes to read of the unpacked body.
            seconds: The time limit for this request.
            posted: JSON to send in a POST request, or None for a GET request.

        Raises:
            SitemapError: httpx is not installed.
        """
        if self._http is None:
            self._http = _open_client()
        seconds = min(seconds, self.remaining)
        ask = partial(_exchange, self._http, url, most=most, end=monotonic() + seconds, posted=posted)
        with suppress(TimeoutError, futures.TimeoutError):  # different classes before Python 3.11
            if seconds:
                # In a thread, because httpx only limits the time between two bytes, and nothing limits the
                # time of a DNS query.
                return run_in_thread(ask).result(seconds)
        if not self.remaining:
            return Response(url=url, error=OVER)
        return Response(url=url, error=f"no complete response in {seconds:g} seconds")


@contextmanager
def budget(seconds: float) -> Iterator[Client]:
    """Set a common time limit, in seconds, for all requests in the ``with`` block."""
    client = Client(seconds)
    token = _current.set(client)
    try:
        yield client
    finally:
        _current.reset(token)
        client.close()


@contextmanager
def current_client() -> Iterator[Client]:
    """Yield the HTTP client of the surrounding ``with budget(…)`` block, or else a new client."""
    client = _current.get()
    if client is not None:
        yield client
        return
    with budget(BUDGET) as client:
        yield client


def run_in_thread(function: Callable[[], _T]) -> futures.Future[_T]:
    """Run a function in a background thread, and return a future for its result."""
    future: futures.Future[_T] = futures.Future()

    def run() -> None:
        try:
            future.set_result(function())
        except BaseException as error:  # noqa: BLE001  the reader of the result gets it
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future


def read_url(url: str, most: int) -> bytes:
    """Return the first ``most`` bytes at a URL. Redirects are followed.

    Raises:
        SitemapError: The URL cannot be read.
    """
    with current_client() as client:
        response = follow(url, partial(client.request, most=most))
    if response.error:
        raise SitemapError(
            f"{url} cannot be read: {response.error}. Try again, or download the file and pass its path."
        )
    if response.status != OK:
        raise SitemapError(f"The server answers {response.status} for {url}. Check the address.")
    return response.body


def follow(url: str, ask: Callable[[str], Response]) -> Response:
    """Request a URL and follow redirects, but only on the same server.

    Args:
        url: The first URL.
        ask: A function that sends one request to a URL and returns the response.
    """
    urls = [url]
    hops: list[tuple[int, str]] = []
    response = ask(url)
    while response.target:
        target = response.target
        hops.append((response.status, target))
        problem = why_not_asked(target, urls[-1])
        if problem:
            response = Response(url=url, error=f"it redirects to {target}, {problem}")
        elif target in urls or len(hops) > HOPS:
            response = Response(url=url, error="it redirects in a circle")
        else:
            urls.append(target)
            response = ask(target)
    return replace(response, url=url, hops=tuple(hops))


def why_not_asked(url: str, other: str) -> str:
    """Return the reason why a link from the page ``other`` to ``url`` is not safe to follow, or ``""``.

    Only links to the same server are safe. ``www.`` and a change from HTTP to HTTPS make no difference:

    >>> why_not_asked("https://example.org/b", "http://www.example.org/a")
    ''
    >>> why_not_asked("https://example.org:8443/", "https://example.org/")
    'on another port'
    """
    # Otherwise, a site could make us call machines in a private network.
    new, old = split_url(url), split_url(other)
    if new.scheme not in PORTS or old.scheme not in PORTS:
        return "which is not a web address"
    if "@" in new.netloc:
        return "which contains a user name"
    new_host, old_host = new.hostname or "", old.hostname or ""
    if new_host.removeprefix("www.") != old_host.removeprefix("www."):
        return "on another host"
    try:
        new_port = new.port or PORTS[new.scheme]
        old_port = old.port or PORTS[old.scheme]
    except ValueError:
        return "on a port that does not exist"
    is_upgrade = (old_port, new_port) == (80, 443)
    if new_port != old_port and not is_upgrade:
        return "on another port"
    return ""


def _exchange(http: httpx.Client, url: str, *, most: int, end: float, posted: bytes | None) -> Response:
    """Send a request with httpx, and return the response.

    Args:
        http: The client of httpx.
        url: The URL.
        most: The number of bytes to read of the body.
        end: The time at which to stop (monotonic clock).
        posted: JSON to send in a POST request, or None.
    """
    import httpx  # noqa: PLC0415  only the extra `web` installs it

    method, headers = "GET", {}
    if posted is not None:
        method, headers = "POST", {"Content-Type": "application/json; charset=utf-8"}
    try:
        _ = split_url(url).port  # raises ValueError for 99999, which the system would take for another port
        with http.stream(method, url, content=posted, headers=headers) as answer:
            try:
                body = _read_body(answer, most, end)
            except (httpx.HTTPError, ValueError):
                if posted is None:
                    raise
                body = b""  # The status alone says whether the server has accepted the data.
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
    canonical_link = answer.links.get("canonical", {})
    return Response(
        url=url,
        status=answer.status_code,
        headers=names,
        body=body,
        target=target,
        canonical=canonical_link.get("url", ""),
    )


def reason(error: Exception) -> str:
    """Describe an error of the file system or the network: ``Permission denied``."""
    text = getattr(error, "strerror", None) or error
    return str(text) or type(error).__name__


def _read_body(answer: httpx.Response, most: int, end: float) -> bytes:
    """Return at most the first ``most`` bytes of a response, after unpacking.

    Raises:
        ValueError: The body is damaged, or compressed in a format other than gzip.
        TimeoutError: The response took until ``end``, a time of ``time.monotonic()``.
    """
    coding = answer.headers.get("content-encoding", "identity").strip().lower()
    if coding not in ("identity", "gzip", "x-gzip", ""):
        raise ValueError(f"the Content-Encoding is {coding!r}, but only gzip was requested")
    unpacker = zlib.decompressobj(wbits=31) if "gzip" in coding else None
    body = bytearray()
    for piece in answer.iter_raw():  # piece by piece, because a few packed bytes may expand to gigabytes
        if monotonic() > end:
            raise TimeoutError  # nobody waits for the response any longer
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


def _open_client() -> httpx.Client:
    """Create an HTTP client without cookies, and with the ``User-Agent`` of sitemap-docs."""
    from http.cookiejar import CookieJar, DefaultCookiePolicy  # noqa: PLC0415  takes 20 ms, and loads ssl

    try:
        import httpx  # noqa: PLC0415
    except ImportError:
        raise SitemapError("Web addresses need httpx. To install it: python -m pip install httpx") from None
    try:
        return httpx.Client(
            timeout=SILENCE,
            # No limit, because callers limit their requests, and an abandoned request must not delay others.
            limits=httpx.Limits(),
            headers={"User-Agent": AGENT, "Accept-Encoding": "gzip"},
            # No cookies: a crawler keeps none, and the cookies of 300 pages would fill a request.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        )
    except (ImportError, OSError, ValueError, httpx.InvalidURL) as error:
        # The environment has a proxy that httpx cannot use, or certificates that do not exist.
        raise SitemapError(
            "An environment variable is not valid (HTTPS_PROXY, ALL_PROXY or SSL_CERT_FILE): "
            f"{reason(error)}. Correct or unset it."
        ) from None


_current: ContextVar[Client | None] = ContextVar("client", default=None)
