"""Sphinx in a language other than its sources', with catalogues of some documents."""

from __future__ import annotations

from pathlib import Path

from tests.matrix.projects.shape import GITIGNORE, History, Project, dated_by, left_out
from tests.matrix.projects.sphinx_plain import page

PO = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'


def catalogue(*pairs: tuple[str, str]) -> str:
    return PO + "".join(f'msgid "{text}"\nmsgstr "{translation}"\n\n' for text, translation in pairs)


DOCUMENTS = {
    "src/index.rst": page("Home", ".. toctree::\n\n   whole\n   half\n   none\n   new\n"),
    "src/whole.rst": page("Whole", "A text."),
    "src/half.rst": page("Half", "A text.\n\nAnother text.\n"),
    "src/none.rst": page("Not translated", "A text.\n"),
    "src/new.rst": page("A new page", "A text.\n"),
    "src/sub/index.rst": page("Below", "A text.\n", ":orphan:\n"),
    "src/alone.rst": page("Alone", "A text.\n", ":orphan:\n"),
}
CATALOGUES = {
    "src/locale/de/LC_MESSAGES/index.po": catalogue(("Home", "Startseite")),
    "src/locale/de/LC_MESSAGES/whole.po": catalogue(("Whole", "Ganz"), ("A text.", "Ein Text.")),
    "src/locale/de/LC_MESSAGES/half.po": catalogue(("Half", "Halb"), ("A text.", "")),
    "src/locale/de/LC_MESSAGES/none.po": catalogue(("Not translated", ""), ("A text.", "")),
    "src/locale/de/LC_MESSAGES/sub/index.po": catalogue(("Below", "Darunter"), ("A text.", "Ein Text.")),
    "src/locale/de/LC_MESSAGES/alone.po": catalogue(("Alone", "Allein"), ("A text.", "Ein Text.")),
}


def make(root: Path) -> None:
    history = History(root)
    history.commit({".gitignore": GITIGNORE, **DOCUMENTS, "src/conf.py": ""})
    history.commit(CATALOGUES)
    name = "src/locale/de/LC_MESSAGES/whole.po"
    history.commit({name: CATALOGUES[name] + "# A note\n"})


#: The theme renders no canonical link: the folder alone tells how the builder links to its pages.
CODE = """

def setup(app):
    app.connect("html-page-context", without_address, 999)


def without_address(app, name, template, context, tree):
    context["pageurl"] = None
"""

PROJECT = Project(
    name="sphinx-gettext",
    host="sphinx",
    make=make,
    configuration="src",
    code=CODE,
    settings={
        "extensions": [],
        "language": "de",
        "locale_dirs": ["locale"],
        "gettext_compact": False,
        "exclude_patterns": ["locale"],
    },
    themes=("basic", "alabaster", "sphinx_rtd_theme"),
    truth={
        "index.html": dated_by("src/index.rst", "src/locale/de/LC_MESSAGES/index.po"),
        "whole.html": dated_by("src/whole.rst", "src/locale/de/LC_MESSAGES/whole.po"),
        "half.html": dated_by("src/half.rst", "src/locale/de/LC_MESSAGES/half.po"),
        "none.html": left_out("not translated"),
        "new.html": left_out("not translated"),
        "sub/index.html": dated_by("src/sub/index.rst", "src/locale/de/LC_MESSAGES/sub/index.po"),
        "alone.html": dated_by("src/alone.rst", "src/locale/de/LC_MESSAGES/alone.po"),
        "search.html": left_out("generated"),
        "genindex.html": left_out("generated"),
    },
)
