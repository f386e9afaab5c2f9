"""What is decided, written into the output folder: rows in, files out, whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache
from heapq import merge
from itertools import chain, groupby
from operator import attrgetter
from pathlib import Path

from sitemap_docs.decide import Decisions
from sitemap_docs.files import is_below, seen_from
from sitemap_docs.history.diagnostics import is_git_problem
from sitemap_docs.history.git import has_whole_history
from sitemap_docs.listing.selection import SiteStyle
from sitemap_docs.model import MAX_URLS, NO_PAGES, Entry, Finding, NoSitemap, Reason, SitemapError, reported
from sitemap_docs.output.existing import (
    Mark,
    folders_above,
    indexed_files,
    listed_rows,
    remove_left,
    sitemaps_of_site,
)
from sitemap_docs.output.record import Recording, read_build, start_recording
from sitemap_docs.output.robots_file import RobotsTxt, extra_sitemaps
from sitemap_docs.output.text_files import Key, TextFiles, hidden_keys
from sitemap_docs.output.transaction import Output
from sitemap_docs.output.writer import Layout, Place, SitemapWriter, Written
from sitemap_docs.project import Project
from sitemap_docs.text import many, one_line
from sitemap_docs.urls.base import Base, resolve


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What was done: counts of pages, the names of the files, and the findings.

    ``changed`` are the files that were written anew, or in a dry run would be, robots.txt among them.
    ``file`` is the sitemap, or its index, as the current folder has it; ``""`` where none was written.
    ``style`` is how addresses are spelled. ``skipped`` is why nothing was written; ``""`` where it was.
    """

    listed: int = 0
    dated: int = 0
    left_out: Mapping[Reason, int] = field(default_factory=dict)
    file: str = ""
    files: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    skipped: str = ""
    style: SiteStyle = SiteStyle()

    def __str__(self) -> str:
        """``412 pages listed, 9 left out (6 noindex, 3 redirects), 398 dated: site/sitemap.xml``."""
        if self.skipped:
            what = "no sitemap" if self.removed else "nothing written"
            return f"{what}: {self.skipped}"
        left_out = f"{sum(self.left_out.values()):,} left out"
        if self.left_out:
            left_out += f" ({count_reasons(self.left_out)})"
        written = f": {one_line(self.file)}" if self.file else ""
        return f"{many(self.listed, 'page')} listed, {left_out}, {self.dated:,} dated{written}"


def publish(decisions: Decisions, *, log: Callable[[str], None] | None = None) -> Published:
    """Writes the sitemap, robots.txt and the record of a site; returns what was done.

    The rows are read once. ``log`` is called with a line about each page that is not listed or has no date.
    Raises SitemapError before anything is moved into place.
    """
    project = decisions.project
    if decisions.no_sitemap:
        return _withdraw(decisions, decisions.no_sitemap)
    if project.address.given_by:
        _require_agreement(decisions)
    key = Key.of_environment(project.surroundings.environ)
    with closing(start_recording(project)) as record:
        published = _write(decisions, _listed(decisions, record, log), key, record)
    findings = [*decisions.findings(published.listed), *published.findings]
    if project.base.problem:
        findings.append(base_url_unlikely(project.base.problem).at(project.address.origin))
    left_out = decisions.left_out
    if not published.listed:
        total = sum(left_out.values())
        cause = f"{many(total, 'page')} left out ({count_reasons(left_out)}). Run with -v to see each."
        if not total:
            cause = NO_PAGES.format(project.output)
        elif 2 * left_out.get(Reason.CANONICAL, 0) > total:
            elsewhere = next(each.detail for each in decisions.decided if each.reason is Reason.CANONICAL)
            cause += f" One has the canonical address {one_line(elsewhere)}. Is {project.base.url} right?"
        if published.removed and not project.dry_run:
            cause += f" Removed what an earlier build wrote: {', '.join(published.removed)}."
        findings.append(empty_sitemap(f"No page is listed: {cause}"))
    return replace(published, left_out=left_out, findings=tuple(findings), style=decisions.style)


def _require_agreement(decisions: Decisions) -> None:
    """Raise SitemapError for a base URL that no page confirms and another program's sitemap contradicts."""
    project = decisions.project
    others = []
    for decision in decisions.decided:
        if decision.reason is Reason.CANONICAL:
            others.append(resolve(decision.loc, decision.detail))
        elif decision.link and not decision.reason:
            return
    built = decisions.collected.replaced.built(project.output)
    if built is None or built.base == project.base:
        return
    base = built.base
    below = sum(base.path_of(url) is not None for url in others)
    if 2 * below <= len(others):
        return
    given_by = project.address.given_by
    raise SitemapError(
        f"`{given_by}` is {project.base.url}, but the canonical links of {many(below, 'page')} and "
        f"another program's sitemap begin with {base.url}. Nothing was changed. If `{given_by}` is "
        "mistyped, correct it or leave it out. If this is a version whose canonical links lead to another "
        "one, it has no sitemap: remove the existing one."
    )


def _withdraw(decisions: Decisions, why: NoSitemap) -> Published:
    """Writes none, for a reason that is recorded, and removes the one of an earlier build, but on previews.

    Of a version that search engines must not show, the one of its host is removed, too.
    """
    project = decisions.project
    with closing(start_recording(project)) as record:
        if why.kind == "preview":
            done = Published()
            platform = project.surroundings.platform
            record.commit(project.base.url, (), platform=platform, no_sitemap=why)
        else:
            if why.kind != "version":
                collected = replace(decisions.collected, made=frozenset())
                decisions = replace(decisions, collected=collected)
            done = _write(decisions, (), None, record)
    skipped = why.words
    if done.removed and not project.dry_run:
        skipped += f"; removed {', '.join(done.removed)}"
    findings = (*done.findings, *decisions.findings(0))
    return replace(done, findings=findings, skipped=skipped, style=decisions.style)


def _listed(decisions: Decisions, record: Recording, log: Callable[[str], None] | None) -> Iterator[Entry]:
    """The entries of what is listed; each row goes into the record and, if it has one, to the log."""
    for row, entry in decisions.rows():
        record.add(row)
        if log and row.reason:
            log(one_line(f"left out: {row.loc}: {row.why}"))
        elif log and row.cause and decisions.project.options.lastmod != "none":
            log(one_line(f"no date: {row.loc}: {row.cause.words}"))
        if entry:
            yield entry


def _dates_lost(decisions: Decisions, before: Sequence[datetime]) -> Finding:
    """That the sitemap which is replaced had dates and ours has none, and why.

    An error for dates of several days where git could give others, unless the project wants none.
    """
    project, undated = decisions.project, decisions.tally.most_undated
    is_wanted = project.options.lastmod != "none"
    if not is_wanted:
        why = "the option `lastmod` is `none`"
    elif undated:
        why = f"{undated.loc}, for example, has no date because {undated.cause.words}"
    else:
        why = "no page of the project is listed"
    lost = (
        f"The sitemap that is replaced had {many(len(before), 'date')} for the listed pages, and the new one "
        f"has 0: {why}."
    )
    is_of_git = undated is not None and is_git_problem(undated.cause)
    are_of_days = max(before) - min(before) > timedelta(days=1)
    environ = project.surroundings.environ
    if is_wanted and are_of_days and not is_of_git and has_whole_history(project.root, environ):
        message = (
            f"{lost} Nothing was changed. Name the sources with `--source`, or pass `--lastmod none` for a "
            "sitemap without dates, or `--replace`."
        )
        return replace(dates_lost(message), severity="error")
    return dates_lost(f"{lost} Name the sources, fetch the history of git, or keep the old sitemap.")


@reported()
def dates_lost(message: str) -> str:
    """The sitemap that is replaced had dates, and the new one has none.

    Engines would fetch each page later. Where git could give dates, it is an error, and nothing is changed.
    Name the sources, fetch the history, or ask for a sitemap without dates.
    Wrong: `sitemap-docs build public` over the sitemap of Hugo, in a clone of depth 1
    Right: `git fetch --unshallow --filter=blob:none && sitemap-docs build public --source content`
    Source: sitemap-docs: the page Dates
    """
    return message


@reported()
def base_url_unlikely(problem: str) -> str:
    """The base URL is one at which no documentation can be."""
    return problem


def count_reasons(left_out: Mapping[Reason, int]) -> str:
    """``4 noindex, 3 redirects``: the most frequent reason first."""
    ordered = sorted(left_out.items(), key=lambda item: (-item[1], item[0].value))
    return ", ".join(reason.counted(number) for reason, number in ordered)


def _write(
    decisions: Decisions, entries: Iterable[Entry], key: Key | None, recording: Recording
) -> Published:
    """Writes all files for the entries, which come in the order of their locs; each address counts once."""
    project, options = decisions.project, decisions.project.options
    place = Place.of(project.output, project.base, options.filename)
    robots = RobotsTxt(project)
    with ExitStack() as stack:
        output = stack.enter_context(Output(project.output, dry_run=project.dry_run))
        folder = output
        if place.prefix:
            folder = stack.enter_context(Output(place.folder, dry_run=project.dry_run, shared=True))
        sitemap, first, listed, dated = _add_sitemap(decisions, entries, place, folder)
        findings = [*place.findings, *sitemap.findings]
        if sitemap.dates_before and not dated:
            lost = _dates_lost(decisions, sitemap.dates_before)
            findings.append(lost)
            if lost.severity == "error":
                skipped = "the dates of the sitemap that exists would be lost"
                return Published(listed=listed, findings=tuple(findings), skipped=skipped)
        names = place.seen(sitemap.files)
        cached = project.surroundings.cache
        recorded = read_build(project.output, cached, project.record_file) if cached else None
        texts = TextFiles(project.output, project.base, recorded.files if recorded else None, place.folder)
        stack.enter_context(hidden_keys(texts.keys(key)))
        text, problems = texts.text(options, first, listed)
        findings += problems
        _remove_left(decisions, folder, place.base, robots, place.name, {*sitemap.files, *folder.removed})
        if folder is not output:
            _remove_left(decisions, output, project.base, robots, "", ())
        findings += robots.write(output, place.seen(sitemap.sitemaps))
        names += texts.write(output, text, key)
        unknown = [name for name in sorted(texts.unknown) if not _is_source(decisions, project.output / name)]
        unknown = [*dict.fromkeys(texts.hidden(unknown))]
        if unknown:
            findings.append(file_kept(" and ".join(unknown)).at(unknown[0]))
        if sitemap.sitemaps:
            findings += _find_left_above(project, place)
        folder.commit(output)  # in this order: robots.txt must not name a sitemap that is not there yet

    changed, removed = texts.hidden(output.changed), texts.hidden(output.removed)
    if folder is not output:
        changed = changed + place.seen(folder.changed)
        removed = removed + place.seen(folder.removed)
    file = ""
    if sitemap.sitemaps and not project.dry_run:
        whole = (place.folder / sitemap.sitemaps[0]).absolute()
        file = str(whole).removeprefix(f"{project.surroundings.here}{os.sep}")
    recording.commit(
        project.base.url,
        names,
        platform=project.served_by,
        links=decisions.style.links,
        no_sitemap=decisions.no_sitemap,
    )
    return Published(
        listed=listed,
        dated=dated,
        file=file,
        files=tuple(texts.hidden(names)),
        changed=tuple(changed),
        removed=tuple(removed),
        findings=tuple(findings),
    )


def _remove_left(
    decisions: Decisions,
    output: Output,
    base: Base,
    robots: RobotsTxt,
    filename: str,
    written: Collection[str],
) -> None:
    """Removes what earlier builds of ours left in a folder, where the sitemap is now ``filename``.

    Not what a source of the project, an index of another program or a join, the option ``extra_sitemaps`` or
    a line of the user's in robots.txt needs; nor, above the output folder, what lists pages of other builds.
    """
    folder, project = output.folder, decisions.project

    @cache
    def needed() -> set[str | None]:
        extra = extra_sitemaps(project.options.extra_sitemaps, project.base)
        return {*map(base.path_of, chain(robots.named, extra)), *indexed_files(folder)}

    def is_kept(name: str, mark: Mark) -> bool:
        if _is_source(decisions, folder / name):
            return True
        if mark.whole == filename or name.endswith(".css"):
            return False
        if mark.joined or name in needed():
            return True
        return folder != project.output and any(
            not project.base.contains(row.loc) for row in listed_rows(folder / name)
        )

    remove_left(output, written, is_kept)


def _find_left_above(project: Project, place: Place) -> Iterator[Finding]:
    """Report the sitemap that an earlier build wrote farther up, if the option ``filename`` was changed."""
    for folder, prefix in folders_above(project.output, project.base):
        if len(prefix) <= len(place.prefix):
            continue
        names = [f"{prefix}{name}" for name in sitemaps_of_site(folder, project.base)]
        if names:
            yield sitemap_above(names, place.prefix + place.name).at(names[0])
            return


@reported("info")
def sitemap_above(names: Sequence[str], filename: str) -> str:
    """A folder above the site has a sitemap that an earlier build of this site wrote.

    Search engines that know the old sitemap go on reading it, and it is never updated.
    Remove it if nothing refers to it, or set the option `filename` back.
    Wrong: `filename: sitemap.xml` after builds with `filename: ../sitemap.xml`
    Right: `filename: sitemap.xml`, and `rm ../sitemap.xml`
    Source: sitemap-docs: the page Addresses
    """
    listing = " and ".join(map(one_line, names))
    return (
        f"A folder above the output folder has an older sitemap of this site, {listing}. This build writes "
        f"{one_line(filename)} instead. Remove the older sitemap if nothing refers to it."
    )


def _is_source(decisions: Decisions, file: Path) -> bool:
    """Check whether a file is in the output folder because the project keeps it among its sources."""
    name = seen_from(decisions.project.output, file)
    source_of = decisions.collected.source_of
    source = source_of(name) if source_of and is_below(name) else None
    return source is not None and source.resolve() != file.resolve()


@reported("error")
def empty_sitemap(message: str) -> str:
    """No page is listed, or no sitemap is joined.

    An empty sitemap is a mistake in the settings, or there is no site.
    The message has the cause; build with -v to see why each page is left out.
    Wrong: `excludes: ["*"]`
    Right: `excludes: ["drafts/*"]`
    Source: sitemaps.org: XML tag definitions,
    https://www.sitemaps.org/protocol.html#xmlTagDefinitions
    """
    return message


@reported("info")
def file_kept(names: str) -> str:
    """A text sitemap or a key of IndexNow is there, and nothing shows whether an earlier build wrote it.

    What the project keeps itself is never removed.
    Remove the file if it is out of date.
    Wrong: `sitemap.txt` of a build with the option `formats`, which is gone
    Right: `rm public/sitemap.txt`
    Source: sitemap-docs: the page Options
    """
    return (
        f"{names}: nothing shows whether an earlier build wrote this, so it stays. Remove what is out of "
        "date."
    )


def _add_sitemap(
    decisions: Decisions, entries: Iterable[Entry], place: Place, folder: Output
) -> tuple[Written, list[Entry], int, int]:
    """Adds the sitemap to its folder.

    Returns, besides, of the entries of this build the first, as many as a text sitemap may list, the number
    of all, and how many have a date.
    """
    project, collected = decisions.project, decisions.collected
    options = project.options
    made = [
        name.removeprefix(place.prefix)
        for name in collected.made
        if name.startswith(place.prefix) and not _is_source(decisions, project.output / name)
    ]
    layout = Layout(
        base=place.base.url,
        options=options.replaced(filename=place.name),
        gzip=collected.gzip,
        full_urlset=collected.full_urlset,
        made=frozenset(made),
        replaced=collected.replaced,
    )
    # Other builds may share a sitemap above the output folder: what they list stays in it.
    others = place.shared_entries(project.base)
    if decisions.no_sitemap and not others:
        for name in (place.name, f"{place.name}.gz"):
            if name in layout.made and os.path.lexists(folder.folder / name):
                folder.remove(name)
        return Written(), [], 0, 0
    of_others = {entry.loc for entry in others}
    sitemap = SitemapWriter(folder, layout)
    first: list[Entry] = []
    listed = dated = 0
    by_loc = attrgetter("loc")
    for loc, same in groupby(merge(entries, others, key=by_loc), key=by_loc):
        entry = next(same)
        sitemap.add(entry)
        if loc in of_others:
            continue
        if options.formats and listed < MAX_URLS:
            first.append(entry)
        listed += 1
        dated += entry.lastmod is not None
    return sitemap.finish(), first, listed, dated
