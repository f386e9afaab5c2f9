"""What the README and the manual say of other tools, measured: the same small project built with each."""

import re
import shutil
from datetime import datetime, timedelta, timezone
from importlib import import_module
from pathlib import Path

import pytest

from sitemap_docs.api import read_sitemap
from tests.conftest import commit, sphinx_build, write
from tests.manual.blocks import blocks

pytestmark = pytest.mark.once

pytest.importorskip("sphinx")
pytest.importorskip("mkdocs")
pytest.importorskip("sphinx_sitemap")

PAGES = Path(__file__).parents[2]
BASE = "https://docs.example.org"
COMMITTED = datetime(2026, 1, 31, 12, tzinfo=timezone.utc)
BUILT = datetime(2026, 11, 21, 12, tzinfo=timezone.utc)
TOOLS = {"mkdocs": "MkDocs' own", "sphinx_sitemap": "sphinx-sitemap", "sitemap_docs": "sitemap-docs"}
ROWS = {
    "page dates": ("build date", "none by default", "last commit"),
    "lists a page with `noindex`": ("yes", "yes", "no"),
    "lists `search.html` and `genindex.html`": ("no", "yes", "no"),
    "complete after an incremental build": ("yes", "no", "yes"),
    "reproducible (same commit, same bytes)": ("with `SOURCE_DATE_EPOCH`", "yes", "yes"),
    "adds a `Sitemap:` line to `robots.txt`": ("no", "no", "yes"),
}


def table() -> str:
    head = f"| | {' | '.join(TOOLS.values())} |\n|---|{'---|' * len(TOOLS)}\n"
    return head + "".join(f"| {row} | {' | '.join(cells)} |\n" for row, cells in ROWS.items())


def test_the_readme_has_what_is_measured():
    assert table() in (PAGES / "README.md").read_text(encoding="utf-8")


def sphinx(folder: Path, extension: str) -> bytes:
    """The sitemap of a build by Sphinx."""
    conf = f"extensions = [{extension!r}]\nhtml_baseurl = {BASE + '/'!r}\nsitemap_url_scheme = '{{link}}'\n"
    (folder / "conf.py").write_text(conf)
    done = sphinx_build("-q", ".", f"out-{extension}")
    assert done.code == 0, done.warnings
    return (folder / f"out-{extension}" / "sitemap.xml").read_bytes()


def mkdocs(folder: Path, plugin: str, *, dirty: bool = False) -> bytes:
    """The sitemap of a build by MkDocs; a dirty one renders what changed."""
    (folder / "mkdocs.yml").write_text(
        f"site_name: x\nsite_url: {BASE}/\ndocs_dir: docs\nsite_dir: out\n"
        f"theme: {{name: mkdocs, custom_dir: theme}}\nplugins: [search{plugin}]\n"
    )
    config = import_module("mkdocs.config").load_config()
    config.plugins.on_startup(command="build", dirty=dirty)
    import_module("mkdocs.commands.build").build(config, dirty=dirty)
    return (folder / "out" / "sitemap.xml").read_bytes()


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A page, one with noindex, and the front page, all of one commit; for both hosts."""
    files = {
        "index.rst": "index\n======\n\n.. toctree::\n\n   guide\n   secret\n",
        "guide.rst": "guide\n======\n",
        "secret.rst": ".. meta::\n   :robots: noindex\n\nsecret\n======\n",
        "docs/index.md": "# x\n",
        "docs/guide.md": "# x\n",
        "docs/secret.md": "---\nrobots: noindex\n---\n# x\n",
        "theme/main.html": '{% extends "base.html" %}{% block extrahead %}'
        '<meta name="robots" content="{{ page.meta.robots }}">{% endblock %}',
    }
    commit(write(tmp_path, files), date=COMMITTED.isoformat())
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.filterwarnings("ignore:.*is deprecated.*")  # sphinx-sitemap 2.9 uses env.app
@pytest.mark.parametrize(
    ("tool", "host"),
    [("mkdocs", mkdocs), ("sphinx_sitemap", sphinx), ("sitemap_docs", sphinx), ("sitemap_docs", mkdocs)],
)
def test_measured(project, monkeypatch, tool, host):
    now = datetime.now(timezone.utc)
    added = tool if host is sphinx else ", sitemap-docs" * (tool == "sitemap_docs")

    def build(when: datetime, **how: bool) -> bytes:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(when.timestamp())))
        return host(project, added, **how)

    first = build(now)
    out = next(project.glob("out*"))
    entries = read_sitemap(out / "sitemap.xml")
    names = {re.sub(r"(/|\.html)$", "", entry.loc.removeprefix(BASE)) for entry in entries}
    shutil.rmtree(out)
    later = build(now + timedelta(days=1))
    shutil.rmtree(out)
    again = build(now)
    (project / "guide.rst").write_text("guide\n=====\n\nMore.\n")
    (project / "docs/guide.md").write_text("# x\n\nMore.\n")
    build(now, **{"dirty": True} if host is mkdocs else {})
    guide_changed = {entry.loc for entry in read_sitemap(out / "sitemap.xml")}
    dates = {entry.lastmod.date() if entry.lastmod else None for entry in entries}
    yes = {True: "yes", False: "no"}
    robots = out / "robots.txt"
    assert {
        "page dates": {
            frozenset({now.date()}): "build date",
            frozenset({COMMITTED.date()}): "last commit",
            frozenset({None}): "none by default",
        }[frozenset(dates)],
        "lists a page with `noindex`": yes["/secret" in names],
        "lists `search.html` and `genindex.html`": yes[{"/search", "/genindex"} <= names],
        "complete after an incremental build": yes[guide_changed == {entry.loc for entry in entries}],
        "reproducible (same commit, same bytes)": {
            (True, True): "yes",
            (False, True): "with `SOURCE_DATE_EPOCH`",
        }[first == later, first == again],
        "adds a `Sitemap:` line to `robots.txt`": yes[robots.exists() and "Sitemap:" in robots.read_text()],
    } == {row: cells[list(TOOLS).index(tool)] for row, cells in ROWS.items()}


@pytest.mark.filterwarnings("ignore:.*is deprecated.*")  # sphinx-sitemap 2.9 uses env.app
@pytest.mark.parametrize(
    ("tool", "host"),
    [("mkdocs", mkdocs), ("sphinx_sitemap", sphinx), ("sitemap_docs", sphinx), ("sitemap_docs", mkdocs)],
)
def test_the_manual_shows_the_sitemap_of_each_tool(project, monkeypatch, tool, host):
    """All of its addresses and dates, in a build of 21 November 2026."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(BUILT.timestamp())))
    added = tool if host is sphinx else ", sitemap-docs" * (tool == "sitemap_docs")
    host(project, added)
    (out,) = project.glob("out*")
    lines = []
    for entry in sorted(read_sitemap(out / "sitemap.xml")):
        date = entry.lastmod
        if date and tool == "mkdocs":
            date = date.date()
        lastmod = f"<lastmod>{date.isoformat()}</lastmod>" if date else ""
        lines.append(f"<url><loc>{entry.loc}</loc>{lastmod}</url>\n")
    assert "".join(lines) in [block.text for block in blocks("comparison")]
