"""A build of Read the Docs, imitated: its clone, its environment and its commands, in their order.

Sources: readthedocs.org's vcs_support/backends/git.py and doc_builder (clone, fetch and commands), and
https://docs.readthedocs.com/platform/stable/reference/environment-variables.html.
"""

from __future__ import annotations

import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import MkDocsProject, git, look_again, proven, sphinx_build, write

LINES = """\
In .readthedocs.yaml:
  build:
    jobs:
      post_checkout:
        - git fetch --unshallow || true"""
UNSHALLOW = LINES.rpartition("- ")[2]
HEAD = 60
#: file → which of the HEAD commits change it; the 50 newest of each version do not hold commit 3.
CHANGES = {"index": [1, 40], "old": [2], "late": [3, 55]}


def day(commit: int) -> str:
    """The date of a commit."""
    return f"2024-{1 + commit // 28:02}-{1 + commit % 28:02}T00:00:00+00:00"


@pytest.fixture(scope="module")
def origin(tmp_path_factory) -> Path:
    """A remote repository with main, and the tag v1 some commits before its end."""
    root = tmp_path_factory.mktemp("origin")
    git(root, "init", "-q", "-b", "main")
    conf = 'extensions = ["sitemap_docs"]\nhtml_theme = "basic"\nepub_copyright = "x"\nversion = "1"\n'
    files = {
        1: {
            "docs/conf.py": conf,
            "mkdocs.yml": "site_name: x\ntheme: mkdocs\nplugins: [sitemap-docs]\nexclude_docs: '*.py'\n",
            ".gitignore": "/docs/_build/\n/_readthedocs/\n",
        }
    }
    for name, commits in CHANGES.items():
        for commit in commits:
            page = files.setdefault(commit, {})
            page[f"docs/{name}.rst"] = f":orphan:\n\n{name}\n=====\n\n{commit}\n"
            page[f"docs/{name}.md"] = f"# {name}\n\n{commit}\n"
    for commit in range(1, HEAD + 1):
        write(root, files.get(commit, {"notes.txt": f"{commit}\n"}))
        git(root, "add", ".")
        git(root, "commit", "-q", "-m", f"Change {commit}", date=day(commit))
    git(root, "tag", "v1", "HEAD~2")
    return root


class Version(NamedTuple):
    """A version of the project: what Read the Docs fetches and checks out for it, and what it says of it."""

    slug: str
    kind: str
    refspec: str
    checkout: str
    url: str
    language: str = "en"


BASE = "https://example.readthedocs.io/en/latest/"
LATEST = Version("latest", "branch", "refs/heads/main:refs/remotes/origin/main", "origin/main", BASE)
TAG = Version("v1", "tag", "refs/tags/v1:refs/tags/v1", "v1", "https://docs.example.org/pt-br/v1/", "pt-br")


class Build:
    """One build, on a checkout that starts empty."""

    def __init__(self, root: Path, origin: Path, version: Version, monkeypatch) -> None:
        self.root = root
        self.version = version
        self.output = root / "_readthedocs"
        self._monkeypatch = monkeypatch
        git(root.parent, "clone", "-q", "--depth", "1", origin.as_uri(), str(root))
        fetch = ("fetch", "-q", "origin", "--force", "--prune", "--prune-tags", "--depth", "50")
        git(root, *fetch, version.refspec)
        git(root, "checkout", "-q", "--force", version.checkout)
        git(root, "clean", "-q", "-d", "-f", "-f")
        for name, value in self.environment().items():
            monkeypatch.setenv(name, value)

    def environment(self) -> dict[str, str]:
        said = {
            "": "True",
            "_VERSION": self.version.slug,
            "_VERSION_NAME": self.version.slug,
            "_VERSION_TYPE": self.version.kind,
            "_LANGUAGE": self.version.language,
            "_PROJECT": "example",
            "_OUTPUT": f"{self.output}/",
            "_CANONICAL_URL": self.version.url,
            "_REPOSITORY_PATH": str(self.root),
            "_GIT_CLONE_URL": "https://git.example.org/example/docs.git",
            "_GIT_IDENTIFIER": self.version.checkout.removeprefix("origin/"),
            "_GIT_COMMIT_HASH": git(self.root, "rev-parse", "HEAD").strip(),
            "_PRODUCTION_DOMAIN": "readthedocs.org",
        }
        return {f"READTHEDOCS{name}": value for name, value in said.items()}

    def post_checkout(self, *jobs: str) -> None:
        for job in jobs:
            subprocess.run(job, shell=True, cwd=self.root, check=True, capture_output=True)

    def sphinx(self, builder: str, folder: str) -> str:
        """What one of its commands prints; it runs in the folder of conf.py."""
        language = self.version.language.replace("pt-br", "pt_BR")
        common = ["-T", "-W", "--keep-going", "-b", builder, "-d", "_build/doctrees", "-D"]
        self._monkeypatch.chdir(self.root / "docs")
        done = sphinx_build(*common, f"language={language}", ".", str(self.output / folder))
        assert done.code == 0, done.warnings
        look_again(self.output / "html")
        return done.status + done.warnings

    def mkdocs(self) -> str:
        """The messages of its command, ``mkdocs build --clean --strict --site-dir``."""
        project = MkDocsProject(self.root)
        project.site = self.output / "html"
        return "\n".join(project.build(strict=True, site_dir=str(project.site)))


@pytest.fixture
def build(tmp_path, origin, monkeypatch):
    return lambda version: Build(tmp_path / "checkout", origin, version, monkeypatch)


def lastmods(spelled: dict[str, str], **commits: int | None) -> dict[str, str | None]:
    return {spelled[name]: commit and day(commit) for name, commit in commits.items()}


PAGES = {
    "html": {name: f"{name}.html" for name in CHANGES},
    "dirhtml": {"index": "", "old": "old/", "late": "late/"},
}
needs_sphinx = pytest.mark.skipif(not find_spec("sphinx"), reason="needs sphinx")
needs_mkdocs = pytest.mark.skipif(not find_spec("mkdocs"), reason="needs mkdocs")
theirs = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning")


@needs_sphinx
@theirs
@pytest.mark.parametrize(
    ("version", "builder"),
    [
        pytest.param(LATEST, "html", id="the default version"),
        pytest.param(LATEST, "dirhtml", id="the default version, dirhtml"),
        pytest.param(TAG, "html", id="a tag of a translation, on a domain of its own"),
    ],
)
def test_a_version(build, version, builder):
    built = build(version)
    reported = built.sphinx(builder, "html")
    dates = lastmods(PAGES[builder], index=40, old=None, late=55)
    assert proven(built.output / "html", version.url) == dates
    assert reported.count("The clone is shallow") == reported.count(LINES) == 1
    assert "the last change of 1 of 3" in reported
    assert "sitemap-docs: 3 pages listed, 2 left out (2 generated), 2 dated" in reported
    again = (built.output / "html/sitemap.xml").read_bytes()
    built.sphinx(builder, "html")
    assert (built.output / "html/sitemap.xml").read_bytes() == again


@needs_mkdocs
@pytest.mark.parametrize("version", [LATEST, TAG], ids=lambda version: version.slug)
def test_a_version_of_mkdocs(build, version):
    built = build(version)
    reported = built.mkdocs()
    assert proven(built.output / "html", version.url) == lastmods(
        PAGES["dirhtml"], index=40, old=None, late=55
    )
    assert reported.count("The clone is shallow") == 1
    assert UNSHALLOW in reported
    assert not [*built.output.rglob("robots.txt")]
    built.post_checkout(UNSHALLOW)
    assert "shallow" not in built.mkdocs()
    assert proven(built.output / "html", version.url) == lastmods(PAGES["dirhtml"], index=40, old=2, late=55)
