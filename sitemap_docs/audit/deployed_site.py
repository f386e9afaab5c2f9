"""Fetch a deployed site like a polite crawler, and keep the responses of the server.

Time and bytes are limited, whatever a server answers.
"""

import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import partial
from io import BytesIO
from itertools import chain, islice
from threading import Lock, Semaphore
from time import monotonic, sleep

from sitemap_docs import web
from sitemap_docs.audit.site import ListedSite, RobotsFile, sitemaps_in
from sitemap_docs.audit.sitemap_file import MAX_UNPACKED, Sitemap, sitemap_facts
from sitemap_docs.html.head import Head, RobotsTag, parse_head, x_robots_tag
from sitemap_docs.model import SitemapError, Watch, unwatched
from sitemap_docs.robots import MAX_ROBOTS, CrawlerRules, parse_robots
from sitemap_docs.rules import reported
from sitemap_docs.sitemap.reader import Walk
from sitemap_docs.text import many
from sitemap_docs.urls.base import OK, Base, compare_urls, resolve, split_url, without_query
from sitemap_docs.urls.versions import is_other_version
from sitemap_docs.web import PRODUCT

TRIES = 3
MAX_HEAD = 262_144
"""Bytes of a page that are read at most."""
MAX_PAUSE = 10.0
"""Seconds between two requests at most, even with a longer Crawl-delay."""
_AGAIN = {429, 502, 503, 504}
_WAIT = 30.0  # seconds, the longest Retry-After that is obeyed


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(web.Response):
    """The response of a server for one address of a deployed site."""

    #: The ``<head>`` of an HTML page.
    head: Head | None = None
    #: Whether robots.txt allows the request.
    allowed: bool = True
    #: Whether a response came in time.
    reached: bool = True

    @property
    def robots_tags(self) -> tuple[RobotsTag, ...]:
        """The instructions to search engines in the header ``X-Robots-Tag``, such as ``noindex``."""
        return x_robots_tag(self.headers.get("x-robots-tag", ""))

    @property
    def is_html(self) -> bool:
        media_type = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        return media_type in ("text/html", "application/xhtml+xml")

    @property
    def is_broken(self) -> bool:
        """Whether the HTTP status of the response is 500 or higher."""
        return self.status >= 500  # noqa: PLR2004

    @property
    def final(self) -> str:
        """The address after all redirects."""
        return self.hops[-1][1] if self.hops else self.url


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits for requests to a deployed site."""

    #: Requests at the same time.
    at_once: int = 8
    #: Requests per second.
    rate: float = 20.0
    #: Pages to fetch; 0 means all pages.
    pages: int = 0
    #: Seconds for one response.
    deadline: float = 60.0


def moved(url: str, here: Base, there: Base) -> str:
    """Return the URL at which a staging server has a page of the deployed site.

    ``here`` is the base URL of the deployed site, and ``there`` is the base URL of the staging server.

    >>> here, there = Base.of("https://example.org/docs/"), Base.of("http://localhost:8000/")
    >>> moved("https://example.org/docs/a/", here, there)
    'http://localhost:8000/a/'
    >>> moved("HTTPS://www.example.org/robots.txt", here, there)
    'http://localhost:8000/robots.txt'
    """
    if url.startswith(here.url):
        return there.url + url[len(here.url) :]
    if here == there or web.why_not_asked(url, here.url):
        return url
    address = without_query(url)
    query = url[len(address) :]
    path = here.path_of(address)
    if path is not None:
        return there.loc(path) + query
    path = split_url(address).path
    return there.origin + (path or "/") + query


class Visitor:
    """Fetches pages of a deployed site, or of its staging server, with pauses and retries."""

    def __init__(self, client: web.Client, limits: Limits, base: Base, at: Base) -> None:
        self._client = client
        self._limits = limits
        self._base = base
        self._at = at
        self.pause = 1 / limits.rate
        self._next = 0.0
        self._turns = Lock()
        self._rules: CrawlerRules | None = None

    def obey(self, robots: Answer) -> None:
        """Follow the rules and the ``Crawl-delay`` of a robots.txt in all later requests."""
        data = b""
        if robots.status == OK:
            data = robots.body
        elif robots.is_broken:  # RFC 9309, 2.3.1: this forbids all, any other answer nothing
            data = b"User-agent: *\nDisallow: /"
        self._rules = CrawlerRules(parse_robots(data), PRODUCT)
        self.pause = max(self.pause, min(self._rules.delay, MAX_PAUSE))

    def fetch_all(self, urls: Sequence[str], watch: Watch) -> tuple[Answer, ...]:
        """Fetch several URLs at the same time, and return the responses in the order of ``urls``."""
        free = Semaphore(self._limits.at_once)

        def fetch(url: str) -> Answer:
            try:
                return self.fetch(url)
            finally:
                free.release()

        answers = []
        for url in watch(urls, "pages fetched", len(urls)):
            free.acquire()
            answers.append(web.run_in_thread(partial(fetch, url)))
        return tuple(answer.result() for answer in answers)

    def fetch(self, url: str, *, most: int = 0) -> Answer:
        """Fetch one URL, and return the response. If it is an HTML page, its ``<head>`` is parsed.

        If ``most`` is given, nothing is parsed, and the response has up to ``most`` bytes of the body.
        """
        unreached = Answer(url=url, reached=False, error=web.OVER)
        if not self._client.remaining:
            return unreached
        if self._rules is not None and self._rules.forbids(url):
            return Answer(url=url, allowed=False)
        response = web.follow(moved(url, self._base, self._at), partial(self._ask, most=most))
        if response.error and not self._client.remaining:
            return unreached
        hops = tuple((status, self._deployed(target)) for status, target in response.hops)
        answer = Answer(**asdict(replace(response, url=url, hops=hops)))
        if answer.canonical:
            answer = replace(answer, canonical=resolve(answer.final, answer.canonical))
        if answer.is_html and not most:
            answer = replace(answer, head=parse_head(answer.body), body=b"")
        return answer

    def _ask(self, served: str, most: int) -> web.Response:
        for number in range(TRIES):
            with self._turns:
                now = monotonic()
                turn = max(self._next, now)
                self._next = turn + self.pause
            self._sleep(turn - now)
            response = self._client.request(served, most=most or MAX_HEAD, seconds=self._limits.deadline)
            if not response.error and response.status not in _AGAIN:
                break
            if number < TRIES - 1:
                self._sleep(retry_delay(response, number))
        target = self._deployed(response.target)
        # A redirect that only changes the scheme or `www.` would lead back to the address that sent it.
        if target.startswith(f"{self._base.origin}/"):
            target = moved(target, self._base, self._at)
        return replace(response, target=target)

    def _sleep(self, seconds: float) -> None:
        sleep(min(seconds, self._client.remaining))

    def _deployed(self, url: str) -> str:
        """Convert a URL of the staging server to the URL of the same page on the deployed site."""
        if url.startswith(self._at.url):
            return self._base.url + url[len(self._at.url) :]
        # An address of another site stays, even if the staging server serves that site, too.
        return url


def retry_delay(response: web.Response, number: int) -> float:
    """Return how many seconds to wait before a failed request is sent again.

    The header ``Retry-After`` gives the time. Without this header, the time grows with ``number``, the count
    of earlier retries.
    """
    asked = response.retry_after
    return 0.5 * (number + 1) if asked is None else min(asked, _WAIT)


MAX_VISITED = 10_000
"""Sitemaps of a site that are fetched at most."""
MAX_LISTED = 500_000
"""Entries of all sitemaps of a site, after which no more of them are read: each takes half a kilobyte."""
_DEEPEST = 2  # an index of indexes; engines read one level
_MOST_ABOVE = 10  # sitemaps in parent folders that are fetched


@dataclass(frozen=True, kw_only=True)
class LiveSite(ListedSite):
    """A deployed site and the responses of its server."""

    robots_response: Answer
    sitemap_responses: tuple[tuple[Answer, Sitemap], ...]
    pages: tuple[Answer, ...]
    #: The response for an address that does not exist.
    nowhere: Answer
    now: datetime
    #: Sitemaps that were not fetched, because there are too many.
    unread: tuple[str, ...] = ()
    #: The number of listed pages without a response.
    not_reached: int = 0
    #: Whether robots.txt leads search engines to the sitemap of the site. If this is unknown, it is true.
    is_mentioned: bool = True

    def forbids(self, url: str) -> str:
        """Return the crawlers that may not fetch a URL, as a text such as ``Googlebot and bingbot``.

        If robots.txt forbids the URL to no search engine, return ``""``.
        """
        return "" if self.robots_file is None else self.robots_file.forbids(url)

    def source_of(self, url: str) -> str:  # noqa: ARG002
        """Return ``""``, because the source files of a deployed site are not known."""
        return ""


def served_sitemaps(site: LiveSite) -> list[str]:
    """Return a line of text about each sitemap of a deployed site: its HTTP status and number of URLs."""
    lines = []
    for answer, sitemap in site.sitemap_responses:
        allowed = "robots.txt allows it"
        bots = site.forbids(answer.url)
        if bots:
            allowed = f"robots.txt blocks {bots} from it"
        sent = answer.error
        if answer.status:
            names = ("content-type", "content-encoding")
            described = filter(None, (answer.headers.get(name, "") for name in names))
            sent = ", ".join([f"the server sends it with status {answer.status}", *described])
        if answer.hops:
            sent = f"it redirects to {answer.final}; {sent}"
        lines.append(
            f"{answer.url}: {allowed}; {sent or 'it was not fetched'}; {_in_scope(site, sitemap):,} of "
            f"{many(len(sitemap.urls), 'address')} below {site.base.url}"
        )
    return lines


def explain_fetching(site: LiveSite) -> str:
    """Return a message for the user that says whether search engines can fetch the sitemaps of a site."""
    is_fetchable = bool(site.sitemap_responses)
    for answer, sitemap in site.sitemap_responses:
        is_fine = answer.status == OK and not sitemap.fault and not answer.hops
        is_fetchable = is_fetchable and is_fine and not site.forbids(answer.url)
    if not is_fetchable:
        return (
            "Search engines cannot fetch a sitemap, for the reason above. If Search Console reports "
            "Couldn't fetch, correct this, and submit the sitemap again."
        )
    if all(0 < _in_scope(site, sitemap) == len(sitemap.urls) for _, sitemap in site.sitemap_responses):
        return (
            "Search engines can fetch the sitemaps. If Search Console reports Couldn't fetch, wait and look "
            "again later."
        )
    return ""


def _in_scope(site: LiveSite, sitemap: Sitemap) -> int:
    """Count the addresses in a sitemap that are below the base URL of the site."""
    return sum(is_in_scope(site.base, url.loc) for url in sitemap.urls)


def visit_site(
    base: Base, limits: Limits, now: datetime, *, watch: Watch = unwatched, at: Base | None = None
) -> LiveSite:
    """Fetch robots.txt, the sitemaps and the listed pages of a deployed site. ``now`` is the current time.

    If ``at`` is the base URL of a staging server, requests are sent to that server.

    Raises:
        SitemapError: The server does not answer, or httpx is not installed.
    """
    with web.current_client() as client:
        visitor = Visitor(client, limits, base, at or base)
        robots = visitor.fetch(f"{base.origin}/robots.txt", most=MAX_ROBOTS)
        if robots.error:
            origin = (at or base).origin
            raise SitemapError(f"{origin} could not be reached: {robots.error}. Check the address.")
        visitor.obey(robots)
        robots_file = RobotsFile(robots.url, robots.body) if robots.status == OK else None
        sitemaps: list[tuple[Answer, Sitemap]] = []
        unread: list[str] = []
        if not robots.is_broken:
            sitemaps, unread = _sitemaps(visitor, base, robots_file)
        nowhere = visitor.fetch(base.loc(f"no-such-page-{secrets.token_hex(8)}"))
        urls = chain.from_iterable(sitemap.urls for _, sitemap in sitemaps if not sitemap.is_index)
        listed = list(dict.fromkeys(url.loc for url in urls if is_in_scope(base, url.loc)))
        if limits.pages:
            del listed[limits.pages :]
        # More cannot be asked for in time, and each answer takes memory.
        possible = listed[: int(limits.rate * client.remaining) + 1]
        pages = [page for page in visitor.fetch_all(possible, watch) if page.reached]
        # The pages come first, because there is a limit for the time of all requests.
        is_mentioned = _is_mentioned(visitor, base, robots_file, [sitemap for _, sitemap in sitemaps])
    return LiveSite(
        base=base,
        sitemaps=tuple(sitemap for answer, sitemap in sitemaps if answer.status == OK),
        robots_file=robots_file,
        robots_response=robots,
        sitemap_responses=tuple(sitemaps),
        pages=tuple(pages),
        nowhere=nowhere,
        now=now,
        unread=tuple(unread),
        not_reached=len(listed) - len(pages),
        is_mentioned=is_mentioned,
    )


def is_in_scope(base: Base, url: str) -> bool:
    """Check whether a URL is below the base URL of a site, on the same server."""
    is_below = base.path_of(without_query(url)) is not None
    # A sitemap must not send requests to other hosts or ports.
    return is_below and not web.why_not_asked(url, base.url)


def _sitemaps(
    visitor: Visitor, base: Base, robots: RobotsFile | None
) -> tuple[list[tuple[Answer, Sitemap]], list[str]]:
    """Fetch the sitemaps of a site, and return them with the URLs of sitemaps that were not fetched.

    Each fetched sitemap is returned with the response of the server. If there are too many, the others are
    not fetched.
    """
    named = [url for url in sitemaps_in(robots) if url and not web.why_not_asked(url, base.url)]
    usual = base.loc("sitemap.xml")
    if not base.is_root:
        # Several sites share the robots.txt of this host.
        named = [usual, *(url for url in named if is_in_scope(base, url))]
    walk = Walk(named or [usual])
    depths: dict[str, int] = {}
    fetched: list[tuple[Answer, Sitemap]] = []
    unread: list[str] = []
    listed = 0
    for url in walk:
        if len(fetched) == MAX_VISITED or listed > MAX_LISTED:
            unread.append(url)
            continue
        answer = visitor.fetch(url, most=MAX_UNPACKED)
        body = answer.body if answer.status == OK else b""
        sitemap = sitemap_facts(BytesIO(body), url)
        fetched.append((replace(answer, body=b""), sitemap))
        listed += len(sitemap.urls)
        depth = depths.get(url, 0)
        if sitemap.is_index and depth < _DEEPEST:
            for entry in sitemap.urls:
                child = resolve(url, entry.loc)
                if not web.why_not_asked(child, base.url):
                    depths[child] = depth + 1
                    walk.add([child])
    return fetched, unread


def _is_mentioned(
    visitor: Visitor, base: Base, robots: RobotsFile | None, sitemaps: Sequence[Sitemap]
) -> bool:
    """Check whether robots.txt mentions the sitemap of this site, or a sitemap that contains it.

    The sitemap of another version also counts. A sitemap in a parent folder is fetched: an index must list a
    sitemap of the site, and another sitemap must list all pages of the site.
    """
    usual = base.loc("sitemap.xml")
    for url in sitemaps_in(robots):
        # Hosts such as Read the Docs serve the robots.txt of the default version only.
        if compare_urls(url, usual) != "elsewhere" or is_other_version(url, usual):
            return True

    def may_list(url: str) -> bool:
        folder = without_query(url).rpartition("/")[0] + "/"
        is_above = folder != base.url and base.url.startswith(folder)
        return is_above and not web.why_not_asked(url, base.url)

    own_sitemaps = [sitemap for sitemap in sitemaps if not sitemap.is_index]
    own_pages = {url.loc for url in chain.from_iterable(sitemap.urls for sitemap in own_sitemaps)}
    walk = Walk(islice(filter(may_list, sitemaps_in(robots)), _MOST_ABOVE))
    for url in islice(walk, _MOST_ABOVE):
        answer = visitor.fetch(url, most=MAX_UNPACKED)
        if not answer.reached:  # The time is over, and this sitemap may list the site.
            return True
        if answer.status != OK:
            continue
        above = sitemap_facts(BytesIO(answer.body), url)
        listed = dict.fromkeys(resolve(url, entry.loc) for entry in above.urls)
        if not above.is_index:
            if own_pages and own_pages <= listed.keys():
                return True
            continue
        if any(is_in_scope(base, child) for child in listed):
            return True
        walk.add(islice(filter(may_list, listed), _MOST_ABOVE))
    return False


@reported("error")
def live_incomplete() -> str:
    """No listed address of a deployed site was fetched."""
    return (
        "No page was checked, because no address in a sitemap could be fetched. Check the address of the "
        "site, its robots.txt and its sitemap."
    )
