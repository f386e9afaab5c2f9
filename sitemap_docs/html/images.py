"""The images of a page's own content, for the image extension of the protocol."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from lxml import etree

from sitemap_docs import files
from sitemap_docs.html.head import decode
from sitemap_docs.urls import resolve, split_url

if TYPE_CHECKING:
    from pathlib import Path

    from lxml.etree import _Element

MAX_IMAGES = 1000
"""Images of one page (https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps)."""

_CONTENT = ("main", "*[@role='main']", "article", "body")
_BESIDE = {"nav", "header", "footer", "aside", "button", "summary"}
_DECORATION = {"icon", "emoji", "twemoji", "emojione", "logo", "avatar", "badge", "headerlink"}
_BADGES = (
    "img.shields.io",
    "badge.fury.io",
    "badgen.net",
    "readthedocs.org/projects",
    "codecov.io",
    "coveralls.io",
)
_THEME = re.compile(r"/_static/|/assets/images/(?:favicon|social/)")  # of Sphinx and Material
_ICON_SIZE = 48
_RESERVED = ":/?#[]@!$&'()*+,;=%~"


def images(file: Path, loc: str) -> tuple[str, ...]:
    """Absolute URLs of the images in a rendered page's main content, in its order, at most 1,000.

    Icons, badges, theme files and data URIs are not content. Reads the whole page. Raises OSError for a file
    that cannot be read.
    """
    root = etree.fromstring(decode(files.read_file(file)) or "<html/>", etree.HTMLParser())
    sources = (image.get("src", "").strip() for image in _pictures(root))
    found = dict.fromkeys(quote(resolve(loc, source), safe=_RESERVED) for source in sources)
    return tuple(url for url in found if _is_content(url))[:MAX_IMAGES]


def _pictures(root: _Element | None) -> list[_Element]:
    if root is None:
        return []
    for path in _CONTENT:
        content = root.find(f".//{path}")
        if content is not None:
            return [image for image in content.iter("img") if not _decorates(image)]
    return []


def _decorates(image: _Element) -> bool:
    classes = {
        word for name in (image.get("class") or "").lower().split() for word in (name, *name.split("-"))
    }
    if classes & _DECORATION or image.get("role") == "presentation" or not (image.get("src") or "").strip():
        return True
    sizes = [image.get(side, "").removesuffix("px") for side in ("width", "height")]
    if any(size.isascii() and size.isdigit() and int(size) <= _ICON_SIZE for size in sizes):
        return True
    return any(parent.tag in _BESIDE for parent in image.iterancestors())


def _is_content(url: str) -> bool:
    parts = split_url(url)
    if parts.scheme not in ("http", "https"):
        return False
    return (
        not _THEME.search(parts.path)
        and "badge" not in parts.path.lower()
        and not any(each in url for each in _BADGES)
    )
