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
from sitemap_docs.config.dates import read_date
from sitemap_docs.history.lastmod import Stamp, describe
from sitemap_docs.history.repository import GitTrouble, open_repository
from sitemap_docs.model import Alternate, Finding, SitemapError
from sitemap_docs.paths import seen_from
from sitemap_docs.text import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitemap_docs.audit import Settings
    from sitemap_docs.audit.site import HtmlPage, Site
    from sitemap_docs.output.record import Record

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
        made_of = f", made of {self.source}" if self.source else ""
        decision = "listed"
        if self.reason:
            decision = f"left out: {self.reason}"
            if self.detail:
                decision += f" ({self.detail})"
        sitemap = "not listed by any sitemap of the site"
        if self.sitemap:
            sitemap = f"{self.sitemap}, line {self.line}"
        lines = [
            ("page:", self.loc),
            ("base URL:", f"{self.base} ({self.base_by})"),
            ("file:", self.file + made_of),
            ("decision:", decision),
            ("sitemap:", sitemap),
            ("lastmod:", self.lastmod or "none in the sitemap"),
        ]
        commit = self.later or self.dated
        if commit:
            lines.append(("commit:", f"{commit.commit[:12]} by {commit.author}, {commit.when}"))
            lines.append(("", commit.subject))
            lines.append(("", f"it changed {commit.file}"))
        else:
            lines.append(("commit:", f"no commit found: {self.undated_cause}"))
        if self.later and self.dated:
            older = f"{self.dated.commit[:12]} by {self.dated.author}, {self.dated.when}"
            lines.append(("source:", f"older: {older}"))
        lines += [("not dated:", f"by {file}: every page depends on it") for file in self.undated]
        lines += [("alternate:", f"{each.hreflang} {each.href}") for each in self.alternates]
        lines += [(f"{each.severity}:", f"{each.rule}: {each.message}") for each in self.findings]
        return "\n".join(one_line(f"{name:<11}{text}") for name, text in lines)


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
    url = page.url
    stamp = seen.history.stamps.get(page.file)
    known = record.page(file=page.file) if record else None
    dated = later = None
    if known:
        reason, detail = known.reason, known.detail
        recorded = recorded_stamp(known)
        if recorded:
            with suppress(GitTrouble):  # git no longer has the commit of the build
                dated = _dated(recorded, site.environ)
    else:
        decision = seen.decision(page)
        reason, detail = decision.reason.value if decision.reason else "", decision.detail
        if stamp and url:
            later = _later(stamp, url.lastmod, site.environ)
    if stamp and not dated:
        dated = _dated(stamp, site.environ)

    sources = page.page.sources
    findings = [finding for finding in audit(seen, settings, about=page) if page.is_at(finding)]
    return Explanation(
        loc=page.loc,
        base=site.base.url,
        base_by=base_by,
        file=page.file,
        source=seen_from(Path.cwd(), sources[0]) if sources else "",
        reason=reason,
        detail=detail,
        sitemap=url.sitemap if url else "",
        line=url.line if url else 0,
        lastmod=url.lastmod if url else "",
        dated=dated,
        later=later,
        alternates=url.alternates if url and url.alternates else page.alternates,
        findings=tuple(findings),
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
    # First the files: `a:b.html` is a page, and also an address with the scheme `a`.
    page = site.by_file.get(seen_from(site.root, name))
    if page is None and name.startswith(("https://", "http://")):
        page = site.page_of(name)
    elif page is None:
        page = site.page_of(site.base.loc(name.lstrip("/"))) or _page_of_source(site, Path(name).resolve())
    if page is not None:
        return page

    stem = name.rstrip("/").rpartition("/")[2].partition(".")[0].lower()
    like = [each.file for each in site.pages if stem and stem in each.file.lower()]
    hint = "Pass its address, its file or its source."
    if like:
        hint = f"Did you mean {' or '.join(like[:NEAR])}?"
    raise SitemapError(f"There is no page {name} in {site.root}. {hint}")


def _page_of_source(site: Site, source: Path) -> HtmlPage | None:
    for page in site.pages:
        if page.page.sources and page.page.sources[0].resolve() == source:
            return page
    return None


def _later(stamp: Stamp, lastmod: str, environ: Mapping[str, str]) -> Dated | None:
    """The commit of the date in the sitemap, where that is later than the page's own commit."""
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
    shown = ", ".join(names[:NEAR])
    if len(names) > NEAR:
        shown += f" and {len(names) - NEAR} more"
    return _dated(Stamp(date.first, commit.strip(), shown, stamp.root), environ)


def _dated(stamp: Stamp, environ: Mapping[str, str]) -> Dated:
    change = describe(stamp, environ)
    return Dated(
        when=stamp.when.isoformat(),
        commit=stamp.commit,
        author=change.author,
        subject=change.subject,
        file=stamp.path,
    )
