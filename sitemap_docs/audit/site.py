"""Read a built site for the rules of the audit: its sitemaps, its pages and its robots.txt."""

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
"""The largest number of bytes that are unpacked. It is enough to detect that a file is too large."""
MAX_ENTRIES = 4 * MAX_URLS
"""The largest number of entries that are read. It is enough to detect that there are too many."""
MISSING = "not in the sitemap"
"""The status of a page that is not listed, if the folder shows no reason."""
NO_SITEMAP = "no sitemap"
"""The status of all pages of a site without a sitemap."""
_PROGRAM = re.compile(r"[A-Za-z]+")
_BATCH = 500  # commits that fit on a command line


class Url(SitemapRow):
    """An entry of a sitemap or an index in any format, and the place of its findings."""

    __slots__ = ()

    @property
    def place(self) -> Location:
        return Location(self.loc or self.sitemap, self.sitemap, self.line)

    @property
    def date(self) -> Date | None:
        """The date in ``lastmod``. None if there is none, or if the text is not a date."""
        return read_date(self.lastmod)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitemap:
    """A sitemap file in any format.

    Attributes:
        name: The path of the file, or its URL if the site is deployed.
        size: The number of bytes after unpacking.
        fault: The error that ended the reading, or None.
        encoding: The encoding that the file declares.
        root: The name of the root element, or ``""`` if the file is text.
        namespace: The namespace of the root element.
        urls: The entries, which are sitemaps if the file is an index.
        ours: Whether the file has our mark.
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
        """Whether the entries are sitemaps."""
        return self.format == "index"

    @property
    def place(self) -> Location:
        return Location(self.name, self.name)


def sitemap_facts(source: Path | BinaryIO, name: str) -> Sitemap:
    """Read a sitemap in any format, compressed or not, as far as it can be read.

    Args:
        source: The file.
        name: The name of the file in findings.

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
    """Return the base URL of the pages that a sitemap may list."""
    return Base.of(base.loc(dirname(sitemap)))


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlPage:
    """An HTML file of the site.

    Attributes:
        row: The decision of the build or of a dry run about the page.
        file: The path of the file below the output folder.
        loc: The address in the sitemap. If no sitemap lists the page, it is the page's own address.
        head: The head of the page.
        elsewhere: The address of another page to which the canonical links lead, or ``""``.
        url: The first entry of the page in a sitemap.
        body: The body, if whole pages are read.
        source: The page's own source, relative to the folder in which paths start.
        exclusion: The reason why search engines may not index the page.
        reason: The reason why the build has left out the page.
        unknown: Whether it is unknown if the build has left out the page on purpose.
        dated_elsewhere: Whether options that are not read here may have dated the page.
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
        """The canonical links as absolute URLs."""
        return self.head.canonical_urls(self.loc)

    @property
    def noindex(self) -> bool:
        """Whether the page or the host keeps search engines from listing it."""
        return self.exclusion is not None and self.exclusion.reason is Reason.NOINDEX

    @property
    def place(self) -> Location:
        return Location(self.loc, self.file, 0, self.source)

    @property
    def listed(self) -> bool:
        """Whether a sitemap lists the page, and the page is not a redirect."""
        return self.url is not None and not self.redirects

    @property
    def redirects(self) -> bool:
        """Whether a meta refresh leads to another page."""
        return bool(self.head.refresh_elsewhere(self.loc))

    @property
    def relative_translations(self) -> bool:
        """Whether all links to translations are relative, as in the language switchers of themes."""
        links = self.head.alternates
        return bool(links) and not any(split_url(href).scheme for _, href in links)

    @property
    def generator(self) -> str:
        """The program that wrote the page, without its version, such as ``docutils`` or ``javadoc``."""
        name = _PROGRAM.match(self.head.generator or "")
        return "" if name is None else name[0].lower()

    @property
    def alternates(self) -> tuple[Alternate, ...]:
        """The links to translations in the head, as absolute URLs."""
        absolute = self.head.absolute
        return tuple(Alternate(code, absolute(href, self.loc)) for code, href in self.head.alternates)


class AlternateLinks(NamedTuple):
    """The translations of one URL, from a sitemap or from the head of a page.

    Attributes:
        place: The place of the links.
        loc: The URL.
        alternates: The translations.
        written: The addresses of the translations as they are written.
    """

    place: Location
    loc: str
    alternates: tuple[Alternate, ...]
    written: tuple[str, ...]


@dataclass(frozen=True)
class TextFile:
    """A text file at the root of the site."""

    name: str
    data: bytes

    @property
    def text(self) -> str:
        return self.data.decode("utf-8", "replace")

    def at(self, line: int = 0) -> Location:
        return Location(self.name, self.name, line)


@dataclass(frozen=True)
class RobotsFile(TextFile):
    """A robots.txt of the site."""

    @cached_property
    def parsed(self) -> Robots:
        return parse_robots(self.data[:MAX_ROBOTS])

    @cached_property
    def _rules(self) -> dict[str, CrawlerRules]:
        return search_rules(self.parsed)

    def forbids(self, url: str) -> str:
        """Return the search engines' crawlers that may not fetch a URL, joined by ``and``, or ``""``."""
        return " and ".join(crawler for crawler, rules in self._rules.items() if rules.forbids(url))


def sitemaps_in(robots: RobotsFile | None) -> list[str]:
    """Return the addresses in the lines ``Sitemap:``."""
    return [line.value for line in robots.parsed.sitemaps] if robots else []


@dataclass(frozen=True, kw_only=True)
class History:
    """The present dates of the pages in git.

    Attributes:
        dates: All right dates of each file, the proper one first. The others are the other date of the same
            commit, and the date with the other value of the option ``lastmod``.
        newest: The date of the newest commit.
        boundary: The dates of the commits at which a shallow clone ends. They are wrong for a page.
        cut: The files whose history a shallow clone lacks.
    """

    dates: Mapping[str, tuple[datetime, ...]] = field(default_factory=dict)
    newest: datetime = datetime.max.replace(tzinfo=timezone.utc)
    boundary: frozenset[datetime] = frozenset()
    cut: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class ListedSite:
    """A built or deployed site with its sitemaps and its robots.txt."""

    base: Base
    sitemaps: tuple[Sitemap, ...]
    robots_file: RobotsFile | None

    @property
    def hosting(self) -> Hosting:
        """What the host does with the site."""
        return Hosting(base=self.base)

    @property
    def robots(self) -> RobotsFile | None:
        """The robots.txt of the site, if crawlers read it. They may also read that of another version."""
        return None if self.hosting.crawled_robots == "of the host" else self.robots_file

    @property
    def if_default(self) -> str:
        """The condition under which crawlers read the robots.txt, for the end of a sentence, or ``""``."""
        if self.hosting.crawled_robots == "of the default version":
            return ", if this is the default version"
        return ""

    @cached_property
    def entries(self) -> tuple[Url, ...]:
        """The entries of all sitemaps and indexes."""
        return (*self.children, *self.urls)

    @cached_property
    def urls(self) -> tuple[Url, ...]:
        """The entries of all sitemaps that are not indexes."""
        return tuple(chain.from_iterable(each.urls for each in self.sitemaps if not each.is_index))

    @cached_property
    def children(self) -> tuple[Url, ...]:
        """The entries of all indexes."""
        return tuple(chain.from_iterable(each.urls for each in self.sitemaps if each.is_index))


@dataclass(frozen=True, kw_only=True)
class Site(ListedSite):
    """A built site, as the rules see it.

    Attributes:
        build: The project. ``build.surroundings.now`` is the time of the check.
        served: The output folder as a web server shows it.
        pages: The pages.
        history: The dates from git.
        unnamed: Sitemaps to which nothing refers. Search engines and other rules do not read them.
    """

    build: Project
    served: Webroot
    pages: tuple[HtmlPage, ...]
    history: History
    unnamed: tuple[Sitemap, ...]

    @property
    def hosting(self) -> Hosting:
        """What the host does with the site."""
        return self.build.hosting

    # --- the files of the site ---

    @property
    def place(self) -> Location:
        return Location("")

    @property
    def no_sitemap(self) -> NoSitemap | None:
        """The reason why the build of the site wrote no sitemap, or would write none here."""
        return self.build.no_sitemap

    @property
    def expects_none(self) -> NoSitemap | None:
        """The reason why the site rightly has no sitemap. None if there is a sitemap, or should be one."""
        return None if self.sitemaps else self.no_sitemap

    @property
    def files(self) -> frozenset[str]:
        """All files of the site, with ``/``."""
        return self.served.files

    @cached_property
    def folders(self) -> frozenset[str]:
        """All folders that contain a file of the site, directly or in a folder below, such as ``a/b``."""
        folders: set[str] = set()
        for file in self.files:
            folder = dirname(file)
            while folder and folder not in folders:
                folders.add(folder)
                folder = dirname(folder)
        return frozenset(folders)

    def file_of(self, url: str) -> str | None:
        """Return the file of the page at an address of this site, or None."""
        return self.served.file_of(url)

    def is_ours(self, url: str) -> bool:
        """Check whether an address is below the base URL, and not in a language that is built elsewhere."""
        return self.served.path_of(url) is not None and not files.is_below_any(url, self.elsewhere)

    @cached_property
    def elsewhere(self) -> frozenset[str]:
        """The base URLs of the languages in ``locales`` below the site that have no folder here.

        The build assumes that these languages have every page, and links to their pages.
        """
        urls = []
        for base in read_locales(self.build.options.locales, self.base, self.build.language).values():
            path = self.base.path_of(base.url)
            if path and not (self.build.output / path).is_dir():
                urls.append(base.url)
        return frozenset(urls)

    @cached_property
    def llms(self) -> TextFile | None:
        """The llms.txt of the site (https://llmstxt.org)."""
        if "llms.txt" not in self.files:
            return None
        return TextFile("llms.txt", files.read_inside(self.build.output, "llms.txt"))

    @property
    def redirects(self) -> Redirects:
        """The redirects that files of the site configure on the host."""
        return self.served.redirects

    def redirect_of(self, url: str) -> str:
        """Return the address to which the host or the page redirects an address of this site, or ``""``."""
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
        """Return the address at which the redirects from an address end.

        It is ``""`` if there are more than ten redirects, for example in a circle.
        """
        for _ in range(MAX_HOPS + 1):
            target = self.redirect_of(url)
            if not target:
                return url
            url = target.partition("#")[0]
        return ""

    def is_served(self, url: str) -> bool:
        """Check whether there is a file or a working redirect for an address of this site."""
        if self.file_of(url) is not None:
            return True
        outcome = self.redirects.find(url)
        return outcome is not None and outcome.kind != "lost"

    # --- the pages ---

    @cached_property
    def by_file(self) -> Mapping[str, HtmlPage]:
        return {page.file: page for page in self.pages}

    @cached_property
    def listed(self) -> tuple[HtmlPage, ...]:
        """The pages that a sitemap lists, without redirects."""
        return tuple(page for page in self.pages if page.listed)

    @cached_property
    def ignored(self) -> Mapping[str, frozenset[str]]:
        """The rules that a page ignores, by the address of the page."""
        return {page.loc: frozenset(page.row.ignore) for page in self.pages if page.row.ignore}

    def page_of(self, url: str) -> HtmlPage | None:
        return self.by_file.get(self.file_of(url) or "")

    def source_of(self, url: str) -> str:
        """Return the source of the page at an address, or ``""``."""
        page = self.page_of(url)
        return "" if page is None else page.source

    def status(self, page: HtmlPage) -> tuple[str, str]:
        """Return the status of a page that is not listed, with the evidence. A listed page has ``""``."""
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
        """The programs that wrote the listed pages. Empty if most pages name no program."""
        names = [page.generator for page in self.listed]
        if 2 * names.count("") >= len(names):
            return frozenset()
        return frozenset(names)

    @property
    def unknown(self) -> int:
        """The number of unlisted pages for which it is unknown if the build has left them out on purpose."""
        return sum(page.unknown for page in self.pages)

    @cached_property
    def language_folders(self) -> frozenset[str]:
        """The top folders of languages with listed pages, such as ``de/``."""
        tops = {page.file.partition("/")[0] for page in self.listed}
        return frozenset(f"{top}/" for top in tops if folder_language(top))

    # --- the sitemaps ---

    @cached_property
    def named_sitemaps(self) -> frozenset[str | None]:
        """The files of the sitemaps in robots.txt. They may list addresses outside their folder."""
        return frozenset(map(self.file_of, sitemaps_in(self.robots)))

    @cached_property
    def dated_pages(self) -> Mapping[str, Date]:
        """The date of each address. If several sitemaps list the address, the first date counts."""
        dates: dict[str, Date] = {}
        for url in self.urls:
            if url.date:
                dates.setdefault(url.loc, url.date)
        return dates

    # --- translations ---

    @cached_property
    def links(self) -> tuple[AlternateLinks, ...]:
        """The translations of each URL, those in the sitemaps first."""
        alternate_links = []
        for url in self.urls:
            if url.alternates:
                written = tuple(each.href for each in url.alternates)
                alternate_links.append(AlternateLinks(url.place, url.loc, url.alternates, written))
        for page in self.pages:
            # Search engines read the head of a page that is listed without translations.
            unlisted = page.noindex or page.elsewhere or page.relative_translations
            named = page.url and page.url.alternates
            if page.head.alternates and page.listed and not (named or unlisted):
                written = tuple(each.href for each in page.head.alternates)
                alternate_links.append(AlternateLinks(page.place, page.loc, page.alternates, written))
        return tuple(alternate_links)

    @cached_property
    def translations(self) -> Mapping[str, set[str]]:
        """The translations to which each URL links, whether it is listed or not."""
        translations: dict[str, set[str]] = defaultdict(set)
        for links in self.links:
            translations[links.loc].update(each.href for each in links.alternates)
        for page in self.pages:
            if page.head.alternates:
                translations[page.loc].update(each.href for each in page.alternates)
        return translations

    @cached_property
    def pages_linked_from(self) -> Callable[[str], frozenset[str]]:
        """A function that returns the pages to which a URL links as its translations.

        They include the links as they are written and the pages to which these redirect. Each URL is looked
        up once: a page has one question for each link to it, and each answer takes time for all its links.
        """

        def linked(url: str) -> frozenset[str]:
            hrefs = self.translations.get(url, set())
            ends = [self.end_of(href) for href in hrefs]
            return frozenset(hrefs).union(ends)

        return cache(linked)


@contextmanager
def _readable() -> Iterator[None]:
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
    """Read the files of a built site that the selected rules are about.

    Args:
        built: The built site. If it is partial, only its pages and the sitemaps are read. A rule that needs
            another file then looks it up.
        settings: The settings of the rules.
        sources_from: The folder to which the paths of sources are relative.
        watch: Counts the pages that are read.

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
    unnamed = _unnamed(built, served, robots_file, sitemaps)
    sitemaps = tuple(each for each in sitemaps if each not in unnamed)
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
    """Read the pages of rows.

    Args:
        built: The built site.
        served: The folder of the site, with the headers of its host.
        rows: The rows.
        entries: The entries of the sitemaps, by the file of their page.
        ours: The names of the sitemaps that we wrote.
        sources_from: The folder to which the paths of sources are relative.
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
    """Ask git for the present dates of the pages that a commit dates, and for the ends of their history."""
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
    """Yield the committer and author dates of commits."""
    for start in range(0, len(commits), _BATCH):
        how = ("log", "--no-walk", "--no-show-signature", "--no-color", "--format=%H %ct %at")
        for line in repository.git.output(*how, *commits[start : start + _BATCH], "--").splitlines():
            commit = read_commit(line)
            yield from filter(None, map(moment, (commit.committed, commit.authored)))


def _entries_by_file(served: Webroot, sitemaps: Iterable[Sitemap], built: BuiltSite) -> dict[str, Url]:
    """Return the first entry of each file, and of each address without a file.

    Of a partial site, only the entries of its pages are returned if a build made the decisions.
    """
    wanted = None
    if built.is_partial and all(row.known for row in built.rows):
        wanted = {row.loc for row in built.rows}
    entries: dict[str, Url] = {}
    for entry in chain.from_iterable(each.urls for each in sitemaps if not each.is_index):
        if wanted is None or entry.loc in wanted:
            entries.setdefault(served.file_of(entry.loc) or entry.loc, entry)
    return entries


def _sitemaps(build: Project, served: Webroot, robots_file: RobotsFile | None) -> Iterator[Sitemap]:
    """Yield our sitemaps, those in robots.txt, those at the usual places, and the sitemaps of indexes.

    The sitemap of the host is left out if ours has another name or place. A text sitemap that nothing lists
    is read only if there is no other sitemap.
    """
    named = list(filter(None, map(served.file_of, sitemaps_in(robots_file))))
    names = [each for each in served.files if "/" not in each and each.endswith((".xml", ".xml.gz"))]
    own = {name for name in names if is_ours(served.folder / name)}
    others = {name for name in names if name.startswith("sitemap")} - own
    shared = [] if own else list(_shared_sitemaps(build))
    yield from shared
    usual = [name for name in NAMES if name in served.files]
    walk = Walk(())
    walk.add(name for name in (*named, *usual) if name in own)  # The first entry of a page counts: ours.
    walk.add(sorted(own))
    walk.add(named)
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
    """Yield the text sitemap at its usual place, unless the file there is something else."""
    for name in TEXT_NAMES:
        if name in served.files:
            sitemap = sitemap_facts(served.folder / name, name)
            if sitemap.format:
                yield sitemap
            return


def _unnamed(
    built: BuiltSite, served: Webroot, robots_file: RobotsFile | None, sitemaps: Sequence[Sitemap]
) -> tuple[Sitemap, ...]:
    """Return the sitemaps to which nothing refers, if the site has another sitemap.

    Indexes are not among them, because programs write them anew with each build.
    """
    named = [
        *extra_sitemaps(built.project.options.extra_sitemaps, built.project.base),
        *sitemaps_in(robots_file),
    ]
    for sitemap in sitemaps:
        if sitemap.is_index:
            named += [url.loc for url in sitemap.urls]
    names = {*NAMES, *built.folder.made, *map(served.file_of, named)}
    if built.record:
        names.update(built.record.files)
    others = [each for each in sitemaps if each.format and not (each.is_index or each.ours)]
    unnamed = tuple(each for each in others if each.name not in names)
    has_another = any(each.urls for each in sitemaps if each not in unnamed)
    return unnamed if has_another else ()


def _shared_sitemaps(build: Project) -> Iterator[Sitemap]:
    """Yield our sitemaps above the folder (``filename: ../sitemap.xml``), with the entries of this build."""
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
