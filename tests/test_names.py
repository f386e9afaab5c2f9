"""A public name means one thing: no two modules define it, and no two modules are called alike."""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from fnmatch import fnmatchcase
from importlib import import_module
from inspect import isclass, isfunction
from pathlib import Path
from pkgutil import resolve_name
from typing import Protocol

import pytest
import tomli

import sitemap_docs
from sitemap_docs.programs import protocols

PACKAGE = Path(sitemap_docs.__file__).parent


def functions_of_protocols() -> set[str]:
    """The names of the functions that a module of a program may have, because a protocol has them."""
    names = set()
    for protocol in vars(protocols).values():
        if isclass(protocol) and getattr(protocol, "_is_protocol", False) and protocol is not Protocol:
            names |= {name for name, value in vars(protocol).items() if isfunction(value)}
    return {name for name in names if name[0] != "_"}


#: Names that several modules must have: the commands of click, the entry point of Sphinx, the log of a
#: module, and the function with which each entry point finds the address of a site.
SHARED = {"command", "find_address", "logger", "setup"}
#: The functions of the protocols in programs/protocols.py, which the modules of several programs have.
QUESTIONS = functions_of_protocols()
#: A command, a group of rules and the pages of a front door are named after what they are about.
NAMED_AFTER = ("cli/", "audit/rules/")
ROLES = {"address.py", "collect.py", "shown_dates.py"}


def public_names(source: str) -> set[str]:
    """The public classes, functions, constants and aliases of types that a module defines."""
    names = set()
    for node in ast.parse(source).body:
        match node:
            case ast.FunctionDef(decorator_list=[ast.Call(func=ast.Name("reported" | "reported_text"))]):
                pass  # what a build and `check` both report has one name
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                names.add(node.name)
            case ast.Assign(targets=targets):
                for target in targets:
                    names |= {name.id for name in ast.walk(target) if isinstance(name, ast.Name)}
            case ast.AnnAssign(target=ast.Name(name)):
                names.add(name)
    return {name for name in names if name[0] != "_"}


def is_of_plugins(files: list[str]) -> bool:
    """Whether it is one role in both plugins, in modules of the same name."""
    modules = {Path(file).name for file in files}
    return len(modules) == 1 and sorted(Path(file).parent.name for file in files) == ["mkdocs", "sphinx"]


def test_each_public_name_is_defined_once():
    modules: dict[str, list[str]] = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        for name in public_names(file.read_text(encoding="utf-8")):
            modules.setdefault(name, []).append(file.relative_to(PACKAGE).as_posix())
    twice = {}
    for name, files in modules.items():
        # The registry of rules has a test of its own; they are called by their ids.
        of_rules = all(file.startswith("audit/rules/") for file in files)
        if len(files) > 1 and name not in SHARED | QUESTIONS and not of_rules and not is_of_plugins(files):
            twice[name] = files
    assert twice == {}


def test_a_name_that_is_defined_twice_is_found():
    source = "class A: ...\ndef b(): ...\ndef _c(): ...\nimport d\nE, (F, _g) = 1, (2, 3)\nH: int = 4\n_i = 5"
    assert public_names(source) == {"A", "b", "E", "F", "H"}


def test_each_module_has_a_name_of_its_own():
    modules: dict[str, list[str]] = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        path = file.relative_to(PACKAGE).as_posix()
        if not path.startswith(NAMED_AFTER) and file.name != "__init__.py" and file.name not in ROLES:
            modules.setdefault(file.name, []).append(path)
    assert {name: files for name, files in modules.items() if len(files) > 1} == {}


TESTS = Path(__file__).parent
#: What has no test file of its own name, and the file or folder below ``tests/`` that has its tests instead.
TESTED_IN = {
    "audit/html_page.py": "audit/test_site.py",
    "audit/ignore_option.py": "config/test_ignored.py",
    "audit/rules/": "audit/rules/",
    "audit/site_history.py": "audit/rules/lastmod.txt",
    "audit/site_reader.py": "audit/test_site.py",
    "cli/flags.py": "cli/test_main.py",
    "cli/join.py": "test_join.py",
    "cli/report.py": "report/test_report.py",
    "config/option_types.py": "config/test_options.py",
    "config/own_options.py": "config/test_frontmatter.py",
    "config/parsing.py": "config/test_yaml_loader.py",
    "config/similar_names.py": "config/test_options.py",
    "config/typed.py": "test_api.py",
    "folder/folder_site.py": "test_project.py",
    "folder/settings.py": "test_project.py",
    "mkdocs/address.py": "mkdocs/test_plugin.py",
    "join/index.py": "test_join.py",
    "join/joining.py": "test_join.py",
    "join/old_versions.py": "test_old_versions.py",
    "join/redirects.py": "join/test_replacements.py",
    "join/request.py": "test_join.py",
    "join/version_records.py": "join/test_replacements.py",
    "output/untrusted.py": "output/test_record.py",
    "tree.py": "test_join.py",
    "version_policy.py": "test_join.py",
    "host_rules.py": "test_webroot.py",
    "sources/code_blocks.py": "programs/test_include_marks.py",
    "linear.py": "test_growth.py",
    "listing/host_addresses.py": "test_hosting.py",
    "sitemap/copied_files.py": "sitemap/test_urllist.py",
    "listing/copied_pages.py": "sphinx/test_extension.py",
    "decide.py": "test_publish.py",
    "listing/error_pages.py": "folder/test_collect.py",
    "listing/misspelled_globs.py": "config/test_unmatched.py",
    "listing/no_sitemap.py": "listing/test_selection.py",
    "mkdocs/collect.py": "mkdocs/test_plugin.py",
    "mkdocs_rules.py": "mkdocs/test_plugin.py",
    "model.py": "test_surface.py",
    "programs/": "programs/",
    "report/": "report/test_report.py",
    "sitemap/rows.py": "sitemap/test_reader.py",
    "sources/source_files.py": "folder/test_collect.py",
    "sphinx/collect.py": "sphinx/test_extension.py",
    "sphinx/config.py": "sphinx/test_extension.py",
    "sphinx/events.py": "sphinx/test_extension.py",
    "sphinx_rules.py": "sphinx/test_extension.py",
    "surroundings.py": "output/test_record.py",
}


def test_each_module_has_a_test_of_its_name():
    used = set()
    missing = []  # a command may have the tests of the module that does its work
    for file in sorted(PACKAGE.rglob("*.py")):
        path = file.relative_to(PACKAGE)
        elsewhere = {name for name in TESTED_IN if path.as_posix().startswith(name)}
        used |= elsewhere
        folders = [path.parent, Path()] if path.parts[0] == "cli" else [path.parent]
        has_own = any((TESTS / folder / f"test_{path.name}").is_file() for folder in folders)
        if not has_own and not elsewhere and not path.name.startswith("__"):
            missing.append(path.as_posix())
    assert missing == [], (
        "name the test file after the module, or write into TESTED_IN which file has its tests"
    )
    assert used == TESTED_IN.keys(), "a module of TESTED_IN is gone"
    assert [name for name in TESTED_IN.values() if not (TESTS / name).exists()] == []


PRIVATE = re.compile(
    r'^from sitemap_docs[\w.]* import .*\b_[a-z]|setattr\(("sitemap_docs[\w.]*\.|\w+, ")_', re.MULTILINE
)


def test_no_test_reads_or_replaces_a_private_name():
    assert [str(file) for file in TESTS.rglob("*.py") if PRIVATE.search(file.read_text("utf-8"))] == []


@pytest.mark.once
def test_a_docstring_of_a_function_begins_with_what_the_function_does():
    """A clause that begins with "what" or "where" has no verb: it says "Returns what", or "Yields where".

    Docstrings of properties, rules and options are about the value, the finding or the setting.
    """
    clauses = set()
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and not node.decorator_list:
                summary = (ast.get_docstring(node) or "").partition("\n")[0]
                if re.match(r"(What|How|Where|Which|Who|Why|When)\b", summary):
                    clauses.add(f"{file.relative_to(PACKAGE)}: {node.name}: {summary}")
    assert clauses == set()


#: A line of pyproject.toml for a file whose docstrings are still to be rewritten.
TO_REWRITE = re.compile(r'^"(.+)" = \["D401"\]\n', re.MULTILINE)


@pytest.mark.once
def test_only_files_with_old_docstrings_are_exempt_from_the_rule_for_docstrings(tmp_path: Path):
    """Ruff names every file that the list exempts, so that a line goes as soon as its file is rewritten."""
    pytest.importorskip("ruff")
    root = PACKAGE.parent
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    exempt = TO_REWRITE.findall(text)
    configuration = tmp_path / "pyproject.toml"
    configuration.write_text(TO_REWRITE.sub("", text), encoding="utf-8")
    options = ["--select", "D401", "--output-format", "json", "--no-cache", "--config", str(configuration)]
    command = [sys.executable, "-m", "ruff", "check", *options]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    files = {Path(violation["filename"]) for violation in json.loads(done.stdout)}
    assert sorted(file.relative_to(root).as_posix() for file in files) == exempt


def exceptions_from_ruff(text: str) -> Iterator[tuple[str, str]]:
    """Yield each glob of per-file exceptions in pyproject.toml with each of its rules.

    ``a/{b,c}.py`` becomes two globs.
    """
    for pattern, rules in tomli.loads(text)["tool"]["ruff"]["lint"]["per-file-ignores"].items():
        before, brace, rest = pattern.partition("{")
        names, _, after = rest.partition("}")
        globs = [f"{before}{name}{after}" for name in names.split(",")] if brace else [pattern]
        for glob in globs:
            yield from ((glob, rule) for rule in rules)


@pytest.mark.once
def test_each_exception_from_a_rule_of_ruff_is_needed(tmp_path: Path):
    """Its files exist, and one of them breaks the rule."""
    pytest.importorskip("ruff")
    root = PACKAGE.parent
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    exceptions = list(exceptions_from_ruff(text))
    configuration = tmp_path / "pyproject.toml"
    without = re.sub(r"^\[tool\.ruff\.lint\.per-file-ignores\]\n(?:\S.*\n)+", "", text, flags=re.MULTILINE)
    configuration.write_text(without, encoding="utf-8")
    options = ["--output-format", "json", "--no-cache", "--config", str(configuration)]
    command = [sys.executable, "-m", "ruff", "check", *options]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    broken = set()
    for violation in json.loads(done.stdout):
        file = Path(violation["filename"]).relative_to(root).as_posix()
        broken |= {
            (glob, rule)
            for glob, rule in exceptions
            if violation["code"].startswith(rule) and fnmatchcase(file, glob.replace("**", "*"))
        }
    assert [exception for exception in exceptions if exception not in broken] == []


def test_benches_import_what_there_is():
    """They import some modules only when they run, which no session does."""
    for file in (TESTS / "bench").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.ImportFrom(module=str(name)) if name.split(".")[0] in ("tests", "sitemap_docs"):
                    with suppress(ModuleNotFoundError):  # of a host that is not installed
                        import_module(name)
                        for each in node.names:
                            resolve_name(f"{name}.{each.name}")
