"""Which sitemaps, pages and translations of a built site the audit reads."""

import gzip
import re
from pathlib import Path

import pytest

from sitemap_docs.audit.rule_settings import settings_of
from sitemap_docs.audit.run import audit_site
from sitemap_docs.audit.site import Unlisted
from sitemap_docs.model import Finding, Reason
from tests.audit.cases import lay
from tests.conftest import BASE, built_site, git, site_project, urlset, write

pytestmark = pytest.mark.once


def found(root: Path, *select: str) -> list[Finding]:
    return list(audit_site(built_site(site_project(root)), settings_of(select=select)).findings)


@pytest.mark.parametrize(
    ("lines", "packed_lists", "read"),
    [
        (["sitemap.xml"], "gone/", ["sitemap.xml"]),
        (["sitemap.xml.gz"], "", ["sitemap.xml.gz"]),
        (["sitemap.xml.gz"], "gone/", ["sitemap.xml.gz", "sitemap.xml"]),
        (["sitemap.xml", "sitemap.xml.gz"], "", ["sitemap.xml"]),
        (["sitemap.xml", "sitemap.xml.gz"], "gone/", ["sitemap.xml", "sitemap.xml.gz"]),
        ([], "gone/", ["sitemap.xml"]),
    ],
)
def test_of_a_plain_and_a_packed_sitemap_the_one_in_robots_txt_is_read(tmp_path, lines, packed_lists, read):
    robots = "".join(f"Sitemap: {BASE}{line}\n" for line in lines)
    write(tmp_path, {"index.html": "<title>x</title>", "robots.txt": robots, "sitemap.xml": urlset(BASE)})
    packed = urlset(BASE, *filter(None, [packed_lists and f"{BASE}{packed_lists}"]))
    (tmp_path / "sitemap.xml.gz").write_bytes(gzip.compress(packed.encode()))
    audited = audit_site(built_site(site_project(tmp_path)), settings_of(select=["target-missing"]))
    assert [sitemap.name for sitemap in audited.site.sitemaps] == read
    is_found = bool(packed_lists) and "sitemap.xml.gz" in read
    assert [each.where for each in audited.findings] == [f"{BASE}gone/"] * is_found


def test_a_packed_sitemap_in_an_index_is_read(tmp_path):
    index = urlset(f"{BASE}pages.xml.gz").replace("urlset", "sitemapindex").replace("url>", "sitemap>")
    write(tmp_path, {"index.html": "<title>x</title>", "sitemap.xml": index, "pages.xml": urlset(BASE)})
    (tmp_path / "pages.xml.gz").write_bytes(gzip.compress(urlset(f"{BASE}gone/").encode()))
    assert [each.where for each in found(tmp_path, "target-missing")] == [f"{BASE}gone/"]


@pytest.mark.parametrize("others", [9, 10])
def test_one_fault_of_a_theme_is_one_finding(others, tmp_path):
    """All canonical links have the scheme that the site had before, and one page a fault of its own."""
    pages = {"odd.html": "https://docs.example.org:443/odd.html", "index.html": "http://docs.example.org/"}
    pages |= {f"{each}/index.html": f"http://docs.example.org/{each}/" for each in range(others)}
    head = '<!doctype html><title>{}</title><link rel="canonical" href="{}">'
    write(tmp_path, {name: head.format(name, href) for name, href in pages.items()})
    findings = found(tmp_path, "canonical-scheme-host")
    whole = [each.message for each in findings if "the theme or a setting" in each.message]
    assert len(findings) == (others + 2 if others < 10 else 3)
    assert [each.partition(",")[0] for each in whole] == ["10 pages have this problem"] * (others >= 10)


@pytest.mark.parametrize(("folder", "rules"), [("docs", {"nojekyll-missing"}), ("site", set())])
def test_github_pages_serve_the_folder_docs_of_a_branch(folder, rules, tmp_path):
    git(tmp_path, "init", "-q")
    write(tmp_path, {f"{folder}/CNAME": "docs.example.org", f"{folder}/_static/theme.css": ""})
    assert {each.rule for each in found(tmp_path / folder, "nojekyll-missing")} == rules


def test_packed_bomb_is_not_unpacked_whole(tmp_path, monkeypatch):
    monkeypatch.setattr("sitemap_docs.audit.sitemap_file.MAX_UNPACKED", 53_000_000)
    (tmp_path / "sitemap.xml.gz").write_bytes(gzip.compress(b" " * 1_000_000) * 60)
    assert {each.rule for each in found(tmp_path, "file-too-large", "gzip-corrupt")} == {"file-too-large"}


def test_a_packed_copy_by_another_program_is_not_read_as_well(tmp_path):
    lay(tmp_path)
    (tmp_path / "sitemap.xml.gz").write_bytes(gzip.compress((tmp_path / "sitemap.xml").read_bytes()))
    site = audit_site(built_site(site_project(tmp_path)), settings_of()).site
    assert [sitemap.name for sitemap in site.sitemaps] == ["sitemap.xml"]


@pytest.mark.parametrize(
    ("files", "made", "options", "unnamed", "addresses"),
    [
        pytest.param({}, set(), {}, ["sitemap-old.xml"], 3, id="nothing names it"),
        pytest.param({}, {"sitemap-old.xml"}, {}, [], 4, id="the host made it"),
        pytest.param({}, set(), {"extra_sitemaps": ["sitemap-old.xml"]}, [], 4, id="a setting names it"),
        pytest.param({"sitemap.xml": "<urlset/>"}, set(), {}, [], 1, id="the other one lists nothing"),
    ],
)
def test_a_second_sitemap_that_nothing_names_is_not_read(files, made, options, unnamed, addresses, tmp_path):
    lay(tmp_path)
    write(tmp_path, {"sitemap-old.xml": urlset(f"{BASE}gone/ 2011-05-01"), **files})
    built = built_site(site_project(tmp_path, **options), made=made)
    audited = audit_site(built, settings_of(select=["sitemap-unnamed"]))
    assert [each.file for each in audited.findings] == unnamed
    assert len({url.loc for url in audited.site.urls}) == addresses


def page(path: str, lang: str, *links: tuple[str, str]) -> str:
    tags = "".join(f'<link rel="alternate" hreflang="{code}" href="{href}">' for code, href in links)
    return f'<html lang="{lang}"><head><title>{path}</title>{tags}</head></html>'


@pytest.mark.parametrize("named", [False, True])
def test_translations_are_read_in_pages_where_no_sitemap_names_them(named, tmp_path):
    home = page("", "en", ("en", BASE), ("de", "/de/"))
    write(tmp_path, {"index.html": home, "de/index.html": page("de/", "de", ("de", f"{BASE}de/"))})
    sitemap = urlset(BASE, f"{BASE}de/")
    if named:
        link = '<link xmlns="http://www.w3.org/1999/xhtml" rel="alternate" hreflang="en" href="\\1"/>'
        sitemap = re.sub("<loc>(.*?)</loc>", rf"\g<0>{link}", sitemap)
    write(tmp_path, {"sitemap.xml": sitemap})
    rules = {"hreflang-href-relative", "hreflang-return-link-missing"}
    reported = found(tmp_path, *rules, "hreflang-self-missing")
    assert {each.rule for each in reported} == (set() if named else rules)


def test_the_status_of_a_page_is_a_value_with_its_reason(tmp_path):
    pages = {"index.html": "", "gone.html": "", "hidden.html": '<meta name="robots" content="noindex">'}
    write(tmp_path, {name: f"<!doctype html><title>A</title>{head}" for name, head in pages.items()})
    write(tmp_path, {"sitemap.xml": urlset(BASE)})
    built = built_site(site_project(tmp_path))
    site = audit_site(built, settings_of()).site
    reasons = {name: site.status(site.by_file[name]).reason for name in pages}
    assert reasons == {"index.html": None, "gone.html": Unlisted.MISSING, "hidden.html": Reason.NOINDEX}
