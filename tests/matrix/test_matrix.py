"""Two right things together: projects, hosts, options, environments and states, and what must always hold."""

from functools import lru_cache
from itertools import combinations
from pathlib import Path
from tempfile import mkdtemp

import pytest

from sitemap_docs.config.options import OPTIONS
from tests.matrix.invariants import INVARIANTS
from tests.matrix.rows import DIMENSIONS, OPTION_VALUES, chosen, combinations_of, covering
from tests.matrix.run import Ran

pytestmark = pytest.mark.once
pytest.importorskip("sphinx")
pytest.importorskip("mkdocs")

ROWS = {row.id: row for row in chosen()}


@lru_cache(maxsize=24)
def ran(name: str) -> Ran:
    return Ran(ROWS[name], Path(mkdtemp(prefix="row-")))


@pytest.mark.parametrize("name", ROWS)
def test_row(name):
    """All that must hold; what is wrong stands behind the name of its invariant."""
    found = []
    default = ran(ROWS[name].default.id)
    for invariant, function in INVARIANTS.items():
        found += [f"{invariant}: {problem}" for problem in function(ran(name), default)]
    if found:
        pytest.fail("\n".join([str(ROWS[name]), *sorted(found), "", *ran(name).build.ours]), pytrace=False)


def test_each_possible_pair_is_in_a_row():
    pairs = set(combinations_of(2))
    for row in covering(2):
        values = [(name, row[name]) for name in DIMENSIONS]
        pairs.difference_update(map(frozenset, combinations(values, 2)))
    assert not pairs


def test_the_values_of_options_are_valid():
    assert OPTION_VALUES.keys() <= {option.name for option in OPTIONS}
    for option in OPTIONS:
        for value in DIMENSIONS[option.name][1:]:
            option.type.parse(value.given)
