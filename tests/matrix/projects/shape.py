"""What a project of the matrix is: its files, its configuration, and what is right for each of its pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from tests.conftest import git, write

BASE = "https://docs.example.org/"
LATE = "late/page.html"  # another extension writes it into the output
IGNORED = ".git-blame-ignore-revs"


def headers(path: str) -> str:
    """The ``_headers`` that mark a page noindex, at the root of a host and below the path of a version."""
    return "".join(f"{place}{path}*\n  X-Robots-Tag: noindex\n" for place in ("", "/:language/:version"))


def redirects(path: str, target: str) -> str:
    """The ``_redirects`` that hide a page, at the root of a host and below the path of a version."""
    return "".join(f"{place}{path}* {target} 301!\n" for place in ("", "/:language/:version"))


GITIGNORE = "/out*/\n/trees*/\n/copy/\n/moved/\n/site*/\n__pycache__/\n*.mo\n"
HAND_WRITTEN = (
    "<!doctype html><html lang=en><head><title>Written by hand</title></head><body>Text</body></html>"
)
STUB = (
    '<!doctype html><html><head><title>Moved</title><meta http-equiv="refresh" content="0; url=/index.html">'
    "</head><body></body></html>"
)


class Truth(NamedTuple):
    """What is right for one page: why it is left out (``""``: it is listed), and the files that date it.

    ``made_of`` are paths from the top of the repository, the files whose newest commit is the date. None:
    there is no date, as the page or something it is made of has no commit. ``day`` is a date that the page
    itself has.
    """

    reason: str = ""
    made_of: tuple[str, ...] | None = None
    day: str = ""


def dated_by(*files: str, day: str = "") -> Truth:
    return Truth(made_of=files, day=day)


def left_out(reason: str) -> Truth:
    return Truth(reason=reason)


UNDATED = Truth()


@dataclass(frozen=True, kw_only=True)
class Project:
    """One shape of documentation.

    ``make`` writes and commits the files below a folder. ``settings`` are those of conf.py or mkdocs.yml
    without ours; ``code`` is what else conf.py has. ``truth`` maps the name of each HTML file of the output,
    in the spelling of ``html`` and ``use_directory_urls: false``, to what is right for it. ``copied`` are
    files whose names no spelling changes, ``random`` those that no two builds write alike. ``only_in_plugin``
    are pages that the command does not date. ``configuration`` is the folder of the configuration.
    """

    name: str
    host: Literal["sphinx", "mkdocs", "folder"]
    make: Callable[[Path], None]
    settings: Mapping[str, object]
    truth: Mapping[str, Truth]
    code: str = ""
    configuration: str = ""
    copied: frozenset[str] = frozenset()
    random: frozenset[str] = frozenset()
    only_in_plugin: frozenset[str] = frozenset()
    themes: tuple[object, ...] = ()
    plugins: tuple[object, ...] = ()
    after: tuple[object, ...] = ()
    flags: tuple[str, ...] = field(default=())


class History:
    """A repository with one commit after the other, each a month later than the one before."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._month = 0
        root.mkdir(parents=True, exist_ok=True)
        git(root, "init", "-q", "-b", "main")

    def commit(self, files: Mapping[str, str | bytes], *more: str) -> str:
        """Writes and commits files; ``more`` are others that are there already. Returns the commit."""
        write(self._root, files)
        git(self._root, "add", "--", *files, *more)
        date = f"{2020 + self._month // 12}-{self._month % 12 + 1:02}-15T12:00:00+00:00"
        self._month += 1
        git(self._root, "commit", "-q", "-m", f"Change {self._month}", date=date)
        return git(self._root, "rev-parse", "HEAD").strip()

    def move(self, old: str, new: str) -> str:
        """Commits a move and nothing else."""
        (self._root / new).parent.mkdir(parents=True, exist_ok=True)
        git(self._root, "mv", old, new)
        return self.commit({})

    def leave_untracked(self, files: Mapping[str, str | bytes]) -> None:
        write(self._root, files)
