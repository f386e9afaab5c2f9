"""URLs: the canonical base, the loc of a path, styles of links, and when two spellings are one address."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Literal, NamedTuple, get_args
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit

from sitemap_docs.config.options import LinkStyle
from sitemap_docs.model import MAX_LOC, SitemapError, reported
from sitemap_docs.urls.hosts import is_local_host, is_to_fill_in

#: The schemes of web addresses, and their ports.
PORTS = {"http": 80, "https": 443}
#: The status of a response, or of a host's rule, with which the page itself is served.
OK = 200
#: Those that lead to another address; with any other there is no page.
MOVED = frozenset({301, 302, 303, 307, 308})
_LONGEST_HOST = 253  # characters, RFC 1035 2.3.4 without the dot of the root

_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/]*)((?:/.*)?)", re.DOTALL)
_AUTHORITY = re.compile(r"(\[[^]]*\]|[^:]*)(?::([0-9]*))?")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_FILES = (".html", ".htm", ".xml", ".php", ".md", ".txt")
_REPOSITORIES = frozenset({"github.com", "www.github.com", "gitlab.com", "bitbucket.org", "codeberg.org"})
_UNSAFE = re.compile(r"[\x00-\x20\x7f\\]|\s")
_KEPT = "!$&'()*+,;=:@%"  # what RFC 3986 3.3 allows in a segment beside the unreserved
_QUERY = f"{_KEPT}/?"
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_PLAIN = re.compile(r"[A-Za-z0-9_.~/-]*")  # what `quote` leaves, but takes ten times as long for
_PLAIN_BELOW = re.compile(r"[A-Za-z0-9_~/-]*(?:\.[A-Za-z0-9_~-]+)*/?", re.ASCII)  # as it is decoded
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})?")

# An address with nothing to resolve or decode; the group is what its page has in all such spellings.
_USUAL = re.compile(
    r"https?://(?:www\.)?([a-z0-9]+(?:[.-][a-z0-9]+)*(?:/[A-Za-z0-9_~-][A-Za-z0-9_.~-]*)*?"
    r"/(?:(?!index\.html\Z)[A-Za-z0-9_~-][A-Za-z0-9_.~-]*)?)(?:index\.html)?"
)

_SESSION_PATH = re.compile(r";(?:jsessionid|phpsessid|sid|sessionid)=[^/?#;]*", re.IGNORECASE)
_SESSION_FIELD = re.compile(
    r"(?:jsessionid|phpsessid|sid|session_?id|cfid|cftoken|aspsessionid[a-z]*)=.*", re.IGNORECASE
)


class _Url(NamedTuple):
    scheme: str
    host: str
    port: int | None
    path: str
    query: str | None

    @property
    def site(self) -> str:
        """The host without ``www.``."""
        return self.host.removeprefix("www.")

    @property
    def segments(self) -> tuple[str, ...]:
        """The path, split at its slashes and then decoded."""
        return tuple(unquote(segment, errors="surrogateescape") for segment in self.path.split("/"))

    @property
    def page(self) -> tuple[object, ...]:
        """What two spellings of one page share."""
        *folders, name = self.segments
        if name == "index.html":
            name = ""
        return self.site, folders, name, self.query


@dataclass(frozen=True, slots=True)
class Base:
    """The canonical base URL, normalised as RFC 3986 (6.2.2) allows; it ends with a slash.

    Scheme and host are in lower case, IDNA as punycode, without a default port; the path has no dot segments,
    its escapes are in upper case and only where they are needed.

    >>> Base.of("HTTPS://Docs.Example.com:443/a/../%7euser")
    Base(url='https://docs.example.com/~user/')
    """

    url: str

    @classmethod
    def of(cls, text: str) -> Base:
        """The base that the user wrote as ``text``.

        Raises SitemapError, naming the value, for what cannot be the base of a site's pages.

        >>> Base.of("https://e.org/?v")
        Traceback (most recent call last):
        sitemap_docs.model.SitemapError: The base URL 'https://e.org/?v' must not have a query or a fragment.
        """
        try:
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
        """``scheme://host[:port]``."""
        return self.url[: self.url.index("/", len("https://"))]

    @property
    def is_root(self) -> bool:
        """Whether the site is its whole host, so that its robots.txt is read (RFC 9309 2.3)."""
        return self.url == self.origin + "/"

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        return is_local(self.url)

    @property
    def problem(self) -> str:
        """Why no documentation is served there, and what to write instead; ``""`` where one can be.

        >>> Base.of("https://docs.example.com/index.html").problem
        'The base URL https://docs.example.com/index.html/ is that of a file. Write https://docs.example.com/.'
        """
        host, path = host_of(self.url), self.url.removeprefix(self.origin).strip("/")
        above, _, name = path.rpartition("/")
        if host in PORTS:
            return f"The base URL {self.url} begins with two schemes. Write {host}://{path}/."
        if name.lower().endswith(_FILES):
            folder = f"{self.origin}/{above}".rstrip("/")
            return f"The base URL {self.url} is that of a file. Write {folder}/."
        if host in _REPOSITORIES and path:
            return (
                f"The base URL {self.url} is that of a repository. Write the address at which readers see "
                "the site, such as https://OWNER.github.io/REPOSITORY/."
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
        """The absolute URL of ``path``, percent-encoded once; ``~`` stays, ``&``, ``'`` and ``+`` do not.

        It is the spelling of Sphinx's html builder and of MkDocs.

        >>> Base.of("https://example.org/docs").loc("per%41cent/é & b.html")
        'https://example.org/docs/per%2541cent/%C3%A9%20%26%20b.html'
        """
        return self.url + encoded(path)

    def path_of(self, url: str) -> str | None:
        """The path below the base of an absolute ``url`` in any spelling, not encoded; None: not ours.

        >>> Base.of("https://example.org/docs").path_of("http://www.Example.org:80/docs/%c3%a9/#top")
        'é/'
        """
        if url.startswith(self.url):
            path = url[len(self.url) :]
            if _PLAIN_BELOW.fullmatch(path):
                return path
        return _path_below(self, url)

    def spelled(self, url: str) -> str:
        """The loc of a ``url`` of this host, absolute or below the base, without fragment and session ids.

        ValueError, which completes "The URL x …", for one that a sitemap of this host cannot list.

        >>> Base.of("https://example.org/docs").spelled("/é & b.pdf?v=1&sid=5#top")
        'https://example.org/docs/%C3%A9%20%26%20b.pdf?v=1'
        """
        address = strip_session(urljoin(self.url, url.lstrip("/"))).partition("#")[0]
        parsed, ours = _parse(address.replace(" ", "%20")), _parse(self.url)
        if parsed[:3] != ours[:3]:
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
    try:
        address = _parse(url)
    except ValueError:
        return None
    ours = _parse(base.url)
    depth = len(ours.segments) - 1
    above, below = address.segments[:depth], address.segments[depth:]
    is_below = address.site == ours.site and above == ours.segments[:depth] and below
    if not is_below or address.query is not None:
        return None
    if any("/" in segment for segment in below):  # an encoded slash: no path of a file
        return None
    return "/".join(below)


def is_elsewhere(canonical: Base, given: Base) -> bool:
    """Whether the canonical links of a build lead to another version or language, on the host that serves it.

    A base that is above the one that the platform ``given``, or is only spelled otherwise, is the same site.
    """
    (host, path), (their_host, their_path) = place_of(given), place_of(canonical)
    spelled = their_path.lower().replace("_", "-")  # Read the Docs has `pt-br`
    return host == their_host and not path.startswith(their_path) and path.lower() != spelled


def place_of(base: Base) -> tuple[str, str]:
    """The host and the path of a base; Read the Docs redirects its former domain to the present one."""
    host = host_of(base.url).removeprefix("www.")
    if host.endswith(".readthedocs.org"):
        host = host.removesuffix("org") + "io"
    return host, base.url.removeprefix(base.origin)


def is_local(url: str) -> bool:
    """Whether only this machine can reach an address; False for what is none."""
    return is_local_host(host_of(url))


def given_base(url: str, *, in_file: bool) -> str:
    """A base URL that the user gave; ``""`` for a local one in a file, as it is meant for one run alone."""
    return "" if in_file and is_local(url) else url


def encoded(path: str) -> str:
    """A path percent-encoded once, as :meth:`Base.loc` spells it."""
    return path if _PLAIN.fullmatch(path) else quote(path, errors="surrogateescape")


def compare_urls(canonical: str, loc: str) -> Literal["same", "spelling", "elsewhere"]:
    """Returns how a page's canonical link stands to its loc, once resolved against it.

    "spelling": the same page, but for scheme, ``www.``, port, percent-encoding, a fragment or a final
    ``index.html``; or no web address at all, which engines ignore. "elsewhere": another page.

    >>> compare_urls("./", "https://example.org/docs/a/")
    'same'
    >>> compare_urls("http://www.example.org/%61/", "https://example.org/a/")
    'spelling'
    >>> compare_urls("https://example.org/en/stable/a/", "https://example.org/en/latest/a/")
    'elsewhere'
    """
    if canonical == loc:
        return "same"
    theirs, ours = _USUAL.fullmatch(canonical), _USUAL.fullmatch(loc)
    if theirs and ours:  # for each of a page's links to its translations, the rest takes ten times as long
        return "spelling" if theirs[1] == ours[1] else "elsewhere"
    try:
        if normal(urljoin(loc, canonical)) == normal(loc):
            return "same"
        read = urljoin(loc, canonical.replace("\\", "/")).replace(" ", "%20")  # as browsers do
        return "spelling" if _parse(read).page == _parse(loc).page else "elsewhere"
    except ValueError:
        return "spelling"


def origin_advice(canonical: str, loc: str) -> str:
    """Returns what to change where a canonical link has another scheme or host than its page.

    It is ``""`` elsewhere.

    >>> origin_advice("https://example.org/a/", "https://example.org/b/")
    ''
    """
    theirs, ours = split_url(canonical), split_url(loc)
    if (theirs.scheme, theirs.netloc) == (ours.scheme, ours.netloc) or not theirs.netloc:
        return ""
    base = "the base URL (`html_baseurl` in conf.py, `site_url` in mkdocs.yml, or --base-url)"
    theme = "the setting from which the theme writes its links (such as `canonical_url` of its options)"
    return (
        f"If readers see the site at {theirs.scheme}://{theirs.netloc}, change {base}; if they see it at "
        f"{ours.scheme}://{ours.netloc}, change {theme}."
    )


def normal(url: str) -> str:
    """An address with its host in lower case, and with the path ``/`` where it has none.

    Both are the same address (RFC 3986 6.2.2.1 and 6.2.3).

    >>> normal("https://Docs.Example.com"), normal("https://docs.example.com/A")
    ('https://docs.example.com/', 'https://docs.example.com/A')
    """
    authority = split_url(url).netloc
    if not authority:
        return url
    scheme, _, rest = url.partition(f"//{authority}")
    return f"{scheme}//{authority.lower()}{rest or '/'}"


def strip_session(url: str) -> str:
    """``url`` without session ids (``;jsessionid=``, ``PHPSESSID=``, ``sid=`` …), else as it is.

    The sitemaps.org FAQ asks to remove them from listed URLs.

    >>> strip_session("https://example.org/a;jsessionid=1A?x=1&PHPSESSID=2#b")
    'https://example.org/a?x=1#b'
    """
    before, hash_sign, fragment = url.partition("#")
    path, mark, query = before.partition("?")
    kept = "&".join(field for field in query.split("&") if not _SESSION_FIELD.fullmatch(field))
    if query and not kept:
        mark = ""
    return _SESSION_PATH.sub("", path) + mark + kept + hash_sign + fragment


@lru_cache(maxsize=1_024)
def split_url(url: str) -> SplitResult:
    """The parts of an address as it is written; empty ones for what is none, such as ``https://[``."""
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", "", "", "")


def host_of(url: str) -> str:
    """The host of an address, in lower case; ``""`` without one."""
    return (split_url(url).hostname or "").lower()


def without_query(url: str) -> str:
    """``url`` without its query and fragment."""
    return url.partition("#")[0].partition("?")[0]


def resolve(base: str, url: str) -> str:
    """``url`` as a page at ``base`` means it; as it is written where it is no address."""
    try:
        return urljoin(base, url)
    except ValueError:
        return url


def _parse(text: str, *, plain: bool = False) -> _Url:
    """The parts of an absolute http(s) URL, normalised; ValueError completes "The URL x …".

    ``plain`` allows no query and no fragment.
    """
    if _UNSAFE.search(text):
        raise ValueError("must not contain white space, control characters or backslashes")
    address, hash_sign, _ = text.partition("#")
    address, mark, query = address.partition("?")
    if plain and (mark or hash_sign):
        raise ValueError("must not have a query or a fragment")
    match = _ADDRESS.fullmatch(address)
    if not match or (scheme := match[1].lower()) not in PORTS:
        advice = ""
        if not match and "." in address.partition("/")[0]:
            advice = f": write https://{address}"
        raise ValueError(f"must start with https:// or http://{advice}")
    authority, path = match[2], match[3]
    if not authority:
        raise ValueError("must name a host, as in https://example.org/")
    if "@" in authority:
        raise ValueError("must not contain a user name or password")
    split = _AUTHORITY.fullmatch(authority)
    port = int(split[2] or PORTS[scheme]) if split else 0
    if not split or not 0 < port < 2**16:
        raise ValueError("must have a number from 1 to 65535 as the port")
    return _Url(
        scheme=scheme,
        host=_host(split[1]),
        port=None if port == PORTS[scheme] else port,
        path=_path(path),
        query=query if mark else None,
    )


def _host(text: str) -> str:
    """A host as browsers map it: by UTS 46, not transitional, so that ß stays and soft hyphens go."""
    try:
        if text.startswith("["):
            return f"[{IPv6Address(text[1:-1])}]"
        name = unquote(text)
        if not name.isascii():
            import idna  # noqa: PLC0415  large tables, for few hosts

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
    """A path with its dot segments resolved (RFC 3986 5.2.4) and its escapes normalised (6.2.2)."""
    names = [_ESCAPE.sub(_escape, quote(segment, safe=_KEPT)) for segment in text.split("/")[1:]]
    if names and names[-1] in (".", ".."):
        names.append("")
    kept: list[str] = []
    for name in names:
        if name == "..":
            del kept[-1:]
        elif name != ".":
            kept.append(name)
    return "/" + "/".join(kept)


def _escape(match: re.Match[str]) -> str:
    character = "%"
    if match[1]:
        character = chr(int(match[1], 16))
    if character in _UNRESERVED:
        return character
    return f"%{ord(character):02X}"


@reported()
def base_url(message: str) -> str:
    """The base URL of the project is no address of a site, so that no sitemap is written.

    The addresses of a sitemap are absolute.
    Write the whole address of the site, with its scheme.
    Wrong: `site_url: docs.example.com`
    Right: `site_url: https://docs.example.com/`
    Source: sitemaps.org: the element loc,
    https://www.sitemaps.org/protocol.html#locdef
    """
    return message


STYLES: tuple[LinkStyle, ...] = get_args(LinkStyle)


def address(file: str, links: LinkStyle) -> str:
    """The path at which a host serves a file: the shortest, in that style, at which it finds the file.

    ``links`` is "folders" (``a.html``, ``b/``), "files" (``a.html``, ``b/index.html``), "clean" (``a``,
    ``b/``) or "bare" (``a``, ``b``). Hosts leave out ``.html`` and ``index.html`` in just this spelling.

    >>> [address(file, "clean") for file in ("a.html", "b/index.html", "c.htm", "d.HTML", "e/index.htm")]
    ['a', 'b/', 'c.htm', 'd.HTML', 'e/index.htm']
    """
    folder, slash, name = file.rpartition("/")
    if links == "files":
        return file
    if name == "index.html":
        return folder if links == "bare" else folder + slash
    if links == "folders":
        return file
    return file.removesuffix(".html")


def spellings(file: str) -> set[str]:
    """The paths at which hosts serve a file, in any style."""
    return {address(file, style) for style in STYLES}


def count_styles(addresses: Iterable[tuple[str, str]]) -> Counter[LinkStyle]:
    """Returns how many of some addresses, each a file and its path, are what a style makes of the file."""
    votes: Counter[LinkStyle] = Counter(dict.fromkeys(STYLES, 0))
    for file, path in addresses:
        votes.update(style for style in STYLES if address(file, style) == path)
    return votes
