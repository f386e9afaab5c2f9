"""The live check against servers that mean harm, and against a staging host."""

from __future__ import annotations

import gzip
import re
import threading
import time

import pytest

from sitemap_docs import web
from sitemap_docs.audit.deployed_site import (
    MAX_PAUSE,
    Answer,
    Limits,
    Visitor,
    retry_delay,
    visit_site,
)
from sitemap_docs.audit.registry import LIVE, settings_of
from sitemap_docs.audit.run import audit
from sitemap_docs.html.head import parse_head
from sitemap_docs.model import SitemapError
from sitemap_docs.robots import MAX_ROBOTS
from sitemap_docs.urls.base import Base
from tests.conftest import Loopback, command, urlset

pytest.importorskip("httpx", reason="the extra `web` is not installed")

PAGE = b'<!doctype html><html lang="en"><head><title>x</title></head><body>x</body></html>'
HTML = {"Content_Type": "text/html"}


def canonical(loc: str) -> bytes:
    return PAGE.replace(b"</head>", f'<link rel=canonical href="{loc}"></head>'.encode())


def sitemap(*locs: str) -> bytes:
    return urlset(*locs).encode()


@pytest.fixture
def site(loopback):
    """A site of one page; tests replace what its server answers."""
    loopback.serve("/robots.txt", b"User-agent: *\nAllow: /\n")
    loopback.serve("/sitemap.xml", sitemap(loopback.url("/a/")), Content_Type="application/xml")
    loopback.serve("/a/", PAGE, **HTML)
    return loopback


def visit(server, **limits):
    return visit_site(Base.of(server.url()), Limits(rate=1_000, **limits))


def page_of(server, **limits):
    [page] = visit(server, **limits).pages
    return page


def test_what_is_unpacked_is_bounded(site):
    site.serve("/robots.txt", gzip.compress(b"a" * 50_000_000), Content_Encoding="gzip")
    assert len(visit(site).robots_response.body) == MAX_ROBOTS


def test_a_page_that_never_ends_is_left(site):
    def drip(handler):
        while not site.released.wait(0.02):
            handler.wfile.write(b"a")

    site.answer["/a/"] = drip
    assert page_of(site, deadline=0.3).error == "no complete response in 0.3 seconds"


def test_what_was_not_reached_in_the_budget_is_a_finding(site):
    """Each of 40 pages is served in time, and all of them would take twenty seconds."""

    def late(handler):
        time.sleep(0.5)
        handler.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE)

    names = [f"/{number}/" for number in range(40)]
    site.answer.update(dict.fromkeys(names, late))
    site.serve("/sitemap.xml", sitemap(*map(site.url, names)), Content_Type="application/xml")
    start = time.monotonic()
    done = command("check", site.url(), "--at-once", "1", "--timeout", "2.5", "--json")
    assert time.monotonic() - start < 15
    assert done.code == 1
    [finding] = [each for each in done.data["findings"] if each["rule"] == "live-incomplete"]
    assert re.search(r"3\d of 40 ", finding["message"])
    assert len(site.requests) < 12


def test_other_ports_of_the_host_are_not_asked(site):
    """Another service of the same machine, which a site must not make us ask."""
    other = Loopback()
    try:
        site.serve("/robots.txt", f"Sitemap: {other.url('/a.xml')}\nSitemap: {site.url('/i.xml')}\n".encode())
        rows = f"<sitemap><loc>{other.url('/b.xml')}</loc></sitemap>"
        rows += f"<sitemap><loc>{site.url('/sitemap.xml')}</loc></sitemap>"
        site.serve("/i.xml", f"<sitemapindex>{rows}</sitemapindex>".encode(), Content_Type="text/xml")
        site.serve("/a/", status=302, Location=other.url("/c/"))
        assert page_of(site).error == f"it redirects to {other.url('/c/')}, on another port"
        assert other.requests == []
    finally:
        other.close()


def test_memory_is_bounded_by_what_can_be_asked(site):
    """A task, or an answer, for each of a million forbidden addresses would take gigabytes."""
    site.serve("/robots.txt", b"User-agent: *\nDisallow: /d/\n")
    locs = [site.url(f"/d/{number}") for number in range(4_000)]
    site.serve("/sitemap.xml", sitemap(*locs), Content_Type="application/xml")
    with web.budget(60):
        visited = visit_site(Base.of(site.url()), Limits(rate=50))
    assert 2_000 < len(visited.pages) <= 3_001
    assert visited.not_reached == 4_000 - len(visited.pages)
    assert not any(page.allowed for page in visited.pages)


@pytest.mark.parametrize("limit", ["MAX_VISITED", "MAX_LISTED"])
def test_sitemaps_without_end_are_left(site, monkeypatch, limit):
    monkeypatch.setattr(f"sitemap_docs.audit.deployed_site.{limit}", 20)

    def another(handler):
        page = f"{handler.path[: -len('.xml')]}0"
        rows = "".join(f"<sitemap><loc>{site.url(f'{page}{each}.xml')}</loc></sitemap>" for each in range(9))
        body = f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</sitemapindex>'
        handler.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Type: text/xml\r\n\r\n" + body.encode())

    names = ["/sitemap", *(f"/sitemap0{each}" for each in range(9))]
    names += [f"{each}0{more}" for each in names[1:] for more in range(9)]
    site.answer.update({f"{name}.xml": another for name in names})
    visited = visit(site)
    assert len(site.requests) < 25
    [finding] = audit(visited, settings_of(rules={"live-incomplete": LIVE["live-incomplete"]}))
    assert finding.rule == "live-incomplete"


@pytest.mark.parametrize(("delay", "pause"), [("0.5", 0.5), ("1000000000", MAX_PAUSE), ("0.001", 0.05)])
def test_crawl_delay_is_obeyed_within_reason(delay, pause):
    base = Base.of("https://docs.example.org/")
    visitor = Visitor(None, Limits(rate=20), base, base)
    visitor.obey(Answer(url=base.url, status=200, body=f"User-agent: *\nCrawl-delay: {delay}\n".encode()))
    assert visitor.pause == pause


@pytest.mark.parametrize(
    ("retry_after", "number", "seconds"),
    [
        ("7", 0, 7),
        ("9" * 400, 0, 30),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 1, 0),
        ("Thu, 01 Jan 2026 00:00:00 +99999999999999", 1, 1),
        ("\xb2", 1, 1),
    ],
)
def test_retry_after(retry_after, number, seconds):
    assert retry_delay(web.Response(url="", headers={"retry-after": retry_after}), number) == seconds


def test_rate_is_kept(site):
    start = time.monotonic()
    visit_site(Base.of(site.url()), Limits(rate=10))
    assert len(site.requests) == 4  # robots.txt, the sitemap, a page, one that is not there
    assert time.monotonic() - start > 0.3


def test_no_more_of_a_page_is_read_than_may_be_its_head(site):
    sent = []

    def endless(handler):
        handler.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE)
        while not site.released.is_set():
            handler.wfile.write(b"x" * 65_536)
            sent.append(65_536)

    site.answer["/a/"] = endless
    page = page_of(site, deadline=600)
    assert page.head == parse_head(PAGE)
    assert not page.error


def test_busy_server_is_asked_again_and_a_slow_one_reported(site):
    page = canonical(site.url("/a/"))

    def busy(handler):
        tries = sum(path == "/a/" for _, path, _, _ in site.requests)
        if tries == 1:
            handler.wfile.write(b"HTTP/1.0 503 Busy\r\nRetry-After: 0\r\n\r\n")
            return
        time.sleep(0.4)
        handler.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + page)

    site.answer["/a/"] = busy
    slow = {"rules": {"live-slow": {"seconds": 0.3}}}
    settings = settings_of(slow, rules={"live-slow": LIVE["live-slow"]}, severity="info")
    [finding] = audit(visit(site), settings)
    assert (finding.rule, finding.where) == ("live-slow", site.url("/a/"))


def test_no_more_requests_at_once_than_allowed(site):
    running, most = set(), []
    three = threading.Barrier(3, timeout=30)

    def together(handler):
        running.add(handler.path)
        most.append(len(running))
        three.wait()
        time.sleep(0.05)  # in which a fourth would come
        running.discard(handler.path)
        handler.wfile.write(b"HTTP/1.0 404 Not Found\r\n\r\n")

    names = [f"/{number}/" for number in range(12)]
    site.answer.update(dict.fromkeys(names, together))
    site.serve("/sitemap.xml", sitemap(*map(site.url, names)))
    visit(site, at_once=3)
    assert max(most) == 3


def test_max_pages(site):
    site.serve("/sitemap.xml", sitemap(*(site.url(f"/{number}/") for number in range(5))))
    visited = visit(site, pages=2)
    assert (len(visited.pages), visited.not_reached) == (2, 0)


def test_nobody_there_is_an_error_in_words():
    with pytest.raises(SitemapError, match=r"http://127.0.0.1:9 could not be reached"):
        visit_site(Base.of("http://127.0.0.1:9/"), Limits())


def test_staging_host(site):
    """The sitemap names the host to be, the server answers here, below another path."""
    base = "https://docs.example.net/manual/"
    site.serve("/robots.txt", f"User-agent: *\nSitemap: {base}sitemap.xml\n".encode())
    listed = sitemap(*(base + path for path in ("a/", "b", "c", "gone/")))
    site.serve("/next/sitemap.xml", listed, Content_Type="text/xml")
    site.serve("/next/a/", canonical(f"{base}a/"), **HTML)
    site.serve("/next/b", status=301, Location=site.url("/next/a/"))
    site.serve("/next/c", status=301, Location=site.url("/login"))
    site.serve("/login", PAGE, **HTML)
    flags = ["--base-url", base, "--at", site.url("/next/"), "--json", "--rate", "1000"]
    done = command("check", *flags)
    assert done.code == 1, done.err
    findings = done.data["findings"]
    found = {(each["rule"], each["where"]) for each in findings}
    redirects = {each["where"]: each["message"] for each in findings if each["rule"] == "live-redirect"}
    assert redirects[f"{base}b"] == f"301 to {base}a/."
    assert site.url("/login") in redirects[f"{base}c"], "another site of the host is none of the deployed one"
    assert {("live-redirect", f"{base}b"), ("live-status", f"{base}gone/")} <= found
    assert not [where for _, where in found if where.startswith(site.url())]
    assert {path for _, path, _, _ in site.requests} >= {"/next/a/", "/next/b", "/next/gone/", "/robots.txt"}
