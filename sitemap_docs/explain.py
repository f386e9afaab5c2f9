"""Why one page is in the sitemap or out of it, and where that is decided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from sitemap_docs.audit.registry import Settings
from sitemap_docs.audit.run import audit
from sitemap_docs.audit.site import NO_SITEMAP, HtmlPage, Site, read_site
from sitemap_docs.built import Built
from sitemap_docs.files import seen_from
from sitemap_docs.history.git_program import GitTrouble
from sitemap_docs.history.repository import describe
from sitemap_docs.model import Alternate, BuildRow, Finding, NameOf, Row, SitemapError
from sitemap_docs.text import one_line
from sitemap_docs.tree import build_at, default_language
from sitemap_docs.urls.versions import version_rank
from sitemap_docs.web import is_web
from sitemap_docs.webroot import Webroot

NEAR = 3


@dataclass(frozen=True, kw_only=True)
class Dated:
    """The commit that dates a page, and the file that it changed; ``when`` is ISO 8601 in UTC.

    ``author`` and ``subject`` are empty where only the record of the build knows the commit.
    """

    when: str
    commit: str
    author: str
    subject: str
    file: str


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """All that is known of one page.

    ``reason`` is why it is left out (``""``: it is listed), ``detail`` what decided. ``sitemap`` is the file
    that lists it now, ``line`` where, ``lastmod`` as written there. ``dated`` is the commit that dates it.
    ``record``: reason, sources and commit are those of the last build, from its record, and not read from the
    folder alone. ``undated`` are dependencies that date no page; ``undated_cause`` is why no commit dates the
    page.
    """

    loc: str
    base_url: str
    base_url_from: str
    file: str
    source: str
    reason: str
    detail: str
    sitemap: str
    line: int
    lastmod: str
    dated: Dated | None
    alternates: tuple[Alternate, ...]
    findings: tuple[Finding, ...]
    record: bool = False
    undated: tuple[str, ...] = ()
    undated_cause: str = ""

    def data(self) -> Mapping[str, object]:
        """As JSON has it."""
        data = asdict(self)
        data["findings"] = [finding.data() for finding in self.findings]
        data["alternates"] = {each.hreflang: each.href for each in self.alternates}
        data["listed"] = not self.reason
        return data

    def __str__(self) -> str:
        decision = f"left out: {self.reason}" if self.reason else "listed"
        if self.detail:
            decision += f" ({self.detail})"
        file = self.file
        if self.source:
            file += f", made of {self.source}"
        sitemap = "not listed by any sitemap of the site"
        if self.sitemap:
            sitemap = f"{self.sitemap}, line {self.line}"
        lines = [
            ("page:", self.loc),
            ("base URL:", f"{self.base_url} ({self.base_url_from})"),
            ("file:", file),
            ("decision:", decision),
            ("sitemap:", sitemap),
            ("lastmod:", self.lastmod or "none in the sitemap"),
        ]
        if self.dated:
            commit = self.dated
            by = f" by {commit.author}" if commit.author else ""
            lines.append(("commit:", f"{commit.commit[:12]}{by}, {commit.when}"))
            if commit.subject:
                lines.append(("", commit.subject))
            lines.append(("", f"it changed {commit.file}"))
        elif not self.reason:
            lines.append(("commit:", f"no commit found: {self.undated_cause}"))
        lines += [("not dated:", f"by {each}: every page depends on it") for each in self.undated]
        lines += [("alternate:", f"{each.hreflang} {each.href}") for each in self.alternates]
        lines += [(f"{each.severity}:", f"{each.rule}: {each.message}") for each in self.findings]
        return "\n".join(one_line(f"{name:<11}{text}") for name, text in lines)


def explain_page(built: Built, name: str, settings: Settings) -> Explanation:
    """Returns what is known of the page ``name``: its address, its file in the site, or its source.

    ``settings`` are the rules of the findings. Only the page and those that it names are read, unless a rule
    needs all. Raises SitemapError, with pages of a like name, when there is none.
    """
    if not name:
        raise SitemapError(f"Which page of {built.site.output}? {_hint(built, name)}")
    row = built.find(_names(built, name))
    if row is None:
        raise SitemapError(f"There is no page {name} in {built.site.output}. {_hint(built, name)}")
    seen = _read_around(built, row, settings)
    page = seen.by_file.get(row.file) or HtmlPage(row=row, file=row.file, loc=row.loc)
    reason, detail = seen.status(page)
    if not reason and not seen.sitemaps:
        reason, detail = NO_SITEMAP, "a build of this folder would list the page"
    dated, undated_cause = None, row.cause
    if row.commit and row.lastmod:
        dated = _dated(row, row.lastmod, built.site.around.environ)
    elif row.lastmod:
        undated_cause = "the page or a hook sets the date; page_dates shows no date of a hook"
    source = sitemap = lastmod = ""
    line = 0
    alternates = page.alternates or row.alternates
    if row.sources:
        source = seen_from(Path.cwd(), row.sources[0])
    if page.url:
        sitemap, line, lastmod = page.url.sitemap, page.url.line, page.url.lastmod
        alternates = page.url.alternates or alternates
    return Explanation(
        loc=page.loc,
        base_url=built.site.base.url,
        base_url_from=built.site.base_from,
        file=page.file,
        source=source,
        reason=reason,
        detail=detail,
        sitemap=sitemap,
        line=line,
        lastmod=lastmod,
        dated=dated,
        alternates=alternates,
        findings=audit(seen, settings, about=page),
        record=row.known,
        undated=row.undated,
        undated_cause=undated_cause,
    )


def _dated(row: Row, when: datetime, environ: Mapping[str, str]) -> Dated:
    """The commit that dates a page, without author and subject where git has no such commit any more."""
    author = subject = ""
    with suppress(GitTrouble):
        change = describe(row.root, row.commit, environ)
        author, subject = change.author, change.subject
    file = seen_from(row.root, row.changed)
    return Dated(when=when.isoformat(), commit=row.commit, author=author, subject=subject, file=file)


def _read_around(built: Built, row: Row, settings: Settings) -> Site:
    """The page of a row and what it names, as far as rules about one page read it; else all pages."""
    if settings.whole:
        return read_site(built, settings, sources_from=Path.cwd())
    rows = {row.file: row}
    while True:
        number = len(rows)
        seen = read_site(built, settings, rows=[*rows.values()], sources_from=Path.cwd())
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
    site = built.site
    served = Webroot(site.output, site.base)
    address = name if is_web(name) else site.base.loc(name.lstrip("/"))
    # First the files: `a:b.html` is a page, and also an address with the scheme `a`.
    if not is_web(name):
        yield "file", seen_from(site.output, name)
    yield "loc", address.partition("#")[0]
    for file in (served.file_of(address), name):
        if file:
            yield "file", file
    folders = [Path.cwd(), *map(Path, built.source_folders), *site.output.parents]
    for source in (folder / name for folder in folders):
        yield "source", str(source)
        yield "source", str(source.resolve())


def _hint(built: Built, name: str) -> str:
    stem = name.rstrip("/").rpartition("/")[2].partition(".")[0].lower()
    like = [row for row in built.rows() if stem in row.file.lower()]
    if built.builds:
        default = default_language(built.site.output, built.site.base, built.builds)
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
