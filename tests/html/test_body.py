"""What only a whole page shows: links, dates for readers, images, what stands outside the head."""

from pathlib import Path

import pytest

from sitemap_docs.config.directives import Directive
from sitemap_docs.html.body import MAX_IMAGES, Body, images, read_page
from sitemap_docs.html.head import RobotsTag

NOINDEX = RobotsTag("robots", (Directive("noindex"),))
HEAD = "<!doctype html><html><head><link rel=canonical href=/a/>"


def body(folder: Path, text: str) -> Body:
    file = folder / "a.html"
    file.write_text(text, encoding="utf-8")
    return read_page(file)[1]


def test_what_stands_outside_the_head(tmp_path: Path) -> None:
    outside = '<link rel="canonical" href="/b/"><meta name="robots" content="noindex">'
    assert body(tmp_path, f"{HEAD}</head><body>{outside}") == Body(canonicals=("/b/",))
    assert body(tmp_path, f"{HEAD}</head>{outside}<body>") == Body()
    head, _ = read_page(tmp_path / "a.html")
    assert head.canonicals == ("/a/", "/b/")
    assert head.robots == (NOINDEX,)


def test_links_of_a_page_with_more_tags_than_are_parsed_at_once(tmp_path: Path) -> None:
    many = "".join(f'<p><a href="#x">x</a><a href="{number}.html#x">x</a>' for number in range(10_000))
    links = body(tmp_path, f"{HEAD}</head><body>{many}").links
    assert links == {f"{number}.html" for number in range(10_000)}


DAY = ("2024-01-02",)


DATES = {
    '<time datetime="2024-01-02" class="git-revision">x</time>': DAY,  # time
    '<span class="last-updated">2024-01-02</span>': DAY,  # class
    '<span id="Page_Modified" title="2024-01-02">May</span>': DAY,  # title
    '<p>Last updated <time datetime="2024-01-02">May</time>': DAY,  # words
    '<p class="date-modified"><time datetime="2024-01-02">May</time></p>': DAY,  # around
    '<p>Meet us on <time datetime="2024-01-02">May</time>': (),  # another date
    '<b class="last-updated">2024-01-02</b>': (),  # no holder of dates
}


@pytest.mark.parametrize(("text", "dates"), DATES.items())
def test_dates_for_readers(tmp_path: Path, text: str, dates: tuple[str, ...]) -> None:
    assert body(tmp_path, f"{HEAD}</head><body>{text}").dates == dates


LOC = "https://example.org/guide/a/"
ASSETS = "https://example.org/assets/images"


IMAGES = {
    '<img src="/i/é b.png">': ["https://example.org/i/%C3%A9%20b.png"],  # encoded once
    '<img src="a.png"><img src="a.png">': ["https://example.org/guide/a/a.png"],  # once
    '<img src="data:image/png;base64,AA">': [],  # data URI
    '<img src="">': [],  # empty
    '<img src="http://[broken">': [],  # no URL at all
    '<img src="../../_static/logo.png">': [],  # theme file
    '<img src="/assets/images/social/guide.png">': [],  # Material's social card
    f'<img src="{ASSETS}/map.png">': [f"{ASSETS}/map.png"],  # where Jekyll keeps theirs
    '<img src="https://img.shields.io/x.svg">': [],  # badge
    '<img class="twemoji" src="a.svg">': [],  # emoji
    '<img width="16" src="a.png">': [],  # icon by size
    f'<img width="{"9" * 5_000}" src="a.png">': [LOC + "a.png"],  # 5,000 digits
    '<base href="/b/"><img src="a.png">': ["https://example.org/b/a.png"],  # own base
    '<img src="out.png"><main><img src="in.png"></main>': [LOC + "in.png"],  # main only
    '<main><nav><img src="a.png"></nav></main>': [],  # navigation
}


@pytest.mark.parametrize(("text", "expected"), IMAGES.items())
def test_images(tmp_path: Path, text: str, expected: list[str]) -> None:
    (tmp_path / "a.html").write_text(f"{HEAD}</head><body>{text}", encoding="utf-8")
    assert list(images(tmp_path / "a.html", LOC)) == expected


def test_at_most_a_thousand_images(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("".join(f'<img src="{n}.png">' for n in range(1500)))
    assert len(images(tmp_path / "a.html", LOC)) == MAX_IMAGES
