"""The blog of Material for MkDocs: the sources of posts, and the posts that a page lists."""

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
from sitemap_docs.model import Fact, SitemapError
from sitemap_docs.programs.protocols import PluginPages
from sitemap_docs.sources.source_files import SourceLayout

_FRONT_MATTER = re.compile(r"(?:\ufeff)?---[ \t]*\r?\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)")
_TAG = re.compile(r"<[^<>]*>")
_NOT_IN_SLUGS = re.compile(r"[^\w\- ]")


class _Post(NamedTuple):
    """A post of a blog."""

    path: Path
    slug: str
    year: str
    categories: frozenset[str]


class PostPages(PluginPages):
    """Describes the pages of the blog of Material for MkDocs, such as the posts that a page lists."""

    @staticmethod
    def layout(docs: Path, options: Mapping[str, Any]) -> SourceLayout:
        """Return a :class:`SourceLayout`, which finds the source files of a blog of Material for MkDocs."""
        return BlogLayout(docs, options)

    def sources(self, page: Any) -> list[str]:  # noqa: ANN401  of MkDocs, with a view of the plugin
        """Return the source files of the posts that a blog page shows. An example is the archive of 2024."""
        return [post.file.abs_src_path for post in getattr(page, "posts", ()) if post.file.abs_src_path]

    def facts(self, file: Any, *, is_orphan: bool) -> Iterator[Fact]:  # noqa: ANN401
        """Yield ``Fact.LIST`` if a page only lists blog posts, such as an archive.

        For the second page of such a list and all later ones, such as ``page/2/``, also yield
        ``Fact.PAGINATION``. ``is_orphan`` (the page is not in the navigation) makes no difference.
        """
        page = file.page
        views = {"Archive", "Category", "Profile"}
        if not views.isdisjoint(view.__name__ for view in type(page).__mro__):
            yield Fact.LIST
        if any(page is further for further in getattr(page, "pages", ())[1:]):
            yield Fact.PAGINATION


@linear
class BlogLayout(SourceLayout):
    """Finds the source files of the pages in a blog.

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
            title = str(meta.get("title") or _title(path, text))
            post = _Post(
                path=path,
                slug=str(meta.get("slug") or slug_of(title)),
                year=year,
                categories=frozenset(slug_of(str(category)) for category in as_list(meta.get("categories"))),
            )
            posts.append(post)
        return posts

    def _address_parts(self, file: str) -> list[str] | None:
        """Split the path of a blog page: ``blog/archive/2024/index.html`` becomes ``["archive", "2024"]``.

        For pages outside the blog, return None.
        """
        address = f"/{file}".removesuffix(".html").removesuffix("/index")
        start = f"/{self._blog}".rstrip("/")
        if not f"{address}/".startswith(f"{start}/"):
            return None
        return list(filter(None, address[len(start) :].split("/")))

    def places(self, file: str) -> Iterator[tuple[str, str]]:
        parts = self._address_parts(file)
        if not parts:
            return
        named = [post for post in self._posts if post.slug == parts[-1]]
        if len(named) == 1:
            path = named[0].path.relative_to(self._docs)
            yield path.parent.as_posix(), path.stem

    def listed_sources(self, file: str) -> list[Path]:
        """Return the source files of the posts that a page such as ``blog/archive/2024/`` lists."""
        match self._address_parts(file):
            case [] | ["page", _]:
                return [post.path for post in self._posts]
            case ["archive", year, *_]:
                return [post.path for post in self._posts if post.year == year]
            case ["category", category, *_]:
                return [post.path for post in self._posts if category in post.categories]
            case _:
                return []


def _title(path: Path, text: str) -> str:
    """Return the title of a blog post: the heading in its first line, or its file name."""
    body = _FRONT_MATTER.sub("", text, count=1).strip()
    first_line = body.partition("\n")[0].rstrip()
    if not first_line.startswith("# "):
        return path.stem.replace("-", " ").replace("_", " ")
    return first_line.lstrip("# ")


def slug_of(text: str) -> str:
    """Convert a title to the last part of an address.

    >>> slug_of("Hello, *World*: 2.0!")
    'hello-world-20'
    """
    plain_text = _TAG.sub("", normalize("NFC", text)).strip().lower()
    return _NOT_IN_SLUGS.sub("", plain_text).replace(" ", "-")
