"""Packages that a plain install adds next to Sphinx, and next to MkDocs.

``python tests/bench/installed.py`` makes a fresh environment for each host, installs the host, then this
project without extras, and prints the packages that came with it. Then the command must build a site. The
exit status is 1 if there are more packages than in ``LIMITS``. Arguments are given to pip, such as ``--pre``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
#: The largest number of packages that may be added to each host. Our own package does not count.
LIMITS = {"sphinx": 7, "mkdocs": 5}
OURS = "sitemap-docs"


class Environment:
    """A fresh virtual environment with pip."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=True)
        self.programs = folder / ("Scripts" if os.name == "nt" else "bin")

    def run(self, program: str, *arguments: str) -> str:
        command = [str(self.programs / program), *arguments]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout

    def install(self, *requirements: str) -> None:
        quiet = ("--quiet", "--disable-pip-version-check")
        self.run("python", "-m", "pip", "install", *quiet, *sys.argv[1:], *requirements)

    def packages(self) -> dict[str, str]:
        """The installed packages and their versions."""
        listed = self.run("python", "-m", "pip", "--disable-pip-version-check", "list", "--format", "json")
        return {package["name"]: package["version"] for package in json.loads(listed)}


def added_packages(host: str, folder: Path) -> list[str]:
    """Return the packages that our project adds to an environment with a host, such as ``click 8.3.0``."""
    environment = Environment(folder)
    environment.install(host)
    before = environment.packages()
    environment.install(str(ROOT))
    after = environment.packages()
    site = folder / "site"
    site.mkdir()
    (site / "index.html").write_text("<!doctype html><title>Home</title>", "utf-8")
    environment.run("sitemap-docs", "build", str(site), "--base-url", "https://docs.example.org/", "--quiet")
    names = sorted(after.keys() - before.keys() - {OURS})
    return [f"{name} {after[name]}" for name in names]


def main() -> int:
    has_too_many = False
    with TemporaryDirectory() as scratch:
        for host, limit in LIMITS.items():
            packages = added_packages(host, Path(scratch) / host)
            print(f"next to {host}: {len(packages)} of at most {limit} ({', '.join(packages)})")
            has_too_many |= len(packages) > limit
    return int(has_too_many)


if __name__ == "__main__":
    raise SystemExit(main())
