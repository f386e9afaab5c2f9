"""Find the new addresses of pages whose source was renamed in git.

The record of a build has the source and the address of each page, so it shows the rule by which an address is
made of a source. For example, ``docs/guide/new.md`` is at ``https://example.org/guide/new/``. By this rule,
the removed file ``docs/old.md`` was at ``https://example.org/old/``. If git renamed ``docs/old.md`` to
``docs/guide/new.md``, the page moved to the new address. If the addresses have changed from ``…/old.html`` to
``…/old/``, the pages have moved, too, even if their sources have not.

No record of the old build is needed. If there is one, its sources count, because they need no rule.
"""

import os
import posixpath
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import Enum
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from sitemap_docs.files import is_valid_path, repository_of, seen_from
from sitemap_docs.history.git import GitTrouble, Removal, folders, open_repository
from sitemap_docs.model import Row
from sitemap_docs.sources.source_files import ENDINGS, INDEXES
from sitemap_docs.surroundings import Environment
from sitemap_docs.urls.base import split_url
from sitemap_docs.urls.link_styles import drop_style

#: The similarity of a file that was renamed without any other change, in percent.
_UNCHANGED = 100

#: The names of sources that are the page of their folder, in lower case and without ending.
_INDEX_NAMES = frozenset(name.lower() for name in INDEXES)
#: The ends of the addresses of all other pages.
_ENDS = ("/index.html", "/", ".html", "")


class WhyUnmoved(Enum):
    """The reason why no new address was found for an old page."""

    # The values are texts in the JSON output of "sitemap-docs diff".
    #: There is no record of the new build.
    NO_RECORD = "no record"
    #: The source files are not in a git repository.
    NO_CLONE = "no clone"
    #: Git has failed.
    GIT_FAILED = "git failed"
    #: The clone may be too shallow.
    SHALLOW = "shallow clone"
    #: No file in the history belongs to the old address.
    NO_SOURCE = "no source"
    #: The source file still exists.
    SOURCE_EXISTS = "source exists"
    #: A commit deleted the source file.
    NOT_RENAMED = "not renamed"
    #: In a partial clone, git cannot recognise renames.
    NOT_COMPARED = "not compared"
    #: Several files could be the new source file.
    AMBIGUOUS = "several candidates"
    #: The renamed file belongs to no page, or to several pages.
    NOT_LISTED = "not listed"


class MovedPage(NamedTuple):
    """A page that has moved, with its old and its new address."""

    #: The old address.
    loc: str
    #: The page at the new address.
    row: Row
    #: The old path of the source in the repository.
    old_source: str
    #: The new path of the source.
    new_source: str


class UnmovedPage(NamedTuple):
    """An old page without a known new address."""

    #: The old address.
    loc: str
    #: The reason why the new address is unknown.
    why: WhyUnmoved
    #: The path of the source, or ``""``.
    source: str = ""
    #: The commit that removed the source, or ``""``.
    commit: str = ""
    #: The error message of git, or ``""``.
    words: str = ""


def find_moved_pages(
    locs: Collection[str],
    rows: Collection[Row] | None,
    environ: Environment,
    old_rows: Iterable[Row] = (),
) -> dict[str, MovedPage | UnmovedPage]:
    """Find the new addresses of old pages whose source files were renamed in git.

    If a commit renamed ``a.md`` to ``b.md``, the page ``a/`` has moved to ``b/``.

    Args:
        locs: The old addresses of the pages to find.
        rows: The pages of the new build, or None if they are unknown.
        environ: The environment variables for git.
        old_rows: The pages of the old build with their source files, as far as they are known.
    """
    ordered_locs = sorted(set(locs))
    if rows is None:
        return {loc: UnmovedPage(loc, WhyUnmoved.NO_RECORD) for loc in ordered_locs}
    if not ordered_locs:
        return {}
    repository = _repository_of_sources(rows)
    if repository is None:
        return {loc: UnmovedPage(loc, WhyUnmoved.NO_CLONE) for loc in ordered_locs}
    pages = _NewPages(rows, repository)
    known_sources = _sources_by_loc(old_rows, set(ordered_locs))
    try:
        history = _History(repository, environ, pages, known_sources.values())
        sources: dict[str, _OldSource] = {}
        for loc in ordered_locs:
            if loc in known_sources:
                sources[loc] = _OldSource(known_sources[loc], None)
            elif source := history.find_source(loc):
                sources[loc] = source
        steps = history.follow({source.path for source in sources.values()})
    except GitTrouble as trouble:
        return {loc: UnmovedPage(loc, WhyUnmoved.GIT_FAILED, words=trouble.words) for loc in ordered_locs}
    found: dict[str, MovedPage | UnmovedPage] = {}
    for loc in ordered_locs:
        old_source = sources.get(loc)
        if old_source is None:
            why = WhyUnmoved.SHALLOW if history.is_shallow else WhyUnmoved.NO_SOURCE
            found[loc] = UnmovedPage(loc, why)
            continue
        end = steps[old_source.path]
        row = None
        if end.why is None or end.why is WhyUnmoved.SOURCE_EXISTS:
            row = pages.find_row(end.path, old_source.prefix)
        if row and end.why and not _differs_in_style(loc, row.loc):
            row = None
        if row is None:
            why = end.why or WhyUnmoved.NOT_LISTED
            found[loc] = UnmovedPage(loc, why, old_source.path, end.commit)
        elif row.loc == loc:
            found[loc] = UnmovedPage(loc, WhyUnmoved.SOURCE_EXISTS, old_source.path)
        else:
            found[loc] = MovedPage(loc, row, old_source.path, end.path)
    return found


def _repository_of_sources(rows: Iterable[Row]) -> Path | None:
    """Return the top folder of the git repository that contains most source files of the pages, or None."""
    # The build may have run in another folder, and a few pages may come from a submodule.
    top_of = cache(repository_of)
    numbers: Counter[Path] = Counter()
    for row in rows:
        if row.sources and is_valid_path(row.sources[0]):
            top = top_of(Path(row.sources[0]).parent)
            if top:
                numbers[top] += 1
    return max(numbers, key=numbers.__getitem__, default=None)


def _sources_by_loc(rows: Iterable[Row], locs: Collection[str]) -> dict[str, str]:
    """Map the addresses of pages of the old build to their source files, such as ``docs/a.md``.

    Only the addresses in ``locs`` are returned. A source file that belongs to several pages is left out.
    """
    top_of = cache(repository_of)
    sources: dict[str, str] = {}
    number_of_pages: dict[str, int] = defaultdict(int)
    for row in rows:
        if row.reason is not None or not row.sources or not is_valid_path(row.sources[0]):
            continue
        number_of_pages[row.sources[0]] += 1
        if row.loc in locs:
            sources[row.loc] = row.sources[0]
    relative = {}
    for loc, source in sources.items():
        top = top_of(Path(source).parent)
        # A source that several pages share does not show which of them has moved.
        if top and number_of_pages[source] == 1:
            relative[loc] = seen_from(top, source)
    return relative


def _differs_in_style(old_loc: str, new_loc: str) -> bool:
    """Check whether two addresses differ only in their style: ``…/a.html`` and ``…/a/``."""
    return old_loc != new_loc and drop_style(old_loc) == drop_style(new_loc)


class _OldSource(NamedTuple):
    """The source of a page that is no longer on the site."""

    #: The path in the repository, such as ``docs/de/a.md``.
    path: str
    #: The start of the address from which the path was guessed, or None.
    prefix: str | None


class _AddressRule(NamedTuple):
    """The rule that turns ``docs/guide/new.md`` into ``https://example.org/guide/new/``."""

    #: The start of the path, such as ``docs/``.
    folder: str
    #: The text that replaces the start, such as ``https://example.org/``.
    prefix: str
    #: The end of the path, such as ``.md``.
    ending: str
    #: The text that replaces the end, such as ``/``. None for an index page.
    end: str | None


class _NewPages:
    """Finds the page of the new build that was made from a source file."""

    def __init__(self, rows: Iterable[Row], repository: Path) -> None:
        self._rows: dict[str, list[tuple[Row, str | None]]] = defaultdict(list)
        #: The folders of the rules by prefix, each with the endings of the sources.
        self.rules: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        #: The folders of all rules.
        self.folders: set[str] = set()
        ends = set()
        top = os.fspath(repository)
        for row in rows:
            if row.reason is not None or not row.sources or not is_valid_path(row.sources[0]):
                continue
            source = seen_from(top, row.sources[0])
            rule = None if source.startswith("../") else _rule_of(source, row.loc)
            self._rows[source].append((row, rule and rule.prefix))
            if rule:
                self.folders.add(rule.folder)
                self.rules[rule.prefix][rule.folder].add(rule.ending)
                if rule.end is not None:
                    ends.add(rule.end)
        #: The ends of the addresses of all pages that are not the page of their folder.
        self.ends: Collection[str] = ends or _ENDS

    def find_row(self, source: str, prefix: str | None) -> Row | None:
        """Return the page made from a source file, or None if there is no such page.

        If several pages were made from the file, return the only one below the URL ``prefix``. If none or
        several of them are below it, return None.
        """
        rows = self._rows.get(source, [])
        if len(rows) > 1:
            rows = [(row, of_row) for row, of_row in rows if of_row is not None and of_row == prefix]
        return rows[0][0] if len(rows) == 1 else None


def _rule_of(source: str, loc: str) -> _AddressRule | None:
    """Return the rule that turns a source path into the address of its page, or None.

    >>> _rule_of("docs/guide/new.md", "https://example.org/guide/new/")
    _AddressRule(folder='docs/', prefix='https://example.org/', ending='.md', end='/')
    """
    origin, path = _split_address(loc)
    folder, _, name = source.rpartition("/")
    for end in _ENDS:
        stem = path.removesuffix(end)
        above, _, last = stem.rpartition("/")
        if path.endswith(end) and last and name.startswith(f"{last}."):
            shared = _shared_tail(folder, above)
            return _AddressRule(
                _without_tail(folder, shared),
                origin + _without_tail(above, shared),
                name[len(last) :],
                end,
            )
    stem, dot, ending = name.partition(".")
    if stem.lower() in _INDEX_NAMES:
        above = path.removesuffix("index.html").rstrip("/")
        shared = _shared_tail(folder, above)
        return _AddressRule(
            _without_tail(folder, shared), origin + _without_tail(above, shared), dot + ending, None
        )
    return None


def _split_address(loc: str) -> tuple[str, str]:
    """Split a URL into its origin, such as ``https://e.org/``, and its decoded path, such as ``a b/``."""
    parts = split_url(loc)
    path = unquote(parts.path, errors="surrogateescape").removeprefix("/")
    if parts.query:
        path += f"?{parts.query}"
    return f"{parts.scheme}://{parts.netloc}/", path


def _shared_tail(first: str, second: str) -> str:
    """Return the last folders of two paths, as far as they are the same.

    >>> _shared_tail("docs/guide/api", "en/guide/api")
    'guide/api'
    """
    shared: list[str] = []
    for one, other in zip(reversed(first.split("/")), reversed(second.split("/")), strict=False):
        if one != other or not one:
            break
        shared.append(one)
    return "/".join(reversed(shared))


def _without_tail(path: str, tail: str) -> str:
    """Remove folders from the end of a path: ``docs/api`` without ``api`` is ``docs/``."""
    rest = path.removesuffix(tail).rstrip("/")
    return f"{rest}/" if rest else ""


def _splits(path: str) -> Iterator[tuple[str, str]]:
    """Yield all ways to split a path into a folder and the rest.

    >>> list(_splits("docs/guide/a"))
    [('docs/guide/', 'a'), ('docs/', 'guide/a'), ('', 'docs/guide/a')]
    """
    start = path.rfind("/")
    while start >= 0:
        yield path[: start + 1], path[start + 1 :]
        start = path.rfind("/", 0, start)
    yield "", path


class _PossibleSource(NamedTuple):
    """A file that may be the source of an old page."""

    #: The path of the file.
    path: str
    #: The ending of the file name, such as ``.md``.
    ending: str
    #: 0 if the file exists. Removed files have 1, 2 and so on, the latest first.
    removal: int


class _Step(NamedTuple):
    """The move of a file in a commit, or the reason why its new path is unknown."""

    #: The new path, or ``""`` if there is none, or if it is uncertain.
    new_path: str
    #: The reason why ``new_path`` is empty, or None.
    why: WhyUnmoved | None = None


class _LastPath(NamedTuple):
    """The last path of a source file, after all its renames."""

    #: The last path.
    path: str
    #: The reason why the file at ``path`` is not the new source, or None.
    why: WhyUnmoved | None = None
    #: The last commit that removed or renamed the file, or ``""``.
    commit: str = ""


class _History:
    """Finds the source files of old pages in the history of a git repository.

    ``pages`` are the pages of the new build. ``known_sources`` are source files that are already known.

    Raises:
        GitTrouble: Git has failed.
    """

    def __init__(
        self, root: Path, environ: Environment, pages: _NewPages, known_sources: Iterable[str]
    ) -> None:
        self._pages = pages
        self._root = root
        self._repository = open_repository(os.fspath(root), environ)
        self._files = {os.fsdecode(file) for file in self._repository.files()}
        #: The removals of each path, the newest first: the number of the removal, and the commit.
        self._removals: dict[str, list[tuple[int, str]]] = defaultdict(list)
        paths = [os.fsencode(path) for path in (*pages.folders, *known_sources)]
        removed_paths = self._repository.removed_paths(folders(paths)) if paths else ()
        for number, (removed_path, commit) in enumerate(removed_paths, start=1):
            self._removals[os.fsdecode(removed_path)].append((number, commit))
        #: The steps of each commit by path.
        self._steps: dict[str, dict[str, _Step]] = {}
        #: The files by the name below the folder of a rule, and by that folder. The name of the page of a
        #: folder ends with a slash.
        self._places: dict[str, dict[str, list[_PossibleSource]]] = defaultdict(lambda: defaultdict(list))
        for path, removals in self._removals.items():
            if path not in self._files:
                self._add_possible_source(path, removals[0][0])
        for path in self._files:
            self._add_possible_source(path, 0)

    @property
    def is_shallow(self) -> bool:
        """Whether the clone lacks older commits."""
        return bool(self._repository.boundary)

    def _add_possible_source(self, path: str, removal: int) -> None:
        """Remember that ``path`` may be the source file of an old page.

        ``removal`` is 0 if the file exists. It is 1 for the file that was removed last, 2 for the file
        before, and so on.
        """
        folder, slash, name = path.rpartition("/")
        dot = name.find(".", 1)
        while dot > 0:
            stem = name[:dot]
            place = _PossibleSource(path, name[dot:], removal)
            names = [*_splits(f"{folder}{slash}{stem}")]
            if stem.lower() in _INDEX_NAMES:
                names.append((f"{folder}{slash}", "/"))
                names += [(above, f"{below}/") for above, below in _splits(folder) if below]
            for above, below in names:
                if above in self._pages.folders:
                    self._places[below][above].append(place)
            dot = name.find(".", dot + 1)

    def find_source(self, loc: str) -> _OldSource | None:
        """Guess the source file of an old page from its address, or return None.

        For ``https://example.org/b/``, the source file may be ``docs/b.md``.
        """
        # The old addresses may have another style: …/b.html
        return self._find_source(loc, self._pages.ends) or self._find_source(loc, _ENDS)

    def _find_source(self, loc: str, ends: Collection[str]) -> _OldSource | None:
        """Guess the source file of an old page from its address, or return None.

        ``ends`` are the possible ends of the address, such as ``.html`` and ``/``.
        """
        candidates = []
        for prefix, name in _split_in_each_way(loc, ends):
            endings_by_folder = self._pages.rules.get(prefix, {})
            places_by_folder = self._places.get(name, {})
            fewer_folders: Collection[str] = endings_by_folder
            if len(places_by_folder) < len(endings_by_folder):
                fewer_folders = places_by_folder
            for folder in fewer_folders:
                endings = endings_by_folder.get(folder, set())
                for place in places_by_folder.get(folder, ()):
                    is_usual = place.ending in endings
                    if is_usual or (place.ending in ENDINGS and not endings.isdisjoint(ENDINGS)):
                        # The source of a translation, b.de.md, comes before its original, b.md.
                        # Next come existing files, and then the file that was removed last.
                        rank = (not is_usual, -place.ending.count("."), place.removal)
                        candidates.append((rank, place.path, prefix))
        if not candidates:
            return None
        _, path, prefix = min(candidates)
        return _OldSource(path, prefix)

    def follow(self, paths: Iterable[str]) -> dict[str, _LastPath]:
        """Return the last path of each file, after all its renames.

        Raises:
            GitTrouble: Git has failed.
        """
        ends: dict[str, _LastPath] = {}
        #: The sources that are still followed: the present path, and the number and commit of its removal.
        followed: dict[str, tuple[str, int, str]] = {}
        for path in paths:
            if path in self._files:
                is_there = os.path.lexists(self._root / path)
                ends[path] = _LastPath(path, WhyUnmoved.SOURCE_EXISTS if is_there else WhyUnmoved.NOT_RENAMED)
            elif path in self._removals:
                followed[path] = (path, *self._removals[path][0])
            else:
                ends[path] = _LastPath(path, WhyUnmoved.SHALLOW if self.is_shallow else WhyUnmoved.NO_SOURCE)
        while followed:  # Each removal is newer than the one before, so this ends.
            self._read_steps({commit for _, _, commit in followed.values()})
            for start, (path, number, commit) in [*followed.items()]:
                del followed[start]
                new_path, why = self._steps[commit].get(path, _Step("", WhyUnmoved.NOT_RENAMED))
                later_removals = [
                    removal for removal in self._removals.get(new_path, ()) if removal[0] < number
                ]
                if why:
                    ends[start] = _LastPath(path, why, commit)
                elif new_path in self._files:
                    # A file that was removed and added again may be another page.
                    ends[start] = _LastPath(new_path, WhyUnmoved.AMBIGUOUS if later_removals else None)
                elif later_removals:
                    followed[start] = (new_path, *later_removals[-1])
                else:  # It was removed in a folder that no rule has.
                    ends[start] = _LastPath(new_path, WhyUnmoved.NOT_LISTED, commit)
        return ends

    def _read_steps(self, commits: Collection[str]) -> None:
        """Ask git which files the commits have renamed or deleted, and save that in ``_steps``."""
        unread = sorted(set(commits) - self._steps.keys())
        if not unread:
            return
        removals_by_commit, is_complete = self._repository.removals(unread)
        for commit in unread:
            removals = removals_by_commit.get(commit, [])
            self._steps[commit] = dict(_steps_of(removals, is_complete=is_complete))


def _steps_of(removals: Sequence[Removal], *, is_complete: bool) -> Iterator[tuple[str, _Step]]:
    """Yield each file that a commit has removed, and where the commit has moved it, if it has.

    If ``is_complete`` is false, git could not find all renames.
    """
    by_path: dict[bytes, list[Removal]] = defaultdict(list)
    paths_by_content: dict[bytes, set[bytes]] = defaultdict(set)
    found_contents = set()
    for removal in removals:
        by_path[removal.path].append(removal)
        paths_by_content[removal.content].add(removal.path)
        if removal.similarity == _UNCHANGED:
            found_contents.add(removal.content)
    for path, removals_of_path in by_path.items():
        renames = [removal for removal in removals_of_path if removal.new_path]
        unchanged = [rename for rename in renames if rename.similarity == _UNCHANGED]
        if unchanged:
            renames = unchanged
        if not renames and removals_of_path[0].content in found_contents:
            step = _Step("", WhyUnmoved.AMBIGUOUS)  # Another removed file had the same content.
        elif not renames:
            step = _Step("", WhyUnmoved.NOT_RENAMED if is_complete else WhyUnmoved.NOT_COMPARED)
        elif len(renames) > 1 or not _is_only_source(renames[0], paths_by_content[renames[0].content]):
            step = _Step("", WhyUnmoved.AMBIGUOUS)
        else:
            step = _Step(os.fsdecode(renames[0].new_path))
        yield os.fsdecode(path), step


def _is_only_source(rename: Removal, same_paths: Collection[bytes]) -> bool:
    """Check whether ``rename.new_path`` can only be a renamed copy of the removed file ``rename.path``.

    ``same_paths`` are all removed files with the same content.
    """
    if rename.similarity < _UNCHANGED or len(same_paths) == 1:
        return True
    # Of several removed files with the same content, only a file that keeps its name is certain.
    name = posixpath.basename(rename.new_path)
    same_names = [path for path in same_paths if posixpath.basename(path) == name]
    return same_names == [rename.path]


def _split_in_each_way(loc: str, ends: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield all ways to split the address of a page into a folder and the name of the page.

    ``ends`` are ends of addresses that do not belong to the name, such as ``.html``. In the example, the page
    may be ``a``, or the index page of the folder ``a``: ``/`` in that folder, or ``a/`` in the folder above.

    >>> list(_split_in_each_way("https://example.org/a/", ["/"]))
    [('https://example.org/', 'a'), ('https://example.org/a/', '/'), ('https://example.org/', 'a/')]
    """
    origin, path = _split_address(loc)
    for end in ends:
        name = path.removesuffix(end)
        if path.endswith(end) and name and not name.endswith("/"):
            for above, below in _splits(name):
                yield origin + above, below
    folder = path.removesuffix("index.html").rstrip("/")
    folder = f"{folder}/" if folder else ""
    # A name with a slash at the end stands for the index page of a folder.
    yield origin + folder, "/"
    for above, below in _splits(folder.rstrip("/")):
        if below:
            yield origin + above, f"{below}/"
