"""Read the sitemaps, the pages and the robots.txt of a built site for the rules of the audit."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from functools import cache, cached_property, lru_cache
from itertools import chain, islice
from pathlib import Path
from posixpath import dirname
from typing import BinaryIO, NamedTuple, cast

from sitemap_docs import files
from sitemap_docs.audit.registry import ALL, Location, Settings
from sitemap_docs.built import BuiltSite
from sitemap_docs.config.dates import Date, moment, read_date
from sitemap_docs.decide import dates_of
from sitemap_docs.history.diagnostics import CUT
from sitemap_docs.history.git import GitTrouble, Repository, open_repository, read_commit
from sitemap_docs.host_rules import Redirects
from sitemap_docs.hosting import Hosting
from sitemap_docs.html.body import Body, read_page
from sitemap_docs.html.head import Head, read_head
from sitemap_docs.listing.indexing import Exclusion, canonical_links, exclusion_of
from sitemap_docs.model import (
    MAX_BYTES,
    MAX_URLS,
    Alternate,
    NoSitemap,
    Reason,
    Row,
    SitemapError,
    Watch,
    unwatched,
)
from sitemap_docs.output.existing import folders_above, is_ours, our_files
from sitemap_docs.output.robots_file import extra_sitemaps
from sitemap_docs.project import Project
from sitemap_docs.robots import MAX_ROBOTS, CrawlerRules, Robots, parse_robots, search_rules
from sitemap_docs.sitemap import NAMES, TEXT_NAMES
from sitemap_docs.sitemap.reader import SitemapReader, Walk
from sitemap_docs.sitemap.rows import PROTOCOL, Fault, SitemapFormat, SitemapRow
from sitemap_docs.urls.base import Base, resolve, split_url
from sitemap_docs.urls.languages import folder_language, read_locales
from sitemap_docs.webroot import Webroot

MAX_HOPS = 10
"""The number of redirects in a row that Google follows."""
MAX_UNPACKED = 4 * MAX_BYTES
"""The number of unpacked bytes after which reading stops. A sitemap of this size is already too large."""
MAX_ENTRIES = 4 * MAX_URLS
"""The number of entries after which reading stops. A sitemap with so many entries is already too long."""
MISSING = "not in the sitemap"
"""The status of a page that no sitemap lists, if nothing in the output folder shows why."""
NO_SITEMAP = "no sitemap"
"""The status of all pages of a site without a sitemap."""
_PROGRAM = re.compile(r"[A-Za-z]+")
_BATCH = 500  # commits that fit on a command line


class Url(SitemapRow):
    """An entry of a sitemap, such as a ``<url>`` element, or an entry of a sitemap index."""

    __slots__ = ()

    @property
    def place(self) -> Location:
        return Location(self.loc or self.sitemap, self.sitemap, self.line)

    @property
    def date(self) -> Date | None:
        """The last modification date, or None if the entry has no ``lastmod`` or its text is not a date."""
        return read_date(self.lastmod)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitemap:
    """A sitemap file: XML, a text file with URLs, or an RSS or Atom feed.

    Attributes:
        name: The path relative to the output folder, or the URL if the site is deployed.
        size: The number of bytes after unpacking.
        fault: The error at which reading stopped, or None.
        encoding: The encoding that the file declares.
        root: The name of the XML root element, or ``""`` for a text file.
        namespace: The namespace of the root element.
        urls: The entries. The entries of an index are other sitemaps.
        ours: Whether sitemap-docs wrote the file.
        format: The format: ``urlset``, ``index``, ``text``, ``rss`` or ``atom``. It is ``""`` if the file is
            not a sitemap.
    """

    name: str
    size: int
    fault: Fault | None = None
    encoding: str = "utf-8"
    root: str = ""
    namespace: str = ""
    urls: tuple[Url, ...] = ()
    ours: bool = False
    format: SitemapFormat = ""

    @property
    def is_index(self) -> bool:
        """Whether the file is a sitemap index, which lists other sitemaps."""
        return self.format == "index"

    @property
    def place(self) -> Location:
        return Location(self.name, self.name)


def sitemap_facts(source: Path | BinaryIO, name: str) -> Sitemap:
    """Read a sitemap in any format, compressed or not. Reading stops at the first error in the file.

    Args:
        source: The path of the file, or an open file.
        name: The name of the file in findings, such as ``sitemap.xml``.

    Raises:
        OSError: The file cannot be opened.
    """
    reading = SitemapReader(source, name, max_bytes=MAX_UNPACKED, row=Url)
    urls = cast("tuple[Url, ...]", tuple(islice(reading.rows(), MAX_ENTRIES)))
    return Sitemap(
        name=name,
        size=reading.size,
        fault=reading.fault,
        encoding=reading.encoding,
        root=reading.root,
        namespace=reading.namespace,
        urls=urls,
        format=reading.format,
    )


@lru_cache(maxsize=1_024)
def folder_of(base: Base, sitemap: str) -> Base:
    """Return the URL of the folder that contains a sitemap. A sitemap may only list pages in this folder.

    For ``de/sitemap.xml``, it is for example ``https://example.com/de/``.
    """
    return Base.of(base.loc(dirname(sitemap)))


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlPage:
    """An HTML page of the site, with its entry in the sitemap.

    Attributes:
        row: The decision about the page, from the record of the build or from a dry run.
        file: The path of the file below the output folder, such as ``guide/index.html``.
        loc: The address in the sitemap. If no sitemap lists the page, it is the page's own address.
        head: The content of ``<head>``: the title, the canonical links, the robots tags and others.
        elsewhere: The address of another page to which the canonical links lead, or ``""``.
        url: The first entry of the page in a sitemap, or None if no sitemap lists the page.
        body: The content of ``<body>``, if the rules need whole pages.
        source: The path of the source file, such as ``docs/guide.md``, or ``""``.
        exclusion: The reason why search engines do not index the page, such as ``noindex``, or None.
        reason: The reason why the build left the page out of the sitemap, or None.
        unknown: Whether the page is missing in the sitemap and nothing shows if this is on purpose.
        dated_elsewhere: Whether an option that only the build knows may have set the date of the page.
    """

    row: Row
    file: str
    loc: str
    head: Head = Head()
    elsewhere: str = ""
    url: Url | None = None
    body: Body | None = None
    source: str = ""
    exclusion: Exclusion | None = None
    reason: Reason | None = None
    unknown: bool = False
    dated_elsewhere: bool = False

    @property
    def canonicals(self) -> tuple[str, ...]:
        """The targets of ``<link rel="canonical">`` in the page, as absolute URLs."""
        return self.head.canonical_urls(self.loc)

    @property
    def noindex(self) -> bool:
        """Whether the page has ``noindex``, in its robots meta tag or in a header that the host sends."""
        return self.exclusion is not None and self.exclusion.reason is Reason.NOINDEX

    @property
    def place(self) -> Location:
        return Location(self.loc, self.file, 0, self.source)

    @property
    def listed(self) -> bool:
        """Whether a sitemap lists the page. A page that redirects to another page does not count."""
        return self.url is not None and not self.redirects

    @property
    def redirects(self) -> bool:
        """Whether the page sends visitors to another page with ``<meta http-equiv="refresh">``."""
        return bool(self.head.refresh_elsewhere(self.loc))

    @property
    def relative_translations(self) -> bool:
        """Whether the page links to translations, and only with relative URLs such as ``../de/``.

        Themes write such links for their language menus.
        """
        links = self.head.alternates
        return bool(links) and not any(split_url(href).scheme for _, href in links)

    @property
    def generator(self) -> str:
        """The program in ``<meta name="generator">``, without its version: ``docutils`` or ``javadoc``."""
        name = _PROGRAM.match(self.head.generator or "")
        return "" if name is None else name[0].lower()

    @property
    def alternates(self) -> tuple[Alternate, ...]:
        """The translations of the page according to its ``hreflang`` links, as absolute URLs."""
        absolute = self.head.absolute
        return tuple(Alternate(code, absolute(href, self.loc)) for code, href in self.head.alternates)


class AlternateLinks(NamedTuple):
    """The links from one page to its translations, as a sitemap or the head of the page lists them.

    Attributes:
        place: The sitemap or the page that contains the links, for findings.
        loc: The URL of the page.
        alternates: The translations, as absolute URLs.
        written: The URLs of the translations as they are written in the file, relative or absolute.
    """

    place: Location
    loc: str
    alternates: tuple[Alternate, ...]
    written: tuple[str, ...]


@dataclass(frozen=True)
class TextFile:
    """A text file in the top folder of the site, such as ``llms.txt``."""

    name: str
    data: bytes

    @property
    def text(self) -> str:
        return self.data.decode("utf-8", "replace")

    def at(self, line: int = 0) -> Location:
        return Location(self.name, self.name, line)


@dataclass(frozen=True)
class RobotsFile(TextFile):
    """The robots.txt of a site."""

    @cached_property
    def parsed(self) -> Robots:
        """The groups, rules and sitemaps in the file."""
        return parse_robots(self.data[:MAX_ROBOTS])

    @cached_property
    def _rules(self) -> dict[str, CrawlerRules]:
        return search_rules(self.parsed)

    def forbids(self, url: str) -> str:
        """Return the crawlers of search engines that may not fetch a URL, such as ``Googlebot and Bingbot``.

        If all of them may fetch the URL, return ``""``.
        """
        return " and ".join(crawler for crawler, rules in self._rules.items() if rules.forbids(url))


def sitemaps_in(robots: RobotsFile | None) -> list[str]:
    """Return the addresses in the ``Sitemap:`` lines of a robots.txt. Without a robots.txt, return none."""
    return [line.value for line in robots.parsed.sitemaps] if robots else []


@dataclass(frozen=True, kw_only=True)
class History:
    """The dates that git gives for the pages now, to compare them with the dates in the sitemap.

    Attributes:
        dates: The dates that are correct for each page, by its file. The first one is the date that a build
            would write. A sitemap may also have the author date in place of the committer date, for example.
        newest: The date of the newest commit.
        boundary: The dates of the oldest commits of a shallow clone. In such a clone, all older pages seem to
            have these dates, so that they are wrong for a page.
        cut: The files of the pages that have no date because the clone is shallow.
    """

    dates: Mapping[str, tuple[datetime, ...]] = field(default_factory=dict)
    newest: datetime = datetime.max.replace(tzinfo=timezone.utc)
    boundary: frozenset[datetime] = frozenset()
    cut: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class ListedSite:
    """A site on the disk or on the web, with its sitemaps and its robots.txt."""

    base: Base
    sitemaps: tuple[Sitemap, ...]
    robots_file: RobotsFile | None

    @property
    def hosting(self) -> Hosting:
        """The behaviour of the site's host, for example which robots.txt it sends to crawlers."""
        return Hosting(base=self.base)

    @property
    def robots(self) -> RobotsFile | None:
        """The robots.txt of the site, or None if crawlers do not read it.

        Crawlers only read the robots.txt at the root of a host. If the site is in a folder of the host, such
        as ``https://example.com/docs/``, its own file has no effect.
        """
        return None if self.hosting.crawled_robots == "of the host" else self.robots_file

    @property
    def if_default(self) -> str:
        """The text ``, if this is the default version``, or ``""``, for messages about the robots.txt.

        On some hosts, crawlers read only the robots.txt of the default version.
        """
        if self.hosting.crawled_robots == "of the default version":
            return ", if this is the default version"
        return ""

    @cached_property
    def entries(self) -> tuple[Url, ...]:
        """The entries of all sitemaps and sitemap indexes."""
        return (*self.children, *self.urls)

    @cached_property
    def urls(self) -> tuple[Url, ...]:
        """The entries of all sitemaps: the pages, but not the sitemaps that an index lists."""
        page_sitemaps = [sitemap for sitemap in self.sitemaps if not sitemap.is_index]
        return tuple(chain.from_iterable(sitemap.urls for sitemap in page_sitemaps))

    @cached_property
    def children(self) -> tuple[Url, ...]:
        """The entries of all sitemap indexes, which are other sitemaps."""
        indexes = [sitemap for sitemap in self.sitemaps if sitemap.is_index]
        return tuple(chain.from_iterable(index.urls for index in indexes))


@dataclass(frozen=True, kw_only=True)
class Site(ListedSite):
    """A built site with all files that the rules of the audit check.

    Attributes:
        build: The project. ``build.surroundings.now`` is the time of the check.
        served: Finds the file that the host sends for an address, and the redirects of the host.
        pages: The HTML pages.
        history: The dates that git gives for the pages now.
        unnamed: Sitemaps that neither the robots.txt nor a sitemap index mentions. Search engines do not find
            them, and other rules do not check them.
    """

    build: Project
    served: Webroot
    pages: tuple[HtmlPage, ...]
    history: History
    unnamed: tuple[Sitemap, ...]

    @property
    def hosting(self) -> Hosting:
        """The behaviour of the site's host, for example which robots.txt it sends to crawlers."""
        return self.build.hosting

    # --- the files of the site ---

    @property
    def place(self) -> Location:
        return Location("")

    @property
    def no_sitemap(self) -> NoSitemap | None:
        """The reason why a build of this site writes no sitemap, or None if it writes one.

        A preview of a pull request, for example, has no sitemap.
        """
        return self.build.no_sitemap

    @property
    def expects_none(self) -> NoSitemap | None:
        """The reason why it is correct that the site has no sitemap.

        None if the site has a sitemap, or if the missing sitemap is an error.
        """
        return None if self.sitemaps else self.no_sitemap

    @property
    def files(self) -> frozenset[str]:
        """The paths of all files of the site, such as ``guide/index.html``."""
        return self.served.files

    @cached_property
    def folders(self) -> frozenset[str]:
        """The folders of all files. For the file ``a/b/index.html``, they are ``a`` and ``a/b``."""
        folders: set[str] = set()
        for file in self.files:
            folder = dirname(file)
            while folder and folder not in folders:
                folders.add(folder)
                folder = dirname(folder)
        return frozenset(folders)

    def file_of(self, url: str) -> str | None:
        """Return the file that the host sends for an address, such as ``guide/index.html``, or None."""
        return self.served.file_of(url)

    def is_ours(self, url: str) -> bool:
        """Check whether an address belongs to this build.

        It does if it begins with the base URL. An address in a language with a build of its own does not.
        """
        return self.served.path_of(url) is not None and not files.is_below_any(url, self.elsewhere)

    @cached_property
    def elsewhere(self) -> frozenset[str]:
        """The base URLs of languages that other builds add to the site, such as ``https://example.com/de/``.

        The option ``locales`` mentions these languages, but the output folder has no folder ``de``. The
        sitemap may link to pages in such a language, although their files are missing here.
        """
        urls = []
        for base in read_locales(self.build.options.locales, self.base, self.build.language).values():
            path = self.base.path_of(base.url)
            if path and not (self.build.output / path).is_dir():
                urls.append(base.url)
        return frozenset(urls)

    @cached_property
    def llms(self) -> TextFile | None:
        """The llms.txt of the site (https://llmstxt.org), or None if the site has none."""
        if "llms.txt" not in self.files:
            return None
        return TextFile("llms.txt", files.read_inside(self.build.output, "llms.txt"))

    @property
    def redirects(self) -> Redirects:
        """The redirects that a file of the site, such as ``_redirects``, configures on the host."""
        return self.served.redirects

    def redirect_of(self, url: str) -> str:
        """Return the address to which an address of this site is redirected, or ``""``.

        The host redirects the address, or the page does so with ``<meta http-equiv="refresh">``.
        """
        if not self.is_ours(url):
            return ""
        target = self.redirects.elsewhere(url, existing=self.file_of(url) is not None)
        if target:
            return resolve(url, target)
        page = self.page_of(url)
        if page is None:
            return ""
        return page.head.refresh_elsewhere(page.loc)

    def end_of(self, url: str) -> str:
        """Follow the redirects from an address and return the last address.

        An address without a redirect is returned as it is. If there are more than ten redirects, for example
        in a circle, return ``""``.
        """
        for _ in range(MAX_HOPS + 1):
            target = self.redirect_of(url)
            if not target:
                return url
            url = target.partition("#")[0]
        return ""

    def is_served(self, url: str) -> bool:
        """Check whether visitors find something at an address of this site: a file or a working redirect."""
        if self.file_of(url) is not None:
            return True
        outcome = self.redirects.find(url)
        return outcome is not None and outcome.kind != "lost"

    # --- the pages ---

    @cached_property
    def by_file(self) -> Mapping[str, HtmlPage]:
        """The pages by their files, such as ``guide/index.html``."""
        return {page.file: page for page in self.pages}

    @cached_property
    def listed(self) -> tuple[HtmlPage, ...]:
        """The pages that a sitemap lists. Pages that redirect to another page are left out."""
        return tuple(page for page in self.pages if page.listed)

    @cached_property
    def ignored(self) -> Mapping[str, frozenset[str]]:
        """The names of the rules that the front matter of a page switches off, by the page's address."""
        return {page.loc: frozenset(page.row.ignore) for page in self.pages if page.row.ignore}

    def page_of(self, url: str) -> HtmlPage | None:
        return self.by_file.get(self.file_of(url) or "")

    def source_of(self, url: str) -> str:
        """Return the source file of the page at an address, such as ``docs/guide.md``, or ``""``."""
        page = self.page_of(url)
        return "" if page is None else page.source

    def status(self, page: HtmlPage) -> tuple[str, str]:
        """Return why a page is not listed, and the evidence, such as ``("redirect", "../new/")``.

        The first text of a listed page is ``""``.
        """
        row = page.row
        if self.expects_none:
            return NO_SITEMAP, self.expects_none.words
        if row.reason and page.url and not row.known:
            return "", f"a build of this folder would leave it out: {row.why}"
        if row.reason:
            return row.reason.value, row.detail
        return (MISSING if self.urls and not (page.url or row.known) else ""), ""

    @cached_property
    def generators(self) -> frozenset[str]:
        """The programs that wrote the listed pages, such as ``docutils``, from their generator meta tags.

        If at least half of the pages have no such tag, the result is empty.
        """
        names = [page.generator for page in self.listed]
        if 2 * names.count("") >= len(names):
            return frozenset()
        return frozenset(names)

    @property
    def unknown(self) -> int:
        """The number of pages that no sitemap lists although nothing shows that this is on purpose."""
        return sum(page.unknown for page in self.pages)

    @cached_property
    def language_folders(self) -> frozenset[str]:
        """The top folders whose names are languages and that contain listed pages, such as ``de/``."""
        tops = {page.file.partition("/")[0] for page in self.listed}
        return frozenset(f"{top}/" for top in tops if folder_language(top))

    # --- the sitemaps ---

    @cached_property
    def named_sitemaps(self) -> frozenset[str | None]:
        """The files of the sitemaps that robots.txt mentions. Such a sitemap may list pages of any folder."""
        return frozenset(map(self.file_of, sitemaps_in(self.robots)))

    @cached_property
    def dated_pages(self) -> Mapping[str, Date]:
        """The date of each address in the sitemaps. If an address has several dates, the first one counts."""
        dates: dict[str, Date] = {}
        for url in self.urls:
            if url.date:
                dates.setdefault(url.loc, url.date)
        return dates

    # --- translations ---

    @cached_property
    def links(self) -> tuple[AlternateLinks, ...]:
        """The links from listed pages to their translations (hreflang), as search engines read them.

        If the sitemap has no such links for a page, the links in the head of the page count.
        """
        alternate_links = []
        for url in self.urls:
            if url.alternates:
                written = tuple(alternate.href for alternate in url.alternates)
                alternate_links.append(AlternateLinks(url.place, url.loc, url.alternates, written))
        for page in self.pages:
            # Search engines read the head of a page that is listed without translations.
            unlisted = page.noindex or page.elsewhere or page.relative_translations
            in_sitemap = page.url and page.url.alternates
            if page.head.alternates and page.listed and not (in_sitemap or unlisted):
                written = tuple(link.href for link in page.head.alternates)
                alternate_links.append(AlternateLinks(page.place, page.loc, page.alternates, written))
        return tuple(alternate_links)

    @cached_property
    def translations(self) -> Mapping[str, set[str]]:
        """The URLs of the translations to which each page links, by the page's URL.

        The pages need not be in a sitemap.
        """
        translations: dict[str, set[str]] = defaultdict(set)
        for links in self.links:
            translations[links.loc].update(alternate.href for alternate in links.alternates)
        for page in self.pages:
            if page.head.alternates:
                translations[page.loc].update(alternate.href for alternate in page.alternates)
        return translations

    @cached_property
    def pages_linked_from(self) -> Callable[[str], frozenset[str]]:
        """A function that takes the URL of a page and returns the URLs of its translations.

        If such a URL is redirected, the result also contains the target of the redirect.
        """

        # The function remembers its results: a rule asks once for each link to a page, and each answer
        # takes time for all links of the page.
        def linked(url: str) -> frozenset[str]:
            hrefs = self.translations.get(url, set())
            ends = [self.end_of(href) for href in hrefs]
            return frozenset(hrefs).union(ends)

        return cache(linked)


@contextmanager
def _readable() -> Iterator[None]:
    """Turn an :class:`OSError` into an error for the user that says which file cannot be read."""
    try:
        yield
    except OSError as error:
        raise SitemapError(
            f"{error.filename} cannot be read: {error.strerror}. Build the site again."
        ) from None


@_readable()
def read_site(
    built: BuiltSite, settings: Settings, *, sources_from: Path | None = None, watch: Watch = unwatched
) -> Site:
    """Read the files of a built site that the selected rules check.

    Args:
        built: The built site. If it has only some of the pages, only the files of these pages and the
            sitemaps are read.
        settings: The selected rules with their settings.
        sources_from: The folder in which the paths of source files in findings start.
        watch: A function that shows how many pages have been read.

    Raises:
        SitemapError: A file cannot be read.
    """
    build = built.project
    root, base = build.output, build.base
    texts = {row.file: row.file for row in built.rows}  # All users of a name share one text.
    names = files.names_inside(os.path.realpath(root), "") if built.is_partial else files.names_below(root)
    listed_pages = ((row.loc, row.file) for row in built.rows if row.reason is None and row.file)
    served = Webroot(root, build.hosting, frozenset(texts.get(name, name) for name in names))
    served = served.with_pages(listed_pages)
    robots_file = None
    if "robots.txt" in served.files:
        robots_file = RobotsFile("robots.txt", files.read_inside(root, "robots.txt"))
    sitemaps: tuple[Sitemap, ...] = ()
    if not (built.record and built.record.no_sitemap):  # Otherwise a theme reads the sitemap of the host.
        sitemaps = tuple(_sitemaps(build, served, robots_file))
    unnamed = _unreferenced_sitemaps(built, served, robots_file, sitemaps)
    sitemaps = tuple(sitemap for sitemap in sitemaps if sitemap not in unnamed)
    # Of two entries of a page, the one that says more counts: text has no dates, a feed other ones.
    sitemaps = tuple(sorted(sitemaps, key=lambda sitemap: sitemap.format not in PROTOCOL))
    entries = _entries_by_file(served, sitemaps, built)
    page_rows = []
    for row in built.rows:
        is_there = row.file in served.files or files.find_inside(root, row.file)
        if is_there and row.reason is not Reason.UNREADABLE:
            page_rows.append(row)
    ours = frozenset(sitemap.name for sitemap in sitemaps if sitemap.ours)
    watched = watch(page_rows, "pages read", len(page_rows))
    needs_dates = any(ALL[rule].group == "lastmod" for rule in settings.rules)
    return Site(
        base=base,
        build=build,
        served=served,
        sitemaps=sitemaps,
        pages=tuple(_pages(built, served, watched, entries, ours, sources_from, whole=settings.whole)),
        robots_file=robots_file,
        history=_history(built, page_rows) if needs_dates else History(),
        unnamed=unnamed,
    )


def _pages(  # noqa: PLR0913
    built: BuiltSite,
    served: Webroot,
    rows: Iterable[Row],
    entries: Mapping[str, Url],
    ours: Collection[str],
    sources_from: Path | None,
    *,
    whole: bool,
) -> Iterator[HtmlPage]:
    """Read the HTML files of a site, and yield a page for each.

    Args:
        built: The built site.
        served: The output folder, with the headers that its host sends.
        rows: The decisions of the build about the pages. A page is read for each decision.
        entries: The entries of the sitemaps, by the file of their page.
        ours: The names of the sitemaps that sitemap-docs wrote.
        sources_from: The folder in which the paths of source files start.
        whole: Whether to read the whole pages, not only their heads.
    """
    build = built.project
    is_of_host = cache(lambda: built.folder.is_of_host)  # It reads a page, and most sites need no answer.
    headers = served.headers
    for row in rows:
        file = f"{build.output}{os.sep}{row.file}"
        # A hook may have listed the page at an address without a file.
        url = entries.get(row.file) or entries.get(row.loc)
        loc = url.loc if url else row.loc
        body = None
        if whole:
            head, body = read_page(Path(file))
            body = body._replace(links=frozenset())  # Millions of links would not fit into memory.
        else:
            head = built.heads.get(row.file) or read_head(file, described=True)
        if head.canonicals == (loc,):  # Most pages are like this. They share one text for both.
            head = head._replace(canonicals=(loc,))
        links = canonical_links(head, loc, file, build.base, build.output)
        source = ""
        if sources_from and row.sources and files.is_inside(row.sources[0], str(sources_from)):
            source = files.seen_from(sources_from, row.sources[0])
        # If our build has listed the page, it knew more than a dry run.
        by_ours = url is not None and url.sitemap in ours and not row.known
        is_known = row.known or not ours or built.folder.covers(row.file)
        yield HtmlPage(
            row=row,
            file=row.file,
            loc=loc,
            head=head,
            elsewhere=links.elsewhere,
            url=url,
            body=body,
            source=source,
            exclusion=exclusion_of(head, loc, links, headers),
            reason=None if by_ours else row.reason,
            unknown=not (is_known or url or row.reason),
            # The configuration of Sphinx or MkDocs may have options that are not read here.
            dated_elsewhere=by_ours and is_of_host(),
        )


def _history(built: BuiltSite, rows: Iterable[Row]) -> History:
    """Ask git again for the date of each page whose date came from a commit.

    Also ask for the newest commits, and for the oldest commits of shallow clones.
    """
    dated = [row for row in rows if row.commit]
    sources = set(chain.from_iterable(row.sources for row in dated))
    now = built.dates
    if now is None:
        now = dates_of(built.project, sources)
    other = now.with_meaning("commit" if built.project.options.lastmod == "author" else "author")
    dates: dict[str, tuple[datetime, ...]] = {}
    alike: dict[tuple[datetime, ...], tuple[datetime, ...]] = {}
    for row in dated:
        stamp, newest = now.find_stamp(row.sources), other.find_stamp(row.sources)
        if stamp:
            right = (stamp.when, *filter(None, map(moment, stamp.seconds)))
            if newest and newest.commit != stamp.commit:
                right = (*right, newest.when)
            dates[row.file] = alike.setdefault(right, right)

    heads: set[datetime] = set()
    boundary: set[datetime] = set()
    folders = {Path(source).parent for source in sources}
    for top in filter(None, set(map(files.repository_of, folders))):
        with suppress(GitTrouble):  # no finding: without these dates, fewer rules find something
            repository = open_repository(str(top), built.project.surroundings.environ)
            heads.update(_dates(repository, [repository.head]))
            boundary.update(_dates(repository, sorted(repository.boundary)))
    return History(
        dates=dates,
        newest=max((*(own for own, *_ in alike), *heads), default=History.newest),
        boundary=frozenset(boundary),
        cut=frozenset(row.file for row in rows if row.cause and row.cause.rule == CUT.rule),
    )


def _dates(repository: Repository, commits: Sequence[str]) -> Iterator[datetime]:
    """Yield the committer date and the author date of each commit. ``commits`` are full ids."""
    for start in range(0, len(commits), _BATCH):
        how = ("log", "--no-walk", "--no-show-signature", "--no-color", "--format=%H %ct %at")
        for line in repository.git.output(*how, *commits[start : start + _BATCH], "--").splitlines():
            commit = read_commit(line)
            yield from filter(None, map(moment, (commit.committed, commit.authored)))


def _entries_by_file(served: Webroot, sitemaps: Iterable[Sitemap], built: BuiltSite) -> dict[str, Url]:
    """Map the file of each page, such as ``guide/index.html``, to the first entry of the page in a sitemap.

    An address without a file is its own key. If ``built`` has only some of the pages, and their addresses are
    known from a build, only the entries of these pages are returned.
    """
    wanted = None
    if built.is_partial and all(row.known for row in built.rows):
        wanted = {row.loc for row in built.rows}
    entries: dict[str, Url] = {}
    for entry in chain.from_iterable(sitemap.urls for sitemap in sitemaps if not sitemap.is_index):
        if wanted is None or entry.loc in wanted:
            entries.setdefault(served.file_of(entry.loc) or entry.loc, entry)
    return entries


def _sitemaps(build: Project, served: Webroot, robots_file: RobotsFile | None) -> Iterator[Sitemap]:
    """Find and read the sitemaps of a site.

    They are our own sitemaps, the sitemaps that robots.txt or an index mentions, and files with a usual name
    such as ``sitemap.xml``. If we wrote a sitemap with another name, ``sitemap.xml`` is left out unless
    robots.txt mentions it: it is the sitemap of Sphinx or MkDocs. A ``sitemap.txt`` is read only if there is
    no other sitemap.
    """
    in_robots = list(filter(None, map(served.file_of, sitemaps_in(robots_file))))
    names = [name for name in served.files if "/" not in name and name.endswith((".xml", ".xml.gz"))]
    own = {name for name in names if is_ours(served.folder / name)}
    others = {name for name in names if name.startswith("sitemap")} - own
    shared = [] if own else list(_shared_sitemaps(build))
    yield from shared
    usual = [name for name in NAMES if name in served.files]
    walk = Walk(())
    walk.add(name for name in (*in_robots, *usual) if name in own)  # The first entry of a page counts: ours.
    walk.add(sorted(own))
    walk.add(in_robots)
    if not (own or shared):
        walk.add(usual)
    walk.add(sorted(others.difference(usual)))
    has_sitemap = bool(shared)
    for name in walk:
        if name.endswith(".gz") and name.removesuffix(".gz") in served.files:
            continue  # A packed copy, which one rule compares.
        sitemap = replace(sitemap_facts(served.folder / name, name), ours=name in own)
        has_sitemap = True
        yield sitemap
        if sitemap.is_index:
            listed = [url.loc for url in sitemap.urls]
            walk.add(filter(None, map(served.file_of, listed)))
    if not has_sitemap:
        yield from _usual_text_sitemap(served)


def _usual_text_sitemap(served: Webroot) -> Iterator[Sitemap]:
    """Yield the text sitemap of a site, such as ``sitemap.txt``, if the file contains only URLs."""
    for name in TEXT_NAMES:
        if name in served.files:
            sitemap = sitemap_facts(served.folder / name, name)
            if sitemap.format:
                yield sitemap
            return


def _unreferenced_sitemaps(
    built: BuiltSite, served: Webroot, robots_file: RobotsFile | None, sitemaps: Sequence[Sitemap]
) -> tuple[Sitemap, ...]:
    """Return the sitemaps that nothing mentions: neither robots.txt, nor an index, nor an option.

    If the site has no other sitemap with entries, return none. Sitemap indexes and our own sitemaps are never
    returned.
    """
    mentioned = [
        *extra_sitemaps(built.project.options.extra_sitemaps, built.project.base),
        *sitemaps_in(robots_file),
    ]
    for sitemap in sitemaps:
        if sitemap.is_index:
            mentioned += [url.loc for url in sitemap.urls]
    names = {*NAMES, *built.folder.made, *map(served.file_of, mentioned)}
    if built.record:
        names.update(built.record.files)
    others = [sitemap for sitemap in sitemaps if sitemap.format and not (sitemap.is_index or sitemap.ours)]
    unreferenced = tuple(sitemap for sitemap in others if sitemap.name not in names)
    has_another = any(sitemap.urls for sitemap in sitemaps if sitemap not in unreferenced)
    return unreferenced if has_another else ()


def _shared_sitemaps(build: Project) -> Iterator[Sitemap]:
    """Yield the sitemaps that the build wrote into a parent folder, with ``filename: ../sitemap.xml``.

    Other builds may share such a sitemap. Only the entries of this build are kept.
    """
    for folder, prefix in folders_above(build.output, build.base):
        with suppress(SitemapError):  # what cannot be read there is no part of this build
            ours = our_files(folder)
            for name in ours:
                is_copy = name.endswith(".gz") and name.removesuffix(".gz") in ours
                if is_copy or name.endswith(".css"):
                    continue
                sitemap = sitemap_facts(folder / name, f"{prefix}{name}")
                urls = tuple(url for url in sitemap.urls if url.loc.startswith(build.base.url))
                if urls and not sitemap.is_index:
                    yield replace(sitemap, urls=urls, ours=True)
