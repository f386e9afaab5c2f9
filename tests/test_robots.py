"""robots.txt: the user's bytes stay, ours come once and go; what crawlers may fetch, as Protego says."""

import re
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from sitemap_docs.audit.site import RobotsFile
from sitemap_docs.model import SitemapError
from sitemap_docs.robots import (
    OWN_FILE,
    OWN_LINE,
    PRESETS,
    CrawlerRules,
    Line,
    merge_robots,
    parse_robots,
    remove_our_lines,
)
from tests.conftest import HANGS

URL = "https://example.org/sitemap.xml"
OLD = "https://old.example/sitemap.xml"
OURS = f"{OWN_LINE}\nSitemap: {URL}\n"


def test_a_missing_robots_txt_is_created_and_allows_everything() -> None:
    assert merge_robots(None, [URL]).decode() == f"{OWN_FILE}\nUser-agent: *\nAllow: /\n\nSitemap: {URL}\n"
    assert merge_robots(None, []).decode() == f"{OWN_FILE}\nUser-agent: *\nAllow: /\n"


def test_created_from_groups() -> None:
    groups = {
        "*": {"disallow": ["/drafts/", "/*.pdf$"], "Allow": " / ", "crawl_delay": [10, 1.5, "0.25", ".5"]},
        "GPTBot": {"disallow": "/", "content-signal": "search=yes, ai-train=no"},
        "CCBot": {"content_usage": ["train-ai=n", "/guide/ train-ai=y"]},
        "AnyBot": {"disallow": None},
    }
    assert merge_robots(None, [URL, OLD, URL], groups).decode() == (
        f"{OWN_FILE}\n"
        "User-agent: *\nDisallow: /drafts/\nDisallow: /*.pdf$\nAllow: /\n"
        "Crawl-delay: 10\nCrawl-delay: 1.5\nCrawl-delay: 0.25\nCrawl-delay: .5\n\n"
        "User-agent: GPTBot\nDisallow: /\nContent-signal: search=yes, ai-train=no\n\n"
        "User-agent: CCBot\nContent-usage: train-ai=n\nContent-usage: /guide/ train-ai=y\n\n"
        "User-agent: AnyBot\nDisallow:\n\n"
        f"Sitemap: {URL}\nSitemap: {OLD}\n"
    )


def test_a_file_of_ours_follows_the_options() -> None:
    first = merge_robots(None, [OLD], {"*": {"disallow": "/drafts/"}})
    assert merge_robots(first, [URL]) == merge_robots(None, [URL])
    assert remove_our_lines(first) is None
    assert remove_our_lines(b"\xef\xbb\xbf" + first) is None
    assert remove_our_lines(first.replace(OWN_FILE.encode(), b"# ours now")) is not None


MERGED = {
    "User-agent: *\n": f"User-agent: *\n\n{OURS}",  # appended
    "\ufeff": f"\ufeff{OURS}",  # only a BOM
    "\ufeffUser-agent: *\n": f"\ufeffUser-agent: *\n\n{OURS}",  # BOM
    "User-agent: *": f"User-agent: *\n\n{OURS[:-1]}",  # no last end, none after us
    "A: b\r\nC: d\r\n": f"A: b\r\nC: d\r\n\r\n{OWN_LINE}\r\nSitemap: {URL}\r\n",  # CRLF
    "A: b\r": f"A: b\r\r{OWN_LINE}\rSitemap: {URL}\r",  # CR
    f"sitemap : {URL} # mine\n": None,  # already there
    f"Site-map: {URL}\n": None,  # already there, for Google
    f"Sitemap: {URL}x\n": f"Sitemap: {URL}x\n\n{OURS}",  # another of yours
    f"# Sitemap: {URL}\n": f"# Sitemap: {URL}\n\n{OURS}",  # only a comment
    f"A: b\n\n{OWN_LINE}\nSitemap: {OLD}\n": f"A: b\n\n{OURS}",  # our earlier base
    f"A: b\n\n{OWN_LINE}\nSitemap: {OLD}\nC: d\n": f"A: b\nC: d\n\n{OURS}",  # yours last
    f"{OWN_LINE}\nC: d\nSitemap: {OLD}\n": f"C: d\nSitemap: {OLD}\n\n{OURS}",  # between
    f"Sitemap: {URL}\n\n{OURS}": f"Sitemap: {URL}\n",  # you added it yourself since
}


@pytest.mark.parametrize(("yours", "merged"), MERGED.items())
def test_our_sitemap_line_is_merged_into_an_existing_robots_txt(yours: str, merged: str | None) -> None:
    """A second merge changes nothing."""
    got = merge_robots(yours.encode(), [URL])
    assert got.decode() == (yours if merged is None else merged)
    assert merge_robots(got, [URL]) == got


def test_our_sitemap_lines_follow_the_list_of_sitemaps_and_can_be_removed() -> None:
    both = f"A: b\n\n{OWN_LINE}\nSitemap: {OLD}\n{OWN_LINE}\nSitemap: {URL}\n".encode()
    assert merge_robots(b"A: b\n", [OLD, URL]) == both
    assert merge_robots(both, [URL]) == f"A: b\n\n{OURS}".encode()
    assert remove_our_lines(both) == b"A: b\n"
    assert remove_our_lines(b"\n" + both) == b"\nA: b\n"
    assert remove_our_lines(both.replace(b"\n\n", b"\n\n\n")) == b"A: b\n\n"


@pytest.mark.parametrize("data", ["User-agent: *".encode("utf-16"), b"\xfe\xff" + "a".encode("utf-16-be")])
def test_utf16_is_refused(data: bytes) -> None:
    with pytest.raises(SitemapError, match="UTF-16"):
        merge_robots(data, [URL])


NO_AGENT = "is not valid. Write the name of a crawler such as GPTBot, or one of: *, @training, @search."


WRONG = [
    ("", {"allow": "/"}, f"'' {NO_AGENT}"),
    ("a\nb", {"allow": "/"}, f"'a\\nb' {NO_AGENT}"),
    ("@train", {"disallow": "/"}, f"'@train' {NO_AGENT}"),
    ("*", "/", "* must have a mapping such as {'disallow': '/drafts/'}, not '/'."),
    (
        "*",
        {"noindex": "/"},
        "* has the unknown field 'noindex'. The fields are: allow, disallow, crawl-delay, ",
    ),
    ("*", {"disallow": "X/"}, "*, disallow: 'X/' must be a path that starts with / or *."),
    ("*", {"allow": "drafts/"}, "*, allow: 'drafts/' must be a path that starts with / or *."),
    ("*", {"disallow": "/a#b"}, "*, disallow: '/a#b' must be one line without #."),
    ("*", {"disallow": ["/a\nAllow: /"]}, "*, disallow: '/a\\nAllow: /' must be one line without #."),
    ("*", {"content_usage": {}}, "*, content-usage: {} must be one line without #."),
    ("*", {"content-usage": "/guide/"}, "*, content-usage: '/guide/' must be pairs such as train-ai=n, "),
    ("*", {"content_signal": "no training"}, "*, content-signal: 'no training' must be pairs such as "),
    ("*", {"content-signal": "search=yes,"}, "*, content-signal: 'search=yes,' must be pairs such as "),
    ("*", {"content-signal": ["search=yes", "ai-train"]}, "*, content-signal: 'ai-train' must be pairs such"),
    *(
        ("*", {"content-signal": f"ai-input=no, {pair}"}, f"pairs with {right}, instead of {pair}.")
        for pair, right in (
            ("ai_train=nope", "ai-train=no or ai-train=yes"),
            ("sear_ch=yes", "search=no or search=yes"),
            ("ai-train=n", "ai-train=no or ai-train=yes"),
        )
    ),
    (
        "*",
        {"content-usage": "/a/ train-ai=no"},
        "pairs with train-ai=n or train-ai=y, instead of train-ai=no.",
    ),
    ("*", {"content_signal": None}, "*, content-signal: None must be pairs such as "),
    *(
        ("*", {"crawl-delay": delay}, f"*, crawl-delay: {delay!r} must be a number of seconds.")
        for delay in ("soon", "1.5.2", ".", "٣", None)
    ),
]


@pytest.mark.parametrize(("agents", "rules", "why"), WRONG)
def test_an_invalid_group_is_an_error_that_says_what_is_wrong(agents: str, rules: object, why: str) -> None:
    with pytest.raises(SitemapError, match=f"^robots: .*{re.escape(why)}"):
        merge_robots(None, [URL], {agents: rules})


def test_the_parser_returns_sitemaps_and_groups_with_line_numbers() -> None:
    robots = parse_robots(
        b"\xef\xbb\xbfDisallow: /stray\r\n"
        b"User-Agent: a\r\nuser-agent : b # both\r\n \t\r\n"
        b"Sitemap: https://example.org/a:b.xml\r\n"
        b"disallow:/x\r\nAllow:\r\nno colon\r\n"
        b"User-agent: c\r\nDisallow: /\xff\r\n# done\r\n"
    )
    assert robots.sitemaps == (Line(5, "sitemap", "https://example.org/a:b.xml"),)
    stray, both, other = robots.groups
    assert stray == ([], [Line(1, "disallow", "/stray")])
    assert both.agents == [Line(2, "user-agent", "a"), Line(3, "user-agent", "b")]
    assert both.rules == [Line(6, "disallow", "/x"), Line(7, "allow", ""), Line(8, "", "no colon")]
    assert other == ([Line(9, "user-agent", "c")], [Line(10, "disallow", "/\ufffd")])


def test_presets_name_the_bots_of_the_table():
    written = merge_robots(None, (), {"@training, OtherBot": {"disallow": "/"}, "@search": {"allow": "/"}})
    training, search = parse_robots(written).groups
    assert [line.value for line in training.agents] == [*PRESETS["@training"], "OtherBot"]
    assert [line.value for line in search.agents] == [*PRESETS["@search"]]
    assert {*PRESETS["@search"]}.isdisjoint(PRESETS["@training"])
    rules = Protego.parse(written.decode())
    assert not rules.can_fetch("https://example.org/a", "GPTBot")
    assert rules.can_fetch("https://example.org/a", "OAI-SearchBot")


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
        ours = CrawlerRules(parse_robots(text.encode()), agent)
        for path in paths:
            assert ours.forbids(f"{HOST}/{path}") is not oracle.can_fetch(f"{HOST}/{path}", agent)


def forbids(text: str, url: str) -> bool:
    return CrawlerRules(parse_robots(text.encode()), "Googlebot").forbids(url)


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
def test_the_rules_for_googlebot_decide_whether_an_address_is_forbidden(lines, url, expected):
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


def test_misspelled_lines_that_only_google_understands_forbid_pages_to_googlebot_only():
    robots = RobotsFile("robots.txt", b"useragent: *\nDisallow: /a\nUser-agent: *\nDisallow /b\n")
    assert [robots.forbids(f"{HOST}/{path}") for path in "ab"] == ["Googlebot", "Googlebot"]
    assert [line.misspelled for line in robots.parsed.lines] == ["useragent: *", "", "", "Disallow /b"]


NO_LINES = "Disallow /a /b", "Noindex /a", "Disallow", "Sitemap https://docs.example.org/sitemap.xml"


@pytest.mark.parametrize("line", NO_LINES)
def test_lines_that_google_cannot_read_are_neither_rules_nor_sitemaps(line):
    robots = parse_robots(line.encode())
    assert not any(line.misspelled for line in robots.lines)
    assert not robots.sitemaps
    assert not {each.field for each in robots.lines} & {"allow", "disallow", "user-agent"}


@pytest.mark.parametrize("form", ["/*a*a*{}*a$", "/*a*a*a*a7$", "/{}*a"])
def test_many_rules_cost_no_more_for_each_page(form):
    text = "User-agent: *\n" + "".join(f"Disallow: {form.format(number)}\n" for number in range(10_000))
    rules = CrawlerRules(parse_robots(text.encode()), "Googlebot")
    begun = process_time()
    for number in range(300):
        rules.forbids(f"{HOST}/guide/aaaaaaaaaa/page-{number}-aa/")
    assert process_time() - begun < HANGS / 100


def test_what_stands_beyond_the_first_500_kib_is_not_read():
    comments = b"# a comment\n" * 45_000
    read, unread = b"Disallow: /a\n" + comments, comments + b"Disallow: /a\n"
    assert RobotsFile("robots.txt", b"User-agent: *\n" + read).forbids(f"{HOST}/a") == "Googlebot and bingbot"
    assert RobotsFile("robots.txt", b"User-agent: *\n" + unread).forbids(f"{HOST}/a") == ""
