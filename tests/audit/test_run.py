"""The audit at the end of a build of either host, where the project asks for it."""

from __future__ import annotations

from functools import partial

import pytest

from sitemap_docs.audit.run import findings_of_build
from sitemap_docs.audit.settings import settings_of
from sitemap_docs.decide import decide
from sitemap_docs.listing import processes
from sitemap_docs.publish import publish
from tests.conftest import pages_of, site_build

OLD = "2024-01-01T00:00:00+00:00"
REPORTED = (
    "https://docs.example.org/{}: Googlebot and bingbot may not fetch this address. "
    "Allow it, or take it out of the sitemap."
)
DISALLOWED = "User-agent: *\nDisallow: /a\n"


def test_sphinx_warns_of_what_it_finds(sphinx_project):
    pytest.importorskip("sphinx")
    check = {"select": ["listed-url-disallowed"]}
    project = sphinx_project("a", html_extra_path=["../extra"], sitemap_check=check)
    project.write({"extra/robots.txt": DISALLOWED})
    project.commit(OLD)
    assert f"sitemap-docs: {REPORTED.format('a.html')}" in project.build().warnings
    project.configure(suppress_warnings=["sitemap_docs.listed-url-disallowed"])
    assert "may not fetch" not in project.build().warnings


def test_mkdocs_warns_of_what_it_finds(mkdocs_project):
    project = mkdocs_project(
        {"index.md": "# Home", "a.md": "# A", "robots.txt": DISALLOWED}, options={"check": True}
    )
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
    site = site_build(tmp_path, check={"select": ["pages"]}, excludes=["left-out.html"])
    pages = pages_of(site)
    decisions = decide(site, pages, scan=scan, described=True)
    assert publish(decisions).listed == 2
    (tmp_path / "a.html").write_text(page.format("<title>A</title>"))
    (tmp_path / "left-out.html").write_text(page.format('<meta name="robots" content="no-index">'))
    # Those of pages that the build did not need to read are read then.
    robots, titles = findings_of_build(decisions, settings_of(site.options.check))
    assert titles.message.startswith("2 times: https://docs.example.org/a.html, ")
    assert robots.where == "https://docs.example.org/left-out.html"
