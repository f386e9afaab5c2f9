"""Which documents have no translation, in builds of Sphinx that read all documents or only some."""

import pytest

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
