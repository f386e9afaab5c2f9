"""The option ``ignore``: findings that a project does not want to see, at all places or at some."""

from collections.abc import Collection, Iterable, Iterator
from fnmatch import fnmatchcase

from sitemap_docs.config.patterns import Globs
from sitemap_docs.model import Finding
from sitemap_docs.rules import reported

Ignored = tuple[tuple[str, Globs], ...]
"""The value of the option: names of rules such as ``canonical-*``, each with globs of pages or files.

If a name has no globs, its findings are ignored in the whole site.
"""

#: Findings that cannot be ignored, because the site would lose pages or all dates.
ALWAYS = frozenset({"dates-lost", "empty-sitemap", "own-sitemap", "no-repository", "shallow-clone"})


def is_ignored(rule: str, ignored: Ignored, names: Iterable[str], others: Collection[str] = ()) -> bool:
    """Check whether the findings of a rule are ignored at one place.

    Args:
        rule: The name of the rule.
        ignored: The value of the option.
        names: The names of the place: address, path, built file and source.
        others: Other names of the rule: its group, and its former names.
    """
    for name, places in ignored:
        is_meant = name in others or fnmatchcase(rule, name)
        if is_meant and (not places.patterns or places.includes(names)):
            return True
    return False


def without_ignored(findings: Iterable[Finding], ignored: Ignored, base: str = "") -> Iterator[Finding]:
    """Yield the findings that the project wants to see, and those that it cannot ignore.

    Globs may match a page by its path below ``base``, the base URL of the site.
    """
    for finding in findings:
        if finding.rule in ALWAYS or not is_ignored(finding.rule, ignored, finding.places(base)):
            yield finding


@reported(strict=True)
def ignore_unused(name: str) -> str:
    """The option `ignore` names a finding that cannot be ignored: the site may lose pages or all dates.

    It is reported all the same.
    Do what the message says; in `check`, its table has an `ignore` of its own.
    Wrong: `ignore: [shallow-clone]`
    Right: `git fetch --unshallow --filter=blob:none` before the build
    Source: sitemap-docs: the page Options
    """
    return (
        f"The option `ignore` names {name}, which is reported all the same, because the site may lose pages "
        "or all dates. Remove it from the option."
    )
