"""What the head of a rendered page says to search engines."""

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
from sitemap_docs.html.trees import FEW_BYTES, Attributes, Tree, after_head, head_trees, utf8
from sitemap_docs.html.trees import trees as all_trees
from sitemap_docs.model import MAX_LOC, Alternate
from sitemap_docs.robots import CRAWLERS
from sitemap_docs.text import linear
from sitemap_docs.urls.base import PORTS, compare_urls, resolve, split_url

_BOTS = ("robots", *map(str.lower, CRAWLERS))
"""The names whose directives decide whether a page is listed; ``robots`` means every engine."""


class RobotsTag(NamedTuple):
    """What one bot is asked, in lower case."""

    bot: str
    directives: tuple[Directive, ...]

    @property
    def noindex(self) -> bool:
        """Whether it keeps a search engine from listing the page."""
        return self.bot in _BOTS and forbid_listing(self.directives)


@linear
def x_robots_tag(value: str) -> tuple[RobotsTag, ...]:
    """The directives of ``X-Robots-Tag`` headers, one a line, by the bot that stands before them."""
    by_bot: dict[str, list[Directive]] = {}
    for line in value.splitlines():
        bot = "robots"
        for directive in read_directives(line):
            if directive.value and directive.name not in VALUED:
                bot, directive = directive.name, Directive(directive.value)  # noqa: PLW2901
            by_bot.setdefault(bot, []).append(directive)
    return tuple(RobotsTag(bot, tuple(directives)) for bot, directives in by_bot.items())


_FIRST_READ = 16_384

_MODIFIED = frozenset(
    {"article:modified_time", "og:updated_time", "last-modified", "dcterms.modified", "datemodified"}
)
# Google takes no link with one of these for a canonical one: Search Central, "Consolidate duplicate URLs".
_VARIANT = {"hreflang", "lang", "media", "type"}
_REFRESH = re.compile(
    r"\s*[\d.]+(?:\s*\Z|[\s;,]\s*(?:[;,]\s*)?(?:url\s*=\s*)?(\S.*)?)", re.IGNORECASE | re.DOTALL
)

_DOCUMENT = re.compile(rb"<(?:!doctype|html)(?=[\s>])", re.IGNORECASE)
_TAGS = (b"{%", b"{#", b"{{")  # of Jinja, Go, Handlebars and others
_BLANK = b"\xef\xbb\xbf \t\r\n"
_MARGIN = 256


class CanonicalLinks(NamedTuple):
    """How many canonical links a page has; those that spell its address otherwise, those to other pages."""

    number: int
    spelled: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def elsewhere(self) -> str:
        """The other page that the page calls canonical; ``""`` when it names itself, too.

        Engines ignore canonical links that contradict each other
        (https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls).
        """
        return self.others[0] if self.others and len(self.others) == self.number else ""


class Head(NamedTuple):
    """A page's head as search engines read it; addresses are as written.

    ``base`` is that of ``<base href>``, ``canonicals`` are those of its canonical links. ``refresh`` is the
    target of its meta refresh (``""``: it reloads itself). ``template`` is whether the file is no whole
    page, but a part of one or what a template engine makes pages of; ``markdown`` are the addresses of its
    versions in Markdown. Only a head that was read ``described`` has a ``title``, the ``generator`` that made
    it, and ``modified``, the dates of its metadata (``article:modified_time``, JSON-LD).
    """

    lang: str = ""
    base: str = ""
    canonicals: tuple[str, ...] = ()
    robots: tuple[RobotsTag, ...] = ()
    refresh: str | None = None
    alternates: tuple[Alternate, ...] = ()
    template: bool = False
    markdown: tuple[str, ...] = ()
    title: str | None = None
    generator: str | None = None
    modified: tuple[str, ...] = ()

    @property
    def noindex(self) -> bool:
        """Whether a robots tag keeps a search engine from listing the page."""
        return any(tag.noindex for tag in self.robots)

    def absolute(self, href: str, loc: str) -> str:
        """``href`` as the page at ``loc`` means it."""
        if href.startswith(("https://", "http://")):
            return href
        if self.base:
            loc = resolve(loc, self.base)
        return resolve(loc, href)

    def canonical_urls(self, loc: str) -> tuple[str, ...]:
        """Its canonical links, absolute."""
        return tuple(self.absolute(href, loc) for href in self.canonicals)

    def alternate_urls(self, loc: str) -> tuple[Alternate, ...]:
        """The translations it names, absolute; what is no web address is none."""
        alternates = [Alternate(code, self.absolute(href, loc)) for code, href in self.alternates]
        return tuple(each for each in alternates if split_url(each.href).scheme in PORTS)

    def canonical_links(self, loc: str, own: str = "") -> CanonicalLinks:
        """Returns how its canonical links stand to the page at ``loc``, also known as ``own``."""
        urls = self.canonical_urls(loc)
        spelled, others = [], []
        for url in urls:
            relation = compare_urls(url, loc)
            if relation == "spelling":
                spelled.append(url)
            elif relation == "elsewhere" and not (own and compare_urls(url, own) != "elsewhere"):
                others.append(url)
        return CanonicalLinks(len(urls), tuple(spelled), tuple(others))

    def refresh_elsewhere(self, loc: str) -> str:
        """The other page to which a meta refresh leads readers of the page at ``loc``, or ``""``."""
        if not self.refresh:
            return ""
        target = self.absolute(self.refresh, loc)
        return target if compare_urls(target, loc) == "elsewhere" else ""


def read_head(file: Path | str, *, described: bool = False) -> Head:
    """The head of a rendered page; as much of the file is read as it takes. OSError where it cannot be read.

    Every meta and link before ``<body>`` counts, also after ``</head>`` (HTML 13.2.6.4.6), wherever the
    parser puts it. A page without ``<body>`` or without head tags, as redirect stubs are, is read to its end.
    """
    page = utf8(files.read_file(file, _FIRST_READ))
    trees = head_trees(page, complete=False)
    if not trees:
        page = utf8(files.read_file(file))
        trees = head_trees(page)
    return head_of(trees, page, described=described)


@linear
def parse_head(data: bytes, *, described: bool = False) -> Head:
    """The head of a whole page, as :func:`read_head` reads it."""
    page = utf8(data)
    return head_of(head_trees(page), page, described=described)


def head_inside(folder: Path | str, name: str, *, described: bool = False) -> Head:
    """The head of a page in a folder; an empty one where there is none, or none that can be read."""
    try:
        return parse_head(files.read_inside(folder, name), described=described)
    except OSError:
        return Head()


def head_of(trees: list[Tree], page: bytes, *, described: bool = False) -> Head:
    """Returns what the elements of a head's trees say; ``page`` is that page, or its beginning, in UTF-8."""
    metas = _metas(trees)
    refresh = _refresh(metas)
    if refresh is None and len(page) <= FEW_BYTES and b"<meta" in after_head(page, trees).lower():
        # Browsers follow one in the body, too. Only stubs have it there, so no large page is parsed for it.
        refresh = _refresh(_metas(all_trees(page)))
    robots = []
    for meta in metas:
        name = meta.get("name")
        if name and _lower(name) in _BOTS and "content" in meta:
            robots.append(RobotsTag(_lower(name), tuple(read_directives(meta["content"] or ""))))

    links = links_of(trees)
    root, start = trees[0].root, trees[0].raw_html or b""
    is_document = _DOCUMENT.search(start) or _elements(trees, "title")
    head = Head(
        lang=intern((root.attrs.get("lang") or "").strip()) if root else "",
        base=base_of(trees),
        canonicals=tuple(links.canonicals),
        robots=tuple(robots),
        refresh=refresh,
        alternates=tuple(links.alternates),
        template=not is_document or start[:_MARGIN].lstrip(_BLANK).startswith(_TAGS),
        markdown=tuple(links.markdown),
    )
    if not described:
        return head
    generator = None
    modified = []
    for meta in metas:
        content = (meta.get("content") or "").strip()
        if generator is None and "content" in meta and _lower(meta.get("name")) == "generator":
            generator = intern(content)  # one text for all pages of a site
        name = meta.get("name") or meta.get("property") or meta.get("http-equiv")
        if content and _lower(name) in _MODIFIED:
            modified.append(content)
    titles = _elements(trees, "title")
    return head._replace(
        title=" ".join(titles[0].text().split()) if titles else None,
        generator=generator,
        modified=(*modified, *_json_dates(trees)),
    )


class HeadLinks(NamedTuple):
    """The addresses in the links of a head, as written."""

    canonicals: list[str]
    alternates: list[Alternate]
    markdown: list[str]


def links_of(trees: Iterable[Tree]) -> HeadLinks:
    """Returns what the links of a head, or of a whole page, name."""
    links = HeadLinks([], [], [])
    for element in _elements(trees, "link"):
        rel = _lower(element.attrs.get("rel"))
        if "canonical" not in rel and "alternate" not in rel:  # a style sheet, an icon: most are
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
    """The attributes of all ``<meta>``; each is read once, which takes most of the time here."""
    return [element.attributes for element in _elements(trees, "meta")]


def _refresh(metas: list[Attributes]) -> str | None:
    """Returns where the first meta refresh leads that leads anywhere."""
    for meta in metas:
        if "http-equiv" in meta and "content" in meta and _lower(meta["http-equiv"]) == "refresh":
            target = refresh_target((meta["content"] or "").strip())
            if target is not None:
                return target
    return None


@lru_cache(maxsize=1_024)  # the pages of a site share them
def _lower(value: str | None) -> str:
    return (value or "").strip().lower()


def base_of(trees: list[Tree]) -> str:
    """The first ``<base href>``, cut where no address goes on; ``""`` without one."""
    for base in _elements(trees, "base"):
        if "href" in base.attrs:
            return _address(base.attrs.get("href"))[:MAX_LOC]
    return ""


@linear
def refresh_target(content: str) -> str | None:
    """The address in the content of a meta refresh, as HTML 4.2.5.3 reads it; None where it is none.

    ``""`` is the page itself, which is loaded again.
    """
    match = _REFRESH.match(content)
    if not match:
        return None
    target = match[1] or ""
    if target.startswith(("'", '"')):
        target = target[1:].partition(target[0])[0]
    return _address(target)


def _json_dates(trees: list[Tree]) -> Iterator[str]:
    if not any(b"dateModified" in (tree.raw_html or b"") for tree in trees):
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
            if isinstance(node, dict) and isinstance(node.get("dateModified"), str):
                yield node["dateModified"]


def _address(text: str | None) -> str:
    return (text or "").strip().replace("\t", "").replace("\n", "").replace("\r", "")
