"""What decides about a page, in which order, and what is reported of it."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from sitemap_docs.config.options import Options
from sitemap_docs.config.patterns import Globs
from sitemap_docs.host_rules import HeaderRule, Headers, Redirects
from sitemap_docs.html.head import Head
from sitemap_docs.listing import page_findings
from sitemap_docs.listing.no_sitemap import of_pages
from sitemap_docs.listing.page_findings import Note
from sitemap_docs.listing.selection import Decision, Selector, duplicate
from sitemap_docs.model import Fact, Page, PageOptions, Reason
from sitemap_docs.programs.host_files import read_redirects
from sitemap_docs.urls.base import Base
from sitemap_docs.webroot import Webroot
from tests.conftest import NOINDEX, REFRESH, canonical, html_page, write

LOC = "https://example.org/docs/a%20b/"
JUDGE = Selector(
    base=Base.of("https://example.org/docs/"),
    output=Path("/srv/site"),
    options=Options(excludes=Globs(("out*", "!outside", "!asked"))),
    headers=Headers((HeaderRule("/docs/private/*", noindex=True),)),
)
SPELLED = '<link rel="canonical" href="http://example.org/docs/a%20b/">'
ELSEWHERE = '<link rel="canonical" href="/b/"><link rel="canonical" href="https://Example.org/b/">'
TWO_PAGES = '<link rel="canonical" href="/b/"><link rel="canonical" href="/c/">'
CONTRADICTION = f'<link rel="canonical" href="/b/"><link rel="canonical" href="{LOC}">'
BASED = '<base href="/docs/"><link rel="canonical" href="a%20b/">'
BASED_REFRESH = '<base href="/docs/"><meta http-equiv="refresh" content="9; url=a b/">'
SPELLING = Note(page_findings.canonical_spelling, LOC, "http://example.org/docs/a%20b/")
BOTH = (SPELLING, Note(page_findings.noindex_not_rendered, LOC, "robots"))


def page(folder: Path, head: str, **more: object) -> Page:
    file = write(folder, {"a.html": html_page(head)}) / "a.html"
    return Page(**{"path": "a b/", "file": file} | more)


LONG = "é" * 337
CLOSED = {"facts": frozenset({Fact.UNREADABLE})}
GENERATED = {"facts": frozenset({Fact.GENERATED})}
LISTED, UNLISTED = PageOptions(listed=True), PageOptions(listed=False)
TO_B = {"detail": "/b/", "target": "https://example.org/b/"}
BY_HEADERS = {"reason": Reason.NOINDEX, "detail": "_headers: /docs/private/*"}
HIDDEN = {"options": PageOptions(noindex=True)}
EXCLUDED = {"reason": Reason.EXCLUDED, "detail": "out*"}


def barred(detail: str, problem: str) -> dict[str, object]:
    notes = (Note(page_findings.unreadable_page, LOC, problem),)
    return {"reason": Reason.UNREADABLE, "detail": detail, "notes": notes}


def removed(path: str) -> dict[str, object]:
    notes = (Note(page_findings.page_removed, JUDGE.base.loc(path), ""),)
    return {"reason": Reason.UNREADABLE, "detail": "No such file or directory", "notes": notes}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        pytest.param({"options": UNLISTED, "names": ("out",)}, {"reason": Reason.META}, id="itself"),
        pytest.param({"names": ("out",)}, EXCLUDED, id="a glob"),
        pytest.param({"names": ("out",), "options": LISTED}, EXCLUDED, id="a glob against it"),
        pytest.param({"names": ("out",)} | GENERATED, EXCLUDED, id="a glob before the host"),
        pytest.param(GENERATED, {"reason": Reason.GENERATED}, id="the host"),
        pytest.param(CLOSED, barred("", "a link out of the site, no file, or no permission"), id="closed"),
        pytest.param({"path": "private/x/"}, BY_HEADERS, id="the server's headers"),
        pytest.param({"path": "b;jsessionid=1A/"}, {"reason": Reason.SESSION}, id="a session id"),
        pytest.param({"path": "b;n=1/", "file": "gone"}, removed("b;n=1/"), id="another parameter"),
        pytest.param({"path": LONG, "file": "gone"}, removed(LONG), id="no longer than allowed"),
        pytest.param(
            {"path": f"{LONG}a"},
            {
                "reason": Reason.TOO_LONG,
                "detail": "2,048 characters",
                "notes": (Note(page_findings.address_too_long, f"{JUDGE.base.loc(LONG)[:80]}…", "2,048"),),
            },
            id="too long in escapes",
        ),
        pytest.param({"file": "gone.html"}, removed("a b/"), id="no file"),
        pytest.param(
            {"file": os.devnull},
            barred(*["Not a file, but a folder, a pipe or a device"] * 2),
            id="no regular file",
        ),
    ],
)
def test_what_speaks_before_the_head(tmp_path, more, said) -> None:
    left_out = page(tmp_path, NOINDEX, **more)
    decision = JUDGE(left_out)._replace(head=None)
    assert decision == Decision(page=left_out, loc=JUDGE.base.loc(left_out.path), **said)


@pytest.mark.parametrize(
    ("head", "more", "said"),
    [
        pytest.param(NOINDEX, {}, {"reason": Reason.NOINDEX}, id="noindex"),
        pytest.param(NOINDEX, HIDDEN, {"reason": Reason.NOINDEX}, id="noindex, as asked"),
        pytest.param(NOINDEX, {"options": LISTED} | GENERATED, {"reason": Reason.NOINDEX}, id="whoever asks"),
        pytest.param(REFRESH.format("/b/"), {}, {"reason": Reason.REDIRECT} | TO_B, id="redirect"),
        pytest.param(REFRESH.format("/b/"), {"path": "../b/"}, {}, id="reload"),
        pytest.param(ELSEWHERE, {}, {"reason": Reason.CANONICAL} | TO_B, id="canonical"),
        pytest.param(TWO_PAGES, {}, {}, id="two other pages"),
        pytest.param(SPELLED, {}, {"notes": (SPELLING,)}, id="spelling"),
        pytest.param(CONTRADICTION, {}, {}, id="itself and another page"),
        pytest.param(BASED, {}, {}, id="against the page's own base"),
        pytest.param(BASED_REFRESH, {}, {}, id="a reload against the page's own base"),
        pytest.param(SPELLED, HIDDEN, {"reason": Reason.NOINDEX, "notes": BOTH}, id="not rendered noindex"),
        pytest.param(SPELLED, {"names": ("asked",)} | GENERATED, {"notes": (SPELLING,)}, id="taken back in"),
    ],
)
def test_what_a_head_decides(tmp_path, head, more, said) -> None:
    read = page(tmp_path, head, **more)
    loc = JUDGE.base.loc(read.path)
    assert JUDGE(read)._replace(link="", head=None) == Decision(page=read, loc=loc, **said)


def test_an_ordinary_page(tmp_path: Path) -> None:
    ordinary = page(tmp_path, "")
    decision = JUDGE(ordinary)
    assert decision == Decision(page=ordinary, loc=LOC, head=Head())
    note = Note(page_findings.duplicate_address, LOC, str(ordinary.file))
    assert duplicate(decision) == decision._replace(reason=Reason.DUPLICATE, notes=(note,))


def test_of_several_spellings_the_first_is_reported(tmp_path: Path) -> None:
    decision = JUDGE(page(tmp_path, SPELLED + SPELLED.replace("http:", "https:").replace("org", "org:443")))
    assert decision.notes == (SPELLING,)
    assert duplicate(decision).notes[0] == SPELLING


@pytest.mark.parametrize(
    "read",
    [lambda path: Webroot.at(path, JUDGE.base).readable_redirects, read_redirects],
    ids=["a build", "an audit"],
)
def test_a_page_that_the_host_redirects(tmp_path: Path, read: Callable[[Path], Redirects]) -> None:
    (tmp_path / "_redirects").write_text("/docs/moved/ /docs/new/ 301!\n/docs/kept/ /docs/new/ 301\n")
    select = replace(JUDGE, output=tmp_path, redirects=read(tmp_path))
    for path, reason in (("moved/", Reason.REDIRECT), ("kept/", None)):
        decision = select(page(tmp_path, "", path=path), Head())
        assert (decision.loc, decision.reason) == (JUDGE.base.loc(path), reason)
        assert ("the host redirects to /docs/new/" in decision.detail) is (reason is not None)


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        pytest.param("", None, id="the host serves it at both addresses"),
        pytest.param("a", Reason.CANONICAL, id="a file without an ending"),
        pytest.param("b.html", None, id="another page"),
    ],
)
@pytest.mark.parametrize("links", ["auto", "files"])
def test_a_canonical_link_in_another_style(tmp_path, other, reason, links) -> None:
    if other:
        (tmp_path / other).write_text("")
    url = "https://example.org/docs/a"
    select = replace(JUDGE, output=tmp_path, links=links)
    decision = select(page(tmp_path, canonical(url), path="a.html"))
    assert decision.reason is reason
    if reason or links == "files":  # the option wins
        assert (decision.loc, decision.link) == (f"{url}.html", "")
        note = Note(page_findings.canonical_spelling, f"{url}.html", url)
        assert decision.notes == (() if reason else (note,))
    else:
        assert (decision.loc, decision.link, decision.notes) == (url, "otherwise", ())
        assert decision.page.names == ("a",)


def test_the_canonical_link_that_the_host_renders(tmp_path: Path) -> None:
    link = canonical("https://example.org/stable/a%20b/")
    assert JUDGE(page(tmp_path, link)).reason is Reason.CANONICAL
    rendered = replace(JUDGE, canonical=Base.of("https://example.org/stable/"))
    assert rendered(page(tmp_path, link)).reason is None


def test_a_template_is_left_out(tmp_path: Path) -> None:
    template = page(tmp_path, "")
    Path(template.file).write_text("<div>{% block content %}</div>")
    assert JUDGE(template).reason is Reason.TEMPLATE


STABLE = '<link rel="canonical" href="https://example.org/stable/a/">'
STABLE_BASE = '<base href="https://example.org/stable/b/"><link rel="canonical" href="../a/">'
INSIDE = '<link rel="canonical" href="/docs/b/">'
OWN_BASE = '<base href="https://example.org/docs/"><link rel="canonical" href="a%20b/">'


@pytest.mark.parametrize(
    ("heads", "more", "elsewhere"),
    [
        pytest.param([STABLE, STABLE], {}, True, id="every page"),
        pytest.param([STABLE_BASE, STABLE_BASE], {}, True, id="every page, with a <base href>"),
        pytest.param([STABLE, SPELLED], {}, False, id="one page links to itself"),
        pytest.param([STABLE, OWN_BASE], {}, False, id="one page links to itself, with a <base href>"),
        pytest.param(
            [STABLE, '<link rel="canonical" href="/docs/b/">'], {}, False, id="one page stays inside"
        ),
        pytest.param([STABLE, ""], {}, False, id="one page has no link"),
        pytest.param([STABLE, REFRESH.format("/stable/")], {}, True, id="one page redirects"),
        pytest.param([STABLE, NOINDEX], {}, True, id="one page has a noindex"),
        pytest.param([STABLE, ""], {"options": UNLISTED}, False, id="only pages that the project leaves out"),
        pytest.param([SPELLED, STABLE], GENERATED, False, id="only pages that are left out"),
    ],
)
def test_a_version_that_links_to_another_one(tmp_path, heads, more, elsewhere) -> None:
    select = replace(JUDGE, output=tmp_path)
    pages = [page(tmp_path / str(number), head, **more) for number, head in enumerate(heads)]
    why = of_pages(map(select, pages), JUDGE.base, "the theme")
    assert (why is not None) is elsewhere
    if why:
        expected = "https://example.org/stable/a/"
        assert f"below {JUDGE.base.url} lead to {expected}, by the theme" in why.words
