"""Which documents have no translation, in builds of Sphinx that read all documents or only some."""

import os
import pickle

import pytest

from sitemap_docs.api import read_sitemap

pytest.importorskip("sphinx")

HEADER = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
NAMES = ("a", "b", "c", "d", "e", "f", "index")


@pytest.fixture
def project(sphinx_project):
    """Six documents, of which only the first has a translation."""
    project = sphinx_project(*NAMES[:-1], locale_dirs=["../locale"], gettext_compact=False)
    for name in NAMES[:-2]:  # One document has no catalogue.
        project.write({f"locale/de/LC_MESSAGES/{name}.po": catalogue(name, "Ah" if name == "a" else "")})
    return project


def catalogue(text: str, translation: str) -> str:
    return f'{HEADER}msgid "{text}"\nmsgstr "{translation}"\n'


@pytest.mark.parametrize("workers", ["1", "4"])
def test_what_is_translated_is_kept_for_the_next_build(project, workers):
    """A build that reads no document finds the same, and does not load the doctrees."""
    arguments = ("html", "-D", "language=de", "-j", workers)
    project.passes(*arguments)
    assert project.paths() == ["a.html"]
    for doctree in project.root.rglob("*.doctree"):
        doctree.write_bytes(b"This cannot be unpickled.")
    project.passes(*arguments)
    assert project.paths() == ["a.html"]


def test_a_new_translation_and_a_deleted_document(project):
    arguments = ("html", "-D", "language=de")
    project.passes(*arguments)
    project.write({"locale/de/LC_MESSAGES/b.po": catalogue("b", "Be")})
    (project.src / "c.rst").unlink()
    project.build(*arguments)
    assert project.paths() == ["a.html", "b.html"]
    project.write({"locale/de/LC_MESSAGES/b.po": catalogue("b", "")})
    project.build(*arguments)
    assert project.paths() == ["a.html"]


# --- links to the builds of other languages -----------------------------------------------------------------

URLS = {code: f"https://docs.example.org/{code}/" for code in ("en", "de", "fr")}


def links(project, language: str, *options: str) -> dict[str, list[str]]:
    """The languages to which each page links in the sitemap of the build in a language."""
    project.passes("html", "-D", f"language={language}", "-D", f"html_baseurl={URLS[language]}", *options)
    listed = {}
    for url in read_sitemap(project.out / "sitemap.xml"):
        name = url.loc.removeprefix(URLS[language]).removesuffix(".html")
        assert all(link.href.endswith(f"/{name}.html") for link in url.alternates)
        listed[name] = [link.hreflang for link in url.alternates if link.hreflang != "x-default"]
    return listed


def assert_mutual(links_by_language: dict[str, dict[str, list[str]]]) -> None:
    """Each link of a page leads to a listed page that links to the same languages."""
    for listed in links_by_language.values():
        for name, codes in listed.items():
            for code in codes:
                assert links_by_language[code][name] == codes


@pytest.fixture
def languages(sphinx_project):
    """A project in English with catalogues of two languages; the builds share nothing but the sources."""
    project = sphinx_project(
        *NAMES[:-1], locale_dirs=["../locale"], gettext_compact=False, sitemap_locales=URLS
    )
    catalogues = {
        "de/LC_MESSAGES/a": catalogue("a", "Ah"),
        "de/LC_MESSAGES/b": catalogue("b", "Be"),
        "de/LC_MESSAGES/c": catalogue("c", ""),
        "de/LC_MESSAGES/d": catalogue("d", "De").replace("\nmsgid", "\n#, fuzzy\nmsgid"),
        "de/LC_MESSAGES/e": catalogue("an older title", "Eh"),
        "fr/LC_MESSAGES/a": catalogue("a", "Ah"),
        "fr/LC_MESSAGES/c": catalogue("c", "Ce"),
    }
    project.write({f"locale/{name}.po": text for name, text in catalogues.items()})
    return project


@pytest.mark.parametrize("order", [("en", "de", "fr"), ("fr", "de", "en")])
def test_no_language_links_to_a_page_that_another_leaves_out(languages, order):
    """In each order: without and with the .mo files that Sphinx compiles in the build of the language."""
    links_by_language = {code: links(languages, code) for code in order}
    assert_mutual(links_by_language)
    assert links_by_language["en"] == {
        "a": ["de", "en", "fr"],
        "b": ["de", "en"],
        "c": ["en", "fr"],
        "d": [],
        "e": [],
        "f": [],
        "index": [],
    }
    assert [*links_by_language["de"]] == ["a", "b"]


@pytest.mark.parametrize(
    ("settings", "linked"),
    [
        pytest.param({"gettext_allow_fuzzy_translations": True}, "a b d", id="fuzzy"),
        pytest.param({"sitemap_excludes": ["!f"]}, "a b f", id="asked for"),
        pytest.param({"sitemap_untranslated": True}, "a b c d e f", id="untranslated"),
        pytest.param({"gettext_auto_build": False}, "a b c d e f", id="never compiled"),
        pytest.param({"locale_dirs": ["../elsewhere"]}, "a b c d e f", id="catalogues are elsewhere"),
    ],
)
def test_an_option_that_lists_untranslated_pages_also_links_to_them(languages, settings, linked):
    languages.configure(sitemap_locales={code: URLS[code] for code in ("en", "de")}, **settings)
    links_by_language = {code: links(languages, code) for code in ("en", "de")}
    assert_mutual(links_by_language)
    names = [name for name, codes in links_by_language["en"].items() if codes and name != "index"]
    assert " ".join(names) == linked


@pytest.mark.parametrize("compact", [True, "manual"])
def test_documents_that_share_a_catalogue(languages, compact):
    languages.write({f"src/guide/{name.lower()}.rst": languages.page(name) for name in ("One", "Two")})
    domain = "guide" if compact is True else compact
    languages.write({f"locale/de/LC_MESSAGES/{domain}.po": catalogue("One", "Eins")})
    languages.write({f"locale/fr/LC_MESSAGES/{domain}.po": catalogue("Two", "Deux")})
    languages.configure(gettext_compact=compact)
    links_by_language = {code: links(languages, code) for code in URLS}
    assert_mutual(links_by_language)
    assert links_by_language["en"]["guide/one"] == ["de", "en"]
    assert links_by_language["en"]["guide/two"] == ["en", "fr"]


def test_the_folder_of_catalogues_has_another_spelling_of_the_language(languages):
    urls = {"en": URLS["en"], "pt-BR": "https://docs.example.org/pt-br/"}
    languages.configure(sitemap_locales=urls)
    languages.write({"locale/pt_BR/LC_MESSAGES/a.po": catalogue("a", "Ah")})
    assert {name for name, codes in links(languages, "en").items() if codes} == {"a"}


@pytest.mark.parametrize("workers", ["1", "4"])
def test_a_new_translation_changes_the_links_of_documents_that_were_not_read_again(languages, workers):
    assert links(languages, "en", "-j", workers)["f"] == []
    languages.write({"locale/de/LC_MESSAGES/f.po": catalogue("f", "Eff")})
    assert links(languages, "en", "-j", workers)["f"] == ["de", "en"]


def test_languages_that_are_added_later(languages):
    languages.configure(sitemap_locales=None)
    languages.passes()
    languages.configure(sitemap_locales=URLS)
    assert links(languages, "en")["a"] == ["de", "en", "fr"]
    assert links(languages, "en")["f"] == []


@pytest.mark.parametrize(("unreadable", "mode"), [("locale", 0o100), ("locale/de", 0)])
def test_a_folder_of_catalogues_that_cannot_be_listed_has_none(languages, unreadable, mode):
    """The links are those of a project without catalogues of this language."""
    folder = languages.root / unreadable
    folder.chmod(mode)
    try:
        os.scandir(folder).close()
    except OSError:
        assert links(languages, "en")["f"][0] == "de"
    else:
        pytest.skip("this user may read everything")
    finally:
        folder.chmod(0o755)


def test_an_environment_without_hashes_of_texts_is_read_again(languages):
    """Version 2 of our part of the environment had no hashes, so no page seemed to be translated or not."""
    before = links(languages, "en")
    file = languages.root / "trees/environment.pickle"
    env = pickle.loads(file.read_bytes())
    del env.sitemap_docs_digests
    env.version["sitemap_docs"] = 2
    file.write_bytes(pickle.dumps(env))
    assert links(languages, "en") == before


def test_a_catalogue_that_cannot_be_read_translates_nothing(languages):
    (languages.root / "locale/de/LC_MESSAGES/b.mo").write_bytes(b"This is no catalogue.")
    (languages.root / "locale/de/LC_MESSAGES/b.po").unlink()
    assert links(languages, "en")["b"] == []
