"""What a web address holds, read with limits: on time, on size, on where redirects lead."""

from __future__ import annotations

from contextlib import contextmanager
from http.client import HTTPException
from time import monotonic
from typing import TYPE_CHECKING, Protocol
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from sitemap_docs import __version__
from sitemap_docs.model import SitemapError
from sitemap_docs.urls.base import split_url

if TYPE_CHECKING:
    from collections.abc import Iterator
    from http.client import HTTPMessage, HTTPResponse
    from typing import IO

AGENT = f"sitemap-docs/{__version__}"
MAX_BYTES = 52_428_800
TIMEOUT = 30.0
DEADLINE = 300.0


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...
    def seekable(self) -> bool: ...


def is_web(address: str) -> bool:
    return address.lower().startswith(("https://", "http://"))


@contextmanager
def open_url(url: str, *, timeout: float = TIMEOUT, deadline: float = DEADLINE) -> Iterator[Readable]:
    """The body of a web address as a stream; both limits are seconds: without a byte, and in all.

    At most 52,428,800 bytes are read, and a redirect leads to another host only from ``http`` to ``https`` or
    between a host and its ``www.``. Raises SitemapError, also while the body is read.
    """
    try:
        request = Request(url, headers={"User-Agent": AGENT, "Accept": "*/*"})  # noqa: S310  is_web decides
        with build_opener(_SameHost()).open(request, timeout=timeout) as response:
            yield _Body(url, response, monotonic() + deadline)
    except HTTPError as error:
        error.close()
        raise SitemapError(f"{url} answers {error.code} {error.reason}: is the address right?") from None
    except (OSError, HTTPException, ValueError) as error:
        raise SitemapError(f"{url} cannot be read: {reason(error)}. Try again, or use a file.") from None


def reason(error: Exception) -> str:
    """What went wrong on the network, as a short phrase."""
    inner = getattr(error, "reason", None)
    if isinstance(inner, Exception):
        return reason(inner)
    if isinstance(error, TimeoutError):
        return "no answer in time"
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return str(text)


class _Body:
    def __init__(self, url: str, response: HTTPResponse, until: float) -> None:
        self._url = url
        self._response = response
        self._until = until
        self._expected = response.length
        self._size = 0

    def seekable(self) -> bool:
        return False

    def read(self, size: int, /) -> bytes:
        if monotonic() > self._until:
            raise SitemapError(f"{self._url} cannot be read: it is too slow.")
        data = self._response.read1(size)
        self._size += len(data)
        if self._size > MAX_BYTES:
            raise SitemapError(f"{self._url} has more than {MAX_BYTES:,} bytes; a sitemap may not.")
        if not data and self._expected is not None and self._size < self._expected:
            # http.client does not report it for reads with a size before Python 3.12
            raise SitemapError(f"{self._url} cannot be read: the connection was cut. Try again.")
        return data


class _SameHost(HTTPRedirectHandler):
    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        if not same_site(newurl, req.full_url):
            fp.close()
            raise SitemapError(
                f"{req.full_url} redirects to {newurl}, another host: use that address if it is yours."
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def same_site(url: str, other: str) -> bool:
    """Whether two addresses have one host, but for ``www.``."""
    return _site(url) == _site(other)


def _site(url: str) -> str:
    return (split_url(url).hostname or "").removeprefix("www.")
