"""Repositories that mean harm: none of their programs runs, and the build goes on, with dates or without."""

import os
import random
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path

import pytest

from sitemap_docs.history import git as program
from sitemap_docs.history.git import GitTrouble, describe, parse_change
from sitemap_docs.history.page_dates import Dates
from tests.conftest import commit, git, read_dates, write

pytestmark = pytest.mark.once
needs_shell = pytest.mark.skipif(os.name != "posix", reason="a shell script stands in for a program")

DAYS = ["2024-01-01T00:00:00+00:00", "2024-02-02T00:00:00+00:00", "2024-03-03T00:00:00+00:00"]
SECONDS = 300  # for what takes a fraction of one; a hang would take for ever


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """Three commits; the third is a revert, so that git is asked about single files, too."""
    made = tmp_path_factory.mktemp("made")
    for text, day in zip(("one", "two", "one"), DAYS, strict=True):
        write(made, {name: f"{name} {text}\n" for name in ("a.md", "b.md")})
        commit(made, date=day)
    return made


@pytest.fixture
def root(made, tmp_path) -> Path:
    """A copy, which takes a tenth of the time."""
    return shutil.copytree(made, tmp_path / "project", symlinks=True)


def dates(root: Path, *more: Path, **options: object) -> Dates:
    found: list[Dates] = []
    files = [root / "a.md", root / "b.md", *more]
    work = threading.Thread(target=lambda: found.append(read_dates(files, **options)), daemon=True)
    work.start()
    work.join(SECONDS)
    assert not work.is_alive(), "the build does not end"
    assert found, "an error came out"
    return found[0]


def days(found: Dates, root: Path) -> list[str | None]:
    stamps = [found.find_stamp([root / name]) for name in ("a.md", "b.md")]
    return [stamp and stamp.when.isoformat() for stamp in stamps]


RIGHT = [DAYS[2], DAYS[2]]
#: The settings that name a program, and those whose value is a command of a shell.
PROGRAMS = """
core.fsmonitor core.pager core.sshCommand core.editor core.askPass core.gitProxy core.alternateRefsCommand
diff.external diff.x.textconv diff.x.command filter.x.clean filter.x.smudge filter.x.process merge.x.driver
pager.log pager.rev-parse pager.ls-tree pager.diff gpg.program gpg.ssh.program sequence.editor
interactive.diffFilter trailer.x.command uploadpack.packObjectsHook remote.origin.uploadpack
"""
COMMANDS = "alias.log alias.rev-parse alias.ls-tree alias.rev-list alias.x credential.helper"
OTHERS = """
filter.x.required=true log.showSignature=true remote.origin.promisor=true remote.origin.vcs=x
remote.origin.partialclonefilter=blob:none protocol.allow=always protocol.ext.allow=always
extensions.partialClone=origin core.repositoryFormatVersion=1
"""


def settings_of(program: Path, hooks: Path, attributes: Path) -> str:
    """A configuration of git in which whatever can run a program runs this one."""
    settings = dict.fromkeys(PROGRAMS.split(), program) | dict(each.split("=") for each in OTHERS.split())
    settings |= dict.fromkeys(COMMANDS.split(), f"!{program}")
    settings |= {"core.hooksPath": hooks, "remote.origin.url": f"ext::{program}"}
    settings |= dict.fromkeys(("core.attributesFile", "diff.orderFile"), attributes)
    lines = []
    for key, value in settings.items():
        section, *subsection, name = key.split(".")
        place = f'{section} "{subsection[0]}"' if subsection else section
        lines.append(f"[{place}]\n\t{name} = {value}\n")
    return "".join(lines)


SIGNATURE = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ\n -----END PGP SIGNATURE-----\n"


def arm(root: Path, *, included: bool) -> Path:
    """The file that the hostile program writes."""
    program, canary, hooks = (root.parent / name for name in ("program", "canary", "hooks"))
    program.write_text(f'#!/bin/sh\necho "$0 $*" >> {canary}\nexit 0\n')
    program.chmod(0o755)
    names = "post-index-change post-checkout pre-auto-gc reference-transaction fsmonitor-watchman"
    for folder in (hooks, root / ".git" / "hooks"):
        folder.mkdir(exist_ok=True)
        for name in names.split():
            (folder / name).symlink_to(program)
    attributes = root.parent / "attributes"
    attributes.write_text("* diff=x filter=x merge=x\n")
    (root / ".git" / "info" / "attributes").write_text(attributes.read_text())
    settings = settings_of(program, hooks, attributes)
    if included:
        (root.parent / "more").write_text(settings)
        settings = f'[include]\npath = {root.parent / "more"}\n[includeIf "gitdir:**"]\npath = ../../more\n'
    with (root / ".git" / "config").open("a") as stream:
        stream.write(settings)
    return canary


@needs_shell
@pytest.mark.parametrize("included", [False, True])
@pytest.mark.parametrize("meaning", ["commit", "author"])
def test_no_program_of_theirs_runs(root, included, meaning):
    head = git(root, "cat-file", "commit", "HEAD").partition("\n\n")
    signed = f"{head[0]}\n{SIGNATURE}\n{head[2]}"
    name = git(root, "hash-object", "-t", "commit", "-w", "--stdin", given=signed)
    git(root, "update-ref", "HEAD", name.strip())
    canary = arm(root, included=included)
    found = dates(root, meaning=meaning)
    assert days(found, root) == RIGHT
    describe(str(root), found.find_stamp([root / "a.md"]).commit, os.environ)
    assert not canary.exists(), canary.read_text()
    command = ["git", "-p", "log", "-p", "-1", "--ext-diff"]
    plain = subprocess.run(command, cwd=root, capture_output=True, check=False, timeout=SECONDS)
    assert canary.exists(), plain  # they would run


@needs_shell
def test_what_is_missing_is_not_fetched(root):
    canary = arm(root, included=False)
    blobs = {git(root, "rev-parse", f"HEAD~1:{name}").strip() for name in ("a.md", "b.md")}
    for blob in [*blobs, git(root, "rev-parse", "HEAD~2^{tree}").strip()]:
        (root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    found = dates(root)
    assert days(found, root) in (RIGHT, [None, None])
    assert not canary.exists(), canary.read_text()


@pytest.mark.parametrize(
    "said",
    [
        pytest.param("[core]\n\trepositoryFormatVersion = 99\n", id="a version of the future"),
        pytest.param("[core]\n\tworktree = /\n", id="a work tree elsewhere"),
        pytest.param("[core]\n\tbare = true\n", id="bare"),
        pytest.param("[include]\n\tpath = config\n", id="includes itself"),
        pytest.param("[extensions]\n\tnothing = that is known\n", id="an extension"),
        pytest.param("[", id="no configuration"),
        pytest.param("\0\xff\n" * 99, id="noise"),
    ],
)
def test_configuration(root, said):
    with (root / ".git" / "config").open("a", encoding="latin-1") as stream:
        stream.write(said)
    found = dates(root)
    assert days(found, root) == RIGHT or (days(found, root) == [None, None] and found.findings)


def damaged(root: Path, chance: random.Random) -> None:
    """Changes, cuts or removes something in .git."""
    files = [file for file in (root / ".git").rglob("*") if file.is_file() and "hooks" not in file.parts]
    file = chance.choice(sorted(files))
    file.chmod(0o644)
    data = bytearray(file.read_bytes())
    place = chance.randrange(len(data) + 1)
    match chance.randrange(4):
        case 0:
            file.unlink()
        case 1:
            file.write_bytes(data[:place])
        case 2:
            data[place : place + 1] = bytes([chance.randrange(256)])
            file.write_bytes(data)
        case _:
            data[place:place] = chance.randbytes(9)
            file.write_bytes(data)


@pytest.mark.parametrize("packed", [False, True])
def test_damage(root, tmp_path, packed):
    if packed:
        git(root, "gc", "-q")
        git(root, "commit-graph", "write")
    for seed in range(12):
        copy = tmp_path / f"copy {seed}"
        shutil.copytree(root, copy)
        damaged(copy, random.Random(seed))
        found = dates(copy)
        assert set(days(found, copy)) <= {None, *DAYS}
        assert found.findings or None not in days(found, copy)


@pytest.mark.parametrize("digits", ["9" * 15, "9" * 19, "9" * 20, "9" * 400, "9" * 5000, "-5", "", "x"])
def test_dates_that_are_none(root, digits):
    tree, parent = git(root, "rev-parse", "HEAD~1^{tree}", "HEAD").split()
    who = f"A <a@example.org> {digits} +0000"
    text = f"tree {tree}\nparent {parent}\nauthor {who}\ncommitter {who}\n\nOdd\n"
    name = git(root, "hash-object", "-t", "commit", "-w", "--stdin", "--literally", given=text)
    git(root, "update-ref", "HEAD", name.strip())
    for meaning in ("commit", "author"):
        assert set(days(dates(root, meaning=meaning), root)) <= {None, *DAYS}


def test_replaced_and_grafted(root):
    first, second, third = git(root, "rev-list", "--reverse", "HEAD").split()
    git(root, "replace", third, second)
    git(root, "replace", first, third, "-f")
    (root / ".git" / "info" / "grafts").write_text(f"{second}\n{third} {third}\n{'x' * 99}\n")
    assert set(days(dates(root), root)) <= {None, *DAYS}


def test_a_circle_of_replaced_commits(root):
    """Each commit that changed the files is older than the other, and none of them counts."""
    first, second, third = git(root, "rev-list", "--reverse", "HEAD").split()
    git(root, "replace", "--graft", first, second)
    for ignored in ([second, third], [first, second, third]):
        (root / ".git-blame-ignore-revs").write_text("\n".join(ignored))
        assert set(days(dates(root), root)) <= {None, DAYS[0]}


def test_a_very_long_path(root):
    blob = git(root, "rev-parse", "HEAD:a.md").strip()
    for number in range(2):
        names = ("a.md", "b.md", "x" * (4_000_000 + number))
        tree = "".join(f"100644 blob {blob}\t{name}\n" for name in names)
        made = git(root, "mktree", given=tree).strip()
        command = ["commit-tree", made, "-p", "HEAD", "-m", "Long"]
        git(root, "update-ref", "HEAD", git(root, *command, date=DAYS[2]).strip())
    (finding,) = dates(root, root).findings
    assert finding.rule == "git-failed"
    assert days(dates(root), root)[0] == DAYS[2]


@pytest.mark.parametrize("space", ["heads", "replace"])
def test_very_many_refs(root, space):
    head = git(root, "rev-parse", "HEAD").strip()
    lines = [f"{head} refs/{space}/{number:040x}" for number in range(5_000)]
    (root / ".git" / "packed-refs").write_text("\n".join(["# pack-refs with: sorted", *lines, ""]))
    assert days(dates(root), root) == RIGHT


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
@pytest.mark.parametrize("kind", ["pipe", "/dev/zero", "/dev/stdin", "loop", "folder", "nothing", "none"])
@pytest.mark.parametrize("name", [".git-blame-ignore-revs", "given"])
def test_a_list_of_commits_that_is_no_file(root, kind, name):
    file = root / name
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "folder":
        file.mkdir()
    elif kind != "none":
        file.symlink_to({"loop": file.name, "nothing": "nowhere"}.get(kind, kind))
    found = dates(root, ignore_revs=file if name == "given" else None)
    assert days(found, root) == RIGHT
    assert [finding.rule for finding in found.findings] == ["ignore-revs"] * (name == "given")


@pytest.mark.parametrize(
    "text",
    ["gitdir: /nowhere\n", "gitdir: .git\n", "gitdir: \n", "", "\0", "gitdir: ../project\n", "x" * 99_999],
)
def test_a_git_file_that_leads_nowhere(tmp_path, text):
    (tmp_path / ".git").write_text(text)
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("")
    found = dates(tmp_path)
    assert days(found, tmp_path) == [None, None]
    assert found.findings


def test_odd_output_is_shown():
    with pytest.raises(GitTrouble, match=r"no change: b'::100644 x'$"):
        parse_change((b"1" * 40 + b" 1 1", b"::100644 x"))


@needs_shell
@pytest.mark.parametrize(
    ("script", "words"),
    [
        *((f"printf '{text}'", "") for text in ("", "\\n" * 5, "true\\n.git\\n\\nx\\n", "\\377\\000")),
        ("exit 0", ""),
        ("exit 3", "failed (exit status 3)"),
        ("kill -9 $$", "failed (signal 9)"),
    ],
)
def test_a_git_that_is_none(root, tmp_path, script, words):
    found = dates(root, environ=stand_in(tmp_path / "bin", script))
    assert days(found, root) == [None, None]
    assert words in found.findings[0].message


def test_dates_need_no_folder_for_temporary_files(root, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    found = dates(root)
    assert days(found, root) == RIGHT
    assert not found.findings


SUBCOMMAND = 'for each in "$@"; do case $each in {}) {} ;; esac; done; exec {} "$@"'


def stand_in(folder: Path, script: str) -> dict[str, str]:
    """The environment in which git is a shell script."""
    folder.mkdir()
    (folder / "git").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "git").chmod(0o755)
    return os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


HANGING = ("sleep 100000", "sleep 100000 & wait", "sleep 100000 & exit")
HANGING += ("exec >&-; trap '' PIPE TERM; sleep 100000",)
ENDLESS = ("exec yes", "exec yes :", "exec cat /dev/zero", "exec tr '\\0' x </dev/zero")


@needs_shell
@pytest.mark.parametrize("command", ["rev-parse", "log", "ls-tree"])
@pytest.mark.parametrize("script", HANGING + ENDLESS)
def test_a_git_without_end(root, tmp_path, monkeypatch, command, script):
    if script in HANGING:
        monkeypatch.setattr(program, "TIMEOUT", 0.5)  # on a busy machine, a git before that may be named
    monkeypatch.setattr(program, "LARGEST_ANSWER", 1 << 20)  # a gigabyte
    script_of_all = SUBCOMMAND.format(command, script, shutil.which("git"))
    found = dates(root, environ=stand_in(tmp_path / "bin", script_of_all))
    assert days(found, root) == [None, None]
    (finding,) = found.findings
    if script in HANGING:
        assert finding.rule == "git-timeout"
        assert "did not end within 10 minutes" in finding.message
        assert "`git " in finding.message
    else:
        assert finding.rule == "git-failed"


@needs_shell
def test_repositories_that_hang_share_one_limit(root, tmp_path, monkeypatch):
    """When the first has used it up, the others get none: nothing waits for them."""
    others = [shutil.copytree(root, tmp_path / name) / "a.md" for name in "xy"]
    waits: list[float] = []
    timer = threading.Timer

    def noted(seconds: float, *rest: object) -> threading.Timer:
        waits.append(seconds)
        return timer(seconds, *rest)

    monkeypatch.setattr(program, "TIMEOUT", 0.5)  # ten minutes
    monkeypatch.setattr(program.threading, "Timer", noted)
    script = SUBCOMMAND.format("rev-parse", "sleep 100000", shutil.which("git"))
    monkeypatch.setenv("PATH", stand_in(tmp_path / "bin", script)["PATH"])
    found = dates(root, *others, environ=os.environ)
    (finding,) = found.findings
    assert finding.rule == "git-timeout"
    assert len(waits) == 3
    assert waits[1:] == [0.0, 0.0]
