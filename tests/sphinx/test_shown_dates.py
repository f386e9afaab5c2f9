"""``sitemap_page_dates``: a document shows its lastmod, and no page the day of the build."""

import pytest
from bs4 import BeautifulSoup

from tests.conftest import SphinxProject, commit

pytest.importorskip("sphinx")

JANUARY, MARCH, MAY = (f"2024-0{month}-01T00:00:00+00:00" for month in (1, 3, 5))
FOOTER = "Last updated on "


def shown(project: SphinxProject) -> dict[str, tuple[str, str]]:
    """The day in the footer of each page, and the time in its head; empty ones of pages without."""
    dates = {}
    for file in sorted(project.out.glob("*.html")):
        soup = BeautifulSoup(file.read_text(encoding="utf-8"), "html.parser")
        footer = soup.find("div", class_="footer").get_text(" ", strip=True)
        day = footer.partition(FOOTER)[2].partition(".")[0]
        meta = soup.find("meta", attrs={"property": "article:modified_time"})
        dates[file.name] = day, meta["content"] if meta else ""
    return dates


@pytest.fixture
def project(sphinx_project: SphinxProject) -> SphinxProject:
    """Two pages, of which one includes a file that is younger; one that is not listed; one with a date."""
    project = sphinx_project(
        "a",
        "hidden",
        "own",
        sitemap_page_dates=True,
        html_last_updated_fmt="%Y-%m-%d",
        html_copy_source=False,
    )
    project.commit(JANUARY, {
        "src/a.rst": project.page("a", ".. include:: part.txt"),
        "src/hidden.rst": ":sitemap: false\n" + project.page("hidden"),
        "src/own.rst": ":sitemap-lastmod: 2023-02-03\n" + project.page("own"),
    })  # fmt: skip
    project.commit(MARCH, {"src/part.txt": "Part."})
    project.write({"src/new.rst": project.page("new")})  # git does not track it
    return project


def test_a_document_shows_its_lastmod(project):
    project.passes()
    dates = shown(project)
    assert dates == {
        "a.html": ("2024-03-01", MARCH),
        "genindex.html": ("", ""),
        "hidden.html": ("2024-01-01", JANUARY),
        "index.html": ("2024-01-01", JANUARY),
        "new.html": ("", ""),
        "own.html": ("2023-02-03", "2023-02-03T00:00:00+00:00"),
        "search.html": ("", ""),
    }
    for name, lastmod in project.lastmods().items():
        assert dates[name][1].startswith(lastmod or "")


@pytest.mark.parametrize("links", [None, "clean"])
def test_a_document_shows_its_date_in_extra_urls(project, links):
    loc = "a" if links else "a.html"
    project.configure(sitemap_extra_urls=[{"loc": loc, "lastmod": "2026-01-01"}], sitemap_links=links)
    project.passes()
    assert project.lastmods()[loc].startswith("2026-01-01")
    assert shown(project)["a.html"][0] == "2026-01-01"


def test_incremental_parallel_and_other_time_zones(project, monkeypatch):
    """Each has the bytes of a full build, and only pages with another date are written again."""
    pages = {f"src/page{number}.rst": project.page("page") for number in range(12)}
    project.write(pages)
    commit(project.root, *pages, date=JANUARY)
    project.run("html")  # what other tests loaded here is not in the second process
    before = {file: file.stat().st_mtime_ns for file in project.out.glob("*.html")}
    project.write({"src/page3.rst": project.page("page", "More.")})
    project.commit(MAY)  # of new.rst as well, whose text stays
    monkeypatch.setenv("TZ", "Pacific/Kiritimati")
    project.run("html", "-j", "4")
    assert shown(project)["new.html"] == shown(project)["page3.html"] == ("2024-05-01", MAY)
    assert len(project.locs()) == 16
    written = {file.name for file in before if file.stat().st_mtime_ns != before[file]}
    always = {"genindex.html", "search.html", "index.html"}  # the last by Sphinx before 8.2
    assert written - always == {"new.html", "page3.html"}
    files = [*before, project.out / "sitemap.xml"]
    incremental = {file: file.read_bytes() for file in files}
    monkeypatch.undo()
    project.passes("html", "-E", "-a")
    assert {file: file.read_bytes() for file in files} == incremental


def test_a_page_that_was_built_alone_is_not_the_only_one_with_its_date(project):
    """What one build did not write again, the next one does."""
    project.passes()
    project.commit(MAY, {"src/part.txt": "Another part."})
    (project.src / "index.rst").touch()
    project.build("html", "index.rst")
    project.passes()
    assert shown(project)["a.html"] == ("2024-05-01", MAY)


def test_dates_need_no_base_url_and_no_format(project):
    project.configure(html_baseurl=None, html_last_updated_fmt=None, sitemap_lastmod_dependencies=False)
    project.passes()
    assert shown(project)["a.html"] == ("Jan 01, 2024", JANUARY)
    assert not (project.out / "sitemap.xml").exists()


def test_the_line_of_the_manual_for_pydata(project):
    pytest.importorskip("pydata_sphinx_theme", reason="needs pydata-sphinx-theme")
    project.configure(html_theme="pydata_sphinx_theme", html_theme_options={"footer_end": ["last-updated"]})
    for format_, date in (("%Y-%m-%d", "2024-03-01"), (None, "Mar 01, 2024")):
        project.configure(html_last_updated_fmt=format_)
        project.passes()
        soup = BeautifulSoup((project.out / "a.html").read_text(encoding="utf-8"), "html.parser")
        assert date in soup.find("footer", class_="bd-footer").get_text()


def test_previews_show_dates_and_a_meta_element_of_the_project_stays(project, monkeypatch):
    meta = ".. meta::\n   :property=article\\:modified_time: 2020-01-01\n\n"
    project.write({"src/own.rst": meta + project.page("own")})
    monkeypatch.setenv("NETLIFY", "true")
    monkeypatch.setenv("CONTEXT", "deploy-preview")
    assert "nothing written" in project.passes().summary
    assert shown(project)["a.html"][1] == MARCH
    assert (project.out / "own.html").read_text(encoding="utf-8").count("article:modified_time") == 1


def test_off_by_default_and_without_git(project, tmp_path):
    project.configure(sitemap_page_dates=None, html_last_updated_fmt=None)
    project.passes()
    assert set(shown(project).values()) == {("", "")}
    project.configure(sitemap_page_dates=True)
    (project.root / ".git").rename(tmp_path / "git")
    project.passes()
    assert shown(project)["a.html"] == ("", "")
    assert shown(project)["own.html"][1] == "2023-02-03T00:00:00+00:00"
