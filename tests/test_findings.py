"""Every finding has a rule: a name that can be looked up, with a severity and prose."""

import ast
import re
import subprocess
import sys
from collections import Counter, defaultdict
from importlib.util import find_spec
from pathlib import Path

import pytest

from sitemap_docs import findings
from sitemap_docs.audit.registry import ALL
from sitemap_docs.model import DECLARED

pytestmark = pytest.mark.once

PACKAGE = Path(findings.__file__).parent
PAGES = PACKAGE.parent / "example_docs" / "pages"
GOLDEN = Path(__file__).parent / "golden" / "findings.txt"
RULES = findings.all_rules()
PARTS = ("Wrong: ", "Right: ", "Source: ")


def test_findings_are_made_by_their_rules_alone():
    """And every module that declares a rule is found."""
    calls = defaultdict(Counter)
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                calls[node.func.id][file.stem] += 1
    assert sum(calls["reported"].values()) == len(DECLARED)
    assert calls["Finding"] == {"model": 1, "run": 1}


def test_names_severities_and_strictness(request):
    """Of all findings, in each place that makes them: a difference moves what a build does."""
    lines = []
    for name, rules in sorted(RULES.items()):
        for rule in rules:
            place = rule.function.__module__.removeprefix("sitemap_docs.")
            lines.append(f"{name} {rule.severity}{' strict' * rule.strict} {place}\n")
    for file in sorted(PACKAGE.rglob("*.py")):  # and where one is made with another severity
        found = re.findall(r"replace\((\w+)\(.*, severity=(.*?)\)", file.read_text(encoding="utf-8"))
        lines += [f"{name.replace('_', '-')} {severity} {file.stem}\n" for name, severity in found]
    text = "".join(lines)
    if request.config.getoption("--update"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


FORM = """must have a docstring of the form

    What is wrong, in one sentence.

    What follows from it, in one line.
    What to do, in one line.
    Source: Who says so: where,
    https://docs.example.org/the/page

and that of a build's finding two lines before its source: Wrong: what is found, and Right: what is not.
"""


def test_prose():
    titles = [page.read_text(encoding="utf-8").partition("\n")[0] for page in PAGES.glob("*.md")]
    for rule in [*ALL.values(), *(each for each in DECLARED if each.id not in ALL)]:
        place = f"{rule.function.__name__}() in {rule.function.__module__}"
        what, blank, why, advice, *rest = [*rule.documentation.splitlines(), "", "", "", ""]
        assert (what[-1:], blank, why[-1:], advice[-1:]) == (".", "", ".", "."), f"{place} {FORM}"
        parts = ["Source: "] if rule.id in ALL else PARTS
        missing = [part for part, line in zip(parts, rest, strict=False) if not line.startswith(part)]
        assert missing == [], f"{place} {FORM}"
        name, url = rule.source
        assert url.startswith("https://") or f"# {name.removeprefix('sitemap-docs: the page ')}" in titles, (
            place
        )


def test_what_a_build_and_check_report_is_explained_once():
    both = [each for each in DECLARED if each.id in ALL]
    assert {each.id: each.documentation.count("\n") for each in both if "\n" in each.documentation} == {}


def test_nothing_loads_a_rule_that_it_does_not_make():
    """Neither a build of a host nor a command that writes."""
    doors = ["cli.main", "cli.build", "cli.join"]
    doors += ["mkdocs.plugin"] * bool(find_spec("mkdocs")) + ["sphinx.events"] * bool(find_spec("sphinx"))
    code = f"import sys, {', '.join(f'sitemap_docs.{door}' for door in doors)}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {"sitemap_docs.findings", "sitemap_docs.audit.registry", "sitemap_docs.audit"}


def test_rules_of_hosts_that_are_not_installed():
    code = """import sys; sys.modules |= {"sphinx": None, "mkdocs": None}  # cannot be imported
from sitemap_docs.findings import all_rules
for name, rules in sorted(all_rules().items()):
    for rule in rules:
        print(name, rule.severity, rule.group, rule.strict, repr(rule.documentation))"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    expected = [
        f"{name} {rule.severity} {rule.group} {rule.strict} {rule.documentation!r}"
        for name, rules in sorted(RULES.items())
        for rule in rules
    ]
    assert sorted(done.stdout.splitlines()) == sorted(expected)
