"""Warnings of builds in GitHub Actions, of all entry points, with text from pages that nobody trusts."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from sitemap_docs.annotations import annotate
from sitemap_docs.model import Finding
from tests.conftest import BASE, commit, git, needs, passed, urlset, write

ON_GITHUB = {"GITHUB_ACTIONS": "true"}
COMMAND = re.compile(r"^::.*$", re.MULTILINE)
#: A date that is none, with the start of a second annotation.
HOSTILE = '---\nsitemap: {lastmod: "%0A::error::a\\n::error::b\\r::error::c"}\n---\n# A\n'
HOSTS = {
    "mkdocs": (
        ["-m", "mkdocs", "build"],
        {"mkdocs.yml": f"site_name: A\nsite_url: {BASE}\nplugins: [sitemap-docs]\n"},
    ),
    "sphinx": (
        ["-m", "sphinx", "docs", "site"],
        {
            "docs/conf.py": f'extensions = ["sitemap_docs"]\nhtml_baseurl = "{BASE}"\n',
            "docs/index.rst": ":sitemap-lastmod: %0A::error::a\n\nA\n=\n",
        },
    ),
    "command": (
        ["-m", "sitemap_docs", "build", "site", "--base-url", BASE, "--source", "docs", "--json"],
        {"site/index.html": "<!doctype html><title>A</title>", ".gitignore": ""},
    ),
}


def clone(folder: Path, files: dict[str, str]) -> Path:
    """Make a shallow clone of a project that lacks the commit with its page."""
    origin = write(folder / "origin", {"docs/index.md": HOSTILE, **files})
    commit(origin, date="2026-01-01T00:00:00+00:00")
    commit(write(origin, {"other.txt": "b"}), date="2026-01-02T00:00:00+00:00")
    git(folder, "clone", "-q", "--depth", "1", origin.as_uri(), str(folder / "clone"))
    return folder / "clone"


@pytest.mark.parametrize(
    "host", [pytest.param(host, marks=needs(host)) for host in ("mkdocs", "sphinx")] + ["command"]
)
def test_a_build_prints_each_warning_once(tmp_path, monkeypatch, host):
    arguments, files = HOSTS[host]
    folder = clone(tmp_path, files)

    def build(*more: str, **environ: str) -> subprocess.CompletedProcess:
        for name, value in environ.items():
            monkeypatch.setenv(name, value)
        run = [sys.executable, *arguments, *more]
        return subprocess.run(run, cwd=folder, capture_output=True, encoding="utf-8", check=True)

    assert not COMMAND.findall(build().stderr)
    done = build(**ON_GITHUB)
    commands = sorted(COMMAND.findall(done.stderr))
    assert COMMAND.findall(done.stdout) == []
    page_option, shallow = commands
    assert page_option.startswith("::warning title=sitemap-docs%3A page-option::")
    assert "lastmod: %250A::error::a" in page_option
    assert shallow.startswith("::warning title=sitemap-docs%3A shallow-clone::The clone is shallow")
    assert "%0A      fetch-depth: 0%0A" in shallow
    assert COMMAND.findall(build(SITEMAP_DOCS_ACTION="true").stderr) == []


@needs("sphinx")
@pytest.mark.parametrize(
    "setting", ['sitemap_ignore = ["front-matter"]', 'suppress_warnings = ["sitemap_docs.front-matter"]']
)
def test_a_warning_that_conf_py_silences_is_no_annotation(sphinx_project, monkeypatch, capsys, setting):
    for name, value in ON_GITHUB.items():
        monkeypatch.setenv(name, value)
    project = sphinx_project("a")
    project.write({"src/a.rst": ":robots: no-index\n:orphan:\n\nA\n=\n"})
    project.commit("2026-01-01T00:00:00+00:00")
    run = project.build("html", "-W")  # A strict build logs the warning as information.
    assert "front-matter" in run.warnings + capsys.readouterr().err
    project.extend(setting)
    run = project.build("html", "-E")
    assert "::warning" not in run.warnings + capsys.readouterr().err


def test_no_value_ends_the_line_or_a_property(capsys):
    name = "a,b:c%\n::error::"
    annotate([Finding(rule=name, message=f"{name}\r\x1b[1m", hint="one\n::error::two")], ON_GITHUB)
    (line,) = capsys.readouterr().err.splitlines()
    properties, _, message = line.removeprefix("::warning ").partition("::")
    assert properties == "title=sitemap-docs%3A a%2Cb%3Ac%25\\n%3A%3Aerror%3A%3A"
    assert "\x1b" not in message
    assert message.endswith("%0A\\u003a:error::two")


def test_information_is_no_annotation_and_an_error_is_one(capsys):
    findings = [Finding(rule="a", message="b", severity=severity) for severity in ("info", "error")]
    annotate(findings, ON_GITHUB)
    assert capsys.readouterr().err == "::error title=sitemap-docs%3A a::b [a]\n"
    annotate(findings, {"CI": "true"})
    assert capsys.readouterr().err == ""


def test_join_prints_its_warnings(tmp_path, monkeypatch):
    for name, value in ON_GITHUB.items():
        monkeypatch.setenv(name, value)
    write(
        tmp_path, {"a/sitemap.xml": urlset(f"{BASE}a/b;jsessionid=1"), "d/sitemap.xml": urlset(f"{BASE}d/")}
    )
    (line,) = COMMAND.findall(passed("join", tmp_path).err)
    assert line.startswith("::warning title=sitemap-docs%3A session-id::")
