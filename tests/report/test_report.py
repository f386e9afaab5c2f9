"""The report: its figures, its pictures, and how a browser shows it."""

from __future__ import annotations

import re
import shutil
import subprocess
import zlib
from datetime import datetime, timedelta, timezone
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from sitemap_docs.cli.main import group
from sitemap_docs.report.svg import Rectangle, squarified, told_age
from tests.conftest import CHROMIUM, FLAGS, HANGS, git, needs_chromium, runner

HERE = Path(__file__).parents[1]
EPOCH = datetime(2026, 6, 1, tzinfo=timezone.utc)


@pytest.fixture
def html(tmp_path, monkeypatch) -> str:
    """The report of a site with pages of three ages, two sections, two versions and findings."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(EPOCH.timestamp())))
    site = tmp_path / "site"
    cases = (
        HERE / "audit" / "rules" / name / "bad"
        for name in ("old-version-indexable", "robots-unknown-directive")
    )
    for overlay in (HERE / "audit" / "site", *cases):
        shutil.copytree(overlay, site, dirs_exist_ok=True)
    docs = tmp_path / "docs"
    docs.mkdir()
    git(tmp_path, "init", "-q")
    for name, days in (("index", 10), ("guide", 400), ("about", 3_000)):
        (docs / f"{name}.md").write_text(name)
        git(tmp_path, "add", "docs")
        git(
            tmp_path, "commit", "-q", "-m", f"<Write> {name}", date=(EPOCH - timedelta(days=days)).isoformat()
        )
    done = runner().invoke(
        group, ["report", "site", "--source", "docs", "-o", "report.html"], catch_exceptions=False
    )
    assert done.exit_code == 0, done.output
    return Path("report.html").read_text(encoding="utf-8")


def test_it_needs_nothing_from_elsewhere(html):
    assert not re.search(r"<script|<link|<img|<iframe|@import|url\(|\ssrc=", html)


def test_figures(html):
    tree = etree.fromstring(html, etree.HTMLParser())
    tiles = {each.findtext("dt"): each.findtext("dd") for each in tree.iterfind(".//dl/div")}
    assert tiles["pages listed"] == "7"
    assert tiles["left out"] == "1"
    assert tiles["have a proven date"] == "43%"
    bars = [each.text for each in tree.iter("text") if "number" in each.get("class", "")]
    assert bars == ["1", "0", "0", "0", "1", "0", "0", "1"]


def test_stalest_pages_come_first_with_their_commit(html):
    stale = html[html.index("Pages that need love") :]
    assert stale.index("About") < stale.index("Guide") < stale.index("Home")
    assert "&lt;Write&gt; about" in stale


def test_versions_and_rules_are_shown(html):
    assert '<th scope="row">1.0</th><td>2</td>' in html
    assert "robots-unknown-directive" in html
    assert "old-version-indexable" in html


class Outline(HTMLParser):
    """Headings, pictures without a name, tables without heads, tags that are left open."""

    def __init__(self) -> None:
        super().__init__()
        self.levels: list[int] = []
        self.ids: list[str] = []
        self.named: list[str] = []
        self.faults: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag, attrs) -> None:
        values = dict(attrs)
        self.ids += [values["id"]] if "id" in values else []
        self.named += values.get("aria-labelledby", "").split()
        if re.fullmatch("h[1-6]", tag):
            self.levels.append(int(tag[1]))
        if tag == "svg" and (values.get("role") != "img" or "aria-labelledby" not in values):
            self.faults.append("svg without a name")
        if tag == "th" and "scope" not in values:
            self.faults.append("th without scope")
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag) -> None:
        if self.open.pop() != tag:
            self.faults.append(f"</{tag}>")


def test_it_can_be_read_by_ear(html):
    outline = Outline()
    outline.feed(html)
    assert outline.faults == []
    assert outline.open == []
    assert outline.levels[0] == 1
    assert set(outline.levels[1:]) == {2}
    assert set(outline.named) <= set(outline.ids)
    assert len(outline.ids) == len(set(outline.ids))


def test_it_is_the_same_twice(html):
    runner().invoke(group, ["report", "site", "--source", "docs", "-o", "again.html"], catch_exceptions=False)
    assert Path("again.html").read_text(encoding="utf-8") == html


@given(st.lists(st.integers(1, 10_000), min_size=1, max_size=60))
def test_treemap_fills_its_room_in_proportion(sizes):
    sizes.sort(reverse=True)
    room = Rectangle(0, 0, 960, 380)
    places = list(squarified(sizes, room))
    assert len(places) == len(sizes)
    for size, place in zip(sizes, places, strict=True):
        assert place.width * place.height == pytest.approx(960 * 380 * size / sum(sizes), rel=1e-6)
        assert place.x >= -1e-6
        assert place.y >= -1e-6
        assert place.x + place.width <= 960 + 1e-6
        assert place.y + place.height <= 380 + 1e-6


@pytest.mark.parametrize(
    ("days", "said"),
    [(None, "no date"), (1, "1 day"), (59, "59 days"), (90, "3 months"), (731, "2.0 years")],
)
def test_ages_in_words(days, said):
    assert told_age(days) == said


def first_pixel(png: bytes) -> bytes:
    """Red, green and blue of the upper left corner, which is the same with every filter of PNG."""
    packed, start = b"", 8
    while start < len(png):
        size = int.from_bytes(png[start : start + 4], "big")
        packed += png[start + 8 : start + 8 + size] * (png[start + 4 : start + 8] == b"IDAT")
        start += size + 12
    return zlib.decompress(packed)[1:4]


@needs_chromium
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1_180, 500])
def test_a_browser_shows_it(html, scheme, width, tmp_path):
    """A picture with ink in it, on the paper of the scheme, and no error in the log."""
    picture = tmp_path / "report.png"
    dark = ["--force-dark-mode"] if scheme == "dark" else []
    done = subprocess.run(
        [CHROMIUM, *FLAGS, *dark, f"--user-data-dir={tmp_path / 'profile'}", f"--window-size={width},1600",
         f"--screenshot={picture}", (tmp_path / "report.html").as_uri()],
        capture_output=True,
        text=True,
        timeout=HANGS,
        check=True,
    )  # fmt: skip
    assert "CONSOLE" not in done.stderr
    assert picture.stat().st_size > 30_000
    paper = first_pixel(picture.read_bytes())
    assert min(paper) > 230 if scheme == "light" else max(paper) < 40


@needs_chromium
def test_it_prints(html, tmp_path):
    paper = tmp_path / "report.pdf"
    subprocess.run(
        [CHROMIUM, *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", "--no-pdf-header-footer",
         f"--print-to-pdf={paper}", (tmp_path / "report.html").as_uri()],
        capture_output=True,
        timeout=HANGS,
        check=True,
    )  # fmt: skip
    assert paper.read_bytes().count(b"/Type /Page\n") in range(2, 6)
