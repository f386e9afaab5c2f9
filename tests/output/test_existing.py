"""Files that bear our mark, files that somebody else wrote, and what is taken from another program's sitemap.

What is taken is kept in ours: a rebuild is like a fresh build.
"""

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from sitemap_docs.output.existing import read_mark, read_replaced, remove_left
from sitemap_docs.output.transaction import Output
from sitemap_docs.sitemap.reader import parse
from sitemap_docs.sitemap.render import XmlStyle, stylesheet
from tests.conftest import canonical, command, html_page, passed, rendered, urlset, write

BASE = "https://e.org/docs/"
DECLARED = b'<?xml version="1.0" encoding="UTF-8"?>\n'
ROOT = b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'


def mark_of(folder, content):
    return read_mark(write(folder, {"sitemap.xml": content}) / "sitemap.xml")


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
    assert not mark_of(tmp_path, content)


def test_a_name_of_bytes_that_are_no_text_is_that_of_no_other(tmp_path):
    content = DECLARED + b"<urlset></urlset>\n<!-- sitemap-docs: a part of \xff.xml -->\n"
    assert mark_of(tmp_path, content).whole == "\ufffd.xml"


@pytest.mark.parametrize("whole", ["", "sitemap.xml", "a--b---c.xml", "straße.xml"])
@pytest.mark.parametrize("stylesheet", ["", "sitemap.css"])
@pytest.mark.parametrize("joined", [False, True])
def test_ours(tmp_path, whole, stylesheet, joined):
    content = rendered([], style=XmlStyle(part_of=whole, stylesheet=stylesheet, joined=joined))
    for form in (content, gzip.compress(content)):
        assert mark_of(tmp_path, form) == (whole, joined, False)


THEIR_INDEX = "<sitemapindex><sitemap><loc>/docs/old.xml</loc></sitemap></sitemapindex>"
NEEDED = {  # files that need an earlier sitemap of ours, or a flag that does
    "a source of the project": ({"src/old.xml": "<urlset/>"}, ["--source", "src"]),
    "an index of another program": ({"site/theirs.xml": THEIR_INDEX}, []),
    "the option": ({}, ["--extra-sitemaps", f"{BASE}old.xml"]),
    "robots.txt": ({"site/robots.txt": f"Sitemap: {BASE}old.xml\n"}, []),
    "nothing": ({"src/old.html": "", "site/theirs.xml": urlset("/docs/old.xml")}, []),
}


@pytest.mark.parametrize("by", NEEDED)
def test_an_earlier_sitemap_stays_with_its_style_sheet_where_something_needs_it(here, by):
    """After a build under another name, on another machine."""
    files, flags = NEEDED[by]
    write(here, {"site/index.html": "<title>x</title>"})
    again = ["build", "site", "--base-url", BASE, "--lastmod", "none"]
    command(*again, "--filename", "old.xml", "--cache-dir", "another")
    write(here, files)
    assert command(*again, *flags).code == 0
    kept = [] if by == "nothing" else ["old.css", "old.xml"]
    assert sorted(file.name for file in Path("site").glob("old.*")) == kept


@pytest.mark.parametrize(("name", "kept"), [("build", []), ("join", ["old.css", "old.xml"])])
def test_a_join_keeps_sitemaps_that_a_build_would_remove(here, name, kept):
    """They may belong to a build that the join does not know. Both remove old files of their own sitemap."""
    write(here, {"site/index.html": "<title>x</title>", "site/1.0/sitemap.xml": urlset(f"{BASE}1.0/")})
    assert command("build", "site", "--base-url", BASE, "--filename", "old.xml").code == 0
    write(here, {"site/all-9.xml": rendered([], style=XmlStyle(part_of="all.xml"))})
    assert command(name, "site", "--base-url", BASE, "--filename", "all.xml").code == 0
    names = sorted(file.name for file in Path("site").iterdir() if file.suffix in (".xml", ".css"))
    assert names == ["all.css", "all.xml", *kept]


def test_files_of_earlier_builds_are_removed_by_one_rule(tmp_path):
    """What the caller knows is an argument: which files are sources, and which sitemaps are needed."""
    parts = {"own.xml": "new.xml", "source.xml": "new.xml", "needed.xml": "old.xml", "other.xml": "third.xml"}
    write(tmp_path, {name: rendered([], style=XmlStyle(part_of=whole)) for name, whole in parts.items()})
    write(tmp_path, {"old.css": stylesheet(BASE), "third.css": stylesheet(BASE), "theirs.xml": urlset("a/")})
    with Output(tmp_path) as output:
        is_source = "source.xml".__eq__
        remove_left(output, ["new.xml"], "new.xml", is_source, lambda name, _: name == "needed.xml")
        output.commit()
    left = sorted(file.name for file in tmp_path.iterdir())
    assert left == ["needed.xml", "old.css", "source.xml", "theirs.xml"]


def test_what_a_join_wrote_is_its_own(here):
    """Also its parts and its style sheet, which nothing but its mark tells from those of a build."""
    for name in ("index.html", "en/index.html", "de/index.html"):
        write(here, {f"tree/{name}": "<title>x</title>"})
    for folder in ("en/", "de/", ""):
        command("build", f"tree/{folder}", "--base-url", BASE + folder)
    joined = ["join", "tree", "--base-url", BASE, "--filename", "all.xml", "--merge", "--max-urls", "1"]
    assert command(*joined).code == 0
    before = sorted(file.name for file in (here / "tree").glob("all*"))
    assert len(before) > 3
    assert command("build", "tree", "--base-url", BASE).code == 0
    assert sorted(file.name for file in (here / "tree").glob("all*")) == before
    assert (here / "tree/en/sitemap.xml").exists()  # of another build, in a folder below


def test_above_the_output_folder_a_build_removes_only_sitemaps_of_its_own_pages(here):
    for folder, name in (("en", "one"), ("de", "two"), ("en", "two"), ("en", "three")):
        write(here, {f"{folder}/index.html": "<title>x</title>"})
        again = ["build", folder, "--base-url", f"{BASE}{folder}/", "--filename", f"../{name}.xml"]
        assert command(*again).code == 0
        written = [folder == "de" and "one", name, "three" in name and "two"]
        expected = [f"{stem}{end}" for stem in filter(None, written) for end in (".css", ".xml")]
        assert sorted(file.name for file in here.glob("*.*")) == sorted(expected)


FLAG = f"--base-url {BASE}"
XHTML = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'


class Step(NamedTuple):
    """A build with flags, of pages by what their heads have, after the generator wrote its sitemap."""

    pages: Mapping[str, str]
    flags: str = FLAG
    theirs: str | bytes | None = None
    name: str = "sitemap.xml"


def links(*codes: str, page: str = "a.html", own: str = "en", end: str = "") -> str:
    """The hreflang links of a page, as a sitemap or, ending without a slash, a head has them."""
    tag = f'<{"" if end else "xhtml:"}link rel="alternate" hreflang="{{}}" href="{{}}"{end or "/"}>'
    return "".join(tag.format(code, BASE + (page if code == own else f"{code}/{page}")) for code in codes)


def translated(*codes: str, pages: tuple[str, ...] = ("a.html",)) -> str:
    """The sitemap of a generator that writes hreflang links into it alone."""
    rows = ""
    for page in pages:
        for code in codes:
            loc = BASE + ("" if code == "en" else f"{code}/") + page
            rows += f"<url><loc>{loc}</loc>{links(*codes, page=page)}</url>"
    return f"<urlset {XHTML}>{rows}<url><loc>{BASE}</loc></url></urlset>"


PLAIN = dict.fromkeys(["index.html", "a.html", "de/a.html", "b/index.html"], "")
SPELLED = urlset(*(BASE + path for path in ("", "a", "b", "de/a")))
HREFLANG = translated("de", "en")


def lay(folder: Path, step: Step) -> None:
    """The files of a step: its pages and no others, and the sitemap that the generator wrote."""
    for file in [*folder.rglob("*.html")]:
        if file.relative_to(folder).as_posix() not in step.pages:
            file.unlink()
    write(folder, {name: html_page(text) for name, text in step.pages.items()})
    if step.theirs:
        write(folder, {step.name: step.theirs})


def build(folder: Path, flags: str) -> tuple[int, list[str], dict[str, bytes]]:
    """The exit status, what was said but for what was changed and removed, and our files."""
    cache = folder.parent / f"cache-{len([*folder.parent.iterdir()])}"  # no build has the record of another
    given = [str(folder), "--lastmod", "none", "--cache-dir", str(cache), *flags.split()]
    done = command("build", *given)
    lines = (done.out + done.err).replace(str(folder.parent), "").splitlines()
    said = [line for line in lines if not line.startswith(("wrote", "removed"))]
    ours = [file for file in folder.iterdir() if file.name.startswith(("s", "r", "o"))]
    return done.code, said, {file.name: file.read_bytes() for file in ours}


def plain(*flags: str) -> Step:
    """The same pages, built with more flags."""
    return Step(PLAIN, " ".join((FLAG, *flags)))


def packed(theirs: str) -> Step:
    return Step(PLAIN, theirs=gzip.compress(theirs.encode()), name="sitemap.xml.gz")


ONE, OTHER = Step(PLAIN), Step({**PLAIN, "c.html": ""})
GENERATED, SPELLING = Step(PLAIN, theirs=HREFLANG), Step(PLAIN, theirs=SPELLED)
LANGUAGES = plain(f"--locales en={BASE} --locales de={BASE}de/")
NAMED = Step(PLAIN | {name: links("de", "en", end=" ") for name in ("a.html", "de/a.html")})
WITHOUT_A, RENAMED = plain("--excludes a.html"), plain("--filename other.xml")
DOCS = {**PLAIN, "docs/index.html": ""}
BELOW = Step({**DOCS, "docs/a.html": ""}, theirs=urlset(BASE, f"{BASE}a"))
LOST, NAMES_LOST = Step({**PLAIN, "http/404.html": ""}), urlset(f"{BASE}http/404.html")
LINKED = Step({**LOST.pages, "b/index.html": '</head><a href="../http/404.html">404</a>'})
SEQUENCES = {
    "locales that are taken back": [LANGUAGES, ONE],
    "links that leave the heads": [NAMED, ONE],
    "hreflang of a generator": [GENERATED, ONE, ONE],
    "hreflang in an index": [GENERATED, plain("--index true"), ONE],
    "hreflang in parts": [GENERATED, plain("--max-urls 1"), plain("--max-urls 2")],
    "hreflang that is packed": [GENERATED, plain("--gzip instead"), ONE],
    "hreflang in a packed sitemap of a generator": [packed(HREFLANG), ONE],
    "hreflang of a page that is left out later": [Step(PLAIN, theirs=translated("en", "de")), ONE, WITHOUT_A],
    "hreflang of a page that was left out": [GENERATED, WITHOUT_A, ONE],
    "hreflang of a page that was gone": [GENERATED, Step({"index.html": "", "de/a.html": ""}), ONE],
    "hreflang of a page that had others": [GENERATED, NAMED, ONE],
    "hreflang and locales": [GENERATED, LANGUAGES, ONE],
    "hreflang that the generator writes no more": [GENERATED, ONE, SPELLING],
    "one build with bare links": [plain("--links bare"), ONE],
    "a canonical link that is corrected": [Step({**PLAIN, "a.html": canonical(f"{BASE}a")}), ONE],
    "the spelling of a generator": [SPELLING, ONE, OTHER],
    "the spelling of a generator, and another": [SPELLING, plain("--links files"), OTHER],
    "the base URL of a generator": [Step(PLAIN, "", SPELLED), Step(PLAIN, ""), Step(OTHER.pages, "")],
    "a folder that is named like the last one of the base URL": [BELOW, Step(DOCS, ""), Step(PLAIN, "")],
    "a link to a page named 404": [LINKED, LOST],
    "a page named 404 that a generator lists": [LOST._replace(theirs=NAMES_LOST), LOST, ONE, LOST],
    "a packed copy": [plain("--gzip beside"), ONE],
    "another name": [RENAMED, ONE],
    "another name for parts, packed": [
        plain("--max-urls 1 --gzip instead"),
        plain("--filename other.xml --no-stylesheet"),
    ],
    "a style sheet next to the sitemap of a generator": [ONE, RENAMED._replace(theirs=SPELLED)],
    "a generator that packs its sitemap from now on": [GENERATED, packed(SPELLED)],
    "a text": [plain("--formats text", "--links bare"), plain("--formats text")],
    "a sitemap that stays": [SPELLING._replace(name="sitemap_index.xml"), ONE, OTHER],
}


@pytest.mark.parametrize("steps", SEQUENCES.values(), ids=SEQUENCES)
def test_a_build_again_is_as_if_it_were_the_first(tmp_path, steps):
    for step in steps:
        lay(tmp_path / "again/site", step)
        again = build(tmp_path / "again/site", step.flags)
        assert again[0] == 0, again[1]
    written = [step for step in steps if step.theirs][-1:]
    for step in [*written, steps[-1]]:
        lay(tmp_path / "once/site", step)
    assert again == build(tmp_path / "once/site", steps[-1].flags)


def test_what_is_kept_is_what_ours_does_not_say(tmp_path):
    theirs = translated("de", "en", "fr", pages=("a.html", "x--y.html"))
    pages = {**PLAIN, "fr/a.html": "", "x--y.html": "", "de/x--y.html": "", "fr/x--y.html": ""}
    lay(tmp_path / "site", Step(pages, theirs=theirs))
    said = read_replaced(tmp_path / "site", "sitemap.xml").listed
    build(tmp_path / "site", FLAG)
    text = (tmp_path / "site/sitemap.xml").read_text()
    kept = {"file": "sitemap.xml", "ours": [f"{BASE}b/"], "theirs": {}}
    assert text.endswith(f"</urlset>\n<!-- replaced: {json.dumps(kept)} -->\n<!-- sitemap-docs -->\n")
    build(tmp_path / "site", f"{FLAG} --excludes x--y.html")
    text = (tmp_path / "site/sitemap.xml").read_text()
    assert "--" not in text.partition("<!-- replaced: ")[2].partition(" -->")[0]
    assert read_replaced(tmp_path / "site", "sitemap.xml").listed == said


def test_only_what_replaced_another_sitemap_has_a_comment(tmp_path):
    for step in (ONE, ONE._replace(theirs=SPELLED, name="sitemap_index.xml")):
        lay(tmp_path / "site", step)
        assert b"replaced" not in build(tmp_path / "site", FLAG)[2]["sitemap.xml"]


@pytest.mark.parametrize("kept", ["", "[]", "{}", '{"file": 1, "ours": [[]], "theirs": 2}', "[" * 100_000])
def test_a_comment_that_is_damaged_is_none(tmp_path, kept):
    text = f"<urlset></urlset><!-- replaced: {kept} --><!-- sitemap-docs -->"
    write(tmp_path, {"sitemap.xml": text, "index.html": ""})
    assert read_replaced(tmp_path, "sitemap.xml").listed == {}


def test_an_index_of_another_program_says_nothing_by_a_sitemap_of_ours(tmp_path):
    index = "<sitemapindex><sitemap><loc>/sitemap.xml</loc></sitemap><sitemap><loc>/b.xml</loc></sitemap>"
    theirs = {"sitemap-index.xml": f"{index}</sitemapindex>", "b.xml": urlset(f"{BASE}b")}
    lay(write(tmp_path / "site", theirs), ONE)
    for _ in range(2):
        listed = read_replaced(tmp_path / "site", "sitemap.xml").listed
        assert [loc for loc in listed if loc.startswith(BASE)] == [f"{BASE}b"]
        build(tmp_path / "site", FLAG)


def test_a_base_url_that_only_the_last_build_had_is_named(tmp_path):
    lay(tmp_path / "site", ONE)
    build(tmp_path / "site", FLAG)
    code, said, _ = build(tmp_path / "site", "")
    assert code == 2
    assert f"Pass {FLAG}, as in the sitemap of the last build" in said[-1]
    assert next(parse(tmp_path / "site/sitemap.xml").entries()).loc == BASE


def test_check_takes_the_base_url_at_which_the_files_of_a_sitemap_are(here):
    """Also where a folder is named like the last one of the base URL; and says where it has it from."""
    pages = dict.fromkeys(["index.html", "a.html", "docs/index.html", "docs/a.html"], "")
    theirs = urlset(*(BASE + path for path in ("", "a.html", "docs/", "docs/a.html")))
    lay(here / "site", Step(pages, theirs=theirs))
    for _ in range(2):
        cache = f"cache-{len([*here.iterdir()])}"
        done = passed("check", "site", "--cache-dir", cache)
        assert f"base URL {BASE} from the sitemap in site\n" in done.err
        build(here / "site", FLAG)


def test_a_link_to_a_page_that_the_build_leaves_out_is_no_loss(tmp_path):
    """``x-default`` goes with the last translation. A link to a page that is listed may not be lost."""
    write(tmp_path, {name: html_page(text) for name, text in PLAIN.items()})
    default = f'<xhtml:link rel="alternate" hreflang="x-default" href="{BASE}"/>'
    theirs = translated("en").replace("</loc>", f"</loc>{links('de')}{default}", 1)
    write(tmp_path, {"sitemap.xml": theirs})
    flags = ("--base-url", BASE, "--lastmod", "none", "--excludes")
    refused = command("build", tmp_path, *flags, "x", "--locales", f"en={BASE}", "--locales", f"fr={BASE}b/")
    assert "would lose the hreflang links of 1 page" in refused.err
    assert command("build", tmp_path, *flags, "de/a.html").code == 0
    assert "hreflang=" not in (tmp_path / "sitemap.xml").read_text()
