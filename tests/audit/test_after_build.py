"""The audit at the end of a build of either host, where the project asks for it."""

from __future__ import annotations

import pytest

OLD = "2024-01-01T00:00:00+00:00"
REPORTED = (
    "https://docs.example.org/{}: Googlebot may not fetch this address. "
    "Allow it, or take it out of the sitemap."
)
DISALLOWED = "User-agent: *\nDisallow: /a\n"


@pytest.mark.parametrize(
    "check", [True, {"select": ["listed-url-disallowed"]}], ids=["all rules", "one rule"]
)
def test_sphinx_warns_of_what_it_finds(sphinx_project, check):
    pytest.importorskip("sphinx")
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


def test_nothing_is_checked_unasked(mkdocs_project):
    project = mkdocs_project({"index.md": "# Home", "a.md": "# A", "robots.txt": DISALLOWED})
    project.commit(OLD)
    assert not [text for text in project.build() if "may not fetch" in text]
