"""The same plugin under the commands of MkDocs and ProperDocs, whichever are installed."""

import os
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec

import pytest

from tests.conftest import look_again, proven

HOSTS = [host for host in ("mkdocs", "properdocs") if find_spec(host)]
pytestmark = pytest.mark.skipif(not HOSTS, reason="needs mkdocs or properdocs")

PAGES = {"index.md": "# Home", "a.md": "# A", "b/index.md": "# B", "c.md": "---\nsitemap: false\n---\n"}


def run(project, host: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", host, *arguments]
    environ = os.environ | {"DISABLE_MKDOCS_2_WARNING": "true"}
    done = subprocess.run(command, cwd=project.root, env=environ, capture_output=True, text=True, check=False)
    look_again(project.site)
    return done


@pytest.mark.parametrize("host", HOSTS)
def test_builds(mkdocs_project, host):
    project = mkdocs_project(PAGES)
    project.commit("2024-01-02T03:04:05+00:00")
    is_flat = host == HOSTS[-1]
    done = run(project, host, "build", "--strict", *["--no-directory-urls"] * is_flat)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("INFO    -  sitemap-docs: 3 pages listed") == 1
    assert "WARNING" not in done.stderr
    pages = ["a.html", "b/index.html", "index.html"] if is_flat else ["", "a/", "b/"]
    expected = dict.fromkeys(pages, "2024-01-02T03:04:05+00:00")
    assert proven(project.site, "https://docs.example.org/") == expected


def test_a_wrong_setting_of_ours_fails_a_strict_build(mkdocs_project):
    """An error is a sentence and no traceback."""
    host = HOSTS[-1]
    project = mkdocs_project({**PAGES, "c.md": "---\nsitemap: {priority: 7}\n---\n"})
    with pytest.raises(import_module(f"{project.host}.exceptions").Abort):
        project.build(strict=True)
    assert "\n".join(project.messages).count("`sitemap: priority: 7` must be a number") == 1
    project.configure(options={"locales": {"de": "nowhere"}})
    done = run(project, host, "build")
    assert done.returncode == 1
    assert "The option `locales`, de: The base URL 'nowhere' must start with" in done.stderr
    assert "Traceback" not in done.stderr


LOADED = """
import {0}.__main__, sys
from {0}.plugins import BasePlugin, get_plugins
assert issubclass(get_plugins()["sitemap-docs"].load(), BasePlugin)
print(*sys.modules)
"""


def test_loading_the_package_loads_no_other_host():
    """Only what the command itself needs: MkDocs stays MkDocs where ProperDocs is installed, too."""
    loaded = subprocess.check_output([sys.executable, "-c", LOADED.format(HOSTS[0])], text=True).split()
    assert {"sphinx", *HOSTS[1:]}.isdisjoint(loaded)
