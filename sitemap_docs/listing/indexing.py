"""Decide where the canonical links of a page lead, and whether search engines may index the page.

This is the only module that decides where canonical links lead. ``html/head.py`` reads the links and makes
them absolute. ``webroot.py`` decides where a meta refresh leads.
"""

from collections.abc import Callable, Iterable, Sequence
from os.path import isfile
from pathlib import Path
from typing import NamedTuple

from sitemap_docs.files import seen_from
from sitemap_docs.host_rules import Headers, Redirects
from sitemap_docs.html.head import Head
from sitemap_docs.model import Reason
from sitemap_docs.urls.base import Base, UrlRelation, compare_urls, normalise_host, resolve
from sitemap_docs.urls.link_styles import drop_style, spellings
from sitemap_docs.webroot import Webroot, find_refresh_target, tried


class CanonicalLinks(NamedTuple):
    """The canonical links of a page, split into links to the page itself and links to other pages."""

    #: The number of all canonical links.
    number: int
    #: Links to the page itself, spelled differently.
    spelled: tuple[str, ...]
    #: Links to other pages, as absolute URLs.
    others: tuple[str, ...]
    #: The different targets of the links, if the links contradict each other.
    contradictory: tuple[str, ...] = ()

    @property
    def elsewhere(self) -> str:
        """The other page to which all canonical links of the page lead, or ``""``."""
        # Search engines ignore links that contradict each other.
        if self.others and len(self.others) == self.number and not self.contradictory:
            return self.others[0]
        return ""


_OWN_LINK = CanonicalLinks(1, (), ())


def find_different(urls: Iterable[str]) -> tuple[str, ...]:
    """Remove duplicates from the canonical URLs of a page. If fewer than two are left, return ``()``.

    The URLs are compared as text. :func:`find_contradictory` compares the pages to which they lead.
    """
    different = tuple(dict.fromkeys(map(normalise_host, urls)))
    return different if len(different) > 1 else ()


def find_contradictory(urls: Iterable[str]) -> tuple[str, ...]:
    """Return the canonical URLs of a page if they are addresses of different pages, otherwise ``()``.

    ``/b/``, ``/b/index.html`` and ``/b/#x`` are addresses of the same page.
    """
    # Search engines ignore all canonical links of a page if the links have different targets:
    # https://developers.google.com/search/blog/2013/04/5-common-mistakes-with-relcanonical
    different = find_different(urls)
    pages = [drop_style(url.partition("#")[0]) for url in different]
    return different if any(compare_urls(page, pages[0]) == "elsewhere" for page in pages) else ()


class Exclusion(NamedTuple):
    """Why search engines do not index a page, with the evidence, for example a canonical link.

    ``target`` is the target of a redirect or canonical link.
    """

    reason: Reason
    detail: str = ""
    target: str = ""


def exclusion_of(
    head: Head, loc: str, links: CanonicalLinks, refreshes_to: str, headers: Headers
) -> Exclusion | None:
    """Return the reason why search engines do not index a page, or None.

    ``refreshes_to`` is the target of a meta refresh to another page, or ``""``.
    """
    if pattern := headers.noindex(loc):
        return Exclusion(Reason.NOINDEX, f"_headers: {pattern}")
    if head.noindex:
        return Exclusion(Reason.NOINDEX)
    if refreshes_to:
        return Exclusion(Reason.REDIRECT, head.refresh or "", refreshes_to)
    if links.elsewhere:
        return Exclusion(Reason.CANONICAL, head.canonicals[0], links.elsewhere)
    return None


def redirected_by_host(loc: str, redirects: Redirects) -> Exclusion | None:
    """Return the redirect of the host from an existing page to another page, or None.

    For example, Netlify redirects a page that exists if the rule is forced, such as ``/a /b 301!``.
    """
    redirect = redirects.elsewhere(loc, existing=True)
    if not redirect:
        return None
    return Exclusion(Reason.REDIRECT, f"the host redirects to {redirect}", resolve(loc, redirect))


def find_exclusion(
    webroot: Webroot, file: str, loc: str, head: Head, links: CanonicalLinks
) -> Exclusion | None:
    """Return why search engines do not index a page, or None if they may index it.

    The reason is in the ``<head>`` of the page, or in a configuration file of the web host, such as
    ``_headers``.

    Args:
        webroot: The folder with all versions of the site.
        file: The HTML file of the page, such as ``1.0/a.html``.
        loc: The URL of the page.
        head: The ``<head>`` of the page, with or without the tags that ``sitemap-docs join`` has added.
        links: The canonical links of the page.
    """
    redirect = redirected_by_host(loc, webroot.readable_redirects)
    if redirect:
        return redirect
    refreshes_to = find_refresh_target(head, loc, webroot.folder / file, webroot.base, webroot.folder)
    return exclusion_of(head, loc, links, refreshes_to, webroot.headers)


def own_path(head: Head, path: str, file: Path | str, base: Base, folder: Path) -> str | None:
    """Return the path in a page's canonical link if the link leads to the page itself, otherwise None.

    The path in the link, such as ``guide/``, may differ from ``path``, such as ``guide/index.html``. If there
    are no or several different canonical links, return None.

    Args:
        head: The data in the ``<head>`` of the page, such as canonical links.
        path: The path of the page below the base URL.
        file: The HTML file of the page.
        base: The base URL of the site.
        folder: The folder of the built site.
    """
    if len(set(head.canonicals)) != 1:
        return None
    linked = base.path_of(head.canonical_urls(base.loc(path))[0])
    if linked is None or linked == path or names_file(linked, file, folder):
        return linked
    return None


def canonical_links(
    head: Head, loc: str, file: Path | str, base: Base, folder: Path, own: str = ""
) -> CanonicalLinks:
    """Return the canonical links of a page, split into links to the page itself and links to other pages.

    ``own`` is a second address at which the page is served, or ``""``. ``base`` and ``folder`` are the base
    URL and folder of the site.
    """
    if head.canonicals == (loc,):  # as of most pages
        return _OWN_LINK

    def relation_by_file(url: str) -> UrlRelation:
        if own and compare_urls(url, own) != "elsewhere":
            return "same"
        path = base.path_of(url)
        is_same_file = path is not None and names_file(path, file, folder)
        return "spelling" if is_same_file else "elsewhere"

    return compare_canonicals(head.canonical_urls(loc), loc, relation_by_file)


def compare_canonicals(
    urls: Sequence[str], loc: str, relation_by_file: Callable[[str], UrlRelation] | None = None
) -> CanonicalLinks:
    """Return which canonical links of a page lead to the page itself, and which to other pages.

    Args:
        urls: The links, as absolute URLs.
        loc: The address of the page.
        relation_by_file: Called with a link to another address. Returns ``elsewhere``, unless that address
            belongs to the same HTML file. None if the page has no file, for example because it was fetched
            from the deployed site.
    """
    spelled: list[str] = []
    others: list[str] = []
    for url in urls:
        relation = compare_urls(url, loc)
        if relation == "elsewhere" and relation_by_file:
            relation = relation_by_file(url)
        if relation == "spelling":
            spelled.append(url)
        elif relation == "elsewhere":
            others.append(url)
    return CanonicalLinks(len(urls), tuple(spelled), tuple(others), find_contradictory(urls))


def names_file(path: str, file: Path | str, folder: Path) -> bool:
    """Check whether a web server sends ``file`` for a path, such as ``a/index.html`` for ``a/``."""
    name = seen_from(folder, file)
    if path not in spellings(name):
        return False
    for candidate in tried(path):
        if candidate == name:
            return True
        # For example, a.html takes the path a, so a/index.html does not get it.
        if isfile(f"{folder}/{candidate}"):  # noqa: PTH113  Path.is_file raises for a name that is too long
            return False
    return False
