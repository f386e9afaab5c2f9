"""Trees of several builds: ``join``, and what ``check``, ``explain`` and ``report`` say of the tree."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from tempfile import mkdtemp

import pytest
from lxml import etree

from tests.conftest import SIZE
from tests.matrix.invariants import UNDOING
from tests.matrix.judge import NAMESPACE, file_at, head_of
from tests.matrix.projects.shape import BASE
from tests.matrix.run import command, environment, files_below
from tests.matrix.trees import TREES, Tree

pytestmark = pytest.mark.once
pytest.importorskip("sphinx")
pytest.importorskip("mkdocs")


#: In the quick run, those that need no process of their own.
NAMES = [name for name in TREES if SIZE != "part" or name.startswith("languages")]


@lru_cache(maxsize=2)
def made(name: str) -> tuple[Tree, Path]:
    root = Path(mkdtemp(prefix=f"{name}-")) / "project"
    root.mkdir()
    home = root.parent / "home"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with environment({"PATH": path}, home, root):
        return TREES[name](root), home


@pytest.fixture(scope="module", params=NAMES)  # all tests of one tree, one after the other
def name(request) -> str:
    return request.param


@pytest.fixture
def tree(name) -> Iterator[Tree]:
    made_tree, home = made(name)
    with environment({}, home, made_tree.here):
        yield made_tree


def index_of(folder: Path) -> str:
    """The name of the sitemap at the top; that of a build there stays beside it."""
    return "sitemap-index.xml" if (folder / "sitemap-index.xml").exists() else "sitemap.xml"


def locs_of(tree: Tree, folder: Path | None = None) -> list[str]:
    """What the index at the top leads to."""
    folder = folder or tree.folder
    root = etree.parse(folder / index_of(folder)).getroot()
    children = [each.findtext(f"{NAMESPACE}loc") for each in root.iter(f"{NAMESPACE}sitemap")]
    roots = [etree.parse(folder / child.removeprefix(BASE)).getroot() for child in children] or [root]
    return [url.findtext(f"{NAMESPACE}loc") for each in roots for url in each.iter(f"{NAMESPACE}url")]


def test_promise_6_join_says_what_it_did_and_robots_names_what_is_there(tree):
    assert tree.joined.code == 0, tree.joined.err
    lines = (tree.folder / "robots.txt").read_text("utf-8").splitlines()
    assert f"Sitemap: {BASE}{index_of(tree.folder)}" in lines


def test_promise_3_each_loc_is_the_canonical_link_of_its_page(tree):
    files = files_below(tree.folder)
    locs = locs_of(tree)
    assert locs
    assert len(set(locs)) == len(locs)
    for loc in locs:
        canonicals = head_of(files[file_at(loc, BASE, files)]).canonicals
        assert set(canonicals) <= {loc}


def test_promise_6_no_page_is_lost_or_edited(tree):
    after = files_below(tree.folder)
    for name, data in tree.before.items():
        if name.endswith(".html") and name not in tree.edited:
            assert after[name] == data


def test_promise_11_check_finds_nothing(tree):
    found = command("check", tree.folder, "--json").data["findings"]
    assert [(each["rule"], each["where"]) for each in found if each["severity"] == "error"] == []
    left_out = {BASE + file.removesuffix("index.html") for file in tree.left_out}
    assert not [each for each in found if each["rule"] in UNDOING and each["where"] in left_out]


def test_promise_11_elsewhere_check_finds_no_error(tree, tmp_path):
    with environment({}, tmp_path / "home", tmp_path):
        found = command("check", tree.folder, "--json").data["findings"]
    assert [(each["rule"], each["where"]) for each in found if each["severity"] == "error"] == []


@pytest.fixture
def carried(tree, tmp_path) -> Iterator[Path]:
    """The tree in an empty folder, with the cache and without the project that it was built from."""
    artifact = tmp_path / "job/artifact"
    shutil.copytree(tree.folder, artifact, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    shutil.copytree(tree.here.with_name("home"), tmp_path / "carried")
    with environment({}, tmp_path / "carried", artifact.parent):
        gone = tree.here.rename(tree.here.with_name("gone"))
        yield artifact
        gone.rename(tree.here)


def test_promise_11_elsewhere_with_the_cache_all_is_as_in_the_repository(tree, carried):
    """The rules that are broken, why pages are left out, and what is counted."""
    answer = command("check", carried, "--json")
    assert (answer.code, answer.data["findings"]) == (0, [])
    for file, reason in tree.left_out.items():
        explained = command("explain", carried, file, "--json").data
        assert (explained["reason"], explained["record"]) == (reason, True)
    reported = command("report", carried, "-o", "report.html", "--json").data
    assert reported["listed"] == reported["dated"] == len(locs_of(tree, carried))
    statuses = {page["loc"]: page["status"] for page in reported["pages"]}
    assert {loc for loc, status in statuses.items() if status == "listed"} == set(locs_of(tree, carried))


def test_promise_11_explain_has_the_reason_of_the_build(tree):
    for file, reason in tree.left_out.items():
        answer = command("explain", tree.folder, file, "--json")
        assert answer.code == 0, answer.err
        assert answer.data["reason"] == reason


def test_promise_11_the_report_counts_what_the_sitemaps_list(tree, tmp_path):
    answer = command("report", tree.folder, "-o", tmp_path / "report.html", "--json")
    assert answer.code == 0, answer.err
    assert answer.data["listed"] == len(locs_of(tree))
