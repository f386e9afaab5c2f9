"""Find the source file of each page in a built folder, by the page's path."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from posixpath import splitext
from typing import NamedTuple

from sitemap_docs.config.patterns import Expression, Patterns
from sitemap_docs.files import HTML_SUFFIXES, folded_name
from sitemap_docs.model import SitemapError
from sitemap_docs.urls.languages import Translation
from sitemap_docs.urls.link_styles import spellings

#: The endings of source files. If several files in a folder fit a page, the first ending in this list wins.
ENDINGS = (
    *(".md", ".rst", ".mdx", ".adoc", ".asciidoc", ".ipynb", ".qmd", ".Rmd", ".rmd", ".mdoc", ".org"),
    *(".textile", ".markdown", ".mdown", ".mkdn", ".mkd", ".txt", *HTML_SUFFIXES),
    *(".astro", ".tsx", ".jsx", ".njk", ".liquid"),
)
_RANKS = {ending: rank for rank, ending in enumerate(ENDINGS)}
#: Names of the source of an ``index.html``, without ending. MkDocs uses README, Hugo _index.
INDEXES = ("index", "_index", "README", "readme", "Readme")
#: Folders whose file names are remembered, for each folder of sources. Pages of a folder come one after
#: another, so a few are enough. A folder may contain many names.
_LISTINGS = 32

_WILD = re.compile(r"(\*\*/|\*\*|\*|\?)")
_WILDCARDS = {"**/": r"((?:.*/)?)", "**": r"(.*)", "*": r"([^/]*)", "?": r"([^/])"}


class SourceMap(NamedTuple):
    """A user's rule that maps pages to their source files.

    With the rule ``fr/**=**.fr.md``, the source file of the page ``fr/a`` is ``a.fr.md``. Both ``**`` stand
    for the same text, here ``a``.
    """

    text: str
    #: The pattern for the paths of pages.
    pages: re.Pattern[str]
    #: The texts between wildcards, such as ``fr/``.
    literals: tuple[str, ...]
    #: The glob for sources, such as ``**.fr.md``.
    source: str

    @classmethod
    def of(cls, text: str) -> SourceMap:
        """Parse a user's rule that maps pages to their sources, such as ``fr/**/index.html=**/index.fr.md``.

        >>> SourceMap.of("fr/**/index.html=**/index.fr.md").source_of("fr/guide/index.html")
        'guide/index.fr.md'

        Raises:
            SitemapError: The rule is not valid.
        """
        site, equals, source = text.partition("=")
        site_wildcards = _WILD.findall(site)
        source_wildcards = _WILD.findall(source)
        if not equals:
            raise SitemapError(f"The map {text!r} has no '='. Write PAGES=SOURCES, such as 'fr/**=**.fr.md'.")
        if not (site and source):
            raise SitemapError(
                f"The map {text!r} needs a glob before and after '='. Write PAGES=SOURCES, such as "
                "'fr/**=**.fr.md'."
            )
        if len(source_wildcards) > len(site_wildcards):
            raise SitemapError(
                f"The map {text!r} has more wildcards after '=' than before it. Write the same wildcards "
                "before it, as in 'fr/**=**.fr.md'."
            )
        pieces = _WILD.split(site)
        pattern = "".join(_WILDCARDS.get(piece) or re.escape(piece) for piece in pieces)
        literals = tuple(pieces[::2])
        return cls(text, re.compile(pattern), literals, source.strip("/"))

    def source_of(self, path: str) -> str | None:
        """Return the source file that this rule gives for a page, or None if it does not match the page."""
        match = self.pages.fullmatch(path)
        if not match:
            return None
        groups = iter(match.groups())
        source = ""
        for piece in _WILD.split(self.source):
            if piece not in _WILDCARDS:
                source += piece
                continue
            text = next(groups).rstrip("/")
            if text and piece == "**/":
                text += "/"
            source += text
        return source


class SourceLayout:
    """Knows in which folders a site generator looks for the source files of pages.

    Args:
        root: The folder of the source files.
        maps: Rules of the form ``PAGES=SOURCES``. By ``de/**.html=**.de.html``, the source of ``de/a.html``
            is ``a.de.html``.
    """

    default_language = ""

    def __init__(self, root: Path, maps: Iterable[str] = ()) -> None:
        self.root = os.path.abspath(root)
        self._maps = tuple(map(SourceMap.of, maps))

    def places(self, file: str) -> Iterator[tuple[str, str]]:
        """Yield the folder and name, without ending, of each file that may be the source of an HTML file.

        For example, ``("guide", "index")`` stands for ``guide/index.md`` or ``guide/index.rst``.
        """
        for source_map in self._maps:
            if path := source_map.source_of(file):
                yield from _places(path)

    def listed_sources(self, file: str) -> list[Path]:  # noqa: ARG002
        """Return the source files of all posts that a page lists, such as the start page of a blog."""
        return []

    def is_untranslated(self, file: str, source: str) -> bool:  # noqa: ARG002
        """Check whether a page is shown in the default language, because its translation is missing."""
        return False

    def translation(self, file: str, source: str) -> Translation | None:  # noqa: ARG002
        """Return a page's language and the path that all its translations share, such as ``de`` and ``a.md``.

        If the language is unknown, return None.
        """
        return None


class SourceFolders:
    """Finds the source file of each page, such as ``guide.md`` for ``guide/index.html``."""

    def __init__(
        self, folders: Sequence[Path], maps: Sequence[SourceMap] = (), layout: SourceLayout | None = None
    ) -> None:
        self.folders = tuple(map(os.path.abspath, folders))
        self.maps = tuple(maps)
        expressions = [
            Expression(rf"{source_map.pages.pattern}\Z", source_map.literals) for source_map in maps
        ]
        self._patterns = Patterns(expressions)
        self.layout = layout or SourceLayout(Path())
        remembered_folders = _LISTINGS * max(1, len(self.folders))
        self._names = lru_cache(maxsize=remembered_folders)(_read_names)

    def find(self, file: str) -> str | None:
        """Return the source file of a page, such as ``guide.md`` for ``guide/index.html``, or None."""
        for folder in self.folders:
            for _, name in self.named_by_maps(file):
                if os.path.isfile(f"{folder}/{name}"):
                    return f"{folder}/{name}"
        places = [(folder, *place) for folder in self.folders for place in _places(file)]
        places += [(self.layout.root, *place) for place in self.layout.places(file)]
        for find in (self._find_exactly, self._find_similar):
            for folder, parent, stem in places:
                if source := find(folder, parent, stem):
                    return source
        return None

    def named_by_maps(self, file: str) -> Iterator[tuple[SourceMap, str]]:
        """Yield the user's rules ``PAGES=SOURCES`` that match a page, each with its source file."""
        if not self.maps:
            return
        paths = (file, *sorted(spellings(file) - {file}))
        for number in self._patterns.all(paths):
            source_map = self.maps[number]
            for path in paths:
                if source := source_map.source_of(path):
                    yield source_map, source

    def find_copied(self, file: str) -> Path | None:
        """Return the source of a file that a build copies: ``docs/img/logo.png`` for ``img/logo.png``.

        If there is no such source file, return None.
        """
        for folder in self.folders:
            if os.path.isfile(f"{folder}/{file}"):
                return Path(folder, file)
        return None

    def _find_exactly(self, folder: str, parent: str, stem: str) -> str | None:
        if parent:
            folder += f"/{parent}"
        source = self._names(folder).sources.get(stem)
        return f"{folder}/{source}" if source else None

    def _find_similar(self, folder: str, parent: str, stem: str) -> str | None:
        # Hugo writes addresses in lower case, and macOS decomposes file names.
        for part in filter(None, parent.split("/")):
            name = self._names(folder).folded_subfolders.get(folded_name(part))
            if not name:
                return None
            folder += f"/{name}"
        source = self._names(folder).folded_sources.get(folded_name(stem))
        return f"{folder}/{source}" if source else None


class _Names(NamedTuple):
    """The names of the source files and subfolders in a folder."""

    #: File names by stem, such as ``Guide.md`` for ``Guide``.
    sources: Mapping[str, str]
    #: File names by stem in lower case.
    folded_sources: Mapping[str, str]
    #: Subfolders by name in lower case.
    folded_subfolders: Mapping[str, str]


def _read_names(folder: str) -> _Names:
    """List the source files and subfolders in a folder."""
    sources: dict[str, str] = {}
    subfolders = {}
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in sorted(entries, key=attrgetter("name")):
            if entry.is_dir():
                subfolders[entry.name] = entry.name
            stem, ending = splitext(entry.name)
            if ending in _RANKS:
                other = sources.get(stem)
                if other is None or _RANKS[ending] < _RANKS[splitext(other)[1]]:
                    sources[stem] = entry.name
    return _Names(sources, _by_folded_key(sources), _by_folded_key(subfolders))


def _by_folded_key(names: Mapping[str, str]) -> dict[str, str]:
    """Return a copy of a mapping with keys in lower case.

    If several keys become equal, the value is ``""``.
    """
    by_folded: dict[str, str] = {}
    for name, value in names.items():
        key = folded_name(name)
        by_folded[key] = "" if key in by_folded else value
    return by_folded


def _places(file: str) -> Iterator[tuple[str, str]]:
    """Yield the folder and name, without ending, of each file that may be the source of an HTML file.

    For ``a/index.html``, yield ``("a", "index")`` for ``a/index.md``, and ``("", "a")`` for ``a.md``.
    """
    parent, _, name = splitext(file)[0].rpartition("/")
    if name != "index":
        yield parent, name
        return
    for stem in INDEXES:
        yield parent, stem
    if parent:  # Many generators write a/index.html for a.md.
        above, _, name = parent.rpartition("/")
        yield above, name
