"""The registry: a rule is a generator function; its name, docstring and arguments describe it."""

from __future__ import annotations

import inspect
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib.metadata import entry_points
from typing import NamedTuple, TypeVar, get_args

from sitemap_docs.model import Rule, Severity, SitemapError

GROUP = "sitemap_docs.rules"
"""The entry points of installed packages that register rules of their own: modules, which are imported."""

SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""From the worst to the least severe."""


class Location(NamedTuple):
    """Where a finding is: a URL or a file's name, the file of the site, a line in it, the page's source."""

    where: str
    file: str = ""
    line: int = 0
    source: str = ""


Findings = Iterator[tuple[Location, str]]
Function = TypeVar("Function", bound=Callable[..., Findings])


RULES: dict[str, Rule] = {}
"""The rules for built folders; importing ``sitemap_docs.audit`` fills it."""

LIVE: dict[str, Rule] = {}
"""The rules for deployed sites; importing ``sitemap_docs.audit`` fills it."""

ALL: Mapping[str, Rule] = ChainMap(RULES, LIVE)

FORMER: Mapping[str, str] = {
    "canonical-to-redirect": "canonical-chain",
    "canonical-to-other-language": "",
    "duplicate-title": "",
    "error-page-listed": "utility-page-listed",
    "hreflang-self-missing": "hreflang-return-link-missing",
    "hreflang-target-noindex": "hreflang-target-not-canonical",
    "hreflang-target-redirect": "hreflang-target-not-canonical",
    "image-missing-file": "target-missing",
    "live-sitemap-broken": "xml-not-wellformed",
    "live-unreachable": "live-status",
    "llms-coverage": "",
    "llms-link-left-out": "",
    "loc-duplicate-after-normalising": "loc-duplicate",
    "loc-placeholder-host": "base-url-unlikely",
    "meta-refresh-listed": "redirect-source-listed",
    "orphan-page": "",
    "redirect-loop": "redirect-target-missing",
    "robots-noindex-directive": "robots-unknown-directive",
    "static-file-not-listed": "",
    "translation-not-listed": "",
}
"""Names that rules had → the rule that reports the same now; ``""``: none does. All are valid settings."""


def current_name(name: str) -> str | None:
    """The rule that has a name or, if it is a former one, its rule now; None where no rule ever had it."""
    return name if name in ALL else FORMER.get(name)


def former_names(rule: str) -> list[str]:
    """The names of rules that a rule has replaced."""
    return [name for name, now in FORMER.items() if now == rule]


@lru_cache
def other_names(rule: str) -> frozenset[str]:
    """What else may name a rule of the audit in settings: its group, and the rules that it has replaced."""
    return frozenset((ALL[rule].group, *former_names(rule)))


def rule(
    severity: Severity, registry: dict[str, Rule] | None = None, *, once: bool = False
) -> Callable[[Function], Function]:
    """Registers a generator function as a rule, under its name with hyphens.

    Its first argument names what it is called for: ``sitemap`` (each file), ``entry`` (each of all files),
    ``url`` (each of the urlsets), ``links`` (each set of alternates), ``page`` (each HTML file), ``robots``
    (the host's robots.txt), ``llms`` (llms.txt) or ``site``; of a deployed site ``answer`` (each page's) or
    ``deployed``. ``site`` may follow. ``body`` marks it as a rule that reads whole pages.
    Keyword-only arguments are its settings. It yields locations and messages. With ``once``, what it finds in
    a site is one finding, with the number and the first place.
    """

    def register(function: Function) -> Function:
        name = function.__name__.replace("_", "-")
        if name in ALL and ALL[name].function.__module__ != function.__module__:
            raise ValueError(f"{ALL[name].function.__module__} has a rule {name!r} already: use another name")
        takes = []
        settings = {}
        for each in inspect.signature(function).parameters.values():
            if each.kind is each.KEYWORD_ONLY:
                settings[each.name.replace("_", "-")] = each.default
            else:
                takes.append(each.name)
        (RULES if registry is None else registry)[name] = Rule(
            id=name,
            group=function.__module__.rpartition(".")[2],
            severity=severity,
            function=function,
            takes=tuple(takes),
            settings=settings,
            once=once,
        )
        return function

    return register


_IMPORT_ERRORS = (
    *(ArithmeticError, AttributeError, ImportError, LookupError, NameError),
    *(OSError, RuntimeError, SyntaxError, TypeError, ValueError),
)


@lru_cache(maxsize=1)
def load_rules() -> None:
    """Registers the rules of installed packages, once; SitemapError for one that cannot be imported."""
    for point in entry_points(group=GROUP):
        try:
            point.load()
        except _IMPORT_ERRORS as error:
            package = point.dist.name if point.dist else point.value
            raise SitemapError(
                f"The rules {point.name!r} of the package {package} cannot be loaded from {point.value}: "
                f"{type(error).__name__}: {error}. Update or uninstall the package."
            ) from error


_NO_FILES = {("robots",), ("sitemap",), ("entry",), ("url",)}


def deployed_rules() -> Mapping[str, Rule]:
    """The rules of a deployed site: its own, and those of robots.txt and sitemaps that need no files.

    Those of installed packages are among them. Raises SitemapError.
    """
    load_rules()
    shared = {name: each for name, each in RULES.items() if each.takes in _NO_FILES}
    return {**LIVE, **shared}
