"""The fenced blocks of README and manual, with a host in place of the placeholder."""

import re
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tests.conftest import filled

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
PAGES = {"README": ROOT / "README.md"} | {
    page.stem: page for page in sorted((ROOT / "example_docs" / "pages").glob("*.md"))
}
PARTS = re.compile(
    r"^(#+ [^\n]*)|((?:<!-- not run: [^\n]+ -->\n)?)( *)```(\w+)\n(.*?)^\3```$", re.MULTILINE | re.DOTALL
)
GENERATED = re.compile(r"<!-- (\w+) -->\n.*?<!-- /\1 -->", re.DOTALL)


class Block(NamedTuple):
    """A fenced block without its indentation; ``section`` is the heading above it."""

    page: str
    section: str
    marked: bool
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}: {self.section}: {self.text.splitlines()[0]}"

    @property
    def file(self) -> str:
        """What its first line names the file that it is."""
        return (re.match(r"# ([\w./-]+)\n", self.text) or ["", ""])[1]

    def data(self) -> Any:
        return tomllib.loads(self.text) if self.language == "toml" else yaml.safe_load(self.text)


@cache
def blocks(page: str) -> list[Block]:
    section = ""
    found = []
    for heading, mark, indent, language, body in PARTS.findall(GENERATED.sub("", filled(PAGES[page]))):
        if heading:
            section = heading.lstrip("# ")
        else:
            text = re.sub(f"^{indent}", "", body, flags=re.MULTILINE)
            found.append(Block(page, section, bool(mark), language, text))
    return found


ALL = [block for page in PAGES for block in blocks(page)]
