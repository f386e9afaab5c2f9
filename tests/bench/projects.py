"""Documentation of real projects, built with sitemap-docs and checked without it; the manual has the table.

    python tests/bench/projects.py [--mirror DIR] [--write] [NAME ...]

Each project is cloned at the commit below, installed with what its documentation needs, and built with one
line more. Then the listed addresses must be the canonical links of its pages, and each date that of
``git log -1`` for the page's source, or of a later commit to what the page includes. ``--mirror`` names a
folder that has copies of the repositories, as OWNER+NAME/repo.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bs4 import BeautifulSoup

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "example_docs" / "pages" / "comparison.md"
BASE = "https://docs.example.org/"


class Project(NamedTuple):
    """A repository at a commit, the arguments of pip for its documentation, and where that is."""

    repository: str
    commit: str
    install: tuple[str, ...]
    docs: str = "docs"


PROJECTS = {
    "HTTPX": Project("encode/httpx", "ae1b9f66", ("mkdocs<2", "mkdocs-material", "mkautodoc"), "mkdocs.yml"),
    "attrs": Project("python-attrs/attrs", "c1dc5dcb", ("--group", "docs")),
    "svcs": Project("hynek/svcs", "7d56b11", ("--group", "docs")),
}


def run(folder: Path, *command: str) -> str:
    """What a command prints; MkDocs prints to standard error alone."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout or done.stderr


def measure(name: str, mirror: Path | None, folder: Path) -> str:
    """The row of a project."""
    project = PROJECTS[name]
    origin = f"https://github.com/{project.repository}"
    if mirror:
        origin = str(mirror / project.repository.replace("/", "+") / "repo")
    clone = folder / name
    run(folder, "git", "clone", "-q", origin, str(clone))
    run(clone, "git", "checkout", "-q", project.commit)
    run(clone, sys.executable, "-m", "venv", "env")
    python = str(clone / "env" / "bin" / "python")
    run(clone, python, "-m", "pip", "install", "-q", "--upgrade", "pip")
    run(clone, python, "-m", "pip", "install", "-q", "-e", ".", *project.install, str(ROOT))
    site = clone / "site"
    if project.docs.endswith(".yml"):
        file, host, sources = clone / project.docs, "MkDocs", clone / "docs"
        text = file.read_text("utf-8")
        added = "plugins:\n  - sitemap-docs\n" + ("" if "\nplugins:" in text else "  - search\n")
        file.write_text(re.sub(r"^plugins:\n|\Z", added, text, count=1, flags=re.MULTILINE), "utf-8")
        printed = run(clone, python, "-m", "mkdocs", "build")
    else:
        file, host, sources = clone / project.docs / "conf.py", "Sphinx", clone / project.docs
        file.write_text(f'{file.read_text("utf-8")}\nextensions = [*extensions, "sitemap_docs"]\n', "utf-8")
        options = ("-D", f"html_baseurl={BASE}", "-D", "intersphinx_timeout=1")
        printed = run(clone, python, "-m", "sphinx", "-b", "dirhtml", *options, str(sources), str(site))
    summary = re.search(r"(\d+) pages? listed", printed)
    assert summary
    report = run(clone, python, "-m", "sitemap_docs", "report", "site", "--json", "-o", "report.html")
    pages = [page for page in json.loads(report)["pages"] if page["status"] == "listed"]
    assert len(pages) == int(summary[1])
    differing = {page["loc"] for page in pages} ^ set(canonical_links(site))
    assert not differing, sorted(differing)
    own, later, undated = dates(clone, pages)
    checked = run(clone, python, "-m", "sitemap_docs", "check", "site", "--fail-on", "never")
    found = re.search(r"^(.*) \(\d+ rules run\)$", checked, re.MULTILINE)
    assert found
    link = f"[{name}](https://github.com/{project.repository}/tree/{project.commit})"
    return f"| {link} | {host} | {len(pages)} | {own} | {later} | {undated} | {found[1].lower()} |"


def canonical_links(site: Path) -> Iterator[str]:
    """The canonical link of each page that names one, has no noindex, and is none that the host generates.

    A page that only redirects may name its target as canonical.
    """
    for file in sorted(site.rglob("*.html")):
        head = BeautifulSoup(file.read_bytes(), "html.parser").head
        link = head and head.select_one("link[rel=canonical]")
        generated = {"genindex", "search", "py-modindex", "404", "_modules"} & set(
            file.relative_to(site).parts
        )
        left_out = head and head.select_one("[name=robots], [http-equiv=refresh i]")
        if link and not generated and file.name != "404.html" and not left_out:
            yield str(link["href"])


def dates(clone: Path, pages: Sequence[Mapping[str, str]]) -> tuple[int, int, int]:
    """Pages with the date of their own source, of a later commit to what they include, and without one."""
    own = later = 0
    for page in pages:
        if not page["lastmod"]:
            continue
        of_source, of_commit = (
            datetime.fromisoformat(run(clone, "git", "log", "-1", "--format=%cI", *what).strip())
            for what in (("--", page["source"]), (page["commit"],))
        )
        lastmod = datetime.fromisoformat(page["lastmod"])
        assert lastmod == of_commit >= of_source, page
        own += lastmod == of_source
        later += lastmod > of_source
    return own, later, sum(not page["lastmod"] for page in pages)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[[], *PROJECTS])
    parser.add_argument("--mirror", type=Path)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    rows = []
    with TemporaryDirectory() as folder:
        for name in arguments.names or PROJECTS:
            rows.append(measure(name, arguments.mirror, Path(folder)))
            sys.stdout.write(f"{rows[-1]}\n")
            sys.stdout.flush()
    head = "| project | host | listed | dated by their source | by an included file | undated | `check` |\n"
    table = f"\n{head}|---|---|--:|--:|--:|--:|---|\n" + "".join(f"{row}\n" for row in rows) + "\n"
    if arguments.write:
        before, begin, rest = PAGE.read_text("utf-8").partition("<!-- projects -->\n")
        _, end, after = rest.partition("<!-- /projects -->")
        PAGE.write_text(before + begin + table + end + after, "utf-8")


if __name__ == "__main__":
    main()
