"""The source files behind the pages of a built folder, found by their paths."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from posixpath import splitext
from typing import NamedTuple
from unicodedata import normalize

from sitemap_docs.config.patterns import Expression, Patterns
from sitemap_docs.files import HTML_SUFFIXES
from sitemap_docs.model import SitemapError
from sitemap_docs.urls.base import spellings

#: The endings of sources; the first that a folder has for a page is its source.
ENDINGS = (
    *(".md", ".rst", ".mdx", ".adoc", ".asciidoc", ".ipynb", ".qmd", ".Rmd", ".rmd", ".mdoc", ".org"),
    *(".textile", ".markdown", ".mdown", ".mkdn", ".mkd", ".txt", *HTML_SUFFIXES),
    *(".astro", ".tsx", ".jsx", ".njk", ".liquid"),
)
_RANKS = {ending: rank for rank, ending in enumerate(ENDINGS)}
#: What the index of a folder is written in: MkDocs' README, Hugo's _index.
_INDEXES = ("index", "_index", "README", "readme", "Readme")
_LISTINGS = 32  # a walk asks for the folders near to each other, and the names of one may be many

_WILD = re.compile(r"(\*\*/|\*\*|\*|\?)")
_WILDCARDS = {"**/": r"((?:.*/)?)", "**": r"(.*)", "*": r"([^/]*)", "?": r"([^/])"}


class SourceMap(NamedTuple):
    """Which pages are made of which source: the wildcards of ``source`` repeat the groups of ``pages``.

    ``literals`` is what the glob of the pages has between its wildcards.
    """

    text: str
    pages: re.Pattern[str]
    literals: tuple[str, ...]
    source: str

    @classmethod
    def of(cls, text: str) -> SourceMap:
        """The rule that the user wrote as ``site glob=source glob``.

        Wildcards stand for the same text on both sides, in their order; ``*`` and ``?`` stay within a
        folder, ``**`` crosses folders. Raises SitemapError.

        >>> SourceMap.of("fr/**/index.html=**/index.fr.md").of_page("fr/guide/index.html")
        'guide/index.fr.md'
        """
        site, equals, source = text.partition("=")
        given, wanted = _WILD.findall(site), _WILD.findall(source)
        if not equals:
            raise SitemapError(f"The map {text!r} has no '='. Write PAGES=SOURCES, such as 'fr/**=**.fr.md'.")
        if not (site and source) or len(wanted) > len(given):
            raise SitemapError(
                f"The map {text!r} must be 'site glob=source glob', with no more wildcards in the source."
            )
        pieces = _WILD.split(site)
        pattern = "".join(_WILDCARDS.get(piece) or re.escape(piece) for piece in pieces)
        return cls(text, re.compile(pattern), tuple(pieces[::2]), source.strip("/"))

    def of_page(self, path: str) -> str | None:
        """The source of a page's file or address, both relative and not encoded; None for no match."""
        match = self.pages.fullmatch(path)
        if not match:
            return None
        groups = iter(match.groups())
        filled = ""
        for piece in _WILD.split(self.source):
            if piece not in _WILDCARDS:
                filled += piece
                continue
            text = next(groups).rstrip("/")
            if text and piece == "**/":
                text += "/"
            filled += text
        return filled


class SourceLayout:
    """Where the sources of a generator lie that are not at their page's path.

    ``maps`` are written as :class:`SourceMap` has them; the right side is the path below ``root`` that the
    page would have if its source were at its path.
    """

    def __init__(self, root: Path, maps: Iterable[str] = ()) -> None:
        self.root = os.path.abspath(root)
        self._maps = tuple(map(SourceMap.of, maps))

    def places(self, file: str) -> Iterator[tuple[str, str]]:
        """The folders below the root, and the stems, at which the source of a page may be."""
        for each in self._maps:
            if path := each.of_page(file):
                yield from _places(path)

    def listed(self, file: str) -> list[Path]:  # noqa: ARG002
        """The sources of other pages that a page lists, such as the posts of a blog."""
        return []

    def is_untranslated(self, file: str, source: str) -> bool:  # noqa: ARG002
        """Whether a page shows another language in place of a translation, as its source tells."""
        return False


class SourceFolders:
    """Finds the source of each page below one of ``folders``: by the rules, then at the page's own path.

    Then comes the layout of a generator. Where there is none, a path that differs in case or Unicode
    normalisation alone is taken, if there is one only: Hugo lower-cases addresses, macOS decomposes names.
    The names of a folder are read once, and those of the folders seen last are remembered.
    """

    def __init__(
        self, folders: Sequence[Path], rules: Sequence[SourceMap] = (), layout: SourceLayout | None = None
    ) -> None:
        self.folders = tuple(map(os.path.abspath, folders))
        self.rules = tuple(rules)
        self._patterns = Patterns([Expression(rf"{rule.pages.pattern}\Z", rule.literals) for rule in rules])
        self.layout = layout or SourceLayout(Path())
        self._names = lru_cache(maxsize=_LISTINGS * max(1, len(self.folders)))(_read_names)

    def of(self, file: str) -> str | None:
        """The source of the page whose file below the site is given; an absolute path."""
        for folder in self.folders:
            for _, name in self.named_by_rules(file):
                if os.path.isfile(f"{folder}/{name}"):
                    return f"{folder}/{name}"
        wanted = [(folder, *place) for folder in self.folders for place in _places(file)]
        wanted += [(self.layout.root, *place) for place in self.layout.places(file)]
        for find in (self._at, self._alike):
            for folder, parent, stem in wanted:
                if source := find(folder, parent, stem):
                    return source
        return None

    def named_by_rules(self, file: str) -> Iterator[tuple[SourceMap, str]]:
        """The rules that fit the file of a page, or its address in any spelling, each with the source."""
        if not self.rules:
            return
        paths = (file, *sorted(spellings(file) - {file}))
        for number in self._patterns.all(paths):
            rule = self.rules[number]
            for source in filter(None, map(rule.of_page, paths)):
                yield rule, source

    def copied(self, file: str) -> Path | None:
        """Returns what a file that is no page is a copy of: the file of its path in the first folder."""
        for folder in self.folders:
            if os.path.isfile(f"{folder}/{file}"):
                return Path(folder, file)
        return None

    def _at(self, folder: str, parent: str, stem: str) -> str | None:
        if parent:
            folder += f"/{parent}"
        source = self._names(folder).sources.get(stem)
        return f"{folder}/{source}" if source else None

    def _alike(self, folder: str, parent: str, stem: str) -> str | None:
        for part in filter(None, parent.split("/")):
            name = self._names(folder).folded_subfolders.get(_folded(part))
            if not name:
                return None
            folder += f"/{name}"
        source = self._names(folder).folded_sources.get(_folded(stem))
        return f"{folder}/{source}" if source else None


class _Names(NamedTuple):
    """The names in a folder: the source of each stem, and what has a name by that when it is folded."""

    sources: Mapping[str, str]
    folded_sources: Mapping[str, str]
    folded_subfolders: Mapping[str, str]


def _read_names(folder: str) -> _Names:
    """The names in a folder; none for one that is not there."""
    sources: dict[str, str] = {}
    subfolders = {}
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda each: each.name):
            if entry.is_dir():
                subfolders[entry.name] = entry.name
            stem, ending = splitext(entry.name)
            if ending in _RANKS:
                other = sources.get(stem, entry.name)
                sources[stem] = min(other, entry.name, key=lambda name: _RANKS[splitext(name)[1]])
    return _Names(sources, _unambiguous(sources), _unambiguous(subfolders))


def _folded(name: str) -> str:
    return normalize("NFC", name).casefold()


def _unambiguous(names: Mapping[str, str]) -> dict[str, str]:
    """The values by the folded names; ``""`` where two names are equal when folded."""
    by_folded: dict[str, str] = {}
    for name, value in names.items():
        key = _folded(name)
        by_folded[key] = "" if key in by_folded else value
    return by_folded


def _places(file: str) -> Iterator[tuple[str, str]]:
    """The folders and stems at which the source of a page may be."""
    parent, _, name = splitext(file)[0].rpartition("/")
    if name != "index":
        yield parent, name
        return
    for stem in _INDEXES:
        yield parent, stem
    if parent:  # directory URLs: a/index.html is made of a.md
        above, _, name = parent.rpartition("/")
        yield above, name
