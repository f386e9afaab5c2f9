"""The rows of the matrix: its dimensions, their values, and the combinations of these that are run.

Each value declares what it may change: what none of the values of a row may change must be right, or as it is
in the default row of its project. To add a value, write a line here. Each option is a dimension: its row of
``OPTION_VALUES`` says what it may change, and has its values if the option is no switch and no choice.

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
from typing import NamedTuple, TypeAlias

from sitemap_docs.config.options import OPTIONS, Option
from tests.conftest import SIZE
from tests.matrix.projects import BASE, PROJECTS, Project

NOTHING: frozenset[str] = frozenset()
PAGES, DATES, FILES, ADDRESSES = (frozenset({what}) for what in ("pages", "dates", "files", "addresses"))
EVERYTHING = PAGES | DATES | FILES | ADDRESSES


@dataclass(frozen=True)
class Value:
    """One value of a dimension: its name in the names of tests, what is written, what it may change."""

    name: str
    given: object = field(default=None, compare=False)
    changes: frozenset[str] = NOTHING

    def __str__(self) -> str:
        return self.name


def _platform(name: str, changes: frozenset[str] = NOTHING, **variables: str) -> Value:
    return Value(name, variables, changes)


def _read_the_docs(version: str, kind: str, language: str = "en", url: str = "") -> dict[str, str]:
    return {
        "READTHEDOCS": "True",
        "READTHEDOCS_VERSION": version,
        "READTHEDOCS_VERSION_NAME": version,
        "READTHEDOCS_VERSION_TYPE": kind,
        "READTHEDOCS_LANGUAGE": language,
        "READTHEDOCS_CANONICAL_URL": url or f"{BASE}{language}/{version}/",
    }


_ELSEWHERE = ADDRESSES | FILES  # robots.txt is read only at the root of a host
#: All rules of ``_redirects`` hold there, also those for an address at which a file is.
CLOUDFLARE = _platform(
    "cloudflare", CF_PAGES="1", CF_PAGES_BRANCH="main", CF_PAGES_URL="https://a1.docs.pages.dev"
)
ENVIRONMENTS = (
    _platform("none"),
    _platform("rtd-latest", _ELSEWHERE, **_read_the_docs("latest", "branch")),
    _platform("rtd-stable", _ELSEWHERE, **_read_the_docs("stable", "tag")),
    _platform("rtd-language", _ELSEWHERE, **_read_the_docs("latest", "branch", "de")),
    _platform("netlify", NETLIFY="true", CONTEXT="production", URL=BASE.rstrip("/")),
    _platform("vercel", VERCEL="1", VERCEL_ENV="production", VERCEL_PROJECT_PRODUCTION_URL=BASE[8:-1]),
    CLOUDFLARE,
    _platform("gitlab", GITLAB_CI="true", CI_JOB_NAME="pages", CI_PAGES_URL=BASE.rstrip("/")),
    _platform("github", GITHUB_ACTIONS="true"),
)
_PULL_REQUEST = _read_the_docs("12", "external", url="https://matrix--12.org.readthedocs.build/en/12/")
PREVIEWS = (
    _platform("rtd-pull-request", EVERYTHING, **_PULL_REQUEST),
    _platform("vercel-preview", EVERYTHING, VERCEL="1", VERCEL_ENV="preview", VERCEL_URL="a1.vercel.app"),
    _platform("cloudflare-preview", EVERYTHING, CF_PAGES="1", CF_PAGES_BRANCH="work"),
)

#: How an output came to be: what was built before, and what changed since.
STATES = _, AGAIN, INCREMENTAL, _, OPTION_CHANGED, *_ = (
    *map(Value, ("fresh", "no-op", "incremental", "page-deleted")),
    *map(Value, ("option-changed", "filename-changed", "output-moved")),
)
#: The output is that of a machine whose cache is not here, also of a build with another base URL; these have
#: rows of their own.
RECORD_LOST, ADDRESS_CHANGED = RECORDS_LOST = Value("record-lost"), Value("record-lost-address-changed")
#: Of a repository around the project, which moved it; that dates what it changed.
SUBMODULE = Value("submodule")
#: A shallow clone with the dates that a whole one left in the cache: it has the same dates as the whole one.
SHALLOW_CACHED = Value("shallow-cached")
#: A worktree without the folder of its repository, and a shallow submodule of a whole repository.
WORKTREE_ALONE, SHALLOW_SUBMODULE = (
    Value(name, changes=DATES) for name in ("worktree-alone", "submodule-shallow")
)
HISTORIES = (
    Value("full"),
    *(Value(name, changes=DATES) for name in ("shallow", "no-commits", "no-git")),
    WORKTREE_ALONE,
    SHALLOW_SUBMODULE,
    Value("worktree"),
    SUBMODULE,
    SHALLOW_CACHED,
)
STRICTNESS = _, STRICT = Value("lenient", given=False), Value("strict", given=True)
SPELLINGS = FILE_NAMES, _ = Value("files"), Value("folders")
EARLIER_BASE = Value("earlier", "https://earlier.example.org/docs/")
BASES = CONFIGURED, _, PLATFORM = Value("configured", BASE), Value("flag", BASE), Value("platform")
MISSING = Value("missing", None, EVERYTHING)
WRONG_BASES = (
    Value("index.html", f"{BASE}index.html", EVERYTHING),
    Value("v2", f"{BASE}v2/", EVERYTHING),
    Value("two-schemes", "http://https://docs.example.org/", EVERYTHING),
    Value("repository", "https://github.com/OWNER/REPO", EVERYTHING),
    Value("no-dot", "https://wiki/", EVERYTHING),
    MISSING,
)
#: The folder of the TOML file that has the options, seen from the current folder.
CONFIGS = _, ELSEWHERE = Value("config-here", "."), Value("config-elsewhere", "settings")
THEMES = tuple(Value(f"theme-{number}") for number in (1, 2, 3))


class Kind(NamedTuple):
    """What an option may change, and the values of it that are tried.

    Of a switch and a choice they follow from ``OPTIONS``.
    """

    changes: frozenset[str]
    values: tuple[object, ...] = ()


OTHER = f"{BASE}other/"
#: If robots.txt lists it, `check` reads what the option `formats` wrote.
TEXT_SITEMAP = f"{BASE}sitemap.txt"
OPTION_VALUES: Mapping[str, Kind] = {
    "filename": Kind(FILES, ("map.xml", "../sitemap.xml")),
    "excludes": Kind(PAGES, (["*usage*"], ["guide/*", "!guide/install*"], ["!report*"], "alone*", [])),
    "excludes_generated": Kind(PAGES, (["lists", "pagination"],)),
    "noindex_versions": Kind(EVERYTHING, (["no-such-version"],)),
    "orphans": Kind(PAGES),
    "url_scheme": Kind(NOTHING, ("{link}",)),
    "leave_out": Kind(NOTHING, (["guide"],)),
    "locales": Kind(NOTHING, ({"en": BASE},)),
    "links": Kind(ADDRESSES),
    "untranslated": Kind(PAGES),
    "page_dates": Kind(NOTHING),
    "images": Kind(NOTHING),
    "cache": Kind(NOTHING),
    "host": Kind(NOTHING),
    "previews": Kind(NOTHING),
    "ignore": Kind(NOTHING),  # Which findings are reported is no matter of the matrix.
    "lastmod": Kind(DATES, ("author",)),
    "lastmod_format": Kind(DATES),
    "lastmod_dependencies": Kind(DATES | PAGES),
    "lastmod_ignore_revs": Kind(DATES, (".git-blame-ignore-revs", "no-such-file")),
    "lastmod_excludes": Kind(DATES, (["*usage*"],)),
    "lastmod_fields": Kind(DATES, (["last_update.date"], ["no.such.field"])),
    "gzip": Kind(FILES, ("beside", "off", True, False, "instead")),
    "stylesheet": Kind(FILES),
    "indent": Kind(NOTHING, (True, 2)),
    "max_urls": Kind(FILES, (3, 50_000)),
    "index": Kind(FILES),
    "groups": Kind(FILES, ({"guide": ["guide/*"]}, {"a": "a*", "b": ["b*"]})),
    "extra_urls": Kind(PAGES, ([OTHER], [{"loc": OTHER, "lastmod": "2021-02-03"}], ["*.txt", "!robots.txt"])),
    "extra_sitemaps": Kind(FILES, ([f"{BASE}other.xml"], [TEXT_SITEMAP])),
    "formats": Kind(FILES, (["text"],)),
    "record": Kind(NOTHING, ("sitemap-record.jsonl",)),
    "replace": Kind(FILES),
    "changefreq": Kind(NOTHING, ({"guide/*": "weekly"},)),
    "priority": Kind(NOTHING, ({"*": 0.5},)),
    "robots": Kind(FILES, (True, False, {"*": {"disallow": ["/private/"]}})),
    "check": Kind(NOTHING, (True, {"select": ["all"]}, {"severity": "info"})),
}
#: Values that hide what other dimensions do; they have rows of their own.
HIDING = (
    ("excludes", Value("excludes=all", ["*"], EVERYTHING)),
    ("lastmod", Value("lastmod=none", "none", DATES)),
)


def values_of(option: Option[object]) -> tuple[Value, ...]:
    """The values of an option that are tried, its default first."""
    kind = OPTION_VALUES.get(option.name, Kind(NOTHING))  # A test has a message about a missing row.
    given = kind.values
    if not given and option.type.shape == "switch":
        given = (not option.default,)
    elif not given and option.type.shape == "choice":
        given = tuple(
            {"true": True, "false": False}.get(choice, choice)
            for choice in option.type.words
            if choice not in (option.default, str(option.default).lower())
        )
    values = [Value(f"{option.name}={_short(each)}", each, kind.changes) for each in given]
    return (Value(f"{option.name}=default"), *values)


def _short(value: object) -> str:
    """A value in the name of a test."""
    text = "".join(letter if letter.isalnum() or letter in "._-!*" else " " for letter in str(value))
    return "-".join(text.replace(BASE, "").split())[:24] or "empty"


def takes(host: str, name: str) -> bool:
    """Whether a host, or the command that builds a folder, has an option."""
    door = "build" if host == "folder" else host
    return any(door in option.doors for option in OPTIONS if option.name == name)


SEED = int(os.environ.get("MATRIX_SEED", "1"))
PART = 40  # one of so many rows is in the quick run
MOST_SET = 8  # options of a row that are not left at their defaults
LONGEST = 60  # characters of a row's name in the names of tests
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
    "config": CONFIGS,
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
        return self.only("project", "spelling")

    def only(self, *names: str) -> Row:
        return Row({name: self[name] for name in names})

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
    if not _fits(project, row):
        return False
    return all(takes(project.host, name) for name, value in row.items() if _is_set(name, value))


def _fits(project: Project, row: Mapping[str, Value]) -> bool:
    """Check whether the values can be combined in builds of a project."""
    if project.host != "folder":
        if row.get("config") == ELSEWHERE:
            return False
        # MkDocs warns of each dirty build itself.
        is_strict = (row.get("strictness"), row.get("state")) == (STRICT, INCREMENTAL)
        return project.host != "mkdocs" or not is_strict
    if row.get("spelling", FILE_NAMES) != FILE_NAMES:
        return False
    # Our sitemap.xml in place of another program's stays, as the robots.txt of the project mentions it.
    is_renamed = "filename" in row and _is_set("filename", row["filename"])
    is_kept = project.name == "folder-other" and is_renamed
    return not (is_kept and row.get("state") == OPTION_CHANGED)


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
            given = {name: row[name] for name, values in DIMENSIONS.items() if row[name] != values[0]}
            rows.append(Row(given))
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
    """What needs rows of its own: themes and options that hide others; previews and wrong URLs.

    So does what decides on pages and dates, as most rows have an option that may change these.
    """
    hosts = set()
    for value in DIMENSIONS["project"]:
        project = PROJECTS[value.name]
        plain = Row({"project": value, "spelling": usual_spelling(project)})
        for name, hiding in HIDING:
            yield plain.having(**{name: hiding})
        for theme in THEMES[1 : len(project.themes)]:
            yield plain.having(theme=theme)
        yield plain.having(base=MISSING, state=AGAIN)
        yield plain.having(environment=CLOUDFLARE, history=SUBMODULE)
        for history in (SHALLOW_CACHED, WORKTREE_ALONE, SHALLOW_SUBMODULE):
            yield plain.having(history=history)
        if project.host in hosts:
            continue
        hosts.add(project.host)
        yield plain.having(host=DIMENSIONS["host"][-1])
        yield plain.having(record=DIMENSIONS["record"][-1])
        if is_possible({"project": value, "config": ELSEWHERE}):
            in_folder = ("lastmod_excludes", "lastmod_ignore_revs", "record")
            yield plain.having(config=ELSEWHERE, **{name: DIMENSIONS[name][1] for name in in_folder})
        for state in (*STATES[1:], RECORD_LOST):
            yield plain.having(state=state)
        if project.host != "folder":  # the sitemap of another program contradicts the base URL there
            yield plain.having(state=ADDRESS_CHANGED)
            yield plain.having(state=ADDRESS_CHANGED, formats=DIMENSIONS["formats"][-1])
        for preview in PREVIEWS:
            yield plain.having(environment=preview)
        for wrong in WRONG_BASES[:-1]:
            yield plain.having(base=wrong, state=AGAIN)


def chosen() -> list[Row]:
    """The rows of this run."""
    defaults, rows = [*default_rows()], [*own_rows(), *covering(3 if SIZE == "triples" else 2)]
    if SIZE == "part":
        rows = rows[SEED % PART :: PART]
        rows.append(defaults[-1].having(environment=CLOUDFLARE, history=SUBMODULE))  # no default has these
        for history in (SHALLOW_CACHED, WORKTREE_ALONE, SHALLOW_SUBMODULE):
            rows.append(defaults[-1].having(history=history))
        defaults = [row for row in defaults if row["spelling"] == usual_spelling(row.project)]
        defaults += [row.default for row in rows]  # with which each is compared
    unique = {row.id: row for row in (*defaults, *rows)}
    return sorted(unique.values(), key=lambda row: (row["project"].name, not row.is_default(), row.id))
