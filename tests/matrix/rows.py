"""The rows of the matrix: a covering array of pairs or triples, and rows for what hides other dimensions.

``MATRIX`` is ``part`` (a seeded part of the pairs, for a quick run), ``pairs`` or ``triples``;
``MATRIX_SEED`` orders the values anew, so that other rows cover the same pairs.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations
from random import Random

from allpairspy import AllPairs

from sitemap_docs.config.options import OPTIONS
from tests.matrix.dimensions import (
    BASES,
    ENVIRONMENTS,
    HIDING,
    HISTORIES,
    OPTION_VALUES,
    PREVIEWS,
    SPELLINGS,
    STATES,
    STRICTNESS,
    WRONG_BASES,
    Value,
    values_of,
)
from tests.matrix.projects import PROJECTS
from tests.matrix.projects.shape import Project

SEED = int(os.environ.get("MATRIX_SEED", "1"))
SIZE = os.environ.get("MATRIX", "part")
PART = 3  # one of so many rows is in the quick run
DIMENSIONS: Mapping[str, Sequence[Value]] = {
    "project": [Value(name) for name in PROJECTS],
    "spelling": SPELLINGS,
    "theme": [Value("theme-1"), Value("theme-2"), Value("theme-3")],
    "environment": ENVIRONMENTS,
    "state": STATES,
    "history": HISTORIES,
    "strictness": STRICTNESS,
    "base": BASES,
    **{option.name: values_of(option) for option in OPTIONS},
}


@dataclass(frozen=True)
class Row:
    """One combination; what is not named has its default, the first value of the dimension."""

    values: Mapping[str, Value] = field(hash=False)

    def __getitem__(self, dimension: str) -> Value:
        return self.values.get(dimension, DIMENSIONS[dimension][0])

    @property
    def project(self) -> Project:
        return PROJECTS[self["project"].name]

    @property
    def host(self) -> str:
        return self.project.host

    @property
    def options(self) -> dict[str, object]:
        """The options that are not left at their default, as they are written."""
        return {
            name: value.given
            for name, value in self.values.items()
            if name in OPTION_VALUES and not value.name.endswith("=default")
        }

    @property
    def changes(self) -> frozenset[str]:
        """What its values may change together."""
        return frozenset().union(*(value.changes for value in self.values.values()))

    @property
    def default(self) -> Row:
        """The row that it is compared with: the same project, theme and spelling, and nothing else."""
        return Row({name: self[name] for name in ("project", "spelling", "theme")})

    def is_default(self) -> bool:
        return str(self) == str(self.default)

    def having(self, **values: Value) -> Row:
        return replace(self, values={**self.values, **values})

    def __str__(self) -> str:
        named = [self["project"].name, self["spelling"].name]
        for name, value in self.values.items():
            if name not in ("project", "spelling") and value != DIMENSIONS[name][0]:
                named.append(value.name)
        return "+".join(named)


def is_possible(given: Sequence[Value]) -> bool:
    """Whether the first values of a row can be combined: an option of another host cannot."""
    row = dict(zip(DIMENSIONS, given, strict=False))
    project = PROJECTS[row["project"].name]
    if "theme" in row and not project.themes and row["theme"].name != "theme-1":
        return False
    if "base" in row and row["base"].name == "platform":
        named = ("READTHEDOCS_CANONICAL_URL", "URL", "VERCEL_PROJECT_PRODUCTION_URL", "CI_PAGES_URL")
        if not any(name in (row["environment"].given or {}) for name in named):
            return False
    for name, value in row.items():
        is_set = name in OPTION_VALUES and not value.name.endswith("=default")
        if is_set and project.host not in OPTION_VALUES[name].hosts:
            return False
    return True


@cache
def covering(strength: int) -> tuple[Row, ...]:
    """Rows in which all possible combinations of so many values are; most options keep their defaults."""
    random = Random(SEED)
    shuffled = {}
    for name, values in DIMENSIONS.items():
        shuffled[name] = [values[0], *random.sample(values[1:], len(values) - 1)]
    found = AllPairs([*shuffled.values()], filter_func=is_possible, n=strength)
    rows = [dict(zip(DIMENSIONS, values, strict=True)) for values in found]
    if strength == 2:
        thin_out(rows)
    return tuple(
        Row({name: value for name, value in row.items() if not _is_default(name, value)}) for row in rows
    )


def thin_out(rows: list[dict[str, Value]]) -> None:
    """Puts options back to their defaults where other rows have each pair of theirs as well."""
    pairs: Counter[frozenset[Value]] = Counter()
    for row in rows:
        pairs.update(map(frozenset, combinations(row.values(), 2)))
    for row in rows:
        for name in OPTION_VALUES:
            value = row[name]
            mine = [frozenset((value, other)) for key, other in row.items() if key != name]
            if not _is_default(name, value) and all(pairs[pair] > 1 for pair in mine):
                pairs.subtract(mine)
                row[name] = DIMENSIONS[name][0]


def _is_default(name: str, value: Value) -> bool:
    return name != "project" and value == DIMENSIONS[name][0]


def own_rows() -> Iterator[Row]:
    """The default of each project, in both spellings; and rows for what hides other dimensions."""
    for project in DIMENSIONS["project"]:
        for spelling in SPELLINGS:
            yield Row({"project": project, "spelling": spelling})
        plain = Row({"project": project})
        for preview in PREVIEWS:
            yield plain.having(environment=preview)
        for name, value in HIDING:
            yield plain.having(**{name: value})
        for wrong in WRONG_BASES:
            yield plain.having(base=wrong)


def chosen() -> list[Row]:
    """The rows of this run."""
    if SIZE == "triples":
        rows = covering(3)
    elif SIZE == "pairs":
        rows = covering(2)
    else:
        rows = covering(2)[SEED % PART :: PART]
    unique = {str(row): row for row in (*own_rows(), *rows)}
    return sorted(unique.values(), key=lambda row: (row["project"].name, row["theme"].name, str(row)))
