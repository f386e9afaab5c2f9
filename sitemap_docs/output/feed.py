"""The other formats that engines and readers take: a text sitemap, and an Atom feed of what changed last."""

from __future__ import annotations

import os
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitemap_docs import files
from sitemap_docs.html.head import parse_head
from sitemap_docs.model import Finding, SitemapError
from sitemap_docs.output import ownership
from sitemap_docs.output.coverage import is_page
from sitemap_docs.sitemap import urllist
from sitemap_docs.sitemap.render import MARK, MAX_BYTES, MAX_URLS, stamp
from sitemap_docs.sitemap.urllist import Listed
from sitemap_docs.text import one_line
from sitemap_docs.webroot.lookup import Webroot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from sitemap_docs.model import Entry
    from sitemap_docs.output.folder import Output
    from sitemap_docs.urls.base import Base

TEXT = "sitemap.txt"
ATOM = "atom.xml"
NEWEST = 50
"""Pages in the feed."""


class Formats:
    """What the other formats need of the entries, collected on their way into the sitemap."""

    def __init__(self, wanted: Sequence[str]) -> None:
        self._wanted = wanted
        self._locs: list[str] = []
        self._dated: list[Entry] = []
        self._number = 0

    def collected(self, entries: Iterable[Entry]) -> Iterable[Entry]:
        """The entries, as they come; where a format wants them, about 50,000 addresses of them are kept."""
        return self._collect(entries) if self._wanted else entries

    def _collect(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        for entry in entries:
            self._number += 1
            if len(self._locs) < MAX_URLS:
                self._locs.append(entry.loc)
            if entry.lastmod:
                self._dated.append(entry)
                if len(self._dated) > 2 * NEWEST:
                    self._dated = _newest(self._dated)
            yield entry

    def write(self, output: Output, base: Base, filename: str, *, replace: bool) -> tuple[Finding, ...]:
        """Adds the files to ``output``, and takes away a feed that is no longer wanted.

        Raises SitemapError when a file of the user's own is in the way and is not to be replaced.
        """
        findings: list[Finding] = []
        if "text" in self._wanted:
            findings += self._write_text(output, base, filename, replace=replace)
        feed = output.folder / ATOM
        newest = _newest(self._dated) if "atom" in self._wanted else []
        ours = os.path.lexists(feed) and ownership.is_ours(feed)
        if newest:
            if os.path.lexists(feed) and not ours and not replace:
                raise _in_the_way(feed)
            output.add(ATOM, atom(newest, Webroot(output.folder, base)))
        elif ours:
            output.remove(ATOM)
        if "atom" in self._wanted and not newest:
            findings.append(_UNDATED)
        return tuple(findings)

    @staticmethod
    def names(output: Output) -> tuple[str, ...]:
        """The files of these formats that are part of the output."""
        return tuple(name for name in (TEXT, ATOM) if name in (*output.changed, *output.unchanged))

    def _write_text(self, output: Output, base: Base, filename: str, *, replace: bool) -> Iterator[Finding]:
        data = "".join(f"{loc}\n" for loc in self._locs).encode()
        if self._number > MAX_URLS or len(data) > MAX_BYTES:
            yield Finding(
                rule="text-too-long",
                where=TEXT,
                message=f"{TEXT} is not written: it may hold {MAX_URLS:,} URLs, and {self._number:,} are "
                "listed. sitemap.xml has them all; take `text` out of `formats`.",
            )
            return
        file = output.folder / TEXT
        if os.path.lexists(file) and not replace and (lost := self._lost(file, base, filename)):
            raise _in_the_way(file, f" The new one would not list {lost}.")
        output.add(TEXT, data, first=True)  # as long as the sitemap proves that the old one is ours

    def _lost(self, file: Path, base: Base, filename: str) -> str:
        """What a text file lists and the new one would not, for no reason; ``""`` for nothing."""
        if file.is_symlink() or not file.is_file():
            return "what it is"
        lines = {line.strip() for line in files.read_file(file).decode("utf-8-sig", "replace").splitlines()}
        missing = sorted(lines - {""} - set(self._locs))
        previous = _previous(file.parent / filename) if missing else frozenset()
        webroot = Webroot(file.parent, base)
        unknown = (line for line in missing if line not in previous and not is_page(webroot, line))
        return one_line(next(unknown, ""))[:200]


_UNDATED = Finding(
    rule="feed-undated", where=ATOM, message=f"{ATOM} is not written: no page has a date that git can prove."
)


def atom(entries: Sequence[Entry], built: Webroot) -> bytes:
    """An Atom feed (RFC 4287) of dated entries, in their order, with the titles of the built pages."""
    home = escape(built.base.url)
    parts = [
        f'<?xml version="1.0" encoding="UTF-8"?>\n<!-- {MARK} -->\n<feed xmlns="http://www.w3.org/2005/Atom">\n',
        f"<id>{home}</id><title>{escape(_title(built.base.url, built))}</title>\n",
        f"<updated>{max(map(_updated, entries))}</updated>\n",
        f'<link href="{home}"/><link rel="self" type="application/atom+xml" href="{home}{ATOM}"/>\n',
        f"<author><name>{escape(urlsplit(built.base.url).netloc)}</name></author>\n",
        *(_entry(entry, built) for entry in entries),
        "</feed>\n",
    ]
    return "".join(parts).encode()


def _entry(entry: Entry, built: Webroot) -> str:
    loc = escape(entry.loc)
    title = escape(_title(entry.loc, built))
    return (
        f"<entry><id>{loc}</id><title>{title}</title><updated>{_updated(entry)}</updated>"
        f'<link href="{loc}"/></entry>\n'
    )


def _updated(entry: Entry) -> str:
    return stamp(entry.lastmod) if entry.lastmod else ""


def _title(loc: str, built: Webroot) -> str:
    """The title of a page, without what XML 1.0 forbids; its address where it has none."""
    file = built.file(loc)
    title = (parse_head(files.read_file(file)).title if file else None) or ""
    return "".join(filter(str.isprintable, title)).strip() or loc


def _newest(entries: Iterable[Entry]) -> list[Entry]:
    dated = ((entry.lastmod.timestamp(), entry) for entry in entries if entry.lastmod)
    return [entry for _, entry in sorted(dated, key=lambda pair: (-pair[0], pair[1].loc))[:NEWEST]]


def _previous(file: Path) -> frozenset[str]:
    """The addresses that our own sitemap lists so far: those of a text file, which has no mark, are ours."""
    if not ownership.is_ours(file):
        return frozenset()
    return frozenset(Listed.of(line).loc for line in urllist.lines(str(file)))


def _in_the_way(file: Path, why: str = "") -> SitemapError:
    return SitemapError(
        f"{file} is there already, and sitemap-docs did not write it.{why} Remove it, take its format out of "
        "`formats`, or set `replace` to overwrite it."
    )
