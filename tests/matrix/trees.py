"""Trees of several builds, joined under one sitemap."""

from __future__ import annotations

import os
import runpy
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import yaml

from tests.conftest import MkDocsProject, git, mike_deploy, sphinx_build, write
from tests.matrix.projects import mkdocs_i18n
from tests.matrix.projects.shape import BASE, GITIGNORE, History
from tests.matrix.projects.sphinx_gettext import CATALOGUES, DOCUMENTS
from tests.matrix.projects.sphinx_plain import page
from tests.matrix.run import Answer, Files, command, files_below


@dataclass(frozen=True, kw_only=True)
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
    answer = command("join", folder, "--base-url", BASE, *flags)
    return Tree(folder=folder, here=here, joined=answer, left_out=left_out, before=before)


def build_sphinx(root: Path, out: Path, **settings: object) -> None:
    """Builds the documents in ``src``."""
    conf = {"extensions": ["sitemap_docs"], "html_theme": "basic", **settings}
    write(root / "src", {"conf.py": "".join(f"{name} = {value!r}\n" for name, value in conf.items())})
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
    history.commit({".gitignore": GITIGNORE, **DOCUMENTS, "src/conf.py": ""})
    history.commit(CATALOGUES)
    catalogues = {"locale_dirs": ["locale"], "gettext_compact": False, "exclude_patterns": ["locale"]}
    for language in ("en", "de"):
        base = f"{BASE}{language}/"
        build_sphinx(root, root / "out" / language, html_baseurl=base, language=language, **catalogues)
    return joined(root / "out", root, {"de/none.html": "not translated", "de/new.html": "not translated"})


def languages_of_mkdocs(root: Path) -> Tree:
    """One build for each language, which ``extra.alternate`` names, as Material's selector needs it."""
    history = History(root)
    documents = {"index.md": "# Home\n", "both.md": "# Both\n"}
    history.commit(
        {
            ".gitignore": GITIGNORE,
            **{f"en/docs/{name}": text for name, text in documents.items()},
            **{f"de/docs/{name}": text for name, text in documents.items()},
            "en/docs/only.md": "# Only\n",
            "de/docs/off.md": "---\nsitemap: false\n---\n# Aus\n",
        }
    )
    named = [{"lang": each, "link": f"/{each}/", "name": each} for each in ("en", "de")]
    for language in ("en", "de"):
        site, extra = root / "site" / language, {"alternate": named}
        build_mkdocs(root / language, site, site_url=f"{BASE}{language}/", extra=extra)
    return joined(root / "site", root, {"de/off/index.html": "sitemap: false"})


def mike(root: Path) -> Path:
    """Two versions, and the alias ``latest`` of the newer one; the branch is what is deployed."""
    pytest.importorskip("mike")
    history = History(root)
    settings = {"site_name": "Matrix", "site_url": BASE, "plugins": ["mike", "sitemap-docs"]}
    files = {"docs/index.md": "# Home\n", "docs/a.md": "# A\n", "docs/off.md": "---\nsitemap: false\n---\n"}
    history.commit({".gitignore": GITIGNORE, "mkdocs.yml": yaml.safe_dump(settings), **files})
    mike_deploy("1.0")
    history.commit({"docs/b.md": "# B\n"})
    mike_deploy("2.0", "latest")
    git(root, "worktree", "add", "-q", "--detach", str(root / "deployed"), "gh-pages")
    return root / "deployed"


OLD = {f"1.0/{page}index.html": "version not selected" for page in ("", "a/", "off/")}


def edited_versions_of_mike(root: Path) -> Tree:
    """One of them is for search engines; the pages of the other one are edited, too."""
    left_out = {"2.0/off/index.html": "sitemap: false", **OLD}
    flags = ("--canonical-version", "latest", "--old-versions", "noindex")
    return replace(joined(mike(root), root, left_out, *flags), edited=OLD)


def languages_of_static_i18n(root: Path) -> Tree:
    """Two versions by mike, each of two languages in one build."""
    pytest.importorskip("mike")
    pytest.importorskip("mkdocs_static_i18n")
    history = History(root)
    plugins = [*mkdocs_i18n.PROJECT.plugins, {"mike": {"version_selector": False}}, "sitemap-docs"]
    settings = {"site_name": "Matrix", "site_url": BASE, "plugins": plugins}
    history.commit({".gitignore": GITIGNORE, "mkdocs.yml": yaml.safe_dump(settings), **mkdocs_i18n.DOCUMENTS})
    mike_deploy("1.0")
    history.commit({"docs/both.de.md": "# Beide\n\nMehr.\n"})
    mike_deploy("2.0")
    git(root, "worktree", "add", "-q", "--detach", str(root / "deployed"), "gh-pages")
    left_out = {"2.0/de/off/index.html": "sitemap: false", "2.0/de/english/index.html": "not translated"}
    left_out["1.0/de/both/index.html"] = "version not selected"
    return joined(root / "deployed", root, left_out, "--newest", "1")


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
    files = {"src/index.rst": page("Home"), "src/a.rst": page("A", fields=":orphan:\n")}
    off = {"src/off.rst": page("Off", fields=":orphan:\n:sitemap: false\n")}
    history.commit({".gitignore": GITIGNORE, "src/conf.py": VERSION, "poly.py": POLYVERSION, **files, **off})
    git(root, "tag", "v1")
    history.commit({"src/a.rst": page("A", "More.", ":orphan:\n")})
    git(root, "tag", "v2")
    runpy.run_path(str(root / "poly.py"))
    return joined(root / "out", root, {"v2/off.html": "sitemap: false"}, "--newest", "1")


TREES: dict[str, Callable[[Path], Tree]] = {
    function.__name__.replace("_", "-"): function
    for function in (
        languages_of_sphinx,
        languages_of_mkdocs,
        languages_of_static_i18n,
        edited_versions_of_mike,
        versions_of_polyversion,
    )
}
