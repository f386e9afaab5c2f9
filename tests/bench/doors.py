"""Builds sites with the package that Python finds, and writes down what it wrote and printed; for digests.py.

``python -m doors SCRATCH`` reads the cases from ``SCRATCH/cases.json`` and writes
``SCRATCH/results/NUMBER.json`` for each. The hosts and the package are loaded once; each step is a fork of
that process and sees no other.
Nothing of the package is called but what a user calls: the command, the plugin, the extension.
"""

from __future__ import annotations

import gzip
import json
import multiprocessing
import os
import re
import runpy
import shutil
import subprocess
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

#: What most builds load; a module that is missing is loaded by no build either.
LOADED = (
    *("sphinx.cmd.build", "sphinx.builders.html", "sphinx.builders.dirhtml", "sphinx.domains.python"),
    *("sphinx.ext.autodoc", "sphinx.ext.viewcode", "sphinx.environment.adapters.toctree", "sphinx.search.de"),
    *(
        "myst_parser.sphinx_",
        "furo",
        "ablog",
        "mkdocs.__main__",
        "mkdocs.commands.build",
        "mkdocs.config.defaults",
    ),
    *("material.plugins.blog.plugin", "material.plugins.search.plugin", "mkdocs.contrib.search"),
    *(
        "mkdocs_static_i18n.plugin",
        "mkdocs_macros.plugin",
        "encryptcontent.plugin",
        "mkdocs_gen_files.plugin",
    ),
    *("mkdocs_redirects.plugin", "pymdownx.snippets", "pymdownx.superfences", "markdown_exec", "mike.driver"),
)
PACKAGE = "sitemap_docs"
OURS = re.compile(r"sitemap-docs|\[sitemap", re.IGNORECASE)
#: What a page says to search engines, some of which we write or correct.
TAGS = re.compile(rb"<(?:link|meta)\b[^>]*(?:canonical|alternate|robots|modified|published|sitemap)[^>]*>")
EPHEMERAL = re.compile(r"\b\d+\.\d+ (?:seconds|s)\b")


class Steps:
    """One case: a folder of its own, in which the steps are done one after the other."""

    def __init__(self, scratch: Path, case: dict) -> None:
        self.scratch = scratch
        self.root = scratch / "work" / str(case["number"])
        self.case = case
        self.caches = 0
        self.found: dict[str, dict[str, str]] = {}

    def take(self) -> dict[str, dict[str, str]]:
        """What was found behind each door, by the names of the doors and of the parts."""
        shutil.rmtree(self.root, ignore_errors=True)
        self.root.mkdir(parents=True)
        for step in self.case["steps"]:
            getattr(self, step["do"])(**{name: value for name, value in step.items() if name != "do"})
        shutil.rmtree(self.root)
        return self.found

    def copy(self, old: str, new: str, *, without: tuple[str, ...] = ()) -> None:
        """Copies a folder of the case, or of what was made for all cases."""
        source = self.root / old if (self.root / old).exists() else self.scratch / "made" / old
        if source.exists():
            ignored = shutil.ignore_patterns(*without)
            shutil.copytree(source, self.root / new, symlinks=True, ignore=ignored, dirs_exist_ok=True)

    def write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text, "utf-8")

    def remove(self, names: list[str]) -> None:
        for pattern in names:
            for found in sorted(self.root.glob(pattern)):
                shutil.rmtree(found) if found.is_dir() else found.unlink()

    def run(  # noqa: PLR0917
        self,
        commands: list[list[str]],
        here: str,
        door: str = "",
        output: str = "",
        record: bool = True,
        environ: dict[str, str] | None = None,
        answer: str = "",
    ) -> None:
        """Runs commands, each the name of a module with its arguments, or of a program after ``$``.

        What they print and what is in the output then is found behind the door, if it has a name. ``answer``
        is a file that they write with what is asked for.
        """
        self.caches += not record
        cache = "cache" if record else f"cache-{self.caches}"
        given = os.environ | {"XDG_CACHE_HOME": str(self.root / cache)} | (environ or {})
        log, statuses = self.root / "printed", []
        log.unlink(missing_ok=True)
        for command in commands:
            arguments = [each.replace("{case}", str(self.root)) for each in command]
            statuses.append(forked(arguments, self.root / here, given, log))
        if door:
            printed = self.normal(log.read_text("utf-8", "replace"))
            found = {"exit": ",".join(map(str, statuses))}
            if not output and not answer:
                found["answer"] = printed
            else:
                found |= said(printed, every=commands[-1][0] == PACKAGE or any(statuses))
            if answer:
                file = self.root / answer
                found["answer"] = self.normal(file.read_text("utf-8")) if file.exists() else ""
            if output:
                found |= written(self.root / output)
            self.found[door] = found

    def normal(self, text: str) -> str:
        """A text without what another run or machine has otherwise."""
        text = text.replace(str(self.root), "").replace(str(self.scratch), "")
        return EPHEMERAL.sub("N seconds", text)


def forked(command: list[str], here: Path, environ: dict[str, str], log: Path) -> int:
    """Runs a command in a fork of this process; returns its exit status."""
    with log.open("ab") as printed:
        if command[0] == "$":
            done = subprocess.run(
                command[1:], cwd=here, env=environ, stdout=printed, stderr=printed, check=False
            )
            return done.returncode
        pid = os.fork()
        if pid:
            return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        status: object = 1
        try:
            os.dup2(printed.fileno(), 1)
            os.dup2(printed.fileno(), 2)
            os.chdir(here)
            os.environ.clear()
            os.environ.update(environ)
            sys.argv = list(command)
            runpy.run_module(command[0], run_name="__main__", alter_sys=True)
            status = 0
        except SystemExit as end:
            status = 0 if end.code is None else end.code
            if not isinstance(status, int):
                print(status, file=sys.stderr)
                status = 1
        except BaseException:  # noqa: BLE001  as Python ends a program
            traceback.print_exc()
        finally:
            with suppress(Exception):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(status if isinstance(status, int) else 1)


def said(printed: str, *, every: bool) -> dict[str, str]:
    """What was printed, or our lines of it; and the last of them."""
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    ours = [line for line in lines if every or OURS.search(line)]
    return {"said": "\n".join(ours), "last": ours[-1] if ours else ""}


def written(output: Path) -> dict[str, str]:
    """The files of an output that are ours, or that we edit, as texts by their kind."""
    parts: dict[str, list[str]] = {"sitemap": [], "robots": [], "files": [], "heads": []}
    found = [*output.rglob("*"), *output.parent.glob("sitemap*")] if output.is_dir() else []
    for file in sorted(found):
        name = os.path.relpath(file, output)
        if ".doctrees" in file.parts:  # the host's own, with the extra pages that we keep
            continue
        kind, top = "", file.parent in (output, output.parent)
        if file.name.endswith((".xml", ".xml.gz")) and (top or file.name.startswith("sitemap")):
            kind = "sitemap"
        elif file.name == "robots.txt":
            kind = "robots"
        elif file.name.startswith("sitemap") or (top and file.suffix == ".txt"):
            kind = "files"
        if kind and file.is_file():
            data = file.read_bytes()
            with suppress(OSError, EOFError):  # what is packed, read as it is served
                data = gzip.decompress(data) if file.suffix == ".gz" else data
            parts[kind].append(f"--- {name}\n{data.decode('utf-8', 'replace')}")
        elif file.suffix == ".html" and file.is_file():
            head, _, _ = file.read_bytes().partition(b"<body")
            tags = b"\n".join(TAGS.findall(head)).decode("utf-8", "replace")
            parts["heads"].append(f"--- {name}\n{tags}")
    return {kind: "\n".join(texts) for kind, texts in parts.items()}


def take(case: dict) -> None:
    """Does the steps of a case, and writes what was found."""
    scratch = Path(sys.argv[1])
    found = Steps(scratch, case).take()
    (scratch / "results" / f"{case['number']}.json").write_text(json.dumps(found), "utf-8")


def main() -> None:
    for name in LOADED:
        with suppress(ImportError):
            import_module(name)
    package = import_module(PACKAGE)
    for module in walk_packages(package.__path__, f"{PACKAGE}."):
        if not module.name.endswith("__main__"):
            with suppress(ImportError):
                import_module(module.name)
    scratch = Path(sys.argv[1])
    cases = json.loads((scratch / "cases.json").read_text("utf-8"))
    (scratch / "results").mkdir(exist_ok=True)
    with multiprocessing.get_context("fork").Pool(os.cpu_count()) as workers:
        for number, _ in enumerate(workers.imap_unordered(take, cases), 1):
            if sys.stderr.isatty():
                print(f"\r{number} of {len(cases)} sites", end="", file=sys.stderr)


if __name__ == "__main__":
    main()
