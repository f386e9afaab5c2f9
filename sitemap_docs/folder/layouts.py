"""Where sources lie that are not at the path of their page: of translations, blogs and MyST."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cached_property
from pathlib import Path
from posixpath import basename, dirname, normpath, splitext
from typing import Any, NamedTuple
from unicodedata import normalize

from sitemap_docs import files
from sitemap_docs.config.parsing import as_list, as_mapping, as_text, load_json, read_front_matter
from sitemap_docs.model import SitemapError
from sitemap_docs.sources.lookup import SourceLayout

_MYST_HOMES = ("index.json", "readme.json", "main.json")
_HEADING = re.compile(r"^# +(.+?)(?: +\{[^}]*\})?[ \t]*\r?$", re.MULTILINE)
_NOT_IN_SLUGS = re.compile(r"<[^>]*>|[^\w\- ]")


class TranslatedLayout(SourceLayout):
    """Sources of mkdocs-static-i18n: ``de/a/`` is ``a.de.md`` or ``de/a.md``, else the default language."""

    def __init__(self, docs: Path, options: Mapping[str, Any]) -> None:
        default, languages = "", []
        for each in as_list(options.get("languages")):
            language = as_text(as_mapping(each).get("locale"))
            if language:
                languages.append(language)
            if language and each.get("default") is True:
                default = language
        maps = []
        for language in languages:
            prefix = "" if language == default else f"{language}/"
            if options.get("docs_structure") == "folder":
                maps.append(f"{prefix}**={default}/**")
                continue
            for ending in dict.fromkeys([language, default]):
                maps += [
                    f"{prefix}**/index.html=**.{ending}.html",
                    f"{prefix}**/index.html=**/index.{ending}.html",
                    f"{prefix}**/index.html=**/README.{ending}.html",
                    f"{prefix}**.html=**.{ending}.html",
                ]
            maps.append(f"{prefix}**=**")
        super().__init__(docs, maps)
        self._others = frozenset(languages) - {default}

    def is_untranslated(self, file: str, source: str) -> bool:
        language, slash, _ = file.partition("/")
        if not slash or language not in self._others:
            return False
        return not (
            splitext(source)[0].endswith(f".{language}") or source.startswith(f"{self.root}/{language}/")
        )


class MystLayout(SourceLayout):
    """The sources that MyST names in the data of each page, since addresses leave out folders and numbers."""

    def __init__(self, root: Path, site: Path) -> None:
        super().__init__(root, ())
        self._site = site

    def places(self, file: str) -> Iterator[tuple[str, str]]:
        slug = file.removesuffix("index.html").strip("/").replace("/", ".")
        for name in (f"{slug}.json", f"{slug}.index.json") if slug else _MYST_HOMES:
            if not files.find_inside(self._site, name):
                continue
            try:
                location = as_text(load_json(self._site / name).get("location"))
            except SitemapError:
                continue
            if location:
                below = normpath(f"/{location}").strip("/")
                yield dirname(below), splitext(basename(below))[0]


class _Post(NamedTuple):
    path: Path
    slug: str
    year: str
    categories: frozenset[str]


class BlogLayout(SourceLayout):
    """Posts are found by the last part of their address; the pages that list posts are made of these.

    https://squidfunk.github.io/mkdocs-material/plugins/blog/
    """

    def __init__(self, docs: Path, options: Mapping[str, Any]) -> None:
        super().__init__(docs, ())
        self._docs = docs
        self._blog = str(options.get("blog_dir", "blog")).strip("/.")
        self._folder = docs / str(options.get("post_dir", "{blog}/posts")).replace("{blog}", self._blog)

    @cached_property
    def _posts(self) -> list[_Post]:
        posts = []
        for path in sorted(self._folder.rglob("*.md")):
            try:
                meta = read_front_matter(str(path), ("date", "slug", "title", "categories"))
                text = files.read_file(path).decode("utf-8", "replace")
            except (OSError, SitemapError):
                continue
            created = meta.get("date")
            if isinstance(created, dict):
                created = created.get("created")
            year = ""
            if isinstance(created, date):
                year = str(created.year)
            heading = _HEADING.search(text)
            title = str(meta.get("title") or (heading and heading[1]) or path.stem)
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
        return [part for part in address[len(start) :].split("/") if part]

    def places(self, file: str) -> Iterator[tuple[str, str]]:
        parts = self._below(file)
        if not parts:
            return
        named = [post for post in self._posts if post.slug == parts[-1]]
        if len(named) == 1:
            path = named[0].path.relative_to(self._docs)
            yield path.parent.as_posix(), path.stem

    def listed(self, file: str) -> list[Path]:
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


def slug_of(text: str) -> str:
    """A title as Material's blog has it in addresses by default.

    >>> slug_of("Hello, *World*: 2.0!")
    'hello-world-20'
    """
    return _NOT_IN_SLUGS.sub("", normalize("NFC", text)).strip().lower().replace(" ", "-")
