"""Why one page is in the sitemap or out of it, and where that is decided."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_docs import pipeline
from sitemap_docs.audit import audit
from sitemap_docs.audit.history import recorded_stamp
from sitemap_docs.history.lastmod import Stamp, describe
from sitemap_docs.history.repository import GitTrouble, open_repository
from sitemap_docs.model import Alternate, Finding, SitemapError
from sitemap_docs.paths import seen_from
from sitemap_docs.sitemap.dates import read_date
from sitemap_docs.text import one_line
from sitemap_docs.urls.base import split_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sitemap_docs.audit import Settings
    from sitemap_docs.audit.site import HtmlPage, Site
    from sitemap_docs.output.record import PageRecord, Record

NEAR = 3


@dataclass(frozen=True, kw_only=True)
class Dated:
    """The commit that dates a page, and the file that it changed; ``when`` is ISO 8601 in UTC."""

    when: str
    commit: str
    author: str
    subject: str
    file: str


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """All that is known of one page.

    ``reason`` is why it is left out (``""``: it is listed), ``detail`` what decided. ``sitemap`` is the file
    that lists it now, ``line`` where, ``lastmod`` as written there. ``dated`` is the last commit to the
    page's source, ``later`` the commit of the date in the sitemap where that is a later one: it changed
    something else that the page is made of. ``record``: reason, sources and commit are those of the last
    build, from its record, and not read from the folder alone. ``undated`` are dependencies
    that date no page; ``undated_cause`` is why no commit dates the page.
    """

    loc: str
    base: str
    base_by: str
    file: str
    source: str
    reason: str
    detail: str
    sitemap: str
    line: int
    lastmod: str
    dated: Dated | None
    later: Dated | None
    alternates: tuple[Alternate, ...]
    findings: tuple[Finding, ...]
    record: bool = False
    undated: tuple[str, ...] = ()
    undated_cause: str = ""

    def data(self) -> Mapping[str, object]:
        """As JSON has it."""
        data = asdict(self)
        data["alternates"] = {each.hreflang: each.href for each in self.alternates}
        data["listed"] = not self.reason
        return data

    def __str__(self) -> str:
        return "\n".join(one_line(f"{name + ':' if name else '':<11}{text}") for name, text in self._lines())

    def _decision(self) -> str:
        if not self.reason:
            return "listed"
        return f"left out: {self.reason}" + (f" ({self.detail})" if self.detail else "")

    def _lines(self) -> Iterator[tuple[str, str]]:
        yield "page", self.loc
        yield "base URL", f"{self.base} ({self.base_by})"
        yield "file", self.file + (f", made of {self.source}" if self.source else "")
        yield "decision", self._decision()
        yield (
            "sitemap",
            f"{self.sitemap}, line {self.line}" if self.sitemap else "not listed by any sitemap of the site",
        )
        yield "lastmod", self.lastmod or "none in the sitemap"
        if named := self.later or self.dated:
            yield "commit", f"{named.commit[:12]} by {named.author}, {named.when}"
            yield "", named.subject
            yield "", f"it changed {named.file}"
        else:
            yield "commit", f"no commit found: {self.undated_cause}"
        if self.later and self.dated:
            yield "source", f"older: {self.dated.commit[:12]} by {self.dated.author}, {self.dated.when}"
        for file in self.undated:
            yield "not dated", f"by {file}: every page depends on it"
        for each in self.alternates:
            yield "alternate", f"{each.hreflang} {each.href}"
        for finding in self.findings:
            yield finding.severity, f"{finding.rule}: {finding.message}"


def explain_page(
    site: pipeline.SiteBuild,
    seen: Site,
    settings: Settings,
    base_by: str,
    name: str,
    record: Record | None = None,
) -> Explanation:
    """What is known of the page ``name``: its address, its file in the site, or its source.

    ``seen`` is the site as it was read. ``settings`` are the rules of the findings. ``record`` is that of the
    last build, where there is one.

    Raises SitemapError, with pages of a like name, when there is none.
    """
    page = find_page(seen, name)
    known = record.page(page.file) if record else None
    if known:
        reason, detail = known.reason, known.detail
    else:
        decision = seen.decision(page)
        reason, detail = decision.reason.value if decision.reason else "", decision.detail
    stamp = seen.history.stamps.get(page.file)
    dated = _recorded(known, site.environ) if known else None
    dated = dated or (_dated(stamp, site.environ) if stamp else None)
    return Explanation(
        loc=page.loc,
        base=site.base.url,
        base_by=base_by,
        file=page.file,
        source=page.source,
        reason=reason,
        detail=detail,
        sitemap=page.url.sitemap if page.url else "",
        line=page.url.line if page.url else 0,
        lastmod=page.url.lastmod if page.url else "",
        dated=dated,
        later=_later(stamp, page.url.lastmod, site.environ) if stamp and page.url and not known else None,
        alternates=page.url.alternates if page.url and page.url.alternates else page.alternates,
        findings=tuple(filter(page.is_at, audit(seen, settings, about=page))),
        record=known is not None,
        undated=known.undated if known else (),
        undated_cause="" if dated else _undated_cause(site, page),
    )


def _undated_cause(site: pipeline.SiteBuild, page: HtmlPage) -> str:
    options = site.options
    if options.lastmod == "none":
        return "dates are switched off (`lastmod: none`)"
    if not page.page.sources:
        return "no source file is known; the page is generated, or --source names another folder"
    return pipeline.dates_of(site, page.page.sources).why_undated(page.page.sources)


def find_page(site: Site, name: str) -> HtmlPage:
    """The page with an address, a file of the site or a source. Raises SitemapError."""
    if split_url(name).scheme:
        found = site.page_of(name)
    else:
        path = seen_from(site.root, name)
        found = (
            site.by_file.get(path) or site.page_of(site.base.loc(name.lstrip("/"))) or _by_source(site, name)
        )
    if found is None:
        raise SitemapError(f"There is no page {name} in {site.root}.{_hint(site, name)}")
    return found


def _by_source(site: Site, name: str) -> HtmlPage | None:
    source = Path(name).resolve()
    own = (page for page in site.pages if page.page.sources)
    return next((page for page in own if page.page.sources[0].resolve() == source), None)


def _hint(site: Site, name: str) -> str:
    stem = name.rstrip("/").rpartition("/")[2].partition(".")[0].lower()
    like = [page.file for page in site.pages if stem and stem in page.file.lower()][:NEAR]
    return f" Did you mean {' or '.join(like)}?" if like else " Pass its address, its file or its source."


def _later(stamp: Stamp, lastmod: str, environ: Mapping[str, str]) -> Dated | None:
    date = read_date(lastmod)
    if not date or date.first != date.last or date.first <= stamp.when:
        return None
    moment = f"@{int(date.first.timestamp())}"
    git = open_repository(str(stamp.root), environ).git
    how = ("log", "-1", "--no-show-signature", "--no-color", "--no-renames", "--format=")
    commit = git.output(*how, "--format=%H", f"--since={moment}", f"--until={moment}", "HEAD", "--").decode()
    if not commit:
        return None
    changed = git.output(*how, "-m", "--first-parent", "--name-only", "-z", commit.strip(), "--")
    names = [os.fsdecode(name) for name in changed.split(b"\0") if name]
    more = f" and {len(names) - NEAR} more" if len(names) > NEAR else ""
    return _dated(Stamp(date.first, commit.strip(), ", ".join(names[:NEAR]) + more, stamp.root), environ)


def _recorded(known: PageRecord, environ: Mapping[str, str]) -> Dated | None:
    """The commit that dated the page in the last build; None where it had none, or git no longer has it."""
    stamp = recorded_stamp(known)
    with suppress(GitTrouble):
        return _dated(stamp, environ) if stamp else None
    return None


def _dated(stamp: Stamp, environ: Mapping[str, str]) -> Dated:
    change = describe(stamp, environ)
    return Dated(
        when=stamp.when.isoformat(),
        commit=stamp.commit,
        author=change.author,
        subject=change.subject,
        file=stamp.path,
    )
