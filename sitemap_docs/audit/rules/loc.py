"""Rules about the addresses that a sitemap lists."""

import re

from sitemap_docs.audit.registry import Findings, rule
from sitemap_docs.audit.site import Site
from sitemap_docs.audit.sitemap_file import Sitemap, Url, folder_of
from sitemap_docs.model import MAX_LOC
from sitemap_docs.urls.base import host_of, split_url
from sitemap_docs.urls.hosts import is_placeholder

_NOT_ENCODED = re.compile(r"%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9._~:/?#@!$&'()*+,;=\[\]%-]")


@rule("error")
def loc_missing(entry: Url) -> Findings:
    """An entry has no address.

    An entry without `<loc>` has no effect, and validators reject the file.
    Remove the entry, or add its address.
    Source: sitemaps.org: elements of a sitemap,
    https://www.sitemaps.org/protocol.html#xmlTagDefinitions
    """
    if not entry.loc:
        yield entry.place, "The entry has no <loc>, or an empty one. Add an address, or remove the entry."


@rule("error")
def loc_relative(sitemap: Sitemap) -> Findings:
    """An address, or a line of a text sitemap, does not begin with http:// or https://.

    Search engines read only full addresses. Probably no base URL was set. A text sitemap has no comments.
    Set the base URL: `html_baseurl` in Sphinx, `site_url` in MkDocs. In a text, write only full addresses.
    Source: sitemaps.org: the element loc,
    https://www.sitemaps.org/protocol.html#locdef
    """
    for entry in sitemap.urls:
        if entry.loc and not entry.is_address and split_url(entry.loc).scheme not in ("http", "https"):
            message = "The address does not begin with https:// or http://. Set the base URL."
            yield entry.place, message
    for line in sitemap.other_lines:
        message = (
            "This line of a text sitemap is not a full address. Each line must be one address that begins "
            "with https:// or http://. Correct the line, or remove it."
        )
        yield line.place, message


@rule("error")
def host_not_canonical(entry: Url, site: Site) -> Findings:
    """A listed page, or a sitemap in an index, has another host or scheme than the site.

    A sitemap may only list its own host and scheme. `www.` is another host, and `http` another scheme.
    Use the same base URL for the whole site. List pages of other hosts in other sitemaps.
    Source: sitemaps.org: location of the file,
    https://www.sitemaps.org/protocol.html#location
    """
    if entry.loc.startswith(site.base.url):
        return
    host, own = host_of(entry.loc), host_of(site.base.url)
    scheme, own_scheme = split_url(entry.loc).scheme, split_url(site.base.url).scheme
    if host and host != own and not is_placeholder(host):
        message = (
            f"This address is on {host}, but the site is on {own}. Use one host, or list this address in a "
            "sitemap of its own host."
        )
        yield entry.place, message
    elif host == own and scheme != own_scheme and scheme in ("http", "https"):
        message = (
            f"This address begins with {scheme}://, but the base URL with {own_scheme}://. Use the same in "
            "both."
        )
        yield entry.place, message


@rule("error")
def base_url_unlikely(site: Site) -> Findings:
    """The base URL is the URL of a file or a repository, or an address has a host that is not public.

    Such addresses lead nowhere. localhost, private addresses and example.com come from a default setting.
    Set the base URL to the address that readers use.
    Source: sitemaps.org: the element loc,
    https://www.sitemaps.org/protocol.html#locdef
    """
    reported = ""
    if site.base.problem:
        yield site.place, site.base.problem
        reported = host_of(site.base.url)
    for entry in site.entries:
        host = host_of(entry.loc)
        if host != reported and is_placeholder(host):
            message = (
                f"The host {host} is a placeholder, or not public. Set the base URL to the public address of "
                "the site."
            )
            yield entry.place, message


@rule("error")
def loc_out_of_scope(entry: Url, site: Site) -> Findings:
    """A listed page, or a sitemap in an index, is not below the sitemap's folder.

    A sitemap in /docs/ may only list addresses below /docs/, unless the host's robots.txt mentions it.
    Move it up, or add it to the host's robots.txt. For Google, submit it in Search Console instead.
    Source: sitemaps.org: location of the file,
    https://www.sitemaps.org/protocol.html#location
    """
    # robots.txt proves that the sitemap is the owner's: then it may list the whole host.
    if entry.sitemap in site.named_sitemaps or host_of(entry.loc) != host_of(site.base.url):
        return
    folder = folder_of(site.base, entry.sitemap)
    # Only the path counts here: other rules report a query, a fragment and a user name.
    parts = split_url(entry.loc)
    host = parts.netloc.rpartition("@")[2]
    address = parts._replace(query="", fragment="", netloc=host).geturl()
    if folder.path_of(address) is None:
        message = (
            f"This address is not below {folder.url}, the folder of the sitemap. Move the sitemap up, or "
            "add the sitemap to robots.txt at the root of the host."
        )
        yield entry.place, message


@rule("error")
def loc_too_long(entry: Url, *, at_most: int = MAX_LOC) -> Findings:
    """An address is longer than the protocol allows.

    Addresses must have less than 2,048 characters. Search engines cut or drop longer addresses.
    Shorten the path.
    Source: sitemaps.org: the element loc,
    https://www.sitemaps.org/protocol.html#locdef
    """
    if len(entry.loc) > at_most:
        message = (
            f"The address has {len(entry.loc):,} characters, more than the limit of {at_most:,}. Shorten the "
            "path."
        )
        yield entry.place, message


@rule("error")
def loc_not_encoded(entry: Url) -> Findings:
    """An address is not percent-encoded, or has white space in or around it.

    Addresses must follow RFC 3986: every other character is written as %XX, for its bytes in UTF-8.
    Write `<loc>` in one line, and encode the path once. A space is %20.
    Source: sitemaps.org: escaping,
    https://www.sitemaps.org/protocol.html#escaping
    """
    match = _NOT_ENCODED.search(entry.raw)
    if match and entry.loc:
        message = (
            f"The address {entry.raw!r} contains {match[0]!r}, which is not allowed. Remove or "
            "percent-encode this character."
        )
        yield entry.place, message


@rule("error")
def loc_fragment(entry: Url) -> Findings:
    """An address has a fragment, such as `#install`.

    The part after # never reaches the server, so several entries list the same page.
    List the page once, without #.
    Source: RFC 3986, section 3.5,
    https://www.rfc-editor.org/rfc/rfc3986#section-3.5
    """
    if "#" in entry.loc:
        message = (
            f"The address ends with #{split_url(entry.loc).fragment}, which is a place in a page. List the "
            "page once, without the #."
        )
        yield entry.place, message


@rule("warning")
def loc_duplicate_slash(url: Url) -> Findings:
    """An address has two slashes in a row.

    For search engines, the address with a single slash is another address, even if it shows the same page.
    Join the base URL and the path with one slash.
    Source: Google: URL structure,
    https://developers.google.com/search/docs/crawling-indexing/url-structure
    """
    if url.loc.count("//") > 1 and "//" in split_url(url.loc).path:
        message = "The address has two slashes in a row. Join base URL and path with one slash."
        yield url.place, message


@rule("error")
def loc_duplicate(site: Site) -> Findings:
    """A page is listed twice: its address is repeated in a sitemap, or written in several ways.

    Entries may contradict each other. Search engines may show both addresses, or choose one of them.
    List each page once with its canonical address, and not also with index.html, a slash or a query.
    Source: Google: how to specify a canonical URL,
    https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
    """
    seen: set[tuple[str, str]] = set()
    spelled: dict[str, str] = {}
    for url in site.urls:
        if url.loc and (url.sitemap, url.loc) in seen:
            yield url.place, f"The sitemap lists {url.loc} more than once. Keep one entry."
        seen.add((url.sitemap, url.loc))
        file = site.file_of(url.loc)
        # Other rules report another scheme or host, and a fragment.
        if not file or "#" in url.loc:
            continue
        first = spelled.setdefault(file, url.loc)
        if url.loc == first or split_url(url.loc).scheme != split_url(first).scheme:
            continue
        if host_of(url.loc) == host_of(first):
            yield url.place, f"This address and {first} are the same page. List only one of them."


@rule("warning", once=True)
def addresses_redirect(url: Url, site: Site) -> Findings:
    """The host redirects a listed address that ends with `.html`.

    Search engines need two requests for each page, and learn that the address in the sitemap has moved.
    Let the generator write `a/index.html` instead of `a.html`, or set the option `links` to `clean`.
    Source: Cloudflare: serving Pages,
    https://developers.cloudflare.com/pages/configuration/serving-pages/
    """
    visit = site.visitor.visit(url.loc)
    if visit.drops_html:
        platform = site.hosting.platform.name
        message = f"{platform} redirects this address to {visit.target}. List addresses without `.html`."
        yield url.place, message
