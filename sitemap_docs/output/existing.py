"""The files that exist where ours are written: whose they are, and what a sitemap of another program says.

A file is ours by its mark. What a build writes is decided by the built site, the options, git, and what
another program's sitemap said when ours took its place; never by what we wrote or recorded before. Ours has
therefore a comment, in which the addresses stand that only one of the two lists, or with other translations.
"""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.config.dates import read_date
from sitemap_docs.files import HTML_SUFFIXES, find_inside, names_below, translated_errors
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
    """What the mark of a file of ours says, a sitemap or a style sheet.

    ``whole`` is the sitemap that the file is a part of, ``""`` where it is that itself. ``joined`` is whether
    a join wrote it. ``keeps`` is whether a comment has what the sitemap of another program said.
    """

    whole: str = ""
    joined: bool = False
    keeps: bool = False


def is_ours(file: Path) -> bool:
    """Whether we wrote ``file``, a sitemap or a style sheet; a link is not ours.

    Raises SitemapError for a file that cannot be read; it is asked before anything is written.
    """
    return read_mark(file) is not None


def read_mark(file: Path) -> Mark | None:
    """The mark of a file of ours, a sitemap or a style sheet; None for any other, and for a link.

    Raises SitemapError for a file that cannot be read.
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
    """Our sitemaps and style sheets in a folder, by their names, in order; ``whole`` is that of each.

    Raises SitemapError.
    """
    ours = {}
    for file in sorted([*folder.glob("*.xml*"), *folder.glob("*.css")]):
        if file.name.endswith((".xml", ".xml.gz", ".css")) and (mark := read_mark(file)):
            ours[file.name] = mark._replace(whole=mark.whole or file.name.removesuffix(".gz"))
    return ours


def folders_above(output: Path, base: Base) -> Iterator[tuple[Path, str]]:
    """Yield each folder above an output folder in which a sitemap may list its pages, the nearest first.

    The second value is the path from the output folder, such as ``../../``.
    """
    folder, prefix = Path(os.path.abspath(output)), ""  # noqa: PTH100  not through symbolic links
    path = base.url.removeprefix(base.origin)
    for _ in filter(None, path.split("/")):
        folder, prefix = folder.parent, f"{prefix}../"
        yield folder, prefix


def sitemaps_of_site(folder: Path, base: Base) -> list[str]:
    """Return the names of our sitemaps in a folder that list pages of one site only.

    Joined sitemaps and the parts of an index are left out, as are files that cannot be read.
    """
    names: list[str] = []
    with suppress(SitemapError):
        indexed = {*indexed_files(folder)}
        for name, mark in our_files(folder).items():
            is_whole = name.removesuffix(".gz") == mark.whole
            if not is_whole or mark.joined or name in indexed:
                continue
            inside = [base.contains(row.loc) for row in listed_rows(folder / name)]
            if inside and all(inside):
                names.append(name)
    return names


def remove_left(output: Output, written: Container[str], is_kept: Callable[[str, Mark], bool]) -> None:
    """Removes our files of earlier builds from a folder: those that are not ``written`` now, nor kept.

    ``is_kept`` is asked with the name and the mark. A style sheet stays with its sitemap.
    """
    left = {name: mark for name, mark in our_files(output.folder).items() if name not in written}
    kept = {name: mark.whole for name, mark in left.items() if is_kept(name, mark)}
    for name, mark in left.items():
        has_sitemap = name.endswith(".css") and mark.whole in kept.values()
        if name not in kept and not has_sitemap:
            output.remove(name)


def indexed_files(folder: Path) -> Iterator[str]:
    """The files of a folder that an index in it lists which another program or a join wrote."""
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
    """Whether an HTML file of the folder answers for an address: it is listed, or left out for a reason."""
    return (webroot.file_of(loc) or "").lower().endswith(HTML_SUFFIXES)


def existing_error(file: Path, why: str) -> ExistingFileError:
    """The error for a file that is in the way."""
    return ExistingFileError(
        f"{file} exists and was not written by sitemap-docs. {why}Remove it and what the build "
        "copies it from, choose another name with the option `filename`, or overwrite it with the option "
        "`replace`."
    )


@reported_text()
def own_sitemap(message: str) -> None:
    """The project has a sitemap of its own with the name of the one that is written.

    With Sphinx yours is kept and none is written; MkDocs and the plugin write over a file of that name.
    Remove it, or take its name from ours by the option `filename`; the option `replace` gives it up.
    Wrong: `docs/sitemap.xml`, copied into the site by each build
    Right: `filename: pages.xml`
    Source: sitemap-docs: the page Options
    """


@dataclass(frozen=True, slots=True)
class Replaced:
    """The sitemap of another program in whose place ours is: its file, and what it lists, or did.

    ``place`` is where it lies, if it does, and ``rows`` are all that it has; ``damage`` is why no more of
    them can be read.
    """

    file: str = ""
    listed: Listed = field(default_factory=dict)
    place: Path | None = None
    rows: Sequence[SitemapRow] = ()
    damage: Exception | None = None

    def built(self, output: Path) -> Webroot | None:
        """Return the folder with the base URL at which the sitemap lists its files, or None.

        If only the home page fits, the site must not have another page: the entry may as well be that of a
        page that is gone.
        """
        webroot = Webroot.guess(output, self.listed)
        if webroot is None:
            return None
        names = set(map(webroot.file_of, self.listed)) - {None}
        is_sure = names.difference(HOME_PAGES) or not _other_pages(output)
        return webroot if is_sure else None

    def files(self, webroot: Webroot) -> Iterator[tuple[str, str]]:
        """The files of a folder that it lists, each with the path at which it does."""
        for loc in self.listed:
            file, path = webroot.file_of(loc), webroot.path_of(loc)
            if file and path is not None:
                yield file, path

    def alternates(self, webroot: Webroot) -> dict[str, tuple[Alternate, ...]]:
        """The translations that it has for files of a folder."""
        found = {}
        for loc, alternates in self.listed.items():
            if alternates and (file := webroot.file_of(loc)):
                found[file] = alternates
        return found


def _other_pages(output: Path) -> bool:
    """Check whether a folder has an HTML file that is not its home page."""
    pages = (name for name in names_below(output) if name.endswith(HTML_SUFFIXES))
    return any(name not in HOME_PAGES for name in pages)


def read_replaced(output: Path, filename: str) -> Replaced:
    """Returns what another program's sitemap says of the site in a folder, or said when ours took its place.

    It is looked for where ours will stand, then under the names that engines try. Of one that is damaged, it
    is as much as can be read. Raises SitemapError where a file cannot be read at all.
    """
    place = output / filename
    own = [place, place.with_name(f"{place.name}.gz")]
    kept = Replaced()
    for file in (*own, *(output / name for name in our_files(output))):
        mark = read_mark(file)
        if mark and mark.keeps:
            kept = _kept(file)
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
    """Returns what a sitemap says, as far as it can be read.

    Of an index, these are its sitemaps of others or ``ours``.
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
    """Check whether a sitemap in an output folder lists only pages of another site on other hosts.

    If its pages are in the folder, it is the sitemap of this site from before a move.

    Args:
        output: The output folder.
        filename: The name of the sitemap.
        base: The base URL of the site.

    Raises:
        SitemapError: The sitemap cannot be read.
    """
    if not find_inside(output, filename) or read_mark(output / filename):
        return False
    existing = read_listed(output / filename)
    for loc in existing.listed:
        if host_of(loc) == host_of(base.url) or is_local(loc):
            return False
    return bool(existing.listed) and existing.built(output) is None


def _kept(file: Path) -> Replaced:
    """Returns what the comment in a sitemap of ours has kept; nothing where somebody damaged it."""
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
    """The existing sitemaps of a folder, compared with entries as these are written.

    Addresses are one where one file answers for them. ``accounts_for`` says of an address that is not
    written whether there is a reason for it that the build states. ``dates`` are those of the pages that are
    listed again. ``replaced`` is the sitemap of another program in whose place ours is.
    """

    def __init__(
        self, webroot: Webroot, replaced: Replaced, accounts_for: Callable[[str], bool] | None
    ) -> None:
        self._webroot = webroot
        self._replaced = replaced
        self._theirs = dict(replaced.listed)
        self._ours: list[str] = []
        self._accounts_for = accounts_for
        self._file: Path | None = None
        self._rows: dict[str, SitemapRow] = {}  # those whose address no new entry has so far
        self._total = 0
        self.dates: list[datetime] = []
        self._alternates: list[tuple[str, str]] = []
        self._has_links = False
        self._listed: set[str] = set()  # New entries, if an existing sitemap has hreflang links.
        self._lost: dict[str, list[str]] = defaultdict(list)  # what is lost, and from which pages

    def add(self, file: Path) -> None:
        """Takes an existing sitemap or index; raises SitemapError for one that cannot be compared."""
        existing = self._replaced
        if existing.place != file:
            existing = read_listed(file)
        if existing.damage:
            raise existing_error(file, f"It cannot be compared with the new one: {existing.damage} ")
        for row in existing.rows:
            if row.loc:
                self._rows[self._key(self._absolute(row.loc))] = row
            self._has_links = self._has_links or bool(row.alternates)
        self._total = len(self._rows)
        self._file = self._file or file

    def compare(self, entry: Entry) -> None:
        """Note what an existing sitemap has for the address of a new entry and the entry has not."""
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
        """Note the hreflang links of an existing sitemap that a new entry does not have."""
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
        """Check whether an address is of a page of this site that the new sitemap does not list."""
        key = self._key(loc)
        return key not in self._listed and is_page(self._webroot, loc)

    def comment(self, own: Path) -> str:
        """The comment in our sitemap by which later builds know what the replaced one said.

        None where nothing was replaced: a sitemap that has another name than ``own`` stays where it is.
        """
        place = self._replaced.place
        stays = place is not None and os.path.normpath(place).removesuffix(".gz") != str(own)
        if stays or not self._replaced.listed:
            return ""
        kept = {"file": self._replaced.file, "ours": self._ours, "theirs": self._theirs}
        # "--" may not stand in a comment (XML 1.0, 2.5).
        text = json.dumps(kept).replace("--", "-\\u002d")
        return f"{_BEGIN}{text}{_END}\n"

    def require(self) -> None:
        """Raises SitemapError, with counts and examples, where something would be lost."""
        if self._file is None:
            return
        gone = []
        for row in self._rows.values():
            loc = self._absolute(row.loc)
            if self._accounts_for:
                is_accounted = self._accounts_for(loc)
            else:
                is_accounted = is_page(self._webroot, loc) or is_local(loc)
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
    """Yield the rows of a sitemap, or of the sitemaps that an index lists.

    The sitemaps of an index are looked for in its folder, by the end of their addresses. If a sitemap is not
    there, the row of the index is yielded instead. If the end of the address leads to the index itself, the
    address belongs to another folder.

    Raises:
        SitemapError: The file or a listed one is not a sitemap, or the file itself is a feed.
    """
    from sitemap_docs.sitemap.reader import Walk, parse  # noqa: PLC0415  a first build reads none

    walk = Walk([str(file)])
    for place in walk:
        index = Path(place)
        # A feed in an index is a part of the list of pages. Alone, it has other content that would be lost.
        parsed = parse(index, feeds=index != file)
        for row in parsed.rows():
            child = find_copied(index.parent, row.loc) if parsed.is_index else None
            if child is None or child == index.name:
                yield row
            else:
                walk.add([str(index.parent / child)])
