"""Globs of the options that match nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemap_docs.config.patterns import globs as compiled_globs
from sitemap_docs.model import Finding
from sitemap_docs.text import many

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sitemap_docs.config.options import Options

_SHOWN = 10


class UnmatchedGlobs:
    """The globs, each with its option, that none of the names given to :meth:`compare` has matched.

    ``noun`` is what the names belong to: a page, or a source file.
    """

    def __init__(self, globs: Iterable[tuple[str, str]], noun: str = "page") -> None:
        self._globs = tuple(dict.fromkeys(globs))
        self._matcher = compiled_globs(glob.removeprefix("!") for _, glob in self._globs)
        self._left = set(range(len(self._globs)))
        self._noun = noun
        self._compared = False

    def compare(self, names: Sequence[str]) -> None:
        """Takes the names of one page or file."""
        self._compared = True
        if self._left:
            self._left.difference_update(list(self._matcher.all(names, self._left)))

    def findings(self) -> list[Finding]:
        """One for all globs that are left, of severity info: several versions often share their options.

        Without any name to compare with, nothing is reported.
        """
        if not self._compared or not self._left:
            return []
        left = [self._globs[number] for number in sorted(self._left)]
        shown = ", ".join(f"{glob!r} of the option `{option}`" for option, glob in left[:_SHOWN])
        if left[_SHOWN:]:
            shown += f" and {many(len(left) - _SHOWN, 'other pattern')}"
        message = f"No {self._noun} matches {shown}. Correct it, or remove what no other build needs."
        return [Finding(rule="unmatched-pattern", severity="info", message=message)]


def page_globs(options: Options) -> list[tuple[str, str]]:
    """The options that hold globs of pages, each with one of them."""
    found = [("excludes", glob) for glob in options.excludes.patterns]
    for _, globs in options.groups:
        found += [("groups", glob) for glob in globs.patterns]
    found += [("changefreq", glob) for glob, _ in options.changefreq.values]
    found += [("priority", glob) for glob, _ in options.priority.values]
    return found
