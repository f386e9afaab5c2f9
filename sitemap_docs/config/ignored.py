"""The option ``ignore``: which findings are not reported, and where."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from fnmatch import fnmatchcase

from sitemap_docs.config.patterns import Globs
from sitemap_docs.model import Finding, reported

Ignored = tuple[tuple[str, Globs], ...]
"""Names of rules, or globs of them, and what the globs of places say; without these, the whole site."""

#: Without which something would be lost, or all dates: they are reported for a site whatever it ignores.
ALWAYS = frozenset({"dates-lost", "empty-sitemap", "own-sitemap", "no-repository", "shallow-clone"})


def is_ignored(rule: str, ignored: Ignored, names: Iterable[str], others: Collection[str] = ()) -> bool:
    """Whether a finding is not reported at a place that has these names.

    ``others`` are what else the rule is called: its group, and names that it had.
    """
    for name, places in ignored:
        is_meant = name in others or fnmatchcase(rule, name)
        if is_meant and (not places.patterns or places.includes(names)):
            return True
    return False


def without_ignored(findings: Iterable[Finding], ignored: Ignored, base: str = "") -> Iterator[Finding]:
    """The findings that are reported of a site, the addresses of whose pages begin with ``base``."""
    for finding in findings:
        if finding.rule in ALWAYS or not is_ignored(finding.rule, ignored, finding.places(base)):
            yield finding


@reported(strict=True)
def ignore_unused(name: str) -> str:
    """The option `ignore` names a finding without which something would be lost, or all dates.

    It is reported all the same.
    Do what the message says; in `check`, its table has an `ignore` of its own.
    Wrong: `ignore: [shallow-clone]`
    Right: `git fetch --unshallow` before the build
    Source: sitemap-docs: the page Options
    """
    return (
        f"The option `ignore` names {name}, which is reported all the same: it may cost pages or all dates."
    )
