"""Add the addresses and files of the option ``extra_urls`` to the sitemap."""

from collections.abc import Callable, Collection, Container, Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from heapq import merge
from operator import attrgetter
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.config.options import Options
from sitemap_docs.config.patterns import Globs, UnmatchedGlobs
from sitemap_docs.history.page_dates import Dates, choose_date, page_date
from sitemap_docs.host_rules import Headers
from sitemap_docs.listing.address_style import early_path
from sitemap_docs.listing.page_findings import NotedPages, lastmod_future
from sitemap_docs.model import Entry, ExtraUrl, Finding, NoSitemap, Page, Row, SitemapError
from sitemap_docs.output.existing import is_ours
from sitemap_docs.project import Address
from sitemap_docs.rules import reported
from sitemap_docs.text import many
from sitemap_docs.urls.base import Base


class ExtraUrls:
    """The addresses and files in the option ``extra_urls``, such as ``tool/`` and ``*.pdf``.

    The field ``files`` maps each matching file to its source file in git, or to None. The field ``own_dates``
    maps an address to its date in the option.

    Args:
        urls: The addresses and globs in the option.
        output: The output folder, which contains the files.
        base: The base URL of the site.
        source_of: Returns the source of a file in the output folder, or None.
        written: The names of files that sitemap-docs writes. They are left out.
        now: The current time, because a date in the future is ignored.

    Raises:
        SitemapError: The option has an invalid address.
    """

    def __init__(
        self,
        urls: Collection[ExtraUrl],
        output: Path,
        base: Base,
        source_of: Callable[[str], Path | None] | None,
        written: Container[str],
        now: datetime,
    ) -> None:
        self._base = base
        self._now = now
        self._urls = []
        self.own_dates = find_own_dates(urls, base, now)
        self._rejected: list[tuple[str, datetime]] = []
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
            date = choose_date([url.lastmod], now)
            if date.rejected:
                self._rejected.append((loc, date.rejected))
        self._unmatched = UnmatchedGlobs([("extra_urls", glob) for glob in patterns], "built file")
        self.files: dict[str, Path | None] = {}
        if not patterns:
            return
        is_in_repository = files.repository_of(output) is not None
        for name in self._matching_names(Globs(tuple(patterns)), output, written):
            source = source_of(name) if source_of else None
            if source is None and is_in_repository:
                source = output / name
            self.files[name] = source

    def _matching_names(self, globs: Globs, output: Path, written: Container[str]) -> Iterator[str]:
        """Yield the files in the folder ``output`` that the globs match, such as ``files/manual.pdf``.

        HTML files, hidden files, and the files ``written`` by this build, such as the sitemap, are left out.
        """
        self._unmatched.compare(())  # Report globs even if there is no file to compare with.
        for name in sorted(files.names_below(output)):
            if "/." in f"/{name}" or files.is_html(name):
                continue
            if name in written:
                continue
            if globs.decision([name]) is not None and is_ours(output / name):
                continue
            self._unmatched.compare([name])
            if globs.includes([name]):
                yield name

    def merge_with(self, page_rows: Iterable[Row], dates: Dates, headers: Headers) -> Iterator[Row]:
        """Yield the pages ``page_rows`` and the URLs in the option ``extra_urls``, sorted by URL.

        Files that the web host serves with ``noindex`` are left out. ``dates`` are the git dates of source
        files, and ``headers`` the HTTP headers that the host sends.
        """
        extra_rows = [Row("", url.loc, lastmod=self.own_dates.get(url.loc)) for url in self._urls]
        for name, source in self.files.items():
            loc = self._base.loc(name)
            if headers.noindex(loc):
                continue
            page = Page(name, name, (source,) if source else ())
            date = page_date(page, dates, self._now, self.own_dates.get(loc))
            row = Row("", loc, lastmod=date.when)
            if stamp := date.stamp:
                row = row.dated(stamp.when, stamp.commit, stamp.file, stamp.root)
            extra_rows.append(row)
        extra_rows.sort(key=lambda row: (row.loc, row.lastmod is None))
        listed_rows = [row._replace(entry=Entry(row.loc, row.lastmod)) for row in extra_rows]
        last_loc = ""
        for row in merge(page_rows, listed_rows, key=attrgetter("loc")):
            if row.entry is None or row.loc != last_loc:
                yield row
            if row.entry:
                last_loc = row.loc

    def findings(self) -> Iterator[Finding]:
        """Yield messages about mistakes in the option ``extra_urls``, such as a glob that matches no file."""
        locs = {url.loc for url in self._urls}
        outside_locs = sorted(loc for loc in locs if not loc.startswith(self._base.url))
        if outside_locs:  # https://www.sitemaps.org/protocol.html#location
            first = outside_locs[0]
            yield url_out_of_scope(len(outside_locs), first, self._base).at(first)
        yield from self._unmatched.findings()
        if self._rejected:
            loc, lastmod = self._rejected[0]
            count = many(len(self._rejected), "address")
            yield lastmod_future(NotedPages(count, loc, f"{lastmod:%Y-%m-%d}")).at(loc)


def find_own_dates(urls: Iterable[ExtraUrl], base: Base, now: datetime) -> dict[str, datetime]:
    """Return the date of each address for which the user has set a date in the option ``extra_urls``.

    Globs and invalid addresses are left out.
    """
    own_dates: dict[str, datetime] = {}
    for url in urls:
        date = choose_date([url.lastmod], now)
        if date.when is None or url.is_glob:
            continue
        with suppress(ValueError):
            own_dates.setdefault(base.normalise(url.loc), date.when)
    return own_dates


def own_date_finder(
    options: Options, output: Path, address: Address | NoSitemap | None, now: datetime
) -> Callable[[Page], datetime | None]:
    """Return a function that returns the date of a page in the option ``extra_urls``, or None.

    The function works before pages are rendered, so that pages can show the date.

    Args:
        options: The options of the build.
        output: The output folder.
        address: The base URL. Without one, no page has a date.
        now: The current time, because a date in the future is ignored.
    """
    if not isinstance(address, Address):
        return lambda _: None
    base = address.base
    own_dates = find_own_dates(options.extra_urls, base, now)

    def find_own_date(page: Page) -> datetime | None:
        path = page.path
        if options.links != "auto":
            path = early_path(files.seen_from(output, page.file), options.links)
        return own_dates.get(base.loc(path))

    return find_own_date


@reported(strict=True)
def url_out_of_scope(number: int, first: str, base: Base) -> str:
    """The option `extra_urls` has an address that is not below the base URL.

    A sitemap may only list addresses below its own folder, unless the robots.txt of their host allows it.
    Add the sitemap to that robots.txt, or remove the address.
    Wrong: `extra_urls: [https://blog.example.org/]` in the site `https://docs.example.com/`
    Right: `extra_urls: [tool/]`
    Source: sitemaps.org: sitemap file location,
    https://www.sitemaps.org/protocol.html#location
    """
    return (
        f"The option `extra_urls` has addresses that are not below {base.url} ({number}), such as {first}. "
        f"Search engines ignore them unless {base.origin}/robots.txt mentions the sitemap. Remove them, or "
        "add the sitemap to that file."
    )
