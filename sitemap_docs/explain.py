"""Why one page is in the sitemap or out of it, and where that is decided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from sitemap_docs import decide
from sitemap_docs.audit.run import audit
from sitemap_docs.audit.settings import Settings
from sitemap_docs.audit.site import HtmlPage, Site
from sitemap_docs.audit.site_reader import read_site
from sitemap_docs.files import repository_of, seen_from
from sitemap_docs.folder.folder_site import FolderSite
from sitemap_docs.history.git_program import GitTrouble
from sitemap_docs.history.page_dates import Stamp
from sitemap_docs.history.repository import describe
from sitemap_docs.listing.selection import has_file
from sitemap_docs.model import Alternate, Finding, Row, SitemapError
from sitemap_docs.output.record import Record, stamp_of
from sitemap_docs.text import one_line
from sitemap_docs.web import is_web
from sitemap_docs.webroot.served_files import Webroot

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
        else:
            lines.append(("commit:", f"no commit found: {self.undated_cause}"))
        lines += [("not dated:", f"by {each}: every page depends on it") for each in self.undated]
        lines += [("alternate:", f"{each.hreflang} {each.href}") for each in self.alternates]
        lines += [(f"{each.severity}:", f"{each.rule}: {each.message}") for each in self.findings]
        return "\n".join(one_line(f"{name:<11}{text}") for name, text in lines)


def explain_page(built: FolderSite, name: str, settings: Settings) -> Explanation:
    """What is known of the page ``name``: its address, its file in the site, or its source.

    ``settings`` are the rules of the findings. Where the record of the last build has the page, only it and
    the pages that it names are read. Raises SitemapError, with pages of a like name, when there is none.
    """
    site = built.site
    seen, page, known = _look_up(built, name, settings)
    reason, detail = seen.why_not_listed(page)
    undated: tuple[str, ...] = ()
    if known:
        reason, detail, undated = known.reason.value if known.reason else "", known.detail, known.undated
    dated = None
    undated_cause = ""
    if built.record and known:
        stamp = stamp_of(known, repository_of)
        if stamp:
            dated = _dated(stamp, site.environ)
        if dated is None and known.commit and known.lastmod:  # git has no more
            changed = seen_from(built.record.root, known.changed)
            when = known.lastmod.isoformat()
            dated = Dated(when=when, commit=known.commit, author="", subject="", file=changed)
    if dated is None:
        dated, undated_cause = _date_of(page, seen)
    source = sitemap = lastmod = ""
    line = 0
    alternates = page.alternates
    if page.page.sources:
        source = seen_from(Path.cwd(), page.page.sources[0])
    if page.url:
        sitemap, line, lastmod = page.url.sitemap, page.url.line, page.url.lastmod
        alternates = page.url.alternates or alternates
    return Explanation(
        loc=page.loc,
        base_url=site.base.url,
        base_url_from=built.base_by,
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
        record=page.page.decided is not None,
        undated=undated,
        undated_cause=undated_cause,
    )


def _date_of(page: HtmlPage, seen: Site) -> tuple[Dated | None, str]:
    """The commit that dates a page, or why none does."""
    site = seen.build
    stamp = seen.history.stamps.get(page.file)
    if stamp is None and site.options.lastmod == "none":
        return None, "dates are switched off (`lastmod: none`)"
    if stamp is None and page.page.options.lastmod:
        return None, "the date is one that the page or a hook sets"
    if stamp is None:  # of a page without a file, and where no rule asks for dates, none was read
        dates = decide.dates_of(site, page.page.sources)
        stamp = dates.of_page(page.page)
        if stamp is None:
            return None, dates.why_undated(page.page).words
    return _dated(stamp, site.environ), ""


def _dated(stamp: Stamp, environ: Mapping[str, str]) -> Dated | None:
    """The commit behind a date; None where git has no such commit."""
    try:
        change = describe(stamp.root, stamp.commit, environ)
    except GitTrouble:
        return None
    return Dated(
        when=stamp.when.isoformat(),
        commit=stamp.commit,
        author=change.author,
        subject=change.subject,
        file=stamp.path,
    )


def _look_up(built: FolderSite, name: str, settings: Settings) -> tuple[Site, HtmlPage, Row | None]:
    """The site as far as it is read for a page, the page, and what the last build decided, if it is known."""
    site, record = built.site, built.record
    known = _recorded(record, built, name) if record else None
    if record and known and not has_file(record.page_of(known)):
        missing = HtmlPage(page=record.page_of(known), file=known.file, loc=known.loc)
        return read_site(site, (), settings, alone=True), missing, known
    if record and known and not settings.whole:
        pages = {known.file: record.page_of(known)}
        number = 0
        while number < len(pages):  # the page, and what it names, as far as rules about one page read it
            number = len(pages)
            seen = read_site(site, pages.values(), settings, sources_from=Path.cwd(), alone=True)
            page = seen.by_file[known.file]
            named = [page.elsewhere, *(each.href for each in page.alternates)]
            if page.url:
                named += [each.href for each in page.url.alternates]
            for file in filter(None, map(seen.file_of, named)):
                if file not in pages and (other := record.row(file=file)):
                    pages[file] = record.page_of(other)
        return seen, page, known
    seen = read_site(site, built.collect().pages, settings, sources_from=Path.cwd())
    page = _page_named(seen, built, name)
    if record:
        known = record.row(file=page.file)
    return seen, page, known


def _recorded(record: Record, built: FolderSite, name: str) -> Row | None:
    """The page as the last build knew it; only the part of the record that names it is read."""
    for file in _files_named(Webroot(built.site.output, built.site.base), name):
        known = record.row(file=file)
        if known:
            return known
    for source in _sources_named(built, name):
        known = record.row(source=str(source)) or record.row(source=str(source.resolve()))
        if known:
            return known
    return None


def _page_named(site: Site, built: FolderSite, name: str) -> HtmlPage:
    """The page with an address, a file of the site or a source. Raises SitemapError."""
    for file in _files_named(site.served, name):
        if file in site.by_file:
            return site.by_file[file]
    by_source: dict[Path, HtmlPage] = {}
    stem = name.rstrip("/").rpartition("/")[2].partition(".")[0].lower()
    like = []
    for page in site.pages:
        if page.page.sources:
            by_source.setdefault(Path(page.page.sources[0]).resolve(), page)
        if stem and stem in page.file.lower():
            like.append(page.file)
    for source in _sources_named(built, name):
        if source.resolve() in by_source:
            return by_source[source.resolve()]
    hint = "Pass its address, its file or its source."
    if like:
        hint = f"Did you mean {' or '.join(like[:NEAR])}?"
    raise SitemapError(f"There is no page {name} in {site.build.output}. {hint}")


def _sources_named(built: FolderSite, name: str) -> Iterator[Path]:
    """What a source's path may mean: from the current folder, a folder of sources, or one above the site."""
    for folder in (Path.cwd(), *map(Path, built.directory.sources.folders), *built.site.output.parents):
        yield folder / name


def _files_named(served: Webroot, name: str) -> list[str]:
    """The files of a site that a file's name, an address or a path below the base URL may mean."""
    address = name
    if not is_web(name):
        address = served.base.loc(name.lstrip("/"))
    # First the files: `a:b.html` is a page, and also an address with the scheme `a`.
    files = (seen_from(served.folder, name), served.file_of(address), name)
    return [file for file in files if file]
