"""Which rules run: what a project selects, and what it names that is no rule."""

from pathlib import Path

import pytest

from sitemap_docs.audit.registry import FORMER, audit_rules, deployed_rules
from sitemap_docs.audit.rule_settings import settings_of
from sitemap_docs.config.options import Options
from sitemap_docs.model import SitemapError
from tests.conftest import command


def settings_for(check: dict, **flags):
    return settings_of(Options.of({"check": check}), **flags)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        pytest.param({"ignore": ["near-limit"]}, "There is no rule 'near-limit'.", id="ignored"),
        pytest.param({"select": ["default", "near-l*"]}, "There is no rule 'near-l*'.", id="selected"),
        pytest.param({"rules": {"title-mising": {}}}, "Did you mean `title-missing`?", id="configured"),
    ],
)
def test_a_name_in_the_configuration_that_is_no_rule_is_one_warning_and_the_others_run(written, said):
    settings = settings_for(written)
    assert settings.rules.keys() == settings_of().rules.keys()
    [finding] = settings.findings
    assert (finding.rule, finding.severity) == ("unknown-rule", "warning")
    assert said in finding.message


@pytest.mark.parametrize(("former", "now"), FORMER.items())
def test_a_former_name_is_a_setting_of_the_rule_that_reports_the_same(former, now):
    def settings(**written):
        return settings_for(written, rules=audit_rules(), severity="info")

    chosen = settings(select=[former])
    rest = settings(select=["all"], ignore=[former])
    configured = settings(select=["all"], rules={former: {"ignore": ["a/*"]}})
    assert former not in audit_rules()
    assert list(chosen.rules) == ([now] if now else [])
    assert audit_rules().keys() - rest.rules.keys() == set(chosen.rules)
    assert {name for name, each in configured.rules.items() if each.ignore} == set(chosen.rules)
    assert chosen.findings + rest.findings + configured.findings == ()


def test_the_settings_of_a_rule_win_over_those_by_its_former_name():
    levels = {"loc-duplicate": "warning", "loc-duplicate-after-normalising": "error"}
    for names in (levels, reversed(levels)):
        settings = settings_for({"rules": {name: {"severity": levels[name]} for name in names}})
        assert settings.rules["loc-duplicate"].severity == "warning"


def test_a_glob_that_matches_a_rule_is_not_one_of_former_names():
    """`live-sitemap-broken` is part of a rule for built folders now, which `live-*` has never meant."""
    assert "xml-not-wellformed" in settings_of(ignore=["live-*"]).rules


def test_a_selection_of_no_rule_in_the_configuration_is_one_warning():
    settings = settings_for({"select": ["near-limit", "xml-doctype", "near-limit"]})
    assert not settings.rules
    [finding] = settings.findings
    assert finding.message.count("There is no rule") == 2


def test_check_with_an_unknown_rule_warns_and_succeeds(tmp_path):
    config = tmp_path / "sitemap.toml"
    config.write_text('check = {ignore = ["near-limit"]}')
    site = Path(__file__).with_name("site")
    result = command("check", site, "--config", config)
    assert (result.code, result.err.count("near-limit")) == (0, 1)


def test_a_selection_of_no_rule_that_runs_here_is_an_error():
    with pytest.raises(SitemapError, match="None of the selected rules"):
        settings_of(select=["live-*"])
    with pytest.raises(SitemapError, match="None of the selected rules"):
        settings_of(select=["hreflang"], rules=deployed_rules())
    assert not settings_for({"select": ["live-*"]}).rules  # a configuration may be that of another check
    both = settings_of(select=["hreflang", "live-status"], rules=deployed_rules())
    assert list(both.rules) == ["live-status"]


def test_an_unknown_rule_is_a_wrong_setting_which_fails_a_strict_build(mkdocs_project):
    project = mkdocs_project({"index.md": "# Home"}, options={"check": {"ignore": ["near-limit"]}})
    project.commit("2024-01-01T00:00:00+00:00")
    lines = [text for text in project.build() if "near-limit" in text]
    assert [text.partition(" ")[0] for text in lines] == ["WARNING"]
    with pytest.raises(Exception, match="1 warnings in strict mode"):  # of MkDocs or ProperDocs
        project.build(strict=True)


OFF_BY_DEFAULT = [rule.id for rule in audit_rules().values() if not rule.is_default]


@pytest.mark.parametrize("name", OFF_BY_DEFAULT)
def test_a_rule_that_is_off_by_default_runs_if_it_is_selected(name):
    group = audit_rules()[name].group

    def selected(**flags) -> bool:
        return name in settings_of(severity="info", rules=audit_rules(), **flags).rules

    assert not selected()
    assert not selected(select=["default"])
    assert all(selected(select=[word]) for word in (name, f"{name[:-1]}*", group, "all"))
    assert not selected(select=["all"], ignore=[name])


def test_a_setting_of_a_rule_has_the_type_of_its_default():
    with pytest.raises(SitemapError, match="html-too-large: at-most` must be a value such as"):
        settings_for({"rules": {"html-too-large": {"at-most": True}}})
