"""The source files behind the pages of a built folder, found by their paths."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from itertools import chain, zip_longest
from pathlib import Path
from posixpath import basename, dirname, splitext
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from sitemap_docs.files import HTML_SUFFIXES
from sitemap_docs.model import SitemapError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

#: The endings of sources; the first that a folder has for a page is its source.
ENDINGS = (
    *(".md", ".rst", ".mdx", ".adoc", ".asciidoc", ".ipynb", ".qmd", ".Rmd", ".mdoc", ".org", ".textile"),
    *(".markdown", ".mdown", ".mkdn", ".mkd", ".txt", *HTML_SUFFIXES),
    *(".astro", ".tsx", ".jsx", ".njk", ".liquid"),
)
_RANKS = {ending: rank for rank, ending in enumerate(ENDINGS)}
#: What the index of a folder is written in: MkDocs' README, Hugo's _index.
_INDEXES = ("index", "_index", "README", "readme", "Readme")
_LISTINGS = 256

_WILD = re.compile(r"(\*\*/|\*\*|\*|\?)")
_WILDCARDS = {"**/": r"((?:.*/)?)", "**": r"(.*)", "*": r"([^/]*)", "?": r"([^/])"}


class SourceMap(NamedTuple):
    """Which pages are made of which source: the wildcards of ``source`` repeat the groups of ``pages``."""

    text: str
    pages: re.Pattern[str]
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
        if not (site and equals and source) or len(wanted) > len(given):
            raise SitemapError(
                f"The map {text!r} must be 'site glob=source glob', with no more wildcards in the source."
            )
        return cls(text, _compiled(site), source.strip("/"))

    def of_page(self, path: str) -> str | None:
        """The source of a page's file or address, both relative and not encoded; None for no match."""
        match = self.pages.fullmatch(path)
        if not match:
            return None
        texts, wildcards = _WILD.split(self.source)[::2], _WILD.findall(self.source)
        filled = (
            text.rstrip("/") + "/" * bool(text and wildcard == "**/")
            for text, wildcard in zip(match.groups(), wildcards, strict=False)
        )
        return "".join(text + fill for text, fill in zip_longest(texts, filled, fillvalue=""))


@lru_cache
def _compiled(glob: str) -> re.Pattern[str]:
    return re.compile("".join(_WILDCARDS.get(piece) or re.escape(piece) for piece in _WILD.split(glob)))


class SourceLayout:
    """Where the sources of a generator lie that are not at their page's path.

    ``maps`` are written as :class:`SourceMap` has them; the right side is the path below ``root`` that the
    page would have if its source were at its path.
    """

    def __init__(self, root: Path, maps: Iterable[str]) -> None:
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

    Where there is none, a path that differs in case or Unicode normalisation alone is taken, if there is one
    only: Hugo lower-cases addresses, macOS decomposes names. Then comes the layout of a generator. The names
    of a folder are read once, and those of the folders seen last are remembered.
    """

    def __init__(
        self,
        folders: Sequence[Path] = (),
        rules: Sequence[SourceMap] = (),
        layout: SourceLayout | None = None,
    ) -> None:
        self.folders = tuple(os.path.abspath(folder) for folder in folders)
        self.rules = tuple(rules)
        self._layout = layout
        self._listing = lru_cache(maxsize=_LISTINGS)(_listing)
        self._folded_listing = lru_cache(maxsize=_LISTINGS)(self._folded_stems)
        self._subfolders = lru_cache(maxsize=_LISTINGS)(self._folded_folders)

    def __bool__(self) -> bool:
        """Whether there is a place to look."""
        return bool(self.folders or self._layout)

    def of(self, file: str, address: str = "") -> str | None:
        """The source of the page whose file and address below the site are given; an absolute path."""
        if not self:
            return None
        named = [name for rule in self.rules for path in (file, address) if (name := rule.of_page(path))]
        for folder in self.folders:
            for name in named:
                if os.path.isfile(found := f"{folder}/{name}"):
                    return found
            if source := next(filter(None, (self._at(folder, *place) for place in _places(file))), None):
                return source
        alike = (self._alike(folder, *parent) for folder in self.folders for parent in _places(file))
        return next(filter(None, alike), None) or self._laid_out(file)

    def _laid_out(self, file: str) -> str | None:
        """The source of a page that is elsewhere, as its generator wants it."""
        if not self._layout:
            return None
        root, places = self._layout.root, tuple(self._layout.places(file))
        exact = (self._at(root, *place) for place in places)
        alike = (self._alike(root, *place) for place in places)
        return next(filter(None, chain(exact, alike)), None)

    def listed(self, file: str) -> list[Path]:
        """The sources of other pages that a page lists, such as the posts of a blog."""
        return self._layout.listed(file) if self._layout else []

    def is_untranslated(self, file: str, source: str) -> bool:
        """Whether a page shows another language in place of a translation, as its source tells."""
        return self._layout is not None and self._layout.is_untranslated(file, source)

    def copied(self, file: str) -> Path | None:
        """What a file of the site that is no page is a copy of: the file of its path in the first folder."""
        found = (Path(folder, file) for folder in self.folders)
        return next((each for each in found if each.is_file()), None)

    def _at(self, folder: str, parent: str, stem: str) -> str | None:
        source = self._listing(f"{folder}/{parent}").get(stem)
        return os.path.join(folder, parent, source) if source else None

    def _alike(self, folder: str, parent: str, stem: str) -> str | None:
        for part in filter(None, parent.split("/")):
            if not (name := self._subfolders(folder).get(_folded(part))):
                return None
            folder = f"{folder}/{name}"
        source = self._folded_listing(folder).get(_folded(stem))
        return f"{folder}/{source}" if source else None

    def _folded_stems(self, folder: str) -> Mapping[str, str]:
        return _unambiguous(self._listing(folder), _folded)

    def _folded_folders(self, folder: str) -> Mapping[str, str]:
        return _unambiguous(_subfolders(folder), _folded)


def _places(file: str) -> Iterator[tuple[str, str]]:
    """The folders and stems at which the source of a page may be."""
    path, _ = splitext(file)
    parent, name = dirname(path), basename(path)
    for stem in _INDEXES if name == "index" else (name,):
        yield parent, stem
    if name == "index" and parent:  # directory URLs: a/index.html is made of a.md
        yield dirname(parent), basename(parent)


def _folded(name: str) -> str:
    return normalize("NFC", name).casefold()


def _unambiguous(names: Mapping[str, str], folded: Callable[[str], str]) -> Mapping[str, str]:
    """The values by the folded names; ``""`` where two names are equal when folded."""
    found: dict[str, str] = {}
    for name, value in names.items():
        key = folded(name)
        found[key] = "" if key in found else value
    return found


def _subfolders(folder: str) -> Mapping[str, str]:
    try:
        with os.scandir(folder) as entries:
            return {entry.name: entry.name for entry in entries if os.path.isdir(entry.path)}
    except OSError:
        return {}


def _listing(folder: str) -> Mapping[str, str]:
    """The source of each stem in a folder."""
    try:
        names = os.listdir(folder)
    except OSError:
        return {}
    return dict(_stems(names))


def _stems(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    known = ((*splitext(name), name) for name in names)
    ranked = [(_RANKS[ending], stem, name) for stem, ending, name in known if ending in _RANKS]
    return ((stem, name) for _, stem, name in sorted(ranked, reverse=True))
