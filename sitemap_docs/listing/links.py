"""How the canonical links of a site spell its addresses, which a host may serve without ``.html``."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Literal, get_args

from sitemap_docs.config.options import Links
from sitemap_docs.html.head import read_head
from sitemap_docs.urls.base import resolve
from sitemap_docs.webroot.lookup import address

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from sitemap_docs.model import Page
    from sitemap_docs.urls.base import Base

STYLES: tuple[Links, ...] = get_args(Links)
SAMPLE = 50
"""Pages that decide."""


def agreed_links(pages: Iterable[Page], base: Base, output: Path) -> Links | Literal["auto"]:
    """The style of the canonical links of a site; ``auto`` where it is that of the pages' own paths.

    The first pages decide whose canonical link names the page itself in some spelling; ``pages`` come in the
    order of their addresses.
    """
    votes: Counter[Links | Literal["auto"]] = Counter()
    seen = 0
    for page in pages:
        if page.default:
            continue
        try:
            canonicals = read_head(page.file).canonicals
        except OSError:
            continue
        loc = base.loc(page.path)
        named = {base.path_of(resolve(loc, href)) for href in canonicals}
        name = name_of(page, output)
        fitting: list[Links | Literal["auto"]] = [each for each in STYLES if address(name, each) in named]
        if page.path in named:
            fitting.append("auto")
        votes.update(fitting)
        seen += bool(fitting)
        if seen == SAMPLE:
            break
    if not votes or votes["auto"] == max(votes.values()):
        return "auto"
    return max(STYLES, key=lambda style: votes[style])


def name_of(page: Page, output: Path) -> str:
    """The name of a page's file below the output folder, with slashes."""
    return os.path.relpath(page.file, output).replace(os.sep, "/")


def respelled(page: Page, links: Links, output: Path) -> Page:
    """The page at the address that a style gives its file; ``excludes`` know it by both addresses."""
    path = address(name_of(page, output), links)
    if path == page.path:
        return page
    return page._replace(path=path, names=(*page.names, path))


def names_itself(url: str, page: Page, base: Base, output: Path) -> bool:
    """Whether a URL is an address of the page in some style, and of no other file that is there."""
    path = base.path_of(url)
    name = name_of(page, output)
    if path is None or path not in [address(name, style) for style in STYLES]:
        return False
    # What a server tries for an address, in its order.
    tries = [f"{path}index.html"] if not path or path.endswith("/") else [path, f"{path}.html"]
    for each in (*tries, f"{path}/index.html"):
        if (output / each).is_file():
            return each == name
    return False
