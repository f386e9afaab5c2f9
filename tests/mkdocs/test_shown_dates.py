"""``page_dates``: a page of MkDocs shows its lastmod."""

from importlib.util import find_spec

import pytest
from bs4 import BeautifulSoup

from sitemap_docs.config.options import Options
from sitemap_docs.model import SitemapError
from tests.conftest import EXAMPLE

pytestmark = pytest.mark.skipif(not find_spec("material"), reason="needs Material for MkDocs")

JANUARY, MARCH = (f"2024-0{month}-01T00:00:00+00:00" for month in (1, 3))
PAGES = {
    "index.md": "# Home",
    "a.md": '# A\n\n--8<-- "part.txt"\n',
    "part.txt": "Part.",
    "own.md": "---\nrevision_date: by hand\n---\n# Own",
    "dated.md": "---\nsitemap:\n  lastmod: 2023-02-03\n---\n# Dated",
    "hidden.md": "---\nsitemap: false\n---\n# Hidden",
}
INCLUDES = {"markdown_extensions": [{"pymdownx.snippets": {"base_path": ["docs"]}}]}


def shown(project) -> dict[str, tuple[str, str]]:
    """The element that each page shows: its text and its time."""
    dates = {}
    for file in sorted(project.site.rglob("*.html")):
        soup = BeautifulSoup(file.read_text(encoding="utf-8"), "html.parser")
        fact = soup.select_one(".md-source-file__fact")
        name = file.relative_to(project.site).as_posix().removesuffix("index.html")
        if fact:
            time = fact.find("time")
            dates[name] = fact.get_text(" ", strip=True), time["datetime"] if time else ""
    return dates


@pytest.fixture
def project(mkdocs_project):
    project = mkdocs_project(PAGES, theme={"name": "material"}, options={"page_dates": True}, **INCLUDES)
    project.commit(JANUARY)
    project.commit(MARCH, {"docs/part.txt": "Another part."})
    return project


def test_a_page_shows_its_lastmod(project):
    project.build(strict=True)
    dates = shown(project)
    assert dates == {
        "": ("2024-01-01", JANUARY),
        "a/": ("2024-03-01", MARCH),
        "dated/": ("2023-02-03", "2023-02-03T00:00:00+00:00"),
        "hidden/": ("2024-01-01", JANUARY),
        "own/": ("by hand", ""),
    }
    for name, lastmod in project.lastmods().items():
        assert dates[name][1].startswith(lastmod if name != "own/" else "")


def test_a_page_shows_its_date_in_extra_urls(project):
    extra_urls = [{"loc": "a/", "lastmod": "2026-01-01"}, {"loc": "dated/", "lastmod": "2026-01-01"}]
    project.configure(options={"page_dates": True, "extra_urls": extra_urls})
    project.build(strict=True)
    assert project.lastmods()["a/"].startswith("2026-01-01")
    dates = shown(project)
    assert (dates["a/"][0], dates["dated/"][0]) == ("2026-01-01", "2023-02-03")


def test_a_format_with_and_without_a_base_url(project):
    for site_url in ("https://docs.example.org/", ""):
        project.configure(options={"page_dates": "%d %B %Y"}, site_url=site_url)
        project.build()
        assert shown(project)["a/"] == ("01 March 2024", MARCH)


@pytest.mark.parametrize("form", ["%Q", "day", 1])
def test_what_is_no_format(form):
    with pytest.raises(SitemapError, match="`page_dates` must be true, false or a format of dates"):
        Options.of({"page_dates": form}, {"mkdocs"})


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs"])
def test_the_lines_of_the_manual_for_other_themes(project, theme):
    """Those of the page dates.md; the time is there in ISO 8601 as well."""
    manual = (EXAMPLE / "pages/dates.md").read_text(encoding="utf-8")
    lines = manual.partition("```html\n")[2].partition("```")[0]
    lines = lines.replace("</p>", "</p><i>{{ page.meta.revision_date_iso }}</i>")
    project.write({"overrides/main.html": lines})
    project.configure(theme={"name": theme, "custom_dir": "overrides"}, options={"page_dates": True})
    project.build()
    assert f'Last update: <time datetime="{MARCH}">2024-03-01</time>' in project.read("a/index.html")
    assert f"<i>{MARCH}</i>" in project.read("a/index.html")


@pytest.mark.skipif(not find_spec("mkdocs_static_i18n"), reason="needs mkdocs-static-i18n")
def test_translations(project):
    project.commit("2024-05-01T00:00:00+00:00", {"docs/a.de.md": "# A auf Deutsch"})
    languages = [{"locale": "en", "default": True, "name": "English"}, {"locale": "de", "name": "Deutsch"}]
    project.configure(plugins=[{"i18n": {"languages": languages}}], options={"page_dates": True})
    project.build()
    dates = shown(project)
    assert (dates["a/"][1], dates["de/a/"][1]) == (MARCH, "2024-05-01T00:00:00+00:00")
