"""The commands of the manual for pages that moved between versions, in a project after a ``git mv``."""

import re
import shlex
from pathlib import Path

import pytest

from tests.conftest import MkDocsProject, commit, git, passed
from tests.manual.blocks import blocks

pytestmark = pytest.mark.once

BASE = "https://docs.example.org/"
BLOCKS = [block for block in blocks("moved-pages") if block.language == "console"]
JOINS = [block for block in BLOCKS if "sitemap-docs join" in block.text]


@pytest.fixture
def project(mkdocs_project: MkDocsProject, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The versions 1.0 and stable in the folders of the recipes, and the record of stable."""
    text = "# Groups\n\n" + "All about groups and teams.\n" * 9
    made = mkdocs_project({"index.md": "# Home", "groups.md": text})
    root = made.root
    (root / ".gitignore").write_text("/site/\n/cache/\n/gh-pages/\n/stable.jsonl\n")
    commit(root)
    made.configure(site_url=f"{BASE}1.0/")
    made.build(site_dir=str(root / "gh-pages/1.0"))
    (root / "docs/guide").mkdir()
    git(root, "mv", "docs/groups.md", "docs/guide/teams.md")
    commit(root)
    made.configure(site_url=f"{BASE}stable/", options={"record": "stable.jsonl"})
    made.build(site_dir=str(root / "gh-pages/stable"))
    (root / "public").symlink_to("gh-pages")
    monkeypatch.chdir(root)
    return root


def test_the_page_has_the_recipes() -> None:
    assert len(JOINS) == 4
    assert {block.section for block in BLOCKS} >= {"GitHub Pages", "Netlify", "Read the Docs"}


@pytest.mark.parametrize("block", JOINS, ids=str)
def test_a_command_finds_the_page_that_moved(project: Path, block) -> None:
    (line,) = re.findall(r"^\$ sitemap-docs (.*?)(?: >> \S+)?$", block.text, re.MULTILINE)
    done = passed(*shlex.split(line), "--base-url", BASE)
    if "--redirects" in line:
        shown = block.text.splitlines()[1:] or ["/stable/groups/ /stable/guide/teams/ 301"]
        assert done.out.splitlines() == shown
    else:
        page = (project / "gh-pages/1.0/groups/index.html").read_text("utf-8")
        assert f'href="{BASE}stable/guide/teams/"' in page
        assert "1 to a page that moved" in done.out
