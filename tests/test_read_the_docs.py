"""A build of Read the Docs, imitated: its clone, its environment and its commands, in their order.

Sources: readthedocs.org's vcs_support/backends/git.py and doc_builder (clone, fetch and commands), and
https://docs.readthedocs.com/platform/stable/reference/environment-variables.html.
"""

import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import MkDocsProject, commit, git, look_again, needs, proven, sphinx_build, write

LINES = """\
In .readthedocs.yaml:
  build:
    jobs:
      post_checkout:
        - git fetch --unshallow --filter=blob:none || git fetch --unshallow || true"""
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
    conf = 'extensions = ["sitemap_docs"]\nhtml_theme = "basic"\nepub_copyright = "x"\nversion = "1"\n'
    files = {
        1: {
            "docs/conf.py": conf,
            "mkdocs.yml": "site_name: x\ntheme: mkdocs\nplugins: [sitemap-docs]\nexclude_docs: '*.py'\n",
            ".gitignore": "/docs/_build/\n/_readthedocs/\n",
        }
    }
    for name, changes in CHANGES.items():
        for change in changes:
            page = files.setdefault(change, {})
            page[f"docs/{name}.rst"] = f":orphan:\n\n{name}\n=====\n\n{change}\n"
            page[f"docs/{name}.md"] = f"# {name}\n\n{change}\n"
    for number in range(1, HEAD + 1):
        commit(write(root, files.get(number, {"notes.txt": f"{number}\n"})), date=day(number))
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
        self.root, self.version, self.site = root, version, root / "_readthedocs" / "html"
        git(root.parent, "clone", "-q", "--depth", "1", origin.as_uri(), str(root))
        fetch = ("fetch", "-q", "origin", "--force", "--prune", "--prune-tags", "--depth", "50")
        git(root, *fetch, version.refspec)
        git(root, "checkout", "-q", "--force", version.checkout)
        said = {"_VERSION": version.slug, "_VERSION_NAME": version.slug, "_VERSION_TYPE": version.kind}
        said |= {"": "True", "_LANGUAGE": version.language, "_CANONICAL_URL": version.url}
        said |= {"_OUTPUT": f"{self.site.parent}/", "_REPOSITORY_PATH": str(root)}
        said["_GIT_IDENTIFIER"] = version.checkout.removeprefix("origin/")
        for name, value in said.items():
            monkeypatch.setenv(f"READTHEDOCS{name}", value)
        monkeypatch.chdir(root / "docs")

    def sphinx(self, builder: str) -> str:
        """What its command prints; it runs in the folder of conf.py."""
        language = self.version.language.replace("pt-br", "pt_BR")
        common = ["-T", "-W", "--keep-going", "-b", builder, "-d", "_build/doctrees", "-D"]
        done = sphinx_build(*common, f"language={language}", ".", str(self.site))
        assert done.code == 0, done.warnings
        look_again(self.site)
        return done.status + done.warnings

    def mkdocs(self) -> str:
        """The messages of its command, ``mkdocs build --clean --strict --site-dir``."""
        project = MkDocsProject(self.root)
        project.site = self.site
        return "\n".join(project.build(strict=True, site_dir=str(self.site)))


@pytest.fixture
def build(tmp_path, origin, monkeypatch):
    return lambda version: Build(tmp_path / "checkout", origin, version, monkeypatch)


@needs("sphinx")
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning")  # theirs
@pytest.mark.parametrize(("version", "builder", "end"), [(LATEST, "dirhtml", "/"), (TAG, "html", ".html")])
def test_a_version(build, version, builder, end):
    """The default version, and a tag of a translation, on a domain of its own."""
    built = build(version)
    reported = built.sphinx(builder)
    home = "" if end == "/" else "index.html"
    dates = {home: day(40), f"late{end}": day(55), f"old{end}": None}
    assert proven(built.site, version.url) == dates
    assert reported.count("The clone is shallow") == reported.count(LINES) == 1
    assert "the last change of 1 of 3" in reported
    assert "sitemap-docs: 3 pages listed, 2 left out (2 generated), 2 dated" in reported
    again = (built.site / "sitemap.xml").read_bytes()
    built.sphinx(builder)
    assert (built.site / "sitemap.xml").read_bytes() == again


@needs("mkdocs")
@pytest.mark.parametrize("version", [LATEST, TAG], ids=lambda version: version.slug)
def test_a_version_of_mkdocs(build, version):
    built = build(version)
    reported = built.mkdocs()
    dates = {"": day(40), "late/": day(55), "old/": None}
    assert proven(built.site, version.url) == dates
    assert reported.count("The clone is shallow") == 1
    assert UNSHALLOW in reported
    assert not [*built.site.rglob("robots.txt")]
    subprocess.run(UNSHALLOW, shell=True, cwd=built.root, check=True, capture_output=True)
    assert "shallow" not in built.mkdocs()
    assert proven(built.site, version.url) == dates | {"old/": day(2)}
