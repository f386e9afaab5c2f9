"""MkDocs with mkdocs-static-i18n: two languages, and pages that one of them lacks."""

from __future__ import annotations

from pathlib import Path

from tests.matrix.projects.shape import GITIGNORE, HAND_WRITTEN, History, Project, dated_by, headers, left_out

DOCUMENTS = {
    "docs/index.md": "# Home\n",
    "docs/index.de.md": "# Start\n",
    "docs/both.en.md": "# Both\n",
    "docs/both.de.md": "# Beide\n",
    "docs/english.md": "# English\n",
    "docs/only.de.md": "# Nur\n",
    "docs/off.md": "# Off\n",
    "docs/off.de.md": "---\nsitemap: false\n---\n# Aus\n",
    "docs/alone.md": "# Alone\n",
    "docs/quiet.md": "# Quiet in one language\n",
    "docs/quiet.de.md": "# Still\n",
    "docs/_headers": headers("/de/quiet"),
    "docs/report.html": HAND_WRITTEN,
}


def make(root: Path) -> None:
    history = History(root)
    history.commit({".gitignore": GITIGNORE, **DOCUMENTS, "mkdocs.yml": ""})
    history.commit({"docs/both.de.md": "# Beide\n\nText\n"})


PROJECT = Project(
    name="mkdocs-i18n",
    host="mkdocs",
    make=make,
    settings={"site_name": "Matrix"},
    plugins=(
        {
            "i18n": {
                "docs_structure": "suffix",
                "languages": [
                    {"locale": "en", "name": "English", "build": True, "default": True},
                    {"locale": "de", "name": "Deutsch", "build": True},
                ],
            }
        },
    ),
    themes=("mkdocs", "readthedocs", "material"),
    truth={
        "index.html": dated_by("docs/index.md"),
        "both.html": dated_by("docs/both.en.md"),
        "english.html": dated_by("docs/english.md"),
        "off.html": dated_by("docs/off.md"),
        "alone.html": dated_by("docs/alone.md"),
        "quiet.html": dated_by("docs/quiet.md"),
        "404.html": left_out("404 page"),
        "report.html": left_out("static file"),
        "de/index.html": dated_by("docs/index.de.md"),
        "de/both.html": dated_by("docs/both.de.md"),
        "de/only.html": dated_by("docs/only.de.md"),
        "de/off.html": left_out("sitemap: false"),
        "de/quiet.html": left_out("noindex"),
        "de/english.html": left_out("not translated"),
        "de/alone.html": left_out("not translated"),
    },
    copied=frozenset({"404.html", "report.html"}),
)
