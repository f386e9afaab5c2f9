"""One reading of a built site: its files, sitemaps and pages, each once."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from sitemap_docs import files
from sitemap_docs.audit.site import NAMES, History, HtmlPage, RobotsFile, Site
from sitemap_docs.audit.sitemaps import Sitemap, Url, sitemap_facts
from sitemap_docs.config.options import Globs
from sitemap_docs.html.head import read_head
from sitemap_docs.html.page import link_targets, read_page
from sitemap_docs.model import Reason
from sitemap_docs.paths import seen_from
from sitemap_docs.sitemap.walk import Walk
from sitemap_docs.webroot.headers import read_headers
from sitemap_docs.webroot.lookup import Webroot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from sitemap_docs.model import Page
    from sitemap_docs.urls.base import Base
    from sitemap_docs.webroot.headers import Headers


@dataclass(frozen=True, kw_only=True)
class Context:
    """What is known besides the built files; sources are relative to ``sources_from``, if it is set.

    ``elsewhere`` are the base URLs of languages whose pages are built elsewhere.
    """

    now: datetime
    excludes: Globs = field(default_factory=Globs)
    history: History = field(default_factory=History)
    sources_from: Path | None = None
    robots_moved: bool = False
    elsewhere: tuple[str, ...] = ()


def read_site(
    root: Path, base: Base, pages: Iterable[Page], project: Context, *, whole: bool = False
) -> Site:
    """The site in ``root``, which is deployed to ``base``; ``whole`` reads whole pages instead of heads.

    Raises OSError for files that cannot be read.
    """
    served = Webroot(root, base, frozenset(_walk(root)))
    robots_file = None
    if "robots.txt" in served.files:
        robots_file = RobotsFile("robots.txt", files.read_inside(root, "robots.txt"))
    sitemaps = tuple(_sitemaps(served, robots_file))
    headers = read_headers(root)

    # The first entry of a file is the one that its page belongs to.
    entries: dict[str, Url] = {}
    for sitemap in sitemaps:
        if sitemap.is_index:
            continue
        for entry in sitemap.urls:
            listed = served.file_of(entry.loc)
            if listed:
                entries.setdefault(listed, entry)

    read = []
    linked: set[str] = set()
    for page in pages:
        is_folder = os.fspath(page.file).endswith("/")  # a link that the walk did not follow
        if page.default is Reason.UNREADABLE or is_folder:
            continue
        found = _html_page(page, served, entries, headers, project.sources_from, whole=whole)
        if found.body:
            targets = link_targets(found.body.links, found.head.absolute("", found.loc))
            linked |= {unquote(each) for each in targets} - {found.loc, base.loc(page.path)}
            # Only the targets of millions of links would fit into memory.
            found = replace(found, body=found.body._replace(links=frozenset()))
        read.append(found)
    return Site(
        root=root,
        served=served,
        now=project.now,
        sitemaps=sitemaps,
        pages=tuple(read),
        robots_file=robots_file,
        excludes=project.excludes,
        history=project.history,
        linked=frozenset(linked) if whole else None,
        robots_moved=project.robots_moved,
        elsewhere=project.elsewhere,
        headers=headers,
    )


def _html_page(
    page: Page,
    served: Webroot,
    entries: Mapping[str, Url],
    headers: Headers,
    start: Path | None,
    *,
    whole: bool,
) -> HtmlPage:
    """A page as it was rendered; its source is seen from ``start``. Raises OSError."""
    file = seen_from(served.folder, page.file)
    url = entries.get(file)
    body = None
    if whole:
        head, body = read_page(Path(page.file))
    else:
        head = read_head(page.file, described=True)
    loc = url.loc if url else served.base.loc(page.path)
    canonicals = head.canonical_urls(loc)
    if canonicals == head.canonicals:  # as for most pages: one tuple takes half of the memory
        canonicals = head.canonicals
    source = ""
    if page.sources and start and page.sources[0].is_relative_to(start):
        source = seen_from(start, page.sources[0])
    return HtmlPage(
        page=page,
        file=file,
        loc=loc,
        head=head,
        canonicals=canonicals,
        elsewhere="" if loc in canonicals else head.canonical_elsewhere(loc),
        url=url,
        body=body,
        source=source,
        barred=headers.noindex(loc),
    )


def _walk(root: Path) -> Iterator[str]:
    """Every file below a folder; pipes, devices and links that lead to no file in it are none."""
    real = os.path.realpath(root)
    waiting = [""]
    while waiting:
        prefix = waiting.pop()
        with suppress(OSError), os.scandir(root / prefix) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name != ".git":
                        waiting.append(f"{prefix}{entry.name}/")
                elif files.is_file_inside(entry, real):
                    yield f"{prefix}{entry.name}"


def _sitemaps(served: Webroot, robots_file: RobotsFile | None) -> list[Sitemap]:
    """The sitemaps that robots.txt names, those at the usual places, and what their indexes name."""
    names: list[str | None] = []
    if robots_file:
        names += [served.file_of(line.value) for line in robots_file.parsed.sitemaps]
    for name in NAMES:
        names += [name, f"{name}.gz"]
    at_the_root = [name for name in served.files if name.startswith("sitemap")]
    names += sorted(name for name in at_the_root if name.endswith((".xml", ".xml.gz")))

    found = []
    walk = Walk([name for name in names if name in served.files and name], most=len(served.files))
    for name in walk:
        if name.endswith(".gz") and name.removesuffix(".gz") in served.files:
            continue  # a packed copy, which one rule compares
        sitemap = sitemap_facts(served.folder / name, name)
        found.append(sitemap)
        if sitemap.is_index:
            children = [served.file_of(url.loc) for url in sitemap.urls]
            walk.add([child for child in children if child])
    return found
