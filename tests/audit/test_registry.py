"""The decorator for rules of the audit, and which rules there are."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from sitemap_docs.audit.registry import DECLARED, Findings, audit_rules, deployed_rules, folder_rules, rule
from sitemap_docs.audit.rule_settings import settings_of
from sitemap_docs.config.options import Options
from sitemap_docs.rules import AUDIT_MODULES
from tests.conftest import command


@pytest.fixture(autouse=True)
def _no_rules_stay() -> Iterator[None]:
    before = dict(DECLARED)
    yield
    DECLARED.clear()
    DECLARED.update(before)


def declare(subject: str = "page", **arguments) -> str:
    """Declare a rule as an installed package does, and return its name."""
    if subject == "robots":

        @rule("warning", **arguments)
        def mentions_us(robots, *, share: float = 0.5) -> Findings:
            """The text mentions us."""
            yield from ()

    else:

        @rule("warning", **arguments)
        def mentions_us(page, *, share: float = 0.5) -> Findings:
            """The text mentions us."""
            yield from ()

    return "mentions-us"


def test_a_rule_of_a_package_about_robots_txt_also_checks_deployed_sites():
    """A package declares its rules when they are loaded, long after this package was imported."""
    name = declare("robots")
    assert name in folder_rules()
    assert name in deployed_rules()
    options = Options.of({"check": {"rules": {name: {"share": 1}}}})
    settings = settings_of(options, rules=deployed_rules())
    assert settings.rules[name].values == {"share": 1}  # a number without a fraction is valid, too


def test_a_rule_of_a_package_about_pages_checks_folders_alone():
    name = declare()
    assert name in folder_rules()
    assert name not in deployed_rules()


def test_the_declaration_of_a_rule_can_switch_it_off_by_default():
    name = declare(by_default=False)
    assert not audit_rules()[name].is_default
    assert name not in settings_of().rules
    assert name not in settings_of(select=["default"]).rules
    assert name not in settings_of(Options.of({"check": {"select": ["default"]}})).rules
    for word in (name, "mentions-*", "all", audit_rules()[name].group):
        assert name in settings_of(select=[word]).rules
    assert name in settings_of(Options.of({"check": {"select": ["default", name]}})).rules
    assert name not in settings_of(select=["all"], ignore=[name]).rules
    (line,) = (line for line in command("check", "--list-rules").out.splitlines() if name in line)
    assert line.endswith("The text mentions us. (runs only if selected)")


def test_a_second_rule_of_one_name_is_an_error():
    function = audit_rules()["title-missing"].function
    same = type(function)(function.__code__, {"__name__": "house_rules"}, "title_missing")
    with pytest.raises(ValueError, match="pages already has a rule 'title-missing'"):
        rule("warning")(same)


def test_the_order_of_rules_does_not_depend_on_the_modules_that_are_loaded():
    """The findings of an audit come in the order of the rules."""
    code = "from sitemap_docs.audit.registry import audit_rules; print(*audit_rules())"
    expected = list(audit_rules())
    for module in ("rules.robots", "rules.sitemap"):
        arguments = [sys.executable, "-c", f"import sitemap_docs.audit.{module}; {code}"]
        done = subprocess.run(arguments, capture_output=True, text=True, check=True)
        assert done.stdout.split() == expected
    modules = [audit_rules()[name].function.__module__ for name in expected]
    assert modules == sorted(modules, key=AUDIT_MODULES.index)
