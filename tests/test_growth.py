"""The work of every reader grows with its input, and no faster: counted in steps, not in seconds.

Steps from line to line of Python are counted; ``test_expressions.py`` looks at what expressions do.
"""

import pkgutil
import sys
from functools import partial
from importlib import import_module
from math import log

import pytest

import sitemap_docs
from sitemap_docs.config.options import OPTIONS
from sitemap_docs.linear import READERS
from tests.bench.readers import LISTS, PRODUCTS, ROWS, Text
from tests.conftest import part

pytestmark = pytest.mark.once

SIZES = (64, 256)
MOST = 1.1
MOST_OF_A_PRODUCT = 1.15


def steps(run) -> int:
    """The lines of Python that a call takes."""
    found = 0

    def trace(_frame, event, _argument):
        nonlocal found
        found += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return found


def exponent(works: list[int], sizes: list[int]) -> float:
    return log(works[1] / works[0]) / log(sizes[1] / sizes[0])


def test_every_reader_has_a_row():
    pytest.importorskip("sphinx")  # every module is imported, those of the hosts as well
    pytest.importorskip("mkdocs")
    for module in pkgutil.walk_packages(sitemap_docs.__path__, "sitemap_docs."):
        import_module(module.name)
    assert {name.removeprefix("sitemap_docs.") for name in READERS} == ROWS.keys()


@pytest.mark.parametrize("name", ROWS)
def test_a_reader(tmp_path, name):
    row = ROWS[name]
    file = tmp_path / row.name
    for text in row.texts:
        works = []
        for size in (SIZES[0], *SIZES):  # the first fills what is kept for all
            file.write_text(text.of(size))
            works.append(steps(lambda: row.read(file)))
        assert exponent(works[1:], list(SIZES)) < MOST, text


def test_every_option_that_is_a_list_has_a_row():
    lists = {each.name for each in OPTIONS if each.type.shape in ("list", "map")}
    assert lists == LISTS.keys() | {"formats", "noindex_versions", "excludes_generated", "leave_out"}


@pytest.mark.parametrize("name", part([*PRODUCTS], 5))
def test_a_product(tmp_path, name):
    works, sizes = [], []
    for number in (10, 20, 80):
        folder = tmp_path / str(number)
        folder.mkdir()
        work = PRODUCTS[name](folder, number)
        works.append(steps(work.run) - steps(work.without))
        sizes.append(work.size)
    # Versions are sorted, and a pattern of many alternatives takes more steps for larger numbers.
    assert exponent(works[1:], sizes[1:]) < MOST_OF_A_PRODUCT


def test_work_that_grows_faster_is_found():
    def run(words: list[str]) -> None:
        for word in words:
            for other in words:
                assert word == other

    works = [steps(partial(run, Text("", "a ").of(size).split())) for size in SIZES]
    assert exponent(works, list(SIZES)) > 1.5
