"""The option ``ignore``: findings that a project does not want to see, on all pages or on some."""

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
    """Check whether the option ``ignore`` hides a warning.

    Args:
        rule: The name of the warning, such as ``untracked-source``.
        ignored: The value of the option.
        names: The names of the page in the warning, such as its path.
        others: Other names for the warning, such as a former name.
    """
    for name, places in ignored:
        is_meant = name in others or fnmatchcase(rule, name)
        if is_meant and (not places.patterns or places.includes(names)):
            return True
    return False


def without_ignored(findings: Iterable[Finding], ignored: Ignored, base: str = "") -> Iterator[Finding]:
    """Yield the warnings that the option ``ignore`` does not hide.

    Globs in the option, such as ``drafts/*``, may be relative to ``base``, the base URL of the site.
    """
    for finding in findings:
        if finding.rule in ALWAYS or not is_ignored(finding.rule, ignored, finding.places(base)):
            yield finding


@reported(strict=True)
def ignore_unused(name: str) -> str:
    """The option `ignore` contains a finding that cannot be ignored.

    The site may lose pages or all dates, so the finding is still reported.
    Do what the finding says, and remove it from the option.
    Wrong: `ignore: [shallow-clone]`
    Right: `git fetch --unshallow --filter=blob:none` before the build
    Source: sitemap-docs: the page Options
    """
    return (
        f"{name} cannot be ignored, because the site may lose pages or all dates. Remove it from the option "
        "`ignore`."
    )
