"""Completion in the shells of the manual: each evaluates the manual's line and completes for real."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

MANUAL = Path(__file__).parents[2] / "example_docs" / "pages" / "commands.md"
COMPLETE = {
    "bash": "COMPREPLY=(); COMP_WORDS=({line}); COMP_CWORD={last}; _sitemap_docs_completion sitemap-docs; "
    'printf "%s\\n" "${{COMPREPLY[@]}}"',
    "zsh": "words=({line}); CURRENT=$(({last} + 1)); _describe() {{ print -l -- ${{(P)3}} }}; "
    "compadd() {{ print -l -- $completions }}; _sitemap_docs_completion",
    "fish": "complete -C '{line}'",
}
END = "no more for this line"
COMPINIT = {"zsh": "autoload -Uz compinit; compinit -D -u\n"}


def completions(shell: str, lines: Sequence[str], home: Path) -> list[set[str]]:
    """What the shell offers for the last word of each line."""
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"needs {shell}")
    (setup,) = re.findall(rf"```{shell}\n(.*_COMPLETE.*)\n```", MANUAL.read_text("utf-8"))
    asked = f"\necho {END}\n".join(
        COMPLETE[shell].format(line=line, last=len(line.split()) - 1) for line in lines
    )
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [program, *(["-f"] if shell == "zsh" else []), "-c", f"{COMPINIT.get(shell, '')}{setup}\n{asked}"],
        env=os.environ | {"PATH": path, "HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [
        {re.split(r"[:\t]", offered)[0] for offered in part.split("\n")} - {""}
        for part in done.stdout.split(END)
    ]


@pytest.mark.parametrize("shell", COMPLETE)
def test_commands_flags_and_values_are_completed(shell: str, tmp_path: Path) -> None:
    lines = ("sitemap-docs check --fail", "sitemap-docs check --format mark")
    assert completions(shell, lines, tmp_path) == [{"--fail-on"}, {"markdown"}]
