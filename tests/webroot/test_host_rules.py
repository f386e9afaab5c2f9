"""Where old addresses lead, from the files that hosts read and from what generators really write."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_docs.cli.main import group
from sitemap_docs.model import SitemapError
from sitemap_docs.programs.host_files import read_redirects
from sitemap_docs.sitemap.reader import parse
from sitemap_docs.urls.base import Base
from sitemap_docs.webroot.host_rules import Outcome, Redirects, finder
from sitemap_docs.webroot.served_files import Webroot
from tests.conftest import git, runner, sphinx_build, write

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


@pytest.mark.parametrize(
    ("url", "found"),
    [
        pytest.param("/home", Outcome("redirected", "/"), id="plain"),
        pytest.param("/home/", Outcome("redirected", "/"), id="a slash more"),
        pytest.param("/google", Outcome("redirected", "https://www.example.com/"), id="away"),
        pytest.param("/gone", Outcome("lost"), id="410"),
        pytest.param("/news/2024/a", Outcome("redirected", "/blog/2024/a"), id="a splat"),
        pytest.param("/news", Outcome("redirected", "/blog/"), id="a splat of nothing"),
        pytest.param("/news/late", Outcome("redirected", "/blog/late"), id="the first match holds"),
        pytest.param("/newspaper", None, id="not below the splat"),
        pytest.param("/y/2024/p/a-b", Outcome("redirected", "/a-b-2024"), id="placeholders"),
        pytest.param("/y/2024/p/a/b", None, id="a placeholder is one segment"),
        pytest.param("/r%c3%a9sum%C3%A9", Outcome("redirected", "/cv"), id="percent-encoding"),
        pytest.param("/a", None, id="another host's rule"),
        pytest.param("https://OLD.example.org/a", Outcome("redirected", "/b"), id="that host"),
        pytest.param("/store", None, id="with a query only"),
        pytest.param("/land", None, id="for some visitors only"),
        pytest.param("/app/x/y", Outcome("served"), id="a rewrite"),
    ],
)
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


@pytest.mark.parametrize(
    ("path", "found"),
    [
        pytest.param("a/x", Outcome("redirected", "/project/b/x"), id="a splat"),
        pytest.param("c", None, id="a condition"),
        pytest.param("d", None, id="a query"),
        pytest.param("f", Outcome("redirected", "/g"), id="a status that is a text"),
        pytest.param("h", Outcome("redirected", "/i"), id="a status that is none"),
    ],
)
def test_netlify_toml(tmp_path: Path, path: str, found: Outcome | None) -> None:
    (tmp_path / "netlify.toml").write_text(NETLIFY)
    assert read_redirects(tmp_path / "netlify.toml").find(BASE.url + path) == found


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        pytest.param("netlify.toml", b"[[", "cannot be read", id="TOML"),
        pytest.param("_redirects", b"\xff\xfe", "Save it as UTF-8", id="not UTF-8"),
        pytest.param("conf.py", b"", "pass _redirects or netlify.toml", id="not of a host"),
        pytest.param("_redirects", None, "cannot be read", id="nothing there"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, name: str, data: bytes | None, words: str) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(SitemapError, match=words) as raised:
        read_redirects(tmp_path / name)
    assert name in str(raised.value)


def test_a_folder_sums_up_its_files(tmp_path: Path) -> None:
    for name, text in {"_redirects": "/a /b", "netlify.toml": NETLIFY, "conf.py": "redirects = 3"}.items():
        (tmp_path / name).write_text(text)
    assert [rule.path for rule in read_redirects(tmp_path).rules][:2] == ["/a", "/project/a/*"]


def test_pages_know_before_rules_that_are_not_forced(tmp_path: Path) -> None:
    (tmp_path / "stub.html").write_text('<meta http-equiv="refresh" content="0; url=new.html">')
    for name in ("there.html", "forced.html"):
        (tmp_path / name).write_text('<meta name="robots" content="noindex">')
    built = Webroot(tmp_path, BASE)
    (tmp_path / "_redirects").write_text("/project/forced.html /a 301!\n/* /en/:splat 302\n")
    rules = read_redirects(tmp_path)
    assert rules.find(f"{BASE.url}there.html", existing=True) is None
    assert rules.find(f"{BASE.url}forced.html", existing=True) == Outcome("redirected", "/a")
    find = finder(rules, built)
    assert find(f"{BASE.url}stub.html") == Outcome("redirected", "new.html")
    assert find(f"{BASE.url}there.html") == Outcome("served")
    assert find(f"{BASE.url}forced.html") == Outcome("redirected", "/a")
    assert find(f"{BASE.url}gone.html") == Outcome("redirected", "/en/project/gone.html")
    assert finder(Redirects(), built)(f"{BASE.url}gone.html") == Outcome("lost")
    assert finder(Redirects(), None)(f"{BASE.url}gone.html") == Outcome("")


def test_stubs_of_sphinx(tmp_path: Path) -> None:
    pytest.importorskip("sphinxext.rediraffe")
    redirects = "rediraffe_redirects = {'old.rst': 'new.rst'}\nrediraffe_branch = ''\n"
    files = {"conf.py": f"extensions = ['sphinxext.rediraffe']\n{redirects}", "new.rst": "New\n===\n"}
    write(tmp_path / "source", files | {"index.rst": "Home\n====\n\n.. toctree::\n\n   new\n"})
    assert sphinx_build("-q", "-b", "dirhtml", str(tmp_path / "source"), str(tmp_path / "site")).code == 0
    found = finder(Redirects(), Webroot(tmp_path / "site", BASE))(f"{BASE.url}old/")
    assert found.kind == "redirected"
    assert "new" in found.target


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


def test_of_many_rules_few_are_tried(tmp_path: Path) -> None:
    (tmp_path / "_redirects").write_text("".join(f"/old-{n:05}/* /new/{n}/:splat\n" for n in range(2_000)))
    rules = read_redirects(tmp_path)
    assert rules.find("https://docs.example.org/old-01711/a") == Outcome("redirected", "/new/1711/a")
    assert len(list(rules.patterns.candidates("/a/11710-dlo/"))) < 50


FORCED = """\
http://docs.example.org/*  https://docs.example.org/:splat  301!
/a/        /a                    301!
/a.html    /new/                 302!
/b*        /new/                 301
/docs/*    /index.html           200!
"""


PAGE = "<!doctype html><html lang=en><title>{}</title><h1>x</h1></html>"


def listed(site: Path) -> set[str]:
    entries = parse(site / "sitemap.xml").entries()
    return {entry.loc.removeprefix("https://docs.example.org/") for entry in entries}


def test_a_folder_lists_no_page_that_a_forced_rule_takes_away(tmp_path: Path) -> None:
    pages = ("index.html", "a.html", "b.html", "new/index.html")
    write(tmp_path, {**{name: PAGE.format(name) for name in pages}, "_redirects": FORCED})
    (tmp_path / "netlify.toml").write_bytes(b"\xff")
    flags = [str(tmp_path), "--base-url", "https://docs.example.org/"]
    assert runner().invoke(group, ["build", *flags]).exit_code == 0
    assert listed(tmp_path) == {"", "b.html", "new/"}
    (tmp_path / "netlify.toml").unlink()
    assert "No errors or warnings" in runner().invoke(group, ["check", *flags]).stdout
    explained = runner().invoke(group, ["explain", *flags[:1], "a.html", *flags[1:]]).stdout
    assert "the host redirects to /new/" in explained


CLOUDFLARE = "/ /welcome/ 301\n/features/ /welcome/ 301\n"


@pytest.mark.parametrize(
    ("environ", "host", "expected"),
    [
        ({"CF_PAGES": "1"}, "docs.example.org", {"welcome/"}),
        ({}, "project.pages.dev", {"welcome/"}),
        ({"named": "cloudflare-pages"}, "docs.example.org", {"welcome/"}),
        ({}, "docs.example.org", {"", "features/", "welcome/"}),
    ],
    ids=["in its build", "by its host", "as the option says", "elsewhere"],
)
def test_redirects_of_cloudflare_win_over_files(tmp_path, monkeypatch, environ, host, expected):
    """https://developers.cloudflare.com/pages/configuration/redirects/."""
    every = ("index.html", "features/index.html", "welcome/index.html")
    write(tmp_path, {**{name: PAGE.format(name) for name in every}, "_redirects": CLOUDFLARE})
    flags = [str(tmp_path), "--base-url", f"https://{host}/"]
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    if "named" in environ:
        flags += ["--host", environ["named"]]
    assert runner().invoke(group, ["build", *flags]).exit_code == 0
    sitemap = tmp_path / "sitemap.xml"
    locs = {entry.loc.removeprefix(f"https://{host}/") for entry in parse(sitemap).entries()}
    assert locs == expected
    # A sitemap that lists what is redirected is not sound there.
    sitemap.write_text(sitemap.read_text("utf-8").replace("welcome/", "features/"))
    output = runner().invoke(group, ["check", *flags]).stdout
    assert ("redirect-source-listed" in output) == (len(expected) == 1), output


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


@pytest.mark.parametrize(
    ("environ", "publish", "found"),
    [
        pytest.param({"NETLIFY": "true"}, "site", {"", "b.html"}, id="on Netlify"),
        pytest.param({"NETLIFY": "true"}, "other", None, id="of another site"),
        pytest.param({}, "site", None, id="elsewhere"),
    ],
)
def test_netlify_toml_is_read_where_netlify_reads_it(tmp_path, monkeypatch, environ, publish, found):
    site = tmp_path / "docs/site"
    every = ("index.html", "a.html", "b.html", "hidden/c.html")
    write(site, {name: PAGE.format(name) for name in every})
    git(tmp_path, "init", "-q")
    (tmp_path / "netlify.toml").write_text(RULES.replace('"site"', f'"{publish}"'))
    (site / "netlify.toml").write_text(RULES)  # which Netlify does not read
    monkeypatch.chdir(tmp_path / "docs")
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    flags = ["site", "--base-url", "https://docs.example.org/"]
    assert runner().invoke(group, ["build", *flags]).exit_code == 0
    assert listed(site) == (found or {*every, ""} - {"index.html"})
    assert "No errors or warnings" in runner().invoke(group, ["check", *flags]).stdout
