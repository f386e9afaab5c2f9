"""Material for MkDocs with its blog: posts, a draft, an archive, categories."""

from __future__ import annotations

from pathlib import Path

from tests.matrix.projects.shape import GITIGNORE, History, Project, dated_by, left_out

DOCUMENTS = {
    "docs/index.md": "# Home\n",
    "docs/alone.md": "# Alone\n",
    "docs/blog/index.md": "# Blog\n",
    "docs/blog/posts/a.md": "---\ndate: 2024-01-31\ncategories: [News]\n---\n# Hello World\n\nText\n",
    "docs/blog/posts/b.md": "---\ndate: 2025-01-31\n---\n# Another one\n\nText\n",
    "docs/blog/posts/c.md": "---\ndate: 2025-02-28\ndraft: true\n---\n# Not yet\n\nText\n",
}


def make(root: Path) -> None:
    history = History(root)
    history.commit({".gitignore": GITIGNORE, **DOCUMENTS, "mkdocs.yml": ""})
    history.commit({"docs/blog/posts/a.md": DOCUMENTS["docs/blog/posts/a.md"] + "More\n"})


_POSTS = ("docs/blog/posts/a.md", "docs/blog/posts/b.md")
PROJECT = Project(
    name="mkdocs-blog",
    host="mkdocs",
    make=make,
    settings={"site_name": "Matrix"},
    plugins=("blog",),
    themes=("material",),
    truth={
        "index.html": dated_by("docs/index.md"),
        "alone.html": dated_by("docs/alone.md"),
        "blog/index.html": dated_by("docs/blog/index.md", *_POSTS),
        "blog/2024/01/31/hello-world.html": dated_by("docs/blog/posts/a.md"),
        "blog/2025/01/31/another-one.html": dated_by("docs/blog/posts/b.md"),
        "blog/archive/2024.html": dated_by("docs/blog/posts/a.md"),
        "blog/archive/2025.html": dated_by("docs/blog/posts/b.md"),
        "blog/category/news.html": dated_by("docs/blog/posts/a.md"),
        "404.html": left_out("404 page"),
    },
    copied=frozenset({"404.html"}),
)
