"""Many wildcard patterns, narrowed to the few that a text can match."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import translate
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

WILDCARD = re.compile(r"\*|\?|\[!?\]?[^\]]*\]")
"""Of a glob, as fnmatch has them."""

_FEW = 16  # patterns that are tried one by one as fast
_LONGEST = 8  # characters by which a pattern is found
_ENDS = 64  # characters at the beginning and the end of a literal text that are looked at


class PatternIndex:
    """Finds patterns by a text that each match of theirs holds, so that the work is no product of both.

    ``literals`` has, for each pattern, the texts between its wildcards.
    """

    def __init__(self, literals: Sequence[Sequence[str]]) -> None:
        self._literals = literals

    def candidates(self, text: str) -> Iterable[int]:
        """The numbers of the patterns that may match a text, in their order."""
        if len(self._literals) <= _FEW:
            return range(len(self._literals))
        return sorted({number for part in self._parts_of(text) for number in self._by_part.get(part, ())})

    def _parts_of(self, text: str) -> Iterator[str]:
        for size in self._sizes:
            yield from (text[start : start + size] for start in range(len(text) - size + 1))

    @cached_property
    def _sizes(self) -> tuple[int, ...]:
        return tuple({len(part) for part in self._by_part})

    @cached_property
    def _by_part(self) -> dict[str, list[int]]:
        """Each pattern under that part of it under which there are fewest so far."""
        found: dict[str, list[int]] = {}
        for number, texts in enumerate(self._literals):
            part = min(_parts(texts), key=lambda part: len(found.get(part, ())), default="")
            found.setdefault(part, []).append(number)
        return found


@dataclass(frozen=True)
class Matcher:
    """Globs of fnmatch, made for many globs and many names."""

    globs: tuple[str, ...]

    def first(self, names: Iterable[str]) -> int | None:
        """The number of the first glob that matches one of the names."""
        return next(self.all(names), None)

    def all(self, names: Iterable[str], among: AbstractSet[int] | None = None) -> Iterator[int]:
        """The numbers of the globs, or of those ``among`` them, that match one of the names, in order."""
        names = tuple(names)
        near = {number for name in names for number in self._index.candidates(name)}
        near &= near if among is None else among
        return (each for each in sorted(near) if any(map(self._compiled[each].match, names)))

    @cached_property
    def _index(self) -> PatternIndex:
        return PatternIndex([WILDCARD.split(glob) for glob in self.globs])

    @cached_property
    def _compiled(self) -> tuple[re.Pattern[str], ...]:
        return tuple(re.compile(translate(glob)) for glob in self.globs)


def _parts(texts: Iterable[str]) -> Iterator[str]:
    longest = max(map(len, texts), default=0)
    for text in texts:
        if len(text) >= min(longest, _LONGEST):
            for end in {text[:_ENDS], text[-_ENDS:]} - {""}:
                yield from (end[start : start + _LONGEST] for start in range(max(1, len(end) - _LONGEST + 1)))
