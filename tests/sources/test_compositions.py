"""Random pages made of random files, and the dates that ``git log -1`` gives them.

    COMPOSITIONS=2000 pytest -q tests/sources/test_compositions.py

compares that many repositories; by default it is a few.
"""

import os
import random
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path

import pytest

from tests.conftest import BASE, git, passed, proven, write

MKDOCS = """\
site_name: x
markdown_extensions:
  - pymdownx.snippets
  - markdown_include.include
plugins:
  - include-markdown
  - macros:
      include_dir: .
"""
PARTS = [f"part{number}" for number in range(6)]
PAGES = [f"page{number}" for number in range(4)]


FROM_ROOT = ('--8<-- "parts/{name}"', "{{!parts/{name}!}}", '{{% include "parts/{name}" %}}')
#: What only the build of a page knows: a macro that writes a snippet.
MACRO = '{{{{ snippet("{name}") }}}}'
MAIN = """def define_env(env):
    @env.macro
    def snippet(name):
        return f'--8<-- "parts/{name}"'
"""
#: How a page includes a file of parts/; such a file includes others from the root alone.
WAYS = (*FROM_ROOT, '{{% include-markdown "../parts/{name}" %}}', MACRO)


@dataclass
class Composition:
    """A repository: which parts each file includes, and what has happened to the parts."""

    root: Path
    chance: random.Random
    includes: dict[str, list[str]] = field(default_factory=dict)
    untracked: set[str] = field(default_factory=set)
    missing: set[str] = field(default_factory=set)
    macros: set[str] = field(default_factory=set)  # pages that use one
    clock: int = 1_600_000_000

    def file(self, name: str) -> Path:
        return self.root / ("parts" if name in PARTS else "docs") / f"{name}.md"

    def write(self, name: str, text: str) -> None:
        """Writes a file: its text, then what it includes, each line in one of the ways."""
        ways = FROM_ROOT if name in PARTS else WAYS
        lines = [text, ""]
        self.macros.discard(name)
        for part in self.includes[name]:
            way = self.chance.choice(ways)
            if way == MACRO:
                self.macros.add(name)
            lines += [way.format(name=f"{part}.md"), ""]
        write(self.file(name).parent, {self.file(name).name: "\n".join(lines)})

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
            file = self.file(name)
            if name not in self.missing and file not in found:
                found.add(file)
                waiting += self.includes[name]
        return found

    def expected(self, page: str) -> str | None:
        """The date by ``git log -1``; None where git or we do not know a file that the page is made of."""
        files = self.made_of(page)
        if page in self.macros or any(file.stem in self.untracked for file in files):
            return None
        seconds = git(self.root, "log", "-1", "--format=%ct", "--", *map(str, sorted(files)))
        return datetime.fromtimestamp(int(seconds), timezone.utc).isoformat()


def compose(root: Path, seed: int) -> Composition:
    """A repository with a history of changes, renames and removals, some files of which git ignores."""
    chance = random.Random(seed)
    made = Composition(root, chance)
    git(root, "init", "-q")
    write(root, {"mkdocs.yml": MKDOCS, "main.py": MAIN})
    for place, part in enumerate(PARTS):  # of the later parts, so that no circle comes about by chance
        made.includes[part] = chance.sample(PARTS[place + 1 :], k=min(chance.choice([0, 0, 1, 2]), 5 - place))
    for page in PAGES:
        made.includes[page] = chance.sample(PARTS, k=chance.randrange(4))
    made.untracked = set(chance.sample(PARTS, k=chance.choice([0, 0, 0, 1])))
    (root / ".gitignore").write_text("site/\n" + "".join(f"parts/{each}.*\n" for each in made.untracked))
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
        git(root, "mv", str(made.file(part)), "parts/elsewhere")
        made.commit()
        git(root, "mv", "parts/elsewhere", str(made.file(part)))
        made.commit()
    if chance.random() < 0.3:
        part = chance.choice([each for each in PARTS if each not in made.untracked])
        made.file(part).unlink()
        made.missing.add(part)
        made.commit()
    return made


@pytest.mark.once
@pytest.mark.parametrize("seed", range(int(os.environ.get("COMPOSITIONS", "8"))))
def test_a_page_is_dated_by_all_that_it_is_made_of(here, seed):
    """Made of other files, which are nested, missing, renamed and untracked."""
    made = compose(here, seed)
    head = '<!doctype html><link rel="canonical" href="{}{}/"><title>A</title>'
    write(here, {f"site/{page}/index.html": head.format(BASE, page) for page in PAGES})
    passed("build", "site", "--base-url", BASE, "--source", "docs", "--no-cache")
    assert proven(here / "site", BASE) == {f"{page}/": made.expected(page) for page in PAGES}
