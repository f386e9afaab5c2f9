"""The record of a build: what it decided about each page, for the commands that read the site.

It is one file in a cache folder, with a copy where the option ``record`` says, and never in the folder that
is deployed: a line about the site, then the rows, many a line. It is valid only while the sitemap is the one
that this build wrote. It travels, as it has no path that begins at the root of a machine: a folder that was
moved or copied is known by its sitemap, also on another machine, and sources are found below the checkout
there.
"""

from __future__ import annotations

import json
import os
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
from sitemap_docs.config.options import IGNORE, Ignored, LinkOption
from sitemap_docs.html.head import head_inside
from sitemap_docs.model import Alternate, BuildRow, Cause, NameOf, NoSitemap, Reason, Row, SitemapError
from sitemap_docs.project import Project
from sitemap_docs.sitemap.render import stamp
from sitemap_docs.urls.base import Base
from sitemap_docs.urls.hosts import Platform

RECORDS = "records"
"""The folder of the records in a cache folder."""

#: A record of another version is none.
_VERSION = 3
_MARK = "sitemap-docs record"
_START = b'{"%b":' % _MARK.encode()

_BATCH = 1_000  # rows that are one line: each alone would take three times as long
_SPOOLED = 1 << 20  # bytes that wait in memory
_LONGEST = 1 << 20  # bytes of the line about the site
_SHOWN = 8  # characters of a digest in messages
_JSON = json.JSONEncoder(separators=(",", ":"))
_AS_WRITTEN = ("base", "digest", "links", "version")
_REASON, _LASTMOD, _CAUSE, _ALTERNATES = map(Row._fields.index, ("reason", "lastmod", "cause", "alternates"))


@dataclass(frozen=True, kw_only=True)
class Record:
    """What the last build of ``output`` decided: the base URL, the names of the files it wrote.

    ``platform`` is the one that built it, ``links`` the style of its
    addresses, ``version`` that of ours. ``root`` is the folder that the sources are in here. The rows
    stay in the ``file`` until they are asked for; where another build was made since, there are none.

    ``no_sitemap`` is why the build wrote no sitemap, where it decided so; such a record has no rows.
    ``ignored`` is its option ``ignore``.

    The record of a join has its table of ``builds``, without the sitemaps, and the rows that it left out
    itself; what the builds that were joined decided is in their own records, in ``below``.
    """

    base: str
    files: tuple[str, ...] = field(repr=False)  # one may be named after the IndexNow key
    output: Path
    root: str
    file: Path
    digest: str
    platform: Platform = Platform()
    links: LinkOption = "auto"
    version: str = ""
    builds: tuple[BuildRow, ...] = ()
    no_sitemap: NoSitemap | None = None
    ignored: Ignored = ()
    below: Mapping[str, Record] = field(default_factory=dict)

    def find(self, kind: NameOf, text: str) -> Row | None:
        """The row of the page with a name, of several with one address the listed one.

        Only the part of the record that names it is read. None for what was no page of the build.
        """
        name = _below(self.root, text) if kind == "source" else text
        named = [row for row in self._rows(_JSON.encode(name)) if row.is_named(kind, text)]
        if named:
            return min(named, key=lambda row: row.reason is not None)
        for folder in sorted(self.below, reverse=True):  # a build in the folder of another comes first
            if kind != "file" or text.startswith(folder):
                below = text.removeprefix(folder) if kind == "file" else text
                if row := self.below[folder].find(kind, below):
                    return row._replace(file=folder + row.file)
        return None

    def rows(self) -> Iterator[Row]:
        """All rows, in the order in which the build decided about them: that of their addresses.

        What counts comes last: a build in the folder of another, and what a join decided about pages of both.
        """
        for folder in sorted(self.below):
            for row in self.below[folder].rows():
                yield row._replace(file=folder + row.file)
        yield from self._rows("")

    def _rows(self, text: str) -> Iterator[Row]:
        """The rows of the lines that hold a text."""
        sets: list[tuple[Alternate, ...]] = [()]
        joined = lru_cache(partial(_joined, self.root))  # one text for all pages that name it
        try:
            with files.open_file(self.file) as stream:
                if json.loads(stream.readline(_LONGEST))["digest"] != self.digest:
                    return
                for line in stream:
                    more, _, rows = line.decode("ascii").partition("\t")
                    sets += [tuple(starmap(Alternate, alternates)) for alternates in json.loads(more)]
                    if text in rows:
                        for facts in json.loads(rows):
                            yield _row(facts, sets, joined)
        except OSError:
            return
        except (LookupError, RecursionError, TypeError, ValueError):
            raise SitemapError(f"The record {self.file} is damaged. Remove it.") from None


class Recording:
    """A record that is being made; nothing is kept without :meth:`commit`.

    ``cache`` is a cache folder, or None for no record, and ``root`` that of the project. ``named`` is the
    file that the option ``record`` names, ``ignored`` its option ``ignore``. A record
    that cannot be written is none, and fails no build; raises SitemapError where the file that is named must
    not be written.
    """

    def __init__(
        self, output: Path, cache: Path | None, root: Path, named: Path | None = None, ignored: Ignored = ()
    ) -> None:
        self.output = output
        self._cache = cache
        self._named = named
        self._ignored = ignored
        if cache and named:
            _require_own(named, output)
        self._root = os.fspath(files.repository_of(root) or root)
        self._below = lru_cache(partial(_below, self._root))  # most pages are dated by their own source
        self._example = ""  # the first source
        self._rows: list[list[object]] = []
        self._sets: dict[tuple[Alternate, ...], int] = {(): 0}  # with their numbers in the record
        self._new: list[tuple[Alternate, ...]] = []
        self._size = 0
        # Lines wait outside of the cache: the whole record is put there at once.
        self._waiting = SpooledTemporaryFile(_SPOOLED, "w+", encoding="ascii", newline="")  # noqa: SIM115  closed on leaving

    def close(self) -> None:
        """Gives up what waits."""
        with suppress(OSError):  # no room for what still waits
            self._waiting.close()

    def add(self, row: Row) -> None:
        """Takes a row, where a record is kept."""
        if not self._cache:
            return
        number = self._sets.get(row.alternates)
        if number is None:
            number = self._sets[row.alternates] = len(self._sets)
            self._new.append(row.alternates)
        if row.sources or row.undated or row.root:  # without them, a copy would take most of the time here
            cause = row.cause
            if cause and cause.files:
                cause = cause._replace(files=tuple(filter(None, map(self._below, cause.files))))
            row = row._replace(
                cause=cause,
                changed=row.changed and self._below(row.changed),
                root=row.root and self._below(row.root),
                sources=tuple(filter(None, map(self._below, row.sources))),
                undated=tuple(filter(None, map(self._below, row.undated))),
            )
        self._example = self._example or next(iter(row.sources), "")
        facts: list[object] = [*row]
        facts[_REASON] = row.reason and row.reason.value
        facts[_LASTMOD] = row.lastmod and stamp(row.lastmod)
        facts[_ALTERNATES] = number
        facts.pop()  # The sitemap has the entry.
        self._rows.append(facts)
        if len(self._rows) == _BATCH:
            self._flush()

    def _flush(self) -> None:
        if not self._rows:
            return
        try:
            self._size += self._waiting.write(f"{_JSON.encode(self._new)}\t{_JSON.encode(self._rows)}\n")
        except OSError:  # no room
            self._cache = None
        self._rows.clear()
        self._new.clear()

    def commit(
        self,
        base: str,
        sitemaps: Iterable[str],
        *,
        platform: Platform | None = None,
        links: LinkOption = "auto",
        builds: Iterable[BuildRow] = (),
        no_sitemap: NoSitemap | None = None,
    ) -> None:
        """Makes it the record of the output folder, which holds ``sitemaps`` now: files, by name."""
        self._flush()
        if not self._cache:
            return
        names = tuple(sitemaps)
        table = [build._replace(sitemaps=())._asdict() for build in builds]
        site = {
            _MARK: _VERSION,
            "base": base,
            "files": names,
            "digest": _digest(self.output, names, bool(no_sitemap)),
            "platform": asdict(platform or Platform()),
            "links": links,
            "version": __version__,
            "builds": table,
            "no_sitemap": no_sitemap,
            "ignore": {name: places.patterns for name, places in self._ignored},
            "root": _below(os.path.realpath(self.output), self._root),
            "example": self._example,
            "bytes": self._size,
        }
        folder = self._cache / RECORDS
        with suppress(OSError):
            # Also in the cache, if a file is named: the next build into another folder replaces that file.
            for file in filter(None, (self._named, _file_of(self.output, folder, joins=bool(table)))):
                self._waiting.seek(0)
                write_kept(file, chain([f"{_JSON.encode(site)}\n"], self._waiting))
        drop_unused(folder)


def start_recording(project: Project) -> Recording:
    """Return a new record of a build of the project. A dry run keeps no record."""
    cache = None if project.dry_run else project.surroundings.cache
    return Recording(project.output, cache, project.root, project.record_file, project.options.ignore)


def _require_own(file: Path, output: Path) -> None:
    """Raises SitemapError for a file that the option ``record`` must not name."""
    if files.is_inside(os.path.realpath(file), os.path.realpath(output)):
        raise SitemapError(
            f"The option `record` names {file}, in the folder that is deployed. Name a file elsewhere."
        )
    if os.path.lexists(file):
        with suppress(OSError):
            if files.read_file(file, len(_START)) == _START:
                return
        raise SitemapError(f"The option `record` names {file}, which is no record. Name another file.")


class Unusable(NamedTuple):
    """The reason why a file is not used as the record of the sitemap in a folder.

    Attributes:
        kind: The file is missing, it is damaged or no record, another version of sitemap-docs wrote it, or it
            is the record of another sitemap.
        words: What was found.
    """

    kind: Literal["missing", "damaged", "old", "other"]
    words: str


def find_problem(file: Path, output: Path) -> Unusable | None:
    """Return the reason why a file is not the record of the sitemap in a folder, or None if it is."""
    try:
        line, size = _read_first(file)
    except FileNotFoundError:
        return Unusable("missing", "there is no such file")
    except OSError as error:
        return Unusable("damaged", f"it cannot be read: {error.strerror}")
    try:
        return _problem_of(json.loads(line), size - len(line), output)
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
        return Unusable("damaged", "it is not a record")


def _problem_of(site: Mapping[str, Any], size: int, output: Path) -> Unusable | None:
    """Return the reason why a record, whose rows have a ``size``, is not that of a folder, or None."""
    if site[_MARK] != _VERSION:
        return Unusable("old", f"another version of sitemap-docs wrote it ({site.get('version', 'unknown')})")
    if site["bytes"] != size:
        return Unusable("damaged", "a part of it is missing")
    names, written = tuple(site["files"]), str(site["digest"])
    digest = ""
    with suppress(OSError):
        digest = _digest(output, names, bool(site["no_sitemap"]))
    if digest == written:
        return None
    sitemaps = [name for name in names if name.endswith((".xml", ".xml.gz"))]
    shown = " and ".join(sitemaps) or "a build without a sitemap"
    there = f"has the digest {digest[:_SHOWN]}" if digest else "is missing"
    return Unusable(
        "other",
        f"it is the record of {shown} at {site['base']}, which has the digest {written[:_SHOWN]}, and in the "
        f"folder {shown} {there}",
    )


def find_old_record(output: Path, cache: Path, named: Path | None) -> tuple[Path, Unusable] | None:
    """Return the record of a folder if another version of sitemap-docs wrote it, with the reason.

    The record is in the file of the option ``record``, or else in the cache.
    """
    candidates = (
        [named] if named else [_file_of(output, cache / RECORDS, joins=joins) for joins in (True, False)]
    )
    for file in candidates:
        problem = find_problem(file, output)
        if problem and problem.kind == "old":
            return file, problem
    return None


def read_record(output: Path, cache: Path, named: Path | None = None) -> Record | None:
    """The record of the build or the join that wrote the sitemap in an output folder; None without one.

    It is in the file that is ``named``. Else that of the folder itself is looked at first, then the newest of
    all. In a joined tree, the records of the builds that were joined are part of that of the join.
    """
    record = read_build(output, cache, named, joins=True)
    if record is None:
        return read_build(output, cache, named)
    base = Base(record.base)
    below = {}
    for path in [build.path for build in record.builds if build.state == "joined"]:
        build = read_build(output / path, cache)
        if build and build.base == base.loc(path):  # else its addresses are others than those in the tree
            below[path] = build
    return replace(record, below=below)


def read_build(output: Path, cache: Path, named: Path | None = None, *, joins: bool = False) -> Record | None:
    """The record of the build of an output folder alone, or of the join, as :func:`read_record` finds it."""
    folder = cache / RECORDS
    own = named or _file_of(output, folder, joins=joins)
    others = [] if named else [file for _, file in newest_first(folder)]
    digest = lru_cache(partial(_digest, output))
    for file in dict.fromkeys((own, *others)):
        with suppress(OSError, LookupError, RecursionError, TypeError, ValueError):
            line, size = _read_first(file)
            site = json.loads(line)
            if site[_MARK] != _VERSION or len(line) + site["bytes"] != size:
                continue
            names = tuple(site["files"])
            builds = tuple(BuildRow(**row) for row in site["builds"])
            no_sitemap = NoSitemap(*site["no_sitemap"]) if site["no_sitemap"] else None
            if bool(builds) is not joins or (file != own and not any(map(_is_inside, names))):
                continue  # the latter has nothing that would tell one folder from another
            if site["digest"] == digest(names, bool(no_sitemap)):
                root = os.path.normpath(os.path.join(os.path.realpath(output), site["root"]))
                if site["example"] and not os.path.lexists(os.path.join(root, site["example"])):
                    here = Path.cwd()  # the current checkout, on another machine
                    root = os.fspath(files.repository_of(here) or here)
                return Record(
                    **{name: site[name] for name in _AS_WRITTEN},
                    files=names,
                    output=output,
                    root=root,
                    file=file,
                    platform=Platform(**{**site["platform"], "hosts": tuple(site["platform"]["hosts"])}),
                    builds=builds,
                    no_sitemap=no_sitemap,
                    ignored=IGNORE.parse(site["ignore"]),
                )
    return None


def _read_first(file: Path) -> tuple[bytes, int]:
    """Return the first line of a record, and the size of the file. Raise OSError."""
    with files.open_file(file) as stream:
        return stream.readline(_LONGEST), os.fstat(stream.fileno()).st_size


def _row(facts: list[Any], sets: list[tuple[Alternate, ...]], joined: Callable[[str], str]) -> Row:
    row = Row(*facts)
    texts = (row.file, row.loc, row.detail, row.commit, row.changed, row.root, row.target)
    "".join((*texts, *row.sources, *row.undated, *row.ignore))  # TypeError for what is no text
    date = read_date(facts[_LASTMOD] or "")
    return row._replace(
        reason=Reason(row.reason) if row.reason else None,
        cause=_cause(facts[_CAUSE], joined) if facts[_CAUSE] else None,
        lastmod=date.first if date else None,
        commit=intern(row.commit),
        changed=row.changed and joined(row.changed),
        root=row.root and joined(row.root),
        sources=tuple(map(joined, row.sources)),
        undated=tuple(map(joined, row.undated)),
        alternates=sets[facts[_ALTERNATES]],
        ignore=tuple(row.ignore),
        entry=None,
    )


def _cause(facts: list[Any], joined: Callable[[str], str]) -> Cause:
    """Return a recorded cause, with whole paths. Raise TypeError or ValueError if a value is wrong."""
    rule, words, paths = facts
    "".join((rule, words, *paths))
    return Cause(rule, words, tuple(map(joined, paths)))


def _below(root: str, file: str) -> str:
    """The path of a file as seen from ``root``; ``""`` where none leads there, as to another drive."""
    below = files.seen_from(root, file)
    return "" if os.path.isabs(below) else below


def _joined(root: str, file: str) -> str:
    """The whole path of a file that is recorded."""
    if file.startswith("."):
        return os.path.normpath(os.path.join(root, file))
    return os.path.join(root, file.replace("/", os.sep))


def _file_of(output: Path, folder: Path, *, joins: bool) -> Path:
    """The file of the record of an output folder, of its build or of a join."""
    return kept_file(folder, os.path.realpath(output), "-join.jsonl" if joins else ".jsonl")


def _is_inside(name: str) -> bool:
    return not name.startswith("../")


def _digest(output: Path, names: tuple[str, ...], has_none: bool) -> str:  # noqa: FBT001
    """Of the sitemap files in the folder, as other builds change one above it; OSError where one is gone.

    Of a build that wrote none there (``has_none``), also of what tells that another program built there
    later.
    """
    parts: list[bytes] = []
    inside = list(filter(_is_inside, names))
    for name in inside:
        parts += [os.fsencode(name), files.read_file(output / name)]
    if has_none or not inside:
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
