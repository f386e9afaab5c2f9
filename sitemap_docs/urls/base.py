"""URLs: the base URL of a site, the address of a page, and the comparison of two addresses."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Literal, NamedTuple
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit

from sitemap_docs.model import MAX_LOC, SitemapError
from sitemap_docs.rules import reported_text
from sitemap_docs.urls.hosts import is_local_host, is_to_fill_in

#: The schemes of web addresses, with their default ports.
UrlRelation = Literal["same", "spelling", "elsewhere"]
"""How a canonical link relates to the address of its page, see :func:`compare_urls`."""

PORTS = {"http": 80, "https": 443}
#: The status of a response, or of a host's rule, that serves the page itself.
OK = 200
#: The statuses that redirect to another address. Any other status means that there is no page.
MOVED = frozenset({301, 302, 303, 307, 308})
_LONGEST_HOST = 253  # characters (RFC 1035 2.3.4), without the final dot

_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/]*)((?:/.*)?)", re.DOTALL)
_AUTHORITY = re.compile(r"(\[[^]]*\]|[^:]*)(?::([0-9]*))?")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_SCHEME = re.compile(r"\Ahttps?://(?:www\.)?")
_FILES = (".html", ".htm", ".xml", ".php", ".md", ".txt")
_REPOSITORIES = frozenset({"github.com", "www.github.com", "gitlab.com", "bitbucket.org", "codeberg.org"})
_UNSAFE = re.compile(r"[\x00-\x20\x7f\\]|\s")
_SEGMENT = "!$&'()*+,;=:@%"  # allowed in a segment, besides unreserved characters (RFC 3986 3.3)
_QUERY = f"{_SEGMENT}/?"
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_PLAIN = re.compile(r"[A-Za-z0-9_.~/-]*")  # `quote` does not change such a path, but is ten times slower
_PLAIN_BELOW = re.compile(r"[A-Za-z0-9_~/-]*(?:\.[A-Za-z0-9_~-]+)*/?", re.ASCII)  # needs no decoding
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})?")

# An address without dot segments and percent-encoding. All such addresses of a page have the same group.
_USUAL = re.compile(
    r"https?://(?:www\.)?([a-z0-9]+(?:[.-][a-z0-9]+)*(?:/[A-Za-z0-9_~-][A-Za-z0-9_.~-]*)*?"
    r"/(?:(?!index\.html\Z)[A-Za-z0-9_~-][A-Za-z0-9_.~-]*)?)(?:index\.html)?"
)

_SESSION_PATH = re.compile(r";(?:jsessionid|phpsessid|sid|sessionid)=[^/?#;]*", re.IGNORECASE)
_SESSION_FIELD = re.compile(
    r"(?:jsessionid|phpsessid|sid|session_?id|cfid|cftoken|aspsessionid[a-z]*)=.*", re.IGNORECASE
)


class _Url(NamedTuple):
    """The parts of a web address in normal form, so that two spellings of an address have equal parts."""

    scheme: str
    host: str
    port: int | None
    path: str
    query: str | None

    @property
    def site(self) -> str:
        """The host name without ``www.``: ``example.org`` for ``https://www.example.org/a/``."""
        return self.host.removeprefix("www.")

    @property
    def segments(self) -> tuple[str, ...]:
        """The path, split at each slash and decoded: ``('', 'a b', '')`` for ``/a%20b/``."""
        return tuple(unquote(segment, errors="surrogateescape") for segment in self.path.split("/"))

    @property
    def page(self) -> tuple[object, ...]:
        """A tuple for comparing pages. It is the same for the addresses ``a/`` and ``a/index.html``."""
        *folders, name = self.segments
        if name == "index.html":
            name = ""
        return self.site, folders, name, self.query


@dataclass(frozen=True, slots=True)
class Base:
    """The base URL of a site, in normal form, with a final slash.

    >>> Base.of("HTTPS://Docs.Example.com:443/a/../%7euser")
    Base(url='https://docs.example.com/~user/')
    """

    url: str

    @classmethod
    def of(cls, text: str) -> Base:
        """Parse a base URL that a user wrote.

        Raises:
            SitemapError: The text is not a valid base URL.

        >>> Base.of("https://e.org/?v")
        Traceback (most recent call last):
        sitemap_docs.model.SitemapError: The base URL 'https://e.org/?v' must not have a query or a fragment.
        """
        try:
            # The normal form is that of RFC 3986 6.2.2.
            url = _parse(text, plain=True)
        except ValueError as error:
            raise SitemapError(f"The base URL {text!r} {error}.") from None
        host = url.host
        if url.port is not None:
            host += f":{url.port}"
        base = f"{url.scheme}://{host}{url.path}".rstrip("/") + "/"
        if len(base) > MAX_LOC:
            raise SitemapError(f"The base URL {base[:60]!r}… is longer than {MAX_LOC} characters.")
        return cls(base)

    @property
    def origin(self) -> str:
        """Scheme, host and port, without the path: ``https://example.org:8443``."""
        end = self.url.index("/", len("https://"))
        return self.url[:end]

    @property
    def is_root(self) -> bool:
        """Whether the base URL has no path, as in ``https://example.org/``."""
        # Only then can the site have a robots.txt (RFC 9309 2.3).
        return self.url == self.origin + "/"

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the site."""
        return is_local(self.url)

    @property
    def is_file(self) -> bool:
        """Whether the base URL ends like a file, such as ``/index.html``."""
        path = self.url.removeprefix(self.origin).rstrip("/")
        return path.lower().endswith(_FILES)

    @property
    def problem(self) -> str:
        """The reason why this base URL cannot be that of a public site, as an error message, or ``""``."""
        host = host_of(self.url)
        path = self.url.removeprefix(self.origin).strip("/")
        above = path.rpartition("/")[0]
        if host in PORTS:
            return f"The base URL {self.url} begins with two schemes. Write {host}://{path}/."
        if self.is_file:
            folder = f"{self.origin}/{above}".rstrip("/")
            return f"The base URL {self.url} is the address of a file. Write {folder}/."
        if host in _REPOSITORIES and path:
            return (
                f"The base URL {self.url} is the address of a repository. Write the address at which readers "
                "see the site, such as https://OWNER.github.io/REPOSITORY/."
            )
        if is_to_fill_in(host):
            return (
                f"The host of the base URL {self.url} is a placeholder. Write the address at which readers "
                "see the site."
            )
        if "." not in host and ":" not in host and not self.is_local:
            return (
                f"The host of the base URL {self.url} has no dot, so that no search engine reaches it. Write "
                "the whole name, such as https://docs.example.com/."
            )
        return ""

    def loc(self, path: str) -> str:
        """Return the absolute, percent-encoded URL of a path in the site.

        >>> Base.of("https://example.org/docs").loc("per%41cent/é & b.html")
        'https://example.org/docs/per%2541cent/%C3%A9%20%26%20b.html'
        """
        # As in Sphinx and MkDocs, &, ' and + are encoded, too, but ~ is not.
        return self.url + encoded(path)

    def path_of(self, url: str) -> str | None:
        """Return the path of a URL below the base URL, without percent-encoding. For other URLs, return None.

        >>> Base.of("https://example.org/docs").path_of("http://www.Example.org:80/docs/%c3%a9/#top")
        'é/'
        """
        if url.startswith(self.url):
            path = url[len(self.url) :]
            if _PLAIN_BELOW.fullmatch(path):
                return path
        return _path_below(self, url)

    def contains(self, url: str) -> bool:
        """Check whether a URL begins with this base URL. The scheme and ``www.`` make no difference.

        >>> Base.of("https://example.org/en").contains("http://www.example.org/en/a/")
        True
        """
        return _SCHEME.sub("", url).startswith(_SCHEME.sub("", self.url))

    def normalise(self, url: str) -> str:
        """Return a URL as the sitemap must contain it: absolute, percent-encoded and without session ids.

        >>> Base.of("https://example.org/docs").normalise("/é & b.pdf?v=1&sid=5#top")
        'https://example.org/docs/%C3%A9%20%26%20b.pdf?v=1'

        Raises:
            ValueError: The sitemap cannot list the URL. The message begins with a verb: ``is longer than …``.
        """
        absolute = urljoin(self.url, url.lstrip("/"))
        address, _, _ = strip_session(absolute).partition("#")
        parsed = _parse(address.replace(" ", "%20"))
        base = _parse(self.url)
        if (parsed.scheme, parsed.host, parsed.port) != (base.scheme, base.host, base.port):
            raise ValueError(f"is not on the sitemap's own host, {self.origin}")
        loc = self.origin + "/".join(
            quote(segment, safe="", errors="surrogateescape") for segment in parsed.segments
        )
        if parsed.query is not None:
            loc += f"?{quote(parsed.query, safe=_QUERY)}"
        if len(loc) > MAX_LOC:
            raise ValueError(f"is longer than {MAX_LOC} characters")
        return loc


@lru_cache(maxsize=1_024)
def _path_below(base: Base, url: str) -> str | None:
    """Return the path of a URL below a base URL, without percent-encoding. For other URLs, return None."""
    try:
        address = _parse(url)
    except ValueError:
        return None
    parsed_base = _parse(base.url)
    depth = len(parsed_base.segments) - 1
    above, below = address.segments[:depth], address.segments[depth:]
    is_below = address.site == parsed_base.site and above == parsed_base.segments[:depth] and below
    if not is_below or address.query is not None:
        return None
    if any("/" in segment for segment in below):  # the path of a file contains no encoded slash
        return None
    return "/".join(below)


def is_elsewhere(canonical: Base, given: Base) -> bool:
    """Check whether canonical links lead to another version or language than the one that is built.

    ``canonical`` is the base URL of the links, and ``given`` that of the build.

    >>> latest = Base.of("https://docs.example.com/en/latest/")
    >>> is_elsewhere(Base.of("https://docs.example.com/en/stable/"), latest)
    True
    """
    host, path = place_of(given)
    canonical_host, canonical_path = place_of(canonical)
    # The whole site, such as https://docs.example.com/, is not elsewhere.
    if host != canonical_host or path.startswith(canonical_path):
        return False
    is_same_path = path.lower() == canonical_path.lower().replace("_", "-")  # Read the Docs writes `pt-br`
    return not is_same_path


def place_of(base: Base) -> tuple[str, str]:
    """Split a base URL into its host, without ``www.``, and its path.

    >>> place_of(Base.of("https://www.example.org/docs/"))
    ('example.org', '/docs/')
    """
    host = host_of(base.url).removeprefix("www.")
    # Read the Docs redirects readthedocs.org to readthedocs.io.
    if host.endswith(".readthedocs.org"):
        host = host.removesuffix("org") + "io"
    return host, base.url.removeprefix(base.origin)


def is_local(url: str) -> bool:
    """Check whether only this machine can reach a URL."""
    return is_local_host(host_of(url))


def given_base(url: str, *, in_file: bool) -> str:
    """Return the base URL that the user has set, or ``""`` if only a local URL is set in a file.

    If ``in_file`` is true, the URL is from a configuration file. Then a local URL, such as
    ``http://localhost/``, is ignored. From a command-line flag, it is used.
    """
    # A local URL is meant for a single run.
    return "" if in_file and is_local(url) else url


def encoded(path: str) -> str:
    """Percent-encode a path, for example ``a b.html`` as ``a%20b.html``."""
    if _PLAIN.fullmatch(path):
        return path
    return quote(path, errors="surrogateescape")


def compare_urls(canonical: str, loc: str) -> UrlRelation:
    """Return whether a canonical link leads to its own page, to the page in another spelling, or elsewhere.

    >>> compare_urls("./", "https://example.org/docs/a/")
    'same'
    >>> compare_urls("http://www.example.org/%61/", "https://example.org/a/")
    'spelling'
    >>> compare_urls("https://example.org/en/stable/a/", "https://example.org/en/latest/a/")
    'elsewhere'
    """
    if canonical == loc:
        return "same"
    # For usual addresses this is ten times faster, which counts if each page links to its translations.
    usual_canonical, usual_loc = _USUAL.fullmatch(canonical), _USUAL.fullmatch(loc)
    if usual_canonical and usual_loc:
        return "spelling" if usual_canonical[1] == usual_loc[1] else "elsewhere"
    try:
        if normalise_host(urljoin(loc, canonical)) == normalise_host(loc):
            return "same"
        # Browsers read backslashes as slashes, and encode spaces.
        target = urljoin(loc, canonical.replace("\\", "/")).replace(" ", "%20")
        is_same_page = _parse(target).page == _parse(loc).page
    except ValueError:
        # Search engines ignore a link that is not a web address.
        return "spelling"
    return "spelling" if is_same_page else "elsewhere"


def origin_advice(canonical: str, loc: str) -> str:
    """Return advice if a canonical link has another host or scheme than its page, otherwise ``""``.

    The advice names the setting to change. ``loc`` is the URL of the page.

    >>> origin_advice("https://example.org/a/", "https://example.org/b/")
    ''
    """
    link, page = split_url(canonical), split_url(loc)
    is_same = (link.scheme, link.netloc) == (page.scheme, page.netloc)
    if is_same or not link.netloc:
        return ""
    base = "the base URL (`html_baseurl` in conf.py, `site_url` in mkdocs.yml, or --base-url)"
    theme = "the setting from which the theme writes its links (such as `canonical_url` of its options)"
    return (
        f"If readers see the site at {link.scheme}://{link.netloc}, change {base}; if they see it at "
        f"{page.scheme}://{page.netloc}, change {theme}."
    )


def normalise_host(url: str) -> str:
    """Write the host of a URL in lower case. If the URL has no path, add ``/``.

    >>> normalise_host("https://Docs.Example.com"), normalise_host("https://docs.example.com/A")
    ('https://docs.example.com/', 'https://docs.example.com/A')
    """
    # Both spellings have the same meaning (RFC 3986 6.2.2.1 and 6.2.3).
    authority = split_url(url).netloc
    if not authority:
        return url
    scheme, _, rest = url.partition(f"//{authority}")
    return f"{scheme}//{authority.lower()}{rest or '/'}"


def strip_session(url: str) -> str:
    """Remove session ids from a URL.

    >>> strip_session("https://example.org/a;jsessionid=1A?x=1&PHPSESSID=2#b")
    'https://example.org/a?x=1#b'
    """
    before, hash_sign, fragment = url.partition("#")
    path, mark, query = before.partition("?")
    # The FAQ of sitemaps.org asks to remove session ids.
    fields = [field for field in query.split("&") if not _SESSION_FIELD.fullmatch(field)]
    rest = "&".join(fields)
    if query and not rest:
        mark = ""
    return _SESSION_PATH.sub("", path) + mark + rest + hash_sign + fragment


@lru_cache(maxsize=1_024)
def is_web(place: str) -> bool:
    """Check whether a text is a URL such as ``https://example.org/``, not the path of a file."""
    return place.lower().startswith(("https://", "http://"))


def split_url(url: str) -> SplitResult:
    """Split a URL into its parts. The parts of an invalid URL are empty."""
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", "", "", "")


def host_of(url: str) -> str:
    """Return the host of a URL in lower case, or ``""``."""
    return (split_url(url).hostname or "").lower()


def without_query(url: str) -> str:
    """Remove the query and the fragment from a URL."""
    return url.partition("#")[0].partition("?")[0]


def resolve(base: str, url: str) -> str:
    """Return the absolute URL of a link such as ``../a/`` in the page with the URL ``base``."""
    try:
        return urljoin(base, url)
    except ValueError:
        return url


def _parse(text: str, *, plain: bool = False) -> _Url:
    """Parse an absolute web address.

    If ``plain`` is true, reject a query (``?a=1``) and a fragment (``#a``).

    Raises:
        ValueError: The address is not valid. The message begins with a verb: ``must contain a host``.
    """
    if _UNSAFE.search(text):
        raise ValueError("must not contain white space, control characters or backslashes")
    address, hash_sign, _ = text.partition("#")
    address, mark, query = address.partition("?")
    if plain and (mark or hash_sign):
        raise ValueError("must not have a query or a fragment")
    match = _ADDRESS.fullmatch(address)
    if not match or match[1].lower() not in PORTS:
        advice = ""
        if not match and "." in address.partition("/")[0]:
            advice = f": write https://{address}"
        raise ValueError(f"must start with https:// or http://{advice}")
    scheme = match[1].lower()
    authority, path = match[2], match[3]
    if not authority:
        raise ValueError("must contain a host, as in https://example.org/")
    if "@" in authority:
        raise ValueError("must not contain a user name or password")
    host_and_port = _AUTHORITY.fullmatch(authority)
    port = 0
    if host_and_port:
        port = int(host_and_port[2] or PORTS[scheme])
    if not host_and_port or not 0 < port < 2**16:
        raise ValueError("must have a number from 1 to 65535 as the port")
    return _Url(
        scheme=scheme,
        host=_host(host_and_port[1]),
        port=None if port == PORTS[scheme] else port,
        path=_path(path),
        query=query if mark else None,
    )


def _host(text: str) -> str:
    """Normalise a host name: ``xn--bcher-kva.example`` for ``bücher.example``.

    Raises:
        ValueError: The host is not valid.
    """
    try:
        if text.startswith("["):
            return f"[{IPv6Address(text[1:-1])}]"
        name = unquote(text)
        if not name.isascii():
            import idna  # noqa: PLC0415  it loads large tables, and few sites need them

            # By UTS 46, ß stays, and soft hyphens are removed.
            name = idna.encode(name, uts46=True).decode()
        host = name.lower()
        labels = host.split(".")
        if labels[-1].isdigit():
            return str(IPv4Address(host))
    except (AddressValueError, UnicodeError):
        raise ValueError(f"has an invalid host, {text!r}") from None
    if len(host) > _LONGEST_HOST or not all(_LABEL.fullmatch(label) for label in labels):
        raise ValueError(f"has an invalid host, {text!r}")
    return host


def _path(text: str) -> str:
    """Normalise the path of a URL: ``/~user`` for ``/a/../%7euser``."""
    # RFC 3986 5.2.4 and 6.2.2 describe these steps.
    names = []
    for segment in text.split("/")[1:]:
        quoted = quote(segment, safe=_SEGMENT)
        names.append(_ESCAPE.sub(_escape, quoted))
    if names and names[-1] in (".", ".."):
        names.append("")
    segments: list[str] = []
    for name in names:
        if name == "..":
            del segments[-1:]
        elif name != ".":
            segments.append(name)
    return "/" + "/".join(segments)


def _escape(match: re.Match[str]) -> str:
    """Return a percent-encoded character in normal form: ``~`` for ``%7e``, ``%C3`` for ``%c3``."""
    character = "%"
    if match[1]:
        character = chr(int(match[1], 16))
    if character in _UNRESERVED:
        return character
    return f"%{ord(character):02X}"


@reported_text()
def base_url(message: str) -> None:
    """The base URL of the project is not the address of a site, so no sitemap is written.

    The addresses of a sitemap are absolute.
    Write the whole address of the site, with its scheme.
    Wrong: `site_url: docs.example.com`
    Right: `site_url: https://docs.example.com/`
    Source: sitemaps.org: the element loc,
    https://www.sitemaps.org/protocol.html#locdef
    """
