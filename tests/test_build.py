"""The one sequence of all doors: what is wrong with the settings is known before anything is written."""

from pathlib import Path

import pytest

from sitemap_docs import api
from sitemap_docs.model import SitemapError
from tests.conftest import BASE, write

WRONG = {"severity": "loud"}
MESSAGE = "`check: severity` must be"
PAGE = "<!doctype html><html><head><title>A</title></head><body></body></html>"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return write(tmp_path / "site", {"index.html": PAGE})


def test_wrong_settings_of_the_check_change_nothing(site):
    with pytest.raises(SitemapError, match=MESSAGE):
        api.build(site, base_url=BASE, check=WRONG)
    assert [*site.iterdir()] == [site / "index.html"]


def test_wrong_settings_of_the_check_change_nothing_in_mkdocs(mkdocs_project):
    pytest.importorskip("mkdocs")
    project = mkdocs_project({"index.md": "# Home"}, options={"check": WRONG})
    with pytest.raises(SystemExit):
        project.build()
    assert MESSAGE in "".join(project.messages)
    assert not (project.site / "robots.txt").exists()


def test_findings_come_in_the_order_of_the_work(site):
    """First what the door found, then what the build did, then what the audit did."""
    (site / "robots.txt").write_text("User-agent: *\nDisallow: /a\n")
    (site / "a.html").write_text(PAGE)
    findings = api.build(site, base_url=BASE, check=True, extra_urls=["ghost-*.pdf"]).findings
    rules = [finding.rule for finding in findings]
    assert (
        rules.index("sources-missing")
        < rules.index("unmatched-pattern")
        < rules.index("listed-url-disallowed")
    )
