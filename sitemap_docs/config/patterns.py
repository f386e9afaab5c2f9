"""Wildcard patterns: expressions that never try a match twice, many patterns at once, and unused ones."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import translate
from functools import cached_property
from itertools import count
from typing import Generic, NamedTuple, TypeVar
from urllib.parse import unquote

from sitemap_docs.model import Finding, reported
from sitemap_docs.text import many

_T = TypeVar("_T")
_WILDCARD = re.compile(r"\*|\?|\[!?\]?[^\]]*\]")  # of a glob, as fnmatch has them

PLACEHOLDER = re.compile(r"(\*|:[A-Za-z]\w*)", re.ASCII)
"""A wildcard in the patterns of hosts."""

_FEW = 4  # patterns that are tried one by one as fast
_KEY_LENGTH = 8  # characters by which a pattern is found
_NAMED_AT_MOST = 10  # patterns in one message
_ENDS = 64  # characters at the beginning and the end of a literal text that are looked at


class Expression(NamedTuple):
    """A pattern as a regular expression, and the texts that whatever it matches holds."""

    source: str
    literals: tuple[str, ...]


class _Piece(NamedTuple):
    """A text of a pattern, or a wildcard, which has no ``text``."""

    source: str
    text: str = ""
    crosses_slashes: bool = False


def path_pattern(pattern: str, *, backwards: bool = False) -> Expression:
    """A pattern of ``_headers`` or ``_redirects``; its literal texts are decoded.

    ``*`` matches any characters, under the name ``splat``. ``:name`` matches one or more, but no slashes, and
    in the host of a whole address no dots. Where there are several ways, the first of two wildcards takes as
    little as it can; ``backwards``, in a reversed text, it takes as much as it can.
    """
    # An expression with many wildcards tries every way to share a text among them. So each choice but the
    # last is final: the text after a placeholder is taken where it stands first, as a later place in the
    # same segment would leave less to the rest; what stands between two asterisks is found as a whole.
    final_choices = count()

    def final(source: str) -> str:
        name = f"_{next(final_choices)}"
        return f"(?=(?P<{name}>{source}))(?P={name})"  # (?>…), which Python has from 3.11 on

    pieces = _pieces(pattern, backwards=backwards)
    source = ""
    blocks = _split_before(pieces, crosses_slashes=True)
    for block in blocks:
        is_last = block is blocks[-1]
        written = ""
        runs = _split_before(block, crosses_slashes=False)
        for run in runs:
            text = "".join(piece.source for piece in run)
            if run is not runs[0] and not (is_last and run is runs[-1]):
                text = final(text)
            written += text
        if block is not blocks[0] and not is_last:
            written = final(written)
        source += written
    return Expression(rf"(?s:{source})\Z", tuple(piece.text for piece in pieces))


def _pieces(pattern: str, *, backwards: bool) -> list[_Piece]:
    """The texts and the wildcards of a pattern; of two with one name, the first has it."""
    host_end = 0
    if "://" in pattern:
        host_end = pattern.find("/", pattern.index("://") + len("://"))
    pieces: list[_Piece] = []
    names: set[str] = set()
    place = 0
    for written in PLACEHOLDER.split(pattern):
        if PLACEHOLDER.fullmatch(written):
            name = written[1:] or "splat"
            source = "[^/]+?"
            if written == "*":
                source = ".*?"
            elif place < host_end:
                source = "[^/.]+?"
            if name not in names:
                source = f"(?P<{name}>{source})"
            names.add(name)
            pieces.append(_Piece(source, crosses_slashes=written == "*"))
        elif written:
            text = unquote(written)  # an escaped asterisk is none
            if backwards:
                text = text[::-1]
            pieces.append(_Piece(re.escape(text), text))
        place += len(written)
    if backwards:
        pieces.reverse()
    return pieces


def _split_before(pieces: list[_Piece], *, crosses_slashes: bool) -> list[list[_Piece]]:
    """Parts of which all but the first begin with a wildcard of the one kind."""
    parts: list[list[_Piece]] = [[]]
    for piece in pieces:
        if not piece.text and piece.crosses_slashes is crosses_slashes:
            parts.append([])
        parts[-1].append(piece)
    return parts


class Patterns:
    """Patterns in their order, made for many patterns and many texts: few of them are compiled and tried.

    A pattern is tried only on a text that holds a part of one of the pattern's literal texts.
    """

    def __init__(self, expressions: Sequence[Expression]) -> None:
        self._expressions = expressions
        self._compiled: dict[int, re.Pattern[str]] = {}
        self._by_part: dict[str, list[int]] = {}
        if len(expressions) > _FEW:
            for number, expression in enumerate(expressions):
                parts = sorted(set(_parts(expression.literals)), key=lambda part: (-len(part), part))
                rarest = min(parts, key=lambda part: len(self._by_part.get(part, ())), default="")
                self._by_part.setdefault(rarest, []).append(number)
        self._sizes = {len(part) for part in self._by_part}

    def all(self, texts: Iterable[str]) -> Iterable[int]:
        """The numbers of the patterns that match one of the texts, in order."""
        if not self._expressions:  # as most lists of patterns
            return ()
        texts = tuple(texts)
        near: set[int] = set()
        for text in texts:
            near.update(self.candidates(text))
        return (number for number in sorted(near) if any(self.match(number, text) for text in texts))

    def match(self, number: int, text: str) -> re.Match[str] | None:
        """Returns how the pattern of that number matches a whole text; None where it does not."""
        if number not in self._compiled:
            self._compiled[number] = re.compile(self._expressions[number].source)
        return self._compiled[number].match(text)

    def candidates(self, text: str) -> Iterable[int]:
        """The numbers of the patterns that may match a text, in order."""
        if len(self._expressions) <= _FEW:
            return range(len(self._expressions))
        numbers: set[int] = set()
        for size in self._sizes:
            for start in range(len(text) - size + 1):
                numbers.update(self._by_part.get(text[start : start + size], ()))
        return sorted(numbers)


def globs(patterns: Iterable[str]) -> Patterns:
    """Patterns of fnmatch, in which ``*`` and ``?`` cross slashes."""
    return Patterns([Expression(translate(each), tuple(_WILDCARD.split(each))) for each in patterns])


class GlobMap(Generic[_T]):
    """A mapping glob → value, in which ``*`` and ``?`` cross slashes; the last glob that matches decides."""

    def __init__(self, values: Iterable[tuple[str, _T]]) -> None:
        self._values = [*values][::-1]
        self._matcher = globs(glob for glob, _ in self._values)

    def get(self, names: Iterable[str]) -> _T | None:
        for number in self._matcher.all(names):
            return self._values[number][1]
        return None


@dataclass(frozen=True)
class Globs:
    """Patterns of ``excludes``: ``!`` re-includes, the last match decides."""

    patterns: tuple[str, ...] = ()

    def decision(self, names: Iterable[str]) -> tuple[bool, str] | None:
        """Whether the last pattern that matches a name takes it out, and that pattern; None: none matches."""
        pattern = self._by_glob.get(names)
        if pattern is None:
            return None
        return not pattern.startswith("!"), pattern

    def includes(self, names: Iterable[str]) -> bool:
        """Whether the last pattern that matches a name is one without ``!``."""
        decision = self.decision(names)
        return decision is not None and decision[0]

    @cached_property
    def _by_glob(self) -> GlobMap[str]:
        return GlobMap((pattern.removeprefix("!"), pattern) for pattern in self.patterns)


class Groups:
    """The patterns of all groups, compared with a page at once."""

    def __init__(self, groups: Iterable[tuple[str, Globs]]) -> None:
        self._patterns = [(name, pattern) for name, members in groups for pattern in members.patterns]
        self._matcher = globs(pattern.removeprefix("!") for _, pattern in self._patterns)

    def of(self, names: Iterable[str]) -> str:
        """The first group in which the last pattern that matches is one without ``!``, or ``""``."""
        included: dict[str, bool] = {}
        for number in self._matcher.all(names):
            group, pattern = self._patterns[number]
            included[group] = not pattern.startswith("!")
        return next(filter(included.get, included), "")


class UnmatchedGlobs:
    """The globs, each with its option, that none of the names given to :meth:`compare` has matched.

    ``noun`` is what the names belong to: a page, or a source file.
    """

    def __init__(self, written: Iterable[tuple[str, str]], noun: str = "page") -> None:
        self._globs = tuple(dict.fromkeys(written))
        self._matcher = globs(glob.removeprefix("!") for _, glob in self._globs)
        self._left = set(range(len(self._globs)))
        self._noun = noun
        self._compared = False

    def compare(self, names: Sequence[str]) -> None:
        """Takes the names of one page or file."""
        self._compared = True
        if self._left:
            self._left.difference_update(self._matcher.all(names))

    def findings(self) -> list[Finding]:
        """One for all globs that are left, of severity info: several versions often share their options.

        Without any name to compare with, nothing is reported.
        """
        if not self._compared or not self._left:
            return []
        left = [self._globs[number] for number in sorted(self._left)]
        shown = ", ".join(f"{glob!r} of the option `{option}`" for option, glob in left[:_NAMED_AT_MOST])
        if left[_NAMED_AT_MOST:]:
            shown += f" and {many(len(left) - _NAMED_AT_MOST, 'other pattern')}"
        return [unmatched_pattern(self._noun, shown)]


@reported("info")
def unmatched_pattern(noun: str, shown: str) -> str:
    """A glob of an option matches nothing.

    The option has no effect there, as after a folder was renamed.
    Correct or remove the glob; several versions may share options, where each matches in one of them.
    Wrong: `excludes: ["draft/*"]`, with the pages in `drafts/`
    Right: `excludes: ["drafts/*"]`
    Source: sitemap-docs: the page Options
    """
    return f"No {noun} matches {shown}. Correct or remove it, unless another build shares these options."


def _parts(texts: Iterable[str]) -> Iterator[str]:
    """Parts of the texts, by which the pattern that holds all of them can be found."""
    for text in texts:
        for end in {text[:_ENDS], text[-_ENDS:]} - {""}:
            for start in range(max(1, len(end) - _KEY_LENGTH + 1)):
                yield end[start : start + _KEY_LENGTH]
