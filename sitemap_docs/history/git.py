"""Run git and read its output.

The calls do not depend on the user's git configuration or environment. They never access the network, and
they end after a time limit.
"""

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
from sitemap_docs.surroundings import Environment

#: The output of git, split at NUL characters.
Tokens = Generator[bytes, None, None]

TIMEOUT = 600.0
"""Seconds until a running git process is killed. The log of a million commits takes one minute."""

_BLOCK = 1 << 16
LARGEST_ANSWER = 1 << 30  # bytes of an output without NUL, or of one token
_TOO_MANY_NUL = b"\0" * 9  # before the changes of a merge, two NUL in a row are normal

#: Patterns for git's error messages, and the rule of the finding for each. The finding quotes a group.
_TROUBLES = (
    (re.compile(r"dubious ownership|unsafe repository"), "unsafe-repository"),
    # In a worktree or a submodule, `.git` is a file with the path of a folder.
    (re.compile(r"not a git repository: (.+)"), "git-folder-missing"),
    # The clone shares the objects of another one (`git clone --reference`).
    (re.compile(r"unable to normalize alternate object path: (.+)"), "git-folder-missing"),
    (re.compile(r"object directory (.+) does not exist"), "git-folder-missing"),
    (re.compile(r"not a git repository"), "no-repository"),
    (re.compile(r"ambiguous argument 'HEAD'"), "no-commit"),
    (re.compile(r"promisor remote|lazy fetching disabled"), "treeless-clone"),
    (re.compile(r"(unknown repository extensions? found:(?:\r?\n\t.+)+)"), "git-outdated"),
    (re.compile(r"(Expected\s+git repo version <= \d+, found \d+)"), "git-outdated"),
    (re.compile(r"(invalid value for 'extensions\.\w+': .+)"), "git-outdated"),
)

#: The beginning of a message of git. A line without it continues the message of the line above.
_MESSAGE = re.compile(r"(?:fatal|error|warning|hint|info|trace): |\d\d:\d\d:\d\d\.")

#: Prefixes of the ``GIT_*`` variables that git may see, for configuration and tracing. Other variables could
#: point to another repository or change the meaning of paths. Hooks, for example, set GIT_DIR.
_PASSED_ON = ("GIT_CONFIG_", "GIT_EXEC_PATH", "GIT_TRACE", "GIT_DISCOVERY_ACROSS_FILESYSTEM")

_ENVIRON = {
    "GIT_ALLOW_PROTOCOL": "none",  # keeps any version of git from fetching in a partial clone
    "GIT_FLUSH": "0",  # one write per commit took a third of the time in a long history
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
    "log.diffMerges=separate",  # the meaning of -m since git 2.32
    "log.follow=false",
    "log.mailmap=false",
    "log.showRoot=true",
)

_FORMAT = "--format=%H %ct %at"

#: The time of a commit whose date git does not print, because the date is before 1970 or damaged. No calendar
#: has this time, so the commit dates no page.
UNDATED = -(1 << 62)
#: The time of a commit with a date that has too many digits. No calendar has this time either.
_LATEST = 1 << 62
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

#: The file with commits that ``git blame`` ignores, on GitHub and GitLab and in many projects.
IGNORED = ".git-blame-ignore-revs"

#: Options of ``git log``. The first two compare a merge with all its parents at once, the last one compares
#: each commit with its first parent only.
MERGED = ("--full-history", "-c", *_RAW)
SIMPLIFIED = ("-c", *_RAW)
FIRST_PARENT = ("--first-parent", "-m", *_RAW)

#: Options of ``git diff-index``, which compares the staged files with a commit.
_STAGED = ("--cached", "--raw", "--no-abbrev", "--ignore-submodules=none", "-O/dev/null", "-z")

#: With more folders than this, ``git log`` is slower than for the whole repository. This was measured in the
#: repositories of git, Hugo and Sphinx.
_MAX_FOLDERS = 3

#: The number of ids that ``git rev-list --parents`` prints for a commit with two parents.
_MERGE = 3

#: If a commit adds or removes more files than this, git does not compare their contents to find moved files.
_MOST_COMPARED = 1_000

#: The number of ids in the arguments of one call. On Windows, a command has at most 32,767 characters.
_MOST_COMMITS = 500

#: The mode that git prints for a missing file.
ABSENT = b"000000"

#: A changed file in the output of ``git log --raw``: the line of the commit, and the line of the change.
RawChange = tuple[bytes, bytes]


class GitTrouble(SitemapError):  # noqa: N818 - it stops no build
    """Raised if a git command fails.

    Args:
        rule: The name of the warning, such as ``git-missing``.
        words: The words of git that the warning quotes, such as an error message.
    """

    def __init__(self, rule: str, words: str = "") -> None:
        super().__init__(f"git gave no answer: {words}")
        self.rule = rule
        self.words = words


def program(environ: Mapping[str, str]) -> str:
    """Return the command that starts git. On Windows, it is a full path."""
    if os.name != "nt":
        return "git"
    # Windows searches the current folder first, which may contain another person's git.exe:
    # https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-createprocessw
    for folder in environ.get("PATH", "").split(os.pathsep):
        file = Path(folder.strip('"'), "git.exe")
        if file.is_absolute() and file.is_file():
            return str(file)
    return r"C:\no git on the PATH\git.exe"


class Git(NamedTuple):
    """Runs git in a folder: ``git.output("log", "-1")``."""

    #: The folder in which git runs.
    folder: str
    #: The environment variables of the user.
    environ: Environment
    #: The time at which git is killed (:func:`time.monotonic`).
    deadline: float = inf

    def output(self, *arguments: str | bytes) -> bytes:
        """Run git and return its whole output, with all NUL characters removed.

        Raises:
            GitTrouble: Git has failed.
        """
        return b"".join(self.tokens(*arguments))

    def tokens(self, *arguments: str | bytes) -> Tokens:
        """Run git and yield its output, split at NUL characters.

        Raises:
            GitTrouble: Git has failed, perhaps after some output.
        """
        with self._running(arguments) as output:
            pieces: list[bytes] = []  # of a token that continues in the next block
            length = 0
            while block := output.read(_BLOCK):
                first, *others = block.split(b"\0")
                pieces.append(first)
                length += len(first)
                if length > LARGEST_ANSWER:
                    raise GitTrouble("git-failed", f"more than {LARGEST_ANSWER >> 30} GiB of output")
                if _TOO_MANY_NUL in block:
                    raise GitTrouble("git-failed", f"no change: {_TOO_MANY_NUL!r}")
                if others:
                    yield b"".join(pieces)
                    yield from others[:-1]
                    pieces = [others[-1]]
                    length = len(others[-1])
            if any(pieces):
                yield b"".join(pieces)

    @contextmanager
    def _running(self, arguments: Sequence[str | bytes]) -> Iterator[IO[bytes]]:
        """Run git, and give its output stream to the ``with`` block.

        Raises:
            GitTrouble: Git has failed.
        """
        with ExitStack() as stack:
            stderr: IO[bytes] | None = None
            with suppress(OSError):  # If no temporary file can be created, only git's messages are lost.
                stderr = stack.enter_context(tempfile.TemporaryFile())
            process = self._start(arguments, stderr)
            start = monotonic()
            time_left = min(TIMEOUT, max(0.0, self.deadline - start))
            timer = threading.Timer(time_left, _kill, [process])
            timer.daemon = True
            with process:
                try:
                    with suppress(RuntimeError):  # If no thread can be started, there is no time limit.
                        timer.start()
                    yield process.stdout  # type: ignore[misc]  # it is a pipe
                    status = process.wait()
                finally:
                    timer.cancel()
                    _kill(process)
            if monotonic() - start >= time_left:
                raise GitTrouble("git-timeout", f"git {os.fsdecode(arguments[0])}")
            if status:
                message = ""
                if stderr:
                    stderr.seek(0)
                    message = stderr.read().decode(errors="replace")
                raise _trouble(status, message, f"git {os.fsdecode(arguments[0])}")

    def _start(self, arguments: Sequence[str | bytes], stderr: IO[bytes] | None) -> subprocess.Popen[bytes]:
        """Start git. Its error messages go to ``stderr``.

        Raises:
            GitTrouble: Git cannot be started.
        """
        # Git refuses repositories of other users, because their configuration can name programs that git
        # starts. Our calls start none of them, so the work tree of this call, and no other, is exempt.
        # Git accepts this setting on the command line since version 2.38.
        work_tree = self.folder.rstrip(os.sep).replace(os.sep, "/")
        settings = ["-c", f"safe.directory={work_tree}"]
        for setting in _SETTINGS:
            settings += ["-c", setting]
        environ = {
            name: value
            for name, value in self.environ.items()
            if not name.startswith("GIT_") or name.startswith(_PASSED_ON)
        }
        try:
            return subprocess.Popen(
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
        except OSError as error:  # for example no memory, or an argument that is too long
            raise GitTrouble("git-failed", str(error)) from error


def _trouble(status: int, message: str, command: str) -> GitTrouble:
    """Return the error for a git command that has failed.

    Args:
        status: The exit status, or a negative signal number.
        message: The error output of git.
        command: The command, such as ``git log``.
    """
    if not message:
        end = f"exit status {status}" if status > 0 else f"signal {-status}"
        message = f"{command} failed ({end})"
    for pattern, rule in _TROUBLES:
        if match := pattern.search(message):
            quoted = " ".join(match[1].split()) if pattern.groups else _fatal_message(message)
            return GitTrouble(rule, quoted)
    return GitTrouble("git-failed", _fatal_message(message))


def _fatal_message(output: str) -> str:
    """Return the line with the error in the output of git, such as ``fatal: bad object HEAD``."""
    lines: list[str] = []
    for line in output.splitlines():
        if lines and _MESSAGE.match(line):
            break
        if lines or line.startswith("fatal:"):
            lines.append(line.strip())
    return " ".join(lines) or output.strip()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all processes that it has started."""
    if process.returncode is not None:  # Another process may have its id by now.
        return
    with suppress(OSError):  # The process has just ended.
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


class Commit(NamedTuple):
    """A commit with its full id and its two dates, in seconds since 1970."""

    id: str
    committed: int
    authored: int


class FileChange(NamedTuple):
    """A change that a commit has made to a file."""

    commit: Commit
    #: The mode and the object id after the commit: ``b"100644 2c26b4…"``.
    after: bytes
    #: The mode and the object id before the commit, or None for a merge.
    before: bytes | None


class Origin(NamedTuple):
    """The path, mode and object id of a file before it was moved."""

    path: bytes
    state: bytes


class Moves(NamedTuple):
    """The files that a commit has moved."""

    #: The old path of each moved file.
    origins: dict[bytes, Origin]
    #: Whether all moved files were found. In a partial clone, some may be missing.
    is_complete: bool


class Removal(NamedTuple):
    """A file that a commit has removed or renamed."""

    #: The path of the removed file.
    path: bytes
    #: The object id of the removed file.
    content: bytes
    #: The path of an added file with similar content, or ``b""``.
    new_path: bytes = b""
    #: The similarity of both files in percent, or 0.
    similarity: int = 0


class Repository(NamedTuple):
    """A git repository."""

    #: Runs git in the repository.
    git: Git
    #: The id of the newest commit.
    head: str
    #: The ids of the oldest commits in a shallow clone.
    boundary: frozenset[str]
    #: Whether ``git replace`` or a grafts file has changed the history.
    is_altered: bool

    def tree(self, paths: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return the mode and object id of each file in HEAD, such as ``b"100644 2c26b4…"``."""
        width = len(self.head)
        states = {}
        for entry in self.git.tokens("ls-tree", "-r", "-z", "--full-tree", self.head, "--", *paths):
            state, _, path = entry.partition(b"\t")
            states[path] = state[:7] + state[-width:]
        return states

    def log(self, revisions: str, how: Sequence[str], paths: Iterable[bytes]) -> Tokens:
        """Run ``git log`` and yield its output, split at NUL characters.

        Args:
            revisions: A commit or a range of commits, such as ``HEAD~3..HEAD``.
            how: Options of ``git log``, such as ``FIRST_PARENT``.
            paths: Files and folders. If empty, all files are included.
        """
        return self.git.tokens("log", *how, _FORMAT, revisions, "--", *paths)

    def commits(self, start: str, path: bytes, *how: str) -> Iterator[Commit]:
        """Yield the commits that changed a file, the newest first."""
        options = ("--no-show-signature", "--no-color", "-z", _FORMAT)
        lines = self.git.tokens("log", *options, *how, start, "--", path)
        return map(read_commit, lines)

    def moves(self, commit: str) -> Moves:
        """Return the files that a commit has moved."""
        try:
            return Moves(self._renames(commit, "-M"), is_complete=True)
        except GitTrouble:
            pass
        options = ("-r", "-z", "--no-commit-id", "--name-only", "--diff-filter=D", f"-l{_MOST_COMPARED}")
        try:
            origins = self._renames(commit, "-M100%")
            removed_paths = [*self.git.tokens("diff-tree", *options, "-M100%", commit)]
        except GitTrouble:
            return Moves({}, is_complete=False)
        return Moves(origins, is_complete=not removed_paths)

    def changed_paths(self, commit: str) -> frozenset[bytes]:
        """Return the files that a commit has changed or renamed, but not the files that it has added.

        A renamed file is returned with its new path.
        """
        options = ("-r", "-z", "--no-commit-id", "--name-only", "--no-renames", "--diff-filter=M")
        # Git compares only commits that have one parent, so a merge and the first commit give nothing.
        changed = self.git.tokens("diff-tree", *options, commit)
        return frozenset(changed) | self.moves(commit).origins.keys()

    def _renames(self, commit: str, similarity: str) -> dict[bytes, Origin]:
        """Return where moved files came from: ``{b"new.md": Origin(b"old.md", …)}``.

        ``similarity`` is an option of git, such as ``-M100%`` to find only files with unchanged content.
        """
        options = ("-r", "-z", "--no-commit-id", "--no-abbrev", "--diff-filter=R", f"-l{_MOST_COMPARED}")
        tokens = [*self.git.tokens("diff-tree", *options, similarity, commit)]
        changes = tokens[::3]
        old_paths = tokens[1::3]
        new_paths = tokens[2::3]
        origins = {}
        for change, old_path, new_path in zip(changes, old_paths, new_paths, strict=False):
            mode, _, content, _ = change[1:].split(b" ", 3)
            origins[new_path] = Origin(old_path, mode + b" " + content)
        return origins

    def files(self) -> set[bytes]:
        """Return the paths of all files in the git index."""
        return {*self.git.tokens("ls-files", "-z", "--full-name")}

    def removed_paths(self, paths: Iterable[bytes]) -> Iterator[tuple[bytes, str]]:
        """Yield each removed file in ``paths``, and the id of the commit that removed it, the latest first.

        ``paths`` are files and folders. If the removal is not committed yet, the id is ``""``.
        """
        limits = tuple(paths)
        staged = self.git.tokens(
            "diff-index", *_STAGED, "--no-renames", "--diff-filter=D", self.head, "--", *limits
        )
        for path, _ in read_changes(staged):
            yield path, ""
        log = self.log(self.head, ("--date-order", *SIMPLIFIED, "--diff-filter=D"), limits)
        for path, (commit, _) in read_changes(log):
            yield path, _id_in(commit)

    def removals(self, commits: Iterable[str]) -> tuple[dict[str, list[Removal]], bool]:
        """Return the files that each commit has removed or renamed, and whether no rename is missing.

        In a partial clone, some renames may be missing.

        Raises:
            GitTrouble: Git has failed.
        """
        ids = [*commits]
        try:
            return self._removals(ids, "-C"), True
        except GitTrouble:
            return self._removals(ids, "-C100%"), False

    def _removals(self, commits: Sequence[str], similarity: str) -> dict[str, list[Removal]]:
        options = (similarity, f"-l{_MOST_COMPARED}", "--no-rename-empty", "--diff-filter=CDR")
        removals: dict[str, list[Removal]] = {}
        if "" in commits:
            staged = self.git.tokens("diff-index", *_STAGED, *options, self.head, "--")
            removals[""] = [removal for _, removal in _read_removals(staged)]
        ids = [commit for commit in commits if commit]
        for start in range(0, len(ids), _MOST_COMMITS):
            batch = ids[start : start + _MOST_COMMITS]
            log = self.git.tokens("log", "--no-walk=unsorted", *FIRST_PARENT, *options, _FORMAT, *batch, "--")
            for commit, removal in _read_removals(log):
                removals.setdefault(commit, []).append(removal)
        return removals

    def is_octopus(self, merge: str) -> bool:
        """Check whether a commit is a merge of three or more branches."""
        ids = self.git.output("rev-list", "--parents", "-1", merge, "--").split()
        return len(ids) > _MERGE

    def extends(self, old: str) -> bool:
        """Check whether the first parents of HEAD lead back to the commit ``old``."""
        try:
            span = f"{old}..{self.head}"
            lines = self.git.output("rev-list", "--first-parent", "--parents", span, "--").splitlines()
        except GitTrouble:
            return False
        if not lines:
            return False
        first_parents = lines[-1].split()[1:2]
        return first_parents == [old.encode()]


def open_repository(root: str, environ: Environment, deadline: float = inf) -> Repository:
    """Open the git repository in the folder ``root``.

    At the time ``deadline`` (see :func:`time.monotonic`), running git commands are stopped.

    Raises:
        GitTrouble: There is no repository or no commit, or git has failed.
    """
    git = Git(root, environ, deadline)
    questions = ("HEAD", "--glob=refs/replace/*", "--git-common-dir", "--show-prefix")
    lines = os.fsdecode(git.output("rev-parse", *questions)).split("\n")
    ids = lines[:-3]
    has_ids = bool(ids) and all(map(_ID.fullmatch, ids))
    # Without ids, the program is not git, or a path has a line break. With a prefix, the folder is inside
    # another work tree.
    if not has_ids or lines[-2]:
        raise GitTrouble("git-failed", f"no repository: {lines!s:.80}")
    common = Path(root, lines[-3])
    boundary = b""
    try:
        boundary = files.read_file(common / "shallow")
    except FileNotFoundError:
        pass
    except OSError as error:
        raise GitTrouble("git-failed", f"{common}/shallow: {error.strerror}") from error
    oldest_commits = frozenset(boundary.decode("ascii", "replace").split())
    has_replaced_commits = len(ids) > 1
    is_altered = has_replaced_commits or os.path.lexists(common / "info" / "grafts")
    return Repository(git, ids[0], oldest_commits, is_altered)


def has_whole_history(folder: Path, environ: Environment) -> bool:
    """Check whether a folder is in a git repository that is not a shallow clone."""
    root = files.repository_of(folder)
    try:
        return root is not None and not open_repository(os.fspath(root), environ).boundary
    except GitTrouble:
        return False


def describe(root: str, commit: str, environ: Environment) -> tuple[str, str]:
    """Return the author and the subject of a commit, or empty texts if git fails."""
    options = ("--no-show-signature", "--no-color", "--format=%an%n%s")
    try:
        output = Git(root, environ).output("log", "-1", *options, commit, "--")
    except GitTrouble:  # for example, the commit of an older build is gone
        return "", ""
    author, subject, *_ = output.decode(errors="replace").split("\n")
    return author, subject


def read_changes(tokens: Iterable[bytes]) -> Iterator[tuple[bytes, RawChange]]:
    """Yield each changed file in the output of ``git log --raw -z``, as ``(path, (commit, change))``.

    ``commit`` and ``change`` are unparsed lines of the output. ``tokens`` is the output, split at null bytes.
    """
    commit = b""
    tokens = iter(tokens)
    for token in tokens:
        if not token:  # Git prints an empty token before the changes of a merge.
            continue
        if token[0] in b":\n":
            yield next(tokens, b""), (commit, token)
        else:
            commit = token


def _id_in(line: bytes) -> str:
    """Return the id at the start of a line such as ``2c26b4… 1700000000 1700000000``."""
    commit = line.partition(b" ")[0].decode("ascii", "replace")
    if not _ID.fullmatch(commit):
        raise GitTrouble("git-failed", f"no commit: {line[:80]!r}")
    return commit


def _read_removals(tokens: Iterable[bytes]) -> Iterator[tuple[str, Removal]]:
    """Yield removed and renamed files from the output of ``git log --raw -C``.

    Raises:
        GitTrouble: A line of the output has an unexpected form.
    """
    commit = ""
    tokens = iter(tokens)
    for token in tokens:
        if not token:
            continue
        if token[0] not in b":\n":
            commit = _id_in(token)
            continue
        path = next(tokens, b"")
        try:
            _, _, content, _, status = token.removeprefix(b"\n").split(b" ")
            if status == b"D":
                yield commit, Removal(path, content)
            else:
                yield commit, Removal(path, content, next(tokens, b""), int(status[1:]))
        except ValueError:
            raise GitTrouble("git-failed", f"no change: {token[:80]!r}") from None


def parse_change(change: RawChange) -> FileChange:
    """Convert git's output about the change of one file, from :func:`read_changes`, to a ``FileChange``.

    Raises:
        GitTrouble: A line of the output has an unexpected form.
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
        return FileChange(read_commit(commit), after, before)
    except IndexError:
        raise GitTrouble("git-failed", f"no change: {line[:80]!r}") from None


def read_states_before(change: RawChange) -> list[bytes]:
    """Return the mode and object id of a file before a commit, such as ``[b"100644 2c26b4…"]``.

    For a merge, the list has one item for each parent commit.
    """
    line = change[1].removeprefix(b"\n")
    fields = line.split(b" ")
    parents = line.count(b":")
    modes = [mode.lstrip(b":") for mode in fields[:parents]]
    ids = fields[parents + 1 : 2 * parents + 1]
    return [mode + b" " + object_id for mode, object_id in zip(modes, ids, strict=False)]


@lru_cache  # A commit may change many files.
def read_commit(line: bytes) -> Commit:
    """Parse a line with a commit id and two dates, such as ``2c26b4… 1700000000 1700000000``.

    Raises:
        GitTrouble: The line has an unexpected form.
    """
    try:
        commit_id, committed, authored = line.split(b" ")
        return Commit(commit_id.decode("ascii"), _seconds(committed), _seconds(authored))
    except ValueError:
        raise GitTrouble("git-failed", f"no commit: {line[:80]!r}") from None


def folders(paths: Iterable[bytes]) -> tuple[bytes, ...]:
    """Return at most three folders that together contain all paths.

    If three folders are not enough, the result is empty.
    """
    # There is one folder for each top folder: docs/de/a.md, docs/en/b.md and src/c.py give docs and src/c.py.
    groups: dict[bytes, list[bytes]] = {}
    for path in paths:
        top = path.partition(b"/")[0]
        groups.setdefault(top, []).append(path)
    if len(groups) > _MAX_FOLDERS or b"" in groups:
        return ()
    common_folders = []
    for top, group in groups.items():
        common = group[0].rstrip(b"/")
        if len(group) > 1:
            # The folder that the first and the last path in order share is shared by all paths.
            outermost = [posixpath.dirname(min(group)), posixpath.dirname(max(group))]
            common = posixpath.commonpath(outermost)
        common_folders.append(common or top)
    return tuple(sorted(common_folders))


def _seconds(digits: bytes) -> int:
    """Parse the date of a commit. A damaged date becomes ``UNDATED``."""
    if not digits:
        return UNDATED
    if len(digits) < _DIGITS:
        return min(int(digits), _LATEST)
    return _LATEST
