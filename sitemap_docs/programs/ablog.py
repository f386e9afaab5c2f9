"""ABlog 0.11: the pages that it renders of a blog, its posts and its drafts."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from importlib import import_module

from sitemap_docs.model import Fact
from sitemap_docs.programs.built_pages import BuiltPage, Generated
from sitemap_docs.programs.protocols import ExtensionPages

# The heading of the page that lists drafts. In headings of other lists, words precede the name.
_DRAFTS = re.compile(rb'ablog__collection">\s*<h1>\s*<span\s*>\s*Drafts\s*</span>')


class BlogPages(ExtensionPages):
    """The pages that the Sphinx extension ABlog adds, such as archives of blog posts."""

    @cached_property
    def lists(self) -> Mapping[str, tuple[str, ...]]:
        """The pages that list blog posts, such as ``blog/2024``, with the posts' source files."""
        blog = import_module("ablog.blog").Blog(self.app)
        if not blog:  # before Sphinx 8.2, a build that finds nothing to do renders no archives
            import_module("ablog.post").register_posts(self.app)
        posts_by_page: dict[str, set[str]] = defaultdict(set)
        for catalog in (blog.blog, blog.archive, *blog.catalogs.values()):
            for collection in catalog:
                posts = {post.docname for post in collection}
                posts_by_page[collection.docname] |= posts
                # The catalogue of posts and drafts has the name of the page that lists the posts alone.
                if catalog is not blog.blog:
                    posts_by_page[catalog.docname] |= posts
        sources_by_page = {}
        for page, names in posts_by_page.items():
            known = sorted(names & self.documents.keys())
            sources_by_page[page] = tuple(self.documents[name] for name in known)
        return sources_by_page

    def facts(self) -> Iterator[tuple[str, Fact]]:
        """Yield the pages that list blog posts, with ``Fact.LIST``, and the drafts, with ``Fact.DRAFT``.

        The first page of the blog is not yielded, so the sitemap may always list it.
        """
        first_page = self.app.config.blog_path
        drafts_page = f"{first_page}/drafts"
        yield drafts_page, Fact.DRAFT
        for name in self.lists:
            if name not in (first_page, drafts_page):
                yield name, Fact.LIST

    def linked_documents(self) -> Iterable[str]:
        """Return the names of all blog posts. Generated pages of the blog, such as archives, link to them."""
        return getattr(self.app.env, "ablog_posts", ())


def generated(page: BuiltPage) -> Generated | None:
    """If a page is ABlog's list of drafts, return this kind of page, otherwise None."""
    if page.is_document is not False or not page.file.endswith(("drafts.html", "drafts/index.html")):
        return None
    return Generated("the list of drafts", Fact.DRAFT) if _DRAFTS.search(page.text) else None
