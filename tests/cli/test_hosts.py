"""``sitemap-docs build`` on what generators build: real ones where they are installed, else their layout."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.conftest import commit, lastmods, look_again, passed, write

pytestmark = pytest.mark.once

THEN = "2024-05-06T07:08:09+00:00"
ORDINARY = "<!doctype html><html><head><title>x</title>{}</head><body></body></html>"


def build(*arguments: object) -> dict:
    result = passed("build", "--json", *arguments)
    look_again(Path("site"))
    return result.data


def program(*command: str, cwd: Path) -> None:
    line = [sys.executable, "-m", *command]
    done = subprocess.run(line, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


DOCS = {
    "docs/index.md": "# Home\n",
    "docs/guide/README.md": "# Guide\n",
    "docs/é b.md": "# É\n",
    "docs/search.md": "# A page about searching\n",
    "docs/404.md": "# Gone\n",
    "docs/quiet.md": "---\nrobots: noindex\n---\n# Quiet\n",
    "docs/off.md": "---\nsitemap: false\n---\n# Off\n",
    "docs/old.md": "---\nsitemap:\n  lastmod: 2020-01-02\n---\n# Old\n",
    "docs/static.html": ORDINARY.format(""),
}
OLD = "2020-01-02"
LISTED = {"": THEN, "%C3%A9%20b/": THEN, "guide/": THEN, "old/": OLD, "search/": THEN}


@pytest.mark.skipif(not find_spec("zensical"), reason="needs zensical")
def test_zensical(here):
    write(here, DOCS | {"zensical.toml": '[project]\nsite_name = "T"\nsite_url = "https://z.org/d/"\n'})
    commit(here, date=THEN)
    program("zensical", "build", "--clean", cwd=here)
    before = (here / "site/sitemap.xml").read_text()
    assert "off" in before
    assert "lastmod" not in before
    said = build("site")
    assert lastmods(here / "site/sitemap.xml", "https://z.org/d/") == LISTED
    # 404.md is 404/ beside the theme's 404.html
    assert said["left_out"] == {"404 page": 2, "noindex": 1, "sitemap: false": 1, "static file": 1}
    assert {finding["rule"] for finding in said["findings"]} == {"noindex-not-rendered", "robots-below-root"}
    assert "stylesheet" in (here / "site/sitemap.xml").read_text()
    ours = (here / "site/sitemap.xml").read_bytes()
    program("zensical", "build", cwd=here)
    build()
    assert (here / "site/sitemap.xml").read_bytes() == ours
    assert build()["changed"] == []
    assert len(build("--max-urls", 2)["files"]) > 3
    assert lastmods(here / "site/sitemap.xml", "https://z.org/d/") == LISTED  # which stays a urlset of all


MARKED = {
    "docs/a.adoc": "= A\n\ninclude::part.txt[]\n",
    "docs/c.md": "{% include part.txt %}\n",
    "docs/d.md": "---\nsitemap: {sources: [part.txt]}\n---\n{% include part.txt %}\n",
    "docs/e.mdx": "import Tabs from '@theme/Tabs'\n\n# E\n",
    "docs/f.html": ORDINARY.format("{% include part.txt %}"),
}


def test_a_source_that_marks_an_include_gives_no_date(here):
    """Of generators that are not followed, even if the file that is included is newer than the source."""
    write(here, {**MARKED, "docs/part.txt": "Part."})
    commit(here, date="2024-01-01T00:00:00+00:00")
    write(here, {"docs/part.txt": "Another part."})
    commit(here, date=THEN)
    write(here, {f"site/{name}.html": ORDINARY.format("") for name in "acde"})
    base = ("--base-url", "https://e.org/")
    said = build("site", *base, "--source", "docs")
    own = "2024-01-01T00:00:00+00:00"
    dates = {"a.html": None, "c.html": None, "d.html": THEN, "e.html": own}
    assert lastmods(here / "site/sitemap.xml", "https://e.org/") == dates
    messages = [each["message"] for each in said["findings"] if each["rule"] == "computed-include"]
    asciidoc, template = messages  # Only one of the formats has front matter.
    assert asciidoc.startswith(
        "https://e.org/a.html has no lastmod: sitemap-docs does not know the included file of include::part"
    )
    assert asciidoc.endswith("set the option `lastmod_dependencies` to false.")
    assert template.startswith(
        "https://e.org/c.html has no lastmod: sitemap-docs does not know the included file of {% include "
    )
    assert template.endswith("List the included files with `sitemap: {sources: [...]}` in the front matter.")
    build("site", *base, "--source", "docs", "--no-lastmod-dependencies")
    assert set(lastmods(here / "site/sitemap.xml", "https://e.org/").values()) == {own, THEN}
    # What is copied as it is includes nothing.
    build("docs", *base, "--source", "docs")
    assert lastmods(here / "docs/sitemap.xml", "https://e.org/") == {"f.html": own}
