"""Calls of the Python API as type checkers see them; mypy reads this file, and nothing runs it.

Where mypy no longer rejects a call below, it reports that the comment is unused.
"""

from __future__ import annotations

from sitemap_docs.api import BuildOptions, Findings, HtmlPage, Site, Url, build, check, rule

OPTIONS: BuildOptions = {"excludes": ["drafts/*"], "gzip": True, "groups": {"api": "api/*"}}

build("site", **OPTIONS)
build("site", base_url="https://docs.example.org/", lastmod="author", max_urls=10_000)
build(
    "site", extra_urls=["tool/", {"loc": "old/", "lastmod": "2026-01-31"}], robots={"*": {"disallow": "/x/"}}
)
check("site", severity="error", links="folders", excludes="drafts/*")
check("site", check={"rules": {"title-missing": {"severity": "error"}}})

build("site", lastmods="none")  # type: ignore[call-arg]
build("site", lastmod="newest")  # type: ignore[arg-type]
build("site", max_urls="many")  # type: ignore[arg-type]
build("site", orphans=False)  # type: ignore[call-arg]
check("site", check=True)  # type: ignore[arg-type]
check("site", exclude=["drafts/*"])  # type: ignore[call-arg]
check("site", indent=2)  # type: ignore[call-arg]


@rule("info")
def loc_without_title(url: Url, site: Site) -> Findings:
    """A rule of others, whose subject has a type."""
    page: HtmlPage | None = site.page_of(url.loc)
    if page and not page.head.title:
        yield url.place, f"{page.file} has no title."
