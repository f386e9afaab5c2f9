"""The client of the live check against servers that mean harm, and against a staging host."""

from __future__ import annotations

import gzip
import json

import pytest

from sitemap_docs.audit.live import visit_site
from sitemap_docs.audit.visitor import MAX_HEAD, MAX_PAUSE, MAX_ROBOTS, Limits
from sitemap_docs.cli.main import group
from sitemap_docs.model import SitemapError
from sitemap_docs.urls.base import Base
from tests.conftest import runner

pytest.importorskip("httpx", reason="the extra `live` is not installed")

PAGE = b'<!doctype html><html lang="en"><head><title>x</title></head><body>x</body></html>'
HTML = {"Content_Type": "text/html"}


def sitemap(*locs: str) -> bytes:
    rows = "".join(f"<url><loc>{loc}</loc></url>" for loc in locs)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</urlset>'.encode()


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


def test_nested_packing_is_not_unpacked(site):
    bomb = gzip.compress(gzip.compress(bytes(10_000_000)))
    site.serve("/a/", bomb, Content_Encoding="gzip, gzip", **HTML)
    assert page_of(site).error == "Content-Encoding 'gzip, gzip' was not requested: only gzip"


def test_what_is_unpacked_is_bounded(site):
    site.serve("/robots.txt", gzip.compress(b"a" * 50_000_000), Content_Encoding="gzip")
    assert len(visit(site).robots_response.body) == MAX_ROBOTS


def test_broken_packing_is_an_error_of_that_page(site):
    site.serve("/a/", b"\x1f\x8b\x08 no gzip", Content_Encoding="gzip", **HTML)
    assert page_of(site).error.startswith("the gzip data is broken")


def test_robots_ends_at_500_kib(site):
    rules = b"User-agent: *\n" + b"#" * MAX_ROBOTS + b"\nDisallow: /\n"
    site.serve("/robots.txt", rules)
    assert page_of(site).allowed


@pytest.mark.parametrize("sent", [b"", b"HTTP/1.0 200 OK\r\nX-A: ", b"HTTP/1.0 200 OK\r\n\r\n<html>"])
def test_a_server_that_never_ends_is_left(site, sent):
    """In the status line, in the headers and in the body; some bytes come, so that no read times out."""

    def drip(handler):
        handler.wfile.write(sent)
        while not site.released.wait(0.02):
            handler.wfile.write(b"a")

    site.answer["/a/"] = drip
    assert page_of(site, deadline=0.5).error == "no whole answer in 0.5 seconds"


@pytest.mark.parametrize("limit", ["MAX_SITEMAPS", "MAX_LISTED"])
def test_sitemaps_without_end_are_left(site, monkeypatch, limit):
    monkeypatch.setattr(f"sitemap_docs.audit.live.{limit}", 20)

    def another(handler):
        page = f"{handler.path[: -len('.xml')]}0"
        rows = "".join(f"<sitemap><loc>{site.url(f'{page}{each}.xml')}</loc></sitemap>" for each in range(9))
        body = f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</sitemapindex>'
        handler.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Type: text/xml\r\n\r\n" + body.encode())

    names = ["/sitemap", *(f"/sitemap0{each}" for each in range(9))]
    names += [f"{each}0{more}" for each in names[1:] for more in range(9)]
    site.answer.update({f"{name}.xml": another for name in names})
    with pytest.raises(SitemapError, match="has more than"):
        visit(site)
    assert len(site.requests) < 25


def test_crawl_delay_is_bounded(site, monkeypatch):
    site.serve("/robots.txt", b"User-agent: *\nCrawl-delay: 1000000000\n")
    waited = []

    async def turn(seconds):
        waited.append(seconds)

    monkeypatch.setattr("sitemap_docs.audit.visitor.monotonic", lambda: 0.0)
    monkeypatch.setattr("sitemap_docs.audit.visitor.asyncio.sleep", turn)
    assert page_of(site).status == 200
    assert 0 < max(waited) <= 5 * MAX_PAUSE


def test_retry_after_that_is_no_number(site, monkeypatch):
    async def turn(_):
        pass

    monkeypatch.setattr("sitemap_docs.audit.visitor.asyncio.sleep", turn)
    site.serve("/a/", status=503, Retry_After="\xb2")
    assert page_of(site).status == 503


def test_a_redirect_to_a_port_that_no_host_has(site):
    site.serve("/a/", status=302, Location="http://127.0.0.1:99999/")
    assert page_of(site).error


def test_no_cookie_is_kept(site):
    site.serve("/sitemap.xml", sitemap(*(site.url(f"/{name}/") for name in "abc")))
    for name in "abc":
        site.serve(f"/{name}/", PAGE, Set_Cookie=f"{name}={'x' * 3_000}; Path=/", **HTML)
    visit(site)
    assert not [headers for _, _, headers, _ in site.requests if "Cookie" in headers]


def test_no_more_of_a_page_is_read_than_its_head(site):
    sent = []

    def endless(handler):
        handler.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE)
        while not site.released.is_set():
            handler.wfile.write(b"x" * 65_536)
            sent.append(65_536)

    site.answer["/a/"] = endless
    page = page_of(site, deadline=600)
    assert page.head.title == "x"
    assert not page.error


def test_a_page_without_a_head_is_read_in_linear_time(site):
    site.serve("/a/", b"<" * (3 * MAX_HEAD), **HTML)
    assert page_of(site).status == 200


def test_staging_host(site):
    """The sitemap names the host to be, the server answers here, below another path."""
    base = "https://docs.example.net/manual/"
    site.serve("/robots.txt", f"User-agent: *\nSitemap: {base}sitemap.xml\n".encode())
    site.serve("/next/sitemap.xml", sitemap(f"{base}a/", f"{base}b", f"{base}gone/"), Content_Type="text/xml")
    site.serve(
        "/next/a/", PAGE.replace(b"</head>", f'<link rel=canonical href="{base}a/"></head>'.encode()), **HTML
    )
    site.serve("/next/b", status=301, Location=site.url("/next/a/"))
    done = runner().invoke(
        group,
        ["check", "--base-url", base, "--at", site.url("/next/"), "--json", "--rate", "1000"],
    )
    assert done.exit_code == 1, done.output
    found = {(each["rule"], each["where"]) for each in json.loads(done.stdout)["findings"]}
    assert {("live-redirect", f"{base}b"), ("live-status", f"{base}gone/")} <= found
    assert not [where for _, where in found if where.startswith(site.url())]
    assert {path for _, path, _, _ in site.requests} >= {"/next/a/", "/next/b", "/next/gone/", "/robots.txt"}
