"""What the reading commands take from the record of the build, and what they do without one."""

from __future__ import annotations

import json

import pytest

from sitemap_docs.cli.main import group
from sitemap_docs.paths import user_cache
from tests.conftest import runner

BASE = "https://docs.example.org/manual/"
PAGE = '<!doctype html><html lang="en"><head><title>%s</title></head><body><p>%s</p></body></html>'


def run(*arguments: object):
    return runner().invoke(group, [str(each) for each in arguments])


def data(*arguments: object):
    done = run(*arguments, "--json")
    assert done.exit_code in (0, 1), done.output
    return json.loads(done.stdout)


def forget() -> None:
    for file in (user_cache() / "records").iterdir():
        file.unlink()


@pytest.fixture
def public(tmp_path, monkeypatch):
    """A folder that names its base URL nowhere, built with ``--base-url``."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "public"
    for name in ("index.html", "a/index.html", "drafts/index.html"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(PAGE % (name, name))
    done = run("build", folder, "--base-url", BASE, "--excludes", "drafts/*")
    assert done.exit_code == 0, done.output
    return folder


def test_the_base_url_is_that_of_the_build(public):
    done = run("check", public, "-v")
    assert done.exit_code == 0, done.output
    assert f"base URL {BASE} from the record of the last build" in done.stderr
    assert "the record of the last build is used: 3 pages" in done.stderr
    assert data("check", public)["record"] is True


def test_without_a_record_the_base_url_is_that_of_the_sitemap(public):
    forget()
    done = run("check", public, "-v")
    assert f"base URL {BASE} from the sitemap in public" in done.stderr
    assert "no record of the build" in done.stderr
    assert data("check", public)["record"] is False


def test_a_build_needs_a_base_url_all_the_same(public):
    done = run("build", public)
    assert done.exit_code == 2
    assert "--base-url" in done.stderr


def test_what_the_build_left_out_is_no_finding(public):
    assert data("check", public)["findings"] == []
    forget()
    assert [each["rule"] for each in data("check", public)["findings"]] == ["page-not-listed"]


def test_explain_names_the_reason_of_the_build(public):
    found = data("explain", public, "drafts/index.html")
    assert (found["record"], found["reason"], found["detail"]) == (True, "excluded", "drafts/*")
    forget()
    assert data("explain", public, "drafts/index.html")["record"] is False


def test_the_report_counts_as_the_build_did(public):
    assert data("report", public)["listed"] == 2
    forget()
    assert data("report", public)["listed"] == 3


def test_what_mkdocs_knew(mkdocs_project, monkeypatch):
    """A hook's decision, an included file's commit, a source that lies at no page's path."""
    pytest.importorskip("pymdownx", reason="needs pymdown-extensions")
    project = mkdocs_project(
        {"index.md": "# Home", "a.md": "# A", "b.md": '# B\n\n--8<-- "part.txt"\n'},
        hooks=["hook.py"],
        markdown_extensions=[{"pymdownx.snippets": {"base_path": ["."]}}],
    )
    project.write(
        {"hook.py": "def sitemap_entry(entry, *, page, config): return page.path != 'a/' and entry"}
    )
    project.write({"part.txt": "part"})
    project.commit("2024-01-01T00:00:00+00:00")
    project.write({"part.txt": "another"})
    project.commit("2024-03-03T00:00:00+00:00")
    project.build()
    monkeypatch.chdir(project.root)
    assert data("explain", "site", "docs/a.md")["reason"] == "dropped by the entry hook"
    found = data("explain", "site", "docs/b.md")
    assert found["dated"]["file"] == "part.txt"
    assert found["dated"]["when"] == "2024-03-03T00:00:00+00:00" == found["lastmod"]
    assert data("check", "site")["findings"] == []


def test_what_sphinx_knew(sphinx_project, monkeypatch):
    """Excludes and a base URL that only conf.py holds; a generated page that it asked for."""
    project = sphinx_project("a", sitemap_excludes=["a.html", "!genindex.html"], html_baseurl=BASE)
    assert project.build().code == 0
    monkeypatch.chdir(project.root)
    assert data("explain", "out", "src/a.rst")["reason"] == "excluded"
    assert data("check", "out")["findings"] == []
    forget()
    rules = {each["rule"] for each in data("check", "out", "--base-url", BASE)["findings"]}
    assert {"page-not-listed", "utility-page-listed"} <= rules
