"""What a release asks for, and the workflow that makes it. The rest of it is `nox -s release`."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"
TAG = {"GITHUB_REF_TYPE": "tag", "GITHUB_REF_NAME": "v1.2.0"}
DATED, PLANNED = "## [1.2.0] - 2026-01-31\n", "## [1.2.0] - Unreleased\n"


@pytest.fixture(scope="module")
def noxfile():
    pytest.importorskip("nox", reason="`nox -s packages` installs it")
    spec = spec_from_file_location("noxfile", ROOT / "noxfile.py")
    module = module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setattr("nox.registry._REGISTRY", {})  # it keeps sessions, and warns of a second of one name
        spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("version", "section", "environ", "problem"),
    [
        pytest.param("1.2.0", DATED, TAG, None, id="agreed"),
        pytest.param("1.2.0", PLANNED, {}, None, id="a dry run before the day is known"),
        pytest.param("1.2.0", PLANNED, {**TAG, "GITHUB_REF_TYPE": "branch"}, None, id="a branch"),
        pytest.param("1.2.0", PLANNED, TAG, "write the day of the release", id="no day"),
        pytest.param("1.2.1", DATED, TAG, "the tag v1.2.0 is not of version 1.2.1", id="another tag"),
        pytest.param("1.2.0", "## [Unreleased]\n", {}, "has no section [1.2.0]", id="no section"),
        pytest.param("1.2.0", "## [1x2.0] - 2026-01-31\n", {}, "has no section", id="a dot is a dot"),
    ],
)
def test_tag_version_and_changelog_agree(noxfile, tmp_path, version, section, environ, problem):
    changelog = tmp_path / "CHANGELOG.md"
    changelog.write_text(f"# Changelog\n\n{section}\n- A line.\n", encoding="utf-8")
    found = noxfile.unreleasable(version, changelog, environ)
    assert problem in found if problem else found is None


@pytest.fixture(scope="module")
def workflow() -> dict:
    if not WORKFLOW.exists():
        pytest.skip("an sdist has no workflows")
    return yaml.safe_load(WORKFLOW.read_text("utf-8"))


def test_only_a_tag_releases(workflow):
    assert workflow[True] == {"push": {"tags": ["v*"]}}  # YAML 1.1 reads the key `on` so


def test_only_the_job_that_publishes_may_sign(workflow):
    assert workflow["permissions"] == {}
    assert workflow["jobs"]["build"]["permissions"] == {"contents": "read"}
    publish = workflow["jobs"]["publish"]
    assert publish["permissions"]["id-token"] == "write"
    assert [step for step in publish["steps"] if "run" in step] == []  # no code of ours has that identity
    assert (publish["needs"], publish["environment"]) == ("build", "release")
