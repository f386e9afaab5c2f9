"""Declare the rules of builds, and list all modules that declare rules.

A rule of builds is declared next to the code that finds the problem. The name of its function becomes the
name of the rule, with hyphens, and its docstring the documentation. Two decorators declare such a rule:
``reported`` if the function returns the message, and ``reported_text`` if the caller writes the message. The
decorator ``rule`` of ``audit/registry.py`` declares a rule of the audit.

A new module with rules needs a line in one of the tuples below. The modules are imported when a rule is
looked up by its name, which a plain build never does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Generic, ParamSpec

from sitemap_docs.model import Finding, Rule, Severity

_P = ParamSpec("_P")

#: Modules with rules of every build.
BUILD_MODULES = (
    "sitemap_docs.config.frontmatter",
    "sitemap_docs.config.ignored",
    "sitemap_docs.config.patterns",
    "sitemap_docs.history.diagnostics",
    "sitemap_docs.history.one_commit",
    "sitemap_docs.listing.copied_pages",
    "sitemap_docs.listing.extra_urls",
    "sitemap_docs.listing.home_page",
    "sitemap_docs.listing.host_addresses",
    "sitemap_docs.listing.no_sitemap",
    "sitemap_docs.listing.page_findings",
    "sitemap_docs.output.existing",
    "sitemap_docs.output.robots_file",
    "sitemap_docs.output.text_files",
    "sitemap_docs.output.writer",
    "sitemap_docs.publish",
    "sitemap_docs.urls.base",
    "sitemap_docs.urls.languages",
)

#: Modules with rules of the command and the Python API, which read a folder.
FOLDER_MODULES = (
    "sitemap_docs.folder.collect",
    "sitemap_docs.folder.folder_site",
    "sitemap_docs.folder.generators",
)

#: Modules with rules of the Sphinx extension. They can be imported without Sphinx.
SPHINX_MODULES = ("sitemap_docs.sphinx_rules",)

#: Modules with rules of the MkDocs plugin. They can be imported without MkDocs.
MKDOCS_MODULES = ("sitemap_docs.mkdocs_rules",)

#: Modules with rules of ``sitemap-docs join``.
JOIN_MODULES = (
    "sitemap_docs.join.index",
    "sitemap_docs.join.old_versions",
    "sitemap_docs.join.redirects",
    "sitemap_docs.version_policy",
)

#: Modules with rules of ``sitemap-docs check`` and of the option ``check``, in the order of their findings.
AUDIT_MODULES = (
    "sitemap_docs.audit.rules.canonical",
    "sitemap_docs.audit.rules.hreflang",
    "sitemap_docs.audit.rules.lastmod",
    "sitemap_docs.audit.rules.live",
    "sitemap_docs.audit.rules.llms",
    "sitemap_docs.audit.rules.loc",
    "sitemap_docs.audit.rules.pages",
    "sitemap_docs.audit.rules.robots",
    "sitemap_docs.audit.rules.sitemap",
    "sitemap_docs.audit.deployed_site",
    "sitemap_docs.audit.rule_settings",
)

MODULES = (
    *BUILD_MODULES,
    *FOLDER_MODULES,
    *SPHINX_MODULES,
    *MKDOCS_MODULES,
    *JOIN_MODULES,
    *AUDIT_MODULES,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRule(Rule, Generic[_P]):
    """A kind of problem in a build, such as ``git-missing``.

    Call the rule with the arguments of its message to create a :class:`Finding`, a problem of this kind.
    """

    message: Callable[_P, str]

    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> Finding:
        message = self.message(*args, **kwargs)
        return Finding(rule=self.id, severity=self.severity, message=message, strict=self.strict)

    def __reduce__(self) -> tuple[Callable[[str, str], object], tuple[str, str]]:
        # Processes that read pages send rules to each other by name, as Python does with functions.
        return _attribute, (self.function.__module__, self.function.__name__)


def _attribute(module: str, name: str) -> object:
    return getattr(import_module(module), name)


def reported(
    severity: Severity = "warning", *, strict: bool = False
) -> Callable[[Callable[_P, str]], BuildRule[_P]]:
    """Return a decorator for a function that returns the message about a problem of a build.

    With the decorator, the function returns a finding, which contains the message and the severity.

    Args:
        severity: The severity of the problem.
        strict: Whether the problem makes a strict build fail.
    """

    def declare(function: Callable[_P, str]) -> BuildRule[_P]:
        return _build_rule(function, function, severity, strict=strict)

    return declare


def reported_text(
    severity: Severity = "warning", *, strict: bool = False
) -> Callable[[Callable[[str], None]], BuildRule[[str]]]:
    """Return a decorator for a function that takes the message about a problem of a build.

    The decorated function returns a finding with this message.

    Args:
        severity: The severity of the problem.
        strict: Whether the problem makes a strict build fail.
    """

    def declare(function: Callable[[str], None]) -> BuildRule[[str]]:
        return _build_rule(function, str, severity, strict=strict)

    return declare


def _build_rule(
    function: Callable[_P, object], message: Callable[_P, str], severity: Severity, *, strict: bool
) -> BuildRule[_P]:
    """Create a rule from a function. The function ``git_missing`` becomes the rule ``git-missing``.

    Args:
        function: The function with the documentation of the rule.
        message: Returns the message for the user.
        severity: The severity of the problem.
        strict: Whether the problem makes a strict build fail.
    """
    return BuildRule(
        id=rule_name(function),
        group=_group(function.__module__),
        severity=severity,
        function=function,
        message=message,
        strict=strict,
    )


def rule_name(function: Callable[..., object]) -> str:
    """Return the name of a rule: ``file-kept`` for the function ``file_kept``."""
    return function.__name__.replace("_", "-")


def _group(module: str) -> str:
    """Return the group of a rule: the name of its module or subpackage, without ``_rules``.

    >>> _group("sitemap_docs.output.writer"), _group("sitemap_docs.sphinx_rules")
    ('output', 'sphinx')
    """
    return module.split(".")[1].removesuffix("_rules")


@cache
def build_rules() -> Mapping[str, BuildRule[...]]:
    """Return all problems that a build can report, with names such as ``git-missing`` as keys."""
    rules = {}
    for module in import_modules(MODULES):
        for value in vars(module).values():
            # A module may also import a rule from the module that declares it.
            if isinstance(value, BuildRule) and value.function.__module__ == module.__name__:
                rules[value.id] = value
    return rules


def import_modules(names: Iterable[str]) -> list[ModuleType]:
    """Import the modules with these names, so that the rules in them are declared."""
    return [import_module(name) for name in names]
