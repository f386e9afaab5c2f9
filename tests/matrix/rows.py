"""The rows of the matrix: defaults, a covering array of pairs or triples, and what hides other dimensions.

``MATRIX`` is ``part`` (a seeded part of the pairs, for a quick run), ``pairs`` or ``triples``;
``MATRIX_SEED`` orders the values anew, so that other rows cover the same pairs.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
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
    RECORD_LOST,
    SPELLINGS,
    STATES,
    STRICTNESS,
    WRONG_BASES,
    Value,
    takes,
    values_of,
)
from tests.matrix.projects import PROJECTS
from tests.matrix.projects.shape import Project

SEED = int(os.environ.get("MATRIX_SEED", "1"))
SIZE = os.environ.get("MATRIX", "part")
PART = 5  # one of so many rows is in the quick run
LONGEST = 60  # characters of a row's name in the names of tests
THEMES = (Value("theme-1"), Value("theme-2"), Value("theme-3"))
FILE_NAMES = SPELLINGS[0]
AGAIN = STATES[1]
MISSING = WRONG_BASES[-1]
DIMENSIONS: Mapping[str, Sequence[Value]] = {
    "project": [Value(name) for name in PROJECTS],
    "spelling": SPELLINGS,
    "theme": THEMES,
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
        """The row that it is compared with: the same project and spelling, and nothing else."""
        return Row({name: self[name] for name in ("project", "spelling")})

    def is_default(self) -> bool:
        """Whether it has nothing but a project, a spelling, and perhaps a theme."""
        return str(self) == str(self.default.having(theme=self["theme"]))

    def having(self, **values: Value) -> Row:
        return replace(self, values={**self.values, **values})

    def __str__(self) -> str:
        named = [self["project"].name, self["spelling"].name]
        for name, value in self.values.items():
            if name not in ("project", "spelling") and value != DIMENSIONS[name][0]:
                named.append(value.name)
        return "+".join(named)

    @property
    def id(self) -> str:
        """A short name, the same in every run: the values, or a digest of them."""
        text = str(self)
        if len(text) <= LONGEST:
            return text
        return f"{self['project']}+{self['spelling']}+{sha256(text.encode()).hexdigest()[:6]}"


def is_possible(given: Sequence[Value]) -> bool:
    """Whether the first values of a row can be combined: an option of another host cannot."""
    row = dict(zip(DIMENSIONS, given, strict=False))
    project = PROJECTS[row["project"].name]
    if "theme" in row and THEMES.index(row["theme"]) > max(len(project.themes) - 1, 0):
        return False
    if project.host == "folder" and row.get("spelling", FILE_NAMES) != FILE_NAMES:
        return False
    if "base" in row and row["base"].name == "platform":
        named = ("READTHEDOCS_CANONICAL_URL", "URL", "VERCEL_PROJECT_PRODUCTION_URL", "CI_PAGES_URL")
        if not any(name in (row["environment"].given or {}) for name in named):
            return False
    for name, value in row.items():
        is_set = name in OPTION_VALUES and not value.name.endswith("=default")
        if is_set and not takes(project.host, name):
            return False
    return True


@cache
def covering(strength: int) -> tuple[Row, ...]:
    """Rows in which all possible combinations of so many values are; most options keep their defaults."""
    rows: list[dict[str, Value]] = []
    for seed in (SEED, SEED + 1) if strength == 2 else (SEED,):  # of two arrays, each row needs fewer options
        random = Random(seed)
        shuffled = [
            [values[0], *random.sample(values[1:], len(values) - 1)] for values in DIMENSIONS.values()
        ]
        found = AllPairs(shuffled, filter_func=is_possible, n=strength)
        rows += [dict(zip(DIMENSIONS, values, strict=True)) for values in found]
    thin_out(rows, strength)
    return tuple(
        Row({name: value for name, value in row.items() if not _is_default(name, value)}) for row in rows
    )


def thin_out(rows: list[dict[str, Value]], strength: int) -> None:
    """Puts options back to their defaults where other rows have each combination of theirs as well."""
    combined: Counter[frozenset[Value]] = Counter()
    for row in rows:
        combined.update(map(frozenset, combinations(row.values(), strength)))
    for row in rows:
        for name in OPTION_VALUES:
            value = row[name]
            if _is_default(name, value):
                continue
            others = combinations((other for key, other in row.items() if key != name), strength - 1)
            mine = [frozenset((value, *each)) for each in others]
            if all(combined[each] > 1 for each in mine):
                combined.subtract(mine)
                row[name] = DIMENSIONS[name][0]


def _is_default(name: str, value: Value) -> bool:
    return name != "project" and value == DIMENSIONS[name][0]


def usual_spelling(project: Project) -> Value:
    """What hosts do unless they are told otherwise: MkDocs writes a folder for each page."""
    return SPELLINGS[project.host == "mkdocs"]


def default_rows() -> Iterator[Row]:
    """The default of each project, in both spellings."""
    for project in DIMENSIONS["project"]:
        for spelling in SPELLINGS:
            if is_possible([project, spelling]):
                yield Row({"project": project, "spelling": spelling})


def own_rows() -> Iterator[Row]:
    """What needs rows of its own: themes and options that hide others; previews and wrong URLs."""
    hosts = set()
    for value in DIMENSIONS["project"]:
        project = PROJECTS[value.name]
        plain = Row({"project": value, "spelling": usual_spelling(project)})
        for name, hiding in HIDING:
            yield plain.having(**{name: hiding})
        for theme in THEMES[1 : len(project.themes)]:
            yield plain.having(theme=theme)
        yield plain.having(base=MISSING, state=AGAIN)
        if project.host in hosts:
            continue
        hosts.add(project.host)
        for state in (*STATES[1:], RECORD_LOST):
            yield plain.having(state=state)
        for preview in PREVIEWS:
            yield plain.having(environment=preview)
        for wrong in WRONG_BASES[:-1]:
            yield plain.having(base=wrong, state=AGAIN)


def chosen() -> list[Row]:
    """The rows of this run."""
    rows = [*own_rows(), *covering(3 if SIZE == "triples" else 2)]
    if SIZE == "part":
        rows = rows[SEED % PART :: PART]
    unique = {row.id: row for row in (*default_rows(), *rows)}
    return sorted(unique.values(), key=lambda row: (row["project"].name, not row.is_default(), row.id))
