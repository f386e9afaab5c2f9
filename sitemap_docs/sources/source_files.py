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
    """A rule that tells where the sources of some pages are, written by the user.

    Attributes:
        text: The rule as the user wrote it, such as ``fr/**=**.fr.md``.
        pages: Matches the files or addresses of pages, with a group for each wildcard.
        literals: The parts of the left glob between its wildcards, such as ``fr/``.
        source: The right glob, such as ``**.fr.md``. Its wildcards stand for the text of the groups.
    """

    text: str
    pages: re.Pattern[str]
    literals: tuple[str, ...]
    source: str

    @classmethod
    def of(cls, text: str) -> SourceMap:
        """Create a rule from a text such as ``fr/**=**.fr.md``, with a glob for pages and a glob for sources.

        ``*`` and ``?`` match no slash, ``**`` does. The first wildcard in the right glob stands for the text
        that the first wildcard in the left glob has matched, and so on.

        >>> SourceMap.of("fr/**/index.html=**/index.fr.md").source_of("fr/guide/index.html")
        'guide/index.fr.md'

        Raises:
            SitemapError: A glob is missing, or the right glob has more wildcards than the left glob.
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
        """Return the path of a page's source, or ``None`` if the rule does not match the page.

        ``path`` is the relative path or address of the page, not percent-encoded.
        """
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
    """Knows where a generator keeps sources whose paths differ from the paths of their pages.

    Args:
        root: The folder that contains the sources.
        maps: Rules such as ``de/**.html=**.de.html``, with globs for pages and for sources. In the right
            glob, the ending ``.html`` stands for all endings of sources, such as ``.md`` and ``.rst``.

    Attributes:
        default_language: The language of ``x-default``, or ``""`` if the generator has no translations.
    """

    default_language = ""

    def __init__(self, root: Path, maps: Iterable[str] = ()) -> None:
        self.root = os.path.abspath(root)
        self._maps = tuple(map(SourceMap.of, maps))

    def places(self, file: str) -> Iterator[tuple[str, str]]:
        """Yield places where the source of a page may be.

        A place is a folder below ``root`` and a file name without ending. For example, the source of
        ``guide/index.html`` may be at ``("guide", "index")``.
        """
        for source_map in self._maps:
            if path := source_map.source_of(file):
                yield from _places(path)

    def listed_sources(self, file: str) -> list[Path]:  # noqa: ARG002
        """Return the sources of other pages that a page lists, for example the posts of a blog."""
        return []

    def is_untranslated(self, file: str, source: str) -> bool:  # noqa: ARG002
        """Check whether a page shows a text in another language, because its translation is missing."""
        return False

    def translation(self, file: str, source: str) -> Translation | None:  # noqa: ARG002
        """Return the language of a page and the key that all translations of the page share.

        Return ``None`` if the page has no known language.
        """
        return None


class SourceFolders:
    """Finds the source file of each page.

    The source is the first of the following files that exists:

    1. the file to which a rule of the user refers,
    2. a file at the path of the page, for example ``guide.md`` for ``guide/index.html``,
    3. a file where the layout of the generator expects the source,
    4. a file whose path differs only in case or in Unicode normalisation, if there is only one such file.

    Args:
        folders: The folders to search, in this order.
        maps: The rules of the user, such as ``fr/**=**.fr.md``.
        layout: The layout of the generator.
    """

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
        """Return the absolute path of the source of a page, or ``None``.

        ``file`` is the path of the page below the root of the site, for example ``guide/index.html``.
        """
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
        """Yield the rules of the user that match a page, each with the path of the source.

        A rule may match the file of the page or its address. The source file may be missing.
        """
        if not self.maps:
            return
        paths = (file, *sorted(spellings(file) - {file}))
        for number in self._patterns.all(paths):
            source_map = self.maps[number]
            for path in paths:
                if source := source_map.source_of(path):
                    yield source_map, source

    def find_copied(self, file: str) -> Path | None:
        """Return the source file that the generator copies to ``file`` without change, or ``None``.

        For example, the image ``img/logo.png`` of the site is a copy of ``img/logo.png`` in a folder of
        sources.
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
    """The names in a folder, for a search with or without regard to case.

    A stem is a file name without its ending. A folded name is in lower case, and in one Unicode
    normalisation.

    Attributes:
        sources: The file name of each source, by its stem, such as ``Guide.md`` for ``Guide``.
        folded_sources: The file name of each source, by its folded stem, such as ``Guide.md`` for ``guide``.
        folded_subfolders: The name of each subfolder, by its folded name.
    """

    sources: Mapping[str, str]
    folded_sources: Mapping[str, str]
    folded_subfolders: Mapping[str, str]


def _read_names(folder: str) -> _Names:
    """Return the names of the sources and subfolders in a folder. A missing folder has none."""
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
    """Return the values of a mapping by their folded keys: in lower case, and in one Unicode normalisation.

    If two keys have the same folded form, their value is ``""``.
    """
    by_folded: dict[str, str] = {}
    for name, value in names.items():
        key = folded_name(name)
        by_folded[key] = "" if key in by_folded else value
    return by_folded


def _places(file: str) -> Iterator[tuple[str, str]]:
    """Yield places where the source of a page may be: a folder, and a file name without ending.

    For example, the source of ``guide/index.html`` may be at ``("guide", "index")`` or ``("", "guide")``.
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
