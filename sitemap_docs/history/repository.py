"""What a repository says of its history: its files at HEAD, and the commits that changed them."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sitemap_docs import files
from sitemap_docs.history.git import Git, GitTrouble, Tokens

_FORMAT = "--format=%H %ct %at"

#: The date of a commit that git cannot read a date from: later than any clock, so it is never used.
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

#: How commits are compared: a merge with all its parents at once, or each with its first parent.
MERGED = ("--full-history", "-c", *_RAW)
FIRST_PARENT = ("--first-parent", "-m", *_RAW)

#: More folders than this cost ``git log`` more than the whole history does (on git's, Hugo's and Sphinx's).
_MAX_FOLDERS = 3

#: A tree of git may hold longer paths, which no system takes as an argument.
_LONGEST = 4_096

#: The mode of a file that is not there.
ABSENT = b"000000"

_COLON = ord(":")

#: A line of a commit and one of a file that it changed, in the output of ``git log --raw``.
Change = tuple[bytes, bytes]


class Commit(NamedTuple):
    """A commit's full hex id and its dates, in seconds since 1970."""

    id: str
    committed: int
    authored: int


class Touch(NamedTuple):
    """A commit that changed a file, and the file's states: a mode and an object id each.

    ``before`` is None in a merge, which found several.
    """

    commit: Commit
    after: bytes
    before: bytes | None


class Repository(NamedTuple):
    """A work tree and where its history ends.

    ``head`` is a full hex id, ``prefix`` what leads from the top of the work tree to ``root``, ``boundary``
    the commits whose parents a shallow clone lacks, ``grafts`` what changes the history without a new commit.
    """

    git: Git
    root: str
    head: str
    prefix: bytes
    boundary: frozenset[str]
    grafts: str

    def tree(self, paths: Iterable[bytes]) -> dict[bytes, bytes]:
        """The mode and object id of every file at HEAD below the paths, such as ``b"100644 2c26b4…"``."""
        width = len(self.head)
        listed = self.git.output("ls-tree", "-r", "-z", "--full-tree", self.head, "--", *paths)
        states = {}
        for entry in listed.split(b"\0"):
            if entry:
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

    def last(self, start: str, path: bytes) -> Commit | None:
        """The commit that ``git log -1`` names for a path."""
        return next(self.commits(start, path, "-1"), None)

    def is_octopus(self, merge: str) -> bool:
        """Whether a commit has a third parent."""
        return self.git.agrees("rev-parse", "--verify", "--quiet", f"{merge}^3")

    def extends(self, old: str) -> bool:
        """Whether a commit lies on HEAD's line of first parents."""
        if not self.git.agrees("cat-file", "-e", f"{old}^{{commit}}"):
            return False
        line = self.git.output("rev-list", "--first-parent", "--parents", f"{old}..{self.head}").splitlines()
        return bool(line) and line[-1].split()[1:2] == [old.encode()]


def open_repository(root: str, environ: Mapping[str, str]) -> Repository:
    """The repository that git finds at a folder; :class:`GitTrouble` when there is none, or no commit."""
    git = Git(root, environ)
    replaced = "--glob=refs/replace/*"
    facts = ("--is-shallow-repository", "--git-common-dir", "--show-prefix", "HEAD")
    try:
        answer = git.output("rev-parse", *facts, replaced, "--symbolic", replaced)
    except GitTrouble as trouble:
        if "ambiguous argument 'HEAD'" in trouble.words:
            raise GitTrouble("no-commit") from trouble
        raise
    shallow, common, prefix, head, *replacements = [*os.fsdecode(answer).split("\n"), "", "", "", ""]
    if not _ID.fullmatch(head):  # a newline in a path, or no git
        common = os.fsdecode(git.output("rev-parse", "--git-common-dir"))[:-1]
        prefix = os.fsdecode(git.output("rev-parse", "--show-prefix"))[:-1]
        head = os.fsdecode(git.output("rev-parse", "HEAD"))[:-1]
    if not _ID.fullmatch(head):
        raise GitTrouble("git-failed", f"no repository: {answer[:80]!r}")
    boundary = ""
    if shallow == "true":
        boundary = _text(os.path.join(root, common, "shallow"))
    if any(replacements) and git.setting("core.useReplaceRefs") == "false":
        replacements = []
    grafts = "\n".join([boundary, _text(os.path.join(root, common, "info", "grafts")), *replacements])
    top = root
    if prefix:
        top = (root + os.sep)[: -len(prefix)]
    git = git._replace(folder=top)
    return Repository(git, root, head, os.fsencode(prefix), frozenset(boundary.split()), grafts)


def read_changes(tokens: Iterable[bytes]) -> Iterator[tuple[bytes, Change]]:
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


def read_touch(change: Change) -> Touch:
    """A change as it is meant; GitTrouble when it has another form.

    It is ``:mode mode id id M`` or, of a merge with two parents, ``::mode mode mode id id id MM``.
    """
    commit, line = change
    line = line.removeprefix(b"\n")
    fields = line.split(b" ")
    try:
        if line[1] != _COLON:
            old_mode, mode, old, new, _ = fields
            return Touch(read_commit(commit), mode + b" " + new, old_mode[1:] + b" " + old)
        parents = line.count(b":")
        return Touch(read_commit(commit), fields[parents] + b" " + fields[2 * parents + 1], None)
    except (ValueError, IndexError):
        raise GitTrouble("git-failed", f"no change: {line[:80]!r}") from None


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
    found = []
    for top, group in groups.items():
        common = group[0].rstrip(b"/")
        if len(group) > 1:
            # What the first and the last in order have in common, all have.
            common = posixpath.commonpath([posixpath.dirname(min(group)), posixpath.dirname(max(group))])
        found.append(common or top)
    if max(map(len, found), default=0) > _LONGEST:
        return ()
    return tuple(sorted(found))


def _date(digits: bytes) -> int:
    # git prints the digits of a damaged commit, however many.
    if 0 < len(digits) < _DIGITS:
        return min(int(digits), _UNDATED)
    return _UNDATED


def _text(path: str) -> str:
    try:
        return files.read_file(path).decode("ascii", "replace")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise GitTrouble("git-failed", f"{path}: {error.strerror}") from error
