"""One reading of a built site: its files, sitemaps and pages, each once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from urllib.parse import unquote

from sitemap_docs import decide, files
from sitemap_docs.audit.registry import ALL
from sitemap_docs.audit.settings import Settings
from sitemap_docs.audit.site import History, HtmlPage, RobotsFile, Site, Sitemap, Url, sitemap_facts
from sitemap_docs.config.dates import moment
from sitemap_docs.history.diagnostics import CUT
from sitemap_docs.history.git_program import GitTrouble
from sitemap_docs.history.page_dates import Stamp
from sitemap_docs.history.repository import Repository, open_repository, read_commit
from sitemap_docs.html.head import Head, read_head
from sitemap_docs.html.page import link_targets, read_page
from sitemap_docs.listing.indexing import bar
from sitemap_docs.listing.scan import Watch, unwatched
from sitemap_docs.listing.selection import Selector, default_reason, has_file
from sitemap_docs.model import Page, SitemapError
from sitemap_docs.output.ownership import is_ours
from sitemap_docs.sitemap.reader import NAMES, Walk
from sitemap_docs.webroot.host_rules import Headers, read_headers
from sitemap_docs.webroot.served_files import Webroot

_BATCH = 500  # commits that fit on a command line


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise SitemapError(
            f"{error.filename} cannot be read: {error.strerror}. Build the site again."
        ) from None


@_readable()
def read_site(  # noqa: PLR0913  each but three is optional
    build: decide.SiteBuild,
    pages: Iterable[Page],
    settings: Settings,
    *,
    sources_from: Path | None = None,
    watch: Watch = unwatched,
    alone: bool = False,
    heads: Mapping[str, Head] = MappingProxyType({}),
) -> Site:
    """The folder that a build wrote, as far as the rules of ``settings`` read it.

    ``watch`` counts what is done. Sources are relative to ``sources_from``. ``alone``: of the folder, only
    the pages and the sitemaps are read, for rules about these pages, and a rule that asks for another file
    has it looked up. ``heads`` are those that were read already, by file. Raises SitemapError for files that
    cannot be read.
    """
    root, base = build.output, build.base
    pages = list(pages)
    known, own = _names(root, pages, alone=alone)
    served = Webroot(root, base, known)
    robots_file = None
    if "robots.txt" in served.files:
        robots_file = RobotsFile("robots.txt", files.read_inside(root, "robots.txt"))
    sitemaps = tuple(_sitemaps(build, served, robots_file))
    headers = read_headers(root, decide.netlify_of(build))
    needs_dates = any(ALL[rule].group == "lastmod" for rule in settings.rules)
    wanted = {base.loc(page.path) for page in pages} if alone else None
    read_html_page = _PageReader(
        build=build,
        headers=headers,
        select=decide.selector(build, headers),
        entries=_entries_by_file(served, sitemaps, wanted),
        heads=heads,
        whole=settings.whole,
        sources_from=sources_from,
    )
    watched = zip(own, watch(pages, "pages read", len(pages)), strict=True)
    html_pages = tuple(read_html_page(file, page) for file, page in watched if has_file(page))
    return Site(
        build=build,
        served=served,
        sitemaps=sitemaps,
        pages=html_pages,
        robots_file=robots_file,
        headers=headers,
        history=_history(build, pages if needs_dates else (), own),
        linked=frozenset(read_html_page.linked),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _PageReader:
    """Reads pages as the rules see them; ``linked`` are the addresses that whole pages link to.

    ``entries`` are those of the sitemaps by file, ``heads`` those that were read already.
    """

    build: decide.SiteBuild
    headers: Headers
    select: Selector
    entries: Mapping[str, Url]
    heads: Mapping[str, Head]
    whole: bool
    sources_from: Path | None
    linked: set[str] = field(default_factory=set)

    def __call__(self, file: str, page: Page) -> HtmlPage:
        # A hook may have listed the page at an address where it has no file.
        url = self.entries.get(file) or self.entries.get(self.build.base.loc(page.path))
        body = None
        if self.whole:
            head, body = read_page(Path(page.file))
        else:
            head = self.heads.get(os.fspath(page.file)) or read_head(page.file, described=True)
        loc = url.loc if url else self._own_loc(page, head)
        if body:
            targets = set(map(unquote, link_targets(head, body, loc)))
            self.linked.update(targets - {loc, self.build.base.loc(page.path)})
            # Only the targets of millions of links would fit into memory.
            body = body._replace(links=frozenset())
        elsewhere = ""
        if head.canonicals == (loc,):  # as of most pages, which then hold one text in place of two
            head = head._replace(canonicals=(loc,))
        elif loc not in head.canonicals:
            elsewhere = head.canonical_elsewhere(loc)
        source = ""
        below = self.sources_from
        if below and page.sources and files.is_inside(str(page.sources[0]), str(below)):
            source = files.seen_from(below, page.sources[0])
        return HtmlPage(
            page=page,
            file=file,
            loc=loc,
            head=head,
            elsewhere=elsewhere,
            url=url,
            body=body,
            source=source,
            bar=bar(head, loc, self.headers),
            utility=default_reason(page, self.build.options),
        )

    def _own_loc(self, page: Page, head: Head) -> str:
        """The address of a page that no sitemap lists: as the build decided, else as the page spells it."""
        if page.decided is None:
            page, _ = self.select.at_its_own_address(page, head)
        return self.build.base.loc(page.path)


def _names(root: Path, pages: Iterable[Page], *, alone: bool) -> tuple[frozenset[str], list[str]]:
    """The names of the files of a site, and those of its pages: one text for each."""
    there = files.names_inside(os.path.realpath(root), "") if alone else files.names_below(root)
    known = {name: name for name in there}
    own = []
    for page in pages:
        name = files.seen_from(root, page.file)
        own.append(known.get(name, name))
    return frozenset(known), own


def _history(build: decide.SiteBuild, pages: Sequence[Page], names: Sequence[str]) -> History:
    """The dates of the pages of a site, by the names of their files, and of the ends of their history."""
    sources: set[Path | str] = set()
    for page in pages:
        sources.update(page.sources)
    dates = decide.dates_of(build, sources)
    other = dates.by("commit" if build.options.lastmod == "author" else "author")
    others: dict[str, datetime] = {}
    stamps: dict[str, Stamp] = {}
    by_commit: dict[str, Stamp] = {}
    cut: set[str] = set()
    for file, page in zip(names, pages):  # noqa: B905  no pages where no rule needs dates
        stamp = dates.of_page(page)
        if stamp is None and dates.why_undated(page).words == CUT.words:  # a record has the words alone
            cut.add(file)
        if stamp and not page.options.lastmod:
            stamps[file] = by_commit.setdefault(stamp.commit, stamp)
            newest = other.of_page(page)
            if newest and newest.commit != stamp.commit:
                others[file] = newest.when

    heads: set[datetime] = set()
    boundary: set[datetime] = set()
    folders = {Path(source).parent for source in sources}
    for top in filter(None, set(map(files.repository_of, folders))):
        with suppress(GitTrouble):  # no finding: without these dates, fewer rules find something
            repository = open_repository(str(top), build.environ)
            heads.update(_dates(repository, [repository.head]))
            boundary.update(_dates(repository, sorted(repository.boundary)))
    return History(
        stamps=stamps,
        others=others,
        heads=frozenset(heads),
        boundary=frozenset(boundary),
        cut=frozenset(cut),
    )


def _dates(repository: Repository, commits: Sequence[str]) -> Iterator[datetime]:
    """The committer and author dates of commits."""
    for start in range(0, len(commits), _BATCH):
        how = ("log", "--no-walk", "--no-show-signature", "--no-color", "--format=%H %ct %at")
        for line in repository.git.output(*how, *commits[start : start + _BATCH], "--").splitlines():
            commit = read_commit(line)
            yield from filter(None, map(moment, (commit.committed, commit.authored)))


def _entries_by_file(served: Webroot, sitemaps: Iterable[Sitemap], wanted: set[str] | None) -> dict[str, Url]:
    """The first entry of each file, to which its page belongs, and of each address without a file.

    If any addresses are ``wanted``, only theirs.
    """
    entries: dict[str, Url] = {}
    for sitemap in sitemaps:
        if sitemap.is_index:
            continue
        for entry in sitemap.urls:
            if wanted is not None and entry.loc not in wanted:
                continue
            entries.setdefault(served.file_of(entry.loc) or entry.loc, entry)
    return entries


def _sitemaps(build: decide.SiteBuild, served: Webroot, robots_file: RobotsFile | None) -> Iterator[Sitemap]:
    """Ours, the sitemaps that robots.txt names, those at the usual places, and what their indexes name.

    That of the host is passed over where ours has another name or place, and where the build decided to
    write none: it stays there for the themes that read it.
    """
    if build.no_sitemap:
        return
    named: list[str] = []
    if robots_file:
        lines = (line.value for line in robots_file.parsed.sitemaps)
        named = list(filter(None, map(served.file_of, lines)))
    own, others = set(), set()
    for name in served.files:
        if "/" in name or not name.endswith((".xml", ".xml.gz")):
            continue
        if is_ours(served.folder / name):
            own.add(name)
        elif name.startswith("sitemap"):
            others.add(name)
    shared = [] if own else list(_shared_sitemaps(build))
    yield from shared
    usual = [name for name in NAMES if name in served.files]
    walk = Walk((), most=len(served.files))
    walk.add(name for name in (*named, *usual) if name in own)  # of two entries of a page, ours counts
    walk.add(sorted(own))
    walk.add(named)
    if not (own or shared):
        walk.add(usual)
    walk.add(sorted(others.difference(usual)))
    for name in walk:
        if name.endswith(".gz") and name.removesuffix(".gz") in served.files:
            continue  # a packed copy, which one rule compares
        sitemap = sitemap_facts(served.folder / name, name)
        yield sitemap
        if sitemap.is_index:
            listed = [url.loc for url in sitemap.urls]
            walk.add(filter(None, map(served.file_of, listed)))


def _shared_sitemaps(build: decide.SiteBuild) -> Iterator[Sitemap]:
    """Ours above the folder (``filename: ../sitemap.xml``), with what they list of this build."""
    folder, prefix = build.output.resolve(), ""
    for _ in filter(None, build.base.url.removeprefix(build.base.origin).split("/")):
        folder, prefix = folder.parent, f"{prefix}../"
        names = set(files.names_inside(os.fspath(folder), ""))
        for name in sorted(names):
            is_copy = name.endswith(".gz") and name.removesuffix(".gz") in names
            if is_copy or not name.endswith((".xml", ".xml.gz")):
                continue
            with suppress(SitemapError):  # what cannot be read there is no part of this build
                if is_ours(folder / name):
                    sitemap = sitemap_facts(folder / name, f"{prefix}{name}")
                    urls = tuple(url for url in sitemap.urls if url.loc.startswith(build.base.url))
                    if urls and not sitemap.is_index:
                        yield replace(sitemap, urls=urls)
