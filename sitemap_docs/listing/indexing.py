"""Whether engines may index a page, by its head and the headers of its host, and where it puts itself."""

from os.path import isfile
from pathlib import Path
from typing import NamedTuple

from sitemap_docs.files import seen_from
from sitemap_docs.host_rules import Headers
from sitemap_docs.html.head import CanonicalLinks, Head
from sitemap_docs.model import Reason
from sitemap_docs.urls.base import Base, spellings
from sitemap_docs.webroot import tried

_OWN_LINK = CanonicalLinks(1, (), ())


class Bar(NamedTuple):
    """The reason why search engines do not index a page.

    Attributes:
        reason: The reason.
        detail: The evidence, for example a canonical link as the page spells it.
        target: The absolute address to which a redirect or a canonical link leads.
    """

    reason: Reason
    detail: str = ""
    target: str = ""


def bar(
    head: Head, loc: str, headers: Headers | None = None, links: CanonicalLinks | None = None
) -> Bar | None:
    """Returns what keeps engines from indexing the page at an address; None where they may index it.

    ``headers`` are those of its host, and ``links`` how its canonical links stand to it, where that is known.
    """
    if headers and (pattern := headers.noindex(loc)):
        return Bar(Reason.NOINDEX, f"_headers: {pattern}")
    if head.noindex:
        return Bar(Reason.NOINDEX)
    if target := head.refresh_elsewhere(loc):
        return Bar(Reason.REDIRECT, head.refresh or "", target)
    links = links or head.canonical_links(loc)
    if links.elsewhere:
        return Bar(Reason.CANONICAL, head.canonicals[0], links.elsewhere)
    return None


def own_path(head: Head, path: str, file: Path | str, base: Base, folder: Path) -> str | None:
    """The path at which the only canonical link of a page puts the page itself; None where it does not.

    ``file`` is in the ``folder`` that is deployed to ``base``, and ``path`` is where its host puts it.
    """
    if len(set(head.canonicals)) != 1:
        return None
    named = base.path_of(head.canonical_urls(base.loc(path))[0])
    if named is None or named == path or names_file(named, file, folder):
        return named
    return None


def canonical_links(
    head: Head, loc: str, file: Path | str, base: Base, folder: Path, own: str = ""
) -> CanonicalLinks:
    """Returns how the canonical links of a page stand to it; a host may serve it at several addresses.

    ``file`` is in the ``folder`` that is deployed to ``base``, and ``own`` another address of it.
    """
    if head.canonicals == (loc,):  # as of most pages
        return _OWN_LINK
    links = head.canonical_links(loc, own)
    spelled = [*links.spelled]
    others = []
    for url in links.others:
        path = base.path_of(url)
        if path is not None and names_file(path, file, folder):
            spelled.append(url)
        else:
            others.append(url)
    return links._replace(spelled=tuple(spelled), others=tuple(others))


def names_file(path: str, file: Path | str, folder: Path) -> bool:
    """Whether a path is an address of a file in some style, and of no other file that is there."""
    name = seen_from(folder, file)
    if path not in spellings(name):
        return False
    for each in tried(path):
        if each == name:
            return True
        if isfile(f"{folder}/{each}"):  # noqa: PTH113  Path.is_file raises for a name that is too long
            return False
    return False
