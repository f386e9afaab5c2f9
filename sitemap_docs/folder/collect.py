"""The pages of any built folder, in the order of their addresses."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from sys import intern
from typing import TYPE_CHECKING, Literal

from sitemap_docs import files
from sitemap_docs.config.frontmatter import with_own_options
from sitemap_docs.config.parsing import read_front_matter
from sitemap_docs.config.unmatched import UnmatchedGlobs
from sitemap_docs.folder.generated import GeneratedPages
from sitemap_docs.html.head import parse_head
from sitemap_docs.listing.selection import is_error_page
from sitemap_docs.model import Finding, Page, Reason, SitemapError
from sitemap_docs.paths import is_inside, seen_from
from sitemap_docs.sources.lookup import SiteGlobs
from sitemap_docs.text import one_line
from sitemap_docs.urls.base import compare_urls, encoded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sitemap_docs.config.options import Globs
    from sitemap_docs.sources.includes import Includes
    from sitemap_docs.sources.lookup import SourceFolders
    from sitemap_docs.urls.base import Base

Links = Literal["folders", "files", "clean", "bare"]
"""How the addresses of ``a.html`` and ``b/index.html`` are spelled.

folders: ``a.html`` and ``b/``; files: ``a.html`` and ``b/index.html``; clean: ``a`` and ``b/``; bare: ``a``
and ``b``.
"""
SPELLINGS: dict[Links, str] = {
    "folders": "a.html, b/",
    "files": "a.html, b/index.html",
    "clean": "a, b/",
    "bare": "a, b",
}

MARKDOWN = frozenset({".md", ".markdown", ".mdown", ".mkdn", ".mkd"})

_ASSETS = {"_static", "_sources", "_images", "_downloads"}  # of Sphinx


@dataclass(frozen=True, slots=True, kw_only=True)
class Directory:
    """A built folder and how it is served; ``sources`` finds what its pages are made of.

    ``fields`` and ``dependencies`` are the options ``lastmod_fields`` and ``lastmod_dependencies``. ``homes``
    are folders that are served at their path with the slash, whatever ``links`` is: Docusaurus' languages.
    ``templates`` is the folder of the theme's own templates among the sources.
    """

    root: str
    base: Base
    sources: SourceFolders
    links: Links = "folders"
    fields: tuple[str, ...] = ()
    includes: Includes | None = None
    dependencies: Globs | bool = True
    templates: Path | None = None
    homes: frozenset[str] = frozenset()

    def is_apart(self, folder: str) -> bool:
        """Whether the index of a folder comes apart from the folder, in the order of the addresses."""
        return self.links == "bare" and folder != "" and folder not in self.homes

    def address(self, file: str) -> str:
        """The path at which a file or a folder below the root is served."""
        if self.homes and file.removesuffix("index.html") in self.homes:
            return file.removesuffix("index.html")
        return address(file, self.links)


def pages(directory: Directory, on_finding: Callable[[Finding], None]) -> Iterator[Page]:
    """Every HTML file below the root as a page, in the byte order of the locs.

    Hidden files and folders are passed over. Of links to folders, only those are followed whose home page
    names this as its canonical address; the others, and what cannot be read, come as pages with a reason
    to leave them out. ``on_finding`` is called with what is wrong in front matter. Holds the names of
    a folder and of those above it, no more. Raises SitemapError when the root cannot be read.
    """
    if not os.access(directory.root, os.R_OK | os.X_OK):
        raise SitemapError(f"The folder {directory.root} cannot be read.")
    maps = UnmatchedGlobs((("map", rule.site) for rule in directory.sources.rules), matcher=SiteGlobs)
    generated = GeneratedPages(directory.root)
    for file, reason in _walk(directory, on_finding):
        path = directory.address(file)
        maps.compare((file, path))
        source = directory.sources.of(file, path)
        page = Page(
            path=path,
            file=f"{directory.root}/{file}",
            sources=_made_of(directory, source) if source else (),
            names=(path, file) if path != file else (file,),
            default=reason or _default(directory, generated, file, source),
        )
        yield _with_front_matter(directory, page, source, on_finding) if source else page
    for finding in maps.findings():
        on_finding(finding)


def _made_of(directory: Directory, source: str) -> tuple[Path, ...]:
    own, includes, dependencies = Path(source), directory.includes, directory.dependencies
    if not includes or dependencies is False or own.suffix not in MARKDOWN:
        return (own,)
    try:
        text = files.read_file(own).decode("utf-8", "replace")
    except OSError:
        return (own,)
    found = dict.fromkeys((own, *includes.of(text, own.parent)))
    if isinstance(dependencies, bool):
        return tuple(found)
    return tuple(
        path for path in found if path == own or not dependencies.includes([seen_from(includes.docs, path)])
    )


def _with_front_matter(
    directory: Directory, page: Page, source: str, on_finding: Callable[[Finding], None]
) -> Page:
    try:
        meta = read_front_matter(source, directory.fields)
    except SitemapError as error:
        on_finding(Finding(rule="front-matter", where=one_line(source), message=one_line(str(error))))
        return page
    if not meta:
        return page
    page, wrong = with_own_options(page, meta, source, Path(source).parent, directory.fields)
    for finding in wrong:
        on_finding(finding)
    return page


def _walk(directory: Directory, on_finding: Callable[[Finding], None]) -> Iterator[tuple[str, Reason | None]]:
    """Files below the root, and why they are left out, if they are; also folders that are not entered."""
    entered = [_entries(directory, "")]
    links = _Links(directory.root)
    while entered:
        for path, reason in entered[-1]:
            if reason is None and path.endswith("/"):
                if links.may_enter(path):
                    entered.append(_entries(directory, path))
                    break
                reason = Reason.DUPLICATE  # noqa: PLW2901
            yield path, reason
        else:
            entered.pop()
    for finding in links.findings():
        on_finding(finding)


class _Links:
    """The folders that were entered through symbolic links: each once, and none that contains its link."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._inside = ""  # the folder below which paths lead through a link
        self._entered: set[str] = set()
        self._cycles: list[str] = []

    def may_enter(self, path: str) -> bool:
        """Whether to enter a folder at a path that ends with a slash; paths come in the order of the walk."""
        if not (self._inside and path.startswith(self._inside)):
            self._inside = path if os.path.islink(f"{self._root}/{path[:-1]}") else ""
        if not self._inside:
            return True
        real = os.path.realpath(f"{self._root}/{path}")
        if is_inside(os.path.realpath(f"{self._root}/{os.path.dirname(path[:-1])}"), real):
            self._cycles.append(path)
            return False
        before = len(self._entered)
        self._entered.add(real)
        return len(self._entered) > before

    def findings(self) -> Iterator[Finding]:
        """One for all links that lead to a folder that contains them."""
        if self._cycles:
            more = f" and {len(self._cycles) - 1:,} more" if self._cycles[1:] else ""
            yield Finding(
                rule="link-cycle",
                where=self._cycles[0],
                message=f"The symbolic link {one_line(self._cycles[0])}{more} leads to a folder that "
                "contains it, and is not followed. Remove it.",
            )


def _entries(directory: Directory, folder: str) -> Iterator[tuple[str, Reason | None]]:
    """What is in a folder, in the order of addresses; a folder ends with a slash and stands for its pages."""
    try:
        found = dict(_scan(directory, folder))
    except OSError:
        return iter([(folder, Reason.UNREADABLE)])
    names = sorted(found, key=lambda name: encoded(address(name, directory.links)))
    return ((intern(folder + name), found[name]) for name in names)


def _scan(directory: Directory, folder: str) -> Iterator[tuple[str, Reason | None]]:
    with os.scandir(f"{directory.root}/{folder}") as entries:
        for entry in entries:
            name = entry.name
            if name.startswith("."):
                continue
            if entry.is_symlink():
                yield from _linked(directory, folder, entry)
            elif entry.is_dir():
                if not (name in _ASSETS and os.path.exists(f"{directory.root}/{folder}searchindex.js")):
                    yield from _folder(directory, folder, name)
            elif name.lower().endswith(files.HTML_SUFFIXES) and not (
                name == "index.html" and directory.is_apart(folder)
            ):
                yield name, None if files.is_file_inside(entry, directory.root) else Reason.UNREADABLE


def _folder(directory: Directory, folder: str, name: str) -> Iterator[tuple[str, Reason | None]]:
    yield f"{name}/", None
    # a/index.html at the address a comes before a.html/ and a-b, far from what else is in the folder.
    here = f"{folder}{name}/"
    if directory.is_apart(here) and os.path.isfile(f"{directory.root}/{here}index.html"):
        yield f"{name}/index.html", None


def _linked(directory: Directory, folder: str, link: os.DirEntry[str]) -> Iterator[tuple[str, Reason | None]]:
    path = f"{folder}{link.name}/"
    if not os.path.isdir(link.path):  # unlike the entry, it answers for a link to itself
        if link.name.lower().endswith(files.HTML_SUFFIXES):
            yield link.name, None if files.is_file_inside(link, directory.root) else Reason.UNREADABLE
    elif not is_inside(os.path.realpath(link.path), directory.root):
        yield f"{link.name}/", Reason.UNREADABLE
    elif _is_canonical(directory, f"{path}index.html"):
        yield from _folder(directory, folder, link.name)
    else:
        yield f"{link.name}/", Reason.DUPLICATE


def _is_canonical(directory: Directory, file: str) -> bool:
    """Whether a page names its own address as canonical: no page does so at two addresses."""
    loc = directory.base.loc(directory.address(file))
    try:
        canonicals = parse_head(files.read_inside(directory.root, file)).canonicals
    except OSError:
        return False
    return any(compare_urls(href, loc) != "elsewhere" for href in canonicals)


def _default(directory: Directory, generated: GeneratedPages, file: str, source: str | None) -> Reason | None:
    if is_error_page(file):
        return Reason.NOT_FOUND
    if source and directory.templates and _is_template(directory.templates, source):
        return Reason.TEMPLATE
    return Reason.GENERATED if generated.contain(file) else None


def _is_template(templates: Path, source: str) -> bool:
    return source.lower().endswith(files.HTML_SUFFIXES) and is_inside(source, os.fspath(templates))


def address(file: str, links: Links) -> str:
    """The path at which a file below the root is served; a folder's own path for a folder."""
    if links == "files":
        return file
    if file == "index.html":
        return ""
    if file.endswith("/index.html"):
        return file[: -len("index.html" if links != "bare" else "/index.html")]
    if links != "folders" and not file.endswith("/"):
        return file[: file.rindex(".")]
    return file
