"""Read the parts of a page outside its head: links, dates, images, and the words of the main content."""

import hashlib
import re
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from selectolax.lexbor import LexborNode

from sitemap_docs import files
from sitemap_docs.html.head import Head, base_of, head_of, links_of
from sitemap_docs.html.trees import Tree, attributes, head_trees, trees, utf8
from sitemap_docs.linear import linear
from sitemap_docs.urls.base import PORTS, resolve, split_url

_UPDATED = re.compile(r"(?:last|date|git|page)[-_]?(?:updated|modified|revision)", re.IGNORECASE)
_DATE_LABEL = re.compile(r"last\s+(?:updated|modified|update|change)", re.IGNORECASE)
_DATE_NAMES = ",".join(
    f"[{attribute}*={word} i]"
    for attribute in ("class", "id")
    for word in ("updated", "modified", "revision")
)
#: In Material for MkDocs, the first date is that of the last change, and the second that of the creation.
_MATERIAL = ".md-source-file__fact:first-child > time[datetime]"
_DATE_ELEMENTS = f"time,:is(span,p,div,small,li):is({_DATE_NAMES})"


class Body(NamedTuple):
    """The data of a page outside its ``<head>``.

    Attributes:
        canonicals: Canonical links in the body.
        dates: "Last updated" dates, as the page shows them.
        links: The targets of links, without ``#fragments``.
    """

    canonicals: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    links: frozenset[str] = frozenset()


@linear
def read_page(file: Path) -> tuple[Head, Body]:
    """Read the ``<head>`` of an HTML file, and the links and dates in the rest of the page.

    Raises:
        OSError: The file cannot be read.
    """
    data = utf8(files.read_file(file))
    head = head_of(head_trees(data), data, described=True)
    page_trees = list(trees(data))
    dates: list[str] = []
    links: set[str] = set()
    for tree in page_trees:
        dates += _shown_dates(tree)
        links |= _link_targets(tree)
    # Canonical links of the head come first, so the rest are those of the body.
    canonicals = links_of(page_trees).canonicals[len(head.canonicals) :]
    body = Body(canonicals=tuple(canonicals), dates=tuple(dates), links=frozenset(links))
    return head, body


def _link_targets(tree: Tree) -> set[str]:
    """Return the targets of all links in a page, without ``#fragments``."""
    targets = set()
    for element in (*tree.tags("a"), *tree.tags("area")):
        href = element.attrs.get("href")
        if href:
            target, _, _ = href.strip().partition("#")
            targets.add(target)
    targets.discard("")
    return targets


def _shown_dates(tree: Tree) -> list[str]:
    """Return the "last updated" dates that a page shows."""
    dates = []
    for element in tree.css(_DATE_ELEMENTS):
        values = attributes(element)
        names = f"{values.get('class')} {values.get('id')}"
        is_leaf = next(element.iter(), None) is None
        is_named = is_leaf and _UPDATED.search(names)
        if is_named or (element.tag == "time" and values.get("datetime") and _is_labelled(element)):
            date = values.get("datetime") or values.get("title") or element.text()
            dates.append(date.strip())
    for element in tree.css(_MATERIAL):
        date = attributes(element).get("datetime", "")
        dates.append(date.strip())
    return dates


def _is_labelled(time: LexborNode) -> bool:
    """Check whether the text next to a ``<time>`` element says "last updated"."""
    around = time.parent
    if around is None:
        return False
    name, text = attributes(around).get("class", ""), around.text(deep=False)
    return bool(_UPDATED.search(name) or _DATE_LABEL.search(text))


MAX_IMAGES = 1000
"""Images of one page (https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps)."""

_AROUND = ("nav", "header", "footer", "aside")
_DECORATION = {"icon", "emoji", "twemoji", "emojione", "logo", "avatar", "badge", "headerlink"}
_BADGES = ("img.shields.io", "badge.fury.io", "badgen.net")  # other hosts have "badge" in the path
_THEME = re.compile(r"/_static/|/assets/images/(?:favicon|social/)")  # of Sphinx and Material
_SMALL = re.compile(r"0*(?:[1-3]?\d|4[0-8])(?:px)?", re.ASCII)  # an icon has up to 48 pixels
_RESERVED = ":/?#[]@!$&'()*+,;=%~"
_WORD = re.compile(r"\w+")
_LEAST_TEXT = 40  # characters; with less text, different pages could have the same words


@linear
def images(file: Path, loc: str) -> tuple[str, ...]:
    """Return the URLs of the images in the main content of a page. ``loc`` is the URL of the page.

    Raises:
        OSError: The file cannot be read.
    """
    tree = _first_tree(file)
    base = resolve(loc, base_of([tree]))
    content = _content(tree, "main", "[role=main]", "article", "body")
    if content is None:
        return ()
    around = ",".join(f"{name} img" for name in (*_AROUND, "button", "summary"))
    ids_around = {image.mem_id for image in content.css(around)}
    urls: dict[str, None] = {}
    for image in content.css("img"):
        values = attributes(image)
        source = values.get("src", "").strip()
        if not source or image.mem_id in ids_around or _is_decoration(values):
            continue
        url = quote(resolve(base, source), safe=_RESERVED)
        parts = split_url(url)
        is_badge = "badge" in parts.path.lower() or any(host in url for host in _BADGES)
        is_theme_file = _THEME.search(parts.path)
        if parts.scheme in PORTS and not is_badge and not is_theme_file:
            urls[url] = None
    return tuple(urls)[:MAX_IMAGES]


def _is_decoration(image: dict[str, str]) -> bool:
    """Check whether an image is an icon, a logo or a badge."""
    names = image.get("class", "").lower().split()
    words = {*names, *"-".join(names).split("-")}
    if words & _DECORATION or image.get("role") == "presentation":
        return True
    return any(_SMALL.fullmatch(image.get(side, "").strip()) for side in ("width", "height"))


@linear
def fingerprint(file: Path) -> str:
    """Return a hash of the words in the main content of a page.

    If the page has little text, return ``""``.

    Raises:
        OSError: The file cannot be read.
    """
    content = _content(_first_tree(file), "article", "[role=main]", "main", "body")
    if content is None:
        return ""
    content.strip_tags([*_AROUND, "script", "style", "template", "form"])
    text = " ".join(_WORD.findall(content.text()))
    if len(text) < _LEAST_TEXT:
        return ""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _first_tree(file: Path) -> Tree:
    """Parse an HTML file. Of a very long file, only the beginning is parsed."""
    data = utf8(files.read_file(file))
    return next(trees(data))


def _content(tree: Tree, *selectors: str) -> LexborNode | None:
    """Return the element with the main content of a page, or None."""
    for selector in selectors:
        content = tree.css_first(selector)
        if content is not None:
            return content
    return None
