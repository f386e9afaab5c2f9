"""The help, the version, completion, and what a newcomer reads after a mistake."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from sitemap_docs import __version__
from sitemap_docs.cli.main import COMMANDS, group
from sitemap_docs.config.options import OPTIONS
from tests.conftest import command, write

MANUAL = Path(__file__).parents[2] / "example_docs" / "pages" / "commands.md"
BUILD = group.get_command(click.Context(group), "build")


def run(*arguments: str) -> tuple[int, str]:
    done = command(*arguments)
    return done.code, done.out + done.err


def test_the_summaries_are_shown_whole_and_begin_the_help_of_each_command() -> None:
    text = run("--help")[1]
    for name, summary in COMMANDS.items():
        assert f"  {name:<8} {summary}\n" in text
        assert group.get_command(click.Context(group), name).help.splitlines()[0] == summary


@pytest.mark.parametrize(
    ("arguments", "absent"), [("--version", "click"), ("--help", "selectolax yaml sitemap_docs.config")]
)
def test_what_is_asked_most_is_answered_before_the_rest_is_imported(arguments: str, absent: str) -> None:
    code = f"import sys; sys.modules |= dict.fromkeys({absent.split()})"
    program = [sys.executable, "-c", f"{code}; from sitemap_docs import __main__ as m; m.main()"]
    done = subprocess.run([*program, arguments], capture_output=True, text=True, check=True)
    assert __version__ in done.stdout or "Usage: " in done.stdout


def test_each_flag_of_the_build_has_a_heading() -> None:
    text = run("build", "--help")[1]
    sections = [line.removesuffix(":") for line in text.splitlines() if line.endswith(":") and line[0] != " "]
    assert sections == ["Options", "Output", "Pages", "Dates", "robots.txt", "General", "Checks"]
    shown = {each.name for each in BUILD.params if isinstance(each, click.Option) and not each.hidden}
    assert {option.name for option in OPTIONS} - shown == {
        option.name for option in OPTIONS if "build" not in option.doors
    }
    assert "[default: none]" not in text


@pytest.mark.parametrize(
    ("line", "kind", "offered"),
    [
        ("", "plain", set(COMMANDS)),
        ("build --gzip ", "plain", {"auto", "beside", "instead", "off"}),
        *((f"{line} si", "file", {"si"}) for line in ("check", "join", "diff", "explain site")),
    ],
)
def test_what_is_completed_and_what_the_shell_completes(line: str, kind: str, offered: set[str]) -> None:
    *words, last = line.split(" ")
    found = ShellComplete(group, {}, "sitemap-docs", "X").get_completions(words, last)
    assert {(each.value, each.type) for each in found} == {(value, kind) for value in offered}


LINE = "sitemap-docs check --format mark"
COMPLETE = {
    "bash": f"COMP_WORDS=({LINE}); COMP_CWORD=3; _sitemap_docs_completion sitemap-docs; "
    'printf "%s\\n" "${COMPREPLY[@]}"',
    "zsh": f"words=({LINE}); CURRENT=4; _describe() {{ print -l -- ${{(P)3}} }}; "
    "compadd() { print -l -- $completions }; _sitemap_docs_completion",
    "fish": f"complete -C '{LINE}'",
}


@pytest.mark.once
@pytest.mark.parametrize("shell", COMPLETE)
def test_the_shell_offers_what_the_last_word_of_a_line_begins(shell: str, tmp_path: Path) -> None:
    """Each evaluates the line of the manual and completes for real."""
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"needs {shell}")
    (setup,) = re.findall(rf"```{shell}\n(.*_COMPLETE.*)\n```", MANUAL.read_text("utf-8"))
    if shell == "zsh":
        setup = f"autoload -Uz compinit; compinit -D -u\n{setup}"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environ = os.environ | {"PATH": path, "HOME": str(tmp_path)}
    line = [program, *(["-f"] if shell == "zsh" else []), "-c", f"{setup}\n{COMPLETE[shell]}"]
    done = subprocess.run(line, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert {re.split(r"[:\t]", offered)[0] for offered in done.stdout.strip().split("\n")} == {"markdown"}


def test_what_a_flag_cannot_take_is_promised_for_files_alone() -> None:
    """A mapping fits neither a flag with choices nor an item of a list."""
    flags = {flag.name: flag.help for flag in BUILD.params if isinstance(flag, click.Option)}
    for option in OPTIONS:
        if option.type.shape in ("choice", "list") and '"object"' in json.dumps(option.type.schema):
            assert "In a file, you can also" in option.help
            if option.name in flags:
                assert "mapping" not in flags[option.name]
                assert "in a file" not in flags[option.name].lower()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bild"], "There is no command `bild`. Did you mean `build`?"),
        (["xyz"], "The commands are: build, join, check, diff,"),
        pytest.param(["site"], "sitemap-docs build site", id="the folder without a command"),
        (["build", "sit"], "There is no folder sit. Did you mean site?"),
        (["join", "sit", "--old-versions", "keep"], "There is no folder sit. Did you mean site?"),
        (["check", "docs.example.org"], "sitemap-docs check https://docs.example.org"),
        (["check", "127.0.0.1:9"], "sitemap-docs check http://127.0.0.1:9"),
        pytest.param(
            ["report", "site/a.html"], "site/a.html is a file, not a folder. Pass the folder", id="a file"
        ),
        (["build", "site", "--gzip", "nope"], "'nope' is not one of 'auto', 'off', 'beside', 'instead'"),
    ],
)
def test_mistakes_of_newcomers(arguments: list[str], message: str, here) -> None:
    write(here, {"site/a.html": ""})
    code, text = run(*arguments)
    assert code == 2
    assert message in text


@pytest.mark.skipif(os.name != "posix", reason="Windows removes no folder that a process is in")
def test_the_current_folder_was_removed(tmp_path) -> None:
    script = f"rmdir '{tmp_path}' && exec {sys.executable} -m sitemap_docs build"
    done = subprocess.run(["sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "sitemap-docs: The current folder no longer exists. Change to another folder.\n"
