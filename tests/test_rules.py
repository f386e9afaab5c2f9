"""Every finding has a rule: a name that can be looked up, with a severity and prose."""

import ast
import pickle
import re
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest

import sitemap_docs
from sitemap_docs.audit.registry import all_rules, audit_rules
from sitemap_docs.listing.page_findings import Note, page_removed
from sitemap_docs.rules import MODULES, build_rules
from tests.conftest import assert_golden

pytestmark = pytest.mark.once

PACKAGE = Path(sitemap_docs.__file__).parent
PAGES = PACKAGE.parent / "example_docs" / "pages"
GOLDEN = Path(__file__).parent / "golden" / "findings.txt"
RULES = all_rules()
OF_AUDIT = audit_rules()
OF_BUILDS = build_rules()
PARTS = ("Wrong: ", "Right: ", "Source: ")


def declarations_in(file: Path) -> list[str]:
    """The names of the functions in a module that a decorator of ours declares as rules."""
    names = []
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            decorators = {ast.unparse(decorator).partition("(")[0] for decorator in node.decorator_list}
            if decorators & {"reported", "reported_text", "rule"}:
                names.append(node.name)
    return names


def test_each_module_with_rules_is_in_one_list_of_rules_py():
    files = [file for file in PACKAGE.rglob("*.py") if declarations_in(file)]
    with_rules = [".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts) for file in files]
    assert sorted(MODULES) == sorted(with_rules), "list each module with rules once, in sitemap_docs/rules.py"


def test_each_declaration_is_a_rule():
    declared = sum(len(declarations_in(file)) for file in PACKAGE.rglob("*.py"))
    assert declared == len(OF_AUDIT) + len(OF_BUILDS), "two rules have one name"


def test_only_rules_make_findings():
    calls = Counter()
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Finding":
                calls[file.relative_to(PACKAGE).as_posix()] += 1
    assert calls == {"rules.py": 1, "audit/run.py": 1}


def test_no_module_reads_our_own_source_or_runs_text_as_code():
    """Names of rules and programs are in lists."""
    found = set()
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in {"exec", "eval", "compile"}:
                found.add(file.relative_to(PACKAGE).as_posix())
    assert found == set()


def test_a_rule_goes_to_another_process_by_its_name():
    """Processes that read pages send back notes with rules."""
    note = Note(page_removed, "https://example.org/", "")
    assert pickle.loads(pickle.dumps(note)).rule is page_removed


def test_a_rule_whose_caller_writes_the_message_has_no_body():
    texts = [rule for rule in OF_BUILDS.values() if rule.message is str]
    assert len(texts) > 10
    for rule in texts:
        finding = rule("A whole text.")
        assert (finding.rule, finding.message, finding.strict) == (rule.id, "A whole text.", rule.strict)
        assert rule.function("") is None


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
    assert_golden(request, GOLDEN, text)


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
    for rule in [rules[0] for rules in RULES.values()]:
        place = f"{rule.function.__name__}() in {rule.function.__module__}"
        what, blank, why, advice, *rest = [*rule.documentation.splitlines(), "", "", "", ""]
        assert (what[-1:], blank, why[-1:], advice[-1:]) == (".", "", ".", "."), f"{place} {FORM}"
        parts = ["Source: "] if rule.id in OF_AUDIT else PARTS
        missing = [part for part, line in zip(parts, rest, strict=False) if not line.startswith(part)]
        assert missing == [], f"{place} {FORM}"
        name, url = rule.source
        assert url.startswith("https://") or f"# {name.removeprefix('sitemap-docs: the page ')}" in titles, (
            place
        )


def test_what_a_build_and_check_report_is_explained_once():
    both = [rule for name, rule in OF_BUILDS.items() if name in OF_AUDIT]
    assert both
    assert [rule.id for rule in both if "\n" in rule.documentation] == []


def test_nothing_loads_a_rule_that_it_does_not_make():
    """Neither a build of a host nor a command that writes."""
    doors = ["cli.main", "cli.build", "cli.join"]
    doors += ["mkdocs.plugin"] * bool(find_spec("mkdocs")) + ["sphinx.events"] * bool(find_spec("sphinx"))
    code = f"import sys, {', '.join(f'sitemap_docs.{door}' for door in doors)}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "sitemap_docs.rules" in loaded
    assert not loaded & {"sitemap_docs.audit.registry", "sitemap_docs.audit"}


def test_rules_of_hosts_that_are_not_installed():
    code = """import sys; sys.modules |= {"sphinx": None, "mkdocs": None}  # cannot be imported
from sitemap_docs.audit.registry import all_rules
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
