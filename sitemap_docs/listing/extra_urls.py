"""What the project itself has listed: the option ``extra_urls``."""

from collections.abc import Callable, Container, Iterable, Iterator
from datetime import datetime
from heapq import merge
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.config.dates import is_future
from sitemap_docs.config.patterns import Globs, UnmatchedGlobs
from sitemap_docs.history.page_dates import Dates
from sitemap_docs.listing.selection import lastmod_future
from sitemap_docs.model import Entry, ExtraUrl, Finding, Row, SitemapError, reported
from sitemap_docs.output.existing import is_ours
from sitemap_docs.text import many
from sitemap_docs.urls.base import Base
from sitemap_docs.webroot import Headers


class ExtraUrls:
    """The option ``extra_urls``: its addresses, and the built files that its globs name.

    ``files`` maps the name of each below the output folder to the file whose commits date it, or to None:
    what ``source_of`` finds, else the file itself where the output folder lies in a work tree. Files that
    sitemap-docs wrote, and those named ``written``, are not among them. ``own_dates`` are the dates in the
    option, by address, but for those in the future; a page at such an address has this date, too. Raises
    SitemapError for an address that cannot be listed.
    """

    def __init__(
        self,
        urls: Iterable[ExtraUrl],
        output: Path,
        base: Base,
        source_of: Callable[[str], Path | None] | None,
        written: Container[str],
        now: datetime,
    ) -> None:
        self._base = base
        self._now = now
        self._urls = []
        self.own_dates: dict[str, datetime] = {}
        patterns = []
        for url in urls:
            if url.is_glob:
                patterns.append(url.loc)
                continue
            try:
                loc = base.normalise(url.loc)
            except ValueError as error:
                raise SitemapError(f"The option `extra_urls` has {url.loc!r}: it {error}.") from None
            self._urls.append(url._replace(loc=loc))
            if url.lastmod and not is_future(url.lastmod, now):
                self.own_dates.setdefault(loc, url.lastmod)
        self._unmatched = UnmatchedGlobs([("extra_urls", glob) for glob in patterns], "built file")
        self.files: dict[str, Path | None] = {}
        if not patterns:
            return
        globs = Globs(tuple(patterns))
        self._unmatched.compare(())  # of a folder without other files, no name is
        is_tracked = files.repository_of(output) is not None
        for name in sorted(files.names_below(output)):
            if "/." in f"/{name}" or name.lower().endswith(files.HTML_SUFFIXES):
                continue
            if name in written or (globs.decision([name]) is not None and is_ours(output / name)):
                continue
            self._unmatched.compare([name])
            if not globs.includes([name]):
                continue
            source = source_of(name) if source_of else None
            if source is None and is_tracked:
                source = output / name
            self.files[name] = source

    def among(
        self, pages: Iterable[tuple[Row, Entry | None]], dates: Dates, headers: Headers
    ) -> Iterator[tuple[Row, Entry | None]]:
        """The pages and these in the order of the locs; at one address, the listed page.

        Files that the host serves with noindex are not among them.
        """
        rows = [Row("", url.loc, lastmod=self.own_dates.get(url.loc)) for url in self._urls]
        for name, source in self.files.items():
            loc = self._base.loc(name)
            if loc in self.own_dates or headers.noindex(loc):
                continue
            row = Row("", loc)
            if source and (stamp := dates.of([source])):
                row = row.dated(stamp.when, stamp.commit, stamp.file, stamp.root)
            rows.append(row)
        rows.sort(key=lambda row: (row.loc, row.lastmod is None))
        extra = ((row, Entry(row.loc, row.lastmod)) for row in rows)
        last = ""
        for row, entry in merge(pages, extra, key=lambda each: each[0].loc):
            if entry is None or entry.loc != last:
                yield row, entry
            if entry:
                last = entry.loc

    def findings(self) -> Iterator[Finding]:
        """Yields what is wrong with the option, once for each cause."""
        outside = sorted({url.loc for url in self._urls if not url.loc.startswith(self._base.url)})
        if outside:  # https://www.sitemaps.org/protocol.html#location
            yield url_out_of_scope(len(outside), outside[0], self._base).at(outside[0])
        yield from self._unmatched.findings()
        future = [url for url in self._urls if url.lastmod and is_future(url.lastmod, self._now)]
        for loc, lastmod in future[:1]:
            yield lastmod_future(many(len(future), "address"), f"{lastmod:%Y-%m-%d}", loc).at(loc)


@reported(strict=True)
def url_out_of_scope(number: int, first: str, base: Base) -> str:
    """The option `extra_urls` has an address that is not below the base URL.

    A sitemap lists what is below its own folder; robots.txt of the host may allow more.
    Name the sitemap in that robots.txt, or remove the address.
    Wrong: `extra_urls: [https://blog.example.org/]` in the site `https://docs.example.com/`
    Right: `extra_urls: [tool/]`
    Source: sitemaps.org: sitemap file location,
    https://www.sitemaps.org/protocol.html#location
    """
    return (
        f"The option `extra_urls` has {number} that are not below {base.url}, such as {first}. Search "
        f"engines take these only if {base.origin}/robots.txt names the sitemap."
    )
