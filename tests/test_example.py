"""The manual is one set of Markdown; Sphinx and MkDocs write the same sitemap and robots.txt from it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from sitemap_docs.cli.main import group
from tests.conftest import CHROMIUM, EXAMPLE, FLAGS, HANGS, Manual, look_again, manual, needs_chromium, runner

pytest.importorskip("sphinx")
pytest.importorskip("mkdocs")
pytest.importorskip("myst_parser")
pytest.importorskip("furo")
pytest.importorskip("material")

BASE = "https://sitemap-docs.example/"


def loading(site: Path) -> Iterator[str]:
    """The files that load something from another host."""
    for file in sorted(path for path in site.rglob("*") if path.suffix in (".html", ".css")):
        text = file.read_text(encoding="utf-8")
        if _LOADED.search(text):
            yield str(file)


_LOADED = re.compile(
    r"""<(?:script|img|iframe|source)\b[^>]*\ssrc=["']?(?:https?:)?//"""
    r"""|<link\b(?![^>]*rel=["']?(?:canonical|next|prev))[^>]*\shref=["']?(?:https?:)?//"""
    r"""|@import\s+["'](?:https?:)?//|url\(["']?(?:https?:)?//"""
)


@pytest.fixture(scope="module")
def manuals(manual_of_mkdocs: Manual, tmp_path_factory: pytest.TempPathFactory) -> tuple[Manual, Manual]:
    """The manual as Sphinx and as MkDocs build it."""
    folder = tmp_path_factory.mktemp("manual")
    site, trees = folder / "sphinx", str(folder / "trees")
    options = ("-W", "-b", "dirhtml", "-d", trees, "-c", ".", "pages", str(site))
    return manual("sphinx", site, *options), manual_of_mkdocs


def test_both_hosts_write_the_same_bytes(manuals: tuple[Manual, Manual]) -> None:
    pages = len(list((EXAMPLE / "pages").glob("*.md")))
    for site, summary in manuals:
        assert summary.startswith(f"sitemap-docs: {pages} pages listed")
        look_again(site)
    (sphinx, _), (mkdocs, _) = manuals
    for name in ("sitemap.xml", "robots.txt"):
        assert (sphinx / name).read_bytes() == (mkdocs / name).read_bytes()


def test_the_audit_finds_nothing(manuals: tuple[Manual, Manual], monkeypatch) -> None:
    # A page that is not committed yet, and any page in a shallow clone, has no date.
    flags = ("--select", "all", "--severity", "info", "--ignore", "lastmod-missing")
    monkeypatch.chdir(EXAMPLE)
    for site, _ in manuals:
        done = runner().invoke(group, ["check", str(site), "--source", "pages", "--base-url", BASE, *flags])
        assert done.exit_code == 0, done.output
        assert "No findings (" in done.output


def test_it_loads_nothing_from_another_host(manuals: tuple[Manual, Manual]) -> None:
    assert [path for site, _ in manuals for path in loading(site)] == []


def test_search_finds_the_first_steps(manuals: tuple[Manual, Manual]) -> None:
    (sphinx, _), (mkdocs, _) = manuals
    index = json.loads((mkdocs / "search" / "search_index.json").read_text(encoding="utf-8"))
    assert ("first-steps/", "First steps") in {(each["location"], each["title"]) for each in index["docs"]}
    index = (sphinx / "searchindex.js").read_text(encoding="utf-8").removeprefix("Search.setIndex(")
    assert "First steps" in json.loads(index.removesuffix(")"))["alltitles"]


#: Opens the pages one after the other in a frame as wide as a phone, and names those that scroll sideways.
PHONE = """<!doctype html><body><iframe width="400" height="900"></iframe><script>
const frame = document.querySelector("iframe"), wide = [], pages = %s;
(async () => {
  for (const page of pages) {
    await new Promise((loaded) => { frame.onload = loaded; frame.src = page; });
    const { scrollWidth } = frame.contentDocument.documentElement;
    if (scrollWidth > 400) wide.push([page, scrollWidth]);
  }
  await fetch("/wide", { method: "POST", body: JSON.stringify([pages.length, wide]) });
})();
</script>"""


class Phone(SimpleHTTPRequestHandler):
    """Serves a site, and takes what a page has measured."""

    def do_POST(self) -> None:
        self.server.wide = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()
        self.server.measured.set()

    def log_message(self, *_: object) -> None:
        pass


@needs_chromium
@pytest.mark.parametrize("host", [0, 1], ids=["sphinx", "mkdocs"])
def test_no_page_scrolls_sideways_on_a_phone(
    manuals: tuple[Manual, Manual], host: int, tmp_path: Path
) -> None:
    """Chromium runs until the page has answered: its virtual time can stand still for ever."""
    site = shutil.copytree(manuals[host].site, tmp_path / "site")
    (site / "search" / "search_index.json").unlink(missing_ok=True)  # else Material indexes it for each page
    pages = [f"/{file.parent.relative_to(site).as_posix()}/" for file in site.glob("*/index.html")]
    (site / "phone.html").write_text(PHONE % json.dumps(pages), encoding="utf-8")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Phone, directory=site)) as server:
        server.measured = threading.Event()
        threading.Thread(target=server.serve_forever).start()
        flags = [flag for flag in FLAGS if "virtual-time" not in flag]
        url = f"http://127.0.0.1:{server.server_port}/phone.html"
        with subprocess.Popen(
            [CHROMIUM, *flags, "--remote-debugging-port=0", f"--user-data-dir={tmp_path / 'profile'}", url],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as browser:
            answered = server.measured.wait(HANGS)
            browser.kill()
        server.shutdown()
    assert answered
    number, wide = server.wide
    assert wide == []
    assert number > 20
