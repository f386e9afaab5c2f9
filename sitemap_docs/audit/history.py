"""Dates from git, for the rules about dates."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timezone
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_docs.config.dates import read_date
from sitemap_docs.config.frontmatter import repository
from sitemap_docs.files import seen_from
from sitemap_docs.history.git import GitTrouble
from sitemap_docs.history.lastmod import Dates, Stamp
from sitemap_docs.history.repository import Repository, open_repository

if TYPE_CHECKING:
    from sitemap_docs.config.options import Meaning
    from sitemap_docs.model import Page
    from sitemap_docs.output.record import PageRecord

BATCH = 500


@dataclass(frozen=True, kw_only=True)
class History:
    """From git: the commit that dates each file of the site, and the wrong dates of a shallow clone.

    ``heads`` are the dates of the last commits of the repositories.
    """

    stamps: Mapping[str, Stamp] = field(default_factory=dict)
    heads: frozenset[datetime] = frozenset()
    boundary: frozenset[datetime] = frozenset()
    meaning: Meaning = "commit"

    def author_date(self, file: str) -> datetime | None:
        """The author date of the commit that dates a file of the site by its committer date."""
        stamp = self.stamps.get(file)
        if stamp is None or self.meaning == "author":
            return None
        try:
            return datetime.fromtimestamp(stamp.authored, timezone.utc)
        except (OSError, OverflowError, ValueError):  # that of a damaged commit
            return None

    @cached_property
    def dates(self) -> Mapping[str, datetime]:
        """When each file of the site changed, in UTC."""
        return {file: stamp.when for file, stamp in self.stamps.items()}

    @cached_property
    def newest(self) -> datetime:
        return max((*self.dates.values(), *self.heads))


def read_history(
    pages: Iterable[Page], root: Path, dates: Dates, meaning: Meaning, environ: Mapping[str, str]
) -> History:
    """The dates of the pages of the site in ``root``, and of the ends of their sources' repositories."""
    stamps: dict[str, Stamp] = {}
    folders: set[Path] = set()
    for page in pages:
        stamp = dates.of(page.sources)
        if stamp:
            stamps[seen_from(root, page.file)] = stamp
        folders.update(Path(source).parent for source in page.sources)

    heads: set[datetime] = set()
    boundary: set[datetime] = set()
    # Git trouble is no finding: without these dates, fewer rules find something.
    for top in {repository(folder) for folder in folders}:
        if top is None:
            continue
        with suppress(GitTrouble):
            found = open_repository(str(top), environ)
            heads.update(_dates(found, [found.head]))
            boundary.update(_dates(found, sorted(found.boundary)))
    return History(stamps=stamps, heads=frozenset(heads), boundary=frozenset(boundary), meaning=meaning)


def _dates(found: Repository, commits: Sequence[str]) -> Iterator[datetime]:
    """The committer and author dates of commits; read in batches that fit on a command line."""
    for start in range(0, len(commits), BATCH):
        how = ("log", "--no-walk", "--no-show-signature", "--no-color", "--format=%ct %at")
        for seconds in found.git.output(*how, *commits[start : start + BATCH], "--").split():
            yield datetime.fromtimestamp(int(seconds), timezone.utc)


def recorded_stamp(known: PageRecord, root_of: Callable[[str], Path | None]) -> Stamp | None:
    """The commit that dated a page in the last build; None where none did.

    ``root_of`` finds the repository that a folder is in.
    """
    date = read_date(known.lastmod)
    if date is None or not known.commit:
        return None
    root = root_of(known.changed.rpartition(os.sep)[0])
    if root is None:
        return None
    return Stamp(date.first, known.commit, seen_from(root, known.changed), str(root))
