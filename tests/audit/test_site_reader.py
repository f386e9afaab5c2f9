"""What the audit reads: heads as the build reads them, limits of the protocol, the end of a build."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from sitemap_docs.audit import ALL, settings_of
from sitemap_docs.audit.registry import Location
from sitemap_docs.audit.rules.hreflang import hreflang_code_invalid
from sitemap_docs.audit.run import audit_site, findings_of_build
from sitemap_docs.audit.site import AlternateLinks
from sitemap_docs.model import Alternate, Finding, SitemapError
from sitemap_docs.urls.languages import hreflang
from tests.audit.cases import lay
from tests.conftest import git, pages_of, site_build

pytestmark = pytest.mark.once

BASE = "https://docs.example.org/"


def found(root: Path, *select: str) -> list[Finding]:
    site = site_build(root)
    return list(audit_site(site, pages_of(site), settings_of(select=select)).findings)


@pytest.mark.parametrize(("number", "rules"), [(50_000, set()), (50_001, {"too-many-urls"})])
def test_fifty_thousand_urls_and_not_one_more(number, rules, tmp_path):
    rows = "<url/>" * number  # without addresses: to look up their files takes most of the time
    (tmp_path / "sitemap.xml").write_text(
        f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</urlset>'
    )
    assert {each.rule for each in found(tmp_path, "too-many-urls", "file-too-large")} == rules


def test_fifty_mebibytes_and_not_one_more(tmp_path):
    start, end = f"<urlset><url><loc>{BASE}</loc></url>", "</urlset>"
    line = f"<!--{'x' * 992}-->\n"
    lines, rest = divmod(52_428_800 - len(start) - len(end), len(line))
    for spaces, rules in ((rest, set()), (rest + 1, {"file-too-large"})):
        (tmp_path / "sitemap.xml").write_text(start + line * lines + " " * spaces + end)
        assert {each.rule for each in found(tmp_path, "file-too-large")} == rules


@pytest.mark.parametrize("others", [9, 10])
def test_one_fault_of_a_theme_is_one_finding(others, tmp_path):
    """All canonical links have the scheme that the site had before, and one page a fault of its own."""
    for number in range(others):
        folder = tmp_path / f"chapter-{number}"
        folder.mkdir()
        link = f'<link rel="canonical" href="http://docs.example.org/{folder.name}/">'
        (folder / "index.html").write_text(f"<!doctype html><title>{folder.name}</title>{link}")
    link = '<link rel="canonical" href="http://docs.example.org/">'
    (tmp_path / "index.html").write_text(f"<!doctype html><title>Home</title>{link}")
    (tmp_path / "odd.html").write_text(
        '<!doctype html><title>Odd</title><link rel="canonical" href="https://docs.example.org:443/odd.html">'
    )
    findings = found(tmp_path, "canonical-scheme-host")
    whole = [each.message for each in findings if "the theme or a setting" in each.message]
    assert len(findings) == (others + 2 if others < 10 else 3)
    assert [each.partition(",")[0] for each in whole] == ["10 pages"] * (others >= 10)


def test_redirects_end_at_an_address_without_a_fragment(tmp_path):
    (tmp_path / "_redirects").write_text("/old/ /new/#top 301\n")
    (tmp_path / "a.html").write_text('<!doctype html><link rel="canonical" href="/old/">')
    (finding,) = found(tmp_path, "canonical-to-redirect")
    assert f"redirects to {BASE}new/." in finding.message


@pytest.mark.parametrize(("folder", "rules"), [("docs", {"nojekyll-missing"}), ("site", set())])
def test_github_pages_serve_the_folder_docs_of_a_branch(folder, rules, tmp_path):
    git(tmp_path, "init", "-q")
    (tmp_path / folder / "_static").mkdir(parents=True)
    (tmp_path / folder / "CNAME").write_text("docs.example.org")
    (tmp_path / folder / "_static" / "theme.css").write_text("")
    assert {each.rule for each in found(tmp_path / folder, "nojekyll-missing")} == rules


def test_packed_bomb_is_not_unpacked_whole(tmp_path):
    (tmp_path / "sitemap.xml.gz").write_bytes(gzip.compress(b" " * 1_000_000) * 300)
    assert {each.rule for each in found(tmp_path, "file-too-large", "gzip-corrupt")} == {"file-too-large"}


def test_entities_are_not_expanded(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("https://docs.example.org/secret")
    (tmp_path / "sitemap.xml").write_text(
        f'<!DOCTYPE urlset [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>&x;</loc></url></urlset>'
    )
    (reported,) = found(tmp_path, "xml-*", "loc-*", "target-missing", "empty-urlset")
    assert reported.rule == "xml-not-wellformed"
    assert "nothing is read" in reported.message


def page(path: str, lang: str, *links: tuple[str, str]) -> str:
    tags = "".join(f'<link rel="alternate" hreflang="{code}" href="{href}">' for code, href in links)
    return f'<html lang="{lang}"><head><title>{path}</title>{tags}</head></html>'


@pytest.mark.parametrize(
    ("listed", "rules"),
    [
        pytest.param(
            "", {"hreflang-href-relative", "hreflang-return-link-missing"}, id="the page is all there is"
        ),
        pytest.param(
            '<xhtml:link rel="alternate" hreflang="en" href="{0}"/>', set(), id="the sitemap names them"
        ),
    ],
)
def test_translations_are_read_in_pages_where_no_sitemap_names_them(listed, rules, tmp_path):
    (tmp_path / "de").mkdir()
    (tmp_path / "index.html").write_text(page("", "en", ("en", BASE), ("de", "/de/")))
    (tmp_path / "de" / "index.html").write_text(page("de/", "de", ("de", f"{BASE}de/")))
    rows = "".join(f"<url><loc>{loc}</loc>{listed.format(loc)}</url>" for loc in (BASE, f"{BASE}de/"))
    (tmp_path / "sitemap.xml").write_text(
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">'
        f"{rows}</urlset>"
    )
    reported = found(
        tmp_path, "hreflang-href-relative", "hreflang-return-link-missing", "hreflang-self-missing"
    )
    assert {each.rule for each in reported} == rules


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
    return findings_of_build(site, pages_of(site), settings_of(site.options.check), {})


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
        {"ignore": ["target-missing"]},
        {"select": ["robots"]},
        {"rules": {"target-missing": {"ignore": ["*/gone-*"]}}},
        {"rules": {"target-missing": {"ignore": ["sitemap.xml"]}}},
        {"rules": {"target-missing": {"severity": "info"}}},
    ],
)
def test_build_is_configured(bad, check):
    assert of_build(bad, check=check) == ()


def test_what_the_project_excludes_need_not_be_listed(tmp_path):
    lay(tmp_path, "page-not-listed/bad")
    for excludes, rules in (([], ["page-not-listed"]), (["tour/*"], [])):
        assert [each.rule for each in of_build(tmp_path, excludes=excludes)] == rules


def test_noindex_of_the_host_counts(tmp_path):
    lay(tmp_path)
    (tmp_path / "_headers").write_text("/guide/*\n  X-Robots-Tag: noindex\n")
    (finding,) = of_build(tmp_path)
    assert finding.rule == "noindex-listed"
    assert "_headers: /guide/*" in finding.message


def test_a_whole_number_for_a_setting_with_decimals():
    settings = settings_of((("rules", {"live-slow": {"seconds": 600}}),), rules=ALL)
    assert settings.rules["live-slow"].values == {"seconds": 600.0}
    with pytest.raises(SitemapError, match="has no setting `seconds = True`"):
        settings_of((("rules", {"live-slow": {"seconds": True}}),), rules=ALL)
