"""What is printed, where, and in which colours; and how a command ends that is interrupted."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from sitemap_docs.audit.formats import FORMATS
from sitemap_docs.cli.console import write_file
from sitemap_docs.model import SitemapError
from tests.conftest import BASE, command, on_a_terminal, urlset, write

COMMAND = (sys.executable, "-m", "sitemap_docs")


@pytest.fixture
def site(here: Path) -> Path:
    write(here, {"site/index.html": "<title>Héllo</title>", "site/a.html": "<title>A</title>"})
    return here


GREEN, YELLOW = "\x1b[32m", "\x1b[33m\x1b[1mwarning\x1b[0m: "


@pytest.fixture
def checked(site: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """The command that checks a site and prints a warning."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    write(site, {"pyproject.toml": "[tool.sitemap-docs]\nignore = ['title-mising']\n"})
    return (*COMMAND, "check", "site", "--base-url", "https://e.org")


@pytest.mark.parametrize("value", [None, "", "1"])
def test_a_terminal_has_progress_bars_and_no_color_switches_colours_off(checked, value, monkeypatch) -> None:
    if value is not None:
        monkeypatch.setenv("NO_COLOR", value)
    shown = on_a_terminal(*checked)
    expected = ("pages found", "pages read", "pages checked", "2 of 2", "warning")
    assert [doing for doing in expected if doing not in shown.err] == []
    assert (YELLOW in shown.err, GREEN in shown.err) == ((False, False) if value else (True, True))
    assert "pages read" not in shown.out


def test_a_pipe_has_neither_colours_nor_progress_bars(checked) -> None:
    piped = subprocess.run(checked, capture_output=True, check=False).stderr
    assert b"warning: " in piped
    assert b"\x1b" not in piped
    assert b"pages" not in piped


@pytest.mark.parametrize(("flags", "term"), [(["-q"], "xterm"), ([], "dumb"), ([], "unknown")])
def test_a_quiet_command_and_a_terminal_without_a_cursor_have_no_progress_bars(
    checked, flags, term, monkeypatch
) -> None:
    monkeypatch.setenv("TERM", term)
    shown = on_a_terminal(*checked, *flags).err
    assert ("warning" in shown, "pages" in shown) == (True, False)


PROGRESS = """
from sitemap_docs.cli.console import Console
console = Console({{"as_json": False, "verbose": False, "quiet": False}})
with console.progress("build") as watch:
    for number in watch({items}, "pages read"{total}):
        {body}
print("done")
"""
HIDE, SHOW = "\x1b[?25l", "\x1b[?25h"


def shown_progress(items: str, body: str, total: str = "") -> str:
    """What a terminal shows of one progress bar."""
    code = PROGRESS.format(items=items, total=total, body=body)
    return on_a_terminal(sys.executable, "-c", code).err


@pytest.mark.parametrize("body", ["pass", "raise SystemExit(number)", "break"])
def test_progress_bars_are_removed_and_the_cursor_is_shown_again(body: str, checked) -> None:
    shown = shown_progress("['stopped']", body, ", 1")
    assert shown.startswith(f"build\r\n\r{HIDE}pages read  [")
    assert "0 of 1" in shown
    assert ("1 of 1" in shown) is (body == "pass")
    erased = f"{SHOW}\r\n\x1b[2A\x1b[J"
    assert shown.endswith(f"{erased}stopped\r\n" if "raise" in body else erased)


def test_a_progress_bar_without_a_total_has_a_number(checked) -> None:
    assert "]  1,234\x1b" in shown_progress("iter(range(1_234))", "pass")


def test_a_progress_bar_is_drawn_for_few_of_many_items(checked) -> None:
    shown = shown_progress("range(100_000)", "pass", ", 100_000")
    assert "100,000 of 100,000" in shown
    assert shown.count("pages read") < 1_000


@pytest.mark.parametrize(
    ("flags", "first"),
    [(["report", "-o", "-"], "<!DOCTYPE html>"), (["check", "-o", "-", "--format", "sarif"], "{")],
)
def test_a_dash_is_standard_output(site: Path, flags: list[str], first: str) -> None:
    name, *rest = flags
    done = command(name, "site", "--base-url", "https://e.org/", *rest)
    assert done.out.startswith(first)
    assert not [line for line in done.out.splitlines() if line.startswith("sitemap-docs: ")]
    assert {path.name for path in site.iterdir()} <= {"site", "cache"}
    if name == "report":
        assert "Héllo" in done.out
        assert command("report", "site", "--json", "-o", "-").code == 2


#: A command on a disk that has room for so many bytes of each file.
ON_A_FULL_DISK = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)),) * 2)
from sitemap_docs.cli.main import start
start()
"""
WRITING = [
    "report site -o written",
    "check site --format sarif -o written",
    "check site --write-baseline written",
]
#: The streams of a process, on systems that have files for them.
needs_streams = pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="needs /dev/stdout")


def on_a_full_disk(line: str, room: int) -> subprocess.CompletedProcess:
    command = [sys.executable, "-c", ON_A_FULL_DISK, str(room), *line.split(), "--base-url", BASE]
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}  # Python would leave half a module in its cache
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environ)


@pytest.mark.skipif(sys.platform != "linux", reason="needs the limits of Linux")
@pytest.mark.parametrize("line", WRITING)
@pytest.mark.parametrize("room", [0, 100])
def test_a_full_disk_leaves_the_old_file(site: Path, line: str, room: int) -> None:
    for before in (None, "the old file"):
        if before:
            (site / "written").write_text(before)
        names = {path.name for path in site.iterdir()}
        done = on_a_full_disk(line, room)
        assert (done.returncode, "written cannot be written: " in done.stderr) == (2, True), done.stderr
        assert "Nothing was changed." in done.stderr
        assert {path.name for path in site.iterdir()} == names
        assert before is None or (site / "written").read_text() == before
    done = on_a_full_disk(line, 1_000_000)
    assert done.returncode in (0, 1), done.stderr
    assert len((site / "written").read_bytes()) > 100


@pytest.mark.skipif(os.name != "posix", reason="needs links and modes of POSIX")
@pytest.mark.parametrize("line", WRITING)
def test_a_file_that_is_replaced_keeps_its_mode_and_links_to_it(site: Path, line: str) -> None:
    (site / "real").mkdir()
    real = site / "real" / "file"
    real.write_text("old")
    real.chmod(0o604)
    (site / "written").symlink_to("real/file")
    (site / "new").write_text("")
    command(*line.split(), "--base-url", BASE)
    assert (site / "written").is_symlink()
    assert (real.stat().st_mode & 0o777, real.read_text() == "old") == (0o604, False)
    assert [path.name for path in real.parent.iterdir()] == ["file"]
    command(*line.replace("written", "fresh").split(), "--base-url", BASE)
    assert (site / "fresh").stat().st_mode == (site / "new").stat().st_mode


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.parametrize(
    ("folder_mode", "mode", "words"),
    [(0o755, 0o444, "denied."), (0o555, 0o644, "folder must be writable")],
)
def test_a_file_that_may_not_be_replaced(tmp_path: Path, folder_mode: int, mode: int, words: str) -> None:
    file = tmp_path / "folder" / "file"
    write(tmp_path, {"folder/file": "old"})
    file.chmod(mode)
    file.parent.chmod(folder_mode)
    try:
        with pytest.raises(SitemapError, match=rf"file cannot be written: Permission denied.*{words}"):
            write_file(file, "new")
    finally:
        file.parent.chmod(0o755)
    assert file.read_text() == "old"


@needs_streams
def test_streams_and_pipes_are_written_directly(site: Path) -> None:
    """A file in their place would be another than the one that the shell has opened."""
    line = f"{sys.executable} -m sitemap_docs report site -q --base-url {BASE} -o"
    stream = f"touch stream; ln stream same; {line} /dev/stdout > stream"
    pipe = f"mkfifo pipe; cat pipe > piped & {line} pipe; wait; test -p pipe"
    done = subprocess.run(["bash", "-ec", f"{stream}; {pipe}"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    for name in ("same", "piped"):
        assert (site / name).read_text("utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.skipif(os.name != "posix", reason="sends a signal as terminals do")
def test_an_interrupted_command_ends_with_130() -> None:
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"
        with subprocess.Popen([*COMMAND, "check", url], stderr=subprocess.PIPE, text=True) as process:
            connection, _ = server.accept()
            with connection:
                assert connection.recv(1)  # the command has asked, and waits for an answer
                process.send_signal(signal.SIGINT)
                _, messages = process.communicate()
    signal.signal(signal.SIGINT, handler)
    assert (process.returncode, messages) == (130, "sitemap-docs: Interrupted.\n")


def test_a_command_that_is_interrupted_while_it_loads_ends_with_130(tmp_path) -> None:
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt")  # as a signal then does
    environ = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([*COMMAND, "build"], capture_output=True, text=True, check=False, env=environ)
    assert (done.returncode, done.stderr) == (130, "sitemap-docs: Interrupted.\n")


HIDDEN = "https://user:hush@docs.example.org/"
TOKENS = (
    "--endpoint https://localhost:9/indexnow?token=hush",
    "--endpoint https://localhost:9/indexnow?token=hush --send --timeout 5",
    "--endpoint http://docs.example.org/indexnow?token=hush",
)


@pytest.mark.parametrize(
    "line",
    [
        *(f"check site --base-url https://docs.example.org/ --format {form}" for form in FORMATS),
        "check site --base-url https://docs.example.org/ --format sarif -o written",
        "check site --base-url https://docs.example.org/ --write-baseline written",
        "report site --base-url https://docs.example.org/ -o written",
        "explain site a.html --base-url https://docs.example.org/ --json",
        "diff old.xml site/sitemap.xml --json",
        "diff old.xml site/sitemap.xml --markdown",
        "notify old.xml site/sitemap.xml --all --json",
        f"notify old.xml site/sitemap.xml {HIDDEN}",
        f"notify old.xml site/sitemap.xml --endpoint {HIDDEN}",
        f"build site --base-url {HIDDEN}",
        f"check site --base-url {HIDDEN}",
        f"check {HIDDEN}",
        f"check site {HIDDEN}",
        f"check site --timeout {HIDDEN}",
        f"diff old.xml {HIDDEN} --timeout 1",
    ],
)
def test_no_password_in_an_address_is_printed_or_written(here: Path, monkeypatch, line: str) -> None:
    """The sitemap, robots.txt and the pages of a site hold one."""
    monkeypatch.setenv("INDEXNOW_KEY", "0123456789abcdef")
    page = f'<html lang="en"><title>A</title><link rel="canonical" href="{HIDDEN}a.html">'
    robots = f"User-agent: *\nAllow: /\n\nSitemap: {HIDDEN}sitemap.xml\n"
    llms = f"# A\n\n- [B]({HIDDEN}b.html)\n"
    listed = urlset(f"{HIDDEN}a.html", f"{HIDDEN}a.html")
    site = {"index.html": page, "a.html": page, "robots.txt": robots, "llms.txt": llms, "sitemap.xml": listed}
    write(here, {**{f"site/{name}": text for name, text in site.items()}, "old.xml": urlset()})
    done = command(*line.split())
    shown = done.out + done.err
    if Path("written").exists():
        shown += Path("written").read_text(encoding="utf-8-sig")
    assert "hush" not in shown
    assert ("***@docs.example.org" in shown) is (" old.xml site/sitemap.xml https" not in line)


@pytest.mark.parametrize("flags", TOKENS)
def test_no_token_of_an_endpoint_is_printed(here: Path, monkeypatch, flags: str) -> None:
    monkeypatch.setenv("INDEXNOW_KEY", "0123456789abcdef")
    write(here, {"new.xml": urlset("https://docs.example.org/a.html"), "old.xml": urlset()})
    done = command("notify", "old.xml", "new.xml", "--all", *flags.split())
    shown = done.out + done.err
    assert ("/indexnow" in shown, "hush" in shown) == (True, False)
