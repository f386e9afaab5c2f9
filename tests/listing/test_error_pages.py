"""The page that a host shows where there is none, in any folder and through each front door."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sitemap_docs.cli.main import group
from sitemap_docs.sitemap.reader import parse
from tests.conftest import runner

if TYPE_CHECKING:
    from pathlib import Path

BASE = "https://docs.example.org/"


def listed(site: Path) -> set[str]:
    return {entry.loc.removeprefix(BASE) for entry in parse(site / "sitemap.xml").entries()}


def test_in_a_folder(tmp_path):
    for name in ("index.html", "404.html", "da/404.html", "da/404/index.html", "http-404.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("<!doctype html><title>x</title>")
    assert runner().invoke(group, ["build", str(tmp_path), "--base-url", BASE]).exit_code == 0
    assert listed(tmp_path) == {"", "http-404.html"}


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_of_sphinx(sphinx_project, builder):
    project = sphinx_project("a", "404", "da/404", "http-404")
    project.build(builder)
    end = ".html" if builder == "html" else "/"
    assert listed(project.out) == {"index.html" if builder == "html" else "", f"a{end}", f"http-404{end}"}


@pytest.mark.parametrize("folders", [True, False])
def test_of_mkdocs(mkdocs_project, folders):
    names = ("index", "404", "da/404", "http-404")
    project = mkdocs_project({f"{name}.md": "# A page" for name in names}, use_directory_urls=folders)
    project.build()
    assert listed(project.site) == ({"", "http-404/"} if folders else {"index.html", "http-404.html"})
