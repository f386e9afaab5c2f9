"""The pages of one build of MkDocs, remembered language by language.

A template of the project for the sitemap, which MkDocs rendered, decides which of them are listed.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Container, Iterator, Mapping
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from sitemap_docs.config.frontmatter import with_own_options
from sitemap_docs.files import HTML_SUFFIXES, seen_from
from sitemap_docs.html.head import read_head
from sitemap_docs.listing.collected import is_error_page
from sitemap_docs.mkdocs.host import get_data
from sitemap_docs.model import Alternate, ExtraUrl, Finding, Page, Reason, SitemapError
from sitemap_docs.output.ownership import is_ours
from sitemap_docs.sitemap.reader import parse
from sitemap_docs.text import many
from sitemap_docs.urls.base import Base, resolve
from sitemap_docs.urls.languages import hreflang
from sitemap_docs.webroot.lookup import Webroot

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.pages import Page as NavigationPage

    from sitemap_docs.config.options import Options
    from sitemap_docs.mkdocs.sources import PageSources

SITEMAP = "sitemap.xml"


class BuiltPage(NamedTuple):
    """A page; and from mkdocs-static-i18n its language, and the key that its translations share."""

    page: Page
    language: str = ""
    original: str = ""


def candidates(files: Files, config: MkDocsConfig) -> Iterator[File]:
    """The Markdown files that are no part of ``exclude_docs``, and the HTML files of the docs folder."""
    for file in files:
        if file.is_documentation_page():
            if file.inclusion.name != "EXCLUDED":
                yield file
        elif file.dest_uri.endswith(HTML_SUFFIXES) and is_built(file) and _in_docs(file, config):
            yield file


def is_built(file: File) -> bool:
    """Whether ``mkdocs build`` writes the file."""
    return file.inclusion.name not in ("EXCLUDED", "DRAFT")


def _in_docs(file: File, config: MkDocsConfig) -> bool:
    return file.abs_src_path is not None and Path(file.abs_src_path).is_relative_to(config.docs_dir)


def copied_files(files: Files, config: MkDocsConfig) -> dict[str, Path]:
    """The files of the docs folder that are copied as they are, by their names in the site."""
    copied = {}
    for file in files:
        if file.abs_src_path and not file.is_documentation_page() and _in_docs(file, config):
            copied[file.dest_uri] = Path(file.abs_src_path)
    return copied


def front_matter(file: File, config: MkDocsConfig, files: Files) -> Mapping[str, object]:
    """The page's front matter, also where ``--dirty`` did not read it because the page is up to date."""
    page = file.page
    if page is None:
        return {}
    if page.markdown is not None:
        return page.meta
    twin = copy(page)
    twin.markdown, twin.meta = get_data(file.content_string)
    if defaults := config.plugins.get("material/meta"):
        defaults.on_page_markdown(twin.markdown, page=twin, config=config, files=files)
    return twin.meta


def built_page(
    file: File,
    meta: Mapping[str, object],
    sources: PageSources,
    options: Options,
    navigated: Container[int] | None,
    nav_file: str,
) -> tuple[BuiltPage, list[Finding]]:
    """The page of a file, with what its front matter says and what is wrong there.

    ``navigated`` are the ids of the pages in the navigation, if there is one; ``nav_file`` is the name of the
    files that literate-nav reads it from.
    """
    path = unquote(file.url, errors="surrogateescape").removeprefix("./")
    made = sources.of(file, meta)
    page = Page(
        path=path,
        file=file.abs_dest_path,
        sources=made.files,
        names=(path, file.src_uri, file.src_uri.rpartition(".")[0]),
        default=_default(file, options, navigated, nav_file),
    )
    source = file.abs_src_path or sources.docs / file.src_uri
    page, findings = with_own_options(page, meta, file.src_uri, source, options.lastmod_fields)
    if made.computed:
        page = page._replace(sources=(), undated=page.sources)
    if file.generated_by or _is_fallback(file):
        return BuiltPage(page), findings
    language: str = getattr(file, "locale", "")
    return BuiltPage(page, hreflang(language) or "", getattr(file, "norm_src_uri", "")), findings


def template_page(name: str, site: Path) -> Page:
    """The page of a theme's static template, such as 404.html and search.html."""
    reason = Reason.NOT_FOUND if is_error_page(name) else Reason.GENERATED
    return Page(path=name, file=site / name, names=(name,), default=reason)


def _default(  # noqa: PLR0911  one for each reason
    file: File, options: Options, navigated: Container[int] | None, nav_file: str
) -> Reason | None:
    """Why a page is left out by default: the first of the reasons that holds."""
    if not is_built(file):
        return Reason.DRAFT
    if is_error_page(file.dest_uri):
        return Reason.NOT_FOUND
    if not file.is_documentation_page():
        return Reason.STATIC
    if posixpath.basename(file.src_uri) == nav_file and _is_orphan(file.page, navigated):
        return Reason.NAVIGATION
    if options.min_translated and _is_fallback(file):
        return Reason.FALLBACK
    if not options.orphans and _is_orphan(file.page, navigated):
        return Reason.ORPHAN
    return None


def _is_orphan(page: NavigationPage | None, navigated: Container[int] | None) -> bool:
    """Whether no item of the navigation leads to a page, nor to one it belongs to, as a post to its blog."""
    if page is None or navigated is None or page.parent or page.is_homepage:
        return False
    return id(page) not in navigated


def _is_fallback(file: File) -> bool:
    """Whether static-i18n shows the page in the default language in place of a translation."""
    # It cannot know the language of what a plugin generates, and takes the default one.
    language = getattr(file, "locale", "")
    return language != getattr(file, "locale_alternate_of", language) and not file.generated_by


def with_siblings(pages: list[Page], config: MkDocsConfig, base: Base) -> list[Page]:
    """The pages of one language, with their translations in the outputs of the languages built next to it.

    ``extra.alternate`` names the languages of a Material site that is built once for each.
    """
    output = Path(config.site_dir)
    roots: dict[str, Webroot] = {}
    named = config.extra.get("alternate")
    for each in named if isinstance(named, list) else ():
        if not isinstance(each, dict):
            continue
        code = hreflang(str(each.get("lang", "")))
        try:
            theirs = Base.of(resolve(base.url, str(each.get("link", ""))))
        except SitemapError:
            continue
        if code is None or theirs.origin != base.origin:
            continue
        # The outputs lie to each other as the addresses do.
        way = os.path.relpath(urlsplit(theirs.url).path, urlsplit(base.url).path)
        roots[code] = Webroot(Path(os.path.normpath(output / way)), theirs)
    if not roots:
        return pages
    translated = []
    for page in pages:
        found = []
        for code, root in roots.items():
            name = root.file_at(page.path)
            if root.base == base or (name and _is_indexed(root.folder / name, root.base.loc(page.path))):
                found.append(Alternate(code, root.base.loc(page.path)))
        translated.append(page._replace(alternates=tuple(found)))
    return translated


def _is_indexed(file: Path, loc: str) -> bool:
    try:
        head = read_head(file)
    except OSError:
        return False
    return not (head.noindex or head.refresh_elsewhere(loc) or head.canonical_elsewhere(loc))


def with_alternates(pages: list[BuiltPage], base: Base, default: str) -> list[Page]:
    """The pages, each with its translations and itself; ``default`` is the language of ``x-default``."""
    groups: dict[str, dict[str, str]] = {}
    for page, language, original in pages:
        options = page.options
        if language and not page.default and options.listed is not False and not options.noindex:
            groups.setdefault(original, {})[language] = base.loc(page.path)
    translated = []
    for page, _, original in pages:
        group = groups.get(original, {})
        alternates = [Alternate(language, href) for language, href in sorted(group.items())]
        if default in group:
            alternates.append(Alternate("x-default", group[default]))
        translated.append(page._replace(alternates=tuple(alternates)))
    return translated


class Templated(NamedTuple):
    """The pages with what the template leaves out, the addresses that it adds, and what to report."""

    pages: dict[str, BuiltPage]
    added: tuple[ExtraUrl, ...] = ()
    findings: tuple[Finding, ...] = ()


def find_template(config: MkDocsConfig) -> Path | None:
    """The project's own template; None without one."""
    if not config.theme.custom_dir:
        return None
    file = Path(config.theme.custom_dir, SITEMAP)
    return file if file.is_file() else None


def follow_template(
    template: Path, built: Mapping[str, BuiltPage], config: MkDocsConfig, base: Base
) -> Templated:
    """What the rendered template says of the pages, which are by their names in the site.

    Nothing where it lists none of them: then it is no list of pages, or has other addresses.
    """
    site = Path(config.site_dir)
    rendered = site / SITEMAP
    pages = dict(built)
    if not rendered.is_file() or is_ours(rendered):  # the template rendered nothing in this build
        return Templated(pages)
    name = seen_from(Path(config.config_file_path or config.docs_dir).parent, template)
    try:
        locs = [entry.loc for entry in parse(rendered).entries()]
    except SitemapError as error:
        message = f"The template {name} is not used: what it renders cannot be read. {error}"
        return Templated(pages, findings=(Finding(rule="sitemap-template", message=message),))
    webroot = Webroot(site, base)
    named = {loc: webroot.file_of(loc) for loc in locs}
    if not pages.keys() & set(named.values()):
        return Templated(pages)
    left_out = 0
    for dest, each in built.items():
        page = each.page
        if dest not in named.values() and page.default is None and not page.options.listed:
            page = page._replace(default=Reason.SITEMAP_TEMPLATE, detail=name)
            pages[dest] = each._replace(page=page)
            left_out += 1
    added = []
    for loc, file in named.items():
        try:
            url = base.spelled(loc)
        except ValueError:  # of another host, for example: no sitemap of this site may list it
            continue
        if file not in pages:
            added.append(ExtraUrl(url))
    message = (
        f"The sitemap has the pages of the template {name}: {many(left_out, 'page')} left out as there, "
        f"{len(added)} added. Dates, translations and all else are those of sitemap-docs. "
        "To list all pages, remove the template, or set `replace: true`."
    )
    summary = Finding(rule="sitemap-template", severity="info", message=message)
    return Templated(pages, tuple(added), (summary,))
