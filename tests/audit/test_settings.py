"""Which rules run: what a project selects, and what it still names though it was removed."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_docs.audit import ALL, RULES, Settings, deployed_rules
from sitemap_docs.audit.registry import Findings, rule
from sitemap_docs.audit.settings import REMOVED, REPLACED
from sitemap_docs.cli.main import group
from sitemap_docs.model import SitemapError
from tests.conftest import runner


def test_removed_rules_are_gone_and_what_replaces_them_exists():
    assert not REMOVED & ALL.keys()
    assert set(REPLACED.values()) <= ALL.keys() | {rule.group for rule in ALL.values()}


@pytest.mark.parametrize(
    "written",
    [
        {"ignore": ["near-limit"]},
        {"select": ["default", "near-limit"]},
        {"select": ["default"], "ignore": ["near-l*"]},
        {"each": {"near-limit": {"severity": "error", "urls": 1_000}}},
    ],
)
def test_a_removed_rule_is_one_warning_and_the_others_run(written):
    settings = Settings.of(**written)
    assert settings.rules.keys() == Settings.of().rules.keys()
    assert [(each.rule, each.severity) for each in settings.findings] == [("option-removed", "warning")]
    assert "near-l" in settings.findings[0].message


def test_a_selection_of_removed_rules_alone_is_a_warning_that_says_what_reports_the_same():
    settings = Settings.of(select=["xml-doctype"])
    assert not settings.rules
    assert "`xml-not-wellformed` reports what `xml-doctype` did" in settings.findings[0].message


def test_check_with_a_removed_rule_warns_and_succeeds(tmp_path):
    config = tmp_path / "sitemap.toml"
    config.write_text('check = {ignore = ["near-limit"]}')
    site = Path(__file__).with_name("site")
    result = runner().invoke(group, ["check", str(site), "--config", str(config)])
    assert (result.exit_code, result.stderr.count("near-limit")) == (0, 1)


def test_rules_of_plug_ins_reach_the_live_check(monkeypatch):
    """A package registers its rules when they are loaded, long after this package was imported."""
    monkeypatch.delitem(RULES, "robots-mentions-us", raising=False)

    @rule("warning")
    def robots_mentions_us(robots) -> Findings:
        """A rule.

        Why.
        What to do.
        Source: this test.
        """
        yield from ()

    try:
        assert "robots-mentions-us" in deployed_rules()
        assert "robots-mentions-us" in Settings.of(rules=deployed_rules()).rules
    finally:
        del RULES["robots-mentions-us"]


def test_a_selection_of_no_rule_that_runs_here_is_an_error():
    with pytest.raises(SitemapError, match="None of the selected rules"):
        Settings.of(select=["live-*"])
    with pytest.raises(SitemapError, match="None of the selected rules"):
        Settings.of(select=["hreflang"], rules=deployed_rules())
    both = Settings.of(select=["hreflang", "live-status"], rules=deployed_rules())
    assert list(both.rules) == ["live-status"]


@pytest.mark.parametrize("strict", [False, True])
def test_a_removed_rule_fails_no_strict_build(mkdocs_project, strict):
    project = mkdocs_project({"index.md": "# Home"}, options={"check": {"ignore": ["near-limit"]}})
    project.commit("2024-01-01T00:00:00+00:00")
    lines = [text for text in project.build(strict=strict) if "near-limit" in text]
    assert [text.partition(" ")[0] for text in lines] == ["INFO" if strict else "WARNING"]
