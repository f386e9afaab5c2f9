"""What a build leaves behind when the system fails it: each file whole, words, and a rerun that heals."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from sitemap_docs.output.transaction import STAGING
from tests.conftest import BASE, HANGS, SIZE, Answer, command, commit, git, part, write

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the faults are made as POSIX systems make them")

# Everything is loaded before the fault begins: it is ours to bear, not the interpreter's.
CHILD = """
import atexit, resource, signal, sys, time
from sitemap_docs.cli.main import group
arguments = ["build", *sys.argv[2:]]
group.main([*arguments, "--dry-run", "-q"], standalone_mode=False)
exec(sys.argv[1])
group.main(arguments)
"""


def ran(line: Sequence[object], environ: Mapping[str, str] = os.environ) -> Answer:
    """A command in a process of its own, which says what is wrong in words."""
    done = subprocess.run(line, env=environ, capture_output=True, text=True, check=False, timeout=HANGS)
    for said in (done.stdout, done.stderr):
        assert "Traceback" not in said
        assert "Exception" not in said
    return Answer(done.returncode, done.stdout, done.stderr)


class Site:
    """A built folder in a repository: 40 pages become an index and its sitemaps."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / "site"
        self.docs = root / "docs"
        if not self.folder.exists():
            self.folder.mkdir(parents=True)
            write(self.docs, {f"p{page}.md": f"{page}" for page in range(40)})
            self.put(range(40))

    def put(self, pages: Sequence[int]) -> None:
        for file in self.folder.glob("*.html"):
            file.unlink()
        write(self.folder, {f"p{page}.html": f"<!doctype html><title>{page}</title>" for page in pages})

    def arguments(self, *flags: str) -> list[str]:
        files = [str(self.folder), "--source", str(self.docs)]
        return [*files, "--base-url", BASE, "--max-urls", "9", "--ignore", "home-missing", *flags]

    def command(self, fault: str = "pass", *flags: str) -> list[str]:
        return [sys.executable, "-c", CHILD, fault, *self.arguments(*flags)]

    def build(self, *flags: str) -> Answer:
        """Builds in this process, where nothing fails."""
        return command("build", *self.arguments(*flags))

    def build_failing(self, fault: str = "pass", *flags: str, prefix: Sequence[str] = ()) -> Answer:
        """Builds in a process of its own, in which the fault begins before the build."""
        return ran([*prefix, *self.command(fault, *flags)])

    def content(self) -> dict[str, bytes]:
        files = (file for file in self.folder.iterdir() if file.suffix != ".html" and file.name != STAGING)
        return {file.name: file.read_bytes() for file in files}

    def commit(self, date: str = "2024-01-01T00:00:00Z") -> None:
        commit(self.root, "docs", date=date)


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Site:
    site = Site(tmp_path_factory.mktemp("built"))
    assert site.build().code == 0
    return site


@pytest.fixture
def site(built, tmp_path) -> Site:
    shutil.copytree(built.root, tmp_path, dirs_exist_ok=True)
    return Site(tmp_path)


def heals(site: Site) -> None:
    assert site.build().code == 0
    first = site.content()
    for name in first:
        (site.folder / name).unlink()
    assert site.build().code == 0
    assert site.content() == first
    assert not (site.folder / STAGING).exists()


BOUND = ["--inh-caps=-dac_override,-dac_read_search", "--bounding-set=-dac_override,-dac_read_search"]


def as_everybody() -> list[str]:
    """What makes root obey permissions."""
    if os.getuid():
        return []
    if not shutil.which("setpriv"):
        pytest.skip("root ignores permissions, and there is no setpriv to make it obey")
    return ["setpriv", *BOUND]


@pytest.mark.parametrize("pages", [range(0, 40, 3), range(40)], ids=["a change", "nothing to write"])
def test_a_folder_that_must_not_be_written(site, pages):
    before = site.content()
    site.put(pages)
    site.folder.chmod(0o555)
    said = site.build_failing(prefix=as_everybody())
    site.folder.chmod(0o755)
    words = "Permission denied. Nothing was changed."
    assert (said.code, words in said.err) == ((0, False) if pages == range(40) else (2, True))
    assert site.content() == before
    heals(site)


def test_files_that_must_not_be_read(site):
    before = site.content()
    unreadable = site.folder / "p7.html"
    unreadable.chmod(0)
    (site.folder / "sitemap.xml").chmod(0)
    said = site.build_failing(prefix=as_everybody())
    for file in (unreadable, site.folder / "sitemap.xml"):
        file.chmod(0o644)
    assert said.code == 2
    assert "sitemap.xml" in said.err
    assert "Permission denied" in said.err
    assert site.content() == before
    heals(site)


@pytest.mark.parametrize("flags", [("--strict",), ("--excludes", "p7.html", "--strict")])
def test_a_page_that_must_not_be_read(site, flags):
    site.commit()
    (site.folder / "p7.html").chmod(0)
    said = site.build_failing("pass", *flags, prefix=as_everybody())
    excluded = "--excludes" in flags
    assert said.code == int(flags == ("--strict",))
    warning = f"1 page that cannot be read, such as {BASE}p7.html: Permission denied."
    assert (warning in said.err) != excluded
    assert f"{BASE}p8.html" in "".join(map(bytes.decode, site.content().values()))


NO_THREAD = """
import resource, threading
resource.setrlimit(resource.RLIMIT_AS, (1 << 36, 1 << 36))
threading.stack_size(1 << 37)
try:
    threading.Thread(target=bool).start()
except RuntimeError:
    pass
else:
    sys.exit("a thread was started")
"""


@pytest.mark.parametrize("small", [8_192, 10], ids=["here", "on two processes"])
def test_no_memory_for_a_thread(site, small):
    site.commit()
    for name in ("other", "0"):  # so that git is asked about the file alone, as the last commit is a revert
        (site.docs / "p0.md").write_text(name)
        git(site.root, "commit", "-qam", "A change", date="2024-02-02T00:00:00+00:00")
    fault = f"{NO_THREAD}\nfrom sitemap_docs.listing import processes\nprocesses.FEW_PAGES = {small}"
    said = site.build_failing(fault, "--jobs", "2")
    assert (said.code, said.err.count("warning")) == (0, 0), said.err
    before = site.content()
    assert b"2024-02-02" in b"".join(before.values())
    heals(site)
    assert site.content() == before


FULL = (">/dev/full", 2, "Standard output cannot be written: No space left on device.")
STREAMS = [
    ("build -v", *FULL),
    ("check --format sarif", *FULL),
    ("check --explain-rule", *FULL),
    ("--version", *FULL),
    ("build -v", ">&-", 0, ""),
    ("check --format sarif", "<&- >&- 2>&-", 0, ""),
    ("build -v", "2>/dev/full", 0, ""),
    ("build -v", "2>&1 >&- | true; exit ${PIPESTATUS[0]}", 0, ""),  # a reader that has gone
    ("check --format sarif", "| true; exit ${PIPESTATUS[0]}", None, ""),
]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize(("name", "redirection", "code", "words"), STREAMS)
def test_output_that_cannot_be_written(site, name, redirection, code, words):
    where = f"{site.folder} --base-url {BASE}"
    where = {"check --explain-rule": "title-missing", "--version": ""}.get(name, where)
    usual = command(*f"{name} {where}".split()).code
    line = f"{sys.executable} -m sitemap_docs {name} {where}"
    done = ran(["bash", "-c", f"{line} {redirection}"])
    assert words in done.err
    # 1 where the reader was gone before the last line.
    assert done.code in ((1, usual) if code is None else (code or usual,))
    assert BASE in (site.folder / "sitemap.xml").read_text()


# On a tmpfs of its own, in a mount namespace of its own, which ends with the process.
ON_A_FULL_DISK = """
mount -t tmpfs -o size=3m none "$1" && cp -r "$2"/. "$1"
head -c 4000000 /dev/zero > "$1/filler" 2> /dev/null
shift 2
"$@" 2>&1
echo "exit $?"
"""


def test_a_full_disk(tmp_path):
    """That of the site and of temporary files."""
    unshare = ["unshare", "--mount", *([] if os.getuid() == 0 else ["--map-root-user"])]
    probe = [*unshare, "mount", "-t", "tmpfs", "none", str(tmp_path)]
    if not shutil.which("unshare") or subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("this machine lets nobody mount a small file system")
    site = Site(tmp_path / "origin")
    site.build()
    site.commit()
    before = site.content()
    site.put(range(0, 40, 3))
    small = tmp_path / "small"
    small.mkdir()
    build = [part.replace(str(site.root), str(small)) for part in site.command("pass", "-q")]
    look = f"cd {small}/site && cat sitemap*.xml | cksum && ls -A"
    script = f'{ON_A_FULL_DISK}\n{look}; rm ../filler; "$@" 2>&1; echo "exit $?"; ls -A'
    line = [*unshare, "sh", "-c", script, "sh", str(small), str(site.root), *build]
    done = ran(line, os.environ | {"TMPDIR": str(small)})
    assert "exit 2\n" in done.out, done.out
    first, rest = done.out.split("exit 2\n")
    assert "No space left on device. Nothing was changed." in first
    look, healed, after = rest.partition("exit 0\n")
    checksum, *names = look.split("\n")
    whole = b"".join(before[name] for name in sorted(before) if name.endswith(".xml"))
    (tmp_path / "whole").write_bytes(whole)
    assert checksum.split() == ran(["cksum", tmp_path / "whole"]).out.split()[:2]
    assert set(before) == {name for name in names if name and not name.endswith(".html")}
    assert healed
    assert STAGING not in look + after


@pytest.mark.parametrize("more", part([1, 2, 4, 6], 2))
def test_too_many_open_files(site, more):
    before = site.content()
    site.put(range(0, 40, 3))
    site.commit()
    limit = f"resource.setrlimit(resource.RLIMIT_NOFILE, ({3 + more}, {3 + more}))"
    said = site.build_failing(limit, "--jobs", "1")
    assert said.code in (0, 1, 2)
    if said.code == 2:
        assert "Too many open files" in said.err
        assert site.content() == before
    heals(site)


def test_interrupted_calls(site):
    """EINTR: a signal whose handler does nothing, ten thousand times a second."""
    site.put(range(0, 40, 3))
    timer = (
        "signal.signal(signal.SIGALRM, lambda *_: None); signal.setitimer(signal.ITIMER_REAL, 1e-4, 1e-4);"
        "atexit.register(signal.setitimer, signal.ITIMER_REAL, 0)"
    )
    assert site.build_failing(timer).code == 0
    heals(site)


@pytest.mark.parametrize("epoch", ["0", "99999999999999", "yesterday"])
def test_the_clock_of_the_machine_decides_what_is_in_the_future(site, monkeypatch, epoch):
    """Not SOURCE_DATE_EPOCH, which says when files are stamped: a project sets it once for its packages."""
    site.commit()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    done = site.build()
    assert (done.code, "40 dated" in done.out, "future" in done.err) == (0, True, False)


@pytest.mark.skipif(SIZE == "part", reason="output/test_transaction.py kills at every point")
def test_killed_at_random_moments():
    done = ran([sys.executable, Path(__file__).parent / "bench" / "faults.py", "4"])
    assert done.code == 0, done.err
    assert "4 runs, all healed" in done.out
