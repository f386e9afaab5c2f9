"""The report: its figures, its pictures, and how a browser shows it."""

import os
import re
import shutil
import sys
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from itertools import product, starmap
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag
from lxml import etree

from sitemap_docs.report.figures import TOP, read_checkout, section_of, site_names
from sitemap_docs.report.repository_links import repository_links
from tests import conftest
from tests.audit.cases import lay
from tests.conftest import NOINDEX, command, commit, git, npm_file, passed, sitemapindex, urlset, write

NOW = datetime.now(timezone.utc)
SCHEMES = {"light": 1, "dark": 0}


def in_chromium(test):
    """What a browser shows of the report is the same with each version of Python."""
    return conftest.needs_chromium(pytest.mark.once(test))


def ago(days: int) -> str:
    return (NOW - timedelta(days=days)).isoformat()


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    """A site with pages of three ages, two sections, two versions and findings, in its repository."""
    root = tmp_path_factory.mktemp("report")
    lay(root / "site", "robots-unknown-directive/bad")
    sitemap = root / "site/sitemap.xml"
    for path in ("1.0/", "1.0/api/", "2.0/", "2.0/api/"):
        page = f'<html lang="en"><title>{path}</title><link rel="canonical" href="https://docs.example.org/{path}">'
        write(root, {f"site/{path}index.html": page})
        row = f"<url><loc>https://docs.example.org/{path}</loc></url></urlset>"
        sitemap.write_text(sitemap.read_text().replace("</urlset>", row))
    for name, days in (("index", 30), ("guide", 365), ("about", 3_000)):
        commit(write(root, {f"docs/{name}.md": name}), "docs", date=ago(days), message=f"<Write> {name}")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        report()
    return root


@pytest.fixture
def html(project, tmp_path, monkeypatch) -> str:
    """Its report, in a copy of the project."""
    shutil.copytree(project, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return Path("report.html").read_text(encoding="utf-8")


def report(*flags: str) -> str:
    passed("report", "site", "--source", "docs", "-o", "report.html", *flags)
    return Path("report.html").read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform != "linux", reason="a file's name that is no UTF-8")
def test_names_that_are_no_utf_8(html, tmp_path):
    name = os.fsdecode(b"caf\xe9")
    write(tmp_path, {f"docs/{name}.md": "Café", f"site/{name}/index.html": "<title>Café</title>"})
    git(tmp_path, "checkout", "-q", "-b", f"docs-{name}")
    commit(tmp_path)
    found = report()
    assert "branch <code>docs-caf\\udce9</code>" in found
    assert "docs/<wbr>caf\\udce9.md" in found


@pytest.mark.parametrize("has_record", [False, True])
def test_a_folder_without_a_sitemap_has_no_listed_page(here: Path, has_record: bool) -> None:
    pages = {"index": "", "a": "", "hidden": NOINDEX}
    write(here, {f"site/{name}.html": conftest.html_page(head) for name, head in pages.items()})
    if has_record:
        passed("build", "site", "--base-url", "https://docs.example.org/", "--lastmod", "none")
        (here / "site/sitemap.xml").unlink()
    flags = ["--base-url", "https://docs.example.org/", "--json"]
    reported = command("report", "site", *flags, "-o", "report.html").data
    assert (reported["listed"], reported["dated"]) == (0, 0)
    assert reported["left_out"] == {"no sitemap": 2, "noindex": 1}
    for page in reported["pages"]:
        explained = command("explain", "site", page["loc"], *flags).data
        assert (explained["reason"], explained["detail"]) == (page["status"], page["detail"])


def test_figures(html):
    tree = etree.fromstring(html, etree.HTMLParser())
    tiles = {each.findtext("dt"): "".join(each.find("dd").itertext()) for each in tree.iterfind(".//dl/div")}
    assert tiles["pages listed"] == "7"
    assert "left out" not in tiles, "there is nothing to follow its link to"
    assert tiles["dated"] == "43%"
    check = command("check", "site", "--source", "docs")
    assert "errors" not in tiles, "there are none"
    found = int(tiles["warnings"])
    assert f"{found} warning" in check.out, "counted as check counts them"
    assert f'<span class="badge warning">{found} warning' in html
    assert not re.search(r"<link|<img|<iframe|@import|url\(|\ssrc=", html), "it needs nothing from elsewhere"
    sections = re.findall(r'<section id="(\w+)"', html)
    assert sections[0] == "findings"
    head, branch = git(Path(), "rev-parse", "HEAD").strip(), git(Path(), "branch", "--show-current").strip()
    assert f"branch <code>{branch}</code>, commit <code>{head[:8]}</code></p>" in html
    assert report() == html, "it is the same twice"
    assert "robots-unknown-directive" in html
    (ages,) = tree.iterfind(".//table[@class='bars']")  # and no sections: there is one
    drawn = {"".join(each.find("th").itertext()): each.findtext("td") for each in ages.iterfind("tbody/tr")}
    assert drawn == {"up to 1 month": "1", "6–12 months": "1", "over 5 years": "1"}, "only ages with pages"


def with_a_section() -> str:
    """The report of the project with two pages more, in a section of their own."""
    for name in ("one", "two"):
        write(Path(), {f"site/api/{name}.html": f"<!DOCTYPE html><html><title>{name}</title></html>"})
    command("build", "site", "--source", "docs", "--replace")
    return report()


def test_sections_are_drawn_where_there_is_more_than_one(html):
    assert 'id="sections"' not in html
    _, sections = BeautifulSoup(with_a_section(), "html.parser").select(".bars")
    assert [each.text for each in sections.select("tr")] == ["top level712 months", "api2no date"]


def test_stalest_pages_come_first_with_their_commit(html):
    stale = html[html.index('id="stale"') : html.index('id="freshness"')]
    assert stale.index("About") < stale.index("Guide")
    assert "&lt;Write&gt; about" in stale
    assert "Home" not in stale, "it changed in the last year"


def test_stale_pages_of_one_commit_are_one_row(html):
    for name in ("old0", "old1"):
        Path(f"docs/{name}.md").write_text(name)
        Path(f"site/{name}.html").write_text(f"<!DOCTYPE html><html><title>{name}</title></html>")
    commit(Path(), "docs", message="Move `all`", date=ago(800))
    command("build", "site", "--source", "docs", "--replace")
    found = report()
    (row,) = re.findall(r"<tr><th.*Move `all`.*</tr>", found)
    moved = git(Path(), "log", "-1", "--format=%H").strip()[:8]
    assert f'data-filter="status=listed&amp;text={moved}">1 more</a>' in row
    assert "; 1 unchanged for three" in found


def test_the_404_page_of_the_host_is_not_left_out(html):
    assert 'id="pages"' not in html, "all others are listed"
    page = Path("site/guide/index.html")
    page.write_text(page.read_text().replace("<title>", f"{NOINDEX}<title>", 1))
    command("build", "site", "--source", "docs", "--replace")
    shown = BeautifulSoup(report(), "html.parser").find(id="pages").text
    assert "noindex" in shown
    assert "The 404 page is not counted." in shown
    assert "404 page" not in shown.replace("The 404 page", "")


def test_a_row_for_each_page_as_json(html):
    said = command("report", "site", "--source", "docs", "--json").data
    pages = {each["loc"]: each for each in said["pages"]}
    assert len(pages) == said["listed"] + sum(said["left_out"].values())
    guide = pages["https://docs.example.org/guide/"]
    assert (guide["status"], guide["section"], guide["source"]) == ("listed", TOP, "docs/guide.md")
    assert guide["lastmod"][:10] == ago(365)[:10]
    assert guide["commit"] == git(Path(), "log", "-1", "--format=%H", "docs/guide.md").strip()


def test_no_character_changes_how_the_rest_of_the_report_is_shown(html):
    page = Path("site/guide/index.html")
    page.write_text(re.sub("<title>.*?</title>", "<title>a\u202eb\x1bc\u2066d</title>", page.read_text()))
    shown = report("--source", "docs")
    assert "a\\u202eb\\u001bc\\u2066d" in shown
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e\u2066]", shown)


def test_the_name_of_the_site_is_the_common_end_of_the_page_titles():
    titles = ["A – My-Lib 2.1 docs", "B: c – My-Lib 2.1 docs"]
    assert site_names(titles) == [" – My-Lib 2.1 docs"], "hyphens separate no name"
    assert site_names(["A - B", "C - D", "E - F"]) == []


@pytest.mark.parametrize(
    ("folder", "lang", "section"),
    [
        ("", "", TOP),
        ("de/1.2/api", "de", "de/1.2/api"),
        ("rs/api", "en", "rs"),
        ("latest/de/api/a", "", "latest/de/api"),
        ("1.2", "", "1.2"),
        ("①/api", "", "①"),
    ],
)
def test_languages_and_versions_belong_to_the_name_of_a_section(folder, lang, section):
    assert section_of(folder, lang) == section


def test_the_report_names_the_branch_that_is_checked_out(tmp_path):
    git(tmp_path, "init", "-q", "-b", "trunk")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "Start", date=NOW.isoformat())
    git(tmp_path, "checkout", "-q", "-b", "2.x")
    git(tmp_path, "branch", "z")
    head = git(tmp_path, "rev-parse", "HEAD").strip()
    assert read_checkout(tmp_path, os.environ) == (head, "2.x", None)
    git(tmp_path, "checkout", "-q", "--detach")
    assert read_checkout(tmp_path, os.environ) == (head, "", None)


REPOSITORY = "https://github.com/example/docs"


@pytest.mark.parametrize(
    ("remote", "commit", "file"),
    [
        ("https://github.com/example/docs", f"{REPOSITORY}/commit/c0", f"{REPOSITORY}/blob/c0/a%20b/%25.md"),
        (
            "git@gitlab.example.org:group/sub/docs.git",
            "https://gitlab.example.org/group/sub/docs/-/commit/c0",
            "https://gitlab.example.org/group/sub/docs/-/blob/c0/a%20b/%25.md",
        ),
        (
            "ssh://git@bitbucket.org/example/docs.git/",
            "https://bitbucket.org/example/docs/commits/c0",
            "https://bitbucket.org/example/docs/src/c0/a%20b/%25.md",
        ),
        (
            "http://forgejo.example.org:3000/example/docs",
            "http://forgejo.example.org:3000/example/docs/commit/c0",
            "http://forgejo.example.org:3000/example/docs/src/commit/c0/a%20b/%25.md",
        ),
    ],
)
def test_links_to_commits_and_files(remote, commit, file):
    links = repository_links(remote)
    assert (links.commit("c0"), links.file("c0", "a b/%.md")) == (commit, file)


@pytest.mark.parametrize(
    "remote",
    [
        "https://user:secret@github.com/example/docs.git",
        "https://github.com/example/docs.git/",
        "git@github.com:example/docs.git",
        "git@github.com:/example/docs.git",
        "ssh://git@github.com:22/example/docs",
        "ssh://git@ssh.github.com:443/example/docs.git",
        "git://github.com/example/docs",
    ],
)
def test_all_forms_of_a_remote_have_the_same_web_address(remote):
    assert repository_links(remote).url == REPOSITORY


@pytest.mark.parametrize(
    "remote",
    [
        "",
        "/srv/github.com/docs",
        "C:\\docs",
        "../docs",
        "git@git.example.org:docs",
        "https://[",
        "git@github.com:",
    ],
)
def test_an_unknown_host_has_no_links(remote):
    assert repository_links(remote) is None


def test_commits_and_sources_are_links_to_the_repository(html):
    assert "github.com" not in html
    git(Path(), "remote", "add", "origin", "https://user:secret@github.com/example/docs.git")
    write(Path(), {"docs/new.md": "New", "site/new.html": "<title>New</title>"})  # in no commit
    command("build", "site", "--source", "docs", "--replace")
    found = report()
    assert "secret" not in found
    head = git(Path(), "rev-parse", "HEAD").strip()
    guide_commit = git(Path(), "log", "-1", "--format=%H", "docs/guide.md").strip()
    guide = rows(found)["guide/"]
    assert guide.select_one(".commit a")["href"] == f"{REPOSITORY}/commit/{guide_commit}"
    assert guide.select_one(".source a")["href"] == f"{REPOSITORY}/blob/{head}/docs/guide.md"
    new = rows(found)["new.html"]
    assert new.select_one(".source").get_text() == "docs/new.md"
    assert not new.select(".source a"), "the link would lead to a 404 error"
    shown = BeautifulSoup(found, "html.parser")
    assert shown.select_one("#stale small a")["href"] == rows(found)["about/"].select_one(".commit a")["href"]
    assert shown.select_one("header p a[href*=github]")["href"] == f"{REPOSITORY}/commit/{head}"


def test_the_title_has_the_name_of_the_site(here):
    def title() -> tuple[str, str]:
        passed("report", "site", "--base-url", "https://docs.example.org/")
        shown = BeautifulSoup(Path("report.html").read_text(encoding="utf-8"), "html.parser")
        return shown.title.get_text(), shown.h1.get_text()

    write(here, {"site/a.html": "<!DOCTYPE html><html></html>"})
    address = "https://docs.example.org/"
    assert title() == (f"{address}: sitemap report", address)
    write(here, {"site/index.html": "<!DOCTYPE html><title>A &amp; B</title>"})
    assert title() == ("A & B: sitemap report", "A & B")
    for name in ("a", "b", "c"):
        write(here, {f"site/{name}.html": f"<!DOCTYPE html><title>{name} - Widgets</title>"})
    assert title() == ("Widgets: sitemap report", "Widgets")


def rows(html: str) -> dict[str, Tag]:
    """The rows of the list of pages by the address that they show."""
    found = BeautifulSoup(html, "html.parser").select("#all-pages tbody tr")
    return {each.small.get_text(): each for each in found}


def facts(row: Tag) -> dict[str, str]:
    """The cells of a row by their class, as text."""
    return {cell["class"][0]: cell.get_text() for cell in row.find_all("td")}


def test_the_list_has_each_page_with_its_commit_source_and_findings(html):
    found = rows(report())
    head = git(Path(), "log", "-1", "--format=%H", "--", "docs/guide.md").strip()
    guide = facts(found["guide/"])
    assert (guide["commit"], guide["source"]) == (head[:8], "docs/guide.md")
    assert facts(found["404.html"])["status"] == "404 page"
    rules = {link["href"] for row in found.values() for link in row.select(".status a")}
    assert rules
    assert all(f'id="{rule[1:]}"' in html for rule in rules)


def test_sources_are_named_as_the_repository_names_them_wherever_the_command_runs(html, monkeypatch):
    root = Path.cwd()
    monkeypatch.chdir(root / "site")
    passed("report", root / "site", "--source", root / "docs")
    guide = rows(Path("report.html").read_text(encoding="utf-8"))["guide/"]
    assert facts(guide)["source"] == "docs/guide.md"


def test_what_there_is_none_of_has_no_card_no_tile_and_no_column(here):
    """One page without a source, a finding or a section of its own."""
    page = '<!DOCTYPE html><html lang="en"><title>A page of its own</title><h1>Home</h1>'
    write(here, {"site/index.html": page, "quiet.toml": 'check = {select = ["duplicate-loc"]}\n'})
    for name in ("build", "report"):
        passed(name, "site", "--base-url", "https://example.org/", "--config", "quiet.toml")
    shown = BeautifulSoup(Path("report.html").read_text(encoding="utf-8"), "html.parser")
    assert [each["id"] for each in shown.find_all("section")] == ["freshness", "list"]
    tiles = {each.dt.text: each.dd.text for each in shown.select("dl div")}
    assert tiles == {"findings": "0", "pages listed": "1", "dated": "0%"}
    assert [each.text for each in shown.select("#all-pages thead th")] == ["Page", "Status"]


def test_an_address_in_two_sitemaps_counts_once(tmp_path):
    """Without a record of the build."""
    base = "https://example.org/"
    text = urlset(base)
    index = sitemapindex(f"{base}a.xml", f"{base}b.xml")
    page = '<!DOCTYPE html><html lang="en"><title>Home</title>'
    write(tmp_path, {"index.html": page, "sitemap.xml": index, "a.xml": text, "b.xml": text})
    said = command("report", tmp_path, "--base-url", base, "--json", "-o", tmp_path / "report.html")
    assert said.data["listed"] == 1


def test_the_worst_findings_are_open_and_the_rest_is_folded(html):
    opened = r'<details class="severity" id="\w+"( open)?><summary><span class="badge (\w+)'
    assert re.findall(opened, html)[0] == (" open", "warning")
    sitemap = Path("site/sitemap.xml")
    text = sitemap.read_text().replace("<url>", "<url><lastmod>2031-01-01</lastmod>", 1)
    sitemap.write_text(text)
    severities = re.findall(opened, report())
    assert severities[0] == (" open", "error")
    assert {is_open for is_open, severity in severities if severity != "error"} == {""}


FRAMES = """<!doctype html><script>
const answers = [];
addEventListener("message", ({ data, source }) => {
  const frames = Array.from(document.querySelectorAll("iframe"));
  answers[frames.findIndex((each) => each.contentWindow === source)] = data;
  if (Object.keys(answers).length === frames.length) document.body.textContent = JSON.stringify(answers);
})
</script>"""


def asked(
    html: str,
    folder: Path,
    script: str,
    *flags: str,
    widths: Sequence[int] = (1_180,),
    addresses: Sequence[str] = ("page.html",),
) -> list:
    """What an asynchronous function body returns in the page, in frames of some widths or addresses."""
    end = f"""<script>addEventListener("load", async () => {{
      parent.postMessage(await (async () => {{ {script} }})(), "*");
    }})</script></body>"""
    (folder / "page.html").write_text(html.replace("</body>", end), encoding="utf-8")
    frame = folder / "frame.html"
    iframe = '<iframe src="{}" width="{}" height="900" style="border:0"></iframe>'
    frame.write_text(FRAMES + "".join(starmap(iframe.format, product(addresses, widths))))
    return conftest.answered(folder / "profile", *flags, frame.as_uri())


@in_chromium
def test_nothing_is_wider_than_a_phone_and_paths_break_between_words(html, tmp_path):
    long = html.replace("docs/<wbr>guide.md", "docs/<wbr>integrations/<wbr>create-<wbr>deployments.md")
    assert long != html
    script = """
      document.querySelectorAll("details").forEach((each) => { each.open = true });
      const right = (each) => each.getBoundingClientRect().right;
      const wide = (each) => right(each) > innerWidth && !each.closest(".skip");
      const over = (each) => each.matches("dl *") && each.scrollWidth > each.clientWidth;
      const all = Array.from(document.querySelectorAll("body *"));
      const contents = (node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return range;
      };
      const broken = (text) => text.nodeType === 3 && contents(text).getClientRects().length > 1;
      const cells = Array.from(document.querySelectorAll("#all-pages small, #all-pages .source"));
      const words = cells.flatMap((each) => Array.from(each.childNodes)).filter(broken);
      const scrolls = (each) => ["auto", "scroll"].includes(getComputedStyle(each).overflowY);
      const list = document.getElementById("list").getBoundingClientRect();
      const about = (each) => each.textContent.includes("guide/");
      const row = Array.from(document.querySelectorAll("#all-pages tbody tr")).find(about);
      const facts = Array.from(row.querySelectorAll("td"), (each) => [
        right(each) <= innerWidth && each.className, getComputedStyle(each, "before").content,
        contents(each).getBoundingClientRect().height < 30,  // on one line
      ]);
      return [
        innerWidth,
        all.filter((each) => wide(each) || over(each)).map((each) => each.outerHTML),
        words.map((each) => each.textContent),
        all.filter(scrolls).length,
        list.width > 0.93 * innerWidth && list.height >= innerHeight,
        facts,
      ]
    """
    widths = [360, 390, 1_280]
    names = {"status": "Status", "changed": "Changed", "commit": "Commit", "source": "Source"}
    # On a phone, each page is a card. On a screen, the long source is on one line.
    card = [[name, f'"{head}"', name != "source"] for name, head in names.items()]
    row = [[name, "none", True] for name in names]
    assert asked(long, tmp_path, script, widths=widths) == [
        [width, [], [], 0, True, facts] for width, facts in zip(widths, (card, card, row), strict=True)
    ]


COVERED = """
  const box = (each) => each.getBoundingClientRect();
  const right = Math.round(box(document.getElementById("list")).right);
  const cards = Array.from(document.querySelectorAll(".cards section"), box);
  const end = (card) => {
    const beside = cards.filter((each) => each.top < card.bottom && each.bottom > card.top);
    return Math.round(Math.max(...beside.map((each) => each.right)));
  };
  const figures = Math.round(box(document.querySelector("dl")).right);
  return [cards.length, figures - right, cards.map((each) => end(each) - right)]
"""


@in_chromium
def test_each_row_of_cards_is_as_wide_as_the_list(html, tmp_path):
    widths = [390, 1_280, 1_920]
    assert 'id="stale"' in html
    assert asked(html, tmp_path, COVERED, widths=widths) == [[2, 0, [0] * 2]] * 3


@in_chromium
def test_each_row_of_cards_is_as_wide_as_the_list_for_a_young_site(here):
    """All pages have changed lately, so there is no list of stale pages."""
    head = "<!DOCTYPE html><title>A</title>"
    write(here, {f"site/{name}/index.html": head for name in ("a/1", "a/2", "b/1", "b/2")})
    write(here, {"site/c.html": head + NOINDEX})
    sources = {f"docs/{name}.md": name for name in ("a/1", "a/2", "b/1", "b/2", "c")}
    git(here, "init", "-q")
    commit(write(here, sources), "docs", date=ago(5))
    for name in ("build", "report"):
        passed(name, "site", "--source", "docs", "--base-url", "https://docs.example.org/")
    html = Path("report.html").read_text(encoding="utf-8")
    assert 'id="stale"' not in html
    widths = [390, 1_280, 1_920]
    assert asked(html, here, COVERED, widths=widths) == [[3, 0, [0] * 3]] * 3


@in_chromium
def test_the_list_filters_and_sorts_and_the_address_keeps_the_filter(html, tmp_path):
    """Type, choose, press the heads of columns, follow links of rules, tiles and bars."""
    script = """
      const form = document.getElementById("filters"), found = {};
      const addresses = () => Array.from(document.querySelectorAll("#all-pages tbody small"));
      const shown = () => addresses().map((each) => each.textContent);
      if (location.hash) return [shown(), form.age.value];
      const heads = document.querySelectorAll("#all-pages thead button");
      const set = (name, value) => { form[name].value = value; form.dispatchEvent(new Event("input")); };
      found.all = shown().length;
      found.matches = document.getElementById("matches").textContent;
      set("text", "GUIDE docs/"); found.text = shown(); set("text", "");
      set("status", "left out"); found.out = shown();
      set("status", "404 page"); found.status = shown(); set("status", "");
      heads[2].click(); found.newest = shown()[0]; heads[2].click();
      found.oldest = shown().findLast((each) => each === "about/" || each === "");
      found.sorted = heads[2].parentElement.getAttribute("aria-sort");
      const rule = document.querySelector(document.querySelector("#all-pages .status a").hash);
      const opened = new Promise((done) => rule.addEventListener("toggle", done, { once: true }));
      document.querySelector("#all-pages .status a").click();
      await opened;
      found.opened = [rule.open, rule.parentElement.open];
      const go = (link) => new Promise((done) => {
        const look = () => done([shown().length, location.hash, form.status.value]);
        addEventListener("hashchange", look, { once: true });
        link.click();
      });
      const tile = (name) => Array.from(document.querySelectorAll("dl div"))
        .find((each) => each.querySelector("dt").textContent === name).querySelector("a");
      found.listed = await go(tile("pages listed"));
      found.age = await go(Array.from(document.querySelectorAll("#freshness .bars a")).at(-1));
      found.section = (await go(document.querySelector("#sections .bars a")))[1];
      form.text.value = "guide/"; form.dispatchEvent(new Event("input", { bubbles: true }));
      found.typed = [shown(), location.hash];
      found.warnings = tile(document.querySelector("dt").textContent).hash;
      return found
    """
    html = with_a_section()
    kept = "page.html#list?status=listed&age=1826+1000000"
    found, opened = asked(html, tmp_path, script, addresses=["page.html", kept])
    assert opened == [["about/"], "1826 1000000"]
    total = len(rows(html))
    assert found == {
        "all": total,
        "matches": f"{total} of {total} pages",
        "text": ["guide/"],
        "out": [],
        "status": ["404.html"],
        "newest": "https://docs.example.org/",
        "oldest": "about/",
        "sorted": "descending",
        "opened": [True, True],  # a link to a rule opens it
        "listed": [9, "#list?status=listed", "listed"],
        "age": [1, "#list?status=listed&age=1826+1000000", "listed"],
        "section": "#list?status=listed&section=top+level",
        "typed": [["guide/"], "#list?text=guide%2F&section=top+level&status=listed"],
        "warnings": "#warning",
    }


@in_chromium
def test_of_20_000_pages_those_in_sight_are_in_the_table(html, tmp_path):
    end = "</tbody>\n</table>\n</noscript>"
    row, _, _ = html.partition('id="all-pages"')[2].partition("<tbody>\n")[2].partition("</tr>\n")
    many = html.replace(end, f"{row}</tr>\n" * 20_000 + end)
    script = """
      const count = () => document.querySelectorAll("#all-pages tbody tr").length;
      const before = count();
      scrollTo(0, document.documentElement.scrollHeight);
      dispatchEvent(new Event("scroll"));
      return [before, count(), document.getElementById("matches").textContent]
    """
    [[before, after, matches]] = asked(many, tmp_path, script)
    assert (before, after) == (100, 200)
    assert matches.startswith("20,0")


@pytest.fixture(scope="module")
def axe(tmp_path_factory) -> str:
    """The source of axe-core."""
    return npm_file(tmp_path_factory.mktemp("axe"), "axe-core@4", "axe.min.js").decode("utf-8")


@in_chromium
@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing(html, axe, scheme, tmp_path):
    script = """
      document.querySelectorAll("details").forEach((each) => { each.open = true });
      const { violations, passes } = await axe.run();
      const { incomplete } = await axe.run({ runOnly: ["color-contrast"] });
      const summary = ({ id, nodes: [first] }) => [id, first.html, first.failureSummary];
      return [passes.length, [...violations, ...incomplete].map(summary)]
    """
    colours = f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}"
    page = html.replace("<body>", f"<body><script>{axe}</script>")
    widths = [1_280, 400] if scheme == "light" else [1_280]
    for passes, wrong_or_undecided in asked(page, tmp_path, script, colours, widths=widths):
        assert wrong_or_undecided == []
        assert passes > 20
