"""ABlog 0.11: the pages that it renders of a blog, its posts and its drafts."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

# Where drafts are listed; its other pages have words before the name.
_DRAFTS = re.compile(rb'ablog__collection">\s*<h1>\s*<span\s*>\s*Drafts\s*</span>')


def archives(app: Any, documents: Mapping[str, str]) -> dict[str, tuple[str, ...]]:  # noqa: ANN401  of Sphinx
    """The pages that are rendered of a blog, with the sources of the posts that each lists."""
    blog = import_module("ablog.blog").Blog(app)
    if not blog:  # before Sphinx 8.2, a build that finds nothing to do renders no archives
        import_module("ablog.post").register_posts(app)
    listed: dict[str, set[str]] = defaultdict(set)
    for catalog in (blog.blog, blog.archive, *blog.catalogs.values()):
        for collection in catalog:
            posts = {post.docname for post in collection}
            listed[collection.docname] |= posts
            # The catalogue of posts and drafts has the name of the page that lists the posts alone.
            if catalog is not blog.blog:
                listed[catalog.docname] |= posts
    by_page = {}
    for page, names in listed.items():
        known = sorted(names & documents.keys())
        by_page[page] = tuple(documents[name] for name in known)
    return by_page


def posts(env: Any) -> Iterable[str]:  # noqa: ANN401
    """The documents that are posts, which no toctree needs to name."""
    return getattr(env, "ablog_posts", ())


def lists_of_posts(config: Any, archives: Iterable[str]) -> set[str]:  # noqa: ANN401
    """Those of the pages of a blog that list posts; its first page is none."""
    return {*archives} - {config.blog_path, drafts_page(config)}


def drafts_page(config: Any) -> str:  # noqa: ANN401
    """The page that lists the posts which are not published yet."""
    return f"{config.blog_path}/drafts"


def lists_drafts(file: str, text: bytes) -> bool:
    """Whether a rendered page is that one."""
    return file.endswith(("drafts.html", "drafts/index.html")) and _DRAFTS.search(text) is not None
