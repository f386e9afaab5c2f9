"""Real projects for the tests: git repositories with fixed dates, and what a host builds from them."""

from __future__ import annotations

import html
import json
import logging
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from copy import deepcopy
from dataclasses import replace
from datetime import datetime, timezone
from functools import cache, lru_cache
from gettext import NullTranslations
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from inspect import signature
from io import StringIO
from itertools import count
from mimetypes import guess_type
from pathlib import Path
from socket import SHUT_RDWR
from threading import Event, Thread
from typing import NamedTuple
from urllib.parse import unquote

import pytest
import yaml
from bs4 import BeautifulSoup
from click.testing import CliRunner
from hypothesis import Phase, settings
from lxml import etree

from sitemap_docs.built import BuiltFolder, BuiltSite, read_built
from sitemap_docs.cli.main import group
from sitemap_docs.config.options import Options
from sitemap_docs.decide import Collected, decide
from sitemap_docs.folder.collect import collect_pages
from sitemap_docs.folder.folder_site import FolderSite
from sitemap_docs.history import page_dates
from sitemap_docs.html.head import read_head
from sitemap_docs.model import Entry, Page
from sitemap_docs.programs.answers import RunsBuilds
from sitemap_docs.programs.followed import answers_to
from sitemap_docs.project import Address, Project
from sitemap_docs.publish import Published, publish
from sitemap_docs.sitemap.render import RootTag, XmlStyle, document, row
from sitemap_docs.sources.source_files import SourceFolders
from sitemap_docs.surroundings import Environment, Surroundings
from sitemap_docs.urls.base import Base
from sitemap_docs.urls.hosts import Platform

BASE = "https://docs.example.org/"
NOINDEX = '<meta name="robots" content="noindex">'
REFRESH = '<meta http-equiv="refresh" content="0; url={}">'
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
XHTML = "{http://www.w3.org/1999/xhtml}link"
EXAMPLE = Path(__file__).parent.parent / "example_docs"
SIZE = os.environ.get("MATRIX", "part")  # `nox -s combinations` runs what other runs leave out
HANGS = 600.0  # seconds: so long takes only what would never end
#: How names of variables begin that say something of a platform, a key or a repository; with the last, each
#: process that a test starts compiles Sphinx anew.
READ = tuple(platform.variable for platform in answers_to(RunsBuilds))
READ += ("SOURCE_DATE_EPOCH", "INDEXNOW_KEY", "GIT_", "CI", "MIKE_")
READ += ("PYTHONDONTWRITEBYTECODE",)


# The same examples in every run, so that a change is to blame for a failure; "many" looks for new ones.
# A mutant is killed by the first example that fails, the smallest is not looked for.
settings.register_profile("default", deadline=None, derandomize=True)
settings.register_profile("many", deadline=None, max_examples=5000)
settings.register_profile(
    "few", deadline=None, derandomize=True, max_examples=10, phases=[Phase.explicit, Phase.generate]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def assert_golden(request: pytest.FixtureRequest, file: Path, written: str | bytes) -> None:
    """Compare a text or bytes with a golden file. With ``--update``, write the golden file instead.

    If they differ, the message has the command that writes the file.
    """
    is_text = isinstance(written, str)
    if request.config.getoption("update"):
        file.write_bytes(written.encode() if is_text else written)
    golden = file.read_text(encoding="utf-8") if is_text else file.read_bytes()
    test = request.node.path.relative_to(Path(__file__).parents[1]).as_posix()
    command = f"pytest --update {test}"
    assert written == golden, f"{file.name} differs. If that is right, run `{command}` and read `git diff`."


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write golden files and tables anew")


@pytest.fixture(scope="session", autouse=True)
def _neutral_machine(tmp_path_factory) -> Iterator[str]:
    """No platform, git configuration or cache of the machine that runs the tests; a temporary folder.

    What hosts and browsers leave there is removed with pytest's own folder. One for all tests of a worker:
    below the folder of a single test, names of Unix sockets get too long.
    """
    folder = str(tmp_path_factory.mktemp("tmp"))
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(READ)]:
            patch.delenv(name)
        for name in ("TMPDIR", "TEMP", "TMP"):
            patch.setenv(name, folder)
        patch.setenv("XDG_CACHE_HOME", f"{folder}/cache")
        for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
            patch.setenv(name, os.devnull)
        patch.setattr(tempfile, "tempdir", folder)
        yield folder


ENTRY_POINTS = cache(entry_points)  # each look at them opens a file of every installed package

# Whatever changes what Jinja makes of a source.
SYNTAX = ("block_start_string", "variable_start_string", "comment_start_string", "line_statement_prefix")
SYNTAX += ("trim_blocks", "lstrip_blocks", "keep_trailing_newline", "optimized", "autoescape", "is_async")


@pytest.fixture(scope="session", autouse=True)
def _compiled_templates() -> Iterator[None]:
    """Themes' templates are compiled once for all builds in this process: half the time of a small one."""
    if not find_spec("jinja2"):
        yield
        return
    environment = import_module("jinja2").Environment
    compiled, compile_source = {}, environment.compile

    def compile_once(self, source, name=None, filename=None, *rest, **options):
        if rest or options or not isinstance(source, str):
            return compile_source(self, source, name, filename, *rest, **options)
        syntax = tuple(getattr(self, each) for each in SYNTAX)
        key = (type(self), tuple(self.extensions), syntax, source, name, filename)
        if key not in compiled:
            compiled[key] = compile_source(self, source, name, filename)
        return compiled[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(environment, "compile", compile_once)
        yield


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    """The folder of the test, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


CACHES = count()


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch, _neutral_machine):
    """It is no folder of ``tmp_path``: to make one takes most of the time of a short test."""
    monkeypatch.setenv("XDG_CACHE_HOME", f"{_neutral_machine}/cache-{next(CACHES)}")


def part(cases: Sequence[object], number: int) -> Sequence[object]:
    """At most so many of the cases, spread over all of them; all where the matrix is run."""
    return cases[:: -(-len(cases) // number)] if SIZE == "part" else cases


def needs(*modules: str) -> pytest.MarkDecorator:
    """Skips a test where one of these is not installed."""
    missing = [module for module in modules if find_spec(module) is None]
    return pytest.mark.skipif(bool(missing), reason=f"needs {', '.join(missing)}")


def runner(encoding: str = "utf-8") -> CliRunner:
    """Runs a command in this process. click 8.1 keeps the streams apart on request, 8.2 always does."""
    apart = {"mix_stderr": False} if "mix_stderr" in signature(CliRunner).parameters else {}
    return CliRunner(encoding, **apart)


class Answer(NamedTuple):
    """What a command answered: its exit status, its output, and its messages."""

    code: int
    out: str
    err: str

    @property
    def data(self):
        """What it printed as JSON; nothing where that is no JSON."""
        return json.loads(self.out) if self.out.startswith(("{", "[")) else {}


def command(*arguments: object) -> Answer:
    """Runs the command in this process."""
    done = runner().invoke(group, [*map(str, arguments)], catch_exceptions=False)
    return Answer(done.exit_code, done.stdout, done.stderr)


def passed(*arguments: object) -> Answer:
    """Runs the command in this process, which must succeed."""
    done = command(*arguments)
    assert done.code == 0, done.err
    return done


def site_project(folder: Path, base_url: str = BASE, **options: object) -> Project:
    """The project of a folder of pages, in the middle of 2026."""
    now = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
    return Project(
        root=folder,
        output=folder,
        options=Options.of(options, folder=folder),
        address=Address(base=Base.of(base_url)),
        surroundings=Surroundings(now=now, environ=Environment(os.environ), platform=Platform()),
    )


def pages_of(project: Project, *sources: Path) -> list[Page]:
    """The pages in the folder of a project, as the command finds them."""
    return [*collect_pages(FolderSite(project=project, sources=SourceFolders(sources))).pages]


def built_site(project: Project, *sources: Path, made: Iterable[str] = ()) -> BuiltSite:
    """Return the site in the output folder of a project, without a record of its build."""
    site = FolderSite(project=project, sources=SourceFolders(sources))
    return read_built(BuiltFolder(project=project, site=site, made=frozenset(made)))


def publish_pages(
    project: Project,
    pages: Iterable[Page],
    log: Callable[[str], None] | None = None,
    collected: Collected | None = None,
    **how: object,
) -> Published:
    """Decides about pages and writes what follows, as each entry point does."""
    found = replace(collected or Collected(), pages=list(pages))
    return publish(project, decide(project, found, **how), log=log)


def rendered(
    entries: Iterable[Entry], kind: RootTag = "urlset", style: XmlStyle | None = None, indent: int = 0
) -> bytes:
    """The XML of a sitemap or an index."""
    tag = "url" if kind == "urlset" else "sitemap"
    return document(kind, [row(entry, tag, indent, "exact") for entry in entries], style or XmlStyle())


def filled(page: Path) -> str:
    """The text of a page of the manual with a host that is none of a placeholder, of the same length."""
    return page.read_text(encoding="utf-8").replace("docs.example.com", "docs.example.org")


NEW_YEAR = datetime(2026, 1, 1, tzinfo=timezone.utc)


def read_dates(
    files, *, now=NEW_YEAR, meaning="commit", ignore_revs=None, cache=None, environ=os.environ
) -> page_dates.Dates:
    """The dates of files, with options as they are written."""
    options = Options.of({"lastmod": meaning, "lastmod_ignore_revs": str(ignore_revs or "")})
    around = Surroundings(now=now, environ=Environment(environ), platform=Platform(), cache=cache)
    return page_dates.read_dates(options, files, around=around)


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Writes files below a folder, texts in UTF-8; returns the folder."""
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def git(
    folder: Path, *arguments: str, date: str = "2024-01-01T00:00:00+00:00", given: str | None = None
) -> str:
    """What git prints, with fixed names and the same date of author and committer; ``given`` is its input."""
    who = {
        f"GIT_{role}_{key}": value
        for role in ("AUTHOR", "COMMITTER")
        for key, value in (("NAME", "A Writer"), ("EMAIL", "writer@example.org"), ("DATE", date))
    }
    command = ["git", "-c", "maintenance.auto=false", *arguments]  # one process less for each commit
    done = subprocess.run(
        command, cwd=folder, env=os.environ | who, input=given, capture_output=True, text=True, check=True
    )
    return done.stdout


def commit(
    folder: Path, *names: str, date: str = "2024-01-01T00:00:00+00:00", message: str = "A change"
) -> None:
    """Commits the files of a folder, or those that are named; a folder without a repository becomes one."""
    if not (folder / ".git").exists():
        git(folder, "init", "-q", "-b", "main")
    git(folder, "add", *(names or ["."]))
    git(folder, "commit", "-q", "-m", message, date=date)


def canonical(url: str) -> str:
    return f'<link rel="canonical" href="{url}">'


def html_page(head: str = "") -> str:
    """A page with a title, and what else its head has."""
    return f"<!doctype html>\n<html><head><title>x</title>{head}</head><body></body></html>\n"


def urlset(*pages: str) -> str:
    """A sitemap of another tool, which lists some pages, each as ``loc`` or ``loc date``."""
    rows = ""
    for page in pages:
        loc, _, date = page.partition(" ")
        rows += f"<url><loc>{loc}</loc>{f'<lastmod>{date}</lastmod>' if date else ''}</url>"
    return f'<urlset xmlns="{SITEMAP.strip("{}")}">{rows}</urlset>'


def sitemapindex(*locs: str) -> str:
    """An index of another tool, which lists some sitemaps."""
    rows = "".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs)
    return f'<sitemapindex xmlns="{SITEMAP.strip("{}")}">{rows}</sitemapindex>'


def on_a_terminal(*command: object) -> Answer:
    """Runs a command whose stderr is a pseudo terminal, which is read until the command closes it."""
    pty = pytest.importorskip("pty", reason="needs pseudo terminals")
    ours, theirs = pty.openpty()
    chunks: list[bytes] = []

    def read() -> None:
        with suppress(OSError):  # Linux: EIO once the other side is closed
            while chunk := os.read(ours, 65536):
                chunks.append(chunk)

    reader = Thread(target=read)
    with subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        reader.start()
        out = process.stdout.read()
    reader.join()
    os.close(ours)
    return Answer(process.returncode, out.decode(), b"".join(chunks).decode())


def npm_file(folder: Path, package: str, name: str) -> bytes:
    """A file of a package of npm, which is fetched into a folder; without it, the test is skipped."""
    if not (npm := shutil.which("npm")):
        pytest.skip(f"no npm here, which brings {package}")
    command = [npm, "pack", "--silent", "--fetch-retries=0", package]
    if subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode:
        pytest.skip(f"npm cannot fetch {package}")
    with tarfile.open(next(folder.glob("*.tgz"))) as archive:
        return archive.extractfile(f"package/{name}").read()


def proven(site: Path, base: str, name: str = "sitemap.xml") -> dict[str, str | None]:
    """The pages that a sitemap lists, as path below the base URL → lastmod, after a look at each of them.

    Each is found where its address says, names that address as its only canonical one, and lets itself
    be indexed.
    """
    root = etree.parse(site / name).getroot()
    assert root.tag == SITEMAP + "urlset"
    dates = {}
    for url in root:
        loc = url.findtext(SITEMAP + "loc")
        assert loc.startswith(base)
        path = unquote(loc[len(base) :])
        file = site / path
        head = head_of((file / "index.html" if file.is_dir() else file).read_bytes())
        assert (head.canonicals, head.noindex, head.refresh) == ((loc,), False, False)
        dates[path] = url.findtext(SITEMAP + "lastmod")
    return dates


def lastmods(file: Path, base: str) -> dict[str, str | None]:
    """The dates in a sitemap as they are written, by path below the base URL."""
    urls = etree.parse(file).getroot()
    return {
        each.findtext(SITEMAP + "loc").removeprefix(base): each.findtext(SITEMAP + "lastmod") for each in urls
    }


def alternates(file: Path) -> dict[str, dict[str, str]]:
    """What a sitemap or an index of it lists, as path below the base URL → language → path."""
    found = {}
    for listed in etree.parse(file).getroot():
        links = {link.get("hreflang"): link.get("href") for link in listed.iter(XHTML)}
        path = listed.findtext(SITEMAP + "loc").removeprefix(HostProject.base)
        found[path] = {language: url.removeprefix(HostProject.base) for language, url in links.items()}
    return found


class Head(NamedTuple):
    """What the head of a page says."""

    canonicals: tuple[str, ...]
    noindex: bool
    refresh: bool
    languages: list[str]


@lru_cache(maxsize=4096)
def head_of(page: bytes) -> Head:
    """The head of a page as BeautifulSoup reads it with Python's own parser."""
    soup = BeautifulSoup(page.partition(b"<body")[0], "html.parser")
    refreshes = []
    if b"http-equiv" in page.lower():
        inert = ["template"] if len(page) <= 4_096 else ["template", "noscript"]
        whole = BeautifulSoup(page, "html.parser")
        refreshes = [
            meta for meta in whole.select("meta[http-equiv=refresh i]") if not meta.find_parent(inert)
        ]
    bots = soup.find_all("meta", attrs={"name": re.compile("^(robots|googlebot|bingbot)$", re.IGNORECASE)})
    words = {word for meta in bots for word in re.split(r"[\s,]+", meta["content"].lower())}
    return Head(
        canonicals=tuple(link["href"] for link in soup.select("link[rel=canonical]")),
        noindex=not words.isdisjoint({"noindex", "none"}),
        refresh=bool(refreshes),
        languages=[link["hreflang"] for link in soup.select("link[rel=alternate][hreflang]")],
    )


def look_again(site: Path) -> None:
    """The head of every page of a build is read as BeautifulSoup reads it with Python's own parser."""
    for file in site.rglob("*.html"):
        head = read_head(file)
        languages = [alternate.hreflang for alternate in head.alternates]
        found = Head(head.canonicals, head.noindex, head.refresh is not None, languages)
        assert found == head_of(file.read_bytes()), file


class HostProject:
    """A project of a host, its repository, and the output of its last build.

    ``leftovers`` is what git ignores in it.
    """

    base = BASE
    leftovers: str
    out: Path

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, files: dict[str, str]) -> None:
        write(self.root, files)

    def commit(self, date: str, files: dict[str, str] | None = None) -> None:
        """Commits all files, of which these are written before."""
        self.write(files or {})
        if not (self.root / ".gitignore").exists():
            self.write({".gitignore": self.leftovers})
        commit(self.root, date=date)

    def xml(self, name: str = "sitemap.xml") -> etree._Element:
        return etree.parse(self.out / name).getroot()

    def locs(self, name: str = "sitemap.xml") -> list[str]:
        return [url.findtext(SITEMAP + "loc") for url in self.xml(name)]

    def paths(self, name: str = "sitemap.xml") -> list[str]:
        """The addresses below the base URL."""
        return [loc.removeprefix(self.base) for loc in self.locs(name)]

    def lastmods(self) -> dict[str, str | None]:
        return lastmods(self.out / "sitemap.xml", self.base)


class MkDocsProject(HostProject):
    """One of MkDocs, or of ProperDocs where that alone is installed."""

    host = "mkdocs" if find_spec("mkdocs") else "properdocs"
    leftovers = "/site/\n/cache/\n"

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.docs = root / "docs"
        self.site = root / "site"
        self.messages: list[str] = []

    @property
    def out(self) -> Path:
        return self.site

    def __call__(self, pages: dict[str, str], **settings: object) -> MkDocsProject:
        self.write({f"docs/{name}": text for name, text in pages.items()})
        self._settings = {"site_name": "Test", "site_url": HostProject.base, "theme": "mkdocs"}
        self.configure(**settings)
        return self

    def configure(
        self, *, options: dict[str, object] | None = None, plugins=(), after=(), **settings
    ) -> None:
        """Writes mkdocs.yml; ``plugins`` stand before ours, ``after`` behind."""
        self._settings |= {"plugins": [*plugins, {"sitemap-docs": options or {}}, *after], **settings}
        self.base = self._settings["site_url"]
        self.write({"mkdocs.yml": yaml.safe_dump(self._settings, sort_keys=False, allow_unicode=True)})

    def config(self, **overrides: object):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(f"{self.host}.utils.entry_points", ENTRY_POINTS)
            return import_module(f"{self.host}.config").load_config(
                str(self.root / "mkdocs.yml"), **overrides
            )

    def build(self, config=None, *, dirty: bool = False, **overrides: object) -> list[str]:
        """Builds in this process; the messages of the build as ``LEVEL text``."""
        self.messages = []
        handler = logging.Handler()
        handler.emit = lambda record: self.messages.append(f"{record.levelname} {record.getMessage()}")
        logger = logging.getLogger(self.host)
        before, propagate = logger.level, logger.propagate
        logger.addHandler(handler)
        logger.setLevel(logging.DEBUG)
        logger.propagate = False
        try:
            config = config or self.config(**overrides)
            import_module(f"{self.host}.commands.build").build(config, dirty=dirty)
        finally:
            logger.removeHandler(handler)
            logger.setLevel(before)
            logger.propagate = propagate
        look_again(self.site)
        return self.messages

    def read(self, name: str) -> str:
        return (self.site / name).read_text(encoding="utf-8")

    def locs(self, name: str = "sitemap.xml") -> list[str]:
        assert "<!-- sitemap-docs" in self.read(name), "still the sitemap of MkDocs"
        assert self.xml(name).tag == SITEMAP + "urlset"
        return super().locs(name)


def mkdocs_command(*words: str) -> Answer:
    """Runs the command of MkDocs in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(logging.getLogger("mkdocs"), "handlers", [])  # it adds some, and leaves them there
        done = runner().invoke(import_module("mkdocs.__main__").cli, words, catch_exceptions=False)
    return Answer(done.exit_code, done.stdout, done.stderr)


@pytest.fixture
def mkdocs_project(tmp_path, monkeypatch) -> MkDocsProject:
    """Call it with the pages of ``docs/`` and the settings of mkdocs.yml; ``options`` are ours."""
    if not (find_spec("mkdocs") or find_spec("properdocs")):
        pytest.skip("needs mkdocs or properdocs")
    root = tmp_path / "project"
    root.mkdir()
    monkeypatch.chdir(root)
    return MkDocsProject(root)


class Run(NamedTuple):
    """What one run of sphinx-build answered."""

    code: int
    status: str
    warnings: str

    @property
    def summary(self) -> str:
        """Our last line, without our name."""
        return [line for line in self.status.splitlines() if "sitemap-docs: " in line][-1].partition(": ")[2]


def sphinx_build(*arguments: str) -> Run:
    """Runs sphinx-build in this process, without what an earlier build left in it.

    Extensions append to values of conf.py; of one that is not written, that is the default of all builds, and
    one of another process would find that it has changed, and write every page again.
    """
    config = import_module("sphinx.config").Config
    status, warnings = StringIO(), StringIO()
    with redirect_stdout(status), redirect_stderr(warnings), pytest.MonkeyPatch.context() as patch:
        patch.setattr(config, "config_values", deepcopy(config.config_values))
        patch.setattr("gettext._translations", {})
        patch.setattr("sphinx.locale.translators", defaultdict(NullTranslations))
        patch.setattr("sphinx.theming.entry_points", ENTRY_POINTS)
        patch.setattr(logging.root.manager, "disable", logging.DEBUG)  # 650 messages of each build
        code = import_module("sphinx.cmd.build").main(list(arguments))
    if blog := sys.modules.get("ablog.blog"):
        blog.Blog._dict.clear()  # each of its blogs has the posts of all earlier ones in the process
    return Run(code, status.getvalue(), warnings.getvalue())


def read_the_docs(patch: pytest.MonkeyPatch, url: str, **more: str) -> None:
    """The variables of a build on Read the Docs at an address; more of them by what follows READTHEDOCS."""
    for name, value in {"": "True", "_CANONICAL_URL": url, **more}.items():
        patch.setenv(f"READTHEDOCS{name}", value)


@pytest.fixture
def apart(monkeypatch):
    """Keeps extensions of Sphinx apart that change what others see in the same process."""
    autodoc = pytest.importorskip("sphinx.ext.autodoc")
    monkeypatch.setattr(autodoc, "mock", autodoc.mock)  # sphinx-argparse hides the function by the module


def conf_py(values: Mapping[str, object], code: str = "") -> str:
    """The text of conf.py; a value of None is left out."""
    return "".join(f"{name} = {value!r}\n" for name, value in values.items() if value is not None) + code


class SphinxProject(HostProject):
    """One of Sphinx; pages stand in ``src``, what html and dirhtml make of them in ``out``."""

    leftovers = "/out*/\n/trees*/\n/cache/\n"

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.src = root / "src"
        self.out = root / "out"
        self._conf: dict[str, object] = {
            "extensions": ["sitemap_docs"],
            "html_theme": "basic",
            "html_baseurl": self.base,
            "show_warning_types": True,  # as Sphinx does since 8.0
        }
        self._code = ""

    def __call__(self, *names: str, **conf: object) -> SphinxProject:
        """Writes a page of each name, ``index`` always, and conf.py."""
        self.write({f"src/{name}.rst": self.page(name) for name in ("index", *names)})
        self.configure(**conf)
        return self

    @staticmethod
    def page(title: str, body: str = "") -> str:
        """reStructuredText of a page that no toctree needs to name."""
        return f":orphan:\n\n{'=' * 99}\n{title}\n{'=' * 99}\n\n{body}\n"

    def configure(self, **conf: object) -> None:
        """Adds to conf.py; a value of None takes away."""
        self._conf |= conf
        self.write({"src/conf.py": conf_py(self._conf, self._code)})

    def extend(self, code: str) -> None:
        """Ends conf.py, which may be an extension itself, with this code."""
        self._code = code
        self.configure()

    def arguments(self, builder: str, *options: str) -> list[str]:
        """Of sphinx-build; an option that ends in .rst is a page to build alone."""
        out = self.out if builder in {"html", "dirhtml"} else self.root / f"out-{builder}"
        files = [option for option in options if option.endswith(".rst")]
        common = ["--no-color", "-b", builder, "-d", str(self.root / "trees")]
        others = [option for option in options if option not in files]
        return [*common, *others, str(self.src), str(out), *(str(self.src / file) for file in files)]

    def build(self, builder: str = "html", *options: str, code: int = 0) -> Run:
        """Runs sphinx-build in this process; it ends with this exit status."""
        done = sphinx_build(*self.arguments(builder, *options))
        look_again(self.out)
        assert done.code == code, done.warnings
        return done

    def passes(self, builder: str = "html", *options: str) -> Run:
        """A build that warnings fail, which it must not."""
        return self.build(builder, "-W", "--keep-going", *options)

    def run(self, builder: str = "html", *options: str, warnings: str = "error") -> Run:
        """Runs sphinx-build in a process of its own, as -j wants; Python warns by errors."""
        command = [sys.executable, "-W", warnings, "-m", "sphinx", *self.arguments(builder, *options)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        look_again(self.out)
        assert done.returncode == 0, done.stderr
        return Run(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def sphinx_project(tmp_path) -> SphinxProject:
    """Call it with the names of its pages and the values of conf.py."""
    pytest.importorskip("sphinx", reason="needs sphinx")
    root = tmp_path / "project"
    root.mkdir()
    return SphinxProject(root)


def mike_deploy(*arguments: str) -> None:
    """Runs mike in this process and folder; the build is a process of its own."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL"):
            patch.setenv(f"GIT_{name}", "x")
        patch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
        patch.setenv("SITEMAP_DOCS_MIKE_COMMAND", "")  # which our plugin sets in this process
        patch.setattr(sys, "argv", ["mike", "deploy", *arguments])
        patch.setattr(warnings, "showwarning", warnings.showwarning)  # mike puts its own there
        import_module("mike.driver").main()


class Loopback:
    """A real server on this machine. ``answer`` maps a path to what happens there: a function of the handler.

    ``requests`` are the method, path, headers and body of what came, in order.
    """

    def __init__(self) -> None:
        self.answer: dict[str, Callable[[BaseHTTPRequestHandler], None]] = {}
        self.requests: list[tuple[str, str, dict[str, str], bytes]] = []
        self.released = Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"loopback": self}))
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self._server.handle_error = lambda *_: None  # clients that give up are what some tests are about
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self._server.server_port}{path}"

    def serve(self, path: str, body: bytes = b"", status: int = 200, **headers: str) -> None:
        def answer(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                handler.send_header(name.replace("_", "-"), value)
            handler.end_headers()
            handler.wfile.write(body)

        self.answer[path] = answer

    def serve_folder(self, site: Path, path: str = "/") -> None:
        """Serves the files of a site as static hosts do, whatever the query."""
        for file in site.rglob("*"):
            if file.is_file():
                address = path + file.relative_to(site).as_posix()
                folder = address.removesuffix("index.html")
                kind = guess_type(file.name)[0] or "application/octet-stream"
                self.serve(folder, file.read_bytes(), Content_Type=kind)
                if folder != address:
                    self.serve(folder.rstrip("/"), status=301, Location=folder)

    def close(self) -> None:
        self.released.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    loopback: Loopback

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.loopback.requests.append((self.command, self.path, dict(self.headers), body))
        answers = self.loopback.answer
        answer = answers.get(self.path) or answers.get(self.path.partition("?")[0])
        answer(self) if answer else self.send_error(404)

    do_POST = do_GET  # noqa: N815  http.server's name

    def log_message(self, *_: object) -> None:
        pass


def cut(handler: BaseHTTPRequestHandler) -> None:
    """Ends the connection without an answer."""
    handler.connection.shutdown(SHUT_RDWR)


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    server = Loopback()
    yield server
    server.close()


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_chromium = pytest.mark.skipif(not CHROMIUM, reason="needs Chromium (Debian: apt-get install chromium)")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--virtual-time-budget=10000",
)


def answered(profile: Path, *arguments: str) -> object:
    """The JSON that the page at the end of the arguments has put in the place of its body.

    Headless Chromium shows it, which reaches this machine alone.
    """
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "--dump-dom", *arguments]
    shown = subprocess.run(command, check=True, capture_output=True, text=True, timeout=HANGS).stdout
    return json.loads(html.unescape(re.search(r"<body>(.*)</body>", shown, re.DOTALL)[1]))
