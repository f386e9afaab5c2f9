"""What the audit reads in a rendered page: its head, and the whole page where a rule asks for it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

from sitemap_docs.model import Alternate
from sitemap_docs.urls import MAX_LOC, resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

FIRST_READ = 16_384
_HEAD_END = re.compile(rb"</head(?=[\s/>])", re.IGNORECASE)
_CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([a-z0-9_:.-]+)", re.IGNORECASE)
_REFRESH = re.compile(r"\s*[\d.]+\s*[;,]?\s*(?:url\s*=\s*)?(.*)", re.IGNORECASE | re.DOTALL)
_WANTED = ("base", "hr", "html", "link", "meta", "script", "title")
_BOTS = ("robots", "googlebot", "bingbot")
_VARIANT = {"hreflang", "lang", "media", "type"}  # Google takes no such link for a canonical one
_MODIFIED = ("article:modified_time", "og:updated_time", "last-modified", "dcterms.modified", "datemodified")
_UPDATED = re.compile(r"(?:last|date|git|page)[-_]?(?:updated|modified|revision)", re.IGNORECASE)
_SAID = re.compile(r"last\s+(?:updated|modified|update|change)", re.IGNORECASE)
_PARSERS = {"utf-8": etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)}


class Directive(NamedTuple):
    """One robots meta tag: whom it speaks to, and what it says, in lower case."""

    bot: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """What only the whole page shows: canonical links and robots tags outside its head, dates for readers."""

    canonicals: tuple[str, ...] = ()
    robots: tuple[Directive, ...] = ()
    dates: tuple[str, ...] = ()
    links: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a page says of itself.

    ``canonicals`` are as written; ``base`` is its own ``<base href>``. ``refresh`` is the target of its
    meta refresh, ``""`` for the page itself. ``modified`` are the dates of its metadata
    (``article:modified_time``, JSON-LD), as written. ``body`` is None where only the head was read.
    """

    lang: str = ""
    title: str | None = None
    base: str = ""
    canonicals: tuple[str, ...] = ()
    robots: tuple[Directive, ...] = ()
    refresh: str | None = None
    alternates: tuple[Alternate, ...] = ()
    modified: tuple[str, ...] = ()
    body: Body | None = None

    @property
    def noindex(self) -> bool:
        """Whether a robots tag keeps a search engine from listing the page."""
        return any(
            each.bot in _BOTS and not {"noindex", "none"}.isdisjoint(each.words) for each in self.robots
        )


def read_facts(file: Path, *, whole: bool = False) -> Facts:
    """What the page in ``file`` says; of its body nothing but where ``whole`` asks for it. Raises OSError."""
    with file.open("rb") as stream:
        data = stream.read(-1 if whole else FIRST_READ)
        tree, end = _head(data)
        if tree is None and not whole:
            data += stream.read()
            tree, end = _head(data)
    if tree is None:
        tree = _parse(data)
    facts = _facts(tree)
    return _with_body(facts, data) if whole and end else facts


def head_facts(data: bytes) -> Facts:
    """What the page that begins with ``data`` says, as far as it goes."""
    tree, _ = _head(data)
    return _facts(_parse(data) if tree is None else tree)


def _head(data: bytes) -> tuple[etree._Element | None, int]:
    """The head as a tree, and where it ends: at the first ``</head>`` outside of scripts and comments."""
    for match in _HEAD_END.finditer(data):
        tree = _parse(data[: match.start()] + b"<hr>", data)
        if tree is not None and next(tree.iter("hr"), None) is not None:
            return tree, match.start()
    return None, 0


def _parse(data: bytes, whole: bytes = b"") -> etree._Element | None:
    match = _CHARSET.search(whole or data, 0, 1024)  # where a browser looks for it: HTML 13.2.3.2
    name = match[1].decode().lower() if match else "utf-8"
    if name not in _PARSERS:
        try:
            _PARSERS[name] = etree.HTMLParser(encoding=name, remove_comments=True, remove_pis=True)
        except LookupError:
            _PARSERS[name] = _PARSERS["utf-8"]
    try:
        return etree.fromstring(data.removeprefix(b"\xef\xbb\xbf") or b"<html></html>", _PARSERS[name])
    except etree.XMLSyntaxError:  # nothing but white space
        return None


def _facts(tree: etree._Element | None) -> Facts:
    if tree is None:
        return Facts()
    found: dict[str, list[etree._Element]] = {name: [] for name in _WANTED}
    for tag in tree.iter(*_WANTED):
        found[tag.tag].append(tag)
    title = found["title"][0] if found["title"] else None
    metas = [(_name(tag), tag.get("content") or "") for tag in found["meta"]]
    return Facts(
        lang=(found["html"][0].get("lang") or "").strip() if found["html"] else "",
        title=None if title is None else " ".join(_text(title).split()),
        base=next((tag.get("href") or "" for tag in found["base"]), "").strip()[:MAX_LOC],
        canonicals=tuple(_canonicals(found["link"])),
        robots=tuple(_directives(metas)),
        refresh=next((_refresh(tag) for tag in found["meta"] if _is_refresh(tag)), None),
        alternates=tuple(
            Alternate((tag.get("hreflang") or "").strip(), (tag.get("href") or "").strip())
            for tag in found["link"]
            if "alternate" in _words(tag.get("rel")) and tag.get("hreflang")
        ),
        modified=tuple(
            [content.strip() for name, content in metas if name in _MODIFIED and content.strip()]
            + [date for tag in found["script"] for date in _json_dates(tag)]
        ),
    )


def _with_body(facts: Facts, data: bytes) -> Facts:
    tree = _parse(data)
    if tree is None:
        return facts
    canonicals = tuple(_canonicals(tree.iter("link")))
    robots = tuple(_directives((_name(tag), tag.get("content") or "") for tag in tree.iter("meta")))
    body = Body(
        canonicals=canonicals[len(facts.canonicals) :],
        robots=robots[len(facts.robots) :],
        dates=tuple(_shown_dates(tree)),
        links=frozenset(href.strip() for tag in tree.iter("a", "area") if (href := tag.get("href"))),
    )
    return replace(facts, body=body)


def _canonicals(links: object) -> Iterator[str]:
    for tag in links:  # type: ignore[attr-defined]
        href = (tag.get("href") or "").strip()
        if href and "canonical" in _words(tag.get("rel")) and not _VARIANT & set(tag.attrib):
            yield href


def _directives(metas: object) -> Iterator[Directive]:
    for name, content in metas:  # type: ignore[attr-defined]
        if name in _BOTS:
            yield Directive(name, tuple(content.lower().replace(",", " ").split()))


def _text(tag: etree._Element) -> str:
    return "".join(str(each) for each in tag.itertext())


def _name(tag: etree._Element) -> str:
    return (tag.get("name") or tag.get("property") or tag.get("http-equiv") or "").strip().lower()


def _words(value: str | None) -> list[str]:
    return (value or "").lower().split()


def _is_refresh(tag: etree._Element) -> bool:
    return (
        _words(tag.get("http-equiv")) == ["refresh"] and _REFRESH.match(tag.get("content") or "") is not None
    )


def _refresh(tag: etree._Element) -> str:
    match = _REFRESH.match(tag.get("content") or "")
    return match[1].strip().strip("\"'") if match else ""


def _json_dates(script: etree._Element) -> Iterator[str]:
    if script.get("type") != "application/ld+json":
        return
    try:
        said = json.loads(script.text or "")
    except (ValueError, RecursionError):
        return
    for node in said if isinstance(said, list) else [said]:
        if isinstance(node, dict) and isinstance(node.get("dateModified"), str):
            yield node["dateModified"]


def _shown_dates(tree: etree._Element) -> Iterator[str]:
    for tag in tree.iter("time", "span", "p", "div", "small", "li"):
        told = tag.tag == "time" and tag.get("datetime")
        marked = _UPDATED.search(f"{tag.get('class') or ''} {tag.get('id') or ''}")
        around = tag.getparent() if tag.tag == "time" else None
        near = around is not None and (
            _UPDATED.search(around.get("class") or "") or _SAID.search(around.text or "")
        )
        if (marked and not len(tag)) or (told and near):
            yield (tag.get("datetime") or tag.get("title") or _text(tag)).strip()


def resolved(href: str, facts: Facts, loc: str) -> str:
    """``href`` as the page at ``loc`` means it."""
    if href.startswith(("https://", "http://")):
        return href
    return resolve(resolve(loc, facts.base), href)


def joined(hrefs: Iterable[str], loc: str) -> Iterator[str]:
    """The addresses that links of the page at ``loc`` lead to, without query and fragment.

    Plain relative ones are joined by hand: urljoin needs 15 µs, and a page has hundreds.
    """
    folders = loc.split("/")[:-1]
    for href in hrefs:
        plain = _PLAIN.fullmatch(href)
        up = href.count("../") if plain else 0
        if plain and up <= len(folders) - _ORIGIN:
            yield "/".join([*folders[: len(folders) - up], plain[1]])
        elif href[:1] != "#":
            yield resolve(loc, href).partition("#")[0].partition("?")[0]


_PLAIN = re.compile(r"(?:\.\./)*([A-Za-z0-9_%~-]+(?:[./][A-Za-z0-9_%~-]+)*/?)(?:#.*)?")
_ORIGIN = 3  # "https:", "", the host
