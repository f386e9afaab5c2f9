"""Two right things together: projects, hosts, options, environments and states, and what must always hold."""

from functools import lru_cache
from itertools import combinations
from pathlib import Path
from tempfile import mkdtemp

import pytest

from sitemap_docs import api
from sitemap_docs.config.options import OPTIONS
from tests.conftest import commit, write
from tests.matrix.invariants import INVARIANTS
from tests.matrix.projects import BASE
from tests.matrix.rows import DIMENSIONS, HIDING, OPTION_VALUES, chosen, combinations_of, covering, takes
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


def test_each_option_has_a_row():
    names = {option.name for option in OPTIONS}
    assert names == OPTION_VALUES.keys(), (
        "Each option needs a row in OPTION_VALUES of tests/matrix/rows.py. The row says what the option may "
        "change, and has its values if the option is no switch and no choice."
    )


ROW = "<url><loc>{}</loc><lastmod>{}</lastmod></url>"
#: Values of options that a build of a folder takes, in the form of the Python API.
VALUES = [(option.name, value) for option in OPTIONS for value in DIMENSIONS[option.name][1:]]
VALUES += HIDING
OF_FOLDERS = [(name, value) for name, value in VALUES if takes("folder", name)]


@pytest.fixture(scope="module")
def dated_site(tmp_path_factory) -> Path:
    """A built site in a whole clone, with another program's sitemap whose dates are of several days."""
    root = tmp_path_factory.mktemp("dated")
    rows = ""
    for day, name in enumerate(("index", "guide/usage", "guide/install"), 1):
        date = f"2024-05-0{day}T10:00:00+00:00"
        commit(write(root, {f"docs/{name}.md": "# Page"}), date=date)
        write(root, {f"site/{name}.html": f"<!doctype html><title>{name}</title><p>Page"})
        rows += ROW.format(f"{BASE}{name}.html".replace("index.html", ""), date)
    write(root, {"site/sitemap.xml": f"<urlset>{rows}</urlset>"})
    return root


@pytest.mark.parametrize(("name", "value"), OF_FOLDERS, ids=str)
def test_no_value_of_an_option_stops_a_build_because_it_removes_all_dates(
    name, value, dated_site, monkeypatch
):
    monkeypatch.chdir(dated_site)
    published = api.build(
        dated_site / "site",
        base_url=BASE,
        sources=[dated_site / "docs"],
        dry_run=True,
        **{"check": False, name: value.given},
    )
    stopped = published.no_sitemap is not None and published.no_sitemap.kind == "dates"
    assert not stopped, (
        f"{value} removes all dates, so the rule `dates-lost` stops a build that replaces a sitemap with "
        "dates. If users want that, let _dates_lost() in sitemap_docs/publish.py allow it, as it allows "
        "`lastmod: none`. Otherwise, use a value in tests/matrix/rows.py that keeps some dates."
    )


def test_the_values_of_options_are_valid():
    for option in OPTIONS:
        for value in DIMENSIONS[option.name][1:]:
            option.type.parse(value.given)
