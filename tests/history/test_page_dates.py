"""Dates in real repositories of every odd shape, against ``git log -1``."""

import os
import subprocess
from datetime import datetime, timezone
from pathlib import Path

import pytest

from sitemap_docs.history import diagnostics
from sitemap_docs.history.git import GitTrouble, describe
from sitemap_docs.history.page_dates import Dates
from sitemap_docs.model import Page, Row
from tests.conftest import git
from tests.conftest import read_dates as read

# What configuration may bend, straightened for the judge.
STRAIGHT = ("log.follow=false", "diff.ignoreSubmodules=none", "i18n.logOutputEncoding=UTF-8")
LOG = ("log", "-1", "--format=%H", "--no-show-signature", "--no-color")


class Project:
    """A repository; each commit is a day later than the one before."""

    def __init__(self, root: Path, *how: str) -> None:
        root.mkdir(parents=True, exist_ok=True)
        self.root = root
        self.day = 0
        self.git("init", "-q", "-b", "main", *how)

    def git(self, *arguments: str) -> str:
        self.day += arguments[0] in {"commit", "merge", "revert", "cherry-pick"}
        date = f"2024-{self.day // 28 + 1:02}-{self.day % 28 + 1:02}T12:00:00+02:00"
        return git(self.root, *arguments, date=date).strip()

    def commit(self, **files: str | None) -> str:
        """The id of a commit of changes: keys are names, ``__`` for a slash, None removes."""
        for key, text in files.items():
            path = self.path(key)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink() if text is None else path.write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", f"Change {', '.join(files)}")
        return self.git("rev-parse", "HEAD")

    def path(self, key: str) -> Path:
        return self.root / f"{key.replace('__', '/')}.md"

    def read(self, *keys: str, **options) -> Dates:
        return read([self.path(key) for key in keys], **options)

    def names(self, *keys: str, **options) -> list[str | None]:
        return commits_of([self.path(key) for key in keys], **options)

    def differences(self, **options) -> dict[bytes, object]:
        """Every tracked file that we date by another commit than git."""
        names = self.reported("ls-tree", "-r", "-z", "--name-only", "HEAD").split(b"\0")[:-1]
        files = [self.root / os.fsdecode(name) for name in names]
        found = commits_of(files, **options)
        expected = [self.reported(*LOG, "--", name).decode().strip() for name in names]
        both = zip(names, found, expected, strict=True)
        return {name: (our, their) for name, our, their in both if our != their}

    def reported(self, *arguments: str | bytes) -> bytes:
        straight = [part for setting in STRAIGHT for part in ("-c", setting)]
        return subprocess.check_output(["git", "--literal-pathspecs", *straight, *arguments], cwd=self.root)


#: The command that the manual and all messages recommend.
WHOLE_HISTORY = "git fetch --unshallow --filter=blob:none"


def commits_of(files: list[Path], **options) -> list[str | None]:
    """The commits that date the files."""
    dates = read(files, **options)
    stamps = [dates.find_stamp([file]) for file in files]
    return [stamp and stamp.commit for stamp in stamps]


def rules(dates: Dates) -> list[str]:
    return [finding.rule for finding in dates.findings]


@pytest.fixture
def project(tmp_path) -> Project:
    return Project(tmp_path / "project")


# Shapes of history


def evil_merge(project):
    project.commit(a="1", b="1", docs__c="1")
    project.git("switch", "-qc", "side")
    project.commit(a="2")
    project.git("switch", "-q", "main")
    project.commit(b="2")
    project.git("merge", "-q", "--no-ff", "--no-commit", "side")
    project.commit(docs__c="evil", a="evil")


def reverts(project):
    project.commit(a="1", b="1")
    project.commit(a="2", b="2")
    project.git("revert", "--no-edit", "HEAD")
    project.git("revert", "--no-edit", "HEAD")


def test_files_with_unusual_names_have_the_same_dates_as_in_git(project, tmp_path):
    names = (b"caf\xe9.md", b"new\nline.md", b'"quoted" \\.md', b":(top)x.md", b"*.md", "für.md".encode())
    for name in names:
        (project.root / os.fsdecode(name)).write_text("1")
        project.commit()
    assert project.differences() == {}
    project.git("commit", "-q", "--allow-empty", "-m", "Later")
    assert project.differences(cache=tmp_path / "cache") == {}
    project.commit(a="another", late="1")
    assert project.differences(cache=tmp_path / "cache") == {}


def test_sha256(tmp_path):
    project = Project(tmp_path / "sha256", "--object-format=sha256")
    evil_merge(project)
    assert project.differences(cache=tmp_path / "cache") == {}
    assert project.differences(cache=tmp_path / "cache") == {}


# Meanings


@pytest.fixture(scope="module")
def reformatted(tmp_path_factory) -> tuple[Project, str, str, str]:
    """A repository and its three commits, of which the second changed all files."""
    project = Project(tmp_path_factory.mktemp("reformatted") / "project")
    commits = (project.commit(a="1", b="1"), project.commit(a="2", b="2"), project.commit(b="3"))
    return project, *commits


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        pytest.param("{0}\n", "", id="full"),
        pytest.param("{1}\n", "", id="capitals"),
        pytest.param("# why\n\n{0}  # reformat\r\n", "", id="comments"),
        pytest.param("\ufeff{0}\n", "", id="byte order mark"),
        pytest.param("# caf\udce9\n{0}\n", "", id="no UTF-8"),
        pytest.param("{0}\nmaster\nmain\n", "Line 2 is not a full commit hash. Write", id="not an id"),
        pytest.param("{0}\n{2:.4}\n", "Line 2 is not a full commit hash. Write", id="the beginning of an id"),
        pytest.param("{0}\n{0}{0:.25}\n", "Line 2 is not a full commit hash. Write", id="too long"),
    ],
)
def test_ignored_commits_do_not_count(reformatted, lines, problem):
    project, first, mass, later = reformatted
    file = project.root / ".git-blame-ignore-revs"
    file.write_bytes(lines.format(mass, mass.upper(), later).encode(errors="surrogateescape"))
    assert project.names("a", "b") == [first, later]
    reported = [(finding.where, finding.message[: len(problem)]) for finding in project.read("a").findings]
    assert reported == [(str(file), problem)] * bool(problem)


@pytest.mark.parametrize("changed", [False, True])
def test_a_file_that_an_ignored_commit_moved_has_the_change_before(project, tmp_path, changed):
    """As ``git blame --ignore-revs-file`` says, also from another folder and with another line."""
    text = "".join(f"line {number}\n" for number in range(20))
    first = project.commit(manual__a=text, manual__b="b", docs__c="c")
    project.git("mv", "manual/a.md", "docs/new.md")
    if changed:
        project.path("docs__new").write_text(text.replace("line 7", "line seven"))
    moving = project.commit(docs__brought="x")
    (project.root / ".git-blame-ignore-revs").write_text(moving)
    blame = project.git("blame", "-s", "-l", "--ignore-revs-file=.git-blame-ignore-revs", "--", "docs/new.md")
    assert {line.split()[0].lstrip("^")[:39] for line in blame.splitlines()} == {first[:39]}
    cache = tmp_path / "cache"
    project.names("docs__c", cache=cache)  # one question about each file, as after an earlier build
    for folder in (None, cache, cache):
        assert project.names("docs__new", "docs__brought", "docs__c", cache=folder) == [first, None, first]


def test_an_ignored_move_in_a_blobless_clone(project, tmp_path):
    """It lacks the contents of old files; what a move left unchanged needs none."""
    first = project.commit(manual__a="a", manual__b="".join(map(str, range(99))))
    project.git("mv", "manual", "docs")
    project.path("docs__b").write_text("".join(map(str, range(98))))
    moving = project.commit(c="1")
    project.commit(docs__d="1")
    project.git("config", "uploadpack.allowFilter", "true")
    blobless = clone(project, "--filter=blob:none", "--no-checkout")
    blobless.git("checkout", "-q", "main")
    (blobless.root / ".git-blame-ignore-revs").write_text(moving)
    assert blobless.names("docs__a", "docs__b") == [first, None]


@pytest.mark.parametrize("earlier", [False, True], ids=["all files", "one file, after an earlier build"])
def test_an_ignored_move_to_the_path_of_a_deleted_file_in_a_blobless_clone(project, tmp_path, earlier):
    """The deletion of that file says nothing about the moved one. A full clone finds the commit before."""
    text = "".join(f"line {number}\n" for number in range(20))
    first = project.commit(manual__a=text, docs__a="another file", docs__c="1")
    project.commit(docs__a=None)
    project.git("mv", "manual/a.md", "docs/a.md")
    project.path("docs__a").write_text(text.replace("line 7", "line seven"))
    moving = project.commit(docs__brought="1")
    project.git("config", "uploadpack.allowFilter", "true")
    copy = clone(project, "--filter=blob:none", "--no-checkout")
    copy.git("checkout", "-q", "main")
    (copy.root / ".git-blame-ignore-revs").write_text(moving)
    cache = tmp_path / "cache"
    if earlier:
        copy.names("docs__c", cache=cache)
    file = copy.path("docs__a")
    ignored = copy.root / ".git-blame-ignore-revs"
    dates = read([file, copy.path("docs__c")], ignore_revs=ignored, cache=cache)
    assert dates.find_stamp([file]) is None
    cause = dates.find((file,))
    assert (cause.rule, moving[:12] in cause.words) == ("unclear-move", True)
    copy.git("fetch", "-q", "--refetch", "--no-filter")
    assert copy.names("docs__a", "docs__brought", cache=cache) == [first, None]


def test_a_file_that_an_ignored_commit_adds_needs_no_contents_if_nothing_was_removed(project):
    """Nothing can have been moved, so that the deletion of an earlier file at the path counts, as in git."""
    project.commit(a="1", b="1")
    deleted = project.commit(a=None)
    added = project.commit(a="2", b="2")
    project.git("config", "uploadpack.allowFilter", "true")
    copy = clone(project, "--filter=blob:none", "--no-checkout")
    copy.git("checkout", "-q", "main")
    (copy.root / ".git-blame-ignore-revs").write_text(added)
    assert copy.names("a") == [deleted]


@pytest.mark.parametrize("how", ["future", "ignored", "moved"])
def test_commits_that_switch_a_file_cost_one_log(project, traced, how):
    """There and back, twenty times: each commit leaves a state that others leave, too."""
    first = project.commit(a="first")
    ids = []
    for number in range(20):
        if how == "moved":
            project.git("mv", *(("b.md", "a.md") if number % 2 else ("a.md", "b.md")))
            ids.append(project.commit())
        else:
            ids.append(project.commit(a=f"{number % 2}"))
    options = {}
    if how == "future":
        options["now"] = datetime(2024, 1, 2, 23, tzinfo=timezone.utc)
    if how != "future":
        (project.root / ".git-blame-ignore-revs").write_text("\n".join(ids))
    processes(traced)
    assert project.names("a", **options) == [first]
    most = 60 if how == "moved" else 16  # two questions for each old path
    assert len(ours(traced)) < most


def test_the_commit_before_one_of_the_future_counts(project):
    first = project.commit(docs__a="1", docs__b="1", **{"docs__a.md": "1"})
    project.day = 28 * 11
    for _ in range(30):
        project.git("commit", "-q", "--allow-empty", "-m", "Wait")
    for year, key in ((2031, "docs__b"), (2030, "docs__a"), (2032, "docs__a.md")):
        project.path(key).write_text("2")  # nobody asks for the last one, which begins like the first
        git(project.root, "commit", "-qa", "-m", "Ahead", date=f"{year}-01-01T00:00:00Z")
    assert project.names("docs__a", "docs__b") == [first, first]
    (finding,) = project.read("docs__a", "docs__b").findings
    assert finding.rule == "future-commit"
    assert "2 files" in finding.message
    assert f"{project.git('rev-parse', 'HEAD~2'):.12} of 2031-01-01" in finding.message


@pytest.mark.parametrize(
    ("date", "meaning", "counts"),
    [
        pytest.param("2026-01-01T00:00:00Z", "commit", True, id="now"),
        pytest.param("2026-01-01T00:00:01Z", "commit", False, id="a second later"),
        pytest.param("2026-01-01T00:00:01Z", "author", True, id="not the date that is meant"),
    ],
)
def test_the_future_begins_after_now(project, date, meaning, counts):
    first = project.commit(a="1")
    project.path("a").write_text("2")
    git(project.root, "commit", "-qa", "-m", "Now", "--date", "2025-01-01T00:00:00Z", date=date)
    assert project.names("a", meaning=meaning) == [project.git("rev-parse", "HEAD") if counts else first]


# Sources


def test_the_newest_source_decides_and_is_remembered_or_the_first_of_equals(project):
    project.commit(a="1", b="1")
    for files in ([project.path("b"), project.path("a")], [project.path("a"), project.path("b")]):
        assert read(files).find_stamp(files).file == str(files[0])
    project.commit(b="2")
    project.git("commit", "-q", "--amend", "--no-edit", "--date", "2020-01-01T00:00:00Z")
    newest = project.git("rev-parse", "HEAD")
    by_author = project.read("a", "b", meaning="author").find_stamp([project.path("a"), project.path("b")])
    assert by_author.file == str(project.path("a"))
    stamp = project.read("a", "b").find_stamp([project.path("a"), project.path("b")])
    assert (stamp.commit, stamp.file, stamp.root) == (newest, str(project.path("b")), str(project.root))
    assert describe(stamp.root, stamp.commit, os.environ) == ("A Writer", "Change b")


def test_a_folder_has_the_date_of_its_newest_file(project):
    project.commit(docs__a="1", docs__sub__b="1", other="1")
    newest = project.commit(docs__sub__b="2", **{"docs.old__b": "1"})
    project.commit(other="2", **{"docs.old__b": "2"})  # its name begins like that of the folder
    folder = project.root / "docs"
    assert read([folder, project.path("docs.old__b")]).find_stamp([folder]).commit == newest
    assert read([project.root]).find_stamp([project.root]).path in {"other.md", "docs.old/b.md"}


def test_a_commit_is_described_by_its_own_words(project):
    project.commit(a="1")
    raw = project.reported("cat-file", "commit", "HEAD").partition(b"\n\n")[0] + b"\n\ncaf\xe9\n\nThe rest.\n"
    storing = ["git", "hash-object", "-t", "commit", "-w", "--stdin"]
    commit = subprocess.run(storing, cwd=project.root, input=raw, capture_output=True, check=True).stdout
    project.git("reset", "-q", "--hard", commit.decode().strip())
    stamp = project.read("a").find_stamp([project.path("a")])
    project.commit(a="2")
    (project.root / stamp.commit).write_text("what else the id may name")
    assert describe(stamp.root, stamp.commit, os.environ) == ("A Writer", "caf\ufffd")


def test_only_committed_files_have_dates_and_local_changes_do_not_count(project, tmp_path):
    project.commit(a="1", b="1")
    project.path("a").write_text("modified")
    project.path("new").write_text("untracked")
    project.path("staged").write_text("staged")
    project.git("add", "staged.md")
    outside = tmp_path / "outside.md"
    outside.write_text("1")
    files = [project.path("new"), project.path("staged"), project.path("missing"), outside]
    dates = read([*files, project.path("a")])
    assert [dates.find_stamp([file]) for file in [*files, project.path("b")]] == [None] * 5
    assert dates.find_stamp([project.path("a")]).commit == project.git("rev-parse", "HEAD")
    assert dates.findings == ()


# Places


def test_files_in_nested_repositories_and_submodules_are_dated_by_the_right_repository(
    project, tmp_path, monkeypatch
):
    project.commit(a="1")
    inner = Project(project.root / "nested")
    inside = inner.commit(x="1")
    library = Project(tmp_path / "library")
    library.commit(y="1")
    project.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library.root), "sub")
    project.commit()
    files = [project.root / "nested/x.md", project.root / "sub/y.md", project.root / "docs/../a.md"]
    assert commits_of(files) == [inside, library.git("rev-parse", "HEAD"), project.git("rev-parse", "HEAD~1")]
    monkeypatch.chdir(project.root)
    assert read([Path("a.md")]).find_stamp([Path("a.md")])


@pytest.fixture
def bumped(project, tmp_path):
    """A submodule with y and z, moved to a commit that changes y, then to one that changes z, then back."""
    library = Project(tmp_path / "library")
    commits = [library.commit(y="1", z="1"), library.commit(y="2"), library.commit(z="2")]
    project.commit(a="1")
    project.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library.root), "sub")
    project.commit()
    for commit in (*commits, commits[1]):
        git(project.root / "sub", "checkout", "-q", commit)
        project.commit()
    return project


def test_an_update_of_a_submodule_dates_only_the_files_that_it_changes(bumped):
    y, z = files = [bumped.root / "sub/y.md", bumped.root / "sub/z.md"]
    dates = read(files)
    assert dates.find_stamp([y]).commit == bumped.git("rev-parse", "HEAD~2")
    stamp = dates.find_stamp([z])
    assert (stamp.commit, stamp.file) == (bumped.git("rev-parse", "HEAD"), str(z))
    assert dates.find_stamp([*files, bumped.path("a")]).commit == stamp.commit
    assert read([bumped.root / "sub"]).find_stamp([bumped.root / "sub"]).commit == stamp.commit
    (bumped.root / ".git-blame-ignore-revs").write_text(bumped.git("rev-parse", "HEAD"))
    ignored = {"ignore_revs": bumped.root / ".git-blame-ignore-revs"}
    assert read(files, **ignored).find_stamp([z]).commit == bumped.git("rev-parse", "HEAD~1")


def test_a_submodule_whose_clone_lacks_what_it_was_moved_from_gives_no_date(bumped, tmp_path):
    url = f"file://{bumped.root}"
    git(tmp_path, "clone", "-q", url, "clone")
    allow = ("-c", "protocol.file.allow=always")
    git(bumped.root / "sub", "branch", "-f", "main", "HEAD")
    url = f"file://{bumped.root / 'sub'}"
    git(tmp_path / "clone", "config", "submodule.sub.url", url)
    git(tmp_path / "clone", *allow, "submodule", "--quiet", "update", "--init", "--depth", "1")
    file = tmp_path / "clone/sub/z.md"
    dates = read([file])
    page = Page("", file, (file,))
    assert dates.find(page.sources).rule == "shallow-clone"


def test_links_and_what_they_lead_to_both_count(project, tmp_path):
    project.commit(README="1", shared__note="1")
    (project.root / "docs").mkdir()
    (project.root / "docs/index.md").symlink_to("../README.md")
    (project.root / "docs/shared").symlink_to("../shared")
    linked = project.commit()
    readme = project.commit(README="2")
    (tmp_path / "docs").symlink_to(project.root / "docs")
    (project.root / "docs/loop.md").symlink_to("loop.md")
    (project.root / "docs/dangling.md").symlink_to("nowhere.md")
    names = ("index.md", "shared/note.md", "loop.md", "dangling.md")
    files = [tmp_path / "docs" / name for name in names]
    assert commits_of(files) == [readme, linked, None, None]
    assert read(files).find_stamp(files[:1]).file == str(project.path("README"))


def test_what_a_link_leads_to_is_tracked_or_not(project):
    page = project.commit(page="1", target="1")
    project.root.joinpath(".gitignore").write_text("ignored.md\nlink.md\n")
    project.path("ignored").write_text("1")
    project.path("tracked link").symlink_to("ignored.md")
    project.commit()
    project.path("link").symlink_to("target.md")
    for name, commit in {"link": page, "tracked link": None}.items():
        sources = [project.path("page"), project.path(name)]
        stamp = read(sources).find_stamp(sources)
        assert (stamp and stamp.commit) == commit
    own = [project.path("tracked link")]
    assert read(own).find_stamp(own) is None, "nor is the page dated whose own source is the link"


def test_each_link_of_a_chain_counts(project):
    project.commit(o="1", n="1", docs__z="1", old__page="1", new__page="1")
    for link, target in {
        "docs/index.md": "cur.md",
        "docs/cur.md": "./../o.md",
        "folder": "docs/.//../current",
        "current": str(project.root / "old"),
    }.items():
        (project.root / link).symlink_to(target)
    project.commit()
    for link, target in {"docs/cur.md": "../n.md", "current": "new"}.items():
        (project.root / link).unlink()
        (project.root / link).symlink_to(target)
    turned = project.commit()
    files = [project.root / "docs/index.md", project.root / "folder/page.md", project.root / "folder"]
    assert commits_of(files) == [turned] * 3


def test_a_repository_with_a_line_break_in_its_path(tmp_path):
    """A linked work tree names it, and what git prints of that is not taken apart."""
    project = Project(tmp_path / "a\nb")
    commit = project.commit(a="1")
    project.git("worktree", "add", "-q", str(tmp_path / "linked"))
    file = tmp_path / "linked/a.md"
    dates = read([file, project.path("a")])
    assert rules(dates) == ["git-failed"]
    assert (dates.find_stamp([file]), dates.find_stamp([project.path("a")]).commit) == (None, commit)


def test_an_empty_git_folder_does_not_hide_the_repository_above_it(project):
    commit = project.commit(docs__a="1")
    (project.root / "docs/.git").mkdir()
    assert project.names("docs__a") == [commit]


# What may bend git


#: But for programs, which are in test_git.py.
HOSTILE = """
color.ui=always core.abbrev=4 core.quotePath=true diff.ignoreSubmodules=all diff.mnemonicPrefix=true
diff.noprefix=true diff.relative=true diff.renames=copies format.pretty=fuller i18n.logOutputEncoding=UTF-16
log.date=relative log.decorate=full log.diffMerges=on log.follow=true log.mailmap=true log.showRoot=false
notes.displayRef=refs/notes/* status.relativePaths=true submodule.sub.ignore=all
"""


@pytest.fixture(scope="module")
def bent(tmp_path_factory) -> Project:
    """Only its configuration is changed."""
    project = Project(tmp_path_factory.mktemp("bent") / "project")
    evil_merge(project)
    for number in range(2):
        project.git("update-index", "--add", "--cacheinfo", f"160000,{str(number + 1) * 40},sub")
        project.git("commit", "-q", "-m", "Bump")
    return project


@pytest.mark.parametrize("setting", HOSTILE.split())
def test_git_settings_do_not_change_the_dates(bent, setting):
    name, value = setting.split("=")
    bent.git("config", name, value)
    try:
        assert bent.differences() == {}
    finally:
        bent.git("config", "--unset", name)


NOWHERE = "GIT_DIR GIT_INDEX_FILE GIT_SHALLOW_FILE GIT_OBJECT_DIRECTORY"
VARIABLES = {
    **dict.fromkeys(NOWHERE.split(), "/nonexistent"),
    **dict.fromkeys(("GIT_WORK_TREE", "GIT_CEILING_DIRECTORIES"), "/"),  # as hooks set them
    **dict.fromkeys(("GIT_PAGER", "PAGER", "GIT_EXTERNAL_DIFF"), "false"),
    **dict.fromkeys(("LC_ALL", "LANGUAGE"), "de_DE.UTF-8"),
    **dict.fromkeys(("GIT_NAMESPACE", "GIT_ICASE_PATHSPECS"), "1"),
}


def test_environment_variables_do_not_change_the_dates(bent):
    assert bent.names("a", "b", environ=os.environ | VARIABLES) == bent.names("a", "b")


# Clones


def clone(project: Project, *how: str) -> Project:
    project.git("config", "uploadpack.allowFilter", "true")
    project.git("config", "uploadpack.allowAnySHA1InWant", "true")
    copy = Project.__new__(Project)
    copy.root, copy.day = project.root.parent / "clone", project.day
    git(project.root, "clone", "-q", *how, f"file://{project.root}", str(copy.root))
    return copy


def processes(trace: Path) -> list[str]:
    """The git commands that ran, as GIT_TRACE tells them."""
    lines = trace.read_text().splitlines() if trace.exists() else []
    trace.unlink(missing_ok=True)
    return [line.split("trace: built-in: git ", 1)[1] for line in lines if "trace: built-in: git " in line]


@pytest.mark.parametrize("shape", [evil_merge, reverts], ids=lambda shape: shape.__name__)
def test_a_blobless_clone_fetches_nothing(project, shape, tmp_path):
    shape(project)
    copy = clone(project, "--filter=blob:none", "--no-checkout")
    environ = os.environ | {"GIT_TRACE": str(tmp_path / "trace")}
    tracked = git(project.root, "ls-files", "-z").split("\0")[:-1]
    ours, theirs = ([root / name for name in tracked] for root in (copy.root, project.root))
    assert commits_of(ours, environ=environ) == commits_of(theirs)
    ran = {command.split()[0] for command in processes(tmp_path / "trace")}
    assert ran >= {"rev-parse", "log", "ls-tree"}
    assert not ran & {"fetch", "remote", "index-pack", "upload-pack"}


def test_a_treeless_clone_is_refused(project):
    for number in range(5):
        project.commit(docs__a=str(number))
    copy = clone(project, "--filter=tree:0")
    dates = copy.read("docs__a")
    assert rules(dates) == ["treeless-clone"]
    assert "--filter=blob:none" in dates.findings[0].message
    assert dates.find_stamp([copy.path("docs__a")]) is None


@pytest.fixture
def shallow(project) -> Project:
    """Three commits of six: ``old`` was last changed before, ``cut`` in the oldest, ``new`` in the last."""
    project.commit(old="0")
    project.commit(old="1", cut="1", new="1")
    project.commit(new="2")
    project.commit(cut="2")
    project.commit(other="1")
    project.commit(new="3")
    return clone(project, "--depth", "3")


def test_a_shallow_clone_keeps_what_it_proves(shallow):
    """A page has a date only if the clone shows the last commit of each of its sources."""
    last, before = shallow.git("log", "-2", "--format=%H").split()
    dates = shallow.read("old", "cut", "new", "other")
    proven = {
        "new": last,
        "other": before,
        "new other": last,
        "new old": None,
        "old": None,
        "cut": None,
        "old cut": None,
    }
    for sources, commit in proven.items():
        files = [shallow.path(source) for source in sources.split()]
        stamp = dates.find_stamp(files)
        assert (stamp and stamp.commit) == commit, sources
        assert stamp or dates.find(files).rule == "shallow-clone", sources
    assert dates.findings == ()


def test_the_cause_is_that_of_the_source_which_keeps_the_date_away(shallow):
    """A page of a generated source, which git does not track, is dated by the others."""
    made = shallow.path("made")
    made.write_text("Made by a program")
    new, old = shallow.path("new"), shallow.path("old")
    dates = read([made, new, old])
    assert dates.find([made, new]) == dates.find([new])
    assert dates.find([made, old]).rule == "shallow-clone"
    assert dates.find([made]).rule == "untracked-source"
    cause = dates.find([old, made])
    assert (cause.rule, cause.files) == ("untracked-dependency", (str(made),))


def test_two_cuts_cost_no_question_about_a_file(project, traced):
    project.commit(proven="1", cut="1")
    project.git("switch", "-qc", "side")
    project.commit(older="1")
    project.commit(proven="2")
    project.git("switch", "-q", "main")
    project.commit()
    project.commit()
    project.git("merge", "-q", "-m", "Merge", "side")
    copy = clone(project, "--depth", "3")
    files = [copy.path(key) for key in ("proven", "older", "cut")]
    processes(traced)
    dates = read(files)
    assert [bool(dates.find_stamp([file])) for file in files] == [True, False, False]
    assert sorted(ours(traced)) == ["log", "ls-tree", "rev-parse"]


def test_the_commit_at_the_cut_may_be_dated_before_its_missing_parents(project):
    """Clocks differ: the parent, of day 20, changed the included file; the commit at the cut is of day 3."""
    project.commit(page="1", part="1")
    project.day = 20
    project.commit(part="2")
    project.day = 3
    project.commit(other="1")
    project.day = 10
    page = project.commit(page="2")
    copy = clone(project, "--depth", "2")
    files = [copy.path("page"), copy.path("part")]
    dates = read(files)
    assert dates.find_stamp([files[0]]).commit == page
    assert dates.find_stamp(files) is None
    copy.git("fetch", "-q", "--unshallow")
    assert read(files).find_stamp(files).commit == project.git("log", "-1", "--format=%H", "--", "part.md")


def test_a_submodule_that_a_shallow_clone_moves_at_its_cut_dates_no_file(bumped, tmp_path):
    """The clone lacks the commit before, so that the move may have changed any file."""
    outer = bumped.root
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{outer}", "clone")
    allow = ("-c", "protocol.file.allow=always")
    git(outer / "sub", "branch", "-f", "main", "HEAD")
    git(tmp_path / "clone", "config", "submodule.sub.url", f"file://{outer / 'sub'}")
    git(tmp_path / "clone", *allow, "submodule", "--quiet", "update", "--init")
    library = Project(tmp_path / "clone/sub")
    (library.root / "new.md").write_text("1")
    library.git("add", "-A")
    library.day = 27  # later than the commit at the cut
    library.git("commit", "-q", "-m", "New")
    files = [library.path("y"), library.path("new")]
    (tmp_path / "ignored").write_text(git(tmp_path / "clone", "rev-parse", "HEAD"))
    for options in ({}, {"ignore_revs": tmp_path / "ignored"}):
        dates = read(files, **options)
        assert [dates.find_stamp([file]) for file in files] == [None, None]


@pytest.mark.parametrize(
    ("variable", "value", "line"),
    [
        ("", "", f"  {WHOLE_HISTORY}"),
        ("GITLAB_CI", "false", f"  {WHOLE_HISTORY}"),
        ("GITHUB_ACTIONS", "true", "      fetch-depth: 0\n      filter: blob:none"),
        ("GITLAB_CI", "true", '    GIT_DEPTH: "0"'),
        ("READTHEDOCS", "True", f"        - {WHOLE_HISTORY} || git fetch --unshallow || true"),
        ("NETLIFY", "true", f"  {WHOLE_HISTORY} || true"),
        ("CF_PAGES", "1", f"  {WHOLE_HISTORY} || true"),
        ("VERCEL", "1", "  VERCEL_DEEP_CLONE=true"),
    ],
)
def test_a_shallow_clone_is_reported_with_the_lines_of_the_platform(variable, value, line):
    tally = diagnostics.UndatedPagesCounter()
    tally.add(Row("a.html", "https://example.org/a", cause=diagnostics.CUT))
    (found,) = tally.findings((), 9, Path(), "", {variable: value})
    assert "1 of 9 pages" in str(found)
    assert str(found).endswith(line)


# Trouble


def test_a_missing_git_program_is_reported_and_gives_no_date(project, tmp_path):
    project.commit(a="1")
    dates = project.read("a", environ=os.environ | {"PATH": str(tmp_path)})
    assert (rules(dates), dates.find_stamp([project.path("a")])) == (["git-missing"], None)
    page = Page("a", "a.html", (project.path("a"),))
    assert dates.find(page.sources).rule == "git-missing"


def test_no_repository(tmp_path):
    (tmp_path / "a.md").write_text("1")
    assert rules(read([tmp_path / "a.md"])) == ["no-repository"]
    assert rules(read([])) == []


def test_repositories_in_trouble_are_named_in_order_and_leave_the_others(project, tmp_path):
    commit = project.commit(a="1")
    files = [project.path("a"), *(Project(tmp_path / name).path("b") for name in "cabed")]
    dates = read(files)
    (finding,) = dates.findings
    assert finding.rule == "no-commit"
    assert finding.message.count(f"{tmp_path}{os.sep}") == 5
    assert ", ".join(str(tmp_path / name) for name in "abcde") in finding.message
    assert dates.find_stamp(files).commit == commit


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives a folder away")
def test_a_repository_of_another_user_gives_dates_or_is_reported_as_unsafe(project):
    """Git's check of the owner applies to every folder except the work tree that was found."""
    commit = project.commit(a="1", docs__a="1")
    os.chown(project.root / ".git", 12345, 12345)
    os.chown(project.root, 12345, 12345)
    with pytest.raises(subprocess.CalledProcessError):
        git(project.root, "status")
    dates = project.read("a")
    if dates.findings:  # before git 2.38
        assert rules(dates) == ["unsafe-repository"]
        assert f'safe.directory "{project.root}"' in dates.findings[0].hint
    else:
        assert project.names("a") == [commit]
    (project.root / "docs/.git").mkdir()
    (project.root / "docs/.git/HEAD").touch()
    dates = project.read("docs__a")
    assert (rules(dates), dates.find_stamp([project.path("docs__a")])) == (["unsafe-repository"], None)


def test_the_hint_has_a_safe_directory_line_for_every_repository_of_another_user():
    trouble = GitTrouble("unsafe-repository")
    (finding,) = diagnostics.troubles({"/docs": trouble, "/docs/sub": trouble})
    line = '  git config --global --add safe.directory "{}"'
    assert finding.hint.splitlines() == [line.format("/docs"), line.format("/docs/sub")]


# The cache


@pytest.fixture
def traced(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_TRACE", str(tmp_path / "trace"))
    (tmp_path / "trace").unlink(missing_ok=True)
    return tmp_path / "trace"


def ours(trace: Path) -> list[str]:
    return [command.split()[0] for command in processes(trace)]


@pytest.mark.parametrize(
    ("texts", "keys", "logs"),
    [
        pytest.param("12", "abc", 1, id="a history"),
        pytest.param("121", "ab", 3, id="unclear files, asked singly"),
        pytest.param("121", "abc", 2, id="unclear files, by one walk"),
    ],
)
def test_dates_cost_few_processes(project, traced, texts, keys, logs):
    for text in texts:
        latest = project.commit(**dict.fromkeys(keys, text))
    processes(traced)
    assert project.names(*keys) == [latest] * len(keys)
    assert sorted(ours(traced)) == ["log"] * logs + ["ls-tree", "rev-parse"]


def test_the_same_commit_costs_no_log_and_new_ones_themselves(project, tmp_path, traced):
    """Not even where an earlier build asked for some of the files alone."""
    reverts(project)
    project.commit(docs__c="1")
    cache = tmp_path / "cache"
    known = [*project.names("a", "b", cache=cache), *project.names("docs__c", cache=cache)]
    processes(traced)
    assert project.names("a", "b", "docs__c", cache=cache) == known
    assert ours(traced) == ["rev-parse", "ls-tree"]
    old = project.git("rev-parse", "HEAD")
    new = project.commit(a="new")
    processes(traced)
    assert project.names("a", cache=cache) == [new]
    logs = [command for command in processes(traced) if command.startswith("log")]
    assert any(f"{old}..{new}" in command for command in logs)


def test_answers_about_older_commits_are_kept(project, tmp_path, traced):
    for text in "1215":
        latest = project.commit(a=text, b=text)
    project.root.joinpath(".git-blame-ignore-revs").write_text(latest)
    expected = project.names("a", "b", cache=tmp_path / "cache")
    project.commit(c="1")
    processes(traced)
    assert project.names("a", "b", cache=tmp_path / "cache") == expected
    assert ours(traced).count("log") == 1


def test_a_commit_that_is_ignored_no_more_dates_its_files_again(project, tmp_path):
    """Of several in the list, so that some are ignored before and after."""
    first, second, third = (project.commit(a=text) for text in "123")
    ignored = project.root / ".git-blame-ignore-revs"
    for commits, expected in (([second, third], first), ([second], third), ([third], second)):
        ignored.write_text("\n".join(commits))
        assert project.names("a", cache=tmp_path / "cache") == [expected]


@pytest.mark.parametrize("has_remote", [True, False])
def test_the_advice_brings_the_dates_and_later_git_downloads_nothing(shallow, tmp_path, traced, has_remote):
    assert shallow.names("old", cache=tmp_path / "cache") == [None]
    command = WHOLE_HISTORY.split()[1:]
    if not has_remote:  # as on Vercel
        url = shallow.git("remote", "get-url", "origin")
        shallow.git("remote", "remove", "origin")
        shallow.git("remote", "add", "origin", url)
        command.append("origin")
    shallow.git(*command)
    first = shallow.git("log", "-1", "--format=%H", "--", "old.md")
    objects = shallow.git("rev-list", "--objects", "--missing=print", "--all")
    assert "\n?" in objects  # the contents of a file before its last change
    processes(traced)
    assert shallow.names("old", cache=tmp_path / "cache") == [first]
    assert shallow.differences(cache=tmp_path / "cache") == {}
    assert not {"fetch", "index-pack", "upload-pack"} & {*ours(traced)}


def test_no_text_recommends_the_command_that_downloads_all_contents():
    """Except for `diff`, because git finds moved files by their contents."""
    root = Path(__file__).parents[2]
    others = (":!tests", ":!CHANGELOG.md", ":!sitemap_docs/diff.py")
    texts = git(root, "grep", "-h", "fetch --unshallow", "--", ".", *others).splitlines()
    assert texts
    for text in texts:
        if text.startswith("| 1 commit, then "):  # The table on speed shows what each command costs.
            continue
        plain = text.replace(WHOLE_HISTORY, "").replace(" || git fetch --unshallow || true", "")
        assert "--unshallow" not in plain, text


@pytest.mark.parametrize("used", ["false", "true"])
def test_whether_replaced_commits_count_is_read_anew(project, tmp_path, used):
    project.commit(a="1", b="1")
    for text in "23":
        project.commit(a=text)
    project.git("replace", "--graft", "HEAD")
    other = {"true": "false", "false": "true"}[used]
    for value in (other, used):
        project.git("config", "core.useReplaceRefs", value)
        assert project.differences(cache=tmp_path / "cache") == {}
