"""Read what the head of a rendered page says to search engines."""

import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from sys import intern
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from sitemap_docs import files
from sitemap_docs.config.directives import VALUED, Directive, forbid_listing, read_directives
from sitemap_docs.html.trees import FEW_BYTES, Attributes, Tree, head_trees, utf8, whole_trees
from sitemap_docs.linear import linear
from sitemap_docs.model import MAX_LOC, Alternate
from sitemap_docs.robots import CRAWLERS
from sitemap_docs.urls.base import PORTS, compare_urls, resolve, split_url

_BOTS = ("robots", *map(str.lower, CRAWLERS))
"""The bots whose directives decide whether a page is listed. ``robots`` means every search engine."""
_GOOGLE = ("robots", "googlebot")
"""The bots whose directives Google follows. ``googlebot-news`` is only about Google News."""


class RobotsTag(NamedTuple):
    """Instructions to a search engine, such as ``<meta name="robots" content="noindex">``."""

    #: The crawler, or ``robots`` for all crawlers.
    bot: str
    #: The instructions, such as ``noindex``.
    directives: tuple[Directive, ...]

    @property
    def noindex(self) -> bool:
        """Whether the tag tells search engines not to list the page."""
        return self.bot in _BOTS and forbid_listing(self.directives)

    @property
    def unavailable_after(self) -> str:
        """The date after which Google hides the page, or ``""``. Other search engines ignore such dates."""
        if self.bot not in _GOOGLE:
            return ""
        for directive in self.directives:
            if directive.name == "unavailable_after":
                return directive.value
        return ""


# The name of a crawler before its instructions, as in "googlebot: noindex". It never begins with a digit, as
# the hours of a date do.
_BOT = re.compile(rf"(?<![^\s,;])(?!(?:{'|'.join(VALUED)})\s*:)([a-z_*-][^\s,;:]*)\s*:")


@linear
def x_robots_tag(value: str) -> tuple[RobotsTag, ...]:
    r"""Parse the HTTP header ``X-Robots-Tag`` into one tag for each crawler.

    Instructions without the name of a crawler get the name ``robots``, which means all crawlers.

    >>> [(tag.bot, tag.noindex) for tag in x_robots_tag("googlebot: noindex, nofollow\nmax-snippet: 20")]
    [('googlebot', True), ('robots', False)]
    """
    by_bot: dict[str, list[Directive]] = {}
    for line in value.lower().splitlines():
        pieces = _BOT.split(line)
        bots = ["robots", *pieces[1::2]]
        for bot, text in zip(bots, pieces[::2], strict=True):
            directives = [*read_directives(text)]
            if directives:
                by_bot.setdefault(bot, []).extend(directives)
    return tuple(RobotsTag(bot, tuple(directives)) for bot, directives in by_bot.items())


_FIRST_READ = 16_384

_HTTP_EQUIV = b"http-equiv"
_HYPHEN = ord("-")
_MOST_TRIES = 1_000

_MODIFIED = frozenset(
    {"article:modified_time", "og:updated_time", "last-modified", "dcterms.modified", "datemodified"}
)
# Google ignores canonical links with one of these attributes: Search Central, "Consolidate duplicate URLs".
_VARIANT = {"hreflang", "lang", "media", "type"}
_REFRESH = re.compile(
    r"\s*[\d.]+(?:\s*\Z|[\s;,]\s*(?:[;,]\s*)?(?:url\s*=\s*)?(\S.*)?)", re.IGNORECASE | re.DOTALL
)

_DOCUMENT = re.compile(rb"<(?:!doctype|html)(?=[\s>])", re.IGNORECASE)
_HTML = re.compile(rb"<(?:!doctype\s+)?html(?=[\s>])", re.IGNORECASE)
#: The start of an HTML page, or of a program in it that writes the start, as in PHP, ASP or JSP.
_PAGE_OR_PROGRAM = re.compile(rb"<(?:(?:!doctype\s+)?html(?=[\s>])|\?php\b|\?=|%)", re.IGNORECASE)
_TAGS = (b"{%", b"{#", b"{{")  # of Jinja, Go, Handlebars and others
_BLANK = b"\xef\xbb\xbf \t\r\n"
_MARGIN = 256


class Head(NamedTuple):
    """The parts of a page's ``<head>`` that search engines read.

    Attributes:
        refresh: The target of a meta refresh, or None.
        alternates: The links to translations of the page.
        template: Whether the file is a template or a fragment.
        modified: The dates of the last change, as written.
    """

    lang: str = ""
    base: str = ""
    canonicals: tuple[str, ...] = ()
    robots: tuple[RobotsTag, ...] = ()
    refresh: str | None = None  # The value "" means that the page reloads itself.
    alternates: tuple[Alternate, ...] = ()
    template: bool = False
    markdown: tuple[str, ...] = ()
    # These three fields are only set if the head was read with described=True.
    title: str | None = None
    generator: str | None = None
    modified: tuple[str, ...] = ()

    @property
    def noindex(self) -> bool:
        """Whether the page tells search engines not to list it."""
        return any(tag.noindex for tag in self.robots)

    @property
    def unavailable_after(self) -> tuple[str, ...]:
        """The dates in ``unavailable_after``, as text. After such a date, Google hides the page."""
        return tuple(filter(None, (tag.unavailable_after for tag in self.robots)))

    def absolute(self, href: str, loc: str) -> str:
        """Return the absolute URL of the link ``href`` in a page. ``loc`` is the URL of the page."""
        if href.startswith(("https://", "http://")):
            return href
        if self.base:
            loc = resolve(loc, self.base)
        return resolve(loc, href)

    def canonical_urls(self, loc: str) -> tuple[str, ...]:
        """Return the canonical links of a page as absolute URLs. ``loc`` is the URL of the page."""
        return tuple(self.absolute(href, loc) for href in self.canonicals)

    def alternate_urls(self, loc: str) -> tuple[Alternate, ...]:
        """Return the links to translations of a page as absolute URLs. ``loc`` is the URL of the page."""
        alternates = []
        for code, href in self.alternates:
            url = self.absolute(href, loc)
            if split_url(url).scheme in PORTS:
                alternates.append(Alternate(code, url))
        return tuple(alternates)

    def refresh_elsewhere(self, loc: str) -> str:
        """Return the target of a meta refresh, or ``""`` if there is none or it leads to the same page.

        ``loc`` is the URL of the page with the meta refresh.
        """
        if not self.refresh:
            return ""
        target = self.absolute(self.refresh, loc)
        return target if compare_urls(target, loc) == "elsewhere" else ""


def read_head(file: Path | str, *, described: bool = False) -> Head:
    """Read the ``<head>`` of an HTML file.

    To save time, the title, generator and dates are only read if ``described`` is true.

    Raises:
        OSError: The file cannot be read.
    """
    data = files.read_file(file)
    start = data[:_FIRST_READ]
    page = utf8(start)
    is_utf8 = page is start
    trees = head_trees(page, complete=False)
    if not trees:
        page = utf8(data)
        is_utf8 = page is data
        trees = head_trees(page)
    return head_of(trees, data if is_utf8 else utf8(data), described=described)


@linear
def parse_head(data: bytes, *, described: bool = False) -> Head:
    """Parse the ``<head>`` of a page.

    To save time, the title, generator and dates are only read if ``described`` is true.
    """
    page = utf8(data)
    return head_of(head_trees(page), page, described=described)


def head_inside(folder: Path | str, name: str, *, described: bool = False) -> Head:
    """Read the ``<head>`` of a page in a folder. If the page cannot be read, return an empty head.

    To save time, the title, generator and dates are only read if ``described`` is true.
    """
    try:
        return parse_head(files.read_inside(folder, name), described=described)
    except OSError:
        return Head()


def is_html_inside(folder: Path | str, name: str) -> bool:
    """Check whether a file in a folder is an HTML page, or a program for one, such as ``index.php``."""
    try:
        return _PAGE_OR_PROGRAM.search(files.read_inside(folder, name, _FIRST_READ)) is not None
    except OSError:
        return False


def head_of(trees: list[Tree], page: bytes, *, described: bool = False) -> Head:
    """Return the data in the ``<head>`` of a page, such as canonical links.

    ``trees`` are the parsed parts of the ``<head>``. ``page`` is the whole page, because a meta refresh can
    also be in its body. If ``described`` is true, also return the title, generator and dates.
    """
    metas = _metas(trees)
    refresh = _refresh(metas)
    is_stub = len(page) <= FEW_BYTES
    if refresh is not None and not is_stub:
        refresh = _followed_refresh(trees, is_stub=False)
    if refresh is None and _may_have_body_refresh(page):
        refresh = _followed_refresh(whole_trees(page), is_stub=is_stub)

    start = trees[0].raw_html or b""
    is_document = _DOCUMENT.search(start) or _elements(trees, "title")
    begins_as_template = start[:_MARGIN].lstrip(_BLANK).startswith(_TAGS)
    links = links_of(trees)
    head = Head(
        lang=_language(trees[0]),
        base=base_of(trees),
        canonicals=tuple(links.canonicals),
        robots=tuple(_robots_tags(metas)),
        refresh=refresh,
        alternates=tuple(links.alternates),
        template=not is_document or begins_as_template,
        markdown=tuple(links.markdown),
    )
    if not described:
        return head
    dates = [*_meta_dates(metas), *_json_dates(trees)]
    return head._replace(title=_title(trees), generator=_generator(metas), modified=tuple(dates))


def _title(trees: list[Tree]) -> str | None:
    """Return the text of the first ``<title>``, or None."""
    for title in _elements(trees, "title"):
        return " ".join(title.text().split())
    return None


def _language(tree: Tree) -> str:
    """Return the ``lang`` attribute of ``<html>``, or ``""``."""
    if tree.root is None:
        return ""
    lang = tree.root.attrs.get("lang") or ""
    return intern(lang.strip())


def _robots_tags(metas: list[Attributes]) -> Iterator[RobotsTag]:
    """Yield the instructions to search engines in ``<meta>`` elements, such as ``noindex``."""
    for meta in metas:
        name = meta.get("name")
        if name and _lower(name) in _BOTS and "content" in meta:
            directives = read_directives(meta["content"] or "")
            yield RobotsTag(_lower(name), tuple(directives))


def _generator(metas: list[Attributes]) -> str | None:
    """Return the name of the program that made a page, from its ``<meta>`` elements, or None."""
    for meta in metas:
        if "content" in meta and _lower(meta.get("name")) == "generator":
            content = meta["content"] or ""
            return intern(content.strip())  # all pages of a site share one string
    return None


def _meta_dates(metas: list[Attributes]) -> Iterator[str]:
    """Yield the "last modified" dates in ``<meta>`` elements, as written."""
    for meta in metas:
        name = meta.get("name") or meta.get("property") or meta.get("http-equiv")
        if _lower(name) in _MODIFIED:
            content = (meta.get("content") or "").strip()
            if content:
                yield content


class HeadLinks(NamedTuple):
    """The addresses in the ``<link>`` elements of a page."""

    #: The canonical addresses of the page.
    canonicals: list[str]
    #: The addresses of its translations, with their languages.
    alternates: list[Alternate]
    #: The addresses of Markdown versions of the page.
    markdown: list[str]


def links_of(trees: Iterable[Tree]) -> HeadLinks:
    """Return the addresses in the ``<link>`` elements of a parsed page."""
    links = HeadLinks([], [], [])
    for element in _elements(trees, "link"):
        rel = _lower(element.attrs.get("rel"))
        if "canonical" not in rel and "alternate" not in rel:  # most links are for style sheets and icons
            continue
        relations = rel.split()
        link = element.attributes
        href = _address(link.get("href"))
        if not href:
            continue
        if "canonical" in relations and _VARIANT.isdisjoint(link):
            links.canonicals.append(href)
        if "alternate" in relations:
            code = (link.get("hreflang") or "").strip()
            if code:
                links.alternates.append(Alternate(code, href))
            if _lower(link.get("type")) == "text/markdown":
                links.markdown.append(href)
    return links


def _elements(trees: Iterable[Tree], name: str) -> list[LexborNode]:
    elements = []
    for tree in trees:
        elements += tree.tags(name)
    return elements


def _metas(trees: Iterable[Tree]) -> list[Attributes]:
    """Return the attributes of every ``<meta>`` element."""
    # Reading attributes takes most of the time here, so callers pass this list around.
    return [element.attributes for element in _elements(trees, "meta")]


def _refresh(metas: list[Attributes]) -> str | None:
    """Return the target of the first meta refresh, or None."""
    for meta in metas:
        if "http-equiv" in meta and "content" in meta and _lower(meta["http-equiv"]) == "refresh":
            content = meta["content"] or ""
            target = refresh_target(content.strip())
            if target is not None:
                return target
    return None


def _followed_refresh(trees: Iterable[Tree], *, is_stub: bool) -> str | None:
    """Return the target of the first meta refresh that browsers follow, or None.

    A meta refresh in ``<noscript>`` is skipped, because browsers ignore it. If ``is_stub`` is true, it is
    returned, too: a page with little text often redirects to the same target by a script. ``trees`` are the
    parsed pieces of the page.
    """
    for tree in trees:
        ignored: set[int] = set()
        # Browsers run scripts, so they ignore <noscript>. A script of a stub redirects to the same target.
        if not is_stub:
            ignored = {element.mem_id for element in tree.css("noscript meta")}
        metas = [element.attributes for element in tree.tags("meta") if element.mem_id not in ignored]
        refresh = _refresh(metas)
        if refresh is not None:
            return refresh
    return None


def _may_have_body_refresh(page: bytes) -> bool:
    """Check, without parsing HTML, whether ``<body>`` may contain ``<meta http-equiv="refresh">``."""
    body = max(0, page.find(b"<body"))
    return _has_http_equiv(page, body) and b"<meta" in page[body:].lower()


def _has_http_equiv(page: bytes, start: int) -> bool:
    """Check whether a page contains ``http-equiv`` after a position, in lower or upper case."""
    # Python finds a single byte much faster than a word, and q is rare. Lowering a page of 30 KB and finding
    # the word takes three times as long. A regular expression that ignores the case is slower still.
    tries = 0
    for letter in (b"q", b"Q"):
        position = page.find(letter, start)
        while position >= 0:
            if page[position - 2] == _HYPHEN and page[position - 6 : position + 4].lower() == _HTTP_EQUIV:
                return True
            tries += 1
            if tries > _MOST_TRIES:
                return _HTTP_EQUIV in page[start:].lower()
            position = page.find(letter, position + 1)
    return False


@lru_cache(maxsize=1_024)  # pages of a site have the same words
def _lower(value: str | None) -> str:
    return (value or "").strip().lower()


def base_of(trees: list[Tree]) -> str:
    """Return the address in the first ``<base href>`` of a page, or ``""``.

    ``trees`` are the parsed parts of the page.
    """
    for base in _elements(trees, "base"):
        if "href" in base.attrs:
            return _address(base.attrs.get("href"))[:MAX_LOC]  # no address can be longer
    return ""


@linear
def refresh_target(content: str) -> str | None:
    """Return the address in a meta refresh, ``""`` if it only reloads the page, or None if it is invalid.

    >>> refresh_target("0; url=../new/"), refresh_target("30"), refresh_target("now")
    ('../new/', '', None)
    """
    match = _REFRESH.match(content)
    if not match:
        return None
    target = match[1] or ""
    if target.startswith(("'", '"')):
        target = target[1:].partition(target[0])[0]
    return _address(target)


def _json_dates(trees: list[Tree]) -> Iterator[str]:
    """Yield the ``dateModified`` values in JSON-LD scripts."""
    has_dates = any(b"dateModified" in (tree.raw_html or b"") for tree in trees)
    if not has_dates:
        return
    for script in _elements(trees, "script"):
        if script.attrs.get("type") != "application/ld+json":
            continue
        try:
            data = json.loads(script.text())
        except (ValueError, RecursionError):
            continue
        if not isinstance(data, list):
            data = [data]
        for node in data:
            date = node.get("dateModified") if isinstance(node, dict) else None
            if isinstance(date, str):
                yield date


def _address(text: str | None) -> str:
    """Return an address without spaces around it and without tabs and line breaks, as browsers read it."""
    address = (text or "").strip()
    return address.replace("\t", "").replace("\n", "").replace("\r", "")
