"""Build and check what a tag would publish, and publish nothing.

``nox -s release`` installs hatchling, twine and cyclonedx-bom, and runs ``python scripts/release.py FOLDER``.
The sdist and the wheel of the last commit go to ``dist/``, and the bill of materials (SBOM) to ``sbom/``.
FOLDER is for temporary files.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

#: The lines that readers copy, with the version in them.
RECIPE = re.compile(r"(?:sitemap-docs(?:@v?|==)|rev: v)(\d+(?:\.\d+)+)")
#: Sentences that are only true before the first release.
UNRELEASED = {
    "README.md": "pip install git+https://git.example.org/sitemap-docs",
    "SECURITY.md": "is not registered",
    "example_docs/pages/index.md": "is not on a package index yet",
}
#: The files in which a version or a recipe may stand.
PATTERNS = ("*.md", "pyproject.toml", "example_docs/**/*.md", "example_docs/**/*.svg", "templates/*")
BASE_URL = "https://docs.example.org/"


def run(*command: str | Path, cwd: Path | None = None, **variables: str) -> str:
    """Run a command with more environment variables, and return its output. End the script if it fails."""
    print("$", *command, flush=True)
    environ = {**os.environ, **variables}
    done = subprocess.run(command, cwd=cwd, env=environ, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}\n{command[0]} failed with status {done.returncode}.")
    return done.stdout


def build(clone: Path) -> list[Path]:
    """Build the sdist and the wheel of the last commit in a new clone."""
    shutil.rmtree(clone, ignore_errors=True)
    run("git", "clone", "-q", ".", clone)
    date = run("git", "log", "-1", "--format=%ct", cwd=clone).strip()
    run(sys.executable, "-m", "hatchling", "build", "-d", "dist", cwd=clone, SOURCE_DATE_EPOCH=date)
    return sorted(clone.glob("dist/*"), key=lambda file: file.suffix)


def find_problems(version: str, project: Path, environ: Mapping[str, str]) -> list[str]:
    """Return the reasons why a version cannot be released.

    Without a tag in the environment variables of CI, the version may still be planned.
    """
    texts = {}
    for pattern in PATTERNS:
        for path in sorted(project.glob(pattern)):
            texts[path.relative_to(project).as_posix()] = path.read_text("utf-8")
    problems = []
    for file, text in texts.items():
        others = {found[1] for found in RECIPE.finditer(text)} - {version}
        problems += [f"{file} names version {other} in place of {version}" for other in sorted(others)]
    problems += _missing_texts(version, texts)
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


def _missing_texts(version: str, texts: Mapping[str, str]) -> list[str]:
    """Return a problem for each badge, classifier and table that shows other versions than a release needs.

    The classifiers in pyproject.toml decide which versions of Python are supported.
    """
    pythons = re.findall(r"Python :: (3\.\d+)", texts["pyproject.toml"])
    oldest, newest = pythons[0], pythons[-1]
    short = version.rpartition(".")[0]
    status = "4 - Beta" if version.startswith("0.") else "5 - Production/Stable"
    needed = (
        ("pyproject.toml", f"Development Status :: {status}"),
        ("pyproject.toml", f'requires-python = ">={oldest}"'),
        ("example_docs/badges/version.svg", f"<title>version: {short}</title>"),
        ("example_docs/badges/python.svg", f"<title>Python: {oldest} to {newest}</title>"),
        ("example_docs/pages/stability.md", f"| Python | {oldest} to {newest} |"),
        ("README.md", f"![Version {short}]"),
        ("README.md", f"![Python {oldest} to {newest}]"),
    )
    return [f"{file} does not have {text!r}" for file, text in needed if text not in texts[file]]


def try_wheel(wheel: Path, folder: Path) -> None:
    """Install the wheel into an environment of its own, and build and check a site with it."""
    environment = folder / "bare"
    run(sys.executable, "-m", "venv", "--clear", environment)
    programs = environment / ("Scripts" if os.name == "nt" else "bin")
    python = programs / "python"
    site = folder / "site"
    run(python, "-m", "pip", "install", "-q", wheel)
    run(python, "-W", "error", "-m", "sitemap_docs", "--version")
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree("tests/audit/site", site)
    (site / "sitemap.xml").unlink()
    for command in ("build", "check"):
        run(programs / "sitemap-docs", command, site, "--base-url", BASE_URL)
    if f"<loc>{BASE_URL}</loc>" not in (site / "sitemap.xml").read_text("utf-8"):
        sys.exit("The installed package lists no page.")


def write_bill(clone: Path, version: str) -> None:
    """Write the bill of materials: the packages that the GitHub Action installs, with versions and hashes.

    It has a folder of its own, because no package index accepts it in ``dist/``.
    """
    project = (clone / "pyproject.toml").read_text("utf-8")
    versioned = clone / "versioned.toml"
    versioned.write_text(project.replace('dynamic = ["version"]', f'version = "{version}"'), encoding="utf-8")
    bill = Path("sbom", f"sitemap_docs-{version}.cdx.json")
    bill.parent.mkdir()
    options = ("--output-reproducible", "--mc-type", "library", "--pyproject", versioned)
    pinned = clone / "sitemap_docs" / "requirements.txt"
    run(sys.executable, "-m", "cyclonedx_py", "requirements", *options, "-o", bill, pinned)


def main(folder: Path) -> None:
    """Write ``dist/`` and ``sbom/``, or end with the problems that keep the version from being released."""
    built = build(folder / "one")
    again = build(folder / "two")
    if [file.read_bytes() for file in built] != [file.read_bytes() for file in again]:
        sys.exit("Two builds of the same commit differ.")
    run(sys.executable, "-m", "twine", "check", "--strict", *built)
    sdist, wheel = built
    clone = folder / "one"
    version = wheel.name.split("-")[1]
    problems = find_problems(version, clone, os.environ)
    if problems:
        sys.exit("\n".join(problems))
    try_wheel(wheel, folder)
    for made in ("dist", "sbom"):
        shutil.rmtree(made, ignore_errors=True)
    shutil.copytree(wheel.parent, "dist")
    write_bill(clone, version)
    print(f"dist/ has {sdist.name} and {wheel.name}, and sbom/ has their bill of materials.")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
