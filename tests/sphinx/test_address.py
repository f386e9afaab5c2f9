"""Settings of sphinx-sitemap's users, each built with ours."""

import re
import shutil
import sys
from typing import NamedTuple

import pytest

pytest.importorskip("sphinx")
pytest.importorskip("sphinx_sitemap")

from sitemap_docs.history.date_cache import DATES
from sitemap_docs.surroundings import user_cache
from tests.conftest import (
    BASE,
    SphinxProject,
    command,
    git,
    head_of,
    passed,
    read_the_docs,
    sphinx_build,
    urlset,
)
from tests.manual.blocks import blocks

pytestmark = pytest.mark.filterwarnings("ignore:.*is deprecated.*")  # sphinx-sitemap 2.9 uses env.app

PAGES = ("a", "b", "guide/index", "guide/c")


class Setting(NamedTuple):
    """A conf.py, its builder, and the address of the build on Read the Docs, if it runs there.

    ``base`` is where our sitemap and the canonical links have the pages; ``""`` where a sitemap cannot be
    written. ``rules`` are the types of the warnings. Each build passes with ``-W``.
    """

    conf: str
    base: str
    builder: str = "html"
    canonical_url: str = ""
    rules: tuple[str, ...] = ()
    filename: str = "sitemap.xml"


SCHEME = ("scheme-unconfirmed",)
LOCALES = ("locales-unused",)
MOVED = (*LOCALES, "addresses-moved")
PLATFORM = ("base-from-platform",)
EXTRA = ("extra-sitemaps-unused",)
HOSTED, ON_DOMAIN = "https://x.readthedocs.io/en/latest/", f"{BASE}en/latest/"

SETTINGS = [
    Setting(
        'html_baseurl="https://ubuntu.com/desktop/docs/en/latest/"; sitemap_url_scheme="{link}"; '
        'sitemap_show_lastmod=True; sitemap_excludes=["404/","genindex/","search/","_tags/","en"]',
        "https://ubuntu.com/desktop/docs/en/latest/",
        "dirhtml",
        "https://ubuntu.com/desktop/docs/en/latest/",
    ),
    Setting(
        'html_baseurl="https://f.github.io/tenstorrent-sandbox/"; sitemap_filename="sitemap_core.xml"; '
        'sitemap_locales=[None]; sitemap_url_scheme="{link}"',
        "https://f.github.io/tenstorrent-sandbox/",
        filename="sitemap_core.xml",
    ),
    Setting(
        'rtd_version=""; site_url="https://causalpy.readthedocs.io/"; '
        'sitemap_url_scheme=f"{{lang}}{rtd_version}/{{link}}"; language="en"',
        "https://causalpy.readthedocs.io/en/",
        rules=SCHEME,
    ),
    Setting(
        'sitemap_locales=["en"]; html_baseurl="https://kafka-connect-api.readthedocs.io/"; version="0.6"',
        "https://kafka-connect-api.readthedocs.io/en/latest/",
        canonical_url="https://kafka-connect-api.readthedocs.io/en/latest/",
        rules=(*PLATFORM, *LOCALES),
    ),
    Setting(
        'language="en"; html_baseurl="https://jose.authlib.org/en/"; site_url="https://jose.authlib.org/"; '
        'sitemap_url_scheme="{lang}{link}"; sitemap_filename="../sitemap.xml"; sitemap_locales=[]',
        "https://jose.authlib.org/en/",
        "dirhtml",
        filename="../sitemap.xml",
    ),
    Setting(
        'language="pt_BR"; html_baseurl="https://docs.example.org"; '
        'sitemap_url_scheme="/{lang}latest/{link}"',
        "https://docs.example.org/pt-br/latest/",
        canonical_url="https://docs.example.org/pt-br/latest/",
    ),
    Setting('sitemap_url_scheme="en/latest/{link}"', ON_DOMAIN, "html", ON_DOMAIN, ("scheme-unused",)),
    Setting(f'sitemap_extra_sitemaps=["{ON_DOMAIN}x.xml"]', ON_DOMAIN, "html", ON_DOMAIN, EXTRA),
    # Former addresses of Read the Docs, one that was copied, those of before a domain and before https.
    Setting('html_baseurl="https://x.readthedocs.org/en/latest/"', HOSTED, "html", HOSTED, PLATFORM),
    Setting('html_baseurl="https://y.readthedocs.io/"', HOSTED, "html", HOSTED, PLATFORM),
    Setting('html_baseurl="http://docs.example.org/en/latest/"', ON_DOMAIN, "html", ON_DOMAIN, PLATFORM),
    Setting(f'html_baseurl="{BASE}"', BASE, "html", HOSTED, ("base-off-platform",)),
    Setting(f'html_baseurl="{BASE}"; site_url="https://old.example.org/"', BASE, rules=("two-base-urls",)),
]


@pytest.fixture
def switch(sphinx_project, monkeypatch):
    """Call it with a conf.py, and with the address on Read the Docs of a build there."""

    def make(conf: str, canonical_url: str = "") -> SphinxProject:
        if canonical_url:
            read_the_docs(monkeypatch, canonical_url, _VERSION="latest")
        project = sphinx_project(*PAGES, html_baseurl=None)
        project.commit("2024-01-01T00:00:00+00:00")
        project.extend(f"import os\n{conf}\n")
        return project

    return make


LINKS = {
    "html": ["a.html", "b.html", "guide/c.html", "guide/index.html", "index.html"],
    "dirhtml": ["", "a/", "b/", "guide/", "guide/c/"],
}


def rules(warnings: str) -> tuple[str, ...]:
    """The types of our warnings, in their order."""
    return tuple(re.findall(r"\[sitemap_docs\.([a-z-]+)\]", warnings))


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.base or setting.conf)
def test_a_public_setting(switch, setting):
    project = switch(setting.conf, setting.canonical_url)
    project.base = setting.base
    run = project.build(setting.builder)
    assert rules(run.warnings) == setting.rules
    assert project.paths(setting.filename) == LINKS[setting.builder]
    page = {"html": "a.html", "dirhtml": "a/"}[setting.builder]
    linked = canonical(project, page.replace("/", "/index.html"))
    assert (linked == setting.base + page) is (SCHEME[0] not in setting.rules)
    if setting.canonical_url:  # which differs in every version
        assert 'html_baseurl = "' not in run.status + run.warnings


# --- what was seen, by cause --------------------------------------------------------------------------------


def canonical(project: SphinxProject, name: str = "a.html") -> str:
    return head_of((project.out / name).read_bytes()).canonicals[0]


def test_the_line_for_a_reverse_proxy_silences_the_warning_about_the_platform(switch):
    conf = f'html_baseurl="{BASE}"\n'
    project = switch(conf, HOSTED)
    line = re.search(r"write (sitemap_ignore = \[.*?\])", project.build().warnings)
    project.extend(conf + line[1])
    again = project.build()
    assert rules(again.warnings) == ()
    assert "base-off-platform" not in again.status
    assert canonical(project) == f"{BASE}a.html"


@pytest.mark.parametrize("base", [f"{BASE}en/stable/", f"{BASE}fr/latest/"])
def test_a_base_of_another_version_gives_no_sitemap(switch, base):
    project = switch(f'html_baseurl="{base}"', canonical_url=f"{BASE}en/latest/")
    run = project.build()
    assert rules(run.warnings) == ()
    line = f"nothing written: the canonical links of the pages below {BASE}en/latest/ lead to {base}"
    assert run.summary == line
    assert run.status.index("dumping search index") < run.status.index(line)
    assert canonical(project) == f"{base}a.html"
    assert not (project.out / "sitemap.xml").exists()


THEME = """
html_theme = "own"
html_theme_path = ["themes"]
html_theme_options = {"canonical_url": "CANONICAL"}
"""
OWN_LAYOUT = """{% extends "basic/layout.html" %}
{% block extrahead %}{{ super() }}
<link rel="canonical" href="{{ theme_canonical_url }}{{ pagename }}.html">{% endblock %}"""
OWN_THEME = "[theme]\ninherit = basic\nstylesheet = basic.css\n[options]\ncanonical_url =\n"


@pytest.mark.parametrize(
    ("url", "baseurl", "outcome"),
    [
        pytest.param(f"{BASE}en/latest/", "", "5 pages listed", id="no base"),
        pytest.param(f"{BASE}en/latest/", f'html_baseurl="{BASE}"', "5 pages listed", id="a wrong base"),
        pytest.param(f"{BASE}en/stable/", "", "nothing written: the canonical links of", id="stable"),
    ],
)
def test_the_canonical_link_of_a_theme_decides(switch, url, baseurl, outcome):
    project = switch(THEME.replace("CANONICAL", url) + baseurl, canonical_url=f"{BASE}en/latest/")
    project.write({"src/themes/own/theme.conf": OWN_THEME, "src/themes/own/layout.html": OWN_LAYOUT})
    run = project.build()
    assert run.summary.startswith(outcome)
    links = head_of((project.out / "a.html").read_bytes()).canonicals
    assert [link for link in links if not link.startswith(f"{BASE}a")] == [f"{url}a.html"]
    assert len(links) == 1 + bool(baseurl)


def test_a_theme_whose_canonical_links_are_wrong_is_named_once(switch):
    project = switch(THEME.replace("CANONICAL", f"{BASE}en/latest/"), canonical_url=f"{BASE}en/latest/")
    layout = OWN_LAYOUT.replace("{{ pagename }}", "{{ 'b' if pagename == 'a' else pagename }}")
    project.write({"src/themes/own/theme.conf": OWN_THEME, "src/themes/own/layout.html": layout})
    run = project.build()
    assert rules(run.warnings) == ("theme-canonical",)
    assert '`html_theme_options["canonical_url"]`' in run.warnings
    assert project.paths() == [f"en/latest/{name}" for name in LINKS["html"][1:]]


# --- the page that is rendered on trial, to see what its theme writes ---------------------------------------

#: A handler that runs after ours: ``late`` is known only then.
LATE = """
def setup(app):
    def late(app, name, template, context, doctree):
        context["late"] = lambda: "late"
    app.connect("html-page-context", late, 950)
"""
SURROGATE = """
def setup(app):
    def tags(app, name, template, context, doctree):
        context["metatags"] = "<!-- \\udce4 -->"
    app.connect("html-page-context", tags)
"""


def on_trial(switch, code: str, block: str) -> SphinxProject:
    """A project whose canonical links the platform corrects, with a block of its own in the head."""
    project = switch(f'html_baseurl="{BASE}"; templates_path=["_templates"]\n{code}', f"{BASE}en/latest/")
    layout = f'{{% extends "basic/layout.html" %}}{{% block extrahead %}}{block}{{% endblock %}}'
    project.write({"src/_templates/layout.html": layout})
    return project


def test_an_error_in_a_template_of_the_project_is_reported_as_without_us(switch):
    project = on_trial(switch, "", "{{ nothing.of.that.name }}")
    with_us = project.build(code=2).warnings
    project.configure(extensions=[])
    without_us = project.build(code=2).warnings
    line = "An error happened in rendering the page"
    for warnings in (with_us, without_us):
        assert line in warnings
        assert "'nothing' is undefined" in warnings
        assert "sitemap_docs.sphinx" not in warnings
        assert "xtension error" not in warnings


@pytest.mark.parametrize(("code", "block"), [(LATE, "{{ late() }}"), (SURROGATE, "")])
def test_a_page_that_only_the_trial_cannot_render(switch, code, block):
    project = on_trial(switch, code, block)
    run = project.build()
    assert rules(run.warnings) == PLATFORM
    assert canonical(project) == f"{BASE}en/latest/a.html"
    assert project.paths() == [f"en/latest/{name}" for name in LINKS["html"]]


@pytest.mark.parametrize(
    ("conf", "hrefs", "reported"),
    [
        pytest.param('sitemap_locales=["en"]', [], MOVED, id="its own language"),
        pytest.param('sitemap_locales=["en", "de"]', [], MOVED, id="no language to derive from"),
        pytest.param('sitemap_locales=["english"]', [], MOVED, id="no language"),
        pytest.param(
            'sitemap_locales=["en", "pt_BR"]; sitemap_url_scheme="{lang}{link}"',
            [f"{BASE}en/a.html", f"{BASE}pt_BR/a.html", f"{BASE}en/a.html"],
            SCHEME,
            id="in the scheme",
        ),
    ],
)
def test_locales_as_a_list(switch, conf, hrefs, reported):
    project = switch(f'html_baseurl="{BASE}"; language="en"; {conf}')
    assert rules(project.build().warnings) == reported
    text = (project.out / "sitemap.xml").read_text(encoding="utf-8")
    assert re.findall(r'hreflang="[^"]*" href="([^"]*/a\.html)"', text) == hrefs


@pytest.mark.parametrize("link", ["{link}", "{lang}{link}"])
def test_a_list_of_the_only_language_is_to_be_removed(switch, link):
    """A mapping to addresses is no advice for a site that has one language."""
    conf = f'html_baseurl="{BASE}"; language="en"; sitemap_locales=["en"]; sitemap_url_scheme="{link}"'
    project = switch(conf)
    (line,) = (line for line in project.build().warnings.splitlines() if "locales-unused" in line)
    assert "contains only the language of this build, en. Remove the setting" in line


def test_a_code_that_no_language_has(switch):
    locales = f'{{"en-UK": "{BASE}", "jp": "https://jp.example.org/"}}'
    project = switch(f'html_baseurl="{BASE}"; language="en_GB"; sitemap_locales={locales}')
    run = project.build()
    assert rules(run.warnings) == ("language-code",)
    assert "en-GB for en-UK, ja for jp" in run.warnings
    text = (project.out / "sitemap.xml").read_text(encoding="utf-8")
    assert set(re.findall(r'hreflang="([^"]*)"', text)) == {"en-GB", "ja", "x-default"}
    done = command("check", project.out)
    assert done.code == 0, done.out


@pytest.mark.parametrize("name", ["_static/map.xml", "../map.xml"])
def test_a_sitemap_where_it_may_list_no_page(switch, name):
    project = switch(f'html_baseurl="{BASE}"; sitemap_filename="{name}"')
    assert rules(project.build().warnings) == ("filename-out-of-scope",)
    assert project.paths("map.xml") == LINKS["html"]


def test_values_that_only_sphinx_sitemap_takes(switch):
    conf = 'sitemap_indent="two"; sitemap_filename="/srv/sitemap.xml"; sitemap_url_scheme="{lang}"'
    project = switch(f'html_baseurl="{BASE}"; {conf}; sitemap_show_lastmod=False')
    run = project.build()
    assert rules(run.warnings) == ("option-unused",) * 3
    assert "`sitemap_filename`" in run.warnings
    assert "must be a text that ends in {link}" in run.warnings
    assert project.lastmods() == dict.fromkeys(LINKS["html"])


FOOTER = f'html_baseurl="{BASE}"; sitemap_show_lastmod=True; html_last_updated_fmt="%Y-%m-%d"'
THEIRS = "sphinx_last_updated_by_git"


@pytest.mark.filterwarnings("ignore")  # of the other extension
@pytest.mark.parametrize(
    "conf",
    [
        pytest.param(f'html_baseurl="{BASE}"; extensions.append("{THEIRS}")', id="the extension alone"),
        pytest.param(f"{FOOTER}; extensions.append('{THEIRS}')", id="with options of sphinx-sitemap"),
        pytest.param(f"{FOOTER}; git_exclude_commits=[]", id="with an option of the extension"),
    ],
)
def test_dates_that_another_extension_shows(switch, conf):
    """The other extension goes on. One line says how to replace it, in the build and in the check."""
    pytest.importorskip(THEIRS)
    project = switch(conf)
    git(project.root, "switch", "-qc", "side")
    (project.src / "a.rst").write_text(project.page("a", "More."))
    git(project.root, "commit", "-qam", "A change", date="2024-02-01T00:00:00+00:00")
    git(project.root, "switch", "-q", "-")
    (project.src / "b.rst").write_text(project.page("b", "More."))
    git(project.root, "commit", "-qam", "A change", date="2024-02-02T00:00:00+00:00")
    git(project.root, "merge", "-q", "--no-ff", "-m", "A merge", "side", date="2024-06-01T00:00:00+00:00")
    run = project.build("html", "-W")
    (line,) = [line for line in run.status.splitlines() if "[footer-dates]" in line]
    assert THEIRS in line
    assert "`sitemap_page_dates = True`" in line
    assert ("git_exclude_commits: list the commits" in line) == ("git_exclude" in conf)
    assert "2024-06-01" in (project.out / "a.html").read_text("utf-8")  # as that extension dates merges
    assert "2024-02-01" in project.lastmods()["a.html"]
    for environment in ("with the record", "without"):
        passed("check", project.out, "--source", project.src)
        found = command("check", project.out, "--source", project.src, "--severity", "info", "--json").data
        dates = [finding for finding in found["findings"] if "date" in finding["rule"]]
        assert [finding["rule"] for finding in dates] == ["footer-dates"], environment
        assert "`sitemap_page_dates = True`" in dates[0]["message"]
        shutil.rmtree(user_cache(), ignore_errors=True)


def test_footers_have_the_date_of_the_sitemap(switch):
    project = switch(f'{FOOTER}; sitemap_lastmod="author"')
    project.write({"src/a.rst": project.page("a", ".. include:: part.txt")})
    git(project.root, "add", ".")
    authored = "--date=2024-02-01T00:00:00+00:00"
    git(project.root, "commit", "-q", "-m", "A change", authored, date="2024-04-01T00:00:00+00:00")
    project.commit("2024-03-01T00:00:00+00:00", {"src/part.txt": "Part."})
    project.build()
    lastmod = "2024-03-01T00:00:00+00:00"
    assert project.lastmods()["a.html"] == lastmod
    assert f'"article:modified_time" content="{lastmod}"' in (project.out / "a.html").read_text("utf-8")
    assert "lastmod" not in command("check", project.out, "--select", "all", "--ignore", "pages").out


IN_HOUSE = """
def setup(app):
    app.setup_extension("sphinx_sitemap")
"""


@pytest.mark.parametrize("extensions", [["sitemap_docs", "sphinx_sitemap"], ["in_house", "sitemap_docs"]])
def test_both_extensions(switch, monkeypatch, extensions):
    """The line of the manual silences it, for an extension that a project cannot change."""
    conf = f'html_baseurl="{BASE}"; sitemap_excludes=["a"]; sitemap_locales={{"en": "{BASE}"}}'
    project = switch(conf)
    project.write({"in_house.py": IN_HOUSE})
    monkeypatch.syspath_prepend(project.root)
    monkeypatch.delitem(sys.modules, "in_house", raising=False)
    project.configure(extensions=extensions)
    run = project.build()
    assert rules(run.warnings)[0] == "sphinx-sitemap-loaded"
    assert "sphinx-sitemap:" not in run.status
    assert project.paths() == LINKS["html"][1:]
    line = snippet("suppress_warnings", "replaced-settings")
    project.extend(f"{conf}; {line}")
    assert "sphinx-sitemap-loaded" not in rules(project.build().warnings)


def test_an_option_of_another_entry_point(switch):
    run = switch(f'html_baseurl="{BASE}"; sitemap_leave_out=["pr-*"]').build()
    assert rules(run.warnings) == ("unknown-option",)
    words = "the option is for MkDocs and sitemap-docs join only. Write `leave_out` into the table"
    assert f"`sitemap_leave_out` in conf.py has no effect: {words}" in run.warnings


def test_a_flag_of_the_command_in_conf_py(switch):
    """This is only a note, because a project may have a variable with the same name."""
    run = switch(f'html_baseurl="{BASE}"; sitemap_source="docs"').build()
    assert rules(run.warnings) == ()
    words = "the option is for the command `sitemap-docs build` only. Remove it here."
    assert f"`sitemap_source` in conf.py has no effect: {words}" in run.status


def test_a_misspelled_option(switch):
    conf = f'html_baseurl="{BASE}"; sitemap_exclude=[]; sitemap_max_url=9; sitemap_base="my own"; '
    conf += 'sitemap_docs_lastmod="none"; sitemap_docs_nothing_like_it=1; '
    conf += 'sitemap_base_url="https://e.org/"'
    run = switch(conf).build()
    assert rules(run.warnings) == ("unknown-option",) * 5
    suggested = re.findall(r"`(\w+)` in conf\.py is not an option\.(?: Did you mean `(\w+)`)?", run.warnings)
    assert dict(suggested) == {
        "sitemap_exclude": "sitemap_excludes",
        "sitemap_max_url": "sitemap_max_urls",
        "sitemap_docs_lastmod": "sitemap_lastmod",
        "sitemap_docs_nothing_like_it": "",
        "sitemap_base_url": "html_baseurl",
    }


# --- the manual ---------------------------------------------------------------------------------------------


def snippet(word: str, page: str = "switching") -> str:
    return next(block.text for block in blocks(page) if block.language == "python" and word in block.text)


def test_versions_of_sphinx_multiversion(switch, monkeypatch):
    """Those with one address are reported; the lines of the manual give each its own."""
    monkeypatch.setenv("SPHINX_MULTIVERSION_NAME", "v1.2")
    project = switch(f'html_baseurl="{BASE}"')
    assert rules(project.build().warnings) == ("versions-share-address",)
    lines = snippet("SPHINX_MULTIVERSION_NAME", "replaced-settings")
    project.extend(f"import os\n{lines}")
    assert rules(project.build().warnings) == ()
    assert project.paths() == [f"v1.2/{name}" for name in LINKS["html"]]


@pytest.mark.parametrize("word", ["extensions", "{version}"])
def test_the_manual_on_the_address(switch, word):
    project = switch(f'language="en"; version="1.2"; html_baseurl="{BASE}en/1.2/"\n{snippet(word)}')
    assert project.build().warnings == ""
    assert project.paths() == [f"en/1.2/{name}" for name in LINKS["html"]]


# --- advice for a project that Read the Docs builds, in a build on another machine --------------------------

ENVIRONMENT_LINE = 'html_baseurl = os.environ.get("READTHEDOCS_CANONICAL_URL", "/")'
THEIR_SCHEME = 'language="en"; version="1.2"; sitemap_url_scheme="{lang}{version}{link}"'


@pytest.mark.parametrize(
    ("base", "files", "is_of_read_the_docs"),
    [
        pytest.param("https://demo.readthedocs.io/", (), True, id="its host"),
        pytest.param(BASE, (".readthedocs.yaml",), True, id="its configuration"),
        pytest.param(BASE, (), False, id="another host"),
        pytest.param("https://name.github.io/", (".readthedocs.yaml",), False, id="GitHub Pages"),
    ],
)
def test_the_line_for_a_scheme(switch, monkeypatch, base, files, is_of_read_the_docs):
    """The line is right on Read the Docs, too, and the next build has nothing to report."""
    project = switch(f'html_baseurl="{base}"; sitemap_show_lastmod=True; {THEIR_SCHEME}')
    project.write(dict.fromkeys(files, "version: 2\n"))
    run = project.build()
    assert rules(run.warnings) == SCHEME
    line, below = f'html_baseurl = f"{base}{{language}}/{{version}}/"', ", below `language` and `version`"
    if is_of_read_the_docs:
        line, below = ENVIRONMENT_LINE, ""
    assert f"write {line} into conf.py{below}, and remove `sitemap_url_scheme`." in run.warnings

    project.extend(f'import os\nlanguage="en"; version="1.2"; sitemap_show_lastmod=True\n{line}')
    assert rules(project.build().warnings) == ()
    served = f"{base}en/stable/"
    if is_of_read_the_docs:
        read_the_docs(monkeypatch, served, _VERSION="stable")
        assert rules(project.build().warnings) == ()
        assert project.locs() == [f"{served}{name}" for name in LINKS["html"]]
        assert canonical(project) == f"{served}a.html"


def test_the_line_for_moved_addresses(switch):
    project = switch('html_baseurl="https://demo.readthedocs.io/"; version="1.2"; sitemap_show_lastmod=True')
    run = project.build()
    assert rules(run.warnings) == ("addresses-moved",)
    assert ENVIRONMENT_LINE in run.warnings
    assert LINES[1] not in run.warnings


@pytest.mark.parametrize(
    "settings",
    ['sitemap_locales=["en", "de"]', 'sitemap_locales=["en"]', "sitemap_show_lastmod=True"],
    ids=["a list of languages", "the language of the build", "of sphinx-sitemap"],
)
def test_a_base_url_for_other_machines_than_read_the_docs(switch, settings):
    """The settings are for Read the Docs, where the base URL contains the language and the version."""
    line = f'html_baseurl = os.environ.get("READTHEDOCS_CANONICAL_URL", "{BASE}")'
    project = switch(f'import os; language="en"; version="latest"; {settings}; {line}')
    run = project.build()
    assert rules(run.warnings) == ()
    assert "about the switch" not in project.passes().summary
    assert project.paths() == [*LINKS["html"]]
    # The same address for all builds is that of the site.
    assert "addresses-moved" in rules(project.build("html", "-D", f"html_baseurl={BASE}").warnings)


@pytest.mark.parametrize("is_of_read_the_docs", [True, False])
def test_the_line_without_a_base_url(switch, is_of_read_the_docs):
    """An address as text would be that of one version, and the others would get no sitemap."""
    project = switch("")
    if is_of_read_the_docs:
        project.write({".readthedocs.yaml": "version: 2\n"})
    run = project.build()
    assert run.summary.startswith("no sitemap: no base URL")
    assert ("Read the Docs sets the base URL" in run.summary) is is_of_read_the_docs
    assert ('write html_baseurl = "https://docs.example.com/"' in run.summary) is not is_of_read_the_docs


# --- addresses that a switch moves --------------------------------------------------------------------------


@pytest.mark.parametrize("options", [(), ("-W", "--keep-going"), ("-W",)])
def test_a_strict_build_counts_the_notes_about_the_switch_in_its_last_line(switch, options):
    """A strict build logs these warnings as information, because a switch must not fail a build."""
    project = switch(f'{VERSIONED}{SHOWN}; sitemap_locales=["en"]')
    run = project.build("html", *options)
    note = "; 2 notes about the switch from sphinx-sitemap, see above"
    assert run.summary.endswith(note) is bool(options)
    assert ("addresses-moved" in run.warnings) is not bool(options)
    assert "addresses-moved" in run.status + run.warnings
    project.extend(f'{VERSIONED}sitemap_url_scheme="{{link}}"')
    assert "about the switch" not in project.build("html", *options).status


VERSIONED = f'html_baseurl="{BASE}"; language="en"; version="1.2"; '
SHOWN = "sitemap_show_lastmod=True"
NAMES_LINE = f'html_baseurl = f"{BASE}{{language}}/{{version}}/"'
LINES = ('sitemap_url_scheme = "{link}"', NAMES_LINE)


@pytest.mark.parametrize(
    ("conf", "second"),
    [
        pytest.param("", LINES[1], id="their default"),
        pytest.param(
            'sitemap_url_scheme="en/latest/{link}"', f'html_baseurl = "{BASE}en/latest/"', id="a scheme"
        ),
        pytest.param(
            'html_baseurl="https://old.example.org/"; sitemap_url_scheme="{link}"',
            'html_baseurl = "https://old.example.org/"',
            id="another host",
        ),
    ],
)
def test_a_sitemap_of_sphinx_sitemap_with_other_addresses_is_reported_once(switch, conf, second):
    project = switch(VERSIONED + conf)
    project.configure(extensions=["sphinx_sitemap"])
    project.build()
    old = project.locs()
    project.configure(extensions=["sitemap_docs"])
    project.extend(VERSIONED)
    run = project.build()
    assert rules(run.warnings) == ("addresses-moved",)
    assert all(line in run.warnings for line in (old[0], f"{BASE}a.html", LINES[0], second))
    assert "other addresses than in the existing sitemap: " in run.warnings
    assert rules(project.build().warnings) == ()  # the sitemap there is ours now
    project.extend(f"{VERSIONED}{second}")
    assert rules(project.build().warnings) == ()
    assert set(project.locs()) < set(old)  # without the search page and indexes


def test_addresses_that_never_existed_are_not_reported(switch):
    """sphinx-sitemap appends language and version to a base URL that already ends with them."""
    project = switch(f'html_baseurl="{BASE}en/1.2/"; language="en"; version="1.2"')
    project.configure(extensions=["sphinx_sitemap"])
    project.build()
    assert f"{BASE}en/1.2/en/1.2/a.html" in project.locs()
    project.configure(extensions=["sitemap_docs"])
    assert rules(project.build().warnings) == ()
    assert project.paths() == [f"en/1.2/{name}" for name in LINKS["html"]]


@pytest.mark.parametrize(
    ("conf", "canonical_url", "reported"),
    [
        pytest.param("sitemap_show_lastmod=True", "", True, id="show_lastmod"),
        pytest.param("sitemap_show_lastmod=True", f"{BASE}en/latest/", False, id="on Read the Docs"),
        pytest.param(f'site_url="{BASE}"', "", True, id="site_url"),
        pytest.param("extensions.append('sphinx_sitemap')", "", True, id="both extensions"),
        pytest.param("sitemap_locales=[None]", "", True, id="a list of languages"),
        pytest.param(f'sitemap_locales={{"en": "{BASE}"}}', "", False, id="a mapping of languages"),
        pytest.param('sitemap_excludes=["search.html", "b.html"]', "", True, id="a generated page"),
        pytest.param('sitemap_excludes=["b.html"]', "", False, id="excludes alone"),
        pytest.param('sitemap_show_lastmod=True; sitemap_lastmod="author"', "", True, id="next to ours"),
        pytest.param(f'site_url="{BASE}"; sitemap_lastmod="author"', "", False, id="site_url next to ours"),
        pytest.param('sitemap_show_lastmod=True; sitemap_url_scheme="{link}"', "", False, id="settled"),
        pytest.param(f'site_url="{BASE}"; html_baseurl="{BASE}en/1.2/"', "", False, id="the same addresses"),
        pytest.param(f'{SHOWN}; html_baseurl="{BASE}en/1.2/"', "", False, id="they are there"),
        pytest.param(f'{SHOWN}; html_baseurl="{BASE}en/latest/"', "", False, id="another version is there"),
        pytest.param(f'{SHOWN}; html_baseurl="{BASE}pt-br/1.2/"; language="pt_BR"', "", False, id="pt-br"),
    ],
)
def test_settings_of_sphinx_sitemap_that_gave_other_addresses_are_reported(
    switch, conf, canonical_url, reported
):
    project = switch(VERSIONED + conf, canonical_url=canonical_url)
    run = project.build()
    assert ("addresses-moved" in rules(run.warnings)) is reported
    for text in ("than sphinx-sitemap would have written: ", f"{BASE}en/1.2/a.html", *LINES):
        assert (text in run.warnings) is reported
    assert ("and remove `site_url`" in run.warnings) is (reported and "site_url" in conf)


@pytest.mark.parametrize("line", LINES, ids=["accept", "keep"])
@pytest.mark.parametrize("setting", [SHOWN, f'site_url="{BASE}"'], ids=["show_lastmod", "site_url"])
def test_each_advice_about_moved_addresses_settles_the_switch(switch, setting, line):
    project = switch(f"{VERSIONED}{setting}")
    assert rules(project.build().warnings) == ("addresses-moved",)
    project.extend(f"{VERSIONED}{setting if setting == SHOWN else ''}\n{line}")
    shutil.rmtree(project.out)
    assert rules(project.build().warnings) == ()
    below = BASE if line == LINES[0] else f"{BASE}en/1.2/"
    assert project.locs() == [f"{below}{name}" for name in LINKS["html"]]
    assert canonical(project) == f"{below}a.html"


@pytest.mark.parametrize("setting", [SHOWN, THEIR_SCHEME], ids=["moved addresses", "a scheme"])
def test_the_advised_base_url_is_right_for_other_versions(switch, setting):
    """One conf.py builds all versions, so the line contains the names of the language and the version."""
    project = switch(f"{VERSIONED}{setting}")
    assert f"write {NAMES_LINE} into conf.py, below `language` and `version`" in project.build().warnings
    for language, version in (("en", "1.3"), ("de", "2.0")):
        names = f'language="{language}"; version="{version}"; {SHOWN}\n'
        project.extend(names + NAMES_LINE)
        shutil.rmtree(project.out)
        assert rules(project.build().warnings) == ()
        assert project.locs() == [f"{BASE}{language}/{version}/{name}" for name in LINKS["html"]]


@pytest.mark.parametrize(
    ("conf", "advice"),
    [
        ('language="en"', f'write html_baseurl = f"{BASE}{{language}}/" into conf.py, below `language`'),
        ('version="1.2"', f'write html_baseurl = f"{BASE}en/{{version}}/" into conf.py, below `version`'),
        ('language="en"; version="1 2"', f'write html_baseurl = "{BASE}en/1%202/" into conf.py.'),
    ],
    ids=["no version", "no language", "to encode"],
)
def test_the_advised_base_url_without_one_of_the_names(switch, conf, advice):
    project = switch(f'html_baseurl="{BASE}"; {SHOWN}; {conf}')
    assert advice in project.build().warnings


def test_the_advised_base_url_for_a_language_of_the_command_line(switch):
    """conf.py does not know the language, so the base URL has to come from the command line, too."""
    project = switch(f"{VERSIONED}{SHOWN}")
    run = project.build("html", "-D", "language=de")
    assert f"pass -D html_baseurl={BASE}de/1.2/ to this build." in run.warnings
    arguments = ("-D", "language=de", "-D", f"html_baseurl={BASE}de/1.2/")
    assert rules(project.build("html", *arguments).warnings) == ()
    assert project.locs() == [f"{BASE}de/1.2/{name}" for name in LINKS["html"]]


# --- with sphinx-sitemap no more ----------------------------------------------------------------------------


def test_a_broken_sitemap_of_sphinx_sitemap_is_replaced(sphinx_project):
    project = sphinx_project("a")
    project.write({"out/sitemap.xml": f"<urlset><url><loc>{BASE}en/1.2/index.html</loc></url>"})
    project.passes()
    assert project.paths() == ["a.html", "index.html"]


def test_the_advice_for_a_scheme_that_the_canonical_links_contradict(sphinx_project):
    project = sphinx_project("a", sitemap_url_scheme="{lang}{version}{link}", language="en", version="1.2")
    run = project.build()
    assert f"lists the pages below {BASE}en/1.2/, but their canonical links are below {BASE}." in run.warnings
    assert NAMES_LINE in run.warnings
    project.configure(sitemap_url_scheme=None, html_baseurl=f"{BASE}en/1.2/")
    assert "puts the pages below" not in project.passes().status
    assert project.paths() == ["en/1.2/a.html", "en/1.2/index.html"]


def test_a_build_without_the_extension_writes_none_of_its_files(sphinx_project):
    """Dates from git stay in the cache, as "Stability and support" says. Fields in pages are ignored."""
    project = sphinx_project("a")
    project.commit("2024-01-01T00:00:00+00:00", {"src/b.rst": ":sitemap: false\n\n" + project.page("b")})
    project.passes()
    before = {file.name for file in project.out.iterdir()}
    shutil.rmtree(project.out)
    project.configure(extensions=[])
    run = sphinx_build(*project.arguments("html", "-W"))
    assert run.code == 0, run.warnings
    left = {file.name for file in project.out.iterdir()}
    assert before - left == {"sitemap.xml", "sitemap.css", "robots.txt"}
    assert (user_cache() / DATES).exists()


def test_a_sitemap_of_another_site_in_the_output_folder_is_kept(sphinx_project):
    """A sitemap with the pages of this site on another host is from before a move. It is replaced."""
    project = sphinx_project("a")
    project.commit("2026-01-31T10:00:00+00:00")
    other = urlset("https://shop.example.net/", "https://shop.example.net/cart.html 2024-01-02")
    project.write({"out/sitemap.xml": other})
    run = project.build()
    assert rules(run.warnings) == ("own-sitemap",)
    assert "addresses (2 of 2), such as https://shop.example.net/" in run.warnings
    assert (project.out / "sitemap.xml").read_text("utf-8") == other
    before_move = urlset("https://old.example.net/a.html", "https://old.example.net/gone.html 2024-01-02")
    project.write({"out/sitemap.xml": before_move})
    run = project.build()
    assert rules(run.warnings) == ("addresses-moved",)
    assert "The build replaces sitemap.xml, which listed the pages on another host." in run.warnings
    assert project.paths() == ["a.html", "index.html"]
