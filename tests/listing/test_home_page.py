"""A site without a home page is reported by every entry point."""

import pytest

from tests.conftest import command, html_page, write

BASE = "https://e.org/"


@pytest.mark.parametrize(
    ("files", "is_found"),
    [
        ({}, True),
        ({"index.html": html_page()}, False),
        ({"index.htm": html_page()}, False),
        ({"index.php": "<?php"}, False),
        ({"_redirects": "/ /a/ 302\n"}, False),
        ({"_redirects": "/b/ /a/ 302\n"}, True),
    ],
)
def test_a_folder(here, files, is_found):
    write(here / "site", {"a/index.html": html_page(), **files})
    done = command("build", "site", "--base-url", BASE, "--lastmod", "none")
    assert ("home-missing" in done.err) is is_found
    for record in ((), ("--cache-dir", "other")):
        done = command("check", "site", "--base-url", BASE, "--select", "home-missing", *record)
        assert (done.code, "home-missing" in done.out) == (int(is_found), is_found)
        assert ("Did you mean site/a?" in done.out) is is_found


def test_a_tree_after_a_join(here):
    """The versions have home pages of their own, and the web server may redirect the address of the tree."""
    for version in ("1.0", "2.0"):
        write(here / "tree" / version, {"index.html": html_page(f"<title>{version}</title>")})
        command("build", f"tree/{version}", "--base-url", f"{BASE}{version}/", "--lastmod", "none")
    assert command("join", "tree", "--base-url", BASE).code == 0
    assert "home-missing" not in command("check", "tree", "--base-url", BASE).out


def test_sphinx(sphinx_project):
    project = sphinx_project("contents", root_doc="contents")
    (project.src / "index.rst").unlink()
    run = project.build()
    message = f"The site has no index.html, so visitors of {project.base} get an error. Add a page with the"
    assert message in run.warnings
    assert message in project.passes("html", "-E").status  # It fails no strict build.
    project.configure(sitemap_ignore=["home-missing"])
    assert "home-missing" not in project.build().warnings
    project.configure(sitemap_ignore=None, html_additional_pages={"index": "page.html"})
    assert "home-missing" not in project.build("html", "-E").warnings


def test_mkdocs(mkdocs_project):
    project = mkdocs_project({"a.md": "# A"})
    assert any("[home-missing]" in line for line in project.build())
    project.write({"docs/index.md": "# Home"})
    assert not any("[home-missing]" in line for line in project.build())
