"""Shards cover everything in order, within both limits, and most stay when a page comes or goes."""

from collections import Counter
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_docs.model import Entry, SitemapError
from sitemap_docs.sitemap.render import Partition

NO_LIMIT = 10**12


DATE = datetime(2026, 1, 31, tzinfo=timezone.utc)


def shards_of(site, *, max_urls=NO_LIMIT, max_bytes=NO_LIMIT):
    """The shards of rows that hold their loc, and as many newlines as ``site`` says."""
    shards = Partition(max_urls=max_urls, max_bytes=max_bytes)
    found = []
    for loc in sorted(site, key=str.encode):
        found += shards.add(Entry(loc), loc.encode() + b"\n" * site[loc])
    return [*found, *shards.finish()]


def by_name(shards):
    named = {shard.digest[:6]: tuple(shard.rows) for shard in shards}
    assert len(named) == len(shards)
    return named


def changed(old, new):
    return sum(old.get(name) != new.get(name) for name in old.keys() | new.keys())


@given(st.dictionaries(st.text("abé/", min_size=1, max_size=8), st.integers(1, 30)), st.integers(1, 6))
def test_shards_keep_both_limits_and_contain_every_address_once_in_order(site, max_urls):
    found = shards_of(site, max_urls=max_urls, max_bytes=60)
    locs = [[row.decode().strip() for row in shard.rows] for shard in found]
    assert [loc for each in locs for loc in each] == sorted(site, key=str.encode)
    assert all(len(shard.rows) <= max_urls for shard in found)
    assert all(sum(map(len, shard.rows)) <= 60 for shard in found)
    assert [shard.start for shard in found[1:]] == [each[0] for each in locs[1:]]
    assert [shard.start for shard in found[:1]] == [""] * bool(site)


def test_a_shard_is_dated_by_its_newest_entry():
    shards = Partition(max_urls=9, max_bytes=NO_LIMIT)
    for number, date in enumerate([None, DATE - timedelta(days=1), DATE, None]):
        assert not shards.add(Entry(str(number), date), b"x")
    assert [shard.newest for shard in shards.finish()] == [DATE]
    shards.add(Entry("5"), b"x")
    assert [shard.newest for shard in shards.finish()] == [None]


@pytest.mark.parametrize("limits", [{"max_urls": 20}, {"max_bytes": 3_000}], ids=str)
def test_one_page_more_or_less_changes_few_shards(limits):
    site = {f"https://e.org/{page:03}/": 50 + page * 7 % 100 for page in range(600)}
    whole, counts = by_name(shards_of(site, **limits)), Counter()
    for loc in list(site)[::10]:
        others = {each: site[each] for each in site.keys() - {loc}}
        counts[changed(whole, by_name(shards_of(others, **limits)))] += 1
    assert max(counts) <= 12, counts
    assert counts[0] + counts[1] + counts[2] >= 50, counts


@pytest.mark.parametrize("limit", [8, 500])
def test_but_for_the_last_shards_are_not_small(limit):
    found = shards_of({f"https://e.org/{page:05}/": 1 for page in range(6_000)}, max_urls=limit)
    sizes = [len(shard.rows) for shard in found]
    assert min(sizes[:-1]) >= limit / 8
    assert sum(sizes) / len(sizes) > limit / 2


def test_cuts_are_the_same_in_every_version():
    """They are addresses of files, and search engines have read these."""
    found = shards_of({f"https://e.org/{page:05}/": 1 for page in range(300)}, max_urls=100)
    assert [(shard.start, shard.digest[:6]) for shard in found] == [
        ("", "e3b0c4"),
        ("https://e.org/00076/", "8ae963"),
        ("https://e.org/00166/", "a30586"),
        ("https://e.org/00200/", "7e4203"),
    ]


def test_no_more_than_one_shard_is_held():
    shards = Partition(max_urls=10, max_bytes=NO_LIMIT)
    held = 0
    for number in range(10_000):
        done = shards.add(Entry(f"https://example.org/{number:05}"), b"x")
        held += 1 - sum(len(shard.rows) for shard in done)
        assert held <= 10


REFUSED = [
    pytest.param([("b", 1), ("a", 1)], "a is listed twice, or in the wrong place: after b", id="not sorted"),
    pytest.param([("a", 1), ("a", 1)], "a is listed twice", id="twice"),
    pytest.param([("\U0001f600", 1), ("\uffff", 1)], "in the wrong place: after", id="order of UTF-16"),
    pytest.param([("a", 9), ("b", 11)], "The entry of b .* has 11 bytes", id="larger than a sitemap"),
]


@pytest.mark.parametrize(("rows", "says"), REFUSED)
def test_refused(rows, says):
    shards = Partition(max_urls=5, max_bytes=10)
    with pytest.raises(SitemapError, match=says):  # noqa: PT012
        for loc, size in rows:
            shards.add(Entry(loc), b"x" * size)
