"""Material for MkDocs with its blog: posts, a draft, an archive, categories."""

from __future__ import annotations

from pathlib import Path

from tests.matrix.projects.shape import GITIGNORE, History, Project, dated_by, left_out

DOCUMENTS = {
    "docs/index.md": "# Home\n",
    "docs/alone.md": "# Alone\n",
    "docs/blog/index.md": "# Blog\n",
    "docs/blog/posts/a.md": "---\ndate: 2024-01-31\ncategories: [News]\n---\n# Hello World\n\nText\n",
    "docs/blog/posts/2025/b.md": "---\ndate:\n  created: 2025-01-31\nslug: second\n---\n# Another\n\nText\n",
    "docs/blog/posts/c.md": "---\ndate: 2025-02-28\ndraft: true\n---\n# Not yet\n\nText\n",
}
_POSTS = ("docs/blog/posts/a.md", "docs/blog/posts/2025/b.md")


def make(root: Path) -> None:
    history = History(root)
    history.commit({".gitignore": GITIGNORE, **DOCUMENTS, "mkdocs.yml": ""})
    for post in _POSTS:
        history.commit({post: DOCUMENTS[post] + "More\n"})


PROJECT = Project(
    name="mkdocs-blog",
    host="mkdocs",
    make=make,
    settings={"site_name": "Matrix"},
    plugins=({"blog": {"pagination_per_page": 1}},),
    themes=("material",),
    truth={
        "index.html": dated_by("docs/index.md"),
        "alone.html": dated_by("docs/alone.md"),
        "blog/index.html": dated_by("docs/blog/index.md", *_POSTS),
        "blog/2024/01/31/hello-world.html": dated_by("docs/blog/posts/a.md"),
        "blog/2025/01/31/second.html": dated_by("docs/blog/posts/2025/b.md"),
        "blog/archive/2024.html": dated_by("docs/blog/posts/a.md"),
        "blog/archive/2025.html": dated_by("docs/blog/posts/2025/b.md"),
        "blog/page/2/index.html": dated_by(*_POSTS),
        "blog/category/news.html": dated_by("docs/blog/posts/a.md"),
        "404.html": left_out("404 page"),
    },
    copied=frozenset({"404.html"}),
)
