"""The GitHub Action and the GitLab component: their steps run as a runner runs them, on real sites."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pytest
import tomli as tomllib
import yaml
from packaging.requirements import Requirement

from sitemap_docs import __version__
from sitemap_docs.audit.rule_settings import SEVERITIES
from tests.audit.cases import change
from tests.conftest import BASE, Loopback, MkDocsProject, proven, urlset
from tests.manual.blocks import blocks

pytestmark = [pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell"), pytest.mark.once]

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
SPEC, JOBS = yaml.safe_load_all((ROOT / "templates" / "sitemap-docs.yml").read_text("utf-8"))
JOB = JOBS["sitemap-docs"]
STEPS = {step["id"]: step for step in ACTION["runs"]["steps"]}
PROGRAMS = Path(sys.executable).parent
EXPRESSION = re.compile(r"\$\{\{ *(.*?) *\}\}|\$\[\[ *(.*?) *\]\]")
HOSTILE = """a'"b $(touch pwned) `touch pwned` ${HOME}; touch pwned"""


class Ran(NamedTuple):
    """A step that ran: its exit status, its outputs, the job summary and the log."""

    status: int
    outputs: dict[str, str]
    summary: str
    log: str


def evaluated(text: object, values: dict[str, str]) -> str:
    """A value of the file with its expressions replaced, as both platforms do it before they run a step."""
    return EXPRESSION.sub(lambda match: values[match[1] or match[2]], spelled(text))


def spelled(value: object) -> str:
    """A value as both write it into a text: a YAML `true` in small letters."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def given(declared: dict[str, object], inputs: dict[str, str]) -> dict[str, str]:
    """The values of the inputs: the defaults, or what is given, where `_` stands for `-`."""
    written = {name.replace("_", "-"): value for name, value in inputs.items()}
    return {f"inputs.{name}": spelled(value) for name, value in {**declared, **written}.items()}


def script(
    shell: str, lines: list[str], cwd: Path, programs: Path = PROGRAMS, **environ: str
) -> subprocess.CompletedProcess:
    command = {"bash": ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"], "sh": ["sh", "-e", "-c"]}
    environ |= {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    line = [*command[shell], "\n".join(lines)]
    return subprocess.run(
        line, cwd=cwd, env=os.environ | environ, capture_output=True, text=True, check=False
    )


def step(name: str, folder: Path, values: dict[str, str]) -> Ran:
    """Runs a step of the action in ``folder`` as GitHub's runner does."""
    temporary = folder.parent / "runner"
    temporary.mkdir(exist_ok=True)
    files = {key: temporary / key for key in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for file in files.values():
        file.write_text("", encoding="utf-8")
    paths = {"RUNNER_TEMP": temporary, "GITHUB_ACTION_PATH": ROOT, "GITHUB_WORKSPACE": folder, **files}
    environ = {key: evaluated(text, values) for key, text in STEPS[name].get("env", {}).items()}
    environ |= {key: str(path) for key, path in paths.items()} | {"GITHUB_ACTIONS": "true"}
    done = script("bash", [STEPS[name]["run"]], folder, **environ)
    outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text("utf-8").splitlines())
    summary = files["GITHUB_STEP_SUMMARY"].read_text("utf-8")
    return Ran(done.returncode, outputs, summary, done.stdout + done.stderr)


def check(folder: Path, programs: Path = PROGRAMS, name: str = "check", **inputs: str) -> Ran:
    """Runs the step that builds and checks, or another, with the action's defaults.

    The step that reads the inputs comes first. If it fails, it is the last.
    """
    values = given({name: each.get("default", "") for name, each in ACTION["inputs"].items()}, inputs)
    read = step("inputs", folder, values)
    if read.status:
        return read
    values |= {f"steps.inputs.outputs.{name}": value for name, value in read.outputs.items()}
    values |= {"steps.install.outputs.programs": str(programs)}
    values |= {"steps.install.outputs.folder": str(folder.parent / "runner")}
    return step(name, folder, values)


def component(
    folder: Path,
    shell: str = "bash",
    job: str = "sitemap-docs",
    programs: Path = PROGRAMS,
    variables: Mapping[str, str] = MappingProxyType({}),
    **inputs: str,
) -> subprocess.CompletedProcess:
    """Runs the script of a GitLab job in ``folder``. ``variables`` are those in the settings of the project.

    They take precedence over the variables of a job: https://docs.gitlab.com/ci/variables/
    """
    values = given({name: each["default"] for name, each in SPEC["spec"]["inputs"].items()}, inputs)
    environ = {key: evaluated(text, values) for key, text in JOBS[job]["variables"].items()}
    environ |= {"CI_PROJECT_DIR": str(folder), **variables}
    return script(shell, JOBS[job]["script"], folder, programs, **environ)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A sound site without a sitemap, and its project."""
    folder = tmp_path / "project"
    shutil.copytree(ROOT / "tests" / "audit" / "site", folder / "site")
    (folder / "site" / "sitemap.xml").unlink()
    return folder


@pytest.fixture
def unsound(project: Path) -> Path:
    """The same with one warning."""
    change(project / "site", "robots-unknown-directive/bad")
    return project


def test_no_expression_stands_in_a_shell_line() -> None:
    lines = [each["run"] for each in STEPS.values()] + JOB["script"] + JOB["before_script"]
    assert [line for line in lines if EXPRESSION.search(line)] == []


def test_the_action_and_the_component_have_the_same_inputs() -> None:
    action, gitlab = ACTION["inputs"], SPEC["spec"]["inputs"]
    names = {"site", "base-url", "source", "build", "record", "fail-on", "notify"}
    assert set(action) == set(gitlab) - {"package", "stage", "image"} == names
    assert gitlab["fail-on"]["options"] == [*SEVERITIES, "never"]
    assert all(each["description"].endswith(".") for each in (*action.values(), *gitlab.values()))


def test_the_action_builds_and_finds_nothing(project: Path) -> None:
    """Without `build`, it only checks what is built."""
    unbuilt = check(project, site="site", base_url=BASE, build="false")
    assert unbuilt.status == 1
    assert not (project / "site" / "sitemap.xml").exists()
    assert "`sitemap-missing`" in unbuilt.summary
    done = check(project, site="site", base_url=BASE)
    assert done.status == 0, done.log
    assert set(proven(project / "site", BASE)) >= {"", "guide/"}
    assert done.summary.startswith("**Sitemap:** no errors or warnings (")
    assert done.outputs["count"] == "0"
    assert set(done.outputs) | {"changed"} == set(ACTION["outputs"])
    assert json.loads(Path(done.outputs["sarif"]).read_text("utf-8"))["runs"][0]["results"] == []


def test_the_action_prints_the_annotations_of_its_check_only(unsound: Path) -> None:
    """Outside of the action, the build would print one about the folder that has no sources, too."""
    (unsound / "empty").mkdir()
    done = check(unsound, site="site", base_url=BASE, source="empty")
    assert "[sources-missing]" in done.log
    assert [line.partition("::")[2][:7] for line in done.log.splitlines() if line.startswith("::")] == [
        "warning"
    ]
    assert "::warning title=sitemap-docs" not in done.log


@pytest.mark.parametrize("spelling", ["true", "True", "TRUE"])
def test_true_and_false_in_any_capitalisation(project: Path, spelling: str) -> None:
    """A step that notifies builds and checks as well."""
    no = {"true": "false", "True": "False", "TRUE": "FALSE"}[spelling]
    unbuilt = check(project, site="site", base_url=BASE, build=no, notify=no)
    assert (unbuilt.status, "`sitemap-missing`" in unbuilt.summary) == (1, True)
    done = check(project, site="site", base_url=BASE, build=spelling, notify=spelling)
    assert (done.status, done.outputs["count"]) == (0, "0"), done.log
    assert (project / "site" / "sitemap.xml").exists()
    compared = check(project, name="notify", site="site", base_url="http://127.0.0.1:9/", notify=spelling)
    assert "title=notify::The deployed site could not be compared" in compared.log
    assert check(project, name="notify", site="site", base_url=BASE, notify=no).log == ""


def test_an_empty_build_means_false_and_an_empty_notify_does_nothing(unsound: Path) -> None:
    done = check(unsound, site="site", base_url=BASE, build="")
    assert (done.status, (unsound / "site" / "sitemap.xml").exists()) == (1, False)
    for name in ("check", "notify"):
        assert check(unsound, name=name, site="site", base_url=BASE, notify="") == Ran(0, {}, "", "")


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        *((name, value, value) for name in ("build", "notify") for value in ("yes", "on", "1", "true ")),
        ("notify", "changed.txt", "changed.txt"),
        ("notify", "50%\n::warning::x", "50%25%0A::warning::x"),
        ("build", HOSTILE, HOSTILE),
    ],
)
def test_a_mistyped_switch_of_the_action_is_an_error(
    project: Path, name: str, value: str, shown: str
) -> None:
    done = check(project, site="site", base_url=BASE, **{name: value})
    assert (done.status, done.outputs) == (2, {})
    assert done.log.startswith(f"::error title=sitemap-docs::The input {name} is '{shown}'. ")
    assert done.log.count("\n") == 1
    assert not list(project.rglob("pwned"))


def test_the_inputs_are_read_before_anything_else() -> None:
    assert next(iter(STEPS)) == "inputs"


def test_gitlab_itself_refuses_a_mistyped_switch_of_the_component() -> None:
    """A value of the type ``boolean`` is true or false: https://docs.gitlab.com/ci/inputs/"""
    inputs = SPEC["spec"]["inputs"]
    assert {name for name, each in inputs.items() if each.get("type") == "boolean"} == {"build", "notify"}


def test_a_variable_of_the_project_does_not_replace_an_input_of_the_component(unsound: Path) -> None:
    names = ("SITE", "BASE_URL", "SOURCE", "BUILD", "RECORD", "FAIL_ON", "NOTIFY", "PACKAGE")
    variables = {name: "never" if name == "FAIL_ON" else "42" for name in names}
    done = component(unsound, variables=variables, site="site", base_url=BASE)
    assert done.returncode == 1, done.stderr
    assert (unsound / "site" / "sitemap.xml").exists()
    assert "warning: robots-unknown-directive (1)" in done.stdout


@pytest.mark.parametrize(("level", "status"), [("warning", 1), ("never", 0)])
def test_the_action_reports_findings(unsound: Path, level: str, status: int) -> None:
    done = check(unsound, site="site", base_url=BASE, fail_on=level)
    assert done.status == status, done.log
    assert done.outputs["count"] == "1"
    assert "| warning | `robots-unknown-directive` | 1 |" in done.summary
    assert "`site/robots.txt:2`" in done.summary
    assert "::warning file=site/robots.txt,line=2,title=robots-unknown-directive::" in done.log
    (result,) = json.loads(Path(done.outputs["sarif"]).read_text("utf-8"))["runs"][0]["results"]
    assert result["ruleId"] == "robots-unknown-directive"


def test_a_job_that_builds_and_another_that_checks(mkdocs_project: MkDocsProject, tmp_path: Path) -> None:
    """The jobs of the manual: what the first uploads, and nothing else, is there for the action."""
    jobs = next(block.data()["jobs"] for block in blocks("record") if "download-artifact" in block.text)
    upload, download, action = (
        next(step["with"] for step in jobs[job]["steps"] if name in step.get("uses", ""))
        for job, name in (("build", "upload"), ("check", "download"), ("check", "OWNER/sitemap-docs"))
    )
    assert upload["name"] == download["name"]
    project = mkdocs_project(
        {"index.md": "# Home", "a.md": "# A"}, options={"excludes": ["a.md"], "record": action["record"]}
    )
    project.commit("2024-01-02T03:04:05+00:00")
    project.build()
    next_job = tmp_path / "next"
    next_job.mkdir()
    for path in upload["path"].split():
        (project.root / path).rename(next_job / path)
    done = check(next_job, **{name.replace("-", "_"): str(value) for name, value in action.items()})
    assert done.status == 0, done.log
    assert "whether the build left them out" not in done.log


@pytest.mark.parametrize(("shell", "level", "status"), [("bash", "warning", 1), ("sh", "error", 0)])
def test_the_component_builds_and_reports_findings(unsound, shell, level, status) -> None:
    done = component(unsound, shell, site="site", base_url=BASE, fail_on=level)
    assert done.returncode == status, done.stderr
    assert (unsound / "site" / "sitemap.xml").exists()
    (finding,) = json.loads((unsound / JOB["artifacts"]["reports"]["codequality"]).read_text("utf-8"))
    assert finding["location"]["path"] == "site/robots.txt"
    assert "warning: robots-unknown-directive (1)" in done.stdout


def test_inputs_are_never_run(project: Path) -> None:
    name = f"-o{HOSTILE}"  # nor read as an option
    (project / "site").rename(project / name)
    for source in ("one", f"two {HOSTILE}"):
        (project / source).mkdir()
    inputs = {"site": name, "base_url": BASE, "source": f"one\ntwo {HOSTILE}\n"}
    done = check(project, **inputs)
    assert done.status == 0, done.log
    assert (project / name / "sitemap.xml").exists()
    done = component(project, **inputs)
    assert done.returncode == 0, done.stderr
    assert not list(project.rglob("pwned"))


def test_no_module_of_the_repository_is_imported(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("json", "pip", "venv", "sitecustomize"):
        (project / f"{name}.py").write_text(f"open({str(project / 'pwned')!r}, 'w')", "utf-8")
    check(project, site="site", base_url=BASE)
    monkeypatch.setenv("PIP_NO_INDEX", "1")  # installs nothing
    step("install", project, {})
    script("sh", JOB["before_script"], project, SITEMAP_DOCS_PACKAGE="--help")
    assert not (project / "pwned").exists()


def test_what_both_install_is_pinned() -> None:
    """By version and hashes: what is published later is not installed."""
    text = (ROOT / "sitemap_docs" / "requirements.txt").read_text("utf-8").replace("\\\n", "")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert all("--hash=sha256:" in line for line in lines)
    pinned = [Requirement(line.partition("--hash")[0]) for line in lines]
    assert all(str(each.specifier).startswith("==") for each in pinned)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    declared = project["project"]
    extra = declared["optional-dependencies"]["web"]
    for text in (*declared["dependencies"], *extra, *project["build-system"]["requires"]):
        needed = Requirement(text)
        found = [each for each in pinned if each.name.lower() == needed.name.lower()]
        versions = [str(each.specifier)[2:] for each in found]
        assert versions, f"{needed.name} is not in requirements.txt: CONTRIBUTING.md says how to make it anew"
        assert all(needed.specifier.contains(version) for version in versions)
    assert SPEC["spec"]["inputs"]["package"]["default"] == f"sitemap-docs=={__version__}"


@pytest.mark.parametrize("name", ["base_url", "fail_on"])
def test_a_wrong_value_is_refused_and_never_run(project: Path, name: str) -> None:
    inputs = {"site": "site", "base_url": BASE, "build": "false", name: HOSTILE}
    assert check(project, **inputs).status != 0
    assert component(project, **inputs).returncode != 0
    assert not list(project.rglob("pwned"))


KEY = "0123456789abcdef"


@pytest.fixture
def programs(tmp_path: Path, loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The programs, of which `notify` asks a server of this machine."""
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "python").symlink_to(PROGRAMS / "python")
    flags = f"--endpoint {loopback.url('/indexnow')}"
    wrapper = folder / "sitemap-docs"
    wrapper.write_text(
        f'''#!/bin/sh
        if [ "$1" = notify ]; then shift; set -- notify {flags} "$@"; fi
        exec {PROGRAMS}/sitemap-docs "$@"'''
    )
    wrapper.chmod(0o755)
    loopback.serve("/sitemap.xml", urlset(BASE).encode())
    monkeypatch.setenv("INDEXNOW_KEY", KEY)
    return folder


def submitted(loopback: Loopback) -> list[dict]:
    return [json.loads(body) for method, _, _, body in loopback.requests if method == "POST"]


def test_the_action_submits_what_changed(project: Path, programs: Path, loopback: Loopback) -> None:
    """Compared with the deployed site before the deployment, and sent after it.

    A site that cannot be compared is a warning, as at the first deployment.
    """
    check(project, programs, site="site", base_url=BASE)
    nothing = loopback.url("/nothing/")
    first = check(project, programs, "notify", notify="true", site="site", base_url=nothing)
    assert (first.status, first.outputs) == (0, {})
    assert "title=notify::The deployed site could" in first.log
    assert check(project, programs, "notify", notify="", base_url=BASE).log == ""  # the output of that step
    compared = check(project, programs, "notify", notify="true", site="site", base_url=loopback.url())
    changed = Path(compared.outputs["changed"])
    listed = set(changed.read_text("utf-8").splitlines())
    assert f"{BASE}guide/" in listed
    assert BASE not in listed
    assert submitted(loopback) == []
    inputs = {"notify": str(changed), "site": "site", "base_url": BASE}
    assert check(project, programs, **inputs).log == ""
    for status in (403, 200):
        loopback.serve("/indexnow", status=status)
        sent = check(project, programs, "notify", **inputs)
        assert sent.status == 0, sent.log
        assert ("title=notify::Not all" in sent.log) == (status == 403)
        body = submitted(loopback)[-1]
        assert set(body["urlList"]) == listed
        assert body["keyLocation"] == f"{BASE}{KEY}.txt"
    assert len(submitted(loopback)) == 2


def test_the_component_submits_what_changed(project: Path, programs: Path, loopback: Loopback) -> None:
    check(project, programs, site="site", base_url=BASE)
    inputs = {"site": "site", "build": "false", "fail_on": "never"}
    component(project, programs=programs, notify="true", base_url=loopback.url(), **inputs)
    assert f"{BASE}guide/" in (project / "sitemap-docs-changed.txt").read_text("utf-8").splitlines()
    loopback.serve("/indexnow")
    done = component(project, programs=programs, job="sitemap-docs-notify", base_url=BASE)
    assert done.returncode == 0, done.stderr
    assert [body["keyLocation"] for body in submitted(loopback)] == [f"{BASE}{KEY}.txt"]


def test_both_install_what_they_run(project: Path) -> None:
    pytest.importorskip("hatchling", reason="`nox -s packages` installs it, with what pip needs")
    installed = step("install", project, {})
    assert installed.status == 0, installed.log
    programs = Path(installed.outputs["programs"])
    assert programs.is_relative_to(installed.outputs["folder"])
    done = check(project, programs, site="site", base_url=BASE)
    assert done.status == 0, done.log
    assert (
        script("sh", JOB["before_script"], project, programs, SITEMAP_DOCS_PACKAGE=str(ROOT)).returncode == 0
    )
