"""The MkDocs plugin beside the plugins and themes that people use it with."""

import re
import shutil
import sys
import textwrap

import pytest
from lxml import etree

from sitemap_docs.surroundings import user_cache
from tests.conftest import BASE, alternates, command, git, mike_deploy, needs, passed, proven, urlset

pytest.importorskip("mkdocs")

OLD, NEW = "2020-01-01T00:00:00+00:00", "2024-01-01T00:00:00+00:00"


def newest(project) -> list[str]:
    return [path for path, lastmod in proven(project.site, BASE).items() if lastmod == NEW]


LANGUAGES = [
    {"locale": "en", "name": "English", "default": True},
    {"locale": "fr", "name": "Français"},
    {"locale": "pt_BR", "name": "Português"},
]
SUFFIX = dict.fromkeys(["index.md", "index.fr.md", "index.pt_BR.md"], "# Home")
SUFFIX |= dict.fromkeys(["both.md", "both.fr.md", "english.md", "only.fr.md", "hidden.md"], "# A page")
SUFFIX["hidden.fr.md"] = "---\nsitemap: false\n---\n"
FOLDER = {
    re.sub(r"(\w+)\.(\w+)\.md", r"\2/\1.md", name) if name.count(".") > 1 else f"en/{name}": text
    for name, text in SUFFIX.items()
}


def i18n(**settings: object) -> dict[str, object]:
    return {"i18n": {"docs_structure": "suffix", "languages": LANGUAGES, **settings}}


@needs("mkdocs_static_i18n")
class TestStaticI18n:
    @pytest.mark.parametrize(
        ("structure", "place", "theme"),
        [("suffix", "plugins", "mkdocs"), ("folder", "after", "mkdocs"), ("suffix", "after", "material")],
    )
    def test_every_language_with_its_true_translations(self, mkdocs_project, structure, place, theme):
        pytest.importorskip(theme)
        brazil = "pt-BR" if theme == "material" else "pt_BR"  # as each theme spells its translations
        languages = [
            language | {"locale": language["locale"].replace("pt_BR", brazil)} for language in LANGUAGES
        ]
        pages = FOLDER if structure == "folder" else SUFFIX
        pages = {name.replace("pt_BR", brazil): text for name, text in pages.items()}
        plugin = i18n(docs_structure=structure, languages=languages)
        project = mkdocs_project(pages, **{place: [plugin]}, theme={"name": theme})
        (summary,) = (line for line in project.build() if "pages listed" in line)
        home = {"en": "", "fr": "fr/", "pt-BR": f"{brazil}/", "x-default": ""}
        both = {"en": "both/", "fr": "fr/both/", "x-default": "both/"}
        translated = {"": home, "fr/": home, f"{brazil}/": home, "both/": both, "fr/both/": both}
        assert alternates(project.site / "sitemap.xml") == translated | {
            "english/": {},
            "fr/only/": {},
            "hidden/": {},
        }
        assert proven(project.site, BASE).keys() == alternates(project.site / "sitemap.xml").keys()
        assert "4 not translated" in summary

    @pytest.mark.parametrize("theme", ["mkdocs", "material"])
    @pytest.mark.parametrize("structure", ["suffix", "folder"])
    def test_the_command_and_the_plugin_link_the_same_translations(self, mkdocs_project, structure, theme):
        """Material writes links to all languages into each head, the theme of MkDocs none."""
        pytest.importorskip(theme)
        pages = FOLDER if structure == "folder" else SUFFIX
        more = ["out.md", "out.fr.md", "below/deep.md", "below/deep.fr.md"]
        if structure == "folder":
            more = ["en/out.md", "fr/out.md", "en/below/deep.md", "fr/below/deep.md"]
        languages = [
            language | {"locale": language["locale"].replace("_", "-")} if theme == "material" else language
            for language in LANGUAGES
        ]
        pages = {name.replace("pt_BR", languages[2]["locale"]): text for name, text in pages.items()}
        plugin = i18n(docs_structure=structure, languages=languages)
        settings = {"plugins": [plugin], "theme": {"name": theme}, "options": {"excludes": ["fr/out/"]}}
        project = mkdocs_project(pages | dict.fromkeys(more, "# More"), **settings)
        project.build()
        by_plugin = alternates(project.site / "sitemap.xml")
        deep = {"en": "below/deep/", "fr": "fr/below/deep/", "x-default": "below/deep/"}
        assert (by_plugin["out/"], by_plugin["below/deep/"], by_plugin["english/"]) == ({}, deep, {})
        passed("check", "site")
        shutil.rmtree(user_cache())
        (project.site / "sitemap.xml").unlink()
        passed("build", "site")
        assert alternates(project.site / "sitemap.xml") == by_plugin
        passed("check", "site")

    def test_a_draft_is_no_translation(self, mkdocs_project):
        pages = {"index.md": "# Home", "a.md": "# A", "a.fr.md": "# A"}
        project = mkdocs_project(pages, plugins=[i18n()], draft_docs="a.fr.md")
        project.build()
        assert alternates(project.site / "sitemap.xml")["a/"] == {}

    def test_translations_follow_the_hook_for_entries(self, mkdocs_project):
        """The hook drops one page and changes the address of another page."""
        hook = """
            def sitemap_entry(entry, page, config):
                if entry.loc.endswith("/fr/both/"):
                    return False
                return entry._replace(loc=entry.loc.replace("pt_BR/", "pt/"))
        """
        project = mkdocs_project(SUFFIX, plugins=[i18n()], hooks=["hook.py"])
        project.write({"hook.py": textwrap.dedent(hook)})
        project.build()
        found = alternates(project.site / "sitemap.xml")
        home = {"en": "", "fr": "fr/", "pt-BR": "pt/", "x-default": ""}
        assert found["both/"] == {}
        assert (found[""], found["fr/"], found["pt/"]) == (home, home, home)

    def test_the_audit_reports_a_link_to_a_page_that_the_build_leaves_out(self, mkdocs_project):
        """The page of another language shows the text of the default one."""
        project = mkdocs_project(SUFFIX, plugins=[i18n()])
        project.build()
        sitemap = project.site / "sitemap.xml"
        link = f'<xhtml:link rel="alternate" hreflang="pt-BR" href="{BASE}pt_BR/both/"/>'
        before = f'<xhtml:link rel="alternate" hreflang="x-default" href="{BASE}both/"/>'
        sitemap.write_text(sitemap.read_text().replace(before, link + before))
        for forgets in (False, True):
            if forgets:  # A dry run takes the place of the record.
                shutil.rmtree(user_cache())
            done = command("check", "site", "--select", "hreflang", "--json")
            found = [(each["rule"], each["message"]) for each in done.data["findings"]]
            words = (
                f"A link with hreflang points to {BASE}pt_BR/both/, which the build leaves out: not "
                "translated. Remove the link, or change the page so that the build lists it."
            )
            assert found == [("hreflang-target-left-out", words)] * 2

    @pytest.mark.parametrize(
        ("site_url", "is_reported"), [("", True), (None, True), ("http://localhost/", False)]
    )
    def test_relative_addresses_of_the_built_in_sitemap_are_reported(
        self, mkdocs_project, site_url, is_reported
    ):
        project = mkdocs_project(SUFFIX, plugins=[i18n()])
        project.configure(plugins=[i18n()], site_url=site_url)
        (line,) = [line for line in project.build() if "sitemap.xml is kept" in line]
        assert ("but search engines reject its incomplete address " in line) is is_reported

    def test_a_disabled_plugin_is_reported_once(self, mkdocs_project):
        project = mkdocs_project(SUFFIX, after=[i18n()], options={"enabled": False})
        assert len([line for line in project.build() if "`enabled` is false" in line]) == 1

    def test_a_template_of_the_project_lists_one_language_and_decides_nothing(self, mkdocs_project):
        project = mkdocs_project(SUFFIX, after=[i18n()])
        project.build()
        first = project.read("sitemap.xml")
        rows = "{% for file in pages %}<url><loc>{{ file.page.canonical_url }}</loc></url>{% endfor %}"
        project.write({"overrides/sitemap.xml": urlset().replace("></urlset>", f">{rows}</urlset>")})
        project.configure(after=[i18n()], theme={"name": "mkdocs", "custom_dir": "overrides"})
        project.build()
        assert project.read("sitemap.xml") == first

    def test_one_language_alone_has_no_alternates(self, mkdocs_project):
        project = mkdocs_project(SUFFIX, plugins=[i18n(build_only_locale="fr")])
        project.build()
        assert {"", "both/", "only/"} <= set(alternates(project.site / "sitemap.xml"))
        assert not any(alternates(project.site / "sitemap.xml").values())

    def test_translations_that_are_missing_can_be_asked_for(self, mkdocs_project):
        """A base URL that only the last language has is none of the other pages."""
        plugin = i18n(languages=[*LANGUAGES[:2], LANGUAGES[2] | {"site_url": f"{BASE}pt/"}])
        project = mkdocs_project(SUFFIX, after=[plugin], options={"excludes": ["!fr/*"]})
        project.build()
        assert alternates(project.site / "sitemap.xml")["fr/english/"] == {}

    @pytest.mark.parametrize("glob", ["english.md", "only.fr"])
    def test_globs_match_the_sources_of_pages_in_the_command_as_well(self, mkdocs_project, glob):
        """Of a translation that is missing, that is the page in the default language."""
        options = {"untranslated": True, "excludes": [glob]}
        project = mkdocs_project(SUFFIX, after=[i18n()], options=options)
        project.build()
        expected = project.paths()
        assert ("fr/english/" in expected) == (glob == "only.fr")
        done = command("build", "site", "--replace")
        assert done.code == 0, done.err
        assert project.paths() == expected


@needs("mkdocs_print_site_plugin")
@pytest.mark.parametrize("theme", ["mkdocs", "material", "readthedocs"])
@pytest.mark.parametrize("more", [{}, {"print_page_basename": "all", "add_to_navigation": True}])
def test_the_page_of_print_site_is_generated(mkdocs_project, theme, more):
    """The plugin and the command leave the page out, and the audit does not ask for it."""
    pytest.importorskip("material" if theme == "material" else "mkdocs")
    settings = {"theme": {"name": theme}, "after": [{"print-site": more}], "options": {"check": True}}
    project = mkdocs_project({"index.md": "# Home", "a.md": "# A"}, **settings)
    lines = project.build(strict=True)
    page = f"{more.get('print_page_basename', 'print_page')}/"
    assert (project.site / page / "index.html").is_file()
    assert project.paths() == ["", "a/"]
    assert not any("page-not-listed" in line for line in lines)
    explained = command("explain", "site", page).out
    assert "left out: generated" in explained
    passed("check", "site", "--fail-on", "warning")
    shutil.rmtree(user_cache())
    passed("check", "site", "--fail-on", "warning")
    (project.site / "sitemap.xml").unlink()
    passed("build", "site")
    assert project.paths() == ["", "a/"]


@needs("material")
class TestMaterial:
    def test_lists_and_what_goes_on_with_them(self, mkdocs_project):
        """The first page stays. Posts are in no navigation, and belong to their blog: they are no orphans."""
        post = "---\ndate: 2023-05-05\ncategories: [News]\n---\n# {0}\n\n{0}\n\n<!-- more -->\n\nMore.\n"
        draft = post.format("Draft").replace("date:", "draft: true\ndate:")
        pages = {f"blog/posts/{name}.md": post.format(name.title()) for name in ("one", "two")}
        pages |= {"index.md": "# Home", "blog/index.md": "# Blog", "blog/posts/draft.md": draft}
        blog = {"blog": {"archive_date_format": "yyyy", "pagination_per_page": 1}}
        settings = {"theme": {"name": "material"}, "plugins": [blog]}
        project = mkdocs_project({**pages, "loose.md": "# Loose"}, **settings)
        kept = {"", "blog/", "blog/2023/05/05/one/", "blog/2023/05/05/two/"}
        lists = {"blog/archive/2023/", "blog/category/news/"}
        pagination = {"blog/archive/2023/page/2/", "blog/category/news/page/2/", "blog/page/2/"}
        nav = ["index.md", {"Blog": ["blog/index.md"]}]
        for options, more, listed in (
            ({"excludes_generated": ["lists"]}, {}, {"blog/page/2/", "loose/"}),
            ({"excludes_generated": ["pagination"]}, {}, lists | {"loose/"}),
            ({"excludes_generated": ["lists", "pagination"]}, {}, {"loose/"}),
            ({"orphans": False}, {}, lists | pagination | {"loose/"}),
            ({"orphans": False}, {"nav": nav}, lists | pagination),
        ):
            project.configure(options=options, **settings, **more)
            lines = project.build()
            assert set(project.paths()) == kept | listed
            assert not any("excludes_generated" in line for line in lines)

    def test_noindex_that_the_theme_renders_from_meta_files(self, mkdocs_project):
        project = mkdocs_project(
            {
                "index.md": "# Home",
                "old/.meta.yml": "robots: noindex, follow\nsitemap: {priority: 0.1}\n",
                "old/a.md": "# A",
                "new/.meta.yml": "sitemap: {priority: 0.9}\n",
                "new/b.md": "# B",
                "off/.meta.yml": "sitemap: false\n",
                "off/c.md": "# C",
            },
            theme={"name": "material", "custom_dir": "theme"},
            plugins=["meta"],
        )
        robots = '{% if page and page.meta.robots %}<meta name="robots" content="{{ page.meta.robots }}">'
        block = f"{{% block extrahead %}}{robots}{{% endif %}}{{% endblock %}}"
        project.commit(OLD, {"theme/main.html": f'{{% extends "base.html" %}}{block}'})
        messages = project.build()
        assert proven(project.site, BASE) == {"": OLD, "new/b/": OLD}
        assert not [line for line in messages if line.startswith("WARNING")]
        first = (project.site / "sitemap.xml").read_bytes()
        project.build(dirty=True)
        assert (project.site / "sitemap.xml").read_bytes() == first


@needs("mkdocstrings")
def test_mkdocstrings_finds_modules_where_python_does(mkdocs_project, monkeypatch):
    """It has read them with griffe; what a build leaves alone, griffe reads again."""
    project = mkdocs_project(
        {"index.md": "# Home", "api.md": "::: elsewhere.Thing"},
        plugins=["mkdocstrings"],
        repo_url="https://x.example/",
    )
    project.write({"lib/elsewhere/__init__.py": "from .made import *\n__all__ = ['Thing']\n"})
    project.commit(OLD, {"lib/elsewhere/made.py": "class Thing: ...\n"})
    project.commit(NEW, {"lib/elsewhere/made.py": 'class Thing:\n    """Changed."""\n'})
    monkeypatch.syspath_prepend(project.root / "lib")
    griffe = pytest.importorskip("griffe")
    loaded, load = [], griffe.GriffeLoader.load

    def noted(self, *given: object, **more: object) -> object:
        loaded.append(given)
        return load(self, *given, **more)

    monkeypatch.setattr(griffe.GriffeLoader, "load", noted)
    project.build()
    assert newest(project) == ["api/"]
    assert loaded == [("elsewhere",)]
    project.build(dirty=True)
    assert newest(project) == ["api/"]
    assert loaded == [("elsewhere",), ("elsewhere",)]


CLICK = "# CLI\n\n::: mkdocs-click\n    :module: our_cli\n    :command: main\n"


@needs("mkdocs_click")
def test_a_page_of_a_command_is_dated_by_its_modules(mkdocs_project, monkeypatch):
    """Also where a build leaves the page alone, so that nothing has imported them."""
    project = mkdocs_project(
        {"index.md": "# Home", "cli.md": CLICK},
        markdown_extensions=["mkdocs-click"],
        use_directory_urls=False,
    )
    sub = "import click\n\n@click.command()\ndef sub():\n    pass\n"
    files = {
        "lib/our_cli/__init__.py": "from our_cli.made import *\n",
        "lib/our_cli/made.py": "import click\n\n@click.group()\ndef main():\n    pass\n\n"
        "for name in ['sub']:\n"
        "    module = __import__('our_cli.' + name, fromlist=[name])\n"
        "    main.add_command(getattr(module, name))\n",
        "lib/our_cli/sub.py": sub,
    }
    project.commit(OLD, files)
    project.commit(NEW, {"lib/our_cli/sub.py": f"{sub}\n"})
    monkeypatch.syspath_prepend(project.root / "lib")

    def dates(**options: bool) -> dict[str, str | None]:
        for name in [each for each in sys.modules if each.partition(".")[0] == "our_cli"]:
            del sys.modules[name]
        project.build(**options)
        return project.lastmods()

    expected = {"cli.html": NEW, "index.html": OLD}
    assert dates() == expected
    assert dates(dirty=True) == expected, "nothing is rendered"
    (project.docs / "index.md").touch()
    assert dates(dirty=True) == expected, "another page is rendered"
    (project.root / "lib/our_cli/sub.py").write_text("1 / 0\n", encoding="utf-8")
    assert dates(dirty=True) == {"cli.html": None, "index.html": OLD}
    assert "the module of the command `our_cli.main` raises an error" in "\n".join(project.messages)
    done = command("build", project.site, "--replace")
    assert project.lastmods() == {"cli.html": None, "index.html": OLD}
    assert (
        "which Python files the command `our_cli.main` uses is known only in a build with the plugin"
        in done.err
    )


@needs("mkdocs_literate_nav")
def test_a_page_that_is_only_navigation(mkdocs_project):
    nav = "* [Home](index.md)\n* [A](a.md)\n"
    project = mkdocs_project(
        {"index.md": "# Home", "a.md": "# A", "SUMMARY.md": nav, "loose.md": "# Loose"},
        plugins=["literate-nav"],
    )
    messages = project.build()
    assert project.paths() == ["", "a/", "loose/"]
    assert any("(1 404 page, 1 only navigation)" in line for line in messages)
    project.write({"docs/SUMMARY.md": f"{nav}* [All](SUMMARY.md)\n"})
    project.build()
    assert project.paths() == ["", "SUMMARY/", "a/", "loose/"]


@needs("mike")
def test_a_version_of_mike_lists_its_pages_below_the_canonical_version(mkdocs_project):
    """Behind us. Before us, and with no canonical version: see the trees of the matrix."""
    plugin = {"mike": {"canonical_version": "latest"}}
    project = mkdocs_project({"index.md": "# Home", "a.md": "# A"}, after=[plugin])
    project.commit(OLD)
    mike_deploy("1.0", "latest")
    deployed = git(project.root, "show", "gh-pages:1.0/sitemap.xml")
    sitemap = etree.fromstring(deployed.encode())
    assert [url[0].text for url in sitemap] == [f"{BASE}latest/", f"{BASE}latest/a/"]
    assert [url[1].text for url in sitemap] == [OLD, OLD]
    assert "sitemap-docs" in deployed
    assert "robots.txt" not in git(project.root, "ls-tree", "-r", "--name-only", "gh-pages")


@needs("mike")
@pytest.mark.parametrize("canonical_version", [None, "latest", ""])
def test_one_version_of_mike_is_checked_at_its_own_address(mkdocs_project, monkeypatch, canonical_version):
    """The address in mkdocs.yml is that of all versions. The records are lost, as in a new clone."""
    plugin = {"mike": {"canonical_version": canonical_version}}
    project = mkdocs_project({"index.md": "# Home", "a.md": "# A"}, after=[plugin])
    project.commit(OLD)
    mike_deploy("1.0")
    mike_deploy("2.0", "latest")
    git(project.root, "worktree", "add", "-q", "tree", "gh-pages")
    monkeypatch.setenv("XDG_CACHE_HOME", str(project.root / "new"))
    for version in ("1.0", "2.0"):
        done = passed("check", f"tree/{version}")
        below = {None: f"{version}/", "": ""}.get(canonical_version, f"{canonical_version}/")
        assert done.err.startswith(f"base URL {BASE}{below} from mkdocs.yml\n")
        assert f"tree/{version} is one of several versions" in done.err
        assert "To check all versions: sitemap-docs check tree\n" in done.err
    assert "one of several" not in command("check", "tree").err


@needs("mike")
def test_versions_have_the_dates_of_their_commits_although_the_next_version_has_begun(mkdocs_project):
    plugin = {"mike": {"canonical_version": "latest"}}
    project = mkdocs_project({"index.md": "# Home", "a.md": "# A"}, after=[plugin])
    project.commit(OLD)
    mike_deploy("1.0", "latest")
    git(project.root, "worktree", "add", "-q", "tree", "gh-pages")
    passed("join", "tree", "--canonical-version", "latest")
    project.commit("2026-06-01T10:00:00+00:00", {"docs/a.md": "# A\n\nMore", ".gitignore": "/tree/\n"})
    passed("check", "tree", "--select", "lastmod-differs-from-git")


@needs("encryptcontent")
def test_encrypted_pages_have_their_own_reason(mkdocs_project):
    secret = "---\npassword: 1234\n---\n# Secret"
    project = mkdocs_project({
        "index.md": "# Home",
        "secret.md": secret,
        "again.md": secret,
        "asked.md": secret.replace("1234", "1234\nsitemap: true"),
        "about.md": "# About\n\n    <div id=mkdocs-encrypted-content>",
    })  # fmt: skip
    project.configure(after=[{"encryptcontent": {"selfhost": False}}], options={"excludes": ["!again/"]})
    messages = project.build()
    assert project.paths() == ["", "about/", "again/", "asked/"]
    assert any("1 encrypted" in message for message in messages)
