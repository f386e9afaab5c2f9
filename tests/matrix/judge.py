"""What is right, found without our code: beautifulsoup4 for pages, git for dates, lxml for sitemaps, Protego.

The default row of each project is judged by it; the others by what must hold between things.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit

from bs4 import BeautifulSoup
from lxml import etree

from tests.conftest import git
from tests.matrix.projects.shape import IGNORED, Project, Truth
from tests.matrix.run import Files, Ran

NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
XHTML = "{http://www.w3.org/1999/xhtml}"
OURS = b"<!-- sitemap-docs"


class Head(NamedTuple):
    """What the head of a page says, as beautifulsoup4 reads it."""

    canonicals: tuple[str, ...]
    noindex: bool
    refresh: bool


@lru_cache(maxsize=4096)
def head_of(data: bytes) -> Head:
    soup = BeautifulSoup(data.partition(b"<body")[0], "html.parser")
    robots = soup.find_all("meta", attrs={"name": lambda name: name and name.lower() == "robots"})
    words = {word for meta in robots for word in meta["content"].lower().replace(",", " ").split()}
    return Head(
        canonicals=tuple(link["href"] for link in soup.select("link[rel=canonical]")),
        noindex=not words.isdisjoint({"noindex", "none"}),
        refresh=bool(soup.select("meta[http-equiv=refresh]")),
    )


class Listed(NamedTuple):
    """One address of a sitemap: its date, and its translations."""

    loc: str
    lastmod: str
    alternates: tuple[tuple[str, str], ...]


def sitemaps_in(files: Files) -> dict[str, etree._Element]:
    """The root of each sitemap and index of ours in an output, by its name; packed ones are unpacked."""
    found = {}
    for name, data in files.items():
        if "/" in name.removeprefix("../") or not name.endswith((".xml", ".xml.gz")):
            continue
        text = gzip.decompress(data) if name.endswith(".gz") else data
        if OURS not in text:
            continue
        root = etree.fromstring(text)
        if root.tag in (f"{NAMESPACE}urlset", f"{NAMESPACE}sitemapindex"):
            found[name] = root
    return found


def listed_in(files: Files) -> dict[str, Listed]:
    """What all sitemaps in an output list, by address; each says the same of an address."""
    listed: dict[str, Listed] = {}
    for root in sitemaps_in(files).values():
        for url in root.iter(f"{NAMESPACE}url"):
            links = tuple((link.get("hreflang"), link.get("href")) for link in url.iter(f"{XHTML}link"))
            each = Listed(url.findtext(f"{NAMESPACE}loc"), url.findtext(f"{NAMESPACE}lastmod") or "", links)
            assert listed.setdefault(each.loc, each) == each
    return listed


def file_at(loc: str, base: str, files: Iterable[str]) -> str:
    """The file of an output that a server shows at an address; ``""`` for none."""
    if not loc.startswith(base):
        return ""
    path = unquote(urlsplit(loc).path[len(urlsplit(base).path) :])
    for name in (path, f"{path}.html", f"{path.rstrip('/')}/index.html".lstrip("/")):
        if name in files and name:
            return name
    return ""


def pages_of(project: Project, spelling: str) -> dict[str, Truth]:
    """What is right for each HTML file, in the spelling of a row."""
    return {spelled(name, project, spelling): truth for name, truth in project.truth.items()}


def spelled(name: str, project: Project, spelling: str) -> str:
    """The name of an HTML file, where pages may be folders with an index.html."""
    if spelling != "folders" or name in project.copied or f"/{name}".endswith("/index.html"):
        return name
    return f"{name.removesuffix('.html')}/index.html"


def right_date(root: Path, truth: Truth) -> str:
    """The date that git names, as a sitemap has it; ``""`` where there is none."""
    if truth.day:
        return truth.day
    if not truth.made_of:
        return ""
    ignored = (root / IGNORED).read_text("utf-8") if (root / IGNORED).is_file() else ""
    newest = ""
    for file in truth.made_of:
        for line in git(root, "log", "--format=%H %cI", "--", file).splitlines():
            commit, _, date = line.partition(" ")
            if commit not in ignored:
                newest = max(newest, datetime.fromisoformat(date).astimezone(timezone.utc).isoformat())
                break
    return newest


def by_file(ran: Ran) -> Mapping[str, Listed]:
    """The addresses that the build listed, by the files that are served there."""
    if not ran.build.wrote:
        return {}
    return {file_at(each.loc, ran.base, ran.after): each for each in listed_in(ran.after).values()}


def resolved(loc: str, href: str) -> str:
    parts = urlsplit(urljoin(loc, href))
    return urlunsplit(parts._replace(netloc=parts.netloc.removesuffix(":")))  # an empty port is none
