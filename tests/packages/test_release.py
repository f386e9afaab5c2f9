"""What a release asks for, and the workflow that makes it. The rest of it is `nox -s release`."""

import re
import runpy
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from sitemap_docs import __version__

ROOT = Path(__file__).parents[2]
WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"
TAG = {"GITHUB_REF_TYPE": "tag", "GITHUB_REF_NAME": "v1.2.0"}
DATED, PLANNED = "## [1.2.0] - 2026-01-31\n", "## [1.2.0] - Unreleased\n"
#: What a file has when version 1.2.0 is released, what it must not have then, and what is said of that.
WRONG = [
    ("CHANGELOG.md", DATED, PLANNED, "write the day of the release"),
    ("CHANGELOG.md", "[1.2.0]", "[1x2.0]", "no section [1.2.0]"),
    ("README.md", "install sitemap", "install git+https://git.example.org/sitemap", "makes untrue"),
    ("README.md", "Version 1.2]", "Version 0.1]", "![Version 1.2]"),
    ("example_docs/pages/index.md", "is on the package", "is not on a package index yet", "makes untrue"),
    ("SECURITY.md", "is ours", "is not registered", "makes untrue"),
    ("example_docs/badges/version.svg", "1.2<", "0.1<", "version: 1.2</title>"),
    ("example_docs/pages/audit.md", "rev: v1.2.0", "rev: v0.1.0", "names version 0.1.0"),
    ("templates/sitemap-docs.yml", "==1.2.0", "==1.1.0", "names version 1.1.0"),
    ("example_docs/badges/python.svg", "to 3.14<", "to 3.13<", "Python: 3.10 to 3.14"),
    ("pyproject.toml", "5 - Production/Stable", "4 - Beta", "Status :: 5"),
]


release = SimpleNamespace(**runpy.run_path(str(ROOT / "scripts" / "release.py")))


@pytest.fixture
def project(tmp_path) -> Path:
    """The files in which a release must agree, as they are when version 1.2.0 is released."""
    for name in ("README.md", "SECURITY.md", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    for name in ("example_docs/pages", "example_docs/badges", "templates"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{DATED}\n- A line.\n", encoding="utf-8")
    for file in (path for path in tmp_path.rglob("*") if path.suffix in (".md", ".yml", ".svg", ".toml")):
        text = file.read_text(encoding="utf-8")
        text = re.sub(r"(?<=sitemap-docs@)0\.1\.0|(?<=[@ ]v|==)0\.1\.0", "1.2.0", text)
        for _, released, unreleased, _ in WRONG:
            text = text.replace(unreleased, released)
        file.write_text(text, encoding="utf-8")
    return tmp_path


def test_a_release_that_agrees(project):
    for environ in (TAG, {**TAG, "GITHUB_REF_TYPE": "branch"}, {}):
        assert release.find_problems("1.2.0", project, environ) == []
    tag = {**TAG, "GITHUB_REF_NAME": "v1.2.1"}
    assert "the tag v1.2.1 is not of version 1.2.0" in release.find_problems("1.2.0", project, tag)[0]


@pytest.mark.parametrize(("file", "old", "new", "problem"), WRONG)
def test_a_file_that_does_not_fit_the_release_is_reported(project, file, old, new, problem):
    text = (project / file).read_text(encoding="utf-8")
    assert old in text
    (project / file).write_text(text.replace(old, new), encoding="utf-8")
    (found,) = release.find_problems("1.2.0", project, TAG)
    assert found.startswith(file)
    assert problem in found


def test_the_repository_agrees():
    """As a tag, too, once the day of the release stands in CHANGELOG.md."""
    assert release.find_problems(__version__, ROOT, {}) == []


@pytest.fixture(scope="module")
def workflow() -> dict:
    if not WORKFLOW.exists():
        pytest.skip("an sdist has no workflows")
    return yaml.safe_load(WORKFLOW.read_text("utf-8"))


def test_nothing_is_published_that_was_not_tested(workflow):
    assert workflow[True] == {"push": {"tags": ["v*"]}}  # YAML 1.1 reads the key `on` so
    assert workflow["jobs"]["tests"]["uses"] == "./.github/workflows/ci.yml"
    assert workflow["jobs"]["build"]["needs"] == "tests"
    ci = yaml.safe_load((WORKFLOW.parent / "ci.yml").read_text("utf-8"))
    assert "workflow_call" in ci[True]
    # The name of a workflow that is called is its caller's: no group of both can cancel or block the other.
    assert "concurrency" not in workflow


def test_only_the_job_that_publishes_may_sign(workflow):
    assert workflow["permissions"] == {}
    assert workflow["jobs"]["build"]["permissions"] == {"contents": "read"}
    publish = workflow["jobs"]["publish"]
    assert publish["permissions"]["id-token"] == "write"
    assert [step for step in publish["steps"] if "run" in step] == []  # no code of ours has that identity
    assert (publish["needs"], publish["environment"]) == ("build", "release")
