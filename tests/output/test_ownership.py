"""Files of generators, ours, and files that somebody wrote.

In ``golden/makers``, those of Hugo and Jekyll are spelled as their templates spell them; the other
generators wrote theirs themselves.
"""

import gzip
from pathlib import Path

import pytest

from sitemap_docs.output import ownership
from sitemap_docs.output.ownership import Maker
from sitemap_docs.sitemap.render import Style, urlset

GENERATED = sorted((Path(__file__).parents[1] / "golden" / "makers").iterdir())
DECLARED = b'<?xml version="1.0" encoding="UTF-8"?>\n'
ROOT = b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'


def maker_of(folder, content):
    (folder / "sitemap.xml").write_bytes(content)
    return ownership.maker(folder / "sitemap.xml")


@pytest.mark.parametrize("file", GENERATED, ids=lambda file: file.name)
def test_generators(tmp_path, file):
    assert maker_of(tmp_path, file.read_bytes()) is Maker.GENERATOR
    assert maker_of(tmp_path, gzip.compress(file.read_bytes())) is Maker.GENERATOR


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(DECLARED + ROOT + b"\n</urlset>", id="MkDocs without site_url lists nothing"),
        pytest.param(ROOT + b"<url><loc>https://example.org/</loc></url></urlset>", id="sphinx-immaterial"),
        pytest.param(
            DECLARED + b'<?xml-stylesheet type="text/xsl" href="/sitemap.xsl"?>'
            b'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>',
            id="Astro with xslURL",
        ),
    ],
)
def test_variants_of_generators(tmp_path, content):
    assert maker_of(tmp_path, content) is Maker.GENERATOR


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
            b"<?xml version='1.0' encoding='utf-8'?>\n"
            + ROOT
            + b"<url><loc>https://example.org/</loc><priority>",
            id="a script of the user's with ElementTree",
        ),
        pytest.param(
            DECLARED + ROOT + b"<url><loc>https://example.org/</loc></url><!-- sitemap-docs --></urlset>",
            id="our mark in the wrong place",
        ),
    ],
)
def test_files_of_the_user(tmp_path, content):
    assert maker_of(tmp_path, content) is Maker.USER


def test_a_link_is_the_users(tmp_path):
    (tmp_path / "theirs.xml").write_bytes(b"".join(urlset([])))
    (tmp_path / "sitemap.xml").symlink_to("theirs.xml")
    assert ownership.maker(tmp_path / "sitemap.xml") is Maker.USER
    assert ownership.part_of(tmp_path / "sitemap.xml") is None


@pytest.mark.parametrize("whole", ["", "sitemap.xml", "a--b---c.xml", "straße.xml"])
@pytest.mark.parametrize("stylesheet", ["", "sitemap.css"])
def test_ours(tmp_path, whole, stylesheet):
    content = b"".join(urlset([], style=Style(part_of=whole, stylesheet=stylesheet)))
    assert maker_of(tmp_path, content) is Maker.OURS
    assert ownership.part_of(tmp_path / "sitemap.xml") == (whole or None)
    assert maker_of(tmp_path, gzip.compress(content)) is Maker.OURS
