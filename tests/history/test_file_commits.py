"""Every date against git itself, on histories that hypothesis makes up.

    HISTORIES=2000 pytest -q tests/history/test_file_commits.py

reads so many; by default it is a few.
"""

from __future__ import annotations

import os
import subprocess
from datetime import datetime, timezone
from itertools import combinations
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sitemap_docs.history import file_commits
from tests.conftest import read_dates

if TYPE_CHECKING:
    from pathlib import Path

    from sitemap_docs.history.page_dates import Dates

Tree = dict[str, tuple[str, str]]

PATHS = ("docs/sub", "docs/sub/c.md", "docs/sub/c.md/d", "docs/a.md", "docs/b.md", "README.md")
MODES = ("100644", "100644", "100644", "100755", "120000", "160000")
CONTENTS = {name: "".join(f"line {number}\n" for number in range(20)) + name for name in "12"}
NOW = 1_700_000_000
AHEAD = NOW + 1_000_000


class Step(NamedTuple):
    """A commit: its parents as numbers of earlier ones, all that it holds, its dates."""

    parents: tuple[int, ...]
    tree: Tree
    committed: int
    authored: int


@st.composite
def trees(draw, parents: list[Tree], paths: tuple[str, ...]) -> Tree:
    """What a commit may make of its parents: each path from any of them, then a few changes of its own."""
    tree: Tree = {}
    for path in paths:
        found = [parent.get(path) for parent in parents]
        chosen = draw(st.sampled_from(found)) if len(set(found)) > 1 else next(iter(found), None)
        if chosen:
            put(tree, path, chosen)
    for path in draw(st.lists(st.sampled_from(paths), max_size=2)):
        if draw(st.integers(0, 4)):
            put(tree, path, (draw(st.sampled_from(MODES)), draw(st.sampled_from("12"))))
        else:
            tree.pop(path, None)
    return tree


def put(tree: Tree, path: str, blob: tuple[str, str]) -> None:
    for other in [other for other in tree if other.startswith(f"{path}/") or path.startswith(f"{other}/")]:
        del tree[other]
    tree[path] = blob


@st.composite
def histories(draw, *, refused: bool) -> list[Step]:
    """Also with commits of the future, and with a file that once is a folder, whose commits git names."""
    steps: list[Step] = []
    paths, ahead = PATHS, AHEAD if refused else 0
    for number in range(draw(st.integers(2, 12))):
        near = list(range(number))[-4:]
        parents = draw(st.lists(st.sampled_from(near), min_size=1, max_size=3, unique=True)) if near else []
        committed = draw(st.sampled_from([number * 1000, number * 1000, NOW - number, ahead + number]))
        authored = draw(st.sampled_from([committed, 77, ahead]))
        tree = draw(trees([steps[parent].tree for parent in parents], paths))
        steps.append(Step(tuple(parents), tree, committed, authored))
    return steps


def stream(steps: list[Step]) -> bytes:
    """The steps for ``git fast-import``."""
    lines = []
    for number, step in enumerate(steps):
        lines += [
            "reset refs/heads/made",
            "commit refs/heads/made",
            f"mark :{number + 1}",
            f"author A <a@example.org> {step.authored} +0000",
            f"committer C <c@example.org> {step.committed} +0000",
            "data 0",
            *(f"{'merge' if place else 'from'} :{parent + 1}" for place, parent in enumerate(step.parents)),
            "deleteall",
        ]
        for path, (mode, content) in step.tree.items():
            if mode == "160000":
                lines.append(f"M 160000 {content * 40} {path}")
            else:
                lines.append(f"M {mode} inline {path}\ndata {len(content)}\n{content}")
    return "\n".join([*lines, ""]).encode()


def write(root: Path, steps: list[Step]) -> list[str]:
    """The ids of the commits that the steps become in the repository."""
    marks = root / ".git" / "marks"
    importing = ["git", "fast-import", "--quiet", "--force", f"--export-marks={marks}"]
    subprocess.run(importing, cwd=root, input=stream(steps), check=True)
    ids = dict(line.split() for line in marks.read_text().splitlines())
    return [ids[f":{number + 1}"] for number in range(len(steps))]


def oracle(root: Path, path: str, meaning: str, ignored: set[str], start: str = "HEAD"):
    """The first commit that counts among those that git names for the path, and its date.

    None where a shallow clone ends before it: git then names the commit at the cut. Behind an ignored commit
    that moved the file, the history goes on at its old path.
    """
    shallow = root / ".git/shallow"
    boundary = shallow.read_text().split() if shallow.exists() else []
    how = ["git", "--literal-pathspecs", "log", "--format=%H %ct %at"]
    reported = subprocess.check_output([*how, start, "--", path], cwd=root, text=True)
    for commit, committed, authored in map(str.split, reported.splitlines()):
        if commit in boundary:
            return None
        if commit in ignored and (old := moved_from(root, commit, path)):
            return oracle(root, old, meaning, ignored, f"{commit}^@")
        date = int(authored if meaning == "author" else committed)
        if commit not in ignored and date <= NOW:
            return commit, date
    return None


def newest(root: Path, path: str, meaning: str) -> tuple[str, int]:
    """The first commit that git names for a path, whether it counts or not, and its date."""
    field = "%at" if meaning == "author" else "%ct"
    how = ["git", "--literal-pathspecs", "log", "-1", f"--format=%H {field}", "--", path]
    commit, date = subprocess.check_output(how, cwd=root, text=True).split()
    return commit, int(date)


def moved_from(root: Path, commit: str, path: str) -> str:
    """Where a file was before a commit renamed it; ``""`` where none did."""
    how = ["git", "log", "--no-walk", "--format=", "--name-status", "-M", "--diff-filter=R", commit]
    for line in subprocess.check_output(how, cwd=root, text=True).splitlines():
        _, old, new = line.split("\t")
        if new == path:
            return old
    return ""


@pytest.fixture(scope="module")
def shared_repository(tmp_path_factory):
    root = tmp_path_factory.mktemp("made")
    subprocess.run(["git", "init", "-q", root], check=True)
    return root


MANY = int(os.environ.get("HISTORIES", settings().max_examples // 2))


@pytest.mark.once
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=MANY)
@given(
    refused=st.booleans(),
    cut=st.booleans(),
    meaning=st.sampled_from(["commit", "author"]),
    few=st.sampled_from([0, 2, 12]),
    data=st.data(),
)
def test_every_date_is_gits(shared_repository, refused, cut, meaning, few, data):
    root = shared_repository
    (root / ".git/shallow").unlink(missing_ok=True)
    steps = data.draw(histories(refused=refused), "history")
    ids = write(root, steps)
    ignored = data.draw(st.sets(st.sampled_from(ids), max_size=3 if refused else 0), "ignored")
    earlier = data.draw(st.lists(st.sampled_from(ids), max_size=2), "earlier HEADs")
    (root / "ignored").write_text("# reformatted\n\n" + "".join(f"{name} # why\n" for name in ignored))
    whole = [oracle(root, path, meaning, ignored, ids[-1]) for path in steps[-1].tree]
    if cut:
        boundary = data.draw(st.sets(st.sampled_from(ids), min_size=1, max_size=2), "boundary")
        (root / ".git/shallow").write_text("".join(f"{name}\n" for name in sorted(boundary)))
    with TemporaryDirectory() as cache, pytest.MonkeyPatch.context() as patch:
        patch.setattr(file_commits, "FEW_PATHS", few)  # small histories take each way
        patch.setattr(file_commits, "FEW_STATES", few)
        for commit in [*earlier, ids[-1]]:
            (root / ".git/HEAD").write_text(f"{commit}\n")
            paths = list(steps[ids.index(commit)].tree)
            expected = [oracle(root, path, meaning, ignored) for path in paths]
            for folder in (None, cache, cache):
                dates = look(root, paths, meaning, folder)
                for path, date, right in zip(paths, dates, expected, strict=True):
                    # The shallow clone may not show that a file was removed.
                    is_unsure = cut and date is None and right != newest(root, path, meaning)
                    assert date == right or is_unsure, path
        check_pages(root, dict(zip(steps[-1].tree, whole, strict=True)), meaning)


def check_pages(root: Path, whole: dict[str, tuple[str, int] | None], meaning: str) -> None:
    """A page of one or two files has no date, or the one that it has with the whole history."""
    dates = look_at(root, [*whole], meaning, None)
    for paths in (*combinations(whole, 1), *combinations(whole, 2)):
        known = [date for path in paths if (date := whole[path])]
        stamp = dates.find_stamp([root / path for path in paths])
        if stamp:
            newest = max(date for _, date in known)
            assert int(stamp.when.timestamp()) == newest, paths


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=max(2, MANY // 5))
@given(meaning=st.sampled_from(["commit", "author"]), data=st.data())
def test_a_blobless_clone_has_gits_dates_or_none_and_its_cache_takes_none_away(
    shared_repository, meaning, data
):
    """Ignored commits move files and change them, also to paths at which others were."""
    root = shared_repository
    (root / ".git/shallow").unlink(missing_ok=True)
    steps = data.draw(histories(refused=False), "history")
    steps = [step._replace(tree=longer(step.tree)) for step in steps]
    ids = write(root, steps)
    ignored = data.draw(st.sets(st.sampled_from(ids), min_size=1, max_size=3), "ignored")
    paths = list(steps[-1].tree)
    expected = [oracle(root, path, meaning, ignored, ids[-1]) for path in paths]
    with TemporaryDirectory() as folder:
        copy = root.__class__(folder) / "copy"
        subprocess.run(["git", "config", "uploadpack.allowFilter", "true"], cwd=root, check=True)
        source = ("--branch", "made", f"file://{root}", copy)
        how = ("--filter=blob:none", "--no-checkout", "--single-branch")
        subprocess.run(["git", "clone", "-q", *how, *source], check=True)
        for path in paths:
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
        (copy / "ignored").write_text("\n".join(ignored))
        for cache in (None, f"{folder}/cache", f"{folder}/cache"):
            for found, right in zip(look(copy, paths, meaning, cache), expected, strict=True):
                assert found in (right, None)
        subprocess.run(["git", "fetch", "-q", "--refetch", "--no-filter"], cwd=copy, check=True)
        assert look(copy, paths, meaning, f"{folder}/cache") == expected


def longer(tree: Tree) -> Tree:
    """The same with contents of twenty lines, which git takes for one file that was changed."""
    return {
        path: (mode, content if mode == "160000" else CONTENTS[content])
        for path, (mode, content) in tree.items()
    }


def look(root: Path, paths: list[str], meaning: str, cache: str | None) -> list[tuple[str, int] | None]:
    dates = look_at(root, paths, meaning, cache)
    stamps = [dates.find_stamp([root / path]) for path in paths]
    return [stamp and (stamp.commit, int(stamp.when.timestamp())) for stamp in stamps]


def look_at(root: Path, paths: list[str], meaning: str, cache: str | None) -> Dates:
    files = [root / path for path in paths]
    now, folder = datetime.fromtimestamp(NOW, timezone.utc), cache and root.__class__(cache)
    return read_dates(files, meaning=meaning, now=now, ignore_revs=root / "ignored", cache=folder)
