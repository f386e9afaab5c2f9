"""The manual's files to copy: they parse, ask for what dates need, and run.

A platform is imitated by its clone and its variables. What the pages' shell lines call runs for real, with
the packages of the tests, but for five programs: ``pip`` installs nothing, since all is installed,
``hugo`` is a script that writes two pages, ``aws`` one that copies a folder, ``gh`` one that keeps the text
of an issue, and the platforms' own actions are left out.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest
import tomli
import yaml

from tests.conftest import (
    alternates,
    command,
    commit,
    git,
    mkdocs_command,
    needs,
    proven,
    read_the_docs,
    sphinx_build,
    urlset,
    write,
)
from tests.manual.blocks import ALL, Block, blocks

pytestmark = pytest.mark.once

OLD, NEW = "2020-01-01T00:00:00+00:00", "2024-01-01T00:00:00+00:00"
DOMAIN = "https://docs.example.org/"

WORKFLOWS = [block for block in ALL if block.language == "yaml" and "\njobs:" in block.text]
PIPELINES = [block for block in ALL if block.language == "yaml" and "    paths: [public]" in block.text]


# --- what the files say -------------------------------------------------------------------------------------


def test_each_file_parses():
    for block in ALL:
        if block.language == "toml":
            assert block.data(), block
        elif block.language == "yaml":
            assert any(yaml.compose_all(block.text, yaml.SafeLoader)), block


def test_github_workflows():
    for workflow in (block.data() for block in WORKFLOWS):
        assert workflow[True]  # YAML 1.1 reads the key `on` so, and GitHub does not
        for job in workflow["jobs"].values():
            assert job["runs-on"] == "ubuntu-latest"
            used = {step["uses"].partition("@")[0]: step for step in job["steps"] if "uses" in step}
            assert all(re.search(r"@v\d+$", step["uses"]) for step in used.values())
            if "actions/checkout" in used:
                assert used["actions/checkout"]["with"] == {"fetch-depth": 0, "filter": "blob:none"}
            if "actions/deploy-pages" in used:
                allowed = job.get("permissions") or workflow["permissions"]
                assert allowed.items() >= {"pages": "write", "id-token": "write"}.items()
                assert job["environment"]
            if "actions/upload-pages-artifact" in used:
                folder = used["actions/upload-pages-artifact"]["with"]["path"]
                assert any(folder in step.get("run", "zensical") for step in job["steps"])


def test_our_own_actions_are_pinned():
    """By the hash of a commit, which nobody can move, with the version behind it."""
    workflows = [*Path(__file__).parents[2].glob(".github/workflows/*.yml")]
    if not workflows:
        pytest.skip("an sdist has no CI")
    used = re.findall(r"uses: +([^.\s].*)", "\n".join(file.read_text("utf-8") for file in workflows))
    assert used
    assert [line for line in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line)] == []
    assert len(set(used)) == len({line.partition("@")[0] for line in used}), "one version of each action"


def test_gitlab_pipelines():
    for jobs in (block.data() for block in PIPELINES):
        for job in (job for job in jobs.values() if "artifacts" in job):
            assert str(job["variables"]["GIT_DEPTH"]) == "0"
            assert job["artifacts"]["paths"] == ["public"]
            assert any("public" in line for line in job["script"])
            assert job["rules"]
        assert any(name.startswith("pages") for name in jobs)


def test_read_the_docs_file():
    file, instead = (b.data() for b in ALL if b.page == "read-the-docs" and b.section.startswith("A file"))
    assert file["version"] == 2
    commands = ["git fetch --unshallow --filter=blob:none || git fetch --unshallow || true"]
    assert file["build"]["jobs"]["post_checkout"] == commands
    assert set(file["build"]) >= {"os", "tools"}
    assert file["sphinx"]["fail_on_warning"]
    assert instead["mkdocs"]["configuration"] == "mkdocs.yml"


# --- what the lines do --------------------------------------------------------------------------------------

PROGRAMS = {
    "pip": "exit 0",
    "python": '[ "$1 $2" = "-m pip" ] && exit 0\nexec {python} "$@"',
    "aws": '[ "$3" = tree/ ] && cp -R tree/. ../bucket || cp -R ../bucket/. tree',
    "gh": 'cp "$6" ../issue.md',
    "hugo": 'mkdir -p "$2/guide"\nfor page in "" guide/; do\n'
    'echo "<html><head><title>x</title><link rel=canonical href=$4$page></head><body></body></html>" '
    '> "$2/${{page}}index.html"\ndone',
}
SPHINX = {"docs/index.rst": "Home\n====\n", "docs/guide.rst": ":orphan:\n\nGuide\n=====\n"}
MARKDOWN = {"docs/index.md": "# Home\n", "docs/guide.md": "# Guide\n"}
CONTENT = {"content/_index.md": "Home\n", "content/guide.md": "Guide\n"}
SOURCES = {"Sphinx": SPHINX, "MkDocs": MARKDOWN, "Any other generator": CONTENT}


#: What runs in this process, where the shell has nothing to do.
MAINS = {"python -m sphinx": sphinx_build, "mkdocs": mkdocs_command, "sitemap-docs": command}
HERE = re.compile(rf"({'|'.join(MAINS)}) ([^|&<>]*)")


def commands(line: str) -> list[str]:
    """The commands of a line, each of which must succeed; a block of lines stays as it is."""
    return [line] if "\n" in line.strip() else re.split("; | && ", line)


class Project:
    """The repository of somebody who copied from the manual, and the platform's clone of it."""

    def __init__(self, root: Path) -> None:
        self.origin, self.clone, self.programs = root / "origin", root / "clone", root / "bin"
        self.programs.mkdir()
        for name, script in PROGRAMS.items():
            program = self.programs / name
            program.write_text(f"#!/bin/sh\n{script.format(python=sys.executable)}\n", encoding="utf-8")
            program.chmod(0o755)

    def copy(self, files: dict[str, str]) -> None:
        """Commits the files; the guide comes last and is dated NEW, all else is OLD."""
        if self.origin.exists():
            return
        self.origin.mkdir()
        git(self.origin, "init", "-q", "-b", "main")
        git(self.origin, "config", "uploadpack.allowFilter", "true")
        files = {**files, ".gitignore": "/_site/\n/public/\n/site/\n/_build/\n*.mo\n"}
        for date, newer in ((OLD, False), (NEW, True), ("2024-05-01T00:00:00+00:00", None)):
            chosen = {name: text for name, text in files.items() if ("guide" in name) is newer}
            commit(write(self.origin, chosen if newer is not None else {"notes.txt": "x"}), date=date)

    def check_out(self, files: dict[str, str], *options: str) -> None:
        """Makes a clone of the repository that has these files."""
        self.copy(files)
        git(self.origin.parent, "clone", "-q", *options, self.origin.as_uri(), str(self.clone))

    def run(self, lines: list[str], environ: dict[str, str]) -> str:
        """What the lines print: each command in a shell of its own, but for those that can run here."""
        reported = ""
        path = os.pathsep.join([str(self.programs), str(Path(sys.executable).parent), os.environ["PATH"]])
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.clone)
            for name, value in {**environ, "PATH": path, "CI": "true"}.items():
                patch.setenv(name, value)
            for part in chain.from_iterable(map(commands, lines)):
                if found := HERE.fullmatch(part):
                    main, words = MAINS[found[1]], shlex.split(os.path.expandvars(found[2]))
                    code, out, err = main(*words)
                else:
                    shell = ["bash", "-e", "-c", part]
                    done = subprocess.run(shell, capture_output=True, text=True, check=False)
                    code, out, err = done.returncode, done.stdout, done.stderr
                reported += out + err
                assert code == 0, reported
        return reported


@pytest.fixture
def project(tmp_path) -> Project:
    return Project(tmp_path)


def found(page: str, section: str) -> tuple[dict[str, str], list[Block]]:
    """The files that a section gives, and its other blocks."""
    here = [block for block in blocks(page) if block.section == section]
    files = {block.file: block.text for block in here if block.file}
    return files, [block for block in here if not block.file]


def github(
    project: Project, page: str, section: str, sources: dict[str, str], outputs: dict[str, str] | None = None
) -> str:
    """Runs a workflow, or the steps that a section puts in place of those of the page on GitHub Pages."""
    files, others = found(page, section)
    first = next(block for block in WORKFLOWS if block.page == "github-pages")
    name = ".github/workflows/docs.yml"
    workflow = yaml.safe_load(files.get(name, first.text))
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    if name not in files:
        steps = next(block.data() for block in others if block.language == "yaml")
    environ = {name: value for job in workflow["jobs"].values() for name, value in job.get("env", {}).items()}
    lines = [step["run"] for step in steps if "run" in step]
    for output, value in (outputs or {}).items():
        lines = [line.replace(f"${{{{ {output} }}}}", value) for line in lines]
    assert not [line for line in lines if "${{" in line]
    project.check_out({**sources, **files}, "--filter", "blob:none")  # as test_github_workflows finds in each
    return project.run(lines, {"GITHUB_ACTIONS": "true", **environ})


WAYS = [
    pytest.param("Sphinx", marks=needs("sphinx")),
    pytest.param("MkDocs", marks=needs("mkdocs")),
    "Any other generator",
]
DATES = {"": OLD, "guide/": NEW}


@pytest.mark.parametrize("way", WAYS)
def test_github_pages(project, way):
    address = "https://name.github.io/project"
    reported = github(project, "github-pages", way, SOURCES[way], {"steps.pages.outputs.base_url": address})
    base = f"{address}/" if way == "Any other generator" else DOMAIN
    assert proven(project.clone / "_site", base) == DATES
    assert "2 pages listed" in reported
    assert (project.clone / "_site/robots.txt").exists() == (base == DOMAIN)


@pytest.mark.parametrize("way", WAYS)
def test_gitlab_pages(project, way):
    """The job for merge requests builds a preview, which has no sitemap."""
    address = "https://docs.example.org" if way == "MkDocs" else "https://group.gitlab.io/project"
    files, others = found("gitlab-pages", way)
    deploying, preview = (
        next(iter(block.data().items())) for block in PIPELINES if block.page == "gitlab-pages"
    )
    (name, job), lines = deploying, others[0].data() if others else []
    project.check_out({**SOURCES[way], **files})  # whole, as test_gitlab_pipelines finds in each
    environ = {"GITLAB_CI": "true", "CI_JOB_NAME": name, "CI_PAGES_URL": address}
    reported = project.run(job["script"] if way == "Sphinx" else lines, environ)
    assert proven(project.clone / "public", f"{address}/") == DATES
    assert (project.clone / "public/robots.txt").exists() == (way == "MkDocs")
    assert ("only https://group.gitlab.io/robots.txt" in reported) != (way == "MkDocs")
    if way == "Sphinx":
        name, job = preview
        shutil.rmtree(project.clone / "public")
        environ |= {"CI_JOB_NAME": name, "CI_PAGES_URL": "https://x.gitlab.io/p/mr-1"}
        project.run(job["script"], {**environ, "CI_PIPELINE_SOURCE": "merge_request_event"})
        assert (project.clone / "public/guide/index.html").exists()
        assert not (project.clone / "public/sitemap.xml").exists()


@needs("mkdocs")
def test_a_job_that_builds_and_another_that_checks(project):
    """The second has its own clone elsewhere, and what the first keeps: a page is left out by an option."""
    block = next(block for block in ALL if block.page == "record" and "--record record.jsonl" in block.text)
    pipeline = block.data()
    site = "site_name: Example\nplugins:\n  - sitemap-docs:\n      excludes: [guide.md]\n"
    site += "      record: record.jsonl\n"
    project.check_out({**MARKDOWN, "mkdocs.yml": f"{site}site_url: https://docs.example.org/\n"})
    project.run(pipeline["build"]["script"], {})
    built = project.clone.rename(project.clone.with_name("first"))
    project.clone = project.clone.with_name("second")
    project.check_out({})
    for path in pipeline["build"]["artifacts"]["paths"]:
        (built / path).rename(project.clone / path)
    shutil.rmtree(built)
    project.run(pipeline["check"]["script"], {"XDG_CACHE_HOME": str(project.clone / "no cache")})


@needs("mkdocs")
def test_outdated_pages(project):
    """The issue has all pages, the oldest first."""
    site = "site_name: Example\nsite_url: https://docs.example.org/\nplugins: [sitemap-docs]\n"
    files, _ = found("audit", "Outdated pages: a monthly list")
    (job,) = yaml.safe_load(files[".github/workflows/outdated.yml"])["jobs"].values()
    project.check_out({**MARKDOWN, "mkdocs.yml": site})
    project.run([step["run"] for step in job["steps"] if "run" in step], {"GITHUB_ACTIONS": "true"})
    rows = (project.clone.parent / "issue.md").read_text().splitlines()[-2:]
    how = ("--reverse", "-2", "--format=%h", "--abbrev=12")
    commits = git(project.origin, "log", *how, "--", "docs").split()
    names = ("docs/index.md", "docs/guide.md")
    for row, name, commit_id in zip(rows, names, commits, strict=True):
        assert name in row
        assert f"(commit {commit_id})" in row


@needs("mkdocs")
@pytest.mark.parametrize("platform", ["GitHub Actions", "GitLab CI"])
def test_cached_dates(project, platform):
    """The first build fetches the whole history, and the next one only a few commits."""
    recipes = found("dates", "Cache the dates of a large repository in CI")[1]
    github_actions, gitlab = (recipe.data() for recipe in recipes)
    site = "site_name: Example\nsite_url: https://docs.example.org/\nplugins: [sitemap-docs]\n"
    files = {**MARKDOWN, "mkdocs.yml": site}
    if platform == "GitHub Actions":
        check_out, restore, fetch, save = github_actions["steps"]
        assert check_out["with"] == {"fetch-depth": 50}
        assert restore["with"].items() >= save["with"].items()
        assert fetch["if"] == f"steps.{restore['id']}.outputs.cache-matched-key == ''"
        lines, path = [fetch["run"]], Path(restore["with"]["path"].replace("~", str(project.origin.parent)))
        environ = {"HOME": str(project.origin.parent), "XDG_CACHE_HOME": ""}
    else:
        (job,) = gitlab.values()
        assert job["variables"]["GIT_DEPTH"] == "50"
        lines, path = job["before_script"], project.clone / job["cache"]["paths"][0]
        home = job["variables"]["XDG_CACHE_HOME"].replace("$CI_PROJECT_DIR", str(project.clone))
        environ = {"XDG_CACHE_HOME": home}
    for number in range(2):
        project.check_out(files, "--depth", "2")  # The repository of this test has only three commits.
        if number and platform == "GitLab CI":
            shutil.copytree(project.origin.parent / "kept", path)
        fetched = lines if platform == "GitLab CI" or number == 0 else []
        project.run([*fetched, "mkdocs build"], environ)
        is_shallow = git(project.clone, "rev-parse", "--is-shallow-repository").strip()
        assert is_shallow == ("true" if number else "false")
        assert proven(project.clone / "site", DOMAIN) == DATES
        assert [*path.iterdir()]
        if number == 0:
            shutil.copytree(path, project.origin.parent / "kept")
            commit(write(project.origin, {"notes.txt": "y"}), date="2024-06-01T00:00:00+00:00")
            shutil.rmtree(project.clone)


@pytest.mark.parametrize("way", WAYS)
def test_netlify(project, way):
    files, _ = found("netlify", way)
    build = tomli.loads(files["netlify.toml"])["build"]
    project.check_out({**SOURCES[way], **files}, "--filter", "blob:none")
    project.run([build["command"]], {"NETLIFY": "true", "CONTEXT": "production", "URL": DOMAIN.rstrip("/")})
    assert proven(project.clone / build["publish"], DOMAIN) == DATES
    assert (project.clone / build["publish"] / "robots.txt").exists()


@pytest.mark.parametrize("way", WAYS)
def test_cloudflare_pages(project, way):
    files, others = found("cloudflare-pages", way)
    project.check_out({**SOURCES[way], **files}, "--depth", "1")
    environ = {"CF_PAGES": "1", "CF_PAGES_BRANCH": "main", "CF_PAGES_URL": "https://7fd3d2ef.docs.pages.dev"}
    reported = project.run([others[0].text], environ)
    assert "shallow:" not in reported
    assert proven(project.clone / "_site", DOMAIN) == DATES
    assert (project.clone / "_site/robots.txt").exists()


@needs("sphinx")
def test_latest_with_stable_as_canonical(project, monkeypatch):
    """`stable` is built after `latest`, which has no sitemap."""
    (block,) = found("read-the-docs", "`latest` with `stable` as the canonical version")[1]
    project.check_out({**SPHINX, "docs/conf.py": f'extensions = ["sitemap_docs"]\n{block.text}'})
    site = project.clone / "_site"
    monkeypatch.chdir(project.clone)
    for version in ("latest", "stable"):
        read_the_docs(monkeypatch, f"{DOMAIN}en/{version}/", _VERSION=version)
        done = sphinx_build("-W", "-b", "dirhtml", "docs", "_site")
        assert done.code == 0, done.warnings
        stable = f'<link rel="canonical" href="{DOMAIN}en/stable/guide/"'
        assert stable in (site / "guide/index.html").read_text(encoding="utf-8")
        assert (site / "sitemap.xml").exists() == (version == "stable")
    assert proven(site, f"{DOMAIN}en/stable/") == DATES


@needs("sphinx")
@pytest.mark.parametrize("setting", ["", 'sitemap_url_scheme = "{lang}latest/{link}"\n'])
def test_switching_on_read_the_docs(project, setting):
    """The build on a machine of one's own writes the sitemap that Read the Docs would write."""
    conf = f'extensions = ["sitemap_docs"]\nsitemap_locales = ["en", "de"]\n{setting}'
    project.check_out({**SPHINX, "docs/conf.py": conf})
    reported = project.run(prompts("switching"), {})
    assert "No errors or warnings (" in reported
    sitemap = (project.clone / "_build/html/sitemap.xml").read_text(encoding="utf-8")
    assert f"<loc>{DOMAIN}en/latest/guide.html</loc><lastmod>{NEW}</lastmod>" in sitemap
    assert f'href="{DOMAIN}de/latest/guide.html"' in sitemap


@needs("mkdocs", "material")
def test_first_steps(project):
    """The tutorial with a project of the same shape: the lines at a prompt, then those of the workflow."""
    url = "https://www.python-httpx.org/"
    mkdocs = f"site_name: HTTPX\nsite_url: {url}\ntheme: {{name: material, font: false}}\n"
    files = {"docs/quickstart.md": "# Start\n", "mkdocs.yml": mkdocs, "requirements.txt": "mkdocs\n"}
    project.check_out({**MARKDOWN, **files})
    plugins = next(b.text for b in blocks("first-steps") if "plugins" in b.text and not b.file)
    (workflow,) = found("first-steps", "6. Check every pull request")[0].items()
    write(project.clone, dict([("mkdocs.yml", mkdocs + plugins), workflow]))
    lines = prompts("first-steps")
    setting_up, ours = lines[:4], lines[4:]
    assert all(line.startswith(("git clone", "cd", "python -m venv", "python -m pip")) for line in setting_up)
    who = {f"GIT_{role}_{part}": "x" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
    reported = project.run(ours, who)
    promised = (
        "3 pages listed",
        "made of docs/quickstart.md",
        "decision:  listed",
        "No errors or warnings (",
    )
    assert [text for text in promised if text not in reported] == []
    assert (project.clone / "report.html").exists()
    assert proven(project.clone / "site", url) == {"": OLD, "guide/": NEW, "quickstart/": OLD}
    assert git(project.clone, "log", "-1", "--format=%D").strip() == "HEAD -> sitemap"
    (job,) = yaml.safe_load(workflow[1])["jobs"].values()
    assert "::error" not in project.run([step["run"] for step in job["steps"] if "run" in step], {})


@needs("zensical")
def test_zensical(project):
    options = next(b.text for b in blocks("zensical") if b.section == "Options" and b.language == "toml")
    reported = github(project, "zensical", "In CI", {**MARKDOWN, "zensical.toml": options})
    sample = next(b.text for b in blocks("zensical") if b.language == "console").splitlines()
    shown = [line for line in sample if not line.startswith("$") and " listed, " not in line]
    assert [line for line in shown if line not in reported.splitlines()] == []
    assert proven(project.clone / "_site", DOMAIN) == DATES


@needs("mike", "mkdocs", "material")
def test_mike(project):
    section = "Set up mike and the sitemap"
    for version in ("1.0", "2.0"):
        reported = github(project, "mike", section, MARKDOWN, {"github.ref_name": version})
        assert "run `sitemap-docs join`" in reported
        assert "Add there" not in reported
        tree = project.clone / "tree"
        assert proven(tree / "latest", f"{DOMAIN}latest/") == DATES
        listed = [*alternates(tree / "sitemap.xml")]
        assert git(project.origin, "show", "gh-pages:sitemap.xml") == (tree / "sitemap.xml").read_text()
        assert git(project.origin, "show", "gh-pages:robots.txt").endswith(f"{DOMAIN}sitemap.xml\n")
        shutil.rmtree(project.clone)
    assert listed == ["latest/sitemap.xml"]  # the others have a canonical link to it
    assert git(project.origin, "show", "gh-pages:latest") == "2.0"  # a symbolic link
    for version in ("1.0", "2.0"):
        page = git(project.origin, "show", f"gh-pages:{version}/guide/index.html")
        assert f'href="{DOMAIN}latest/guide/"' in page
    assert "url=latest/" in git(project.origin, "show", "gh-pages:index.html")


@needs("mike", "mkdocs", "material")
def test_old_versions_with_mike(project):
    """The check finds nothing after the workflow. A version from before is deployed, and not as `latest`.

    The copy for checks may exist while mike deploys, and it gets the new version.
    """
    github(project, "mike", "Set up mike and the sitemap", MARKDOWN, {"github.ref_name": "2.0"})
    shutil.rmtree(project.clone)
    git(project.origin, "tag", "1.0", "HEAD~1")
    project.check_out({})
    checks = prompts("mike", "Check the site")
    assert "No errors or warnings (" in project.run(checks[:3], {})
    who = ['git config user.name "x"', 'git config user.email "x@example.org"']
    project.run([*who, *prompts("mike", "Versions from before you used sitemap-docs")], {})
    assert git(project.origin, "show", "gh-pages:latest") == "2.0"
    assert "<title>" in git(project.origin, "show", "gh-pages:1.0/index.html")
    project.run(checks[3:-1], {})
    assert git(project.clone, "-C", "tree", "status", "--porcelain") == ""
    assert (project.clone / "tree/1.0/index.html").exists()


@needs("mike", "mkdocs", "material")
def test_renamed_pages_with_mike(project):
    """With the lines for the record, the old version of a renamed page links to the new address."""
    _, (options, join) = found("mike", "Pages that you rename")
    files, _ = found("mike", "Set up mike and the sitemap")
    settings = files["mkdocs.yml"].replace("  - sitemap-docs\n", options.text.partition("plugins:\n")[2])
    (workflow,) = (text for name, text in files.items() if "workflows" in name)
    (line,) = re.findall(r"sitemap-docs join .*", workflow)
    recipe = yaml.safe_load(workflow.replace(line, join.text.strip()))
    lines = [step["run"] for step in recipe["jobs"]["docs"]["steps"] if "run" in step]
    project.copy({**MARKDOWN, "mkdocs.yml": settings})
    for version in ("1.0", "2.0"):
        project.check_out({}, "--filter", "blob:none")
        project.run([text.replace("${{ github.ref_name }}", version) for text in lines], {})
        shutil.rmtree(project.clone)
        if version == "1.0":
            git(project.origin, "mv", "docs/guide.md", "docs/teams.md")
            git(project.origin, "commit", "-q", "-m", "Rename the guide")
    page = git(project.origin, "show", "gh-pages:1.0/guide/index.html")
    assert f'href="{DOMAIN}latest/teams/"' in page


def prompts(page: str, section: str = "") -> list[str]:
    """The lines at a prompt of a section, or of the whole page."""
    texts = [block.text for block in blocks(page) if section in ("", block.section)]
    return re.findall(r"^\$ (.*)", "".join(texts), re.MULTILINE)


def page_at(address: str) -> str:
    head = f'<title>{address}</title><link rel="canonical" href="{DOMAIN}{address}">'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>x</body></html>\n'


def test_several_sites_in_one_repository(project):
    """Each is dated by its own files, and one index has the sitemaps of both."""
    project.check_out({"api/docs/index.md": "# API\n", "app/docs/guide/index.md": "# App\n"})
    addresses = ("api/", "app/", "app/guide/")
    write(project.clone, {f"public/{address}index.html": page_at(address) for address in addresses})
    write(project.clone, {"app/docs/index.md": "# Not committed\n"})
    project.run(prompts("any-folder", "Monorepo: several sites in one repository"), {})
    assert proven(project.clone / "public/api", f"{DOMAIN}api/") == {"": OLD}
    assert proven(project.clone / "public/app", f"{DOMAIN}app/") == {"": None, "guide/": NEW}
    assert set(joined(project.clone / "public")) == {"api/", "app/", "app/guide/"}


def test_one_index_for_several_projects(project, loopback):
    """The sitemaps are on the web, and the index has the newest date of each."""
    base = loopback.url()
    for number, name in enumerate(("project", "library"), 1):
        page = f"<url><loc>{base}{name}/</loc><lastmod>2024-01-0{number}</lastmod></url></urlset>"
        loopback.serve(f"/{name}/sitemap.xml", urlset().replace("</urlset>", page).encode())
    project.check_out(CONTENT)
    (line,) = prompts("large-sites", "One index for several projects on one host")
    project.run([line.replace("https://name.github.io/", base)], {})
    index = (project.clone / "site/sitemap.xml").read_text()
    found = re.findall(r"<loc>([^<]+)</loc><lastmod>([^<]+)<", index)
    dates = [("project/", "2024-01-01"), ("library/", "2024-01-02")]
    assert sorted(found) == sorted((f"{base}{path}sitemap.xml", date) for path, date in dates)
    assert f"Sitemap: {base}sitemap.xml\n" in (project.clone / "site/robots.txt").read_text()


@needs("mkdocs")
def test_the_bucket_recipe_edits_old_versions_and_repeating_it_changes_nothing(project):
    """The old versions come from the bucket and go back edited.

    An earlier build of the new version in the bucket does not replace the new build.
    """
    mkdocs = f"site_name: x\nsite_url: {DOMAIN}3.0/\nplugins: [sitemap-docs]\n"
    project.check_out({**MARKDOWN, "mkdocs.yml": mkdocs})
    bucket = project.origin.parent / "bucket"
    addresses = [f"{name}/{page}" for name in ("1.0", "3.0") for page in ("", "guide/")]
    write(bucket, {f"{address}index.html": page_at(address) for address in addresses})
    write(bucket, {"1.0/sitemap.xml": urlset(f"{DOMAIN.replace('docs', 'old')}1.0/")})
    lines = prompts("versions", "Old versions in a bucket")
    project.run(lines, {})
    assert f'href="{DOMAIN}3.0/guide/"' in (bucket / "1.0/guide/index.html").read_text()
    assert '<h1 id="guide">Guide</h1>' in (bucket / "3.0/guide/index.html").read_text()
    assert [*alternates(bucket / "sitemap.xml")] == ["3.0/sitemap.xml"]

    def without_build_time() -> dict[Path, bytes]:
        files = {file: file.read_bytes() for file in bucket.rglob("*") if file.is_file()}
        del files[bucket / "3.0/index.html"]  # MkDocs writes the time of the build into it
        return files

    before = without_build_time()
    project.run(lines, {})
    assert without_build_time() == before


def joined(site: Path) -> dict[str, dict[str, str]]:
    """The alternates in all sitemaps of an index."""
    assert f"Sitemap: {DOMAIN}sitemap.xml" in (site / "robots.txt").read_text()
    found = {}
    for child in alternates(site / "sitemap.xml"):
        found |= alternates(site / child)
    return found


def mutual(*paths: str, default: str) -> dict[str, dict[str, str]]:
    """Each path of a page in each language → those of all languages."""
    links = {path[:2]: path for path in paths}
    return {path: {**links, "x-default": links[default]} for path in paths}


CATALOG = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "{}"\nmsgstr "{}"\n'


@needs("sphinx")
def test_sphinx_intl(project):
    catalogs = {
        f"locale/de/LC_MESSAGES/{name}.po": CATALOG.format(*texts)
        for name, texts in {"guide": ("Guide", "Anleitung"), "index": ("Home", "Start")}.items()
    }
    files, _ = found("languages", "Sphinx: sphinx-intl")
    github(project, "languages", "Sphinx: sphinx-intl", {**SPHINX, **catalogs, **files})
    site = project.clone / "_site"
    pages = mutual("en/", "de/", default="en") | mutual("en/guide/", "de/guide/", default="en")
    assert joined(site) == pages
    assert "Anleitung" in (site / "de/guide/index.html").read_text(encoding="utf-8")
    assert proven(site / "de", f"{DOMAIN}de/") == DATES


def test_one_folder_for_each_language(project):
    _, (block,) = found("languages", "One folder for each language")
    project.check_out({"content/en/_index.md": "", "content/de/_index.md": "x", "content/en/guide.md": "y"})
    pages = (f"_site/{name}.html" for name in ("en/index", "en/guide/index", "de/index"))
    write(project.clone, dict.fromkeys(pages, "<html><head><title>x</title></head><body></body></html>"))
    project.run(block.text.splitlines(), {})
    assert joined(project.clone / "_site") == mutual("en/", "de/", default="en") | {"en/guide/": {}}


@needs("mkdocs_static_i18n")
def test_static_i18n(project):
    files, _ = found("languages", "MkDocs: mkdocs-static-i18n")
    pages = {"docs/en/index.md": "# Home", "docs/de/index.md": "# Start", "docs/en/guide.md": ""}
    project.check_out({**files, **pages})
    project.run(["mkdocs build --strict"], {})
    home = {"en": "", "de": "de/", "x-default": ""}
    assert alternates(project.clone / "site/sitemap.xml") == {"": home, "de/": home, "guide/": {}}
