"""The file behind an address, and where old addresses lead, from what hosts read and generators write."""

import os
from pathlib import Path

import pytest

from sitemap_docs.host_rules import Outcome
from sitemap_docs.hosting import find_hosting
from sitemap_docs.html.head import Head
from sitemap_docs.model import SitemapError
from sitemap_docs.programs.host_files import read_headers, read_redirects
from sitemap_docs.sitemap.reader import parse
from sitemap_docs.urls.base import Base, resolve
from sitemap_docs.urls.hosts import Platform
from sitemap_docs.urls.link_styles import address
from sitemap_docs.webroot import FolderVisitor, Webroot, find_refresh_target, open_visitor
from tests.conftest import NOINDEX, REFRESH, command, git, html_page, passed, urlset, write

ROOT = Base.of("https://docs.example.org/")
NAMES = ["index.html", "a.html", "b/index.html", "g/Index.html", "h.html.html", "i.j.html"]
NAMES += ["c.htm", "d.HTML", "e/index.htm", "f.xhtml"]


@pytest.mark.parametrize("links", ["folders", "files", "clean", "bare"])
@pytest.mark.parametrize("name", NAMES)
def test_the_address_of_a_file_leads_to_it(tmp_path, links, name):
    write(tmp_path, {name: ""})
    assert Webroot.at(tmp_path, ROOT).file_at(address(name, links)) == name


GUESSED = {  # files, the addresses of a sitemap, and the base at which they are deployed
    "a folder of the base's name": (
        ["index.html", "docs/index.html", "docs/a.html"],
        ["docs/", "docs/docs/", "docs/docs/a.html"],
        "docs/",
    ),
    "the root": (["index.html", "docs/index.html", "docs/a.html"], ["", "docs/", "docs/a.html"], ""),
    "of equals the one with another page than the home page": (
        ["index.html", "docs/index.html"],
        ["docs/"],
        "",
    ),
    "the home page alone": (["index.html", "docs/a.html"], ["docs/"], "docs/"),
    "one that is gone": (["index.html", "a.html"], ["x/old/", "x/a.html", "x/"], "x/"),
    "none": (["a.html"], ["b.html"], None),
}


@pytest.mark.parametrize(("names", "paths", "expected"), GUESSED.values(), ids=GUESSED)
def test_the_base_at_which_most_addresses_have_their_files(tmp_path, names, paths, expected):
    write(tmp_path, dict.fromkeys(names, ""))
    for locs in (paths, reversed(paths)):
        built = Webroot.guess(tmp_path, ["mailto:me", "https://", *map(ROOT.url.__add__, locs)])
        assert (built and built.base.url) == (expected if expected is None else ROOT.url + expected)


BASE = Base.of("https://docs.example.org/project/")

UNDERSCORE = """\
# comment
/home              /
/moved             /project/new/#top   302
/forced            /new                301!
/google            https://www.example.com/
/gone              /gone.html          410
/news/*            /blog/:splat
/y/:year/p/:slug   /:slug-:year
/r%C3%A9sum%C3%A9  /cv                 # a note
https://old.example.org/a  /b
/store id=:id      /shop/:id           301
/land              /de                 302 Country=de
/app/*             /app/index.html     200
/broken
not a rule at all
/news/late         /never
"""


FOUND = {
    "/home": Outcome("redirected", "/"),  # plain
    "/home/": Outcome("redirected", "/"),  # a slash more
    "/google": Outcome("redirected", "https://www.example.com/"),  # away
    "/gone": Outcome("lost"),  # 410
    "/news/2024/a": Outcome("redirected", "/blog/2024/a"),  # a splat
    "/news": Outcome("redirected", "/blog/"),  # a splat of nothing
    "/news/late": Outcome("redirected", "/blog/late"),  # the first match holds
    "/newspaper": None,  # not below the splat
    "/y/2024/p/a-b": Outcome("redirected", "/a-b-2024"),  # placeholders
    "/y/2024/p/a/b": None,  # a placeholder is one segment
    "/r%c3%a9sum%C3%A9": Outcome("redirected", "/cv"),  # percent-encoding
    "/a": None,  # another host's rule
    "https://OLD.example.org/a": Outcome("redirected", "/b"),  # that host
    "/store": None,  # with a query only
    "/land": None,  # for some visitors only
    "/app/x/y": Outcome("served"),  # a rewrite
}


@pytest.mark.parametrize(("url", "found"), FOUND.items())
def test_underscore_redirects(tmp_path: Path, url: str, found: Outcome | None) -> None:
    """https://docs.netlify.com/routing/redirects/redirect-options/."""
    (tmp_path / "_redirects").write_text(UNDERSCORE, encoding="utf-8")
    loc = url if url.startswith("https") else "https://docs.example.org" + url
    assert read_redirects(tmp_path).find(loc) == found


NETLIFY = """\
redirects = [
  {from = "/project/a/*", to = "/project/b/:splat", status = 302},
  {from = "/project/c", to = "/", conditions = {Country = ["de"]}},
  {from = "/project/d", to = "/e", query = {id = ":id"}},
  {from = "/project/f", to = "/g", status = "301"},
  {from = "/project/h", to = "/i", status = {}},
  {to = "/nowhere"},
]
[build]
publish = "site"
"""


FOUND_BY_TABLE = {
    "a/x": Outcome("redirected", "/project/b/x"),  # a splat
    "c": None,  # a condition
    "d": None,  # a query
    "f": Outcome("redirected", "/g"),  # a status that is a text
    "h": Outcome("redirected", "/i"),  # a status that is none
}


@pytest.mark.parametrize(("path", "found"), FOUND_BY_TABLE.items())
def test_netlify_toml(tmp_path: Path, path: str, found: Outcome | None) -> None:
    (tmp_path / "netlify.toml").write_text(NETLIFY)
    assert read_redirects(tmp_path / "netlify.toml").find(BASE.url + path) == found


UNREADABLE = [
    pytest.param("netlify.toml", b"[[", "cannot be read", id="TOML"),
    pytest.param("_redirects", b"\xff\xfe", "Save it as UTF-8", id="not UTF-8"),
    pytest.param("conf.py", b"", "Pass a file called _redirects or netlify.toml", id="not of a host"),
    pytest.param("_redirects", None, "No such file or directory. Check the path", id="nothing there"),
    pytest.param("netlify.toml", None, "No such file or directory. Check the path", id="no TOML there"),
]


@pytest.mark.parametrize(("name", "data", "words"), UNREADABLE)
def test_what_cannot_be_read_is_named(tmp_path: Path, name: str, data: bytes | None, words: str) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(SitemapError, match=words) as raised:
        read_redirects(tmp_path / name)
    assert name in str(raised.value)


def test_redirects_without_permission(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    file = write(tmp_path, {"_redirects": "/a /b"}) / "_redirects"
    file.chmod(0)
    with pytest.raises(SitemapError, match=r"Permission denied\. Check the path and the permissions"):
        read_redirects(file)


def test_the_redirects_of_a_folder_come_from_all_its_redirect_files(tmp_path: Path) -> None:
    for name, text in {"_redirects": "/a /b", "netlify.toml": NETLIFY, "conf.py": "redirects = 3"}.items():
        (tmp_path / name).write_text(text)
    assert [rule.path for rule in read_redirects(tmp_path).rules][:2] == ["/a", "/project/a/*"]


def test_pages_know_before_rules_that_are_not_forced(tmp_path: Path) -> None:
    forced = "/project/forced.html /a 301!\n/* /en/:splat 302\n/project/late /b 301!\n"
    pages = {"stub.html": REFRESH.format("new.html"), "there.html": NOINDEX, "forced.html": NOINDEX}
    pages["clock.html"] = '<meta http-equiv="refresh" content="60">'  # it reloads itself
    built = Webroot.at(write(tmp_path, {**pages, "_redirects": forced}), BASE)
    rules = read_redirects(tmp_path)
    assert rules.find(f"{BASE.url}there.html", existing=True) is None
    assert rules.find(f"{BASE.url}forced.html", existing=True) == Outcome("redirected", "/a")
    find = open_visitor(built).find_outcome
    assert find(f"{BASE.url}stub.html") == Outcome("redirected", "new.html")
    assert find(f"{BASE.url}there.html") == find(f"{BASE.url}clock.html") == Outcome("served")
    assert find(f"{BASE.url}forced.html") == Outcome("redirected", "/a")
    assert find(f"{BASE.url}gone.html") == Outcome("redirected", "/en/project/gone.html")
    assert find(f"{BASE.url}late") == Outcome("redirected", "/en/project/late")
    (tmp_path / "_redirects").unlink()
    assert open_visitor(Webroot.at(tmp_path, BASE)).find_outcome(f"{BASE.url}gone.html") == Outcome("lost")
    assert open_visitor(None).find_outcome(f"{BASE.url}gone.html") == Outcome("")


@pytest.mark.parametrize("links", ["folders", "files", "clean", "bare"])
def test_a_page_that_reloads_its_own_file_is_no_redirect_for_any_command(here: Path, links: str) -> None:
    targets = {"a.html": "a.html", "b/index.html": "b/index.html", "moved.html": "b/"}
    for file, target in targets.items():
        write(here, {f"site/{file}": html_page(REFRESH.format(f"/project/{target}"))})
    built = passed("build", "site", "--base-url", BASE.url, "--links", links, "--lastmod", "none")
    assert "2 pages listed, 1 left out (1 redirect)" in built.out
    locs = [f"{BASE.url}{address(file, links)}" for file in targets]
    text = (here / "site/sitemap.xml").read_text()
    assert [f"<loc>{loc}</loc>" in text for loc in locs] == [True, True, False]
    (here / "site/sitemap.xml").write_text(urlset(*locs))  # Another program may list the redirect.
    findings = command("check", "site", "--base-url", BASE.url, "--json").data["findings"]
    sources = [each["file"] for each in findings if each["rule"] == "redirect-source-listed"]
    assert sources == ["moved.html"]
    find = open_visitor(Webroot.at(here / "site", BASE)).find_outcome
    assert [find(loc).kind for loc in locs] == ["served", "served", "redirected"]


def test_a_refresh_to_an_address_that_two_files_may_have_is_a_redirect(tmp_path: Path) -> None:
    head = Head(refresh="/project/a")
    file = write(tmp_path, {"a.html": ""}) / "a.html"
    assert find_refresh_target(head, f"{BASE.url}a.html", file, BASE, tmp_path) == ""
    write(tmp_path, {"a/index.html": ""})
    assert find_refresh_target(head, f"{BASE.url}a.html", file, BASE, tmp_path) == f"{BASE.url}a"


VISITS = {  # the address, what visitors get, and where the last redirect leads
    "page.html": ("served", "page.html"),
    "moved.html": ("redirected", "page.html"),
    "forced.html": ("lost", "forced.html"),
    "page/": ("redirected", "page.html"),
    "same.html": ("served", "same.html"),
    "circle": ("redirected", None),
    "missing": ("lost", "missing"),
    "https://other.example/moved": ("", "https://other.example/moved"),
}


@pytest.mark.parametrize(("url", "found"), VISITS.items(), ids=VISITS)
def test_a_visitor_follows_rules_and_pages(tmp_path: Path, url: str, found: tuple[str, str | None]) -> None:
    rules = "/project/forced.html /404 410!\n/project/page/ /project/page 301\n/moved /project/page.html\n"
    rules += "/project/same.html /project/same.html?from=old#top 301!\n/project/circle /project/circle2\n"
    rules += "/project/circle2 /project/circle\n/project/page /project/page.html 301!\n"
    pages = dict.fromkeys(("page.html", "forced.html", "same.html"), "<title>A</title>")
    pages["moved.html"] = REFRESH.format("page.html#part")
    built = Webroot.at(write(tmp_path, {**pages, "_redirects": rules}), BASE)
    visitor = FolderVisitor(webroot=built, redirects=built.redirects, is_ours=BASE.contains)
    kind, last = found
    loc = resolve(BASE.url, url)
    end = visitor.find_end(loc)
    assert visitor.visit(loc).outcome.kind == kind
    assert (end and end.url) == (last and resolve(BASE.url, last))


@pytest.mark.parametrize(
    ("url", "stops"),
    [
        pytest.param("a.html", ["a.html", "a"], id="a page"),
        pytest.param("b/index.html", ["b/index.html", "b/"], id="the page of a folder"),
        pytest.param("moved.html", ["moved.html", "moved", "a"], id="then the page redirects"),
        pytest.param("forced.html", ["forced.html", "b/"], id="a rule comes first"),
        pytest.param("gone.html", ["gone.html"], id="no page"),
    ],
)
def test_a_visitor_knows_a_host_that_drops_html(tmp_path: Path, url: str, stops: list[str]) -> None:
    """https://developers.cloudflare.com/pages/configuration/serving-pages/."""
    base = Base.of("https://x.pages.dev/")
    pages = dict.fromkeys(("a.html", "b/index.html", "forced.html"), "<title>A</title>")
    pages["moved.html"] = REFRESH.format("a")
    write(tmp_path, {**pages, "_redirects": "/forced /b/ 301"})
    visitor = open_visitor(Webroot(tmp_path, find_hosting(Platform(), base)))
    visits = visitor.follow(base.loc(url))
    assert [visit.url.removeprefix(base.url) for visit in visits] == stops
    assert [visit.drops_html for visit in visits[:1]] == [url not in {"forced.html", "gone.html"}]


def test_a_host_drops_html_once(tmp_path: Path) -> None:
    """The address of ``w.html.html`` is ``/w.html``, also for a build and a check."""
    base = "https://x.pages.dev/"
    write(tmp_path, dict.fromkeys(("index.html", "w.html.html"), "<title>A</title>"))
    visitor = open_visitor(Webroot(tmp_path, find_hosting(Platform(), Base.of(base))))
    visits = visitor.follow(f"{base}w.html.html")
    assert [visit.url.removeprefix(base) for visit in visits] == ["w.html.html", "w.html"]
    assert visits[-1].outcome == Outcome("served")
    assert visitor.find_outcome(f"{base}w.html", {f"{base}w"}) == Outcome("served")
    done = passed("build", tmp_path, "--base-url", base, "--links", "bare", "--lastmod", "none")
    assert f"<loc>{base}w.html</loc>" in (tmp_path / "sitemap.xml").read_text("utf-8")
    checked = command("check", tmp_path, "--base-url", base)
    for rule in ("addresses-redirect", "target-missing"):
        assert rule not in done.err + checked.out


def test_patterns_that_would_try_every_split_are_read_in_one_pass(tmp_path: Path) -> None:
    pattern = "".join(f"/:a{number}-:b{number}" for number in range(40))
    (tmp_path / "_redirects").write_text(f"{pattern}/end /found/:a0/:b39\n/:x:y:z-:z/* /:x.:y.:z.:splat\n")
    rules = read_redirects(tmp_path)
    path = "".join("/" + "-".join("x" * 20) for _ in range(40))
    target = f"/found/{'-'.join('x' * 19)}/x"
    assert rules.find(f"https://docs.example.org{path}/end") == Outcome("redirected", target)
    assert rules.find(f"https://docs.example.org{path}/other") is not None  # the second rule
    assert rules.find("https://docs.example.org/abcd-e/f/g/") == Outcome("redirected", "/ab.c.d.f/g/")
    assert rules.find("https://docs.example.org/ab-e/f") is None


FORCED = """\
http://docs.example.org/*  https://docs.example.org/:splat  301!
/a/        /a                    301!
/a.html    /new/                 302!
/b*        /new/                 301
/docs/*    /index.html           200!
"""


HOST = "docs.example.org"
PAGE = "<!doctype html><html lang=en><title>{}</title><h1>x</h1></html>"


def built(
    site: Path, pages: tuple[str, ...], files: dict[str, str], *flags: str, host: str = HOST
) -> set[str]:
    """The paths that a build of a folder of pages lists."""
    write(site, {name: PAGE.format(name) for name in pages} | files)
    passed("build", site, "--base-url", f"https://{host}/", *flags)
    return {entry.loc.removeprefix(f"https://{host}/") for entry in parse(site / "sitemap.xml").entries()}


def test_a_forced_rule_takes_a_page_away_that_it_does_not_lead_back_to(tmp_path: Path) -> None:
    (tmp_path / "_redirects").write_text(FORCED)
    rules = read_redirects(tmp_path)
    found = [
        rules.elsewhere(f"https://{HOST}/{name}", existing=True) for name in ("a", "a.html", "b", "docs/")
    ]
    assert found == ["", "/new/", "", ""]


CLOUDFLARE = "/ /welcome/ 301\n/features/ /welcome/ 301\n"


ON_CLOUDFLARE = [
    pytest.param({"CF_PAGES": "1"}, HOST, (), {"welcome/"}, id="in its build"),
    pytest.param({}, "project.pages.dev", (), {"welcome/"}, id="by its host"),
    pytest.param({}, HOST, ("--host", "cloudflare-pages"), {"welcome/"}, id="as the option says"),
    pytest.param({}, HOST, (), {"", "features/", "welcome/"}, id="elsewhere"),
]


@pytest.mark.parametrize(("environ", "host", "flags", "expected"), ON_CLOUDFLARE)
def test_redirects_of_cloudflare_win_over_files(tmp_path, monkeypatch, environ, host, flags, expected):
    """https://developers.cloudflare.com/pages/configuration/redirects/."""
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    pages = ("index.html", "features/index.html", "welcome/index.html")
    assert built(tmp_path, pages, {"_redirects": CLOUDFLARE}, *flags, host=host) == expected
    # A sitemap that lists what is redirected is not sound there.
    sitemap = tmp_path / "sitemap.xml"
    sitemap.write_text(sitemap.read_text("utf-8").replace("welcome/", "features/"))
    checked = command("check", tmp_path, "--base-url", f"https://{host}/", *flags)
    assert ("redirect-source-listed" in checked.out) == (len(expected) == 1), checked.out


RULES = """
[build]
base = "docs"
publish = "site"
[[headers]]
for = "/hidden/*"
[headers.values]
X-Robots-Tag = "noindex"
[[headers]]
for = "/b.html"
values = {Cache-Control = "no-store", x-robots-tag = "nofollow"}
[[redirects]]
from = "/a.html"
to = "/b.html"
force = true
"""


ON_NETLIFY = [
    pytest.param({"NETLIFY": "true"}, "site", {"", "b.html"}, id="on Netlify"),
    pytest.param({"NETLIFY": "true"}, "other", None, id="of another site"),
    pytest.param({}, "site", None, id="elsewhere"),
]


@pytest.mark.parametrize(("environ", "publish", "found"), ON_NETLIFY)
def test_netlify_toml_is_read_where_netlify_reads_it(tmp_path, monkeypatch, environ, publish, found):
    git(tmp_path, "init", "-q")
    write(tmp_path, {"netlify.toml": RULES.replace('"site"', f'"{publish}"')})
    (tmp_path / "docs").mkdir()
    monkeypatch.chdir(tmp_path / "docs")
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    pages = ("index.html", "a.html", "b.html", "hidden/c.html")
    unread = {"netlify.toml": RULES}  # Netlify reads none there
    assert built(Path("site"), pages, unread) == (found or {*pages, ""} - {"index.html"})
    assert "No errors or warnings" in command("check", "site", "--base-url", f"https://{HOST}/").out


# --- X-Robots-Tag in _headers ---

FILE = """\
# old versions
/v1/*
  X-Robots-Tag: noindex, follow
/people/:name/
  Cache-Control: no-store
  x-robots-tag: googlebot: none
https://:project.pages.dev/*
  X-Robots-Tag: noindex
/open/*
  X-Robots-Tag: nofollow
/other/
  X-Robots-Tag: someotherbot: noindex
"""
MORE = """\
/*
  X-Robots-Tag: noindex
/movies/:title
  ! X-Robots-Tag
/closed/:name.html
  ! X-Robots-Tag
  X-Robots-Tag: none
"""
OURS = "https://example.org"


HEADERS = [
    pytest.param(FILE, f"{OURS}/people/ada/", "/people/:name/", id="placeholder"),
    pytest.param(FILE, f"{OURS}/people/ada/b/", "", id="a placeholder is one segment"),
    pytest.param(FILE, f"{OURS}/other/", "", id="another crawler"),
    pytest.param(FILE, f"{OURS}/a/", "", id="a preview host's rule is not ours"),
    pytest.param(FILE, "https://docs.pages.dev/a/", "https://:project.pages.dev/*", id="for that host"),
    pytest.param(FILE, "https://a.docs.pages.dev/a/", "", id="a placeholder of a host matches no dot"),
    # https://developers.cloudflare.com/pages/configuration/headers/
    pytest.param(MORE, f"{OURS}/a", "/*", id="the rule for all"),
    pytest.param(MORE, f"{OURS}/movies/alien", "", id="detached"),
    pytest.param(MORE, f"{OURS}/movies/alien.html", "", id="a placeholder matches dots in a path"),
    pytest.param(MORE, f"{OURS}/movies/a/b", "/*", id="but no slash"),
    pytest.param(MORE, f"{OURS}/closed/x.html", "/closed/:name.html", id="detached and attached again"),
]


@pytest.mark.parametrize(("text", "url", "pattern"), HEADERS)
def test_headers(tmp_path: Path, text: str, url: str, pattern: str) -> None:
    (tmp_path / "_headers").write_text(text, encoding="utf-8-sig")
    assert read_headers(tmp_path).noindex(url) == pattern


def test_dates_in_headers(tmp_path: Path) -> None:
    """Dates in ``netlify.toml`` and in ``_headers``, also for ``a.html`` on a host that drops ``.html``."""
    of_headers = "/a\n  X-Robots-Tag: googlebot: unavailable_after: Fri, 25 Jun 2010 15:00:00 PST, nofollow\n"
    of_netlify = """\
[[headers]]
for = "/b/*"
values = {x-robots-tag = "unavailable_after: 2010-06-25"}
"""
    write(tmp_path, {"_headers": of_headers, "netlify.toml": of_netlify})
    headers = read_headers(tmp_path, tmp_path / "netlify.toml", drops_html=True)
    dates = {path: headers.unavailable_after(f"{OURS}{path}") for path in ("/a", "/a.html", "/b/c", "/c")}
    first = ("fri, 25 jun 2010 15:00:00 pst",)
    assert dates == {"/a": first, "/a.html": first, "/b/c": ("2010-06-25",), "/c": ()}
    assert not any(headers.noindex(f"{OURS}{path}") for path in dates)
