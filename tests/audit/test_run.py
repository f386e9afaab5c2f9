"""The audit at the end of a build of either host, where the project asks for it."""

from functools import partial
from pathlib import Path

import pytest

from sitemap_docs.audit.rule_settings import settings_of
from sitemap_docs.audit.run import findings_of_build
from sitemap_docs.decide import Collected, decide
from sitemap_docs.listing import processes
from sitemap_docs.model import Finding
from sitemap_docs.publish import publish
from tests.audit.cases import lay
from tests.conftest import BASE, pages_of, site_project

OLD = "2024-01-01T00:00:00+00:00"
REPORTED = (
    f"{BASE}{{}}: robots.txt forbids Googlebot and bingbot to fetch this address. Allow it, or remove it "
    "from the sitemap."
)
DISALLOWED = "User-agent: *\nDisallow: /a\n"


def test_sphinx_warns_of_what_it_finds(sphinx_project):
    check = {"select": ["listed-url-disallowed"]}
    project = sphinx_project("a", html_extra_path=["../extra"], sitemap_check=check)
    project.write({"extra/robots.txt": DISALLOWED})
    project.commit(OLD)
    assert f"sitemap-docs: {REPORTED.format('a.html')}" in project.build().warnings
    project.configure(suppress_warnings=["sitemap_docs.listed-url-disallowed"])
    assert "may not fetch" not in project.build().warnings


def test_mkdocs_warns_of_what_it_finds(mkdocs_project):
    pages = {"index.md": "# Home", "a.md": "# A", "robots.txt": DISALLOWED}
    project = mkdocs_project(pages, options={"check": True})
    project.commit(OLD)
    (said,) = (text for text in project.build() if REPORTED.format("a/") in text)
    assert said.startswith("ERROR")
    assert said.endswith("[listed-url-disallowed]")
    project.configure(options={})
    assert not [text for text in project.build() if "may not fetch" in text], "where it is not asked for"


@pytest.mark.parametrize("scan", [map, partial(processes.scan_in_processes, 2)], ids=["here", "elsewhere"])
def test_the_audit_takes_the_heads_that_the_build_read(tmp_path, monkeypatch, scan):
    monkeypatch.setattr(processes, "FEW_PAGES", 1)
    page = "<!doctype html><html><head>{}</head><body></body></html>"
    for name in ("a", "b", "left-out"):
        (tmp_path / f"{name}.html").write_text(page.format(""))
    (tmp_path / "robots.txt").write_text("User-agent: *\nDisallow:\n")
    site = site_project(tmp_path, check={"select": ["pages"]}, excludes=["left-out.html"])
    pages = pages_of(site)
    decided = decide(site, Collected(pages=pages), scan=scan, described=True)
    assert publish(site, decided).listed == 2
    (tmp_path / "a.html").write_text(page.format("<title>A</title>"))
    (tmp_path / "left-out.html").write_text(page.format('<meta name="robots" content="no-index">'))
    # Those of pages that the build did not need to read are read then.
    robots, titles = findings_of_build(site, decided, settings_of(site.options))
    assert titles.message.startswith("Found in 2 places: https://docs.example.org/a.html, ")
    assert robots.where == "https://docs.example.org/left-out.html"


def of_build(root: Path, **options: object) -> tuple[Finding, ...]:
    site = site_project(root, **{"check": True} | options)
    decided = decide(site, Collected(pages=pages_of(site)), described=True)
    assert all(row.entry is None or row.loc == row.entry.loc for row in decided.rows)
    return findings_of_build(site, decided, settings_of(site.options))


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
    assert finding.message.startswith(
        f"Found in 5 places: {BASE}gone-0/, {BASE}gone-1/, {BASE}gone-2/ and 2 more"
    )


@pytest.mark.parametrize(
    "check",
    [
        {"rules": {"target-missing": {"ignore": ["*/gone-*"]}}},
        {"rules": {"target-missing": {"ignore": ["sitemap.xml"]}}},
        {"rules": {"target-missing": {"severity": "info"}}},
    ],
)
def test_build_is_configured(bad, check):
    assert of_build(bad, check=check) == ()
