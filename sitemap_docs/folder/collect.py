"""Collect the pages of a built folder, in the order of their addresses."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.config.frontmatter import front_matter, parse_front_matter, read_start
from sitemap_docs.config.own_options import about_unread, with_own_options
from sitemap_docs.decide import Collected
from sitemap_docs.files import seen_from
from sitemap_docs.folder.folder_site import FolderSite
from sitemap_docs.folder.generated import GeneratedPages
from sitemap_docs.history.diagnostics import sources_missing
from sitemap_docs.history.page_dates import PageSources, page_sources
from sitemap_docs.html.body import read_page
from sitemap_docs.html.head import head_inside
from sitemap_docs.listing.address_style import early_path
from sitemap_docs.listing.alternates import link_translations
from sitemap_docs.listing.error_pages import ERROR_PAGES, is_error_page, is_named_404
from sitemap_docs.listing.home_page import missing_home_of_folder
from sitemap_docs.model import NO_FACTS, Fact, Finding, Page, SitemapError, Watch, unwatched
from sitemap_docs.programs.include_marks import include_mark
from sitemap_docs.programs.sphinx import ASSETS, UNTITLED, copied_file, included_names
from sitemap_docs.rules import reported
from sitemap_docs.sources.includes import MARKDOWN, Included, page_template
from sitemap_docs.sources.source_files import SourceFolders, SourceMap
from sitemap_docs.text import one_line
from sitemap_docs.urls.base import encoded
from sitemap_docs.urls.languages import Translation
from sitemap_docs.urls.link_styles import address, spellings
from sitemap_docs.webroot import Webroot


def collect_pages(folder: FolderSite, watch: Watch = unwatched) -> Collected:
    """Collect the HTML files of a built folder as pages.

    ``watch`` can show the progress.

    Raises:
        SitemapError: The folder cannot be read.
    """
    if not os.access(folder.root, os.R_OK | os.X_OK):
        raise SitemapError(f"The folder {folder.root} cannot be read. Check its permissions.")
    options = folder.project.options
    fields = (*options.lastmod_fields, "template") if folder.templates else options.lastmod_fields
    generated = GeneratedPages(folder.root)
    find_path = path_finder(folder, generated)
    globbed = files.Folders()
    pages: list[Page] = []
    translations: dict[Path | str, Translation] = {}
    layout = folder.sources.layout
    findings: list[Finding] = [*folder.known.findings]
    for file, fact in watch(walk(folder, generated), "pages found"):
        home = generated.home(file.rpartition("/")[0])
        path, original = find_path(file), ""
        if home is not None and not generated.is_document(home, file):
            original = copied_file(file.removeprefix(f"{home}/"), folder.extra)
        source = original or folder.sources.find(file)
        facts = {fact} if fact else _facts(folder, generated, file, source)
        if original and not fact:
            facts.add(Fact.STATIC)
        meta, unread = _read_front_matter(source, fields)
        findings += unread
        find_others = partial(_other_sources, folder, file, source, meta, is_sphinx=home is not None)
        made_of = page_sources(source, find_others, options)
        page = Page(
            path=path,
            file=f"{folder.root}/{file}",
            sources=made_of.files,
            names=_page_names(folder, path, file, source),
            facts=frozenset(facts) or NO_FACTS,
            unknown=made_of.unknown,
        )
        if source and meta:
            page, problems = with_own_options(page, meta, source, source, globbed, options.lastmod_fields)
            findings += problems
        pages.append(page)
        if source and (translation := layout.translation(file, source)):
            translations[page.file] = translation
    pages = _mark_included_parts(pages, folder, generated)
    pages = _mark_error_pages(pages, folder)
    if translations:
        pages = link_translations(pages, translations, folder.project.base, layout.default_language)
    project = folder.project
    names = [seen_from(folder.root, page.file) for page in pages]
    webroot = Webroot(project.output, project.hosting)
    if no_home := missing_home_of_folder(webroot, names, project.surroundings.here):
        findings.append(no_home)
    findings += _unused_maps(folder.sources, pages)
    if options.lastmod != "none":
        findings += _unused_sources(folder.named_sources, pages)
    return replace(folder.known, pages=pages, findings=findings)


def path_finder(folder: FolderSite, generated: GeneratedPages | None = None) -> Callable[[str], str]:
    """Return a function that turns the name of a built file into a path: ``a/index.html`` into ``a/``.

    ``generated`` knows which pages of the folder a site generator has written.
    """
    generated = generated or GeneratedPages(folder.root)

    def find_path(file: str) -> str:
        return early_path(file, folder.known.style.links, is_flat=generated.is_flat_file(file))

    return find_path


def _read_front_matter(
    source: str | None, fields: Iterable[str]
) -> tuple[Mapping[str, object], list[Finding]]:
    """Return the front matter of a page, and warnings about options in it that cannot be read.

    ``source`` is the path of the page's source file, or None. To save time, front matter is only parsed if it
    mentions an option of sitemap-docs or one of ``fields``.
    """
    if not source:
        return {}, []
    text = read_start(source)
    try:
        meta = parse_front_matter(text, source, fields)
    except SitemapError as error:
        return {}, [front_matter(one_line(str(error))).at(one_line(source))]
    return meta, _unread_options(text, source, meta)


def _unread_options(text: bytes, source: str, meta: Mapping[str, object]) -> list[Finding]:
    """Return warnings about sitemap options in a page's source file that could not be read.

    For example, the options are in front matter without a closing ``---``. ``text`` is the start of the
    source file, and ``meta`` the front matter that could be read.
    """
    ending = os.path.splitext(source)[1].lower()
    if ending not in MARKDOWN | {".mdx", ".rst"}:
        return []
    return about_unread(text, ending, meta, source, reports_errors=True, reads_toml=True)


def _unused_sources(folders: Iterable[str], pages: Iterable[Page]) -> Iterator[Finding]:
    """Yield a warning for each folder passed as ``--source`` in which no page has its source file."""
    used = {os.fspath(parent) for page in pages if page.sources for parent in Path(page.sources[0]).parents}
    for folder in folders:
        if used and folder not in used:
            message = f"The folder {folder} in --source contains no source of a page. Remove the flag."
            yield sources_missing(message)


def _page_names(folder: FolderSite, path: str, file: str, source: str | None) -> tuple[str, ...]:
    """Return the names that options accept for a page, such as ``guide/`` and ``guide.md``."""
    names = (path,) if path == file else (path, file)
    if source and folder.docs and files.is_inside(source, folder.docs):
        written = seen_from(folder.docs, source)
        names = (written, os.path.splitext(written)[0], *names)
    return names


def _unused_maps(sources: SourceFolders, pages: list[Page]) -> Iterator[Finding]:
    """Yield a warning for each ``--map`` rule that leads from no page to an existing source file.

    A rule is, for example, ``guide/*.html=*.md``.
    """
    unused = dict.fromkeys(sources.maps)
    named: dict[SourceMap, str] = {}  # the first file of each
    for page in pages if unused else ():
        for rule, name in sources.named_by_maps(page.names[-1]):
            named.setdefault(rule, name)
            if any(os.path.isfile(f"{folder}/{name}") for folder in sources.folders):
                unused.pop(rule, None)
    for rule in unused:
        folders = ", ".join(map(one_line, sources.folders))
        yield map_unused(rule.text, one_line(named.get(rule, rule.source)), folders)


def _mark_error_pages(pages: list[Page], folder: FolderSite) -> list[Page]:
    """Mark pages such as ``errors/404.html`` as error pages, unless another page links to them."""
    unknown: dict[str, int] = {}
    for number, page in enumerate(pages):
        if is_named_404(page.path) and not (page.facts or page.sources or is_error_page(page.path)):
            unknown[seen_from(folder.root, page.file)] = number
    if not unknown:
        return pages
    webroot = Webroot(Path(folder.root), folder.project.hosting)
    for name, _ in folder.known.replaced.files(webroot):
        unknown.pop(name, None)
    for page in pages:
        if not unknown:
            break
        try:
            text = files.read_file(page.file)
            if not any(name.encode() in text for name in ERROR_PAGES):  # it links to none
                continue
            head, body = read_page(Path(page.file))
        except OSError:
            continue
        name = seen_from(folder.root, page.file)
        for href in body.links:
            linked = webroot.file_of(head.absolute(href, folder.project.base.loc(page.path)))
            if linked and linked != name:
                unknown.pop(linked, None)
    for number in unknown.values():
        pages[number] = pages[number]._replace(facts=frozenset({Fact.ERROR_PAGE}))
    return pages


def _mark_included_parts(pages: list[Page], folder: FolderSite, generated: GeneratedPages) -> list[Page]:
    """Mark documents that Sphinx only includes in other documents, and return all pages.

    The sitemap leaves out a page with this mark, ``Fact.INCLUDED``. A document with a title is not marked.
    ``generated`` finds the output folders of Sphinx.
    """
    parts: set[str] = set()
    for page in [page for page in pages if page.sources]:
        place = os.path.dirname(seen_from(folder.root, page.file))
        if generated.home(place) is not None:
            source = os.fspath(page.sources[0])
            with suppress(OSError):
                for name in included_names(files.read_file(source).decode("utf-8", "replace")):
                    folders = folder.sources.folders if name.startswith("/") else [os.path.dirname(source)]
                    parts.update(os.path.normpath(f"{folder}/{name}") for folder in folders)
    for number, page in enumerate(pages):
        if not page.facts and page.sources and os.fspath(page.sources[0]) in parts:
            head = head_inside(folder.root, seen_from(folder.root, page.file), described=True)
            if (head.title or "").startswith(UNTITLED):
                pages[number] = page._replace(facts=frozenset({Fact.INCLUDED}))
    return pages


def _other_sources(
    folder: FolderSite, file: str, source: str | None, meta: Mapping[str, object], *, is_sphinx: bool
) -> PageSources:
    """Find the files other than its source that affect a page, such as included files.

    If some of them can only be found during a build, ``PageSources.unknown`` says why they are missing.
    ``meta`` is the front matter of the page.
    """
    included = Included(())
    includes = None if is_sphinx else folder.includes
    if source and (includes is None or includes.reads):
        ending = ".rst" if is_sphinx else os.path.splitext(source)[1].lower()
        with suppress(OSError):
            text = files.read_file(source).decode("utf-8", "replace")
            if ending in MARKDOWN and includes:
                included = includes.find(text, Path(source).parent)
            elif not includes:
                cause = include_mark(text, ending)
                if cause and is_sphinx:
                    cause = cause._replace(remedy="extension")
                included = Included((), cause)
            if included.unknown and os.path.samefile(source, f"{folder.root}/{file}"):
                included = Included(())  # a page that is its own source is not built
    every = [*included.files, *folder.sources.layout.listed_sources(file)]
    if template := page_template(meta, folder.templates):
        every.append(template)
    return PageSources(tuple(every), included.unknown)


def walk(folder: FolderSite, generated: GeneratedPages | None = None) -> Iterator[tuple[str, Fact | None]]:
    """Yield each HTML file below a folder, sorted by URL, with None or the reason to skip the file.

    If a whole subfolder is skipped, yield only its path, such as ``guide/``, with the reason. ``generated``
    recognises files that no author wrote.
    """
    # Folders may nest deeper than Python's own stack, so a list has what is still to be visited.
    generated = generated or GeneratedPages(folder.root)
    waiting = [*reversed(_entries(folder, "", generated))]
    linked = ""  # the folder below which paths lead through a link
    entered: set[str] = set()  # where such paths lead: each folder once, and none that contains the link
    while waiting:
        path, reason = waiting.pop()
        if reason or not path.endswith("/"):
            yield path, reason
            continue
        whole = f"{folder.root}/{path[:-1]}"
        if not (linked and path.startswith(linked)):
            linked = path if os.path.islink(whole) else ""
        if linked:
            real = os.path.realpath(whole)
            contains_link = files.is_inside(os.path.realpath(os.path.dirname(whole)), real)
            if contains_link or real in entered:
                yield path, Fact.LINK
                continue
            entered.add(real)
        waiting += reversed(_entries(folder, path, generated))


def _entries(folder: FolderSite, below: str, generated: GeneratedPages) -> list[tuple[str, Fact | None]]:
    """Return the HTML files and subfolders in the subfolder ``below``, such as ``guide/``, sorted by URL.

    The second item of each pair says why a build skips the file or folder, such as ``Fact.UNREADABLE``,
    otherwise it is None. ``generated`` recognises output folders of Sphinx, in which folders such as
    ``_static/`` are left out.
    """
    facts: dict[str, Fact | None] = {}
    try:
        with os.scandir(f"{folder.root}/{below}") as entries:
            for entry in entries:
                name = entry.name
                is_link = entry.is_symlink()
                # The entry of a link to itself says that it is a folder; the system knows better.
                is_folder = os.path.isdir(entry.path) if is_link else entry.is_dir()
                if name.startswith("."):
                    continue
                if is_folder:
                    is_asset = not is_link and name in ASSETS
                    if is_asset and generated.is_sphinx(below.rstrip("/")):
                        continue
                    reason = _why_not_entered(folder, f"{below}{name}/", entry) if is_link else None
                    facts[f"{name}/"] = reason
                elif files.is_html(name):
                    readable = files.is_file_inside(entry, folder.root)
                    facts[name] = None if readable else Fact.UNREADABLE
    except OSError:
        return [(below, Fact.UNREADABLE)]
    names = sorted(facts, key=lambda name: encoded(address(name, "folders")))
    return [(below + name, facts[name]) for name in names]


def _why_not_entered(folder: FolderSite, path: str, link: os.DirEntry[str]) -> Fact | None:
    """Return the reason for not following a symbolic link to a folder, or None to follow it."""
    if not files.is_inside(os.path.realpath(link.path), folder.root):
        return Fact.UNREADABLE
    # No page names two addresses as its canonical one.
    home = f"{path}index.html"
    for url in head_inside(folder.root, home).canonical_urls(folder.project.base.loc(path)):
        if folder.project.base.path_of(url) in spellings(home):
            return None
    return Fact.LINK


def _facts(folder: FolderSite, generated: GeneratedPages, file: str, source: str | None) -> set[Fact]:
    facts = set()
    if source and folder.docs and source == f"{folder.docs}/{file}":
        facts.add(Fact.STATIC)
    if source and folder.sources.layout.is_untranslated(file, source):
        facts.add(Fact.UNTRANSLATED)
    if fact := generated.fact(file):
        facts.add(fact)
    return facts


@reported()
def map_unused(rule: str, name: str, folders: str) -> str:
    """A map matches no page, or leads to no source.

    The pages for which it was written have no date.
    Correct the pattern of pages before the `=`, or the pattern of sources after it.
    Wrong: `--map "/guide/*=content/*"`
    Right: `--map "guide/*.html=*.md"`
    Source: sitemap-docs: the page Any folder of HTML
    """
    return (
        f"The map {rule!r} leads to no source of a page. It looks for files such as {name} in {folders}. "
        "Correct the part before or after `=`, or `--source`."
    )
