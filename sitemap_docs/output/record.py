"""Write and read the record of a build. It tells later commands, such as ``check``, what the build decided.

A record is a file in the cache folder. The option ``record`` writes a copy to another path. It is never in
the output folder, because that folder is deployed. The first line of the file is about the site. Each further
line contains the decisions about many pages.

A record is valid as long as the sitemap is the one that the build wrote. It can be used on another machine,
or after the folder was moved, because it has no absolute paths: a folder is recognised by its sitemap, and
sources are found in the checkout of that machine.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache, partial
from hashlib import blake2b
from itertools import chain, starmap
from pathlib import Path
from sys import intern
from tempfile import SpooledTemporaryFile
from typing import Any, Literal, NamedTuple

from sitemap_docs import __version__, files
from sitemap_docs.cache import drop_unused, kept_file, newest_first, write_kept
from sitemap_docs.config.dates import read_date
from sitemap_docs.config.ignored import Ignored
from sitemap_docs.config.option_types import ADDRESSES, IGNORE
from sitemap_docs.config.options import LinkOption, Options
from sitemap_docs.config.patterns import MisspelledGlob
from sitemap_docs.html.head import head_inside
from sitemap_docs.model import Alternate, Cause, NameOf, NoSitemap, Reason, Row, SitemapError, TreeSite
from sitemap_docs.output.robots_file import extra_sitemaps
from sitemap_docs.output.untrusted import require_types
from sitemap_docs.project import Project
from sitemap_docs.sitemap.render import stamp
from sitemap_docs.urls.base import Base
from sitemap_docs.urls.hosts import Platform

RECORDS = "records"
"""The folder of the records in a cache folder."""

#: The version of the format. A record in another format counts as missing.
_VERSION = 4
_MARK = "sitemap-docs record"
_START = b'{"%b":' % _MARK.encode()

_BATCH = 1_000  # rows in a line. With one row in a line, writing takes three times as long.
_SPOOLED = 1 << 20  # bytes of rows that are kept in memory
_LONGEST = 1 << 20  # bytes of the line about the site
_JSON = json.JSONEncoder(separators=(",", ":"))
#: The attributes of :class:`Record` that the file contains without a conversion.
_AS_WRITTEN = ("base", "digest", "links", "version")
_ABOVE = re.compile(r"^(?:\.\./)+")
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_REASON, _LASTMOD, _CAUSE, _ALTERNATES = map(Row._fields.index, ("reason", "lastmod", "cause", "alternates"))


@dataclass(frozen=True, kw_only=True)
class Record:
    """The stored result of a build: for each page, whether the sitemap lists it."""

    base: str
    files: tuple[str, ...] = field(repr=False)  # one may be named after the IndexNow key
    output: Path
    #: The folder to which paths of source files are relative.
    root: str
    #: The file that stores the record.
    file: Path
    #: A checksum of the sitemap files.
    digest: str
    platform: Platform = Platform()
    #: How addresses end, such as ``folders`` for ``a/``.
    links: LinkOption = "auto"
    version: str = ""
    #: The versions or languages, if ``join`` wrote the file.
    sites: tuple[TreeSite, ...] = ()
    no_sitemap: NoSitemap | None = None
    misspelled: tuple[MisspelledGlob, ...] = ()
    ignored: Ignored = ()
    #: The option ``extra_sitemaps``.
    extra_sitemaps: tuple[str, ...] = ()
    #: The record of each version or language, by folder.
    below: Mapping[str, Record] = field(default_factory=dict)

    def is_about(self, url: str) -> bool:
        """Check whether this record describes a site with the base URL ``url``."""
        return self.base == url

    def find(self, kind: NameOf, text: str) -> Row | None:
        """Return the page with a certain URL, HTML file or source file, or None if there is no such page.

        ``kind`` says what ``text`` is: ``loc`` (a URL), ``file`` (an HTML file) or ``source`` (a source
        file).
        """
        name = text
        if kind == "source":
            name = _relative(self.root, text)
        rows = [row for row in self._read_rows(_JSON.encode(name)) if row.is_named(kind, text)]
        if rows:
            return min(rows, key=lambda row: row.reason is not None)
        for folder in sorted(self.below, reverse=True):  # A build inside the folder of another comes first.
            name = text
            if kind == "file":
                if not text.startswith(folder):
                    continue
                name = text.removeprefix(folder)
            row = self.below[folder].find(kind, name)
            if row:
                return row._replace(file=folder + row.file)
        return None

    def rows(self) -> Iterator[Row]:
        """Yield the pages of the last build, each with the decision whether the sitemap lists it.

        If a page occurs several times, the last decision is valid.
        """
        # The rows of a build inside the folder of another build come later, and the rows of the join last.
        for folder in sorted(self.below):
            for row in self.below[folder].rows():
                yield row._replace(file=folder + row.file)
        yield from self._read_rows("")

    def _read_rows(self, text: str) -> Iterator[Row]:
        """Yield the pages from all lines of the record file that contain ``text``.

        Other lines are not parsed, which saves time. If ``text`` is empty, yield all pages.
        """
        alternates: list[tuple[Alternate, ...]] = [()]
        absolute = lru_cache(partial(_absolute, self.root))  # Pages with the same source share one text.
        try:
            with files.open_file(self.file) as stream:
                if json.loads(stream.readline(_LONGEST))["digest"] != self.digest:
                    return
                for line in stream:
                    new_alternates, _, rows = line.decode("ascii").partition("\t")
                    alternates += map(_parse_alternates, json.loads(new_alternates))
                    if text in rows:
                        for fields in json.loads(rows):
                            yield _parse_row(fields, alternates, absolute)
        except OSError:
            return
        except (LookupError, RecursionError, TypeError, ValueError):
            raise SitemapError(f"The record {self.file} is damaged. Remove it.") from None


class RecordWriter:
    """Writes the record of a build, a file with the decision about each page.

    Call :meth:`add` for each page, then :meth:`commit`. The command ``join`` does not replace the record of a
    build. Then ``kept_file`` is the file of that record, otherwise None.

    Args:
        output: The output folder.
        cache: The cache folder, or None to write no file.
        root: The folder of the project.
        record_file: The file of the option ``record``, or None.
        options: The options of the build. The record keeps those that an audit needs.
        joins: Whether ``sitemap-docs join`` writes the record.

    Raises:
        SitemapError: The file ``record_file`` is in the output folder, or it exists and is not a record.
    """

    def __init__(
        self,
        output: Path,
        cache: Path | None,
        root: Path,
        record_file: Path | None = None,
        options: Options | None = None,
        *,
        joins: bool = False,
    ) -> None:
        self.output = output
        self._cache = cache
        self._record_file = record_file
        self._options = options or Options()
        self._joins = joins
        self.kept_file: Path | None = None
        if cache and record_file and not _is_replaceable(record_file, output, joins=joins):
            self.kept_file = record_file
            self._record_file = None
        self._root = os.fspath(files.repository_of(root) or root)
        self._relative = lru_cache(partial(_relative, self._root))  # A page often repeats its own source.
        self._first_source = ""
        self._rows: list[list[object]] = []
        self._misspelled: list[MisspelledGlob] = []
        #: Each set of alternates and its number. A row has only the number.
        self._alternates: dict[tuple[Alternate, ...], int] = {(): 0}
        self._new_alternates: list[tuple[Alternate, ...]] = []
        self._size = 0
        # The lines are first written to a temporary file, because a record is put into the cache as a whole.
        self._lines = SpooledTemporaryFile(_SPOOLED, "w+", encoding="ascii", newline="")  # noqa: SIM115  see close()

    def close(self) -> None:
        """Delete the temporary file of the record."""
        with suppress(OSError):  # Closing writes the last lines, and the disk may be full.
            self._lines.close()

    def add(self, row: Row) -> None:
        """Add the decision about a page."""
        if not self._cache:
            return
        number = self._alternates.get(row.alternates)
        if number is None:
            number = self._alternates[row.alternates] = len(self._alternates)
            self._new_alternates.append(row.alternates)
        if row.sources or row.undated or row.root:  # Other rows have no paths, and copying a row is slow.
            row = self._with_relative_paths(row)
        if row.sources and not self._first_source:
            self._first_source = row.sources[0]
        fields: list[object] = [*row]
        fields[_REASON] = row.reason and row.reason.name  # The value is a text for users, which may change.
        fields[_LASTMOD] = row.lastmod and stamp(row.lastmod)
        fields[_ALTERNATES] = number
        fields.pop()  # The sitemap has the entry.
        self._rows.append(fields)
        if len(self._rows) == _BATCH:
            self._write_rows()

    def add_misspelled(self, globs: Iterable[MisspelledGlob]) -> None:
        """Store each glob that matches no page with its corrected form: ``internal/*`` for ``/internal/``."""
        self._misspelled += globs

    def _with_relative_paths(self, row: Row) -> Row:
        """Return a copy of a page's row (its decision), with relative source paths such as ``docs/a.md``."""
        cause = row.cause
        if cause and (cause.files or cause.root):
            root = cause.root and self._relative(cause.root)
            cause = cause._replace(files=self._relative_paths(cause.files), root=root)
        return row._replace(
            cause=cause,
            changed=row.changed and self._relative(row.changed),
            root=row.root and self._relative(row.root),
            sources=self._relative_paths(row.sources),
            undated=self._relative_paths(row.undated),
        )

    def _relative_paths(self, paths: Iterable[str]) -> tuple[str, ...]:
        """Make the paths of source files relative to the repository."""
        # Files on other drives (Windows) are left out.
        return tuple(filter(None, map(self._relative, paths)))

    def _write_rows(self) -> None:
        """Append the pages that :meth:`add` has collected to the temporary file of the record."""
        if not self._rows:
            return
        line = f"{_JSON.encode(self._new_alternates)}\t{_JSON.encode(self._rows)}\n"
        try:
            self._size += self._lines.write(line)
        except OSError:  # The disk is full.
            self._cache = None
        self._rows.clear()
        self._new_alternates.clear()

    def commit(
        self,
        base: str,
        sitemaps: Iterable[str],
        *,
        platform: Platform | None = None,
        links: LinkOption = "auto",
        sites: Iterable[TreeSite] = (),
        no_sitemap: NoSitemap | None = None,
    ) -> None:
        """Save the record of this build, and replace the record of the last build.

        Args:
            base: The base URL of the site.
            sitemaps: The names of the written sitemaps.
            platform: The platform on which the site was built.
            links: The address style in the option ``links``, such as ``clean`` for URLs without ``.html``.
            sites: The versions or languages in the common sitemap. Only ``sitemap-docs join`` passes them.
            no_sitemap: The reason why the build wrote no sitemap, or None.
        """
        self._write_rows()
        if not self._cache:
            return
        names = tuple(sitemaps)
        table = [tree_site._replace(sitemaps=())._asdict() for tree_site in sites]
        # Readers refer to these names. Another name needs another _VERSION.
        site = {
            _MARK: _VERSION,
            "base": base,
            "files": names,
            "digest": _checksum(self.output, names, bool(no_sitemap)),
            "platform": asdict(platform or Platform()),
            "links": links,
            "version": __version__,
            "builds": table,
            "no_sitemap": no_sitemap,
            "misspelled": self._misspelled,
            "ignore": {name: places.patterns for name, places in self._options.ignore},
            "extra_sitemaps": self._options.extra_sitemaps,
            "root": _relative(os.path.realpath(self.output), self._root),
            "example": self._first_source,
            "bytes": self._size,
        }
        folder = self._cache / RECORDS
        cached = _cache_file(self.output, folder, joins=self._joins)
        with suppress(OSError):
            # The file of the option is only a copy, because the next build into another folder replaces it.
            for file in filter(None, (self._record_file, cached)):
                self._lines.seek(0)
                write_kept(file, chain([f"{_JSON.encode(site)}\n"], self._lines))
        drop_unused(folder)


def open_record_writer(project: Project, *, joins: bool = False) -> RecordWriter:
    """Return a :class:`RecordWriter`, which saves the decisions of a build in a file.

    Later commands, such as ``check``, read this file. ``joins`` says that the decisions are those of
    ``sitemap-docs join``.
    """
    cache = None if project.dry_run else project.surroundings.cache
    record_file, options = project.record_file, project.options
    return RecordWriter(project.output, cache, project.root, record_file, options, joins=joins)


def _is_replaceable(file: Path, output: Path, *, joins: bool) -> bool:
    """Check whether the build may overwrite the file in the option ``record``, such as ``record.jsonl``.

    If ``joins`` is true, only the record of an earlier join may be overwritten. A record is the file with the
    decisions of a build.

    Raises:
        SitemapError: The file is in the output folder, or it is not a record.
    """
    # A join keeps the record of a build, because only that record shows the sources of the pages.
    if files.is_inside(os.path.realpath(file), os.path.realpath(output)):
        raise SitemapError(
            f"The option `record` is set to {file}, a file in the output folder, which is deployed. Choose a "
            "file outside of that folder."
        )
    if os.path.lexists(file):
        with suppress(OSError):
            if files.read_file(file, len(_START)) == _START:
                return not joins or _is_of_join(file)
        raise SitemapError(
            f"The option `record` is set to {file}, which exists and is not the record of a build. Choose "
            "another file."
        )
    return True


def _is_of_join(file: Path) -> bool:
    """Check whether any version of ``sitemap-docs join`` wrote a record file."""
    try:
        line, _ = _read_first(file)
        return bool(json.loads(line)["builds"])
    except (LookupError, OSError, RecursionError, TypeError, ValueError):
        return False


class RecordProblem(NamedTuple):
    """Why the record, the file with the decisions of the last build, cannot be used. It may be damaged."""

    #: ``missing``, ``damaged``, ``old`` (another version of sitemap-docs) or ``other`` (another sitemap).
    kind: Literal["missing", "damaged", "old", "other"]
    #: The reason as a text for users.
    words: str


def find_problem(file: Path, output: Path) -> RecordProblem | None:
    """Return why a record file cannot be used for the folder ``output``, or None if it can.

    A record is the file with the decisions of the last build.
    """
    opened = _open_record(file, output, partial(_checksum, output))
    return opened if isinstance(opened, RecordProblem) else None


def _open_record(
    file: Path, output: Path, digest_of: Callable[[tuple[str, ...], bool], str]
) -> Record | RecordProblem:
    """Return the record (the file with the decisions of a build), or a problem if it cannot be used.

    It cannot be used if it is damaged, or if a different build wrote the sitemap. ``digest_of`` computes a
    checksum of the sitemap files in the folder ``output``.
    """
    record = _read_site(file, output)
    if isinstance(record, RecordProblem):
        return record
    digest = ""
    with suppress(OSError):  # The sitemap is missing.
        digest = digest_of(record.files, bool(record.no_sitemap))
    if digest == record.digest:
        return record
    sitemaps = [name for name in record.files if name.endswith((".xml", ".xml.gz"))]
    if not sitemaps:
        difference = "which wrote no sitemap"
    elif digest:
        difference = f"which wrote another {sitemaps[0]}"
    else:
        difference = f"whose {sitemaps[0]} is not in this folder"
    return RecordProblem("other", f"it belongs to another build at {record.base}, {difference}")


def _read_site(file: Path, output: Path) -> Record | RecordProblem:
    """Parse the record of a build in a file. If the file is damaged, return a description of the problem.

    ``output`` is the folder with the built site.
    """
    try:
        line, size = _read_first(file)
    except FileNotFoundError:
        return RecordProblem("missing", "there is no such file")
    except OSError as error:
        return RecordProblem("damaged", f"it cannot be read: {error.strerror}")
    try:
        site = json.loads(line)
        if site[_MARK] != _VERSION:
            version = site.get("version", "unknown")
            return RecordProblem("old", f"another version of sitemap-docs wrote it ({version})")
        if len(line) + site["bytes"] != size:
            return RecordProblem("damaged", "a part of it is missing")
        return _parse_site(site, output, file)
    except (AttributeError, LookupError, RecursionError, SitemapError, TypeError, ValueError):
        return RecordProblem("damaged", "it is not the record of a build")


class _RecordPlaces(NamedTuple):
    """The files to search for the record of a build (its decision about each page).

    The first file with a record that fits the sitemap in the output folder is used.
    """

    #: The files of the option ``record``, then the cache file of the output folder.
    own: list[Path]
    #: All other files in the cache, in case the output folder was moved.
    others: list[Path]


def _find_places(
    output: Path, cache: Path | None, record_files: Iterable[Path], *, joins: bool, is_passed: bool
) -> _RecordPlaces:
    """Return the files that may contain the record, the file with the decisions of the last build.

    Args:
        output: The folder of the built site.
        cache: The folder in which builds keep their records, or None.
        record_files: Other files that may contain the record. They come first.
        joins: Whether to find the record of ``sitemap-docs join``.
        is_passed: Whether the user has passed ``record_files``. If so, no other files are returned.
    """
    own = [*record_files]
    if cache is None or (own and is_passed):
        return _RecordPlaces(own, [])
    folder = cache / RECORDS
    own.append(_cache_file(output, folder, joins=joins))
    others = [file for _, file in newest_first(folder) if file not in own]
    return _RecordPlaces(own, others)


def find_old_record(
    output: Path, cache: Path | None, record_files: Iterable[Path] = (), *, is_passed: bool = False
) -> tuple[Path, RecordProblem] | None:
    """Find a record that another version of sitemap-docs wrote, or return None.

    A record is the file with the decisions of the last build. It is searched first in ``record_files``, then
    in the folder ``cache``. If the user has passed ``record_files``, ``is_passed`` is true, and only these
    files are searched.
    """
    for joins in (True, False):
        places = _find_places(output, cache, record_files, joins=joins, is_passed=is_passed)
        for file in places.own:
            problem = find_problem(file, output)
            if problem and problem.kind == "old":
                return file, problem
    return None


def read_record(
    output: Path, cache: Path | None, record_files: Iterable[Path] = (), *, is_passed: bool = False
) -> Record | None:
    """Return the record of the build that wrote the sitemap in ``output``, or None if no record is found.

    A record is the file with the decisions of the last build. It is searched first in ``record_files``, then
    in the folder ``cache``. If the user has passed ``record_files``, ``is_passed`` is true, and only these
    files are searched.
    """
    named = [*record_files]
    record = read_build(output, cache, named, joins=True, is_passed=is_passed)
    if record is None:
        return read_build(output, cache, named, is_passed=is_passed)
    base = Base(record.base)
    records_below = {}
    for site in record.sites:
        if site.state != "joined":
            continue
        below = read_build(output / site.path, cache)
        # A site with another base URL does not have the addresses of the tree.
        if below and below.is_about(base.loc(site.path)):
            records_below[site.path] = below
    return replace(record, below=records_below)


def read_build(
    output: Path,
    cache: Path | None,
    record_files: Iterable[Path] = (),
    *,
    joins: bool = False,
    is_passed: bool = False,
) -> Record | None:
    """Return the record, the file with the decisions of the last build, or None if there is none.

    Args:
        output: The folder of the built site.
        cache: The folder in which builds keep their records, or None.
        record_files: Other files that may contain the record. They are searched first.
        joins: Whether to read only a record of ``sitemap-docs join``. Otherwise, these records are skipped.
        is_passed: Whether the user has passed ``record_files``. If so, only ``record_files`` are searched.
    """
    places = _find_places(output, cache, record_files, joins=joins, is_passed=is_passed)
    digest_of = lru_cache(partial(_checksum, output))
    # If the folder was moved after the build, its record is among the others.
    for file in (*places.own, *places.others):
        record = _open_record(file, output, digest_of)
        if isinstance(record, RecordProblem) or bool(record.sites) is not joins:
            continue
        # Without a sitemap in its folder, a record fits many folders.
        if file in places.own or any(map(_is_inside, record.files)):
            return record
    return None


def _parse_site(site: Mapping[str, Any], output: Path, file: Path) -> Record:
    """Create a record from ``site``, the parsed JSON in the first line of a file.

    Raises:
        LookupError, SitemapError, TypeError, ValueError: The line is damaged.
    """
    fields = {name: site[name] for name in _AS_WRITTEN}
    require_types(Record, {**fields, "files": site["files"]})
    base = Base.of(site["base"])
    if base.url != site["base"]:
        raise ValueError(site["base"])
    for name in site["files"]:
        _require_place(_ABOVE.sub("", name))
    _require_paths(site["root"], site["example"])
    root = os.path.normpath(os.path.join(os.path.realpath(output), site["root"]))
    if site["example"] and not os.path.lexists(os.path.join(root, site["example"])):
        here = Path.cwd()  # On another machine, the sources are in the current checkout.
        root = os.fspath(files.repository_of(here) or here)
    named_sitemaps = ADDRESSES.parse(site.get("extra_sitemaps", ()))  # Older records do not have it.
    # This reads the addresses, and fails if one is not valid.
    list(extra_sitemaps(named_sitemaps, base))
    require_types(Platform, site["platform"])
    hosts = tuple(site["platform"]["hosts"])
    return Record(
        **fields,
        files=tuple(site["files"]),
        output=output,
        root=root,
        file=file,
        platform=Platform(**{**site["platform"], "hosts": hosts}),
        sites=tuple(map(_parse_tree_site, site["builds"])),
        no_sitemap=_parse_no_sitemap(*site["no_sitemap"]) if site["no_sitemap"] else None,
        misspelled=tuple(_parse_misspelled(*fields) for fields in site.get("misspelled", ())),
        ignored=IGNORE.parse(site["ignore"]),
        extra_sitemaps=named_sitemaps,
    )


def _parse_tree_site(fields: dict[str, Any]) -> TreeSite:
    """Create a version or language from its JSON in the record that ``sitemap-docs join`` wrote."""
    fields = {**fields, "sitemaps": ()}  # The record never contains them.
    require_types(TreeSite, fields)
    if fields["path"]:
        _require_place(fields["path"].removesuffix("/"))
    return TreeSite(**fields)


def _parse_no_sitemap(kind: Any, words: str) -> NoSitemap:  # noqa: ANN401  a damaged record has any type
    """Return the reason why the build wrote no sitemap, from its fields in the record."""
    require_types(NoSitemap, {"kind": kind, "words": words})
    return NoSitemap(kind, words)


def _parse_misspelled(option: str, glob: str, corrected: str, number: int) -> MisspelledGlob:
    """Create the warning about a misspelled glob from its JSON in the record.

    Args:
        option: The option that contains the glob.
        glob: The misspelled glob.
        corrected: The glob that the user probably meant.
        number: The number of pages that the corrected glob matches.
    """
    warning = MisspelledGlob(option, glob, corrected, number)
    require_types(MisspelledGlob, warning._asdict())
    return warning


def _parse_alternates(pairs: Iterable[tuple[str, str]]) -> tuple[Alternate, ...]:
    """Create hreflang links from pairs of language and URL in a record, the file with a build's decisions."""
    alternates = tuple(starmap(Alternate, pairs))
    for alternate in alternates:
        _require_texts(*alternate)
    return alternates


def _read_first(file: Path) -> tuple[bytes, int]:
    """Return the first line of a file, and the size of the file in bytes."""
    with files.open_file(file) as stream:
        return stream.readline(_LONGEST), os.fstat(stream.fileno()).st_size


def _parse_row(
    fields: list[Any], alternates: list[tuple[Alternate, ...]], absolute: Callable[[str], str]
) -> Row:
    """Convert the parsed JSON about a page in a record into a row: the page and the decision about it.

    ``alternates`` are all lists of translations in the record, to which ``fields`` refers by number.
    ``absolute`` is a function that makes the path of a source file absolute.

    Raises:
        LookupError, TypeError, ValueError: A field is damaged.
    """
    row = Row(*fields)
    _require_texts(row.loc, row.detail, row.target, *row.ignore)
    _require_paths(row.file, row.changed, row.root, *row.sources, *row.undated)
    if row.commit and not _COMMIT.fullmatch(row.commit):
        raise ValueError(row.commit)
    date = read_date(fields[_LASTMOD] or "")
    return row._replace(
        reason=Reason[fields[_REASON]] if fields[_REASON] else None,
        asked=bool(row.asked),
        cause=_parse_cause(fields[_CAUSE], absolute) if fields[_CAUSE] else None,
        lastmod=date.first if date else None,
        commit=intern(row.commit),
        changed=row.changed and absolute(row.changed),
        root=row.root and absolute(row.root),
        sources=tuple(map(absolute, row.sources)),
        undated=tuple(map(absolute, row.undated)),
        alternates=alternates[fields[_ALTERNATES]],
        known=bool(row.known),
        ignore=tuple(row.ignore),
        entry=None,
    )


def _parse_cause(fields: list[Any], absolute: Callable[[str], str]) -> Cause:
    """Create the cause of a missing date from its fields in the record.

    The function ``absolute`` makes the path of a source file absolute.
    """
    rule, words, paths, root, remedy = fields
    _require_texts(rule, words, remedy)
    _require_paths(root, *paths)
    return Cause(rule, words, tuple(map(absolute, paths)), root and absolute(root), remedy)


def _require_texts(*values: str) -> None:
    """Raise TypeError if one of ``*values`` is not a string."""
    "".join(values)  # One call is faster than many checks.


def _require_paths(*values: str) -> None:
    """Raise TypeError or ValueError if one of ``*values`` cannot be the path of a file."""
    text = "".join(values)
    if not files.is_valid_path(text):
        raise ValueError(text)


def _require_place(name: str) -> None:
    """Raise ValueError if a path such as ``a/sitemap.xml`` leads out of its folder."""
    _require_paths(name)
    if not files.is_below(name):
        raise ValueError(name)


def _relative(root: str, file: str) -> str:
    """Return the path of a file relative to a folder, or ``""`` if it is on another drive."""
    path = files.seen_from(root, file)
    return "" if os.path.isabs(path) else path


def _absolute(root: str, path: str) -> str:
    """Return the absolute path for a path that is relative to a folder."""
    if path.startswith("."):
        return os.path.normpath(os.path.join(root, path))
    return os.path.join(root, path.replace("/", os.sep))


def _cache_file(output: Path, folder: Path, *, joins: bool) -> Path:
    """Return the file in the cache folder ``folder`` for the record of a build, or of a join.

    ``output`` is the output folder of the build, and ``joins`` is true for a join.
    """
    return kept_file(folder, os.path.realpath(output), "-join.jsonl" if joins else ".jsonl")


def _is_inside(name: str) -> bool:
    """Check whether a sitemap is inside the output folder. ``../sitemap.xml`` is not."""
    return not name.startswith("../")


def _checksum(output: Path, names: tuple[str, ...], has_no_sitemap: bool) -> str:  # noqa: FBT001
    """Return a checksum of the sitemaps that a build has written into a folder.

    If a build writes no sitemap there (``has_no_sitemap``), the checksum covers the generator of the home
    page, and all files that match ``sitemap*``. They change if another program builds into the folder.
    ``names`` are the sitemaps of the build.

    Raises:
        OSError: A sitemap is missing.
    """
    # Sitemaps above the folder do not count, because other builds change them.
    parts: list[bytes] = []
    names_inside = list(filter(_is_inside, names))
    for name in names_inside:
        parts += [os.fsencode(name), files.read_file(output / name)]
    # Without a sitemap, the generator and these files change if another program builds into the folder.
    if has_no_sitemap or not names_inside:
        home = head_inside(output, "index.html", described=True)
        parts.append((home.generator or "").encode())
        for name in sorted(files.names_inside(os.path.realpath(output), "")):
            if name.startswith("sitemap"):
                parts += [os.fsencode(name), files.read_file(output / name)]
    digest = blake2b(digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()
