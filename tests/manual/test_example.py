"""The manual is one set of Markdown; Sphinx and MkDocs write the same sitemap and robots.txt from it.

``nox -s example`` builds it strictly with both, below the folder that the variable ``MANUALS`` names.
"""

import json
import os
import re
import subprocess
from http.server import BaseHTTPRequestHandler
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import quote

import pytest

from sitemap_docs.audit.registry import audit_rules
from tests.conftest import (
    CHROMIUM,
    EXAMPLE,
    FLAGS,
    HANGS,
    Loopback,
    command,
    look_again,
    needs_chromium,
    proven,
)

if "MANUALS" not in os.environ:
    pytest.skip("`nox -s example` builds the manual and runs these", allow_module_level=True)

BASE = os.environ.get("MANUAL_URL", "https://sitemap-docs.example/")
SITES = {host: Path(os.environ["MANUALS"], host) for host in ("sphinx", "mkdocs")}


#: What loads something from another host.
LOADED = re.compile(
    r"""<(?:script|img|iframe|source)\b[^>]*\ssrc=["']?(?:https?:)?//"""
    r"""|<link\b(?![^>]*rel=["']?(?:canonical|next|prev))[^>]*\shref=["']?(?:https?:)?//"""
    r"""|@import\s+["'](?:https?:)?//|url\(["']?(?:https?:)?//"""
)


def test_both_hosts_write_the_same_bytes() -> None:
    pages = len(list((EXAMPLE / "pages").glob("*.md")))
    for site in SITES.values():
        assert len(proven(site, BASE)) == pages
        look_again(site)
    for name in ("sitemap.xml", "robots.txt"):
        assert (SITES["sphinx"] / name).read_bytes() == (SITES["mkdocs"] / name).read_bytes()


def test_the_audit_finds_nothing(monkeypatch) -> None:
    # A page that is not committed yet, and any page in a shallow clone, has no date.
    flags = ("--select", "all", "--severity", "info", "--ignore", "lastmod-missing")
    monkeypatch.chdir(EXAMPLE)
    for site in SITES.values():
        done = command("check", site, "--source", "pages", "--base-url", BASE, *flags)
        assert done.code == 0, done.out
        assert "No findings (" in done.out + done.err


def test_lines_to_copy_have_the_address_of_the_repository(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("MANUAL_REPOSITORY", "https://git.example.com/a")
    spec = spec_from_file_location("files", EXAMPLE / "files.py")
    files = module_from_spec(spec)
    spec.loader.exec_module(files)
    page = (EXAMPLE / "pages" / "index.md").read_text(encoding="utf-8")
    assert "sitemap-docs[web] @ git+https://git.example.com/a\n" in files.with_files(page)


def test_it_loads_nothing_from_another_host() -> None:
    files = [file for site in SITES.values() for file in site.rglob("*") if file.suffix in (".html", ".css")]
    assert [str(file) for file in files if LOADED.search(file.read_text("utf-8"))] == []


#: Runs functions on pages, shown in a frame of some width, and posts what they returned.
FRAME = """<!doctype html><body><iframe height="900"></iframe><script>
const frame = document.querySelector("iframe"), shown = {};
(async () => {
  for (const [name, width, pages, look] of [%s]) {
    frame.width = width;
    shown[name] = {};
    for (const page of pages) {
      await new Promise((loaded) => { frame.onload = loaded; frame.src = page; });
      shown[name][page] = await look(frame.contentDocument, frame.contentWindow);
    }
  }
  await fetch("/shown", { method: "POST", body: JSON.stringify(shown) });
})();
</script>"""
WIDTH = "(page) => page.documentElement.scrollWidth"
CONTENTS = """(page) => {
  const { left, right } = page.querySelector(".toc-drawer").getBoundingClientRect();
  return left > page.querySelector("article").getBoundingClientRect().right && right <= 1280;
}"""
COPIED = """async (page, view) => {
  const copied = [];
  view.document.execCommand = () => { copied.push(page.activeElement.value); return true; };
  for (let wait = 0; wait < 200 && !page.querySelector(".md-clipboard, .md-code__button, .copybtn"); wait++)
    await new Promise((done) => view.setTimeout(done, 50));
  for (const button of page.querySelectorAll("[data-clipboard-target]")) button.click();
  return copied;
}"""
#: The texts below the contrast of WCAG 2.2 AA: 4.5, and 3 for large letters.
PALE = """async (page, view) => {
  await new Promise((done) => view.setTimeout(done, 300));
  const channels = (colour) => [...colour.match(/[\\d.]+/g).map(Number), 1].slice(0, 4);
  const blend = (above, below) => [0, 1, 2].map((i) => above[i] * above[3] + below[i] * (1 - above[3]));
  const linear = (part) => part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) + 0.05;
  const pale = new Set(), texts = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const range = page.createRange(), element = texts.currentNode.parentElement;
    range.selectNodeContents(texts.currentNode);
    const box = range.getBoundingClientRect(), style = view.getComputedStyle(element);
    if (!texts.currentNode.data.trim() || !box.width || !box.height) continue;
    if (style.visibility === "hidden") continue;
    let opacity = 1, layers = [];
    for (let each = element; each; each = each.parentElement) {
      opacity *= view.getComputedStyle(each).opacity;
      layers.unshift(channels(view.getComputedStyle(each).backgroundColor));
    }
    if (!opacity) continue;
    const ground = layers.reduce((below, above) => blend(above, below), [255, 255, 255]);
    const [r, g, b, a] = channels(style.color);
    const ratio = light(blend([r, g, b, a * opacity], ground)) / light(ground);
    const size = parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
    if (Math.max(ratio, 1 / ratio) < least - 0.005) pale.add(texts.currentNode.data.trim());
  }
  return [...pale];
}"""

#: The first pages that the search finds. Sphinx reads a query from the address of the page.
SEARCHED = """async (page) => {
  const found = () => {
    const links = [...page.querySelectorAll("#search-results li a")];
    return [...new Set(links.map((link) => new URL(link.href).pathname))].slice(0, 3);
  };
  const done = () => page.querySelector("p.search-summary")?.textContent.includes("finished");
  for (let wait = 0; wait < 3000 && found().length < 3 && !done(); wait++)
    await new Promise((after) => setTimeout(after, 20));
  return found();
}"""
#: The same for queries that are typed one after the other: Material indexes its pages when a page is loaded.
TYPED = """async (page, view) => {
  const field = page.querySelector(".md-search__input"), found = [];
  const type = async (value, shown) => {
    field.value = value;
    field.dispatchEvent(new view.Event("keyup"));
    const done = () => page.querySelector(".md-search-result__meta").textContent.includes(shown);
    for (let wait = 0; wait < 3000 && !done(); wait++) await new Promise((after) => setTimeout(after, 20));
  };
  for (const words of %s) {
    await type("", "Type to start");
    await type(words, "matching");
    const links = [...page.querySelectorAll(".md-search-result__link")];
    found.push([...new Set(links.map((link) => new URL(link.href).pathname))].slice(0, 3));
  }
  return found;
}"""

#: Queries that a reader wrote down, and the page that answers each, decided before the searches were run.
QUERIES = {
    "exclude page from sitemap": {"/which-pages/"},
    "lastmod wrong date": {"/dates/"},
    "sitemap empty on read the docs": {"/missing-sitemap/"},
    "couldn't fetch sitemap": {"/search-console/"},
    "multiple languages hreflang": {"/languages/"},
    "how long does it take": {"/search-console/"},
    "remove old versions from google": {"/versions/"},
    "robots.txt github pages project": {"/github-pages/"},
    "change canonical domain": {"/moving/"},
    "sitemap index": {"/large-sites/"},
    "sitemap shows build date": {"/dates/"},
    "private pages": {"/private-pages/"},
    "staging site noindex": {"/staging/"},
    "uninstall": {"/stability/"},
    "shallow clone": {"/dates/"},
    "pip install": {"/"},
    "no lastmod in ci": {"/dates/"},
    "fetch-depth": {"/dates/"},
    "mike": {"/mike/"},
    "change date format": {"/dates/"},
    "pdf files in sitemap": {"/large-sites/"},
    "duplicate pages trailing slash": {"/addresses/"},
    "ignore commit formatting": {"/dates/"},
    "pre-commit": {"/audit/"},
    "fail the build": {"/audit/"},
    "custom domain": {"/moving/", "/github-pages/", "/gitlab-pages/", "/netlify/", "/cloudflare-pages/"},
    "sphinx-sitemap migrate": {"/switching/"},
    "last updated date in footer": {"/dates/"},
    "priority changefreq": {"/options/"},
    "google search console submit": {"/search-console/"},
    "draft pages": {"/which-pages/"},
    "page not indexed": {"/which-pages/"},
    "docker no git": {"/docker/"},
    "monorepo": {"/any-folder/"},
    "llms.txt": {"/audit/"},
    "speed slow build": {"/speed/"},
    "hugo": {"/generators/"},
    "docusaurus": {"/generators/"},
    "html_baseurl not set": {"/addresses/", "/missing-sitemap/"},
    "gitlab": {"/gitlab-pages/"},
}
#: At least this many of the queries find their page among the first three.
ANSWERED = 36

#: More queries, which find one of their pages among the first three without an exception.
SEARCHES = {
    "why is my page not listed": {"/which-pages/"},
    "exclude drafts": {"/which-pages/"},
    "RTD stable canonical": {"/read-the-docs/"},
    "lastmod wrong in CI": {"/dates/"},
    "noindex old versions": {"/versions/"},
    "split by section": {"/large-sites/"},
    "hreflang": {"/languages/"},
    "hook to change entries": {"/sphinx/", "/mkdocs/"},
    "GitLab pages": {"/gitlab-pages/"},
    "couldn't fetch": {"/search-console/"},
    "migrate from sphinx-sitemap": {"/switching/"},
    "offline": {"/security/", "/report/", "/"},
    "pages have no lastmod": {"/dates/", "/troubleshooting/"},
    "exclude page": {"/which-pages/"},
    "trailing slash": {"/addresses/"},
    "ignore a rule for one page": {"/audit/"},
    "exit status": {"/commands/"},
    "sarif": {"/audit/"},
    "commit date or author date": {"/dates/"},
    "Docusaurus blog posts": {"/generators/"},
    "submit sitemap to Google": {"/search-console/"},
    "IndexNow key": {"/after-you-deploy/"},
    "baseline of known findings": {"/audit/"},
    "front matter sitemap false": {"/which-pages/", "/options/"},
    "GPTBot": {"/crawlers/", "/robots/"},
    "netlify headers noindex": {"/netlify/"},
}

#: How many texts of the table of rules are cut off at the right.
CUT = """(page) => [...page.querySelectorAll("table")[0].querySelectorAll("tbody td")].filter((cell) => {
  const { right, height } = cell.getBoundingClientRect();
  return right > page.documentElement.clientWidth || !height;
}).length"""

FILTERED = """(page, view) => {
  const field = page.getElementById("rules-words");
  field.value = "Error HREFLANG";
  field.dispatchEvent(new view.Event("input"));
  const rows = [...page.querySelectorAll("table")][0].querySelectorAll("tbody tr");
  return [...rows].filter((row) => row.getBoundingClientRect().height).map((row) => row.textContent);
}"""


#: How many tables are wider than the page, and how many lines of code hide that one can scroll them.
HIDDEN = """(page, view) => {
  const wide = (element) => element.scrollWidth > element.clientWidth;
  const lines = [...page.querySelectorAll(".highlight pre")].filter(wide);
  const scrolls = (line) => {
    const style = view.getComputedStyle(line);
    return style.overflowX === "auto" && style.backgroundAttachment.includes("local");
  };
  return {
    tables: [...page.querySelectorAll(".table-wrapper")].filter(wide).length,
    lines: lines.length,
    hidden: lines.filter((line) => !scrolls(line)).length,
  };
}"""

PAGES = [f"/{file.stem}/" for file in (EXAMPLE / "pages").glob("*.md") if file.stem != "index"]
TEXTS = ["/", "/first-steps/", "/options/", "/commands/", "/github-pages/", "/python/", "/rules/"]
FIRST = ["/first-steps/"]
ASKED = [*QUERIES, *SEARCHES]
SWITCH = ["/switching/"]
COPY = ("copied", 1280, FIRST, COPIED)
PALENESS = ("pale", 1280, TEXTS, PALE)
BOTH = [
    ("width", 400, PAGES, WIDTH),
    PALENESS,
    ("rules", 1280, ["/rules/"], FILTERED),
    ("cut", 390, ["/rules/"], CUT),
]
#: What one run of the browser looks at: a name, the width of the frame, the pages, and the function.
RUNS = {
    ("sphinx", "light"): [*BOTH, COPY, ("contents", 1280, FIRST, CONTENTS), ("phone", 390, SWITCH, HIDDEN)],
    ("mkdocs", "light"): [*BOTH, COPY],
    ("sphinx", "dark"): [PALENESS],
    ("mkdocs", "dark"): [PALENESS],
    ("sphinx", "search"): [("found", 1280, [f"/search/?q={quote(words)}" for words in ASKED], SEARCHED)],
    ("mkdocs", "search"): [("found", 1280, ["/"], TYPED % json.dumps(ASKED))],
}


def look(server: Loopback, profile: Path, host: str, run: str) -> dict[str, Any]:
    """What functions of JavaScript return for the pages that Chromium shows, by their names in RUNS.

    Chromium runs until the page has answered: its virtual time can stand still for ever.
    """
    answered = Event()

    def take(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(204)
        handler.end_headers()
        answered.set()

    server.serve_folder(SITES[host])
    if run != "search":  # else Material indexes it for each page
        server.answer.pop("/search/search_index.json", None)
    looks = (f"[{json.dumps(values)[1:-1]}, {function}]" for *values, function in RUNS[host, run])
    server.serve("/frame.html", (FRAME % ", ".join(looks)).encode(), Content_Type="text/html")
    server.answer["/shown"] = take
    flags = [flag for flag in FLAGS if "virtual-time" not in flag]
    flags += ["--remote-debugging-port=0", f"--user-data-dir={profile}"]
    flags += [f"--blink-settings=preferredColorScheme={int(run != 'dark')}", "--window-size=1330,950"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([CHROMIUM, *flags, server.url("/frame.html")], **quiet) as browser:
        has_answered = answered.wait(HANGS)
        browser.kill()
    assert has_answered
    return next(json.loads(body) for _, path, _, body in server.requests if path == "/shown")


@needs_chromium
@pytest.mark.parametrize(("host", "run"), RUNS)
def test_what_a_browser_shows(loopback: Loopback, tmp_path: Path, host: str, run: str) -> None:
    """The search answers the queries of readers; texts have contrast, and no page scrolls sideways.

    The table of rules is read on a phone, and filtered; Furo shows the contents of a page on a laptop,
    and scrolls long lines on a phone. The button of a code block copies commands without their prompt.
    """
    shown = look(loopback, tmp_path / "profile", host, run)
    if run == "search":
        found = list(shown["found"].values())
        if host == "mkdocs":
            (found,) = found
        answers = dict(zip(ASKED, found, strict=True))
        expected = QUERIES | SEARCHES
        missed = {words: pages for words, pages in answers.items() if not expected[words] & set(pages)}
        assert len(QUERIES) == 40
        assert len(QUERIES) - len(missed.keys() & QUERIES.keys()) >= ANSWERED, missed
        assert missed.keys() - QUERIES.keys() == set(), missed
        last = [[page in ("/contributing/", "/changelog/") for page in pages] for pages in found]
        assert last == [sorted(pages) for pages in last]
        return
    assert {page: pale for page, pale in shown["pale"].items() if pale} == {}
    if run == "dark":
        return
    assert len(PAGES) > 20
    assert {page: width for page, width in shown["width"].items() if width > 400} == {}
    assert shown["cut"] == {"/rules/": 0}
    errors = (rule.id for rule in audit_rules().values() if rule.severity == "error")
    wanted = [name for name in errors if name.startswith("hreflang-")]
    (rows,) = shown["rules"].values()
    assert len(rows) == len(wanted) > 5
    assert all(any(name in row for row in rows) for name in wanted)
    if host == "sphinx":
        assert shown["contents"] == {"/first-steps/": True}
        (phone,) = shown["phone"].values()
        assert phone["lines"] > 1
        assert phone == {"tables": 0, "lines": phone["lines"], "hidden": 0}
    (copied,) = shown["copied"].values()
    assert "git clone https://github.com/encode/httpx\ncd httpx" in copied[0]
    assert [text for text in copied if "$" in text or "INFO" in text] == []
