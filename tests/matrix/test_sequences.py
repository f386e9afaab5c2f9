"""Sequences of edits with builds in between: a build depends on the site, not on the last build.

A folder, a project of Sphinx and one of MkDocs are edited, and each build is compared with one of the same
files in a new folder. ``SEQUENCES`` is how many are tried with the folder, and fifty times as many as with
each host; ``nox -s combinations`` tries 500.
"""

import gzip
import os
import re
import shutil
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from unittest import TestCase

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from tests.conftest import SIZE, MkDocsProject, SphinxProject, commit, conf_py, needs, write
from tests.matrix.invariants import FILE_KEPT, LEFT, PAGES_LEFT
from tests.matrix.run import Answer, Build, build_with_mkdocs, build_with_sphinx, command, environment

pytestmark = pytest.mark.once

TRIED = int(os.environ.get("SEQUENCES", "5"))


class Edited(RuleBasedStateMachine):
    """A project whose pages are in one folder, and the model of them.

    Pages with the names ``movable`` come and go; ``choices`` are the values of each option but its default.
    """

    movable: Sequence[str]
    choices: Mapping[str, Sequence[Any]]
    place: str

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(mkdtemp(prefix="edited-"))
        self.folder = self.root / self.place
        self.pages: dict[str, str] = {}
        self.options: dict[str, Any] = {}
        self.cache = 0

    def teardown(self) -> None:
        shutil.rmtree(self.root)

    def put(self, name: str, text: str) -> None:
        self.pages[name] = text
        write(self.folder, {name: text})

    def take(self, name: str) -> str:
        (self.folder / name).unlink()
        return self.pages.pop(name)

    @rule(data=st.data())
    def page_removed(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(self.movable))
        if name in self.pages:
            self.take(name)

    @rule(data=st.data())
    def page_moved(self, data: st.DataObject) -> None:
        old, new = data.draw(st.tuples(*[st.sampled_from(self.movable)] * 2))
        if old in self.pages and old != new:
            self.put(new, self.take(old))  # with a new time, as else Sphinx sees no change

    @rule(data=st.data())
    def option(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from([*self.choices]))
        value = data.draw(st.sampled_from([None, *self.choices[name]]))
        self.options.pop(name, None)
        if value is not None:
            self.options[name] = value

    @rule()
    def record_lost(self) -> None:
        self.cache += 1

    @rule()
    def edited_no_more(self) -> None:
        """A second rule that builds, so that there are twice as many."""
        self.build()

    @rule()
    def build(self) -> None:
        """A build in the folder, and one of the same files where nothing of ours ever was."""
        once = self.root / "once"
        shutil.rmtree(once, ignore_errors=True)
        self.compare(once)

    @abstractmethod
    def compare(self, once: Path) -> None:
        """Builds in the folder and in the new one."""


def tried(machine: type[Edited], examples: int) -> type[TestCase]:
    """A test of so many sequences, always the same ones, and shorter where the matrix is not run.

    A failure is shown as it was found: to make it short would take many builds.
    """
    steps = 15 if SIZE == "part" else 30
    phases = [Phase.explicit, Phase.generate]
    machine.TestCase.settings = settings(
        max_examples=examples, stateful_step_count=steps, deadline=None, phases=phases, derandomize=True
    )
    ignored = "ignore::hypothesis.errors.NonInteractiveExampleWarning"
    return pytest.mark.filterwarnings(ignored)(machine.TestCase)


# --- a folder ---


BASE = "https://e.org/docs/"
REMOVED = re.compile(r" Removed files of an earlier build: .*\.(?= \[)")
PAGE = "<!doctype html><html><head><title>x</title>{}</head><body>{}</body></html>"
NAMES = [f"{name}.html" for name in ("index", "a", "de/a", "b/index", "docs/index", "docs/a", "http/404")]
CODES = {"en": "", "de": "de/"}
LINKS = "".join(
    f'<link rel="alternate" hreflang="{code}" href="{BASE}{path}a.html">' for code, path in CODES.items()
)
HEADS = ["", '<meta name="robots" content="noindex">', '<link rel="canonical" href="{own}">', LINKS]
BODIES = ["", f'<a href="{BASE}http/404.html">404</a>']
FLAGS = {
    "--base-url": [BASE],
    "--filename": ["other.xml"],
    "--links": ["bare", "files"],
    "--gzip": ["beside", "instead"],
    "--max-urls": ["1", "2"],
    "--index": ["true", "cascaded"],
    "--excludes": ["a*", "b*"],
    "--locales": [f"de={BASE}de/"],
    "--formats": ["text"],
    "--no-stylesheet": [""],
}
FILES = {
    "robots.txt": ["User-agent: *\nDisallow: /b/\n"],
    "_redirects": ["/docs/a.html /docs/b/ 301!\n"],
    "_headers": ["/docs/b/*\n  X-Robots-Tag: noindex\n"],
    "../src/a.md": ["---\nsitemap: false\n---\n", "# A\n"],
}
XML = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'


def sitemap(paths: list[str], *, translated: bool) -> str:
    """What a generator writes: addresses, some with their translations."""
    rows = ""
    for path in paths:
        links = LINKS.replace("<link", "<xhtml:link").replace(">", "/>") if translated and "a" in path else ""
        rows += f"<url><loc>{BASE}{path}</loc>{links}</url>"
    return f"<urlset {XML}>{rows}</urlset>"


THEIRS = [
    sitemap(["", "a.html", "de/a.html"], translated=True),
    sitemap(["", "a", "de/a", "b"], translated=False),
    sitemap(["docs/", "docs/a.html", "http/404.html"], translated=True),
    sitemap(["", "b/index.html"], translated=False),
]
TEXTS = [[""], ["", "a.html", "b/", "de/a.html"], ["app", "b/"]]


class EditedFolder(Edited):
    """A folder that is edited and built again and again, and the model of what is in it without us.

    ``theirs`` is the sitemap of the generator as it last wrote it; ``taken``: ours is in its place.
    ``mine`` is a text sitemap of the user's own.
    """

    movable = NAMES
    choices = FLAGS
    place = "again/site"

    def __init__(self) -> None:
        super().__init__()
        self.files: dict[str, str] = {}
        self.options = {"--base-url": BASE}
        self.theirs: tuple[str, bytes] | None = None
        self.taken = False
        self.mine: str | None = None
        for name in NAMES[:4]:
            self.page(name, "", "")

    @rule(name=st.sampled_from(NAMES), head=st.sampled_from(HEADS), body=st.sampled_from(BODIES))
    def page(self, name: str, head: str, body: str) -> None:
        own = BASE + name.removesuffix("index.html").removesuffix(".html")
        self.put(name, PAGE.format(head.replace("{own}", own), body))

    @rule(data=st.data(), name=st.sampled_from([*FILES]))
    def file(self, data: st.DataObject, name: str) -> None:
        text = data.draw(st.sampled_from([None, *FILES[name]]))
        (self.folder / name).unlink(missing_ok=True)
        self.files.pop(name, None)
        if text:
            self.files[name] = text
            write(self.folder, {name: text})

    @rule(text=st.sampled_from(THEIRS), packed=st.booleans())
    def generator(self, text: str, packed: bool) -> None:
        """It writes its sitemap, plain or packed, and leaves there what is ours."""
        if not self.taken:
            for name in ("sitemap.xml", "sitemap.xml.gz"):
                (self.folder / name).unlink(missing_ok=True)
        if self.mine is None:  # nothing would show whose it is
            (self.folder / "sitemap.txt").unlink(missing_ok=True)
        data, name = text.encode(), "sitemap.xml"
        if packed:
            data, name = gzip.compress(data, mtime=0), "sitemap.xml.gz"
        write(self.folder, {name: data})
        self.theirs, self.taken = (name, data), False

    @rule()
    def record_lost(self) -> None:
        """Nothing shows then that a text of ours is not the user's."""
        super().record_lost()
        text = self.folder / "sitemap.txt"
        if text.is_file():
            self.mine = text.read_text()

    @rule(paths=st.sampled_from(TEXTS))
    def text(self, paths: list[str]) -> None:
        """A text of the user's own, without the line feed at the end that ours has."""
        self.mine = "\n".join(BASE + path for path in paths)
        write(self.folder, {"sitemap.txt": self.mine})

    def compare(self, once: Path) -> None:
        again = self.built(self.folder, f"cache-{self.cache}")
        write(once / "site", {**self.pages, **self.files})
        for folder in ("site", "src"):
            (once / folder).mkdir(parents=True, exist_ok=True)
        theirs = once / "site" / self.name_of_theirs()
        if self.theirs:
            theirs.write_bytes(self.theirs[1])
        if self.mine is not None:
            write(once / "site", {"sitemap.txt": self.mine})
        fresh = self.built(once / "site", "fresh")
        assert again.code == fresh.code, (again.out, again.err, fresh.out, fresh.err)
        assert "Traceback" not in again.err
        if again.code == 2:  # nothing was changed
            return
        assert self.said(again) == self.said(fresh)
        is_left = self.theirs is not None and theirs.is_file() and theirs.read_bytes() == self.theirs[1]
        if self.taken and is_left:  # An earlier build replaced their sitemap. Now no page is listed.
            assert "[empty-sitemap]" in fresh.err
            theirs.unlink()
            self.theirs, self.taken, is_left = None, False, False
        expected = self.ours(once / "site")
        assert self.ours(self.folder) == expected
        if self.mine is not None and expected["sitemap.txt"] != self.mine.encode():
            self.mine = None
        wanted = self.options.get("--filename", "sitemap.xml")
        if self.theirs and not is_left and (self.taken or self.theirs[0].removesuffix(".gz") == wanted):
            self.taken = wanted in expected or f"{wanted}.gz" in expected
            if not self.taken:
                self.theirs = None

    def name_of_theirs(self) -> str:
        """The name of the generator's sitemap, or the name that ours would have now if ours replaced it."""
        name = self.theirs[0] if self.theirs else "sitemap.xml"
        if self.taken and "--filename" in self.options:
            return name.replace("sitemap.xml", self.options["--filename"])
        return name

    def built(self, site: Path, cache: str) -> Answer:
        flags = [part for flag in self.options.items() for part in flag if part]
        (site.parent / "src").mkdir(exist_ok=True)
        given = ["--replace", "--source", site.parent / "src", "--cache-dir", self.root / cache]
        return command("build", site, *given, *flags)

    def said(self, answer: Answer) -> list[str]:
        lines = [*answer.err.splitlines(), answer.out]
        lines = [REMOVED.sub("", line) for line in lines]
        return [line.replace("/again/", "/once/") for line in lines if not line.startswith("removed")]

    def ours(self, site: Path) -> dict[str, bytes]:
        """What is in the folder besides its pages and the sitemap of the generator, by its name."""
        found = {}
        for file in site.iterdir():
            if file.is_file() and file.suffix != ".html" and not file.name.startswith("_"):
                data = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
                found[file.name] = re.sub(rb'"file": "[^"]*"', b"", data)
        return found


TestFolder = tried(EditedFolder, TRIED)

# --- projects of hosts ---

STEMS = ["a", "b", "guide/c", "de/a"]
BASE_URLS = ["https://e.org/", "https://e.org/docs/"]
OPTIONS: dict[str, list[object]] = {
    "filename": ["other.xml", "../sitemap.xml"],
    "gzip": ["beside", "instead", "off"],
    "max_urls": [1, 2],
    "index": [True, "cascaded"],
    "groups": [{"guide": ["guide/*"]}],
    "formats": [["text"]],
    "stylesheet": [False],
    "excludes": [["a*"], ["*"]],
    "locales": [{"en": BASE_URLS[0], "de": f"{BASE_URLS[0]}de/"}],
    "lastmod": ["none"],
    "links": ["bare"],
    "robots": [True, False],
}
ROBOTS_TXT = ["User-agent: *\nDisallow: /b\n", "Sitemap: https://e.org/theirs.xml\n"]


class Hosted(Edited):
    """A project, its commits, and the folder into which it is built again and again."""

    suffix: str
    texts: tuple[str, ...]
    choices = OPTIONS
    place = "project/src"

    def __init__(self) -> None:
        super().__init__()
        self.project = self.root / "project"
        self.base: str | None = BASE_URLS[0]
        self.day = 0
        self.keeps_text = False
        self.movable = [f"{name}{self.suffix}" for name in STEMS]
        for name in ("index", *STEMS[:2]):
            self.put(f"{name}{self.suffix}", self.texts[0])
        self.committed()

    @rule(name=st.sampled_from(["index", *STEMS]), data=st.data())
    def page_edited(self, name: str, data: st.DataObject) -> None:
        self.put(f"{name}{self.suffix}", data.draw(st.sampled_from(self.texts)))

    @rule(base=st.sampled_from([None, *BASE_URLS]))
    def base_url(self, base: str | None) -> None:
        self.base = base

    @rule(text=st.sampled_from(ROBOTS_TXT))
    def robots(self, text: str) -> None:
        write(self.folder, {"robots.txt": text})

    @rule()
    def committed(self) -> None:
        self.day += 1
        write(self.project, {"day.txt": str(self.day)})
        commit(self.project, date=f"2024-01-{self.day % 28 + 1:02}T00:00:00+00:00")

    @rule()
    def record_lost(self) -> None:
        """No build removes a text then that an earlier one wrote."""
        super().record_lost()
        self.keeps_text = (self.root / "again/out/sitemap.txt").is_file()

    def compare(self, once: Path) -> None:
        self.configure()
        again = self.built(self.root / "again", f"cache-{self.cache}")
        fresh = self.built(once, "once/cache")
        self.keeps_text = self.keeps_text and "out/sitemap.txt" in again[2].keys() - fresh[2].keys()
        if self.keeps_text:
            assert "formats" not in self.options
            del again[2]["out/sitemap.txt"]
        if self.base:
            assert again == fresh
        else:  # nothing is written, and one line says what is left alone
            assert again[0] == fresh[0] == 0

    def built(self, folder: Path, cache: str) -> tuple[int, list[str], dict[str, bytes]]:
        """The exit status, what we say but for what was removed or left, and the files that may be ours."""
        folder.mkdir(exist_ok=True)
        with environment({}, self.root / cache, self.project):
            build = self.run(folder)
        said = [
            REMOVED.sub("", line.replace(str(folder), "")).partition("; removed ")[0]
            for line in build.ours
            if not any(words in line for words in (LEFT, PAGES_LEFT, FILE_KEPT))
        ]
        files = {}
        for place in (folder, folder / "out"):
            for file in place.iterdir() if place.is_dir() else ():
                if file.is_file() and file.name.startswith(("sitemap", "other", "robots")):
                    files[file.relative_to(folder).as_posix()] = file.read_bytes()
        return build.code, sorted(said), files

    @abstractmethod
    def configure(self) -> None:
        """Writes the configuration."""

    @abstractmethod
    def run(self, folder: Path) -> Build:
        """Builds into ``out`` of a folder."""


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
        conf["html_baseurl"] = self.base
        write(self.folder, {"conf.py": conf_py(conf)})

    def run(self, folder: Path) -> Build:
        places = ["-d", str(folder / "trees"), str(self.folder), str(folder / "out")]
        return build_with_sphinx("--no-color", "-b", "html", *places)


class WithMkDocs(Hosted):
    suffix = ".md"
    texts = ("# A\n", "---\nsitemap: false\n---\n# B\n", "---\nrobots: noindex\n---\n# C\n")
    configured = b""

    def configure(self) -> None:
        self.mkdocs = MkDocsProject(self.project)
        self.mkdocs({}, options=self.options, docs_dir="src", site_url=self.base or "")
        before, self.configured = self.configured, (self.project / "mkdocs.yml").read_bytes()
        self.is_same = before == self.configured

    def run(self, folder: Path) -> Build:
        self.mkdocs.site = folder / "out"
        # What MkDocs leaves alone is as an earlier build with the same configuration made it.
        dirty = self.is_same and folder.name == "again"
        return build_with_mkdocs(self.mkdocs, dirty=dirty, site_dir=str(folder / "out"))


TestSphinx = needs("sphinx")(tried(WithSphinx, max(1, TRIED // 50)))
TestMkDocs = needs("mkdocs")(tried(WithMkDocs, max(1, TRIED // 50)))
