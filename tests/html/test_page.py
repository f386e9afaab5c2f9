"""Images of a page's own content."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_docs.html.page import MAX_IMAGES, images

LOC = "https://example.org/guide/a/"
ASSETS = "https://example.org/assets/images"


def found(tmp_path: Path, body: str) -> tuple[str, ...]:
    file = tmp_path / "a.html"
    file.write_text(f"<!doctype html><html><head></head><body>{body}</body></html>", encoding="utf-8")
    return images(file, LOC)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param('<img src="/i/é b.png">', ["https://example.org/i/%C3%A9%20b.png"], id="encoded once"),
        pytest.param('<img src="a.png"><img src="a.png">', ["https://example.org/guide/a/a.png"], id="once"),
        pytest.param('<img src="data:image/png;base64,AA">', [], id="data URI"),
        pytest.param('<img src="">', [], id="empty"),
        pytest.param('<img src="http://[broken">', [], id="no URL at all"),
        pytest.param('<img src="../../_static/logo.png">', [], id="theme file"),
        pytest.param('<img src="/assets/images/social/guide.png">', [], id="Material's social card"),
        pytest.param(f'<img src="{ASSETS}/map.png">', [f"{ASSETS}/map.png"], id="where Jekyll keeps theirs"),
        pytest.param('<img src="https://img.shields.io/x.svg">', [], id="badge"),
        pytest.param('<img class="twemoji" src="a.svg">', [], id="emoji"),
        pytest.param('<img width="16" src="a.png">', [], id="icon by size"),
        pytest.param(f'<img width="{"9" * 5_000}" src="a.png">', [LOC + "a.png"], id="5,000 digits"),
        pytest.param('<base href="/b/"><img src="a.png">', ["https://example.org/b/a.png"], id="own base"),
        pytest.param('<img src="out.png"><main><img src="in.png"></main>', [LOC + "in.png"], id="main only"),
        pytest.param('<main><nav><img src="a.png"></nav></main>', [], id="navigation"),
        pytest.param("", [], id="none"),
    ],
)
def test_images(tmp_path: Path, body: str, expected: list[str]) -> None:
    assert list(found(tmp_path, body)) == expected


def test_at_most_a_thousand(tmp_path: Path) -> None:
    assert len(found(tmp_path, "".join(f'<img src="{n}.png">' for n in range(1500)))) == MAX_IMAGES


def test_an_empty_file_has_none(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"")
    assert images(tmp_path / "a.html", LOC) == ()
