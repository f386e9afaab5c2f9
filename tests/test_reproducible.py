"""The same commit, the same bytes: in another folder, zone, locale and order, for another user."""

import os
import random
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
import yaml

from tests.conftest import (
    BASE,
    assert_golden,
    command,
    commit,
    git,
    mkdocs_command,
    needs,
    sphinx_build,
    write,
)

GOLDEN = Path(__file__).parent / "golden" / "reproducible.xml"
NAMES = ("index", "install", "guide/index", "guide/deep", "ä/ö", "z&a", "api")

# What file systems may do: names come in any order.
REVERSED = """
import os
from functools import partial

class Reversed(list):
    __enter__ = lambda self: self
    __exit__ = lambda *_: None
    close = lambda _: None

    def __next__(self):
        if not self:
            raise StopIteration
        return self.pop(0)

listdir, scandir = os.listdir, os.scandir
# Before Python 3.11, pathlib keeps them in a class, where a function would become a method.
os.listdir = partial(lambda *a, **k: sorted(listdir(*a, **k), reverse=True))
os.scandir = partial(lambda *a, **k: iter_of(scandir(*a, **k)))

def iter_of(entries):
    with entries:
        return Reversed(sorted(entries, key=lambda entry: entry.name, reverse=True))
"""

ELSEWHERE = {
    "TZ": "Pacific/Kiritimati",
    "LC_ALL": "C",
    "PYTHONHASHSEED": "77",
    "PYTHONUTF8": "0",
    "HOME": "/none",
}


@pytest.fixture
def origin(tmp_path) -> Path:
    """One repository that all hosts can build; its pages changed on several days."""
    root = tmp_path / "origin"
    pages = {f"docs/{name}.md": f"# {name}\n\nWords.\n" for name in NAMES}
    conf = {"extensions": ["sitemap_docs"], "html_baseurl": BASE, "sitemap_gzip": "beside"}
    sources = {f"src/{name}.rst": f":orphan:\n\n{name}\n{'=' * 20}\n\nWords.\n" for name in NAMES}
    site = {f"site/{name}.html": f"<!doctype html><title>{name}</title>" for name in NAMES}
    config = {"site_name": "Test", "site_url": BASE, "theme": "mkdocs", "plugins": ["sitemap-docs"]}
    write(root, pages | sources | site | {"mkdocs.yml": yaml.safe_dump(config)})
    write(root, {"src/conf.py": "".join(f"{name} = {value!r}\n" for name, value in conf.items())})
    for day, name in enumerate(NAMES, 1):
        commit(root, f"docs/{name}.md", f"src/{name}.rst", date=f"2024-02-{day:02}T12:00:00+0{day}:00")
    commit(root, date="2024-03-01T00:00:00+00:00")
    return root


def clone(origin: Path, folder: Path, seed: int) -> Path:
    """The commit elsewhere, of another user where we may give it away, and its files' times in disorder."""
    git(origin.parent, "clone", "-q", str(origin), str(folder))
    chance = random.Random(seed)
    for file in [folder, *folder.rglob("*")]:
        if file.is_file() and ".git" not in file.parts:
            os.utime(file, (chance.randrange(10**9), chance.randrange(4 * 10**9)))
        if seed and os.getuid() == 0:
            os.chown(file, 65534, 65534, follow_symlinks=False)
    return folder


def sphinx(root: Path, jobs: int) -> list[str]:
    return ["-q", "-b", "dirhtml", "-j", str(jobs), f"{root}/src", f"{root}/out"]


def mkdocs(root: Path, jobs: int) -> list[str]:
    return ["build", "-q", "-f", f"{root}/mkdocs.yml", "-d", f"{root}/out"]


def directory(root: Path, jobs: int) -> list[str]:
    (root / "site").rename(root / "out")
    given = ["--base-url", BASE, "--source", f"{root}/docs", "--gzip", "beside", "--jobs", str(jobs)]
    more = ["--formats", "text", "--cache-dir", f"{root}/cache"]
    return ["build", f"{root}/out", *given, *more, "-q"]


#: The arguments of a build, and what runs it in this process.
HOSTS = {
    "sphinx": (sphinx, sphinx_build),
    "mkdocs": (mkdocs, mkdocs_command),
    "sitemap_docs": (directory, command),
}


def written(root: Path) -> dict[str, bytes]:
    """Our files in the output."""
    names = ("sitemap.xml", "sitemap.xml.gz", "sitemap.css", "robots.txt", "sitemap.txt")
    found = {name: (root / "out" / name).read_bytes() for name in names if (root / "out" / name).exists()}
    assert b"2024-02-0" in found["sitemap.xml"]
    return found


@pytest.mark.parametrize("host", [pytest.param(host, marks=needs(host)) for host in HOSTS])
def test_the_same_bytes(tmp_path, origin, host, request):
    (tmp_path / "shim").mkdir()
    (tmp_path / "shim" / "sitecustomize.py").write_text(REVERSED)
    path = os.pathsep.join(filter(None, [str(tmp_path / "shim"), os.environ.get("PYTHONPATH")]))
    arguments, run_here = HOSTS[host]
    here = clone(origin, tmp_path / "a", 0)
    run_here(*arguments(here, 1))
    there = clone(origin, tmp_path / "a folder with ü and spaces" / "deeper", 1)
    more = {"PYTHONUTF8": "0" if host == "sitemap_docs" else "1"}  # the hosts themselves need UTF-8
    environ = os.environ | ELSEWHERE | more | {"PYTHONPATH": path}
    line = [sys.executable, "-m", host, *arguments(there, 4)]
    done = subprocess.run(line, cwd=there, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    files = written(here)
    assert written(there) == files
    if host == "sitemap_docs":  # nor do they depend on the version of Python: each runs this test
        assert zlib.decompress(files["sitemap.xml.gz"], wbits=31) == files["sitemap.xml"]
        assert_golden(request, GOLDEN, files["sitemap.xml"])
