"""The blog of Material for MkDocs: where its posts lie, and which of them a page lists."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import normalize

from sitemap_docs import files
from sitemap_docs.config.frontmatter import read_front_matter
from sitemap_docs.config.parsing import as_list
from sitemap_docs.linear import linear
from sitemap_docs.model import SitemapError
from sitemap_docs.sources.source_files import SourceLayout

_NOT_IN_SLUGS = re.compile(r"<[^<>]*>|[^\w\- ]")


class _Post(NamedTuple):
    path: Path
    slug: str
    year: str
    categories: frozenset[str]


def posts_of(page: Any) -> list[str]:  # noqa: ANN401  of MkDocs, with a view of the plugin
    """The sources of the posts that a page of a build lists: an index, an archive or a category."""
    return [post.file.abs_src_path for post in getattr(page, "posts", ()) if post.file.abs_src_path]


def is_list(page: Any) -> bool:  # noqa: ANN401
    """Whether a page is an archive, a category or a profile, which list posts, and not the first page."""
    return not {"Archive", "Category", "Profile"}.isdisjoint(each.__name__ for each in type(page).__mro__)


def is_further(page: Any) -> bool:  # noqa: ANN401
    """Whether a page goes on with the list of another, such as ``page/2/``."""
    return any(page is each for each in getattr(page, "pages", ())[1:])


@linear
class BlogLayout(SourceLayout):
    """Posts are found by the last part of their address; the pages that list posts are made of these.

    https://squidfunk.github.io/mkdocs-material/plugins/blog/
    """

    def __init__(self, docs: Path, options: Mapping[str, Any]) -> None:
        super().__init__(docs)
        self._docs = docs
        self._blog = str(options.get("blog_dir", "blog")).strip("/.")
        self._folder = docs / str(options.get("post_dir", "{blog}/posts")).replace("{blog}", self._blog)

    @cached_property
    def _posts(self) -> list[_Post]:
        posts = []
        for path in map(self._folder.joinpath, sorted(files.names_below(self._folder))):
            if path.suffix != ".md":
                continue
            try:
                meta = read_front_matter(str(path), ("date", "draft", "slug", "title", "categories"))
                text = files.read_file(path).decode("utf-8", "replace")
            except (OSError, SitemapError):
                continue
            if meta.get("draft") is True:
                continue
            created = meta.get("date")
            if isinstance(created, dict):
                created = created.get("created")
            year = str(created.year) if isinstance(created, date) else ""
            title = str(meta.get("title") or _heading(text) or path.stem)
            post = _Post(
                path=path,
                slug=str(meta.get("slug") or slug_of(title)),
                year=year,
                categories=frozenset(slug_of(str(each)) for each in as_list(meta.get("categories"))),
            )
            posts.append(post)
        return posts

    def _below(self, file: str) -> list[str] | None:
        """The parts of a page's address below the blog; None for pages of other folders."""
        address = f"/{file}".removesuffix(".html").removesuffix("/index")
        start = f"/{self._blog}".rstrip("/")
        if not f"{address}/".startswith(f"{start}/"):
            return None
        return list(filter(None, address[len(start) :].split("/")))

    def places(self, file: str) -> Iterator[tuple[str, str]]:
        parts = self._below(file)
        if not parts:
            return
        named = [post for post in self._posts if post.slug == parts[-1]]
        if len(named) == 1:
            path = named[0].path.relative_to(self._docs)
            yield path.parent.as_posix(), path.stem

    def listed_sources(self, file: str) -> list[Path]:
        """The posts of an index, of a year and of a category."""
        match self._below(file):
            case [] | ["page", _]:
                return [post.path for post in self._posts]
            case ["archive", year, *_]:
                return [post.path for post in self._posts if post.year == year]
            case ["category", category, *_]:
                return [post.path for post in self._posts if category in post.categories]
            case _:
                return []


def _heading(text: str) -> str:
    """The first heading of a page in Markdown, without the attributes behind it; ``""`` where it has none."""
    for line in text.splitlines():
        heading = line.removeprefix("# ").strip()
        if heading and line.startswith("# "):
            if heading.endswith("}"):
                start = heading.find(" {", heading.rfind("}", 0, -1) + 1)
                heading = heading[: start if start > 0 else None]
            return heading.rstrip()
    return ""


def slug_of(text: str) -> str:
    """A title as Material's blog has it in addresses by default.

    >>> slug_of("Hello, *World*: 2.0!")
    'hello-world-20'
    """
    return _NOT_IN_SLUGS.sub("", normalize("NFC", text)).strip().lower().replace(" ", "-")
