"""git, asked so that no configuration, environment or clone bends or delays it; and what a repository has."""

import os
import posixpath
import re
import signal
import subprocess
import tempfile
import threading
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache
from math import inf
from pathlib import Path
from time import monotonic
from typing import IO, NamedTuple

from sitemap_docs import files
from sitemap_docs.model import SitemapError

Tokens = Generator[bytes, None, None]

TIMEOUT = 600.0
"""Seconds after which a git that has not ended is killed. The log of a million commits takes one minute."""

_BLOCK = 1 << 16
LARGEST_ANSWER = 1 << 30  # bytes of an answer, or of one path in it
_NOTHING = b"\0" * 9  # two NUL may follow each other before the changes of a merge

# What git prints, and the rule of the finding.
_TROUBLES = (
    ("dubious ownership", "unsafe-repository"),
    ("unsafe repository", "unsafe-repository"),
    ("not a git repository", "no-repository"),
    ("ambiguous argument 'HEAD'", "no-commit"),
    ("promisor remote", "treeless-clone"),
    ("lazy fetching disabled", "treeless-clone"),
)

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

_SETTINGS = (
    "core.fsmonitor=false",
    "diff.relative=false",
    "i18n.logOutputEncoding=UTF-8",
    "log.diffMerges=separate",  # what -m means since git 2.32
    "log.follow=false",
    "log.mailmap=false",
    "log.showRoot=true",
)

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

#: A line of a commit and one of a file that it changed, in the output of ``git log --raw``.
RawChange = tuple[bytes, bytes]


class GitTrouble(SitemapError):  # noqa: N818 - it stops no build
    """Why git gave no answer: the rule of the finding, and git's own words."""

    def __init__(self, rule: str, words: str = "") -> None:
        super().__init__(f"git gave no answer: {words}")
        self.rule = rule
        self.words = words


def program(environ: Mapping[str, str]) -> str:
    """Returns what to start for git: on Windows its whole path, elsewhere its name.

    Windows looks into the current folder first, and there lie the files of strangers
    (https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-createprocessw).
    A path that names nothing where there is no git.
    """
    if os.name != "nt":
        return "git"
    for folder in environ.get("PATH", "").split(os.pathsep):
        file = Path(folder.strip('"'), "git.exe")
        if file.is_absolute() and file.is_file():
            return str(file)
    return r"C:\no git on the PATH\git.exe"


class Git(NamedTuple):
    """How to run git in one folder.

    It is killed after ``TIMEOUT``, and when :func:`time.monotonic` comes to the ``deadline``.
    """

    folder: str
    environ: Mapping[str, str]
    deadline: float = inf

    def output(self, *arguments: str | bytes) -> bytes:
        """Returns what git prints where it separates nothing by NUL."""
        return b"".join(self.tokens(*arguments))

    def tokens(self, *arguments: str | bytes) -> Tokens:
        """Returns what git prints, cut at each NUL."""
        with self._running(arguments) as output:
            rest: list[bytes] = []
            length = 0
            while block := output.read(_BLOCK):
                first, *whole = block.split(b"\0")
                rest.append(first)
                length += len(first)
                if length > LARGEST_ANSWER:
                    raise GitTrouble("git-failed", f"more than {LARGEST_ANSWER >> 30} GiB of output")
                if _NOTHING in block:
                    raise GitTrouble("git-failed", f"no change: {_NOTHING!r}")
                if whole:
                    yield b"".join(rest)
                    yield from whole[:-1]
                    rest = [whole[-1]]
                    length = len(whole[-1])
            if any(rest):
                yield b"".join(rest)

    @contextmanager
    def _running(self, arguments: Sequence[str | bytes]) -> Iterator[IO[bytes]]:
        """The output of git, which is killed, with what it started, when nobody reads on or time is over."""
        # git refuses the repository of another user, whose configuration names programs: we start none of
        # them. The one work tree that is read is exempt, and no other (heard since git 2.38).
        work_tree = self.folder.rstrip(os.sep).replace(os.sep, "/")
        settings = ["-c", f"safe.directory={work_tree}"]
        for setting in _SETTINGS:
            settings += ["-c", setting]
        environ = {
            name: value
            for name, value in self.environ.items()
            if not name.startswith("GIT_") or name.startswith(_KEPT)
        }
        with ExitStack() as stack:
            stderr: IO[bytes] | None = None
            with suppress(OSError):  # no folder for temporary files, or no room: only git's words are lost
                stderr = stack.enter_context(tempfile.TemporaryFile())
            try:
                process = subprocess.Popen(
                    [program(self.environ), "--no-pager", *settings, *arguments],
                    bufsize=0,
                    cwd=self.folder,
                    env=environ | _ENVIRON,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=stderr or subprocess.DEVNULL,
                    start_new_session=True,
                )
            except FileNotFoundError as error:
                raise GitTrouble("git-missing", str(error)) from error
            except OSError as error:  # no memory, no descriptors; a path longer than an argument may be
                raise GitTrouble("git-failed", str(error)) from error
            start = monotonic()
            left = min(TIMEOUT, max(0.0, self.deadline - start))
            timer = threading.Timer(left, _kill, [process])
            timer.daemon = True
            with process:
                try:
                    with suppress(RuntimeError):  # no memory for a thread: git is waited for without a limit
                        timer.start()
                    yield process.stdout  # type: ignore[misc]  # it is a pipe
                    status = process.wait()
                finally:
                    timer.cancel()
                    _kill(process)
            if monotonic() - start >= left:
                raise GitTrouble("git-timeout", f"git {os.fsdecode(arguments[0])}")
            if status:
                words = ""
                if stderr:
                    stderr.seek(0)
                    words = stderr.read().decode(errors="replace")
                how = f"exit status {status}" if status > 0 else f"signal {-status}"
                words = words or f"git {os.fsdecode(arguments[0])} ended with {how}"
                fatal = (line for line in words.splitlines() if line.startswith("fatal:"))
                rule = next((rule for part, rule in _TROUBLES if part in words), "git-failed")
                raise GitTrouble(rule, next(fatal, words.strip()))


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Ends all processes of a session; not once its first was waited for, as the id may be another's then."""
    if process.returncode is not None:
        return
    with suppress(OSError):  # it ended by itself
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


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


class Origin(NamedTuple):
    """Where a file was before a commit moved it, and its state there."""

    path: bytes
    state: bytes


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
    common = Path(root, lines[-3])
    boundary = b""
    try:
        boundary = files.read_file(common / "shallow")
    except FileNotFoundError:
        pass
    except OSError as error:
        raise GitTrouble("git-failed", f"{common}/shallow: {error.strerror}") from error
    is_altered = len(ids) > 1 or os.path.lexists(common / "info" / "grafts")
    return Repository(git, ids[0], frozenset(boundary.decode("ascii", "replace").split()), is_altered)


def has_whole_history(folder: Path, environ: Mapping[str, str]) -> bool:
    """Whether git is there, and has the whole history of the repository that a folder is in."""
    root = files.repository_of(folder)
    try:
        return root is not None and not open_repository(os.fspath(root), environ).boundary
    except GitTrouble:
        return False


def moves_of(root: str, paths: Iterable[bytes], environ: Mapping[str, str]) -> Iterator[tuple[bytes, bytes]]:
    """Yields which of some files the commit that removed them moved, and where, if they are still there."""
    repository = open_repository(root, environ)
    tree = repository.tree(())
    missing = set(paths).difference(tree)
    if not missing:
        return
    commits: dict[bytes, str] = {}
    for path, change in read_changes(repository.log(repository.head, SIMPLIFIED, folders(missing))):
        if path in missing:
            commits.setdefault(path, read_touch(change).commit.id)
        if len(commits) == len(missing):
            break  # older commits need not be read
    for commit in set(commits.values()):
        for moved, origin in repository.moves(commit).items():
            if commits.get(origin.path) == commit and moved in tree:
                yield origin.path, moved


def describe(root: str, commit: str, environ: Mapping[str, str]) -> tuple[str, str]:
    """Author and subject of a commit, in the repository at ``root``; empty texts without an answer."""
    how = ("--no-show-signature", "--no-color", "--format=%an%n%s")
    try:
        told = Git(root, environ).output("log", "-1", *how, commit, "--").decode(errors="replace")
    except GitTrouble:  # a build knew the commit, which git no longer has
        return "", ""
    author, subject, *_ = told.split("\n")
    return author, subject


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
