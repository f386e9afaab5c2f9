"""IndexNow: submitting changed pages to search engines (https://www.indexnow.org/documentation)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import TYPE_CHECKING, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from sitemap_docs import web
from sitemap_docs.model import SitemapError
from sitemap_docs.urls import hosts
from sitemap_docs.urls.base import Base

if TYPE_CHECKING:
    from collections.abc import Sequence
    from http.client import HTTPResponse

    from sitemap_docs.output.key import Key

ENDPOINT = "https://api.indexnow.org/indexnow"
"""One engine is enough: they share submissions."""

MOST = 10_000
"""URLs in one request."""

_ACCEPTED = {200, 202}
_PASSING = {0, 408, 429, 500, 502, 503, 504}
_FIRST_WAIT = 10.0
_LONGEST_WAIT = 600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """A key, and the URL of its key file, with ``{key}`` for the key."""

    key: Key
    location: str

    @property
    def scope(self) -> str:
        """The folder of the key file: the key is valid for the URLs below it, and no others."""
        return self.location.rpartition("/")[0] + "/"

    @property
    def host(self) -> str:
        return urlsplit(self.location).netloc

    def body(self, urls: Sequence[str]) -> bytes:
        location = self.key.within(self.location)
        body = {"host": self.host, "key": self.key.text, "keyLocation": location, "urlList": urls}
        return json.dumps(body, ensure_ascii=False).encode()


class Reply(NamedTuple):
    """An endpoint's response to a request; ``status`` 0: no valid response.

    ``wait`` is the number of seconds to wait, if there is one. ``attempts`` counts the requests that were
    sent.
    """

    status: int
    detail: str = ""
    wait: float | None = None
    attempts: int = 1

    @property
    def accepted(self) -> bool:
        return self.status in _ACCEPTED

    def explained(self, owner: Owner) -> str:
        """The status in plain text and what to do, without the key."""
        meaning = _MEANINGS.get(self.status, _UNKNOWN)
        text = f"{self.status} {meaning}" if self.status else self.detail
        if self.status and self.detail:
            text += f" ({self.detail})"
        if self.wait is not None and not self.accepted:
            text += f"; retry after {self.wait:.0f} seconds"
        return text.replace("{location}", owner.location).replace("{scope}", owner.scope) + "."


_UNKNOWN = "is not a response of IndexNow: check --endpoint, which usually ends in /indexnow"
_MEANINGS = {
    200: "OK: the URLs are received",
    202: "Accepted: the URLs are received, the key is not validated yet; {location} must be served",
    400: "Bad Request: the engine does not understand the request",
    403: "Forbidden: the key is not valid; {location} must be served, with nothing but the key in it",
    422: "Unprocessable: URLs are not below {scope}, or the key is not one that the protocol allows",
    429: "Too Many Requests: possibly spam to the engine; wait at least ten minutes",
}


def check_endpoint(url: str) -> None:
    """Raises SitemapError for a URL that is not valid as an endpoint; plain http is for this machine only."""
    try:
        base = Base.of(url.partition("?")[0])
    except SitemapError as error:
        raise SitemapError(f"--endpoint: {error}") from None
    if url.startswith("http://") and not base.is_local:
        raise SitemapError(f"--endpoint {url} is not encrypted: use https://.")


def check_host(url: str) -> None:
    """Raises SitemapError for a host that is not public."""
    host = urlsplit(url).hostname or ""
    if reason := hosts.why_not_public(host):
        raise SitemapError(f"{host} {reason}: it is not submitted. Use the public address.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """How requests are sent: ``retries`` more after the first, ``timeout`` in seconds for each.

    ``wait`` sleeps for some seconds, ``now`` returns the time.
    """

    endpoint: str
    retries: int
    timeout: float
    wait: Callable[[float], None]
    now: Callable[[], datetime]

    def submit(self, urls: Sequence[str], owner: Owner) -> Reply:
        """The last answer to at most 10,000 URLs.

        Temporary failures are tried again, after the time in ``Retry-After``, else after 10,
        20, 40 … seconds; not when that is more than ten minutes.
        """
        body = owner.body(urls)
        for attempt in range(self.retries + 1):
            answer = self._post(body)._replace(attempts=attempt + 1)
            pause = _FIRST_WAIT * 2**attempt if answer.wait is None else answer.wait
            if answer.status not in _PASSING or attempt == self.retries or pause > _LONGEST_WAIT:
                break
            self.wait(pause)
        return answer

    def _post(self, body: bytes) -> Reply:
        headers = {"Content-Type": "application/json; charset=utf-8", "User-Agent": web.AGENT}
        request = Request(self.endpoint, data=body, headers=headers, method="POST")  # noqa: S310  checked
        try:
            with build_opener(_Stay()).open(request, timeout=self.timeout) as response:
                return _answer(response, self.now())
        except HTTPError as error:
            with error:
                return _answer(error, self.now())
        except (OSError, HTTPException, ValueError) as error:
            return Reply(0, f"no answer from {self.endpoint}: {web.reason(error)}")


class _Stay(HTTPRedirectHandler):
    """Follows no redirect, which would make a GET of a POST."""

    def redirect_request(self, *_: object) -> None:
        return None


def _answer(response: HTTPResponse | HTTPError, now: datetime) -> Reply:
    headers = response.headers
    status = response.status or 0
    detail = f"it redirects to {headers.get('Location')}" if 300 <= status < 400 else ""  # noqa: PLR2004
    return Reply(status, detail, _seconds(headers.get("Retry-After"), now))


def _seconds(text: str | None, now: datetime) -> float | None:
    """``Retry-After`` as seconds from now (RFC 9110 10.2.3); None for none or nonsense."""
    if text is None:
        return None
    if text.strip().isascii() and text.strip().isdigit():
        return float(text.strip()[:9])
    try:
        when = parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None
    zoned = when if when.tzinfo else when.replace(tzinfo=timezone.utc)
    return max(0.0, (zoned - now).total_seconds())
