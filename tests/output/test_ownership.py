"""Files that bear our mark, and files that somebody else wrote."""

import gzip
from pathlib import Path

import pytest

from sitemap_docs.cli.main import group
from sitemap_docs.output import ownership
from sitemap_docs.sitemap.render import Style
from tests.conftest import rendered, runner, write

GENERATED = sorted((Path(__file__).parents[1] / "golden" / "makers").iterdir())
BASE = "https://e.org/docs/"
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
        pytest.param(DECLARED + b"<!-- my own, see sitemap-docs -->\n" + ROOT, id="a comment that names us"),
        pytest.param(DECLARED + ROOT + b"<!-- sitemap-docs --></urlset>", id="our mark in the wrong place"),
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


THEIR_INDEX = "<sitemapindex><sitemap><loc>/docs/old.xml</loc></sitemap></sitemapindex>"
NEEDED = {  # files that need an earlier sitemap of ours, or a flag that does
    "a source of the project": ({"src/old.xml": "<urlset/>"}, ["--source", "src"]),
    "an index of another program": ({"site/theirs.xml": THEIR_INDEX}, []),
    "the option": ({}, ["--extra-sitemaps", f"{BASE}old.xml"]),
    "robots.txt": ({"site/robots.txt": f"Sitemap: {BASE}old.xml\n"}, []),
}
USED_BY_NOTHING = {
    "src/old.html": "",
    "site/theirs.xml": "<urlset><url><loc>/docs/old.xml</loc></url></urlset>",
}


def rebuilt(folder, files, *flags: str) -> list[str]:
    """What is there of a sitemap after a build under another name, on another machine."""
    write(folder, {"site/index.html": "<title>x</title>"})
    build = ["build", "site", "--base-url", BASE, "--lastmod", "none"]
    runner().invoke(group, [*build, "--filename", "old.xml", "--cache-dir", "another"])
    write(folder, files)
    done = runner().invoke(group, [*build, *flags])
    assert done.exit_code == 0, done.output
    return sorted(file.name for file in (folder / "site").glob("old.*"))


@pytest.mark.parametrize(("files", "flags"), NEEDED.values(), ids=NEEDED)
def test_an_earlier_sitemap_stays_where_something_needs_it(tmp_path, monkeypatch, files, flags):
    monkeypatch.chdir(tmp_path)
    assert rebuilt(tmp_path, files, *flags) == ["old.css", "old.xml"]


def test_an_earlier_sitemap_goes_with_its_style_sheet(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert rebuilt(tmp_path, USED_BY_NOTHING) == []


def test_what_a_join_wrote_is_its_own(tmp_path, monkeypatch):
    """Also its parts and its style sheet, which nothing but its mark tells from those of a build."""
    for name in ("index.html", "en/index.html", "de/index.html"):
        write(tmp_path, {f"tree/{name}": "<title>x</title>"})
    monkeypatch.chdir(tmp_path)
    for folder in ("en/", "de/", ""):
        runner().invoke(group, ["build", f"tree/{folder}", "--base-url", BASE + folder])
    joined = ["join", "tree", "--base-url", BASE, "--filename", "all.xml", "--merge", "--max-urls", "1"]
    assert runner().invoke(group, joined).exit_code == 0
    before = sorted(file.name for file in (tmp_path / "tree").glob("all*"))
    assert len(before) > 3
    assert runner().invoke(group, ["build", "tree", "--base-url", BASE]).exit_code == 0
    assert sorted(file.name for file in (tmp_path / "tree").glob("all*")) == before
    assert (tmp_path / "tree/en/sitemap.xml").exists()  # of another build, in a folder below


def test_above_the_output_folder_only_what_lists_pages_of_this_build_goes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder, name in (("en", "one"), ("de", "two"), ("en", "two"), ("en", "three")):
        write(tmp_path, {f"{folder}/index.html": "<title>x</title>"})
        build = ["build", folder, "--base-url", f"{BASE}{folder}/", "--filename", f"../{name}.xml"]
        assert runner().invoke(group, build).exit_code == 0
        written = [folder == "de" and "one", name, "three" in name and "two"]
        expected = [f"{stem}{end}" for stem in filter(None, written) for end in (".css", ".xml")]
        assert sorted(file.name for file in tmp_path.glob("*.*")) == sorted(expected)
