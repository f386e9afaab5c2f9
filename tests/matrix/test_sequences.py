"""Sequences of edits with builds in between: a build depends on the site, not on the last build.

``SEQUENCES`` is how many are tried; ``nox -s combinations`` tries 500.
"""

from __future__ import annotations

import gzip
import os
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import rule

from tests.conftest import write
from tests.matrix.edits import Edited, tried
from tests.matrix.run import Answer, command

pytestmark = pytest.mark.once

TRIED = int(os.environ.get("SEQUENCES", "5"))
BASE = "https://e.org/docs/"
PAGE = "<!doctype html><html><head><title>x</title>{}</head><body>{}</body></html>"
NAMES = [
    "index.html",
    "a.html",
    "de/a.html",
    "b/index.html",
    "docs/index.html",
    "docs/a.html",
    "http/404.html",
]
CODES = {"en": "", "de": "de/"}
LINKS = "".join(
    f'<link rel="alternate" hreflang="{code}" href="{BASE}{path}a.html">' for code, path in CODES.items()
)
HEADS = ["", '<meta name="robots" content="noindex">', '<link rel="canonical" href="{own}">', LINKS]
BODIES = ["", f'<a href="{BASE}http/404.html">404</a>']
FLAGS = {
    "--base-url": [BASE],
    "--filename": ["other.xml"],
    "--links": ["bare", "files"],
    "--gzip": ["beside", "instead"],
    "--max-urls": ["1", "2"],
    "--index": ["true", "cascaded"],
    "--excludes": ["a*", "b*"],
    "--locales": [f"de={BASE}de/"],
    "--formats": ["text"],
    "--no-stylesheet": [""],
}
FILES = {
    "robots.txt": ["User-agent: *\nDisallow: /b/\n"],
    "_redirects": ["/docs/a.html /docs/b/ 301!\n"],
    "_headers": ["/docs/b/*\n  X-Robots-Tag: noindex\n"],
    "../src/a.md": ["---\nsitemap: false\n---\n", "# A\n"],
}
XML = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'


def sitemap(paths: list[str], *, translated: bool) -> str:
    """What a generator writes: addresses, some with their translations."""
    rows = ""
    for path in paths:
        links = LINKS.replace("<link", "<xhtml:link").replace(">", "/>") if translated and "a" in path else ""
        rows += f"<url><loc>{BASE}{path}</loc>{links}</url>"
    return f"<urlset {XML}>{rows}</urlset>"


THEIRS = [
    sitemap(["", "a.html", "de/a.html"], translated=True),
    sitemap(["", "a", "de/a", "b"], translated=False),
    sitemap(["docs/", "docs/a.html", "http/404.html"], translated=True),
    sitemap(["", "b/index.html"], translated=False),
]
TEXTS = [[""], ["", "a.html", "b/", "de/a.html"], ["app", "b/"]]


class Sequence(Edited):
    """A folder that is edited and built again and again, and the model of what is in it without us.

    ``theirs`` is the sitemap of the generator as it last wrote it; ``taken``: ours is in its place.
    ``mine`` is a text sitemap of the user's own.
    """

    movable = NAMES
    choices = FLAGS
    place = "again/site"

    def __init__(self) -> None:
        super().__init__()
        self.files: dict[str, str] = {}
        self.options = {"--base-url": BASE}
        self.theirs: tuple[str, bytes] | None = None
        self.taken = False
        self.mine: str | None = None
        for name in NAMES[:4]:
            self.page(name, "", "")

    @rule(name=st.sampled_from(NAMES), head=st.sampled_from(HEADS), body=st.sampled_from(BODIES))
    def page(self, name: str, head: str, body: str) -> None:
        own = BASE + name.removesuffix("index.html").removesuffix(".html")
        self.put(name, PAGE.format(head.replace("{own}", own), body))

    @rule(data=st.data(), name=st.sampled_from([*FILES]))
    def file(self, data: st.DataObject, name: str) -> None:
        text = data.draw(st.sampled_from([None, *FILES[name]]))
        (self.folder / name).unlink(missing_ok=True)
        self.files.pop(name, None)
        if text:
            self.files[name] = text
            write(self.folder, {name: text})

    @rule(text=st.sampled_from(THEIRS), packed=st.booleans())
    def generator(self, text: str, packed: bool) -> None:
        """It writes its sitemap, plain or packed, and leaves there what is ours."""
        if not self.taken:
            for name in ("sitemap.xml", "sitemap.xml.gz"):
                (self.folder / name).unlink(missing_ok=True)
        if self.mine is None:  # nothing would show whose it is
            (self.folder / "sitemap.txt").unlink(missing_ok=True)
        data, name = text.encode(), "sitemap.xml"
        if packed:
            data, name = gzip.compress(data, mtime=0), "sitemap.xml.gz"
        write(self.folder, {name: data})
        self.theirs, self.taken = (name, data), False

    @rule(paths=st.sampled_from(TEXTS))
    def text(self, paths: list[str]) -> None:
        """A text of the user's own, without the line feed at the end that ours has."""
        self.mine = "\n".join(BASE + path for path in paths)
        write(self.folder, {"sitemap.txt": self.mine})

    @rule()
    def build(self) -> None:
        """A build in the folder, and one of the same files where nothing of ours ever was."""
        again = self.built(self.folder, f"cache-{self.cache}")
        once = self.root / "once"
        shutil.rmtree(once, ignore_errors=True)
        write(once / "site", {**self.pages, **self.files})
        for folder in ("site", "src"):
            (once / folder).mkdir(parents=True, exist_ok=True)
        if self.theirs:
            name, data = self.theirs
            if self.taken and "--filename" in self.options:  # as if it had the name that ours has now
                name = name.replace("sitemap.xml", self.options["--filename"])
            write(once / "site", {name: data})
        if self.mine is not None:
            write(once / "site", {"sitemap.txt": self.mine})
        fresh = self.built(once / "site", "fresh")
        assert again.code == fresh.code, (again.out, again.err, fresh.out, fresh.err)
        assert "Traceback" not in again.err
        if again.code == 2:  # nothing was changed
            return
        assert self.said(again) == self.said(fresh)
        expected = self.ours(once / "site")
        assert self.ours(self.folder) == expected
        if self.mine is not None and expected["sitemap.txt"] != self.mine.encode():
            self.mine = None
        wanted = self.options.get("--filename", "sitemap.xml")
        if self.theirs and (self.taken or self.theirs[0].removesuffix(".gz") == wanted):
            self.taken = wanted in expected or f"{wanted}.gz" in expected
            if not self.taken:
                self.theirs = None

    def built(self, site: Path, cache: str) -> Answer:
        flags = [part for flag in self.options.items() for part in flag if part]
        (site.parent / "src").mkdir(exist_ok=True)
        given = ["--replace", "--source", site.parent / "src", "--cache-dir", self.root / cache]
        return command("build", site, *given, *flags)

    def said(self, answer: Answer) -> list[str]:
        lines = [*answer.err.splitlines(), answer.out]
        lines = [re.sub(r" Removed what an earlier build wrote: .*\.(?= \[)", "", line) for line in lines]
        return [line.replace("/again/", "/once/") for line in lines if not line.startswith("removed")]

    def ours(self, site: Path) -> dict[str, bytes]:
        """What is in the folder besides its pages and the sitemap of the generator, by its name."""
        found = {}
        for file in site.iterdir():
            if file.is_file() and file.suffix != ".html" and not file.name.startswith("_"):
                data = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
                found[file.name] = re.sub(rb'"file": "[^"]*"', b"", data)
        return found


TestSequence = tried(Sequence, TRIED)
