"""Explain why pages have no date: the cause for a single page, and the findings about many pages."""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from sitemap_docs.config.dates import moment
from sitemap_docs.config.own_options import OptionsPlace, find_options_place
from sitemap_docs.files import repository_of, seen_from
from sitemap_docs.history.git import TIMEOUT, UNDATED, Commit, GitTrouble
from sitemap_docs.history.shared_files import shared_file
from sitemap_docs.model import Cause, Finding, Row
from sitemap_docs.programs.followed import platform
from sitemap_docs.rules import BuildRule, reported, reported_text
from sitemap_docs.text import many, one_line

_FETCH_WHOLE = "git fetch --unshallow --filter=blob:none"


#: If at least this part of all pages has no date, the most frequent cause is reported.
_UNDATED = 1 / 3

#: The largest number of files in the advice to set the option ``lastmod_excludes``.
_NAMED_AT_MOST = 5


class GitProblem(NamedTuple):
    """The texts for a warning about git: the problem, its consequence, and the error message of git."""

    #: The problem, such as ``git is not installed``.
    fact: str
    #: The result, such as ``no page has a lastmod``.
    consequence: str
    #: The error message of git, or ``""`` if there is none.
    words: str


@reported()
def git_missing(problem: GitProblem) -> str:
    """The program git is not installed, so no page has a date.

    Search engines fetch pages without a date later than pages that are known to have changed.
    Install git where the site is built; container images often lack it.
    Wrong: `FROM python:3-slim`
    Right: `RUN apt-get install -y git` in the same image
    Source: git: installing,
    https://git-scm.com/book/en/v2/Getting-Started-Installing-Git
    """
    return f"{problem.fact}, so {problem.consequence}. Install it where the site is built."


@reported()
def no_repository(problem: GitProblem) -> str:
    """The source files are not in a git repository, so no page has a date.

    Without commits, a date would be a guess, and search engines ignore all dates of a site if some are wrong.
    Build from a clone; a container needs the folder `.git`, too.
    Wrong: `.git` in `.dockerignore`, or sources from a zip file
    Right: `git clone`, then the build in that folder
    Source: git: clone,
    https://git-scm.com/docs/git-clone
    """
    return f"{problem.fact}, so {problem.consequence}. Build from a clone, with its .git folder."


@reported()
def no_commit(problem: GitProblem) -> str:
    """The repository has no commit, so no page has a date.

    The date of a page is the date of the last commit that changed it.
    Commit the files.
    Wrong: `git init`, and then the build
    Right: `git add . && git commit -m "First pages"`, and then the build
    Source: git: commit,
    https://git-scm.com/docs/git-commit
    """
    return f"{problem.fact}, so {problem.consequence}. Commit the files."


@reported()
def unsafe_repository(problem: GitProblem) -> str:
    """The repository belongs to another user, so git does not read it and no page has a date.

    This happens in containers that run as root with a clone of another user.
    Add the folder to git's option `safe.directory`, as the user who runs the build.
    Wrong: `docker run -v .:/docs image mkdocs build`
    Right: `git config --global --add safe.directory /docs` before the build in that container
    Source: git: safe.directory,
    https://git-scm.com/docs/git-config#Documentation/git-config.txt-safedirectory
    """
    return f"{problem.fact}, so {problem.consequence}. Run these commands."


@reported()
def treeless_clone(problem: GitProblem) -> str:
    """The clone lacks the folders of its history, which show what each commit changed.

    git would have to fetch each folder, which takes hours in a large repository, so no page has a date.
    Clone with `--filter=blob:none`, which is as fast.
    Wrong: `git clone --filter=tree:0 URL`
    Right: `git clone --filter=blob:none URL`
    Source: git: partial clones,
    https://git-scm.com/docs/partial-clone
    """
    return f"{problem.fact}, so {problem.consequence}. Clone with --filter=blob:none, which is as fast."


@reported()
def git_timeout(problem: GitProblem) -> str:
    """A git command took too long and was stopped.

    The build goes on without dates, because git problems never stop a build.
    Run the command in the repository: it may wait for a password or a slow network disk.
    Wrong: a clone with `--filter=blob:none` whose server asks for a password
    Right: `git fetch --refetch --no-filter` before the build
    Source: git: log,
    https://git-scm.com/docs/git-log
    """
    return f"{problem.fact}, so {problem.consequence}. Run the command there to see why it takes so long."


@reported()
def git_failed(problem: GitProblem) -> str:
    """Git cannot read the history of the source files.

    The build goes on without dates, because git problems never stop a build.
    Run `git fsck` in the repository to see which objects are damaged, or clone it again.
    Wrong: a CI cache that was saved incompletely
    Right: a new `git clone`
    Source: git: fsck,
    https://git-scm.com/docs/git-fsck
    """
    return (
        f"{problem.fact}, so {problem.consequence}. git says {problem.words!r}. Run `git fsck` there, or "
        "clone the repository again."
    )


@reported()
def git_outdated(problem: GitProblem) -> str:
    """The repository has a format that the installed git does not know, so no page has a date.

    A newer git, or another program, has created the repository.
    Install a newer git where the site is built.
    Wrong: git 2.39 and a repository created with `git init --ref-format=reftable`
    Right: git 2.45 or newer
    Source: git: repository format,
    https://git-scm.com/docs/repository-version
    """
    return f"{problem.fact}, so {problem.consequence}. Install a newer git where the site is built."


@reported()
def git_folder_missing(problem: GitProblem) -> str:
    """A part of the repository is in another folder, which does not exist, so no page has a date.

    The file `.git` of a worktree or a submodule points to that folder, and containers often lack it.
    Make the folder available at the same path, or build from a separate clone.
    Wrong: `docker run -v ./worktree:/docs image mkdocs build`
    Right: `git clone repository docs`, then `docker run -v ./docs:/docs image mkdocs build`
    Source: git: worktree,
    https://git-scm.com/docs/git-worktree#_details
    """
    return (
        f"{problem.fact}, so {problem.consequence}. Make the folder available at this path, or build from a "
        "separate clone."
    )


def _problem_text(rule: str, words: str) -> str:
    """Return the text of a git problem, such as ``git is not installed`` for the rule ``git-missing``.

    ``words`` is inserted into some texts, for example the git command that was stopped.
    """
    words = one_line(words)
    texts = {
        "git-missing": "git is not installed, or not on the PATH",
        "no-repository": "The sources are not in a git repository",
        "no-commit": "The repository has no commit yet",
        "unsafe-repository": "git does not read a repository that belongs to another user",
        "treeless-clone": "The clone was made with --filter=tree:0, so it lacks the older folders",
        "git-timeout": f"`{words}` did not end within {TIMEOUT / 60:.0f} minutes and was stopped",
        "git-outdated": f"git is too old for the repository ({words})",
        "git-folder-missing": (
            f"The git repository takes objects from the folder {words}, which does not exist"
        ),
        "git-failed": "git cannot read the history",
    }
    return texts[rule]


#: The rules for problems with git.
_TROUBLES: dict[str, BuildRule[[GitProblem]]] = {
    "git-missing": git_missing,
    "no-repository": no_repository,
    "no-commit": no_commit,
    "unsafe-repository": unsafe_repository,
    "treeless-clone": treeless_clone,
    "git-timeout": git_timeout,
    "git-outdated": git_outdated,
    "git-folder-missing": git_folder_missing,
    "git-failed": git_failed,
}


def cause_of(trouble: GitTrouble) -> Cause:
    """Turn a git error into the reason why pages have no date."""
    text = _problem_text(trouble.rule, trouble.words)
    return Cause(trouble.rule, text[0].lower() + text[1:])


_UNCLEAR_MOVE, _LOST_COMMIT = "unclear-move", "lost-commit"


def is_git_problem(cause: Cause) -> bool:
    """Check whether a page has no date because git failed or the clone is incomplete."""
    return cause.rule in _TROUBLES or cause.rule in (CUT.rule, _UNCLEAR_MOVE, _LOST_COMMIT)


CUT = Cause("shallow-clone", "the clone is shallow and lacks older commits; fetch the whole history")
NO_SOURCE = Cause(
    "no-source", "no source file is known: the page is generated, or its source is at another path"
)
SWITCHED_OFF = Cause("lastmod", "dates are switched off (`lastmod: none`)")
EXCLUDED = Cause("lastmod-excludes", "the option `lastmod_excludes` matches all its sources")
NO_REPOSITORY = cause_of(GitTrouble("no-repository"))


def shallow_clone_cause(root: str) -> Cause:
    """Return the cause of a missing date: the git clone in the folder ``root`` is shallow."""
    cause = CUT._replace(root=root)
    nested = _find_nested(root)
    if nested is None:
        return cause
    words = (
        f"the clone in {one_line(nested.path)} is shallow and lacks older commits; fetch its whole history"
    )
    return cause._replace(words=words)


class _NestedClone(NamedTuple):
    """A clone inside another clone, for example a submodule."""

    #: The folder of the outer clone.
    outer: str
    #: The path of the inner clone in ``outer``.
    path: str


@lru_cache
def _find_nested(root: str) -> _NestedClone | None:
    """Return a clone inside another clone, such as a submodule, with its outer clone, or None."""
    outer = repository_of(Path(root).parent) if root else None
    if outer is None:
        return None
    return _NestedClone(os.fspath(outer), seen_from(outer, root))


def lost_commit_cause(move: Commit) -> Cause:
    """Return the reason why a page has no date: the clone of a submodule lacks a commit.

    ``move`` is the commit that set the submodule to the missing commit in the outer repository.
    """
    return Cause(
        _LOST_COMMIT,
        f"its submodule lacks a commit that {move.id[:12]} refers to; fetch the submodule's whole history",
    )


def impossible_date_cause(commit: Commit, seconds: int) -> Cause:
    """Return the reason for a missing date: the commit is in the future or before 1970."""
    if seconds == UNDATED:
        return Cause(
            OLD_COMMIT, f"none of its commits has a valid date ({commit.id[:12]} is dated before 1970)"
        )
    return Cause(
        "future-commit", f"none of its commits has a valid date ({commit.id[:12]} is dated in the future)"
    )


def renamed_cause(root: str, path: bytes, path_in_git: bytes) -> Cause:
    """Return the reason for a missing date: git tracks the source file ``a.md`` as ``A.md``."""
    path_on_disk, tracked_path = os.fsdecode(path), os.fsdecode(path_in_git)
    words = f"git tracks {one_line(path_on_disk)} as {one_line(tracked_path)} (upper and lower case differ)"
    files = (str(Path(root, path_on_disk)), str(Path(root, tracked_path)))
    return Cause(FILE_NAME_CASE, words, files, root)


def untracked_cause(rule: str, path: bytes, files: tuple[str, ...] = ()) -> Cause:
    """Return the reason for a missing date: a source file of the page is not in git.

    ``rule`` is the name of the warning, such as ``untracked-source``. ``files`` are all untracked files of
    the page.
    """
    return Cause(rule, f"{one_line(os.fsdecode(path))} is untracked", files)


def ignored_commits_cause(ignore_list: Path) -> Cause:
    """Return the reason for a missing date: the user ignores all commits of a source file.

    ``ignore_list`` is the file with the ignored commits, such as ``.git-blame-ignore-revs``.
    """
    return Cause(
        "commits-ignored",
        f"all its commits are in {one_line(ignore_list.name)}, the list of commits to ignore",
    )


def unclear_move_cause(commit: Commit) -> Cause:
    """Return the reason why a page has no date: in a partial clone, git cannot tell whether a file was moved.

    ``commit`` is the ignored commit that may have moved the source file.
    """
    # If the commit moved the file, the date would come from an older commit at the old path. If the commit
    # added the file, there is no older commit.
    return Cause(
        _UNCLEAR_MOVE,
        f"the clone was made with --filter, so git cannot tell whether the ignored commit {commit.id[:12]} "
        "moved the file; run `git fetch --refetch --no-filter`",
    )


class Undated(NamedTuple):
    """A group of pages that have no date for the same reason."""

    #: The number of pages.
    number: int
    #: The address of the first page.
    loc: str
    #: The reason.
    cause: Cause
    #: The source file of the first page, or ``""``.
    source: str = ""

    @property
    def problem(self) -> str:
        """The first sentence of a warning: ``3 pages have no lastmod, such as …: a.md is untracked``."""
        words = one_line(self.cause.words)
        if self.number == 1:
            return f"{self.loc} has no lastmod: {words}"
        return f"{self.number:,} pages have no lastmod, such as {self.loc}: {words}"

    @property
    def sources_field(self) -> str:
        """How to list more sources in a page, such as ``:sitemap-sources: ...``, or ``""``."""
        return _SOURCES_FIELDS[find_options_place(self.source)]


_SOURCES_FIELDS: Mapping[OptionsPlace, str] = {
    "front matter": "`sitemap: {sources: [...]}` in the front matter",
    "field list": "`:sitemap-sources: ...` in the field list at the top of the page",
    "": "",
}


SOURCES_MISSING, SOURCES_UNTRACKED = "sources-missing", "untracked-source"
"""The rules for many pages without a source, or with a source that git does not track."""
NAME_SOURCES = (
    "Pass the folder of the source files with --source. If sources and pages have different paths, also "
    "pass --map. If you want no dates, set `lastmod` to none."
)
"""The advice for a built folder whose sources were not found."""

DEPENDENCY_UNTRACKED, FILE_NAME_CASE, OLD_COMMIT = "untracked-dependency", "file-name-case", "old-commit"


@reported("info")
def computed_include(found: Undated) -> str:
    """Only the build knows which files a page includes, so the page has no date.

    The newest change may be in an included file, and no date is better than a wrong date.
    List the files in the front matter of the page, or write the file name literally.
    Wrong: `{% include folder ~ "/setup.md" %}`
    Right: `{% include "shared/setup.md" %}`, or `sitemap: {sources: [shared/*.md]}`
    Source: sitemap-docs: the page Dates
    """
    remedy = found.cause.remedy
    if remedy == "extension":
        return (
            f"{found.problem}. Use the Sphinx extension: it knows the files that a page includes. Add "
            '"sitemap_docs" to `extensions` in conf.py.'
        )
    if remedy == "literal-name":
        return (
            f"{found.problem}. Write the name of the file itself instead of an expression, or list the "
            f"included files with {found.sources_field}."
        )
    if found.sources_field:
        return f"{found.problem}. List the included files with {found.sources_field}."
    return (
        f"{found.problem}. If included files should not affect the date, set the option "
        "`lastmod_dependencies` to false."
    )


@reported("info")
def griffe_missing(found: Undated) -> str:
    """Pages document Python objects, but griffe, which finds their modules, is not installed.

    Without griffe, the Python files of the page are unknown, so the page has no date.
    Install griffe where the command runs, or list the files in the front matter.
    Wrong: `::: package.module` in a page, and the command is installed without griffe
    Right: `pip install griffe` in the same environment
    Source: mkdocstrings: the Python handler,
    https://mkdocstrings.github.io/python/
    """
    return f"{found.problem}. Install griffe, or list the Python files with {found.sources_field}."


@reported("info")
def untracked_source(found: Undated) -> str:
    """Git does not track the source of a page, for example because a script writes it.

    The source has no commit, so the page has no date.
    Commit the source. If a script writes it, list the files that the script reads in its front matter.
    Wrong: `docs/reference.md` in `.gitignore`, written before each build
    Right: `sitemap: {sources: [../tool/commands.py]}` in its front matter
    Source: git: ls-files,
    https://git-scm.com/docs/git-ls-files
    """
    advice = "Commit the source"
    if found.sources_field:
        advice += f". If a program writes it, list the files it reads with {found.sources_field}"
    return f"{found.problem}. {advice}."


@reported("info")
def file_name_case(found: Undated) -> str:
    """Git tracks a file of a page under a name with other capital letters, so the page has no date.

    On Windows and macOS, both names lead to the same file. On other systems, they are two files.
    Use the same name in git and in all references to the file.
    Wrong: `docs/setup.md`, which git tracks as `docs/Setup.md`
    Right: `docs/setup.md` in both
    Source: git: core.ignoreCase,
    https://git-scm.com/docs/git-config#Documentation/git-config.txt-coreignoreCase
    """
    return (
        f"{found.problem}. Use the same upper and lower case in git, on the disk and in all references to "
        "the file. To use the name on the disk, run these commands in the top folder of the repository."
    )


#: The rules for pages whose authors can correct or add the sources.
_BY_AUTHORS = {
    "computed-include": computed_include,
    "griffe-missing": griffe_missing,
    SOURCES_UNTRACKED: untracked_source,
    FILE_NAME_CASE: file_name_case,
}


def troubles(by_root: Mapping[str, GitTrouble]) -> Iterator[Finding]:
    """Yield one warning for each git problem, with all repositories that have the problem.

    ``by_root`` maps the folder of each repository to the error of git.
    """
    roots_by_problem = defaultdict(list)
    for root, trouble in by_root.items():
        roots_by_problem[trouble.rule, _problem_text(trouble.rule, trouble.words)].append(root)
    for (rule, problem), roots in sorted(roots_by_problem.items()):
        consequence = f"the files in {', '.join(roots)} have no lastmod"
        if roots == [""]:
            consequence = "no page has a lastmod"
        words = by_root[roots[0]].words
        commands = []
        if rule == "unsafe-repository":
            commands = [f'  git config --global --add safe.directory "{one_line(root)}"' for root in roots]
        described = GitProblem(problem, consequence, words)
        yield _TROUBLES[rule](described).at(hint="\n".join(commands))


@reported()
def shallow_clone(cut: int, pages: int, root: str = "") -> str:
    """A shallow clone leaves pages without a date."""
    nested = _find_nested(root)
    clone = "The clone is shallow" if nested is None else f"The clone in {one_line(nested.path)} is shallow"
    return (
        f"{clone}: it lacks the last change of {cut} of {pages} pages, which have no lastmod. "
        "Fetch the whole history."
    )


def shallow_clone_hint(root: str, environ: Mapping[str, str]) -> str:
    """Tell the user how to fetch the whole history of a shallow git clone.

    ``root`` is the folder of the clone. The variables in ``environ`` show the platform, such as GitHub
    Actions.
    """
    nested = _find_nested(root)
    if nested is None:
        return platform(environ).whole_history or f"Before the build, run:\n  {_FETCH_WHOLE}"
    path = one_line(nested.path)
    return f"Before the build, run in {one_line(nested.outer)}:\n  (cd {quote(path)} && {_FETCH_WHOLE})"


@reported_text()
def sources_missing(message: str) -> None:
    """Most pages have no known source file, or a folder of sources has no source file.

    A page without a source file gets no date from git, and search engines fetch pages without a date later.
    Pass the folder with `--source`, and source files at other paths with `--map`, or set `lastmod` to none.
    Wrong: `sitemap-docs build public`, with the sources in `content/`
    Right: `sitemap-docs build public --source content`
    Source: sitemap-docs: the page Dates
    """


def without_sources(number: int, listed: int, looked_in: str) -> Finding:
    """Return a warning that ``number`` of ``listed`` pages have no source file.

    ``looked_in`` names the folders that were searched.
    """
    fault = "No page has a date, because no source file was found"
    if number < listed:
        fault = f"{number:,} of {many(listed, 'page')} have no date, because no source file was found"
    return sources_missing(f"{fault} (looked in: {looked_in}). {NAME_SOURCES}")


@reported("info")
def untracked_dependency(found: Undated, files: set[str]) -> str:
    """Pages include files that git does not track, so the pages have no date.

    If such a file changes, the page changes, too, and no commit shows when.
    Commit the files. If they do not matter for the date, exclude them with `lastmod_excludes`.
    Wrong: `.. include:: ../build/version.txt`
    Right: `lastmod_excludes: ["build/*"]`
    Source: git: ls-files,
    https://git-scm.com/docs/git-ls-files
    """
    return (
        f"{found.problem}, but the page includes this file. Commit the file. If it does not matter for the "
        f"date, {_exclusion_advice(files)}"
    )


@reported("info")
def pages_undated(most: Undated, total: int, pages: int) -> str:
    """Many pages have no date, for a reason that no other finding reports.

    Search engines fetch pages without a date later.
    Build with -v to see the reason for each page, or run `sitemap-docs explain PAGE`.
    Wrong: `lastmod_excludes: ["docs/*"]`
    Right: `lastmod_excludes: ["docs/abbreviations.md"]`
    Source: sitemap-docs: the page Dates
    """
    have = "has" if total == 1 else "have"
    return (
        f"{total:,} of {many(pages, 'page')} {have} no lastmod, such as {most.loc}: "
        f"{one_line(most.cause.words)}. To see the reason for each page, build with -v."
    )


@reported("info")
def one_date(file: str, dated: int, pages: int) -> str:
    """Many pages have the date of the same file, because they include it.

    If readers see no change, the dates mislead search engines, which may then ignore them.
    Add the file to `lastmod_excludes`.
    Wrong: a list of abbreviations that every page includes
    Right: `lastmod_excludes: ["docs/abbreviations.md"]`
    Source: Google: build and submit a sitemap,
    https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap
    """
    return (
        f"{dated} of {pages} pages have the date of {one_line(file)}, because they include it. If this file "
        f"does not matter for the date, {_exclusion_advice({file})}"
    )


def _exclusion_advice(files: set[str]) -> str:
    """Return advice such as ``set the option `lastmod_excludes` to ["a.md"].``."""
    value = json.dumps(sorted(files)[:_NAMED_AT_MOST])
    return f"set the option `lastmod_excludes` to {one_line(value)}."


def impossible_dates(commits: Sequence[tuple[Commit, int]]) -> Iterator[Finding]:
    """Yield warnings about commits that are in the future or before 1970."""
    old_commits = [commit for commit, seconds in commits if seconds == UNDATED]
    if old_commits:
        yield old_commit(len(old_commits), min(commit.id for commit in old_commits)[:12])
    future_commits = [(seconds, commit.id) for commit, seconds in commits if seconds != UNDATED]
    if future_commits:
        seconds, commit_id = max(future_commits)
        when = moment(seconds)
        day = f"{when:%Y-%m-%d}" if when else "after the year 9999"
        yield future_commit(len(future_commits), commit_id[:12], day)


@reported()
def old_commit(files: int, commit: str) -> str:
    """Commits are dated before 1970, so they give no page a date.

    Git cannot show such a date. It comes from a clock that was not set, or from an import.
    Change the files in a new commit, or write the date into the front matter of the page.
    Wrong: a commit of 1969-12-31
    Right: `sitemap: {lastmod: 2026-01-31}` in the front matter
    Source: sitemap-docs: the page Dates
    """
    return (
        f"The last change of {many(files, 'file')} is dated before 1970, or git cannot read its date, so no "
        f"page gets this date (for example, commit {commit}). Commit a change with a correct date, or set "
        "`lastmod` in the page itself."
    )


@reported()
def future_commit(files: int, commit: str, day: str) -> str:
    """Commits are dated in the future, so they give no page a date.

    Search engines refuse dates in the future, and may then ignore all dates of the site.
    Set the clock of the computer that makes the commits.
    Wrong: `git commit --date 2099-01-01`
    Right: `git commit`
    Source: Google: build and submit a sitemap,
    https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap
    """
    return (
        f"The last change of {many(files, 'file')} is dated in the future, so no page gets this date (for "
        f"example, commit {commit} of {day}). Set the clock of the computer that makes the commits."
    )


@reported_text()
def ignore_revs(message: str) -> None:
    """The list of commits to ignore cannot be read, or has a line that is not a full commit hash.

    The commits that such a line should exclude still give pages their dates.
    Write one full hash on each line; comments start with `#`.
    Wrong: `1a2b3c4 Reformat`
    Right: `1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d  # Reformat`
    Source: git: blame.ignoreRevsFile,
    https://git-scm.com/docs/git-blame#Documentation/git-blame.txt---ignore-revs-filefile
    """


def _commands_for(cause: Cause) -> str:
    """Return git commands that solve the problem behind a missing date, or ``""``."""
    if cause.rule != FILE_NAME_CASE:
        return ""
    name, name_in_git = (quote(one_line(seen_from(cause.root, file))) for file in cause.files)
    return f"  git rm --cached {name_in_git}\n  git add {name}"


def _message_key(cause: Cause, source: str) -> tuple[str, ...]:
    """Return a tuple that groups undated pages: all pages with the same tuple share one warning.

    ``cause`` is the reason why a page has no date, and ``source`` its source file.
    """
    if cause.rule == CUT.rule:
        return (cause.rule, cause.root)
    # Pages share a message only if the author can give all of them a date in the same way.
    if cause.rule in _BY_AUTHORS and cause.rule != FILE_NAME_CASE:
        return (cause.rule, cause.remedy, find_options_place(source))
    return (cause.rule,)


class UndatedPagesCounter:
    """Counts the pages without a date, to warn about them.

    Call :meth:`add` for each page, and :meth:`findings` at the end.
    """

    def __init__(self) -> None:
        self._undated: dict[tuple[str, ...], Undated] = {}  # by what a message says about the pages
        self._untracked_files: set[str] = set()
        self._pages_by_file: Counter[str] = Counter()  # only files that pages include

    def add(self, row: Row) -> None:
        """Count a page of the sitemap."""
        cause = row.cause
        if cause:
            source = row.sources[0] if row.sources else ""
            key = _message_key(cause, source)
            undated = self._undated.get(key) or Undated(0, row.loc, cause, source)
            self._undated[key] = undated._replace(number=undated.number + 1)
            if cause.rule == DEPENDENCY_UNTRACKED:
                self._untracked_files.update(cause.files)
        elif row.commit and row.changed != row.sources[0]:
            self._pages_by_file[row.changed] += 1

    @property
    def largest_group(self) -> Undated | None:
        """The largest group of pages without a date for the same reason. None if all pages have dates."""
        with_source = [each for each in self._undated.values() if each.cause.rule != NO_SOURCE.rule]
        candidates = with_source or self._undated.values()
        return max(candidates, key=lambda undated: undated.number, default=None)

    def findings(
        self, before: Sequence[Finding], listed: int, root: Path, looked_in: str, environ: Mapping[str, str]
    ) -> Iterator[Finding]:
        """Yield warnings about the dates of pages.

        Args:
            before: Warnings about git that were found before. Their rules are not reported again.
            listed: The number of pages in the sitemap.
            root: The folder to which paths in the warnings are relative.
            looked_in: The folders that were searched for source files, as a text such as ``"docs, src"``.
            environ: The environment variables.
        """
        reported_rules = {finding.rule for finding in before}
        other_causes = []
        for _, undated in sorted(self._undated.items()):
            rule = undated.cause.rule
            if rule == CUT.rule:
                clone = undated.cause.root
                hint = shallow_clone_hint(clone, environ)
                yield shallow_clone(undated.number, listed, clone).at(hint=hint)
            elif rule == DEPENDENCY_UNTRACKED:
                untracked_files = {seen_from(root, file) for file in self._untracked_files}
                yield untracked_dependency(undated, untracked_files)
            elif rule in _BY_AUTHORS:
                yield _BY_AUTHORS[rule](undated).at(hint=_commands_for(undated.cause))
            elif rule == NO_SOURCE.rule and looked_in and 2 * undated.number > listed:
                yield without_sources(undated.number, listed, looked_in)
            elif rule != EXCLUDED.rule and rule not in reported_rules:  # The user asked for excluded files.
                other_causes.append(undated)
        total = sum(undated.number for undated in other_causes)
        if other_causes and total >= _UNDATED * listed:
            most_frequent = max(other_causes, key=lambda undated: undated.number)
            yield pages_undated(most_frequent, total, listed)
        for file, dated in self._pages_by_file.most_common(1):
            if shared_file(dated, listed).is_reported:
                yield one_date(seen_from(root, file), dated, listed)
