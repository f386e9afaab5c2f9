"""noindex from the ``_headers`` file of Netlify and Cloudflare Pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_docs.programs.host_files import read_headers

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
MORE = """\
/*
  X-Robots-Tag: noindex
/movies/:title
  ! X-Robots-Tag
/closed/:name.html
  ! X-Robots-Tag
  X-Robots-Tag: none
"""
OURS = "https://example.org"


@pytest.mark.parametrize(
    ("text", "url", "pattern"),
    [
        pytest.param(FILE, f"{OURS}/people/ada/", "/people/:name/", id="placeholder"),
        pytest.param(FILE, f"{OURS}/people/ada/b/", "", id="a placeholder is one segment"),
        pytest.param(FILE, f"{OURS}/other/", "", id="another crawler"),
        pytest.param(FILE, f"{OURS}/a/", "", id="a preview host's rule is not ours"),
        pytest.param(FILE, "https://docs.pages.dev/a/", "https://:project.pages.dev/*", id="for that host"),
        pytest.param(FILE, "https://a.docs.pages.dev/a/", "", id="a placeholder of a host matches no dot"),
        # https://developers.cloudflare.com/pages/configuration/headers/
        pytest.param(MORE, f"{OURS}/a", "/*", id="the rule for all"),
        pytest.param(MORE, f"{OURS}/movies/alien", "", id="detached"),
        pytest.param(MORE, f"{OURS}/movies/alien.html", "", id="a placeholder matches dots in a path"),
        pytest.param(MORE, f"{OURS}/movies/a/b", "/*", id="but no slash"),
        pytest.param(MORE, f"{OURS}/closed/x.html", "/closed/:name.html", id="detached and attached again"),
    ],
)
def test_headers(tmp_path: Path, text: str, url: str, pattern: str) -> None:
    (tmp_path / "_headers").write_text(text, encoding="utf-8-sig")
    assert read_headers(tmp_path).noindex(url) == pattern


def test_of_many_patterns_few_are_tried(tmp_path: Path) -> None:
    rows = (f"/private-{number:05}/*\n  X-Robots-Tag: noindex\n" for number in range(2_000))
    (tmp_path / "_headers").write_text("".join(rows))
    headers = read_headers(tmp_path)
    assert headers.noindex("https://example.org/private-01234/a.html") == "/private-01234/*"
    assert not headers.noindex("https://example.org/guide/a.html")
    assert len(list(headers.patterns.candidates("https://example.org/private-01234/a.html"))) < 50
