"""What a crawler may fetch: as Protego says, which follows RFC 9309, in time that is no product."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from sitemap_docs.audit.site import RobotsFile
from sitemap_docs.robots import CrawlerRules, lines_for, parse_robots
from tests.conftest import HANGS

HOST = "https://docs.example.org"
PARTS = ["/", "a", "b/", "index.html", "é", "%C3%A9", "%c3%a9", "%61", "%2F", "%2f", "=", "?x=1", "-", "%"]
VALUES = st.lists(st.sampled_from([*PARTS, "*", "*", "%2A"]), max_size=5).map("".join)
PATHS = st.lists(st.sampled_from([*PARTS, "#", "*"]), max_size=6).map("".join)
RULES = st.lists(
    st.tuples(st.sampled_from(["Disallow", "Allow", "disalow"]), VALUES, st.sampled_from(["", "", "$"])),
    max_size=5,
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
            assert ours.forbid(f"{HOST}/{path}") is not oracle.can_fetch(f"{HOST}/{path}", agent)


def forbids(text: str, url: str) -> bool:
    return CrawlerRules(lines_for(parse_robots(text.encode()), "Googlebot")).forbid(url)


@pytest.mark.parametrize(
    ("lines", "url", "expected"),
    [
        pytest.param("User-agent: *\nDisallow: /", f"{HOST}/robots.txt", False, id="robots.txt itself"),
        pytest.param("User-agent: *\nDisallow: /", HOST, True, id="a host without its slash"),
        pytest.param("User-agent: *\nDisallow: /", "mailto:a@example.org", False, id="no address of a host"),
        pytest.param("User-agent: *\nDisallow:", f"{HOST}/a", False, id="nothing is forbidden"),
        pytest.param("User-agent: Googlebot/2.1\nDisallow: /", f"{HOST}/a", True, id="a version"),
        pytest.param("User-agent: Googlebot-News\nDisallow: /", f"{HOST}/a", False, id="another product"),
        pytest.param("\ufeffUser-agent: *\nDisallow: /", f"{HOST}/a", True, id="behind a byte order mark"),
        pytest.param("User-agent: *\nDisallow: /[a]?b", f"{HOST}/[a]?b", True, id="no wildcards"),
    ],
)
def test_rules(lines, url, expected):
    assert forbids(lines, url) is expected


@pytest.mark.parametrize("form", ["/*a*a*a*a{}$", "/*a*a*{}*a$", "/*a*a*a*a7$", "/{}*a"])
def test_many_rules_cost_no_more_for_each_page(form):
    text = "User-agent: *\n" + "".join(f"Disallow: {form.format(number)}\n" for number in range(20_000))
    rules = CrawlerRules(lines_for(parse_robots(text.encode()), "Googlebot"))
    begun = process_time()
    for number in range(300):
        rules.forbid(f"{HOST}/guide/aaaaaaaaaa/page-{number}-aa/")
    assert process_time() - begun < HANGS / 100


def test_what_stands_beyond_the_first_500_kib_is_not_read():
    comments = b"# a comment\n" * 45_000
    read, unread = b"Disallow: /a\n" + comments, comments + b"Disallow: /a\n"
    assert RobotsFile("robots.txt", b"User-agent: *\n" + read).forbids(f"{HOST}/a") == "Googlebot and bingbot"
    assert RobotsFile("robots.txt", b"User-agent: *\n" + unread).forbids(f"{HOST}/a") == ""
