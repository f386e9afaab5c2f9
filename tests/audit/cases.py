"""Sites that trip a rule (``bad``) and those that nearly do (``good``), as they differ from the sound one.

``rules/MODULE.txt`` holds those of the rules in one module of ``sitemap_docs/audit/rules``::

    === noindex-listed bad
    --- guide/index.html
     <title>Guide</title>
    +<meta name="robots" content="noindex">
    --- old/index.html from guide/index.html
    -<title>Guide</title>
    +++ llms.txt
    # Project

``---`` changes a file of the sound site, or a copy of one, by lines with ``-``, ``+`` or a space; ``@@`` is
between two places of it. ``+++`` is followed by a whole file, which is packed where it has such a name.
``case.toml`` can remove files, make commits and set options.
"""

import gzip
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import tomli

from tests.conftest import git, write

SOUND = Path(__file__).parent / "site"
FILES = sorted((Path(__file__).parent / "rules").glob("*.txt"))


def _cases() -> Iterator[tuple[str, str]]:
    for file in FILES:
        _, *parts = re.split(r"^=== (.+)\n", file.read_text("utf-8"), flags=re.MULTILINE)
        for name, text in zip(parts[::2], parts[1::2], strict=True):
            yield name.replace(" ", "/"), text


#: What each changes, by the names of its rule and itself: ``noindex-listed/bad``.
CASES: dict[str, str] = dict(_cases())


def lay(folder: Path, *names: str) -> dict:
    """Writes the sound site, changed as cases have it, into a folder; returns what their case.toml say."""
    shutil.copytree(SOUND, folder, dirs_exist_ok=True)
    return change(folder, *names)


def change(folder: Path, *names: str) -> dict:
    """Writes what cases have into a folder that holds a site already."""
    settings: dict = {}
    for name in names:
        _, *parts = re.split(r"^(---|\+\+\+) (.+)\n", CASES[name], flags=re.MULTILINE)
        for how, header, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            file, *more = header.split()
            written = text.strip("\n") + "\n"
            if file == "case.toml":
                settings |= tomli.loads(written)
                continue
            if how == "---":
                written = _edited((SOUND / (more or [file])[-1]).read_text("utf-8"), written)
            data = written.encode("latin-1" if more == ["latin-1"] else "utf-8")
            if file.endswith(".gz"):
                data = gzip.compress(data, mtime=0)[: -20 if more == ["torn"] else None]
            write(folder, {file: data})
    for file in settings.get("remove", []):
        (folder / file).unlink()
    if settings.get("work-tree"):
        git(folder, "init", "-q")
    return settings


def _edited(text: str, edit: str) -> str:
    for place in filter(str.strip, edit.split("@@\n")):
        lines = [(line[:1], line[1:] + "\n") for line in place.splitlines()]
        old = "".join(line for mark, line in lines if mark != "+")
        assert text.count(old) == 1, f"{old!r} must be there once"
        text = text.replace(old, "".join(line for mark, line in lines if mark != "-"))
    return text
