"""Options that earlier versions had: one warning that says what to write, never a failed build."""

from __future__ import annotations

import pytest

from sitemap_docs import api
from sitemap_docs.cli.main import group
from sitemap_docs.config.options import REMOVED, Options, removed_options
from tests.conftest import git, runner

GIVEN = {name: value or "x" for name, value, _ in REMOVED}


@pytest.mark.parametrize(("name", "value"), GIVEN.items())
def test_it_has_no_effect(name, value):
    assert Options.of({name: value}) == Options()
    (finding,) = removed_options({name: value, "images": True})
    assert f"The option `{name}`" in finding.message
    assert (finding.rule, finding.severity) == ("option-removed", "warning")


def test_a_value_in_a_list():
    assert Options.of({"formats": ["text", "atom"]}).formats == ("text",)
    assert len(removed_options({"formats": ("text", "atom")})) == 1
    assert removed_options({"formats": ["text"], "lastmod": "author", "indexnow_file": None}) == []


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "site").mkdir()
    (tmp_path / "site/index.html").write_text("<title>Home</title>")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "All")
    return tmp_path / "site"


@pytest.mark.parametrize("strict", [[], ["--strict"]])
def test_the_command(site, strict):
    table = "".join(f"{name.replace('_', '-')} = {value!r}\n" for name, value in GIVEN.items())
    (site.parent / "pyproject.toml").write_text(f"[tool.sitemap-docs]\n{table}")
    flags = ["--base-url", "https://docs.example.org/", "--source", "site", *strict]
    done = runner().invoke(group, ["build", "site", *flags])
    assert done.exit_code == 0
    assert [done.stderr.count(f"`{name}`") for name in GIVEN] == [1] * len(GIVEN)
    assert (site / "sitemap.xml").is_file()


def test_the_api(site):
    built = api.build(site, base_url="https://docs.example.org/", sources=[site], indexnow_file="a-{key}.txt")
    assert [finding.rule for finding in built.findings] == ["option-removed"]


@pytest.mark.parametrize("strict", [False, True])
def test_mkdocs(mkdocs_project, strict):
    project = mkdocs_project({"index.md": "# Home"}, options=GIVEN)
    config = project.config()
    config.strict = strict
    reported = project.build(config)
    for name in GIVEN:
        (line,) = [line for line in reported if f"`{name}`" in line]
        assert line.startswith("INFO" if strict else "WARNING")
    assert project.paths() == [""]


def test_sphinx(sphinx_project):
    project = sphinx_project(**{f"sitemap_{name}": value for name, value in GIVEN.items()})
    reported = project.build().warnings
    assert [reported.count(f"`sitemap_{name}` in conf.py") for name in GIVEN] == [1] * len(GIVEN)
    assert project.build("html", "-W", "-E").code == 0
    assert project.paths() == ["index.html"]
