"""Random histories, and what every kind of clone finds in them with and without the cache of dates.

A trial makes one history, and then clones of it, one after the other at the same path: whole, shallow,
deeper, shallower, without the contents of files, older, and rebased. All of them share one cache. The dates
of each clone are compared with git's in the whole history.
"""

import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.conftest import read_dates

NOW = 1_700_000_000
DAY = 86_400
NAMES = ("docs/a.md", "docs/b.md", "docs/c/d.md", "docs/c", "docs/c/e.md", "README.md", "docs/f.md")
PARTS = [f"line {number}" for number in range(12)]  # git takes texts that share them for one moved file
MEANINGS = ("commit", "commit", "author")
Tree = Mapping[str, tuple[str, str]]
Dated = tuple[str, int]


class Made(NamedTuple):
    """A commit as it is made: the numbers of its parents, its files with mode and text, and its dates."""

    parents: tuple[int, ...]
    tree: Tree
    committed: int
    authored: int


class History:
    """A random history with branches, merges, reverts, moves, removed files and clocks that are wrong.

    ``main`` has all of it. ``rebased`` has some of its commits again, on an older one.
    """

    def __init__(self, random: Random, *, length: int) -> None:
        self._random = random
        self.commits: list[Made] = []
        self.tips: dict[str, int] = {}
        heads = [self._add((), {name: self._blob() for name in NAMES[:3]})]
        while len(self.commits) < length:
            head = random.randrange(len(heads))
            act = random.random()
            if act < 0.2 and len(heads) < 4:
                heads.append(heads[head])
            elif act < 0.45 and len(heads) > 1:
                others = [each for each in dict.fromkeys(heads) if each != heads[head]]
                merged = random.sample(others, min(len(others), random.choice((1, 1, 1, 2))))
                heads[head] = self._merge((heads[head], *merged))
            else:
                heads[head] = self._add((heads[head],), self._changed(self.commits[heads[head]].tree))
        self.tips["main"] = heads[0] if random.random() < 0.5 else max(heads)
        self.tips["rebased"] = self._rebase(self.tips["main"])

    def line(self, tip: int) -> list[int]:
        """The commits along first parents, the newest first."""
        numbers = [tip]
        while self.commits[numbers[-1]].parents:
            numbers.append(self.commits[numbers[-1]].parents[0])
        return numbers

    def _add(self, parents: tuple[int, ...], tree: Tree) -> int:
        number = len(self.commits)
        committed = NOW - (200 - number) * DAY
        if self._random.random() < 0.3:
            committed += self._random.randrange(-30, 30) * DAY
        authored = committed - self._random.choice((0, 0, 5 * DAY))
        self.commits.append(Made(parents, tree, committed, authored))
        return number

    def _blob(self) -> tuple[str, str]:
        lines = [*PARTS, f"text {self._random.randrange(4)}"]
        return self._random.choice(("100644", "100644", "100644", "100755")), "\n".join(lines)

    def _changed(self, tree: Tree) -> Tree:
        changed = dict(tree)
        for _ in range(self._random.choice((0, 1, 1, 2, 3))):
            act = self._random.random()
            if act < 0.1 and changed:
                del changed[self._random.choice(sorted(changed))]
            elif act < 0.25 and changed:
                moved = changed.pop(self._random.choice(sorted(changed)))
                text = moved if self._random.random() < 0.5 else self._blob()
                _put(changed, self._random.choice(NAMES), text)
            else:
                _put(changed, self._random.choice(NAMES), self._blob())
        return changed

    def _merge(self, parents: tuple[int, ...]) -> int:
        merged: dict[str, tuple[str, str]] = {}
        for name in NAMES:
            blob = self.commits[self._random.choice(parents)].tree.get(name)
            if blob:
                _put(merged, name, blob)
        is_evil = self._random.random() < 0.3
        return self._add(parents, self._changed(merged) if is_evil else merged)

    def _rebase(self, tip: int) -> int:
        line = self.line(tip)
        onto = line[self._random.randrange(len(line))]
        number = onto
        for old in reversed(line[: self._random.randrange(len(line))]):
            number = self._add((number,), self.commits[old].tree)
        return number if number != onto else self._add((onto,), self._changed(self.commits[onto].tree))

    def stream(self) -> bytes:
        """The history for ``git fast-import``, with a branch for each commit."""
        lines = []
        for number, made in enumerate(self.commits):
            lines += [f"commit refs/heads/c{number}", f"mark :{number + 1}"]
            lines += [f"author A <a@example.org> {made.authored} +0000"]
            lines += [f"committer C <c@example.org> {made.committed} +0000", "data 0"]
            links = ["from", *["merge"] * len(made.parents)]
            lines += [f"{link} :{parent + 1}" for link, parent in zip(links, made.parents, strict=False)]
            lines.append("deleteall")
            for name, (mode, text) in made.tree.items():
                lines.append(f"M {mode} inline {name}\ndata {len(text)}\n{text}")
        return "\n".join([*lines, ""]).encode()


def _put(tree: dict[str, tuple[str, str]], name: str, blob: tuple[str, str]) -> None:
    for other in [other for other in tree if other.startswith(f"{name}/") or name.startswith(f"{other}/")]:
        del tree[other]
    tree[name] = blob


class Clone(NamedTuple):
    """A clone: its depth (0 for the whole history), whether it lacks the contents of files, its commit."""

    depth: int
    is_blobless: bool
    number: int

    def __str__(self) -> str:
        depth = f"depth {self.depth}" if self.depth else "whole"
        return f"{depth}{', blobless' if self.is_blobless else ''}, at commit {self.number}"


@dataclass
class Counts:
    """What the trials have found.

    Attributes:
        builds: The number of builds with a cache that an earlier clone has written.
        files: The number of files in all builds.
        missing: The files whose date a clone does not prove.
        found: The missing dates that the cache had.
        problems: A line for each date that is wrong or that the cache has taken away.
    """

    builds: int = 0
    files: int = 0
    missing: int = 0
    found: int = 0
    problems: list[str] = field(default_factory=list)


class Trial:
    """A repository with a random history, and a folder for its clones."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._random = Random(seed)
        self._seed = seed
        self._origin = folder / "origin"
        self._work = folder / "work"
        self._cache = folder / "cache"
        self._known: dict[tuple[object, ...], Dated | None] = {}
        self.history = History(self._random, length=self._random.randrange(6, 30))
        self._ids = self._write()

    def _write(self) -> list[str]:
        subprocess.run(["git", "init", "-q", "--bare", self._origin], check=True)
        self._git("config", "uploadpack.allowFilter", "true")
        marks = self._origin / "marks"
        how = ["git", "fast-import", "--quiet", f"--export-marks={marks}"]
        subprocess.run(how, cwd=self._origin, input=self.history.stream(), check=True)
        ids = dict(line.split() for line in marks.read_text().splitlines())
        return [ids[f":{number + 1}"] for number in range(len(self.history.commits))]

    def _git(self, *arguments: str) -> str:
        return subprocess.check_output(["git", *arguments], cwd=self._origin, text=True)

    def run(self, builds: int, counts: Counts) -> None:
        """Build in one clone after the other, and count."""
        meaning = self._random.choice(MEANINGS)
        ignored: set[int] = set()
        if self._random.random() < 0.5:
            numbers = range(len(self._ids))
            ignored = set(self._random.sample(numbers, self._random.randint(1, len(numbers) // 3)))
        trail = []
        for clone in self._clones(builds):
            if ignored and self._random.random() < 0.3:
                ignored ^= {self._random.randrange(len(self._ids))}
            ids = frozenset(self._ids[number] for number in ignored)
            trail.append(f"{clone}, ignored {sorted(ignored)}")
            self._check(clone, meaning, ids, counts, " > ".join(trail))

    def _clones(self, builds: int) -> Iterator[Clone]:
        """Yield clones in a random order. HEAD mostly goes on along main."""
        main = self.history.line(self.history.tips["main"])
        place = self._random.randrange(len(main))
        for _ in range(builds):
            depth = self._random.choice((0, 1, 2, 3, 5, 8, 50))
            if self._random.random() < 0.2:
                rebased = self.history.line(self.history.tips["rebased"])
                number = self._random.choice(rebased)
            else:
                place = max(0, place + self._random.choice((-4, -3, -2, -1, -1, 0, 1, 3)))
                place = min(place, len(main) - 1)
                number = main[place]
            yield Clone(depth, self._random.random() < 0.3, number)

    def _check(self, clone: Clone, meaning: str, ignored: frozenset[str], counts: Counts, trail: str) -> None:
        shutil.rmtree(self._work, ignore_errors=True)
        how = ["--no-checkout", "--single-branch", "--no-tags", "--branch", f"c{clone.number}"]
        if clone.depth:
            how += ["--depth", str(clone.depth)]
        if clone.is_blobless:
            how.append("--filter=blob:none")
        subprocess.run(["git", "clone", "-q", *how, self._origin.as_uri(), self._work], check=True)
        names = sorted(self.history.commits[clone.number].tree)
        plain = self._dates(names, meaning, ignored, None)
        cached = self._dates(names, meaning, ignored, self._cache)
        counts.builds += 1
        for name, proven, date in zip(names, plain, cached, strict=True):
            right = self._right(self._ids[clone.number], name, meaning, ignored)
            counts.files += 1
            counts.missing += proven is None and right is not None
            counts.found += proven is None and date is not None
            where = f"seed {self._seed}: {trail}: {name}: git {right}, without cache {proven}, with {date}"
            if proven not in (None, right):
                counts.problems.append(f"wrong without the cache, {where}")
            if date not in (None, right):
                counts.problems.append(f"wrong with the cache, {where}")
            if proven and date != proven:
                counts.problems.append(f"changed or lost, {where}")
            if right and not date and not clone.depth and not (clone.is_blobless and ignored):
                counts.problems.append(f"missing in a whole clone, {where}")

    def _dates(
        self, names: Sequence[str], meaning: str, ignored: frozenset[str], cache: Path | None
    ) -> list[Dated | None]:
        """The commit and the date that our code finds for each file."""
        (self._work / "ignored").write_text("\n".join(sorted(ignored)))
        for name in names:
            (self._work / name).parent.mkdir(parents=True, exist_ok=True)
        files = [self._work / name for name in names]
        now = datetime.fromtimestamp(NOW, timezone.utc)
        dates = read_dates(files, now=now, meaning=meaning, ignore_revs=self._work / "ignored", cache=cache)
        stamps = [dates.find_stamp([file]) for file in files]
        return [stamp and (stamp.commit, int(stamp.when.timestamp())) for stamp in stamps]

    def _right(self, start: str, name: str, meaning: str, ignored: frozenset[str]) -> Dated | None:
        """The first commit that counts among those that git shows for a file in the whole history."""
        key = (start, name, meaning, ignored)
        if key not in self._known:
            self._known[key] = self._first_commit(start, name, meaning, ignored)
        return self._known[key]

    def _first_commit(self, start: str, name: str, meaning: str, ignored: frozenset[str]) -> Dated | None:
        # Most often, the first commit counts. To read one is faster than to read all.
        for limit in (["-1"], []):
            shown = self._git("log", *limit, "--format=%H %ct %at", start, "--", name)
            for commit, committed, authored in map(str.split, shown.splitlines()):
                date = int(authored if meaning == "author" else committed)
                if commit not in ignored:
                    if date <= NOW:
                        return commit, date
                elif old := self._moved_from(commit, name):
                    return self._right(f"{commit}^@", old, meaning, ignored)
        return None

    def _moved_from(self, commit: str, name: str) -> str:
        """The former path of a file that a commit has moved, or ``""``."""
        how = ("log", "--no-walk", "--format=", "--name-status", "-M", "--diff-filter=R", commit)
        for line in self._git(*how).splitlines():
            _, old, new = line.split("\t")
            if new == name:
                return old
        return ""


def run_trials(folder: Path, seeds: Sequence[int], builds: int = 8) -> Counts:
    """Run a trial for each seed, and return what all of them have found."""
    counts = Counts()
    for seed in seeds:
        place = folder / str(seed)
        place.mkdir(parents=True)
        Trial(place, seed).run(builds, counts)
        shutil.rmtree(place)
    return counts
