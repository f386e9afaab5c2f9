"""Write the sitemap, robots.txt, text files and the record of a site. If one fails, no file is changed."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache
from heapq import merge
from itertools import chain, groupby
from operator import attrgetter
from pathlib import Path

from sitemap_docs.decide import Decided
from sitemap_docs.files import HTML_SUFFIXES, seen_from
from sitemap_docs.history.diagnostics import NAME_SOURCES, NO_SOURCE, SOURCES_MISSING, is_git_problem
from sitemap_docs.history.git import has_whole_history
from sitemap_docs.listing.address_style import AddressStyle
from sitemap_docs.model import MAX_URLS, NO_PAGES, Entry, Finding, NoSitemap, Reason, Row, SitemapError
from sitemap_docs.output.existing import (
    Mark,
    find_unread_file,
    folders_above,
    indexed_files,
    is_copied,
    is_ours,
    listed_rows,
    our_files,
    remove_left,
    sitemaps_of_site,
)
from sitemap_docs.output.record import RecordWriter, open_record_writer, read_build
from sitemap_docs.output.robots_file import RobotsTxt, extra_sitemaps
from sitemap_docs.output.text_files import Key, TextFiles, hidden_keys, read_text_files
from sitemap_docs.output.transaction import Output
from sitemap_docs.output.writer import Layout, Place, SitemapWriter, Written
from sitemap_docs.project import Project
from sitemap_docs.rules import reported, reported_text
from sitemap_docs.text import many, one_line
from sitemap_docs.urls.base import Base
from sitemap_docs.webroot import Webroot

_BUILD_DURATION = timedelta(minutes=1)  # in which a program writes the date of each page


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """The result of a build, with numbers of pages, file names and problems.

    Attributes:
        listed: The number of pages in the sitemap.
        dated: The number of listed pages with a date.
        left_out: The number of excluded pages for each reason.
        file: The path of the sitemap or index, or ``""``.
        files: The names of all files of the sitemap.
        changed: New and changed files, including robots.txt.
        removed: The names of removed files.
        no_sitemap: Why no sitemap was written, or None.
        style: How addresses end: ``a/`` or ``a.html``.
    """

    listed: int = 0
    dated: int = 0
    left_out: Mapping[Reason, int] = field(default_factory=dict)
    file: str = ""
    files: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    no_sitemap: NoSitemap | None = None
    style: AddressStyle = AddressStyle()
    dry_run: bool = False

    @property
    def skipped(self) -> str:
        """The reason why the build wrote no sitemap, or ``""`` if it wrote one."""
        if self.no_sitemap is None:
            return ""
        words = self.no_sitemap.words
        if self.removed and not self.dry_run:
            words += f"; removed {', '.join(self.removed)}"
        return words

    def __str__(self) -> str:
        """Return a summary: ``412 pages listed, 9 left out (9 noindex), 398 dated: site/sitemap.xml``."""
        if self.skipped:
            what = "no sitemap" if self.removed else "nothing written"
            return f"{what}: {self.skipped}"
        left_out = f"{sum(self.left_out.values()):,} left out"
        if self.left_out:
            left_out += f" ({count_reasons(self.left_out)})"
        written = f": {one_line(self.file)}" if self.file else ""
        return f"{many(self.listed, 'page')} listed, {left_out}, {self.dated:,} dated{written}"


def publish(project: Project, decided: Decided, *, log: Callable[[str], None] | None = None) -> Published:
    """Write the sitemap and robots.txt of a site.

    If the site should have no sitemap, an old sitemap is removed. The function ``log`` prints why pages are
    left out or have no date.

    Raises:
        SitemapError: The sitemap cannot be written. No file has been changed.
    """
    if decided.no_sitemap:
        return withdraw(project, decided, decided.no_sitemap)
    if project.address.given_by:
        _require_matching_base(project, decided)
    if log:
        _log_rows(project, decided.rows, log)
    with _open_site(project, decided) as site:
        _require_read_pages(project, decided, site.place)
        entries = (row.entry for row in decided.rows if row.entry)
        sitemap = site.write_sitemap(entries, site.generated_sitemaps())
        findings = [*decided.findings, *site.place.findings, *sitemap.written.findings]
        lost = None
        dates_before = sitemap.written.dates_before
        if dates_before and not sitemap.dated and not _look_like_build_time(dates_before):
            lost = _report_lost_dates(project, decided, dates_before)
            if _lacks_sources(decided):  # The finding about lost dates has the same cause and advice.
                findings = [finding for finding in findings if finding.rule != SOURCES_MISSING]
            findings.append(lost)
        if lost and lost.severity == "error":
            published = Published(
                no_sitemap=NoSitemap("dates", "the dates of the existing sitemap would be lost"),
                dry_run=project.dry_run,
            )
        else:
            text, about_text = site.texts.text(project.options, sitemap.first, sitemap.listed)
            published = site.finish(sitemap.written, text)
            findings += [*about_text, *published.findings]
    if project.base.problem:
        findings.append(base_url_unlikely(project.base.problem).at(project.address.origin))
    if not sitemap.listed:
        findings.append(_explain_empty_sitemap(project, decided, published.removed))
    return replace(
        published,
        listed=sitemap.listed,
        dated=sitemap.dated,
        left_out=decided.left_out,
        findings=tuple(findings),
        style=decided.style,
    )


def withdraw(project: Project, decided: Decided, why: NoSitemap) -> Published:
    """Remove the old sitemap of a site that should have no sitemap. In a preview build, the sitemap stays.

    ``decided`` is the decision of the build about all pages, and ``why`` the reason why there is no sitemap.

    Raises:
        SitemapError: A file cannot be read or written. No file has been changed.
    """
    if why.kind == "preview":
        with closing(open_record_writer(project)) as record:
            platform = project.surroundings.platform
            record.commit(project.base.url, (), platform=platform, no_sitemap=why)
        published = Published(dry_run=project.dry_run)
    else:
        with _open_site(project, decided) as site:
            made = site.generated_sitemaps() if why.kind == "version" else frozenset()
            # The entries of other builds stay.
            if site.place.shared_entries(project.base):
                written = site.write_sitemap((), made).written
            else:
                site.remove_sitemap(made)
                written = Written()
            published = site.finish(written)
        about_files = (*site.place.findings, *written.findings, *published.findings)
        published = replace(published, findings=about_files)
    findings = (*published.findings, *decided.findings)
    return replace(published, findings=findings, no_sitemap=why, style=decided.style)


def _require_matching_base(project: Project, decided: Decided) -> None:
    """Raise SitemapError if another program's sitemap and canonical links contradict the base URL.

    The base URL in the configuration of ``project`` is then probably wrong.
    """
    if decided.is_confirmed:
        return
    replaced = decided.collected.replaced.built(project.output)
    if replaced is None or replaced.base == project.base:
        return
    base = replaced.base
    others = [row.target for row in decided.rows if row.reason is Reason.CANONICAL]
    below = sum(base.path_of(url) is not None for url in others)
    if 2 * below <= len(others):
        return
    given_by = project.address.given_by
    raise SitemapError(
        f"`{given_by}` is {project.base.url}, but the canonical links of {many(below, 'page')} and "
        f"another program's sitemap begin with {base.url}. Nothing was changed. If `{given_by}` is wrong, "
        "correct it or leave it out. If the canonical links lead to another version on purpose, remove the "
        "existing sitemap."
    )


def _require_read_pages(project: Project, decided: Decided, place: Place) -> None:
    """Raise SitemapError if the new sitemap would drop all URLs of the old one, such as ``/a.php``.

    ``sitemap-docs build`` reads only HTML files, so it cannot know whether other files are still pages.
    """
    is_folder = bool(decided.collected.looked_in)
    if decided.collected.pages and not is_folder:
        return  # Sphinx and MkDocs know their pages, also pages whose names do not end with ``.html``.
    if project.options.replace:
        return
    webroot = Webroot(project.output, project.hosting)
    new_locs = {row.loc for row in decided.rows if row.entry}
    # A file of the option `extra_urls` is no page. If other pages are listed now, it may be missing.
    unread = find_unread_file(webroot, _listed_locs(place), pages_only=bool(new_locs))
    if unread is None:
        return
    if new_locs.isdisjoint(_listed_locs(place)):
        advice = f"To replace {place.name} all the same, set the option `replace`."
        if not new_locs and not is_ours(place.folder / place.name):  # `replace` needs a new sitemap.
            advice = f"If these files are no pages, remove {place.name}."
        raise SitemapError(
            f"{place.name} lists files such as {one_line(unread)}, but a build of a folder reads only files "
            f"whose names end with {' or '.join(HTML_SUFFIXES)}. Nothing was changed, because the sitemap "
            f"would lose these files. {advice}"
        )


def _listed_locs(place: Place) -> Iterator[str]:
    """Yield the URLs in the existing sitemaps of a site. After an error, the rest of a sitemap is skipped."""
    for name in dict.fromkeys((place.name, f"{place.name}.gz", *our_files(place.folder))):
        with suppress(SitemapError, OSError):
            for row in listed_rows(place.folder / name):
                yield row.loc


def _log_rows(project: Project, rows: Iterable[Row], log: Callable[[str], None]) -> None:
    """Log each page that is left out of the sitemap, or that is listed there without a date."""
    for row in rows:
        if row.reason:
            log(one_line(f"left out: {row.loc}: {row.why}"))
        elif row.cause and project.options.lastmod != "none":
            log(one_line(f"no date: {row.loc}: {row.cause.words}"))


def _explain_empty_sitemap(project: Project, decided: Decided, removed: Sequence[str]) -> Finding:
    """Return a warning that says why the new sitemap lists no page.

    ``decided`` are all pages with the decisions about them. ``removed`` are files of an earlier build that
    this build has removed.
    """
    left_out = decided.left_out
    total = sum(left_out.values())
    if not total:
        cause = NO_PAGES.format(project.output)
    else:
        cause = f"{many(total, 'page')} left out ({count_reasons(left_out)}). Run with -v to list them."
    if 2 * left_out.get(Reason.CANONICAL, 0) > total:
        elsewhere = next(row.detail for row in decided.rows if row.reason is Reason.CANONICAL)
        cause += (
            f" The canonical link of a page leads to {one_line(elsewhere)}. Check whether the base URL "
            f"{project.base.url} is right."
        )
    if removed and not project.dry_run:
        cause += f" Removed files of an earlier build: {', '.join(removed)}."
    return empty_sitemap(f"No page is listed: {cause}")


def _look_like_build_time(dates: Sequence[datetime]) -> bool:
    """Check whether the dates of all pages are within one minute, as if the build had set them."""
    # A program wrote such dates while it built the pages. They say nothing about the pages.
    return len(dates) > 1 and max(dates) - min(dates) <= _BUILD_DURATION


def _lacks_sources(decided: Decided) -> bool:
    """Check whether a build of a folder has found no source file for any page without a date.

    For a build by a plugin for MkDocs or Sphinx, return False. ``decided`` contains the decisions about all
    pages.
    """
    undated = decided.largest_group
    is_folder = bool(decided.collected.looked_in)
    return is_folder and undated is not None and undated.cause.rule == NO_SOURCE.rule


def _report_lost_dates(project: Project, decided: Decided, before: Sequence[datetime]) -> Finding:
    """Report that the old sitemap had dates, but the new sitemap has none."""
    undated = decided.largest_group
    is_folder = bool(decided.collected.looked_in)
    is_wanted = project.options.lastmod != "none"
    advice = "Correct this, or restore the old sitemap."
    if not is_wanted:
        why = "the option `lastmod` is `none`"
        advice = "To keep dates, remove this option."
    elif _lacks_sources(decided):
        why = f"no source file of a page was found (looked in: {decided.collected.looked_in})"
        advice = NAME_SOURCES
    elif undated:
        why = f"for example, {undated.loc} has no date because {undated.cause.words}"
    else:
        why = "no page of the project is listed"
    lost = (
        f"The old sitemap had {many(len(before), 'date')} for the listed pages, but the new sitemap has "
        f"none: {why}."
    )
    is_of_git = undated is not None and is_git_problem(undated.cause)
    are_of_days = max(before) - min(before) >= timedelta(days=1)
    environ = project.surroundings.environ
    # The command may run in a folder outside the repository of the site.
    has_history = any(has_whole_history(folder, environ) for folder in (project.root, project.output))
    # The finding is an error if git has dates that the build could have used.
    if is_wanted and are_of_days and not is_of_git and has_history:
        ways = (
            "To accept a sitemap without dates, set the option `lastmod` to `none` or the option `replace` "
            "to `true`."
        )
        if is_folder:
            ways = (
                "Pass the folder of the sources with `--source`. To accept a sitemap without dates, pass "
                "`--lastmod none` or `--replace`."
            )
        return replace(dates_lost(f"{lost} Nothing was changed. {ways}"), severity="error")
    return dates_lost(f"{lost} {advice}")


@reported_text()
def dates_lost(message: str) -> None:
    """The old sitemap had dates, and the new sitemap has none.

    Search engines then notice changes later. If git could give dates, this is an error: no file changes.
    Pass the folder of the sources, fetch the whole git history, or set `lastmod` to `none`.
    Wrong: `sitemap-docs build public` over the sitemap of Hugo, in a clone of depth 1
    Right: `git fetch --unshallow --filter=blob:none && sitemap-docs build public --source content`
    Source: sitemap-docs: the page Dates
    """


@reported_text()
def base_url_unlikely(message: str) -> None:
    """The base URL is unlikely to be the address of a documentation. For example, it is the URL of a file."""


def count_reasons(left_out: Mapping[Reason, int]) -> str:
    """Return a text such as ``4 noindex, 3 redirects``, the most frequent reason first."""
    ordered = sorted(left_out.items(), key=lambda item: (-item[1], item[0].value))
    return ", ".join(reason.counted(number) for reason, number in ordered)


@reported_text("error")
def empty_sitemap(message: str) -> None:
    """No page is listed, or no sitemap is joined.

    There is a mistake in the settings, or the site was not built.
    The message contains the cause. Build with -v to see why each page is left out.
    Wrong: `excludes: ["*"]`
    Right: `excludes: ["drafts/*"]`
    Source: sitemaps.org: XML tag definitions,
    https://www.sitemaps.org/protocol.html#xmlTagDefinitions
    """


@reported("info")
def file_kept(names: str) -> str:
    """A text sitemap or an IndexNow key file may come from an earlier build.

    The file stays, because nothing shows that sitemap-docs wrote it.
    Remove the file if it is out of date.
    Wrong: `sitemap.txt` of a build with the option `formats`, which is gone
    Right: `rm public/sitemap.txt`
    Source: sitemap-docs: the page Options
    """
    return (
        f"{names} may come from an earlier build. Nothing was removed, because the project itself may have "
        "written it. If it is out of date, remove it."
    )


def _find_old_sitemap_above(project: Project, place: Place) -> Iterator[Finding]:
    """Report the sitemap that an earlier build has written into a parent folder."""
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
    Source: sitemap-docs: the page Addresses: base URL, trailing slash, canonical links
    """
    listing = " and ".join(map(one_line, names))
    return (
        f"A folder above the output folder has an older sitemap of this site: {listing}, relative to the "
        f"output folder. This build writes {one_line(filename)} instead. Remove the older sitemap if neither "
        "robots.txt nor Search Console uses it."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _WrittenSitemap:
    """A new sitemap that is still in temporary files."""

    #: The names of the files.
    written: Written
    #: The first 50,000 entries, for a text sitemap.
    first: Sequence[Entry]
    #: The number of pages of this build.
    listed: int
    #: The number of pages of this build with a date.
    dated: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _SiteFiles:
    """Writes the files of a site to temporary files, which :meth:`finish` moves into place."""

    project: Project
    decided: Decided
    place: Place
    output: Output
    #: The folder of the sitemap: the output folder, or a folder above it.
    folder: Output
    #: The text sitemaps of earlier builds.
    texts: TextFiles
    robots: RobotsTxt
    #: The record of this build.
    recording: RecordWriter
    #: The key for IndexNow, or None.
    key: Key | None = None

    def generated_sitemaps(self) -> frozenset[str]:
        """Return the names of the sitemaps that MkDocs, Sphinx or an extension wrote in this build."""
        prefix = self.place.prefix
        names = set()
        for name in self.decided.collected.made:
            if name.startswith(prefix) and not self._is_source(self.project.output / name):
                names.add(name.removeprefix(prefix))
        return frozenset(names)

    def write_sitemap(self, entries: Iterable[Entry], made: frozenset[str]) -> _WrittenSitemap:
        """Write the new sitemap to temporary files, which :meth:`finish` moves into place.

        ``made`` are the names of sitemaps that the site generator has just written. The new files may replace
        them.
        """
        options, collected = self.project.options, self.decided.collected
        layout = Layout(
            base=self.place.base.url,
            options=options.replaced(filename=self.place.name),
            gzip=collected.gzip,
            full_urlset=collected.full_urlset,
            made=made,
            replaced=collected.replaced,
        )
        others = self.place.shared_entries(self.project.base)
        of_others = {entry.loc for entry in others}
        sitemap = SitemapWriter(self.folder, layout)
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
        return _WrittenSitemap(written=sitemap.finish(), first=first, listed=listed, dated=dated)

    def remove_sitemap(self, made: Container[str]) -> None:
        """Remove ``sitemap.xml`` and ``sitemap.xml.gz`` if another program has just written them.

        ``made`` contains the names of the sitemaps that MkDocs, Sphinx or an extension wrote in this build.
        """
        for name in (self.place.name, f"{self.place.name}.gz"):
            if name in made and os.path.lexists(self.folder.folder / name):
                self.folder.remove(name)

    def finish(self, written: Written, text: bytes = b"") -> Published:
        """Move all new files into place, and remove old sitemaps that are not needed anymore.

        ``written`` are the files of the new sitemap. ``text`` is the content of ``sitemap.txt``, or empty.
        """
        project, place = self.project, self.place
        self._remove_outdated(self.folder, place.base, place.name, {*written.files, *self.folder.removed})
        if self.folder is not self.output:
            self._remove_outdated(self.output, project.base, "", ())
        findings = [*self.robots.write(self.output, place.seen(written.sitemaps))]
        texts = self.texts.write(self.output, text, self.key)
        unknown = [name for name in texts.unknown if not self._is_source(project.output / name)]
        unknown = [*dict.fromkeys(texts.hide_keys(unknown))]
        if unknown:
            findings.append(file_kept(" and ".join(unknown)).at(unknown[0]))
        if written.sitemaps:
            findings += _find_old_sitemap_above(project, place)
        # The sitemap comes first: robots.txt must not name a sitemap that is not there yet.
        self.folder.commit(self.output)

        names = [*place.seen(written.files), *texts.names]
        changed = [*texts.hide_keys(self.output.changed)]
        removed = [*texts.hide_keys(self.output.removed)]
        if self.folder is not self.output:
            changed += place.seen(self.folder.changed)
            removed += place.seen(self.folder.removed)
        for row in self.decided.rows:
            self.recording.add(row)
        self.recording.add_misspelled(self.decided.misspelled)
        self.recording.commit(
            project.base.url,
            names,
            platform=project.hosting.platform,
            links=self.decided.style.links,
            no_sitemap=self.decided.no_sitemap,
        )
        return Published(
            file=self._shown_file(written),
            files=texts.hide_keys(names),
            changed=tuple(changed),
            removed=tuple(removed),
            findings=tuple(findings),
            dry_run=project.dry_run,
        )

    def _shown_file(self, written: Written) -> str:
        """Return the path of the new sitemap for messages, or ``""`` if the build wrote no sitemap."""
        if not written.sitemaps or self.project.dry_run:
            return ""
        file = (self.place.folder / written.sitemaps[0]).absolute()
        return str(file).removeprefix(f"{self.project.surroundings.here}{os.sep}")

    def _remove_outdated(self, output: Output, base: Base, filename: str, written: Collection[str]) -> None:
        """Remove old sitemaps from a folder, unless they are still in use.

        Args:
            output: The folder.
            base: The base URL of the folder.
            filename: The name of the new sitemap, or ``""`` if there is none.
            written: The names of the new files, which stay.
        """
        folder, project = output.folder, self.project

        @cache
        def needed() -> set[str | None]:
            extra = extra_sitemaps(project.options.extra_sitemaps, project.base)
            return {*map(base.path_of, chain(self.robots.named, extra)), *indexed_files(folder)}

        def is_source(name: str) -> bool:
            return self._is_source(folder / name)

        def is_needed(name: str, mark: Mark) -> bool:
            if name.endswith(".css"):
                return False
            if mark.joined or name in needed():
                return True
            if folder == project.output:
                return False
            # A sitemap above the output folder may list pages of other builds.
            return any(not project.base.contains(row.loc) for row in listed_rows(folder / name))

        remove_left(output, written, filename, is_source, is_needed)

    def _is_source(self, file: Path) -> bool:
        """Check whether a file in the output folder is a copy of a source file of the project."""
        output = self.project.output
        return is_copied(output, seen_from(output, file), self.decided.collected.source_of)


def _recorded_files(project: Project) -> tuple[str, ...] | None:
    """Return the names of the sitemaps that the last build has written, or None if unknown."""
    record = read_build(project.output, project.surroundings.cache, project.record_files)
    return record.files if record else None


@contextmanager
def _open_site(project: Project, decided: Decided) -> Iterator[_SiteFiles]:
    """Lock the folders of a site, and yield a :class:`_SiteFiles`, which writes the files of the site.

    Use this function in a ``with`` block. Files change only if the block calls the method ``finish`` of the
    yielded object.
    """
    place = Place.of(project.output, project.base, project.options.filename)
    robots = RobotsTxt(project)
    with ExitStack() as stack:
        recording = stack.enter_context(closing(open_record_writer(project)))
        output = stack.enter_context(Output(project.output, dry_run=project.dry_run))
        folder = output
        if place.prefix:
            folder = stack.enter_context(Output(place.folder, dry_run=project.dry_run, shared=True))
        recorded_files = _recorded_files(project)
        texts = read_text_files(project.output, project.base, recorded_files, place.folder)
        key = None if decided.no_sitemap else Key.of_environment(project.surroundings.environ)
        stack.enter_context(hidden_keys(texts.known_keys(key)))
        yield _SiteFiles(
            project=project,
            decided=decided,
            place=place,
            output=output,
            folder=folder,
            texts=texts,
            robots=robots,
            recording=recording,
            key=key,
        )
