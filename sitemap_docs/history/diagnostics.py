"""Why files have no date: one finding per cause, with the lines that put it right."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from sitemap_docs.config.dates import moment
from sitemap_docs.history.git_program import TIMEOUT, GitTrouble
from sitemap_docs.history.repository import IGNORED, Commit, CommitInfo
from sitemap_docs.model import Finding
from sitemap_docs.text import many, one_line
from sitemap_docs.urls.hosts import platform

_ANYWHERE = """Before the build, run:
  git fetch --unshallow"""

# Why files have no date, and what to do.
_TROUBLES = {
    "git-missing": "git is not installed, or not on the PATH, so {lacking}. "
    "Install it where the site is built.",
    "no-repository": "The sources are not in a git repository, so {lacking}. "
    "Build from a clone, with its .git folder.",
    "no-commit": "The repository has no commit yet, so {lacking}. Commit the files.",
    "unsafe-repository": "git does not read a repository that belongs to another user, so {lacking}. "
    "Run these commands.",
    "treeless-clone": "The clone lacks the folders of its history (--filter=tree:0), so {lacking}. "
    "Clone with --filter=blob:none, which is as fast.",
    "git-timeout": f"`{{words}}` did not end within {TIMEOUT / 60:.0f} minutes and was stopped, so "
    "{lacking}. Run it there to see what it waits for.",
    "git-failed": "git cannot read the history, so {lacking}. "
    "It reports {words!r}. Run `git fsck` there, or clone again.",
}


class Cause(NamedTuple):
    """Why a page has no date: the rule of a finding about pages like it, and a few words about this one."""

    rule: str
    words: str

    @classmethod
    def of(cls, trouble: GitTrouble) -> Cause:
        text, _, _ = _TROUBLES[trouble.rule].partition(", so {lacking}")
        return cls(trouble.rule, text[0].lower() + text[1:].format(words=trouble.words))

    @property
    def is_of_git(self) -> bool:
        """Whether git is missing there, or does not have the whole history."""
        return self.rule in _TROUBLES or self == CUT


CUT = Cause("shallow-clone", "the history is cut off by a shallow clone; fetch it whole")
NO_SOURCE = Cause(
    "no-source", "no source file is known: the page is generated, or its source is at another path"
)
SWITCHED_OFF = Cause("lastmod", "dates are switched off (`lastmod: none`)")
EXCLUDED = Cause("lastmod-excludes", "`lastmod_excludes` takes out its sources")

SOURCES_MISSING, SOURCES_UNTRACKED = "sources-missing", "untracked-source"
"""The rules of what keeps dates away where most pages have no source, or none that git tracks."""
_SHOWN = 5
#: Why pages have no date that their authors can give them, and how.
_UNDATED = {
    "computed-include": "{count} without lastmod, as only the build knows what they include: of {loc}, "
    "{words}. Name the files with `sitemap: {{sources: [...]}}` in the front matter; a name that is computed "
    "can also be written as it is.",
    "griffe-missing": "{count} without lastmod: of {loc}, {words}. Install griffe; or name the files with "
    "`sitemap: {{sources: [...]}}` in the front matter.",
    SOURCES_UNTRACKED: "{count} without lastmod, as git does not track the source: of {loc}, {words}. "
    "Commit the sources; or name the tracked files that they are made from with "
    "`sitemap: {{sources: [...]}}` in their front matter.",
}


def troubles(by_root: Mapping[str, GitTrouble]) -> Iterator[Finding]:
    """A finding for each kind of trouble, with the repositories that have it; ``""`` stands for none."""
    by_rule = defaultdict(list)
    for root, trouble in by_root.items():
        by_rule[trouble.rule].append(root)
    for rule, roots in sorted(by_rule.items()):
        lacking = f"the files in {', '.join(roots)} have no lastmod"
        if roots == [""]:
            lacking = "no page has a lastmod"
        words = by_root[roots[0]].words
        message = _TROUBLES[rule].format(lacking=lacking, words=words)
        commands = []
        if rule == "unsafe-repository":
            commands = [f'  git config --global --add safe.directory "{one_line(root)}"' for root in roots]
        yield Finding(rule=rule, message=message, hint="\n".join(commands))


class Undated(NamedTuple):
    """How many listed pages have no date for causes of one rule; the first of them, by its address."""

    number: int
    loc: str
    cause: Cause


def shallow(cut: int, pages: int, environ: Mapping[str, str]) -> Finding:
    """How many pages a shallow clone leaves without a date; the lines for the platform that we run on."""
    lines = platform(environ).whole_history or _ANYWHERE
    message = (
        f"The clone is shallow: it lacks the last change of {cut} of {pages} pages, which have no lastmod. "
        "Fetch the whole history."
    )
    return Finding(rule="shallow-clone", message=message, hint=lines)


def sources_missing(number: int, listed: int, looked_in: str) -> Finding:
    """That most of the listed pages have no source in the folders that were looked in."""
    have = "No page has"
    if number < listed:
        have = f"Only {listed - number:,} of {many(listed, 'page')} have"
    message = (
        f"{have} a source, whose history would date it (looked in: {looked_in}). Name the folder of the "
        "sources with --source, sources at other paths with --map; or set `lastmod` to none."
    )
    return Finding(rule=SOURCES_MISSING, message=message)


def untracked_files(files: Collection[str], pages: int) -> Finding:
    """How many pages have no date, because they are made of files that git does not track."""
    shown = ", ".join(sorted(files)[:_SHOWN])
    if len(files) > _SHOWN:
        shown += f" and {len(files) - _SHOWN} more"
    these = "the file" if len(files) == 1 else "the files"
    message = (
        f"{many(pages, 'page')} without lastmod: git does not track {one_line(shown)}, so that no "
        f"commit dates what the pages take from there. Commit {these}, or {_take_out(files)}"
    )
    return Finding(rule="untracked-dependency", severity="info", message=message)


def without_date(undated: Undated) -> Iterator[Finding]:
    """How many pages have no date for a cause that their authors can remove; nothing for other causes."""
    rule, words = undated.cause
    if rule in _UNDATED:
        count, words = many(undated.number, "page"), one_line(words)
        message = _UNDATED[rule].format(count=count, loc=undated.loc, words=words)
        yield Finding(rule=rule, severity="info", message=message)


def many_undated(undated: Undated, total: int, pages: int) -> Finding:
    """That many pages have no date; ``undated`` are most of those that no other finding is about."""
    message = (
        f"{total} of {pages} pages have no lastmod. Of {undated.number} of them, such as {undated.loc}, "
        f"{one_line(undated.cause.words)}. Build with -v to see the cause of each."
    )
    return Finding(rule="pages-undated", severity="info", message=message)


def one_file(file: str, dated: int, pages: int) -> Finding:
    """That many pages have the date of one file that they include."""
    message = (
        f"The last change of {one_line(file)} dates {dated} of {pages} pages, which include it. "
        f"Where it says nothing about a page, {_take_out([file])}"
    )
    return Finding(rule="one-date", severity="info", message=message)


def one_commit(commit: CommitInfo, *, renamed: bool, dated: int, pages: int) -> Finding:
    """That many pages have the date of one commit, which renamed or changed them all at once."""
    name = f"The commit {commit.commit[:12]} ({one_line(commit.subject)})"
    if renamed:
        message = (
            f"{name} moved files and dates {dated} of {pages} pages. "
            "To ignore such commits, set the option `lastmod_ignore_renames` to true."
        )
    else:
        message = (
            f"{name} dates {dated} of {pages} pages. Where it changed nothing that readers see, write "
            f"{commit.commit} into {IGNORED}."
        )
    return Finding(rule="one-date", severity="info", message=message)


def _take_out(files: Collection[str]) -> str:
    """The end of a sentence: the option for files that date no page."""
    return f"set the option `lastmod_excludes` to {one_line(json.dumps(sorted(files)[:_SHOWN]))}."


def future(commits: Sequence[Commit]) -> Iterator[Finding]:
    """How many files commits of the future changed, each the last of one file, and the latest of them."""
    if not commits:
        return
    commit = max(commits, key=lambda each: (each.committed, each.id))
    when = moment(commit.committed)
    day = f"{when:%Y-%m-%d}" if when else "no date"
    message = (
        f"The last change of {many(len(commits), 'file')} is dated in the future ({commit.id[:12]}, {day}) "
        "and does not count, as search engines refuse such dates. Set the clock of the machine that commits."
    )
    yield Finding(rule="future-commit", message=message)


def ignore_revs(file: str, problem: str) -> Finding:
    """What is wrong with the list of commits to ignore."""
    message = f"{problem} Write one full commit hash on each line; comments start with #."
    return Finding(rule="ignore-revs", message=message, where=one_line(file))
