"""The MkDocs plugin, in real builds."""

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

from tests.conftest import BASE, command, passed, read_the_docs, urlset, write

HOST = "mkdocs" if find_spec("mkdocs") else "properdocs"
Abort = pytest.importorskip(f"{HOST}.exceptions").Abort


def test_the_name_of_the_import_names_the_plugin_too(mkdocs_project):
    """A null is the default, and a hook may set options. Awesome-pages, behind us, warns of an `on_nav`."""
    hook = "def on_config(config):\n    plugin = config.plugins['sitemap_docs']\n"
    hook += "    plugin.config['excludes'] = ['a/']\n    assert not hasattr(plugin, 'on_nav')\n"
    options = {"excludes": None, "filename": None}
    project = mkdocs_project({"index.md": "# Home", "a.md": "# A"}, options=options, hooks=["hook.py"])
    written = (project.root / "mkdocs.yml").read_text()
    project.write({"hook.py": hook, "mkdocs.yml": written.replace("sitemap-docs", "sitemap_docs")})
    project.build()
    assert project.paths() == [""]


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
    project.commit("2024-01-02T03:04:05+00:00", {"hook.py": hook})
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
def test_without_a_base_one_line_of_information(mkdocs_project, site_url, base):
    project = mkdocs_project({"index.md": "# Home"}, site_url=site_url)
    for strict in (False, True):
        messages = project.build(strict=strict)
        assert not [line for line in messages if line.startswith("WARNING")]
        (line,) = [text for text in messages if text.startswith("INFO sitemap-docs:")]
        assert all(part in line for part in ("no sitemap: ", base, "sitemap.xml is kept"))
        assert ("In mkdocs.yml, write the address" in line) == (site_url != "")
    assert "sitemap-docs" not in project.read("sitemap.xml")
    assert not (project.site / "robots.txt").exists()


def test_without_a_base_in_a_project_of_read_the_docs(mkdocs_project):
    """An address as text would be that of one version, and the others would get no sitemap."""
    project = mkdocs_project({"index.md": "# Home"}, site_url=None)
    project.write({".readthedocs.yaml": "version: 2\n"})
    (line,) = [text for text in project.build() if text.startswith("INFO sitemap-docs:")]
    assert "Read the Docs sets the base URL" in line
    assert 'site_url: !ENV [READTHEDOCS_CANONICAL_URL, "https://docs.example.com/"]' in line
    assert "such as site_url" not in line


def test_read_the_docs_names_the_site(mkdocs_project, monkeypatch):
    """Also where the project names a local address; where it names none, see test_read_the_docs.py."""
    read_the_docs(monkeypatch, "https://x.readthedocs.io/en/latest/")
    project = mkdocs_project({"index.md": "# Home", "a.md": "# A"}, site_url="http://localhost:8000/")
    project.build()
    assert project.locs() == ["https://x.readthedocs.io/en/latest/", "https://x.readthedocs.io/en/latest/a/"]
    assert 'rel="canonical" href="https://x.readthedocs.io/en/latest/a/"' in project.read("a/index.html")


@pytest.mark.parametrize(("strict", "level"), [(False, "WARNING"), (True, "INFO")])
def test_a_base_that_is_none_of_a_site(mkdocs_project, strict, level):
    """What is no base URL gives no sitemap."""
    project = mkdocs_project({"index.md": "# Home"}, site_url="https://docs.example.com/")
    for site_url, said in (
        ("https://docs.example.com/", "The host of the base URL https://docs.example.com/ is a placeholder"),
        ("https://user:pass@docs.example.org/", "The base URL 'https://***@docs.example.org/' must not"),
    ):
        project.configure(site_url=site_url)
        messages = project.build(strict=strict)
        start = f"{level} sitemap-docs: `site_url` in mkdocs.yml: {said}"
        assert len([line for line in messages if line.startswith(start)]) == 1
    assert "sitemap-docs" not in project.read("sitemap.xml")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        pytest.param({"exclude": ["a"]}, "Did you mean `excludes`?", id="unknown"),
        pytest.param({"sitemap_excludes": ["a"]}, "Did you mean `excludes`?", id="of conf.py"),
        pytest.param({"base_url": "https://e.org"}, "is the setting `site_url` of mkdocs.yml", id="of TOML"),
        pytest.param({"url_scheme": "en/{link}"}, "`url_scheme` is for Sphinx only", id="not of this host"),
        pytest.param(
            {"source": ["docs"]},
            "The option `source` is for the command `sitemap-docs build` only. Remove it here. If you",
            id="of the command",
        ),
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


TWICE = """
plugins:
  - sitemap-docs:
      excludes: [a]
      check:
        select: [robots]
        select: [title-missing]
      excludes: [b]
"""


@pytest.mark.parametrize("inherits", [False, True])
def test_options_that_are_set_twice_are_told_before_the_build(tmp_path, inherits):
    name = "base.yml" if inherits else "mkdocs.yml"
    write(
        tmp_path, {"docs/index.md": "# A", "mkdocs.yml": "INHERIT: base.yml\n", name: f"site_name: A{TWICE}"}
    )
    done = subprocess.run(
        [sys.executable, "-m", HOST, "build"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1
    assert f"{name} has the option `excludes` twice, in lines 4 and 8" in done.stderr
    assert f"{name} has the option `check: select` twice, in lines 6 and 7" in done.stderr
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize(
    ("excludes", "listed"),
    [
        (["api/a*", "api/c.md", "b"], ["", "d/"]),
        (["!*.html"], ["", "404.html", "api/a/", "api/c/", "b/", "d/", "s.html"]),
    ],
)
def test_excludes(mkdocs_project, excludes, listed):
    """By address, by source, and as Sphinx names it. A home page that is written by hand is listed."""
    html = "<!doctype html><html><head><title>Static</title></head><body></body></html>"
    pages = dict.fromkeys(("b.md", "api/a.md", "api/c.md", "d.md"), "# A")
    pages |= dict.fromkeys(("index.html", "s.html"), html)
    project = mkdocs_project(pages, options={"excludes": excludes})
    project.build()
    assert project.paths() == listed


LISTED_ANYWAY = {
    "colon.md": "---\ntitle: a: b\nsitemap: false\n---\n# A\n",
    "closed.md": "---\nsitemap: false\n\n# A\n",
    "first.md": " ---\nsitemap: false\n---\n# A\n",
    "toml.md": "+++\nsitemap = false\n+++\n# A\n",
    "robots.md": "---\nrobots: no-index\n---\n# A\n",
}


@pytest.mark.parametrize(("strict", "dirty"), [(False, False), (True, False), (False, True)])
def test_options_that_mkdocs_does_not_read_are_reported(mkdocs_project, strict, dirty):
    """A strict build goes on. A horizontal line and what is read are not reported."""
    fine = {"index.md": "---\n\n# Home\n\nText.\n", "out.md": "---\nsitemap: false\n---\n# A\n"}
    project = mkdocs_project(LISTED_ANYWAY | fine, use_directory_urls=False)
    if dirty:
        project.build()
    messages = project.build(strict=strict, dirty=dirty)
    level = "INFO" if strict else "WARNING"
    reported = [message for message in messages if message.endswith("[front-matter]")]
    assert [message.split(":")[1] for message in sorted(reported)] == [
        f" {name}" for name in sorted(LISTED_ANYWAY)
    ]
    assert all(message.startswith(f"{level} sitemap-docs: ") for message in reported)
    pages = [name.replace(".md", ".html") for name in LISTED_ANYWAY]
    assert project.paths() == sorted(["index.html", *pages])


def test_the_error_of_a_hook_goes_on(mkdocs_project):
    project = mkdocs_project({"index.md": "# Home"}, hooks=["hook.py"])
    project.write({"hook.py": "def sitemap_entry(entry, *, page, config):\n    open('no such data')\n"})
    with pytest.raises(FileNotFoundError):
        project.build()


#: A sitemap that MkDocs replaces, a template that lists no page, and a noindex that no theme renders.
WARNED = {
    "docs/sitemap.xml is your own": {"docs/sitemap.xml": "<urlset>"},
    "theme/sitemap.xml is not used": {"theme/sitemap.xml": "<urlset>"},
    "3 pages": dict.fromkeys(("docs/a.md", "docs/b.md", "docs/c.md"), "---\nrobots: noindex\n---\n"),
}


@pytest.mark.parametrize("said", WARNED)
def test_one_warning_that_a_strict_build_has_as_information(mkdocs_project, said):
    theme = {"name": "mkdocs", "custom_dir": "theme"}
    project = mkdocs_project({"index.md": "# Home"}, theme=theme)
    project.commit("2024-01-02T03:04:05+00:00", {"theme/x.css": "", **WARNED[said]})
    (warning,) = (line for line in project.build() if line.startswith("WARNING"))
    assert said in warning
    assert project.paths() == [""]
    assert not [line for line in project.build(strict=True) if line.startswith("WARNING")]
    if "your own" in said:
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
    private = "---\nprivate: true\n---\n# C"
    pages = {"index.md": "# Home", "a.md": "# A", "draft-b.md": "# B", "c.md": private}
    project = mkdocs_project(
        {**pages, "d.md": private.replace("private", "sitemap: true\nprivate")},
        options={"extra_urls": ["tool/"]},
        theme={"name": "mkdocs", "custom_dir": "overrides"},
        use_directory_urls=use_directory_urls,
    )
    project.write({"overrides/sitemap.xml": TEMPLATE})
    dated = "2024-01-02T03:04:05+00:00"
    project.commit(dated)
    home, end = ("", "/") if use_directory_urls else ("index.html", ".html")
    for strict, dirty in ((False, False), (True, False), (False, True)):
        messages = project.build(strict=strict, dirty=dirty)
        expected = {home: dated, f"a{end}": dated, f"d{end}": dated, "app/?a=1&b=2": None, "tool/": None}
        assert project.lastmods() == expected
        assert not [line for line in messages if line.startswith("WARNING sitemap-docs")]
        said = "and 1 address that it adds."
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
    project.commit("2024-01-02T03:04:05+00:00", {"overrides/sitemap.xml": named})
    messages = project.build()
    assert project.paths() == ["", "404.html", "report.html"]
    assert [line for line in messages if "and 2 addresses that it adds." in line]


def test_a_copied_file_that_redirects_is_a_redirect_in_each_door(mkdocs_project):
    """The plugin and the command give the same reason for it; another copied file is a static file."""
    moved = '<html><head><meta http-equiv="refresh" content="0; url=a/"></head></html>'
    report = "<html><head><title>Report</title></head></html>"
    pages = {"index.md": "# Home", "a.md": "# A", "old.html": moved, "report.html": report}
    project = mkdocs_project(pages)
    project.build()

    def reasons() -> dict[str, str]:
        names = ("old.html", "report.html")
        return {name: command("explain", project.site, name, "--json").data["reason"] for name in names}

    by_plugin = reasons()
    assert by_plugin == {"old.html": "redirect", "report.html": "static file"}
    passed("build", project.site, "--generator-config", project.root / "mkdocs.yml")
    assert reasons() == by_plugin


def test_mkdocs_own_sitemap_stays_under_another_name_or_disabled(mkdocs_project):
    project = mkdocs_project({"index.md": "# Home"}, options={"filename": "pages.xml"})
    project.build()
    assert project.paths("pages.xml") == [""]
    assert "sitemap-docs" not in project.read("sitemap.xml")
    project.configure(options={"enabled": False})
    messages = project.build(strict=True)
    assert [line for line in messages if "`enabled` is false" in line] == [
        "INFO sitemap-docs: `enabled` is false, so this build writes no sitemap, and the host writes its own"
    ]
    assert "<!-- sitemap-docs" not in project.read("sitemap.xml")
    assert "<loc>https://docs.example.org/</loc>" in project.read("sitemap.xml")
    assert not (project.site / "robots.txt").exists()


def test_a_site_url_of_another_version(mkdocs_project, monkeypatch):
    """The canonical links of all versions on Read the Docs lead to one: the others have no sitemap."""
    read_the_docs(monkeypatch, f"{BASE}en/latest/", _VERSION="latest")
    project = mkdocs_project({"index.md": "# Home"}, site_url=f"{BASE}en/stable/")
    messages = project.build(strict=True)
    (line,) = [text for text in messages if text.startswith(("INFO sitemap-docs", "WARNING"))]
    parts = ("nothing written", f"below {BASE}en/latest/ lead to {BASE}en/stable/", "sitemap.xml is kept")
    assert all(part in line for part in ("INFO", *parts, "The built-in sitemap.xml is kept"))
    assert "sitemap-docs" not in project.read("sitemap.xml")


def test_failed_build_leaves_no_state_behind(mkdocs_project):
    project = mkdocs_project({"index.md": "# Home", "a.md": "# A"}, hooks=["hook.py"])
    project.write({"hook.py": "def on_nav(nav, **_):\n    raise RuntimeError('once')\n"})
    config = project.config()
    with pytest.raises(RuntimeError):
        project.build(config)
    config.plugins.events["nav"].clear()
    (project.docs / "a.md").rename(project.docs / "b.md")
    assert any("2 pages listed, 1 left out (1 404 page)" in line for line in project.build(config))
    assert project.paths() == ["", "b/"]


def test_snippets_relative_to_the_page(mkdocs_project):
    pytest.importorskip("pymdownx")
    project = mkdocs_project(
        {"index.md": "# Home", "in/page.md": '# Page\n\n--8<-- "part.txt"\n', "in/part.txt": "text"},
        markdown_extensions=[{"pymdownx.snippets": {"base_path": "RELATIVE"}}],
    )
    settings = (project.root / "mkdocs.yml").read_text(encoding="utf-8")
    project.commit("2020-01-01T00:00:00+00:00", {"mkdocs.yml": settings.replace("RELATIVE", "!relative")})
    project.commit("2024-01-01T00:00:00+00:00", {"docs/in/part.txt": "another text"})
    project.build()
    assert [path for path, date in project.lastmods().items() if date[:4] == "2024"] == ["in/page/"]


@contextmanager
def served(project):
    """The address of a running ``serve`` and the file that it writes its messages to."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    output = project.root / "output"
    command = [sys.executable, "-m", HOST, "serve", "-a", address, "--clean"]
    with (
        output.open("w") as stream,
        subprocess.Popen(command, cwd=project.root, stdout=stream, stderr=stream) as server,
    ):
        try:
            while "Serving on" not in output.read_text():
                assert server.poll() is None, output.read_text()
                time.sleep(0.05)
            yield f"http://{address}/", output
        finally:
            server.terminate()


def test_serve_writes_nothing_and_asks_git_nothing(mkdocs_project, monkeypatch):
    """With ``--clean``, which says "build" to plugins in MkDocs 1.6; also on Read the Docs."""
    read_the_docs(monkeypatch, "https://x.readthedocs.io/en/latest/", _VERSION="1.2")
    project = mkdocs_project({"index.md": "# Home"}, options={"noindex_versions": "1.*"})
    project.commit("2024-01-02T03:04:05+00:00")
    git = project.root / "bin" / "git"
    project.write({"bin/git": '#!/bin/sh\necho "$@" >> "$(dirname "$0")/called"\n'})
    git.chmod(0o755)
    monkeypatch.setenv("PATH", str(git.parent), prepend=os.pathsep)
    with served(project) as (address, output):
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
    project.commit("2024-02-01T00:00:00+00:00", {"docs/b.pdf": "another b"})
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
