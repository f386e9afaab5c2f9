"""Addresses that have gone, and the pages that git's renames of their sources lead to."""

from __future__ import annotations

import json

import pytest

from sitemap_docs.moves import FORMS
from tests.conftest import command, git


def diff(*arguments: str) -> str:
    done = command("diff", *arguments)
    assert done.code == 0, done.err
    return done.out


@pytest.fixture
def moved(mkdocs_project):
    """Two builds with five pages that have gone: moved, moved twice, merged, moved and split, and removed."""
    names = ("old", "twice", "into", "copied", "gone")
    texts = {f"{name}.md": f"# {name}\n\n" + f"A line about {name}.\n" * 9 for name in names}
    project = mkdocs_project({"index.md": "# Home", "guide/index.md": "# Guide", **texts})
    project.commit("2024-01-01T00:00:00+00:00")
    project.build(site_dir=str(project.root / "before"))
    git(project.root, "mv", "docs/old.md", "docs/guide/new.md")
    git(project.root, "mv", "docs/twice.md", "docs/once.md")
    git(project.root, "rm", "-q", "docs/gone.md", "docs/into.md")
    git(project.root, "commit", "-q", "-m", "Move")
    git(project.root, "mv", "docs/once.md", "docs/again.md")
    git(project.root, "mv", "docs/copied.md", "docs/part.md")
    git(project.root, "commit", "-q", "-m", "Move again")
    project.build(site_dir=str(project.root / "after"))
    return project


def test_a_page_that_moved_once_is_named(moved):
    base = "https://docs.example.org/"
    lines = [line for line in diff("before", "after").splitlines() if line.startswith("- ")]
    assert lines == [
        f"- {base}copied/  → {base}part/, no redirect",
        f"- {base}gone/  no redirect",
        f"- {base}into/  no redirect",
        f"- {base}old/  → {base}guide/new/, no redirect",
        f"- {base}twice/  no redirect",
    ]
    removed = {row["loc"]: row["moved"] for row in json.loads(diff("before", "after", "--json"))["removed"]}
    assert removed[f"{base}old/"] == f"{base}guide/new/"
    assert removed[f"{base}gone/"] is None


LINES = {
    "netlify": ["/copied/ /part/ 301", "/old/ /guide/new/ 301"],
    "sphinx-reredirects": ['"copied": "../part/",', '"old": "../guide/new/",'],
    "mkdocs-redirects": ["'copied.md': 'part.md'", "'old.md': 'guide/new.md'"],
}


@pytest.mark.parametrize("form", FORMS)
def test_redirects_of_what_moved_are_printed_to_be_pasted(moved, form):
    assert diff("before", "after", "--redirects", form).splitlines() == LINES[form]


def test_without_the_records_of_both_builds_nothing_is_sure(moved):
    assert "→ https" not in diff("before/sitemap.xml", "after")
    assert diff("before/sitemap.xml", "after", "--redirects", "netlify") == ""
