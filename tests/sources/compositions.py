"""Random pages made of random files, and the dates that ``git log -1`` gives them.

``python tests/sources/compositions.py 2000`` compares that many repositories; the tests compare a few.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path

from sitemap_docs.cli.main import group
from tests.conftest import git, runner

BASE = "https://docs.example.org/"
CONFIGURATION = """\
site_name: x
site_url: https://docs.example.org/
markdown_extensions:
  - pymdownx.snippets
  - markdown_include.include
plugins:
  - include-markdown
"""
#: How each syntax includes a file of the folder parts/, seen from the root and from docs/.
SYNTAXES = {
    "snippets": '--8<-- "parts/{name}"',
    "markdown-include": "{{!parts/{name}!}}",
    "include-markdown": '{{% include-markdown "../parts/{name}" %}}',
}
PARTS = [f"part{number}.md" for number in range(6)]
PAGES = [f"page{number}" for number in range(4)]


@dataclass
class Composition:
    """A repository: which parts each file includes, and what has happened to the parts."""

    root: Path
    chance: random.Random
    includes: dict[str, list[str]] = field(default_factory=dict)
    untracked: set[str] = field(default_factory=set)
    missing: set[str] = field(default_factory=set)
    clock: int = 1_600_000_000

    def write(self, name: str, text: str) -> None:
        """Writes a file: its text, then what it includes, each line in the syntax of one of the plugins."""
        lines = [text, ""]
        for part in self.includes[name]:
            syntaxes = list(SYNTAXES)
            if name in PARTS:  # a path is relative to the file that names it
                syntaxes.remove("include-markdown")
            lines += [SYNTAXES[self.chance.choice(syntaxes)].format(name=part), ""]
        file = self.root / ("parts" if name in PARTS else "docs") / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("\n".join(lines), encoding="utf-8")

    def commit(self) -> None:
        self.clock += self.chance.randrange(1, 10**6)
        date = datetime.fromtimestamp(self.clock, timezone.utc).isoformat()
        git(self.root, "add", ".")
        git(self.root, "commit", "-q", "--allow-empty", "-m", "A change", date=date)

    def made_of(self, page: str) -> set[Path]:
        """The files behind a page, by what was written into them."""
        found: set[Path] = set()
        waiting = [page]
        while waiting:
            name = waiting.pop()
            file = self.root / ("parts" if name in PARTS else "docs") / name
            if name not in self.missing and file not in found:
                found.add(file)
                waiting += self.includes[name]
        return found

    def expected(self, page: str) -> datetime | None:
        """The date by ``git log -1``; None where git does not know a file that the page is made of."""
        files = self.made_of(page)
        if any(file.name in self.untracked for file in files):
            return None
        command = ["git", "log", "-1", "--format=%ct", "--", *map(str, sorted(files))]
        seconds = subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=True).stdout
        return datetime.fromtimestamp(int(seconds), timezone.utc)


def compose(root: Path, seed: int) -> Composition:
    """A repository with a history of changes, renames and removals, some files of which git ignores."""
    chance = random.Random(seed)
    made = Composition(root, chance)
    git(root, "init", "-q")
    (root / "mkdocs.yml").write_text(CONFIGURATION, encoding="utf-8")
    for place, part in enumerate(PARTS):  # of the later parts, so that no circle comes about by chance
        made.includes[part] = chance.sample(PARTS[place + 1 :], k=min(chance.choice([0, 0, 1, 2]), 5 - place))
    for page in PAGES:
        made.includes[f"{page}.md"] = chance.sample(PARTS, k=chance.randrange(4))
    made.untracked = set(chance.sample(PARTS, k=chance.choice([0, 0, 0, 1])))
    (root / ".gitignore").write_text("site/\n" + "".join(f"parts/{each}\n" for each in made.untracked))
    for name in made.includes:
        made.write(name, "first")
        if chance.random() < 0.5:
            made.commit()
    made.commit()
    for number in range(chance.randrange(6)):
        name = chance.choice(list(made.includes))
        made.write(name, f"change {number}")
        made.commit()
    if chance.random() < 0.3:
        part = chance.choice([each for each in PARTS if each not in made.untracked])
        file = root / "parts" / part
        git(root, "mv", f"parts/{part}", "parts/elsewhere.md")
        made.commit()
        git(root, "mv", "parts/elsewhere.md", f"parts/{file.name}")
        made.commit()
    if chance.random() < 0.3:
        part = chance.choice([each for each in PARTS if each not in made.untracked])
        (root / "parts" / part).unlink()
        made.missing.add(part)
        made.commit()
    return made


def dated(made: Composition) -> dict[str, datetime | None]:
    """The dates in the sitemap of the built pages."""
    for page in PAGES:
        file = made.root / "site" / page / "index.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"<!doctype html><title>{page}</title>", encoding="utf-8")
    with contextlib.chdir(made.root) if sys.version_info >= (3, 11) else _chdir(made.root):
        done = runner().invoke(group, ["build", "site", "--no-cache"], catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    text = (made.root / "site/sitemap.xml").read_text(encoding="utf-8")
    found: dict[str, datetime | None] = {}
    for loc, lastmod in re.findall(r"<loc>([^<]*)</loc>(?:<lastmod>([^<]*)</lastmod>)?", text):
        page = loc.removeprefix(BASE).strip("/")
        found[page] = datetime.fromisoformat(lastmod) if lastmod else None
    return found


@contextlib.contextmanager
def _chdir(folder: Path):
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def compare(root: Path, seed: int) -> int:
    """The number of pages compared; AssertionError, with the seed, for a date that is not git's."""
    made = compose(root, seed)
    found = dated(made)
    for page in PAGES:
        expected = made.expected(f"{page}.md")
        assert found[page] == expected, f"seed {seed}: {page} has {found[page]}, and git {expected}"
    return len(PAGES)


if __name__ == "__main__":
    number = int(sys.argv[1])
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    pages = 0
    for each in range(first, first + number):
        with tempfile.TemporaryDirectory() as folder:
            pages += compare(Path(folder), each)
    print(f"{number} repositories, {pages} pages: all dates are those of git log -1")
