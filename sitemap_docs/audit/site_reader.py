"""Read the sitemaps, the pages and the robots.txt of a built site for the rules of the audit."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from functools import cache
from hashlib import sha256
from itertools import chain
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.audit.html_page import HtmlPage
from sitemap_docs.audit.registry import audit_rules
from sitemap_docs.audit.rule_settings import Settings
from sitemap_docs.audit.site import RobotsFile, Site, sitemaps_in
from sitemap_docs.audit.site_history import History, read_history
from sitemap_docs.audit.sitemap_file import MAX_UNPACKED, Sitemap, Url, sitemap_facts
from sitemap_docs.built import BuiltSite
from sitemap_docs.html.body import read_page
from sitemap_docs.html.head import read_head
from sitemap_docs.listing.indexing import canonical_links, exclusion_of
from sitemap_docs.model import Reason, Row, SitemapError, Watch, unwatched
from sitemap_docs.output.existing import folders_above, is_ours, our_files
from sitemap_docs.output.robots_file import extra_sitemaps
from sitemap_docs.project import Project
from sitemap_docs.sitemap import NAMES, TEXT_NAMES
from sitemap_docs.sitemap.reader import Walk, read_chunks
from sitemap_docs.sitemap.rows import PROTOCOL, Unreadable
from sitemap_docs.webroot import Webroot, find_refresh_target


@contextmanager
def _errors_for_users() -> Iterator[None]:
    """Replace an :class:`OSError` in the ``with`` block by a message that tells the user what to do."""
    try:
        yield
    except OSError as error:
        raise SitemapError(
            f"{error.filename} cannot be read: {error.strerror}. Build the site again."
        ) from None


@_errors_for_users()
def read_site(
    built: BuiltSite, settings: Settings, *, sources_from: Path | None = None, watch: Watch = unwatched
) -> Site:
    """Read the files of a built site that the selected rules check, such as sitemaps and HTML pages.

    Paths of source files become relative to the folder ``sources_from``. ``watch`` shows the progress.

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
        sitemaps = tuple(_read_sitemaps(build, served, robots_file))
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
    rules = audit_rules()
    needs_dates = any(rules[rule].group == "lastmod" for rule in settings.rules)
    pages = tuple(_read_pages(built, served, watched, entries, ours, sources_from, whole=settings.whole))
    history = History()
    if needs_dates:
        listed_dates = {page.file: page.url.date.first for page in pages if page.url and page.url.date}
        history = read_history(built, page_rows, _unexplained_dates(pages), listed_dates)
    return Site(
        base=base,
        build=build,
        served=served,
        sitemaps=sitemaps,
        pages=pages,
        robots_file=robots_file,
        history=history,
        unnamed=unnamed,
    )


def _read_pages(  # noqa: PLR0913
    built: BuiltSite,
    served: Webroot,
    rows: Iterable[Row],
    entries: Mapping[str, Url],
    ours: Collection[str],
    sources_from: Path | None,
    *,
    whole: bool,
) -> Iterator[HtmlPage]:
    """Read the HTML pages of a site for the audit.

    Args:
        built: The built site, with the decision about each page.
        served: The same site as its web host serves it, with redirects and HTTP headers.
        rows: The pages to read, each with the decision about it.
        entries: The sitemap entries, by file or URL.
        ours: The names of sitemaps that sitemap-docs wrote.
        sources_from: The folder to which the paths of source files are relative, or None for no such paths.
        whole: Whether to read whole pages, not only their ``<head>``.
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
        # The build also accepts links to `address.canonical`. Search engines only see another address.
        links = canonical_links(head, loc, file, build.base, build.output)
        refreshes_to = find_refresh_target(head, loc, file, build.base, build.output)
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
            refreshes_to=refreshes_to,
            url=url,
            body=body,
            source=source,
            exclusion=exclusion_of(head, loc, links, refreshes_to, headers),
            reason=None if by_ours else row.reason,
            unknown=not (is_known or url or row.reason),
            # The configuration of Sphinx or MkDocs may have options that are not read here.
            dated_elsewhere=by_ours and is_of_host(),
        )


def _unexplained_dates(pages: Iterable[HtmlPage]) -> frozenset[datetime]:
    """Return the dates in the sitemap that neither a known commit nor the date on the page explains."""
    dates: set[datetime] = set()
    for page in pages:
        shown = page.head.modified
        if page.body:
            shown += page.body.dates
        if page.row.commit or not shown or page.url is None or page.url.date is None:
            continue
        day = page.url.lastmod[:10]
        if not any(text.strip().startswith(day) for text in shown):
            dates.add(page.url.date.first)
    return frozenset(dates)


def _entries_by_file(served: Webroot, sitemaps: Iterable[Sitemap], built: BuiltSite) -> dict[str, Url]:
    """Map the file of each page to its sitemap entry. A page without a file is found by its URL.

    ``served`` finds the file of a URL. If ``built`` has only some pages of the site, entries of other pages
    are left out.
    """
    wanted = None
    if built.is_partial and all(row.known for row in built.rows):
        wanted = {row.loc for row in built.rows}
    entries: dict[str, Url] = {}
    for entry in chain.from_iterable(sitemap.urls for sitemap in sitemaps if not sitemap.is_index):
        if wanted is None or entry.loc in wanted:
            entries.setdefault(served.file_of(entry.loc) or entry.loc, entry)
    return entries


def _read_sitemaps(build: Project, served: Webroot, robots_file: RobotsFile | None) -> Iterator[Sitemap]:
    """Yield the sitemaps of a site: those in robots.txt, those with usual names, and those of sitemap-docs.

    ``served`` finds the built file for a URL. ``build`` has the options of the project.
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
    named = set(in_robots)
    for name in walk:
        if _is_copy(name, named, served):
            continue
        sitemap = replace(sitemap_facts(served.folder / name, name), ours=name in own)
        has_sitemap = True
        yield sitemap
        if sitemap.is_index:
            children = [*filter(None, map(served.file_of, (url.loc for url in sitemap.urls)))]
            named.update(children)
            walk.add(children)
    if not has_sitemap:
        yield from _usual_text_sitemap(served)


def _is_copy(name: str, named: Collection[str], served: Webroot) -> bool:
    """Check whether a sitemap is a copy to skip, such as ``sitemap.xml.gz`` next to ``sitemap.xml``.

    Args:
        name: The name of the sitemap.
        named: The files that robots.txt or a sitemap index mentions.
        served: The output folder, with the names of all files that the web host serves.
    """
    # The packed file is the copy, unless it alone is mentioned. If it is mentioned and has other contents,
    # both are read, because the plain file may have been submitted in Search Console.
    plain = name.removesuffix(".gz")
    packed = f"{plain}.gz"
    if not {plain, packed} <= served.files:
        return False
    if packed not in named:
        return name == packed
    other = packed if plain in named else plain
    return name == other and _digest(served.folder / plain) == _digest(served.folder / packed)


def _digest(file: Path) -> bytes | None:
    """Return a checksum of an unpacked sitemap, or None if the sitemap cannot be unpacked."""
    digest = sha256()
    try:
        for chunk in read_chunks(file, MAX_UNPACKED):
            digest.update(chunk)
    except Unreadable:
        return None
    return digest.digest()


def _usual_text_sitemap(served: Webroot) -> Iterator[Sitemap]:
    """Yield the text sitemap ``sitemap.txt`` or ``sitemap.txt.gz`` of a site, if there is one.

    ``served`` contains the files of the site.
    """
    for name in TEXT_NAMES:
        if name in served.files:
            sitemap = sitemap_facts(served.folder / name, name)
            if sitemap.format:
                yield sitemap
            return


def _unreferenced_sitemaps(
    built: BuiltSite, served: Webroot, robots_file: RobotsFile | None, sitemaps: Sequence[Sitemap]
) -> tuple[Sitemap, ...]:
    """Return the sitemaps that robots.txt, sitemap indexes and the option ``extra_sitemaps`` do not mention.

    A sitemap with a usual name, such as ``sitemap.xml``, needs no mention. If no other sitemap lists pages,
    return an empty tuple, because an unmentioned sitemap is then the sitemap of the site.
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
    """Yield the sitemaps that sitemap-docs wrote into parent folders, with only the pages of this site."""
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
