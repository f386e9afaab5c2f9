"""Switching from sphinx-sitemap."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests.conftest import sphinx_build

pytest.importorskip("sphinx")

THEIRS = (
    "<?xml version='1.0' encoding='utf-8'?>\n"
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    "<url><loc>https://docs.example.org/en/1.2/guide/b.html</loc></url>"
    "<url><loc>https://docs.example.org/en/1.2/index.html</loc></url></urlset>"
)


def test_a_broken_sitemap_of_theirs_is_replaced(sphinx_project):
    project = sphinx_project("a")
    project.write({"out/sitemap.xml": THEIRS.removesuffix("</urlset>")})
    assert project.build("html", "-W").code == 0
    assert project.paths() == ["a.html", "index.html"]


SCHEMES = [
    pytest.param("{lang}{version}{link}", "en/1.2/a.html", id="their default"),
    pytest.param("{lang}latest/{link}", "en/latest/a.html", id="with words"),
    pytest.param("{version}{link}", "1.2/a.html", id="no language"),
    pytest.param("{link}", "a.html", id="our default"),
]


NO_CANONICAL = """
def setup(app):
    app.connect('html-page-context', lambda app, name, template, context, tree: context.update(pageurl=None))
"""


@pytest.mark.parametrize(("scheme", "path"), SCHEMES)
def test_a_scheme_where_the_theme_renders_no_canonical_link(sphinx_project, scheme, path):
    project = sphinx_project("a", sitemap_url_scheme=scheme, language="en", version="1.2")
    project.extend(NO_CANONICAL)
    run = project.build("html", "-W")
    assert run.code == 0, run.warnings
    assert project.paths() == [path, path.replace("a.html", "index.html")]


@pytest.mark.parametrize(("scheme", "path"), SCHEMES[:3])
def test_a_scheme_that_contradicts_the_canonical_links_is_followed(sphinx_project, scheme, path):
    project = sphinx_project("a", sitemap_url_scheme=scheme, language="en", version="1.2")
    run = project.build()
    assert run.code == 0
    base = "https://docs.example.org/" + path.removesuffix("a.html")
    assert (
        f"puts the pages below {base}, their canonical links below https://docs.example.org/." in run.warnings
    )
    assert f'html_baseurl = "{base}"' in run.warnings
    assert project.paths() == [path, path.replace("a.html", "index.html")]
    assert (
        '<link rel="canonical" href="https://docs.example.org/a.html"' in (project.out / "a.html").read_text()
    )
    project.configure(sitemap_url_scheme=None, html_baseurl=base)
    run = project.build("html", "-W")
    assert run.code == 0
    assert "below" not in run.status
    assert project.paths() == [path, path.replace("a.html", "index.html")]


@pytest.mark.parametrize(("scheme", "rule"), [("{lang}latest/{link}", "status"), ("{link}", "warnings")])
def test_on_read_the_docs_the_advice_fits_every_version(sphinx_project, monkeypatch, scheme, rule):
    monkeypatch.setenv("READTHEDOCS", "True")
    monkeypatch.setenv("READTHEDOCS_CANONICAL_URL", "https://x.readthedocs.io/en/latest/")
    base = "https://x.readthedocs.io/" if rule == "status" else "https://y.readthedocs.io/"
    project = sphinx_project("a", sitemap_url_scheme=scheme, language="en", html_baseurl=base)
    run = project.build()
    line = 'In conf.py, write html_baseurl = os.environ.get("READTHEDOCS_CANONICAL_URL", "/")'
    assert line in getattr(run, rule)
    assert 'html_baseurl = "' not in run.status + run.warnings


@pytest.mark.parametrize("code", ["{language}/{link}", "latest/{link"])
def test_a_scheme_that_sphinx_sitemap_cannot_read_is_refused(sphinx_project, code):
    run = sphinx_project(sitemap_url_scheme=code).build()
    assert run.code == 2
    assert "`sitemap_url_scheme` in conf.py must be" in run.warnings


@pytest.mark.parametrize("scheme", ["{lang}", "{link}?lang={lang}"])
def test_a_scheme_that_does_not_end_in_the_link_is_not_used(sphinx_project, scheme):
    project = sphinx_project("a", sitemap_url_scheme=scheme)
    run = project.build()
    assert run.code == 0
    assert "`sitemap_url_scheme` in conf.py must end in {link}. The default is used." in run.warnings
    assert project.paths() == ["a.html", "index.html"]
    assert project.build("html", "-W", "--keep-going").code == 0


def test_the_list_form_of_locales_with_the_language_in_the_base(sphinx_project):
    base = "https://docs.example.org/en/latest/"
    project = sphinx_project("a", html_baseurl=base, sitemap_locales=["de", "pt_BR"], language="en")
    assert project.build("html", "-W").code == 0
    text = (project.out / "sitemap.xml").read_text()
    assert 'hreflang="pt-BR" href="https://docs.example.org/pt_BR/latest/a.html"' in text
    assert 'hreflang="en" href="https://docs.example.org/en/latest/a.html"' in text


@pytest.mark.parametrize(("show", "dated"), [(True, 2), (False, 0), (None, 2)])
def test_show_lastmod(sphinx_project, show, dated):
    project = sphinx_project("a", sitemap_show_lastmod=show)
    project.commit("2024-01-01T00:00:00+00:00")
    assert project.build("html", "-W").summary.endswith(f"{dated} dated")


@pytest.mark.skipif(not find_spec("sphinx_sitemap"), reason="sphinx-sitemap is not installed")
def test_the_switch_itself(sphinx_project):
    project = sphinx_project("a", extensions=["sphinx_sitemap"], version="1.2", language="en")
    command = [sys.executable, "-m", "sphinx", *project.arguments("html")]
    subprocess.run(command, check=True, capture_output=True)
    assert project.paths()[-1] == "en/1.2/search.html"
    project.configure(extensions=["sitemap_docs"])
    run = project.build("html", "-W")
    assert run.code == 0, run.warnings
    assert project.paths() == ["a.html", "index.html"]


def test_nothing_is_left_in_the_output_when_it_is_removed(sphinx_project):
    """As the page "Stability and support" says: dates from git stay, and fields are ignored."""
    project = sphinx_project("a")
    project.write({"src/b.rst": ":sitemap: false\n\n" + project.page("b")})
    project.commit("2024-01-01T00:00:00+00:00")
    assert project.build("html", "-W").code == 0
    before = {file.name for file in project.out.iterdir()}
    shutil.rmtree(project.out)
    project.configure(extensions=[])
    run = sphinx_build(*project.arguments("html", "-W"))
    assert run.code == 0, run.warnings
    assert before - {file.name for file in project.out.iterdir()} == {
        "sitemap.xml",
        "sitemap.css",
        "robots.txt",
    }
    assert (project.root / "trees/sitemap-docs/sitemap-docs.sqlite3").exists()
