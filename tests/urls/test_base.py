"""The canonical base, loc and path, and when two spellings are one address."""

import re
from itertools import product
from urllib.parse import unquote

import pytest

from sitemap_docs.model import SitemapError
from sitemap_docs.text import shortened, without_users
from sitemap_docs.urls import base
from sitemap_docs.urls.base import Base, compare_urls, is_elsewhere, origin_advice, strip_session

BASES = [
    pytest.param("https://example.org/docs", "https://example.org/docs/", id="slash added"),
    pytest.param("https://example.org:/", "https://example.org/", id="empty port"),
    pytest.param("https://example.org/a/%2e%2E/c/", "https://example.org/c/", id="encoded dot segments"),
    pytest.param("https://example.org/é", "https://example.org/%C3%A9/", id="path encoded"),
    pytest.param("https://example.org/@a+b,(c)/", "https://example.org/@a+b,(c)/", id="legal as written"),
    pytest.param("https://example.org/100%/", "https://example.org/100%25/", id="a lone percent sign"),
    pytest.param("https://bücher.example/", "https://xn--bcher-kva.example/", id="IDNA"),
    pytest.param("https://straße.example/", "https://xn--strae-oqa.example/", id="sharp s as in browsers"),
    pytest.param("https://docs\u00ad.example.org/", "https://docs.example.org/", id="a soft hyphen"),
    pytest.param("https://例え。テスト/", "https://xn--r8jz45g.xn--zckzah/", id="ideographic full stop"),
    pytest.param("https://127.0.0.1:8000/", "https://127.0.0.1:8000/", id="IPv4"),
    pytest.param("http://[::0001]:8000/", "http://[::1]:8000/", id="IPv6"),
    pytest.param("https://example.org:1/X", "https://example.org:1/X/", id="the first port, a capital"),
    pytest.param(f"https://{'a.' * 126}a/", f"https://{'a.' * 126}a/", id="the longest host"),
    pytest.param("https://my_docs.example.org/", "https://my_docs.example.org/", id="underscore"),
]


@pytest.mark.parametrize(("text", "url"), BASES)
def test_base_is_normalised(text: str, url: str) -> None:
    assert Base.of(text).url == url
    assert Base.of(url).url == url


SPACE = "white space, control characters"
NO_SCHEME = "must start with https://"
NO_PORT = "a number from 1 to 65535 as the port"
PLAIN = "must not have a query or a fragment"
HOST = "an invalid host, {!r}"
HOSTS = {
    "": "only a port",
    "a..b": "empty label",
    "example.org.": "final dot",
    "exa<mple.org": "forbidden character",
    "example.or=": "forbidden character at the end",
    "-a.org": "hyphen first",
    f"{'a' * 64}.org": "label too long",
    f"{'a.' * 126}ab": "host too long",
    "1.2.3.400": "IPv4 out of range",
    "[::g]": "bad IPv6",
}


REFUSED = [
    *(pytest.param(f"https://{host}:80/", HOST.format(host), id=name) for host, name in HOSTS.items()),
    pytest.param("https://example.org/?v=1", PLAIN, id="query"),
    pytest.param("https://example.org/#a", PLAIN, id="fragment"),
    pytest.param("https://me@example.org/", "a user name or password", id="user"),
    pytest.param("example.org/docs/", NO_SCHEME, id="no scheme"),
    pytest.param("", NO_SCHEME, id="empty"),
    pytest.param("https:///docs/", "must contain a host", id="no host"),
    pytest.param("https://[::1/", NO_PORT, id="open bracket"),
    pytest.param("https://example.org:65536/", NO_PORT, id="port too large"),
    pytest.param("https://example.org:0/", NO_PORT, id="port zero"),
    pytest.param("https://example.org/a b/", SPACE, id="space"),
    pytest.param("https:\\\\example.org\\", SPACE, id="backslashes"),
]


@pytest.mark.parametrize(("text", "why"), REFUSED)
def test_base_refuses_naming_the_value(text: str, why: str) -> None:
    with pytest.raises(SitemapError) as error:
        Base.of(text)
    assert str(error.value).startswith(shortened(without_users(f"The base URL {text!r} ")))
    assert shortened(why) in str(error.value)


def test_a_base_has_room_for_a_loc() -> None:
    base = "https://example.org/".ljust(2046, "a")
    assert Base.of(base).url == base + "/"
    with pytest.raises(SitemapError) as error:
        Base.of(base + "a")
    assert str(error.value) == f"The base URL '{base[:60]}'… is longer than 2047 characters."


PARTS = [
    ("https://example.org:8443/", "https://example.org:8443", True, False),
    ("https://example.org/docs/", "https://example.org", False, False),
    ("http://localhost/", "http://localhost", True, True),
]


@pytest.mark.parametrize(("base", "origin", "root", "local"), PARTS)
def test_origin_root_local(base: str, origin: str, root: bool, local: bool) -> None:
    b = Base.of(base)
    assert (b.origin, b.is_root, b.is_local) == (origin, root, local)


ENCODED = {
    "": "",
    "a b/é/": "a%20b/%C3%A9/",
    "&'+,;=@:~!$()*": "%26%27%2B%2C%3B%3D%40%3A~%21%24%28%29%2A",
    "what?/c#.html": "what%3F/c%23.html",
    "\udcff.html": "%FF.html",
}


@pytest.mark.parametrize(("path", "encoded"), ENCODED.items())
def test_loc_is_encoded_once(path: str, encoded: str) -> None:
    base = Base.of("https://example.org/docs")
    assert base.loc(path) == f"https://example.org/docs/{encoded}"
    assert unquote(encoded, errors="surrogateescape") == path


PATHS = {
    "https://example.org/do%63s/a.html": "a.html",
    "http://www.example.org:8080/docs/a.html#b": "a.html",
    "https://example.org/docs/": "",
    "https://example.org/docs/a/../b/": "b/",
    "https://example.org/docs/a/..": "",
    "https://example.org/docs/%FF.html": "\udcff.html",
    "https://example.org/docs": None,
    "https://example.org/docs2/a.html": None,
    "https://example.org/docs/../a.html": None,
    "https://other.example/docs/a.html": None,
    "https://example.org/docs/a.html?b": None,
    "https://example.org/docs/a%2Fb": None,
    "mailto:a@example.org": None,
    "docs/a.html": None,
}


@pytest.mark.parametrize(("url", "path"), PATHS.items())
def test_path_of(url: str, path: str | None) -> None:
    assert Base.of("https://example.org/docs/").path_of(url) == path


SPELLED = {
    "a.pdf": "https://example.org/docs/a.pdf",  # below the base
    "//a.pdf": "https://example.org/docs/a.pdf",  # so with slashes
    "HTTPS://Example.org:443/x/./%61.pdf": "https://example.org/x/a.pdf",  # absolute
    "a;sid=1/b?sid=2#c": "https://example.org/docs/a/b",  # session and fragment
    "/X#a\\b": "https://example.org/docs/X",  # whatever the fragment
    "é +?q=é b&r=%2F": "https://example.org/docs/%C3%A9%20%2B?q=%C3%A9%20b&r=%2F",  # raw
    "a%2Fb/%FF": "https://example.org/docs/a%2Fb/%FF",  # escapes stay
    "a" * 2_022: "https://example.org/docs/" + "a" * 2_022,  # the longest
}


@pytest.mark.parametrize(("url", "loc"), SPELLED.items())
def test_spelled(url: str, loc: str) -> None:
    base = Base.of("https://example.org/docs")
    assert base.normalise(url) == loc
    assert base.normalise(loc) == loc


FOREIGN = "own host, https://example.org"


NOT_SPELLED = {
    "https://other.example/": FOREIGN,
    "http://example.org/docs/": FOREIGN,
    "https://example.org:8443/docs/": FOREIGN,
    "a" * 2_023: "is longer than 2047 characters",  # too long
    "mailto:a@example.org": NO_SCHEME,  # no page
    "a\\b": SPACE,  # backslash
}


@pytest.mark.parametrize(("url", "why"), NOT_SPELLED.items())
def test_not_to_be_spelled(url: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        Base.of("https://example.org/docs").normalise(url)


def test_what_is_no_address_is_taken_as_it_is() -> None:
    assert base.split_url("https://a/b?c#d") == ("https", "a", "/b", "c", "d")
    assert base.split_url("https://[") == ("", "", "", "", "")
    assert base.resolve("https://a/b/", "c") == "https://a/b/c"
    assert base.resolve("https://a/b/", "//[") == "//["


COMPARED = {
    "": "same",  # empty means the page itself
    "../%C3%A9/": "same",  # relative to the page
    "https://www.example.org/d/%C3%A9/": "spelling",  # www.
    "https://example.org:8443/d/%C3%A9/": "spelling",  # port
    "https://EXAMPLE.org/d/%C3%A9/": "same",  # case of the host
    "https://example.org/d/é/": "spelling",  # raw
    "https://example.org/d/%C3%A9/#top": "spelling",  # fragment
    "https://example.org/d/%C3%A9/index.html": "spelling",  # the folder's index
    "https:\\\\example.org\\d\\é\\": "spelling",  # backslashes
    "..\\x\\": "elsewhere",  # and to another
    "https://example.org/d\\é": "elsewhere",  # backslashes in another address
    "javascript:void(0)": "spelling",  # no web address
    "https://[": "spelling",  # no address at all
    "https://example.org/d/%C3%A9": "elsewhere",  # no slash
    "https://example.org/D/%C3%A9/": "elsewhere",  # case of the path
    "https://example.org/d/%25C3%25A9/": "elsewhere",  # encoded twice
    "https://example.org/d/other page/": "elsewhere",  # raw space in another address
    "https://example.org/d/%C3%A9/?v=2": "elsewhere",  # query
    "https://example.com/d/%C3%A9/": "elsewhere",  # host
}


@pytest.mark.parametrize(("canonical", "expected"), COMPARED.items())
def test_compare(canonical: str, expected: str) -> None:
    assert compare_urls(canonical, "https://example.org/d/%C3%A9/") == expected


COMPARED_WITH_A_FILE = {
    "%61.html": "spelling",
    "b.html": "elsewhere",
    "index.html": "elsewhere",
    "./": "elsewhere",
}


@pytest.mark.parametrize(("canonical", "expected"), COMPARED_WITH_A_FILE.items())
def test_compare_with_a_file(canonical: str, expected: str) -> None:
    assert compare_urls(canonical, "https://example.org/d/a.html") == expected


def test_addresses_are_compared_alike_whether_or_not_they_are_decoded():
    paths = ("a", "a/", "a/index.html", "a/index.htm", "a/b.c", "a/index.html/d", "a/myindex.html")
    every = [f"{start}example.org/{path}" for start in ("https://", "http://www.") for path in paths]
    for canonical, loc in product(every, every):
        decoded = compare_urls(canonical.replace("/a", "/%61"), loc)
        assert (compare_urls(canonical, loc) == "elsewhere") == (decoded == "elsewhere"), (canonical, loc)


WITHOUT_SESSION = {
    "https://example.org/a?": "https://example.org/a?",
    "https://example.org/a;jsessionid=1A2B": "https://example.org/a",
    "https://example.org/a;JSESSIONID=1/b?c": "https://example.org/a/b?c",
    "https://example.org/a?PHPSESSID=1": "https://example.org/a",
    "https://example.org/a?x=1&sid=2&y=3#sid=4": "https://example.org/a?x=1&y=3#sid=4",
    "https://example.org/a?session_id=1&SessionID=2&CFID=3&CFTOKEN=4": "https://example.org/a",
    "https://example.org/a?inside=1": "https://example.org/a?inside=1",
}


@pytest.mark.parametrize(("url", "clean"), WITHOUT_SESSION.items())
def test_session_ids_go(url: str, clean: str) -> None:
    assert strip_session(url) == clean


PROBLEMS = {
    "https://e.org/docs/index.html": "is the address of a file. Write https://e.org/docs/.",
    "http://https://docs.e.org/a": "begins with two schemes. Write https://docs.e.org/a/.",
    "https://github.com/OWNER/REPO": "is the address of a repository.",
    "https://gitlab.com/group/sub/project/": "is the address of a repository.",
    "https://codeberg.org/": "",
    "https://wiki/docs/": "has no dot",
    "https://owner.github.io/repo/": "",
    "http://[::1]/": "",
    "https://192.0.2.1/": "",
}


@pytest.mark.parametrize(("url", "words"), PROBLEMS.items())
def test_addresses_at_which_no_documentation_is_served(url, words):
    problem = Base.of(url).problem
    assert words in problem
    assert bool(words) == bool(problem)


ADVICE = [
    ("http://e.org/a", "https://e.org/a", "If readers see the site at http://e.org, change the base URL"),
    ("https://www.e.org/a", "https://e.org/a", "If readers see the site at https://www.e.org,"),
    ("https://e.org/%61", "https://e.org/a", ""),
    ("../a", "https://e.org/a", ""),
]


@pytest.mark.parametrize(("canonical", "loc", "begins"), ADVICE)
def test_which_setting_to_change(canonical, loc, begins):
    advice = origin_advice(canonical, loc)
    assert advice.startswith(begins)
    assert bool(advice) == bool(begins)


VERSIONS = [
    ("https://e.org/en/stable/", "https://e.org/en/latest/", True),
    ("https://e.org/en/", "https://e.org/en/latest/", False),
    ("https://e.org/pt_BR/1.0/", "https://e.org/pt-br/1.0/", False),
    ("https://p.readthedocs.org/en/stable/", "https://p.readthedocs.io/en/latest/", True),
    ("https://www.e.org/en/stable/", "https://e.org/en/latest/", True),
    ("https://o.org/en/stable/", "https://e.org/en/latest/", False),
]


@pytest.mark.parametrize(("canonical", "given", "elsewhere"), VERSIONS)
def test_canonical_links_that_lead_to_another_version(canonical, given, elsewhere):
    assert is_elsewhere(Base.of(canonical), Base.of(given)) is elsewhere
