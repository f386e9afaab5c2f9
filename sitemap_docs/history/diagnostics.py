"""Explain why pages have no date: the cause for a single page, and the findings about many pages."""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from sitemap_docs.config.dates import moment
from sitemap_docs.files import seen_from
from sitemap_docs.history.git import TIMEOUT, Commit, GitTrouble
from sitemap_docs.model import Cause, Finding, Row
from sitemap_docs.programs.followed import platform
from sitemap_docs.rules import BuildRule, reported, reported_text
from sitemap_docs.text import many, one_line

_ANYWHERE = """Before the build, run:
  git fetch --unshallow --filter=blob:none"""

#: If so many pages, and this part of all pages, have the date of the same included file, it is reported.
_PART = 0.4
_PAGES = 10

#: If at least this part of all pages has no date, the most frequent cause is reported.
_UNDATED = 1 / 3

#: The largest number of files in the advice to set the option ``lastmod_excludes``.
_NAMED_AT_MOST = 5


class GitProblem(NamedTuple):
    """A problem with git, for the message about it.

    Attributes:
        fact: What is wrong, without a full stop.
        lacking: What has no date because of the problem.
        words: The output of git, or the command that was stopped.
    """

    fact: str
    lacking: str
    words: str


@reported()
def git_missing(problem: GitProblem) -> str:
    """The program git is not there, so that no page has a date.

    Engines fetch pages without a lastmod later than those that are known to have changed.
    Install git where the site is built; images of containers often lack it.
    Wrong: `FROM python:3-slim`
    Right: `RUN apt-get install -y git` in the same image
    Source: git: installing,
    https://git-scm.com/book/en/v2/Getting-Started-Installing-Git
    """
    return f"{problem.fact}, so {problem.lacking}. Install it where the site is built."


@reported()
def no_repository(problem: GitProblem) -> str:
    """The sources are in no git repository, so that no page has a date.

    A date that no commit has would be a guess, and engines that see wrong dates ignore all of a site.
    Build from a clone; a container needs the folder `.git` too.
    Wrong: `.git` in `.dockerignore`, or sources from a zip file
    Right: `git clone`, then the build in that folder
    Source: git: clone,
    https://git-scm.com/docs/git-clone
    """
    return f"{problem.fact}, so {problem.lacking}. Build from a clone, with its .git folder."


@reported()
def no_commit(problem: GitProblem) -> str:
    """The repository has no commit, so that no page has a date.

    The date of a page is that of the last commit that changed it.
    Commit the files.
    Wrong: `git init`, and then the build
    Right: `git add . && git commit -m "First pages"`, and then the build
    Source: git: commit,
    https://git-scm.com/docs/git-commit
    """
    return f"{problem.fact}, so {problem.lacking}. Commit the files."


@reported()
def unsafe_repository(problem: GitProblem) -> str:
    """The repository belongs to another user, and git does not read it.

    So no page has a date; it happens in containers that build as root what another user has cloned.
    Name the folder in git's option `safe.directory`, as that user.
    Wrong: `docker run -v .:/docs image mkdocs build`
    Right: `git config --global --add safe.directory /docs` before the build in that container
    Source: git: safe.directory,
    https://git-scm.com/docs/git-config#Documentation/git-config.txt-safedirectory
    """
    return f"{problem.fact}, so {problem.lacking}. Run these commands."


@reported()
def treeless_clone(problem: GitProblem) -> str:
    """The clone lacks the folders of its history, which show what each commit changed.

    git would fetch them one after the other, for hours in a large repository; so no page has a date.
    Clone with `--filter=blob:none`, which is as fast.
    Wrong: `git clone --filter=tree:0 URL`
    Right: `git clone --filter=blob:none URL`
    Source: git: partial clones,
    https://git-scm.com/docs/partial-clone
    """
    return f"{problem.fact}, so {problem.lacking}. Clone with --filter=blob:none, which is as fast."


@reported()
def git_timeout(problem: GitProblem) -> str:
    """A command of git took too long and was stopped.

    The build goes on without dates, as it never fails or waits for git.
    Run the command in the repository: it may wait for a password or a slow network disk.
    Wrong: a clone with `--filter=blob:none` whose server asks for a password
    Right: `git fetch --refetch --no-filter` before the build
    Source: git: log,
    https://git-scm.com/docs/git-log
    """
    return f"{problem.fact}, so {problem.lacking}. Run it there to see what it waits for."


@reported()
def git_failed(problem: GitProblem) -> str:
    """The history of the sources cannot be read.

    The build goes on without dates, as it never fails over git.
    Run `git fsck` in the repository, which names what is damaged, or clone it again.
    Wrong: a cache of CI that was cut off while it was saved
    Right: `git clone` anew
    Source: git: fsck,
    https://git-scm.com/docs/git-fsck
    """
    return (
        f"{problem.fact}, so {problem.lacking}. It reports {problem.words!r}. Run `git fsck` there, or clone "
        "again."
    )


def _problem_text(rule: str, words: str) -> str:
    """Describe a problem with git, such as ``git is not installed, or not on the PATH``.

    Args:
        rule: The name of the rule about the problem, such as ``git-missing``.
        words: The error message of git, or the command if git was stopped.
    """
    texts = {
        "git-missing": "git is not installed, or not on the PATH",
        "no-repository": "The sources are not in a git repository",
        "no-commit": "The repository has no commit yet",
        "unsafe-repository": "git does not read a repository that belongs to another user",
        "treeless-clone": "The clone lacks the folders of its history (--filter=tree:0)",
        "git-timeout": f"`{words}` did not end within {TIMEOUT / 60:.0f} minutes and was stopped",
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
    "git-failed": git_failed,
}


def cause_of(trouble: GitTrouble) -> Cause:
    """Return the reason for missing dates in a repository that git cannot read, such as a damaged one."""
    text = _problem_text(trouble.rule, trouble.words)
    return Cause(trouble.rule, text[0].lower() + text[1:])


_UNCLEAR_MOVE = "unclear-move"


def is_git_problem(cause: Cause) -> bool:
    """Check whether a page has no date because git has failed, or because the clone is not complete."""
    return cause.rule in _TROUBLES or cause.rule in (CUT.rule, _UNCLEAR_MOVE)


CUT = Cause("shallow-clone", "the history is cut off by a shallow clone; fetch it whole")
NO_SOURCE = Cause(
    "no-source", "no source file is known: the page is generated, or its source is at another path"
)
SWITCHED_OFF = Cause("lastmod", "dates are switched off (`lastmod: none`)")
EXCLUDED = Cause("lastmod-excludes", "`lastmod_excludes` takes out its sources")
NO_REPOSITORY = cause_of(GitTrouble("no-repository"))


def future_cause(commit: Commit) -> Cause:
    """Return the reason for a missing date: all commits of the file are dated in the future.

    ``commit`` is one of these commits, which the message mentions.
    """
    return Cause("future-commit", f"no commit counts: {commit.id[:12]} is dated in the future")


def untracked_cause(rule: str, path: bytes, files: tuple[str, ...] = ()) -> Cause:
    """Return the reason why a page has no date, if git does not track one of its files.

    Args:
        rule: The name of the rule, such as ``untracked-source``.
        path: The path of the file in its repository.
        files: All included files of the page that git does not track.
    """
    return Cause(rule, f"{one_line(os.fsdecode(path))} is untracked", files)


def ignored_commits(file: Path) -> Cause:
    """Return the reason why a file has no date, if the user wants to ignore all its commits.

    ``file`` is the list of ignored commits, such as ``.git-blame-ignore-revs``.
    """
    return Cause("commits-ignored", f"all its commits are in {one_line(file.name)}")


def unclear_move(commit: Commit) -> Cause:
    """Return the reason why a file has no date, if a partial clone hides from where the file was moved.

    ``commit`` is an ignored commit that has added or moved the file.
    """
    return Cause(
        _UNCLEAR_MOVE,
        f"the clone lacks the contents of old files, so git cannot tell from which path the ignored commit "
        f"{commit.id[:12]} took the file; run `git fetch --refetch --no-filter`",
    )


SOURCES_MISSING, SOURCES_UNTRACKED = "sources-missing", "untracked-source"
"""The rules for many pages without a source, or with a source that git does not track."""


@reported("info")
def computed_include(count: str, loc: str, words: str) -> str:
    """What a page includes is known to its build alone, so that the page has no date.

    The last change of the page may be one of a file that it includes: no date is better than a wrong one.
    Name the files in the front matter of the page, or write the name of the file as it is.
    Wrong: `{% include folder ~ "/setup.md" %}`
    Right: `{% include "shared/setup.md" %}`, or `sitemap: {sources: [shared/*.md]}`
    Source: sitemap-docs: the page Dates
    """
    return (
        f"{count} without lastmod, as only the build knows what they include: of {loc}, {words}. Name the "
        "files with `sitemap: {sources: [...]}` in the front matter; a name that is computed can also be "
        "written as it is."
    )


@reported("info")
def griffe_missing(count: str, loc: str, words: str) -> str:
    """Pages show objects of Python, and griffe, which finds their modules, is not installed.

    Without it the files that date the page are not known, so that it has no date.
    Install griffe where the command runs, or name the files in the front matter.
    Wrong: `::: package.module` in a page, where the command has been installed alone
    Right: `pip install griffe` next to it
    Source: mkdocstrings: the Python handler,
    https://mkdocstrings.github.io/python/
    """
    return (
        f"{count} without lastmod: of {loc}, {words}. Install griffe; or name the files with "
        "`sitemap: {sources: [...]}` in the front matter."
    )


@reported("info")
def untracked_source(count: str, loc: str, words: str) -> str:
    """The source of a page is not tracked by git, as that of pages which a script writes.

    No commit changed it, so that the page has no date.
    Commit the source, or name the files that it is made from in its front matter.
    Wrong: `docs/reference.md` in `.gitignore`, written before each build
    Right: `sitemap: {sources: [../tool/commands.py]}` in its front matter
    Source: git: ls-files,
    https://git-scm.com/docs/git-ls-files
    """
    return (
        f"{count} without lastmod: of {loc}, {words}. Commit the sources; or name the tracked files that "
        "they are made from with `sitemap: {sources: [...]}` in their front matter."
    )


DEPENDENCY_UNTRACKED = "untracked-dependency"

#: The rules for pages whose authors can add the missing sources.
_BY_AUTHORS = {
    "computed-include": computed_include,
    "griffe-missing": griffe_missing,
    SOURCES_UNTRACKED: untracked_source,
}


def troubles(by_root: Mapping[str, GitTrouble]) -> Iterator[Finding]:
    """Report the problems with git, each kind of problem once.

    ``by_root`` contains the problem of each repository, such as ``{"/project": GitTrouble("no-commit")}``.
    The key is ``""`` if there is no repository.
    """
    roots_by_rule = defaultdict(list)
    for root, trouble in by_root.items():
        roots_by_rule[trouble.rule].append(root)
    for rule, roots in sorted(roots_by_rule.items()):
        lacking = f"the files in {', '.join(roots)} have no lastmod"
        if roots == [""]:
            lacking = "no page has a lastmod"
        words = by_root[roots[0]].words
        commands = []
        if rule == "unsafe-repository":
            commands = [f'  git config --global --add safe.directory "{one_line(root)}"' for root in roots]
        problem = GitProblem(_problem_text(rule, words), lacking, words)
        yield _TROUBLES[rule](problem).at(hint="\n".join(commands))


class Undated(NamedTuple):
    """The listed pages without a date that have the same kind of cause, such as an untracked source.

    Attributes:
        number: The number of these pages.
        loc: The address of the first page.
        cause: The cause of the first page.
    """

    number: int
    loc: str
    cause: Cause


@reported()
def shallow_clone(cut: int, pages: int) -> str:
    """A shallow clone leaves pages without a date."""
    return (
        f"The clone is shallow: it lacks the last change of {cut} of {pages} pages, which have no lastmod. "
        "Fetch the whole history."
    )


@reported_text()
def sources_missing(message: str) -> None:
    """Most pages have no source in the folders that are looked in, or a folder of sources has none.

    Without its source no commit dates a page, and engines fetch pages without a date later.
    Name the folder of the sources, and sources at other paths by a map; or want no dates.
    Wrong: `sitemap-docs build public`, with the sources in `content/`
    Right: `sitemap-docs build public --source content`
    Source: sitemap-docs: the page Dates
    """


def without_sources(number: int, listed: int, looked_in: str) -> Finding:
    """Return the finding that most of the listed pages have no source file.

    Args:
        number: The number of pages without a source file.
        listed: The number of all listed pages.
        looked_in: The folders in which sources were searched, for the message.
    """
    have = "No page has"
    if number < listed:
        have = f"Only {listed - number:,} of {many(listed, 'page')} have"
    return sources_missing(
        f"{have} a source, whose history would date it (looked in: {looked_in}). Name the folder of the "
        "sources with --source, sources at other paths with --map; or set `lastmod` to none."
    )


@reported("info")
def untracked_dependency(count: str, loc: str, words: str, files: set[str]) -> str:
    """Pages take text from files that git does not track, so that they have no date.

    What the page shows may have changed with them, and no commit says when.
    Commit the files, or exclude them from dating where they say nothing about the page.
    Wrong: `.. include:: ../build/version.txt`
    Right: `lastmod_excludes: ["build/*"]`
    Source: git: ls-files,
    https://git-scm.com/docs/git-ls-files
    """
    return (
        f"{count} without lastmod: of {loc}, {words}, from which the page takes text. Commit the file, or "
        f"{_exclusion_advice(files)}"
    )


@reported("info")
def pages_undated(most: Undated, total: int, pages: int) -> str:
    """Many pages have no date, for a cause that no other finding is about.

    Engines fetch pages without a lastmod later.
    Build with -v to see the cause of each page; `sitemap-docs explain PAGE` has all about one.
    Wrong: `lastmod_excludes: ["docs/*"]`
    Right: `lastmod_excludes: ["docs/abbreviations.md"]`
    Source: sitemap-docs: the page Dates
    """
    return (
        f"{total} of {many(pages, 'page')} without lastmod: of {most.loc}, for example, "
        f"{one_line(most.cause.words)}. Build with -v to see the cause of each."
    )


@reported("info")
def one_date(file: str, dated: int, pages: int) -> str:
    """Many pages have the date of one file that all of them include.

    If it changed nothing that readers see, the dates are no news to engines, which then ignore them.
    Name the file in `lastmod_excludes`.
    Wrong: a list of abbreviations that every page includes
    Right: `lastmod_excludes: ["docs/abbreviations.md"]`
    Source: Google: build and submit a sitemap,
    https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap
    """
    return (
        f"The last change of {one_line(file)} dates {dated} of {pages} pages, which include it. Where it "
        f"says nothing about a page, {_exclusion_advice({file})}"
    )


def dates_many_pages(dated: int, listed: int) -> bool:
    """Check whether an included file dates so many of the listed pages that the build reports it."""
    return dated >= max(_PAGES, _PART * listed)


def _exclusion_advice(files: set[str]) -> str:
    """Return the advice to exclude files: ``set the option `lastmod_excludes` to ["a.md"].``."""
    value = json.dumps(sorted(files)[:_NAMED_AT_MOST])
    return f"set the option `lastmod_excludes` to {one_line(value)}."


def future(commits: Sequence[Commit]) -> Iterator[Finding]:
    """Yield a finding if there are commits with a date in the future. The message shows the latest date."""
    if commits:
        latest = max(commits, key=lambda commit: (commit.committed, commit.id))
        when = moment(latest.committed)
        day = f"{when:%Y-%m-%d}" if when else "no date"
        yield future_commit(len(commits), latest.id[:12], day)


@reported()
def future_commit(files: int, commit: str, day: str) -> str:
    """Commits are dated in the future, and date no page.

    Engines refuse a lastmod in the future, and stop to read dates of a site that has them.
    Set the clock of the machine that commits.
    Wrong: `git commit --date 2099-01-01`
    Right: `git commit`
    Source: Google: build and submit a sitemap,
    https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap
    """
    return (
        f"The last change of {many(files, 'file')} is dated in the future ({commit}, {day}) and does not "
        "count, as search engines refuse such dates. Set the clock of the machine that commits."
    )


@reported()
def ignore_revs(problem: str) -> str:
    """The list of commits to ignore has lines that are none, or cannot be read.

    The commits that it should name date pages.
    Write one full hash on each line; comments start with `#`.
    Wrong: `1a2b3c4 Reformat`
    Right: `1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d  # Reformat`
    Source: git: blame.ignoreRevsFile,
    https://git-scm.com/docs/git-blame#Documentation/git-blame.txt---ignore-revs-filefile
    """
    return f"{problem} Write one full commit hash on each line; comments start with #."


class DatingTally:
    """Counts the pages without a date for each reason, and the dated pages for each changed file.

    Call :meth:`add` for each listed page, and then :meth:`findings`.
    """

    def __init__(self) -> None:
        self._undated: dict[str, Undated] = {}  # by rule
        self._untracked_files: set[str] = set()
        self._pages_by_file: Counter[str] = Counter()  # only files that pages include

    def add(self, row: Row) -> None:
        """Count a listed page. ``row`` has the date of the page, or the reason why it has none."""
        cause = row.cause
        if cause:
            undated = self._undated.get(cause.rule) or Undated(0, row.loc, cause)
            self._undated[cause.rule] = undated._replace(number=undated.number + 1)
            self._untracked_files.update(cause.files)
        elif row.commit and row.changed != row.sources[0]:
            self._pages_by_file[row.changed] += 1

    @property
    def most_undated(self) -> Undated | None:
        """The largest group of pages that have no date for the same reason. None if all pages have a date.

        Pages without a known source file are the answer only if there is no other group.
        """
        with_source = [undated for rule, undated in self._undated.items() if rule != NO_SOURCE.rule]
        candidates = with_source or self._undated.values()
        return max(candidates, key=lambda undated: undated.number, default=None)

    def findings(
        self, before: Sequence[Finding], listed: int, root: Path, looked_in: str, environ: Mapping[str, str]
    ) -> Iterator[Finding]:
        """Yield the findings about the dates of the listed pages.

        Args:
            before: The findings that were already reported. Their rules are not reported again.
            listed: The number of listed pages.
            root: The folder in which the paths of files in messages start.
            looked_in: The folders in which sources were searched. It is ``""`` if all sources are known,
                because Sphinx or MkDocs named them.
            environ: The environment variables. They show which CI platform runs the build.
        """
        reported_rules = {finding.rule for finding in before}
        other_causes = []
        total = 0
        for rule, undated in sorted(self._undated.items()):
            about = (many(undated.number, "page"), undated.loc, one_line(undated.cause.words))
            if rule == EXCLUDED.rule:  # The user asked for this.
                continue
            total += undated.number
            if rule == CUT.rule:
                hint = platform(environ).whole_history or _ANYWHERE
                yield shallow_clone(undated.number, listed).at(hint=hint)
            elif rule == DEPENDENCY_UNTRACKED:
                untracked_files = {seen_from(root, file) for file in self._untracked_files}
                yield untracked_dependency(*about, untracked_files)
            elif rule in _BY_AUTHORS:
                yield _BY_AUTHORS[rule](*about)
            elif rule == NO_SOURCE.rule and looked_in and 2 * undated.number > listed:
                yield without_sources(undated.number, listed, looked_in)
            elif rule not in reported_rules:
                other_causes.append(undated)
        if other_causes and total >= _UNDATED * listed:
            most_frequent = max(other_causes, key=lambda undated: undated.number)
            yield pages_undated(most_frequent, total, listed)
        for file, dated in self._pages_by_file.most_common(1):
            if dates_many_pages(dated, listed):
                yield one_date(seen_from(root, file), dated, listed)
