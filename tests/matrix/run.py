"""Runs one row: makes the project, builds it in this process, and asks every command about what was built."""

import json
import os
import re
import shutil
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import NamedTuple

import pytest
import yaml

from sitemap_docs.output.record import read_record
from sitemap_docs.sitemap.render import stamp
from sitemap_docs.surroundings import user_cache
from tests import conftest
from tests.conftest import Answer, MkDocsProject, SphinxProject, commit, conf_py, git, sphinx_build, write
from tests.matrix.projects import HAND_WRITTEN, IGNORED, PROJECTS, Project
from tests.matrix.rows import (
    ADDRESS_CHANGED,
    CONFIGURED,
    EARLIER_BASE,
    RECORDS_LOST,
    THEMES,
    WRONG_BASES,
    Row,
    takes,
)

Files = Mapping[str, bytes]
EXTRA = {"sphinx": ":orphan:\n\nExtra\n=====\n", "mkdocs": "# Extra\n", "folder": HAND_WRITTEN}
DOCUMENTS = {"sphinx": "src/{}.rst", "mkdocs": "docs/{}.md", "folder": "out/{}.html"}
OF_THEMES = (".js", ".css", ".map", ".png", ".svg", ".ico", ".ttf", ".eot", ".woff", ".woff2")
EXPLAINED = 3
#: What builds leave beside the output; the rest of a project's folder is the user's, but for configuration.
LEFT = ("out", "trees", "site", "cache", "copy", "moved", ".git", "__pycache__", "before")
CONFIGURATION = {"mkdocs.yml", "conf.py", "build.toml", "encryptcontent.cache"}
#: What decides how a host alone builds.
OF_HOST = ("project", "spelling", "theme", "strictness")


class Recorded(NamedTuple):
    """What a build decided about a page, as texts."""

    loc: str
    reason: str
    lastmod: str


class Build(NamedTuple):
    """How a build ended: its exit status, and what it printed, or a traceback where there should be none."""

    code: int
    lines: list[str]

    @property
    def ours(self) -> list[str]:
        """The lines that we print; of the command, all."""
        return [line for line in self.lines if "sitemap-docs" in line or "[sitemap" in line]

    @property
    def wrote(self) -> bool:
        return any(re.search(r"\d page\S* listed, ", line) for line in self.ours)


class Ran:
    """One row as it ran: the outputs before and after the last build, and what every command says of it.

    ``rebuild`` and ``again`` are the same build once more and its output: in the same folder after a fresh
    build, else in an empty one. ``copied`` are the files that the command makes of a copy of the output
    without our files, ``over`` those that it makes of a copy of a plugin's output with them.
    """

    def __init__(self, row: Row, folder: Path) -> None:
        self.row, self.root = row, folder / "project"
        root, output, options = self.root, output_of(row, self.root), row.options
        copy_project(row.project, root, row["history"].name)
        state = row["state"].name
        variables = row["environment"].given or {}
        here = root / row.project.configuration if row.host == "mkdocs" else root
        home = folder / "home"
        # Of a machine whose cache is not here.
        lost = folder / "lost" if row["state"] in RECORDS_LOST else home
        for each in (lost, home, folder / "another home", folder / "third home"):
            bring_dates(root, each)
        with environment(variables, lost, here):
            build_before(row, root)
        with environment(variables, home, here):
            self.source_before = sources(root)
            self.before = output_files(output)
            self.build = build(row, root, options, is_dirty=state == "incremental")
            self.after = output_files(output)
            self.record, self.base, self.written = recorded(output)
            self.source_after = sources(root)
            self.explained = self.explain(output)
            report = command("report", output, "-o", folder / "report.html", "--json")
            self.answers = {"check": command("check", output, "--json"), "report": report}
        with environment(variables, folder / "another home", here):
            self.answers["check without record"] = command("check", output, "--json")
            if row.host == "folder":
                flags = [each for each in configure_folder(row, root, options) if each != "--strict"]
                asked = command("report", *flags, "-o", folder / "unrecorded.html", "--json")
                self.answers["report without record"] = asked
        elsewhere = folder / "elsewhere"
        elsewhere.mkdir()
        with environment(variables, home, elsewhere):
            self.answers["check elsewhere"] = command("check", output, "--json")
        if self.build.wrote:
            with environment(variables, home, here):
                self.build_copies(output)
        with environment(variables, folder / "third home", here):
            if state != "fresh" and row["base"] not in WRONG_BASES:
                empty(row, root)
            self.rebuild = build(row, root, options)
            self.again = output_files(output)
        self.uncached: Files = {}
        if kept_dates(root).is_dir():
            with environment(variables, folder / "fourth home", here):
                empty(row, root)
                build(row, root, options)
                self.uncached = output_files(output)

    @property
    def bare(self) -> Build:
        """How a build of the same project without us ends."""
        return without_us(self.row.only(*OF_HOST))[0]

    @property
    def without(self) -> Files:
        """The output of one: with the usual theme, but for a row that has nothing else."""
        row = self.row if self.row.is_default() else self.row.default
        return without_us(row.only(*OF_HOST))[1]

    def explain(self, output: Path) -> dict[str, Answer]:
        """``explain`` of one page for each reason, one dated and one undated; else of a few of these."""
        examples: dict[tuple[str, bool], str] = {}
        for file, page in self.record.items():
            examples.setdefault((page.reason, bool(page.lastmod) or bool(page.reason)), file)
        files = list(examples.values())
        if not self.row.is_default():
            files = ["index.html", *Random(self.row.id).sample(files, min(EXPLAINED, len(files)))]
        return {file: command("explain", output, file, "--json") for file in files if file in self.record}

    def build_copies(self, output: Path) -> None:
        """Builds a copy of the output without our files, with the options of a folder.

        Of a plugin's output, also a copy with our files. A robots.txt of the user's is in both.
        """
        row, copy = self.row, self.root / "copy"
        folder = self.root / row.project.configuration
        options = {name: value for name, value in row.options.items() if takes("folder", name)}
        config = folder / "copy.toml"  # as paths in it are relative to its folder
        config.write_text(toml(options), "utf-8")
        flags = ["--config", config, "--base-url", self.base, *row.project.flags]
        if row.host == "sphinx":
            flags += ["--source", folder]
        shutil.copytree(output, copy, ignore=_not_copied)
        if "robots.txt" in self.without:
            write(copy, {"robots.txt": self.without["robots.txt"]})
        self.answers["build of a copy"] = command("build", copy, *flags, "--json")
        self.copied_record, *_ = recorded(copy)
        self.copied = output_files(copy)
        if row.host != "folder":
            shutil.rmtree(copy)
            shutil.copytree(output, copy, ignore=_not_copied)
            for name in {*self.written, "robots.txt"} & self.after.keys():
                if "/" not in name:
                    shutil.copy(output / name, copy)
            self.answers["build over a copy"] = command("build", copy, *flags, "--json")
            self.over = output_files(copy)


def _not_copied(folder: str, names: list[str]) -> list[str]:
    """What we wrote, and what Sphinx leaves of a page that is deleted."""
    others = ("robots.txt", ".doctrees")
    return [name for name in names if name.startswith(("sitemap", "map.xml", "extra-page")) or name in others]


def output_files(output: Path) -> Files:
    """What is in an output folder, and the sitemap above it that ``filename: ../sitemap.xml`` asks for."""
    if not output.is_dir():
        return {}
    above = {f"../{file.name}": file.read_bytes() for file in output.parent.glob("sitemap*.*")}
    return {**files_below(output), **above}


def files_below(folder: Path, ignored: tuple[str, ...] = ()) -> Files:
    """The bytes of each file below a folder, by its path; of what only themes have, such as fonts, none."""
    found = {}
    for place, folders, names in os.walk(folder):
        if Path(place) == folder:
            folders[:] = [name for name in folders if name not in ignored]
        folders[:] = [name for name in folders if name not in {".doctrees", "__pycache__"}]
        for name in names:
            file = Path(place, name)
            is_of_theme = name.endswith(OF_THEMES) and not name.startswith("sitemap")
            found[file.relative_to(folder).as_posix()] = b"" if is_of_theme else file.read_bytes()
    return found


def sources(root: Path) -> Files:
    return {
        name: data
        for name, data in files_below(root, LEFT).items()
        if Path(name).name not in CONFIGURATION and "sitemap" not in name and not name.endswith(".mo")
    }


@cache
def pristine(name: str) -> Path:
    """A project as it is made once in this process, to be copied."""
    root = Path(mkdtemp(prefix=f"{name}-")) / "pristine"
    PROJECTS[name].make(root)
    return root


def copy_project(project: Project, root: Path, history: str) -> None:
    """A copy of a project with the history that a row asks for; untracked files come along."""
    original = pristine(project.name)
    if history in ("full", "submodule", "submodule-shallow"):
        shutil.copytree(original, root, symlinks=True)
        if history != "full":
            put_into_another(root)
        if history == "submodule-shallow":
            git(root, "fetch", "-q", "--depth", "1", original.as_uri(), "HEAD")
        return
    if history.startswith("worktree"):
        main = root.with_name("main")
        shutil.copytree(original, main, symlinks=True)
        git(main, "worktree", "add", "-q", "--no-checkout", "--detach", str(root))
    elif history == "shallow":
        git(original, "clone", "-q", "--no-checkout", "--depth", "1", original.as_uri(), str(root))
    elif history == "shallow-cached":
        keep_dates(original, root)
        git(original, "clone", "-q", "--no-checkout", "--depth", "2", original.as_uri(), str(root))
    shutil.copytree(original, root, symlinks=True, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".git"))
    if history == "no-commits":
        git(root, "init", "-q", "-b", "main")
    elif history != "no-git":
        git(root, "reset", "-q")
    if history == "worktree-alone":
        shutil.rmtree(root.with_name("main"))


def keep_dates(original: Path, root: Path) -> None:
    """Leaves the dates that a whole clone at this path had one commit ago, for :func:`bring_dates`."""
    git(original, "clone", "-q", original.as_uri(), str(root))
    git(root, "reset", "-q", "--hard", "HEAD^")
    files = [root / name for name in git(root, "ls-files", "-z").split("\0") if name]
    ignored = original / IGNORED if (original / IGNORED).is_file() else None
    conftest.read_dates(files, ignore_revs=ignored, cache=kept_dates(root))
    shutil.rmtree(root)


def kept_dates(root: Path) -> Path:
    return root.parent / "kept dates"


def bring_dates(root: Path, home: Path) -> None:
    """Puts the dates that an earlier build left into a cache, as CI does."""
    if kept_dates(root).is_dir():
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("XDG_CACHE_HOME", str(home))
            shutil.copytree(kept_dates(root), user_cache(), dirs_exist_ok=True)


def put_into_another(root: Path) -> None:
    """Makes a repository the submodule of one around it, which adds its first commit and moves it on."""
    above = root.parent
    git(above, "init", "-q", "-b", "main")
    git(above, "submodule", "--quiet", "add", root.as_uri(), root.name)
    git(above, "submodule", "--quiet", "absorbgitdirs")
    commits = git(root, "rev-list", "--reverse", "HEAD").split()
    for month, moved_to in enumerate(dict.fromkeys((commits[0], *commits[-2:])), start=1):
        git(root, "reset", "-q", "--soft", moved_to)
        commit(above, date=f"2022-{month:02}-15T12:00:00+00:00")


@contextmanager
def environment(variables: Mapping[str, str], home: Path, here: Path) -> Iterator[None]:
    """The environment and the current folder of a build; both, and Python's path, are put back."""
    modules, path = set(sys.modules), [*sys.path]
    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        patch.setenv("XDG_CACHE_HOME", str(home))
        patch.chdir(here)
        try:
            yield
        finally:
            sys.path[:] = path
            for name in set(sys.modules) - modules:
                if name.startswith("matrix_"):  # modules of projects
                    del sys.modules[name]


def output_of(row: Row, root: Path) -> Path:
    return root / ("site" if row.host == "mkdocs" else "out")


def theme_of(row: Row) -> object:
    return row.project.themes[THEMES.index(row["theme"])]


def build_with_sphinx(*arguments: str) -> Build:
    ran = sphinx_build(*arguments)
    return Build(ran.code, [*ran.status.splitlines(), *ran.warnings.splitlines()])


def build_with_mkdocs(project: MkDocsProject, **how: object) -> Build:
    failed = []
    try:
        project.build(**how)
    except import_module("mkdocs.exceptions").MkDocsException as error:
        failed = [f"{type(error).__name__} {error}"]
    shown = [message for message in project.messages if not message.startswith("DEBUG")]
    return Build(len(failed), shown + failed)


def build(row: Row, root: Path, options: Mapping[str, object] | None, *, is_dirty: bool = False) -> Build:
    """Builds the project of a row in this process; its host alone does so where there are no options."""
    try:
        if row.host == "sphinx":
            arguments = configure_sphinx(row, root, options)
            # Modules of other rows have the same names.
            import_module("sphinx.pycode").ModuleAnalyzer.cache.clear()
            return build_with_sphinx(*arguments)
        if row.host == "mkdocs":
            overrides = configure_mkdocs(row, root, options)
            mkdocs = MkDocsProject(root / row.project.configuration)
            mkdocs.site = root / "site"
            return build_with_mkdocs(mkdocs, dirty=is_dirty, **overrides)
        if options is None:
            return Build(0, [])
        done = command("build", *configure_folder(row, root, options))
        return Build(done.code, [*done.out.splitlines(), *done.err.splitlines()])
    except Exception:  # noqa: BLE001  a traceback is a finding of the matrix
        return Build(1, traceback.format_exc().splitlines())


def configure_sphinx(row: Row, root: Path, options: Mapping[str, object] | None) -> list[str]:
    """Writes conf.py; returns the arguments of sphinx-build."""
    settings = {**row.project.settings, "html_theme": theme_of(row)}
    if options is not None:
        settings["extensions"] = [*row.project.settings["extensions"], "sitemap_docs"]
        settings |= {f"sitemap_{name}": value for name, value in options.items()}
    flags = ["-W", "--keep-going"] if row["strictness"].given else []
    if row["base"].name == "flag":
        flags.append(f"-Dhtml_baseurl={row['base'].given}")
    else:
        settings["html_baseurl"] = row["base"].given
    write(root, {"src/conf.py": conf_py(settings, row.project.code)})
    builder = "dirhtml" if row["spelling"].name == "folders" else "html"
    return SphinxProject(root).arguments(builder, *flags)


def configure_mkdocs(row: Row, root: Path, options: Mapping[str, object] | None) -> dict[str, object]:
    """Writes mkdocs.yml; returns what the command line says beside it."""
    project = row.project
    theme = {"name": theme_of(row)}
    if (root / "overrides").is_dir():
        theme |= {"custom_dir": "overrides", "static_templates": ["empty.html"]}
    place = root / project.configuration
    own = [] if options is None else [{"sitemap-docs": dict(options)}]
    settings = {
        "site_name": "Matrix",
        **project.settings,
        "theme": theme,
        "site_dir": os.path.relpath(root / "site", place),
        "use_directory_urls": row["spelling"].name == "folders",
        "plugins": [*project.plugins, *own],
    }
    overrides: dict[str, object] = {"strict": True} if row["strictness"].given else {}
    if row["base"].name == "flag":
        overrides["site_url"] = row["base"].given
    elif row["base"].given:
        settings["site_url"] = row["base"].given
    write(place, {"mkdocs.yml": yaml.safe_dump(settings, sort_keys=False, allow_unicode=True)})
    return overrides


def configure_folder(row: Row, root: Path, options: Mapping[str, object]) -> list[str]:
    """Writes a file of options; returns the arguments of ``build``. Paths start in the folder of the file."""
    folder = root / str(row["config"].given)
    settings = dict(options)
    for name in ("lastmod_ignore_revs", "record"):
        if name in settings:
            settings[name] = Path(os.path.relpath(root / str(settings[name]), folder)).as_posix()
    flags = [*row.project.flags]
    if row["base"] == CONFIGURED:
        settings["base-url"] = row["base"].given
    elif row["base"].given:
        flags += ["--base-url", str(row["base"].given)]
    write(folder, {"build.toml": toml(settings)})
    if row["strictness"].given:
        flags.append("--strict")
    return [str(root / "out"), "--config", str(folder / "build.toml"), *flags]


def toml(options: Mapping[str, object]) -> str:
    """Options as a TOML file has them: values are those of JSON, but for the sign behind a key."""
    written = json.JSONEncoder(ensure_ascii=False, separators=(", ", " = ")).encode
    return "".join(f"{name} = {written(value)}\n" for name, value in options.items())


def command(*arguments: object) -> Answer:
    """Runs the command in this process; a traceback stands in its messages."""
    try:
        return conftest.command(*arguments)
    except Exception:  # noqa: BLE001  a traceback is a finding of the matrix
        return Answer(1, "", traceback.format_exc())


def recorded(output: Path) -> tuple[dict[str, Recorded], str, frozenset[str]]:
    """What the build decided about each page, by its file; its base URL, and the files that it wrote."""
    record = read_record(output, user_cache())
    if record is None:
        return {}, "", frozenset()
    pages = {}
    for row in record.rows():
        if row.file:
            lastmod = "" if row.reason or not row.lastmod else stamp(row.lastmod)
            pages[row.file] = Recorded(row.loc, row.reason.value if row.reason else "", lastmod)
    return pages, record.base, frozenset(record.files)


@cache
def without_us(row: Row) -> tuple[Build, Files]:
    """The same project as its host builds it alone: strict or not, for one base URL."""
    folder = Path(mkdtemp(prefix="without-"))
    root = folder / "project"
    copy_project(row.project, root, "full")
    with environment({}, folder / "home", root / row.project.configuration):
        bare = build(row, root, None)
    return bare, output_files(output_of(row, root))


def empty(row: Row, root: Path) -> None:
    """Puts the output folder back into the state in which nothing of ours was ever there."""
    for built in (output_of(row, root), root / "trees"):
        shutil.rmtree(built, ignore_errors=True)
    for file in root.glob("sitemap*"):
        file.unlink()
    if row.host == "folder":
        shutil.copytree(pristine(row.project.name) / "out", root / "out", symlinks=True)


def build_before(row: Row, root: Path) -> None:
    """Builds what was built before the build that is judged, as the state of the row says."""
    state, options = row["state"].name, row.options
    if state == "fresh":
        return
    extra, changed = (root / DOCUMENTS[row.host].format(name) for name in ("extra-page", "alone"))
    text = changed.read_text("utf-8")
    if state == "page-deleted":
        extra.write_text(EXTRA[row.host], "utf-8")
    if state == "incremental":
        changed.write_text(text + "\nText that goes again.\n", "utf-8")
    if state == "option-changed" or row["state"] in RECORDS_LOST:
        options = {"formats": ["text"], "gzip": "beside", "max_urls": 4, "index": "cascaded"}
        options["groups"] = {"first": ["a*"], "second": ["i*"]}
    if state == "filename-changed":
        options = {**options, "filename": "earlier.xml", "gzip": "beside"}
    is_wrong = row["base"] in WRONG_BASES  # it is mistyped after a good build
    if is_wrong:
        build(row.having(base=CONFIGURED), root, options)
    elif row["state"] == ADDRESS_CHANGED:
        build(row.having(base=EARLIER_BASE), root, options)
    else:
        build(row, root, options)
    if row.host == "folder" and is_wrong:  # only another program's sitemap contradicts a base URL
        for sitemap in output_of(row, root).glob("*.xml"):
            sitemap.write_bytes(sitemap.read_bytes().replace(b"sitemap-docs", b"a generator"))
    if state == "page-deleted":
        extra.unlink()
    if state == "incremental":
        changed.write_text(text, "utf-8")
        stamp = changed.stat().st_mtime + 5
        os.utime(changed, (stamp, stamp))
    if state == "output-moved" and row.host != "folder":
        output_of(row, root).rename(root / "moved")
