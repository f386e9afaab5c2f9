"""All rules by name: read where a name is looked up, and for the manual; by no plain build."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from pathlib import Path

from sitemap_docs.audit.registry import ALL, FORMER, Settings, load_rules, no_rule, other_names, unknown_rule
from sitemap_docs.audit.run import Audited, has_read
from sitemap_docs.config.ignored import ALWAYS, ignore_unused, is_ignored
from sitemap_docs.config.patterns import Globs
from sitemap_docs.model import DECLARED, Finding, Rule, reported


def all_rules() -> dict[str, list[Rule]]:
    """The rules of the audit, of builds, joins and front doors by name; of several, the audit's is first.

    Raises SitemapError.
    """
    load_rules()
    _declare_all()
    rules = {name: [rule] for name, rule in ALL.items()}
    for rule in DECLARED:
        rules.setdefault(rule.id, []).append(rule)
    return rules


@cache
def _declare_all() -> None:
    """Imports the modules that declare rules; of one whose host is not installed, only declares its rules."""
    package = Path(__file__).parent
    for file in sorted(package.rglob("*.py")):
        text = file.read_text("utf-8")
        if "\n@reported(" not in text:
            continue
        module = ".".join((package.name, *file.relative_to(package).with_suffix("").parts))
        try:
            import_module(module)
        except ModuleNotFoundError:
            tree = ast.parse(text)
            tree.body = [each for each in tree.body if ast.unparse(each).startswith("@reported(")]
            code = compile(tree, str(file), "exec", annotations.compiler_flag)  # which name types of the host
            exec(code, {"__name__": module, "reported": reported})  # noqa: S102  our own file


def about_ignored(names: Iterable[str]) -> Iterator[Finding]:
    """Yields what is wrong with names in the option ``ignore``. Raises SitemapError."""
    rules = all_rules()
    known = {*rules, *FORMER, *(rule.group for rule in ALL.values())}
    for name in dict.fromkeys(names):
        if name in ALWAYS:
            yield ignore_unused(name)
        elif not any(fnmatchcase(each, name) for each in known):
            yield unknown_rule(f"The option `ignore`: {no_rule(name, rules)} Correct or remove it.")


def unmatched(audited: Audited, settings: Settings) -> Iterator[str]:
    """Yields a line for each place that is ignored and where no rule found anything.

    Only for names of which each rule ran and saw all that it is about. Raises SitemapError.
    """
    site = audited.site
    rules = all_rules()
    ignored = [(name, pattern) for name, places in settings.ignored for pattern in places.patterns]
    for page in site.pages:
        ignored += [(name, page.place.where) for name in page.row.ignore]
    for name, pattern in dict.fromkeys(ignored):
        named = []
        for known, of_name in rules.items():
            if fnmatchcase(known, name) or (known in ALL and name in other_names(known)):
                named += of_name
        all_ran = all(ALL.get(each.id) is each and each.id in settings.rules for each in named)
        one = ((name, Globs((pattern.removeprefix("!"),))),)
        is_used = any(
            is_ignored(each.rule, one, each.places(site.base.url), other_names(each.rule))
            for each in audited.found
        )
        if named and all_ran and not is_used and all(has_read(site, each) for each in named):
            yield f"{name} is ignored at {pattern}, where nothing is found"


def of_audit(ignored: Iterable[str]) -> list[str]:
    """Returns what names whole rules of the audit among values of ``ignore``. Raises SitemapError."""
    names = [each for each in ignored if "=" not in each]
    of_builds = all_rules().keys() - ALL.keys() if names else set()
    return [name for name in names if name not in of_builds]
