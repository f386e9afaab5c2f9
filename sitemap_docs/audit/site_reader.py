"""One reading of a built site: its files, sitemaps and pages, each once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.audit.registry import ALL
from sitemap_docs.audit.settings import Settings
from sitemap_docs.audit.site import History, HtmlPage, RobotsFile, Site, Sitemap, Url, sitemap_facts
from sitemap_docs.built import Built
from sitemap_docs.config.dates import moment
from sitemap_docs.decide import SiteBuild, rules_of
from sitemap_docs.history.diagnostics import CUT
from sitemap_docs.history.git_program import GitTrouble
from sitemap_docs.history.repository import Repository, open_repository, read_commit
from sitemap_docs.html.body import read_page
from sitemap_docs.html.head import read_head
from sitemap_docs.listing.indexing import bar, canonical_links
from sitemap_docs.listing.scan import Watch, unwatched
from sitemap_docs.model import Reason, Row, SitemapError
from sitemap_docs.output.ownership import is_ours
from sitemap_docs.output.robots_file import extra_sitemaps
from sitemap_docs.programs.host_files import read_headers
from sitemap_docs.sitemap import NAMES
from sitemap_docs.sitemap.reader import Walk
from sitemap_docs.webroot.host_rules import Headers
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
def read_site(
    built: Built,
    settings: Settings,
    *,
    rows: Sequence[Row] | None = None,
    sources_from: Path | None = None,
    watch: Watch = unwatched,
) -> Site:
    """The folder that is built, as far as the rules of ``settings`` read it.

    ``watch`` counts what is done. Sources are relative to ``sources_from``. With ``rows``, only the pages of
    these and the sitemaps are read, for rules about these pages, and a rule that asks for another file has it
    looked up. Raises SitemapError for files that cannot be read.
    """
    build = built.site
    root, base = build.output, build.base
    there = files.names_below(root) if rows is None else files.names_inside(os.path.realpath(root), "")
    names = {name: name for name in there}
    served = Webroot(root, base, frozenset(names))
    robots_file = None
    if "robots.txt" in served.files:
        robots_file = RobotsFile("robots.txt", files.read_inside(root, "robots.txt"))
    sitemaps: tuple[Sitemap, ...] = ()
    if not (built.record and built.record.no_sitemap):  # else that of the host is for themes that read it
        sitemaps = tuple(_sitemaps(build, served, robots_file))
    unnamed = _unnamed(built, served, robots_file, sitemaps)
    sitemaps = tuple(each for each in sitemaps if each not in unnamed)
    headers = read_headers(root, rules_of(build))
    needs_dates = any(ALL[rule].group == "lastmod" for rule in settings.rules)
    wanted = None
    if rows is not None and all(row.known for row in rows):
        wanted = {row.loc for row in rows}
    elif rows is None:
        rows = built.rows(watch)
    read_html_page = _PageReader(
        built=built,
        headers=headers,
        entries=_entries_by_file(served, sitemaps, wanted),
        ours=frozenset(sitemap.name for sitemap in sitemaps if sitemap.ours),
        whole=settings.whole,
        sources_from=sources_from,
    )
    html_pages = []
    for each in watch(rows, "pages read", len(rows)):
        row = each._replace(file=names.get(each.file, each.file))  # one text for each name
        if row.reason is not Reason.UNREADABLE and (row.file in names or files.find_inside(root, row.file)):
            html_pages.append(read_html_page(row))
    return Site(
        base=base,
        build=build,
        served=served,
        sitemaps=sitemaps,
        pages=tuple(html_pages),
        robots_file=robots_file,
        headers=headers,
        history=_history(built, rows) if needs_dates else History(),
        unnamed=unnamed,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _PageReader:
    """Reads pages as the rules see them.

    ``entries`` are those of the sitemaps by file, ``ours`` the names of the sitemaps with our mark.
    """

    built: Built
    headers: Headers
    entries: Mapping[str, Url]
    ours: frozenset[str]
    whole: bool
    sources_from: Path | None

    def __call__(self, row: Row) -> HtmlPage:
        build = self.built.site
        file = f"{build.output}{os.sep}{row.file}"
        # A hook may have listed the page at an address where it has no file.
        url = self.entries.get(row.file) or self.entries.get(row.loc)
        loc = url.loc if url else row.loc
        body = None
        if self.whole:
            head, body = read_page(Path(file))
        else:
            head = self.built.heads.get(row.file) or read_head(file, described=True)
        if body:
            body = body._replace(links=frozenset())  # millions of links would not fit into memory
        elsewhere = ""
        if head.canonicals == (loc,):  # as of most pages, which then hold one text in place of two
            head = head._replace(canonicals=(loc,))
        elif loc not in head.canonicals:
            elsewhere = canonical_links(head, loc, row.file, build.base, build.output).elsewhere
        source = ""
        below = self.sources_from
        if below and row.sources and files.is_inside(row.sources[0], str(below)):
            source = files.seen_from(below, row.sources[0])
        # What a build of ours lists, it wants to list: it knew more than a dry run does.
        by_ours = url is not None and url.sitemap in self.ours
        # The configuration of Sphinx or MkDocs may have options that are not read.
        is_hosted = self.built.host != ""
        is_known = row.known or not self.ours or self.built.covers(row.file)
        return HtmlPage(
            row=row,
            file=row.file,
            loc=loc,
            head=head,
            elsewhere=elsewhere,
            url=url,
            body=body,
            source=source,
            bar=bar(head, loc, self.headers),
            reason=None if by_ours and not row.known else row.reason,
            unknown=not (is_known or url or row.reason),
            dated_elsewhere=by_ours and is_hosted and not row.known,
        )


def _history(built: Built, rows: Iterable[Row]) -> History:
    """The dates that git has now of pages that a commit dates, and of the ends of their history."""
    dated = {row.file: row.sources for row in rows if row.commit}
    sources = set(chain.from_iterable(dated.values()))
    now = built.dates(sources)
    other = now.by("commit" if built.site.options.lastmod == "author" else "author")
    dates: dict[str, datetime] = {}
    right: dict[str, tuple[datetime, ...]] = {}
    alike: dict[tuple[datetime, ...], tuple[datetime, ...]] = {}
    for file, made_of in dated.items():
        stamp, newest = now.of(made_of), other.of(made_of)
        if stamp:
            both = tuple(filter(None, map(moment, stamp.seconds)))
            if newest and newest.commit != stamp.commit:
                both = (*both, newest.when)
            dates[file], right[file] = stamp.when, alike.setdefault(both, both)

    heads: set[datetime] = set()
    boundary: set[datetime] = set()
    folders = {Path(source).parent for source in sources}
    for top in filter(None, set(map(files.repository_of, folders))):
        with suppress(GitTrouble):  # no finding: without these dates, fewer rules find something
            repository = open_repository(str(top), built.site.around.environ)
            heads.update(_dates(repository, [repository.head]))
            boundary.update(_dates(repository, sorted(repository.boundary)))
    return History(
        dates=dates,
        right=right,
        heads=frozenset(heads),
        boundary=frozenset(boundary),
        cut=frozenset(row.file for row in rows if row.cause == CUT.words),
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


def _sitemaps(build: SiteBuild, served: Webroot, robots_file: RobotsFile | None) -> Iterator[Sitemap]:
    """Ours, the sitemaps that robots.txt names, those at the usual places, and what their indexes name.

    That of the host is passed over where ours has another name or place.
    """
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
    built: Built, served: Webroot, robots_file: RobotsFile | None, sitemaps: Sequence[Sitemap]
) -> tuple[Sitemap, ...]:
    """The sitemaps that nothing names, where the site has another one.

    An index is none of them: programs write it anew with each build.
    """
    expected = {*NAMES, *built.site.host.made, *(built.record.files if built.record else ())}
    theirs = [each for each in sitemaps if each.root == "urlset" and not each.ours]
    others = [each for each in theirs if each.name not in expected]
    if not others:
        return ()
    named = list(extra_sitemaps(built.site.options.extra_sitemaps, built.site.base))
    if robots_file:
        named += [line.value for line in robots_file.parsed.sitemaps]
    for sitemap in sitemaps:
        if sitemap.is_index:
            named += [url.loc for url in sitemap.urls]
    names = set(map(served.file_of, named))
    unnamed = tuple(each for each in others if each.name not in names)
    has_another = any(each.urls for each in sitemaps if each not in unnamed)
    return unnamed if has_another else ()


def _shared_sitemaps(build: SiteBuild) -> Iterator[Sitemap]:
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
                        yield replace(sitemap, urls=urls, ours=True)
