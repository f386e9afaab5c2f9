"""The format of a sitemap: recognised in one place, by the first bytes, and the same for every reader."""

import ast
import gzip
from io import BytesIO
from pathlib import Path

import pytest

import sitemap_docs
from sitemap_docs.api import read_sitemap
from sitemap_docs.audit.rules.sitemap import file_too_large, too_many_urls
from sitemap_docs.audit.sitemap_file import sitemap_facts
from sitemap_docs.model import SitemapError
from sitemap_docs.output.existing import listed_rows
from sitemap_docs.sitemap.reader import SitemapReader, parse
from sitemap_docs.sitemap.rows import Fault
from sitemap_docs.sitemap.urllist import read_urls
from tests.conftest import BASE, Answer, command, html_page, passed, sitemapindex, urlset, write

DATE = "2026-02-02T09:00:00+00:00"
ATOM_NAMESPACES = ("http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#")


def text(*pages: str) -> str:
    return "".join(f"{BASE}{page}\n" for page in pages)


def rss(*items: str) -> str:
    return (
        '<?xml version="1.0"?>\n<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>'
        f'<title>News</title><link>{BASE}</link><atom:link rel="self" href="{BASE}feed.xml"/>\n'
        f"{''.join(items)}</channel></rss>"
    )


def item(page: str, date: str = "Mon, 02 Feb 2026 10:00:00 +0100") -> str:
    return f"<item><title>A</title><link> {BASE}{page} </link><pubDate>{date}</pubDate></item>"


def atom(*entries: str, namespace: str = ATOM_NAMESPACES[0]) -> str:
    return f'<feed xmlns="{namespace}"><link href="{BASE}"/>{"".join(entries)}</feed>'


def entry(page: str, date: str = "updated") -> str:
    return (
        f'<entry><title>A</title><link rel="self" href="{BASE}a.atom"/><link href="{BASE}{page}"/>'
        f'<link rel="enclosure" href="{BASE}a.mp3"/><{date}>{DATE}</{date}></entry>'
    )


def in_each_format(*pages: str) -> dict[str, str]:
    return {
        "urlset": urlset(*(f"{BASE}{page} {DATE}" for page in pages)),
        "text": text(*pages),
        "rss": rss(*map(item, pages)),
        "atom": atom(*map(entry, pages)),
    }


SAME = in_each_format("a/", "b/")
FEEDS = ("rss", "atom")
LISTS = ("urlset", "text")


def packed(content: str, *, is_packed: bool) -> bytes:
    return gzip.compress(content.encode(), mtime=0) if is_packed else content.encode()


# --- the parsers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_packed", [False, True], ids=["plain", "packed"])
@pytest.mark.parametrize("form", SAME)
def test_every_reader_recognises_each_format_by_its_first_bytes(tmp_path, form, is_packed):
    """The names of the files say something else."""
    data = packed(SAME[form], is_packed=is_packed)
    for name in ("sitemap.xml", "sitemap.txt", "sitemap.txt.gz", "feed"):
        file = write(tmp_path, {name: data}) / name
        facts = sitemap_facts(file, name)
        pages = [f"{BASE}a/", f"{BASE}b/"]
        assert (facts.format, facts.fault, [url.loc for url in facts.urls]) == (form, None, pages)
        entries = read_sitemap(file)
        dates = [entry.lastmod and entry.lastmod.isoformat() for entry in entries]
        assert [entry.loc for entry in entries] == pages
        assert dates == ([None] * 2 if form == "text" else [DATE] * 2)
        if form in LISTS:
            assert [loc for loc, _ in read_urls(str(file))] == [row.loc for row in listed_rows(file)] == pages


TEXTS = {
    "windows": f"\ufeff{BASE}a/\r\n\r\n{BASE}b/\r\n".encode(),
    "old Mac": f"{BASE}a/\r{BASE}b/\r".encode(),
    "no end": f"{BASE}a/\n{BASE}b/".encode(),
    "blanks": f"\n \n  {BASE}a/ \n\t{BASE}b/\n".encode(),
    "a comment": f"# The pages\n{BASE}a/\n- - -\n{BASE}b/\n".encode(),
    "capitals": f"{BASE}a/\n{BASE}b/\n".replace("https", "HTTPS").encode(),
    "UTF-16": f"{BASE}a/\n{BASE}b/\n".encode("utf-16"),
    "an angle bracket": f"{BASE}a/\n{BASE}b/\n<p>\n".encode(),
}


@pytest.mark.parametrize("form", TEXTS)
def test_the_lines_of_a_text_sitemap(form):
    entries = [*parse(BytesIO(TEXTS[form])).entries()]
    assert [entry.loc.replace("HTTPS", "https") for entry in entries] == [f"{BASE}a/", f"{BASE}b/"]


def test_characters_that_no_xml_may_contain_are_encoded(here):
    """Otherwise the sitemap that is made of them would be damaged."""
    write(here, {"list.txt": text("a\0\x1f\ufffe\tb")})
    assert [loc for loc, _ in read_urls("list.txt")] == [f"{BASE}a%00%1F%EF%BF%BEb"]
    passed("join", "list.txt", "--base-url", BASE, "-o", ".", "--merge")
    (entry,) = read_sitemap("sitemap.xml")
    assert entry.loc == f"{BASE}a%00%1F%EF%BF%BE\tb"
    facts = sitemap_facts(Path("list.txt"), "list.txt")
    assert [url.raw for url in facts.urls] == [f"{BASE}a\0\x1f\ufffe\tb"]


def test_a_reader_that_is_not_strict_keeps_lines_without_an_address():
    reader = SitemapReader(BytesIO(TEXTS["a comment"]), "a.txt")
    rows = [(row.line, row.raw) for row in reader.rows()]
    assert rows == [(1, "# The pages"), (2, f"{BASE}a/"), (3, "- - -"), (4, f"{BASE}b/")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_line_may_end_in_another_chunk(end):
    """A chunk has 262,144 bytes. Lines of all lengths come to lie across its end."""
    pages = [f"{BASE}{'x' * (number % 97)}" for number in range(9_000)]
    reader = SitemapReader(BytesIO(end.join(pages).encode()))
    rows = [*reader.rows()]
    assert reader.size > 262_144
    assert [row.raw for row in rows] == pages
    assert [row.line for row in rows] == [*range(1, len(pages) + 1)]


BROKEN = {
    "another encoding": (f"{BASE}a/\n{BASE}é/\n".encode("latin-1"), "encoding", 2),
    "half of a character": (f"{BASE}a/\n".encode("utf-16") + b"x", "encoding", 0),
    "a long line": (f"{BASE}a/\n{BASE}".encode() + b"x" * 5_000_000, "elements", 1),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_text_sitemap_that_cannot_be_read_further(name):
    data, kind, line = BROKEN[name]
    reader = SitemapReader(BytesIO(data), "a.txt")
    assert [row.loc for row in reader.rows()] == [f"{BASE}a/"]
    assert reader.fault
    assert (reader.fault.kind, reader.fault.line) == (kind, line)
    with pytest.raises(SitemapError, match=r"^a\.txt "):
        [*parse(BytesIO(data), name="a.txt").rows()]


FEED_ENTRIES = {
    "an item without a link": (rss("<item><title>A</title></item>", item("b/")), [(f"{BASE}b/", DATE)]),
    "an item in CDATA": (
        rss(item("b/").replace(f" {BASE}b/ ", f"<![CDATA[{BASE}b/]]>")),
        [(f"{BASE}b/", DATE)],
    ),
    "a date that is none": (rss(item("b/", "soon")), [(f"{BASE}b/", None)]),
    "a date without a zone": (rss(item("b/", "Mon, 02 Feb 2026 10:00:00")), [(f"{BASE}b/", None)]),
    "a date with a short year": (rss(item("b/", "2 Feb 26 09:00 GMT")), [(f"{BASE}b/", DATE)]),
    "Atom 0.3": (atom(entry("b/", "modified"), namespace=ATOM_NAMESPACES[1]), [(f"{BASE}b/", DATE)]),
    "no item": (rss(), []),
}


@pytest.mark.parametrize("name", FEED_ENTRIES)
def test_the_entries_of_a_feed(name):
    content, expected = FEED_ENTRIES[name]
    entries = parse(BytesIO(content.encode()), feeds=True).entries()
    assert [(entry.loc, entry.lastmod and entry.lastmod.isoformat()) for entry in entries] == expected


NO_SITEMAPS = {
    "RDF in another namespace": '<rdf:RDF xmlns:rdf="https://example.org/"/>',
    "a feed without the namespace of Atom": "<feed/>",
    "an RSS in a namespace": '<rss xmlns="https://example.org/"/>',
}


@pytest.mark.parametrize("name", NO_SITEMAPS)
def test_other_roots_are_no_feeds(name):
    with pytest.raises(SitemapError, match="is not a sitemap: it is a <"):
        parse(BytesIO(NO_SITEMAPS[name].encode()), feeds=True)
    assert SitemapReader(BytesIO(NO_SITEMAPS[name].encode())).format == ""


def test_rss_1_is_named():
    content = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><channel/><item/></rdf:RDF>'
    with pytest.raises(SitemapError, match=r"it is RDF, the format of RSS 1\.0\. Write a sitemap, RSS 2\.0"):
        parse(BytesIO(content.encode()), feeds=True)
    reader = SitemapReader(BytesIO(content.encode()))
    assert (reader.format, [*reader.rows()], reader.fault) == ("", [], Fault("rdf", "", 1))


@pytest.mark.parametrize("content", ["Not found", f"See {BASE}a/\n", "/a/\n/b/\n", "\ufeffx"])
def test_a_text_without_addresses_is_no_sitemap(content):
    with pytest.raises(SitemapError, match="neither XML nor a text with a full address"):
        parse(BytesIO(content.encode()))
    assert SitemapReader(BytesIO(content.encode())).fault == Fault("format", "")


# --- the commands -----------------------------------------------------------------------------------------


@pytest.fixture
def site(tmp_path) -> Path:
    """A built site, which another program gave a sitemap, or several."""
    return write(
        tmp_path / "site", dict.fromkeys(["index.html", "a/index.html", "b/index.html"], html_page())
    )


def rules_of(answer: Answer) -> set[str]:
    assert "findings" in answer.data, answer
    return {finding["rule"] for finding in answer.data["findings"]}


def check(site: Path, *flags: str) -> Answer:
    return command("check", site, "--base-url", BASE, "--format", "json", "--severity", "info", *flags)


def robots(*names: str) -> str:
    lines = "".join(f"Sitemap: {BASE}{name}\n" for name in names)
    return f"User-agent: *\nAllow: /\n\n{lines}"


#: Rules about the pages of these tests, which say nothing about the sitemap.
IGNORED = ("--ignore", "pages")


@pytest.mark.parametrize("form", ["text", "rss", "atom"])
@pytest.mark.parametrize("name", ["list.txt", "list.txt.gz", "list.xml"])
def test_check_reads_each_format_that_robots_txt_names(site, form, name):
    """The rules about XML find nothing. The entries are those of any sitemap."""
    content = packed(in_each_format("", "a/", "c/")[form], is_packed=name.endswith("gz"))
    write(site, {name: content, "robots.txt": robots(name)})
    found = rules_of(check(site))
    assert found == {"target-missing", "page-not-listed"}


@pytest.mark.parametrize("name", ["sitemap.txt", "sitemap.txt.gz"])
def test_check_finds_a_text_sitemap_that_nothing_names(site, name):
    write(site, {name: packed(text("", "a/", "b/"), is_packed=name.endswith("gz"))})
    assert rules_of(check(site, *IGNORED)) == {"robots-absent"}
    write(site, {name: "A map of the site."})
    assert "sitemap-missing" in rules_of(check(site, *IGNORED))


def test_check_takes_our_own_text_for_what_it_is(site):
    flags = ("--base-url", BASE, "--formats", "text", "--lastmod", "none", "--check", "true")
    write(site, {"robots.txt": robots("sitemap.xml", "sitemap.txt")})
    for _ in range(2):
        done = passed("build", site, *flags)
        assert "xml-not-wellformed" not in done.err
    assert rules_of(check(site, *IGNORED)) == {"lastmod-missing"}


@pytest.mark.parametrize("host", ["sphinx", "mkdocs"])
def test_a_build_of_a_host_that_audits_itself_takes_its_text_for_what_it_is(request, host):
    pytest.importorskip(host)
    project = request.getfixturevalue(f"{host}_project")
    options = {"formats": ["text"], "extra_sitemaps": ["sitemap.txt"], "lastmod": "none", "check": True}
    if host == "sphinx":
        settings = {f"sitemap_{name}": value for name, value in options.items()}
        project("a", html_theme="alabaster", **settings).passes()
    else:
        project({"index.md": "# Home", "a.md": "# A"}, options=options).build(strict=True)
    assert f"Sitemap: {BASE}sitemap.txt\n" in (project.out / "robots.txt").read_text()
    answer = check(project.out, *IGNORED)
    assert [each for each in answer.data["findings"] if "sitemap.txt" in (each["file"] or "")] == []


def test_check_asks_for_no_dates_that_the_other_sitemap_has(site):
    dated = urlset(*(f"{BASE}{page} {DATE}" for page in ("", "a/", "b/")))
    write(site, {"sitemap.xml": dated, "sitemap.txt": text("", "a/", "b/")})
    write(site, {"robots.txt": robots("sitemap.txt", "sitemap.xml")})
    assert rules_of(check(site, *IGNORED)) == set()


@pytest.mark.parametrize("form", SAME)
def test_the_limits_of_the_protocol_apply_to_each_format(form):
    facts = sitemap_facts(BytesIO(SAME[form].encode()), "list")
    for rule, limit in ((too_many_urls, 2), (file_too_large, facts.size)):
        assert [*rule(facts, at_most=limit)] == []
        assert len([*rule(facts, at_most=limit - 1)]) == 1


@pytest.mark.parametrize("form", ["text", "rss", "atom"])
def test_the_live_check_reads_each_format(site, loopback, form):
    pytest.importorskip("httpx", reason="the extra `web` is not installed")
    home = loopback.url()
    loopback.serve_folder(site)
    for name, is_packed in (("list.txt", False), ("list.txt.gz", True)):
        body = packed(SAME[form].replace(BASE, home), is_packed=is_packed)
        loopback.serve(f"/{name}", body, Content_Type="text/plain")
        loopback.serve("/robots.txt", robots(name).replace(BASE, home).encode(), Content_Type="text/plain")
        done = command("check", home, "--rate", "1000", "--format", "json", "--ignore", "live-soft-404")
        assert rules_of(done) == set()
        assert "; 2 of 2 addresses below" in done.err


def test_diff_compares_text_with_xml(tmp_path):
    write(tmp_path, {"old.txt.gz": packed(text("a/", "gone/"), is_packed=True), "new": text("a/", "b/")})
    data = passed("diff", tmp_path / "old.txt.gz", tmp_path / "new", "--json").data
    assert [change["loc"] for change in data["added"]] == [f"{BASE}b/"]
    assert [change["loc"] for change in data["removed"]] == [f"{BASE}gone/"]


def test_notify_reads_packed_text(tmp_path):
    write(
        tmp_path, {"old.txt.gz": packed(text("a/", "b/"), is_packed=True), "new.txt": text("a/", "b/", "c/")}
    )
    done = passed("notify", tmp_path / "old.txt.gz", tmp_path / "new.txt")
    assert done.out.startswith(f"+ {BASE}c/\n")


def test_join_lists_text_sitemaps(here):
    write(here, {"a/list.txt": text("a/", "a/b/"), "b/list.txt.gz": packed(text("b/"), is_packed=True)})
    names = ("a/list.txt", "b/list.txt.gz")
    flags = ("--base-url", BASE, "-o", ".")
    passed("join", *names, *flags)
    assert [entry.loc for entry in read_sitemap(here / "sitemap.xml")] == [BASE + name for name in names]
    passed("join", *names, *flags, "--merge")
    pages = [f"{BASE}{page}" for page in ("a/", "a/b/", "b/")]
    assert [entry.loc for entry in read_sitemap(here / "sitemap.xml")] == pages


@pytest.mark.parametrize("form", FEEDS)
def test_a_feed_alone_is_refused_where_older_pages_would_look_deleted(here, form):
    """A feed lists only the newest pages."""
    write(here, {"feed.xml": SAME[form], "sitemap.xml": SAME["urlset"]})
    for arguments in (
        ("diff", "feed.xml", "sitemap.xml"),
        ("diff", "sitemap.xml", "feed.xml"),
        ("notify", "sitemap.xml", "feed.xml"),
        ("join", "feed.xml", "--base-url", BASE, "-o", "out"),
    ):
        done = command(*arguments)
        assert (done.code, arguments) == (2, arguments)
        assert "feed.xml is a feed" in done.err


@pytest.mark.parametrize("form", FEEDS)
def test_a_feed_in_an_index_is_a_part_of_the_list(here, form):
    write(here, {"site/feed.xml": SAME[form], "site/more.txt": text("c/")})
    write(here, {"site/sitemap.xml": sitemapindex(f"{BASE}feed.xml", f"{BASE}more.txt")})
    pages = [f"{BASE}{page}" for page in ("a/", "b/", "c/")]
    assert [loc for loc, _ in read_urls("site")] == pages
    assert [row.loc for row in listed_rows(Path("site/sitemap.xml").absolute())] == pages
    passed("join", "site/sitemap.xml", "--base-url", BASE, "--merge", "-o", "out")
    assert [entry.loc for entry in read_sitemap("out/sitemap.xml")] == pages


def test_a_build_replaces_a_text_whose_pages_it_lists_and_keeps_a_feed(site):
    flags = ("--base-url", BASE, "--lastmod", "none")
    for content, why in [
        (text("a/", "gone/"), "gone/"),
        (SAME["rss"], "is a feed (RSS)"),
        (SAME["atom"], "is a feed (Atom)"),
    ]:
        write(site, {"sitemap.xml": content})
        done = command("build", site, *flags)
        assert done.code != 0
        assert why in done.err
        assert (site / "sitemap.xml").read_text() == content
    write(site, {"sitemap.xml": text("a/", "b/")})
    passed("build", site, *flags)
    assert (site / "sitemap.xml").read_bytes().startswith(b"<?xml")


# --- the one place ----------------------------------------------------------------------------------------

PACKAGE = Path(sitemap_docs.__file__).parent
#: The modules that may compare a root element: the parser, and the writer with what it writes itself.
DECIDING = {"sitemap/parsers.py", "output/writer.py"}
ROOTS = {"urlset", "sitemapindex", "rss", "feed"}


def decisions(source: str) -> list[str]:
    """Return the parts of a module that decide the format of a file, as far as a test can see them."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Compare():
                constants = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant)]
                if ROOTS.intersection(value for value in constants if isinstance(value, str)):
                    found.append(ast.unparse(node))
            case ast.Call(func=ast.Attribute(attr="endswith"), args=[ending]) if "'.txt" in ast.unparse(
                ending
            ):
                found.append(ast.unparse(node))
            case ast.Constant(value=bytes(value)) if value.startswith(b"\x1f\x8b"):
                found.append(repr(value))
    return found


@pytest.mark.once
def test_no_other_module_decides_the_format():
    deciding = {}
    for file in PACKAGE.rglob("*.py"):
        name = file.relative_to(PACKAGE).as_posix()
        found = decisions(file.read_text("utf-8"))
        if found and name not in DECIDING:
            deciding[name] = found
    # The first refuses the address of a file for that of a site. The other one recognises gzip for all.
    assert deciding.pop("cli/check.py") == ["name.endswith(('.xml', '.xml.gz', '.txt', '.txt.gz', '.html'))"]
    assert deciding.pop("sitemap/__init__.py") == [r"b'\x1f\x8b'"]
    assert deciding == {}


@pytest.mark.parametrize(
    "line", ["a.root == 'urlset'", "a in ('urlset', b)", "a.endswith('.txt')", "a.startswith(b'\\x1f\\x8b')"]
)
def test_a_second_decision_is_found(line):
    assert len(decisions(line)) == 1
