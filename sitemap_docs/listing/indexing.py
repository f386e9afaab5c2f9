"""Whether engines may index a page, by its head and the headers of its host."""

from __future__ import annotations

from typing import NamedTuple

from sitemap_docs.html.head import CanonicalLinks, Head
from sitemap_docs.model import Reason
from sitemap_docs.webroot.host_rules import Headers


class Bar(NamedTuple):
    """Why engines do not index a page, and what says so."""

    reason: Reason
    detail: str = ""


def bar(
    head: Head, loc: str, headers: Headers | None = None, links: CanonicalLinks | None = None
) -> Bar | None:
    """What keeps engines from indexing the page at an address; None where they may index it.

    ``headers`` are those of its host, and ``links`` how its canonical links stand to it, where that is known.
    """
    if headers and (pattern := headers.noindex(loc)):
        return Bar(Reason.NOINDEX, f"_headers: {pattern}")
    if head.noindex:
        return Bar(Reason.NOINDEX)
    if head.refresh_elsewhere(loc):
        return Bar(Reason.REDIRECT, head.refresh or "")
    links = links or head.canonical_links(loc)
    if links.elsewhere:
        return Bar(Reason.CANONICAL, head.canonicals[0])
    return None
