"""MkDocs with drafts, an encrypted and a removed page, redirects, code that runs, and files of a host."""

from __future__ import annotations

from pathlib import Path

from tests.matrix.projects.shape import (
    GITIGNORE,
    HAND_WRITTEN,
    IGNORED,
    STUB,
    UNDATED,
    History,
    Project,
    dated_by,
    headers,
    left_out,
    redirects,
)

DOCUMENTS = {
    "docs/index.md": "# Home\n",
    "docs/guide/install.md": "# Install\n\nText\n",
    "docs/guide/usage.md": '# Usage\n\n--8<-- "part.md"\n',
    "docs/guide/untracked-part.md": '# Usage\n\n--8<-- "untracked.md"\n',
    "docs/errors/404.md": "# The error 404\n",
    "docs/da/404.md": "# Not found, too\n",
    "docs/über uns.md": "# Über uns\n",
    "docs/moved/old.md": "# Moved\n\nText\n",
    "docs/alone.md": "# In no navigation\n",
    "docs/quiet.md": "---\nrobots: noindex, follow\n---\n# Quiet\n",
    "docs/hidden/off.md": "---\nsitemap: false\n---\n# Off\n",
    "docs/hidden/listed.md": "---\nsitemap:\n  disable: true\n---\n# Off\n",
    "docs/dated.md": "---\nsitemap:\n  lastmod: 2019-03-04\n---\n# Dated\n",
    "docs/fields.md": "---\nlast_update:\n  date: 2018-05-06\n---\n# Dated by a field\n",
    "docs/made-of.md": "---\nsitemap:\n  sources: [../src/thing.py]\n---\n# Made of a program\n",
    "docs/usage-notes.md": "---\nsitemap:\n  priority: 0.3\n  changefreq: monthly\n---\n# Notes\n",
    "docs/secret.md": "# Secret\n",
    "docs/forced.md": "# Forced\n",
    "docs/locked.md": "---\npassword: abc\n---\n# Locked\n\nText\n",
    "docs/drafts/soon.md": "# Soon\n",
    "docs/excluded/never.md": "# Never\n",
    "docs/removed.md": "# A hook removes the page\n",
    "docs/runs.md": """# Runs\n\n```python exec="1"\nprint("Text")\n```\n""",
    "docs/reads.md": """# Reads\n\n```python exec="1"\nimport os\nprint(os.path.exists("x"))\n```\n""",
}
OTHERS = {
    "docs/report.html": HAND_WRITTEN,
    "docs/old.html": STUB,
    "docs/part.html": "<p>A part of a page.</p>",
    "docs/robots.txt": "# Ours\nUser-agent: *\nDisallow: /private/\n",
    "docs/_headers": headers("/secret"),
    "docs/_redirects": redirects("/forced", "/guide/install.html"),
    "overrides/main.html": (
        '{% extends "base.html" %}{% block extrahead %}{% if page and page.meta.robots %}'
        '<meta name="robots" content="{{ page.meta.robots }}">{% endif %}{% endblock %}'
    ),
    "overrides/empty.html": "{% if false %}Nothing{% endif %}",
    "remove.py": (
        "from pathlib import Path\n\n\n"
        "def on_post_build(config):\n"
        '    for name in ("removed.html", "removed/index.html"):\n'
        "        Path(config.site_dir, name).unlink(missing_ok=True)\n"
    ),
    "snippets/part.md": "A part.\n",
    "src/thing.py": "THING = 1\n",
    "generate.py": (
        "import mkdocs_gen_files\n\n"
        'with mkdocs_gen_files.open("generated.md", "w") as page:\n    page.write("# Generated\\n")\n'
    ),
}


def make(root: Path) -> None:
    history = History(root)
    history.commit({".gitignore": GITIGNORE, **DOCUMENTS, **OTHERS, "mkdocs.yml": ""})
    history.commit({"docs/guide/install.md": "# Install\n\nMore text\n"})
    history.commit({"snippets/part.md": "A part that changed after the page.\n"})
    history.commit({"src/thing.py": "THING = 2\n"})
    history.commit({"docs/secret.md": "# Secret\n\nText\n", "docs/alone.md": "# Alone\n"})
    move = history.move("docs/moved/old.md", "docs/moved/new.md")
    history.commit({IGNORED: f"{move}\n", "overrides/empty.html": "{% if 0 %}Nothing{% endif %}"})
    history.leave_untracked({"docs/untracked.md": "# Untracked\n", "snippets/untracked.md": "Untracked\n"})


PROJECT = Project(
    name="mkdocs-plain",
    host="mkdocs",
    make=make,
    settings={
        "site_name": "Matrix",
        "nav": [
            "index.md",
            "guide/install.md",
            "guide/usage.md",
            "guide/untracked-part.md",
            "errors/404.md",
            "über uns.md",
            "moved/new.md",
        ],
        "not_in_nav": "*\n",
        "exclude_docs": "excluded/\n",
        "draft_docs": "drafts/\n",
        "hooks": ["remove.py"],
        "markdown_extensions": [{"pymdownx.snippets": {"base_path": ["snippets"]}}, "pymdownx.superfences"],
    },
    plugins=(
        {"gen-files": {"scripts": ["generate.py"]}},
        {"redirects": {"redirect_maps": {"gone.md": "guide/install.md"}}},
        {"encryptcontent": {"search_index": "clear"}},
        "markdown-exec",
    ),
    themes=("mkdocs", "readthedocs", "material"),
    truth={
        "index.html": dated_by("docs/index.md"),
        "guide/install.html": dated_by("docs/guide/install.md"),
        "guide/usage.html": dated_by("docs/guide/usage.md", "snippets/part.md"),
        "guide/untracked-part.html": UNDATED,
        "errors/404.html": dated_by("docs/errors/404.md"),
        "404.html": left_out("404 page"),
        "da/404.html": left_out("404 page"),
        "über uns.html": dated_by("docs/über uns.md"),
        "moved/new.html": dated_by("docs/moved/old.md"),
        "alone.html": dated_by("docs/alone.md"),
        "quiet.html": left_out("noindex"),
        "hidden/off.html": left_out("sitemap: false"),
        "hidden/listed.html": left_out("sitemap: false"),
        "dated.html": dated_by(day="2019-03-04"),
        "fields.html": dated_by("docs/fields.md"),
        "made-of.html": dated_by("docs/made-of.md", "src/thing.py"),
        "usage-notes.html": dated_by("docs/usage-notes.md"),
        "secret.html": left_out("noindex"),
        "forced.html": left_out("redirect"),
        "locked.html": left_out("encrypted"),
        "generated.html": UNDATED,
        "gone.html": left_out("redirect"),
        "untracked.html": UNDATED,
        "report.html": left_out("static file"),
        "old.html": left_out("static file"),
        "removed.html": left_out("unreadable"),
        "runs.html": UNDATED,
        "reads.html": UNDATED,
        "drafts/soon.html": left_out("draft"),
        "empty.html": left_out("generated"),
        "part.html": left_out("static file"),
    },
    copied=frozenset({"report.html", "old.html", "part.html", "404.html", "empty.html"}),
    random=frozenset({"locked.html"}),
)
