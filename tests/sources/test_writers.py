"""Pages whose includes a macro, a hook or a block of code writes while they are built."""

from __future__ import annotations

import pytest

from sitemap_docs.cli.main import group
from sitemap_docs.sources.includes import Includes
from sitemap_docs.sources.markup import MarkdownConfig
from sitemap_docs.sources.writers import writers
from tests.conftest import runner

OLD, NEW = "2020-01-01T00:00:00+00:00", "2024-01-01T00:00:00+00:00"
BASE = "https://docs.example.org/"
MAIN = '''
"""A module whose text alone has --8<-- in it."""
MARK = "--8<--"

def quoted(name):
    return f'{MARK} "src/{name}.py"'

def define_env(env):
    @env.macro
    def code(name):
        """A snippet."""
        return quoted(name)

    @env.macro
    def shout(text):
        """No --8<-- at all."""
        quiet = text
        return quiet.upper()

    def other(name):
        text = quoted(name)
        return text

    env.macro(other, "listing")
    env.variables["shown"] = quoted("a")
'''
HOOK = """
def on_page_markdown(markdown, **_):
    return markdown.replace("SNIPPET", '--8<-- "src/a.py"')
"""
SNIPPETS = [{"pymdownx.snippets": {"check_paths": True}}, "pymdownx.superfences"]


def dated(project, pages: dict[str, str], files: dict[str, str], **settings):
    """The dates of plugin and command, of pages of 2020 and a file of 2024; and what they reported."""
    pytest.importorskip("pymdownx", reason="needs pymdown-extensions")
    project(pages, markdown_extensions=SNIPPETS, **settings)
    project.write({"src/a.py": "a = 1\n", **files})
    project.commit(OLD)
    project.write({"src/a.py": "a = 2\n"})
    project.commit(NEW)
    messages = project.build(strict=True)
    plugin = project.lastmods()
    done = runner().invoke(group, ["build", "site", "--replace"])
    assert done.exit_code == 0, done.output
    return plugin, project.lastmods(), messages, done.stderr


def test_macros_that_write_snippets(mkdocs_project):
    pytest.importorskip("mkdocs_macros")
    pages = {
        "index.md": "# A\n\n{{ code('a') }}\n",
        "listing.md": "# A\n\n{{ listing('a') }}\n",
        "value.md": "# A\n\n{{ shown }}\n",
        "shout.md": "# A\n\n{{ shout('x') }} code listing shown\n",
        "raw.md": "# A\n\n{% raw %}{{ code('a') }}{% endraw %}\n",
        "off.md": "---\nrender_macros: false\n---\n# A\n\n{{ code('a') }}\n",
        "plain.md": '# A\n\n--8<-- "src/a.py"\n',
        "loop.md": "# A\n\n{% for name in ['a'] %}\n--8<-- \"src/{{ name }}.py\"\n{% endfor %}\n",
        "dropped.md": '# A\n\n{% if false %}\n--8<-- "src/a.py"\n{% endif %}\n',
    }
    plugin, command, messages, lines = dated(mkdocs_project, pages, {"main.py": MAIN}, plugins=["macros"])
    of_sources = {"shout/": OLD, "raw/": OLD, "off/": OLD, "plain/": NEW}
    assert plugin == of_sources | {"": NEW, "listing/": NEW, "value/": NEW, "loop/": NEW, "dropped/": OLD}
    assert not [line for line in messages if "only the build knows" in line]
    # The source alone says that a snippet is there, and not that it is dropped.
    unknown = dict.fromkeys(("", "listing/", "value/", "loop/"))
    assert command == of_sources | unknown | {"dropped/": NEW}
    assert lines.count("only the build knows") == 1
    assert "4 pages without lastmod" in lines
    assert f"of {BASE}, the macro `code` of main.py" in lines


def test_other_marks_of_variables(mkdocs_project):
    pytest.importorskip("mkdocs_macros")
    pages = {"index.md": "# A\n\n«code('a')»\n", "b.md": "# B\n\n{{ code('a') }}\n"}
    marks = {"module_name": "docs/main", "j2_variable_start_string": "«", "j2_variable_end_string": "»"}
    plugin, command, _, _ = dated(mkdocs_project, pages, {"docs/main.py": MAIN}, plugins=[{"macros": marks}])
    assert (plugin, command) == ({"": NEW, "b/": OLD}, {"": None, "b/": OLD})


def test_the_source_of_a_page_that_a_dirty_build_leaves_alone(mkdocs_project):
    """Nobody renders it, so that its text is not known."""
    pytest.importorskip("mkdocs_macros")
    pages = {"index.md": "# A\n\n{{ code('a') }}\n", "b.md": "# B"}
    plugin, _, _, _ = dated(mkdocs_project, pages, {"main.py": MAIN}, plugins=["macros"])
    assert plugin == {"": NEW, "b/": OLD}
    mkdocs_project.build(dirty=True)
    assert mkdocs_project.lastmods() == {"": None, "b/": OLD}


def test_hooks_that_write_snippets(mkdocs_project):
    pages = {"index.md": "# A\n\nSNIPPET\n", "b.md": "# B"}
    plugin, command, _, lines = dated(mkdocs_project, pages, {"hook.py": HOOK}, hooks=["hook.py"])
    assert plugin == {"": NEW, "b/": OLD}
    assert command == {"": None, "b/": None}  # a hook may change any page
    assert "hook.py writes includes" in lines


def test_hooks_that_write_none(mkdocs_project):
    hook = 'def on_page_markdown(markdown, **_):\n    return markdown\nMARK = "--8<--"\n'
    plugin, command, _, _ = dated(mkdocs_project, {"index.md": "# A"}, {"hook.py": hook}, hooks=["hook.py"])
    assert (plugin, command) == ({"": OLD}, {"": OLD})


def test_code_that_markdown_exec_runs(mkdocs_project):
    pytest.importorskip("markdown_exec")
    block = "# A\n\n```{} {}\nprint({!r})\n```\n"
    pages = {
        "index.md": block.format("python", 'exec="on"', '--8<-- "src/a.py"'),
        "shown.md": block.format("python", 'title="x"', '--8<-- "src/a.py"'),
        "other.md": block.format("python", 'exec="on"', "**bold**"),
        "script.md": '# A\n\n```python exec="on"\n--8<-- "src/a.py"\n```\n\n    --8<- is no mark here\n',
    }
    plugin, command, messages, lines = dated(mkdocs_project, pages, {}, plugins=["markdown-exec"])
    assert plugin == command == {"": None, "shown/": OLD, "other/": OLD, "script/": None}
    assert "a = 2" in mkdocs_project.read("index.html"), "the block includes the file"
    why = f"of {BASE}, code that markdown-exec runs writes includes."
    assert why in lines
    assert any(why in line for line in messages)


@pytest.mark.parametrize(
    ("language", "code", "is_known"),
    [
        ("python", "print('**bold**')", True),
        ("python", "import json, re\nfrom textwrap import dedent\nprint(json.dumps([1]))", True),
        ("py", "  for each in (1, 2):\n      print(each)", True),
        ("md", "open(x)", True),
        ("tree", "a\n  b", True),
        ("python", "print(open('pyproject.toml').read())", False),
        ("python", "from pathlib import Path\nprint(Path('a').read_text())", False),
        ("python", "import os.path", False),
        ("python", "import project\nprint(project.VERSION)", False),
        ("python", "from . import project", False),
        ("python", "print(().__class__.__base__)", False),
        ("python", "read = open", False),
        ("python", "no Python", False),
        ("python", '--8<-- "src/a.py"', False),
        ("bash", "cat a.txt", False),
        ("console", "$ project --help", False),
    ],
)
def test_code_that_may_read_files(tmp_path, language, code, is_known):
    includes = Includes(MarkdownConfig(docs=tmp_path, root=tmp_path, start=tmp_path))
    for how, runs in (('exec="on"', True), ("exec=1 source=above", True), ('exec="off"', False), ("", False)):
        text = f"# A\n\n```{language} {how}\n{code}\n```\n\nMore\n"
        found = includes.of(text, tmp_path)
        assert ("markdown-exec runs may read" in found.unknown) is (runs and not is_known)


def test_what_a_file_that_include_markdown_includes_says_to_macros(mkdocs_project):
    """include-markdown comes first, whatever the order of the plugins."""
    pytest.importorskip("mkdocs_macros")
    pytest.importorskip("mkdocs_include_markdown_plugin")
    pages = {"index.md": '# A\n\n{% include-markdown "../parts/a.md" %}\n'}
    files = {"main.py": MAIN, "parts/a.md": "{{ code('a') }}\n"}
    for plugins in (["macros", "include-markdown"], ["include-markdown", "macros"]):
        plugin, command, _, _ = dated(mkdocs_project, pages, files, plugins=plugins)
        assert (plugin, command) == ({"": NEW}, {"": None})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('def a():\n    return "--8<--"', {"a"}),
        ('def a():\n    """--8<--"""', set()),
        ('X: str = "--8<--"\ndef a():\n    return X', {"X", "a"}),
        ('class A:\n    mark = "--8<--"', {"A", "mark"}),
        (
            'def e(env):\n    m = "--8<--"\n    def a():\n        return m\n    def b():\n        return 1',
            {"e", "m", "a"},
        ),
        ('def a():\n    t = "--8<--"\n    return t\ndef b():\n    t = 1\n    return t', {"a"}),
        ('def e(env):\n    env.variables["v"] = "--8<--"', {"e", "v"}),
        ("def a(:", set()),
        ("+1" * 100_000, set()),
    ],
)
def test_the_names_that_write_includes(tmp_path, text, expected):
    file = tmp_path / "main.py"
    file.write_text(text)
    assert writers(file, ("8<-",)) == expected


def test_no_file_has_no_names(tmp_path):
    assert writers(tmp_path / "main.py", ("8<-",)) == frozenset()
