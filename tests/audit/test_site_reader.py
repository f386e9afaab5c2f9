"""What the audit reads: heads as the build reads them, limits of the protocol, the end of a build."""

from __future__ import annotations

import gzip
import re
from dataclasses import replace
from pathlib import Path

import pytest

from sitemap_docs.audit.registry import ALL, Location
from sitemap_docs.audit.rules.hreflang import hreflang_code_invalid
from sitemap_docs.audit.run import audit_site, findings_of_build
from sitemap_docs.audit.settings import settings_of
from sitemap_docs.audit.site import AlternateLinks
from sitemap_docs.decide import Host, decide
from sitemap_docs.model import Alternate, Finding, SitemapError
from sitemap_docs.urls.languages import hreflang
from tests.audit.cases import lay
from tests.conftest import built_folder, git, pages_of, site_build, urlset, write

pytestmark = pytest.mark.once

BASE = "https://docs.example.org/"


def found(root: Path, *select: str) -> list[Finding]:
    return list(audit_site(built_folder(site_build(root)), settings_of(select=select)).findings)


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
    assert [each.partition(",")[0] for each in whole] == ["10 pages"] * (others >= 10)


@pytest.mark.parametrize(("folder", "rules"), [("docs", {"nojekyll-missing"}), ("site", set())])
def test_github_pages_serve_the_folder_docs_of_a_branch(folder, rules, tmp_path):
    git(tmp_path, "init", "-q")
    write(tmp_path, {f"{folder}/CNAME": "docs.example.org", f"{folder}/_static/theme.css": ""})
    assert {each.rule for each in found(tmp_path / folder, "nojekyll-missing")} == rules


def test_packed_bomb_is_not_unpacked_whole(tmp_path):
    (tmp_path / "sitemap.xml.gz").write_bytes(gzip.compress(b" " * 1_000_000) * 300)
    assert {each.rule for each in found(tmp_path, "file-too-large", "gzip-corrupt")} == {"file-too-large"}


def test_a_packed_copy_by_another_program_is_not_read_as_well(tmp_path):
    lay(tmp_path)
    (tmp_path / "sitemap.xml.gz").write_bytes(gzip.compress((tmp_path / "sitemap.xml").read_bytes()))
    site = audit_site(built_folder(site_build(tmp_path)), settings_of()).site
    assert [sitemap.name for sitemap in site.sitemaps] == ["sitemap.xml"]


@pytest.mark.parametrize(
    ("files", "host", "options", "unnamed", "addresses"),
    [
        pytest.param({}, Host(), {}, ["sitemap-old.xml"], 3, id="nothing names it"),
        pytest.param({}, Host(made=frozenset({"sitemap-old.xml"})), {}, [], 4, id="the host made it"),
        pytest.param({}, Host(), {"extra_sitemaps": ["sitemap-old.xml"]}, [], 4, id="a setting names it"),
        pytest.param({"sitemap.xml": "<urlset/>"}, Host(), {}, [], 1, id="the other one lists nothing"),
    ],
)
def test_a_second_sitemap_that_nothing_names_is_not_read(files, host, options, unnamed, addresses, tmp_path):
    lay(tmp_path)
    write(tmp_path, {"sitemap-old.xml": urlset(f"{BASE}gone/", date="2011-05-01"), **files})
    built = built_folder(replace(site_build(tmp_path, **options), host=host))
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


def wrong_code(code: str) -> list[str]:
    """What the rule about language codes says of one."""
    links = AlternateLinks(Location(BASE), BASE, (Alternate(code, BASE),), (BASE,))
    return [message for _, message in hreflang_code_invalid(links)]


@pytest.mark.parametrize("code", ["jp", "en-UK", "en_US", "es-LA", "cn"])
def test_what_the_build_writes_for_a_frequent_mistake_is_accepted(code):
    written = hreflang(code)
    assert wrong_code(written) == []
    assert wrong_code(code)[0].endswith(f"Write {written}.")


def of_build(root: Path, **options: object) -> tuple[Finding, ...]:
    site = site_build(root, **{"check": True} | options)
    decisions = decide(site, pages_of(site), described=True)
    assert all(entry is None or row.loc == entry.loc for row, entry in decisions.rows())
    return findings_of_build(decisions, settings_of(site.options.check))


@pytest.fixture
def bad(tmp_path) -> Path:
    lay(tmp_path, "canonical-chain/good")
    sitemap = (tmp_path / "sitemap.xml").read_text()
    rows = "".join(f"<url><loc>{BASE}gone-{each}/</loc></url>" for each in range(5))
    (tmp_path / "sitemap.xml").write_text(sitemap.replace("</urlset>", f"{rows}</urlset>"))
    return tmp_path


def test_build_hears_each_rule_once(bad):
    (finding,) = of_build(bad)
    assert (finding.rule, finding.severity) == ("target-missing", "error")
    assert finding.message.startswith(f"5 times: {BASE}gone-0/, {BASE}gone-1/, {BASE}gone-2/ and 2 more")


@pytest.mark.parametrize(
    "check",
    [
        {"select": ["robots"]},
        {"rules": {"target-missing": {"ignore": ["*/gone-*"]}}},
        {"rules": {"target-missing": {"ignore": ["sitemap.xml"]}}},
        {"rules": {"target-missing": {"severity": "info"}}},
    ],
)
def test_build_is_configured(bad, check):
    assert of_build(bad, check=check) == ()


def test_a_whole_number_for_a_setting_with_decimals():
    settings = settings_of({"rules": {"live-slow": {"seconds": 600}}}, rules=ALL)
    assert settings.rules["live-slow"].values == {"seconds": 600.0}
    with pytest.raises(SitemapError, match="live-slow: seconds` must be a value such as"):
        settings_of({"rules": {"live-slow": {"seconds": True}}}, rules=ALL)
