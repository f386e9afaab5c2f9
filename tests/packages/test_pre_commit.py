"""The hook for pre-commit, installed and run by it in a repository of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.audit.cases import change
from tests.conftest import commit, git

pytestmark = pytest.mark.once

pytest.importorskip("pre_commit", reason="`nox -s packages` installs it, and has the network that pip needs")

ROOT = Path(__file__).parents[2]
MANIFEST = ROOT / ".pre-commit-hooks.yaml"


def pre_commit(*arguments: object, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    environ = os.environ | {"PRE_COMMIT_HOME": str(cwd / ".cache")}
    command = [sys.executable, "-m", "pre_commit", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, env=environ, capture_output=True, text=True, check=False)


def test_the_manifest_is_valid() -> None:
    done = pre_commit("validate-manifest", MANIFEST)
    assert done.returncode == 0, done.stdout


def test_the_hook_checks_the_site(tmp_path: Path) -> None:
    hooks, project = tmp_path / "hooks", tmp_path / "project"
    hooks.mkdir()
    for name in (".pre-commit-hooks.yaml", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, hooks / name)
    shutil.copytree(ROOT / "sitemap_docs", hooks / "sitemap_docs")
    shutil.copytree(ROOT / "tests" / "audit" / "site", project / "site")
    (project / ".gitignore").write_text("/site/\n/.cache/\n", encoding="utf-8")
    (project / ".pre-commit-config.yaml").write_text(
        f"repos: [{{repo: {hooks.as_uri()}, rev: v0, hooks: "
        "[{id: sitemap-docs-check, args: [site, --base-url, https://docs.example.org/]}]}]\n",
        encoding="utf-8",
    )
    for folder in (hooks, project):
        commit(folder)
    git(hooks, "tag", "v0")
    sound = pre_commit("run", "--all-files", "--verbose", cwd=project)
    assert sound.returncode == 0, sound.stdout + sound.stderr
    assert "No errors or warnings (" in sound.stdout
    change(project / "site", "robots-unknown-directive/bad")
    unsound = pre_commit("run", cwd=project)
    assert unsound.returncode == 1
    assert "warning: robots-unknown-directive (1)" in unsound.stdout
