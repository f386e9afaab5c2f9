"""The MkDocs plugin, in real builds."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from importlib.util import find_spec

import pytest

from tests.conftest import urlset

HOST = "mkdocs" if find_spec("mkdocs") else "properdocs"
Abort = pytest.importorskip(f"{HOST}.exceptions").Abort

BASE = "https://docs.example.org/"


def test_the_name_of_the_import_names_the_plugin_too(mkdocs_project):
    project = mkdocs_project({"index.md": "# Home"})
    written = (project.root / "mkdocs.yml").read_text()
    project.write(
        {"mkdocs.yml": written.replace("sitemap-docs", "sitemap_docs").replace("{}", "{lastmod: none}")}
    )
    project.build()
    assert project.locs() == [BASE]


def test_page_that_the_theme_generates_is_reported_from_a_real_one(mkdocs_project):
    pytest.importorskip(f"{HOST}.themes.readthedocs")
    project = mkdocs_project(
        {"index.md": "# Home", "search.md": "# Search"}, theme="readthedocs", plugins=["search"]
    )
    messages = project.build()
    assert (project.site / "search.html").is_file()
    assert project.paths() == ["", "search/"]
    assert any("2 left out (1 404 page, 1 generated)" in line for line in messages)
    # MkDocs renders the real page over that of the theme.
    project.configure(plugins=["search"], use_directory_urls=False)
    project.build()
    assert project.paths() == ["index.html", "search.html"]


@pytest.mark.parametrize(("use_directory_urls", "end"), [(True, "/"), (False, ".html")])
def test_a_host_that_serves_pages_without_their_endings(mkdocs_project, use_directory_urls, end):
    """Each page is listed as its canonical link spells it."""
    hook = (
        "def on_page_context(context, page, **_):\n    if page.title not in ('B', 'Home'):\n"
        f"        page.canonical_url = page.canonical_url.removesuffix('index.html').removesuffix('{end}')\n"
        f"    if page.title == 'Home':\n        page.canonical_url = '{BASE}'\n"
    )
    project = mkdocs_project(
        {"index.md": "# Home", "a.md": "# A", "b.md": "# B", "sub/index.md": "# Sub", "sub/c.md": "# C"},
        use_directory_urls=use_directory_urls,
        hooks=["hook.py"],
    )
    project.write({"hook.py": hook})
    project.commit("2024-01-02T03:04:05+00:00")
    messages = project.build()
    assert project.paths() == ["", "a", f"b{end}", "sub" if end == "/" else "sub/", "sub/c"]
    assert not [line for line in messages if line.startswith("WARNING")]
    assert not [line for line in project.build(strict=True) if line.startswith("WARNING")]
    project.configure(options={"links": "folders"})
    project.build()
    assert project.paths()[1] == f"a{end}"


@pytest.mark.parametrize(
    ("site_url", "base"),
    [
        pytest.param(None, "no base URL.", id="missing"),
        pytest.param("http://localhost:8000/", "but http://localhost:8000/,", id="local"),
        pytest.param("", "no base URL.", id="that is meant"),
    ],
)
@pytest.mark.parametrize("strict", [False, True])
def test_without_a_base_one_line_of_information(mkdocs_project, site_url, base, strict):
    project = mkdocs_project({"index.md": "# Home"}, site_url=site_url)
    messages = project.build(strict=strict)
    assert not [line for line in messages if line.startswith("WARNING")]
    (line,) = [text for text in messages if text.startswith("INFO sitemap-docs:")]
    assert all(part in line for part in ("no sitemap: ", base, "sitemap.xml is kept"))
    assert ("In mkdocs.yml, write the address" in line) == (site_url != "")
    assert "sitemap-docs" not in project.read("sitemap.xml")
    assert not (project.site / "robots.txt").exists()


@pytest.mark.parametrize("site_url", [None, "http://localhost:8000/", "http://127.0.0.1:8000/"])
def test_read_the_docs_names_the_site(mkdocs_project, monkeypatch, site_url):
    monkeypatch.setenv("READTHEDOCS", "True")
    monkeypatch.setenv("READTHEDOCS_CANONICAL_URL", "https://x.readthedocs.io/en/latest/")
    project = mkdocs_project({"index.md": "# Home", "a.md": "# A"}, site_url=site_url)
    project.build()
    assert project.locs() == ["https://x.readthedocs.io/en/latest/", "https://x.readthedocs.io/en/latest/a/"]
    assert 'rel="canonical" href="https://x.readthedocs.io/en/latest/a/"' in project.read("a/index.html")


@pytest.mark.parametrize(("strict", "level"), [(False, "WARNING"), (True, "INFO")])
def test_the_placeholder_of_the_manual_is_reported_with_the_setting(mkdocs_project, strict, level):
    project = mkdocs_project({"index.md": "# Home"}, site_url="https://docs.example.com/")
    (line,) = (line for line in project.build(strict=strict) if "is a placeholder" in line)
    assert line.startswith(f"{level} sitemap-docs: `site_url` in mkdocs.yml: ")


@pytest.mark.parametrize(("strict", "level"), [(False, "WARNING"), (True, "INFO")])
def test_a_base_that_is_none_gives_no_sitemap(mkdocs_project, strict, level):
    project = mkdocs_project({"index.md": "# Home"}, site_url="https://user:pass@docs.example.org/")
    messages = project.build(strict=strict)
    said = "sitemap-docs: `site_url` in mkdocs.yml: The base URL 'https://***@docs.example.org/' must not"
    assert len([line for line in messages if line.startswith(f"{level} {said}")]) == 1
    assert "sitemap-docs" not in project.read("sitemap.xml")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        pytest.param({"exclude": ["a"]}, "Did you mean `excludes`?", id="unknown"),
        pytest.param({"url_scheme": "en/{link}"}, "`url_scheme` is for Sphinx only", id="not of this host"),
        pytest.param({"max_urls": 0}, "`max_urls` must be a whole number from 1 to 50000, not 0", id="value"),
        pytest.param({"gzip": "yes", "indent": "x"}, "The option `indent` must be", id="both"),
    ],
)
def test_wrong_options_are_told_before_the_build(mkdocs_project, options, said):
    project = mkdocs_project({"index.md": "# Home"}, options=options)
    with pytest.raises(Abort):
        project.build()
    assert any(said in line for line in project.messages)
    assert not project.site.exists()


def test_null_is_the_default(mkdocs_project):
    project = mkdocs_project({"index.md": "# Home"}, options={"excludes": None, "filename": None})
    project.build()
    assert project.paths() == [""]


def test_another_plugin_or_hook_may_set_our_options(mkdocs_project):
    hook = "def on_config(config):\n    config.plugins['sitemap-docs'].config['excludes'] = ['a/']\n"
    project = mkdocs_project({"index.md": "# Home", "a.md": "# A"}, hooks=["hook.py"])
    project.write({"hook.py": hook})
    project.build()
    assert project.paths() == [""]


def test_a_home_page_written_by_hand_is_listed(mkdocs_project):
    html = "<!doctype html><html><head><title>A</title></head><body></body></html>"
    project = mkdocs_project({"a.md": "# A", "index.html": html, "b.html": html})
    project.build()
    assert project.paths() == ["", "a/"]


@pytest.mark.parametrize(
    ("excludes", "listed"),
    [
        pytest.param(["api/*"], ["", "b/"], id="by address"),
        pytest.param(["api/a.md"], ["", "api/c/", "b/"], id="by source"),
        pytest.param(["b"], ["", "api/a/", "api/c/"], id="by the name that Sphinx has for it, too"),
        pytest.param(["*", "!api/*"], ["api/a/", "api/c/"], id="taken back in"),
        pytest.param(["!*.html"], ["", "404.html", "api/a/", "api/c/", "b/", "s.html"], id="HTML files"),
    ],
)
def test_excludes(mkdocs_project, excludes, listed):
    project = mkdocs_project(
        {
            "index.md": "",
            "b.md": "# B",
            "api/a.md": "# A",
            "api/c.md": "# C",
            "s.html": "<head><title>Static</title></head>",
        },
        options={"excludes": excludes},
    )
    project.build()
    assert project.paths() == listed


def test_a_hook_that_fails_is_named_and_its_error_goes_on(mkdocs_project):
    project = mkdocs_project({"index.md": "# Home"}, hooks=["hook.py"])
    project.write({"hook.py": "def sitemap_entry(entry, *, page, config):\n    open('no such data')\n"})
    with pytest.raises(FileNotFoundError):
        project.build()
    assert any(
        line.startswith("ERROR") and "`sitemap_entry` of hook.py failed for https://" in line
        for line in project.messages
    )


def test_users_own_sitemap_which_mkdocs_replaces_is_reported(mkdocs_project):
    project = mkdocs_project({"index.md": "# Home", "sitemap.xml": "<urlset/>"})
    project.commit("2024-01-02T03:04:05+00:00")
    reported = [line for line in project.build() if line.startswith("WARNING")]
    assert len(reported) == 1
    assert "docs/sitemap.xml is your own" in reported[0]
    assert project.paths() == [""]
    assert not [line for line in project.build(strict=True) if line.startswith("WARNING")]
    project.configure(options={"replace": True})
    assert not [line for line in project.build() if line.startswith("WARNING")]


GENERATED = """from HOST.structure.files import File

def on_files(files, *, config):
    files.append(File.generated(config, "sitemap.xml", content="<urlset/>"))
"""


def test_a_sitemap_that_is_not_copied_from_the_docs_is_not_reported(mkdocs_project):
    project = mkdocs_project({"index.md": "# Home", "sitemap.xml": "<urlset/>"}, exclude_docs="sitemap.xml")
    assert not [line for line in project.build() if "your own sitemap" in line]
    (project.root / "docs/sitemap.xml").unlink()
    project.write({"hook.py": GENERATED.replace("HOST", HOST)})
    project.configure(hooks=["hook.py"])
    assert not [line for line in project.build() if "your own sitemap" in line]
    assert project.paths() == [""]


TEMPLATE = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{%- for file in pages %}{% if not file.page.meta.private and "draft" not in file.page.url %}
<url><loc>{{ file.page.canonical_url|e }}</loc><lastmod>2001-01-01</lastmod></url>
{%- endif %}{% endfor %}
<url><loc>https://docs.example.org/app/?a=1&amp;b=2</loc></url>
<url><loc>https://elsewhere.example.org/</loc></url>
</urlset>"""


@pytest.mark.parametrize("use_directory_urls", [True, False])
def test_what_the_projects_own_template_leaves_out_and_adds(mkdocs_project, use_directory_urls):
    project = mkdocs_project(
        {
            "index.md": "# Home",
            "a.md": "# A",
            "draft-b.md": "# B",
            "c.md": "---\nprivate: true\n---\n# C",
            "d.md": "---\nprivate: true\nsitemap: true\n---\n# D",
        },
        options={"extra_urls": ["tool/"]},
        theme={"name": "mkdocs", "custom_dir": "overrides"},
        use_directory_urls=use_directory_urls,
    )
    project.write({"overrides/sitemap.xml": TEMPLATE})
    project.commit("2024-01-02T03:04:05+00:00")
    dated = "2024-01-02T03:04:05+00:00"
    end = "/" if use_directory_urls else ".html"
    home = "" if use_directory_urls else "index.html"
    for strict, dirty in ((False, False), (True, False), (False, True)):
        messages = project.build(strict=strict, dirty=dirty)
        expected = {home: dated, f"a{end}": dated, f"d{end}": dated, "app/?a=1&b=2": None, "tool/": None}
        assert project.lastmods() == expected
        assert not [line for line in messages if line.startswith("WARNING sitemap-docs")]
        said = "the template overrides/sitemap.xml: the others are left out, and 1 added"
        assert len([line for line in messages if said in line]) == 1
    reason = "left out by the sitemap template (overrides/sitemap.xml)"
    assert f"DEBUG sitemap-docs: left out: {BASE}c{end}: {reason}" in messages
    project.configure(options={"replace": True})
    messages = project.build()
    assert f"c{end}" in project.paths()
    assert not [line for line in messages if "template overrides" in line]


def test_a_template_names_what_is_left_out_by_default(mkdocs_project):
    """A page of the theme, and a file that is copied as it is."""
    html = "<!doctype html><html><head><title>Report</title></head><body></body></html>"
    project = mkdocs_project(
        {"index.md": "# Home", "report.html": html, "other.html": html},
        theme={"name": "mkdocs", "custom_dir": "overrides"},
    )
    named = urlset(*(f"{BASE}{name}" for name in ("", "404.html", "report.html")))
    project.write({"overrides/sitemap.xml": named})
    project.commit("2024-01-02T03:04:05+00:00")
    messages = project.build()
    assert project.paths() == ["", "404.html", "report.html"]
    assert [line for line in messages if "the others are left out, and 2 added" in line]


def test_a_template_that_lists_no_page(mkdocs_project):
    project = mkdocs_project({"index.md": "# Home"}, theme={"name": "mkdocs", "custom_dir": "theme"})
    project.write({"theme/sitemap.xml": "<urlset>mine"})
    project.commit("2024-01-02T03:04:05+00:00")
    reported = [line for line in project.build() if line.startswith("WARNING")]
    assert len(reported) == 1
    assert "theme/sitemap.xml is not used" in reported[0]
    assert project.paths() == [""]
    assert not [line for line in project.build(strict=True) if line.startswith("WARNING")]


def test_a_disabled_plugin_leaves_mkdocs_own_sitemap_and_reports_it(mkdocs_project):
    project = mkdocs_project({"index.md": "# Home"}, options={"enabled": False})
    messages = project.build(strict=True)
    assert [line for line in messages if "`enabled` is false" in line] == [
        "INFO sitemap-docs: `enabled` is false: the host writes its own sitemap"
    ]
    assert "<!-- sitemap-docs" not in project.read("sitemap.xml")
    assert "<loc>https://docs.example.org/</loc>" in project.read("sitemap.xml")
    assert not (project.site / "robots.txt").exists()


def test_other_name_leaves_mkdocs_own_sitemap(mkdocs_project):
    project = mkdocs_project({"index.md": "# Home"}, options={"filename": "pages.xml"})
    project.build()
    assert project.paths("pages.xml") == [""]
    assert "sitemap-docs" not in project.read("sitemap.xml")


def test_a_site_url_of_another_version(mkdocs_project, monkeypatch):
    """The canonical links of all versions on Read the Docs lead to one: the others have no sitemap."""
    for name, value in (("", "True"), ("_VERSION", "latest"), ("_CANONICAL_URL", f"{BASE}en/latest/")):
        monkeypatch.setenv(f"READTHEDOCS{name}", value)
    project = mkdocs_project({"index.md": "# Home"}, site_url=f"{BASE}en/stable/")
    messages = project.build(strict=True)
    (line,) = [text for text in messages if text.startswith(("INFO sitemap-docs", "WARNING"))]
    parts = ("nothing written", f"below {BASE}en/latest/ lead to {BASE}en/stable/", "sitemap.xml is kept")
    assert all(part in line for part in ("INFO", *parts, "The built-in sitemap.xml is kept"))
    assert "sitemap-docs" not in project.read("sitemap.xml")


def test_a_plugin_before_awesome_pages_has_no_method_for_its_event(mkdocs_project):
    """It warns of each that has one; the event tells us all the same, as the test of `not_in_nav` shows."""
    project = mkdocs_project({"index.md": "# Home"}, hooks=["hooks.py"])
    code = "def on_config(config):\n    assert not hasattr(config.plugins['sitemap-docs'], 'on_nav')\n"
    project.write({"hooks.py": code})
    project.build()


def test_noindex_that_the_theme_does_not_render_is_reported_once(mkdocs_project):
    project = mkdocs_project(
        {"index.md": "# Home", **{f"{n}.md": "---\nrobots: noindex\n---\n" for n in "abc"}}
    )
    project.commit("2024-01-02T03:04:05+00:00")
    reported = [line for line in project.build() if line.startswith("WARNING")]
    assert project.paths() == [""]
    assert len(reported) == 1
    assert "3 pages" in reported[0]


def test_failed_build_leaves_no_state_behind(mkdocs_project):
    project = mkdocs_project({"index.md": "# Home", "a.md": "# A"}, hooks=["hook.py"])
    project.write({"hook.py": "def on_nav(nav, **_):\n    raise RuntimeError('once')\n"})
    config = project.config()
    with pytest.raises(RuntimeError):
        project.build(config)
    config.plugins.events["nav"].clear()
    (project.docs / "a.md").unlink()
    project.build(config)
    assert project.paths() == [""]
    project.write({"docs/b.md": "# B"})
    assert any("2 pages listed, 1 left out (1 404 page)" in line for line in project.build(config))
    assert project.paths() == ["", "b/"]


def test_snippets_relative_to_the_page(mkdocs_project):
    pytest.importorskip("pymdownx")
    project = mkdocs_project(
        {"index.md": "# Home", "in/page.md": '# Page\n\n--8<-- "part.txt"\n', "in/part.txt": "text"},
        markdown_extensions=[{"pymdownx.snippets": {"base_path": "RELATIVE"}}],
    )
    settings = (project.root / "mkdocs.yml").read_text(encoding="utf-8")
    project.write({"mkdocs.yml": settings.replace("RELATIVE", "!relative")})
    project.commit("2020-01-01T00:00:00+00:00")
    project.write({"docs/in/part.txt": "another text"})
    project.commit("2024-01-01T00:00:00+00:00")
    project.build()
    assert [path for path, date in project.lastmods().items() if date[:4] == "2024"] == ["in/page/"]


@contextmanager
def served(project, arguments, path):
    """The address of a running ``serve`` and the file that it writes its messages to."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    output = project.root / "output"
    command = [sys.executable, "-m", HOST, "serve", "-a", address, *arguments]
    environ = os.environ | {"PATH": f"{path}{os.pathsep}{os.environ['PATH']}"}
    with (
        output.open("w") as stream,
        subprocess.Popen(command, cwd=project.root, env=environ, stdout=stream, stderr=stream) as server,
    ):
        try:
            while "Serving on" not in output.read_text():
                assert server.poll() is None, output.read_text()
                time.sleep(0.05)
            yield f"http://{address}/", output
        finally:
            server.terminate()


class TestServe:
    @pytest.mark.parametrize("arguments", [[], ["--clean"], ["--dirty"]])
    def test_writes_nothing_and_asks_git_nothing(self, mkdocs_project, monkeypatch, arguments):
        monkeypatch.setenv("READTHEDOCS", "True")  # the address of the server counts also there
        monkeypatch.setenv("READTHEDOCS_CANONICAL_URL", "https://x.readthedocs.io/en/latest/")
        monkeypatch.setenv("READTHEDOCS_VERSION", "1.2")
        project = mkdocs_project({"index.md": "# Home"}, options={"noindex_versions": "1.*"})
        project.commit("2024-01-02T03:04:05+00:00")
        git = project.root / "bin" / "git"
        project.write({"bin/git": '#!/bin/sh\necho "$@" >> "$(dirname "$0")/called"\n'})
        git.chmod(0o755)
        with served(project, arguments, path=git.parent) as (address, output):
            sitemap = urllib.request.urlopen(f"{address}sitemap.xml").read()
            assert b"sitemap-docs" not in sitemap
            assert b"<loc>" in sitemap
            assert b"noindex" not in urllib.request.urlopen(address).read()
            with pytest.raises(urllib.error.HTTPError):
                urllib.request.urlopen(f"{address}robots.txt")
        assert not (git.parent / "called").exists()
        assert "sitemap-docs" not in output.read_text()


def test_built_files_are_dated_by_what_mkdocs_copies_them_from(mkdocs_project):
    extra = ["*.pdf", {"loc": "tool/", "lastmod": "2020-02-02"}, "*.epub"]
    project = mkdocs_project(
        {"index.md": "# Home", "files/a b.pdf": "a", "b.pdf": "b"}, options={"extra_urls": extra}
    )
    project.commit("2024-01-01T00:00:00+00:00")
    project.write({"docs/b.pdf": "another b"})
    project.commit("2024-02-01T00:00:00+00:00")
    messages = project.build()
    assert project.lastmods() == {
        "": "2024-01-01T00:00:00+00:00",
        "b.pdf": "2024-02-01T00:00:00+00:00",
        "files/a%20b.pdf": "2024-01-01T00:00:00+00:00",
        "tool/": "2020-02-02",
    }
    assert [text for text in messages if "No built file matches '*.epub'" in text]


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({"not_in_nav": "loose.md\nsub/loose.md\n"}, id="not_in_nav"),
        pytest.param({"nav": [{"Home": "index.md"}, {"Sub": [{"A": "sub/a.md"}]}]}, id="nav"),
        pytest.param({"nav": [{"Sub": [{"A": "sub/a.md"}]}]}, id="nav without the home page"),
    ],
)
def test_pages_outside_the_navigation(mkdocs_project, settings):
    names = ("index.md", "loose.md", "sub/a.md", "sub/loose.md")
    project = mkdocs_project({name: f"# {name}" for name in names}, **settings)
    project.build()
    assert project.paths() == ["", "loose/", "sub/a/", "sub/loose/"]
    project.configure(options={"orphans": False})
    messages = project.build()
    assert project.paths() == ["", "sub/a/"]
    assert any("2 not in the navigation" in text for text in messages)
    project.configure(options={"orphans": False, "excludes": ["!loose/"]})
    project.build()
    assert project.paths() == ["", "loose/", "sub/a/"]


def test_a_plugin_that_is_listed_twice_runs_once(mkdocs_project):
    project = mkdocs_project({"index.md": "# Home"}, after=[{"sitemap-docs": {"max_urls": 10}}])
    messages = project.build()
    assert len([line for line in messages if " listed, " in line]) == 1
    assert [line for line in messages if "was specified multiple times" in line]
