"""Globs of the options that match nothing, each with the nearest one that does."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Protocol

from sitemap_docs.config.patterns import WILDCARD, globs
from sitemap_docs.model import Finding
from sitemap_docs.text import many

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from sitemap_docs.config.options import Options

_COMPARED = 10_000  # names among which the nearest is looked for: a site of any size takes this much memory
_SHOWN = 10
_CLOSE = 0.75
#: Folders of sources or of the built site, and wildcards for them, which no name of a page begins with.
_ABOVE = frozenset({"**", "*", "doc", "docs", "source", "src", "build", "html", "public", "site"})
_DIGITS = re.compile(r"\d+")


class Matching(Protocol):
    """See :meth:`sitemap_docs.config.patterns.Patterns.all`."""

    def all(self, names: Iterable[str], among: AbstractSet[int] | None = None) -> Iterator[int]: ...


class UnmatchedGlobs:
    """The globs, each with its option, that none of the names given to :meth:`compare` has matched.

    ``noun`` is what the names belong to: a page, or a source file. ``matcher`` gives the globs their meaning.
    """

    def __init__(
        self,
        globs: Iterable[tuple[str, str]],
        noun: str = "page",
        matcher: Callable[[tuple[str, ...]], Matching] = globs,
    ) -> None:
        self._globs = tuple(dict.fromkeys(globs))
        self._compiled = matcher
        self._matcher = matcher(tuple(glob.removeprefix("!") for _, glob in self._globs))
        self._left = set(range(len(self._globs)))
        self._noun = noun
        self._compared = False
        self._names: list[str] = []

    def compare(self, names: Sequence[str], *, suggest: bool = True) -> None:
        """Takes the names of one page or file; ``suggest`` states whether a glob for it may be suggested."""
        self._compared = True
        if not self._left:
            return
        self._left.difference_update(list(self._matcher.all(names, self._left)))
        if suggest and len(self._names) < _COMPARED:
            self._names.extend(names)

    def findings(self) -> Iterator[Finding]:
        """A warning for the globs that look misspelled, and one of severity info for the others.

        Builds of several versions or languages often share their options, so that a glob without a similar
        name is no mistake. Without any name to compare with, nothing is reported.
        """
        if not self._compared:
            return
        left = [self._globs[number] for number in sorted(self._left)]
        known = {glob for _, glob in self._globs}
        near = {each: self._nearest(each[1]) for each in left[:_SHOWN]}
        meant = {each: glob for each, glob in near.items() if glob and glob not in known}
        if meant:
            shown = (f"{_quoted(*each)} (did you mean {glob!r}?)" for each, glob in meant.items())
            yield _finding(f"No {self._noun} matches {', '.join(shown)}.")
        if others := [each for each in left if each not in meant]:
            shown = (_quoted(*each) for each in others[:_SHOWN])
            more = f" and {many(len(others) - _SHOWN, 'other pattern')}" if others[_SHOWN:] else ""
            yield _finding(
                f"No {self._noun} matches {', '.join(shown)}{more}. Remove what no other build with the same "
                "options needs.",
                similar=False,
            )

    def _nearest(self, glob: str) -> str:
        """The glob that was probably meant by one that matches no name, and that does; ``""`` without one."""
        negated = "!" if glob.startswith("!") else ""
        for similar in _similar(glob.removeprefix("!"), self._names):
            literal = any(map(str.isalnum, WILDCARD.sub("", similar)))
            if literal and any(True for _ in self._compiled((similar,)).all(self._names)):
                return negated + similar
        return ""


def page_globs(options: Options) -> Iterator[tuple[str, str]]:
    """The options that hold globs of pages, each with one of them."""
    yield from (("excludes", glob) for glob in options.excludes.patterns)
    yield from (("groups", glob) for _, globs in options.groups for glob in globs.patterns)
    yield from (("changefreq", glob) for glob, _ in options.changefreq.values)
    yield from (("priority", glob) for glob, _ in options.priority.values)


def _finding(message: str, *, similar: bool = True) -> Finding:
    """The finding about patterns; a warning only where there is a ``similar`` name."""
    return Finding(rule="unmatched-pattern", severity="warning" if similar else "info", message=message)


def _similar(glob: str, names: Iterable[str]) -> Iterator[str]:
    bare = glob.lstrip("/")
    stem = bare.rstrip("/")
    yield bare
    yield f"{stem}/*"
    yield f"{stem}.*"
    if "." in stem.rpartition("/")[2]:  # the name of the source where that of the page is needed
        yield f"{stem.rpartition('.')[0]}.*"
    respelled = _respelled(bare, names)
    if _DIGITS.sub("0", respelled) != _DIGITS.sub("0", bare):  # another version is no misspelling
        yield respelled
    folder, _, rest = bare.partition("/")
    if folder in _ABOVE and not (folder.isalpha() and WILDCARD.search(rest.partition("/")[0])):
        yield rest


def _respelled(glob: str, names: Iterable[str]) -> str:
    """The glob with the nearest name of a folder or file for each that there is none of."""
    known = {part for name in names for part in name.split("/")}
    parts = glob.split("/")
    return "/".join(part if WILDCARD.search(part) or part in known else _near(part, known) for part in parts)


def _near(part: str, known: Iterable[str]) -> str:
    alike = sorted(each for each in known if each[:1].casefold() == part[:1].casefold())
    return next(iter(get_close_matches(part, alike, 1, _CLOSE)), part)


def _quoted(option: str, glob: str) -> str:
    return f"{glob!r} of the option `{option}`"
