"""Match wildcard patterns fast, also many patterns at once, and report patterns that match nothing."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import translate
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar
from urllib.parse import unquote

from sitemap_docs.model import Finding
from sitemap_docs.rules import reported
from sitemap_docs.text import many

_T = TypeVar("_T")
_WILDCARD = re.compile(r"\*|\?|\[!?\]?[^\]]*\]")  # in a glob, as fnmatch reads globs

PLACEHOLDER = re.compile(r"(\*|:[A-Za-z]\w*)", re.ASCII)
"""A wildcard in the ``_headers`` and ``_redirects`` files of hosting platforms."""

_FEW = 4  # patterns that can be tried one by one without loss of speed
_KEY_LENGTH = 8  # characters of a literal that serve as the key of its pattern
_SHOWN_AT_MOST = 10  # patterns in one message
_ENDS = 64  # characters at each end of a literal from which a key is taken


class Expression(NamedTuple):
    """A pattern with wildcards, converted to a regular expression."""

    source: str
    #: Texts that every match contains, such as ``/blog/``.
    literals: tuple[str, ...]


class _Piece(NamedTuple):
    """A literal text or a wildcard in a pattern."""

    #: The piece as a regular expression.
    source: str
    #: The literal text, or ``""`` for a wildcard.
    text: str = ""
    #: Whether the wildcard also matches slashes.
    crosses_slashes: bool = False


def path_pattern(pattern: str, *, backwards: bool = False) -> Expression:
    """Convert a pattern such as ``/:year/*`` to a regular expression with the groups ``year``, ``splat``.

    ``splat`` is the text of ``*``. The last of several wildcards takes as much text as possible. On web
    hosts, the first one does. For them, ``backwards`` creates an expression that must be compared with the
    reversed text.
    """
    # An ordinary expression with many wildcards tries all ways to divide a text among them. This expression
    # does not: each wildcard but the last takes the first text that fits, and never tries another. No match
    # gets lost, because a later text in the same segment would leave less for the other wildcards. For the
    # same reason, the part between two asterisks is matched as a whole.
    group_numbers = count()

    def atomic(source: str) -> str:
        name = f"_{next(group_numbers)}"
        return f"(?=(?P<{name}>{source}))(?P={name})"  # Python 3.11 has (?>…) for this.

    # Matched backwards, the first wildcard of the pattern takes as much as possible.
    pieces = _pieces(pattern, backwards=backwards)
    source = ""
    blocks = _split_before(pieces, crosses_slashes=True)
    for block in blocks:
        is_last_block = block is blocks[-1]
        block_source = ""
        runs = _split_before(block, crosses_slashes=False)
        for run in runs:
            is_last_run = is_last_block and run is runs[-1]
            run_source = "".join(piece.source for piece in run)
            if run is not runs[0] and not is_last_run:
                run_source = atomic(run_source)
            block_source += run_source
        if block is not blocks[0] and not is_last_block:
            block_source = atomic(block_source)
        source += block_source
    literals = tuple(piece.text for piece in pieces)
    return Expression(rf"(?s:{source})\Z", literals)


def _pieces(pattern: str, *, backwards: bool) -> list[_Piece]:
    """Split a pattern such as ``/blog/:year/*`` into literal texts and wildcards.

    If ``backwards`` is true, the texts and their order are reversed.
    """
    host_end = 0
    if "://" in pattern:
        host_end = pattern.find("/", pattern.index("://") + len("://"))
    pieces: list[_Piece] = []
    names: set[str] = set()
    position = 0
    for part in PLACEHOLDER.split(pattern):
        if PLACEHOLDER.fullmatch(part):
            name = part[1:] or "splat"
            source = "[^/]+?"
            if part == "*":
                source = ".*?"
            elif position < host_end:
                source = "[^/.]+?"
            if name not in names:
                source = f"(?P<{name}>{source})"
            names.add(name)
            pieces.append(_Piece(source, crosses_slashes=part == "*"))
        elif part:
            text = unquote(part)  # An encoded asterisk is an ordinary character.
            if backwards:
                text = text[::-1]
            pieces.append(_Piece(re.escape(text), text))
        position += len(part)
    if backwards:
        pieces.reverse()
    return pieces


def _split_before(pieces: list[_Piece], *, crosses_slashes: bool) -> list[list[_Piece]]:
    """Split the pieces of a pattern before each ``*``, or before each ``:name``.

    The pattern ``/blog/:year/*`` is split into ``/blog/:year/`` and ``*`` if ``crosses_slashes`` is true,
    otherwise into ``/blog/`` and ``:year/*``.
    """
    parts: list[list[_Piece]] = [[]]
    for piece in pieces:
        if not piece.text and piece.crosses_slashes is crosses_slashes:
            parts.append([])
        parts[-1].append(piece)
    return parts


class Patterns:
    """A numbered list of patterns that quickly finds those patterns that match a text."""

    def __init__(self, expressions: Sequence[Expression]) -> None:
        self._expressions = expressions
        self._compiled: dict[int, re.Pattern[str]] = {}
        self._by_part: dict[str, list[int]] = {}
        if len(expressions) > _FEW:
            for number, expression in enumerate(expressions):
                parts = set(_short_parts(expression.literals))
                longest_first = sorted(parts, key=lambda part: (-len(part), part))
                rarest = min(longest_first, key=lambda part: len(self._by_part.get(part, ())), default="")
                # A pattern is compiled and tried only if a text contains this part of its literal text.
                self._by_part.setdefault(rarest, []).append(number)
        self._sizes = {len(part) for part in self._by_part}

    def all(self, texts: Iterable[str]) -> Iterable[int]:
        """Return the numbers (indexes in the list) of all patterns that match at least one of the texts."""
        if not self._expressions:  # Most lists of patterns are empty.
            return ()
        texts = tuple(texts)
        numbers: set[int] = set()
        for text in texts:
            numbers.update(self.candidates(text))
        return (number for number in sorted(numbers) if any(self.match(number, text) for text in texts))

    def match(self, number: int, text: str) -> re.Match[str] | None:
        """Match a text as a whole against the pattern with this number, its index in the list."""
        if number not in self._compiled:
            self._compiled[number] = re.compile(self._expressions[number].source)
        return self._compiled[number].match(text)

    def candidates(self, text: str) -> Iterable[int]:
        """Return the indexes of the patterns that may match a text. No other pattern can match."""
        if len(self._expressions) <= _FEW:
            return range(len(self._expressions))
        numbers: set[int] = set()
        for size in self._sizes:
            for start in range(len(text) - size + 1):
                numbers.update(self._by_part.get(text[start : start + size], ()))
        return sorted(numbers)


def globs(patterns: Iterable[str]) -> Patterns:
    """Return an object that matches globs such as ``api/*`` quickly, in the same way as ``fnmatch``."""
    expressions = []
    for pattern in patterns:
        literals = tuple(_WILDCARD.split(pattern))
        expressions.append(Expression(translate(pattern), literals))
    return Patterns(expressions)


class GlobMap(Generic[_T]):
    """A mapping from globs such as ``api/*`` to values."""

    def __init__(self, values: Iterable[tuple[str, _T]]) -> None:
        self._values = [*values][::-1]
        self._matcher = globs(glob for glob, _ in self._values)

    def get(self, names: Iterable[str]) -> _T | None:
        """Return the value of the last glob in this mapping that matches one of ``names``, otherwise None."""
        for number in self._matcher.all(names):
            return self._values[number][1]
        return None


@dataclass(frozen=True)
class Globs:
    """Globs that select pages, such as ``["api/*", "!api/index.html"]``.

    The last glob that matches decides. A glob with ``!`` leaves out pages.
    """

    patterns: tuple[str, ...] = ()

    def decision(self, names: Iterable[str]) -> tuple[bool, str] | None:
        """Return whether a page is selected, and the glob that decides it. If no glob matches, return None.

        >>> Globs(("api/*", "!api/a.html")).decision(["api/a.html"])
        (False, '!api/a.html')
        """
        pattern = self._by_glob.get(names)
        if pattern is None:
            return None
        return not pattern.startswith("!"), pattern

    def includes(self, names: Iterable[str]) -> bool:
        """Check whether the globs select a page. ``names`` are, for example, its path and its address."""
        decision = self.decision(names)
        return decision is not None and decision[0]

    @cached_property
    def _by_glob(self) -> GlobMap[str]:
        return GlobMap((pattern.removeprefix("!"), pattern) for pattern in self.patterns)


@dataclass(frozen=True)
class SourceGlobs(Globs):
    """Globs that select source files, such as ``src/*.py``, relative to a folder."""

    folder: Path = Path()

    def starting_in(self, folder: Path) -> SourceGlobs:
        """Return globs with the same patterns, but compare them with paths relative to ``folder``."""
        return SourceGlobs(self.patterns, folder)

    def name_of(self, source: Path | str) -> str:
        """Return the path of a source file relative to the folder to which the globs are relative."""
        from sitemap_docs.files import seen_from  # noqa: PLC0415  no extension of Sphinx loads it at first

        return seen_from(self.folder, source)


class Groups:
    """Groups of pages. Each group has a name, and globs that select its pages, such as ``api/*``."""

    def __init__(self, groups: Iterable[tuple[str, Globs]]) -> None:
        self._patterns: list[tuple[str, str]] = []
        for name, members in groups:
            self._patterns += [(name, pattern) for pattern in members.patterns]
        self._matcher = globs(pattern.removeprefix("!") for _, pattern in self._patterns)

    def find(self, names: Iterable[str]) -> str:
        """Return the name of the first group with a glob that matches a page, or ``""`` if there is none.

        The page ``api/a.html`` is in the group ``api`` of ``{"api": ["api/*"]}``. ``names`` are the path of
        the page and its other names, such as its source file.
        """
        selections: dict[str, bool] = {}
        for number in self._matcher.all(names):
            group, pattern = self._patterns[number]
            selections[group] = not pattern.startswith("!")
        return next(filter(selections.get, selections), "")


class UnmatchedGlobs:
    """Finds globs that match no page or file.

    Args:
        options: Pairs such as ``("excludes", "api/*")``, an option and a glob.
        noun: The word for what globs match, such as ``page``.
    """

    def __init__(self, options: Iterable[tuple[str, str]], noun: str = "page") -> None:
        self._globs = tuple(dict.fromkeys(options))
        self._matcher = globs(glob.removeprefix("!") for _, glob in self._globs)
        self._unmatched = set(range(len(self._globs)))
        self._noun = noun
        self._has_compared = False

    def compare(self, names: Sequence[str]) -> None:
        """Remember which globs match a page or file.

        ``names`` are all names of the page or file, such as ``api/a.html`` and ``api/a.md``.
        """
        self._has_compared = True
        if self._unmatched:
            self._unmatched.difference_update(self._matcher.all(names))

    def unmatched(self) -> list[tuple[str, str]]:
        """Return the globs without a match so far, with their options, such as ``("excludes", "api/*")``."""
        if not self._has_compared:
            return []
        return [self._globs[number] for number in sorted(self._unmatched)]

    def findings(self, reported_pairs: Collection[tuple[str, str]] = ()) -> list[Finding]:
        """Return a list with one message about all globs that match nothing, or an empty list.

        Globs in ``reported_pairs`` are left out, because other messages report them. Each pair is an option
        and a glob, such as ``("excludes", "api/*")``.
        """
        unmatched = [pair for pair in self.unmatched() if pair not in reported_pairs]
        if not unmatched:
            return []
        shown = [f"{glob!r} of the option `{option}`" for option, glob in unmatched[:_SHOWN_AT_MOST]]
        text = ", ".join(shown)
        if len(unmatched) > _SHOWN_AT_MOST:
            text += f" and {many(len(unmatched) - _SHOWN_AT_MOST, 'other pattern')}"
        return [unmatched_pattern(self._noun, text)]


@reported("info")
def unmatched_pattern(noun: str, shown: str) -> str:
    """A glob of an option matches nothing.

    The glob has no effect. This happens, for example, after a folder was renamed.
    Correct or remove the glob. If several versions share the option, a glob may match in only one of them.
    Wrong: `excludes: ["draft/*"]`, with the pages in `drafts/`
    Right: `excludes: ["drafts/*"]`
    Source: sitemap-docs: the page Options
    """
    return (
        f"No {noun} matches {shown}. Correct or remove it. If another build with the same options needs it, "
        "keep it."
    )


class MisspelledGlob(NamedTuple):
    """A glob that matches no page, and its corrected form."""

    option: str
    #: The user's glob, such as ``/internal/``.
    glob: str
    #: The corrected glob, such as ``internal/*``.
    corrected: str
    #: How many listed pages the corrected glob matches.
    number: int

    def finding(self) -> Finding:
        """Return a warning about the misspelled glob that shows the correct one."""
        return pattern_misspelled(self.option, self.glob, self.corrected, self.number)


@reported(strict=True)
def pattern_misspelled(option: str, glob: str, corrected: str, number: int) -> str:
    """A glob of an option matches no page, although another form of the glob would match listed pages.

    The option has no effect there. With `excludes`, the pages stay in the sitemap.
    Write the glob as the message shows it: without a slash before it, and with `/*` for a folder.
    Wrong: `excludes: [/internal/]`
    Right: `excludes: ["internal/*"]`
    Source: sitemap-docs: the page Options
    """
    return (
        f"No page matches {glob!r} of the option `{option}`, so it has no effect. Write {corrected!r}, which "
        f"matches {many(number, 'listed page')}."
    )


def _short_parts(texts: Iterable[str]) -> Iterator[str]:
    """Yield the parts of 8 characters in texts: ``/archive`` and ``archive/`` for ``/archive/``.

    ``texts`` are the parts of a pattern without wildcards. A shorter text is one part. Of a long text, only
    the beginning and the end are used.
    """
    for text in texts:
        for end in {text[:_ENDS], text[-_ENDS:]} - {""}:
            for start in range(max(1, len(end) - _KEY_LENGTH + 1)):
                yield end[start : start + _KEY_LENGTH]
