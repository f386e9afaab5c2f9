"""The tables of ``dates.md``: what dates a page of each plugin and extension, and what it shows besides.

Each row is proven here, on a real build, or by the test that ``ELSEWHERE`` names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from sitemap_docs.cli.main import group
from tests.conftest import runner

HERE = Path(__file__).parents[2]
OWN, FOLLOWED, NOT = ("2020-01-01T00:00:00+00:00", "2021-01-01T00:00:00+00:00", "2022-01-01T00:00:00+00:00")
READS = "from pathlib import Path\n"
GENERATES = """
import mkdocs_gen_files
from pathlib import Path
with mkdocs_gen_files.open("made.md", "w") as file:
    file.write("# Made\\n\\n" + Path("data.txt").read_text())
mkdocs_gen_files.set_edit_path("made.md", "begun 100%25.md")
"""


@dataclass
class Case:
    """A project of MkDocs: ``followed`` and ``others`` are files that the page at ``path`` shows."""

    row: str
    needs: str = ""
    pages: dict[str, str] = field(default_factory=dict)
    followed: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    files: dict[str, str] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    path: str = ""
    shown: bool = True


CASES = (
    Case(
        "pymdownx.snippets",
        "pymdownx",
        {"index.md": '# A\n\n--8<-- "part.md"\n'},
        ("part.md", "nested.md"),
        ("append.md",),
        {"part.md": 'MARK part.md\n\n--8<-- "nested.md"\n'},
        {"markdown_extensions": [{"pymdownx.snippets": {"auto_append": ["append.md"]}}]},
    ),
    Case(
        "markdown-include, mdx_include",
        "markdown_include",
        {"index.md": "# A\n\n{!part.md!}\n"},
        ("part.md",),
        settings={"markdown_extensions": ["markdown_include.include"]},
    ),
    Case(
        "include-markdown",
        "mkdocs_include_markdown_plugin",
        {"index.md": '# A\n\n{% include-markdown "../parts/*.md" %}\n'},
        ("parts/a.md", "parts/b.md"),
        settings={"plugins": ["include-markdown"]},
    ),
    Case(
        "macros",
        "mkdocs_macros",
        {"index.md": '# A\n\n{% include "part.md" %}\n\n{{ read() }} {{ kept }}\n'},
        ("parts/part.md",),
        ("data.txt", "kept.txt"),
        {
            "main.py": f"{READS}def define_env(env):\n    @env.macro\n    def read():\n"
            "        return Path('data.txt').read_text()\n"
            "    env.variables['kept'] = Path('kept.txt').read_text()\n"
        },
        {"plugins": [{"macros": {"include_dir": "parts"}}]},
    ),
    Case(
        "hooks",
        "",
        {"index.md": "# A\n"},
        (),
        ("data.txt",),
        {
            "hook.py": f"{READS}def on_page_markdown(markdown, **_):\n"
            "    return markdown + Path('data.txt').read_text()\n"
        },
        {"hooks": ["hook.py"]},
    ),
    Case(
        "mkdocstrings",
        "mkdocstrings",
        {"index.md": "# A\n\n::: pack.child\n    options:\n      inherited_members: true\n"},
        ("pack/child.py",),
        ("pack/base.py",),
        {
            "pack/__init__.py": "",
            "pack/base.py": 'class Base:\n    def old(self):\n        """MARK pack/base.py"""\n',
            "pack/child.py": 'from pack.base import Base\nclass Child(Base):\n    """MARK pack/child.py"""\n',
        },
        {"plugins": [{"mkdocstrings": {"handlers": {"python": {"paths": ["."]}}}}]},
    ),
    Case(
        "literate-nav",
        "mkdocs_literate_nav",
        {"index.md": "# A\n", "SUMMARY.md": "* [Home](index.md)\n"},
        (),
        ("docs/SUMMARY.md",),
        {"docs/SUMMARY.md": "* [Home](index.md)\n"},
        {"plugins": ["literate-nav"]},
        shown=False,
    ),
    Case(
        "gen-files",
        "mkdocs_gen_files",
        {"index.md": "# A\n", "begun 100%25.md": "# Begun\n"},
        ("docs/begun 100%25.md",),
        ("data.txt", "make.py"),
        {"make.py": GENERATES},
        {
            "plugins": [{"gen-files": {"scripts": ["make.py"]}}],
            "repo_url": "https://example.org/r",
            "edit_uri": "edit/main/docs/",
        },
        "made/",
        shown=False,
    ),
    Case(
        "`template:` in front matter",
        "",
        {"index.md": "---\ntemplate: own.html\n---\n# A\n"},
        ("theme/own.html",),
        ("theme/part.html",),
        {
            "theme/own.html": '<html><head></head><body>MARK theme/own.html {% include "part.html" %}</body>',
        },
        {"theme": {"name": "mkdocs", "custom_dir": "theme"}},
    ),
    Case(
        "images, downloads",
        "",
        {"index.md": "# A\n\n![An image](image.svg)\n"},
        (),
        ("docs/image.svg",),
        shown=False,
    ),
    Case(
        "Material's tags",
        "material",
        {"index.md": "# A\n\n<!-- material/tags -->\n", "tagged.md": "---\ntags: [One]\n---\n# T\n"},
        (),
        ("docs/tagged.md",),
        {"docs/tagged.md": "---\ntags: [One]\n---\n# MARK docs/tagged.md\n"},
        {"theme": {"name": "material"}, "plugins": ["material/tags"]},
    ),
    Case(
        "other plugins",
        "mkdocs_macros",
        {"index.md": "# A\n\n{{ data.text }}\n"},
        (),
        ("data.yml",),
        {"data.yml": "text: MARK data.yml\n"},
        {"plugins": [{"macros": {"include_yaml": [{"data": "data.yml"}]}}]},
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.row)
def test_a_row_of_mkdocs(mkdocs_project, case):
    """What is followed changes in 2021, what is not in 2022; the page shows both."""
    if case.needs and find_spec(case.needs) is None:
        pytest.skip(f"{case.needs} is not installed")
    project = mkdocs_project(case.pages, **case.settings)
    project.write({name: f"MARK {name}\n" for name in (*case.followed, *case.others)})
    project.write(case.files)
    project.commit(OWN)
    for date, names in ((FOLLOWED, case.followed), (NOT, case.others)):
        for name in names:
            project.write({name: f"{Path(project.root, name).read_text()}\n"})
        if names:
            project.commit(date)
    project.build()
    expected = FOLLOWED if case.followed else OWN
    assert project.lastmods()[case.path] == expected
    html = project.read(f"{case.path}index.html")
    if case.shown:
        assert [name for name in (*case.followed, *case.others) if f"MARK {name}" not in html] == []
    done = runner().invoke(group, ["build", "site", "--replace"])
    assert done.exit_code == 0, done.output
    by_command = None if case.row == "gen-files" else expected
    assert project.lastmods()[case.path] == by_command


SPHINX = {
    "ABlog": (
        "ablog",
        {
            "html_theme": "alabaster",
            "blog_baseurl": "https://docs.example.org/",
            "fontawesome_included": True,
        },
        {
            "src/news.rst": "News\n====\n\n.. postlist::\n",
            "src/post.rst": "MARK\n====\n\n.. post:: 2020-01-02\n",
        },
        "src/post.rst",
        "news",
    ),
    "Sphinx-Gallery": (
        "sphinx_gallery.gen_gallery",
        {
            "sphinx_gallery_conf": {
                "examples_dirs": "../examples",
                "gallery_dirs": "gallery",
                "plot_gallery": False,
            }
        },
        {
            "examples/GALLERY_HEADER.rst": "Examples\n========\n",
            "examples/plot_one.py": '"""\nMARK\n====\n\nText.\n"""\nprint(1)\n',
        },
        "examples/plot_one.py",
        "gallery/index",
    ),
    "sphinx-argparse": (
        "sphinxarg.ext",
        {},
        {
            "our_parser.py": "from argparse import ArgumentParser\nfrom our_options import MARK\n\n\n"
            "def parser():\n    return ArgumentParser(description=MARK)\n",
            "our_options.py": 'MARK = "MARK"\n',
            "src/cli.rst": "CLI\n===\n\n.. argparse::\n   :ref: our_parser.parser\n   :prog: a\n",
        },
        "our_options.py",
        "cli",
    ),
    "tags of sphinx-tags and others": (
        "sphinx_tags",
        {"tags_create_tags": True},
        {"src/tagged.rst": "MARK\n====\n\n.. tags:: one\n"},
        "src/tagged.rst",
        "_tags/one",
    ),
}


@pytest.mark.filterwarnings("ignore")  # the extensions' own
@pytest.mark.usefixtures("apart")
@pytest.mark.parametrize("row", SPHINX)
def test_an_index_of_sphinx_shows_what_does_not_date_it(sphinx_project, monkeypatch, row):
    extension, settings, files, shown, page = SPHINX[row]
    pytest.importorskip(extension)
    project = sphinx_project(extensions=["sitemap_docs", extension], **settings)
    monkeypatch.syspath_prepend(project.root)
    project.write({**files, ".gitignore": "/src/gallery/\n/out/\n"})
    project.build()  # as sphinx-tags writes its pages among the sources, where projects commit them
    project.commit(OWN)
    project.write({shown: f"{files[shown]}\n"})
    project.commit(NOT)
    project.build()
    assert "MARK" in (project.out / f"{page}.html").read_text()
    assert project.lastmods()[f"{page}.html"] == OWN


#: Rows that other tests prove, which show what is followed and what is not.
ELSEWHERE = {
    "sphinx/test_sources.py": {
        "Sphinx itself": "test_included_files_alone_date_a_page_unless_an_option_takes_them_out",
        "autodoc, autosummary": "test_stubs_and_module_pages_are_dated_by_their_modules",
        "viewcode": "test_module_pages_are_left_out_and_gone_modules_forgotten",
        "`html_extra_path`, `html_static_path`": "test_built_files_are_dated_by_what_sphinx_copies_them_from",
        "other extensions": "test_included_files_alone_date_a_page_unless_an_option_takes_them_out",
    },
    "sphinx/test_extension.py": {
        "`html_additional_pages`": "test_a_home_page_that_is_an_additional_page",
    },
    "sphinx/test_other_extensions.py": {
        "MyST (myst-parser)": "test_myst",
        "sphinx-autoapi": "test_generated_pages_are_dated_by_the_modules_that_they_document",
    },
    "sphinx/test_commands.py": {
        "sphinx-click": "test_each_build_gives_the_same_dates",
    },
    "mkdocs/test_other_plugins.py": {
        "mkdocs-click": "test_a_page_of_a_command_is_dated_by_its_modules",
    },
    "sources/test_includes.py": {
        "markdown-include-variants": "test_variants",
        "mkautodoc": "test_mkautodoc",
        "mdBook": "test_mdbook",
    },
    "cli/test_hosts.py": {"all others": "test_a_source_that_marks_an_include_gives_no_date"},
    "programs/test_built_includes.py": {
        "markdown-exec": "test_blocks_that_markdown_exec_runs",
    },
    "history/test_diagnostics.py": {
        "Sphinx, with the command": "test_what_git_does_not_track_dates_no_page",
    },
    "matrix/test_matrix.py": {
        "gettext": "test_row",
        "Material's blog": "test_row",
        "static-i18n": "test_row",
    },
    "generators/test_sites.py": {
        "MyST and Jupyter Book 2": "test_pages_and_dates",
    },
}


def test_each_row_has_a_proof():
    manual = (HERE / "example_docs/pages/dates.md").read_text(encoding="utf-8")
    tables = manual.partition("\n### Sphinx\n")[2].partition("\n## ")[0]
    rows = {row.strip() for row in re.findall(r"^\| ([^|]+) \|", tables, re.MULTILINE)} - {"---"}
    proven = {case.row for case in CASES} | SPHINX.keys()
    for file, tests in ELSEWHERE.items():
        text = (HERE / "tests" / file).read_text(encoding="utf-8")
        missing = [name for name in tests.values() if f"def {name}(" not in text]
        assert missing == []
        proven |= tests.keys()
    assert rows == proven
