"""The HTTP client against servers that fail, mean harm or never end."""

import gzip
import sys
import time
from collections.abc import Callable

import pytest

from sitemap_docs import web
from sitemap_docs.model import SitemapError
from sitemap_docs.sitemap.urllist import open_place
from tests.conftest import HANGS, command, cut, sitemapindex

pytest.importorskip("httpx", reason="the extra `web` is not installed")

OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"


def sending(*data: bytes) -> Callable:
    """What answers with these bytes, and then closes the connection."""

    def answer(handler) -> None:
        for each in data:
            handler.wfile.write(each)
        handler.close_connection = True

    return answer


def forever(start: bytes, more: bytes, pause: float = 0.02) -> Callable:
    """What answers with the bytes of ``start``, and then with ``more`` again and again."""

    def answer(handler) -> None:
        handler.wfile.write(start)
        while not handler.server.RequestHandlerClass.loopback.released.wait(pause):
            handler.wfile.write(more)

    return answer


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        pytest.param(cut, "cannot be read", id="no answer"),
        pytest.param(sending(OK + b"Content-Length: 1000\r\n\r\n<urlset>"), "cannot be read", id="cut"),
        pytest.param(sending(b"HTTP/1.1 503 x\r\nContent-Length: 0\r\n\r\n"), "answers 503", id="error"),
        pytest.param(forever(OK + b"\r\n", b" " * 1_000_000, 0), "more than 52,428,800 bytes", id="endless"),
        pytest.param(
            sending(OK + b"Content-Encoding: gzip\r\n\r\n", gzip.compress(bytes(60_000_000))),
            "more than 52,428,800 bytes",
            id="bomb",
        ),
        pytest.param(
            sending(OK + b"Content-Encoding: gzip, gzip\r\n\r\n"), "only gzip was requested", id="twice"
        ),
        (sending(OK + b"Content-Encoding: gzip\r\n\r\n\x1f\x8b\x08 no"), "is broken"),
    ],
)
def test_servers_that_fail(loopback, answer: Callable, words: str) -> None:
    loopback.answer["/sitemap.xml"] = answer
    url = loopback.url("/sitemap.xml")
    with pytest.raises(SitemapError, match=words) as raised:
        open_place(url)
    assert url in str(raised.value)


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(forever(b"", b""), id="silence"),
        pytest.param(forever(OK, b"X-A: a\r\n"), id="headers"),
        pytest.param(forever(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1_000, 0), id="many 100 Continue"),
        pytest.param(forever(OK + b"\r\n", b" "), id="body"),
        pytest.param(forever(CHUNKED + b"1;", b"a"), id="extension of a chunk"),
        pytest.param(forever(CHUNKED + b"0\r\nX-A: ", b"a"), id="trailers"),
    ],
)
def test_a_server_that_never_ends_is_left_when_the_budget_is_over(loopback, answer: Callable) -> None:
    loopback.answer["/sitemap.xml"] = answer
    start = time.monotonic()
    with web.budget(0.5), pytest.raises(SitemapError, match=r"--timeout was over|too long"):
        open_place(loopback.url("/sitemap.xml"))
    assert time.monotonic() - start < 10


def test_one_budget_for_all_addresses_of_a_command(loopback, tmp_path) -> None:
    """Each of 200 sitemaps is served in time, and all of them would take a minute."""

    def late(handler) -> None:
        time.sleep(0.3)
        handler.wfile.write(OK + b"\r\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'></urlset>")
        handler.close_connection = True

    names = [f"/{number}.xml" for number in range(200)]
    loopback.answer.update(dict.fromkeys(names, late))
    loopback.serve("/sitemap.xml", sitemapindex(*map(loopback.url, names)).encode())
    start = time.monotonic()
    done = command("diff", loopback.url(), loopback.url(), "--timeout", "2")
    assert done.code == 2
    assert "before --timeout was over" in done.err
    assert time.monotonic() - start < 20
    assert len(loopback.requests) < 20


@pytest.mark.parametrize(
    ("target", "why"),
    [
        pytest.param("ftp://127.0.0.1:{port}/x", "not a web address", id="ftp"),
        pytest.param("http://127.0.0.1:{other}/x", "on another port", id="another port"),
        pytest.param("http://localhost:{port}/x", "on another host", id="another host"),
        pytest.param("http://a:b@127.0.0.1:{port}/x", "which contains a user name", id="user"),
        pytest.param("//[/x", "not a web address", id="nonsense"),
        pytest.param("/sitemap.xml", "in a circle", id="circle"),
    ],
)
def test_redirects_stay_on_the_server(loopback, target: str, why: str) -> None:
    port = int(loopback.url("").rpartition(":")[2])
    loopback.serve("/x", b"")
    loopback.serve("/sitemap.xml", status=302, Location=target.format(port=port, other=port + 1))
    with pytest.raises(SitemapError, match=why):
        open_place(loopback.url("/sitemap.xml"))
    assert [path for _, path, _, _ in loopback.requests] == ["/sitemap.xml"]


@pytest.mark.parametrize(
    ("url", "other", "asked"),
    [
        ("https://e.org/b", "http://e.org/a", True),
        ("https://www.e.org/", "https://e.org/", True),
        ("http://e.org/", "https://e.org/", False),
        ("https://e.org/", "http://e.org:8080/", False),
        ("https://e.org.evil.example/", "https://e.org/", False),
        ("https://e.org@evil.example/", "https://e.org/", False),
    ],
)
def test_which_addresses_are_of_one_server(url: str, other: str, asked: bool) -> None:
    assert (web.why_not_asked(url, other) == "") is asked


def test_redirects_end(loopback) -> None:
    for number in range(20):
        loopback.serve(f"/{number}", status=302, Location=f"/{number + 1}")
    with pytest.raises(SitemapError, match="in a circle"):
        open_place(loopback.url("/0"))
    assert len(loopback.requests) == web.HOPS + 1


def test_a_redirect_of_a_post_is_not_followed(loopback) -> None:
    loopback.serve("/a", status=307, Location="/b")
    with web.budget(HANGS) as client:
        response = client.request(loopback.url("/a"), most=0, posted=b"{}")
    assert (response.status, response.target) == (307, loopback.url("/b"))
    assert [(method, path) for method, path, _, _ in loopback.requests] == [("POST", "/a")]


def test_no_cookie_is_kept(loopback) -> None:
    loopback.serve("/a", Set_Cookie="a=1")
    with web.budget(HANGS):
        for _ in range(2):
            open_place(loopback.url("/a"))
    assert not [headers for _, _, headers, _ in loopback.requests if "Cookie" in headers]


@pytest.mark.parametrize("line", ["diff {0} {0}", "check {0}", "notify {0} --all"])
def test_without_httpx_one_line_says_what_to_install(line: str, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    done = command(*line.format("http://127.0.0.1:9/").split())
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert "python -m pip install httpx" in done.err


def test_a_proxy_that_httpx_cannot_use_is_an_error_in_words(monkeypatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "ftp://127.0.0.1")
    with pytest.raises(SitemapError, match="ALL_PROXY"):
        open_place("http://127.0.0.1:9/")


def test_a_wrong_command_line_leaves_no_budget(loopback) -> None:
    loopback.serve("/sitemap.xml")
    done = command("check", "site", "--timeout", "0.1", "--rate", "nonsense")
    assert done.code == 2
    time.sleep(0.1)
    open_place(loopback.url("/sitemap.xml"))
