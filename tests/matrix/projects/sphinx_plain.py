"""Sphinx with documents, a module, hand-written HTML, files of a host, and pages that others render."""

from __future__ import annotations

from pathlib import Path

from tests.matrix.projects.shape import (
    GITIGNORE,
    HAND_WRITTEN,
    IGNORED,
    LATE,
    STUB,
    UNDATED,
    History,
    Project,
    dated_by,
    headers,
    left_out,
    redirects,
)


def page(title: str, body: str = "", fields: str = "") -> str:
    return f"{fields}\n{'=' * 40}\n{title}\n{'=' * 40}\n\n{body}\n"


TREE = """
.. toctree::
   :hidden:

   guide/install
   guide/usage
   errors/404
   api
   late-part
   computed
   über uns
   moved/new
"""
DOCUMENTS = {
    "src/index.rst": page("Home", TREE),
    "src/guide/install.rst": page("Install", "Text."),
    "src/guide/usage.rst": page("Usage", ".. include:: /shared/part.rst\n"),
    "src/errors/404.rst": page("The error 404", "What it means."),
    "src/404.rst": page("Not found", fields=":orphan:\n"),
    "src/da/404.rst": page("Not found, too", fields=":orphan:\n"),
    "src/api.rst": page("API", ".. automodule:: matrix_thing\n   :members:\n"),
    "src/late-part.rst": page("Late part", ".. literalinclude:: data/example.txt\n"),
    "src/computed.rst": page("Untracked part", ".. include:: /shared/untracked.txt\n"),
    "src/über uns.rst": page("Über uns", "Text."),
    "src/moved/old.rst": page("Moved", "Text."),
    "src/alone.rst": page("In no navigation", fields=":orphan:\n"),
    "src/quiet.rst": page("Quiet", ".. meta::\n   :robots: noindex\n", fields=":orphan:\n"),
    "src/hidden/off.rst": page("Off", fields=":orphan:\n:sitemap: false\n"),
    "src/hidden/robots.rst": page("Off", fields=":orphan:\n:robots: noindex\n"),
    "src/dated.rst": page("Dated", fields=":orphan:\n:sitemap-lastmod: 2019-03-04\n"),
    "src/secret.rst": page("Secret", fields=":orphan:\n"),
    "src/forced.rst": page("Forced", fields=":orphan:\n"),
    "src/forced.txt": "A text that no document includes.\n",
    "src/usage-notes.rst": page("Notes", fields=":orphan:\n:sitemap-priority: 0.3\n"),
    "src/removed.rst": page("Removed", fields=":orphan:\n"),
}
FRAGMENTS = {
    "src/shared/part.rst": "A part that has no title.\n",
    "src/data/example.txt": "An example.\n",
    "src/matrix_thing.py": "def thing():\n    '''A thing.'''\n",
}
OTHERS = {
    "src/extra/report.html": HAND_WRITTEN,
    "src/extra/old.html": STUB,
    "src/extra/javadoc/index.html": HAND_WRITTEN,
    "src/extra/fr/404.html": HAND_WRITTEN,
    "src/one/alone-file.html": HAND_WRITTEN,
    "src/extra/robots.txt": "# Ours\nUser-agent: *\nDisallow: /private/\n",
    "src/extra/_headers": headers("/secret"),
    "src/extra/_redirects": redirects("/forced", "/guide/install.html"),
    "src/templates/elsewhere.html": (
        "<!doctype html><html><head><title>Elsewhere</title>"
        '<link rel="canonical" href="https://other.example.net/page"></head><body></body></html>'
    ),
    "src/templates/empty.html": "{% if false %}Nothing{% endif %}",
}
CODE = """
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))


def write_late(app, error):
    if app.builder.format != "html":
        return
    folder = Path(app.outdir, "late")
    folder.mkdir(exist_ok=True)
    text = "<!doctype html><html><head><title>Late</title></head><body>Written at the end</body></html>"
    (folder / "page.html").write_text(text, encoding="utf-8")
    for name in ("removed.html", "removed/index.html"):  # which is no page then
        Path(app.outdir, name).unlink(missing_ok=True)


def setup(app):
    app.connect("build-finished", write_late, 400)
"""


def make(root: Path) -> None:
    history = History(root)
    history.commit({".gitignore": GITIGNORE, **DOCUMENTS, **FRAGMENTS, **OTHERS, "src/conf.py": ""})
    history.commit({"src/guide/install.rst": page("Install", "More text.")})
    history.commit({"src/shared/part.rst": "A part that changed after the page.\n"})
    history.commit({"src/matrix_thing.py": "def thing():\n    '''Another thing.'''\n"})
    history.commit({"src/usage-notes.rst": page("Notes", "More", ":orphan:\n:sitemap-priority: 0.3\n")})
    history.commit({"src/data/example.txt": "Another example.\n"})
    move = history.move("src/moved/old.rst", "src/moved/new.rst")
    history.commit({IGNORED: f"{move}\n", "src/templates/empty.html": "{% if 0 %}Nothing{% endif %}"})
    history.leave_untracked(
        {
            "src/untracked.rst": page("Untracked", fields=":orphan:\n"),
            "src/shared/untracked.txt": "Text of a file that git does not know.\n",
        }
    )


PROJECT = Project(
    name="sphinx-plain",
    host="sphinx",
    make=make,
    configuration="src",
    settings={
        "extensions": ["sphinx.ext.autodoc", "sphinx.ext.viewcode"],
        "html_theme": "basic",
        "html_extra_path": ["extra", "one/alone-file.html"],
        "templates_path": ["templates"],
        "html_additional_pages": {"elsewhere": "elsewhere.html", "empty": "empty.html"},
        "exclude_patterns": ["extra", "one", "templates"],
        "show_warning_types": True,
    },
    code=CODE,
    themes=("basic", "pydata_sphinx_theme", "furo"),
    truth={
        "index.html": dated_by("src/index.rst"),
        "guide/install.html": dated_by("src/guide/install.rst"),
        "guide/usage.html": dated_by("src/guide/usage.rst", "src/shared/part.rst"),
        "errors/404.html": dated_by("src/errors/404.rst"),
        "404.html": left_out("404 page"),
        "da/404.html": left_out("404 page"),
        "fr/404.html": left_out("404 page"),
        "api.html": dated_by("src/api.rst", "src/matrix_thing.py"),
        "late-part.html": dated_by("src/late-part.rst", "src/data/example.txt"),
        "computed.html": UNDATED,
        "über uns.html": dated_by("src/über uns.rst"),
        "moved/new.html": dated_by("src/moved/old.rst"),
        "alone.html": dated_by("src/alone.rst"),
        "quiet.html": left_out("noindex"),
        "hidden/off.html": left_out("sitemap: false"),
        "hidden/robots.html": left_out("noindex"),
        "dated.html": dated_by(day="2019-03-04"),
        "secret.html": left_out("noindex"),
        "forced.html": left_out("redirect"),
        "usage-notes.html": dated_by("src/usage-notes.rst"),
        "shared/part.html": left_out("only included elsewhere"),
        "untracked.html": UNDATED,
        "report.html": left_out("static file"),
        "javadoc/index.html": left_out("static file"),
        "alone-file.html": left_out("static file"),
        "old.html": left_out("redirect"),
        "elsewhere.html": left_out("canonical elsewhere"),
        "empty.html": left_out("template"),
        LATE: left_out("static file"),
        "search.html": left_out("generated"),
        "genindex.html": left_out("generated"),
        "py-modindex.html": left_out("generated"),
        "_modules/index.html": left_out("generated"),
        "_modules/matrix_thing.html": left_out("generated"),
    },
    copied=frozenset(
        {"report.html", "old.html", LATE, "javadoc/index.html", "fr/404.html", "alone-file.html"}
    ),
)
