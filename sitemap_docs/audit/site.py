"""A built site with its files, pages, sitemaps and links, as the rules of the audit check it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property
from itertools import chain
from posixpath import dirname
from typing import NamedTuple

from sitemap_docs import files
from sitemap_docs.audit.html_page import HtmlPage
from sitemap_docs.audit.registry import Location
from sitemap_docs.audit.site_history import History
from sitemap_docs.audit.site_redirects import SiteRedirects
from sitemap_docs.audit.sitemap_file import Sitemap, Url
from sitemap_docs.config.dates import Date
from sitemap_docs.hosting import Hosting
from sitemap_docs.html.head import Head
from sitemap_docs.model import Alternate, NoSitemap, Reason
from sitemap_docs.project import Project
from sitemap_docs.robots import MAX_ROBOTS, CrawlerRules, Robots, parse_robots, search_rules
from sitemap_docs.urls.base import Base
from sitemap_docs.urls.languages import folder_language, read_locales
from sitemap_docs.webroot import FolderVisitor, Webroot


class Unlisted(Enum):
    """Why a page is not in the sitemap, although no option and no HTML tag excludes it."""

    #: The reason is unknown.
    MISSING = "not in the sitemap"
    #: The site has no sitemap.
    NO_SITEMAP = "no sitemap"


class PageStatus(NamedTuple):
    """Whether the sitemap lists a page, and if not, why."""

    #: The reason for leaving the page out, or None.
    reason: Reason | Unlisted | None = None
    #: The evidence, for example the target of a redirect.
    detail: str = ""


class AlternateLinks(NamedTuple):
    """The links from a page to its translations.

    Attributes:
        place: The sitemap or page that contains the links.
        loc: The URL of the page.
        alternates: The translations, with absolute URLs.
        written: The URLs as written, such as ``../de/``.
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
        """The parsed content of robots.txt: its rules, and the URLs of sitemaps."""
        return parse_robots(self.data[:MAX_ROBOTS])

    @cached_property
    def _rules(self) -> dict[str, CrawlerRules]:
        return search_rules(self.parsed)

    def forbids(self, url: str) -> str:
        """Return the crawlers that may not fetch a URL, as a text such as ``Googlebot and bingbot``.

        If robots.txt forbids the URL to no search engine, return ``""``.
        """
        return " and ".join(crawler for crawler, rules in self._rules.items() if rules.forbids(url))


def sitemaps_in(robots: RobotsFile | None) -> list[str]:
    """Return the URLs of the ``Sitemap:`` lines in a robots.txt."""
    return [line.value for line in robots.parsed.sitemaps] if robots else []


@dataclass(frozen=True, kw_only=True)
class ListedSite:
    """A site in a folder or on the web, with its sitemaps and robots.txt."""

    base: Base
    sitemaps: tuple[Sitemap, ...]
    robots_file: RobotsFile | None

    @property
    def hosting(self) -> Hosting:
        """How the web host serves the site, for example whether it redirects ``a.html`` to ``a``."""
        return Hosting(base=self.base)

    @property
    def robots(self) -> RobotsFile | None:
        """The robots.txt of the site, or None if crawlers do not read it.

        Crawlers read ``https://example.com/robots.txt``, but not ``https://example.com/docs/robots.txt``.
        """
        return None if self.hosting.crawled_robots == "of the host" else self.robots_file

    @property
    def if_default(self) -> str:
        """The end of messages about robots.txt: ``, if this is the default version``, or ``""``.

        The condition is needed on hosts such as Read the Docs, where search engines read only the robots.txt
        of the default version.
        """
        # On hosts such as Read the Docs, search engines read the robots.txt of the default version.
        if self.hosting.crawled_robots == "of the default version":
            return ", if this is the default version"
        return ""

    @cached_property
    def entries(self) -> tuple[Url, ...]:
        """All entries in the sitemaps of the site: pages, and the sitemaps that a sitemap index lists."""
        return (*self.children, *self.urls)

    @cached_property
    def urls(self) -> tuple[Url, ...]:
        """All pages that the sitemaps of this site list."""
        page_sitemaps = [sitemap for sitemap in self.sitemaps if not sitemap.is_index]
        return tuple(chain.from_iterable(sitemap.urls for sitemap in page_sitemaps))

    @cached_property
    def children(self) -> tuple[Url, ...]:
        """All sitemaps that the sitemap indexes of this site list."""
        indexes = [sitemap for sitemap in self.sitemaps if sitemap.is_index]
        return tuple(chain.from_iterable(index.urls for index in indexes))


@dataclass(frozen=True, kw_only=True)
class Site(ListedSite):
    """A built site with its pages, sitemaps and robots.txt.

    Attributes:
        build: The options, base URL and folders with which the site was built.
        served: The files as the web host serves them.
        pages: The HTML pages.
        history: The dates of the git commits that changed the pages.
        unnamed: The sitemaps that neither robots.txt nor a sitemap index mentions.
    """

    build: Project
    served: Webroot
    pages: tuple[HtmlPage, ...]
    history: History
    unnamed: tuple[Sitemap, ...]

    @property
    def hosting(self) -> Hosting:
        """The web host of the site, which may redirect ``a.html`` to ``a``."""
        return self.build.hosting

    # --- the files of the site ---

    @property
    def place(self) -> Location:
        return Location("")

    @property
    def no_sitemap(self) -> NoSitemap | None:
        """The reason why the site should have no sitemap, for example that it is a preview, or None."""
        return self.build.no_sitemap

    @property
    def expects_none(self) -> NoSitemap | None:
        """The reason why the site rightly has no sitemap. None if it has a sitemap or should have one."""
        return None if self.sitemaps else self.no_sitemap

    @property
    def files(self) -> frozenset[str]:
        """The paths of all files of the site, such as ``guide/index.html``."""
        return self.served.files

    @cached_property
    def folders(self) -> frozenset[str]:
        """All folders with files in them or below them: ``a`` and ``a/b`` for ``a/b/index.html``."""
        folders: set[str] = set()
        for file in self.files:
            folder = dirname(file)
            while folder and folder not in folders:
                folders.add(folder)
                folder = dirname(folder)
        return frozenset(folders)

    def file_of(self, url: str) -> str | None:
        """Return the file at a URL, such as ``guide/index.html``, or None."""
        return self.served.file_of(url)

    def is_ours(self, url: str) -> bool:
        """Check whether a URL belongs to this site, and not to a language that another build writes."""
        return self.served.path_of(url) is not None and not files.is_below_any(url, self.elsewhere)

    @cached_property
    def elsewhere(self) -> frozenset[str]:
        """The base URLs of languages that are built separately, such as ``https://example.com/de/``."""
        urls = []
        for base in read_locales(self.build.options.locales, self.base, self.build.language).values():
            path = self.base.path_of(base.url)
            if path and not (self.build.output / path).is_dir():
                urls.append(base.url)
        return frozenset(urls)

    @cached_property
    def llms(self) -> TextFile | None:
        """The llms.txt of the site (https://llmstxt.org), or None."""
        if "llms.txt" not in self.files:
            return None
        return TextFile("llms.txt", files.read_inside(self.build.output, "llms.txt"))

    @cached_property
    def redirects(self) -> SiteRedirects:
        """All redirects of the site: in settings of the web host, and in pages."""
        return SiteRedirects(self.visitor)

    @cached_property
    def visitor(self) -> FolderVisitor:
        """The :class:`FolderVisitor` that follows the redirects of this site."""

        def read_head(file: str) -> Head:
            page = self.by_file.get(file)
            return page.head if page else Head()

        redirects = self.served.redirects
        return FolderVisitor(
            webroot=self.served, redirects=redirects, read_head=read_head, is_ours=self.is_ours
        )

    def is_lost(self, url: str) -> bool:
        """Check whether visitors of a URL of this site get an error, such as 404."""
        return self.visitor.find_outcome(url).kind == "lost"

    # --- the pages ---

    @cached_property
    def by_file(self) -> Mapping[str, HtmlPage]:
        """The pages by their files, such as ``guide/index.html``."""
        return {page.file: page for page in self.pages}

    @cached_property
    def listed(self) -> tuple[HtmlPage, ...]:
        """The pages in the sitemaps, without pages that redirect to another page."""
        return tuple(page for page in self.pages if page.listed)

    @cached_property
    def ignored(self) -> Mapping[str, frozenset[str]]:
        """The rules that each page switches off in its front matter, by the URL of the page."""
        return {page.loc: frozenset(page.row.ignore) for page in self.pages if page.row.ignore}

    def page_of(self, url: str) -> HtmlPage | None:
        return self.by_file.get(self.file_of(url) or "")

    def source_of(self, url: str) -> str:
        """Return the source of the page at a URL, such as ``docs/guide.md``, or ``""``."""
        page = self.page_of(url)
        return "" if page is None else page.source

    def status(self, page: HtmlPage) -> PageStatus:
        """Return a ``PageStatus``: whether the sitemap lists a page, and if not, why."""
        row = page.row
        if self.expects_none:
            return PageStatus(Unlisted.NO_SITEMAP, self.expects_none.words)
        if row.reason and page.url and not row.known:
            return PageStatus(None, f"a build of this folder would leave it out: {row.why}")
        if row.reason:
            return PageStatus(row.reason, row.detail)
        if not self.sitemaps:
            return PageStatus(Unlisted.NO_SITEMAP, "a build of this folder would list the page")
        # Sitemaps that are not in this folder may list the page.
        other_sitemaps = {*map(self.file_of, (child.loc for child in self.children)), *self.named_sitemaps}
        may_be_listed_elsewhere = None in other_sitemaps and not self.urls
        if not (page.url or row.known or may_be_listed_elsewhere):
            return PageStatus(Unlisted.MISSING)
        return PageStatus()

    @cached_property
    def generators(self) -> frozenset[str]:
        """The programs in ``<meta name="generator">`` of the pages, such as ``docutils``."""
        names = [page.generator for page in self.listed]
        if 2 * names.count("") >= len(names):
            return frozenset()
        return frozenset(names)

    @property
    def unknown(self) -> int:
        """The number of pages that are missing in the sitemap without a known reason."""
        return sum(page.unknown for page in self.pages)

    @cached_property
    def language_folders(self) -> frozenset[str]:
        """The top folders whose names are languages, such as ``de/``."""
        tops = {page.file.partition("/")[0] for page in self.listed}
        return frozenset(f"{top}/" for top in tops if folder_language(top))

    # --- the sitemaps ---

    @cached_property
    def named_sitemaps(self) -> frozenset[str | None]:
        """The sitemap files in robots.txt. Unlike other sitemaps, they may list all pages of the host."""
        return frozenset(map(self.file_of, sitemaps_in(self.robots)))

    @cached_property
    def dated_pages(self) -> Mapping[str, Date]:
        """The date of each page in the sitemaps, by the URL of the page."""
        dates: dict[str, Date] = {}
        for url in self.urls:
            if url.date:
                dates.setdefault(url.loc, url.date)
        return dates

    # --- translations ---

    @cached_property
    def links(self) -> tuple[AlternateLinks, ...]:
        """The links from pages to their translations, in the sitemap or in the page."""
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
        """The URLs of the translations of each page, by the URL of the page."""
        translations: dict[str, set[str]] = defaultdict(set)
        for links in self.links:
            translations[links.loc].update(alternate.href for alternate in links.alternates)
        for page in self.pages:
            if page.head.alternates:
                translations[page.loc].update(alternate.href for alternate in page.alternates)
        return translations

    @cached_property
    def pages_linked_from(self) -> Callable[[str], frozenset[str]]:
        """A function that takes the URL of a page, and returns the URLs in its hreflang links.

        If a link leads to a redirect, the function also returns the target of the redirect.
        """

        # The function remembers its results: a rule asks once for each link to a page, and each answer
        # takes time for all links of the page.
        def linked(url: str) -> frozenset[str]:
            hrefs = self.translations.get(url, set())
            ends = [self.redirects.end_of(href) for href in hrefs]
            return frozenset(hrefs).union(ends)

        return cache(linked)
