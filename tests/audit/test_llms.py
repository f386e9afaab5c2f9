"""llms.txt as generators write it, and where its links lead."""

from pathlib import Path

import pytest

from tests.conftest import command, write

PAGE = '<!doctype html><html lang="en"><head><title>Guide</title></head><body>Guide</body></html>'


def check(site: Path, base: str) -> str:
    flags = ["--base-url", base, "--select", "llms", "--severity", "info"]
    return command("check", site, *flags).out


@pytest.mark.filterwarnings("ignore:nodes.Node.traverse")  # by sphinx-llms-txt
def test_the_file_of_sphinx_llms_txt(sphinx_project):
    """It links to the sources that Sphinx copies, by default."""
    pytest.importorskip("sphinx_llms_txt")
    project = sphinx_project("a", "b", extensions=["sphinx_llms_txt", "sitemap_docs"])
    done = project.build("dirhtml")
    assert done.code == 0, done.warnings
    site = project.out
    assert "_sources/a." in (site / "llms.txt").read_text(encoding="utf-8")
    assert "No findings" in check(site, project.base)
    (site / "_sources" / "a.rst.txt").unlink()
    assert "warning: llms-link-missing-file (1)" in check(site, project.base)


@pytest.mark.parametrize(
    ("href", "missing"),
    [
        pytest.param("gone/", True, id="below the file"),
        pytest.param("guide/index.md", False, id="Markdown next to its page, as mkdocs-llmstxt writes"),
        pytest.param("/project/gone/", True, id="from the root of the host"),
        pytest.param("gone (2).md", False, id="no link, as it holds a space"),
        pytest.param("<gone (2).md>", True, id="a space in brackets"),
        pytest.param("/gone/", False, id="another site of the host"),
        pytest.param("guide/#gone", False, id="a fragment"),
        pytest.param("#gone", False, id="the file itself"),
        pytest.param("mailto:gone@example.org", False, id="no page"),
    ],
)
def test_links_are_read_against_the_address_of_the_file(tmp_path, href, missing):
    """The site is below a path of its host, and its llms.txt with it."""
    write(tmp_path, {"guide/index.html": PAGE, "guide/index.md": "# Guide"})
    write(tmp_path, {"llms.txt": f"# A\n\n- [A]({href}): a\n"})
    said = check(tmp_path, "https://docs.example.org/project/")
    assert ("llms-link-missing-file" in said) is missing
