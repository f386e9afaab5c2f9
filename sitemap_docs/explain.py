"""Why one page is in the sitemap or out of it, and where that is decided."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sitemap_docs.audit.registry import Settings
from sitemap_docs.audit.run import audit
from sitemap_docs.audit.site import NO_SITEMAP, HtmlPage, Site, read_site
from sitemap_docs.built import Built
from sitemap_docs.files import seen_from
from sitemap_docs.history.git import describe
from sitemap_docs.model import BuildRow, NameOf, Row, SitemapError
from sitemap_docs.text import one_line
from sitemap_docs.tree import build_at, default_language
from sitemap_docs.urls.versions import version_rank
from sitemap_docs.web import is_web
from sitemap_docs.webroot import Webroot

NEAR = 3


def explain_page(built: Built, name: str, settings: Settings) -> dict[str, Any]:
    """Returns what is known of the page ``name`` (its address, its file or its source), as JSON has it.

    ``reason`` is why it is left out (``""``: it is listed), ``detail`` what decided. ``sitemap`` is the file
    that lists it now, ``line`` where, ``lastmod`` as written there. ``dated`` is the commit that dates it.
    ``record``: reason, sources and commit are those of the last build, from its record, and not read from the
    folder alone. ``undated`` are dependencies that date no page; ``undated_cause`` is why no commit dates the
    page.

    ``settings`` are the rules of the findings. Only the page and those that it names are read, unless a rule
    needs all. Raises SitemapError, with pages of a like name, when there is none.
    """
    if not name:
        raise SitemapError(f"Which page of {built.project.output}? {_hint(built, name)}")
    row = built.find(_names(built, name))
    if row is None:
        raise SitemapError(f"There is no page {name} in {built.project.output}. {_hint(built, name)}")
    seen = _read_around(built, row, settings)
    page = seen.by_file.get(row.file) or HtmlPage(row=row, file=row.file, loc=row.loc)
    reason, detail = seen.status(page)
    if not reason and not seen.sitemaps:
        reason, detail = NO_SITEMAP, "a build of this folder would list the page"
    dated = None
    undated_cause = row.cause.words if row.cause else ""
    if row.commit and row.lastmod:
        author, subject = describe(row.root, row.commit, built.project.surroundings.environ)
        dated = {
            "when": row.lastmod.isoformat(),
            "commit": row.commit,
            "author": author,
            "subject": subject,
            "file": seen_from(row.root, row.changed),
        }
    elif row.lastmod:
        undated_cause = "the page or a hook sets the date; page_dates shows no date of a hook"
    alternates = (page.url and page.url.alternates) or page.alternates or row.alternates
    return {
        "loc": page.loc,
        "base_url": built.project.base.url,
        "base_url_from": built.project.address.origin,
        "file": page.file,
        "source": seen_from(built.project.surroundings.here, row.sources[0]) if row.sources else "",
        "listed": not reason,
        "reason": reason,
        "detail": detail,
        "sitemap": page.url.sitemap if page.url else "",
        "line": page.url.line if page.url else 0,
        "lastmod": page.url.lastmod if page.url else "",
        "dated": dated,
        "alternates": {each.hreflang: each.href for each in alternates},
        "findings": [finding.data() for finding in audit(seen, settings, about=page)],
        "record": row.known,
        "undated": row.undated,
        "undated_cause": undated_cause,
    }


def explained(data: Mapping[str, Any]) -> str:
    """Returns as lines for a terminal what :func:`explain_page` returns."""
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
    lines += [("not dated:", f"by {each}: every page depends on it") for each in data["undated"]]
    lines += [("alternate:", f"{code} {href}") for code, href in data["alternates"].items()]
    lines += [(f"{each['severity']}:", f"{each['rule']}: {each['message']}") for each in data["findings"]]
    return "\n".join(one_line(f"{name:<10} {text}") for name, text in lines)


def _read_around(built: Built, row: Row, settings: Settings) -> Site:
    """The page of a row and what it names, as far as rules about one page read it; else all pages."""
    here = built.project.surroundings.here
    if settings.whole:
        return read_site(built, settings, sources_from=here)
    rows = {row.file: row}
    while True:
        number = len(rows)
        seen = read_site(built, settings, rows=[*rows.values()], sources_from=here)
        page = seen.by_file.get(row.file)
        if page is None:
            return seen
        named = [page.elsewhere, *(each.href for each in page.alternates)]
        if page.url:
            named += [each.href for each in page.url.alternates]
        for file in filter(None, map(seen.file_of, named)):
            if file not in rows and (other := built.find([("file", file)])):
                rows[file] = other
        if number == len(rows):
            return seen


def _names(built: Built, name: str) -> Iterator[tuple[NameOf, str]]:
    """Yields what the name of a page may mean: a file, an address, a path below the base URL, a source."""
    project = built.project
    served = Webroot(project.output, project.base)
    address = name if is_web(name) else project.base.loc(name.lstrip("/"))
    # First the files: `a:b.html` is a page, and also an address with the scheme `a`.
    if not is_web(name):
        yield "file", seen_from(project.output, name)
    yield "loc", address.partition("#")[0]
    for file in (served.file_of(address), name):
        if file:
            yield "file", file
    here = project.surroundings.here
    folders = [here, *map(Path, built.source_folders), *project.output.parents]
    for source in (folder / name for folder in folders):
        yield "source", str(source)
        yield "source", str(source.resolve())


def _hint(built: Built, name: str) -> str:
    stem = name.rstrip("/").rpartition("/")[2].partition(".")[0].lower()
    like = [row for row in built.rows() if stem in row.file.lower()]
    if built.builds:
        default = default_language(built.project.output, built.project.base, built.builds)
        like.sort(key=lambda row: _rank(build_at(built.builds, row.file), default), reverse=True)
    files = [row.file for row in sorted(like, key=lambda row: row.reason is not None)]
    if name and stem and files:
        return f"Did you mean {' or '.join(files[:NEAR])}?"
    hint = "Pass its address, its file or its source"
    return f"{hint}, such as {files[0]}." if files and not name else f"{hint}."


def _rank(build: BuildRow | None, default: str) -> tuple[object, ...]:
    """The place of a build in a tree: the newest version is last, and of its languages the default one."""
    if build is None:
        return ()
    is_own = not build.original and build.state != "unselected"
    return is_own, version_rank(build.version), build.language == default
