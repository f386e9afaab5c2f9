"""The Sphinx extension in real builds: which pages, where, and when not."""

import re
import shutil
import subprocess
import sys
from itertools import chain
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytest.importorskip("sphinx")

import sphinx

from sitemap_docs.surroundings import user_cache
from tests.conftest import (
    BASE,
    SphinxProject,
    alternates,
    command,
    head_of,
    html_page,
    passed,
    read_the_docs,
    urlset,
)
from tests.manual.blocks import blocks

#: One of each kind that writes HTML, and some of the others.
OTHERS = ("epub", "singlehtml", "json", "htmlhelp", "changes", "latex", "text", "gettext", "linkcheck")


def canonicals(file: Path) -> list[str]:
    return [*head_of(file.read_bytes()).canonicals]


# --- the page set -------------------------------------------------------------------------------------------


COLLECT = """
def setup(app):
    app.connect('html-collect-pages', lambda app: [(name, {{}}, 'page.html') for name in {}])
"""


def test_extra_pages_are_remembered_until_they_are_gone(sphinx_project):
    """Also where one page is built alone; a document that is called like a generated page is a page."""
    project = sphinx_project("a", "genindex-notes", "_modules/real")
    names = ["_modules/real", "a", "blog/2024", "blog/2025", "genindex-notes", "index"]
    project.extend(COLLECT.format(["blog/2024", "blog/2025"]))
    for files in ((), ("a.rst",)):
        project.build("html", *files)
        assert project.paths() == [f"{name}.html" for name in names]
    project.extend(COLLECT.format(["blog/2025"]))
    project.write({"src/a.rst": project.page("a", "More.")})
    project.build()
    assert (project.out / "blog/2024.html").exists()
    names.remove("blog/2024")
    assert project.paths() == [f"{name}.html" for name in names]


def test_extra_pages_that_cannot_be_remembered_are_an_error_in_words(sphinx_project):
    project = sphinx_project("a")
    project.extend(COLLECT.format(["blog/2024"]))
    project.build()
    [file] = project.out.parent.rglob("sitemap-docs-*.json")
    file.unlink()
    file.mkdir()
    project.write({"src/a.rst": project.page("a", "More.")})
    failed = project.build(code=2)
    assert f"{file} cannot be written: Is a directory." in failed.warnings


#: A hook that writes a file into the output; the second blank is the expression of its text.
WRITTEN = """
def setup(app):
    def write(app, error):
        file = app.outdir / {!r}
        file.parent.mkdir(exist_ok=True)
        file.write_text({})
    app.connect("build-finished", write)
"""


def test_a_page_that_an_earlier_build_left(sphinx_project):
    """It is named where it is sure: no copy of a file, no page of a hook, none of another build.

    No glob matches the copy of its source.
    """
    project = sphinx_project("a", "gone", html_extra_path=["extra"], sitemap_extra_urls=["_sources/*.txt"])
    project.extend(WRITTEN.format("hook.html", "(app.outdir / 'index.html').read_text()"))
    first = project.build()
    page = (project.out / "gone.html").read_text()
    project.write({"src/extra/old.html": page, "out/other/searchindex.js": "", "out/other/b.html": page})
    (project.src / "gone.rst").unlink()
    project.write({"src/a.rst": project.page("a", "More.")})
    run = project.build()
    line = "The output folder has 1 page of an earlier build, such as gone.html"
    assert line in run.status
    assert line not in first.status
    assert project.paths() == ["_sources/a.rst.txt", "_sources/index.rst.txt", "a.html", "index.html"]
    explained = command("explain", project.out, "gone.html").out
    assert "left by an earlier build (delete it, or build into an empty folder)" in explained
    assert "gone.html" not in command("check", project.out).out
    shutil.rmtree(project.out)
    assert line not in project.build().status


def test_a_home_page_that_is_an_additional_page(sphinx_project):
    pages = {"index": "home.html"}
    project = sphinx_project("contents", templates_path=["_templates"], html_additional_pages=pages)
    project.configure(root_doc="contents")
    (project.src / "index.rst").unlink()
    project.commit("2024-05-01T00:00:00+00:00", {"src/_templates/home.html": '{% extends "layout.html" %}'})
    project.build("dirhtml")
    assert project.lastmods() == dict.fromkeys(["", "contents/"], "2024-05-01T00:00:00+00:00")


def test_excludes(sphinx_project):
    """By name and link; sources are no pages, and a head says noindex."""
    globs = ("b", "guide/c.html", "*.rst", "!search", "!genindex")
    project = sphinx_project("a", "b", "guide/c", "d", sitemap_excludes=globs)
    project.passes()
    assert project.paths() == ["a.html", "d.html", "genindex.html", "index.html"]


@pytest.mark.parametrize("way", ["head", "locales"])
def test_no_translation_is_a_page_that_is_left_out(sphinx_project, way):
    """One build has all languages, each in its folder. The command decides as the extension does."""
    project = sphinx_project("en/a", "de/a", "en/b", "de/b", "zh/b", sitemap_excludes=["zh/b*", "de/a*"])
    codes = ("en", "de", "zh")
    block = "".join(
        f'<link rel="alternate" hreflang="{code}" href="{BASE}{code}/{{{{ pagename[3:] }}}}.html">'
        for code in codes
    )
    if way == "head":
        layout = f'{{% extends "basic/layout.html" %}}{{% block extrahead %}}{block}{{% endblock %}}'
        project.write({"src/_templates/layout.html": layout})
        project.configure(templates_path=["_templates"])
    else:
        project.configure(sitemap_locales={code: f"{BASE}{code}/" for code in codes})
    project.build()
    expected = {"de": "de/b.html", "en": "en/b.html"}
    if way == "locales":
        expected["x-default"] = "en/b.html"
    by_extension = alternates(project.out / "sitemap.xml")
    assert by_extension == {"en/a.html": {}, "de/b.html": expected, "en/b.html": expected, "index.html": {}}
    passed("check", project.out, "--select", "hreflang-target-left-out")
    shutil.rmtree(user_cache())
    flags = ["--base-url", BASE, "--excludes", "zh/b*", "--excludes", "de/a*", "--lastmod", "none"]
    if way == "locales":
        flags += [word for code in codes for word in ("--locales", f"{code}={BASE}{code}/")]
    passed("build", project.out, *flags)
    assert alternates(project.out / "sitemap.xml") == by_extension


def test_files_of_the_project_that_are_copied(sphinx_project):
    """Not pages of the documentation, unless a pattern asks for them."""
    project = sphinx_project("a", html_extra_path=["extra"])
    page = "<html><head><title>Report</title></head></html>"
    project.extend(WRITTEN.format("api/index.html", repr(page)))
    moved = '<html><head><meta http-equiv="refresh" content="0; url=../a.html"></head></html>'
    project.write({"src/extra/javadoc/index.html": page, "src/extra/report.html": page})
    project.write({"src/extra/old.html": moved, "out/de/searchindex.js": "", "out/de/old.html": moved})
    project.commit("2024-01-01T00:00:00+00:00")
    run = project.passes()
    assert project.paths() == ["a.html", "index.html"]
    assert "6 left out (3 static files, 2 generated, 1 redirect)" in run.summary
    assert "such as api/index.html. The sitemap does not list them." in run.status
    assert "To list them, add this exception to sitemap_excludes: '!api/*'." in run.status
    project.configure(sitemap_excludes=["!javadoc/*", "!report.html", "!api/*"])
    assert "that Sphinx did not write" not in project.passes().status
    dated = "2024-01-01T00:00:00+00:00"
    paths = dict.fromkeys(["a.html", "index.html", "javadoc/index.html", "report.html"], dated)
    assert project.lastmods() == {**paths, "api/index.html": None}
    excludes = [("--excludes", glob) for glob in ("!javadoc/*", "!report.html", "!api/*")]
    without_record = ("--cache-dir", project.root / "other-cache")
    command("build", project.out, "--base-url", project.base, *chain.from_iterable(excludes), *without_record)
    assert project.paths() == [*sorted({*paths, "api/index.html"})], "The command has the same addresses."
    project.configure(html_extra_path=["extra"])
    project.build("dirhtml")
    assert "javadoc/" in project.paths()


@pytest.mark.parametrize("links", ["auto", "clean"])
def test_the_message_about_files_of_other_programs_counts_only_pages_that_are_left_out(
    sphinx_project: SphinxProject, links: str
) -> None:
    project = sphinx_project("a", root_doc="contents", sitemap_links=links)
    project.write({"src/contents.rst": project.page("Contents", "a"), "src/a.rst": project.page("A")})
    (project.root / "src/index.rst").unlink()
    foreign = html_page("<title>Home</title>")
    project.extend(WRITTEN.format("index.html", repr(foreign)))
    run = project.passes()
    assert "that Sphinx did not write" not in run.status
    paths = project.paths()
    assert paths == (["a.html", "contents.html", "index.html"] if links == "auto" else ["", "a", "contents"])
    project.extend(WRITTEN.format("api/index.html", repr(foreign)))
    run = project.passes()
    assert "has 1 HTML file that Sphinx did not write, such as api/index.html." in run.status
    assert project.paths() == paths


# --- when not -----------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning")  # their own
@pytest.mark.parametrize("builder", OTHERS)
def test_other_builders_hear_nothing(sphinx_project, builder, monkeypatch):
    read_the_docs(monkeypatch, "https://x.readthedocs.io/en/latest/")
    conf = {"epub_copyright": "x", "version": "1", "sitemap_exclude": "misspelled"}
    project = sphinx_project("a", html_baseurl=None, sitemap_page_dates=True, **conf)
    run = project.passes(builder)
    assert "sitemap" not in run.status + run.warnings
    assert not [*project.root.rglob("sitemap*"), *project.root.rglob("robots.txt")]
    pages = [file.read_text(errors="replace") for file in project.root.rglob("*.?html")]
    assert not any("readthedocs" in page for page in pages)


ADVICE = 'write html_baseurl = "https://docs.example.com/"'
NO_BASE = "no sitemap: no base URL"


@pytest.mark.parametrize(
    ("name", "value", "advised"),
    [
        pytest.param("html_baseurl", None, True, id="unset"),
        pytest.param("site_url", "", False, id="empty"),
        pytest.param("html_baseurl", "/", False, id="what Read the Docs documents"),
        pytest.param("site_url", "http://localhost:8000/", True, id="local"),
    ],
)
def test_without_a_base_one_line_of_information(sphinx_project, name, value, advised):
    project = sphinx_project("a", **{"html_baseurl": None, name: value})
    run = project.passes()
    assert run.warnings == ""
    assert run.summary.startswith(NO_BASE)
    local = "but http://localhost:8000/, which only this machine can reach" in run.summary
    assert (ADVICE in run.summary, local) == (advised, value == "http://localhost:8000/")
    assert run.status.count("sitemap-docs:") == 1
    assert not (project.out / "sitemap.xml").exists()


def test_without_a_base_the_sitemap_of_a_theme_is_not_denied(sphinx_project):
    project = sphinx_project("a", html_baseurl=None)
    project.extend(WRITTEN.format("sitemap.xml", "'<urlset/>'"))
    run = project.passes()
    assert all(part in run.summary for part in (NO_BASE, "existing sitemap.xml", ADVICE))
    assert (project.out / "sitemap.xml").read_text() == "<urlset/>"


def test_a_version_of_sphinx_that_is_too_old(sphinx_project, monkeypatch):
    monkeypatch.setattr("sphinx.version_info", (7, 3, 7, "final", 0))
    run = sphinx_project().build(code=2)
    assert "The sitemap_docs extension used by this project needs at least Sphinx v7.4" in run.warnings


def test_a_local_base_counts_on_the_command_line_alone(sphinx_project, monkeypatch):
    project = sphinx_project("a", html_baseurl="http://localhost:8000/")
    project.passes("html", "-D", "html_baseurl=http://127.0.0.1:8000/")
    assert project.locs() == ["http://127.0.0.1:8000/a.html", "http://127.0.0.1:8000/index.html"]
    read_the_docs(monkeypatch, "https://x.readthedocs.io/en/latest/")
    project.passes()
    assert project.locs()[0] == "https://x.readthedocs.io/en/latest/a.html"


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("html_baseurl", "https://user:word@example.org/", "The base URL 'https://***@example.org/' "),
        ("site_url", "https://docs.example.com/", "The host of the base URL https://docs.example.com/ is a"),
    ],
)
def test_a_base_that_is_none_of_a_site(sphinx_project, name, value, problem):
    """One warning, which a strict build has as information; what is no base URL gives no sitemap."""
    project = sphinx_project("a", **{"html_baseurl": None, name: value})
    run = project.build()
    assert run.warnings.count(f"`{name}` in conf.py: {problem}") == 1
    assert (project.out / "sitemap.xml").exists() != ("[sitemap_docs.base-url]" in run.warnings)
    strict = project.passes()
    assert strict.warnings == ""
    assert f"`{name}` in conf.py: " in strict.status


FAIL = """
def setup(app):
    app.connect('html-page-context', fail)
def fail(app, name, *_):
    if name == 'z':
        raise ValueError('on purpose')
"""


def test_a_failed_build_writes_nothing(sphinx_project):
    """Sphinx calls the handlers of build-finished also when it fails, with some of the pages rendered."""
    project = sphinx_project("a")
    project.build()
    before = (project.out / "sitemap.xml").read_bytes()
    project.write({"src/new.rst": project.page("new"), "src/z.rst": project.page("z")})
    project.extend(FAIL)
    run = project.build(code=2)
    assert "on purpose" in run.warnings
    assert "pages listed" not in run.status
    assert ((project.out / "new.html").exists(), (project.out / "z.html").exists()) == (True, False)
    assert (project.out / "sitemap.xml").read_bytes() == before
    project.configure(html_baseurl=None)
    assert "no sitemap" not in project.build(code=2).status


def test_a_preview_writes_nothing(sphinx_project, monkeypatch):
    base = "https://x--17.org.readthedocs.build/en/17/"
    read_the_docs(monkeypatch, base, _VERSION_TYPE="external")
    project = sphinx_project("a")
    assert "nothing written: a preview deployment" in project.passes().summary
    assert not (project.out / "sitemap.xml").exists()
    project.configure(html_baseurl=None)
    project.passes()
    assert canonicals(project.out / "a.html") == []
    project.configure(sitemap_previews=True)
    project.passes()
    assert [project.locs()[0]] == canonicals(project.out / "a.html") == [f"{base}a.html"]


# --- the base URL and the addresses -------------------------------------------------------------------------


def test_read_the_docs_names_the_base_for_canonical_links_too(sphinx_project, monkeypatch):
    """A changed base renders each page again, and the same base does not."""
    project = sphinx_project("a", html_baseurl="/")
    page = project.out / "a.html"
    project.build("html")
    assert canonicals(page) == ["/a.html"]
    for version in ("latest", "stable"):
        base = f"https://x.readthedocs.io/pt-br/{version}/"
        read_the_docs(monkeypatch, base)
        project.passes("html", "-D", "language=en")
        assert project.locs() == [base + "a.html", base + "index.html"]
        assert canonicals(page) == [base + "a.html"]
    stamp = page.stat().st_mtime_ns
    project.build("html")
    assert page.stat().st_mtime_ns == stamp
    assert not (project.out / "robots.txt").exists()


NAMES = ("a b", "é", "a&b", "it's", "per%41cent", "a#b", "a?b", "a+b", "a;b=c,d", "a~b")
NAMES += ("ü/index", "x/%25/index")


@pytest.mark.parametrize(
    ("builder", "conf", "rest"),
    [
        pytest.param("dirhtml", {}, "", id="dirhtml"),
        pytest.param("html", {"html_file_suffix": ".htm"}, "", id="file suffix"),
        pytest.param("html", {"html_link_suffix": ""}, ".html", id="link suffix"),
        pytest.param("bare", {}, ".html", id="a subclass of html"),
    ],
)
def test_loc_is_the_canonical_link_of_each_page(sphinx_project, monkeypatch, builder, conf, rest):
    """Unquoting it finds the file, as a web server does; ``rest`` is what the server adds."""
    project = sphinx_project(*NAMES, **conf)
    if builder == "bare":
        project.write({"code/own_builders.py": BUILDERS})
        project.configure(extensions=["sitemap_docs", "own_builders"])
        monkeypatch.syspath_prepend(project.root / "code")
        project.out = project.root / "out-bare"
    project.build(builder)
    locs = project.locs()
    assert len(locs) == len(NAMES) + 1
    rendered = {link for file in project.out.rglob("*.htm*") for link in canonicals(file)}
    assert set(locs) == {link for link in rendered if not link.startswith((GENINDEX, SEARCH))}
    for loc in locs:
        assert loc.isascii()
        file = project.out / (unquote(urlsplit(loc).path).lstrip("/") + rest * (loc[-1] != "/"))
        assert (file / "index.html" if loc[-1] == "/" else file).is_file()


GENINDEX, SEARCH = (f"https://docs.example.org/{name}" for name in ("genindex", "search"))
BUILDERS = """
from sphinx.builders.html import StandaloneHTMLBuilder
class Bare(StandaloneHTMLBuilder):
    name = 'bare'
    def get_target_uri(self, docname, typ=None):
        uri = super().get_target_uri(docname, typ).removesuffix('.html')
        return uri.removesuffix('index') if docname.endswith('/index') else uri
def setup(app):
    app.add_builder(Bare)
"""


CHOSEN = """
def setup(app):
    app.connect('html-page-context', choose)
def choose(app, name, template, context, doctree):
    context['pageurl'] = {'a': 'https://blog.example/a', 'b': None}.get(name, context['pageurl'])
"""


def test_a_canonical_link_that_somebody_chose_is_left_alone(sphinx_project):
    """A theme without any contradicts no scheme."""
    project = sphinx_project("a", "b")
    project.extend(CHOSEN)
    run = project.build()
    assert canonicals(project.out / "a.html") == ["https://blog.example/a"]
    assert canonicals(project.out / "b.html") == []
    assert project.paths() == ["b.html", "index.html"]
    assert "1 canonical elsewhere" in run.summary
    assert "The theme writes" not in run.status + run.warnings
    project.configure(sitemap_url_scheme="manual/{link}")
    assert "scheme-unconfirmed" in project.build().warnings
    project.extend(CHOSEN.replace("context['pageurl'])", "None)").replace("'https://blog.example/a'", "None"))
    assert "scheme-unconfirmed" not in project.build("html", "-a").warnings


GERMAN = "https://de.example.org/"


def test_a_host_that_redirects_the_addresses_of_the_builder_html(sphinx_project):
    """Cloudflare Pages: one line says so; then canonical link, hreflang and loc are spelled alike."""
    settings = {"language": "en", "sitemap_lastmod": "none", "sitemap_locales": {"de": GERMAN}}
    settings["sitemap_host"] = "cloudflare-pages"
    project = sphinx_project("a", "guide/index", **settings)
    assert "Cloudflare Pages redirects 3 listed addresses" in project.build().warnings
    assert "Pages redirects" not in project.build("dirhtml").warnings
    for links, paths in {"clean": ["", "a", "guide/"], "bare": ["", "a", "guide"]}.items():
        project.configure(sitemap_links=links, sitemap_check=True, **settings)
        run = project.build()
        assert run.warnings == ""
        assert project.paths() == paths
        sitemap = (project.out / "sitemap.xml").read_text("utf-8")
        assert all(f'hreflang="de" href="{GERMAN}{path}"' in sitemap for path in paths)
        for path, name in zip(paths, ("index", "a", "guide/index"), strict=True):
            page = (project.out / f"{name}.html").read_text("utf-8")
            assert f'rel="canonical" href="{project.base}{path}"' in page


# --- options, warnings, events ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "value", "named"),
    [
        ("priority", {"a": 2}, "`sitemap_priority` in conf.py"),
        ("page_dates", "%Y", "`sitemap_page_dates` in conf.py must be true or false"),
        ("check", {"severity": "loud"}, "`sitemap_check: severity` in conf.py must be"),
    ],
)
def test_an_option_that_does_not_fit_is_refused_before_the_build(sphinx_project, option, value, named):
    project = sphinx_project("a", **{f"sitemap_{option}": value})
    run = project.build(code=2)
    assert "Configuration error" in run.warnings
    before, _, after = run.warnings.partition(named)
    assert after
    assert "Versions\n====" not in before  # what Sphinx prints with each error since 8.2
    assert not (project.out / ("sitemap.xml" if option == "check" else "a.html")).exists()


def test_options_on_the_command_line(sphinx_project):
    """A generated page that is asked for passes the check of the build."""
    project = sphinx_project("a", "b", "c", sitemap_check={"select": ["utility-page-listed"]})
    options = ["sitemap_filename=map.xml", "sitemap_excludes=a,b,!genindex.html", "sitemap_indent=2"]
    options += ["sitemap_stylesheet=0", "sitemap_gzip=1", "sitemap_lastmod_dependencies=0"]
    project.passes("html", *(part for option in options for part in ("-D", option)))
    assert project.paths("map.xml") == ["c.html", "genindex.html", "index.html"]
    assert (project.out / "map.xml.gz").exists()
    assert "xml-stylesheet" not in (project.out / "map.xml").read_text()
    assert "\n  <url>\n    <loc>" in (project.out / "map.xml").read_text()


@pytest.mark.parametrize(
    ("value", "is_written"), [("false", False), ("0", False), ("True", True), ("auto", True)]
)
def test_a_switch_on_the_command_line_is_a_word_or_a_number(sphinx_project, value, is_written):
    project = sphinx_project()
    project.passes("html", "-D", f"sitemap_robots={value}")
    assert (project.out / "robots.txt").exists() == is_written


def test_warnings_name_the_page_and_can_be_silenced(sphinx_project):
    """One that fails a strict build is there once, and the sitemap with it."""
    project = sphinx_project("a")
    project.write({"src/b.rst": ":sitemap-priority: 7\n" + project.page("b")})
    run = project.build("html", "-W", code=1 if sphinx.version_info >= (8, 1) else 2)
    assert (run.status + run.warnings).count("must be a number") == 1
    assert re.search(r"b\.rst:(?: WARNING: )?sitemap-docs: `sitemap: priority: 7`", run.warnings)
    assert project.paths() == ["a.html", "b.html", "index.html"]
    for silenced in ("sitemap_docs", "sitemap_docs.*", "sitemap_docs.page-option"):
        project.configure(suppress_warnings=[silenced])
        project.passes()
    project.configure(suppress_warnings=[], version="1", sitemap_noindex_versions=["1"])
    assert "must be a number" in project.build().warnings, "also in a version without a sitemap"


@pytest.mark.parametrize(("extra", "options"), [("extra", ()), ("extra/sitemap.xml", ("-W", "--keep-going"))])
def test_a_sitemap_of_the_users_is_kept(sphinx_project, extra, options):
    project = sphinx_project("a", html_extra_path=[extra])
    own = urlset("https://docs.example.org/app/")
    project.write({"src/extra/sitemap.xml": own})
    run = project.build("html", *options)
    said = run.status if options else run.warnings
    assert f"{project.out / 'sitemap.xml'} exists and was not written" in said
    assert "such as https://docs.example.org/app/" in said
    assert "copies it from" in said
    assert run.summary.startswith("nothing written: the sitemap")
    assert (project.out / "sitemap.xml").read_text() == own
    project.configure(sitemap_replace=True)
    for _ in range(2):
        project.passes()
        assert project.paths() == ["a.html", "index.html"]


def test_options_that_sphinx_does_not_read_are_reported(sphinx_project):
    """A strict build goes on; the pages are listed. MyST warns of broken YAML itself."""
    pytest.importorskip("myst_parser")
    project = sphinx_project(extensions=["sitemap_docs", "myst_parser"])
    title = "=" * 9
    sources = {
        "late.rst": f":orphan:\n\n{title}\nA\n{title}\n\n:sitemap: false\n",
        "meta.rst": f":orphan:\n\n.. meta::\n   :sitemap: false\n\n{title}\nA\n{title}\n",
        "robots.rst": f":orphan:\n:robots: no-index\n\n{title}\nA\n{title}\n",
        "first.md": "\n---\nsitemap: false\n---\n\n# A\n",
        "toml.md": "+++\nsitemap = false\n+++\n\n# A\n",
    }
    fine = {
        "out.rst": f":orphan:\n\n:sitemap: false\n\n{title}\nA\n{title}\n",
        "code.rst": f":orphan:\n\n{title}\nA\n{title}\n\n::\n\n   :sitemap: false\n",
        "out2.md": "---\norphan: true\nsitemap: false\n---\n\n# A\n",
        "broken.md": "---\norphan: true\ntitle: a: b\nsitemap: false\n---\n\n# A\n",
    }
    toctree = "\n\n.. toctree::\n   :glob:\n\n   *\n"
    project.write({f"src/{name}": text for name, text in (sources | fine).items()})
    project.write({"src/index.rst": project.page("Home", toctree)})
    own = ["myst.topmatter", "myst.header", "docutils"]
    project.configure(suppress_warnings=own)
    for _ in range(2):  # the second builds nothing
        run = project.build()
        reported = [line for line in run.warnings.splitlines() if "[sitemap_docs.front-matter]" in line]
        assert [Path(line.partition(":")[0]).name for line in reported] == sorted(sources)
        names = [name.rpartition(".")[0] for name in sources] + ["code", "broken", "index"]
        assert project.paths() == sorted(f"{name}.html" for name in names)
    assert project.passes().status.count("[front-matter]") == len(sources)


def test_a_text_sitemap_of_ours_stops_no_build_without_the_record(sphinx_project, tmp_path, monkeypatch):
    """With a new base URL. It is not removed without the record, and the build says so."""
    project = sphinx_project("a", sitemap_formats=["text"])
    project.build()
    new = "https://new.example.org/docs/"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "of another machine"))
    project.configure(html_baseurl=new)
    project.passes()
    text = f"{new}a.html\n{new}index.html\n"
    assert (project.out / "sitemap.txt").read_text() == text
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "of a third machine"))
    project.configure(sitemap_formats=[])
    assert "sitemap.txt may come from an earlier build" in project.passes().status
    assert (project.out / "sitemap.txt").read_text() == text


@pytest.mark.parametrize(("base", "reported"), [("", True), ("de/", False)])
def test_a_language_in_a_folder_that_the_base_url_lacks(sphinx_project, base, reported):
    project = sphinx_project("a", html_baseurl=f"https://docs.example.org/{base}")
    project.out = project.out / "de"
    run = project.build("html", "-D", "language=de")
    assert ("[sitemap_docs.languages-share-address]" in run.warnings) == reported


# --- a version that search engines must not show ------------------------------------------------------------

PAGES = ("a.html", "genindex.html", "guide/b.html", "index.html", "search.html")


def hidden(project) -> list[str]:
    """The pages with a noindex in their head."""
    return [name for name in PAGES if head_of((project.out / name).read_bytes()).noindex]


@pytest.mark.filterwarnings("ignore")  # the themes' own
@pytest.mark.parametrize("name", ["furo", "pydata_sphinx_theme", "sphinx_rtd_theme"])
def test_each_theme_shows_it_on_every_page(sphinx_project, name):
    pytest.importorskip(name)
    project = sphinx_project("a", "guide/b", html_theme=name, version="1.2", sitemap_noindex_versions=["1.*"])
    run = project.passes()
    assert hidden(project) == [*PAGES]
    assert run.summary.endswith("(the option `noindex_versions` names 1.2)")


OWN_REDIRECT = """
def redirects(app):
    link = f'<link rel="x-redirect" href="{app.config.html_baseurl}/a.html">'
    yield "old", {"title": "Old", "body": link}, "page.html"

def setup(app):
    app.connect("html-collect-pages", redirects)
"""


@pytest.mark.filterwarnings("ignore")  # the themes' own
@pytest.mark.parametrize("builder", ["html", "dirhtml"])
@pytest.mark.parametrize("theme", ["basic", "furo", "pydata_sphinx_theme", "sphinx_rtd_theme"])
@pytest.mark.parametrize("base", [f"{BASE}en", "https://Docs.Example.org/en"])
def test_html_baseurl_stays_as_the_project_wrote_it(sphinx_project, builder, theme, base):
    """Other extensions read the value. Canonical links, of all themes, have the complete base URL."""
    if theme != "basic":
        pytest.importorskip(theme)
    project = sphinx_project("a", "guide/b c", html_theme=theme, html_baseurl=base)
    project.extend(OWN_REDIRECT)
    project.passes(builder)
    pages = {"html": ("a.html", "guide/b c.html"), "dirhtml": ("a/index.html", "guide/b c/index.html")}
    for name in (*pages[builder], "index.html"):
        path = name.removesuffix("index.html") if builder == "dirhtml" else name
        assert canonicals(project.out / name) == [f"{BASE}en/{path.replace(' ', '%20')}"]
    old = project.out / pages[builder][0].replace("a", "old", 1)
    assert f'rel="x-redirect" href="{base}/a.html"' in old.read_text()
    project.base = f"{BASE}en/"
    assert {"a.html", "a/"} & {*project.paths()}
    before = {file: file.read_bytes() for file in project.out.rglob("*.html")}
    project.passes(builder)
    assert {file: file.read_bytes() for file in project.out.rglob("*.html")} == before


def test_a_version_becomes_old_and_current_again(sphinx_project, monkeypatch):
    """Each page is rendered again, though none of the sources changed; what is ours of the sitemap goes.

    With the same globs, the platform may name another version in the next build.
    """
    settings = {"sitemap_formats": ["text"], "sitemap_gzip": "beside", "sitemap_max_urls": 2}
    project = sphinx_project("a", "guide/b", version="1.2", sitemap_noindex_versions=["0.*"], **settings)
    before = project.build()
    ours = {file.name for file in project.out.glob("sitemap*")}
    assert len(ours) > 4
    project.write({"out/sitemap-blog.xml": "<urlset/>"})
    lines = (project.out / "robots.txt").read_text()

    project.configure(sitemap_noindex_versions=["1.*"])
    old = project.build()
    assert hidden(project) == [*PAGES]
    assert old.summary.startswith("no sitemap: every page")
    assert "removed sitemap" in old.summary
    assert [file.name for file in project.out.glob("sitemap*")] == ["sitemap-blog.xml"]
    assert not (project.out / "robots.txt").exists()
    stamp = (project.out / "a.html").stat().st_mtime_ns
    project.build()
    assert (project.out / "a.html").stat().st_mtime_ns == stamp, "nothing changed"

    project.configure(sitemap_noindex_versions=["0.*"])
    assert project.build().summary == before.summary
    assert hidden(project) == ["search.html"]
    assert (project.out / "robots.txt").read_text() == lines
    assert {file.name for file in project.out.glob("sitemap*")} == {*ours, "sitemap-blog.xml"}

    project.configure(sitemap_noindex_versions=["*", "!stable"])
    for version in ("stable", "latest"):
        monkeypatch.setenv("READTHEDOCS_VERSION", version)
        monkeypatch.setenv("READTHEDOCS_VERSION_NAME", version)
        project.build()
        assert (hidden(project) == [*PAGES]) == (version == "latest")


@pytest.mark.parametrize(
    ("globs", "environ", "is_hidden"),
    [
        (["1.*"], {"READTHEDOCS_VERSION": "stable"}, False),
        (["v1/x"], {"READTHEDOCS_VERSION": "v1-x", "READTHEDOCS_VERSION_NAME": "v1/x"}, True),
        (["1.2.3"], {}, True),
        (["v1"], {"SPHINX_MULTIVERSION_NAME": "v1"}, True),
    ],
)
def test_which_version_is_built(sphinx_project, monkeypatch, globs, environ, is_hidden):
    """The platform comes first, with the name of a branch; then conf.py, with its release."""
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    project = sphinx_project("a", "guide/b", version="1.2", release="1.2.3", sitemap_noindex_versions=globs)
    project.build()
    assert (hidden(project) == [*PAGES]) == is_hidden
    assert (project.out / "sitemap.xml").exists() != is_hidden


@pytest.mark.parametrize("base", [BASE, None])
def test_a_noindex_for_the_version_of_conf_py_is_a_warning(sphinx_project, monkeypatch, base):
    """The globs of one platform match on every other machine, too."""
    globs = ["*", "!stable"]
    project = sphinx_project("a", version="1.2", html_baseurl=base, sitemap_noindex_versions=globs)
    rule = "[sitemap_docs.noindex-everywhere]"
    advice = 'os.environ.get("READTHEDOCS") == "True"'
    run = project.build()
    assert run.warnings.count(rule) == 1
    assert advice not in run.warnings
    project.write({".readthedocs.yaml": "version: 2\n"})
    assert advice in project.build().warnings
    run = project.passes()
    assert "noindex-everywhere" in run.status
    monkeypatch.setenv("READTHEDOCS_VERSION", "old")
    assert rule not in project.build().warnings
    monkeypatch.setenv("READTHEDOCS_VERSION", "stable")
    assert rule not in project.build().warnings


def test_the_recipe_of_the_manual_applies_on_the_platform_only(sphinx_project, monkeypatch):
    recipe = next(block.text for block in blocks("read-the-docs") if "sitemap_noindex" in block.text)
    project = sphinx_project("a", "guide/b", version="1.2")
    project.extend(recipe)
    assert "noindex" not in project.build().warnings
    assert hidden(project) == ["search.html"]
    for version in ("old", "stable", "latest"):
        read_the_docs(monkeypatch, f"{BASE}en/{version}/", _VERSION=version)
        project.build()
        assert (hidden(project) == [*PAGES]) == (version == "old")


def test_without_a_base_and_in_workers(sphinx_project):
    project = sphinx_project("a", "guide/b", version="1", html_baseurl=None, sitemap_noindex_versions=["1"])
    run = project.passes("html", "-j", "2")
    assert hidden(project) == [*PAGES]
    assert run.summary == "version 1 has no base URL, and all its pages have noindex"


def test_a_sitemap_of_the_project_stays(sphinx_project):
    project = sphinx_project("a", version="1", sitemap_noindex_versions=["1"], html_extra_path=["extra"])
    project.write({"src/extra/sitemap.xml": "<urlset/>"})
    project.build()
    assert (project.out / "sitemap.xml").read_text() == "<urlset/>"


# --- what Sphinx loads for every project that names the extension, whatever its builder ---------------------

LOADED = """
import sys
from itertools import chain
import sphinx.application, sphinx.builders.html, sphinx.builders.singlehtml
before = set(sys.modules)
import sitemap_docs.sphinx.extension
print(*sorted(set(sys.modules) - before))
import sitemap_docs.sphinx.events
print(*sys.modules)
"""


def test_each_stage_loads_no_more_than_it_needs():
    """What decides and writes is loaded by builds that render pages, the audit where `check` is set.

    No package that Sphinx does not need itself is loaded at first, and never what only commands and other
    hosts need: loading is most of what we cost a small build.
    """
    run = [sys.executable, "-c", LOADED]
    lines = subprocess.run(run, capture_output=True, text=True, check=True).stdout.splitlines()
    names, all_names = (line.split() for line in lines)
    rooms = {name.split(".")[1] for name in names if name.startswith("sitemap_docs.")}
    assert rooms == {
        "config",
        "linear",
        "model",
        "programs",
        "rules",
        "sphinx",
        "sphinx_rules",
        "text",
        "urls",
    }
    packages = {name.partition(".")[0] for name in names} - sys.stdlib_module_names
    assert packages == {"sitemap_docs"}
    assert {"click", "griffe", "httpx", "mkdocs", "yaml"}.isdisjoint(all_names)


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
@pytest.mark.parametrize(
    "other",
    [
        {},
        {"404.html": "<title>Not found</title>"},
        {"google123.html": "google-site-verification: google123.html"},
        {"google123.html": "<title>A page</title><p>Hello"},
    ],
    ids=["no HTML", "404", "verification", "page"],
)
def test_the_command_keeps_a_sitemap_whose_pages_it_cannot_read(sphinx_project, builder, other):
    """The extension writes files that end with ``.php``. The command reads only HTML."""
    project = sphinx_project("a", html_file_suffix=".php", html_copy_source=False)
    project.build(builder)
    files = ("sitemap.xml", "sitemap.css", "robots.txt")
    before = {name: (project.out / name).read_bytes() for name in files}
    for name, text in other.items():
        (project.out / name).write_text(text)
    without_record = ("--base-url", project.base, "--cache-dir", project.root / "other-cache")
    checked = command("check", project.out, *without_record)
    assert (checked.code, "pages-unread" in checked.out) == (1, True)
    build = ("build", project.out, *without_record)
    kept = command(*build)
    assert (kept.code, "Nothing was changed" in kept.err) == (2, True)
    assert {name: (project.out / name).read_bytes() for name in files} == before
    for page in project.out.rglob("*.php"):
        page.unlink()
    command(*build)  # no listed page is left
    sitemap = project.out / "sitemap.xml"
    assert not sitemap.exists() or sitemap.read_bytes() != before["sitemap.xml"]


def test_a_new_suffix_replaces_the_sitemap_of_pages_with_the_old_suffix(sphinx_project):
    """Sphinx leaves the old files in the output folder, and it knows its pages."""
    project = sphinx_project("a", html_file_suffix=".php")
    project.build()
    project.configure(html_file_suffix=".html")
    project.build("html", "-E")
    assert (project.out / "a.php").exists()
    assert f"{project.base}a.html" in (project.out / "sitemap.xml").read_text()
