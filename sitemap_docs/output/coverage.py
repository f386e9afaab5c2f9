"""Whether the new sitemap says all that an existing one says which it is to replace."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.files import HTML_SUFFIXES
from sitemap_docs.model import SitemapError
from sitemap_docs.sitemap import reader
from sitemap_docs.text import many, one_line
from sitemap_docs.urls.base import is_local, resolve
from sitemap_docs.urls.languages import hreflang
from sitemap_docs.webroot.lookup import Webroot, find_copied

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from sitemap_docs.model import Entry
    from sitemap_docs.sitemap.reader import Row

_DEEPEST = 3  # indexes within an index


class _Listed(NamedTuple):
    """An address of an existing sitemap; ``alternates`` are language → address, without its own."""

    loc: str
    alternates: Mapping[str, str]
    images: frozenset[str]
    videos: int


@dataclass(slots=True)
class Coverage:
    """The existing sitemaps of a folder, compared with entries as these are written.

    Addresses are one where one file answers for them. ``accounts_for`` says of an address that is not
    written whether there is a reason for it that the build states.
    """

    webroot: Webroot
    accounts_for: Callable[[str], bool] | None = None
    _files: list[Path] = field(default_factory=list)
    _pending: dict[str, _Listed] = field(default_factory=dict)
    _alternates: list[tuple[str, str]] = field(default_factory=list)
    _images: list[str] = field(default_factory=list)
    _videos: list[str] = field(default_factory=list)
    _total: int = 0

    def add(self, file: Path) -> None:
        """Read an existing sitemap or index; raises SitemapError for what is none."""
        for row in listed_rows(file):
            listed = self._listed(row)
            self._total += self._key(listed.loc) not in self._pending
            self._pending[self._key(listed.loc)] = listed
        self._files.append(file)

    def compare(self, entry: Entry) -> None:
        """Note what an existing sitemap has for the address of a new entry and the entry has not."""
        listed = self._pending.pop(self._key(entry.loc), None) if self._files else None
        if listed is None:
            return
        codes = {code for code, _ in entry.alternates}
        missing = [href for code, href in listed.alternates.items() if code not in codes]
        self._alternates += [(listed.loc, href) for href in missing]
        self._images += [listed.loc] * bool(listed.images - set(entry.images))
        self._videos += [listed.loc] * bool(listed.videos)

    def require(self) -> None:
        """Raises SitemapError, with counts and examples, where something would be lost."""
        gone = [listed.loc for listed in self._pending.values() if not self._is_accounted(listed.loc)]
        alternates = [loc for loc, href in self._alternates if self._key(href) not in self._pending]
        losses = [
            f"{many(len(set(locs)), noun)}{what}, such as {one_line(locs[0])[:200]}"
            for locs, noun, what in (
                (gone, "address", ""),
                (alternates, "page", " with hreflang links"),
                (self._images, "page", " with images"),
                (self._videos, "page", " with videos"),
            )
            if locs
        ]
        if losses:
            total, what = many(self._total, "address"), "; ".join(losses)
            raise existing_error(self._files[0], f"The new one would lose, of {total}: {what}. ")

    def _listed(self, row: Row) -> _Listed:
        entry = row.entry()
        loc = resolve(self.webroot.base.url, entry.loc if entry else "")
        alternates = {hreflang(code) or code: href for code, href in (entry.alternates if entry else ())}
        own = self._key(loc)
        return _Listed(
            loc=loc,
            alternates={code: href for code, href in alternates.items() if self._key(href) != own},
            images=frozenset(entry.images if entry else ()),
            videos=sum(field.name == "video:video" for field in row.fields),
        )

    def _key(self, loc: str) -> str:
        found = self.webroot.file_of(loc) or self.webroot.file_of(f"{loc}/")  # the base without its slash
        return found or loc

    def _is_accounted(self, loc: str) -> bool:
        if self.accounts_for:
            return self.accounts_for(loc)
        return is_page(self.webroot, loc) or is_local(loc)


def is_page(webroot: Webroot, loc: str) -> bool:
    """Whether an HTML file of the folder answers for an address: it is listed, or left out for a reason."""
    return (webroot.file_of(loc) or "").lower().endswith(HTML_SUFFIXES)


def existing_error(file: Path, why: str) -> SitemapError:
    """The error for a file that is in the way and may not be replaced."""
    return SitemapError(
        f"{file} is there already, and sitemap-docs did not write it. {why}Remove it and what the build "
        "copies it from, choose another `filename`, or set `replace` to overwrite it."
    )


def listed_rows(file: Path, depth: int = _DEEPEST) -> Iterator[Row]:
    """The rows of a sitemap, or of those in its folder that it lists; SitemapError for what is none."""
    parsed = reader.parse(file)
    if parsed.kind == "urlset" or not depth:
        yield from parsed.rows
        return
    for row in parsed.rows:
        loc, _ = row.listed()
        name = find_copied(file.parent, loc)
        if name is None or file.parent / name == file:
            yield row
        else:
            yield from listed_rows(file.parent / name, depth - 1)
