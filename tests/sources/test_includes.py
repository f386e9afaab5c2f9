"""What Markdown pages include, as their extensions read it."""

from __future__ import annotations

import os
from collections import Counter
from importlib.util import find_spec

import pytest

from sitemap_docs import files
from sitemap_docs.programs.followed import INCLUDING, includes_of
from sitemap_docs.sources.includes import MarkdownConfig
from tests.conftest import write

FILES = {
    "parts/a.md": "Text of a.\n",
    "parts/b.md": "Text of b.\n\n{!parts/a.md!}\n",
    "parts/c.md": "--8<-- 'parts/a.md'\n",
    "parts/b.txt": "{!parts/a.md!}\n",
    "parts/d.md": "{% include '../docs/near.md' %}\n",
    "docs/near.md": "Near.\n",
    "src/one_py310.py": "x: int | None\n",
    "src/one.py": "x = 1\n",
    "src/one_an_py39.py": "x: int = 1\n",
    "src/one_another.py": "y = 1\n",
    "lib/tool/__init__.py": "from .core import *\n",
    "lib/tool/core.py": '"""Core."""\nclass Thing:\n    """A thing."""\n',
}


def found_by(root, docs=None, **settings):
    """What finds the includes of the pages of a project with these settings."""
    return includes_of(MarkdownConfig(docs=docs or root, root=root, start=root, **settings))


@pytest.fixture
def included(tmp_path):
    """What a text includes under the given extensions and plugins; paths below the project."""
    write(tmp_path, FILES)

    def find(text, *, extensions=None, plugins=None):
        docs = tmp_path / "docs"
        includes = found_by(tmp_path, docs, extensions=extensions or {}, plugins=plugins or {})
        return [path.relative_to(tmp_path).as_posix() for path in includes.of(text, docs).files]

    return find


MARKDOWN_INCLUDE = "markdown_include.include"
MDX_INCLUDE = "mdx_include.mdx_include"
BRACED = [
    pytest.param(MARKDOWN_INCLUDE, "{!parts/a.md!}", ["parts/a.md"], id="markdown-include"),
    pytest.param(MARKDOWN_INCLUDE, "{! parts/a.md !lines=1 3-5}", ["parts/a.md"], id="and lines"),
    pytest.param(MARKDOWN_INCLUDE, "{!parts/b.md!}", ["parts/b.md", "parts/a.md"], id="within another"),
    pytest.param(MARKDOWN_INCLUDE, "{!parts/b.txt!}", ["parts/b.txt", "parts/a.md"], id="within any text"),
    pytest.param(MDX_INCLUDE, "{! parts/a.md !}", ["parts/a.md"], id="mdx_include"),
    pytest.param(MDX_INCLUDE, "{!+ parts/a.md [ln:1-3] | utf-8 !}", ["parts/a.md"], id="mdx_include, lines"),
    pytest.param(MDX_INCLUDE, "\\{! parts/a.md !}", [], id="escaped"),
    pytest.param(MDX_INCLUDE, "{! https://docs.example.org/a.md !}", [], id="of the web"),
    pytest.param(MDX_INCLUDE, "{! no/such.md !}", [], id="no such file"),
]


@pytest.mark.parametrize(("extension", "text", "expected"), BRACED)
def test_braces(included, extension, text, expected):
    assert included(text, extensions={extension: {}}) == expected
    assert included(text) == []


def test_braces_start_at_the_base_path(included):
    assert included("{!a.md!}", extensions={MARKDOWN_INCLUDE: {"base_path": "parts"}}) == ["parts/a.md"]


PYTHON = {"mkdocstrings": {"handlers": {"python": {"paths": ["lib"]}}}}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("::: tool.core", True, id="at the margin"),
        pytest.param("??? note\n\n    ::: tool.core\n", True, id="an admonition"),
        pytest.param("??? note\n\n    ::: else-where\n    ::: tool.core\n", True, id="below another"),
        pytest.param('=== "Tab"\n\n    Text.\n\n    ## ::: tool.core\n', True, id="a tab, behind text"),
        pytest.param("- item\n\n    ::: tool.core\n", True, id="a list"),
        pytest.param("Text.\n\n    ::: tool.core\n", False, id="indented code"),
        pytest.param("```\n::: tool.core\n```\n", False, id="a block of code"),
        pytest.param("~~~\n```\n~~~\n::: tool.core\n\n```\n", True, id="behind a block with a fence"),
        pytest.param("````\n```\n::: tool.core\n````\n", False, id="a block with a shorter fence"),
        pytest.param("```\n::: tool.core\n", True, id="behind a fence that opens no block"),
        pytest.param("```x``` text\n::: tool.core\n```\n", True, id="behind code in a line"),
        pytest.param("::: else-where\n    - a\n\n      ::: tool.core\n", True, id="a list in options"),
    ],
)
def test_indented_objects(included, text, found):
    assert included(text, plugins=PYTHON) == ["lib/tool/core.py"] * found


@pytest.mark.parametrize(
    ("text", "plugins", "is_known"),
    [
        ("::: gone.Thing", {}, False),
        ("::: gone.Thing\n    handler: shell\n", {}, True),
        ("::: gone.Thing\n    handler: python\n", {"default_handler": "shell"}, False),
        ("::: gone.Thing", {"default_handler": "shell"}, True),
        ("::: no-python", {}, True),
    ],
)
def test_an_object_that_is_not_found(tmp_path, text, plugins, is_known):
    """Only sources are known: a build has shown all that it has."""
    for objects in (None, {}):
        found = found_by(tmp_path, plugins={"mkdocstrings": plugins}, objects=objects).of(text, tmp_path)
        assert (found.files, not found.unknown) == ((), is_known or objects is not None)


@pytest.mark.skipif(not find_spec("griffe"), reason="needs griffe")
@pytest.mark.parametrize("name", ["tool.core:Thing", "tool.core.Thing", "tool.core"])
def test_mkautodoc(included, monkeypatch, tmp_path, name):
    monkeypatch.syspath_prepend(tmp_path / "lib")
    assert included(f"::: {name}\n    :docstring:\n", extensions={"mkautodoc": {}}) == ["lib/tool/core.py"]


VARIANTS = "markdown_include_variants"
ONES = ["src/one_py310.py", "src/one.py", "src/one_an_py39.py"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Text.\n\n{* src/one_py310.py hl[1,2:3] *}\n", ONES, id="with those of other versions"),
        pytest.param("{* ./src/../src/one_another.py ln[1] *}", ["src/one_another.py"], id="one alone"),
        pytest.param("Text {* src/one.py *}", [], id="within a line"),
        pytest.param("{* src/none.py *}", [], id="no such file"),
    ],
)
def test_variants(included, text, expected):
    assert included(text, extensions={VARIANTS: {}}) == expected
    assert included(text, extensions={MDX_INCLUDE: {}}) == []


@pytest.mark.parametrize(
    ("base", "expected"),
    [(".", ["parts/a.md"]), ("docs", []), (None, ["parts/a.md"]), (["docs", "."], ["parts/a.md"])],
)
def test_snippets(included, base, expected):
    text = "--8<-- 'parts/a.md'\n"
    assert included(text, extensions={"pymdownx.snippets": {"base_path": base}}) == expected


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("  -8<- 'parts/a.md'", ["parts/a.md"], id="short scissors"),
        pytest.param('--8<-- "parts/a.md:2:3"', ["parts/a.md"], id="lines"),
        pytest.param('--8<-- "parts/a.md::3,5:6"', ["parts/a.md"], id="ranges"),
        pytest.param('--8<-- "parts/a.md:part"', ["parts/a.md"], id="section"),
        pytest.param("--8<--\nparts/b.md\nparts/a.md\n--8<--", ["parts/b.md", "parts/a.md"], id="block"),
        pytest.param('```py\n--8<-- "parts/a.md"\n```', ["parts/a.md"], id="in a code block"),
        pytest.param("--8<-- 'parts/c.md'", ["parts/c.md", "parts/a.md"], id="a snippet in a snippet"),
        pytest.param(';--8<-- "parts/a.md"', [], id="escaped"),
        pytest.param("--8<--\n; parts/a.md\n--8<--", [], id="commented out"),
        pytest.param('see --8<-- "parts/a.md"', [], id="inside a line"),
        pytest.param('--8<-- "../outside.md"', [], id="outside of base_path"),
        pytest.param('--8<-- "parts/a.md:1,2:part"', [], id="ranges and a section"),
        pytest.param('--8<-- "parts/a.md:"', ["parts/a.md"], id="an empty range"),
    ],
)
def test_what_is_a_snippet(included, tmp_path, text, found):
    (tmp_path.parent / "outside.md").write_text("Outside.\n", encoding="utf-8")
    assert included(text, extensions={"pymdownx.snippets": {}}) == found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{% include-markdown '../parts/a.md' %}{% include 'near.md' %}", ["parts/a.md", "docs/near.md"]),
        ("{%\n   include '../src/*.py' exclude='../src/one_*'\n   start='x'\n%}", ["src/one.py"]),
        ("{% include-markdown '../parts/d.md' %}", ["parts/d.md", "docs/near.md"]),
    ],
    ids=["defaults", "taken out of a glob", "another way to the same"],
)
def test_include_markdown(included, text, expected):
    assert included(text, plugins={"include-markdown": {}}) == expected


MACROS = [
    pytest.param('{% include "near.md" %}', ["docs/near.md"], id="include"),
    pytest.param("{%- include 'near.md' ignore missing -%}", ["docs/near.md"], id="single quotes, missing"),
    pytest.param('{% from "near.md" import x with context %}', ["docs/near.md"], id="import"),
    pytest.param('{% include "deep.md" %}', ["docs/deep.md", "docs/near.md"], id="nested"),
    pytest.param('{% include "none.md" %}', [], id="no such file"),
    pytest.param('{% include "../parts/a.md" %}', [], id="outside"),
    pytest.param('{% raw %}{% include "near.md" %}{% endraw %}', [], id="raw"),
    pytest.param(
        '{% raw %}{% include x %}{% endraw %}{% include "near.md" %}{%- raw -%}{% include y %}{%- endraw -%}',
        ["docs/near.md"],
        id="between two raw ones",
    ),
    pytest.param('---\nrender_macros: false\n---\n{% include "near.md" %}', [], id="not rendered"),
]


@pytest.mark.parametrize(("text", "expected"), MACROS)
def test_macros(included, tmp_path, text, expected):
    (tmp_path / "docs/deep.md").write_text('{% include "near.md" %}')
    assert included(text, plugins={"macros": {}}) == expected
    assert included(text) == []


def test_macros_with_options(included, tmp_path):
    marks = {"j2_block_start_string": "[[%", "j2_block_end_string": "%]]"}
    plugins = {"macros": {"include_dir": str(tmp_path / "parts"), **marks}}
    assert included('[[% include "a.md" %]] {% include "b.md" %}', plugins=plugins) == ["parts/a.md"]
    text, plugins = '{% include "near.md" %}', {"macros": {"render_by_default": False}}
    assert included(text, plugins=plugins) == []
    assert included(f"---\nrender_macros: true\n---\n{text}", plugins=plugins) == ["docs/near.md"]


@pytest.mark.parametrize("text", ["{% include name %}", '{% include "a" ~ x %}', '{% include ["a", "b"] %}'])
def test_a_computed_name(tmp_path, text):
    found = found_by(tmp_path, plugins={"macros": {}}).of(f"# A\n\n{text}\n", tmp_path)
    assert (found.files, found.unknown.endswith(f" is computed, {text}")) == ((), True)


MDBOOK = [
    pytest.param("{{#include near.md}}", ["docs/near.md"], id="a whole file"),
    pytest.param("{{ #include ../parts/a.md:2:10 }}", ["parts/a.md"], id="lines"),
    pytest.param("{{#rustdoc_include ../src/one.py:anchor}}", ["src/one.py"], id="an anchor"),
    pytest.param("{{#playground near.md editable}}", ["docs/near.md"], id="a playground"),
    pytest.param("{{#include deep.md}}", ["docs/deep.md", "parts/a.md"], id="nested"),
    pytest.param("\\{{#include near.md}} {{#title A}} {{#include none.md}}", [], id="none"),
]


@pytest.mark.parametrize(("text", "expected"), MDBOOK)
def test_mdbook(included, tmp_path, text, expected):
    (tmp_path / "docs/deep.md").write_text("{{#include ../parts/a.md}}")
    assert included(text, plugins={"mdbook": {}}) == expected
    assert included(text) == []


@pytest.mark.parametrize(
    "text",
    ["--8<-- '{0}'", "{{!{0}!}}", '{{% include "{0}" %}}', "{{{{#include {0}}}}}", "::: {0}", "{{* {0} *}}"],
)
@pytest.mark.parametrize("name", ["a/" * 3_000 + "b", "a\0b"])
def test_a_name_that_no_file_has(tmp_path, text, name):
    makers = {key: {} for key in INCLUDING}
    assert found_by(tmp_path, extensions=makers).of(text.format(name), tmp_path).files == ()


def opened(monkeypatch) -> Counter[str]:
    """How often each file is read from here on, and each folder."""
    found: Counter[str] = Counter()
    # Our own reader: what is looked at before a file is opened takes time as well.
    noted = lambda function: lambda file, *size: found.update([str(file)]) or function(file, *size)  # noqa: E731
    monkeypatch.setattr(files, "read_file", noted(files.read_file))
    monkeypatch.setattr(os, "listdir", noted(os.listdir))
    return found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("include-markdown", '{% include "*.md" %}'),
        ("include-markdown", '{% include "*.md" exclude="x*" %}'),
        ("macros", '{% include "0.md" %}'),
        ("pymdownx.snippets", '--8<-- "docs/{0}.md"'),
    ],
)
def test_what_a_file_includes_is_read_once(tmp_path, monkeypatch, name, text):
    texts = {f"{number}.md": text.replace("{0}", str((number + 1) % 20)) for number in range(20)}
    docs = write(tmp_path / "docs", texts)
    found = opened(monkeypatch)
    includes = found_by(tmp_path, docs, extensions={name: {}})
    for page, inside in texts.items():
        assert includes.of(inside, docs / page[:-3]).files
    assert set(found.values()) == {1}


@pytest.mark.parametrize(
    ("by_default", "option", "expected"),
    [
        (False, "", {"__init__.py"}),
        (False, "    options:\n      show_submodules: true\n", {"__init__.py", "core.py", "deep.py"}),
        (True, "", {"__init__.py", "core.py", "deep.py"}),
        (True, "    options:\n      show_submodules: false\n", {"__init__.py"}),
    ],
)
def test_submodules_that_a_page_shows(tmp_path, by_default, option, expected):
    write(tmp_path, dict.fromkeys(("tool/core.py", "tool/sub/deep.py", "tool/__init__.py"), "x = 1\n"))
    python = {"paths": ["."], "options": {"show_submodules": by_default}}
    plugins = {"mkdocstrings": {"handlers": {"python": python}}}
    found = found_by(tmp_path, plugins=plugins).of(f"# API\n\n::: tool\n{option}", tmp_path)
    assert {path.name for path in found.files} == expected
