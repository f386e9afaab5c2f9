"""Read the files that exist in the output folder: who wrote them, and what a replaced sitemap lists.

A mark in a file shows that sitemap-docs wrote it. A build does not depend on the results of earlier builds.
However, it needs the entries of another program's sitemap, even after our sitemap has replaced that file.
Therefore, our sitemap has a comment with the addresses and translations in which the two sitemaps differ.
"""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.config.dates import read_date
from sitemap_docs.files import HTML_SUFFIXES, find_inside, is_below, names_below, translated_errors
from sitemap_docs.html.head import is_html_inside
from sitemap_docs.model import Alternate, Entry, ExistingFileError, SitemapError
from sitemap_docs.output.transaction import Output
from sitemap_docs.rules import reported_text
from sitemap_docs.sitemap import NAMES, is_compressed
from sitemap_docs.sitemap.copied_files import find_copied
from sitemap_docs.text import many, one_line
from sitemap_docs.urls.base import Base, host_of, is_local, resolve
from sitemap_docs.urls.languages import X_DEFAULT, hreflang
from sitemap_docs.webroot import HOME_PAGES, Webroot

if TYPE_CHECKING:
    from sitemap_docs.sitemap.rows import SitemapRow

_TAIL = 1_024
_STYLES = b"/* sitemap-docs */"
_MARK = b"<!-- sitemap-docs"
_ROOTS = (b"</urlset>", b"</sitemapindex>")
_MARKED = re.compile(rb"( join)?(?:: a part of ([^>]+))? -->")
_BEGIN, _END = "<!-- replaced: ", " -->"

Listed = Mapping[str, tuple[Alternate, ...]]
"""The addresses that a sitemap lists, in order, each with its translations."""


class Mark(NamedTuple):
    """The comment by which sitemap-docs recognizes a file that it has written."""

    #: The sitemap of which the file is a part.
    whole: str = ""
    #: Whether the command ``join`` wrote the file.
    joined: bool = False
    #: Whether the file also stores a replaced sitemap.
    keeps: bool = False


def is_ours(file: Path) -> bool:
    """Check whether sitemap-docs wrote a file. A symbolic link never counts."""
    return read_mark(file) is not None


def read_mark(file: Path) -> Mark | None:
    """Return the comment that marks a file as written by sitemap-docs, or None for any other file.

    Raises:
        SitemapError: The file cannot be read.
    """
    if file.is_symlink() or not file.is_file():
        return None
    with translated_errors(file, "read"), file.open("rb") as stream:
        head = stream.read(len(_STYLES))
        if head == _STYLES:
            return Mark(f"{file.stem}.xml")
        if is_compressed(head):
            from sitemap_docs.sitemap.reader import read_chunks  # noqa: PLC0415  a first build reads none
            from sitemap_docs.sitemap.rows import Unreadable  # noqa: PLC0415

            tail = b""
            try:
                for chunk in read_chunks(file):
                    tail = (tail + chunk)[-_TAIL:]
            except Unreadable:
                return None
        else:
            stream.seek(max(0, stream.seek(0, os.SEEK_END) - _TAIL))
            tail = stream.read()
    before, _, text = tail.rstrip().rpartition(_MARK)
    before = before.rstrip()
    found = _MARKED.fullmatch(text)
    if found is None or not before.endswith((*_ROOTS, b"-->")):
        return None
    whole = (found[2] or b"").decode("utf-8", "replace").replace("-%2D", "--")
    return Mark(whole, bool(found[1]), not before.endswith(_ROOTS))


def our_files(folder: Path) -> dict[str, Mark]:
    """Return the files in a folder that sitemap-docs wrote, each with the comment that marks it.

    Raises:
        SitemapError: A file cannot be read.
    """
    ours = {}
    for file in sorted([*folder.glob("*.xml*"), *folder.glob("*.css")]):
        if file.name.endswith((".xml", ".xml.gz", ".css")) and (mark := read_mark(file)):
            ours[file.name] = mark._replace(whole=mark.whole or file.name.removesuffix(".gz"))
    return ours


def folders_above(output: Path, base: Base) -> Iterator[tuple[Path, str]]:
    """Yield the folders above the output folder, up to the root of the host, with their relative paths.

    >>> [prefix for _, prefix in folders_above(Path("site"), Base.of("https://example.org/en/latest/"))]
    ['../', '../../']
    """
    folder, prefix = Path(os.path.abspath(output)), ""  # noqa: PTH100  not through symbolic links
    path = base.url.removeprefix(base.origin)
    for _ in filter(None, path.split("/")):
        folder, prefix = folder.parent, f"{prefix}../"
        yield folder, prefix


def sitemaps_of_site(folder: Path, base: Base) -> list[str]:
    """Return the sitemaps in a folder that sitemap-docs wrote and that list only pages below ``base``."""
    indexed: set[str] = set()
    our_sitemaps: dict[str, Mark] = {}
    with suppress(SitemapError):
        indexed = {*indexed_files(folder)}
        our_sitemaps = our_files(folder)
    names: list[str] = []
    for name, mark in our_sitemaps.items():
        is_whole = name.removesuffix(".gz") == mark.whole
        if not is_whole or mark.joined or name in indexed:
            continue
        with suppress(SitemapError):
            inside = [base.contains(row.loc) for row in listed_rows(folder / name)]
            if inside and all(inside):
                names.append(name)
    return names


def remove_left(
    output: Output,
    written: Container[str],
    filename: str,
    is_source: Callable[[str], bool],
    is_needed: Callable[[str, Mark], bool],
) -> None:
    """Remove files of earlier builds that this build has not written again.

    Args:
        output: The folder.
        written: The names of the new files.
        filename: The name of the new sitemap. All other files of this sitemap are old.
        is_source: Checks whether a file was copied from the sources. Such a file stays.
        is_needed: Checks whether a file of another sitemap stays. Its arguments are the name of the file, and
            the comment that sitemap-docs wrote into it. The stylesheet of a sitemap that stays is not
            removed.
    """
    left = {name: mark for name, mark in our_files(output.folder).items() if name not in written}
    kept = {}
    for name, mark in left.items():
        if is_source(name) or (mark.whole != filename and is_needed(name, mark)):
            kept[name] = mark.whole
    for name, mark in left.items():
        has_sitemap = name.endswith(".css") and mark.whole in kept.values()
        if name not in kept and not has_sitemap:
            output.remove(name)


def is_copied(folder: Path, name: str, source_of: Callable[[str], Path | None] | None) -> bool:
    """Check whether a file in an output folder is a copy of a source file of the project.

    ``source_of`` returns the source of a copied file, or None.
    """
    source = source_of(name) if source_of and is_below(name) else None
    return source is not None and source.resolve() != (folder / name).resolve()


def indexed_files(folder: Path) -> Iterator[str]:
    """Yield the sitemaps that the sitemap indexes in a folder list, as file names or URLs.

    A sitemap in the folder is yielded as a file name, any other sitemap as a URL. Indexes that a build of
    sitemap-docs has written are skipped, but not those of ``sitemap-docs join``.
    """
    from sitemap_docs.sitemap.reader import parse  # noqa: PLC0415  few builds have one

    for file in sorted(folder.glob("*.xml*")):
        with suppress(OSError, SitemapError):
            mark = read_mark(file)
            if mark and not mark.joined:
                continue
            parsed = parse(file)
            if not parsed.is_index:
                continue
            for row in parsed.rows():
                yield find_copied(folder, row.loc) or row.loc


def is_page(webroot: Webroot, loc: str) -> bool:
    """Check whether there is an HTML file for an address in a built site."""
    return (webroot.file_of(loc) or "").lower().endswith(HTML_SUFFIXES)


def find_unread_file(webroot: Webroot, locs: Iterable[str], *, pages_only: bool = False) -> str | None:
    """Return a file such as ``a.php`` that a sitemap lists, if no listed page is an HTML file.

    The caller then knows that it cannot read the pages. ``locs`` are the URLs in the sitemap. If one of the
    URLs has an HTML file, or if none has a built file, return None.
    """
    gone = []
    unread = None
    for loc in locs:
        if is_page(webroot, loc):
            return None
        file = webroot.file_of(loc)
        if file is None:
            gone.append(loc)
        elif unread is None and (not pages_only or is_html_inside(webroot.folder, file)):
            unread = file
    return unread or _find_other_home(webroot, gone)


def _find_other_home(webroot: Webroot, locs: Iterable[str]) -> str | None:
    """Return the first index file at one of the addresses, such as ``guide/index.php``, otherwise None.

    ``locs`` are addresses such as ``https://example.org/guide/`` at which no HTML file was found.
    """
    paths = set(map(webroot.path_of, locs))
    if not paths:
        return None
    for file in names_below(webroot.folder):
        folder, _, name = file.rpartition("/")
        is_home = name.startswith("index.") and (f"{folder}/" if folder else "") in paths
        # A feed such as index.xml of Hugo is not the page of its folder.
        if is_home and is_html_inside(webroot.folder, file):
            return file
    return None


def may_be_missing(webroot: Webroot, loc: str) -> bool:
    """Check whether the new sitemap may leave out an address of the old sitemap.

    A page that still exists may be missing, because the build left it out for a reason. A local address, such
    as ``http://localhost/a/``, may always be missing.
    """
    # An address that has a page is not lost, because the build left the page out for a reason.
    return is_page(webroot, loc) or is_local(loc)


def existing_error(file: Path, why: str) -> ExistingFileError:
    """Create the error for a file of the user that the build would have to overwrite.

    ``why`` is a sentence for the message, with a space at the end, or ``""``.
    """
    return ExistingFileError(
        f"{file} exists and was not written by sitemap-docs. {why}Remove it. If the build copies it from "
        "the sources, remove the original, too. Or set the option `filename` to another name, or the option "
        "`replace` to overwrite the file."
    )


@reported_text()
def own_sitemap(message: str) -> None:
    """The project has its own sitemap, and sitemap-docs would write a file with the same name.

    With Sphinx, your file is kept, and no other sitemap is written. With MkDocs, your file is overwritten.
    Remove your file, set the option `filename` to another name, or set `replace` to overwrite your file.
    Wrong: `docs/sitemap.xml`, copied into the site by each build
    Right: `filename: pages.xml`
    Source: sitemap-docs: the page Options
    """


@dataclass(frozen=True, slots=True)
class Replaced:
    """The content of another program's sitemap, which our sitemap replaces."""

    #: The name of the sitemap, or ``""``.
    file: str = ""
    #: The listed addresses, with their translations.
    listed: Listed = field(default_factory=dict)
    #: The path, or None after the replacement.
    place: Path | None = None
    rows: Sequence[SitemapRow] = ()
    #: The error that stopped the reading.
    damage: Exception | None = None

    def built(self, output: Path) -> Webroot | None:
        """Return the built site in the folder ``output``, with a base URL guessed from its old sitemap.

        If the addresses in the old sitemap do not lead to files in ``output``, return None.
        """
        webroot = Webroot.guess(output, self.listed)
        if webroot is None:
            return None
        names = set(map(webroot.file_of, self.listed)) - {None}
        # At some base URL, the address of a removed page is that of the home page.
        is_sure = names.difference(HOME_PAGES) or not _has_other_pages(output)
        return webroot if is_sure else None

    def files(self, webroot: Webroot) -> Iterator[tuple[str, str]]:
        """Yield the file and the path of each listed page, such as ``a/index.html`` and ``a/``."""
        for loc in self.listed:
            file, path = webroot.file_of(loc), webroot.path_of(loc)
            if file and path is not None:
                yield file, path

    def alternates(self, webroot: Webroot) -> dict[str, tuple[Alternate, ...]]:
        """Return the hreflang links of the pages in the sitemap, by file, such as ``a/index.html``."""
        found = {}
        for loc, alternates in self.listed.items():
            if alternates and (file := webroot.file_of(loc)):
                found[file] = alternates
        return found


def _has_other_pages(output: Path) -> bool:
    """Check whether a folder has pages besides the home page."""
    pages = (name for name in names_below(output) if name.endswith(HTML_SUFFIXES))
    return any(name not in HOME_PAGES for name in pages)


def read_replaced(output: Path, filename: str) -> Replaced:
    """Read another program's sitemap, or, if our sitemap has replaced it, the copy of it in our sitemap.

    sitemap-docs saves the copy in a comment. If there is neither a sitemap of another program nor a copy, an
    empty ``Replaced`` is returned.

    Raises:
        SitemapError: A file cannot be opened.
    """
    place = output / filename
    own = [place, place.with_name(f"{place.name}.gz")]
    kept = Replaced()
    for file in (*own, *(output / name for name in our_files(output))):
        mark = read_mark(file)
        if mark and mark.keeps:
            kept = _read_comment(file)
            break
    names = [*NAMES]
    if kept.file:  # what the program wrote later has this name, packed or not
        stem = kept.file.removesuffix(".gz")
        names = [name for name in NAMES if name.removesuffix(".gz") == stem]
    for file in dict.fromkeys((*own, *(output / name for name in names))):
        if find_inside(file.parent, file.name) and not read_mark(file):
            return read_listed(file)
    return kept


def read_listed(file: Path, *, ours: bool = False) -> Replaced:
    """Read a sitemap, or all sitemaps in an index, up to the first error.

    If ``ours`` is true, the addresses are those in sitemaps that sitemap-docs wrote. If it is false, they are
    those in sitemaps of other programs.
    """
    is_marked = cache(lambda sitemap: read_mark(Path(sitemap)) is not None)
    rows, listed, damage = [], {}, None
    try:
        for row in listed_rows(file):
            rows.append(row)
            entry = row.entry()
            if entry and is_marked(row.sitemap) == ours:  # an index of another program may list ours
                listed[entry.loc] = tuple(sorted(entry.alternates))  # ours are sorted, too
    except (OSError, SitemapError) as error:
        damage = error
    return Replaced(file.name, dict(sorted(listed.items())), place=file, rows=rows, damage=damage)


def is_of_other_site(output: Path, filename: str, base: Base) -> bool:
    """Check whether another program's sitemap lists only pages of another site.

    Raises:
        SitemapError: The sitemap cannot be read.
    """
    if not find_inside(output, filename) or read_mark(output / filename):
        return False
    existing = read_listed(output / filename)
    for loc in existing.listed:
        if host_of(loc) == host_of(base.url) or is_local(loc):
            return False
    # If the files fit the addresses, this site has only moved to a new host.
    return bool(existing.listed) and existing.built(output) is None


def _read_comment(file: Path) -> Replaced:
    """Return another program's sitemap that our sitemap ``file`` has replaced, or an empty ``Replaced``.

    The build has saved the differences between the two sitemaps as a comment in ``file``.
    """
    from sitemap_docs.sitemap.reader import read_chunks  # noqa: PLC0415  a first build reads none
    from sitemap_docs.sitemap.rows import Unreadable  # noqa: PLC0415

    try:
        text = b"".join(read_chunks(file)).rpartition(_BEGIN.encode())[2]
        kept = json.loads(text.partition(_END.encode())[0])
        ours = set(kept["ours"])
        listed = {loc: links for loc, links in read_listed(file, ours=True).listed.items() if loc not in ours}
        for loc, links in kept["theirs"].items():
            listed[loc] = tuple(Alternate(str(code), str(href)) for code, href in links)
        return Replaced(str(kept["file"]), dict(sorted(listed.items())))
    except (OSError, Unreadable, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return Replaced()


class Coverage:
    """Checks that a new sitemap contains everything that the existing sitemaps contain.

    The function ``may_be_absent`` decides whether the new sitemap may leave out an address. If it is None, an
    address may be missing if its page exists. ``dates`` are the dates of pages in the existing sitemaps.
    """

    def __init__(
        self, webroot: Webroot, replaced: Replaced, may_be_absent: Callable[[str], bool] | None
    ) -> None:
        self._webroot = webroot
        self._replaced = replaced
        self._theirs = dict(replaced.listed)
        self._ours: list[str] = []
        self._may_be_absent = may_be_absent
        self._file: Path | None = None
        self._rows: dict[str, SitemapRow] = {}  # those whose address no new entry has so far
        self._total = 0
        self.dates: list[datetime] = []
        self._alternates: list[tuple[str, str]] = []
        self._has_links = False
        self._listed: set[str] = set()  # New entries, if an existing sitemap has hreflang links.
        self._lost: dict[str, list[str]] = defaultdict(list)  # what is lost, and from which pages

    def add(self, file: Path) -> None:
        """Read an existing sitemap or index. The new sitemap must contain all its entries.

        Raises:
            SitemapError: The sitemap is damaged.
        """
        existing = self._replaced
        if existing.place != file:
            existing = read_listed(file)
        if existing.damage:
            raise existing_error(file, f"The file cannot be compared with the new one: {existing.damage} ")
        for row in existing.rows:
            if row.loc:
                self._rows[self._key(self._absolute(row.loc))] = row
            self._has_links = self._has_links or bool(row.alternates)
        self._total = len(self._rows)
        self._file = self._file or file

    def compare(self, entry: Entry) -> None:
        """Compare an entry of the new sitemap with the old one, and note lost data such as images."""
        theirs = self._theirs.get(entry.loc)
        if theirs is not None and set(theirs) == set(entry.alternates):
            del self._theirs[entry.loc]
        else:
            self._ours.append(entry.loc)
        if not self._rows and not self._has_links:
            return
        own = self._key(entry.loc)
        if self._has_links:
            self._listed.add(own)
        row = self._rows.pop(own, None)
        if row is None:
            return
        if date := read_date(row.lastmod):
            self.dates.append(date.first)
        self._compare_links(row, entry, own)
        if not set(row.images) <= set(entry.images):
            self._lost["images"].append(row.loc)
        for element in row.not_in_entry:
            self._lost[f"{element} elements"].append(row.loc)

    def _compare_links(self, row: SitemapRow, entry: Entry, own: str) -> None:
        """Collect the hreflang links of a page that are in its old sitemap entry, but not in its new one.

        ``row`` is the old entry, and ``entry`` the new one. Links to the page itself do not count: ``own`` is
        the file of the page, or its URL if there is no file.
        """
        lost: dict[str, str] = {}
        codes = {alternate.hreflang for alternate in entry.alternates}
        for written_code, href in row.alternates:
            code = hreflang(written_code) or written_code
            if code not in codes and self._key(href) != own:
                lost[code] = href
        if len(lost) > 1 and not entry.alternates:  # Without a translation, there is no default language.
            lost.pop(X_DEFAULT, None)
        self._alternates += [(row.loc, href) for href in lost.values()]

    def _is_left_out(self, loc: str) -> bool:
        """Check whether a page exists but is not in the new sitemap."""
        key = self._key(loc)
        return key not in self._listed and is_page(self._webroot, loc)

    def comment(self, own: Path) -> str:
        """Return an XML comment with the addresses that only the replaced sitemap or only the new one lists.

        Later builds read the comment, because the new sitemap overwrites the replaced one. ``own`` is the
        path of the new sitemap. If the replaced sitemap still exists, return ``""``.
        """
        place = self._replaced.place
        stays = place is not None and os.path.normpath(place).removesuffix(".gz") != str(own)
        # If the other sitemap stays in the folder, no comment is needed.
        if stays or not self._replaced.listed:
            return ""
        kept = {"file": self._replaced.file, "ours": self._ours, "theirs": self._theirs}
        # "--" may not stand in a comment (XML 1.0, 2.5).
        text = json.dumps(kept).replace("--", "-\\u002d")
        return f"{_BEGIN}{text}{_END}\n"

    def require_nothing_lost(self) -> None:
        """Raise an error if the new sitemap would lose addresses, images or translations.

        Raises:
            SitemapError: The message has numbers and examples.
        """
        if self._file is None:
            return
        gone = []
        for row in self._rows.values():
            loc = self._absolute(row.loc)
            if self._may_be_absent:
                is_accounted = self._may_be_absent(loc)
            else:
                is_accounted = may_be_missing(self._webroot, loc)
            if not is_accounted:
                gone.append(loc)
        losses = []
        if gone:
            losses.append(f"addresses ({len(gone):,} of {self._total:,}), such as {one_line(gone[0])[:200]}")
        # A link to a page that is gone is no loss of its own. No build links to a page that it leaves out.
        linked = []
        for loc, href in self._alternates:
            if self._key(href) not in self._rows and not self._is_left_out(href):
                linked.append(loc)
        for what, locs in ({"hreflang links": linked} | self._lost).items():
            if locs:
                count = many(len(set(locs)), "page")
                losses.append(f"the {what} of {count}, such as {one_line(locs[0])[:200]}")
        if losses:
            raise existing_error(self._file, f"Replacing it would lose {'; '.join(losses)}. ")

    def _absolute(self, loc: str) -> str:
        return resolve(self._webroot.base.url, loc)

    def _key(self, loc: str) -> str:
        file = self._webroot.file_of(loc) or self._webroot.file_of(f"{loc}/")  # the base without its slash
        return file or loc


def listed_rows(file: Path) -> Iterator[SitemapRow]:
    """Yield the entries of a sitemap, or of all sitemaps in an index.

    Raises:
        SitemapError: A file is not a sitemap, or the file is a feed.
    """
    from sitemap_docs.sitemap.reader import Walk, parse  # noqa: PLC0415  a first build reads none

    walk = Walk([str(file)])
    for place in walk:
        index = Path(place)
        # A feed in an index is a part of the list of pages. Alone, it has other content that would be lost.
        parsed = parse(index, feeds=index != file)
        for row in parsed.rows():
            child = find_copied(index.parent, row.loc) if parsed.is_index else None
            # If the name is that of the index, the address is that of a sitemap in another folder.
            if child is None or child == index.name:
                yield row
            else:
                walk.add([str(index.parent / child)])
