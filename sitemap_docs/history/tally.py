"""What dates the pages of one build, counted: what keeps dates away, and what dates many pages at once."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sitemap_docs.history import diagnostics
from sitemap_docs.history.lastmod import count_renamed, describe
from sitemap_docs.history.repository import GitTrouble
from sitemap_docs.paths import seen_from

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sitemap_docs.history.lastmod import Dates, Stamp
    from sitemap_docs.model import Finding

#: One change that dates so large a part of so many pages is reported.
_PART = 0.4
_PAGES = 10


class DatingTally:
    """The counts of one build, from its pages with known sources."""

    def __init__(self, dates: Dates) -> None:
        self._dates = dates
        self._cut = 0
        self._untracked: set[Path] = set()
        self._with_untracked = 0
        self._files: Counter[Path] = Counter()
        self._commits: Counter[tuple[Path, str]] = Counter()
        self._stamps: dict[str, Stamp] = {}

    def add(self, sources: Sequence[Path], stamp: Stamp | None) -> None:
        """Takes the sources of a listed page and what dates it, if anything does."""
        if stamp:
            self._commits[stamp.root, stamp.commit] += 1
            self._stamps.setdefault(stamp.commit, stamp)
            if stamp.file != sources[0]:
                self._files[stamp.file] += 1
        elif untracked := self._dates.untracked(sources):
            self._untracked.update(untracked)
            self._with_untracked += 1
        elif self._dates.are_cut(sources):
            self._cut += 1

    def findings(self, listed: int, root: Path, environ: Mapping[str, str]) -> list[Finding]:
        """The findings about dates of the pages that are listed; files are named as seen from ``root``."""
        found = []
        if self._cut:
            found.append(diagnostics.shallow(self._cut, listed, environ))
        if self._untracked:
            names = {seen_from(root, file) for file in self._untracked}
            found.append(diagnostics.untracked_files(names, self._with_untracked))
        enough = max(_PAGES, _PART * listed)
        for file, dated in self._files.most_common(1):
            if dated >= enough:
                return [*found, diagnostics.one_file(seen_from(root, file), dated, listed)]
        for (_, commit), dated in self._commits.most_common(1):
            if dated >= enough:
                found += _one_commit(self._stamps[commit], dated, listed, environ)
        return found


def _one_commit(stamp: Stamp, dated: int, listed: int, environ: Mapping[str, str]) -> list[Finding]:
    """That one commit dates many pages; nothing where it brought them."""
    try:
        renamed, changed = count_renamed(stamp.root, stamp.commit, environ)
        commit = describe(stamp, environ)
    except GitTrouble:
        return []
    if max(renamed, changed) * 2 < dated:
        return []
    return [diagnostics.one_commit(commit, renamed=renamed > changed, dated=dated, pages=listed)]
