"""The rows of the matrix: defaults, a covering array of pairs or triples, and what hides other dimensions.

``MATRIX`` is ``part`` (a seeded part of the pairs, for a quick run), ``pairs`` or ``triples``;
``MATRIX_SEED`` orders the values anew, so that other rows cover the same pairs.
"""

from __future__ import annotations

import os
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from itertools import combinations, product
from random import Random
from typing import TypeAlias

from sitemap_docs.config.options import OPTIONS
from tests.conftest import SIZE
from tests.matrix.dimensions import (
    BASES,
    ENVIRONMENTS,
    HIDING,
    HISTORIES,
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
PART = 10  # one of so many rows is in the quick run
MOST_SET = 8  # options of a row that are not left at their defaults
LONGEST = 60  # characters of a row's name in the names of tests
THEMES = (Value("theme-1"), Value("theme-2"), Value("theme-3"))
FILE_NAMES = SPELLINGS[0]
AGAIN = STATES[1]
MISSING = WRONG_BASES[-1]
INCREMENTAL = STATES[2]
STRICT = STRICTNESS[1]
PLATFORM = BASES[2]
BASE_URLS = ("READTHEDOCS_CANONICAL_URL", "URL", "VERCEL_PROJECT_PRODUCTION_URL", "CI_PAGES_URL")
NAMES = frozenset(option.name for option in OPTIONS)
Combination: TypeAlias = frozenset[tuple[str, Value]]
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
        return {name: value.given for name, value in self.values.items() if _is_set(name, value)}

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


def is_possible(row: Mapping[str, Value]) -> bool:
    """Whether values can be combined: an option of another host cannot. What is not given can be anything."""
    environment = row["environment"].given or {} if "environment" in row else BASE_URLS
    if row.get("base") == PLATFORM and not any(name in environment for name in BASE_URLS):
        return False
    if "project" not in row:
        return True
    project = PROJECTS[row["project"].name]
    if "theme" in row and THEMES.index(row["theme"]) > max(len(project.themes) - 1, 0):
        return False
    if project.host == "folder" and row.get("spelling", FILE_NAMES) != FILE_NAMES:
        return False
    if project.host == "mkdocs" and (row.get("strictness"), row.get("state")) == (STRICT, INCREMENTAL):
        return False  # MkDocs warns of each dirty build itself
    return all(takes(project.host, name) for name, value in row.items() if _is_set(name, value))


@cache
def covering(strength: int) -> tuple[Row, ...]:
    """Rows in which each possible combination of so many values is.

    A row sets at most ``MOST_SET`` options: of many, one hides what another does.
    """
    random = Random(SEED)
    wanted = list(dict.fromkeys(combinations_of(strength)))
    random.shuffle(wanted)
    left = set(wanted)
    rows = []
    for combination in wanted:
        if combination in left:
            row = _extended(combination, left, strength, random)
            left.difference_update(map(frozenset, combinations(row.items(), strength)))
            rows.append(
                Row({name: row[name] for name, values in DIMENSIONS.items() if row[name] != values[0]})
            )
    return tuple(rows)


def combinations_of(strength: int) -> Iterator[Combination]:
    """Each combination of so many values that is possible in a project, some more than once."""
    for project in DIMENSIONS["project"]:
        values = {
            name: [value for value in values if is_possible({"project": project, name: value})]
            for name, values in DIMENSIONS.items()
        }
        values["project"] = [project]
        for names in combinations(values, strength):
            for given in product(*(values[name] for name in names)):
                combination = dict(zip(names, given, strict=True))
                if is_possible(combination):
                    yield frozenset(combination.items())


def _extended(
    combination: Combination, left: Container[Combination], strength: int, random: Random
) -> dict[str, Value]:
    """A whole row that holds a combination: each other value is the one with most that are left."""
    row = dict(combination)

    def gained(name: str, value: Value) -> int:
        return sum(
            frozenset((*part, (name, value))) in left for part in combinations(row.items(), strength - 1)
        )

    names = [name for name in DIMENSIONS if name not in row]
    random.shuffle(names)
    for name in sorted(names, key=lambda name: name != "project"):  # it says which options there are
        possible = [value for value in DIMENSIONS[name] if is_possible({**row, name: value})]
        if sum(_is_set(*each) for each in row.items()) >= MOST_SET and name in NAMES:
            possible = possible[:1]
        row[name] = max(possible, key=lambda value: gained(name, value))
    return row


def _is_set(name: str, value: Value) -> bool:
    return name in NAMES and not value.name.endswith("=default")


def usual_spelling(project: Project) -> Value:
    """What hosts do unless they are told otherwise: MkDocs writes a folder for each page."""
    return SPELLINGS[project.host == "mkdocs"]


def default_rows() -> Iterator[Row]:
    """The default of each project, in both spellings."""
    for project in DIMENSIONS["project"]:
        for spelling in SPELLINGS:
            if is_possible({"project": project, "spelling": spelling}):
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
