"""The tables of ``followed.md``: what dates a page of each plugin and extension, and what it shows besides.

Each row is proven here, by a page of one real build for each host, or by the test that ``ELSEWHERE`` names.
"""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import command, needs

HERE = Path(__file__).parents[2]
OWN, FOLLOWED, NOT = ("2020-01-01T00:00:00+00:00", "2021-01-01T00:00:00+00:00", "2022-01-01T00:00:00+00:00")


class Row(NamedTuple):
    """A page of MkDocs, and the files that it shows: those that date it, and others.

    A page without a text is made by a script.
    """

    text: str | None = "# A\n"
    followed: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    shown: bool = True


MKDOCS = {
    "pymdownx.snippets": Row('# A\n\n--8<-- "part.md"\n', ("part.md", "nested.md"), ("append.md",)),
    "markdown-include, mdx_include": Row("# A\n\n{!included.md!}\n", ("included.md",)),
    "include-markdown": Row('# A\n\n{% include-markdown "../parts/*.md" %}\n', ("parts/a.md", "parts/b.md")),
    "macros": Row(
        '# A\n\n{% include "part.md" %}\n\n{{ read() }} {{ kept }}\n',
        ("macros/part.md",),
        ("data.txt", "kept.txt"),
    ),
    "hooks": Row(others=("hooked.txt",)),
    "mkdocstrings": Row(
        "# A\n\n::: pack.child\n    options:\n      inherited_members: true\n",
        ("pack/child.py",),
        ("pack/base.py",),
    ),
    "literate-nav": Row(others=("docs/SUMMARY.md",), shown=False),
    "gen-files": Row(None, ("docs/begun 100%25.md",), ("data.txt", "make.py"), shown=False),
    "`template:` in front matter": Row(
        "---\ntemplate: own.html\n---\n# A\n", ("theme/own.html",), ("theme/part.html",)
    ),
    "images, downloads": Row("# A\n\n![An image](image.svg)\n", others=("docs/image.svg",), shown=False),
    "Material's tags": Row("# A\n\n<!-- material/tags -->\n", others=("docs/tagged.md",)),
    "other plugins": Row("# A\n\n{{ data.text }}\n", others=("data.yml",)),
}
FILES = {
    "part.md": 'MARK part.md\n\n--8<-- "nested.md"\n',
    "main.py": """from pathlib import Path
def define_env(env):
    @env.macro
    def read():
        return Path('data.txt').read_text()
    env.variables['kept'] = Path('kept.txt').read_text()
""",
    "hook.py": """from pathlib import Path
def on_page_markdown(markdown, page, **_):
    return markdown + Path('hooked.txt').read_text() * (page.file.src_uri == 'hooks.md')
""",
    "pack/__init__.py": "",
    "pack/base.py": 'class Base:\n    def old(self):\n        """MARK pack/base.py"""\n',
    "pack/child.py": 'from pack.base import Base\nclass Child(Base):\n    """MARK pack/child.py"""\n',
    "docs/SUMMARY.md": "* [Home](index.md)\n",
    "docs/begun 100%25.md": "# Begun\n",
    "make.py": """
import mkdocs_gen_files
from pathlib import Path
with mkdocs_gen_files.open("gen-files.md", "w") as file:
    file.write("# Made\\n\\n" + Path("data.txt").read_text())
mkdocs_gen_files.set_edit_path("gen-files.md", "begun 100%25.md")
""",
    "theme/own.html": '<html><head></head><body>MARK theme/own.html {% include "part.html" %}</body>',
    "docs/tagged.md": "---\ntags: [One]\n---\n# MARK docs/tagged.md\n",
    "data.yml": "text: MARK data.yml\n",
}
SETTINGS = {
    "theme": {"name": "material", "custom_dir": "theme"},
    "hooks": ["hook.py"],
    "repo_url": "https://example.org/r",
    "edit_uri": "edit/main/docs/",
    "markdown_extensions": [
        {"pymdownx.snippets": {"auto_append": ["append.md"]}},
        "markdown_include.include",
    ],
    "plugins": [
        {"gen-files": {"scripts": ["make.py"]}},
        "literate-nav",
        {"include-markdown": {"directives": {"include": "insert"}}},
        {"macros": {"include_dir": "macros", "include_yaml": [{"data": "data.yml"}]}},
        {"mkdocstrings": {"handlers": {"python": {"paths": ["."]}}}},
        "material/tags",
    ],
}
MODULES = ("markdown_include", "material", "mkdocs_gen_files", "mkdocs_include_markdown_plugin")
MODULES += ("mkdocs_literate_nav", "mkdocs_macros", "mkdocstrings")


@needs(*MODULES)
def test_rows_of_mkdocs(mkdocs_project):
    """What is followed changes in 2021, what is not in 2022; the page shows both."""
    names = {row: re.sub(r"\W+", "-", row).strip("-") for row in MKDOCS}
    pages = {f"{names[row]}.md": page.text for row, page in MKDOCS.items() if page.text is not None}
    project = mkdocs_project({"index.md": "# Home\n", **pages}, **SETTINGS)
    followed = [name for page in MKDOCS.values() for name in page.followed]
    others = [name for page in MKDOCS.values() for name in page.others]
    project.write({name: f"MARK {name}\n" for name in (*followed, *others)})
    project.commit(OWN, FILES)
    for date, changed in ((FOLLOWED, followed), (NOT, others)):
        project.commit(date, {name: f"{Path(project.root, name).read_text()}\n" for name in changed})
    project.build()
    expected = {row: FOLLOWED if page.followed else OWN for row, page in MKDOCS.items()}
    dates = project.lastmods()
    assert {row: dates[f"{name}/"] for row, name in names.items()} == expected
    for row, page in MKDOCS.items():
        html = project.read(f"{names[row]}/index.html")
        if page.shown:
            assert [name for name in (*page.followed, *page.others) if f"MARK {name}" not in html] == []
    done = command("build", "site", "--replace")
    assert done.code == 0, done.err
    dates = project.lastmods()
    assert {row: dates[f"{name}/"] for row, name in names.items()} == expected | {"gen-files": None}


#: The page of each row, and the file that it shows without being dated by it.
SPHINX = {
    "ABlog": ("news", "src/post.rst"),
    "Sphinx-Gallery": ("gallery/index", "examples/plot_one.py"),
    "sphinx-argparse": ("cli", "our_options.py"),
    "tags of sphinx-tags and others": ("_tags/one", "src/tagged.rst"),
}
SHOWN = {
    "src/news.rst": "News\n====\n\n.. postlist::\n",
    "src/post.rst": "MARK post\n=========\n\n.. post:: 2020-01-02\n",
    "examples/GALLERY_HEADER.rst": "Examples\n========\n",
    "examples/plot_one.py": '"""\nMARK example\n============\n\nText.\n"""\nprint(1)\n',
    "our_parser.py": "from argparse import ArgumentParser\nfrom our_options import MARK\n\n\n"
    "def parser():\n    return ArgumentParser(description=MARK)\n",
    "src/cli.rst": "CLI\n===\n\n.. argparse::\n   :ref: our_parser.parser\n   :prog: a\n",
    "our_options.py": 'MARK = "MARK option"\n',
    "src/tagged.rst": "MARK tagged\n===========\n\n.. tags:: one\n",
    ".gitignore": "/src/gallery/\n/out/\n",
}
EXTENSIONS = ["sitemap_docs", "ablog", "sphinx_gallery.gen_gallery", "sphinxarg.ext", "sphinx_tags"]
GALLERY = {"examples_dirs": "../examples", "gallery_dirs": "gallery", "plot_gallery": False}


@needs("ablog", "sphinx_gallery", "sphinxarg", "sphinx_tags")
@pytest.mark.filterwarnings("ignore")  # the extensions' own
@pytest.mark.usefixtures("apart")
def test_indexes_of_sphinx_show_what_does_not_date_them(sphinx_project, monkeypatch):
    project = sphinx_project(extensions=EXTENSIONS, html_theme="alabaster")
    project.configure(sphinx_gallery_conf=GALLERY, tags_create_tags=True)
    project.configure(blog_baseurl="https://docs.example.org/", fontawesome_included=True)
    monkeypatch.syspath_prepend(project.root)
    project.write(SHOWN)
    project.build()  # as sphinx-tags writes its pages among the sources, where projects commit them
    project.commit(OWN)
    project.commit(NOT, {file: f"{SHOWN[file]}\n" for _, file in SPHINX.values()})
    project.build()
    dates = project.lastmods()
    for page, file in SPHINX.values():
        (mark,) = re.findall(r"MARK \w+", SHOWN[file])
        assert mark in (project.out / f"{page}.html").read_text()
        assert dates[f"{page}.html"] == OWN, page


#: Rows that other tests prove, which show what is followed and what is not.
ELSEWHERE = {
    "Sphinx itself": "test_included_files_alone_date_a_page_unless_an_option_takes_them_out",
    "autodoc, autosummary": "test_stubs_and_module_pages_are_dated_by_their_modules",
    "viewcode": "test_stubs_and_module_pages_are_dated_by_their_modules",
    "`html_extra_path`, `html_static_path`": "test_built_files_are_dated_by_what_sphinx_copies_them_from",
    "other extensions": "test_included_files_alone_date_a_page_unless_an_option_takes_them_out",
    "`html_additional_pages`": "test_a_home_page_that_is_an_additional_page",
    "MyST (myst-parser)": "test_myst",
    "sphinx-autoapi": "test_generated_pages_are_dated_by_the_modules_that_they_document",
    "sphinx-click": "test_each_build_gives_the_same_dates",
    "mkdocs-click": "test_a_page_of_a_command_is_dated_by_its_modules",
    "markdown-include-variants": "test_includes",
    "mkautodoc": "test_mkautodoc",
    "mdBook": "test_includes",
    "all other generators, also Sphinx with the command": "test_a_source_that_marks_an_include_gives_no_date",
    "markdown-exec": "test_the_includes_of_a_page_are_unknown_only_if_markdown_exec_runs_a_block",
    # A row of the matrix each:
    "gettext": "test_row",
    "Material's blog": "test_row",
    "static-i18n": "test_row",
    "MyST and Jupyter Book 2": "test_pages_and_dates",
}


def test_each_row_has_a_proof():
    manual = (HERE / "example_docs/pages/followed.md").read_text(encoding="utf-8")
    tables = manual.partition("\n## Sphinx\n")[2]
    rows = {row.strip() for row in re.findall(r"^\| ([^|]+) \|", tables, re.MULTILINE)} - {"---"}
    tests = "".join(file.read_text(encoding="utf-8") for file in (HERE / "tests").glob("*/test_*.py"))
    assert [name for name in ELSEWHERE.values() if f"\ndef {name}(" not in tests] == []
    assert rows == MKDOCS.keys() | SPHINX.keys() | ELSEWHERE.keys()
