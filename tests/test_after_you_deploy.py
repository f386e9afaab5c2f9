"""The recipes of the manual: they parse, and the commands in them are commands of ours."""

from __future__ import annotations

import json
import re
import shlex
import socket
import subprocess
import sys
from pathlib import Path

import click
import pytest
import yaml

from sitemap_docs.cli.main import group
from sitemap_docs.notify.client import _MEANINGS
from tests.conftest import runner

PAGE = Path(__file__).parent.parent / "example_docs/pages/after-you-deploy.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^( *)```(\w+)\n(.*?)^\1```$", TEXT, re.DOTALL | re.MULTILINE)
COMMANDS = [
    line.strip()
    for line in re.findall(r"(?<![\w`-])sitemap-docs (?:diff|notify) .*", TEXT)
    if "`" not in line
]
PIPELINES = [yaml.safe_load(text) for _, language, text in BLOCKS if language == "yaml"]


@pytest.mark.parametrize("command", sorted(set(COMMANDS)))
def test_commands(command: str) -> None:
    _, name, *words = shlex.split(command.partition(" >> ")[0])
    found = group.get_command(click.Context(group), name)
    parser = found.make_parser(click.Context(found))
    values, left, _ = parser.parse_args(words)
    assert left == []
    assert values


def test_there_are_commands() -> None:
    assert len(COMMANDS) >= 6


def steps(pipeline: dict) -> list[str]:
    """The shell lines of a GitHub workflow or a GitLab pipeline."""
    jobs = pipeline.get("jobs", pipeline).values()
    lines = [step.get("run", "") for job in jobs if "steps" in job for step in job["steps"]]
    return [*lines, *(line for job in jobs for line in job.get("script", []))]


def test_pipelines() -> None:
    pipelines = PIPELINES
    assert len(pipelines) == 4
    for pipeline in pipelines:
        reported = [line for line in steps(pipeline) if "sitemap-docs notify" in line]
        assert len(reported) == 1
        assert "--send" in reported[0]
        assert "--state submitted.txt" in reported[0]


def test_the_state_is_kept_whatever_happens() -> None:
    for job in (job for pipeline in PIPELINES for job in pipeline.get("jobs", pipeline).values()):
        if "cache" in job:
            assert (job["cache"]["when"], job["cache"]["paths"]) == ("always", ["submitted.txt"])
        saved = [
            step for step in job.get("steps", []) if step.get("uses", "").startswith("actions/cache/save")
        ]
        assert all(step["if"] == "always()" and step["with"]["path"] == "submitted.txt" for step in saved)
        # a saved cache is never replaced: a run that is started again needs a key of its own
        assert all("github.run_attempt" in step["with"]["key"] for step in saved)


def test_payload() -> None:
    (payload,) = (json.loads(text) for _, language, text in BLOCKS if language == "json")
    assert payload["build"] == "{{ build.id }}"


def test_every_answer_is_explained() -> None:
    table = TEXT.partition("### What the engines answer")[2].partition("##")[0]
    assert set(map(int, re.findall(r"(?<!\d)[2-5]\d\d(?=[,\s][^|]*\|[^|]*\|[^|]*\|)", table))) == set(
        _MEANINGS
    )


def test_an_endpoint_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (code,) = (text for _, language, text in BLOCKS if text.startswith("# endpoint.py"))
    (line,) = (command for command in COMMANDS if "127.0.0.1:8080" in command)
    assert "8080" in code
    (tmp_path / "endpoint.py").write_text(code.replace("8080", str(port)), encoding="utf-8")
    for name, paths in {"old": ("",), "new": ("", "added/")}.items():
        rows = "".join(f"<url><loc>https://docs.example.org/{path}</loc></url>" for path in paths)
        (tmp_path / name).mkdir()
        (tmp_path / name / "sitemap.xml").write_text(
            f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</urlset>'
        )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INDEXNOW_KEY", "0123456789abcdef")
    command = shlex.split(line.replace("8080", str(port)))[1:]
    server = subprocess.Popen([sys.executable, "endpoint.py"], stdout=subprocess.PIPE)
    try:
        _await(port, server)
        result = runner().invoke(group, [*command, "--all"])
        assert result.exit_code == 0, result.stderr
        assert server.stdout
        received = json.loads(server.stdout.readline())
    finally:
        server.kill()
        server.communicate()
    assert received["urlList"] == ["https://docs.example.org/added/"]
    assert received["key"] == "0123456789abcdef"


def _await(port: int, server: subprocess.Popen[bytes]) -> None:
    while server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            continue
        return
    pytest.fail("the endpoint of the manual has ended")
