"""What a page of Sphinx is made of: the newest of its files dates it."""

import re
import sys

import pytest

from tests.conftest import EXAMPLE, command

pytest.importorskip("sphinx")

FIRST, SECOND = "2024-01-01T00:00:00+00:00", "2024-02-01T00:00:00+00:00"
UNTIL = "\nimport sys; sys.path.insert(0, __file__.removesuffix('src/conf.py') + 'code')\n"


def changed(project, *names: str, date: str = SECOND) -> None:
    """Commits a change of each file that keeps its meaning."""
    for name in names:
        file = project.root / name
        file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    project.commit(date)


@pytest.fixture
def included(sphinx_project):
    """Page a includes, literally includes and shows a picture; page b includes the same text."""
    project = sphinx_project("c")
    body = ".. include:: /parts/text.txt\n\n.. literalinclude:: ../code/example.py\n"
    files = {
        "src/a.rst": project.page("a", body),
        "src/b.rst": project.page("b", ".. include:: parts/text.txt\n"),
        "src/parts/text.txt": "Shared.\n",
        "code/example.py": "pass\n",
    }
    project.commit(FIRST, files)
    return project


THROUGH_LINKS = {
    "include": ".. include:: current.txt\n",
    "literal": ".. literalinclude:: /current.txt\n",
    "table": ".. csv-table::\n   :file: current.txt\n",
    "folder": ".. include:: ./texts/one.txt\n",
    "picture": ".. image:: now.png\n",
    "any": ".. figure:: now.*\n",
    "twice": ".. include:: again.txt\n",
    "below": ".. include:: below.txt\n",
    "myst": "```{include} current.txt\n```\n",
}


@pytest.mark.filterwarnings("ignore:.*is deprecated.*")  # MyST-Parser uses env.app
def test_a_link_that_was_pointed_elsewhere_dates_what_is_included_through_it(sphinx_project):
    """Also a document that is a link to a link: Sphinx (9.0) notes only where the links end."""
    pytest.importorskip("myst_parser")
    project = sphinx_project(extensions=["sitemap_docs", "myst_parser"])
    pages = {f"src/{name}.rst": project.page(name, body) for name, body in THROUGH_LINKS.items()}
    pages["src/myst.md"] = f"---\norphan: true\n---\n# myst\n\n{THROUGH_LINKS['myst']}"
    del pages["src/myst.rst"]
    pages["src/direct.rst"] = project.page("direct", ".. include:: ../one/one.txt\n")
    picture = (EXAMPLE / "pages/pictures/report.png").read_bytes()
    files = {"one/one.txt": "1,1\n", "two/one.txt": "2,2\n", "one/p.png": picture, "two/p.png": picture}
    files |= dict.fromkeys(("one/page.txt", "two/page.txt"), project.page("page"))
    project.write({**pages, **files, "src/below.txt": ".. include:: current.txt\n"})
    links = {"current.txt": "one/one.txt", "texts": "one", "now.png": "one/p.png", "page.txt": "one/page.txt"}
    for name, target in links.items():
        (project.src / name).symlink_to(f"../{target}")
    (project.src / "again.txt").symlink_to("current.txt")
    (project.src / "linked.rst").symlink_to("page.txt")
    project.commit(FIRST)
    for name, target in links.items():
        (project.src / name).unlink()
        (project.src / name).symlink_to(f"../{target.replace('one', 'two', 1)}")
    project.commit(SECOND)
    project.passes()
    newer = {path.removesuffix(".html") for path, date in project.lastmods().items() if date == SECOND}
    assert newer == {*THROUGH_LINKS, "linked"}


@pytest.mark.parametrize(
    ("settings", "newer"),
    [
        pytest.param({"dependencies": True}, {"a.html", "b.html"}, id="all count"),
        pytest.param({"dependencies": False, "excludes": ["!parts/*"]}, set(), id="none counts"),
        pytest.param({"excludes": ("parts/*",)}, {"a.html"}, id="a glob takes out"),
        pytest.param({"excludes": ["*", "!parts/*"]}, {"a.html", "b.html"}, id="taken back in"),
    ],
)
def test_included_files_alone_date_a_page_unless_an_option_takes_them_out(included, settings, newer):
    changed(included, "src/parts/text.txt", "code/example.py", "src/conf.py")
    included.configure(**{f"sitemap_lastmod_{name}": value for name, value in settings.items()})
    included.passes()
    assert {path for path, date in included.lastmods().items() if date == SECOND} == newer


EVERYWHERE = {"docutils.conf": "[general]\n", "names.txt": ".. |x| replace:: y\n", "shared.txt": "Text.\n"}


@pytest.fixture
def configured(sphinx_project):
    """Six pages with docutils.conf, a file in rst_prolog, and includes in all, all but one, and one."""
    project = sphinx_project("a", "b", "c", "d", "e", rst_prolog=".. include:: /names.txt\n")
    for name in "abcde":
        includes = [".. include:: shared.txt", ".. include:: most.txt", ".. include:: f.txt"]
        project.write({f"src/{name}.rst": project.page(name, "\n\n".join(includes[: 2 + (name == "a")]))})
    project.write({"src/index.rst": project.page("index", ".. include:: shared.txt")})
    project.write({f"src/{name}": text for name, text in {**EVERYWHERE, "most.txt": "", "f.txt": ""}.items()})
    project.commit(FIRST)
    return project


@pytest.mark.parametrize(
    ("taken_back", "names", "newer"),
    [
        pytest.param("", [*EVERYWHERE, "most.txt"], set("abcde"), id="what one page lacks is content"),
        pytest.param("", EVERYWHERE, set(), id="what every page has is configuration"),
        pytest.param("docutils.conf", EVERYWHERE, {"index", *"abcde"}, id="a glob takes it back in"),
    ],
)
def test_what_every_page_depends_on_dates_none(configured, taken_back, names, newer):
    changed(configured, *(f"src/{name}" for name in names))
    configured.configure(sitemap_lastmod_excludes=[f"!{taken_back}"] if taken_back else [])
    run = configured.passes()
    dates = configured.lastmods().items()
    assert {path.removesuffix(".html") for path, date in dates if date == SECOND} == newer
    (message,) = (line for line in run.status.splitlines() if "Every page depends on" in line)
    explained = command("explain", configured.out, "a.html", "--source", configured.src).out
    for name in EVERYWHERE:
        assert (name in message) == (name != taken_back)
        assert (re.search(rf"not dated.*/{name}, because every page", explained) is not None) == (
            name != taken_back
        )


def test_a_file_that_all_pages_include_dates_a_small_site_but_docutils_conf_does_not(sphinx_project):
    project = sphinx_project("a", rst_prolog=".. include:: /names.txt\n")
    project.commit(FIRST, {f"src/{name}": text for name, text in EVERYWHERE.items()})
    changed(project, "src/docutils.conf")
    run = project.build()
    assert set(project.lastmods().values()) == {FIRST}
    assert "Every page depends on docutils.conf" in run.status
    changed(project, "src/names.txt")
    project.build()
    assert set(project.lastmods().values()) == {SECOND}


STUB = "{{ fullname }}\n{{ underline }}\n\n.. automodule:: {{ fullname }}\n   :members:\n"
API = '"""A module."""\n\n\ndef {0}():\n    """Does it."""\n'


@pytest.fixture
def documented(sphinx_project, monkeypatch):
    """A stub of autosummary, not tracked, for each of two modules of a package, imported for one test."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr("sphinx.pycode.ModuleAnalyzer.cache", {})
    extensions = ["sitemap_docs", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "sphinx.ext.viewcode"]
    project = sphinx_project(extensions=extensions, sitemap_excludes=["!_modules/*"])
    project.extend(UNTIL)
    summary = ".. autosummary::\n   :toctree: generated\n   :recursive:\n\n   package.one\n   package.two\n"
    modules = {f"code/package/{name}.py": API.format(name) for name in ("one", "two")}
    project.write({"code/package/__init__.py": "", "src/index.rst": project.page("index", summary)})
    project.write({**modules, "src/_templates/autosummary/module.rst": STUB})
    project.configure(templates_path=["_templates"])
    project.commit(FIRST, {".gitignore": "/out*/\n/trees*/\n/src/generated/\n__pycache__/\n"})
    yield project
    for name in [name for name in sys.modules if name.partition(".")[0] == "package"]:
        del sys.modules[name]


def test_stubs_and_module_pages_are_dated_by_their_modules(documented):
    """Module pages are left out by default, and those of modules that are gone forgotten."""
    changed(documented, "code/package/two.py")
    dates = {
        "_modules/index.html": None,
        "_modules/package/one.html": FIRST,
        "_modules/package/two.html": SECOND,
        "generated/package.one.html": FIRST,
        "generated/package.two.html": SECOND,
        "index.html": FIRST,
    }
    for options in ((), (), ("-E",)):
        documented.build("html", *options)
        assert documented.lastmods() == dates
    documented.configure(sitemap_excludes=[])
    documented.build()
    assert documented.paths() == [path for path in dates if path[0] != "_"]
    documented.configure(sitemap_excludes=["!_modules/*"])
    body = ".. autosummary::\n   :toctree: generated\n\n   package.one\n"
    documented.write({"src/index.rst": documented.page("index", body)})
    (documented.src / "generated/package.two.rst").unlink()
    documented.passes()
    assert (documented.out / "_modules/package/two.html").exists()
    assert documented.paths() == [path for path in dates if "two" not in path]


def test_what_a_page_says_of_its_own_date(sphinx_project):
    project = sphinx_project("a", sitemap_lastmod_fields=["last_update.date", "updated"])
    fields = {
        "b": ":sitemap-lastmod: 2020-02-02",
        "c": ':sitemap: {"sources": ["../data.csv", "/data/\\*.csv"]}',
        "d": ':sitemap: {"sources": ["nothing.csv"]}',
        "e": ":sitemap-sources: ``../data/*.csv``",
        "f": ":updated: 2023-05-06",
    }
    project.write({f"src/{name}.rst": f":orphan:\n{field}\n\n{name}\n=\n" for name, field in fields.items()})
    project.commit(FIRST, {"data.csv": "1\n", "data/x.csv": "1\n"})
    changed(project, "data/x.csv")
    run = project.build()
    dates = {"a": FIRST, "b": "2020-02-02", "c": SECOND, "d": FIRST, "e": SECOND, "f": "2023-05-06"}
    assert project.lastmods() == {f"{name}.html": date for name, date in {**dates, "index": FIRST}.items()}
    assert run.warnings.count("WARNING") == 1
    assert "d.rst: WARNING: sitemap-docs: `sitemap: sources: nothing.csv`" in run.warnings


def test_lastmod_none_asks_git_nothing(included, monkeypatch):
    included.configure(sitemap_lastmod="none")
    monkeypatch.setenv("PATH", "/nowhere")
    included.passes()
    assert set(included.lastmods().values()) == {None}


def test_a_fragment_without_a_title_is_no_page(sphinx_project):
    """Sphinx renders a document that others include, as `<no title>`; one that nobody includes is a page."""
    project = sphinx_project("titled", sitemap_excludes=["!parts/note"])
    body = ".. include:: parts/note.rst\n\n.. include:: titled.rst\n\n.. literalinclude:: parts/code.rst\n"
    files = {
        "src/index.rst": project.page("Home", body),
        "src/parts/note.rst": "A note without a title.\n",
        "src/parts/code.rst": "A literal without a title.\n",
        "src/lone.rst": ":orphan:\n\nA page without a title.\n",
    }
    project.write(files)
    run = project.build()
    assert project.paths() == ["index.html", "lone.html", "parts/note.html", "titled.html"]
    assert "1 only included elsewhere" in run.summary


def test_built_files_are_dated_by_what_sphinx_copies_them_from(sphinx_project):
    project = sphinx_project(
        html_extra_path=["extra", "single.pdf"],
        html_static_path=["static"],
        sitemap_extra_urls=["*.pdf", {"loc": "/tool/", "lastmod": "2020-02-02"}],
    )
    names = ("extra/sub/a.pdf", "single.pdf", "static/s.pdf", "files/d.pdf")
    project.write({f"src/{name}": name for name in names})
    project.commit(FIRST, {"src/index.rst": project.page("Home", ":download:`files/d.pdf`")})
    changed(project, *(f"src/{name}" for name in names))
    expected = dict.fromkeys(("a.pdf", "single.pdf", "s.pdf", "d.pdf", "index.html"), SECOND)
    for _ in range(2):
        project.passes()
        dates = {path.rpartition("/")[2] or path: date for path, date in project.lastmods().items()}
        assert dates == expected | {"tool/": "2020-02-02"}


def test_pages_outside_the_navigation(sphinx_project):
    """A document that no toctree names is an orphan, with the mark or without; the root document is none."""
    project = sphinx_project("marked", "named", "sub/named")
    toctree = ".. toctree::\n   :hidden:\n\n   named\n   sub/named\n"
    project.write({"src/index.rst": project.page("Home", toctree), "src/loose.rst": "Loose\n=====\n"})
    everything = ["index.html", "loose.html", "marked.html", "named.html", "sub/named.html"]
    for settings, left in (
        ({}, set()),
        ({"sitemap_orphans": False}, {"marked.html", "loose.html"}),
        ({"sitemap_excludes": ["!marked"]}, {"loose.html"}),
    ):
        project.configure(**settings)
        run = project.build()
        assert project.paths() == [path for path in everything if path not in left]
        assert (f"{len(left)} not in the navigation" in run.summary) == bool(left)
