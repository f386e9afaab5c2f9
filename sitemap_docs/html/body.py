"""What only the whole of a rendered page shows: its links and dates, its images, the words it is known by."""

import hashlib
import re
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from selectolax.lexbor import LexborNode

from sitemap_docs import files
from sitemap_docs.html.head import Head, base_of, head_of, links_of
from sitemap_docs.html.trees import Tree, attributes, head_trees, trees, utf8
from sitemap_docs.text import linear
from sitemap_docs.urls.base import PORTS, resolve, split_url

_UPDATED = re.compile(r"(?:last|date|git|page)[-_]?(?:updated|modified|revision)", re.IGNORECASE)
_DATE_LABEL = re.compile(r"last\s+(?:updated|modified|update|change)", re.IGNORECASE)
_DATED = ",".join(
    f"[{attribute}*={word} i]"
    for attribute in ("class", "id")
    for word in ("updated", "modified", "revision")
)
#: The last change of a page of Material for MkDocs; its creation follows.
_MATERIAL = ".md-source-file__fact:first-child > time[datetime]"
_HOLDERS = f"time,:is(span,p,div,small,li):is({_DATED})"


class Body(NamedTuple):
    """Canonical links outside the head, the dates shown to readers, the links without fragments."""

    canonicals: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    links: frozenset[str] = frozenset()


@linear
def read_page(file: Path) -> tuple[Head, Body]:
    """The described head and the body of a rendered page. Raises OSError."""
    data = utf8(files.read_file(file))
    head = head_of(head_trees(data), data, described=True)
    parts = list(trees(data))
    hrefs: set[str] = set()
    dates: list[str] = []
    for tree in parts:
        for anchor in (*tree.tags("a"), *tree.tags("area")):
            href = anchor.attrs.get("href")
            if href:
                hrefs.add(href.strip().partition("#")[0])
        for node in tree.css(_HOLDERS):
            own = attributes(node)
            is_leaf = next(node.iter(), None) is None
            named = is_leaf and _UPDATED.search(f"{own.get('class')} {own.get('id')}")
            if named or (node.tag == "time" and own.get("datetime") and _is_labelled(node)):
                dates.append((own.get("datetime") or own.get("title") or node.text()).strip())
        dates += [attributes(node).get("datetime", "").strip() for node in tree.css(_MATERIAL)]
    body = Body(
        # Those of the head come first in the whole page, too.
        canonicals=tuple(links_of(parts).canonicals[len(head.canonicals) :]),
        dates=tuple(dates),
        links=frozenset(hrefs - {""}),
    )
    return head, body


def _is_labelled(time: LexborNode) -> bool:
    """Whether the element around a date calls it that of the last change."""
    around = time.parent
    if around is None:
        return False
    name, text = attributes(around).get("class", ""), around.text(deep=False)
    return bool(_UPDATED.search(name) or _DATE_LABEL.search(text))


MAX_IMAGES = 1000
"""Images of one page (https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps)."""

_AROUND = ("nav", "header", "footer", "aside")
_DECORATION = {"icon", "emoji", "twemoji", "emojione", "logo", "avatar", "badge", "headerlink"}
_BADGES = ("img.shields.io", "badge.fury.io", "badgen.net")  # others have the word in their paths
_THEME = re.compile(r"/_static/|/assets/images/(?:favicon|social/)")  # of Sphinx and Material
_SMALL = re.compile(r"0*(?:[1-3]?\d|4[0-8])(?:px)?", re.ASCII)  # an icon has up to 48 pixels
_RESERVED = ":/?#[]@!$&'()*+,;=%~"
_WORD = re.compile(r"\w+")
_LEAST = 40  # characters that are content enough to know a page by


@linear
def images(file: Path, loc: str) -> tuple[str, ...]:
    """Absolute URLs of the images in a rendered page's main content, in its order, at most 1,000.

    Icons, badges, theme files and data URIs are not content. Reads the whole page. Raises OSError for a file
    that cannot be read.
    """
    tree = _tree(file)
    base = resolve(loc, base_of([tree]))
    content = _content(tree, "main", "[role=main]", "article", "body")
    if content is None:
        return ()
    around = ",".join(f"{name} img" for name in (*_AROUND, "button", "summary"))
    outside = {image.mem_id for image in content.css(around)}
    urls: dict[str, None] = {}
    for image in content.css("img"):
        own = attributes(image)
        source = own.get("src", "").strip()
        names = own.get("class", "").lower().split()
        words = {*names, *"-".join(names).split("-")}
        is_small = any(_SMALL.fullmatch(own.get(side, "").strip()) for side in ("width", "height"))
        decorates = words & _DECORATION or own.get("role") == "presentation" or is_small
        if not source or image.mem_id in outside or decorates:
            continue
        url = quote(resolve(base, source), safe=_RESERVED)
        parts = split_url(url)
        is_badge = "badge" in parts.path.lower() or any(each in url for each in _BADGES)
        if parts.scheme in PORTS and not is_badge and not _THEME.search(parts.path):
            urls[url] = None
    return tuple(urls)[:MAX_IMAGES]


@linear
def fingerprint(file: Path) -> str:
    """32 hexadecimal digits for the words of a page's main content; ``""`` for a page of next to no text.

    Raises OSError for a file that cannot be read.
    """
    content = _content(_tree(file), "article", "[role=main]", "main", "body")
    if content is None:
        return ""
    content.strip_tags([*_AROUND, "script", "style", "template", "form"])
    text = " ".join(_WORD.findall(content.text()))
    if len(text) < _LEAST:
        return ""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _tree(file: Path) -> Tree:
    return next(trees(utf8(files.read_file(file))))


def _content(tree: Tree, *selectors: str) -> LexborNode | None:
    """The element of the first selector that has one."""
    for selector in selectors:
        content = tree.css_first(selector)
        if content is not None:
            return content
    return None
