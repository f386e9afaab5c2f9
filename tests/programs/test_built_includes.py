"""Pages whose includes a macro, a hook or a block of code writes while they are built."""

import pytest

from sitemap_docs.programs.followed import includes_of
from sitemap_docs.sources.includes import MarkdownConfig
from tests.conftest import BASE, passed

OLD, NEW = "2020-01-01T00:00:00+00:00", "2024-01-01T00:00:00+00:00"
MAIN = """
def define_env(env):
    @env.macro
    def code(name):
        return f'--8<-- "src/{name}.py"'

    env.macro(code, "listing")
    env.filter(code, "shown")
"""
HOOK = """
def on_page_markdown(markdown, **_):
    return markdown.replace("SNIPPET", '--8<-- "src/a.py"')
"""
SNIPPETS = [{"pymdownx.snippets": {"check_paths": True}}, "pymdownx.superfences"]


def dated(project, pages: dict[str, str], files: dict[str, str], **settings):
    """The dates of plugin and command, of pages of 2020 and a file of 2024; and what they reported."""
    pytest.importorskip("pymdownx", reason="needs pymdown-extensions")
    project(pages, **{"markdown_extensions": SNIPPETS, **settings})
    project.write({"src/a.py": "a = 1\n", **files})
    project.commit(OLD)
    project.write({"src/a.py": "a = 2\n"})
    project.commit(NEW)
    messages = project.build(strict=True)
    plugin = project.lastmods()
    done = passed("build", "site", "--replace")
    return plugin, project.lastmods(), messages, done.err


def test_macros_that_write_snippets(mkdocs_project):
    pytest.importorskip("mkdocs_macros")
    pages = {
        "index.md": "# A\n\n{{ code('a') }}\n",
        "listing.md": "# A\n\n{{ listing('a') }}\n",
        "filter.md": "# A\n\n{{ 'a' | shown }}\n",
        "text.md": "# A\n\n{{ 'code'.upper() }} code('a')\n{% include 'code.md' ignore missing %}\n",
        "raw.md": "# A\n\n{% raw %}{{ code('a') }}{% endraw %}\n",
        "off.md": "---\nrender_macros: false\n---\n# A\n\n{{ code('a') }}\n",
        "plain.md": '# A\n\n--8<-- "src/a.py"\n',
        "loop.md": "# A\n\n{% for name in ['a'] %}\n--8<-- \"src/{{ name }}.py\"\n{% endfor %}\n",
        "block.md": "# A\n\n{% set name = 'a' %}\n--8<--\nsrc/{{ name }}.py\n--8<--\n",
        "dropped.md": '# A\n\n{% if false %}\n--8<-- "src/a.py"\n{% endif %}\n',
    }
    plugin, command, messages, lines = dated(mkdocs_project, pages, {"main.py": MAIN}, plugins=["macros"])
    of_sources = {"text/": OLD, "raw/": OLD, "off/": OLD, "plain/": NEW}
    written = ("", "listing/", "filter/", "loop/", "block/")
    assert plugin == of_sources | dict.fromkeys(written, NEW) | {"dropped/": OLD}
    assert not [line for line in messages if "computed-include" in line]
    # The source alone says that a snippet is there, and not that it is dropped.
    assert command == of_sources | dict.fromkeys(written) | {"dropped/": NEW}
    assert "[computed-include]" in lines
    assert "3 pages have no lastmod" in lines  # a macro may write the includes
    assert "2 pages have no lastmod" in lines  # the names of files are computed
    assert f"such as {BASE}: the macro `code` of main may include files that are not known." in lines
    mkdocs_project.build(dirty=True)  # renders no page, so that nothing knows its text
    assert mkdocs_project.lastmods() == of_sources | dict.fromkeys(written) | {"dropped/": NEW}


def test_a_package_of_macros_and_other_marks_of_variables(mkdocs_project):
    pytest.importorskip("mkdocs_macros")
    pages = {"index.md": "# A\n\n«code('a')»\n", "b.md": "# B\n\n{{ code('a') }}\n"}
    files = {"tools/own/__init__.py": "from .code import define_env\n", "tools/own/code.py": MAIN}
    marks = {"module_name": "tools/own", "j2_variable_start_string": "«", "j2_variable_end_string": "»"}
    plugin, command, _, _ = dated(mkdocs_project, pages, files, plugins=[{"macros": marks}])
    assert (plugin, command) == ({"": NEW, "b/": OLD}, {"": None, "b/": OLD})


def test_hooks_that_write_snippets(mkdocs_project):
    pages = {"index.md": "# A\n\nSNIPPET\n", "b.md": "# B"}
    plugin, command, _, lines = dated(mkdocs_project, pages, {"hook.py": HOOK}, hooks=["hook.py"])
    assert plugin == {"": NEW, "b/": OLD}
    assert command == {"": None, "b/": None}  # a hook may change any page
    assert "the hook hook.py may include files that are not known." in lines


@pytest.mark.parametrize(
    "code",
    [
        "def on_page_markdown(markdown, **_):\n    return markdown\n",
        'def on_config(config):\n    MARK = "--8<--"\n',
    ],
)
def test_code_that_writes_no_includes_does_not_change_the_date_of_a_page(mkdocs_project, code):
    """The code contains no mark of an active extension, or it changes no page."""
    pytest.importorskip("mkdocs_macros")
    files = {"hook.py": code, "main.py": MAIN.replace("--8<--", "::: ")}
    pages = {"index.md": "# A\n\n{{ code('a') }}\n"}
    plugin, command, _, _ = dated(mkdocs_project, pages, files, hooks=["hook.py"], plugins=["macros"])
    assert (plugin, command) == ({"": OLD}, {"": OLD})


def test_code_that_markdown_exec_runs(mkdocs_project):
    pytest.importorskip("markdown_exec")
    block = "# A\n\n```{} {}\nprint({!r})\n```\n"
    pages = {
        "index.md": block.format("python", 'exec="on"', '--8<-- "src/a.py"'),
        "shown.md": block.format("python", 'title="x"', '--8<-- "src/a.py"'),
    }
    plugin, command, messages, lines = dated(mkdocs_project, pages, {}, plugins=["markdown-exec"])
    assert plugin == command == {"": None, "shown/": OLD}
    assert "a = 2" in mkdocs_project.read("index.html"), "the block includes the file"
    why = f"{BASE} has no lastmod: the page runs code with markdown-exec, which may read any file."
    assert why in lines
    assert any(why in line for line in messages)


@pytest.mark.parametrize(
    ("block", "runs"),
    [
        ('```python exec="on"', True),
        ("```sh exec=1 source=above", True),
        ("    ~~~ md exec='yes'", True),
        ('```python exec="off"', False),
        ("```python exec=0", False),
        ('```python exec=""', False),
        ("```python title=exec", False),
        ('Text ```python exec="on"', False),
    ],
)
def test_the_includes_of_a_page_are_unknown_only_if_markdown_exec_runs_a_block(tmp_path, block, runs):
    snippets: dict[str, dict[str, object]] = {"pymdownx.snippets": {}}
    fence = {"custom_fences": [{"name": "python", "validator": "markdown_exec.validator"}]}
    for is_on, extensions, plugins in (
        (True, snippets, {"markdown-exec": {}}),
        (True, {**snippets, "pymdownx.superfences": fence}, {}),
        (False, {**snippets, "pymdownx.superfences": {}}, {"search": {}}),
        (False, {}, {"markdown-exec": {}}),
    ):
        config = MarkdownConfig(
            docs=tmp_path, root=tmp_path, start=tmp_path, extensions=extensions, plugins=plugins
        )
        found = includes_of(config).find(f"# A\n\n{block}\nprint('**bold**')\n```\n", tmp_path)
        words = found.unknown.words if found.unknown else ""
        assert ("markdown-exec" in words) is (runs and is_on)


def test_without_an_extension_that_includes_files_every_page_is_dated(mkdocs_project):
    pytest.importorskip("mkdocs_macros")
    pytest.importorskip("markdown_exec")
    pages = {"index.md": "# A\n\n{{ code('a') }}\n", "b.md": '# B\n\n```python exec="on"\nprint(1)\n```\n'}
    settings = {"hooks": ["hook.py"], "plugins": ["macros", "markdown-exec"]}
    files = {"hook.py": HOOK, "main.py": MAIN}
    plugin, command, _, _ = dated(
        mkdocs_project, pages, files, markdown_extensions=["pymdownx.superfences"], **settings
    )
    assert plugin == command == {"": OLD, "b/": OLD}


def test_macros_in_a_file_that_include_markdown_includes_are_noticed(mkdocs_project):
    """include-markdown runs first, in whatever order the plugins are listed."""
    pytest.importorskip("mkdocs_macros")
    pytest.importorskip("mkdocs_include_markdown_plugin")
    pages = {"index.md": '# A\n\n{% include-markdown "../parts/a.md" %}\n'}
    files = {"main.py": MAIN, "parts/a.md": "{{ code('a') }}\n"}
    for plugins in (["macros", "include-markdown"], ["include-markdown", "macros"]):
        plugin, command, _, _ = dated(mkdocs_project, pages, files, plugins=plugins)
        assert (plugin, command) == ({"": NEW}, {"": None})
