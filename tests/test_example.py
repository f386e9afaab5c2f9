"""The manual is one set of Markdown; Sphinx and MkDocs write the same sitemap and robots.txt from it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import look_again

pytest.importorskip("sphinx")
pytest.importorskip("mkdocs")
pytest.importorskip("myst_parser")
pytest.importorskip("furo")
pytest.importorskip("material")

EXAMPLE = Path(__file__).parent.parent / "example_docs"
BASE = "https://sitemap-docs.example/"


def run(module: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments], capture_output=True, text=True, check=False, cwd=EXAMPLE
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def last_line(output: str) -> str:
    return next(
        line[line.index("sitemap-docs: ") :]
        for line in reversed(output.splitlines())
        if "sitemap-docs: " in line
    )


def loading(site: Path) -> Iterator[str]:
    """The files that load something from another host."""
    for file in sorted(path for path in site.rglob("*") if path.suffix in (".html", ".css")):
        text = file.read_text(encoding="utf-8")
        if _LOADED.search(text):
            yield str(file)


_LOADED = re.compile(
    r"""<(?:script|img|iframe|source)\b[^>]*\ssrc=["']?(?:https?:)?//"""
    r"""|<link\b(?![^>]*rel=["']?(?:canonical|next|prev))[^>]*\shref=["']?(?:https?:)?//"""
    r"""|@import\s+["'](?:https?:)?//|url\(["']?(?:https?:)?//"""
)


def test_both_hosts_write_the_same_bytes(tmp_path: Path) -> None:
    sphinx, mkdocs = tmp_path / "sphinx", tmp_path / "mkdocs"
    told = [
        run("sphinx", "-W", "-b", "dirhtml", "-d", str(tmp_path / "trees"), "-c", ".", "pages", str(sphinx)),
        run("mkdocs", "build", "--strict", "-f", "mkdocs.yml", "-d", str(mkdocs)),
    ]
    pages = len(list((EXAMPLE / "pages").glob("*.md")))
    assert all(last_line(text).startswith(f"sitemap-docs: {pages} pages listed") for text in told)
    assert [path for site in (sphinx, mkdocs) for path in loading(site)] == []
    look_again(sphinx)
    look_again(mkdocs)
    for name in ("sitemap.xml", "robots.txt"):
        assert (sphinx / name).read_bytes() == (mkdocs / name).read_bytes()
    # A page that is not committed yet, and any page in a shallow clone, has no date.
    flags = ("--select", "all", "--severity", "info", "--ignore", "lastmod-missing")
    for site in (sphinx, mkdocs):
        said = run("sitemap_docs", "check", str(site), "--source", "pages", "--base-url", BASE, *flags)
        assert "No findings (" in said
