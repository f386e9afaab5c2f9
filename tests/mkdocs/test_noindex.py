"""The option `noindex_versions`: a version that search engines must not show."""

import json
import os
import re
import subprocess
import sys
from importlib import import_module
from itertools import chain
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from sitemap_docs.programs.mike import FLAGS_WITH_VALUE, SWITCHES, keep_command
from tests.conftest import git, mike_deploy, needs

PAGES = {"index.md": "# Home", "guide/a.md": "# A", "hidden.md": "---\nsitemap: false\n---\n# Hidden"}
SUMMARY = (
    "no sitemap: every page has a noindex (the option `noindex_versions` names 1.2); "
    "removed sitemap.xml, sitemap.xml.gz"
)


def robots(project) -> dict[str, list[str]]:
    """What the head of each page has for robots, as an HTML parser reads it."""
    found = {}
    for file in project.site.rglob("*.html"):
        soup = BeautifulSoup(file.read_bytes(), "html.parser")
        name = file.relative_to(project.site).as_posix()
        found[name] = [meta["content"] for meta in soup.select("head meta[name=robots]")]
    return found


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs", "material"])
def test_every_page_of_an_old_version(mkdocs_project, monkeypatch, theme):
    if theme == "material":
        pytest.importorskip("material")
    variable = "READTHEDOCS_VERSION" if theme == "mkdocs" else "MIKE_DOCS_VERSION"
    monkeypatch.setenv(variable, "1.2")
    project = mkdocs_project(PAGES, theme=theme, options={"noindex_versions": ["*", "!2.*"]})
    messages = project.build(strict=True)
    found = robots(project)
    assert {"404.html", "guide/a/index.html", "hidden/index.html", "index.html"} <= found.keys()
    assert set(map(tuple, found.values())) == {("noindex",)}
    assert f"INFO sitemap-docs: {SUMMARY}" in messages
    assert not list(project.site.glob("sitemap*"))

    monkeypatch.setenv(variable, "2.0")
    project.build(strict=True)
    assert not any(robots(project).values())
    assert len(project.locs()) == 2


def test_without_an_address(mkdocs_project, monkeypatch):
    monkeypatch.setenv("MIKE_DOCS_VERSION", "1.2")
    project = mkdocs_project(PAGES, site_url="", options={"noindex_versions": "1.*"})
    messages = project.build(strict=True)
    assert set(map(tuple, robots(project).values())) == {("noindex",)}
    assert any(line.startswith("INFO") and "version 1.2 has no base URL" in line for line in messages)


def test_what_a_theme_writes_stays(mkdocs_project, monkeypatch):
    monkeypatch.setenv("MIKE_DOCS_VERSION", "1")
    project = mkdocs_project({"index.md": "# Home", "static.html": "<title>Static</title>"})
    theme = {"name": None, "custom_dir": "theme", "static_templates": ["help.js"]}
    project.configure(theme=theme, options={"noindex_versions": ["1"]})
    head = "<HEAD lang='en'><meta name='robots' content='noarchive'><title>{{ page.title }}</title></HEAD>"
    script = "<script>const inner = '<head></head>'</script>"
    project.write({"theme/help.js": script})
    project.write(
        {"theme/main.html": f"<!doctype html><html>{head}<body><pre>&lt;head></pre>{script}</body></html>"}
    )
    messages = project.build()
    assert robots(project)["index.html"] == ["noindex", "noarchive"]
    assert script in project.read("index.html")
    assert project.read("help.js") == script
    assert project.read("static.html") == "<title>Static</title>"
    assert not [line for line in messages if line.startswith("WARNING")]
    project.write({"theme/main.html": "<title>No head</title>"})
    assert "such as " in "".join(line for line in project.build() if line.startswith("WARNING"))


@needs("mike")
@pytest.mark.parametrize(
    ("deployments", "is_hidden"),
    [
        pytest.param(["3.1"], True, id="no alias"),
        pytest.param(["3.1 latest"], False, id="alias"),
        pytest.param(["3.0 latest", "-t 3.1 -u 3.1 dev latest --allow-empty"], False, id="alias moves"),
        pytest.param(["3.1 latest", "3.1"], False, id="alias stays"),
        pytest.param(["3.1 latest", "-u 3.2 latest", "3.1"], True, id="alias is gone"),
        pytest.param(["-b pages 3.1 latest", "-b pages 3.1"], False, id="another branch"),
        pytest.param(["-bpages 3.1 latest", "-ubpages 3.1"], False, id="attached value"),
        pytest.param(["3.1 latest", "-b pages 3.1"], True, id="not on the other branch"),
        pytest.param(["--deploy-prefix=a/b 3.1 latest", "--deploy-prefix a/b 3.1"], False, id="prefix"),
        pytest.param(["3.1 latest", "2.9"], False, id="version"),
        pytest.param(["-m latest 3.1"], True, id="words of another flag"),
    ],
)
def test_aliases_of_mike_are_names_of_the_version(mkdocs_project, deployments, is_hidden):
    """mike tells a build only the version. The aliases are on its command line, or on the branch already."""
    project = mkdocs_project(PAGES, options={"noindex_versions": ["*", "!2.*", "!latest"]}, after=["mike"])
    project.commit("2025-03-12T00:00:00+00:00")
    for arguments in deployments:
        mike_deploy(*arguments.split())
    assert all(robots(project).values()) == is_hidden
    assert (project.site / "sitemap.xml").exists() != is_hidden


DAMAGED = ["5", "null", "[" * 100_000, '{"names": 5}', '{"names": [5], "branch": []}']


@pytest.mark.parametrize("value", DAMAGED)
def test_a_damaged_command_of_mike_has_no_aliases(mkdocs_project, monkeypatch, value):
    """The plugin has saved it in the environment, where another program may have changed it."""
    monkeypatch.setenv("MIKE_DOCS_VERSION", "1.0")
    monkeypatch.setenv("SITEMAP_DOCS_MIKE_COMMAND", value)
    project = mkdocs_project(PAGES, options={"noindex_versions": ["*", "!latest"]})
    project.build()
    assert set(map(tuple, robots(project).values())) == {("noindex",)}


def test_only_names_and_places_of_the_command_of_mike_are_saved(monkeypatch):
    monkeypatch.setenv("SITEMAP_DOCS_MIKE_COMMAND", "")
    remote = "https://user:secret@docs.example.org/"
    words = ["deploy", "--remote", remote, f"-r{remote}", "-m", "secret", "-bpages", "1.0", "latest"]
    monkeypatch.setattr(sys, "argv", ["mike", *words])
    keep_command()
    saved = json.loads(os.environ["SITEMAP_DOCS_MIKE_COMMAND"])
    assert saved == {"names": ["1.0", "latest"], "branch": "pages", "deploy_prefix": ""}


@needs("mike")
def test_each_flag_of_mike_is_known(monkeypatch, capsys):
    """Else, the value of a flag would count as the name of a version."""
    monkeypatch.setattr(sys, "argv", ["mike", "deploy", "--help"])
    with pytest.raises(SystemExit):
        import_module("mike.driver").main()
    flags = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", capsys.readouterr().out, re.IGNORECASE))
    assert {"-b", "--deploy-prefix"} < flags
    assert flags - {"-h", "--help"} <= set(chain.from_iterable((*FLAGS_WITH_VALUE, *SWITCHES)))


def test_the_name_of_a_branch_is_no_option_of_git(mkdocs_project, monkeypatch):
    monkeypatch.setenv("MIKE_DOCS_VERSION", "1.0")
    project = mkdocs_project(PAGES)
    for branch in (f"--output={project.root}/written", "pages\0", "\ud800"):
        project.configure(remote_branch=branch, options={"noindex_versions": ["*", "!latest"]})
        project.commit("2025-03-12T00:00:00+00:00")
        project.build()
        assert set(map(tuple, robots(project).values())) == {("noindex",)}
    assert not [*project.root.glob("written*")]


@needs("mike")
def test_mike_as_a_separate_process_passes_its_aliases_to_the_build(mkdocs_project, monkeypatch):
    project = mkdocs_project(PAGES, options={"noindex_versions": ["*", "!latest"]}, after=["mike"])
    project.commit("2025-03-12T00:00:00+00:00")
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    for name in ("AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL"):
        monkeypatch.setenv(f"GIT_{name}", "x")
    for version in (["0.9"], ["1.0", "latest"]):
        subprocess.run(["mike", "deploy", *version], cwd=project.root, check=True, capture_output=True)
    assert "<loc>" in git(project.root, "show", "gh-pages:1.0/sitemap.xml")
    assert "noindex" not in git(project.root, "show", "gh-pages:1.0/index.html")
    assert "noindex" in git(project.root, "show", "gh-pages:0.9/index.html")
