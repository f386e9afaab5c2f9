"""Rules about the addresses that a sitemap lists."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from posixpath import dirname
from typing import TYPE_CHECKING

from sitemap_docs.audit.registry import Findings, rule
from sitemap_docs.audit.site import Site
from sitemap_docs.audit.sitemaps import Url
from sitemap_docs.urls.base import MAX_LOC, Base, compare_urls, host_of, split_url, strip_session
from sitemap_docs.urls.hosts import is_placeholder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from urllib.parse import SplitResult

_ENCODED = re.compile(r"(?:[A-Za-z0-9._~:/?#@!$&'()*+,;=\[\]-]+|%[0-9A-Fa-f]{2})*")
_TWICE = re.compile(r"%25(?:[2-7][0-9A-Fa-f]|[89A-Fa-f][0-9A-Fa-f]%25)")
_DOTS = frozenset({".", ".."})
_PORTS = {"http": 80, "https": 443}


def _split(url: Url) -> SplitResult:
    return split_url(url.loc)


@rule("error", plain=False)
def loc_missing(entry: Url) -> Findings:
    """An entry has no address.

    An entry without `<loc>` has no effect; validators reject the file.
    Remove the entry, or add its address.
    Source: https://www.sitemaps.org/protocol.html#xmlTagDefinitions.
    """
    if not entry.loc:
        yield entry.place, "The entry has no <loc>, or an empty one."


@rule("error", plain=False)
def loc_relative(entry: Url) -> Findings:
    """An address is not absolute.

    Engines read only full addresses; a base URL was probably not set.
    Set the base URL: `html_baseurl` in Sphinx, `site_url` in MkDocs.
    Source: https://www.sitemaps.org/protocol.html#locdef.
    """
    if entry.loc and not _split(entry).scheme:
        yield entry.place, "The address must begin with https:// or http://. Set the base URL."


@rule("error", plain=False)
def loc_scheme(entry: Url) -> Findings:
    """An address has a scheme that engines do not crawl.

    Only http and https pages are listed in search results.
    Remove the entry, or list its web address.
    Source: https://www.sitemaps.org/protocol.html#locdef.
    """
    scheme = _split(entry).scheme
    if scheme and scheme not in _PORTS:
        yield entry.place, f"{scheme}: is not a scheme that search engines crawl."


@rule("error")
def scheme_not_canonical(url: Url, site: Site) -> Findings:
    """An address has another scheme than the site.

    Engines treat http and https as two sites; a sitemap lists the pages of one.
    List addresses with the canonical scheme only.
    Source: https://www.sitemaps.org/faq.html#faq_http_https.
    """
    parts, scheme = _split(url), split_url(site.base.url).scheme
    if parts.scheme in _PORTS and parts.scheme != scheme and parts.hostname == host_of(site.base.url):
        yield url.place, f"The scheme is {parts.scheme}, the site's is {scheme}."


@rule("error")
def host_not_canonical(url: Url, site: Site) -> Findings:
    """An address is on another host than the site.

    A sitemap may list its own host only; engines ignore the entry, and `www.` is another host.
    Give the site one base URL; list other hosts in sitemaps of their own.
    Source: https://www.sitemaps.org/protocol.html#location.
    """
    host = host_of(url.loc)
    if host and host != host_of(site.base.url) and not is_placeholder(host):
        yield url.place, f"The host is {host}; the site's is {host_of(site.base.url)}."


@rule("error")
def loc_placeholder_host(entry: Url) -> Findings:
    """An address is on a host that is not public.

    localhost, private addresses and example.com come from a default setting; engines cannot crawl them.
    Set the base URL to the address that readers use.
    Source: RFC 2606, RFC 6761.
    """
    host = host_of(entry.loc)
    if is_placeholder(host):
        yield entry.place, f"{host} is a placeholder, or private. Set the base URL."


@rule("error")
def loc_out_of_scope(url: Url, site: Site) -> Findings:
    """An address is not below the sitemap's folder.

    A sitemap at /docs/ is valid for addresses below /docs/ only, unless the host's robots.txt names it.
    Move the sitemap up, or name it in the robots.txt at the root of the host.
    Source: https://www.sitemaps.org/protocol.html#location.
    """
    if url.sitemap in site.named_sitemaps or host_of(url.loc) != host_of(site.base.url):
        return
    folder = _folder(site.base, url.sitemap)
    if url.loc.startswith(folder.url) and "/." not in url.loc and "%" not in url.loc:
        return
    parts = _split(url)
    if (
        folder.path_of(parts._replace(query="", fragment="", netloc=parts.netloc.rpartition("@")[2]).geturl())
        is None
    ):
        yield url.place, f"The address is not below {folder.url}."


@lru_cache(maxsize=1_024)
def _folder(base: Base, sitemap: str) -> Base:
    return Base.of(base.loc(dirname(sitemap)))


@rule("error")
def loc_too_long(entry: Url, *, at_most: int = MAX_LOC) -> Findings:
    """An address is longer than the protocol allows.

    Addresses must have less than 2,048 characters; engines cut or drop longer ones.
    Shorten the path.
    Source: https://www.sitemaps.org/protocol.html#locdef.
    """
    if len(entry.loc) > at_most:
        yield entry.place, f"The address has {len(entry.loc):,} characters; the limit is {at_most:,}."


@rule("error", plain=False)
def loc_whitespace(entry: Url) -> Findings:
    """An address has white space in or around it.

    Engines keep the white space as part of the address, which then does not exist.
    Write `<loc>` in one piece; a space in a path is %20.
    Source: https://www.sitemaps.org/protocol.html#escaping.
    """
    if entry.loc and (entry.raw != entry.loc or len(entry.loc.split()) > 1):
        yield entry.place, f"White space in {entry.raw!r}. Remove it, or write %20."


@rule("error", plain=False)
def loc_not_encoded(entry: Url) -> Findings:
    """An address is not percent-encoded.

    Addresses follow RFC 3986: any other character is written as the %XX of its bytes in UTF-8.
    Encode the path once.
    Source: https://www.sitemaps.org/protocol.html#escaping.
    """
    text = "".join(entry.loc.split())
    end = match.end() if (match := _ENCODED.match(text)) else 0
    if bad := text[end : end + 1]:
        yield entry.place, f"{bad!r} must be percent-encoded."


@rule("warning", plain=False)
def loc_double_encoded(url: Url) -> Findings:
    """An address seems to be percent-encoded twice.

    %2520 is the text `%20`, not a space; the page does not exist.
    Encode the path once.
    Source: RFC 3986, section 2.4.
    """
    if match := _TWICE.search(url.loc):
        yield url.place, f"{match[0]} seems to be encoded twice. Encode the path once."


@rule("error", plain=False)
def loc_fragment(entry: Url) -> Findings:
    """An address has a fragment.

    What follows # never reaches the server: such entries repeat one page.
    List the page once, without #.
    Source: RFC 3986, section 3.5.
    """
    if "#" in entry.loc:
        yield entry.place, f"#{_split(entry).fragment} is a place in a page, not a page."


@rule("warning", plain=False)
def loc_query(url: Url) -> Findings:
    """An address has a query.

    A static site sends the same page with and without it, so the entry is a duplicate.
    List the address without the query, if the page is static.
    Source: https://developers.google.com/search/docs/crawling-indexing/url-structure.
    """
    query = _split(url).query
    if query and strip_session(url.loc) == url.loc:
        yield url.place, f"A static page needs no ?{query}."


@rule("warning", plain=False)
def loc_session_id(entry: Url) -> Findings:
    """An address carries a session id.

    Each visit of a crawler gets another one, so that the same page is crawled repeatedly.
    Remove session ids from listed addresses.
    Source: https://www.sitemaps.org/faq.html#faq_session_ids.
    """
    if strip_session(entry.loc) != entry.loc:
        yield entry.place, f"The address has a session id. List {strip_session(entry.loc)} instead."


@rule("error", plain=False)
def loc_credentials(entry: Url) -> Findings:
    """An address carries a user name or a password.

    The sitemap is public, and engines do not log in.
    Remove it, and change the password.
    Source: RFC 3986, section 3.2.1.
    """
    if "@" in _split(entry).netloc:
        yield (
            entry.place._replace(where=entry.sitemap),
            "The address names a user before the host. Remove it.",
        )


@rule("warning", plain=False)
def loc_default_port(entry: Url) -> Findings:
    """An address spells out the default port.

    It has no effect; engines may treat the two spellings as two addresses.
    Remove the port.
    Source: RFC 3986, section 6.2.3.
    """
    parts = _split(entry)
    if parts.netloc.endswith(f":{_PORTS.get(parts.scheme)}"):
        yield (
            entry.place,
            f"{parts.netloc.rpartition(':')[2]} is the default port of {parts.scheme}. Remove it.",
        )


@rule("warning", plain=False)
def loc_uppercase_host(entry: Url) -> Findings:
    """An address has capitals in its scheme or host.

    Case has no meaning there; engines may treat the two spellings as two addresses.
    Write them in lower case.
    Source: RFC 3986, section 6.2.2.1.
    """
    start = entry.loc.partition("://")[0] + "://" + _split(entry).netloc.rpartition("@")[2]
    if "://" in entry.loc and start != start.lower():
        yield entry.place, f"Scheme or host has capitals. Write {start.lower()}."


@rule("error", plain=False)
def loc_dot_segments(entry: Url) -> Findings:
    """An address has `.` or `..` as a folder.

    Crawlers resolve it, so that the listed address is never the one that is crawled.
    Write the resolved path.
    Source: RFC 3986, section 6.2.2.3.
    """
    if not _DOTS.isdisjoint(_split(entry).path.split("/")):
        yield entry.place, "Resolve the `.` and `..` in the path."


@rule("warning", plain=False)
def loc_duplicate_slash(url: Url) -> Findings:
    """An address has two slashes in a row.

    It is another address than the one with a single slash, even where the server sends the same page.
    Join base URL and path with one slash.
    Source: https://developers.google.com/search/docs/crawling-indexing/url-structure.
    """
    if "//" in _split(url).path:
        yield url.place, "Two slashes in a row: join base URL and path with one."


@rule("error")
def loc_duplicate(site: Site) -> Findings:
    """An address is listed twice in one sitemap.

    The entries may contradict each other; engines count it as an error of the tool.
    List each page once.
    Source: https://www.sitemaps.org/protocol.html.
    """
    seen: set[tuple[str, str]] = set()
    for url in site.urls:
        if url.loc and (url.sitemap, url.loc) in seen:
            yield url.place, f"{url.loc} is listed already."
        seen.add((url.sitemap, url.loc))


@rule("warning")
def loc_in_several_sitemaps(site: Site) -> Findings:
    """An address is listed in several sitemaps with different dates.

    Engines cannot decide which date is right, and ignore both.
    List each page in one sitemap, or give it the same lastmod in all.
    Source: https://www.sitemaps.org/protocol.html#lastmoddef.
    """
    first: dict[str, Url] = {}
    for url in site.announced_urls:
        other = first.setdefault(url.loc, url) if url.loc else url
        if other.sitemap != url.sitemap and other.lastmod != url.lastmod:
            dates = (f"{each.lastmod or 'none'} in {each.sitemap}" for each in (other, url))
            yield url.place, f"The lastmod is {', '.join(dates)}. List the page once."


def _duplicates(site: Site) -> Iterator[tuple[Url, Url]]:
    """Pairs of different addresses of one file, in the order of the sitemap."""
    for urls in site.listed_twice.values():
        yield from ((urls[0], other) for other in urls[1:] if other.loc != urls[0].loc)


@rule("warning")
def loc_duplicate_after_normalising(site: Site) -> Findings:
    """Two listed addresses are spellings of one.

    They differ in percent-encoding, port, case of the host, `www.`, query or fragment only.
    List the canonical one.
    Source: RFC 3986, section 6.
    """
    for first, other in _duplicates(site):
        pair = host_of(first.loc) == host_of(other.loc) and _split(first).scheme == _split(other).scheme
        same_end = first.loc.rpartition("/")[2] == other.loc.rpartition("/")[2]
        plain = same_end and "?" not in other.loc and "#" not in other.loc
        if pair and plain and compare_urls(other.loc, first.loc) == "spelling":
            yield other.place, f"Another spelling of {first.loc}. List one of them."


@rule("warning")
def index_html_beside_folder(site: Site) -> Findings:
    """A page is listed as a folder and as its index.html.

    Engines index two pages with the same content, and choose one of them.
    List the form that the pages' canonical links use.
    Source: https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls.
    """
    for first, other in _duplicates(site):
        if {True, False} == {_split(each).path.endswith("/index.html") for each in (first, other)}:
            yield other.place, f"{first.loc} is the same page. List one of them."


@rule("warning")
def trailing_slash_inconsistent(site: Site) -> Findings:
    """A page is listed with and without a slash at its end.

    Engines treat them as two addresses; on most servers, one redirects to the other.
    List the form that the server sends without a redirect.
    Source: https://developers.google.com/search/blog/2010/04/to-slash-or-not-to-slash.
    """
    for first, other in _duplicates(site):
        if first.loc.rstrip("/") == other.loc.rstrip("/"):
            yield other.place, f"{first.loc} is the same page. List one of them."


@rule("warning")
def case_collision(site: Site) -> Findings:
    """Two listed addresses differ only in upper and lower case.

    On a server or a file system that ignores case, one of the files replaces the other.
    Rename one page.
    Source: https://developers.google.com/search/docs/crawling-indexing/url-structure.
    """
    paths = [_split(url).path for url in site.urls]
    capitals = {path.casefold() for path in paths if path != path.casefold()}
    folded: dict[str, dict[str, Url]] = defaultdict(dict)
    for url, path in zip(site.urls, paths, strict=True):
        if capitals and path.casefold() in capitals:
            folded[path.casefold()].setdefault(url.loc, url)
    for same in folded.values():
        locs = sorted({split_url(loc).path: loc for loc in sorted(same)}.values())
        if len(locs) > 1:
            yield same[locs[0]].place, f"{', '.join(locs[1:])} differs in case only. Rename one page."
