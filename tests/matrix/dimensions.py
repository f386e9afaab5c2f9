"""The dimensions of the matrix and their values; each value declares what it may change.

A row is compared with the default row of its project: what none of its values may change must be equal.
To add a value, write a line here. An option is a dimension without one: write a row of ``OPTION_VALUES`` for
what it may change, and for its values where it is no switch and no choice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sitemap_docs.config.options import OPTIONS, Option
from tests.matrix.projects.shape import BASE

PAGES, DATES, FILES, ADDRESSES = "pages", "dates", "files", "addresses"
NOTHING: frozenset[str] = frozenset()
EVERYTHING = frozenset({PAGES, DATES, FILES, ADDRESSES})


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


_ELSEWHERE = frozenset({ADDRESSES, FILES})  # robots.txt is read only at the root of a host
ENVIRONMENTS = (
    _platform("none"),
    _platform("rtd-latest", _ELSEWHERE, **_read_the_docs("latest", "branch")),
    _platform("rtd-stable", _ELSEWHERE, **_read_the_docs("stable", "tag")),
    _platform("rtd-language", _ELSEWHERE, **_read_the_docs("latest", "branch", "de")),
    _platform("netlify", NETLIFY="true", CONTEXT="production", URL=BASE.rstrip("/")),
    _platform("vercel", VERCEL="1", VERCEL_ENV="production", VERCEL_PROJECT_PRODUCTION_URL=BASE[8:-1]),
    _platform("cloudflare", CF_PAGES="1", CF_PAGES_BRANCH="main", CF_PAGES_URL="https://a1.docs.pages.dev"),
    _platform("gitlab", GITLAB_CI="true", CI_JOB_NAME="pages", CI_PAGES_URL=BASE.rstrip("/")),
    _platform("github", GITHUB_ACTIONS="true"),
)
PREVIEWS = (
    _platform(
        "rtd-pull-request",
        EVERYTHING,
        **_read_the_docs("12", "external", url="https://matrix--12.org.readthedocs.build/en/12/"),
    ),
    _platform("vercel-preview", EVERYTHING, VERCEL="1", VERCEL_ENV="preview", VERCEL_URL="a1.vercel.app"),
    _platform("cloudflare-preview", EVERYTHING, CF_PAGES="1", CF_PAGES_BRANCH="work"),
)

#: How an output came to be: what was built before, and what changed since.
STATES = (
    Value("fresh"),
    Value("no-op"),
    Value("incremental"),
    Value("page-deleted"),
    Value("option-changed"),
    Value("filename-changed"),
    Value("output-moved"),
)
#: The output is that of a machine whose cache is not here; it has rows of its own.
RECORD_LOST = Value("record-lost")
HISTORIES = (
    Value("full"),
    Value("shallow", changes=frozenset({DATES})),
    Value("no-commits", changes=frozenset({DATES})),
    Value("no-git", changes=frozenset({DATES})),
    Value("worktree"),
)
STRICTNESS = (Value("lenient", given=False), Value("strict", given=True))
SPELLINGS = (Value("files"), Value("folders"))
BASES = (Value("configured", BASE), Value("flag", BASE), Value("platform", None))
WRONG_BASES = (
    Value("index.html", f"{BASE}index.html", EVERYTHING),
    Value("v2", f"{BASE}v2/", EVERYTHING),
    Value("two-schemes", "http://https://docs.example.org/", EVERYTHING),
    Value("repository", "https://github.com/OWNER/REPO", EVERYTHING),
    Value("no-dot", "https://wiki/", EVERYTHING),
    Value("missing", None, EVERYTHING),
)


class Kind(NamedTuple):
    """What an option may change, and the values of it that are tried.

    Of a switch and a choice they follow from ``OPTIONS``.
    """

    changes: frozenset[str]
    values: tuple[object, ...] = ()


_NOTHING, _PAGES, _DATES, _FILES = NOTHING, frozenset({PAGES}), frozenset({DATES}), frozenset({FILES})
OPTION_VALUES: Mapping[str, Kind] = {
    "filename": Kind(_FILES, ("map.xml", "../sitemap.xml")),
    "excludes": Kind(_PAGES, (["*usage*"], ["guide/*", "!guide/install*"], ["!report*"], "alone*", [])),
    "excludes_generated": Kind(_PAGES, (["lists", "pagination"],)),
    "noindex_versions": Kind(EVERYTHING, (["no-such-version"],)),
    "orphans": Kind(_PAGES),
    "url_scheme": Kind(_NOTHING, ("{link}",)),
    "locales": Kind(_NOTHING, ({"en": BASE},)),
    "links": Kind(frozenset({ADDRESSES})),
    "untranslated": Kind(_PAGES),
    "lastmod": Kind(_DATES, ("author",)),
    "lastmod_format": Kind(_DATES),
    "lastmod_dependencies": Kind(_DATES | _PAGES),
    "lastmod_ignore_revs": Kind(_DATES, (".git-blame-ignore-revs", "no-such-file")),
    "lastmod_excludes": Kind(_DATES, (["*usage*"],)),
    "lastmod_fields": Kind(_DATES, (["last_update.date"], ["no.such.field"])),
    "gzip": Kind(_FILES, ("beside", "off", True, False, "instead")),
    "stylesheet": Kind(_FILES),
    "indent": Kind(_NOTHING, (True, 2)),
    "max_urls": Kind(_FILES, (3, 50_000)),
    "index": Kind(_FILES),
    "groups": Kind(_FILES, ({"guide": ["guide/*"]}, {"a": "a*", "b": ["b*"]})),
    "extra_urls": Kind(
        _PAGES,
        (
            [f"{BASE}other/"],
            [{"loc": f"{BASE}other/", "lastmod": "2021-02-03"}],
            ["*.txt", "!robots.txt"],
        ),
    ),
    "extra_sitemaps": Kind(_FILES, ([f"{BASE}other.xml"],)),
    "formats": Kind(_FILES, (["text"],)),
    "replace": Kind(_FILES),
    "record": Kind(_NOTHING),  # with one, the cache has none, which every row is compared with
    "changefreq": Kind(_NOTHING, ({"guide/*": "weekly"},)),
    "priority": Kind(_NOTHING, ({"*": 0.5},)),
    "robots": Kind(_FILES, (True, False, {"*": {"disallow": ["/private/"]}})),
    "check": Kind(_NOTHING, (True, {"select": ["all"]}, {"severity": "info"})),
}
#: Values that hide what other dimensions do; they have rows of their own.
HIDING = (
    ("excludes", Value("excludes=all", ["*"], EVERYTHING)),
    ("lastmod", Value("lastmod=none", "none", _DATES)),
)


def values_of(option: Option[object]) -> tuple[Value, ...]:
    """The values of an option that are tried, its default first."""
    kind = OPTION_VALUES.get(option.name, Kind(NOTHING))
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
