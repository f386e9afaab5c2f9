"""How many pages a second the audit reads on one core: 10,000 pages of 60 KB, as Sphinx writes them.

    python tests/bench/audit.py [PAGES]

It also times the same heads with BeautifulSoup, so that the figures compare on any machine.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
from datetime import datetime, timezone
from pathlib import Path
from time import perf_counter

from bs4 import BeautifulSoup

from sitemap_docs.audit import RULES, Settings, audit
from sitemap_docs.audit.reading import Context, read_site
from sitemap_docs.folder.collect import Directory, collect_pages
from sitemap_docs.sources.lookup import SourceFolders
from sitemap_docs.urls.base import Base

BASE = "https://docs.example.org/"
NOW = datetime(2026, 6, 1, tzinfo=timezone.utc)
HEAD = """<!doctype html>
<html class="no-js" lang="en" data-content_root="../">
  <head><meta charset="utf-8"/>
    <meta name="viewport" content="width=device-width,initial-scale=1"/>
    <meta name="color-scheme" content="light dark">
    <meta name="generator" content="Docutils 0.22.3: https://docutils.sourceforge.io/" />
<link rel="index" title="Index" href="../genindex.html" />
<link rel="search" title="Search" href="../search.html" />
<link rel="canonical" href="{loc}" />
    <title>Page {number} - Project documentation</title>
    <link rel="stylesheet" type="text/css" href="../_static/pygments.css?v=1" />
    <link rel="stylesheet" type="text/css" href="../_static/styles/furo.css?v=2" />
<style>body {{ --color-code-background: #f2f2f2; --color-code-foreground: #1e1e1e; }}</style></head>
"""
SECTION = (
    '<section id="s{0}"><h2>Section<a class="headerlink" href="#s{0}">¶</a></h2><p>Some <em>text</em> with '
    '<a class="reference internal" href="../p{0}/">a link</a> and <code class="docutils literal">'
    '<span class="pre">code</span></code>.</p></section>\n'
)


def make(root: Path, number: int) -> None:
    """The site, with its sitemap."""
    body = "".join(SECTION.format(each) for each in range(60_000 // len(SECTION)))
    locs = [f"{BASE}p{each}/" for each in range(number)]
    for each, loc in enumerate(locs):
        folder = root / f"p{each}"
        folder.mkdir()
        (folder / "index.html").write_text(
            HEAD.format(loc=loc, number=each) + f"<body>{body}</body></html>\n", encoding="utf-8"
        )
    rows = "".join(
        f"<url><loc>{loc}</loc><lastmod>20{10 + each % 15}-0{1 + each % 9}-1{each % 10}</lastmod></url>\n"
        for each, loc in enumerate(locs)
    )
    (root / "sitemap.xml").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{rows}</urlset>\n'
    )
    (root / "robots.txt").write_text(f"User-agent: *\nAllow: /\n\nSitemap: {BASE}sitemap.xml\n")


def timed(root: Path, select: str) -> tuple[float, int]:
    settings = Settings.of(select=[select], severity="info")
    base = Base.of(BASE)
    start = perf_counter()
    found = collect_pages(Directory(root=str(root), base=base, sources=SourceFolders())).pages
    site = read_site(root, base, found, Context(now=NOW), whole=settings.whole)
    findings = sum(1 for _ in audit(site, settings))
    return perf_counter() - start, findings


def soup(root: Path, number: int) -> float:
    start = perf_counter()
    for each in range(number):
        data = (root / f"p{each}" / "index.html").read_bytes()
        BeautifulSoup(data[: data.index(b"</head>")], "lxml").find_all(["link", "meta", "title"])
    return (perf_counter() - start) / number


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {0})
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        make(root, number)
        size = (root / "p0" / "index.html").stat().st_size
        print(f"{number:,} pages of {size:,} bytes, {len(RULES)} rules, one core")
        timed(root, "default")  # so that the files are in memory
        for select in ("default", "all"):
            seconds, findings = timed(root, select)
            print(f"{select:>8}: {seconds:6.2f} s, {number / seconds:8,.0f} pages/s, {findings:,} findings")
        each = soup(root, min(number, 500))
        print(f"BeautifulSoup, heads only: {1 / each:8,.0f} pages/s")
        print(f"memory at most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MiB")


if __name__ == "__main__":
    main()
