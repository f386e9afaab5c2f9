"""Ends builds by signals at random moments: ``python tests/bench/faults.py 1000``.

Each run starts from an old site, kills the build of a new one, and builds again. It fails at the first file
that is neither old nor new, the first sitemap that is listed and not there, the first traceback, and the
first rerun that does not give exactly the new site. The counts are printed.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from traceback import extract_tb

import sitemap_docs.cli.build  # noqa: F401  here: Python reports an interrupt of a class that it makes otherwise
from sitemap_docs.cli.main import group
from sitemap_docs.output.transaction import STAGING
from sitemap_docs.sitemap.reader import parse

BASE = "https://docs.example.org/"
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
OLD, NEW = range(0, 120, 2), range(0, 120, 3)
PAGE = "<!doctype html><html><head><title>{0}</title></head><body>{0}</body></html>"


class Field:
    """A built site in a repository, and what a whole build makes of each of its two states."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.site = root / "site"
        self.errors = root / "errors"
        self.wholes: dict[range, dict[str, bytes]] = {}

    def prepare(self) -> None:
        (self.root / "docs").mkdir()
        for page in {*OLD, *NEW}:
            (self.root / f"docs/p{page}.md").write_text(f"{page}\n")
        who = {
            f"GIT_{role}_{key}": "a@b.org" for role in ("AUTHOR", "COMMITTER") for key in ("NAME", "EMAIL")
        }
        who |= {"GIT_AUTHOR_DATE": "2024-01-01T00:00Z", "GIT_COMMITTER_DATE": "2024-01-01T00:00Z"}
        for command in (["init", "-q"], ["add", "docs"], ["commit", "-qm", "A change"]):
            subprocess.run(["git", *command], cwd=self.root, env=os.environ | who, check=True)
        for pages in (OLD, NEW):
            shutil.rmtree(self.site, ignore_errors=True)
            self.put(pages)
            assert self.end(self.start()) == 0, self.errors.read_text()
            self.wholes[pages] = self.content()

    def put(self, pages: range) -> None:
        """The pages of a site, beside whatever sitemap is there."""
        self.site.mkdir(exist_ok=True)
        for file in self.site.glob("*.html"):
            file.unlink()
        for page in pages:
            (self.site / f"p{page}.html").write_text(PAGE.format(page))

    def restore(self) -> None:
        shutil.rmtree(self.site)
        shutil.rmtree(self.root / "cache", ignore_errors=True)
        self.put(NEW)
        for name, data in self.wholes[OLD].items():
            (self.site / name).write_bytes(data)

    def content(self) -> dict[str, bytes]:
        files = (file for file in self.site.iterdir() if file.suffix != ".html" and file.name != STAGING)
        return {file.name: file.read_bytes() for file in files}

    def start(self) -> int:
        """The id of a process that builds."""
        sys.stdout.flush()
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)  # until the child cannot return from here
        if child := os.fork():
            signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
            return child
        errors = os.open(self.errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(errors, 1)
        os.dup2(errors, 2)
        flags = ["--max-urls", "9", "--gzip", "beside", "--formats", "text", "--base-url", BASE]
        folders = ["--source", str(self.root / "docs"), "--cache-dir", str(self.root / "cache")]
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)  # shells let jobs ignore it
            signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
            group.main(["build", str(self.site), *flags, *folders])
        except SystemExit as error:
            os._exit(int(error.code or 0))
        except BaseException as error:  # noqa: BLE001  the parent looks for it
            began = any(frame.name == "make_context" for frame in extract_tb(error.__traceback__))
            if not isinstance(error, KeyboardInterrupt) or began:  # click answers for it from there on
                sys.excepthook(*sys.exc_info())
            os._exit(1)  # it was ended before it began
        finally:
            os._exit(70)

    def moment(self, span: float) -> str:
        """Waits for a random moment, half of the time one when files are being written."""
        if random.random() < 0.5:
            time.sleep(random.random() * span)
            return "anywhere"
        until = time.perf_counter() + 3 * span
        while not (self.site / STAGING).exists() and time.perf_counter() < until:
            time.sleep(0.0002)
        time.sleep(random.random() * span / 100)
        return "while writing"

    def end(self, child: int) -> int:
        """The exit status of a process, or the negative number of the signal that ended it."""
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def check(self) -> str:
        """Which of the two sites is there."""
        said = self.errors.read_text() if self.errors.exists() else ""
        # a signal while an object of the standard library is made: Python reports the error of its end
        assert "Traceback" not in said.partition("Exception ignored in")[0], said
        old, new = self.wholes[OLD], self.wholes[NEW]
        found = self.content()
        for name, data in found.items():
            assert data in (old.get(name), new.get(name)), f"{name} is neither old nor new"
        for entry in parse(self.site / "sitemap.xml").entries():
            name = entry.loc.removeprefix(BASE)
            assert not name.endswith(".xml") or name in found, f"{name} is listed and not there"
        return "old" if found == old else "new" if found == new else "files of both"


def run(runs: int, field: Field) -> Counter[str]:
    counts: Counter[str] = Counter()
    field.prepare()
    field.restore()
    begun = time.perf_counter()
    field.end(field.start())
    span = time.perf_counter() - begun
    for _ in range(runs):
        field.restore()
        chosen = random.choice(SIGNALS)
        child = field.start()
        moment = field.moment(span)
        os.kill(child, chosen)
        code = field.end(child)
        ended = chosen.name if code in (-chosen, 1) else f"exit {code}"
        left = ", staging left" if (field.site / STAGING).exists() else ""
        counts[f"{ended}, {moment}: {field.check()}{left}"] += 1
        assert field.end(field.start()) == 0, field.errors.read_text()
        assert field.check() == "new"
        assert not (field.site / STAGING).exists()
    return counts


def main() -> None:
    memory = Path("/dev/shm")  # where flushing costs nothing
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as root:
        counts = run(int(sys.argv[1]), Field(Path(root)))
    for what, number in sorted(counts.items()):
        print(f"{number:6} {what}")
    print(f"{sum(counts.values()):6} runs, all healed")


if __name__ == "__main__":
    main()
