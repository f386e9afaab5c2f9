"""Sequences of edits of a project of Sphinx and of MkDocs, each build compared with one in a new folder.

``SEQUENCES`` is fifty times as many as are tried with each host; ``nox -s combinations`` tries ten.
"""

from __future__ import annotations

import os
import shutil
from abc import abstractmethod
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import rule

from tests.conftest import MkDocsProject, SphinxProject, commit, sphinx_build, write
from tests.matrix.edits import Edited, tried
from tests.matrix.invariants import LEFT
from tests.matrix.run import environment

pytestmark = pytest.mark.once
pytest.importorskip("sphinx")
pytest.importorskip("mkdocs")

TRIED = max(1, int(os.environ.get("SEQUENCES", "5")) // 50)
NAMES = ["a", "b", "guide/c", "de/a"]
BASES = ["https://e.org/", "https://e.org/docs/"]
OPTIONS: dict[str, list[object]] = {
    "filename": ["other.xml", "../sitemap.xml"],
    "gzip": ["beside", "instead", "off"],
    "max_urls": [1, 2],
    "index": [True, "cascaded"],
    "groups": [{"guide": ["guide/*"]}],
    "formats": [["text"]],
    "stylesheet": [False],
    "excludes": [["a*"], ["*"]],
    "locales": [{"en": BASES[0], "de": f"{BASES[0]}de/"}],
    "lastmod": ["none"],
    "links": ["bare"],
    "robots": [True, False],
}
ROBOTS = ["User-agent: *\nDisallow: /b\n", "Sitemap: https://e.org/theirs.xml\n"]


class Hosted(Edited):
    """A project, its commits, and the folder into which it is built again and again."""

    suffix: str
    texts: tuple[str, ...]
    choices = OPTIONS
    place = "project/src"

    def __init__(self) -> None:
        super().__init__()
        self.project = self.root / "project"
        self.base: str | None = BASES[0]
        self.day = 0
        self.movable = [f"{name}{self.suffix}" for name in NAMES]
        for name in ("index", *NAMES[:2]):
            self.put(f"{name}{self.suffix}", self.texts[0])
        self.committed()

    @rule(name=st.sampled_from(["index", *NAMES]), data=st.data())
    def page_edited(self, name: str, data: st.DataObject) -> None:
        self.put(f"{name}{self.suffix}", data.draw(st.sampled_from(self.texts)))

    @rule(base=st.sampled_from([None, *BASES]))
    def base_url(self, base: str | None) -> None:
        self.base = base

    @rule(text=st.sampled_from(ROBOTS))
    def robots(self, text: str) -> None:
        write(self.folder, {"robots.txt": text})

    @rule()
    def committed(self) -> None:
        self.day += 1
        write(self.project, {"day.txt": str(self.day)})
        commit(self.project, date=f"2024-01-{self.day % 28 + 1:02}T00:00:00+00:00")

    @rule()
    def build(self) -> None:
        """A build in the folder, and one of the same project where nothing of ours ever was."""
        self.configure()
        once = self.root / "once"
        shutil.rmtree(once, ignore_errors=True)
        again = self.built(self.root / "again", f"cache-{self.cache}")
        fresh = self.built(once, "once/cache")
        if self.base:
            assert again == fresh
        else:  # nothing is written, and one line says what is left alone
            assert again[0] == fresh[0] == 0

    def built(self, folder: Path, cache: str) -> tuple[int, list[str], dict[str, bytes]]:
        """The exit status, what we say but for what was removed or left, and the files that may be ours."""
        folder.mkdir(exist_ok=True)
        with environment({}, self.root / cache, self.project):
            code, lines = self.run(folder)
        said = [
            line.replace(str(folder), "").partition("; removed ")[0]
            for line in lines
            if ("sitemap-docs" in line or "[sitemap" in line)
            and not any(text in line for text in ("Removed what", LEFT))
        ]
        files = {}
        for place in (folder, folder / "out"):
            for file in place.iterdir() if place.is_dir() else ():
                if file.is_file() and file.name.startswith(("sitemap", "other", "robots")):
                    files[file.relative_to(folder).as_posix()] = file.read_bytes()
        return code, sorted(said), files

    @abstractmethod
    def configure(self) -> None:
        """Writes the configuration."""

    @abstractmethod
    def run(self, folder: Path) -> tuple[int, list[str]]:
        """Builds into ``out`` of a folder; the exit status, and all that is printed."""


class WithSphinx(Hosted):
    suffix = ".rst"
    texts = (
        SphinxProject.page("A"),
        f":sitemap: false\n{SphinxProject.page('B')}",
        SphinxProject.page("C", ".. meta::\n   :robots: noindex"),
    )

    def configure(self) -> None:
        conf = {f"sitemap_{name}": value for name, value in self.options.items()}
        conf |= {"extensions": ["sitemap_docs"], "html_theme": "basic", "html_extra_path": ["robots.txt"]}
        if self.base:
            conf["html_baseurl"] = self.base
        write(self.folder, {"conf.py": "".join(f"{name} = {value!r}\n" for name, value in conf.items())})

    def run(self, folder: Path) -> tuple[int, list[str]]:
        places = ["-d", str(folder / "trees"), str(self.folder), str(folder / "out")]
        done = sphinx_build("--no-color", "-b", "html", *places)
        return done.code, [*done.status.splitlines(), *done.warnings.splitlines()]


class WithMkDocs(Hosted):
    suffix = ".md"
    texts = ("# A\n", "---\nsitemap: false\n---\n# B\n", "---\nrobots: noindex\n---\n# C\n")
    configured = b""

    def configure(self) -> None:
        self.mkdocs = MkDocsProject(self.project)
        self.mkdocs({}, options=self.options, docs_dir="src", site_url=self.base or "")
        before, self.configured = self.configured, (self.project / "mkdocs.yml").read_bytes()
        self.is_same = before == self.configured

    def run(self, folder: Path) -> tuple[int, list[str]]:
        self.mkdocs.site = folder / "out"
        try:
            # What MkDocs leaves alone is as an earlier build with the same configuration made it.
            dirty = self.is_same and folder.name == "again"
            lines = self.mkdocs.build(dirty=dirty, site_dir=str(folder / "out"))
            return 0, [line for line in lines if not line.startswith("DEBUG")]
        except import_module("mkdocs.exceptions").MkDocsException as error:
            return 1, [*self.mkdocs.messages, f"sitemap-docs: {error}"]


TestSphinx, TestMkDocs = tried(WithSphinx, TRIED), tried(WithMkDocs, TRIED)
