"""Redirects of the host and of pages, followed to the last address."""

import pytest

from sitemap_docs.audit.rule_settings import settings_of
from sitemap_docs.audit.run import audit_site
from tests.conftest import BASE, REFRESH, built_site, html_page, site_project, write

CHAIN = "".join(f"/step{number} /step{number + 1} 301\n" for number in range(12))


@pytest.fixture
def redirects(tmp_path):
    """The redirects of a site in which a rule of the host leads to a page that leads to the page ``new``."""
    rules = f"/old /moved.html#top 301\n/here /there 301\n/there /here 301\n{CHAIN}"
    pages = {"moved.html": html_page(REFRESH.format("new.html")), "new.html": html_page("")}
    write(tmp_path, {"index.html": html_page(""), **pages, "_redirects": rules})
    return audit_site(built_site(site_project(tmp_path)), settings_of()).site.redirects


@pytest.mark.parametrize(
    ("url", "target", "end"),
    [
        pytest.param(f"{BASE}new.html", "", f"{BASE}new.html", id="no redirect"),
        pytest.param(f"{BASE}moved.html", f"{BASE}new.html", f"{BASE}new.html", id="of a page"),
        pytest.param(
            f"{BASE}old", f"{BASE}moved.html#top", f"{BASE}new.html", id="of the host, then of a page"
        ),
        pytest.param(f"{BASE}step2", f"{BASE}step3", f"{BASE}step12", id="ten in a row"),
        pytest.param(f"{BASE}step1", f"{BASE}step2", "", id="eleven in a row"),
        pytest.param(f"{BASE}here", f"{BASE}there", "", id="a circle"),
        pytest.param("https://other.example/old", "", "https://other.example/old", id="another site"),
    ],
)
def test_redirects_are_followed_to_their_end_for_at_most_ten_steps(redirects, url, target, end):
    assert (redirects.target_of(url), redirects.end_of(url)) == (target, end)
