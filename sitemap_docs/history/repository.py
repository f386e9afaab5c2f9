"""The git program, asked in a way that no configuration, environment or clone can bend or delay."""

from __future__ import annotations

import os
import re
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs import files
from sitemap_docs.history.process import Process, program
from sitemap_docs.model import SitemapError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence

    Tokens = Generator[bytes, None, None]

_LARGEST = 1 << 30  # bytes of an answer, or of one path in it
_FORMAT = "--format=%H %ct %at"
_NOTHING = b"\0" * 9  # two NUL may follow each other before the changes of a merge

#: The date of a commit that git cannot read a date from: later than any clock, so it is never used.
_UNDATED = 1 << 62
_DIGITS = 20

# What says how git is found, configured and traced; the rest of GIT_* would name another repository or
# another way to read paths (hooks set GIT_DIR, GIT_INDEX_FILE and GIT_WORK_TREE).
_KEPT = ("GIT_CONFIG_", "GIT_EXEC_PATH", "GIT_TRACE", "GIT_DISCOVERY_ACROSS_FILESYSTEM")

_ENVIRON = {
    "GIT_ALLOW_PROTOCOL": "none",  # a partial clone fetches nothing, whatever version of git
    "GIT_FLUSH": "0",  # a write for each commit took a third of the time of a long history
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}

_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")

_SETTINGS = (
    "core.fsmonitor=false",
    "diff.relative=false",
    "i18n.logOutputEncoding=UTF-8",
    "log.diffMerges=separate",  # what -m means since git 2.32
    "log.follow=false",
    "log.mailmap=false",
    "log.showRoot=true",
)

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

MERGED = ("--full-history", "-c", *_RAW)
FIRST_PARENT = ("--first-parent", "-m", *_RAW)


class GitTrouble(SitemapError):  # noqa: N818 - it stops no build
    """Why git gave no answer: the rule of the finding, and git's own words."""

    def __init__(self, rule: str, words: str = "") -> None:
        super().__init__(f"git gave no answer: {words}")
        self.rule = rule
        self.words = words


class Commit(NamedTuple):
    """A commit's full hex id and its dates, in seconds since 1970."""

    id: str
    committed: int
    authored: int


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
        entries = (entry.partition(b"\t") for entry in listed.split(b"\0") if entry)
        return {path: entry[:7] + entry[-width:] for entry, _, path in entries}

    def touches(self, revisions: str, how: Sequence[str], paths: Iterable[bytes]) -> Tokens:
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


class Git(NamedTuple):
    """How to run git in one folder."""

    folder: str
    environ: Mapping[str, str]

    def output(self, *arguments: str | bytes) -> bytes:
        blocks = []
        length = 0
        with self._running(arguments) as process:
            while block := process.read():
                blocks.append(block)
                length += len(block)
                if length > _LARGEST:
                    raise _too_large()
        return b"".join(blocks)

    def tokens(self, *arguments: str | bytes) -> Tokens:
        with self._running(arguments) as process:
            rest: list[bytes] = []
            length = 0
            while block := process.read():
                first, *whole = block.split(b"\0")
                rest.append(first)
                length += len(first)
                if length > _LARGEST:
                    raise _too_large()
                if _NOTHING in block:
                    raise GitTrouble("git-failed", f"no change: {_NOTHING!r}")
                if whole:
                    yield b"".join(rest)
                    yield from whole[:-1]
                    rest = [whole[-1]]
                    length = len(whole[-1])
            if any(rest):
                yield b"".join(rest)

    def setting(self, name: str) -> str:
        """The value of a switch in git's configuration, "true" or "false"; empty where there is none."""
        try:
            return self.output("config", "--type=bool", "--get", name).decode().strip()
        except GitTrouble:
            return ""

    def agrees(self, *arguments: str) -> bool:
        try:
            self.output(*arguments)
        except GitTrouble as trouble:
            if trouble.rule == "git-timeout":
                raise
            return False
        return True

    @contextmanager
    def _running(self, arguments: Sequence[str | bytes]) -> Iterator[Process]:
        # git refuses the repository of another user, whose configuration names programs: we start none of
        # them. The one work tree that is read is exempt, and no other (heard since git 2.38).
        work_tree = self.folder.rstrip(os.sep).replace(os.sep, "/")
        settings = ["-c", f"safe.directory={work_tree}"]
        for setting in _SETTINGS:
            settings += ["-c", setting]
        command = [program(self.environ), "--no-pager", *settings, *arguments]
        environ = {
            name: value
            for name, value in self.environ.items()
            if not name.startswith("GIT_") or name.startswith(_KEPT)
        }
        try:
            stderr = tempfile.TemporaryFile()  # noqa: SIM115  closed below
        except OSError as error:
            raise GitTrouble("git-failed", str(error)) from error
        with stderr:
            try:
                process = Process(command, self.folder, environ | _ENVIRON, stderr)
            except FileNotFoundError as error:
                raise GitTrouble("git-missing", str(error)) from error
            except OSError as error:  # no memory, no descriptors; a path longer than an argument may be
                raise GitTrouble("git-failed", str(error)) from error
            with process:
                yield process
                status = process.finish()
            if process.timed_out:
                raise GitTrouble("git-timeout", f"git {os.fsdecode(arguments[0])}")
            if status:
                stderr.seek(0)
                raise _trouble(stderr.read().decode(errors="replace"))


def open_repository(root: str, environ: Mapping[str, str]) -> Repository:
    """The repository that git finds at a folder; :class:`GitTrouble` when there is none, or no commit."""
    git = Git(root, environ)
    replaced = "--glob=refs/replace/*"
    asked = (
        "--is-shallow-repository",
        "--git-common-dir",
        "--show-prefix",
        "HEAD",
        replaced,
        "--symbolic",
        replaced,
    )
    try:
        answer = git.output("rev-parse", *asked)
    except GitTrouble as trouble:
        if "ambiguous argument 'HEAD'" in trouble.words:
            raise GitTrouble("no-commit") from trouble
        raise
    shallow, common, prefix, head, *replacements = [*os.fsdecode(answer).split("\n"), "", "", "", ""]
    if not _ID.fullmatch(head):  # a newline in a path, or no git
        common, prefix, head = (os.fsdecode(git.output("rev-parse", one))[:-1] for one in asked[1:4])
    if not _ID.fullmatch(head):
        raise GitTrouble("git-failed", f"no repository: {answer[:80]!r}")
    boundary = _text(os.path.join(root, common, "shallow")) if shallow == "true" else ""
    if any(replacements) and git.setting("core.useReplaceRefs") == "false":
        replacements = []
    grafts = "\n".join([boundary, _text(os.path.join(root, common, "info", "grafts")), *replacements])
    top = (root + os.sep)[: -len(prefix)] if prefix else root
    git = git._replace(folder=top)
    return Repository(git, root, head, os.fsencode(prefix), frozenset(boundary.split()), grafts)


def read_commit(line: bytes) -> Commit:
    """A commit from the line ``id committed authored``."""
    try:
        name, committed, authored = line.split(b" ")
        return Commit(name.decode("ascii"), _date(committed), _date(authored))
    except ValueError:
        raise GitTrouble("git-failed", f"no commit: {line[:80]!r}") from None


def _date(digits: bytes) -> int:
    # git prints the digits of a damaged commit, however many.
    return min(int(digits), _UNDATED) if 0 < len(digits) < _DIGITS else _UNDATED


def _text(path: str) -> str:
    try:
        return files.read_file(path).decode("ascii", "replace")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise GitTrouble("git-failed", f"{path}: {error.strerror}") from error


def _too_large() -> GitTrouble:
    return GitTrouble("git-failed", f"more than {_LARGEST >> 30} GiB of output")


def _trouble(words: str) -> GitTrouble:
    first = next((line for line in words.splitlines() if line.startswith("fatal:")), words.strip())
    if "dubious ownership" in words or "unsafe repository" in words:
        return GitTrouble("unsafe-repository", first)
    if "not a git repository" in words:
        return GitTrouble("no-repository", first)
    if "promisor remote" in words or "lazy fetching disabled" in words:
        return GitTrouble("treeless-clone", first)
    return GitTrouble("git-failed", first)
