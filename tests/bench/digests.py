"""A line for each site of the tests, in each door that fits; and what differs between two commits.

    python tests/bench/digests.py --old 5c55d657         # what this checkout does otherwise; exit 1
    python tests/bench/digests.py -k trees/              # the lines of some sites, by this checkout
    python tests/bench/digests.py --show NAME [--old …]  # the files and output behind a line, or their diff
    python tests/bench/digests.py --package COMMIT --write  # keeps the lines of a commit in digests/

A line is named SITE:DOOR. The doors ``build``, ``check``, ``explain`` and ``report`` are those of the
plugin's own output; ``over-…`` is the command over a copy of it, ``bare-…`` over a copy without the plugin's
sitemap. ``again`` is a build into the same folder, ``emptied`` one into an empty folder for which there is a
record. A ``-`` at the end says that the record of the last build is not there.

The sites come from this checkout, the package from the one that is measured. Lines of a commit that are kept
in ``digests/`` are used where the site's files and steps are still those of the line ``SITE:input``.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

HERE = Path(__file__).parents[2]
sys.path[0] = str(HERE)  # in place of this folder, whose modules have names that others use
KEPT = Path(__file__).parent / "digests"
BASE = "https://docs.example.org/"
THEN = "2024-05-06T07:08:09+00:00"
#: Whose pages the manual's are: those of a later commit are another site.
MANUAL = "5c55d657"
#: Real projects, at a commit, and what is built of them with nothing more than the group `hosts` installs.
REAL = {
    "HTTPX": ("encode/httpx", "ae1b9f66", "mkdocs.yml"),
    "starlette": ("encode/starlette", "cb8f84f5", "mkdocs.yml"),
    "attrs": ("python-attrs/attrs", "c1dc5dcb", "docs"),
    "packaging": ("pypa/packaging", "053c8846", "docs"),
    "requests": ("psf/requests", "1f6589ec", "docs"),
    "svcs": ("hynek/svcs", "7d56b11", "docs"),
}
INSTALLED_ONLY = f"""
from importlib.util import find_spec
extensions = [each for each in extensions if find_spec(each.partition(".")[0])] + ["sitemap_docs"]
html_baseurl, intersphinx_mapping = "{BASE}", {{}}
"""
PAGE = "<!doctype html><html lang=en><head><title>Page</title></head><body><h1>Page</h1></body></html>"
#: Layouts of generators that are programs of other languages: their configuration, and the folder of the
#: site; sources are content/guide/install.md and such.
LAYOUTS = {
    "hugo": ("hugo.toml", f'baseURL = "{BASE}"\n', "public", "content"),
    "hugo-folder": ("config/_default/hugo.yaml", f"baseURL: {BASE}\nuglyURLs: true\n", "public", "content"),
    "jekyll": ("_config.yml", f"url: {BASE[:-1]}\nbaseurl: /docs\npermalink: pretty\n", "_site", "."),
    "docusaurus": ("docusaurus.config.js", f'module.exports = {{url: "{BASE[:-1]}"}};\n', "build", "docs"),
    "antora": ("antora-playbook.yml", f"site: {{url: '{BASE}'}}\n", "build/site", "docs/modules/ROOT/pages"),
    "mdbook": ("book.toml", f'[output.html]\nsite-url = "{BASE}"\n', "book", "src"),
    "mkdocs": ("mkdocs.yml", f"site_name: M\nsite_url: {BASE}\nuse_directory_urls: false\n", "site", "docs"),
    "vitepress": (".vitepress/config.mts", "export default {}\n", ".vitepress/dist", "."),
}
#: What was built before, in other words of the configuration.
EARLIER = {
    "option-changed": {"formats": ["text"], "gzip": "beside", "max_urls": 4, "index": "cascaded"},
    "filename-changed": {"filename": "earlier.xml", "gzip": "beside"},
    "locales-gone": {"locales": {"en": BASE, "de": f"{BASE}de/"}},
}

#: The default rows of these have a row for each value of each dimension, and earlier builds.
PLAIN = ("sphinx-plain", "mkdocs-plain", "folder-other")
MIXED = 10  # rows of each project with several values
SHARE = "1fffffff"  # of a dimension's digests, those up to here: one of eight
#: In front of the conf.py of a project that is not installed.
RELEASE = "import importlib.metadata\nimportlib.metadata.version = lambda _: '1.0'\n"
NEUTRAL = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "TZ": "UTC",
    "LANG": "C.UTF-8",
    "NO_COLOR": "1",
}
NAME = re.compile(r"(\S+:\S+) (.*)")
MESSAGE = re.compile(
    r"(?:.*\b(?:INFO|WARNING|ERROR)\b[ :-]+)?(?:sitemap-docs|error|warning|info): (?P<text>.*)"
)
if TYPE_CHECKING:
    from tests.matrix.rows import Row
Step = dict[str, object]
Found = dict[str, dict[str, str]]  # what is behind each line, by the names of its parts


def command(*arguments: object) -> list[str]:
    return ["sitemap_docs", *map(str, arguments)]


def write(files: Mapping[str, str]) -> Step:
    return {"do": "write", "files": dict(files)}


def copy(old: str, new: str, *without: str) -> Step:
    return {"do": "copy", "old": old, "new": new, "without": without}


def remove(*names: str) -> Step:
    return {"do": "remove", "names": names}


def run(*commands: list[str], here: str = "project", **more: object) -> Step:
    return {"do": "run", "commands": commands, "here": here, **more}


def asked(door: str, site: str, here: str, pages: Sequence[str], *, record: bool) -> Iterator[Step]:
    """What ``check``, ``explain`` and ``report`` answer of a site."""
    end = "" if record else "-"
    check = command("check", site, "--severity", "info", "--fail-on", "warning", "--format", "json")
    check += ["-o", "{case}/check.json"]
    yield run(check, here=here, door=f"{door}check{end}", record=record, answer="check.json")
    explain = [command("explain", site, page, "--json") for page in pages]
    yield run(*explain, here=here, door=f"{door}explain{end}", record=record)
    report = command("report", site, "-o", "{case}/report.html", "--json")
    yield run(report, here=here, door=f"{door}report{end}", record=record)


def built(
    door: str,
    build: Sequence[list[str]],
    output: str,
    here: str,
    pages: Sequence[str],
    emptied: Sequence[Step] = (),
) -> Iterator[Step]:
    """A site that is built and asked about, with the record and without, and built again."""
    site = os.path.relpath(output, here)
    yield run(*build, here=here, door=f"{door}build", output=output)
    yield from asked(door, site, here, pages, record=True)
    yield from asked(door, site, here, pages, record=False)
    yield run(*build, here=here, door=f"{door}again", output=output)
    yield run(*build, here=here, door=f"{door}again-", output=output, record=False)
    if emptied:
        yield from emptied
        yield run(*build, here=here, door=f"{door}emptied", output=output)


def copied(output: str, here: str, flags: Sequence[str]) -> Iterator[Step]:
    """The command over copies of an output, of which the second lacks the plugin's sitemap."""
    for door, folder, without in (("over-", "project/copy", ""), ("bare-", "project/moved", "sitemap*")):
        yield copy(output, folder, without)
        build = command("build", os.path.relpath(folder, here), *flags)
        yield from built(door, [build], folder, here, ["index.html"])


class Sites:
    """The sites, each a list of steps; and below ``made`` what these copy, projects with their histories."""

    def __init__(self, made: Path) -> None:
        self.made = made
        self.steps: dict[str, list[Step]] = {}
        self.inputs: dict[str, str] = {}
        self._digests: dict[str, str] = {}

    def add(self, name: str, *steps: Iterable[Step]) -> None:
        self.steps[name] = [step for part in steps for step in part]
        copies = [str(step["old"]) for step in self.steps[name] if step["do"] == "copy"]
        made = [self.digest(each) for each in copies if (self.made / each).exists()]
        self.inputs[name] = digest(json.dumps([self.steps[name], made]))

    def digest(self, name: str) -> str:
        """The digest of what was made under a name, as it was then."""
        if name not in self._digests:
            self._digests[name] = digest_of(self.made / name)
        return self._digests[name]

    def matrix(self) -> None:
        """The default rows of the matrix, its rows of their own, one for each value, and mixed ones."""
        from tests.matrix.rows import default_rows, own_rows, usual_spelling  # noqa: PLC0415

        defaults = list(default_rows())
        for row in (*defaults, *own_rows(), *each_value()):
            if row.host != "mkdocs" or row["base"].name != "flag":  # which MkDocs has not
                self.add(f"matrix/{row}", self.row(row))
        for name, row in mixed():
            self.add(f"mixed/{name}", self.row(row))
        for row in defaults:
            if row["project"].name in PLAIN and row["spelling"] == usual_spelling(row.project):
                for state in (*EARLIER, "page-deleted"):
                    self.add(f"earlier/{row['project']}+{state}", self.row(row, state))

    def row(self, row: Row, state: str = "") -> list[Step]:
        """The steps of a row; before them, where there is a state, those of an earlier build."""
        from tests.matrix.run import EXTRA, copy_project, takes, toml  # noqa: PLC0415

        name = f"{row['project']}-{row['history']}"
        root = self.made / name / "project"
        if not root.exists():
            root.parent.mkdir()
            copy_project(row.project, root, row["history"].name)
            self.digest(name)
        here = os.path.normpath(f"project/{row.project.configuration if row.host == 'mkdocs' else ''}")
        output = "project/site" if row.host == "mkdocs" else "project/out"
        steps = [copy(name, ".")]
        if state:
            files, build = configured(row, root, {**row.options, **EARLIER.get(state, {})})
            extra = {"sphinx": "src/extra.rst", "mkdocs": "docs/extra.md", "folder": "out/extra.html"}[
                row.host
            ]
            if state == "page-deleted":
                files[f"project/{extra}"] = EXTRA[row.host]
            steps += [write(files), run(build, here=here), remove(f"project/{extra}")]
        files, build = configured(row, root, row.options)
        emptied = [remove(output), copy(f"{name}/{output}", output)] if row.is_default() else []
        pages = examples(row) if row.is_default() else ["index.html"]
        steps += [write(files), *built("", [build], output, here, pages, emptied)]
        if row.host != "folder":
            options = {name: value for name, value in row.options.items() if takes("folder", name)}
            flags = ["--config", "{case}/project/copy.toml", "--base-url", BASE]
            flags += ["--source", "{case}/project/src"] if row.host == "sphinx" else []
            steps += [write({"project/copy.toml": toml(options)}), *copied(output, here, flags)]
        for step in steps:
            if step["do"] == "run":
                step["environ"] = dict(row["environment"].given or {})
        return steps

    def manual(self) -> None:
        """The manual in both hosts."""
        self.clone("manual", HERE, MANUAL)
        sphinx = ["sphinx", "-q", "-b", "dirhtml", "-c", "example_docs", "example_docs/pages", "out"]
        mkdocs = ["mkdocs", "build", "-f", "example_docs/mkdocs.yml"]
        pages = ["index.html", "options/index.html", "search/index.html", "404.html"]
        for host, build, output in (
            ("sphinx", sphinx, "project/out"),
            ("mkdocs", mkdocs, "project/example_docs/_build/mkdocs"),
        ):
            flags = ["--base-url", BASE, "--source", "example_docs/pages"]
            steps = built("", [build], output, "project", pages, [remove(output)])
            self.add(f"manual/{host}", [copy("manual", ".")], steps, copied(output, "project", flags))

    def clone(self, name: str, origin: Path, commit: str) -> None:
        root = self.made / name / "project"
        subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", origin, root], check=True)
        subprocess.run(["git", "checkout", "-q", commit], cwd=root, check=True)
        subprocess.run(["git", "remote", "remove", "origin"], cwd=root, check=True)

    def real(self, mirror: Path) -> None:
        """Documentation of real projects, without the extensions that are not installed."""
        for name, (repository, commit, docs) in REAL.items():
            origin = mirror / repository.replace("/", "+") / "repo"
            if not origin.is_dir():
                continue
            self.clone(name, origin, commit)
            root, flags = self.made / name / "project", ["--base-url", BASE]
            if docs.endswith(".yml"):
                text = (root / docs).read_text("utf-8").replace("  - mkautodoc\n", "")
                text = re.sub("^  - mkdocstrings:\n(    .*\n)*", "", text, flags=re.MULTILINE)
                plugins = "plugins:\n  - sitemap-docs\n"
                text = text.replace("plugins:\n", plugins) if "plugins:\n" in text else f"{text}\n{plugins}"
                build, file, output = ["mkdocs", "build", "-q"], docs, "project/site"
            else:
                file, output = f"{docs}/conf.py", "project/out"
                text = RELEASE + (root / file).read_text("utf-8") + INSTALLED_ONLY
                build, flags = ["sphinx", "-q", "-b", "dirhtml", docs, "out"], [*flags, "--source", docs]
            steps = built("", [build], output, "project", ["index.html"], [remove(output)])
            steps = [copy(name, "."), write({f"project/{file}": text}), *steps]
            self.add(f"real/{name}", steps, copied(output, "project", flags))

    def generators(self) -> None:
        """Sites of generators that are installed, layouts of others, and pages that are in git themselves."""
        from tests.conftest import commit  # noqa: PLC0415
        from tests.conftest import write as write_files  # noqa: PLC0415
        from tests.generators.test_sites import BUILT, GENERATORS  # noqa: PLC0415

        ignored = "".join(f"/{name}\n" for name in BUILT)
        for name, generator in GENERATORS.items():
            if not shutil.which(generator.command[0]):
                continue
            root = self.made / name / "project"
            shutil.copytree(HERE / "tests/generators" / name, root)
            commit(write_files(root, {".gitignore": ignored}), date=THEN)
            output = f"project/{generator.site}"
            steps = [copy(name, "."), run(["$", *generator.command], environ=dict(generator.environ))]
            steps += [remove(*(f"{output}/{file}" for file in generator.wrong)), copy(output, "generated")]
            build = command("build", generator.site, *generator.flags)
            emptied = [remove(output), copy("generated", output)]
            self.add(
                f"generators/{name}", steps, built("", [build], output, "project", ["index.html"], emptied)
            )
        for name, (configuration, text, site, source) in LAYOUTS.items():
            root, suffix = self.made / f"layout-{name}/project", ".adoc" if name == "antora" else ".md"
            pages = {
                f"{site}/{page}.html": PAGE for page in ("index", "404", "guide/index", "guide/install/index")
            }
            sources = {
                f"{source}/{page}{suffix}": "# Page\n" for page in ("index", "guide/index", "guide/install")
            }
            commit(write_files(root, {".gitignore": ignored, configuration: text, **sources}), date=THEN)
            write_files(root, pages)
            for door, flags in (("", ()), ("+flags", ("--base-url", f"{BASE}docs/", "--source", source))):
                steps = built(
                    "", [command("build", site, *flags)], f"project/{site}", "project", ["index.html"]
                )
                self.add(f"layouts/{name}{door}", [copy(f"layout-{name}", ".")], steps)
        link = f'<link rel="canonical" href="{BASE}"></head>'
        commit(
            write_files(
                self.made / "html/project", {"index.html": PAGE.replace("</head>", link), "a.html": PAGE}
            ),
            date=THEN,
        )
        build = command("build", ".", "--source", ".")
        self.add(
            "layouts/html-in-git", [copy("html", ".")], built("", [build], "project", "project", ["a.html"])
        )

    def audit(self) -> None:
        """The sites that trip a rule, and those that nearly do."""
        from tests.audit.cases import CASES, lay  # noqa: PLC0415

        for name in CASES:
            folder = f"audit-{name.replace('/', '-')}"
            said = lay(self.made / folder, name)
            flags = ["--base-url", str(said.get("base-url", BASE)), "--select", "all", "--severity", "info"]
            check = command("check", "project", *flags, "--format", "json", "-o", "{case}/check.json")
            build = command("build", "project", "--base-url", BASE)
            self.add(
                f"audit/{name}",
                [copy(folder, "project"), run(check, here=".", door="check", answer="check.json")],
                [run(build, here=".", door="build", output="project")],
            )

    def trees(self) -> None:
        """Trees of several builds, joined; made of projects of the matrix."""
        dated = {
            f"GIT_{who}_{what}": value
            for who in ("AUTHOR", "COMMITTER")
            for what, value in (("NAME", "W"), ("EMAIL", "w@example.org"), ("DATE", THEN))
        }
        sphinx, mkdocs, out = "sphinx-gettext-full", "mkdocs-i18n-full", "project/out"
        basic = {
            "extensions": ["sitemap_docs"],
            "html_theme": "basic",
            "exclude_patterns": ["locale"],
            "locale_dirs": ["locale"],
            "gettext_compact": False,
        }

        def by_sphinx(folder: str, **settings: object) -> list[Step]:
            conf = {**basic, **settings, "html_baseurl": f"{BASE}{folder}"}
            text = "".join(f"{name} = {value!r}\n" for name, value in conf.items())
            build = ["sphinx", "-q", "-d", f"trees/{folder}", "src", f"out/{folder}"]
            return [write({"project/src/conf.py": text}), run(build)]

        def by_mkdocs(root: str, site: str, url: str, **settings: object) -> list[Step]:
            config = {
                "site_name": "Tree",
                "site_dir": site,
                "site_url": url,
                "plugins": ["sitemap-docs"],
                **settings,
            }
            return [
                write({f"{root}/mkdocs.yml": json.dumps(config)}),
                run(["mkdocs", "build", "-q"], here=root),
            ]

        def by_mike(plugins: Sequence[object]) -> list[Step]:
            deploy = ["mike", "deploy", "-q"]
            changed = write({"project/docs/index.md": "# Home\n\nMore.\n"})
            commit = ["$", "git", "commit", "-qam", "More"]
            *configured, _ = by_mkdocs("project", "site", BASE, plugins=[*plugins, "mike", "sitemap-docs"])
            steps = [*configured, run([*deploy, "1.0"], environ=dated), changed]
            steps += [run(commit, [*deploy, "2.0", "latest"], environ=dated)]
            return [*steps, run(["$", "git", "worktree", "add", "-q", "--detach", "out", "gh-pages"])]

        def joined(name: str, made: str, steps: Iterable[Step], *flags: str) -> None:
            join = command("join", "out", "--base-url", BASE, *flags)
            pages = ["en/index.html", "de/index.html", "1.0/index.html", "2.0/index.html", "index.html"]
            self.add(f"trees/{name}", [copy(made, ".")], steps, built("", [join], out, "project", pages))

        named = [{"lang": each, "link": f"/{each}/", "name": each} for each in ("en", "de")]
        languages = [
            step
            for each in ("en", "de", "en")
            for step in by_mkdocs("project", f"out/{each}", f"{BASE}{each}/", extra={"alternate": named})
        ]
        both = [*by_sphinx("en/", language="en"), *by_sphinx("de/", language="de")]
        versions = [run(["$", "git", "checkout", "-qf", "HEAD~1"]), *by_sphinx("v1/", language="de")]
        versions += [run(["$", "git", "checkout", "-qf", "main"]), *by_sphinx("v2/", language="de")]
        inner = [copy(mkdocs, "inner"), *by_mkdocs("inner/project", "{case}/project/out/web", f"{BASE}web/")]
        i18n = [
            {
                "i18n": {
                    "docs_structure": "suffix",
                    "languages": [
                        {"locale": "en", "name": "English", "default": True},
                        {"locale": "de", "name": "Deutsch"},
                    ],
                }
            }
        ]
        joined("languages-of-sphinx", sphinx, both)
        joined("languages-of-mkdocs", mkdocs, languages)
        joined("merged", mkdocs, languages, "--merge", "--x-default", "de")
        joined("versions-of-sphinx", sphinx, versions, "--newest", "1")
        joined("versions-of-mike", mkdocs, by_mike(()), "--canonical-version", "2.0")
        joined(
            "edited-versions-of-mike",
            mkdocs,
            by_mike(()),
            "--canonical-version",
            "latest",
            "--old-versions",
            "noindex",
        )
        joined(
            "canonical-versions-of-mike",
            mkdocs,
            by_mike(()),
            "--canonical-version",
            "2.0",
            "--old-versions",
            "canonical",
        )
        joined("languages-of-static-i18n", mkdocs, by_mike(i18n), "--newest", "1")
        joined("parts", sphinx, [*by_sphinx("", language="de"), *inner], "--filename", "sitemap-index.xml")


def each_value() -> Iterator[Row]:
    """A row of the plain project of each host for each value of each dimension."""
    from tests.matrix.rows import BASES, DIMENSIONS, ENVIRONMENTS, Row, is_possible, usual_spelling  # noqa: PLC0415

    for project in DIMENSIONS["project"]:
        if project.name not in PLAIN:
            continue
        row = Row({"project": project})
        row = row.having(spelling=usual_spelling(row.project))
        for name, values in DIMENSIONS.items():
            for value in values[1:]:
                if name not in ("project", "spelling", "theme", "state") and is_possible(
                    {"project": project, name: value}
                ):
                    platform = {"environment": ENVIRONMENTS[4]} if value == BASES[2] else {}
                    yield row.having(**{name: value}, **platform)


def mixed() -> Iterator[tuple[str, Row]]:
    """Rows with several values, chosen so that a value that is new or gone changes no other row."""
    from tests.matrix.rows import DIMENSIONS, Row, is_possible  # noqa: PLC0415

    for project in DIMENSIONS["project"]:
        for number in range(MIXED):
            row = {"project": project}
            for name, values in DIMENSIONS.items():
                key = f"{project} {number} {name}"
                if name in ("project", "state") or not values[1:] or digest(key) > SHARE:
                    continue
                value = min(values[1:], key=lambda value: digest(f"{key} {value}"))
                if is_possible({**row, name: value}):
                    row[name] = value
            yield f"{project}-{number}", Row(row)


def configured(row: Row, root: Path, options: Mapping[str, object]) -> tuple[dict[str, str], list[str]]:
    """The configuration of a row, and the command that builds it."""
    from tests.matrix.run import configure_folder, configure_mkdocs, configure_sphinx  # noqa: PLC0415

    if row.host == "sphinx":
        name = Path(row.project.configuration, "conf.py").as_posix()
        build = ["sphinx", *configure_sphinx(row, root, options)]
    elif row.host == "mkdocs":
        name = Path(row.project.configuration, "mkdocs.yml").as_posix()
        configure_mkdocs(row, root, options)
        build = ["mkdocs", "build", *(["--strict"] if row["strictness"].given else [])]
    else:
        name = "build.toml"
        build = command("build", *configure_folder(row, root, options))
    text = (root / name).read_text("utf-8")
    return {f"project/{name}": text}, [each.replace(str(root), "{case}/project") for each in build]


def examples(row: Row) -> list[str]:
    """A page for each reason, one with a date and one without."""
    found: dict[tuple[str, bool], str] = {("index", True): "index.html"}
    folders = row["spelling"].name == "folders"
    for file, truth in row.project.truth.items():
        if folders and file not in row.project.copied and Path(file).stem != "index":
            file = f"{file.removesuffix('.html')}/index.html"  # noqa: PLW2901
        found.setdefault((truth.reason, bool(truth.made_of or truth.day)), file)
    return list(dict.fromkeys(found.values()))


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:8]


def digest_of(folder: Path) -> str:
    """A digest of the files of a folder, those of repositories by the commit of each."""
    parts = []
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder)
        if name.name == "HEAD" and name.parent.name == ".git":
            head = subprocess.run(
                ["git", "log", "-1", "--format=%H"],
                cwd=file.parents[1],
                capture_output=True,
                text=True,
                check=False,
            )
            parts.append(head.stdout)
        elif file.is_file() and ".git" not in name.parts:
            parts.append(f"{name} {sha256(file.read_bytes()).hexdigest()}")
    return digest("\n".join(parts))


def line_parts(found: Mapping[str, str]) -> dict[str, str]:
    """What a line has of what was found: digests of texts; findings by name, and a digest of their places."""
    parts = {}
    for name, text in found.items():
        if name in ("exit", "last"):
            parts[name] = text
        elif text:
            parts[name] = digest(text)
    findings = defaultdict(list)
    for name, place in findings_of(found):
        findings[name].append(place)
    if findings:
        parts["findings"] = ",".join(
            f"{name}*{len(places)}@{digest(' '.join(sorted(places)))[:4]}"
            for name, places in sorted(findings.items())
        )
    return parts


def findings_of(found: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The name and the place of each finding. One without a name is named by its first words."""
    if "said" in found and "answer" in found:
        answer = json.loads(found["answer"] or "{}")
        for each in answer.get("findings", []):
            yield each["rule"], f"{each['where']} {each['file']}:{each['line']}"
    for line in found.get("said", "").splitlines():
        if line != found["last"] and (match := MESSAGE.match(line)):
            text, place = match["text"], re.search(r"https?://[^\s,]+", match["text"])
            named = re.search(r"\[(?:sitemap\w*\.)?([\w-]+)\]$", text)
            words = re.findall(r"[a-z]{2,}", re.split(r"[:,.(`'\"]", text)[0].lower())
            yield named[1] if named else "-".join(words[:6]), place[0] if place else ""


def lines_of(results: Mapping[str, Found]) -> Iterator[str]:
    """The lines of sites, in order; a line that equals another of the same site names that."""
    for name in sorted(results):
        seen: dict[str, str] = {}
        for door, found in results[name].items():
            parts = line_parts(found)
            last = parts.pop("last", "")
            text = " ".join(f"{part}={value}" for part, value in parts.items()) + (
                f" | {last}" if last else ""
            )
            yield f"{name}:{door} {seen.get(text, text)}"
            seen.setdefault(text, f"= {door}")


def parsed(lines: Iterable[str]) -> dict[str, dict[str, str]]:
    """The parts of each line, by its name."""
    found: dict[str, dict[str, str]] = {}
    for line in lines:
        name, text = NAME.match(line).groups()
        if text.startswith("= "):
            found[name] = found[f"{name.rpartition(':')[0]}:{text[2:]}"]
            continue
        text, _, last = text.partition(" | ")
        found[name] = {**dict(re.findall(r"(\w+)=(\S+)", text)), "last": last}
    return found


def measured(package: Path, sites: Sites, names: Iterable[str], scratch: Path) -> dict[str, Found]:
    """What is found behind each door of sites, with the package of a checkout."""
    work = scratch / f"with-{package.name}"
    work.mkdir()
    (work / "made").symlink_to(sites.made)
    cases = [{"name": name, "number": at, "steps": sites.steps[name]} for at, name in enumerate(names)]
    (work / "cases.json").write_text(json.dumps(cases), "utf-8")
    environ = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(package),
        "PYTHONPYCACHEPREFIX": str(scratch / "bytecode"),
        "PYTHONHASHSEED": os.environ.get("PYTHONHASHSEED", "random"),
        "HOME": str(work),
        "TMPDIR": str(work),
        "PYTHONSAFEPATH": "1",
        "PYTHONWARNINGS": "ignore",
        **NEUTRAL,
    }
    subprocess.run([sys.executable, Path(__file__).with_name("doors.py"), work], env=environ, check=True)
    results = {}
    for case in cases:
        file = work / "results" / f"{case['number']}.json"
        results[case["name"]] = {
            "input": {"digest": sites.inputs[case["name"]]},
            **json.loads(file.read_text("utf-8")),
        }
    return results


def checkout(commit: str, scratch: Path) -> Path:
    """The package of a commit, or of a folder that has one."""
    if Path(commit, "sitemap_docs").is_dir():
        return Path(commit).resolve()
    archive = subprocess.run(
        ["git", "archive", commit, "sitemap_docs"], cwd=HERE, stdout=subprocess.PIPE, check=True
    )
    folder = scratch / "old"
    folder.mkdir()
    subprocess.run(["tar", "-x"], cwd=folder, input=archive.stdout, check=True)
    return folder


def kept_file(commit: str) -> Path:
    """The file that has the lines of a commit, if there is one."""
    named = subprocess.run(
        ["git", "rev-parse", "--short=8", commit], cwd=HERE, capture_output=True, text=True, check=False
    )
    return KEPT / f"{named.stdout.strip() or commit}.txt"


def changes(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[str]:
    """What differs between two lines, part by part."""
    for part in sorted(old.keys() | new.keys()):
        before, after = old.get(part, ""), new.get(part, "")
        if before == after:
            continue
        if part == "findings":
            ours, theirs = (dict(re.findall(r"([^,*]+)\*([^,]+)", text)) for text in (before, after))
            for name in sorted(ours.keys() | theirs.keys()):
                if name not in theirs:
                    yield f"findings: - {name}"
                elif name not in ours:
                    yield f"findings: + {name}"
                elif ours[name] != theirs[name]:
                    numbers = [each[name].partition("@")[0] for each in (ours, theirs)]
                    yield f"findings: {name} at other places, {' → '.join(numbers)}"
        elif part == "last":
            yield f"last line:\n  - {before}\n  + {after}"
        elif part == "exit":
            yield f"exit: {before} → {after}"
        else:
            yield f"{part}: {'new' if not before else 'gone' if not after else 'differs'}"


def compare(old: Mapping[str, Mapping[str, str]], new: Mapping[str, Mapping[str, str]]) -> list[str]:
    """The lines that differ, below what differs in them."""
    lines: dict[str, list[str]] = defaultdict(list)
    for name in sorted(old.keys() | new.keys()):
        if name not in new or name not in old:
            lines["line: gone" if name in old else "line: new"].append(name)
            continue
        for change in changes(old[name], new[name]):
            lines[change].append(name)
    shown = []
    for change, names in sorted(lines.items()):
        shown.append(f"{change}  ({len(names)})")
        doors = defaultdict(list)
        for name in names:
            site, _, door = name.rpartition(":")
            doors[site].append(door)
        shown += [f"    {site}: {' '.join(each)}" for site, each in doors.items()]
    return shown


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--old", metavar="COMMIT", help="compare with a commit, or the checkout in a folder")
    parser.add_argument(
        "--package", metavar="COMMIT", default=str(HERE), help="what is measured [default: this checkout]"
    )
    parser.add_argument("--write", action="store_true", help="keep the lines of --package")
    parser.add_argument("--show", metavar="NAME", help="print what is behind a line")
    parser.add_argument("-k", metavar="REGEX", default="", help="sites whose names it is found in")
    parser.add_argument("--mirror", type=Path, help="folder with clones of real projects, as OWNER+NAME/repo")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return run_all(given, Path(folder).resolve())


def run_all(given: argparse.Namespace, scratch: Path) -> int:
    for name in [name for name in os.environ if name.startswith(("GIT_", "CI", "READTHEDOCS", "NETLIFY"))]:
        del os.environ[name]
    os.environ.update(NEUTRAL)
    (scratch / "made").mkdir()
    sites = Sites(scratch / "made")
    for part in (sites.matrix, sites.trees, sites.manual, sites.generators, sites.audit):
        part()
    if given.mirror:
        sites.real(given.mirror.resolve())
    site, _, door = (given.show or "").rpartition(":")
    names = [
        name for name in sorted(sites.steps) if (name == site if given.show else re.search(given.k, name))
    ]
    found = measured(checkout(given.package, scratch), sites, names, scratch)
    if given.show:
        old = {}
        if given.old:
            old = measured(checkout(given.old, scratch), sites, names, scratch)[site][door]
        print("\n".join(behind(old, found[site][door])))
        return 0
    lines = list(lines_of(found))
    if given.write:
        KEPT.mkdir(exist_ok=True)
        kept_file(given.package).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    elif not given.old:
        print("\n".join(lines))
    if not given.old:
        return 0
    changed = compare(old_lines(given.old, sites, names, scratch), parsed(lines))
    print("\n".join(changed) or f"The lines of {len(names):,} sites are the same.")
    return int(bool(changed))


def behind(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[str]:
    """The texts of a line, or where there are those of an older one, what differs between the two."""
    for part in sorted(old.keys() | new.keys()):
        before, after = old.get(part, "").splitlines(), new.get(part, "").splitlines()
        if old:
            yield from difflib.unified_diff(before, after, f"old {part}", f"new {part}", lineterm="")
        else:
            yield from (f"--- {part}", *after)


def old_lines(
    commit: str, sites: Sites, names: Sequence[str], scratch: Path
) -> Mapping[str, Mapping[str, str]]:
    """The parts of the lines of a commit: as they are kept, where the site is the same, else measured."""
    kept: dict[str, dict[str, str]] = {}
    file = kept_file(commit)
    if file.is_file():
        kept = parsed(file.read_text("utf-8").splitlines())
    known, rest = set(), []
    for name in names:
        if kept.get(f"{name}:input", {}).get("digest") == digest(sites.inputs[name]):
            known.add(name)
        else:
            rest.append(name)
    lines = {name: parts for name, parts in kept.items() if name.rpartition(":")[0] in known}
    if rest:
        lines |= parsed(lines_of(measured(checkout(commit, scratch), sites, rest, scratch)))
    return lines


if __name__ == "__main__":
    sys.exit(main())
