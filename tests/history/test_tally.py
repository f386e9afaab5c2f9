"""What a build says of its dates: files that git does not track, and one change that dates many pages."""

from __future__ import annotations

import os

import pytest

from tests.conftest import git

BASE = "https://docs.example.org/"
PAGES = [f"page{number}" for number in range(10)]


def line(shown: str, rule_part: str) -> str:
    """The one line of a build's output that holds a text; empty where there is none."""
    found = [each for each in shown.splitlines() if rule_part in each]
    assert len(found) < 2
    return "".join(found)


@pytest.fixture
def sphinx(sphinx_project):
    """Three pages, of which the middle one includes a file that git ignores."""
    sphinx_project("index", "generated", "other", html_baseurl=BASE)
    include = ".. literalinclude:: options.txt\n\n.. literalinclude:: tracked.txt\n"
    sphinx_project.write(
        {
            "src/generated.rst": sphinx_project.page("Generated", include),
            "src/tracked.txt": "tracked",
            ".gitignore": "/out*/\n/trees*/\n/cache/\noptions.txt\n",
        }
    )
    git(sphinx_project.root, "init", "-q", "-b", "main")
    sphinx_project.commit("2024-01-01T00:00:00+00:00")
    sphinx_project.write({"src/options.txt": "made before the build"})
    return sphinx_project


def test_a_page_that_includes_what_git_does_not_track_has_no_date(sphinx):
    done = sphinx.build("html", "-W")
    assert (done.code, sphinx.lastmods()["generated.html"]) == (0, None)
    assert sphinx.lastmods()["other.html"]
    found = line(done.status, "git does not track")
    assert "1 page without lastmod: git does not track options.txt, so that no commit dates" in found
    assert 'set `sitemap_lastmod_excludes` in conf.py to ["options.txt"].' in found


def test_a_file_that_is_not_there_hides_no_date(sphinx):
    (sphinx.root / "src/options.txt").unlink()
    sphinx.build()
    assert sphinx.lastmods()["generated.html"]


def test_the_line_that_takes_it_out(sphinx):
    sphinx.configure(sitemap_lastmod_excludes=["options.txt"])
    done = sphinx.build()
    assert sphinx.lastmods()["generated.html"]
    assert not line(done.status, "git does not track")


def date_with(project, file: str) -> str:
    """The date of a page that a commit of February makes include the file."""
    project.write({"src/generated.rst": project.page("Generated", f".. literalinclude:: {file}\n")})
    git(project.root, "add", "src/generated.rst")
    git(project.root, "commit", "-qm", "Include a file", date="2024-02-01T00:00:00+00:00")
    project.build()
    return project.lastmods()["generated.html"]


def test_an_installed_package_hides_no_date(sphinx):
    sphinx.write({"venv/lib/site-packages/options.txt": "1"})
    assert date_with(sphinx, "../venv/lib/site-packages/options.txt").startswith("2024-02-01")


def test_a_file_in_another_clone_hides_no_date(sphinx, tmp_path_factory):
    """As a Python that pyenv has installed into its own clone, which ignores it."""
    clone = tmp_path_factory.mktemp("pyenv")
    git(clone, "init", "-q")
    git(clone, "commit", "-q", "--allow-empty", "-m", "A version")
    (clone / "module.py").write_text("pass\n")
    included = os.path.relpath(clone / "module.py", sphinx.root / "src").replace(os.sep, "/")
    assert date_with(sphinx, included).startswith("2024-02-01")


def test_one_included_file_that_dates_most_pages(mkdocs_project):
    pytest.importorskip("pymdownx", reason="needs pymdown-extensions")
    pages = {f"{name}.md": '# x\n\n--8<-- "docs/words.txt"\n' for name in PAGES} | {"words.txt": "one"}
    project = mkdocs_project({"index.md": "# Home", **pages}, markdown_extensions=["pymdownx.snippets"])
    project.commit("2024-01-01T00:00:00+00:00")
    assert not line("\n".join(project.build()), "of 11 pages")
    project.write({"docs/words.txt": "two"})
    project.commit("2024-02-01T00:00:00+00:00")
    found = line("\n".join(project.build()), "of 11 pages")
    assert "INFO" in found
    assert "The last change of docs/words.txt dates 10 of 11 pages, which include it." in found
    assert '`lastmod_excludes` to ["docs/words.txt"]' in found
    project.configure(options={"lastmod_excludes": ["docs/words.txt"]})
    assert not line("\n".join(project.build()), "of 11 pages")
    assert set(project.lastmods().values()) == {"2024-01-01T00:00:00+00:00"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param("move", "set the option `lastmod_ignore_renames` to true", id="a move"),
        pytest.param("edit", "into .git-blame-ignore-revs", id="a reformatting"),
    ],
)
def test_one_commit_that_dates_most_pages(mkdocs_project, change, said):
    """The first commit brought the pages, and nothing is said of it."""
    project = mkdocs_project({f"old/{name}.md": f"# {name}" for name in PAGES} | {"index.md": "# Home"})
    project.commit("2024-01-01T00:00:00+00:00")
    assert not line("\n".join(project.build()), "of 11 pages")
    if change == "move":
        git(project.root, "mv", "docs/old", "docs/new")
    else:
        project.write({f"docs/old/{name}.md": f"# {name.title()}" for name in PAGES})
    project.commit("2024-02-01T00:00:00+00:00")
    commit = git(project.root, "rev-parse", "HEAD").strip()
    found = line("\n".join(project.build()), "of 11 pages")
    assert found.startswith("INFO")
    assert f"The commit {commit[:12]} (A change)" in found
    assert "dates 10 of 11 pages" in found
    assert said in found


def test_a_commit_that_dates_every_page_of_a_small_site_is_not_reported(mkdocs_project):
    project = mkdocs_project({f"{name}.md": f"# {name}" for name in PAGES[1:]})
    project.commit("2024-01-01T00:00:00+00:00")
    project.write({f"docs/{name}.md": f"# {name.title()}" for name in PAGES[1:]})
    project.commit("2024-02-01T00:00:00+00:00")
    assert not line("\n".join(project.build()), "of 9 pages")
    assert set(project.lastmods().values()) == {"2024-02-01T00:00:00+00:00"}
