"""The TOML file of a project: what it may hold, and what happens where it cannot be read."""

import pytest

from tests.conftest import command, write

INLINE = "{\n  indent = 2,\n}"


@pytest.fixture
def build(here):
    write(here, {"site/index.html": "<title>x</title>"})

    def run(name: str, text: str, *flags: str):
        write(here, {name: text})
        return command("build", "site", "--base-url", "https://e.org/", "--lastmod", "none", *flags)

    return run


@pytest.mark.parametrize("text", ["tool = 1\n", "[[tool]]\nx = 1\n", "[project]\nname = 'x'\n"])
def test_a_file_without_our_table(build, text):
    done = build("pyproject.toml", text)
    assert (done.code, "pyproject" in done.err) == (0, False)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", f"[tool]\nsitemap-docs = {INLINE}\n"),
        ("pyproject.toml", f"[tool]\nsitemap_docs = {INLINE}\n"),
        ("zensical.toml", f"[project]\nplugins = {{\n  sitemap-docs = {INLINE},\n}}\n"),
    ],
)
def test_toml_1_1(build, tmp_path, name, text):
    """Inline tables over several lines, which Zensical reads; with the name of the import, too."""
    assert build(name, text).code == 0
    assert "  <url>" in (tmp_path / "site/sitemap.xml").read_text()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mkdocs.yml", "a: [\n"),
        ("mkdocs.yml", "a: !!int ''\n"),
        ("book.toml", 'build.build-dir = "a\\u0000"\n'),
    ],
)
def test_a_configuration_that_was_not_asked_for_is_a_warning(build, tmp_path, name, text):
    done = build(name, text)
    assert done.code == 0
    assert (tmp_path / "site/sitemap.xml").is_file()
    (line,) = [line for line in done.err.splitlines() if name in line]
    assert line.startswith("warning: ")
    assert "It is not used. [configuration-unreadable]" in line


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a = \n", "pyproject.toml cannot be read: Invalid value"),
        ("[tool]\nsitemap-docs = 1\n", "pyproject.toml must be a table"),
        ("[tool.sitemap-docs]\ncheck = 3\n", "`check` must be one of true, false"),
    ],
)
@pytest.mark.parametrize(
    "line", ["build", "build --config pyproject.toml", "check", "check http://127.0.0.1:9/"]
)
def test_a_pyproject_that_cannot_be_read_is_wrong_however_it_was_found(here, line, text, words):
    write(here, {"site/index.html": "", "pyproject.toml": text})
    done = command(*line.split(), *([] if "http" in line else ["site"]))
    assert done.code == 2
    assert words in done.err
