"""Declare the rules of the audit, and look up all rules by name.

The decorator ``rule`` declares a rule of the audit. Our own rules are in ``audit/rules``. Installed packages
may have modules with more rules.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import NamedTuple, TypeVar

from sitemap_docs.config.option_types import choice
from sitemap_docs.model import Rule, Severity, SitemapError
from sitemap_docs.rules import AUDIT_MODULES, build_rules, import_modules, rule_name
from sitemap_docs.text import shown

#: The group of entry points with which installed packages name their modules with rules.
GROUP = "sitemap_docs.rules"


class Location(NamedTuple):
    """The place of a problem that a rule has found.

    Attributes:
        where: The URL of a page, or the name of a file.
        file: The built file, such as ``guide/index.html``.
        line: The line in the built file, or 0.
        source: The source file, such as ``docs/guide.md``.
    """

    where: str
    file: str = ""
    line: int = 0
    source: str = ""


Findings = Iterator[tuple[Location, str]]
Function = TypeVar("Function", bound=Callable[..., Findings])

#: All rules that have been declared so far. :func:`audit_rules` imports the modules with rules first.
DECLARED: dict[str, Rule] = {}

#: Subjects of rules that check a deployed site.
_OF_DEPLOYED_SITES = ("answer", "deployed")

#: The arguments of rules that need no files, so that they also check a deployed site.
_NO_FILES = {("robots",), ("sitemap",), ("entry",), ("url",)}


def rule(
    severity: Severity, *, once: bool = False, by_default: bool = True
) -> Callable[[Function], Function]:
    """Return a decorator that turns a function into a rule of the audit.

    The function yields pairs: the place of a problem, and a message. The name of the function becomes the
    name of the rule, with hyphens. Its docstring becomes the documentation, and its keyword-only arguments
    become the settings.

    The name of the first argument says what the function checks:

    - ``page``: each HTML file
    - ``sitemap``: each sitemap file
    - ``entry``: each entry of a sitemap or an index
    - ``url``: each page in a sitemap
    - ``links``: the links from each page to its translations
    - ``robots``: the robots.txt of the host
    - ``llms``: llms.txt
    - ``site``: the whole site
    - ``answer``: the response for each page of a deployed site
    - ``deployed``: a whole deployed site

    The function may have two more arguments: ``site`` for the whole site, and ``body`` for the ``<body>`` of
    a page.

    Args:
        severity: The default severity.
        once: Whether to report only the first finding, with the total number of findings.
        by_default: Whether the rule runs if the user selects no rules.
    """
    try:
        choice(Severity).parse(severity)
    except ValueError as error:
        raise ValueError(f"The severity of a rule must be {error}, not {shown(severity)}.") from None

    def declare(function: Function) -> Function:
        name = rule_name(function)
        same = DECLARED.get(name)
        if same and same.function.__module__ != function.__module__:
            raise ValueError(f"{same.function.__module__} already has a rule {name!r}. Use another name.")
        takes = []
        settings = {}
        for parameter in inspect.signature(function).parameters.values():
            if parameter.kind is parameter.KEYWORD_ONLY:
                settings[parameter.name.replace("_", "-")] = parameter.default
            else:
                takes.append(parameter.name)
        DECLARED[name] = Rule(
            id=name,
            group=function.__module__.rpartition(".")[2],
            severity=severity,
            function=function,
            takes=tuple(takes),
            settings=settings,
            once=once,
            by_default=by_default,
        )
        return function

    return declare


@cache
def load_rules() -> None:
    """Import all modules with rules of the audit, also those of installed packages.

    Raises:
        SitemapError: The module of an installed package cannot be imported.
    """
    import_modules(AUDIT_MODULES)
    for point in entry_points(group=GROUP):
        try:
            point.load()
        except Exception as error:
            package = point.dist.name if point.dist else point.value
            raise SitemapError(
                f"The rules {point.name!r} of the package {package} cannot be loaded from {point.value}: "
                f"{type(error).__name__}: {error}. Update or uninstall the package."
            ) from error


def audit_rules() -> Mapping[str, Rule]:
    """Return all rules of the audit by name, also those of installed packages."""
    load_rules()
    ours: list[Rule] = []
    others: list[Rule] = []
    for declared in DECLARED.values():
        is_ours = declared.function.__module__ in AUDIT_MODULES
        (ours if is_ours else others).append(declared)
    # A program may have imported one of the modules before.
    ours.sort(key=lambda declared: AUDIT_MODULES.index(declared.function.__module__))
    return {declared.id: declared for declared in (*ours, *others)}


def folder_rules() -> Mapping[str, Rule]:
    """Return the rules that check a built folder, by name."""
    return {
        name: declared
        for name, declared in audit_rules().items()
        if declared.takes[0] not in _OF_DEPLOYED_SITES
    }


def deployed_rules() -> Mapping[str, Rule]:
    """Return the rules that check a deployed site, by name."""
    live = {}
    shared = {}
    for name, declared in audit_rules().items():
        if declared.takes[0] in _OF_DEPLOYED_SITES:
            live[name] = declared
        elif declared.takes in _NO_FILES:
            shared[name] = declared
    return {**live, **shared}


def all_rules() -> dict[str, list[Rule]]:
    """Return a list of rules for each rule name, with the rules of audits and of builds.

    If an audit and a build have a rule of the same name, the rule of audits is the first in the list.
    """
    rules = {name: [declared] for name, declared in audit_rules().items()}
    for name, declared in build_rules().items():
        rules.setdefault(name, []).append(declared)
    return rules


#: Names that rules had in earlier versions, and the rule that reports the same now. ``""`` means that no rule
#: reports the same. All of these names are still valid in settings.
FORMER: Mapping[str, str] = {
    "canonical-to-noindex": "canonical-chain",
    "canonical-to-redirect": "canonical-chain",
    "canonical-to-other-language": "",
    "configuration-not-read": "",
    "duplicate-title": "",
    "error-page-listed": "utility-page-listed",
    "hreflang-self-missing": "hreflang-return-link-missing",
    "hreflang-target-noindex": "hreflang-target-not-canonical",
    "hreflang-target-redirect": "hreflang-target-not-canonical",
    "image-missing-file": "target-missing",
    "index-child-missing": "target-missing",
    "index-child-out-of-scope": "loc-out-of-scope",
    "live-sitemap-broken": "xml-not-wellformed",
    "live-slow": "",
    "live-unreachable": "live-status",
    "llms-coverage": "",
    "loc-duplicate-after-normalising": "loc-duplicate",
    "loc-placeholder-host": "base-url-unlikely",
    "meta-refresh-listed": "redirect-source-listed",
    "old-version-indexable": "",
    "orphan-page": "",
    "redirect-loop": "redirect-target-missing",
    "robots-noindex-directive": "robots-unknown-directive",
    "static-file-not-listed": "",
    "translation-not-listed": "",
}


def current_name(name: str) -> str | None:
    """Return the current name of a rule that may have been renamed.

    Return ``""`` if the rule was removed, and None if the name is unknown.
    """
    return name if name in audit_rules() else FORMER.get(name)


@cache
def other_names(rule: str) -> frozenset[str]:
    """Return other names for a rule: its group, such as ``hreflang``, and its former names."""
    former_names = [name for name, now in FORMER.items() if now == rule]
    return frozenset((audit_rules()[rule].group, *former_names))
