"""Pages that get no date because their sources were not found: one warning that says where was looked."""

import pytest

from tests.conftest import REFRESH, command, write


@pytest.fixture
def build(here):
    write(here, {f"site/{name}.html": "<title>x</title>" for name in ("index", "a", "b", "c")})
    sources = ("docs/index.md", "docs/a.md", "docs/b.md", "other/index.md", "empty/x.md")
    write(here, dict.fromkeys(sources, "# x"))

    def run(*flags: str) -> tuple[int, list[str]]:
        done = command("build", "site", "--base-url", "https://e.org/", "--strict", *flags)
        return done.code, [line for line in done.err.splitlines() if "sources-missing" in line]

    return run


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ([], "No page has a date, because no source file was found (looked in: no folder)"),
        pytest.param(["--source", "empty"], "was found (looked in: empty)", id="no source in it"),
        pytest.param(["--source", "other"], "3 of 4 pages have no date", id="fewer than half"),
        pytest.param(
            ["--source", "docs", "--source", "empty"], "empty in --source contains", id="one unused"
        ),
    ],
)
def test_missing_sources_give_exactly_one_warning(build, flags, words):
    code, lines = build(*flags)
    assert code == 1
    assert len(lines) == 1
    assert words in lines[0]


def test_redirects_need_no_source(build, tmp_path):
    for number in range(9):
        (tmp_path / f"site/old-{number}.html").write_text(REFRESH.format("a.html"))
    assert build("--source", "docs")[1] == build("--lastmod", "none")[1] == []
    (tmp_path / "docs/a.md").unlink()
    (tmp_path / "docs/b.md").unlink()
    assert "3 of 4 pages have no date" in build("--source", "docs")[1][0]
