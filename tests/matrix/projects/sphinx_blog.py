"""Sphinx with ABlog: posts, drafts, archives and tags."""

from __future__ import annotations

from pathlib import Path

from tests.matrix.projects.shape import GITIGNORE, History, Project, dated_by, left_out
from tests.matrix.projects.sphinx_plain import page


def post(title: str, date: str, tags: str, option: str = "") -> str:
    return page(title, f".. post:: {date}\n   :tags: {tags}\n{option}\nA text.\n")


DOCUMENTS = {
    "src/index.rst": page("Home", ".. toctree::\n\n   about\n"),
    "src/about.rst": page("About", "A text."),
    "src/alone.rst": page("Alone", "A text.", ":orphan:\n"),
    "src/drafts.rst": page("Drafts", "No list of them.", ":orphan:\n"),
    "src/posts/first.rst": post("First", "2021-03-01", "news, drafts"),
    "src/posts/second.rst": post("Second", "2021-04-01", "news, other"),
    "src/posts/later.rst": post("Later", "2099-01-01", "other"),
    "src/posts/moved.rst": post("Moved", "2021-03-02", "news", "   :redirect: old/moved\n"),
    "src/posts/far.rst": post(
        "Far", "2021-03-03", "far", "   :canonical_link: https://other.example.net/post\n"
    ),
}


def make(root: Path) -> None:
    history = History(root)
    history.commit({".gitignore": GITIGNORE, **DOCUMENTS, "src/conf.py": ""})
    history.commit({"src/posts/second.rst": post("Second", "2021-04-01", "news, other") + "More.\n"})


_POSTS = tuple(f"src/posts/{name}.rst" for name in ("first", "second", "moved", "far"))
PROJECT = Project(
    name="sphinx-blog",
    host="sphinx",
    make=make,
    configuration="src",
    settings={
        "extensions": ["ablog"],
        "blog_title": "Blog",
        "blog_baseurl": "https://docs.example.org/",
        "fontawesome_included": True,
    },
    themes=("alabaster", "sphinx_rtd_theme"),
    truth={
        "index.html": dated_by("src/index.rst"),
        "about.html": dated_by("src/about.rst"),
        "alone.html": dated_by("src/alone.rst"),
        "drafts.html": dated_by("src/drafts.rst"),
        "posts/first.html": dated_by("src/posts/first.rst"),
        "posts/second.html": dated_by("src/posts/second.rst"),
        "posts/later.html": dated_by("src/posts/later.rst"),
        "posts/moved.html": dated_by("src/posts/moved.rst"),
        "old/moved.html": left_out("redirect"),
        "posts/far.html": left_out("canonical elsewhere"),
        "blog.html": dated_by(*_POSTS),
        "blog/archive.html": dated_by(*_POSTS),
        "blog/2021.html": dated_by(*_POSTS),
        "blog/drafts.html": left_out("draft"),
        "blog/tag.html": dated_by(*_POSTS),
        "blog/tag/news.html": dated_by(*_POSTS[:3]),
        "blog/tag/far.html": dated_by("src/posts/far.rst"),
        "blog/tag/drafts.html": dated_by("src/posts/first.rst"),
        "blog/tag/other.html": dated_by("src/posts/second.rst"),
        "search.html": left_out("generated"),
        "genindex.html": left_out("generated"),
    },
)
