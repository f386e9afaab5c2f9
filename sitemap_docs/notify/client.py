"""IndexNow: submitting changed pages to search engines (https://www.indexnow.org/documentation)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitemap_docs import web
from sitemap_docs.model import SitemapError
from sitemap_docs.urls import hosts
from sitemap_docs.urls.base import Base

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitemap_docs.output.key import Key

ENDPOINT = "https://api.indexnow.org/indexnow"
"""One engine is enough: they share submissions."""

MOST = 10_000
"""URLs in one request."""

_ACCEPTED = {200, 202}
_TEMPORARY = {0, 408, 429, 500, 502, 503, 504}  # 0: no response
_FIRST_WAIT = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """A key, and the URL of its key file, with ``{key}`` for the key."""

    key: Key
    location: str

    @property
    def scope(self) -> str:
        """The folder of the key file: the key is valid for the URLs below it, and no others."""
        return self.location.rpartition("/")[0] + "/"

    def body(self, urls: Sequence[str]) -> bytes:
        """The request for ``urls``."""
        fields = {
            "host": urlsplit(self.location).netloc,
            "key": self.key.text,
            "keyLocation": self.key.within(self.location),
            "urlList": urls,
        }
        return json.dumps(fields, ensure_ascii=False).encode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An endpoint's response to ``urls`` URLs; ``status`` 0: no valid response, ``detail`` says why.

    ``wait`` is the number of seconds to wait, if there is one. ``attempts`` counts the requests that were
    sent.
    """

    urls: int
    status: int
    detail: str = ""
    wait: float | None = None
    attempts: int = 1

    @property
    def accepted(self) -> bool:
        return self.status in _ACCEPTED

    def explained(self, owner: Owner) -> str:
        """The status in plain text and what to do, without the key."""
        text = self.detail
        if self.status:
            text = f"{self.status} {_MEANINGS.get(self.status, _UNKNOWN)}"
            if self.detail:
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
    # Who reads the key on its way can submit URLs in the name of the site.
    if url.startswith("http://") and not base.is_local:
        raise SitemapError(f"--endpoint {url} is not encrypted: use https://.")


def check_host(url: str) -> None:
    """Raises SitemapError for a host that is not public."""
    host = urlsplit(url).hostname or ""
    if reason := hosts.why_not_public(host):
        raise SitemapError(f"{host} {reason}: it is not submitted. Use the public address.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """How requests are sent: ``retries`` more after the first; ``wait`` sleeps for some seconds."""

    endpoint: str
    retries: int
    wait: Callable[[float], None]

    def submit(self, urls: Sequence[str], owner: Owner) -> Reply:
        """The last answer to at most 10,000 URLs.

        Temporary failures are tried again, after the time in ``Retry-After``, else after 10, 20, 40 …
        seconds; not when that is later than the end of the budget.
        """
        body = owner.body(urls)
        attempt = 1
        while True:
            response = web.post_json(self.endpoint, body)
            detail = ""
            if response.error:
                detail = f"no answer from {self.endpoint}: {response.error}"
            elif response.target:
                detail = f"it redirects to {response.target}"
            asked = _seconds(response.headers.get("retry-after"))
            reply = Reply(urls=len(urls), status=response.status, detail=detail, wait=asked, attempts=attempt)
            pause = asked if asked is not None else _FIRST_WAIT * 2 ** (attempt - 1)
            # A pause that ends after the budget would only delay the same failure.
            if reply.status not in _TEMPORARY or attempt > self.retries or pause > web.remaining():
                return reply
            self.wait(pause)
            attempt += 1


def _seconds(text: str | None) -> float | None:
    """``Retry-After`` as seconds from now (RFC 9110 10.2.3); None for none or nonsense."""
    if text is None:
        return None
    number = text.strip()
    if number.isascii() and number.isdigit():
        return float(number[:9])
    try:
        when = parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=timezone.utc)
    return max(0.0, (when - datetime.now(timezone.utc)).total_seconds())
