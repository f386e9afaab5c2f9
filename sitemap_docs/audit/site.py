"""What the rules see: one reading of a built site, its sitemaps, its pages and its robots.txt."""

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
from sitemap_docs.html.body import Body, read_page
from sitemap_docs.html.head import Head, read_head
from sitemap_docs.listing.indexing import Bar, bar, canonical_links
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
from sitemap_docs.programs.host_files import read_headers, read_redirects, redirect_files
from sitemap_docs.project import Project
from sitemap_docs.robots import MAX_ROBOTS, CrawlerRules, Robots, parse_robots, search_rules
from sitemap_docs.sitemap import NAMES
from sitemap_docs.sitemap.reader import Fault, SitemapReader, SitemapRow, Walk
from sitemap_docs.urls.base import Base, resolve, split_url
from sitemap_docs.urls.languages import folder_language, read_locales
from sitemap_docs.webroot import Redirects, Webroot

MAX_HOPS = 10
"""Redirects in a row that Google follows."""
MAX_UNPACKED = 4 * MAX_BYTES
"""Bytes of a sitemap that are unpacked at most: enough to detect that a file is too large."""
MAX_ENTRIES = 4 * MAX_URLS
"""Entries of a sitemap that are read at most: enough to detect that there are too many."""
MISSING = "not in the sitemap"
"""Why a page is not listed, where its folder shows no reason."""
NO_SITEMAP = "no sitemap"
"""Why no page is listed."""
_PROGRAM = re.compile(r"[A-Za-z]+")
_BATCH = 500  # commits that fit on a command line


class Url(SitemapRow):
    """One ``<url>`` of a urlset or ``<sitemap>`` of an index, and where its findings are."""

    __slots__ = ()

    @property
    def place(self) -> Location:
        return Location(self.loc or self.sitemap, self.sitemap, self.line)

    @property
    def date(self) -> Date | None:
        """Its ``lastmod``; None without one, or for what is no date."""
        return read_date(self.lastmod)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitemap:
    """One sitemap file.

    ``size`` is in bytes, unpacked; ``urls`` are its entries or, in an index, its sitemaps. ``fault`` ended
    the reading; None where all was read. ``ours``: it has our mark.
    """

    name: str
    size: int
    fault: Fault | None = None
    encoding: str = "utf-8"
    root: str = ""
    namespace: str = ""
    urls: tuple[Url, ...] = ()
    ours: bool = False

    @property
    def is_index(self) -> bool:
        return self.root == "sitemapindex"

    @property
    def place(self) -> Location:
        return Location(self.name, self.name)


def sitemap_facts(source: Path | BinaryIO, name: str) -> Sitemap:
    """The sitemap in ``source``, packed or not, as far as it can be read; ``name`` is that of its file.

    Raises OSError.
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
    )


@lru_cache(maxsize=1_024)
def folder_of(base: Base, sitemap: str) -> Base:
    """The base URL of what a sitemap may list."""
    return Base.of(base.loc(dirname(sitemap)))


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlPage:
    """One HTML file of the site.

    ``url`` is its first entry in a sitemap; ``loc`` that entry's, else its own address. ``elsewhere`` is the
    address of another page that it calls canonical, or ``""``. ``body`` is None where only heads were read.
    ``bar`` is what keeps engines from indexing it. ``reason`` is why its build left it out, ``row`` what it
    or a dry run decided. ``unknown``: whether the build left it out on purpose is not known, nor where it is
    ``dated_elsewhere``, by which options.
    """

    row: Row
    file: str
    loc: str
    head: Head = Head()
    elsewhere: str = ""
    url: Url | None = None
    body: Body | None = None
    source: str = ""
    bar: Bar | None = None
    reason: Reason | None = None
    unknown: bool = False
    dated_elsewhere: bool = False

    @property
    def canonicals(self) -> tuple[str, ...]:
        """Its canonical links, absolute."""
        return self.head.canonical_urls(self.loc)

    @property
    def noindex(self) -> bool:
        """Whether the page or the host keeps search engines from listing it."""
        return self.bar is not None and self.bar.reason is Reason.NOINDEX

    @property
    def place(self) -> Location:
        return Location(self.loc, self.file, 0, self.source)

    @property
    def listed(self) -> bool:
        """Whether a sitemap lists it and it is more than a redirect."""
        return self.url is not None and not self.redirects

    @property
    def redirects(self) -> bool:
        """Whether its meta refresh leads to another page."""
        return bool(self.head.refresh_elsewhere(self.loc))

    @property
    def relative_translations(self) -> bool:
        """Whether it names translations by relative addresses alone, as language switchers of themes do."""
        links = self.head.alternates
        return bool(links) and not any(split_url(href).scheme for _, href in links)

    @property
    def generator(self) -> str:
        """The program that wrote it, without its version, such as ``docutils`` or ``javadoc``."""
        name = _PROGRAM.match(self.head.generator or "")
        return "" if name is None else name[0].lower()

    @property
    def alternates(self) -> tuple[Alternate, ...]:
        """Its translations as its own head names them, absolute."""
        absolute = self.head.absolute
        return tuple(Alternate(code, absolute(href, self.loc)) for code, href in self.head.alternates)


class AlternateLinks(NamedTuple):
    """The alternates of one URL, from a sitemap or a page's head; ``written`` are addresses as written."""

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
        """The crawlers of search engines that may not fetch ``url``, or ``""``."""
        return " and ".join(crawler for crawler, rules in self._rules.items() if rules.forbids(url))


def sitemaps_in(robots: RobotsFile | None) -> list[str]:
    """The addresses in its lines ``Sitemap:``."""
    return [line.value for line in robots.parsed.sitemaps] if robots else []


@dataclass(frozen=True, kw_only=True)
class History:
    """From git, as it is now: the dates of each file of the site, and the wrong dates of a shallow clone.

    ``dates`` are all that are right for a file, its own first: both of its commit, and that of the commit
    which the other value of the option ``lastmod`` takes. ``newest`` is the date of the last commit of all. A
    shallow clone lacks the history of the files ``cut``.
    """

    dates: Mapping[str, tuple[datetime, ...]] = field(default_factory=dict)
    newest: datetime = datetime.max.replace(tzinfo=timezone.utc)
    boundary: frozenset[datetime] = frozenset()
    cut: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class ListedSite:
    """What the sitemaps of a built or a deployed site list; the robots.txt that is there, if any."""

    base: Base
    sitemaps: tuple[Sitemap, ...]
    robots_file: RobotsFile | None

    @property
    def robots(self) -> RobotsFile | None:
        """The robots.txt that crawlers read; None when the site is not its whole host."""
        return self.robots_file if self.base.is_root else None

    @cached_property
    def entries(self) -> tuple[Url, ...]:
        """The entries of all files, those of indexes included."""
        return (*self.children, *self.urls)

    @cached_property
    def urls(self) -> tuple[Url, ...]:
        """The entries of all urlsets."""
        return tuple(chain.from_iterable(each.urls for each in self.sitemaps if not each.is_index))

    @cached_property
    def children(self) -> tuple[Url, ...]:
        """The entries of all indexes."""
        return tuple(chain.from_iterable(each.urls for each in self.sitemaps if each.is_index))


@dataclass(frozen=True, kw_only=True)
class Site(ListedSite):
    """One reading of the site that a build wrote.

    ``build`` is the project, and ``build.surroundings.now`` the time of the check. ``unnamed`` are sitemaps
    beside those of the site that nothing refers to: no engine reads them, and no other rule.
    """

    build: Project
    served: Webroot
    pages: tuple[HtmlPage, ...]
    history: History
    unnamed: tuple[Sitemap, ...]

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
        """The file that a web server sends for an address of this site; None when there is none."""
        return self.served.file_of(url)

    def is_ours(self, url: str) -> bool:
        """Whether an address is on this site, below its base URL, and not of a language built elsewhere."""
        return self.served.path_of(url) is not None and not files.is_below_any(url, self.elsewhere)

    @cached_property
    def elsewhere(self) -> frozenset[str]:
        """The base URLs of languages of ``locales`` below the site that have no folder here.

        The build takes them to have every page, and so links to these.
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

    @cached_property
    def redirects(self) -> Redirects:
        """The redirects that files of the site configure on the host."""
        found = redirect_files(self.build.output, self.build.rules_file)
        return read_redirects(*found, win=self.build.served_by.redirects_win)

    def redirect_of(self, url: str) -> str:
        """Returns where the host's rules, or else the page there, lead an address of this site, or ``""``."""
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
        """Returns where the redirects from an address end.

        It is ``""`` where they go in a circle, or beyond the tenth.
        """
        for _ in range(MAX_HOPS + 1):
            target = self.redirect_of(url)
            if not target:
                return url
            url = target.partition("#")[0]
        return ""

    def is_served(self, url: str) -> bool:
        """Whether a file answers for an address of this site, or another one by a rule of the host."""
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
        """The pages that a sitemap lists, but for redirects."""
        return tuple(page for page in self.pages if page.listed)

    @cached_property
    def ignored(self) -> Mapping[str, frozenset[str]]:
        """The rules that pages themselves ignore, by the addresses of these pages."""
        return {page.loc: frozenset(page.row.ignore) for page in self.pages if page.row.ignore}

    def page_of(self, url: str) -> HtmlPage | None:
        return self.by_file.get(self.file_of(url) or "")

    def source_of(self, url: str) -> str:
        """The source of the page at an address, where it is known."""
        page = self.page_of(url)
        return "" if page is None else page.source

    def status(self, page: HtmlPage) -> tuple[str, str]:
        """Returns why a page is not listed (``""``: it is), and what decided so."""
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
        """The programs that wrote the listed pages; none where most pages do not name any."""
        names = [page.generator for page in self.listed]
        if 2 * names.count("") >= len(names):
            return frozenset()
        return frozenset(names)

    @property
    def unknown(self) -> int:
        """How many pages no sitemap lists of which only their build knew whether that is meant."""
        return sum(page.unknown for page in self.pages)

    @cached_property
    def language_folders(self) -> frozenset[str]:
        """The folders of languages at the top of the site that have listed pages, each with its slash."""
        tops = {page.file.partition("/")[0] for page in self.listed}
        return frozenset(f"{top}/" for top in tops if folder_language(top))

    # --- the sitemaps ---

    @cached_property
    def named_sitemaps(self) -> frozenset[str | None]:
        """The files of sitemaps that robots.txt names: they may list addresses outside their folder."""
        return frozenset(map(self.file_of, sitemaps_in(self.robots)))

    @cached_property
    def dated_pages(self) -> Mapping[str, Date]:
        """The date of each address, once: a sitemap may be there whole and in parts."""
        dates: dict[str, Date] = {}
        for url in self.urls:
            if url.date:
                dates.setdefault(url.loc, url.date)
        return dates

    # --- translations ---

    @cached_property
    def links(self) -> tuple[AlternateLinks, ...]:
        """Every set of alternates, those of the sitemaps first."""
        alternate_links = []
        for url in self.urls:
            if url.alternates:
                written = tuple(each.href for each in url.alternates)
                alternate_links.append(AlternateLinks(url.place, url.loc, url.alternates, written))
        for page in self.pages:
            # Engines take translations from the head of a page that is listed without them.
            unlisted = page.noindex or page.elsewhere or page.relative_translations
            named = page.url and page.url.alternates
            if page.head.alternates and page.listed and not (named or unlisted):
                written = tuple(each.href for each in page.head.alternates)
                alternate_links.append(AlternateLinks(page.place, page.loc, page.alternates, written))
        return tuple(alternate_links)

    @cached_property
    def translations(self) -> Mapping[str, set[str]]:
        """The addresses that each URL, listed or not, names as its translations."""
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
    served = Webroot(root, base, frozenset(texts.get(name, name) for name in names))
    served = served.with_pages(listed_pages)
    robots_file = None
    if "robots.txt" in served.files:
        robots_file = RobotsFile("robots.txt", files.read_inside(root, "robots.txt"))
    sitemaps: tuple[Sitemap, ...] = ()
    if not (built.record and built.record.no_sitemap):  # Otherwise a theme reads the sitemap of the host.
        sitemaps = tuple(_sitemaps(build, served, robots_file))
    unnamed = _unnamed(built, served, robots_file, sitemaps)
    sitemaps = tuple(each for each in sitemaps if each not in unnamed)
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
        pages=tuple(_pages(built, watched, entries, ours, sources_from, whole=settings.whole)),
        robots_file=robots_file,
        history=_history(built, page_rows) if needs_dates else History(),
        unnamed=unnamed,
    )


def _pages(
    built: BuiltSite,
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
        rows: The rows.
        entries: The entries of the sitemaps, by the file of their page.
        ours: The names of the sitemaps that we wrote.
        sources_from: The folder to which the paths of sources are relative.
        whole: Whether to read the whole pages, not only their heads.
    """
    build = built.project
    is_of_host = cache(lambda: built.folder.is_of_host)  # It reads a page, and most sites need no answer.
    headers = read_headers(build.output, build.rules_file)
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
        elsewhere = ""
        if head.canonicals == (loc,):  # Most pages are like this. They share one text for both.
            head = head._replace(canonicals=(loc,))
        elif loc not in head.canonicals:
            elsewhere = canonical_links(head, loc, file, build.base, build.output).elsewhere
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
            elsewhere=elsewhere,
            url=url,
            body=body,
            source=source,
            bar=bar(head, loc, headers),
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
    """The committer and author dates of commits."""
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
    """Ours, the sitemaps that robots.txt names, those at the usual places, and what their indexes name.

    That of the host is passed over where ours has another name or place.
    """
    named = list(filter(None, map(served.file_of, sitemaps_in(robots_file))))
    names = [each for each in served.files if "/" not in each and each.endswith((".xml", ".xml.gz"))]
    own = {name for name in names if is_ours(served.folder / name)}
    others = {name for name in names if name.startswith("sitemap")} - own
    shared = [] if own else list(_shared_sitemaps(build))
    yield from shared
    usual = [name for name in NAMES if name in served.files]
    walk = Walk(())
    walk.add(name for name in (*named, *usual) if name in own)  # of two entries of a page, ours counts
    walk.add(sorted(own))
    walk.add(named)
    if not (own or shared):
        walk.add(usual)
    walk.add(sorted(others.difference(usual)))
    for name in walk:
        if name.endswith(".gz") and name.removesuffix(".gz") in served.files:
            continue  # a packed copy, which one rule compares
        sitemap = replace(sitemap_facts(served.folder / name, name), ours=name in own)
        yield sitemap
        if sitemap.is_index:
            listed = [url.loc for url in sitemap.urls]
            walk.add(filter(None, map(served.file_of, listed)))


def _unnamed(
    built: BuiltSite, served: Webroot, robots_file: RobotsFile | None, sitemaps: Sequence[Sitemap]
) -> tuple[Sitemap, ...]:
    """The sitemaps that nothing names, where the site has another one.

    An index is none of them: programs write it anew with each build.
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
    others = [each for each in sitemaps if each.root == "urlset" and not each.ours]
    unnamed = tuple(each for each in others if each.name not in names)
    has_another = any(each.urls for each in sitemaps if each not in unnamed)
    return unnamed if has_another else ()


def _shared_sitemaps(build: Project) -> Iterator[Sitemap]:
    """Ours above the folder (``filename: ../sitemap.xml``), with what they list of this build."""
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
