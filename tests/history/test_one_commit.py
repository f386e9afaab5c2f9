"""One commit that dates most pages: the message, and what its advice does."""

import re
from pathlib import Path

import pytest

from tests.conftest import BASE, commit, git, passed, write

PAGES = [f"page{number}" for number in range(22)]
FLAGS = ("--source", "docs", "--base-url", BASE, "--cache-dir", "cache")
OLD, NEW = "2024-01-01T00:00:00+00:00", "2024-02-01T00:00:00+00:00"


def change(root: Path, text: str, *names: str, subject: str = "Add front matter", date: str = NEW) -> str:
    """Commit a new text of some sources, and return the id."""
    write(root, {f"docs/{name}.md": f"# {name}\n\n{text}\n" for name in names})
    git(root, "add", "docs")
    git(root, "commit", "-q", "-m", subject, date=date)
    return git(root, "rev-parse", "HEAD").strip()


@pytest.fixture
def project(tmp_path, monkeypatch) -> Path:
    """A folder with 22 pages and their sources, which the first commit has added."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {f"site/{name}/index.html": f"<title>{name}</title>" for name in PAGES})
    write(tmp_path, {".gitignore": "/site/\n/cache/\n"})
    commit(write(tmp_path, {f"docs/{name}.md": f"# {name}\n" for name in PAGES}), date=OLD)
    return tmp_path


def message(*more: str) -> str:
    """The message of a build with the line after it, or nothing."""
    lines = passed("build", "site", *FLAGS, *more).err.splitlines()
    for number, line in enumerate(lines):
        if "one-commit" in "\n".join(lines[number : number + 2]) and "have the date" in line:
            return "\n".join(lines[number : number + 2])
    return ""


def test_the_message_has_the_line_that_gives_the_pages_their_old_dates(project):
    new = change(project, "front matter", *PAGES[:12])
    found = message()
    assert f'12 of 22 pages have the date of the commit {new[:12]} ("Add front matter").' in found
    line = re.search(rf"^ +({new} .*Add front matter)$", passed("build", "site", *FLAGS).err, re.MULTILINE)[1]
    (project / ".git-blame-ignore-revs").write_text(f"{line}\n")
    assert not message()
    sitemap = (project / "site/sitemap.xml").read_text()
    assert (sitemap.count(OLD), sitemap.count(NEW)) == (22, 0)


def test_no_more_than_half_of_the_pages_or_fewer_than_20_are_no_surprise(project):
    change(project, "front matter", *PAGES[:11])
    assert not message()
    change(project, "more", *PAGES[:12])
    assert message()
    assert not message(*(f"--excludes={name}" for name in ("page1*", "page20*")))


def test_without_the_commit_that_added_them_pages_would_have_no_date(project):
    """Neither the first commit of the repository nor another one that adds the pages is reported."""
    assert not message()
    moved = [f"moved{number}" for number in range(30)]
    write(project, {f"site/{name}/index.html": f"<title>{name}</title>" for name in moved})
    change(project, "new", *moved)
    assert not message()


def test_a_commit_that_moves_most_pages_is_reported(project):
    git(project, "mv", "docs", "text")
    git(project, "commit", "-q", "-m", "Move all pages", date=NEW)
    done = passed("build", "site", "--source", "text", "--base-url", BASE)
    assert "22 of 22 pages have the date of the commit" in done.err


def test_an_included_file_that_most_pages_share_has_a_message_of_its_own(project):
    """But a commit that changes each page as well is reported."""
    shared = '--8<-- "docs/words.txt"'
    write(project, {"mkdocs.yml": "markdown_extensions: [pymdownx.snippets]\n", "docs/words.txt": "one"})
    change(project, shared, *PAGES, date=OLD)
    write(project, {"docs/words.txt": "two"})
    commit(project, date=NEW)
    done = passed("build", "site", *FLAGS)
    assert ("[one-date]" in done.err, "[one-commit]" in done.err) == (True, False)
    change(project, f"front matter\n\n{shared}", *PAGES, date="2024-03-01T00:00:00+00:00")
    done = passed("build", "site", *FLAGS)
    assert ("[one-date]" in done.err, "[one-commit]" in done.err) == (False, True)


def test_the_message_names_the_file_of_the_option(project):
    change(project, "front matter", *PAGES)
    write(project, {"settings/options.toml": 'lastmod_ignore_revs = "commits.txt"\n'})
    assert "line to commits.txt." in message("--config", "settings/options.toml")


def test_a_subject_controls_no_terminal_and_no_second_line(project):
    change(project, "front matter", *PAGES, subject=f"::error::\x1b[31m{'x' * 300}")
    found = message()
    assert "\x1b" not in found
    assert not re.search(r"^ *::", found, re.MULTILINE)
    assert max(map(len, found.splitlines())) < 400


def test_a_shallow_clone_reports_only_commits_that_it_contains(project, tmp_path_factory, monkeypatch):
    """The cache has the dates of all pages, and the clone ends behind the commit, or at it."""
    change(project, "front matter", *PAGES)
    for text in "12":
        change(project, text, PAGES[0], subject="Change one page")
    clone = tmp_path_factory.mktemp("clones") / "clone"
    for depth, is_reported in ((50, True), (2, False), (3, False)):
        if clone.exists():
            (clone / ".git").rename(clone.parent / f"git of {depth}")
            git(clone, "init", "-q")
            git(clone, "fetch", "-q", f"--depth={depth}", project.as_uri(), "HEAD")
            git(clone, "reset", "-q", "FETCH_HEAD")
        else:
            git(project, "clone", "-q", project.as_uri(), str(clone))
            (clone / "site").symlink_to(project / "site")
        monkeypatch.chdir(clone)
        done = passed("build", "site", "--source", "docs", "--base-url", BASE, "--cache-dir", "../cache")
        assert "22 dated" in done.out + done.err
        assert ("[one-commit]" in done.err) is is_reported


def test_sphinx_reports_it(sphinx_project):
    project = sphinx_project(*PAGES)
    commit(project.root, date=OLD)
    project.write({f"src/{name}.rst": project.page(name, "More.") for name in PAGES})
    commit(project.root, date=NEW)
    done = project.passes()
    assert "22 of 23 pages have the date of the commit" in done.status
    assert "../.git-blame-ignore-revs" in done.status


def test_mkdocs_reports_it(mkdocs_project):
    project = mkdocs_project({"index.md": "# Home", **{f"{name}.md": "# x\n" for name in PAGES}})
    project.commit(OLD)
    project.commit(NEW, {f"docs/{name}.md": "# x\n\nMore.\n" for name in PAGES})
    (found,) = (line for line in project.build(strict=True) if "one-commit" in line)
    assert found.startswith("INFO")
    assert "22 of 23 pages have the date of the commit" in found
