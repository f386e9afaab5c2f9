"""What Sphinx loads for every project that names the extension, whatever its builder."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("sphinx")

LOADED = """
import sys
import sphinx.application, sphinx.builders.html, sphinx.builders.singlehtml
before = set(sys.modules)
import sitemap_docs.sphinx.extension
print(*sorted(set(sys.modules) - before))
import sitemap_docs.sphinx.events
print(*sys.modules)
"""


def test_each_stage_loads_no_more_than_it_needs():
    """What decides and writes is loaded by builds that render pages, the audit where `check` is set.

    No package that Sphinx does not need itself is loaded at first, and never what only commands and other
    hosts need: loading is most of what we cost a small build.
    """
    run = [sys.executable, "-c", LOADED]
    lines = subprocess.run(run, capture_output=True, text=True, check=True).stdout.splitlines()
    names, all_names = (line.split() for line in lines)
    rooms = {name.split(".")[1] for name in names if name.startswith("sitemap_docs.")}
    assert rooms == {"config", "model", "programs", "sphinx", "text"}
    packages = {name.partition(".")[0] for name in names} - sys.stdlib_module_names
    assert packages == {"sitemap_docs"}
    assert {"click", "griffe", "httpx", "mkdocs", "rich", "yaml"}.isdisjoint(all_names)
