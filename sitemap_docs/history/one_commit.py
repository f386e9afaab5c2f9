"""Report a commit that dates most pages of a site, for example one that added front matter to all of them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from sitemap_docs.files import seen_from
from sitemap_docs.history.git import IGNORED, GitTrouble, describe, open_repository
from sitemap_docs.history.shared_files import shared_file
from sitemap_docs.model import Finding, Row
from sitemap_docs.rules import reported
from sitemap_docs.surroundings import Environment
from sitemap_docs.text import one_line

#: Smaller sites may well have changed in one commit.
_LEAST_PAGES = 20

#: The longest subject in the line for the list of ignored commits.
_SUBJECT = 72


@reported("info")
def one_commit(commit: str, subject: str, dated: int, pages: int, ignore_list: str) -> str:
    """A commit dates more than half of the pages without having created them, on a site of at least 20 pages.

    If the commit only changed front matter or spaces, search engines may learn to ignore the dates.
    Add the commit to `.git-blame-ignore-revs`, so that each page gets the date of the change before.
    Wrong: a commit "Add front matter to all pages" that dates 190 of 193 pages
    Right: `1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d  # Add front matter` in `.git-blame-ignore-revs`
    Source: git: blame.ignoreRevsFile,
    https://git-scm.com/docs/git-blame#Documentation/git-blame.txt---ignore-revs-filefile
    """
    name = f'{commit[:12]} ("{subject}")' if subject else commit[:12]
    return (
        f"{dated} of {pages} pages have the date of the commit {name}. If it changed nothing that readers "
        f"see, add this line to {ignore_list}."
    )


def find_one_commit(
    rows: Sequence[Row], root: Path, named_list: str, environ: Environment
) -> Iterator[Finding]:
    """Warn if more than half of the pages have the date of the same commit.

    Pages that the commit has added do not count, because its date is right for them.

    Args:
        rows: All pages with their dates.
        root: The folder to which paths in the warning are relative.
        named_list: The file in which the user lists commits to ignore, or ``""``.
        environ: The environment variables for git.
    """
    listed = 0
    pages_by_commit: Counter[tuple[str, str]] = Counter()  # by work tree and id
    for row in rows:
        if row.entry:
            listed += 1
            if row.commit:
                pages_by_commit[row.root, row.commit] += 1
    for (work_tree, commit), number in pages_by_commit.most_common(1):
        if listed < _LEAST_PAGES or 2 * number <= listed:
            return
        with_commit = [row for row in rows if row.entry and (row.root, row.commit) == (work_tree, commit)]
        try:
            repository = open_repository(work_tree, environ)
            changed_paths = repository.changed_paths(commit)
        except GitTrouble:  # For example, a shallow clone lacks the commit, and its date is from the cache.
            return
        # For pages that the commit has added, the date is right.
        dated = _count_changed_pages(with_commit, work_tree, changed_paths, listed)
        if 2 * dated <= listed:
            return
        _, subject = describe(work_tree, commit, environ)
        subject = one_line(subject)[:_SUBJECT]
        ignore_list = seen_from(root, named_list or Path(work_tree, IGNORED))
        line = f"  {commit}  # {subject}" if subject else f"  {commit}"
        yield one_commit(commit, subject, dated, listed, one_line(ignore_list)).at(hint=line)


def _count_changed_pages(
    rows: Sequence[Row], work_tree: str, changed_paths: frozenset[bytes], listed: int
) -> int:
    """Count the pages whose date comes from a file that a commit changed, not added.

    Pages are not counted if many of them include the changed file, such as a footer.

    Args:
        rows: The pages with the date of the commit, with the decisions about them.
        work_tree: The folder of the git repository.
        changed_paths: The files in ``work_tree`` that the commit changed.
        listed: The number of pages in the sitemap.
    """
    dated = 0
    pages_by_file: Counter[str] = Counter()  # only files that pages include
    for row in rows:
        path = row.changed[len(work_tree) :].removeprefix(os.sep).replace(os.sep, "/")
        if os.fsencode(path) not in changed_paths:
            continue
        dated += 1
        if row.changed != row.sources[0]:
            pages_by_file[row.changed] += 1
    # The finding one-date reports pages with the date of a common included file, such as a footer.
    for number in pages_by_file.values():
        if shared_file(number, listed).is_reported:
            dated -= number
    return dated
