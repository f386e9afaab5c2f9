"""The JSON of every command has the fields of the manual's table, with their types, and no others."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from sitemap_docs.json_output import JSON_VERSION
from tests.conftest import BASE, command, commit, urlset, write

TESTS = Path(__file__).parents[1]
MANUAL = TESTS.parent / "example_docs" / "pages" / "commands.md"
TYPES = {"text": str, "number": int, "boolean": bool, "list": list, "mapping": dict, "null": type(None)}
COMMANDS = (
    f"build site --base-url {BASE} --source docs --replace --strict",
    "check site --source docs --select all --severity info",
    "explain site lonely.html --source docs --select all",
    "report site --source docs",
    "diff old.xml site",
    "join tree --base-url https://docs.example.org/",
    "notify old.xml site",
)


def described(command: str) -> dict[str, tuple[str, str]]:
    """The fields of a command in the manual: the types of each, and what it means."""
    text = MANUAL.read_text("utf-8").partition("<!-- json -->")[2].partition("<!-- /json -->")[0]
    found = {}
    for commands, items in re.findall(r"^(.+):\n\n((?:- .+\n)+)", text, re.MULTILINE):
        if commands == "All commands" or f"`{command}`" in commands:
            fields = re.findall(r"^- `(.+?)` \((.+?)\): (.+)$", items, re.MULTILINE)
            found.update({field: (types, meaning) for field, types, meaning in fields})
    return found


def values(data: dict[str, object], known: set[str], start: str = "") -> Iterator[tuple[str, object]]:
    """Each field and its value; what the manual names as a whole is not entered."""
    for name, value in data.items():
        if start + name not in known and isinstance(value, list):
            assert value, f"{start}{name} has no item to look at"
            for item in value:
                yield from values(item, known, f"{start}{name}[].")
        else:
            yield start + name, value


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built site with a page of each kind, and what it is compared with."""
    root = tmp_path_factory.mktemp("json")
    shutil.copytree(TESTS / "audit" / "site", root / "site")
    shutil.copytree(root / "site", root / "tree" / "1.0")
    (root / "tree" / "1.0" / "_redirects").unlink(missing_ok=True)
    write(root, {
        "site/lonely.html": "<!DOCTYPE html><html><head></head><body>No title",
        "docs/guide.md": "guide",
        "old.xml": urlset(f"{BASE}gone/", f"{BASE}guide/"),
    })  # fmt: skip
    commit(root, "docs")
    return root


@pytest.mark.parametrize("line", COMMANDS, ids=lambda line: line.partition(" ")[0])
def test_the_manual_has_each_field(line: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.delenv("INDEXNOW_KEY", raising=False)
    done = command(*line.split(), "--json")
    data = done.data
    assert data["version"] == JSON_VERSION
    known = {}
    for field, (types, meaning) in described(line.partition(" ")[0]).items():
        known[field] = [TYPES[name] for name in types.split(", ")]
        if parts := re.search(r": (`.+`)\.$", meaning):  # of a mapping, or of each item of a list
            items = data[field] if isinstance(data[field], list) else [data[field]]
            expected = set(re.findall(r"\w+", parts[1]))
            assert all(set(item) == expected for item in items if item), field
    found = list(values(data, set(known)))
    assert {name for name, _ in found} == set(known)
    assert [(name, value) for name, value in found if type(value) not in known[name]] == []
