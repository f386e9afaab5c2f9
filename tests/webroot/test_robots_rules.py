"""What a crawler may fetch: as Protego says, which follows RFC 9309, in time that is no product."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from sitemap_docs.audit.site import RobotsFile
from sitemap_docs.robots import Line, parse_robots
from sitemap_docs.webroot.robots_rules import CrawlerRules, lines_for
from tests.conftest import HANGS

HOST = "https://docs.example.org"
PARTS = ["/", "a", "b/", "index.html", "é", "%C3%A9", "%c3%a9", "%61", "%2F", "%2f", "=", "?x=1", "-", "%"]
VALUES = st.lists(st.sampled_from([*PARTS, "*", "*", "%2A"]), max_size=5).map("".join)
PATHS = st.lists(st.sampled_from([*PARTS, "#", "*"]), max_size=6).map("".join)
RULES = st.lists(
    st.tuples(st.sampled_from(["Disallow", "Allow"]), VALUES, st.sampled_from(["", "", "$"])), max_size=5
)
AGENTS = st.lists(st.sampled_from(["*", "Googlebot", "GOOGLEBOT", "bingbot", "Other"]), max_size=2)
GROUPS = st.lists(st.tuples(AGENTS, RULES), max_size=3)


@given(GROUPS, st.lists(PATHS, max_size=4))
def test_rules_are_read_as_protego_reads_them(groups, paths):
    lines = []
    for agents, rules in groups:
        lines += [f"User-agent: {agent}" for agent in agents]
        lines += [f"{field}: /{value}{end}" for field, value, end in rules]
    text = "\n".join(lines)
    oracle = Protego.parse(text)
    for agent in ("Googlebot", "bingbot"):
        ours = CrawlerRules(lines_for(parse_robots(text.encode()), agent))
        for path in paths:
            assert ours.forbids(f"{HOST}/{path}") is not oracle.can_fetch(f"{HOST}/{path}", agent)


def forbids(text: str, url: str) -> bool:
    return CrawlerRules(lines_for(parse_robots(text.encode()), "Googlebot")).forbids(url)


RULED = [
    pytest.param("User-agent: *\nDisallow: /", f"{HOST}/robots.txt", False, id="robots.txt itself"),
    pytest.param("User-agent: *\nDisallow: /", HOST, True, id="a host without its slash"),
    pytest.param("User-agent: *\nDisallow: /", "mailto:a@example.org", False, id="no address of a host"),
    pytest.param("User-agent: *\nDisallow:", f"{HOST}/a", False, id="nothing is forbidden"),
    pytest.param("User-agent: Googlebot/2.1\nDisallow: /", f"{HOST}/a", True, id="a version"),
    pytest.param("User-agent: Googlebot-News\nDisallow: /", f"{HOST}/a", False, id="another product"),
    pytest.param("\ufeffUser-agent: *\nDisallow: /", f"{HOST}/a", True, id="behind a byte order mark"),
    pytest.param("User-agent: *\nDisallow: /[a]?b", f"{HOST}/[a]?b", True, id="no wildcards"),
]


@pytest.mark.parametrize(("lines", "url", "expected"), RULED)
def test_rules(lines, url, expected):
    assert forbids(lines, url) is expected


#: Of robots_test.cc in google/robotstxt at 22b355ff: file, paths that are allowed, that are not. Without
#: those of escaped letters, which RFC 9309 has decoded first, of lines of more than 16 KB, and of what
#: Protego reads alike.
GOOGLES = {
    "LineSyntax_Line": ("user-agent Googlebot\ndisallow /\n", "", "/x/y"),
    "LineSyntax_Groups": (
        (
            "allow: /foo/bar/\n\nuser-agent: Googlebot\ndisallow: /\nallow: /x/\nuser-agent: BarBot\n"
            "disallow: /\nallow: /y/\n\n\nallow: /w/\nuser-agent: BazBot\n\nuser-agent: Googlebot\n"
            "allow: /z/\ndisallow: /\n"
        ),
        "/x/b /z/d",
        "/y/c /foo/bar/",
    ),
    "OtherRules_Sitemap": ("User-agent: Googlebot\nSitemap: /sitemap\nUser-agent: *\nDisallow: /\n", "", "/"),
    "OtherRules_Unknown": ("User-agent: Googlebot\nUnknown: unknown\nUser-agent: *\nDisallow: /\n", "", "/"),
    "REPLineNamesCaseInsensitive": ("uSeR-aGeNt: Googlebot\nAlLoW: /x/\ndIsAlLoW: /\n", "/x/y", "/a/b"),
    "AcceptUserAgentUpToFirstSpace": ("User-Agent: *\nDisallow: /\nUser-Agent: Googlebot Bar\n", "/y", ""),
    "AllowDisallow_Value_CaseSensitive": ("user-agent: Googlebot\ndisallow: /X/\n", "/x/y", "/X/y"),
    "SpecialCharacters": (
        "User-agent: Googlebot\nDisallow: /foo/bar$\n# Disallow: /\nDisallow: /foo/quz#qux\nAllow: /\n",
        "/foo/bar/qux /foo/bar/",
        "/foo/bar /foo/quz",
    ),
    "IndexHTMLisDirectory": (
        *("User-Agent: *\nAllow: /a/index.html\nDisallow: /\n", "/a/ /a/index.html", "/a/index.htm /other"),
    ),
    "IndexHTMLisDirectory_Short": ("User-Agent: *\nAllow: /a/index.htm\nDisallow: /\n", "/a/", "/a/b"),
    "DocumentationChecks": (
        "user-agent: Googlebot\ndisallow: /\nallow: /fish*.php\nallow: /p\nallow: /$\n",
        "/fish.php /fishheads/catfish.php?parameters /page /",
        "/Fish.PHP /catfish",
    ),
    "Typos": (
        (
            "user agent: Googlebot\nDissallow: /a\ndissalow: /b\ndisalow: /c\ndiasllow: /d\ndisallaw: /e\n"
            "disallowed: /f\nuseragent: BarBot\nDisallow: /g\n"
        ),
        "/g",
        "/a /b /c /d /e /f",
    ),
    "A star and more": ("User-agent: *bot\nDisallow: /\n\nUser-agent: * all\nDisallow: /a\n", "/b", "/a"),
}


@pytest.mark.parametrize("name", GOOGLES)
def test_what_googlebot_may_fetch_is_what_googles_parser_says(name):
    text, allowed, forbidden = GOOGLES[name]
    found = {path: forbids(text, HOST + path) for path in f"{allowed} {forbidden}".split()}
    assert found == {**dict.fromkeys(allowed.split(), False), **dict.fromkeys(forbidden.split(), True)}


def test_part_of_a_byte_order_mark_is_skipped():
    assert parse_robots(b"\xef\xbbUser-agent: *").lines == (Line(1, "user-agent", "*"),)


def test_what_google_alone_reads_holds_for_no_other_crawler():
    robots = RobotsFile("robots.txt", b"useragent: *\nDisallow: /a\nUser-agent: *\nDisallow /b\n")
    assert [robots.forbids(f"{HOST}/{path}") for path in "ab"] == ["Googlebot", "Googlebot"]
    assert [line.misspelled for line in robots.parsed.lines] == ["useragent: *", "", "", "Disallow /b"]


NO_LINES = "Disallow /a /b", "Noindex /a", "Disallow", "Sitemap https://docs.example.org/sitemap.xml"


@pytest.mark.parametrize("line", NO_LINES)
def test_what_not_even_google_reads(line):
    robots = parse_robots(line.encode())
    assert not any(line.misspelled for line in robots.lines)
    assert not robots.sitemaps
    assert not {each.field for each in robots.lines} & {"allow", "disallow", "user-agent"}


@pytest.mark.parametrize("form", ["/*a*a*{}*a$", "/*a*a*a*a7$", "/{}*a"])
def test_many_rules_cost_no_more_for_each_page(form):
    text = "User-agent: *\n" + "".join(f"Disallow: {form.format(number)}\n" for number in range(10_000))
    rules = CrawlerRules(lines_for(parse_robots(text.encode()), "Googlebot"))
    begun = process_time()
    for number in range(300):
        rules.forbids(f"{HOST}/guide/aaaaaaaaaa/page-{number}-aa/")
    assert process_time() - begun < HANGS / 100


def test_what_stands_beyond_the_first_500_kib_is_not_read():
    comments = b"# a comment\n" * 45_000
    read, unread = b"Disallow: /a\n" + comments, comments + b"Disallow: /a\n"
    assert RobotsFile("robots.txt", b"User-agent: *\n" + read).forbids(f"{HOST}/a") == "Googlebot and bingbot"
    assert RobotsFile("robots.txt", b"User-agent: *\n" + unread).forbids(f"{HOST}/a") == ""
