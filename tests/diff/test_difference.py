"""What changed between two stocks, in values and in words."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap_docs.diff.difference import Change, Difference, Limit, compute_difference
from sitemap_docs.diff.formats import (
    difference_json,
    difference_markdown,
    difference_text,
    headline,
    violations,
    warnings,
)
from sitemap_docs.model import SitemapError
from sitemap_docs.sitemap import sorting
from sitemap_docs.webroot.redirects import Outcome

JANUARY, MAY = "2026-01-31T00:00:00+00:00", "2026-05-31T00:00:00+00:00"
OLD = [f"a/\t{JANUARY}", f"b/\t{JANUARY}", "c/\t", f"d/\t{JANUARY}", f"old/\t{JANUARY}", f"z/\t{JANUARY}"]
NEW = [f"a/\t{JANUARY}", f"b/\t{MAY}", "c/\t", "d/\t", f"e/\t{MAY}", f"new/\t{JANUARY}"]
FOUND = {"old/": Outcome("redirected", "new/"), "z/": Outcome("lost")}


def of_all(**more: object) -> Difference:
    return compute_difference(OLD, NEW, find=FOUND.__getitem__, find_moves=lambda _: {"old/": "new/"}, **more)


def test_each_kind() -> None:
    difference = of_all()
    assert list(difference.changes()) == [
        Change("changed", "b/", JANUARY, MAY),
        Change("changed", "d/", JANUARY, ""),
        Change("added", "e/", after=MAY),
        Change("moved", "old/", before=JANUARY, to="new/", outcome="redirected", target="new/"),
        Change("removed", "z/", before=JANUARY, outcome="lost"),
    ]
    assert [change.loc for change in difference.losses()] == ["z/"]
    assert (difference.old, difference.new, difference.unchanged, difference.lost) == (6, 6, 2, 1)


TEXTS = st.text("abAB/\U0001f600é\uffff", max_size=3)
DATES = st.sampled_from(["", JANUARY, MAY])
STOCKS = st.dictionaries(TEXTS, DATES)


@given(STOCKS, STOCKS, st.randoms())
@settings(deadline=None)
def test_it_is_what_dictionaries_say(old: dict[str, str], new: dict[str, str], random) -> None:
    before, after = ([f"{loc}\t{date}" for loc, date in urls.items()] for urls in (old, new))
    before += before[: len(before) // 2]  # listed twice
    random.shuffle(before)
    difference = compute_difference(before, after)
    said = {(change.kind, change.loc) for change in difference.changes()}
    assert said == (
        {("added", loc) for loc in new.keys() - old.keys()}
        | {("removed", loc) for loc in old.keys() - new.keys()}
        | {("changed", loc) for loc in old.keys() & new.keys() if old[loc] != new[loc]}
    )
    assert (difference.old, difference.new) == (len(old), len(new))
    assert difference.unchanged == sum(new[loc] == date for loc, date in old.items() if loc in new)


def test_more_than_memory_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sorting, "_MOST", 50)
    old = [f"{number % 7}/{number}\t" for number in range(2_000)]
    difference = compute_difference(old, [line for line in reversed(old) if not line.endswith("9\t")])
    assert (difference.counts["removed"], difference.counts["added"], difference.unchanged) == (200, 0, 1_800)


@pytest.mark.parametrize(
    ("text", "removed", "exceeded"),
    [
        pytest.param("5%", 5, False, id="just the share"),
        pytest.param("5%", 6, True, id="more than the share"),
        pytest.param("0%", 1, True, id="none at all"),
        pytest.param("0", 0, False, id="none, and none is"),
        pytest.param("2.5 %", 3, True, id="a fraction"),
        pytest.param("7", 7, False, id="just the number"),
        pytest.param("7", 8, True, id="more than the number"),
        pytest.param("100%", 100, False, id="anything"),
    ],
)
def test_limits(text: str, removed: int, exceeded: bool) -> None:
    urls = [f"{number}\t" for number in range(100)]
    difference = compute_difference(urls, urls[removed:])
    limit = Limit.of(text)
    assert limit.exceeded(difference) is exceeded
    assert len(list(violations(difference, [limit]))) == exceeded


def test_a_moved_page_is_not_a_removed_one() -> None:
    assert of_all().counts["removed"] == 1


def test_an_empty_site_can_lose_nothing() -> None:
    assert not Limit.of("0%").exceeded(compute_difference([], []))


@pytest.mark.parametrize("text", ["", "%", "-1", "5.5", "101%", "1e3", "five", "\u0665", "nan%", "100.5%"])
def test_what_is_no_limit(text: str) -> None:
    with pytest.raises(SitemapError, match="is no limit"):
        Limit.of(text)


def test_text() -> None:
    assert list(difference_text(of_all())) == [
        "6 URLs before, 6 now: 1 added, 1 removed, 2 changed, 1 moved",
        f"+ e/  {MAY}",
        "- z/  no redirect",
        f"~ b/  {JANUARY} → {MAY}",
        f"~ d/  {JANUARY} → no date",
        "> old/ → new/  redirects to new/",
    ]
    assert list(difference_text(of_all(), 1))[3:5] == [
        f"~ b/  {JANUARY} → {MAY}",
        "~ … and 1 more (-v shows them)",
    ]
    assert list(warnings(of_all())) == [
        "1 removed address has neither a page nor a redirect: redirect each to the page that replaces it.",
        "1 page lost the date: fetch the whole history if the clone is shallow.",
    ]


def test_json() -> None:
    said = json.loads("".join(difference_json(of_all())))
    assert said["counts"] == {"added": 1, "removed": 1, "changed": 2, "moved": 1}
    assert (said["old"], said["new"], said["lost"]) == (6, 6, 1)
    assert said["added"] == [{"loc": "e/", "lastmod": MAY}]
    assert said["changed"][1] == {"loc": "d/", "before": JANUARY, "after": None}
    assert said["removed"] == [{"loc": "z/", "lastmod": JANUARY, "found": "lost", "redirect": None}]
    assert said["moved"] == [
        {"loc": "old/", "to": "new/", "lastmod": JANUARY, "found": "redirected", "redirect": "new/"}
    ]


def test_markdown() -> None:
    said = difference_markdown(of_all(), ["Too many."]).splitlines()
    assert said[0] == f"**Sitemap:** {headline(of_all())}"
    assert "> Too many." in said
    assert "| removed | `z/` | no redirect |" in said
    assert "| moved | `old/` | now `new/` redirects to `new/` |" in said
    assert difference_markdown(compute_difference([], [])) == (
        "**Sitemap:** 0 URLs before, 0 now: 0 added, 0 removed, 0 changed, 0 moved"
    )


def test_markdown_shows_what_others_wrote_as_code() -> None:
    target = "](x)![](https://example.com/pixel.png)<b>|@everyone`"
    found = Outcome("redirected", target)
    difference = compute_difference(["https://e.org/a/\t"], [], find=lambda _: found)
    row = difference_markdown(difference).splitlines()[-1]
    text = "](x)![](https://example.com/pixel.png)<b>%7C@everyone%60"
    assert row == f"| removed | `https://e.org/a/` | redirects to `{text}` |"


def test_markdown_fits_a_comment_and_holds_no_markup_of_others() -> None:
    hostile = f"https://docs.example.org/`|<img src=x>@everyone{'x' * 1_900}"
    said = difference_markdown(compute_difference([], [f"{hostile}{number:05}\t" for number in range(3_000)]))
    assert len(said) < 65_536
    assert "… and 2,9" in said
    for row in said.splitlines()[4:-1]:
        assert (row.count("|"), row.count("`")) == (4, 2)


@pytest.mark.parametrize(
    "target", ["a\nhttps://x.org/\tadded\t\t\t\t\t", "\\n\t\r\x85\u2028", "é\udc80", "\\"]
)
def test_a_change_survives_as_a_line_whatever_a_page_names(target: str) -> None:
    change = Change("removed", "https://x.org/a", outcome="redirected", target=target)
    assert len(change.line.splitlines()) == 1
    change.line.encode()
    assert Change.of(change.line) == change
