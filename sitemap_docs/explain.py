"""Explain why one page is listed or left out, and which commit dates it."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sitemap_docs.audit.html_page import HtmlPage
from sitemap_docs.audit.rule_settings import Settings
from sitemap_docs.audit.run import audit
from sitemap_docs.audit.site import Site
from sitemap_docs.audit.site_reader import read_site
from sitemap_docs.built import BuiltFolder, PageFinder
from sitemap_docs.files import seen_from
from sitemap_docs.history.git import describe
from sitemap_docs.model import NameOf, Row, SitemapError, TreeSite
from sitemap_docs.text import one_line
from sitemap_docs.tree import default_language, site_at
from sitemap_docs.urls.base import is_web
from sitemap_docs.urls.versions import version_rank
from sitemap_docs.webroot import Webroot

NEAR = 3


def explain_page(folder: BuiltFolder, name: str, settings: Settings) -> dict[str, Any]:
    """Return the date of a page, why the sitemap lists it or not, and other facts, as data for JSON.

    Args:
        folder: The built folder.
        name: The URL, the file or the source of the page.
        settings: The settings of the rules that check the page.

    Returns:
        A dictionary, for example with the ``reason`` why the page is left out of the sitemap, its date
        ``lastmod``, and ``dated``, the git commit from which the date comes.

    Raises:
        SitemapError: There is no such page. The message suggests similar pages.
    """
    finder, project = PageFinder(folder), folder.project
    if not name:
        raise SitemapError(f"Which page of {project.output} do you want to explain? {_hint(finder, name)}")
    row = finder.find(_possible_names(folder, name))
    if row is None:
        raise SitemapError(f"There is no page {name} in {project.output}. {_hint(finder, name)}")
    site = _read_linked_pages(finder, row, settings)
    page = site.by_file.get(row.file) or HtmlPage(row=row, file=row.file, loc=row.loc)
    status = site.status(page)
    dated = None
    undated_cause = row.cause.words if row.cause else ""
    if row.commit and row.lastmod:
        author, subject = describe(row.root, row.commit, project.surroundings.environ)
        dated = {
            "when": row.lastmod.isoformat(),
            "commit": row.commit,
            "author": author,
            "subject": subject,
            "file": seen_from(row.root, row.changed),
        }
    elif row.lastmod:
        undated_cause = "the date is set by the page, or by a hook, whose dates `page_dates` does not show"
    alternates = (page.url and page.url.alternates) or page.alternates or row.alternates
    return {
        "loc": page.loc,
        "base_url": project.base.url,
        "base_url_from": project.address.origin,
        "file": page.file,
        "source": seen_from(project.surroundings.here, row.sources[0]) if row.sources else "",
        "listed": status.reason is None,
        "reason": status.reason.value if status.reason else "",
        "detail": status.detail,
        "sitemap": page.url.sitemap if page.url else "",
        "line": page.url.line if page.url else 0,
        "lastmod": page.url.lastmod if page.url else "",
        "dated": dated,
        "alternates": {each.hreflang: each.href for each in alternates},
        "findings": [finding.data() for finding in audit(site, settings, about=page)],
        "record": row.known,
        "undated": row.undated,
        "undated_cause": undated_cause,
    }


def explained(data: Mapping[str, Any]) -> str:
    """Format the facts about a page, from :func:`explain_page`, as text for a terminal."""
    decision = f"left out: {data['reason']}" if data["reason"] else "listed"
    if data["detail"]:
        decision += f" ({data['detail']})"
    file = data["file"]
    if data["source"]:
        file += f", made of {data['source']}"
    sitemap = "not listed by any sitemap of the site"
    if data["sitemap"]:
        sitemap = f"{data['sitemap']}, line {data['line']}"
    lines = [
        ("page:", data["loc"]),
        ("base URL:", f"{data['base_url']} ({data['base_url_from']})"),
        ("file:", file),
        ("decision:", decision),
        ("sitemap:", sitemap),
        ("lastmod:", data["lastmod"] or "none in the sitemap"),
    ]
    if data["dated"]:
        commit = data["dated"]
        by = f" by {commit['author']}" if commit["author"] else ""
        lines.append(("commit:", f"{commit['commit'][:12]}{by}, {commit['when']}"))
        if commit["subject"]:
            lines.append(("", commit["subject"]))
        lines.append(("", f"it changed {commit['file']}"))
    elif data["listed"]:
        lines.append(("commit:", f"no commit found: {data['undated_cause']}"))
    lines += [("not dated:", f"by {each}, because every page depends on it") for each in data["undated"]]
    lines += [("alternate:", f"{code} {href}") for code, href in data["alternates"].items()]
    lines += [(f"{each['severity']}:", f"{each['rule']}: {each['message']}") for each in data["findings"]]
    return "\n".join(one_line(f"{name:<10} {text}") for name, text in lines)


def _read_linked_pages(finder: PageFinder, row: Row, settings: Settings) -> Site:
    """Read a page, and the pages to which its canonical and hreflang links lead, as a site to audit.

    ``row`` is the page with the decision about it, and ``finder`` finds the other pages. If a rule in
    ``settings`` needs whole HTML pages, read all pages.
    """
    here = finder.folder.project.surroundings.here
    if settings.whole:
        return read_site(finder.read_all(), settings, sources_from=here)
    rows = {row.file: row}
    listed_row = finder.find_listed(row.loc)
    if listed_row:  # It may be another page with the same address.
        rows.setdefault(listed_row.file, listed_row)
    while True:
        number = len(rows)
        site = read_site(finder.with_rows([*rows.values()]), settings, sources_from=here)
        page = site.by_file.get(row.file)
        if page is None:
            return site
        urls = [page.elsewhere, *(alternate.href for alternate in page.alternates)]
        if page.url:
            urls += [alternate.href for alternate in page.url.alternates]
        for url in filter(None, urls):
            file = site.file_of(url)
            if not file or file in rows:
                continue
            other = finder.find([("loc", url), ("file", file)])
            if other:
                rows[other.file] = other
        if number == len(rows):
            return site


def _possible_names(folder: BuiltFolder, name: str) -> Iterator[tuple[NameOf, str]]:
    """Yield what a user may mean by ``name``, the likeliest first: a file, a URL or a source file.

    Each is a pair of its kind and its name, such as ``("file", "a/index.html")``.
    """
    project = folder.project
    served = Webroot(project.output, project.hosting)
    address = name if is_web(name) else project.base.loc(name.lstrip("/"))
    # First the files: `a:b.html` is a page, and also an address with the scheme `a`.
    if not is_web(name):
        yield "file", seen_from(project.output, name)
    yield "loc", address.partition("#")[0]
    for file in (served.file_of(address), name):
        if file:
            yield "file", file
    here = project.surroundings.here
    folders = [here, *map(Path, folder.source_folders), *project.output.parents]
    for source in (source_folder / name for source_folder in folders):
        yield "source", str(source)
        yield "source", str(source.resolve())


def _hint(finder: PageFinder, name: str) -> str:
    """Return advice such as ``Did you mean guide/index.html?`` for a page that was not found."""
    folder = finder.folder
    stem = name.rstrip("/").rpartition("/")[2].partition(".")[0].lower()
    similar_rows = [row for row in finder.read_all().rows if stem in row.file.lower()]
    if folder.sites:
        default = default_language(folder.project.output, folder.project.base, folder.sites)
        similar_rows.sort(key=lambda row: _rank(site_at(folder.sites, row.file), default), reverse=True)
    files = [row.file for row in sorted(similar_rows, key=lambda row: row.reason is not None)]
    if name and stem and files:
        return f"Did you mean {' or '.join(files[:NEAR])}?"
    hint = "Pass the address, the file or the source of a page"
    return f"{hint}, such as {files[0]}." if files and not name else f"{hint}."


def _rank(site: TreeSite | None, default: str) -> tuple[object, ...]:
    """Return a sort key for a version or language: old versions first, the language ``default`` last."""
    if site is None:
        return ()
    is_own = not site.original and site.state != "unselected"
    return is_own, version_rank(site.version), site.language == default
