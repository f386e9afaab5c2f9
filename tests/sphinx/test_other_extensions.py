"""The Sphinx extension beside others that add, replace, translate or multiply pages."""

import shutil

import pytest

from sitemap_docs.surroundings import user_cache
from tests.conftest import BASE, needs, passed, proven

pytest.importorskip("sphinx")

pytestmark = pytest.mark.filterwarnings("ignore")  # the other extensions' own

OLD, NEW = "2020-01-01T00:00:00+00:00", "2024-01-01T00:00:00+00:00"


@needs("myst_parser")
def test_myst(sphinx_project):
    """Front matter speaks to us, and to search engines through MyST's html_meta."""
    project = sphinx_project(extensions=["sitemap_docs", "myst_parser"])
    front = "---\norphan: true\n{}\n---\n# {}\n"
    files = {
        "src/plain.md": front.format("", "Plain"),
        "src/off.md": front.format("sitemap: false", "Off"),
        "src/dated.md": front.format("sitemap:\n  lastmod: '2022-02-02'", "Dated"),
        "src/quiet.md": front.format("myst:\n  html_meta:\n    robots: noindex", "Quiet"),
        "src/includes.md": front.format("", "Includes") + "\n```{include} part.txt\n```\n",
        "src/part.txt": "Part.\n",
    }
    project.commit(OLD, files)
    project.commit(NEW, {"src/part.txt": "Another part.\n"})
    run = project.passes()
    dates = {"dated.html": "2022-02-02", "includes.html": NEW}
    assert proven(project.out, BASE) == {"index.html": OLD, "plain.html": OLD} | dates
    line = "4 pages listed, 4 left out (2 generated, 1 noindex, 1 sitemap: false), 4 dated: "
    assert run.summary.startswith(line)


@needs("sphinx_tags", "ablog")
def test_the_lists_of_a_blog_and_of_tags(sphinx_project, apart):
    """The first of each stays. Posts are in no toctree, and no orphans."""
    project = sphinx_project(
        "loose", extensions=["sitemap_docs", "ablog", "sphinx_tags"], html_theme="alabaster"
    )
    project.configure(
        blog_baseurl=BASE, fontawesome_included=True, tags_create_tags=True, sitemap_orphans=False
    )
    post = ".. post:: Jan 1, 2024\n   :tags: one\n   :category: news\n   :author: me\n\n.. tags:: one, two\n"
    project.write({"src/post.rst": f"Post\n====\n\n{post}"})
    project.build()
    lists = ["_tags/one", "_tags/two"]
    lists += [f"blog/{name}" for name in ("2024", "archive", "author", "author/me", "category")]
    lists += [f"blog/{name}" for name in ("category/news", "tag", "tag/one")]
    names = {path.removesuffix(".html") for path in project.paths()}
    assert names == {*lists, "blog", "index", "post"}
    project.configure(sitemap_orphans=True, sitemap_excludes_generated=["lists"])
    project.build()
    names = ("_tags/tagsindex", "blog", "index", "loose", "post")
    assert project.paths() == [f"{name}.html" for name in names]


@needs("ablog")
def test_a_list_has_the_dates_of_its_posts_only_if_dependencies_count(sphinx_project, apart):
    """As in MkDocs: without them, a list has no source of its own, and so no date."""
    project = sphinx_project(extensions=["sitemap_docs", "ablog"], html_theme="alabaster")
    project.configure(blog_baseurl=BASE, fontawesome_included=True)
    project.commit(OLD, {"src/post.rst": "Post\n====\n\n.. post:: Jan 1, 2024\n   :author: me\n"})
    project.build()
    dates = project.lastmods()
    assert (dates["post.html"], dates["blog/archive.html"]) == (OLD, OLD)
    project.configure(sitemap_lastmod_dependencies=False)
    project.build()
    dates = project.lastmods()
    assert (dates["post.html"], dates["blog/archive.html"]) == (OLD, None)


@needs("sphinx")
def test_lists_that_no_extension_makes_are_reported(sphinx_project):
    run = sphinx_project(sitemap_excludes_generated=["lists", "pagination"]).passes()
    assert "matches 'lists' of `sitemap_excludes_generated` in conf.py, 'pagination' of" in run.status
    assert "ABlog and sphinx-tags" in run.status


@needs("sphinx_reredirects")
def test_a_stub_over_a_document_and_stubs_of_their_own(sphinx_project):
    redirects = {"a": "b.html", "old/*": "https://elsewhere.example/$source", "gone": "b.html#part"}
    project = sphinx_project(
        "a", "b", "old/c", extensions=["sitemap_docs", "sphinx_reredirects"], redirects=redirects
    )
    project.commit(OLD)
    for _ in range(2):
        run = project.passes("dirhtml")
        assert proven(project.out, BASE) == {"": OLD, "b/": OLD}
        assert "3 redirects" in run.summary
    assert "b.html#part" in (project.out / "gone/index.html").read_text(encoding="utf-8")


@needs("notfound")
def test_the_page_of_sphinx_notfound_page(sphinx_project):
    project = sphinx_project("a", extensions=["sitemap_docs", "notfound.extension"])
    project.commit(OLD)
    for settings, name in (({}, "404"), ({"notfound_pagename": "errors/missing"}, "errors/missing")):
        project.configure(**settings)
        run = project.passes()
        assert (project.out / f"{name}.html").exists()
        assert proven(project.out, BASE) == {"a.html": OLD, "index.html": OLD}
        assert "1 404 page" in run.summary


def test_pages_that_are_not_translated(sphinx_project):
    """A page without a text is in every language; where nothing is translated, all pages are listed."""
    project = sphinx_project("a", "b", locale_dirs=["../locale"], gettext_compact=False)
    project.write({"src/picture.rst": ":orphan:\n\n.. image:: picture.png\n", "src/picture.png": ""})
    for translation, pages in (("", ["a", "b", "index", "picture"]), ("Ah", ["a", "picture"])):
        for name in ("a", "b", "index"):
            text = f'msgid "{name}"\nmsgstr "{translation * (name == "a")}"\n'
            project.write({f"locale/de/LC_MESSAGES/{name}.po": HEADER + text})
        run = project.passes("html", "-D", "language=de")
        assert project.paths() == [f"{name}.html" for name in pages]
        assert ("not translated" in run.summary) == bool(translation)
    assert "not translated" not in project.passes("html", "-D", "language=en").summary, "no catalogue"


HEADER = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'


GALLERY = {
    "examples_dirs": ["../examples", "../more"],
    "gallery_dirs": ["auto_examples", "auto_examples/more"],
    "plot_gallery": False,
}
EXAMPLE = '"""\n{0}\n{1}\n\nText.\n"""\nprint("{0}")\n'


@needs("sphinx_gallery")
def test_examples_are_dated_by_the_files_that_they_are_made_of(sphinx_project):
    project = sphinx_project(
        extensions=["sitemap_docs", "sphinx_gallery.gen_gallery"], sphinx_gallery_conf=GALLERY
    )
    header = "Examples\n========\n"
    project.write({f"{name}/GALLERY_HEADER.rst": header for name in ("examples", "examples/sub", "more")})
    for name in ("examples/plot_a", "examples/plot_b", "examples/sub/plot_c", "more/plot_d"):
        project.write({f"{name}.py": EXAMPLE.format(name, "=" * 20)})
    project.commit(OLD, {".gitignore": "/out*/\n/trees*/\n/src/auto_examples/\n"})
    project.commit(NEW, {"examples/sub/plot_c.py": EXAMPLE.format("changed", "=" * 20)})
    project.build()
    dates = project.lastmods()
    assert dates["auto_examples/plot_a.html"] == dates["auto_examples/index.html"] == OLD
    assert dates["auto_examples/more/plot_d.html"] == OLD, "a gallery in the folder of another"
    assert dates["auto_examples/sub/plot_c.html"] == NEW


@needs("autoapi")
@pytest.mark.parametrize("keeps", [False, True], ids=["removed after the build", "kept"])
def test_generated_pages_are_dated_by_the_modules_that_they_document(sphinx_project, keeps):
    project = sphinx_project(
        extensions=["sitemap_docs", "autoapi.extension"],
        autoapi_dirs=["../lib/tool"],
        autoapi_root="reference/api",
        autoapi_options=["members", "undoc-members", "imported-members", "inherited-members"],
        autoapi_own_page_level="class",
        autoapi_keep_files=keeps,
    )
    files = {
        "lib/tool/__init__.py": '"""A tool."""\nfrom tool.parts import shown\n__all__ = ["shown"]\n',
        "lib/tool/parts.py": 'def shown():\n    """Shown."""\n',
        "lib/tool/plain.py": '"""Plain."""\nfrom tool.parts import shown\n',
        "lib/tool/base.py": 'class Base:\n    """Base."""\n    def run(self):\n        """Run."""\n',
        "lib/tool/heir.py": 'from tool.base import Base\nclass Heir(Base):\n    """Heir."""\n',
        ".gitignore": "/out*/\n/trees*/\n/src/reference/\n",
    }
    project.commit(OLD, files)
    changed = ("lib/tool/parts.py", "lib/tool/base.py")
    project.commit(NEW, {name: f"{files[name]}\n# Changed.\n" for name in changed})
    names = ("tool/index", "tool/parts/index", "tool/base/index", "tool/base/Base", "tool/heir/Heir")
    pages = {**dict.fromkeys(names, NEW), "tool/plain/index": OLD, "tool/heir/index": OLD}
    pages["index"] = None  # names all modules, and is made of no file
    for _ in range(2):
        project.build()
        listed = project.lastmods()
        assert listed.pop("index.html") == OLD
        assert listed == {f"reference/api/{name}.html": date for name, date in pages.items()}


@needs("sphinx_llm")
@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_the_markdown_of_sphinx_llm_is_no_page(sphinx_project, builder):
    """It writes a Markdown file next to each page. Neither the sitemap nor the audit has them."""
    project = sphinx_project("a", "guide/b", extensions=["sphinx_llm.txt", "sitemap_docs"])
    project.build(builder)
    pages = ("a.html", "guide/b.html") if builder == "html" else ("a/index.html", "guide/b/index.html")
    for page in ("index.html", *pages):
        assert (project.out / f"{page}.md").is_file()
    ending = ".html" if builder == "html" else "/"
    home = "index.html" if builder == "html" else ""
    expected = sorted([f"a{ending}", f"guide/b{ending}", home])
    assert project.paths() == expected
    report = ["--severity", "info", "--ignore", "lastmod-missing"]
    assert "No findings" in passed("check", project.out, *report).out
    shutil.rmtree(user_cache())
    assert "No findings" in passed("check", project.out, *report).out
    (project.out / "sitemap.xml").unlink()
    passed("build", project.out, "--base-url", BASE, "--lastmod", "none")
    assert project.paths() == expected


def test_source_code_of_doxygen_next_to_sphinx(sphinx_project):
    """Doxygen wrote its pages into the output, or the project copies them."""
    contents = '<!doctype html><title>pot.h</title><div class="contents">'
    source = f'{contents}<div class="fragment"><div class="line"><a id="l00001" name="l00001"></a>'
    documents = f'{contents}<div class="textblock"><p>A pot.</p>'
    project = sphinx_project("a", html_extra_path=["extra"])
    project.write({"src/extra/api/pot_8h_source.html": source, "src/extra/api/pot_8h.html": documents})
    project.build()
    assert project.paths() == ["a.html", "index.html"]
    passed("check", project.out, "--fail-on", "warning")
    shutil.rmtree(user_cache())
    found = passed("build", project.out, "--base-url", BASE, "--lastmod", "none", "--replace", "-v")
    assert f"left out: {BASE}api/pot_8h_source.html: generated" in found.err
    assert "api/pot_8h.html" in project.paths()
