"""The recipes of the manual for the time after a deployment; test_documents.py calls their commands."""

import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from sitemap_docs.diff import FORMS
from sitemap_docs.notify import MEANINGS
from tests.conftest import BASE, Answer, commit, git, needs, passed, write
from tests.manual.blocks import PAGES, ROOT, blocks

pytestmark = pytest.mark.once

BLOCKS = blocks("after-you-deploy")
YAML = [block.data() for block in BLOCKS if block.language == "yaml"]
PIPELINES = [each for each in YAML if isinstance(each, dict) and each.keys() != {True}]  # `on` alone


def test_pipelines() -> None:
    assert len(PIPELINES) == 2
    for text in map(str, PIPELINES):
        assert (
            text.count("sitemap-docs notify") == text.count("sitemap-docs notify old.xml new.xml --send") == 1
        )


def test_the_action_is_used_before_and_after_the_deployment() -> None:
    (steps,) = (each for each in YAML if isinstance(each, list) and len(each) > 1)
    before, _, after = steps
    inputs = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["inputs"]
    assert set(before["with"]) == set(after["with"]) <= set(inputs)
    assert before["with"]["notify"] == "true"
    assert after["with"]["notify"] == f"${{{{ steps.{before['id']}.outputs.changed }}}}"


def test_the_last_sitemap_is_kept_where_it_was_submitted() -> None:
    """Both platforms save a cache after jobs that succeed; GitHub never replaces one."""
    for job in (job for pipeline in PIPELINES for job in pipeline.get("jobs", pipeline).values()):
        if "cache" in job:
            assert job["cache"] == {"key": "submitted", "paths": ["old.xml"]}
        for step in job.get("steps", []):
            if step.get("uses", "").startswith("actions/cache"):
                assert step["with"]["path"] == "old.xml"
                assert "github.run_attempt" in step["with"]["key"]


def test_every_answer_is_explained() -> None:
    text = PAGES["commands"].read_text(encoding="utf-8")
    table = text.partition("## Responses to `notify`")[2].partition("##")[0]
    assert set(map(int, re.findall(r"(?<!\d)[2-5]\d\d(?=[,\s][^|]*\|[^|]*\|[^|]*\|)", table))) == set(
        MEANINGS
    )


# --- pages that moved ---

TEXT = PAGES["after-you-deploy"].read_text(encoding="utf-8")
#: The places of the commands of the manual that compare a deployed site with a new folder, and their flags.
COMMANDS = sorted(set(re.findall(r"sitemap-docs diff (\S+) (\S+)((?: --[a-z-]+(?: [\w%-]+)?)*)", TEXT)))
PLACES = {'"$CI_PAGES_URL/sitemap.xml"', "https://docs.example.com/sitemap.xml"}


class Moved:
    """A site that was deployed, then built again after ``git mv`` of a page.

    Args:
        build: Builds the site again, in a folder.
        site: The folder of the new site.
        deployed: The address of the deployed sitemap.
    """

    def __init__(self, build: Callable[[], object], site: Path, deployed: str) -> None:
        self.build = build
        self.site = site
        self.deployed = deployed

    def diff(self, *flags: str) -> Answer:
        return passed("diff", self.deployed, self.site, *flags)


def page(title: str) -> str:
    return f"# {title}\n\n" + f"All about {title}.\n" * 9


@pytest.fixture
def deployed(loopback) -> Callable[[Path], str]:
    """Deploy the sitemap of a folder, and return its address."""

    def deploy(site: Path) -> str:
        loopback.serve("/sitemap.xml", (site / "sitemap.xml").read_bytes())
        return str(loopback.url("/sitemap.xml"))

    return deploy


@pytest.fixture
def mkdocs_site(mkdocs_project, deployed) -> Moved:
    project = mkdocs_project({"index.md": "# Home", "groups.md": page("Groups"), "guide/a.md": page("A")})
    project.commit("2024-01-01T00:00:00+00:00")
    project.build()
    address = deployed(project.site)
    git(project.root, "mv", "docs/groups.md", "docs/guide/teams.md")
    project.build()
    return Moved(project.build, project.site, address)


@pytest.mark.parametrize(("old", "new", "flags"), COMMANDS)
def test_each_command_shows_a_page_that_moved(mkdocs_site: Moved, old: str, new: str, flags: str) -> None:
    """The rename is staged only, or committed."""
    assert old in PLACES, "a command compares another place"
    assert new in {"site/", "_site", "public"}
    words = shlex.split(flags.replace("5%", "50%"))
    for _ in range(2):
        done = mkdocs_site.diff(*words)
        if "--redirects" in words:
            assert done.out == "'groups.md': 'guide/teams.md'\n"
        else:
            assert re.search(rf"{BASE}groups/\W.*→ .?{BASE}guide/teams/.?, no redirect", done.out), done.out
        git(mkdocs_site.site.parent, "commit", "-q", "--allow-empty", "-m", "Move")
        mkdocs_site.build()


def test_all_recipes_are_tried() -> None:
    assert len(COMMANDS) == 5
    table = TEXT.partition("### Redirect pages that moved")[2]
    assert re.findall(r"^\| `([\w-]+)` \|", table.partition("Commit these lines")[0], re.MULTILINE) == [
        *FORMS
    ]


def test_in_a_blobless_clone_as_the_recipes_make(
    mkdocs_site: Moved, mkdocs_project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = mkdocs_project.root
    git(root, "commit", "-q", "-m", "Move")
    git(root, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", root.as_uri(), "clone")
    monkeypatch.chdir(tmp_path / "clone")
    clone = type(mkdocs_project)(tmp_path / "clone")
    clone.build()
    shutil.rmtree(root)
    done = passed("diff", mkdocs_site.deployed, clone.site, "--redirects", "netlify")
    assert done.out == "/groups/ /guide/teams/ 301\n"


@needs("mkdocs_redirects")
def test_redirects_of_mkdocs_redirects(mkdocs_site: Moved, mkdocs_project) -> None:
    redirects = yaml.safe_load(mkdocs_site.diff("--redirects", "mkdocs-redirects").out)
    mkdocs_project.configure(after=[{"redirects": {"redirect_maps": redirects}}])
    mkdocs_site.build()
    assert f"{BASE}groups/  redirects to " in mkdocs_site.diff("--require-redirects").out


def test_redirects_of_a_host(mkdocs_site: Moved, mkdocs_project) -> None:
    mkdocs_project.write({"docs/_redirects": mkdocs_site.diff("--redirects", "netlify").out})
    mkdocs_site.build()
    assert f"{BASE}groups/  redirects to /guide/teams/" in mkdocs_site.diff("--require-redirects").out


@needs("sphinx_reredirects")
@pytest.mark.parametrize("builder", ["html", "dirhtml"])
@pytest.mark.parametrize("form", ["sphinx-reredirects", "netlify"])
def test_redirects_of_sphinx(sphinx_project, deployed, builder: str, form: str) -> None:
    project = sphinx_project("über uns", "guide/a", extensions=["sitemap_docs", "sphinx_reredirects"])
    project.commit("2024-01-01T00:00:00+00:00")
    project.build(builder)
    address = deployed(project.out)
    git(project.root, "mv", "src/über uns.rst", "src/guide/new.rst")
    shutil.rmtree(project.out)  # as in a new clone
    project.build(builder)
    lines = passed("diff", address, project.out, "--redirects", form).out
    if form == "netlify":
        project.write({"src/_redirects": lines})
        project.configure(html_extra_path=["_redirects"])
    else:
        project.configure(redirects=eval(f"{{{lines}}}"))
    project.build(builder)
    done = passed("diff", address, project.out, "--require-redirects")
    assert re.search(r"%C3%BCber%20uns\S*  redirects to ", done.out), done.out


def test_redirects_of_the_command(here, deployed) -> None:
    """A generator that is not known, with the folder of the sources as ``--source``."""

    def build() -> None:
        shutil.rmtree("site", ignore_errors=True)
        for source in Path("content").rglob("*.md"):
            name = source.relative_to("content").with_suffix(".html")
            write(Path("site"), {name.as_posix(): f"<title>x</title>{source.read_text('utf-8')}"})
        if Path("content/_redirects").exists():
            shutil.copy("content/_redirects", "site")
        passed("build", "site", "--source", "content", "--base-url", BASE)

    write(here, {f"content/{name}.md": page(name) for name in ("index", "groups", "guide/a")})
    write(here, {".gitignore": "/site/\n/cache/\n"})
    commit(here)
    build()
    moved = Moved(build, here / "site", deployed(here / "site"))
    git(here, "mv", "content/groups.md", "content/guide/teams.md")
    build()
    write(here, {"content/_redirects": moved.diff("--redirects", "netlify").out})
    build()
    assert f"{BASE}groups.html  redirects to /guide/teams.html" in moved.diff("--require-redirects").out
