"""What pages of a built folder are made of, as the configuration of their generator says."""

import os

import pytest

from sitemap_docs.files import seen_from
from sitemap_docs.folder.collect import collect_pages
from sitemap_docs.folder.folder_site import open_folder
from sitemap_docs.folder.settings import FolderSettings
from sitemap_docs.model import Fact, SitemapError
from sitemap_docs.programs.material_blog import BlogLayout
from tests.conftest import write


@pytest.fixture
def made_of(here):
    """The files of each page below the project; its site is in ``site`` unless another folder is named.

    It has a home page.
    """

    def find(files: dict[str, str], site: str = "site", **settings):
        write(here, {f"{site}/index.html": "<title>x</title>", **files})
        given = FolderSettings(folder=here / site, base_url="https://e.org/", **settings)
        pages = collect_pages(open_folder(given)).pages
        return {page.path: [seen_from(here, path) for path in page.sources] for page in pages}

    return find


PAGE = "<title>x</title>"


def test_the_template_that_a_page_names(made_of):
    files = {
        "mkdocs.yml": "theme: {name: material, custom_dir: overrides}\n",
        "overrides/home.html": "{{ page }}",
        "docs/index.md": "---\ntemplate: home.html\n---\n",
        "docs/a.md": "---\ntemplate: ../secret.html\n---\n",
        "site/a/index.html": PAGE,
    }
    assert made_of(files) == {"": ["docs/index.md", "overrides/home.html"], "a/": ["docs/a.md"]}


@pytest.mark.parametrize("folder", ["", "src/", "lib/"])
def test_modules_of_a_project_that_its_build_installs(made_of, folder):
    files = {
        "mkdocs.yml": "plugins: [{mkdocstrings: {handlers: {python: {paths: [lib]}}}}]\n",
        "docs/index.md": "::: tool.core\n",
        f"{folder}tool/core.py": "x = 1\n",
    }
    assert made_of(files) == {"": ["docs/index.md", f"{folder}tool/core.py"]}


def test_the_configuration_beside_the_folder_of_the_sources(made_of, tmp_path):
    """Not in the current folder, nor above the site: that of the sources is the one that counts."""
    files = {
        "mkdocs.yml": "docs_dir: other\n",
        "sub/mkdocs.yml": "markdown_extensions: [{pymdownx.snippets: {base_path: [parts]}}]\n",
        "sub/docs/index.md": "--8<-- 'x.md'\n",
        "sub/parts/x.md": "X",
    }
    found = made_of(files, "out/deep/site", sources=(tmp_path / "sub/docs",))
    assert found == {"": ["sub/docs/index.md", "sub/parts/x.md"]}


def test_the_configuration_of_another_project_above_the_sources(made_of, tmp_path):
    files = {
        "mkdocs.yml": "markdown_extensions: [{pymdownx.snippets: {base_path: [.]}}]\n",
        "x.md": "X",
        "sub/index.md": "--8<-- 'x.md'\n",
    }
    (tmp_path / "sub").mkdir()
    os.chdir(tmp_path / "sub")
    found = made_of(files, "sub/out/site", sources=(tmp_path / "sub",))
    assert found == {"": ["sub/index.md"]}


I18N = """
plugins:
- i18n:
    docs_structure: {}
    languages: [{{locale: en, default: true}}, {{locale: de}}]
"""
SITE = {f"site/{path}index.html": PAGE for path in ("a/", "b/", "de/", "de/a/", "de/b/")}


def test_folders_of_static_i18n(made_of):
    files = {
        "mkdocs.yml": I18N.format("folder"),
        **dict.fromkeys(["docs/en/index.md", "docs/de/index.md", "docs/en/a.md", "docs/en/b.md"], "x"),
    }
    assert made_of(files | SITE) == {
        "": ["docs/en/index.md"],
        "a/": ["docs/en/a.md"],
        "b/": ["docs/en/b.md"],
        "de/": ["docs/de/index.md"],
        "de/a/": ["docs/en/a.md"],
        "de/b/": ["docs/en/b.md"],
    }


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        pytest.param("\n\n#  A {b} c {#d .e}  \r\n# F\n", "a-b-c-d-e", id="attributes"),
        pytest.param("Text.\n\n# A\n", "p", id="text before the heading"),
        pytest.param("# a <b>c</b> < d\n", "a-c--d", id="tags"),
        pytest.param("# x" + " " * 20_000 + "y{\n", "x" + "-" * 20_000 + "y", id="spaces"),
    ],
)
def test_the_heading_of_a_post_is_its_address(tmp_path, text, slug):
    write(tmp_path, {"blog/posts/p.md": text})
    layout = BlogLayout(tmp_path, {})
    assert list(layout.places(f"blog/2024/01/31/{slug}/index.html")) == [("blog/posts", "p")]


def test_what_a_configuration_inherits_is_merged_as_mkdocs_merges(made_of):
    files = {
        "base.yml": "markdown_extensions: {pymdownx.snippets: {base_path: [parts]}}\ntheme: {name: x}\n",
        "mkdocs.yml": "INHERIT: base.yml\nmarkdown_extensions: {pymdownx.snippets: {check_paths: true}}\n"
        "theme: {custom_dir: overrides}\n",
        "parts/a.md": "A",
        "docs/index.md": "--8<-- 'a.md'\n",
    }
    assert made_of(files) == {"": ["docs/index.md", "parts/a.md"]}


def test_a_docs_folder_beside_that_of_the_configuration(made_of, tmp_path):
    files = {
        "conf/mkdocs.yml": "docs_dir: ../docs\nsite_dir: ../site\n",
        "docs/index.md": "# Home",
        "docs/raw.html": PAGE,
        "site/raw.html": PAGE,
    }
    made_of(files)
    os.chdir(tmp_path / "conf")
    built = open_folder(FolderSettings(base_url="https://e.org/"))
    facts = {page.path: page.facts for page in collect_pages(built).pages}
    assert facts == {"": frozenset(), "raw.html": frozenset({Fact.STATIC})}
    assert built.docs == str(tmp_path / "docs")


@pytest.mark.parametrize(
    "text",
    [
        "plugins: [{include-markdown: {opening_tag: 5, closing_tag: [x], directives: 3}}]",
        "plugins: [{mkdocstrings: {handlers: [python]}}]",
        "plugins: [{macros: {j2_block_start_string: 7, j2_block_end_string: {}}}, mdx_include]",
    ],
)
def test_odd_configurations(made_of, text):
    files = {
        "mkdocs.yml": text,
        "docs/index.md": "{% include 'x.md' %}\n::: x\n{!x!}",
    }
    assert made_of(files) == {"": ["docs/index.md"]}


@pytest.mark.parametrize("name", ["settings/mkdocs.en.yml", "my-mkdocs.yaml", "conf/zensical-site.toml"])
def test_a_configuration_that_is_named(made_of, tmp_path, name):
    above = "../" if "/" in name else ""
    text = f"site_name: x\ndocs_dir: {above}en\nplugins: {{include-markdown: {{}}}}\n"
    if name.endswith("toml"):
        text = f'[project]\ndocs_dir = "{above}en"\nplugins.include-markdown = {{}}\n'
    files = {
        name: text,
        "mkdocs.yml": "plugins: []\n",
        "en/index.md": "{% include 'a.txt' %}",
        "en/a.txt": "A",
        "site/index.html": f"<meta name=generator content='mkdocs-1.6'>{PAGE}",
    }
    assert made_of(files) == {"": []}
    assert made_of(files, generator_config=tmp_path / name) == {"": ["en/index.md", "en/a.txt"]}


def test_the_configuration_whose_sources_are_named_is_that_of_any_folder(made_of, tmp_path):
    """As of a branch with the pages: mdBook writes into another folder."""
    files = {
        "book.toml": "",
        "src/index.md": "{{#include a.txt}}",
        "src/a.txt": "A",
    }
    assert made_of(files, "pages", sources=(tmp_path / "src",)) == {"": ["src/index.md", "src/a.txt"]}


@pytest.mark.parametrize(("name", "text"), [("x.yml", ""), ("mkdocs.txt", ""), ("mkdocs.en.yml", "a: [")])
def test_a_configuration_that_is_named_and_cannot_be_read(made_of, tmp_path, name, text):
    with pytest.raises(SitemapError, match=r"cannot be read|does not look like"):
        made_of({name: text}, generator_config=tmp_path / name)


def test_pages_of_mkdocs_without_its_configuration(made_of, tmp_path):
    made_of({"site/index.html": f"<meta name=generator content='mkdocs-1.6'>{PAGE}"})
    settings = FolderSettings(folder=tmp_path / "site", base_url="https://e.org/")
    assert [finding.rule for finding in open_folder(settings).known.findings] == ["configuration-missing"]
    (tmp_path / "mkdocs.yml").write_text("site_name: x\n")
    assert open_folder(settings).known.findings == []
