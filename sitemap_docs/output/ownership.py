"""Who made a sitemap that is there: we, a generator that would make it again, or the user."""

from __future__ import annotations

import re
import zlib
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_HEAD = 4_096
_OURS = re.compile(
    rb"<\?xml [^>]*\?>\s*(?:<\?xml-stylesheet [^>]*\?>\s*)?"
    rb"<!-- sitemap-docs(?:: a part of (?P<whole>[^>]+))? -->"
    rb"|/\* sitemap-docs \*/"
)
_XML = rb'<\?xml version="1\.0" encoding="(?:UTF|utf)-8"\?>'
_09 = rb'xmlns="http://www\.sitemaps\.org/schemas/sitemap/0\.9"'
_XHTML = rb'xmlns:xhtml="http://www\.w3\.org/1999/xhtml"'
_XSI = rb'xmlns:xsi="http://www\.w3\.org/2001/XMLSchema-instance"\s+xsi:schemaLocation="[^"]*"'
_XSL = rb"(?:\s*<\?xml-stylesheet [^>]*\?>)?"
_DAY = rb"<lastmod>\d{4}-\d\d-\d\d</lastmod>"

#: How the files of generators begin. Most bear no mark: what tells them are their spaces, quotes and
#: namespaces, as of the versions named. Where these are what anybody would write, the file counts as the
#: user's.
GENERATORS = {
    # MkDocs 1.6 and ProperDocs 1.6; without site_url, it lists nothing.
    "MkDocs": _XML + rb"\n<urlset " + _09 + rb">\n(?:    <url>\n {9}<loc>[^<]*</loc>\n|\s*</urlset>)",
    # 1.3
    "mkdocs-static-i18n": (
        _XML + rb"\n<urlset " + _09 + b" " + _XHTML + rb">\n    <url>\n        <loc>[^<]*</loc>\n"
        rb"(?:        " + _DAY + rb"\n)?        <changefreq>daily</changefreq>\n"
    ),
    # 0.1
    "Zensical": _XML + rb"\n<urlset " + _09 + rb">\n      <url>\n        <loc>[^<]*</loc>\n      </url>\n",
    # 2.9: Python's ElementTree and its single quotes; <url> holds loc, lastmod and links.
    "sphinx-sitemap": (
        rb"<\?xml version='1\.0' encoding='utf-8'\?>\n"
        rb"<urlset (?:" + _XHTML + rb" )?" + _09 + rb"(?: " + _XHTML + rb")?>\s*"
        rb"<url>\s*<loc>[^<]*</loc>\s*(?:<lastmod>[^<]*</lastmod>\s*)?(?:</url>|<xhtml:link )"
    ),
    # 0.13
    "sphinx-immaterial": rb"<urlset " + _09 + rb"><url><loc>",
    # Template and index as of 0.150, minified or not.
    "Hugo": (
        rb'<\?xml version="1\.0" encoding="utf-8" standalone="yes"\?>\s*'
        rb"(?:<urlset " + _09 + rb"\s+" + _XHTML + rb">|<sitemapindex " + _09 + rb">)"
    ),
    # jekyll-sitemap 1.4
    "Jekyll": _XML + _XSL + rb"\s*<urlset " + _XSI + b" " + _09 + rb">",
    # 1.2
    "Pelican": _XML + rb"\n<urlset " + _XSI + rb"\n" + _XHTML + rb"\n" + _09 + rb">\n",
    # The npm package "sitemap", 7 to 9, in Docusaurus, Astro and Starlight, VitePress, Gatsby and Eleventy.
    "sitemap.js": _XML
    + _XSL
    + rb"(?:<urlset "
    + _09
    + rb" xmlns:news=|<sitemapindex "
    + _09
    + rb"><sitemap><loc>)",
    # 3.1
    "Antora": (
        _XML
        + rb"\n(?:<urlset "
        + _09
        + rb">\n<url>\n<loc>[^<]*</loc>\n<lastmod>[^<]*\.\d{3}Z</lastmod>\n</url>\n"
        rb"|<sitemapindex " + _09 + rb">\n<sitemap>\n<loc>[^<]*</loc>\n</sitemap>\n)"
    ),
}


class Maker(Enum):
    """We, a generator that makes its sitemap again at each build, or the user."""

    OURS = "sitemap-docs"
    GENERATOR = "a generator"
    USER = "the user"


def maker(file: Path) -> Maker:
    """Who made ``file``, told from its first 4,096 bytes (unpacked); a link or folder is the user's."""
    if file.is_symlink() or not file.is_file():
        return Maker.USER
    start = _head(file)
    if _OURS.match(start):
        return Maker.OURS
    return Maker.GENERATOR if any(re.match(each, start) for each in GENERATORS.values()) else Maker.USER


def part_of(file: Path) -> str | None:
    """The sitemap that ``file`` says it is a part of; None when it is no part of ours."""
    ours = None if file.is_symlink() else _OURS.match(_head(file))
    return ours["whole"].decode("utf-8", "replace").replace("-%2D", "--") if ours and ours["whole"] else None


def _head(file: Path) -> bytes:
    with file.open("rb") as stream:
        start = stream.read(_HEAD)
    if not start.startswith(b"\x1f\x8b"):
        return start
    try:
        return zlib.decompressobj(wbits=31).decompress(start, _HEAD)
    except zlib.error:
        return b""
