"""Files that bear our mark, and files that somebody else wrote."""

import gzip
from pathlib import Path

import pytest

from sitemap_docs.output import ownership
from sitemap_docs.sitemap.render import Style
from tests.conftest import rendered

GENERATED = sorted((Path(__file__).parents[1] / "golden" / "makers").iterdir())
DECLARED = b'<?xml version="1.0" encoding="UTF-8"?>\n'
ROOT = b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'


def is_ours(folder, content):
    (folder / "sitemap.xml").write_bytes(content)
    return ownership.is_ours(folder / "sitemap.xml")


@pytest.mark.parametrize("file", GENERATED, ids=lambda file: file.name)
def test_generators(tmp_path, file):
    assert not is_ours(tmp_path, file.read_bytes())
    assert not is_ours(tmp_path, gzip.compress(file.read_bytes()))


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"\x1f\x8bnonsense", id="damaged gzip"),
        pytest.param(DECLARED + ROOT + b"\n  <url>\n    <loc>https://example.org/</loc>\n", id="by hand"),
        pytest.param(
            DECLARED + b"<!-- my own, see sitemap-docs -->\n" + ROOT + b"\n    <url>\n         <loc>",
            id="a comment that only names us",
        ),
        pytest.param(
            DECLARED + ROOT + b"<url><loc>https://example.org/</loc></url><!-- sitemap-docs --></urlset>",
            id="our mark in the wrong place",
        ),
    ],
)
def test_files_of_the_user(tmp_path, content):
    assert not is_ours(tmp_path, content)


def test_a_link_is_the_users(tmp_path):
    (tmp_path / "theirs.xml").write_bytes(rendered([]))
    (tmp_path / "sitemap.xml").symlink_to("theirs.xml")
    assert not ownership.is_ours(tmp_path / "sitemap.xml")
    assert ownership.read_mark(tmp_path / "sitemap.xml") is None


def test_a_name_of_bytes_that_are_no_text_is_that_of_no_other(tmp_path):
    assert is_ours(tmp_path, DECLARED + b"<urlset></urlset>\n<!-- sitemap-docs: a part of \xff.xml -->\n")
    assert ownership.read_mark(tmp_path / "sitemap.xml").whole == "\ufffd.xml"


@pytest.mark.parametrize("whole", ["", "sitemap.xml", "a--b---c.xml", "straße.xml"])
@pytest.mark.parametrize("stylesheet", ["", "sitemap.css"])
@pytest.mark.parametrize("joined", [False, True])
def test_ours(tmp_path, whole, stylesheet, joined):
    content = rendered([], style=Style(part_of=whole, stylesheet=stylesheet, joined=joined))
    assert is_ours(tmp_path, content)
    assert ownership.read_mark(tmp_path / "sitemap.xml") == (whole, joined, False)
    assert is_ours(tmp_path, gzip.compress(content))
