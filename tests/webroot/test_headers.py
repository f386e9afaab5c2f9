"""noindex from the ``_headers`` file of Netlify and Cloudflare Pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_docs.webroot.headers import Headers, read_headers

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
