"""Runs one row: makes the project, builds it in this process, and asks every command about what was built."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
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
from tests.conftest import Answer, MkDocsProject, git, sphinx_build, write
from tests.matrix.dimensions import BASES, STRICTNESS, WRONG_BASES, Value, takes
from tests.matrix.projects.shape import HAND_WRITTEN, Project
from tests.matrix.rows import THEMES, Row

Files = Mapping[str, bytes]
EXTRA = {"sphinx": ":orphan:\n\nExtra\n=====\n", "mkdocs": "# Extra\n", "folder": HAND_WRITTEN}
OF_THEMES = (".js", ".css", ".map", ".png", ".svg", ".ico", ".ttf", ".eot", ".woff", ".woff2")
EXPLAINED = 3
#: What builds leave beside the output; the rest of a project's folder is the user's.
LEFT = ("out", "trees", "site", "cache", "copy", "moved", ".git", "__pycache__", "before")


class Recorded(NamedTuple):
    """What a build decided about a page, as texts."""

    file: str
    loc: str
    reason: str
    lastmod: str


class Build(NamedTuple):
    """How a build ended: its exit status, what it printed, and a traceback where there should be none."""

    code: int
    lines: tuple[str, ...]
    failure: str = ""

    @property
    def ours(self) -> list[str]:
        """The lines that we print; of the command, all."""
        return [line for line in self.lines if "sitemap-docs" in line or "[sitemap" in line]

    @property
    def wrote(self) -> bool:
        return any(re.search(r"\d page\S* listed, ", line) for line in self.ours)


@dataclass(kw_only=True)
class Ran:
    """One row as it ran: the outputs before and after the last build, and what every command says of it.

    ``rebuild`` and ``again`` are the same build once more and its output: in the same folder after a fresh
    build, else in an empty one. ``bare`` is how a build of the same project without us ends, ``without`` the
    output of one. ``copy`` is how the command builds a copy of the output without our files, and ``copied``
    its files; ``built_over`` and ``over`` those of a copy of a plugin's output with them.
    ``report_without_record`` is that of a folder, with the options of its build.
    """

    row: Row
    root: Path
    output: Path
    build: Build
    source_before: Files
    source_after: Files
    before: Files
    after: Files
    again: Files
    rebuild: Build
    record: Mapping[str, Recorded]
    base: str
    written: frozenset[str]
    check: Answer
    check_without_record: Answer
    check_elsewhere: Answer
    report: Answer
    report_without_record: Answer | None = None
    explained: Mapping[str, Answer] = field(default_factory=dict)
    copy: Answer | None = None
    copied_record: Mapping[str, Recorded] = field(default_factory=dict)
    copied: Files = field(default_factory=dict)
    built_over: Answer | None = None
    over: Files = field(default_factory=dict)

    @property
    def bare(self) -> Build:
        row = self.row
        return without_us(row["project"].name, row["spelling"], row["theme"], row["strictness"])[0]

    @property
    def without(self) -> Files:
        """With the usual theme, but for a row that has nothing else."""
        row, usual = self.row, THEMES[0]
        theme = row["theme"] if row.is_default() else usual
        return without_us(row["project"].name, row["spelling"], theme, STRICTNESS[0])[1]


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


@cache
def pristine(name: str, make) -> Path:
    """A project as it is made once in this process, to be copied."""
    root = Path(mkdtemp(prefix=f"{name}-")) / "pristine"
    make(root)
    return root


def copy_project(project: Project, root: Path, history: str) -> None:
    """A copy of a project with the history that a row asks for; untracked files come along."""
    original = pristine(project.name, project.make)
    if history == "full":
        shutil.copytree(original, root, symlinks=True)
        return
    if history == "worktree":
        main = root.with_name("main")
        shutil.copytree(original, main, symlinks=True)
        git(main, "worktree", "add", "-q", "--detach", str(root))
    elif history == "shallow":
        git(original, "clone", "-q", "--depth", "1", original.as_uri(), str(root))
    shutil.copytree(original, root, symlinks=True, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".git"))
    if history == "no-commits":
        git(root, "init", "-q", "-b", "main")


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


def build(
    row: Row, root: Path, *, ours: bool = True, options: Mapping[str, object], incremental: bool = False
) -> Build:
    """Builds the project of a row in this process."""
    try:
        if row.host == "sphinx":
            return build_sphinx(row, root, ours=ours, options=options)
        if row.host == "mkdocs":
            return build_mkdocs(row, root, ours=ours, options=options, dirty=incremental)
        return build_folder(row, root, ours=ours, options=options)
    except Exception:  # noqa: BLE001  a traceback is a finding of the matrix
        return Build(1, (), traceback.format_exc())


def output_of(row: Row, root: Path) -> Path:
    return root / ("site" if row.host == "mkdocs" else "out")


def theme_of(row: Row) -> object:
    return row.project.themes[THEMES.index(row["theme"])]


def build_sphinx(row: Row, root: Path, *, ours: bool, options: Mapping[str, object]) -> Build:
    arguments = configure_sphinx(row, root, ours=ours, options=options)
    import_module("sphinx.pycode").ModuleAnalyzer.cache.clear()  # modules of other rows have the same names
    ran = sphinx_build(*arguments)
    lines = [*ran.status.splitlines(), *ran.warnings.splitlines()]
    return Build(ran.code, tuple(lines), "\n".join(lines) if "Traceback" in ran.warnings else "")


def configure_sphinx(row: Row, root: Path, *, ours: bool, options: Mapping[str, object]) -> list[str]:
    """Writes conf.py; returns the arguments of sphinx-build."""
    project = row.project
    source = root / project.configuration
    settings = {**project.settings, "html_theme": theme_of(row)}
    if ours:
        settings["extensions"] = [*project.settings["extensions"], "sitemap_docs"]
        settings |= {f"sitemap_{name}": value for name, value in options.items()}
    by_flag = row["base"].name == "flag"
    if row["base"].given and not by_flag:
        settings["html_baseurl"] = row["base"].given
    lines = [f"{name} = {value!r}\n" for name, value in settings.items()]
    write(source, {"conf.py": "".join(lines) + project.code})
    builder = "dirhtml" if row["spelling"].name == "folders" else "html"
    flags = ["-W", "--keep-going"] if row["strictness"].given else []
    if by_flag:
        flags.append(f"-Dhtml_baseurl={row['base'].given}")
    trees = root / "trees"
    return ["--no-color", "-b", builder, "-d", str(trees), *flags, str(source), str(root / "out")]


def build_mkdocs(row: Row, root: Path, *, ours: bool, options: Mapping[str, object], dirty: bool) -> Build:
    overrides = configure_mkdocs(row, root, ours=ours, options=options)
    mkdocs = MkDocsProject(root / row.project.configuration)
    mkdocs.site = root / "site"
    exceptions = import_module("mkdocs.exceptions")
    try:
        mkdocs.build(dirty=dirty, **overrides)
    except exceptions.MkDocsException as error:
        return Build(1, (*_shown(mkdocs.messages), f"{type(error).__name__} {error}"))
    return Build(0, tuple(_shown(mkdocs.messages)))


def configure_mkdocs(row: Row, root: Path, *, ours: bool, options: Mapping[str, object]) -> dict[str, object]:
    """Writes mkdocs.yml; returns what the command line sets."""
    project = row.project
    theme = {"name": theme_of(row)}
    if (root / "overrides").is_dir():
        theme |= {"custom_dir": "overrides", "static_templates": ["empty.html"]}
    place = root / project.configuration
    own = [{"sitemap-docs": dict(options)}] if ours else []
    settings = {
        **project.settings,
        "theme": theme,
        "site_dir": os.path.relpath(root / "site", place),
        "use_directory_urls": row["spelling"].name == "folders",
        "plugins": [*project.plugins, *own, *project.after],
    }
    overrides = {"strict": True} if row["strictness"].given else {}
    if row["base"].name == "flag":
        overrides["site_url"] = row["base"].given
    elif row["base"].given:
        settings["site_url"] = row["base"].given
    write(place, {"mkdocs.yml": yaml.safe_dump(settings, sort_keys=False, allow_unicode=True)})
    return overrides


def _shown(messages: list[str]) -> list[str]:
    return [message for message in messages if not message.startswith("DEBUG")]


def build_folder(row: Row, root: Path, *, ours: bool, options: Mapping[str, object]) -> Build:
    if not ours:
        return Build(0, ())
    done = command("build", *configure_folder(row, root, options=options))
    failure = done.err if "Traceback" in done.err else ""
    return Build(done.code, (*done.out.splitlines(), *done.err.splitlines()), failure)


def configure_folder(row: Row, root: Path, *, options: Mapping[str, object]) -> list[str]:
    """Writes a file of options; returns the arguments of ``build``."""
    settings = dict(options)
    flags = [*row.project.flags]
    if row["base"].name == "configured":
        settings["base-url"] = row["base"].given
    elif row["base"].given:
        flags += ["--base-url", str(row["base"].given)]
    write(root, {"build.toml": toml(settings)})
    if row["strictness"].given:
        flags.append("--strict")
    return [str(root / "out"), "--config", str(root / "build.toml"), *flags]


def toml(options: Mapping[str, object]) -> str:
    """Options as a TOML file has them."""

    def written(value: object) -> str:
        if isinstance(value, dict):
            parts = (f"{json.dumps(key)} = {written(each)}" for key, each in value.items())
            return "{" + ", ".join(parts) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(map(written, value)) + "]"
        return json.dumps(value, ensure_ascii=False)

    return "".join(f"{name} = {written(value)}\n" for name, value in options.items())


def command(*arguments: object) -> Answer:
    """Runs the command in this process; a traceback stands in its messages."""
    try:
        return conftest.command(*arguments)
    except Exception:  # noqa: BLE001  a traceback is a finding of the matrix
        return Answer(1, "", traceback.format_exc())


def recorded(output: Path) -> dict[str, Recorded]:
    """What the build decided about each page, by its file; the date of what is listed."""
    pages = {}
    record = read_record(output, user_cache())
    for row in record.rows() if record else ():
        if row.file:
            lastmod = "" if row.reason or not row.lastmod else stamp(row.lastmod)
            reason = row.reason.value if row.reason else ""
            pages[row.file] = Recorded(row.file, row.loc, reason, lastmod)
    return pages


def recorded_site(output: Path) -> tuple[str, frozenset[str]]:
    """The base URL of the build, and the files that it wrote."""
    record = read_record(output, user_cache())
    return (record.base, frozenset(record.files)) if record else ("", frozenset())


@cache
def without_us(project: str, spelling: Value, theme: Value, strictness: Value) -> tuple[Build, Files]:
    """The same project as its host builds it alone: strict or not, for one base URL."""
    row = Row({"project": Value(project), "spelling": spelling, "theme": theme, "strictness": strictness})
    folder = Path(mkdtemp(prefix="without-"))
    root = folder / "project"
    copy_project(row.project, root, "full")
    with environment({}, folder / "home", root / row.project.configuration):
        bare = build(row, root, ours=False, options={})
    return bare, output_files(output_of(row, root))


def run(row: Row, folder: Path) -> Ran:
    """Makes, builds and asks: everything that the invariants compare."""
    root = folder / "project"
    copy_project(row.project, root, row["history"].name)
    home, output = folder / "home", output_of(row, root)
    variables = row["environment"].given or {}
    here = root / row.project.configuration if row.host == "mkdocs" else root
    if row["state"].name == "record-lost":  # the output comes from a machine whose cache does not
        with environment(variables, folder / "lost", here):
            _build_before(row, root)
    with environment(variables, home, here):
        if row["state"].name != "record-lost":
            _build_before(row, root)
        source_before = _sources(root, row)
        before = output_files(output)
        built = build(row, root, options=row.options, incremental=row["state"].name == "incremental")
        after = output_files(output)
        record, (base, written) = recorded(output), recorded_site(output)
        source_after = _sources(root, row)
        asked = _ask(row, root, output, record)
    with environment(variables, folder / "another home", here):
        without_record = command("check", output, "--json")
        report_without_record = None
        if row.host == "folder":
            flags = [each for each in configure_folder(row, root, options=row.options) if each != "--strict"]
            report_without_record = command("report", *flags, "-o", folder / "unrecorded.html", "--json")
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    with environment(variables, home, elsewhere):
        check_elsewhere = command("check", output, "--json")
    with environment(variables, home, here):
        copies = _copies(row, root, output, base) if built.wrote else {}
    with environment(variables, folder / "third home", here):
        if row["state"].name != "fresh" and row["base"] not in WRONG_BASES:
            _empty(row, root)
        rebuild = build(row, root, options=row.options)
        again = output_files(output)
    return Ran(
        row=row,
        root=root,
        output=output,
        build=built,
        source_before=source_before,
        source_after=source_after,
        before=before,
        after=after,
        again=again,
        rebuild=rebuild,
        record=record,
        base=base,
        written=written,
        check_without_record=without_record,
        report_without_record=report_without_record,
        check_elsewhere=check_elsewhere,
        **copies,
        **asked,
    )


def _empty(row: Row, root: Path) -> None:
    """Puts the output folder back into the state in which nothing of ours was ever there."""
    for built in (output_of(row, root), root / "trees"):
        shutil.rmtree(built, ignore_errors=True)
    for file in root.glob("sitemap*"):
        file.unlink()
    if row.host == "folder":
        shutil.copytree(pristine(row.project.name, row.project.make) / "out", root / "out", symlinks=True)


def _sources(root: Path, row: Row) -> Files:
    configuration = {"mkdocs.yml", "conf.py", "build.toml", "encryptcontent.cache"}
    found = files_below(root, LEFT)
    return {
        name: data
        for name, data in found.items()
        if Path(name).name not in configuration and "sitemap" not in name and not name.endswith(".mo")
    }


def _build_before(row: Row, root: Path) -> None:
    """What was built before the build that is judged, as the state of the row says."""
    state, options = row["state"].name, row.options
    if state == "fresh":
        return
    extra = root / _document(row, "extra-page")
    if state == "page-deleted":
        extra.write_text(EXTRA[row.host], "utf-8")
    changed = root / _document(row, "alone")
    text = changed.read_text("utf-8")
    if state == "incremental":
        changed.write_text(text + "\nText that goes again.\n", "utf-8")
    if state in ("option-changed", "record-lost"):
        options = {"formats": ["text"], "gzip": "beside", "max_urls": 4, "index": "cascaded"}
        options["groups"] = {"first": ["a*"], "second": ["i*"]}
    if state == "filename-changed":
        options = {**options, "filename": "earlier.xml", "gzip": "beside"}
    before = row
    if row["base"] in WRONG_BASES:  # it is mistyped after a good build
        before = row.having(base=BASES[0])
    build(before, root, options=options)
    if row.host == "folder" and before is not row:  # only another program's sitemap contradicts a base URL
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


def _document(row: Row, name: str) -> str:
    return {"sphinx": f"src/{name}.rst", "mkdocs": f"docs/{name}.md", "folder": f"out/{name}.html"}[row.host]


def _ask(row: Row, root: Path, output: Path, record: Mapping[str, Recorded]) -> dict:
    """``check``, ``report``, and ``explain`` of one page for each reason, one dated and one undated.

    In rows that are no default, a few of these.
    """
    asked = {"check": command("check", output, "--json")}
    asked["report"] = command("report", output, "-o", root.parent / "report.html", "--json")
    examples: dict[tuple[str, bool], str] = {}
    for page in record.values():
        examples.setdefault((page.reason, bool(page.lastmod) or bool(page.reason)), page.file)
    files = list(examples.values())
    if not row.is_default():
        files = ["index.html", *Random(row.id).sample(files, min(EXPLAINED, len(files)))]
    asked["explained"] = {
        file: command("explain", output, file, "--json") for file in files if file in record
    }
    return asked


def _not_copied(folder: str, names: list[str]) -> list[str]:
    """What we wrote, and what Sphinx leaves of a page that is deleted."""
    return [
        name
        for name in names
        if name.startswith(("sitemap", "map.xml", "extra-page")) or name in ("robots.txt", ".doctrees")
    ]


def _copies(row: Row, root: Path, output: Path, base: str) -> dict:
    """The build of a copy of the output without our files, with the options of a folder.

    Of a plugin's output, also the build of a copy with our files. A robots.txt of the user's is in both.
    """
    copy = root / "copy"
    options = {name: value for name, value in row.options.items() if takes("folder", name)}
    config = root / row.project.configuration / "copy.toml"  # as paths in it are relative to its folder
    config.write_text(toml(options), "utf-8")
    flags = ["--config", config, "--base-url", base]
    if row.host == "folder":
        flags += row.project.flags
    elif row.host == "sphinx":
        flags += ["--source", root / row.project.configuration]
    shutil.copytree(output, copy, ignore=_not_copied)
    _, without = without_us(row["project"].name, row["spelling"], row["theme"], STRICTNESS[0])
    if "robots.txt" in without:
        write(copy, {"robots.txt": without["robots.txt"]})
    found: dict[str, object] = {"copy": command("build", copy, *flags, "--json")}
    found |= {"copied_record": recorded(copy), "copied": output_files(copy)}
    if row.host != "folder":
        _, ours = recorded_site(output)
        shutil.rmtree(copy)
        shutil.copytree(output, copy, ignore=_not_copied)
        write(copy, {name: (output / name).read_bytes() for name in ours if "/" not in name})
        if (output / "robots.txt").exists():
            shutil.copy(output / "robots.txt", copy)
        found["built_over"] = command("build", copy, *flags, "--json")
        found["over"] = output_files(copy)
    return found
