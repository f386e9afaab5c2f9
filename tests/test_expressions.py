"""No expression of the package takes more time than in proportion to its text, whatever the text.

Two shapes do: repetitions next to each other that match the same character, of which every division is
tried; and a repetition that runs over further beginnings of its own expression, so that a search that fails
behind it starts again at each. The expressions are looked at as ``re`` parses them.
"""

from __future__ import annotations

import ast
import pkgutil
import re
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import sitemap_docs
from sitemap_docs.programs.followed import includes_of, names_of_includes
from sitemap_docs.sources.includes import MarkdownConfig

if TYPE_CHECKING:
    from collections.abc import Iterator

try:
    from re import _constants as constants
    from re import _parser as parser
except ImportError:  # Python 3.10
    import sre_constants as constants
    import sre_parse as parser

Chars = frozenset
EVERY = frozenset(range(256))
MANY = 128  # a repetition of at most so many is no loop over the text
SEARCHES = {"search", "finditer", "findall", "sub", "subn", "split"}
WORD = frozenset(code for code in EVERY if re.match(r"\w", chr(code)))
SPACE = frozenset(code for code in EVERY if re.match(r"\s", chr(code)))
DIGITS = frozenset(b"0123456789")
CATEGORIES = {
    constants.CATEGORY_DIGIT: DIGITS,
    constants.CATEGORY_NOT_DIGIT: EVERY - DIGITS,
    constants.CATEGORY_SPACE: SPACE,
    constants.CATEGORY_NOT_SPACE: EVERY - SPACE,
    constants.CATEGORY_WORD: WORD,
    constants.CATEGORY_NOT_WORD: EVERY - WORD,
}
REPEATS = {constants.MAX_REPEAT, constants.MIN_REPEAT, getattr(constants, "POSSESSIVE_REPEAT", None)}

#: Searches that look as if they started again, and why they do not, or not for long.
LINEAR = {
    "audit.rules.llms._LINK": "an opening parenthesis ends what may follow one",
    "config.frontmatter._FORMATS": "matched behind the first line",
    "config.patterns._WILDCARD": "of a pattern that the user writes",
    "programs.sphinx._DOCNAMES": "a colon ends what may follow a quotation mark",
    "html.head._BOT": "a name begins behind a space, a comma or a semicolon, and contains none of them",
    "html.trees._DECLARATION": "of at most 1,024 bytes",
    "sources.includes.FENCE": "matched where a line begins",
}


@dataclass(frozen=True)
class Loop:
    """A repetition without a bound: the characters of each part that must be there in one round."""

    round: tuple[Chars, ...]

    @property
    def chars(self) -> Chars:
        return frozenset().union(*self.round)

    def takes(self, parts: tuple[Chars, ...]) -> bool:
        """Whether each of the parts may be one of its characters."""
        return all(part & self.chars for part in parts)

    def meets(self, other: Loop) -> bool:
        """Whether a round of the one may be part of the other."""
        forth = self.takes(other.round)
        back = other.takes(self.round)
        if len(self.round) == len(other.round) == 1:
            return forth
        if len(self.round) > 1 and len(other.round) > 1:
            return forth and back
        return forth if len(self.round) == 1 else back


@dataclass
class Shape:
    """What must be there in a piece of an expression, and the loops with which it may begin and end."""

    parts: tuple[Chars, ...] = ()
    heads: list[Loop] = field(default_factory=list)
    tails: list[Loop] = field(default_factory=list)
    nullable: bool = True


class Reading:
    """One expression: ``meeting`` are loops next to each other, ``restarting`` are run again by a search."""

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        self.meeting: list[tuple[Loop, Loop]] = []
        self.restarting: list[Loop] = []
        self._never_behind: Chars = frozenset()
        flags = pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags
        self._sequence(list(parser.parse(pattern.pattern, flags)), flags, (), can_fail=False)

    def _sequence(
        self, nodes: list[Any], flags: int, before: tuple[Chars, ...] | None, *, can_fail: bool
    ) -> Shape:
        """The shape of pieces in a row; ``before`` is what must precede it, None where no search starts."""
        whole = Shape()
        for place, (operation, value) in enumerate(nodes):
            fails = can_fail or not all(_succeeds(node) for node in nodes[place + 1 :])
            if operation is constants.AT and before is not None:
                if value is constants.AT_BEGINNING and flags & re.MULTILINE:
                    before = (*before, frozenset(b"\n"))
                elif value in (constants.AT_BEGINNING, constants.AT_BEGINNING_STRING):
                    before = None
            shape = self._shape(operation, value, flags, before, can_fail=fails)
            self._compare(whole.tails, shape.heads)
            if whole.nullable:
                whole.heads += shape.heads
            whole.tails = shape.tails + (whole.tails if shape.nullable else [])
            whole.nullable = whole.nullable and shape.nullable
            whole.parts += shape.parts
            if before is not None:
                before += shape.parts
        return whole

    def _compare(self, tails: list[Loop], heads: list[Loop]) -> None:
        self.meeting += [(tail, head) for tail in tails for head in heads if tail.meets(head)]

    def _shape(  # noqa: PLR0911  one for each kind
        self, operation: Any, value: Any, flags: int, before: tuple[Chars, ...] | None, *, can_fail: bool
    ) -> Shape:
        if operation in REPEATS:
            least, most, inner = value
            one = self._sequence(list(inner), flags, before, can_fail=can_fail)
            if most <= MANY:
                return one if least else Shape((), one.heads, one.tails)
            loop = Loop(one.parts or (EVERY,))
            self._compare(one.tails, one.heads)
            starts_anywhere = bool(before) or not loop.chars <= self._never_behind
            if can_fail and before is not None and starts_anywhere and loop.takes(before):
                self.restarting.append(loop)
            nullable = one.nullable or least == 0
            return Shape(one.parts if least else (), [loop, *one.heads], [loop, *one.tails], nullable)
        if operation is constants.SUBPATTERN:
            _, added, removed, inner = value
            return self._sequence(list(inner), (flags | added) & ~removed, before, can_fail=can_fail)
        if operation is constants.BRANCH:
            ways = [self._sequence(list(way), flags, before, can_fail=can_fail) for way in value[1]]
            parts: tuple[Chars, ...] = ()
            if all(way.parts for way in ways):
                parts = (frozenset().union(*(part for way in ways for part in way.parts)),)
            heads = [loop for way in ways for loop in way.heads]
            tails = [loop for way in ways for loop in way.tails]
            return Shape(parts, heads, tails, any(way.nullable for way in ways))
        if operation in (constants.ASSERT, constants.ASSERT_NOT):
            direction, inner = value
            shape = self._sequence(list(inner), flags, None, can_fail=True)
            if operation is constants.ASSERT_NOT and direction < 0 and len(shape.parts) == 1:
                self._never_behind = shape.parts[0]
            return Shape()
        if operation is constants.AT:
            return Shape(nullable=value is not constants.AT_END_STRING)
        if operation in (constants.GROUPREF, constants.GROUPREF_EXISTS):
            return Shape(nullable=False)
        return Shape((characters(operation, value, flags),), nullable=False)


def _succeeds(node: tuple[Any, Any]) -> bool:
    """Whether a piece matches wherever it stands."""
    operation, value = node
    if operation in REPEATS:
        return value[0] == 0
    if operation is constants.SUBPATTERN:
        return all(map(_succeeds, value[3]))
    if operation is constants.BRANCH:
        return any(all(map(_succeeds, way)) for way in value[1])
    return operation is constants.AT and value is constants.AT_END_STRING  # behind what runs to the end


def characters(operation: Any, value: Any, flags: int) -> Chars:
    """The characters up to 255 that one piece matches; 255 stands for all that follow."""
    if operation is constants.ANY:
        return EVERY if flags & re.DOTALL else EVERY - {ord("\n")}
    if operation is constants.IN:
        negated = value[0][0] is constants.NEGATE
        parts = [characters(*each, flags) for each in value[negated:]]
        found = frozenset().union(*parts)
        return EVERY - found if negated else found
    if operation is constants.CATEGORY:
        return CATEGORIES[value]
    if operation is constants.RANGE:
        codes = range(min(value[0], 255), min(value[1], 255) + 1)
    else:
        codes = [min(value, 255)]
    found = frozenset(codes)
    if flags & re.IGNORECASE:
        cases = {other for code in codes for other in (chr(code).lower(), chr(code).upper())}
        found |= {ord(other) for other in cases if len(other) == 1 and ord(other) <= 255}
    return EVERY - found if operation is constants.NOT_LITERAL else found


def patterns_in(value: object) -> Iterator[re.Pattern[Any]]:
    """A compiled expression, or those in a table."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from patterns_in(each)
    elif isinstance(value, (tuple, list)):
        for each in value:
            yield from patterns_in(each)


def compiled_by_readers() -> list[re.Pattern[Any]]:
    """The expressions that are made of the options of plugins."""
    made = []
    compiled = re.compile
    here = Path()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(re, "compile", lambda *given: made.append(compiled(*given)) or made[-1])
        for name in names_of_includes():
            includes_of(MarkdownConfig(docs=here, root=here, start=here, extensions={name: {}}))
    return made


@cache
def expressions() -> dict[str, tuple[re.Pattern[Any], bool]]:
    """The expressions of the package by their names, and whether a text is searched for each."""
    pytest.importorskip("sphinx")  # every module is imported, those of the hosts as well
    pytest.importorskip("mkdocs")
    found: dict[str, re.Pattern[Any]] = {}
    searched: set[re.Pattern[Any]] = set()
    for each in pkgutil.walk_packages(sitemap_docs.__path__, "sitemap_docs."):
        module = import_module(each.name)
        tree = ast.parse(Path(module.__file__ or "").read_bytes())
        matched, defined = set(), set()
        for node in ast.walk(tree):
            match node:
                case ast.Name(name, ast.Store()):
                    defined.add(name)
                case ast.Attribute(ast.Name() as name, method) if method not in SEARCHES:
                    matched.add(name)
                case ast.Call(ast.Attribute(ast.Name("re"), method), [ast.Constant(str(written)), *_]):
                    if method in SEARCHES:
                        pattern = re.compile(written)
                        found[f"{each.name}, line {node.lineno}"] = pattern
                        searched.add(pattern)
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node not in matched:
                searched.update(patterns_in(vars(module).get(node.id)))
        for key, value in vars(module).items():
            if key not in defined:  # a name of another module
                continue
            for pattern in patterns_in(value):
                found.setdefault(f"{each.name}.{key}".removeprefix("sitemap_docs."), pattern)
    for number, pattern in enumerate(compiled_by_readers()):
        found[f"sources.includes, of options, {number}"] = pattern
        searched.add(pattern)
    return {name: (pattern, pattern in searched) for name, pattern in found.items()}


def test_no_repetition_stands_next_to_one_that_matches_the_same():
    assert [name for name, (pattern, _) in expressions().items() if Reading(pattern).meeting] == []


def test_no_search_starts_again_in_what_it_has_read():
    searched = {name: pattern for name, (pattern, is_searched) in expressions().items() if is_searched}
    assert {name for name, pattern in searched.items() if Reading(pattern).restarting} == LINEAR.keys()


MEETING = (
    r"\s+.*?\s*x",
    r"(?:a+)*b",
    r"a*(?:b?a)*c",
    r"[^\n]*x?\w+y",
    r"(?:[^\n]+\n?)*x",
    r"[0-9]*\.?[0-9]+",
)
RESTARTING = ("<a.*?>", r"\s*x", r"(?m)^\s*x", ":[-0-9:]*$", r"(?sm)^(`{3}).*?^\1", " +x")
LINEAR_SHAPES = (r"(?<! ) +x", r"\d+(?:\.\d+)*", r"<!--(?s:.*?)(?:-->|\Z)", r"\A\s*x", "<[^<>]*>")


def test_both_shapes_are_found_and_no_others():
    readings = {text: Reading(re.compile(text)) for text in (*MEETING, *RESTARTING, *LINEAR_SHAPES)}
    assert [text for text in MEETING if not readings[text].meeting] == []
    assert [text for text in RESTARTING if not readings[text].restarting] == []
    assert [text for text in LINEAR_SHAPES if readings[text].meeting or readings[text].restarting] == []
