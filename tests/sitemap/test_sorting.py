"""Sorting with little memory gives what sorting with much memory gives."""

from __future__ import annotations

import random
from typing import BinaryIO, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap_docs.sitemap import sorting
from sitemap_docs.sitemap.sorting import LineFile, Lines, sorted_lines, split_lines

TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), max_size=6))


@pytest.fixture(autouse=True, scope="module")
def _small():
    """Runs of a few lines, so that a few hundred need many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sorting, "_MOST", 7)
        patch.setattr(sorting, "_LEAST", 2)
        patch.setattr(sorting, "_BLOCK", 11)
        yield


@given(TEXTS)
@settings(deadline=None, max_examples=150)
def test_in_order(lines: list[str]) -> None:
    assert list(sorted_lines(lines)) == sorted(lines, key=str.encode)


@given(TEXTS)
@settings(deadline=None, max_examples=50)
def test_lines_can_be_read_again(lines: list[str]) -> None:
    kept = Lines(iter(lines))
    assert list(kept) == list(kept) == lines


@pytest.mark.parametrize("seed", range(3))
def test_many_runs_that_overlap_or_do_not(seed: int) -> None:
    lines = [f"{number:05}" for number in range(2_000)]
    blocks = [lines[start : start + 50] for start in range(0, 2_000, 50)]
    random.Random(seed).shuffle(blocks)
    assert list(sorted_lines(line for block in blocks for line in block)) == lines
    random.Random(seed).shuffle(lines)
    assert list(sorted_lines(lines)) == sorted(lines)


@given(st.lists(st.text("ab\n"), max_size=6))
def test_lines_are_split_wherever_blocks_end(blocks: list[str]) -> None:
    whole = "".join(blocks)
    expected = whole.split("\n")
    found = [line.decode() for lines in split_lines(block.encode() for block in blocks) for line in lines]
    assert found == (expected if expected[-1] else expected[:-1])


class Block(bytes):
    """Bytes that cannot be appended to others: a line of many blocks would be copied for each."""

    def __radd__(self, other: bytes) -> bytes:
        raise AssertionError


class Blocks(NamedTuple):
    """A file that reads them."""

    file: BinaryIO

    def seek(self, start: int) -> None:
        self.file.seek(start)

    def read(self, size: int) -> Block:
        return Block(self.file.read(size))


def test_a_long_line_is_copied_once(monkeypatch: pytest.MonkeyPatch) -> None:
    sorter = LineFile()
    lines = ["a", "x" * 10_000, "b"]
    run = sorter.add(lines)
    monkeypatch.setattr(sorter, "_file", Blocks(sorter._file))
    assert list(sorter.lines(run)) == lines
