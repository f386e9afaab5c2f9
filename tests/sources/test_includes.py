"""What Markdown pages include, as their extensions read it."""

import os
from collections import Counter
from importlib.util import find_spec

import pytest

from sitemap_docs import files
from sitemap_docs.programs.followed import includes_of, names_of_includes
from sitemap_docs.sources.includes import MarkdownConfig
from tests.conftest import write

FILES = {
    "parts/a.md": "Text of a.\n",
    "parts/b.md": "Text of b.\n\n{!parts/a.md!}\n",
    "parts/c.md": "--8<-- 'parts/a.md'\n",
    "parts/b.txt": "{!parts/a.md!}\n",
    "parts/d.md": "{% include '../docs/near.md' %}\n",
    "docs/near.md": "Near.\n",
    "docs/deep.md": '{% include "near.md" %}',
    "docs/book.md": "{{#include ../parts/a.md}}",
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
    """What a text includes with the options of extensions and plugins; paths below the project."""
    write(tmp_path, FILES)

    def find(text, options=None):
        docs = tmp_path / "docs"
        includes = found_by(tmp_path, docs, extensions=options or {}, plugins=options or {})
        return " ".join(path.relative_to(tmp_path).as_posix() for path in includes.find(text, docs).files)

    return find


MARKDOWN_INCLUDE, MDX_INCLUDE = {"markdown_include.include": {}}, {"mdx_include.mdx_include": {}}
VARIANTS, SNIPPETS = {"markdown_include_variants": {}}, {"pymdownx.snippets": {}}
PLUGIN, MACROS, MDBOOK = {"include-markdown": {}}, {"macros": {}}, {"mdbook": {}}
NO_MACROS = {"macros": {"render_by_default": False}}
OTHER_MARKS = {"include_dir": "parts", "j2_block_start_string": "[[%", "j2_block_end_string": "%]]"}
ONES = "src/one_py310.py src/one.py src/one_an_py39.py"
NEAR = '{% include "near.md" %}'
RAW = "{% raw %}{% include x %}{% endraw %}"
CASES = {
    "markdown-include": (MARKDOWN_INCLUDE, "{!parts/a.md!}", "parts/a.md"),
    "markdown-include, lines": (MARKDOWN_INCLUDE, "{! parts/a.md !lines=1 3-5}", "parts/a.md"),
    "markdown-include, within another": (MARKDOWN_INCLUDE, "{!parts/b.md!}", "parts/b.md parts/a.md"),
    "markdown-include, within any text": (MARKDOWN_INCLUDE, "{!parts/b.txt!}", "parts/b.txt parts/a.md"),
    "markdown-include, base": ({"markdown_include": {"base_path": "parts"}}, "{!a.md!}", "parts/a.md"),
    "mdx_include": (MDX_INCLUDE, "{! parts/a.md !}", "parts/a.md"),
    "mdx_include, lines": (MDX_INCLUDE, "{!+ parts/a.md [ln:1-3] | utf-8 !}", "parts/a.md"),
    "mdx_include, escaped": (MDX_INCLUDE, "\\{! parts/a.md !}", ""),
    "mdx_include, of the web": (MDX_INCLUDE, "{! https://docs.example.org/a.md !}", ""),
    "mdx_include, no such file": (MDX_INCLUDE, "{! no/such.md !}", ""),
    "variants of versions": (VARIANTS, "Text.\n\n{* src/one_py310.py hl[1,2:3] *}\n", ONES),
    "variants, one alone": (VARIANTS, "{* ./src/../src/one_another.py ln[1] *}", "src/one_another.py"),
    "variants, within a line": (VARIANTS, "Text {* src/one.py *}", ""),
    "variants, no such file": (VARIANTS, "{* src/none.py *}", ""),
    "variants of another extension": (MDX_INCLUDE, "{* src/one.py *}", ""),
    "snippets": ({"pymdownx.snippets": {"base_path": "."}}, "--8<-- 'parts/a.md'\n", "parts/a.md"),
    "snippets, another base": ({"pymdownx.snippets": {"base_path": "docs"}}, "--8<-- 'parts/a.md'\n", ""),
    "snippets, !relative": ({"pymdownx.snippets": {"base_path": None}}, "--8<-- 'parts/a.md'", "parts/a.md"),
    "snippets, list": ({"pymdownx.snippets": {"base_path": ["src", "."]}}, "-8<- 'parts/a.md'", "parts/a.md"),
    "snippets, lines": (SNIPPETS, '  --8<-- "parts/a.md:2:3"', "parts/a.md"),
    "snippets, ranges": (SNIPPETS, '--8<-- "parts/a.md::3,5:6"', "parts/a.md"),
    "snippets, section": (SNIPPETS, '--8<-- "parts/a.md:part"', "parts/a.md"),
    "snippets, block": (SNIPPETS, "--8<--\nparts/b.md\nparts/a.md\n--8<--", "parts/b.md parts/a.md"),
    "snippets in code": (SNIPPETS, '```py\n--8<-- "parts/a.md"\n```', "parts/a.md"),
    "snippets in a snippet": (SNIPPETS, "--8<-- 'parts/c.md'", "parts/c.md parts/a.md"),
    "snippets, escaped": (SNIPPETS, ';--8<-- "parts/a.md"', ""),
    "snippets, commented out": (SNIPPETS, "--8<--\n; parts/a.md\n--8<--", ""),
    "snippets, inside a line": (SNIPPETS, 'see --8<-- "parts/a.md"', ""),
    "snippets, outside of base_path": (SNIPPETS, '--8<-- "../outside.md"', ""),
    "snippets, ranges and a section": (SNIPPETS, '--8<-- "parts/a.md:1,2:part"', ""),
    "snippets, an empty range": (SNIPPETS, '--8<-- "parts/a.md:"', "parts/a.md"),
    "include-markdown": (
        PLUGIN, "{% include-markdown '../parts/a.md' %}{% include 'near.md' %}", "parts/a.md docs/near.md"
    ),
    "include-markdown, a glob": (
        PLUGIN, "{%\n   include '../src/*.py' exclude='../src/one_*'\n   start='x'\n%}", "src/one.py"
    ),
    "include-markdown, nested": (PLUGIN, "{% include-markdown '../parts/d.md' %}", "parts/d.md docs/near.md"),
    "macros": (MACROS, NEAR, "docs/near.md"),
    "macros, single quotes": (MACROS, "{%- include 'near.md' ignore missing -%}", "docs/near.md"),
    "macros, import": (MACROS, '{% from "near.md" import x with context %}', "docs/near.md"),
    "macros, nested": (MACROS, '{% include "deep.md" %}', "docs/deep.md docs/near.md"),
    "macros, no such file": (MACROS, '{% include "none.md" %}', ""),
    "macros, outside": (MACROS, '{% include "../parts/a.md" %}', ""),
    "macros, raw": (MACROS, "{% raw %}" + NEAR + "{% endraw %}", ""),
    "macros, between two raw ones": (MACROS, RAW + NEAR + RAW.replace("raw %", "raw -%"), "docs/near.md"),
    "macros, not rendered": (MACROS, f"---\nrender_macros: false\n---\n{NEAR}", ""),
    "macros, not by default": (NO_MACROS, NEAR, ""),
    "macros, rendered": (NO_MACROS, f"---\nrender_macros: true\n---\n{NEAR}", "docs/near.md"),
    "macros, marks": ({"macros": OTHER_MARKS}, '[[% include "a.md" %]] {% include "b.md" %}', "parts/a.md"),
    "mdBook": (MDBOOK, "{{#include near.md}}", "docs/near.md"),
    "mdBook, lines": (MDBOOK, "{{ #include ../parts/a.md:2:10 }}", "parts/a.md"),
    "mdBook, an anchor": (MDBOOK, "{{#rustdoc_include ../src/one.py:anchor}}", "src/one.py"),
    "mdBook, a playground": (MDBOOK, "{{#playground near.md editable}}", "docs/near.md"),
    "mdBook, nested": (MDBOOK, "{{#include book.md}}", "docs/book.md parts/a.md"),
    "mdBook, none": (MDBOOK, "\\{{#include near.md}} {{#title A}} {{#include none.md}}", ""),
}  # fmt: skip


@pytest.mark.parametrize(("options", "text", "expected"), CASES.values(), ids=CASES)
def test_includes(included, tmp_path, options, text, expected):
    (tmp_path.parent / "outside.md").write_text("Outside.\n", encoding="utf-8")
    assert included(text, options) == expected
    assert included(text) == ""


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
    assert included(text, PYTHON) == "lib/tool/core.py" * found


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
        found = found_by(tmp_path, plugins={"mkdocstrings": plugins}, objects=objects).find(text, tmp_path)
        assert (found.files, not found.unknown) == ((), is_known or objects is not None)


@pytest.mark.skipif(not find_spec("griffe"), reason="needs griffe")
@pytest.mark.parametrize("name", ["tool.core:Thing", "tool.core.Thing", "tool.core"])
def test_mkautodoc(included, monkeypatch, tmp_path, name):
    monkeypatch.syspath_prepend(tmp_path / "lib")
    assert included(f"::: {name}\n    :docstring:\n", {"mkautodoc": {}}) == "lib/tool/core.py"


@pytest.mark.parametrize("text", ["{% include name %}", '{% include "a" ~ x %}', '{% include ["a", "b"] %}'])
def test_a_computed_name(tmp_path, text):
    found = found_by(tmp_path, plugins={"macros": {}}).find(f"# A\n\n{text}\n", tmp_path)
    assert (found.files, found.unknown.rule) == ((), "computed-include")
    assert found.unknown.words.endswith(f" is computed, {text}")


@pytest.mark.parametrize(
    "text",
    ["--8<-- '{0}'", "{{!{0}!}}", '{{% include "{0}" %}}', "{{{{#include {0}}}}}", "::: {0}", "{{* {0} *}}"],
)
@pytest.mark.parametrize("name", ["a/" * 3_000 + "b", "a\0b"])
def test_a_name_that_no_file_has(tmp_path, text, name):
    makers = {key: {} for key in names_of_includes()}
    assert found_by(tmp_path, extensions=makers).find(text.format(name), tmp_path).files == ()


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
        assert includes.find(inside, docs / page[:-3]).files
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
    found = found_by(tmp_path, plugins=plugins).find(f"# API\n\n::: tool\n{option}", tmp_path)
    assert {path.name for path in found.files} == expected
