"""noindex from the ``_headers`` file of Netlify and Cloudflare Pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_docs.webroot.headers import BEGIN, END, Headers, merge_headers, read_headers, without_block

FILE = """\
# old versions
/v1/*
  X-Robots-Tag: noindex, follow
/people/:name/
  Cache-Control: no-store
  x-robots-tag: googlebot: none
https://:project.pages.dev/*
  X-Robots-Tag: noindex
/open/*
  X-Robots-Tag: nofollow
/other/
  X-Robots-Tag: someotherbot: noindex
"""


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        pytest.param("/v1/a/b/", "/v1/*", id="a star crosses slashes"),
        pytest.param("/people/ada/", "/people/:name/", id="placeholder"),
        pytest.param("/people/ada/b/", "", id="a placeholder is one segment"),
        pytest.param("/open/a", "", id="nofollow is listed"),
        pytest.param("/other/", "", id="another crawler"),
        pytest.param("/a/", "", id="a preview host's rule is not ours"),
    ],
)
def test_headers(tmp_path: Path, path: str, pattern: str) -> None:
    (tmp_path / "_headers").write_text(FILE, encoding="utf-8")
    assert read_headers(tmp_path).noindex("https://example.org" + path) == pattern


def test_a_rule_for_a_host_is_for_that_host(tmp_path: Path) -> None:
    (tmp_path / "_headers").write_text(FILE, encoding="utf-8")
    assert read_headers(tmp_path).noindex("https://docs.pages.dev/a/") == "https://:project.pages.dev/*"


def test_without_the_file(tmp_path: Path) -> None:
    assert read_headers(tmp_path) == Headers()


MORE = """\
/*
  X-Robots-Tag: noindex
/movies/:title
  ! X-Robots-Tag
/closed/:name.html
  ! X-Robots-Tag
  X-Robots-Tag: none
"""


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        pytest.param("/a", "/*", id="the rule for all"),
        pytest.param("/movies/alien", "", id="detached"),
        pytest.param("/movies/alien.html", "", id="a placeholder matches dots in a path"),
        pytest.param("/movies/a/b", "/*", id="but no slash"),
        pytest.param("/closed/x.html", "/closed/:name.html", id="detached and attached again"),
    ],
)
def test_cloudflare_detaches_headers(tmp_path: Path, path: str, pattern: str) -> None:
    """https://developers.cloudflare.com/pages/configuration/headers/."""
    (tmp_path / "_headers").write_text(MORE, encoding="utf-8")
    assert read_headers(tmp_path).noindex("https://example.org" + path) == pattern


def test_a_placeholder_of_a_host_matches_no_dot(tmp_path: Path) -> None:
    (tmp_path / "_headers").write_text("https://:name.pages.dev/:page\n  X-Robots-Tag: noindex\n")
    headers = read_headers(tmp_path)
    assert headers.noindex("https://docs.pages.dev/a.html")
    assert not headers.noindex("https://a.docs.pages.dev/a.html")


def test_headers_outside_the_folder_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "secret").write_text("/*\n  X-Robots-Tag: noindex\n")
    (tmp_path / "site/_headers").symlink_to("../secret")
    assert read_headers(tmp_path / "site") == Headers()


def test_of_many_patterns_few_are_tried(tmp_path: Path) -> None:
    rows = (f"/private-{number:05}/*\n  X-Robots-Tag: noindex\n" for number in range(20_000))
    (tmp_path / "_headers").write_text("".join(rows))
    headers = read_headers(tmp_path)
    assert headers.noindex("https://example.org/private-12345/a.html") == "/private-12345/*"
    assert not headers.noindex("https://example.org/guide/a.html")
    assert len(list(headers._patterns.candidates("https://example.org/private-12345/a.html"))) < 50


BLOCK = f"{BEGIN}\n/1.0/*\n  X-Robots-Tag: noindex\n{END}\n"
RULES = [("/1.0/*", "X-Robots-Tag: noindex")]


@pytest.mark.parametrize(
    ("yours", "merged"),
    [
        pytest.param("", BLOCK, id="no file"),
        pytest.param("/*\n  X-Frame-Options: DENY\n", f"/*\n  X-Frame-Options: DENY\n{BLOCK}", id="appended"),
        pytest.param("/*\n  A: b", f"/*\n  A: b\n{BLOCK[:-1]}", id="no last line end"),
        pytest.param("/*\r\n  A: b\r\n", "/*\r\n  A: b\r\n" + BLOCK.replace("\n", "\r\n"), id="CRLF"),
        pytest.param(f"{END}\n{BEGIN}\n/x\n", f"{END}\n{BEGIN}\n/x\n{BLOCK}", id="marks of no block"),
    ],
)
def test_rules_are_merged_and_leave_no_trace(yours: str, merged: str) -> None:
    got = merge_headers(yours.encode(), RULES)
    assert got.decode() == merged
    assert merge_headers(got, RULES) == got
    assert merge_headers(got, []) == without_block(got) == yours.encode()


def test_lines_around_the_block_are_kept() -> None:
    changed = f"/a\n  A: b\n{BLOCK}/c\n  C: d\n".encode()
    assert merge_headers(changed, RULES).decode() == f"/a\n  A: b\n/c\n  C: d\n{BLOCK}"


PARTS = st.sampled_from([BEGIN, END, "/a", "  A: b", "", "\r"])


@given(st.lists(st.tuples(PARTS, st.sampled_from(["\n", "\r\n"])), max_size=8), st.booleans())
def test_merging_again_changes_nothing(lines: list[tuple[str, str]], ends: bool) -> None:
    data = "".join(text + eol for text, eol in lines).encode() + b"/z" * (not ends)
    merged = merge_headers(data, RULES)
    assert merge_headers(merged, RULES) == merged
    assert merge_headers(merged, []) == without_block(data)
