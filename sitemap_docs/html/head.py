"""What the head of a rendered page tells search engines."""

from __future__ import annotations

import os
import re
from codecs import lookup
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from bs4 import BeautifulSoup, SoupStrainer  # type: ignore[attr-defined]  # bs4.filter since 4.13
from bs4.dammit import EncodingDetector

from sitemap_docs import files
from sitemap_docs.model import Alternate
from sitemap_docs.urls import MAX_LOC, resolve

if TYPE_CHECKING:
    from pathlib import Path

    from bs4.element import Tag

FIRST_READ = 16_384
BOTS = ("robots", "googlebot", "bingbot")


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What a page's head says, as browsers and search engines read it.

    ``canonicals`` are the addresses of its canonical links, ``refresh`` is the target of its meta refresh
    (``""``: it reloads itself), ``generator`` what made it. Addresses may be relative to the page.
    """

    canonicals: tuple[str, ...] = ()
    noindex: bool = False
    refresh: str | None = None
    alternates: tuple[Alternate, ...] = ()
    generator: str | None = None
    title: str | None = None


ORDINARY = Head()
"""Stands for every ordinary head: nothing but at most a canonical link to the page itself."""


def read_head(file: Path | str, loc: str) -> Head:
    """The head of a rendered page; ``ORDINARY`` where a cheap look at its first bytes is enough to tell.

    Raises OSError for a file that cannot be read.
    """
    descriptor = os.open(file, files.READING)
    try:
        data = os.read(descriptor, FIRST_READ)
        if is_ordinary(data, loc):
            return ORDINARY
        files.require_regular(descriptor)
        data += files.read_rest(descriptor)
    finally:
        os.close(descriptor)
    return parse_head(data)


def parse_head(data: bytes) -> Head:
    """What the head of a whole page says, ordinary or not.

    Every meta and link before ``<body>`` counts, also after ``</head>`` (HTML 13.2.6.4.6), wherever the
    parser puts it. A page without ``<body>`` or without head tags, as redirect stubs are, is read to its end.
    """
    return _said(_head_of(decode(data)))


def is_ordinary(data: bytes, loc: str) -> bool:
    """Whether the first bytes of a page prove that its head says no more than that ``loc`` is canonical.

    False also means "not sure". True means: ``parse_head`` of the whole page finds no noindex, no refresh, no
    alternate and no canonical link but ``loc``.
    """
    opening = _OPENING.match(data)
    closing = opening and _CLOSING.search(data, opening.end())
    if not opening or not closing:
        return False
    inner = data[opening.end() : closing.start()]
    before, after = _around(inner, loc.encode())
    return all(map(_is_silent, chain(_ELEMENTS.split(before), _ELEMENTS.split(after))))


def _around(inner: bytes, url: bytes) -> tuple[bytes, bytes]:
    """What stands before and after a canonical link to ``url``; it is looked for as themes spell it."""
    for form in _CANONICAL if b"&" not in url else ():
        before, found, after = inner.partition(form % url)
        if found:
            return before, after
    return inner, b""


@lru_cache(maxsize=512)
def _is_silent(element: bytes) -> bool:
    """Whether it is plain and says nothing; remembered, because the pages of a site share most of them."""
    if not _ELEMENT.fullmatch(element):
        return False
    lower = element.lower()
    if lower.startswith(b"link"):
        return b"canonical" not in lower and b"hreflang" not in lower
    if lower.startswith(b"meta"):  # every name in BOTS has a "bot" in it
        return b"refresh" not in lower and (
            b"bot" not in lower or (b"noindex" not in lower and b"none" not in lower)
        )
    return True


_PRESCAN = 1024  # a browser looks for the charset there: HTML 13.2.3.2

# An ordinary head is spelled so plainly that every HTML parser reads it alike: no < in an attribute, no
# numeric reference but for quotes (it could spell a word), no markup in a title, no end tag in raw text.
_SPACE = rb"[ \t\n\r\f]"
_QUOTED = rb"[^\"<&]*(?:&(?!\#(?!39;|34;|x27;))[^\"<&]*)*"
_ATTRIBUTES = rb"(?:%b+[^\s\"'<>/=]+(?:=(?:\"%b\"|'[^'<&]*'|[^\s\"'<>=`&]+))?)*%b*" % (
    _SPACE,
    _QUOTED,
    _SPACE,
)
_COMMENT = rb"!--(?!-?>)[^-]*(?:-(?!-)[^-]*)*-->"
_TEXT = rb"[^<]*(?:<(?![/!])[^<]*)*"
_OPENING = re.compile(
    rb"(?:\xef\xbb\xbf)?%(space)b*(?:<%(comment)b%(space)b*)*<!(?:doctype|DOCTYPE)[^<>\"'\[]*>%(space)b*"
    rb"<html%(attributes)b>%(space)b*<head%(attributes)b>%(space)b*"
    % {b"space": _SPACE, b"comment": _COMMENT, b"attributes": _ATTRIBUTES}
)
_CLOSING = re.compile(rb"</head>%b*<body[ \t\n\r\f>]" % _SPACE)
# Comments are silent, and fall between the elements.
_ELEMENTS = re.compile(rb"<(?:%b%b*(?=<|\Z)|(?=meta|link|script|style|title))" % (_COMMENT, _SPACE))
_ELEMENT = re.compile(
    rb"%(space)b*(?:<noscript>%(space)b*)?(?:(?:(?:meta|link)%(attributes)b/?>|script%(attributes)b>%(text)b</script>"
    rb"|style%(attributes)b>%(text)b</style>|title%(attributes)b>[^<]*</title>)"
    rb"%(space)b*(?:</?noscript>%(space)b*)*)?"
    % {b"space": _SPACE, b"attributes": _ATTRIBUTES, b"text": _TEXT}
)
# As themes spell it, and as minifiers do.
_CANONICAL = (
    b'<link rel="canonical" href="%b">',
    b'<link rel="canonical" href="%b" />',
    b'<link rel="canonical" href="%b"/>',
    b'<link href="%b" rel="canonical">',
    b'<link href="%b" rel="canonical" />',
    b'<link href="%b" rel="canonical"/>',
    b"<link href=%b rel=canonical>",
    b"<link rel=canonical href=%b>",
)

_XML = re.compile(r"\A\s*<\?xml[^>]*>")
_HEAD = re.compile(r"</?head(?=[\s/>])", re.IGNORECASE)
_BODY = re.compile(r"<body(?=[\s/>])", re.IGNORECASE)
_WANTED = SoupStrainer(["base", "hr", "link", "meta", "title"])
_LINE_ENDS = re.compile(r"[\t\n\r]")
# Google takes no link with one of these for a canonical one: Search Central, "Consolidate duplicate URLs".
_VARIANT = {"hreflang", "lang", "media", "type"}
_PROBE = "sitemap-docs-probe"
_ASCII = bytes(range(128)).decode() + r"\u0041"  # Python has codecs that would read an A there
_WESTERN = "cp1252"  # what browsers take pages for that declare nothing, ASCII or Latin-1
_SEPARATORS = re.compile(r"[\s,;]+")
_REFRESH = re.compile(
    r"\s*(?:\d|(?=\.))[\d.]*(?:\s*\Z|[\s;,]\s*[;,]?\s*(?:url\s*=\s*)?(.*))", re.IGNORECASE | re.DOTALL
)


def decode(data: bytes) -> str:
    """A page as a browser decodes it, without an XML declaration; NUL becomes U+FFFD."""
    return _XML.sub("", _decode(data).replace("\0", "\ufffd"))


def _decode(data: bytes) -> str:
    rest, bom = EncodingDetector.strip_byte_order_mark(data)
    if bom:
        return rest.decode(bom, "replace")
    declared = EncodingDetector.find_declared_encoding(data[:_PRESCAN], is_html=True)
    if declared and _extends_ascii(declared):
        western = lookup(declared).name in ("iso8859-1", "ascii")
        return data.decode(_WESTERN if western else declared, "replace")
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode(_WESTERN, "replace")


def _extends_ascii(encoding: str) -> bool:
    try:
        return _ASCII.encode().decode(encoding) == _ASCII
    except (LookupError, ValueError):
        return False


def _head_of(text: str) -> BeautifulSoup:
    ends = [match.start() for match in _BODY.finditer(text)] if _HEAD.search(text) else []
    if not ends:
        return _parse(text)
    soup = _parse(text[: ends[0]])
    return soup if soup.find(id=_PROBE) else _parse(text[: _first_body(text, ends)])


def _first_body(text: str, ends: list[int]) -> int | None:
    """Where the first ``<body`` stands that is in no script, comment or attribute: a probe there is a tag."""
    probes = {f"{_PROBE}{end}": end for end in ends}
    probed = _BODY.sub(lambda body: f"<hr id={_PROBE}{body.start()}>{body[0]}", text)
    rules = _parse(probed).find_all(id=True)
    return next((probes[probe] for rule in rules if (probe := _text(rule, "id")) in probes), None)


def _parse(text: str) -> BeautifulSoup:
    """The wanted tags; our probe is among them if no script, comment or attribute is open at the end."""
    return BeautifulSoup(f"{text}<hr id={_PROBE}>", "lxml", parse_only=_WANTED, multi_valued_attributes=None)


def _said(soup: BeautifulSoup) -> Head:
    # A longer one is no address, and would make each link as long.
    base = next((_text(tag, "href") for tag in soup.find_all("base", href=True)), "")[:MAX_LOC]
    links = [tag for tag in soup.find_all("link") if _text(tag, "href")]
    metas = soup.find_all("meta", content=True)
    targets = [_target(tag) for tag in metas if _words(tag, "http-equiv") == ["refresh"]]
    makers = [_text(tag, "content") for tag in metas if _words(tag, "name") == ["generator"]]
    return Head(
        canonicals=tuple(_address(tag, base) for tag in links if _is_canonical(tag)),
        noindex=any(_forbids(tag) for tag in metas),
        refresh=next((target for target in targets if target is not None), None),
        alternates=tuple(
            Alternate(_text(tag, "hreflang"), _address(tag, base)) for tag in links if _is_alternate(tag)
        ),
        generator=makers[0] if makers else None,
        title=" ".join(soup.title.get_text().split()) if soup.title else None,
    )


def _text(tag: Tag, attribute: str) -> str:
    return str(tag.get(attribute, "")).strip()


def _words(tag: Tag, attribute: str) -> list[str]:
    return _text(tag, attribute).lower().split()


def _address(tag: Tag, base: str) -> str:
    return resolve(base, _LINE_ENDS.sub("", _text(tag, "href")))


def _is_canonical(tag: Tag) -> bool:
    return "canonical" in _words(tag, "rel") and _VARIANT.isdisjoint(tag.attrs)


def _is_alternate(tag: Tag) -> bool:
    return "alternate" in _words(tag, "rel") and bool(_text(tag, "hreflang"))


def _forbids(tag: Tag) -> bool:
    directives = _SEPARATORS.split(_text(tag, "content").lower())
    return _text(tag, "name").lower() in BOTS and not {"noindex", "none"}.isdisjoint(directives)


def _target(tag: Tag) -> str | None:
    """The target of a meta refresh as HTML 4.2.5.3 reads it; None for a content that is none."""
    match = _REFRESH.match(_text(tag, "content"))
    if not match:
        return None
    target = match[1] or ""
    return target[1:].partition(target[0])[0].strip() if target[:1] in ("'", '"') else target.strip()
