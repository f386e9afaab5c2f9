"""Which files a sitemap becomes: one, or shards and their index; what is replaced, kept and removed."""

import gzip
from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import SimpleNamespace

import pytest

from sitemap_docs.config.options import Options
from sitemap_docs.model import Alternate, Entry, SitemapError
from sitemap_docs.output import writer
from sitemap_docs.output.transaction import Output
from sitemap_docs.output.writer import Layout, write_sitemap
from sitemap_docs.sitemap.reader import parse
from sitemap_docs.sitemap.render import SITEMAP, stylesheet
from tests.conftest import rendered, urlset, write

BASE = "https://example.org/"
DATE = datetime(2026, 1, 31, tzinfo=timezone.utc)
GENERATED = Path(__file__).parents[1] / "golden" / "makers"
FIRST = "sitemap-first-e3b0c4.xml"


def pages(number):
    return [Entry(loc=f"{BASE}p/{n:05}/", lastmod=DATE + timedelta(days=n % 300)) for n in range(number)]


def published(folder, entries, *, group=None, dry_run=False, options=None, **layout):
    """What was written, with the names of the files that were changed and removed."""
    if group:
        entries = [entry._replace(group=group(entry)) for entry in entries]
    with Output(folder, dry_run=dry_run) as output:
        options = Options(**{"stylesheet": False} | (options or {}))
        written = write_sitemap(entries, output, Layout(base=BASE, options=options, **layout))
        output.commit()
    facts = {name: getattr(written, name) for name in ("files", "sitemaps", "findings")}
    return SimpleNamespace(**facts, changed=tuple(output.changed), removed=tuple(output.removed))


def names(folder):
    return sorted(file.name for file in folder.iterdir())


def test_dates_without_their_time(tmp_path):
    """In the parts and in their index, and as days of UTC."""
    late = datetime(2026, 1, 31, 23, 30, tzinfo=timezone(timedelta(hours=-5)))
    entries = [Entry(loc=f"{BASE}{name}/", lastmod=late) for name in "abc"]
    done = published(tmp_path, entries, options={"lastmod_format": "day", "max_urls": 2, "index": True})
    assert len(done.files) == 3
    for name in done.files:
        text = (tmp_path / name).read_text()
        assert text.count("<lastmod>") == text.count("<lastmod>2026-02-01</lastmod>") > 0
    exact = published(tmp_path, entries)
    assert "<lastmod>2026-02-01T04:30:00+00:00</lastmod>" in (tmp_path / exact.files[0]).read_text()


def entries_of(file):
    return list(parse(file).entries())


def listed(folder, sitemaps):
    """The entries below some sitemaps, as a crawler finds them; each index names its newest dates."""
    for name in sitemaps:
        found = parse(folder / name)
        entries = list(found.entries())
        assert [entry.loc for entry in entries] == sorted(entry.loc for entry in entries)
        if found.root == "urlset":
            yield from entries
            continue
        for entry in entries:
            child = entry.loc.removeprefix(BASE)
            assert entry.lastmod == max(each.lastmod for each in entries_of(folder / child))
            yield from listed(folder, [child])


def by_loc(entries):
    return sorted(entries, key=lambda entry: entry.loc)


def test_the_index_shows_where_each_sitemap_begins(tmp_path):
    sections = [Entry(f"{BASE}{name}/{page:02}") for name in ("api", "guide", "how") for page in range(40)]
    published(tmp_path, by_loc([Entry(BASE), *sections]), options={"max_urls": 60})
    children = [entry.loc.removeprefix(BASE) for entry in entries_of(tmp_path / "sitemap.xml")]
    for name in children:
        first = entries_of(tmp_path / name)[0].loc.removeprefix(BASE)
        assert name.startswith(f"sitemap-{first.replace('/', '-')}-" if first else "sitemap-first-")


@pytest.mark.parametrize("packed", ["off", "instead"])
def test_what_is_around_the_rows_counts_too_before_it_is_packed(tmp_path, monkeypatch, packed):
    published(tmp_path, pages(10))
    monkeypatch.setattr(writer, "MAX_BYTES", (tmp_path / "sitemap.xml").stat().st_size - 1)
    assert len(published(tmp_path, pages(10), gzip=packed).files) > 1


def test_groups_make_an_index_also_while_they_have_no_page(tmp_path):
    published(tmp_path, pages(3), options={"groups": (("news", ()),)})
    assert parse(tmp_path / "sitemap.xml").root == "sitemapindex"


def test_each_sitemap_of_a_large_group_is_named_after_it_and_indented(tmp_path):
    published(tmp_path, pages(40), group=lambda _: "api", options={"max_urls": 10, "indent": 2})
    children = [entry.loc.removeprefix(BASE) for entry in entries_of(tmp_path / "sitemap.xml")]
    assert len(children) > 3
    assert all(name.startswith(("sitemap-api-", "sitemap-api.xml")) for name in children)
    assert "\n  <sitemap>\n    <loc>" in (tmp_path / "sitemap.xml").read_text()
    assert all("\n  <url>\n    <loc>" in (tmp_path / name).read_text() for name in children)


def cascade(folder, sitemaps):
    """The files of the indexes that an index lists, and no sitemap next to them."""
    top, *below = sitemaps
    found = [entry.loc.removeprefix(BASE) for entry in entries_of(folder / top)]
    assert sorted(below) == found
    assert {parse(folder / name).root for name in sitemaps} == {"sitemapindex"}
    return found


NEWS = {"index": "cascaded", "groups": (("news", ()),), "max_urls": 9}


def in_news(entry):
    return "news" if entry.loc.endswith(("1/", "2/")) else ""


@pytest.mark.parametrize("packed", ["off", "beside", "instead"])
@pytest.mark.parametrize("full", [False, True], ids=["", "full urlset"])
def test_a_cascade_has_an_index_for_each_group(tmp_path, packed, full):
    written = published(tmp_path, pages(60), options=NEWS, group=in_news, gzip=packed, full_urlset=full)
    end = ".xml.gz" if packed == "instead" else ".xml"
    top = f"sitemap-index{end}" if full else f"sitemap{end}"
    first = f"sitemap-index-first-e3b0c4{end}"
    assert written.sitemaps == (top, first, f"sitemap-index-news{end}")
    assert cascade(tmp_path, written.sitemaps) == [first, f"sitemap-index-news{end}"]
    assert by_loc(listed(tmp_path, [top])) == pages(60)
    assert [in_news(entry) for entry in listed(tmp_path, [f"sitemap-index-news{end}"])] == ["news"] * 12
    again = published(tmp_path, pages(60), options=NEWS, group=in_news, gzip=packed, full_urlset=full)
    assert (again.files, again.changed, again.removed) == (written.files, (), ())

    for dry_run in (True, False):
        flat = published(tmp_path, pages(60), gzip=packed, dry_run=dry_run)
        assert set(written.files) - set(flat.removed) == set(flat.files)
    assert names(tmp_path) == sorted(flat.files)


@pytest.mark.parametrize("group", [None, in_news], ids=["", "groups"])
@pytest.mark.parametrize(("limit", "most"), [("MAX_URLS", 40), ("MAX_BYTES", 4_000)])
def test_more_sitemaps_than_an_index_holds_become_a_cascade(tmp_path, monkeypatch, group, limit, most):
    assert (writer.MAX_URLS, writer.MAX_BYTES) == (50_000, 52_428_800)
    assert published(tmp_path, pages(100), options={"max_urls": 1}).sitemaps == ("sitemap.xml",)
    monkeypatch.setattr(writer, limit, most)
    written = published(tmp_path, pages(100), options={"max_urls": 1}, group=group)
    for name in cascade(tmp_path, written.sitemaps):
        assert len(entries_of(tmp_path / name)) <= writer.MAX_URLS
        assert (tmp_path / name).stat().st_size <= writer.MAX_BYTES
    assert len(written.sitemaps) > 3
    assert by_loc(listed(tmp_path, ["sitemap.xml"])) == pages(100)


@pytest.mark.parametrize(
    ("limit", "most", "whole"),
    [
        ("MAX_URLS", 20, True),
        ("MAX_URLS", 19, False),
        ("MAX_BYTES", 2_500, True),
        ("MAX_BYTES", 2_000, False),
    ],
)
def test_only_the_protocols_limits_end_the_urlset(tmp_path, monkeypatch, limit, most, whole):
    """20 pages are 20 rows of 106 bytes, and 200 bytes around them."""
    monkeypatch.setattr(writer, limit, most)
    written = published(tmp_path, pages(20), options={"max_urls": 10}, full_urlset=True)
    assert parse(tmp_path / "sitemap.xml").root == ("urlset" if whole else "sitemapindex")
    assert written.sitemaps == ("sitemap-index.xml" if whole else "sitemap.xml",)
    assert by_loc(listed(tmp_path, written.sitemaps)) == pages(20)
    assert [finding.rule for finding in written.findings] == ["sitemap-split"] * (not whole)


def test_parts_go_that_are_no_longer_written(tmp_path):
    """Whose name has what a glob has; those of other names are in the matrix."""
    for number, left in ((40, None), (4, ["sitemap[1].css", "sitemap[1].xml"]), (0, [])):
        options = {"max_urls": 9, "filename": "sitemap[1].xml", "stylesheet": True}
        published(tmp_path, pages(number), options=options)
        assert left is None or names(tmp_path) == left


def test_a_build_finds_the_old_parts_of_its_sitemap_by_their_marks_and_removes_them(tmp_path):
    """Parts of another sitemap, links, and similar files of the user stay."""
    published(tmp_path, pages(40), options={"max_urls": 9, "filename": "sitemap-de.xml"})
    (tmp_path / "sitemap-link.xml").symlink_to(names(tmp_path)[0])
    write(tmp_path, {"sitemap-e3b0c44299.xml": "<urlset/>", "sitemap-notes.txt": "sitemap-docs"})
    others = names(tmp_path)
    published(tmp_path, pages(40), options={"max_urls": 9})
    (tmp_path / FIRST).rename(tmp_path / "sitemap-e3b0c44298.xml")
    published(tmp_path, pages(2))
    assert names(tmp_path) == sorted([*others, "sitemap.xml"])


GOOGLE = "http://www.google.com/schemas/sitemap-"
NAMESPACES = f'xmlns="{SITEMAP}" xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:image="{GOOGLE}image/1.1"'
NAMESPACES += f' xmlns:video="{GOOGLE}video/1.1" xmlns:news="{GOOGLE}news/0.9"'
LOSSES = {  # by what a row of another program has besides
    f'<xhtml:link rel="alternate" hreflang="de" href="{BASE}p/00000/"/>': "",  # its own address
    f'<xhtml:link rel="alternate" hreflang="de" href="{BASE}de/"/>': "hreflang links",
    "<image:image><image:loc>/a.png</image:loc></image:image>": "images",
    "<video:video><video:title>x</video:title></video:video>": "<video:video> elements",
    "<news:news><news:title>x</news:title></news:news>": "<news:news> elements",
    '<a:b xmlns:a="urn:a">x</a:b>': "<b> elements",
    "<priority>0.5</priority>": "",  # engines ignore it
}


@pytest.mark.parametrize("file", sorted(GENERATED.iterdir()), ids=lambda file: file.name)
def test_a_generators_is_replaced_when_ours_lists_as_much(tmp_path, file):
    (tmp_path / "sitemap.xml").write_bytes(file.read_bytes())
    (tmp_path / "sitemap.xml.gz").write_bytes(gzip.compress(file.read_bytes()))
    theirs = sorted({entry.loc for entry in parse(file).entries()})
    why = rf"would lose addresses \(\d+ of {len(theirs)}\), such as https://e"
    with pytest.raises(SitemapError, match=why):
        published(tmp_path, pages(2))
    languages = {code for entry in parse(file).entries() for code, _ in entry.alternates}
    alternates = tuple(Alternate(code, f"https://example.org/{code}/") for code in sorted(languages))
    written = published(tmp_path, [Entry(loc=loc, alternates=alternates) for loc in theirs])
    assert names(tmp_path) == ["sitemap.xml"]
    assert written.removed == ("sitemap.xml.gz",)


def test_the_base_url_without_its_slash_is_the_home_page(tmp_path):
    write(tmp_path, {"index.html": "", "sitemap.xml": urlset(BASE.rstrip("/"))})
    published(tmp_path, [Entry(loc=BASE)])
    assert [entry.loc for entry in entries_of(tmp_path / "sitemap.xml")] == [BASE]


@pytest.mark.parametrize(("more", "lost"), LOSSES.items(), ids=str)
def test_nothing_that_engines_read_is_lost(tmp_path, more, lost):
    theirs = f"<urlset {NAMESPACES}><url><loc>{pages(1)[0].loc}</loc>{more}</url></urlset>"
    (tmp_path / "sitemap.xml").write_text(theirs)
    if lost:
        with pytest.raises(SitemapError, match=f"would lose the {lost} of 1 page, such as"):
            published(tmp_path, pages(2))
        assert (tmp_path / "sitemap.xml").read_text() == theirs
    published(tmp_path, pages(2), options={"replace": bool(lost)})
    assert list(listed(tmp_path, ["sitemap.xml"])) == pages(2)


def test_one_image_of_two_is_lost(tmp_path):
    entry = Entry(BASE, images=(f"{BASE}a.png", f"{BASE}b.png"))
    (tmp_path / "sitemap.xml").write_bytes(rendered([entry]).replace(b"<!-- sitemap-docs -->", b""))
    with pytest.raises(SitemapError, match="would lose the images of 1 page"):
        published(tmp_path, [entry._replace(images=entry.images[:1])])


def test_a_link_to_a_page_that_is_left_out_for_a_reason_is_no_loss(tmp_path):
    link = f'<x:link xmlns:x="http://www.w3.org/1999/xhtml" hreflang="de" href="{BASE}de/"/>'
    rows = f"<url><loc>{pages(1)[0].loc}</loc>{link}</url><url><loc>{BASE}de/</loc></url>"
    write(tmp_path, {"sitemap.xml": f"<urlset>{rows}</urlset>", "de/index.html": "<title>x</title>"})
    published(tmp_path, pages(2))
    assert list(listed(tmp_path, ["sitemap.xml"])) == pages(2)


@pytest.mark.parametrize("gzipped", ["off", "beside", "instead"])
def test_the_users_is_kept(tmp_path, gzipped):
    name = "sitemap.xml.gz" if gzipped == "instead" else "sitemap.xml"
    for theirs in ("sitemap.xml", "sitemap.xml.gz"):
        write(tmp_path, {theirs: urlset("https://example.org/mine")})
        with pytest.raises(SitemapError, match="exists and was not written"):
            published(tmp_path, pages(2), gzip=gzipped)
        assert names(tmp_path) == [theirs]
        published(tmp_path, pages(2), gzip=gzipped, options={"replace": True})
        assert list(listed(tmp_path, [name])) == pages(2)
        assert names(tmp_path) == ([name, f"{name}.gz"] if gzipped == "beside" else [name])
        (tmp_path / name).unlink()
        (tmp_path / "sitemap.xml.gz").unlink(missing_ok=True)


def test_the_users_shard_is_kept(tmp_path):
    (tmp_path / FIRST).write_text("<urlset>mine</urlset>")
    with pytest.raises(SitemapError, match=FIRST):
        published(tmp_path, pages(9), options={"max_urls": 2})
    assert names(tmp_path) == [FIRST]


def test_a_link_is_not_followed(tmp_path):
    (tmp_path / "site").mkdir()
    mine = urlset(pages(1)[0].loc)
    (tmp_path / "outside.xml").write_text(mine)
    (tmp_path / "site" / "sitemap.xml").symlink_to("../outside.xml")
    with pytest.raises(SitemapError, match="exists and was not written"):
        published(tmp_path / "site", pages(2))
    published(tmp_path / "site", pages(2), options={"replace": True})
    assert (tmp_path / "outside.xml").read_text() == mine
    assert not (tmp_path / "site" / "sitemap.xml").is_symlink()


def test_a_folder_in_the_way(tmp_path):
    (tmp_path / "sitemap.xml").mkdir()
    with pytest.raises(SitemapError, match="is a folder"):
        published(tmp_path, pages(2), options={"replace": True})


def test_style_sheets(tmp_path):
    """The user's own is used, also a link that leads nowhere yet; ours of before is replaced."""
    sheet = tmp_path / "sitemap.css"
    sheet.write_text("url { display: block }")
    published(tmp_path, pages(2), options={"stylesheet": True})
    assert sheet.read_text() == "url { display: block }"
    assert b'href="sitemap.css"' in (tmp_path / "sitemap.xml").read_bytes()
    sheet.unlink()
    sheet.symlink_to("made later.css")
    published(tmp_path, pages(2), options={"stylesheet": True})
    assert sheet.is_symlink()
    sheet.unlink()
    sheet.write_text("/* sitemap-docs */ of an earlier version")
    published(tmp_path, pages(2), options={"stylesheet": True})
    assert sheet.read_bytes() == stylesheet(BASE)


@pytest.mark.parametrize(("first", "second"), [("News", "news"), ("", "first-e3b0c4")])
def test_groups_whose_files_would_be_one(tmp_path, first, second):
    """On some file systems, or on all."""
    with pytest.raises(SitemapError, match=r"would have the name sitemap-.*\.xml. Rename the group"):
        published(tmp_path, pages(4), group=lambda entry: first if "3/" not in entry.loc else second)
    assert names(tmp_path) == []
