"""Submit the changed pages of a site to search engines by IndexNow, after a deployment."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from sitemap_docs import web
from sitemap_docs.config.parsing import as_mapping, as_text
from sitemap_docs.diff import Change, ChangeKind, Difference
from sitemap_docs.folder.folder_site import open_listed
from sitemap_docs.hosting import why_not_deployed, why_preview
from sitemap_docs.model import SitemapError
from sitemap_docs.output.text_files import KEY_FILE, VARIABLE, Key
from sitemap_docs.sitemap import urllist
from sitemap_docs.surroundings import read_surroundings
from sitemap_docs.text import many
from sitemap_docs.urls.base import Base, split_url, without_query
from sitemap_docs.urls.hosts import why_not_public

_MANY = 1_000  # URLs that a small site may submit, though they are most of it


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The URLs to submit to search engines, and the URL of the IndexNow key file."""

    #: All changes of the site.
    difference: Difference
    #: The URL of the key file.
    location: str
    #: The number of URLs to submit of each kind, such as ``added``.
    counts: Mapping[ChangeKind, int]
    #: The number of pages that only got or lost their date. They are not submitted.
    undated: int
    #: The old URLs on another host or with another scheme, for example after a move to another domain. They
    #: are not submitted, because the key is not valid for them.
    elsewhere: tuple[str, ...] = ()
    #: A warning if the site has got another base URL since the build, or ``""``.
    warning: str = ""

    @property
    def total(self) -> int:
        """The number of URLs to submit."""
        return sum(self.counts.values())

    @property
    def scope(self) -> str:
        """The URL of the folder with the IndexNow key file. The key is valid for all URLs in this folder."""
        return self.location.rpartition("/")[0] + "/"

    def changes(self) -> Iterator[Change]:
        """Return the added, changed and removed URLs to submit to IndexNow, sorted by address."""
        elsewhere = frozenset(self.elsewhere)
        for change in self.difference.changes():
            if _is_submitted(change) and change.loc not in elsewhere:
                yield change


def plan(old: str, new: str, *, key: Key | None, location: str, everything: bool) -> Plan:
    """Choose the URLs to submit to search engines.

    Args:
        old: The old sitemap, folder or web address, or ``""`` to submit all URLs.
        new: The new sitemap, folder or web address.
        key: The IndexNow key.
        location: The URL of the key file. By default, it is in the folder of the site.
        everything: Whether the user allows submitting most or all URLs of the site (``--all``).

    Raises:
        SitemapError: The URLs cannot be read or must not be submitted.
    """
    if not old and not everything:
        raise SitemapError("Pass OLD and NEW to submit changed URLs, or NEW and --all to submit every URL.")
    before = _read_urls(old) if old else ()
    difference = Difference(before, _read_urls(new))
    folder = open_listed(new, read_surroundings())
    where = _normalise_host(location)
    if not where and folder:
        where = folder.webroot.base.url
    where = where or _key_folder(new, difference)
    if where.endswith("/"):
        where += KEY_FILE
    planned = _make_plan(difference, where, warning=folder.warning if folder else "")
    _refuse_passwords(planned)
    _require_key_folder(planned)
    _require_public(planned)
    _require_in_scope(planned)
    if not everything:
        _refuse_most_of_site(planned)
    # Elsewhere, the engine itself looks at the key file.
    if key and Path(new).is_dir() and not location:
        _check_key_file(Path(new), key)
    return planned


def _read_urls(place: str) -> Iterator[tuple[str, str]]:
    """Yield the URLs of a sitemap, a folder or a site, with their dates. Each host has one spelling."""
    for loc, lastmod in urllist.read_urls(place):
        yield _normalise_host(loc), lastmod


def _normalise_host(url: str) -> str:
    """Return a URL with its host in one spelling, such as ``xn--bcher-kva.example`` for ``Bücher.example``.

    A default port, such as 443 for https, is removed. An invalid URL stays the same.
    """
    scheme, _, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    origin = _normal_origin(f"{scheme}://{host}")
    return f"{origin}{slash}{path}" if origin else url


@lru_cache
def _normal_origin(origin: str) -> str:
    """Return the usual spelling of an origin such as ``https://example.org``, or ``""`` if it is invalid."""
    try:
        return Base.of(origin).origin
    except SitemapError:
        return ""


def _make_plan(difference: Difference, key_url: str, *, warning: str) -> Plan:
    """Return the plan for submitting the changed URLs, except for removed URLs on other hosts.

    ``key_url`` is the URL of the key file. ``warning`` is a text to show to the user, or ``""``.
    """
    host_url = _host_url(key_url)
    removed = [change.loc for change in difference.changes("removed")]
    elsewhere = tuple(loc for loc in removed if _host_url(loc) != host_url)
    counts = Counter(change.kind for change in difference.changes() if _is_submitted(change))
    counts["removed"] -= len(elsewhere)
    return Plan(
        difference=difference,
        location=key_url,
        counts=counts,
        elsewhere=elsewhere,
        undated=difference.counts["changed"] - counts["changed"],
        warning=warning,
    )


def _refuse_passwords(planned: Plan) -> None:
    """Raise SitemapError if a URL to submit contains a user name or a password."""
    with_password = [change.loc for change in planned.changes() if "@" in split_url(change.loc).netloc]
    if with_password:
        raise SitemapError(
            f"URLs with a user name or a password are not submitted, for example {with_password[0]}. Remove "
            "it from the base URL of the site, and build the sitemap again."
        )


def _require_key_folder(planned: Plan) -> None:
    """Raise SitemapError if the URL of the key file has no folder, as in ``https://example.org``."""
    try:
        Base.of(planned.scope)
    except SitemapError:
        raise SitemapError(
            "The address of the key file is not valid. Pass its URL as --key-location, for example "
            "https://example.org/{key}.txt"
        ) from None


def _require_public(planned: Plan) -> None:
    """Raise SitemapError if the site is local or a preview."""
    host = urlsplit(planned.location).hostname or ""
    reason = why_not_public(host)
    if reason:
        raise SitemapError(f"{host} {reason}, so its URLs are not submitted. Use the public address.")
    reason = why_preview(planned.scope)
    if reason:
        raise SitemapError(
            f"{planned.scope} {reason}, so its URLs are not submitted. Use the public address."
        )


def _require_in_scope(planned: Plan) -> None:
    """Raise SitemapError if a URL to submit is outside the key file's folder, where the key is not valid."""
    beyond = [change.loc for change in planned.changes() if not change.loc.startswith(planned.scope)]
    if beyond:
        raise SitemapError(
            f"{many(len(beyond), 'URL')} cannot be submitted with the key at {planned.location}, for example "
            f"{beyond[0]}. The key is only valid for URLs below {planned.scope}. Serve the key file from a "
            "higher folder, and pass its URL as --key-location."
        )


def _refuse_most_of_site(planned: Plan) -> None:
    """Raise SitemapError if most URLs of the site would be submitted.

    Most often, the user has then passed a wrong sitemap.
    """
    difference = planned.difference
    listed, total = difference.new, planned.total
    kept = listed - planned.counts["added"] - planned.counts["changed"]
    is_most = kept == 0 or total > max(_MANY, difference.old / 2, listed / 2)
    if not (total and is_most):
        return
    if planned.elsewhere:
        urls = many(len(planned.elsewhere), "URL")
        raise SitemapError(
            f"OLD lists {urls} on {_host_url(planned.elsewhere[0])}, but the URLs of NEW are on "
            f"{_host_url(planned.location)}. If the site has moved there, pass --all to submit all URLs of "
            "NEW. Otherwise, pass the sitemap of the last deployment as OLD."
        )
    raise SitemapError(
        f"{total:,} URLs would be submitted, which is most of the site: OLD lists {difference.old:,} "
        f"URLs, and NEW {listed:,}. Check that OLD is the last deployment and NEW is complete. To submit "
        "these URLs anyway, pass --all."
    )


def send(planned: Plan, key: Key, *, endpoint: str, wait: Callable[[float], None]) -> Iterator[Reply]:
    """Submit URLs with IndexNow, and yield the reply to each request.

    A request contains at most 10,000 URLs. Temporary failures are retried three times.

    Args:
        planned: The URLs.
        key: The IndexNow key.
        endpoint: The URL of the search engine.
        wait: Sleeps for a number of seconds.
    """
    changes = planned.changes()
    with web.current_client() as client:
        while batch := [change.loc for change in islice(changes, MAX_SUBMITTED)]:
            fields = {
                "host": urlsplit(planned.location).netloc,
                "key": key.text,
                "keyLocation": key.within(planned.location),
                "urlList": batch,
            }
            body = json.dumps(fields, ensure_ascii=False).encode()
            for attempt in count(1):
                response = client.request(endpoint, most=_MESSAGE_BYTES, posted=body)
                pause = response.retry_after
                if pause is None:
                    pause = _FIRST_WAIT * 2 ** (attempt - 1)
                # A pause that ends after the budget would only delay the same failure.
                if response.status not in _TEMPORARY or attempt > _RETRIES or pause > client.remaining:
                    break
                wait(pause)
            yield Reply(len(batch), response.status, _describe_response(response, planned, key), attempt)
            if response.status not in _ACCEPTED:  # nor would be the next, and engines count refusals as spam
                return


def require_deployed(environ: Mapping[str, str]) -> None:
    """Raise SitemapError if environment variables show that the changed pages are not public yet.

    For example, this is a preview, or the platform deploys the site only after the build.
    """
    why = why_not_deployed(environ)
    if why:
        raise SitemapError(
            f"Nothing was sent: {why}. Run notify in the job that deploys the site, after the deployment."
        )


def _check_key_file(folder: Path, key: Key) -> None:
    """Raise SitemapError if a folder lacks the IndexNow key file, or if that file contains another key."""
    file = folder / key.file
    if not file.is_file():
        raise SitemapError(
            f"{folder} has no IndexNow key file. Set the environment variable {VARIABLE} and build the site "
            "again, or pass the URL of the file as --key-location."
        )
    if not key.proven_by(file.read_bytes()):
        raise SitemapError(
            f"The IndexNow key file in {folder} does not contain the key in {VARIABLE}. Build the site again "
            f"with {VARIABLE} set."
        )


def _is_submitted(change: Change) -> bool:
    """Check whether to submit a changed URL. A page that only got or lost its date is left out."""
    return change.kind != "changed" or bool(change.before and change.after)


def _host_url(url: str) -> str:
    """Return the scheme and the host of a URL, such as ``https://example.org/``."""
    parts = split_url(url)
    return f"{parts.scheme}://{parts.netloc}/"


def _key_folder(new: str, difference: Difference) -> str:
    """Guess the URL of the folder with the IndexNow key file, such as ``https://example.org/docs/``.

    It is the common folder of the changed URLs, or the folder of the sitemap if that is above it.
    ``difference`` contains the changed URLs, and ``new`` is the file or URL of the sitemap.

    Raises:
        SitemapError: There are no URLs, or URLs of several hosts.
    """
    new_locs = difference.new_locs()
    folder = urllist.common_folder(new_locs or difference.locs())
    if folder:  # A removed page may be in a higher folder.
        host_url = _host_url(folder)
        folder = urllist.common_folder(loc for loc in difference.locs() if _host_url(loc) == host_url)
    else:
        raise SitemapError(
            f"{new} lists no URLs, or URLs of several hosts, so the address of the key file is unknown. Pass "
            "it as --key-location."
        )
    # Two changed pages below /guide/ do not mean that the key lies there: the sitemap's own folder is higher.
    served = _normalise_host(urllist.sitemap_of(new)).rpartition("/")[0] + "/"
    if folder.startswith(served):
        return served
    return folder


ENDPOINT = "https://api.indexnow.org/indexnow"
"""One engine is enough: they share submissions."""

MAX_SUBMITTED = 10_000
"""URLs in one request."""

_ACCEPTED = {200, 202}
_FORBIDDEN = 403
_TEMPORARY = {0, 408, 429, 500, 502, 503, 504}  # 0: no response
_RETRIES = 3
_FIRST_WAIT = 10.0
_MESSAGE_BYTES = 4_096
_MESSAGE_LENGTH = 300


class Reply(NamedTuple):
    """The reply of a search engine to a request."""

    #: The number of URLs in the request.
    urls: int
    #: The HTTP status, or 0 without a response.
    status: int
    #: The explanation for the user.
    message: str
    #: How many times the request was sent.
    attempts: int

    @property
    def accepted(self) -> bool:
        """Whether the search engine accepted the URLs."""
        return self.status in _ACCEPTED


def _describe_response(response: web.Response, planned: Plan, key: Key) -> str:
    """Describe the response of a search engine to the user, and hide the IndexNow key.

    ``planned`` contains the submitted URLs, and the URL of the key file for advice.
    """
    if not response.status:
        text = f"no answer from {without_query(response.url)}: {response.error}"
        return key.hidden_in(f"{text}{_retry_text(response)}.")
    text = f"{response.status} {MEANINGS.get(response.status, _UNKNOWN)}"
    if response.target:  # The target of a redirect may contain the key, which is replaced below.
        text += f" (it redirects to {without_query(response.target)})"
    sentences = [f"{text}{_retry_text(response)}."]
    if message := _message_of_engine(response.body, key):
        sentences.append(f"The engine says: {message!r}.")
    if response.status == _FORBIDDEN:
        sentences.append("Check that {location} is served and contains only the key.")
        root = "/".join(planned.location.split("/")[:3]) + "/"
        if planned.scope != root:
            sentences.append(
                "If the file is right, the engine may need the key at the root of the host: serve "
                f"{root}{KEY_FILE}, and pass --key-location {root}"
            )
    whole = " ".join(sentences)
    return key.hidden_in(whole.replace("{location}", planned.location).replace("{scope}", planned.scope))


def _retry_text(response: web.Response) -> str:
    """Return ``; retry after 60 seconds`` if the search engine asks for it, or ``""``."""
    if response.retry_after is None or response.status in _ACCEPTED:
        return ""
    return f"; retry after {response.retry_after:.0f} seconds"


def _message_of_engine(body: bytes, key: Key) -> str:
    """Return the error message of a search engine, with the IndexNow key hidden.

    If the response contains no message, return ``""``.
    """
    text = body.decode("utf-8", "replace").strip()
    with suppress(ValueError, RecursionError):
        text = as_text(as_mapping(json.loads(text)).get("message"))
    if text.startswith("<"):
        return ""
    # The key is hidden before the text is cut, because half of a key is no longer recognised.
    hidden = " ".join(key.hidden_in(text).split())
    if len(hidden) > _MESSAGE_LENGTH:
        hidden = f"{hidden[:_MESSAGE_LENGTH]}…"
    return hidden


_UNKNOWN = "is not a status of IndexNow. Check --endpoint, which usually ends in /indexnow"
MEANINGS = {
    200: "OK: the engine received the URLs",
    202: (
        "Accepted: the engine received the URLs, but did not check the key yet. Make sure that {location} "
        "is online"
    ),
    400: "Bad Request: the engine does not accept the form of the request. Check --endpoint",
    403: "Forbidden: the engine does not accept the key",
    422: (
        "Unprocessable: some URLs are not below {scope}, or the key does not have 8 to 128 letters, digits "
        "and dashes"
    ),
    429: "Too Many Requests: the engine may see the requests as spam. Wait at least ten minutes",
}


def check_endpoint(url: str) -> None:
    """Raise SitemapError if a search engine's URL is invalid, or would send the IndexNow key unencrypted.

    A local URL may be unencrypted.
    """
    try:
        base = Base.of(without_query(url))
    except SitemapError as error:
        raise SitemapError(f"--endpoint: {error}") from None
    # Who reads the key on its way can submit URLs in the name of the site.
    if base.url.startswith("http://") and not base.is_local:
        raise SitemapError(f"The address of --endpoint, {base.url}, is not encrypted. Use https://.")
