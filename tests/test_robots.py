"""robots.txt: the user's bytes stay, our lines come once and go again."""

import re

import pytest
from protego import Protego

from sitemap_docs.model import SitemapError
from sitemap_docs.robots import OWN_FILE, OWN_LINE, PRESETS, Line, merge_robots, parse_robots, without

URL = "https://example.org/sitemap.xml"
OLD = "https://old.example/sitemap.xml"
OURS = f"{OWN_LINE}\nSitemap: {URL}\n"


def test_created() -> None:
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
    assert without(first) is None
    assert without(b"\xef\xbb\xbf" + first) is None
    assert without(first.replace(OWN_FILE.encode(), b"# ours now")) is not None


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
def test_merged(yours: str, merged: str | None) -> None:
    got = merge_robots(yours.encode(), [URL])
    assert got.decode() == (yours if merged is None else merged)
    assert merge_robots(got, [URL]) == got


def test_several_sitemaps() -> None:
    both = f"A: b\n\n{OWN_LINE}\nSitemap: {OLD}\n{OWN_LINE}\nSitemap: {URL}\n".encode()
    assert merge_robots(b"A: b\n", [OLD, URL]) == both
    assert merge_robots(both, [URL]) == f"A: b\n\n{OURS}".encode()
    assert without(both) == b"A: b\n"
    assert without(b"\n" + both) == b"\nA: b\n"
    assert without(both.replace(b"\n\n", b"\n\n\n")) == b"A: b\n\n"


@pytest.mark.parametrize("data", ["User-agent: *".encode("utf-16"), b"\xfe\xff" + "a".encode("utf-16-be")])
def test_utf16_is_refused(data: bytes) -> None:
    with pytest.raises(SitemapError, match="UTF-16"):
        merge_robots(data, [URL])


NO_AGENT = "is not a user agent, *, @training or @search."


WRONG = [
    ("", {"allow": "/"}, f"'' {NO_AGENT}"),
    ("a\nb", {"allow": "/"}, f"'a\\nb' {NO_AGENT}"),
    ("@train", {"disallow": "/"}, f"'@train' {NO_AGENT}"),
    ("*", "/", "* needs a mapping such as {'disallow': '/drafts/'}, not '/'."),
    ("*", {"noindex": "/"}, "* has 'noindex'; a group may hold: allow, disallow, crawl-delay, "),
    ("*", {"disallow": "X/"}, "*, disallow: 'X/' must be a path that starts with / or *."),
    ("*", {"allow": "drafts/"}, "*, allow: 'drafts/' must be a path that starts with / or *."),
    ("*", {"disallow": "/a#b"}, "*, disallow: '/a#b' must be one line without #."),
    ("*", {"disallow": ["/a\nAllow: /"]}, "*, disallow: '/a\\nAllow: /' must be one line without #."),
    ("*", {"content_usage": {}}, "*, content-usage: {} must be one line without #."),
    ("*", {"content-usage": "/guide/"}, "*, content-usage: '/guide/' must be pairs such as train-ai=n, "),
    ("*", {"content_signal": "no training"}, "*, content-signal: 'no training' must be pairs such as "),
    ("*", {"content_signal": None}, "*, content-signal: None must be pairs such as "),
    *(
        ("*", {"crawl-delay": delay}, f"*, crawl-delay: {delay!r} must be a number of seconds.")
        for delay in ("soon", "1.5.2", ".", "٣", None)
    ),
]


@pytest.mark.parametrize(("agents", "rules", "why"), WRONG)
def test_groups_are_checked(agents: str, rules: object, why: str) -> None:
    with pytest.raises(SitemapError, match=re.escape(f"robots: {why}")):
        merge_robots(None, [URL], {agents: rules})


def test_read() -> None:
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
