"""Repositories: which one each file is in, its files at HEAD, and the commits that changed them."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from math import inf
from pathlib import Path
from stat import S_ISDIR, S_ISLNK
from typing import NamedTuple

from sitemap_docs import files
from sitemap_docs.history.git_program import Git, GitTrouble, Tokens

_FORMAT = "--format=%H %ct %at"

#: The date of a commit that git cannot read a date from: no calendar has it, so it is never used.
_UNDATED = 1 << 62
_DIGITS = 20

_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")

_RAW = (
    "--raw",
    "--no-abbrev",
    "--no-color",
    "--no-ext-diff",
    "--no-notes",
    "--no-renames",  # in a blobless clone, rename detection would fetch
    "--no-show-signature",
    "--ignore-submodules=none",
    "-O/dev/null",
    "-z",
)

#: The file that GitHub, GitLab and many projects' ``blame.ignoreRevsFile`` read.
IGNORED = ".git-blame-ignore-revs"

#: How commits are compared: a merge with all its parents at once, or each with its first parent.
MERGED = ("--full-history", "-c", *_RAW)
SIMPLIFIED = ("-c", *_RAW)
FIRST_PARENT = ("--first-parent", "-m", *_RAW)

#: More folders than this cost ``git log`` more than the whole history does (on git's, Hugo's and Sphinx's).
_MAX_FOLDERS = 3

#: The ids on the line of a commit with two parents.
_MERGE = 3

#: Files that a commit adds and removes, up to which git compares the contents of all of them.
_MOST_COMPARED = 1_000

#: The mode of a file that is not there.
ABSENT = b"000000"

_EXTENDED = "\\\\?\\"  # begins absolute targets of links on Windows

#: A line of a commit and one of a file that it changed, in the output of ``git log --raw``.
RawChange = tuple[bytes, bytes]


class Commit(NamedTuple):
    """A commit's full hex id and its dates, in seconds since 1970."""

    id: str
    committed: int
    authored: int


class CommitInfo(NamedTuple):
    """What a commit says of itself."""

    commit: str
    author: str
    subject: str


class Touch(NamedTuple):
    """A commit that changed a file, and the file's states: a mode and an object id each.

    ``before`` is None in a merge, which found several.
    """

    commit: Commit
    after: bytes
    before: bytes | None


class Origin(NamedTuple):
    """Where a file was before a commit moved it, and its state there."""

    path: bytes
    state: bytes


class TrackedPath(NamedTuple):
    """A path in a repository, as git spells it; a folder ends in a slash, the whole work tree is empty."""

    root: str
    path: bytes


class _Found(NamedTuple):
    """A file or folder with links resolved, and the links on the way; ``end`` is the slash of a folder."""

    real: str
    end: str
    root: str | None
    links: tuple[TrackedPath, ...]

    @property
    def places(self) -> tuple[TrackedPath, ...]:
        return (*self.links, *_place(self.root, self.real, self.end))


class TrackedPaths(Mapping[str, tuple[TrackedPath, ...]]):
    """Each link on the way to a file, and the file itself, by its name; nothing outside repositories.

    Of a file without links, as most are, only the folder is kept, which it shares with others.
    """

    def __init__(self, names: Iterable[Path | str]) -> None:
        self._places: dict[str, TrackedPath | tuple[TrackedPath, ...]] = {}
        here = os.getcwd()
        known: dict[str, _Found] = {}
        shared: dict[TrackedPath, TrackedPath] = {}
        for name in {os.fspath(name): None for name in names}:
            places = _find(os.path.join(here, name), known).places
            self._places[name] = places
            base = name.rpartition(os.sep)[2]
            end = os.fsencode(base)
            if len(places) == 1 and base and places[0].path.endswith(end):
                folder = TrackedPath(places[0].root, places[0].path[: -len(end)])
                self._places[name] = shared.setdefault(folder, folder)

    def __getitem__(self, name: str) -> tuple[TrackedPath, ...]:
        place = self._places[name]
        if isinstance(place, TrackedPath):
            base = name.rpartition(os.sep)[2]
            return (TrackedPath(place.root, place.path + os.fsencode(base)),)
        return place

    def expand(self, inside: Mapping[TrackedPath, Sequence[TrackedPath]]) -> None:
        """Puts the files in folders, where there are some, in the place of the folders."""
        for name in self._places:
            places = self[name]
            if not inside.keys().isdisjoint(places):
                expanded = [inside.get(place) or [place] for place in places]
                self._places[name] = tuple(chain.from_iterable(expanded))

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def _find(path: str, known: dict[str, _Found]) -> _Found:
    """Returns what is at a path; each folder on the way is looked at once, and then ``known``."""
    new: list[str] = []
    while path not in known and path not in new[-1:]:
        new.append(path)
        path = os.path.dirname(path)
    found = known.get(path, _Found(path, "/", None, ()))
    for each in reversed(new):
        above, name = found, os.path.basename(each)
        real = os.path.join(above.real, name)
        mode = _mode(real)
        if name == "..":
            found = _find(os.path.dirname(above.real), known)._replace(links=above.links)
        elif S_ISLNK(mode) and (target := _target(real)):
            found = _find(target, known)
            found = found._replace(links=(*above.links, *_place(above.root, real), *found.links))
        elif S_ISDIR(mode):
            root = real if files.is_repository(real) else above.root
            found = _Found(real, "/", root, above.links)
        else:
            found = _Found(real, "", above.root, above.links)
        if found.end:
            known[each] = found
    return found


def _place(root: str | None, path: str, end: str = "") -> tuple[TrackedPath, ...]:
    if root is None:
        return ()
    if path == root:
        return (TrackedPath(root, b""),)
    inside = path[len(root) :].removeprefix(os.sep)
    return (TrackedPath(root, os.fsencode(inside.replace(os.sep, "/") + end)),)


def _mode(path: str) -> int:
    try:
        return os.lstat(path).st_mode
    except (OSError, ValueError):
        return 0


def _target(path: str) -> str | None:
    """Returns where one symbolic link leads, perhaps to another link.

    It is None where the chain does not end at a file.
    """
    try:
        os.stat(path)
        target = os.readlink(path).removeprefix(_EXTENDED)
    except OSError:
        return None
    parts = [part for part in target.split(os.sep) if part not in ("", ".")]
    if target.startswith(os.sep):
        return os.path.join(os.sep, *parts)
    return os.path.join(os.path.dirname(path), *parts)


class Repository(NamedTuple):
    """A work tree and where its history ends.

    ``head`` is a full hex id, ``boundary`` holds the commits whose parents a shallow clone lacks.
    ``is_altered`` where grafts or replaced commits may change the history without a new commit.
    """

    git: Git
    head: str
    boundary: frozenset[str]
    is_altered: bool

    def tree(self, paths: Iterable[bytes]) -> dict[bytes, bytes]:
        """The mode and object id of every file at HEAD below the paths, such as ``b"100644 2c26b4…"``."""
        width = len(self.head)
        states = {}
        for entry in self.git.tokens("ls-tree", "-r", "-z", "--full-tree", self.head, "--", *paths):
            state, _, path = entry.partition(b"\t")
            states[path] = state[:7] + state[-width:]
        return states

    def log(self, revisions: str, how: Sequence[str], paths: Iterable[bytes]) -> Tokens:
        """The tokens of ``git log``: ``id committed authored`` per commit, a change and a path per file."""
        return self.git.tokens("log", *how, _FORMAT, revisions, "--", *paths)

    def commits(self, start: str, path: bytes, *how: str) -> Iterator[Commit]:
        """The commits that ``git log start -- path`` names."""
        settled = ("--no-show-signature", "--no-color", "-z", _FORMAT)
        return map(read_commit, self.git.tokens("log", *settled, *how, start, "--", path))

    def moves(self, commit: str) -> dict[bytes, Origin]:
        """The files that a commit moved, by their new paths, as ``git blame`` finds them.

        A clone that lacks the contents of old files knows only those that it left unchanged.
        """
        how = ("-r", "-z", "--no-commit-id", "--no-abbrev", "--diff-filter=R", f"-l{_MOST_COMPARED}")
        tokens: list[bytes] = []
        for similarity in ("-M", "-M100%"):
            with suppress(GitTrouble):
                tokens = [*self.git.tokens("diff-tree", *how, similarity, commit)]
                break
        origins = {}
        for change, old, new in zip(tokens[::3], tokens[1::3], tokens[2::3], strict=False):
            mode, _, content, _ = change[1:].split(b" ", 3)
            origins[new] = Origin(old, mode + b" " + content)
        return origins

    def is_octopus(self, merge: str) -> bool:
        """Whether a commit has a third parent."""
        return len(self.git.output("rev-list", "--parents", "-1", merge, "--").split()) > _MERGE

    def extends(self, old: str) -> bool:
        """Whether a commit, which the clone may lack, lies on HEAD's line of first parents."""
        try:
            span = f"{old}..{self.head}"
            line = self.git.output("rev-list", "--first-parent", "--parents", span, "--").splitlines()
        except GitTrouble:
            return False
        return bool(line) and line[-1].split()[1:2] == [old.encode()]


def open_repository(root: str, environ: Mapping[str, str], deadline: float = inf) -> Repository:
    """The repository at a folder; :class:`GitTrouble` when there is none, or no commit."""
    git = Git(root, environ, deadline)
    facts = ("HEAD", "--glob=refs/replace/*", "--git-common-dir", "--show-prefix")
    lines = os.fsdecode(git.output("rev-parse", *facts)).split("\n")
    ids = lines[:-3]
    # Anything else is of no git, of a folder in another work tree, or has a path with a line break.
    if not ids or not all(map(_ID.fullmatch, ids)) or lines[-2]:
        raise GitTrouble("git-failed", f"no repository: {lines!s:.80}")
    common = os.path.join(root, lines[-3])
    boundary = b""
    try:
        boundary = files.read_file(os.path.join(common, "shallow"))
    except FileNotFoundError:
        pass
    except OSError as error:
        raise GitTrouble("git-failed", f"{common}/shallow: {error.strerror}") from error
    is_altered = len(ids) > 1 or os.path.lexists(os.path.join(common, "info", "grafts"))
    return Repository(git, ids[0], frozenset(boundary.decode("ascii", "replace").split()), is_altered)


def has_whole_history(folder: Path, environ: Mapping[str, str]) -> bool:
    """Whether git is there, and has the whole history of the repository that a folder is in."""
    root = files.repository_of(folder)
    try:
        return root is not None and not open_repository(os.fspath(root), environ).boundary
    except GitTrouble:
        return False


def describe(root: str, commit: str, environ: Mapping[str, str]) -> CommitInfo:
    """Author and subject of a commit, by its id, in the repository at ``root``; GitTrouble without answer."""
    how = ("--no-show-signature", "--no-color", "--format=%H%n%an%n%s")
    told = Git(root, environ).output("log", "-1", *how, commit, "--").decode(errors="replace")
    return CommitInfo(*told.split("\n")[:3])


def read_changes(tokens: Iterable[bytes]) -> Iterator[tuple[bytes, RawChange]]:
    """The path and the lines of each change in the output of ``git log -z --raw --format='%H %ct %at'``."""
    commit = b""
    tokens = iter(tokens)
    for token in tokens:
        if not token:  # stands before the changes of a merge
            continue
        if token[0] in b":\n":
            yield next(tokens, b""), (commit, token)
        else:
            commit = token


def read_touch(change: RawChange) -> Touch:
    """A change as it is meant; GitTrouble when it has another form.

    It is ``:mode mode id id M`` or, of a merge with two parents, ``::mode mode mode id id id MM``.
    """
    commit, line = change
    line = line.removeprefix(b"\n")
    fields = line.split(b" ")
    parents = line.count(b":")
    before = None
    try:
        after = fields[parents] + b" " + fields[2 * parents + 1]
        if parents == 1:
            before = fields[0][1:] + b" " + fields[2]
        return Touch(read_commit(commit), after, before)
    except IndexError:
        raise GitTrouble("git-failed", f"no change: {line[:80]!r}") from None


@lru_cache  # a commit may change many files
def read_commit(line: bytes) -> Commit:
    """A commit from the line ``id committed authored``."""
    try:
        name, committed, authored = line.split(b" ")
        return Commit(name.decode("ascii"), _date(committed), _date(authored))
    except ValueError:
        raise GitTrouble("git-failed", f"no commit: {line[:80]!r}") from None


def folders(paths: Iterable[bytes]) -> tuple[bytes, ...]:
    """The few folders or files that hold all paths; nothing stands for the whole repository."""
    groups: dict[bytes, list[bytes]] = {}
    for path in paths:
        groups.setdefault(path.partition(b"/")[0], []).append(path)
    if len(groups) > _MAX_FOLDERS or b"" in groups:
        return ()
    common_folders = []
    for top, group in groups.items():
        common = group[0].rstrip(b"/")
        if len(group) > 1:
            # What the first and the last in order have in common, all have.
            common = posixpath.commonpath([posixpath.dirname(min(group)), posixpath.dirname(max(group))])
        common_folders.append(common or top)
    return tuple(sorted(common_folders))


def _date(digits: bytes) -> int:
    # git prints the digits of a damaged commit, however many.
    return min(int(digits), _UNDATED) if 0 < len(digits) < _DIGITS else _UNDATED
