"""What was decided about a folder that is built: what everything starts from that reads a built site.

It is in the record of the build. Where there is none, a dry run of the folder door decides, and says so.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import starmap
from pathlib import Path

from sitemap_docs.decide import Decisions, dates_of, decide
from sitemap_docs.files import seen_from
from sitemap_docs.folder.addressing import read_home
from sitemap_docs.folder.collect import collect_pages, walk
from sitemap_docs.folder.folder_site import FolderSite, open_folder
from sitemap_docs.folder.generated import GeneratedPages
from sitemap_docs.folder.settings import FolderSettings
from sitemap_docs.history.page_dates import Dates
from sitemap_docs.html.head import Head
from sitemap_docs.model import BuildRow, Finding, NameOf, Reason, Row, SitemapError, Watch, unwatched
from sitemap_docs.output.existing import our_files
from sitemap_docs.output.record import Record
from sitemap_docs.programs.mike import read_aliases
from sitemap_docs.project import Project
from sitemap_docs.tree import build_at, read_builds


@dataclass(slots=True, kw_only=True)
class Built:
    """What was decided about the built folder of a ``project``.

    The rows are those of the ``record`` of its build, and for files that it does not have those of a dry run
    over the ``folder``; of an audit at the end of a build, those of its own ``decisions``, and ``made`` are
    the sitemaps that the host wrote. ``builds`` is the table of a tree that was joined, by their paths. It is
    in the record of the join, or else read from the tree, where only the options of the join are unknown.
    """

    project: Project
    record: Record | None = None
    folder: FolderSite | None = None
    decisions: Decisions | None = None
    made: frozenset[str] = frozenset()
    builds: Mapping[str, BuildRow] = field(default_factory=dict)
    _rows: list[Row] | None = None

    @property
    def read_from(self) -> str:
        """Whether the build's own decisions are known, as ``-v`` prints it."""
        if self.record is None:
            where = f" in {self.project.record_file}" if self.project.record_file else ""
            return f"no record of the build of this sitemap{where}: only the folder is read"
        return f"using the record of the last build, {self.record.file} (sitemap-docs {self.record.version})"

    @property
    def is_of_host(self) -> bool:
        """Whether Sphinx or MkDocs wrote the pages, and with our plugin most likely the sitemap, too."""
        if self.folder is not None and self.folder.has_plugin:
            return True
        generated = GeneratedPages(str(self.project.output))
        for path in ("", *self.builds):  # the home page of a tree may be a redirect
            generator = (read_home(self.project.output / path).generator or "").lower()
            is_mkdocs = generator.startswith(("mkdocs", "properdocs"))
            if is_mkdocs or generated.home(path.rstrip("/")) is not None:
                return True
        return False

    @property
    def source_folders(self) -> Sequence[str]:
        """The folders in which the sources of pages are."""
        return self.folder.sources.folders if self.folder else ()

    @property
    def about_settings(self) -> Sequence[Finding]:
        """What is wrong with the configuration of the folder."""
        return self.folder.known.findings if self.folder else ()

    @property
    def about_record(self) -> Sequence[Finding]:
        """A finding if the record that the user passed is not that of the sitemap."""
        return self.folder.about_record if self.folder else ()

    @property
    def heads(self) -> Mapping[str, Head]:
        """The described heads that were read to decide, by file."""
        return (self.decisions and self.decisions.heads) or {}

    @property
    def findings(self) -> list[Finding]:
        """What a dry run found; nothing where the build has reported it."""
        if self.folder is None or self.decisions is None:
            return []
        return self.decisions.findings(sum(row.reason is None for row in self.decisions.kept))

    def covers(self, file: str) -> bool:
        """Whether the build that a file would be part of left a record, in which it is or is not."""
        if self.record is None:
            return self.folder is None
        build = build_at(self.builds, file)
        return build is None or not build.state or build.path in self.record.below

    def rows(self, watch: Watch = unwatched) -> list[Row]:
        """A row for each page that the build knew, and for each other page of the folder."""
        if self._rows is None:
            self._rows = self._read(watch)
        return self._rows

    def _read(self, watch: Watch) -> list[Row]:
        if self.folder is None:
            return self.decisions.kept if self.decisions else []
        if self.record is None:
            return self._decide(self.folder, watch)
        recorded = {row.file or row.loc: row for row in self.record.rows()}  # of several, the last counts
        rows = list(recorded.values())
        others = set()
        for found, _ in walk(self.folder):
            file = found.rstrip("/")  # of a folder that is not entered
            build = build_at(self.builds, found)
            if build and build.state == "unselected":
                loc = self.project.base.loc(self.folder.address_of(file))
                rows.append(Row(file, loc, Reason.UNSELECTED, build.left_out))
            elif file not in recorded:
                others.add(file)
        if others:
            rows += [row for row in self._decide(self.folder, watch) if row.file in others]
        return rows

    def _decide(self, folder: FolderSite, watch: Watch) -> list[Row]:
        """The rows of a dry run, which decides about the pages also where the site has no sitemap."""
        collected = collect_pages(folder, watch)
        self.decisions = decide(self.project.with_sitemap(), collected, described=True, watch=watch)
        rows = []
        for row, _ in self.decisions.rows():
            build = build_at(self.builds, row.file)
            if build and build.original and not row.reason:
                row = row._replace(reason=Reason.COPY, detail=build.original)  # noqa: PLW2901
            rows.append(row._replace(known=False))
        return rows

    def find(self, names: Iterable[tuple[NameOf, str]]) -> Row | None:
        """The row of a page by the first of its names that is known; only as much is read as that takes."""
        row = next(self._named([*names]), None)
        # A link to a folder that is not entered has a row, too, and shows the home page there.
        return row and (self._linked(f"{row.file}/index.html") or row)

    def _named(self, names: Sequence[tuple[NameOf, str]]) -> Iterator[Row]:
        """Yields the rows of the names in the order in which they count."""
        if self.record:
            yield from filter(None, starmap(self.record.find, names))
        for kind, text in names:
            named = [row for row in self.rows() if row.is_named(kind, text)]
            if named:
                yield min(named, key=lambda row: row.reason is not None)
        for kind, text in names:
            if kind == "file" and (row := self._linked(text)):
                yield row

    def _linked(self, file: str) -> Row | None:
        """The row of a page that is found by a link to the folder of another one, which is not entered."""
        output = os.path.realpath(self.project.output)
        target = seen_from(output, os.path.realpath(f"{output}/{file}"))
        row = self.find([("file", target)]) if target != file else None
        if row is None or self.folder is None:
            return None
        loc = self.project.base.loc(self.folder.address_of(file))
        return row._replace(file=file, loc=loc, reason=Reason.COPY, detail=row.loc)

    def dates(self, sources: Iterable[Path | str]) -> Dates:
        """Returns what git says now of the files that pages are made of.

        Who decides here has just asked it.
        """
        if self.decisions and not self.decisions.no_sitemap and self.record is None:
            return self.decisions.dates
        return dates_of(self.project, sources)


def read_built(settings: FolderSettings) -> Built:
    """Returns what was decided about the folder that ``settings`` describe. Raises SitemapError."""
    folder = open_folder(settings, is_built=True)
    record, output = folder.record, folder.project.output
    builds = {build.path: build for build in record.builds} if record else {}
    with suppress(SitemapError):  # what cannot be read is unknown
        if not builds and any(mark.joined for mark in our_files(output).values()):
            builds = read_builds(output, folder.project.base, read_aliases(output).keys())
    return Built(project=folder.project, record=record, folder=folder, builds=builds)
