"""Trees of several builds: ``join``, and what ``check``, ``explain`` and ``report`` say of the tree."""

import os
import runpy
import shutil
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import yaml
from lxml import etree

from tests import conftest
from tests.conftest import SITEMAP, SIZE, MkDocsProject, git, head_of, mike_deploy, sphinx_build, write
from tests.matrix.invariants import file_at
from tests.matrix.projects import BASE, GITIGNORE, MKDOCS_I18N, ORPHAN, SPHINX_GETTEXT, History, rst
from tests.matrix.run import Answer, Files, command, environment, files_below

pytestmark = pytest.mark.once
pytest.importorskip("sphinx")
pytest.importorskip("mkdocs")


@dataclass(frozen=True)
class Tree:
    """What was built and joined; ``left_out`` maps a page to the reason of its build or of the join.

    ``edited`` are pages of old versions.
    """

    folder: Path
    here: Path
    joined: Answer
    left_out: Mapping[str, str]
    before: Files
    edited: Collection[str] = ()


def joined(folder: Path, here: Path, left_out: Mapping[str, str], *flags: str) -> Tree:
    before = files_below(folder)
    return Tree(folder, here, command("join", folder, "--base-url", BASE, *flags), left_out, before)


def build_sphinx(root: Path, out: Path, conf: Mapping[str, object]) -> None:
    """Builds the documents in ``src``."""
    conf = {**conf, "extensions": ["sitemap_docs"], "html_theme": "basic"}
    write(root / "src", {"conf.py": conftest.conf_py(conf)})
    trees = ("-d", str(root / f"trees-{out.name}"))
    ran = sphinx_build("--no-color", *trees, str(root / "src"), str(out))
    assert ran.code == 0, ran.warnings


def build_mkdocs(root: Path, site: Path, **settings: object) -> None:
    """Builds the documents in ``docs``; what is built already, with ``--dirty``."""
    settings |= {"site_name": "Matrix", "site_dir": os.path.relpath(site, root), "plugins": ["sitemap-docs"]}
    write(root, {"mkdocs.yml": yaml.safe_dump(settings)})
    project = MkDocsProject(root)
    project.site = site
    project.build(dirty=site.is_dir())


def languages_of_sphinx(root: Path) -> Tree:
    """English sources and their German translation, of which two pages are missing."""
    history = History(root)
    for files in ({".gitignore": GITIGNORE}, SPHINX_GETTEXT.files, SPHINX_GETTEXT.commits[0]):
        history.commit(files)
    for language in ("en", "de"):
        conf = {**SPHINX_GETTEXT.settings, "html_baseurl": f"{BASE}{language}/", "language": language}
        build_sphinx(root, root / "out" / language, conf)
    build_sphinx(root, root / "out/pr-preview/pr-7", {"html_baseurl": f"{BASE}pr-preview/pr-7/"})
    left_out = {"de/none.html": "not translated", "de/new.html": "not translated"}
    left_out["pr-preview/pr-7/index.html"] = "version not selected"
    return joined(root / "out", root, left_out)


def languages_of_mkdocs(root: Path) -> Tree:
    """One build for each language, which ``extra.alternate`` names, as Material's selector needs it."""
    history = History(root)
    files = {f"{each}/docs/{name}.md": f"# {name}\n" for each in ("en", "de") for name in ("index", "both")}
    files |= {"en/docs/only.md": "# Only\n", "de/docs/off.md": "---\nsitemap: false\n---\n# Aus\n"}
    history.commit({".gitignore": GITIGNORE, **files})
    named = [{"lang": each, "link": f"/{each}/", "name": each} for each in ("en", "de")]
    for language in ("en", "de"):
        site, extra = root / "site" / language, {"alternate": named}
        build_mkdocs(root / language, site, site_url=f"{BASE}{language}/", extra=extra)
    return joined(root / "site", root, {"de/off/index.html": "sitemap: false"})


def mike(root: Path, plugins: list[object], first: Mapping[str, str], second: Mapping[str, str]) -> Path:
    """Two versions, and the alias ``latest`` of the newer one; the branch is what is deployed."""
    pytest.importorskip("mike")
    history = History(root)
    settings = {"site_name": "Matrix", "site_url": BASE, "plugins": [*plugins, "sitemap-docs"]}
    history.commit({**first, ".gitignore": GITIGNORE, "mkdocs.yml": yaml.safe_dump(settings)})
    mike_deploy("1.0")
    history.commit(second)
    mike_deploy("2.0", "latest")
    git(root, "worktree", "add", "-q", "--detach", str(root / "deployed"), "gh-pages")
    return root / "deployed"


OLD = {f"1.0/{page}index.html": "version not selected" for page in ("", "a/", "off/")}


def edited_versions_of_mike(root: Path) -> Tree:
    """One of them is for search engines; the pages of the other one are edited, too."""
    files = {"docs/index.md": "# Home\n", "docs/a.md": "# A\n", "docs/off.md": "---\nsitemap: false\n---\n"}
    deployed = mike(root, ["mike"], files, {"docs/b.md": "# B\n"})
    left_out = {"2.0/off/index.html": "sitemap: false", **OLD}
    flags = ("--canonical-version", "latest", "--old-versions", "noindex")
    return replace(joined(deployed, root, left_out, *flags), edited=OLD)


def languages_of_static_i18n(root: Path) -> Tree:
    """Two versions by mike, each of two languages in one build."""
    pytest.importorskip("mkdocs_static_i18n")
    plugins = [*MKDOCS_I18N.plugins, {"mike": {"version_selector": False}}]
    deployed = mike(root, plugins, MKDOCS_I18N.files, {"docs/both.de.md": "# Beide\n\nMehr.\n"})
    left_out = {"2.0/de/off/index.html": "sitemap: false", "2.0/de/english/index.html": "not translated"}
    left_out["1.0/de/both/index.html"] = "version not selected"
    return joined(deployed, root, left_out, "--newest", "1")


POLYVERSION = """
import subprocess
from pathlib import Path

from sphinx_polyversion.driver import DefaultDriver
from sphinx_polyversion.environment import Environment
from sphinx_polyversion.git import Git
from sphinx_polyversion.sphinx import SphinxBuilder


class Worktrees(Git):
    async def checkout(self, root, dest, revision):
        command = ["git", "worktree", "add", "--detach", str(dest), revision.obj]
        subprocess.run(command, cwd=root, check=True)


root = Path(__file__).parent
DefaultDriver(
    root,
    root / "out",
    vcs=Worktrees(branch_regex="", tag_regex="v.*"),
    builder=SphinxBuilder(Path("src")),
    env=Environment.factory(),
).run()
"""
VERSION = f"""
import sphinx_polyversion.git
from sphinx_polyversion.api import load

extensions = ["sitemap_docs"]
html_theme = "basic"
html_baseurl = "{BASE}" + load()["current"].name + "/"
"""


def versions_of_polyversion(root: Path) -> Tree:
    """Two tags, each built in a work tree of its own."""
    pytest.importorskip("sphinx_polyversion")
    history = History(root)
    files = {"src/index.rst": rst("Home"), "src/a.rst": rst("A", fields=ORPHAN)}
    off = {"src/off.rst": rst("Off", fields=":orphan:\n:sitemap: false\n")}
    history.commit({".gitignore": GITIGNORE, "src/conf.py": VERSION, "poly.py": POLYVERSION, **files, **off})
    git(root, "tag", "v1")
    history.commit({"src/a.rst": rst("A", "More.", ORPHAN)})
    git(root, "tag", "v2")
    runpy.run_path(str(root / "poly.py"))
    return joined(root / "out", root, {"v2/off.html": "sitemap: false"}, "--newest", "1")


def current_version_at_the_root(root: Path) -> Tree:
    """The current documentation next to the folder of an old version, which has one page more."""
    history = History(root)
    files = {"src/index.rst": rst("Home"), "src/a.rst": rst("A", fields=ORPHAN)}
    history.commit({".gitignore": GITIGNORE, **files, "src/gone.rst": rst("Gone", fields=ORPHAN)})
    build_sphinx(root, root / "out/1.0", {"html_baseurl": f"{BASE}1.0/"})
    git(root, "rm", "-q", "src/gone.rst")
    history.commit({"src/a.rst": rst("A", "More.", ORPHAN)})
    build_sphinx(root, root / "out", {"html_baseurl": BASE})
    old = {f"1.0/{name}.html": "version not selected" for name in ("index", "a", "gone")}
    flags = ("--canonical-version", "/", "--old-versions", "canonical")
    edited = [f"1.0/{name}.html" for name in ("index", "a", "gone", "search", "genindex")]
    return replace(joined(root / "out", root, old, *flags), edited=edited)


TREES = [languages_of_sphinx, languages_of_mkdocs, current_version_at_the_root]
if SIZE != "part":  # these need processes of their own
    TREES += [languages_of_static_i18n, edited_versions_of_mike, versions_of_polyversion]


@pytest.fixture(scope="module", params=TREES, ids=lambda make: make.__name__.replace("_", "-"))
def tree(request, tmp_path_factory) -> Tree:
    here = tmp_path_factory.mktemp("tree") / "project"
    here.mkdir()
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with environment({"PATH": path}, here.with_name("home"), here):
        return request.param(here)


@pytest.fixture(autouse=True)
def _with_its_cache(tree) -> Iterator[None]:
    with environment({}, tree.here.with_name("home"), tree.here):
        yield


def index_of(folder: Path) -> str:
    """The name of the sitemap at the top; that of a build there stays beside it."""
    return "sitemap-index.xml" if (folder / "sitemap-index.xml").exists() else "sitemap.xml"


def locs_of(folder: Path) -> list[str]:
    """What the index at the top leads to."""
    root = etree.parse(folder / index_of(folder)).getroot()
    children = [each.findtext(f"{SITEMAP}loc") for each in root.iter(f"{SITEMAP}sitemap")]
    roots = [etree.parse(folder / child.removeprefix(BASE)).getroot() for child in children] or [root]
    return [url.findtext(f"{SITEMAP}loc") for each in roots for url in each.iter(f"{SITEMAP}url")]


def test_promise_6_join_says_what_it_did_and_robots_names_what_is_there(tree):
    assert tree.joined.code == 0, tree.joined.err
    lines = (tree.folder / "robots.txt").read_text("utf-8").splitlines()
    assert f"Sitemap: {BASE}{index_of(tree.folder)}" in lines


def test_promise_3_each_loc_is_the_canonical_link_of_its_page(tree):
    files = files_below(tree.folder)
    locs = locs_of(tree.folder)
    assert locs
    assert len(set(locs)) == len(locs)
    for loc in locs:
        canonicals = head_of(files[file_at(loc, BASE, files)]).canonicals
        assert set(canonicals) <= {loc}


def test_promise_6_no_page_is_lost_or_edited(tree):
    after = files_below(tree.folder)
    pages = {name for name in tree.before if name.endswith(".html")} - {*tree.edited}
    assert all(after[name] == tree.before[name] for name in pages)


def test_promise_11_check_finds_no_error_elsewhere(tree, tmp_path):
    with environment({}, tmp_path / "home", tmp_path):
        found = command("check", tree.folder, "--json").data["findings"]
    assert [each for each in found if each["severity"] == "error"] == []


@pytest.fixture(params=["joined", "carried"])
def place(request, tree, tmp_path) -> Iterator[Path]:
    """The tree; then in an empty folder, with the cache and without the project that it was built from."""
    if request.param == "joined":
        yield tree.folder
        return
    artifact = tmp_path / "job/artifact"
    shutil.copytree(tree.folder, artifact, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    shutil.copytree(tree.here.with_name("home"), tmp_path / "carried")
    with environment({}, tmp_path / "carried", artifact.parent):
        gone = tree.here.rename(tree.here.with_name("gone"))
        yield artifact
        gone.rename(tree.here)


def test_promise_11_all_agree_with_the_build(tree, place, tmp_path):
    """The rules that are broken, why pages are left out, and what is counted."""
    answer = command("check", place, "--json")
    assert (answer.code, answer.data["findings"]) == (0, [])
    for file, reason in tree.left_out.items():
        answer = command("explain", place, file, "--json")
        assert (answer.code, answer.data["reason"], answer.data["record"]) == (0, reason, True)
    answer = command("report", place, "-o", tmp_path / "report.html", "--json")
    assert answer.code == 0, answer.err
    listed = [page["loc"] for page in answer.data["pages"] if page["status"] == "listed"]
    assert sorted(listed) == sorted(locs_of(place))
    assert answer.data["listed"] == answer.data["dated"] == len(listed)
