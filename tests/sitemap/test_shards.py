"""Shards are maximal parts and tiny ones behind them, in order, within both limits, and stay."""

import random
from collections import Counter
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_docs.model import SitemapError
from sitemap_docs.sitemap.shards import Partition, partition

WORDS = ["a", "api", "b", "guide", "how", "ref", "x", "zh-Hans"]
NO_LIMIT = 10**12


class Item(NamedTuple):
    loc: str
    size: int = 1


def shards_of(site, *, max_urls=NO_LIMIT, max_bytes=NO_LIMIT):
    items = [Item(loc, site[loc]) for loc in sorted(site, key=str.encode)]
    found = list(partition(items, max_urls=max_urls, max_bytes=max_bytes))
    together = Partition(max_urls=max_urls, max_bytes=max_bytes)
    assert [*together.add(items), *together.finish()] == found
    return found


def by_name(shards):
    named = {shard.digest[:6]: tuple(shard.items) for shard in shards}
    assert len(named) == len(shards)
    return named


def changed(old, new):
    return sum(old.get(name) != new.get(name) for name in old.keys() | new.keys())


def reference(locs, limit):
    """The definition: the largest subtrees of the crit-bit tree with no more than ``limit`` leaves."""
    if len(locs) <= limit:
        return [locs]
    width = 8 * max(len(loc.encode()) for loc in locs)
    bits = [f"{int.from_bytes(loc.encode().ljust(width // 8, bytes(1)), 'big'):0{width}b}" for loc in locs]
    bit = next(n for n in range(width) if len({each[n] for each in bits}) == 2)
    cut = sum(each[bit] == "0" for each in bits)
    return reference(locs[:cut], limit) + reference(locs[cut:], limit)


def joined(parts, limit):
    """The parts with those behind them that hold no more than a tenth; at the beginning also the next."""
    found = []
    for part in parts:
        tiny = len(part) * 10 <= limit or (len(found) == 1 and len(found[0]) * 10 <= limit)
        if found and tiny and len(found[-1]) + len(part) <= limit:
            found[-1] = found[-1] + part
        else:
            found.append(part)
    return found


def random_loc(source):
    parts = [source.choice(WORDS) + str(source.randrange(30)) for _ in range(source.randrange(1, 4))]
    return "https://example.org/" + "/".join(parts)


def edited(site, source):
    site = dict(site)
    kind = source.choice(["add", "remove", "resize"]) if site else "add"
    if kind == "add":
        site[random_loc(source)] = source.randrange(50, 150)
    elif kind == "remove":
        del site[source.choice(sorted(site))]
    else:
        loc = source.choice(sorted(site))
        site[loc] += source.choice([-1, 1])
    return site


locs = st.sets(st.text("abé/~\U0001f600", min_size=1, max_size=8))


@given(locs, st.integers(1, 30))
def test_shards_are_the_largest_subtrees_within_the_limit_and_tiny_ones(site, limit):
    found = shards_of(dict.fromkeys(site, 1), max_urls=limit)
    expected = joined(reference(sorted(site, key=str.encode), limit), limit) if site else []
    assert [[item.loc for item in shard.items] for shard in found] == expected
    assert [shard.boundary == b"" for shard in found] == [index == 0 for index in range(len(found))]
    assert [shard.whole for shard in found] == ([True] if len(found) == 1 else [False] * len(found))


@given(st.dictionaries(st.text("abé/", min_size=1, max_size=8), st.integers(1, 30)), st.integers(1, 6))
def test_both_limits_hold_and_everything_is_covered_once_in_order(site, max_urls):
    found = shards_of(site, max_urls=max_urls, max_bytes=60)
    assert [item.loc for shard in found for item in shard.items] == sorted(site, key=str.encode)
    assert all(len(shard.items) <= max_urls for shard in found)
    assert all(sum(item.size for item in shard.items) <= 60 for shard in found)
    assert len({shard.boundary for shard in found}) == len(found)


@pytest.mark.parametrize("seed", range(6))
def test_one_edit_changes_few_shards(seed):
    source = random.Random(seed)
    limit = source.randrange(1, 60)
    counts = Counter()
    site = {random_loc(source): source.randrange(50, 150) for _ in range(source.randrange(400))}
    old = by_name(shards_of(site, max_urls=limit))
    for _ in range(250):
        site = edited(site, source)
        new = by_name(shards_of(site, max_urls=limit))
        counts[changed(old, new)] += 1
        old = new
    assert max(counts) <= (2 if limit < 10 else 4)
    assert counts[0] + counts[1] + counts[2] >= 240


@pytest.mark.parametrize("sizes", [(440, 340, 220), (220, 440, 340), (30, 440, 30, 340, 20)])
def test_a_home_page_and_small_sections_are_no_shards_of_their_own(sizes):
    sections = {
        f"{'bfjnr'[number]}/{page:03}": 1 for number, size in enumerate(sizes) for page in range(size)
    }
    found = shards_of({f"https://e.org/{loc}": 1 for loc in ["", *sections]}, max_urls=500)
    assert sum(len(shard.items) for shard in found) == sum(sizes) + 1
    assert min(len(shard.items) for shard in found) > 50
    assert len(found) <= 3


def test_a_shard_begins_with_readable_text():
    site = {
        f"https://e.org/{section}/{page:02}": 1 for section in ("api", "guide", "how") for page in range(40)
    }
    starts = [shard.start for shard in shards_of(site, max_urls=40)]
    assert starts == ["", "https://e.org/d", "https://e.org/h"]  # of d to g, and from h on
    odd = shards_of({"https://e.org/é": 1, "https://e.org/ê": 1, "https://e.org/~": 1}, max_urls=1)
    assert all(shard.start.startswith("https://e.org/") for shard in odd[1:])


def test_names_stay_when_neighbours_change():
    source = random.Random(0)
    site = {random_loc(source): 1 for _ in range(2_000)}
    old = by_name(shards_of(site, max_urls=50))
    for loc in sorted(site)[:1_000]:
        del site[loc]
    new = by_name(shards_of(site, max_urls=50))
    untouched = [name for name, items in old.items() if items[0].loc in site]
    assert len(untouched) > 20
    # The first of them now begins the tree, unless its boundary does: the others have the name they had.
    assert all(new.get(name) == old[name] for name in untouched[1:])


def test_byte_limit_moves_few():
    source = random.Random(3)
    site = {random_loc(source): source.randrange(50, 150) for _ in range(400)}
    old, counts = by_name(shards_of(site, max_bytes=3_000)), []
    for _ in range(250):
        site = edited(site, source)
        new = by_name(shards_of(site, max_bytes=3_000))
        counts.append(changed(old, new))
        old = new
    assert max(counts) <= 4
    assert sum(count <= 2 for count in counts) >= 240


def test_no_more_than_two_shards_are_held():
    shards = Partition(max_urls=10, max_bytes=NO_LIMIT)
    held = 0
    for number in range(10_000):
        done = list(shards.add([Item(f"https://example.org/{number:05}")]))
        held += 1 - sum(len(shard.items) for shard in done)
        assert held <= 20


@pytest.mark.parametrize(
    ("items", "says"),
    [
        pytest.param([Item("b"), Item("a")], "a is listed twice or comes after b", id="not sorted"),
        pytest.param([Item("a"), Item("a")], "a is listed twice", id="twice"),
        pytest.param(
            [Item("\U0001f600"), Item("\uffff")], "listed twice or comes after", id="order of UTF-16"
        ),
        pytest.param([Item("a", 11)], "a takes 11 bytes; a sitemap may have 10", id="larger than a sitemap"),
        pytest.param([Item("a", 9), Item("b", 11)], "b takes 11 bytes", id="a later one is larger"),
    ],
)
def test_refused(items, says):
    with pytest.raises(SitemapError, match=says):
        list(partition(items, max_urls=5, max_bytes=10))
