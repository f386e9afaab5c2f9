"""Decide what a host serves at an address of a built folder: a file, a redirect or an error.

A :class:`FolderVisitor` requests an address and follows redirects.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from sitemap_docs import files
from sitemap_docs.host_rules import REDIRECTS, Headers, Outcome, RedirectRule, Redirects
from sitemap_docs.hosting import Hosting, find_hosting
from sitemap_docs.html.head import Head, head_inside
from sitemap_docs.model import SitemapError
from sitemap_docs.programs.host_files import find_rules_file, read_headers, read_redirects
from sitemap_docs.urls.base import Base, resolve, split_url, without_query
from sitemap_docs.urls.hosts import Platform
from sitemap_docs.urls.link_styles import address

#: The files of the home page, in the order in which a web server looks for them.
HOME_PAGES = ("index.html", "index.htm")

MAX_HOPS = 10
"""The number of redirects in a row that Google follows."""

_FOLDERS = 128  # whose names are remembered: addresses come sorted
_DEEPEST = 32  # folders of an address
_TRIES = 100  # addresses that are looked for, to learn where a folder is deployed to


class Webroot:
    """A built folder as its web host serves it, with redirects and headers.

    Args:
        folder: The built folder.
        hosting: The web host and the base URL.
        known: The names of files that are surely in the folder, to save time.
        listed: Exceptions from the usual file for a URL path: ``{"a": "a/index.html"}`` if the folder also
            contains ``a.html``, but the sitemap lists the page of ``a/index.html``.
    """

    def __init__(
        self,
        folder: Path,
        hosting: Hosting,
        known: frozenset[str] = frozenset(),
        listed: Mapping[str, str] | None = None,
    ) -> None:
        self.folder = folder
        self.hosting = hosting
        self.files = known
        self._listed = listed or {}
        root = os.path.realpath(folder)
        self._names = lru_cache(_FOLDERS)(lambda below: frozenset(files.names_inside(root, below)))

    @classmethod
    def at(cls, folder: Path, base: Base) -> Webroot:
        """Return the built site in a folder with a base URL. Its web host is unknown."""
        return cls(folder, Hosting(base=base))

    @classmethod
    def guess(cls, folder: Path, locs: Iterable[str]) -> Webroot | None:
        """Guess the base URL of a built folder from the URLs of its pages. If this fails, return None."""
        built: dict[str, Webroot] = {}
        found: Counter[str] = Counter()
        other_pages: Counter[str] = Counter()
        for loc in islice(locs, _TRIES):
            parts = split_url(loc)
            url = f"{parts.scheme}://{parts.netloc}"
            for segment in (parts.path or "/").split("/", _DEEPEST)[:-1]:
                url = f"{url}{segment}/"
                try:
                    built[url] = built.get(url) or cls.at(folder, Base.of(url))
                except SitemapError:  # the address has no host, or a query in the place of a folder
                    break
                if name := built[url].file_of(loc):
                    found[url] += 1
                    other_pages[url] += name not in HOME_PAGES
        # Any address is that of the home page at some base URL. Therefore, other pages decide between equals,
        # and then the length of the base URL.
        best = max(found, key=lambda url: (found[url], other_pages[url], len(url)), default="")
        return built.get(best)

    @property
    def base(self) -> Base:
        """The base URL that the folder is deployed to."""
        return self.hosting.base

    def with_pages(self, pages: Iterable[tuple[str, str]]) -> Webroot:
        """Return a copy of this object that knows the file of each page in the sitemap.

        ``pages`` are pairs of the URL and the file of a page.
        """
        listed = {}
        for loc, file in pages:
            path = self.path_of(loc)
            if path is None or file not in tried(path)[1:]:  # Most pages have the first file for their path.
                continue
            if self.file_at(path) != file:
                listed[path] = file
        return Webroot(self.folder, self.hosting, self.files, listed)

    # --- the files ---

    def file(self, url: str) -> Path | None:
        """Return the path of the file that the web server sends for a URL, or None."""
        name = self.file_of(url)
        return None if name is None else self.folder / name

    def file_of(self, url: str) -> str | None:
        """Return the file that the web server sends for a URL, such as ``guide/index.html``, or None."""
        path = self.path_of(url)
        return None if path is None else self.file_at(path)

    def file_at(self, path: str) -> str | None:
        """Return the file that the web server sends for a path such as ``a``, or None.

        The server may send ``a.html`` or ``a/index.html``. If both exist, return the file of the page that
        the sitemap lists.
        """
        if path in self._listed:
            return self._listed[path]
        name = path if path.isascii() else os.fsdecode(path.encode("utf-8", "surrogateescape"))
        for each in tried(name):
            if each in self.files:
                return each
        for each in tried(name):
            folder, _, last = each.rpartition("/")
            if files.is_below(each) and last in self._names(folder):
                return each
        return None

    def path_of(self, url: str) -> str | None:
        """Return the part of a URL after the base URL, such as ``guide/a.html``, or None for other URLs."""
        return self.base.path_of(without_query(url))

    # --- the rules of the host ---

    @cached_property
    def rules_file(self) -> Path | None:
        """The file in which the web host looks for redirects and headers, such as netlify.toml, or None."""
        root = self.hosting.root
        folders = [root, files.repository_of(root)] if root else []
        return find_rules_file(self.folder, self.hosting.platform, filter(None, folders))

    @property
    def _redirect_files(self) -> list[Path]:
        """The files from which the host reads redirects, such as ``_redirects``, then netlify.toml."""
        found = []
        if files.find_inside(self.folder, REDIRECTS):
            found.append(self.folder / REDIRECTS)
        if self.rules_file:
            found.append(self.rules_file)
        return found

    @cached_property
    def redirects(self) -> Redirects:
        """The redirects of the site, such as those in the file ``_redirects``.

        Raises:
            SitemapError: A file with redirects cannot be read.
        """
        return self._redirects_of(read_redirects(*self._redirect_files).rules)

    @cached_property
    def readable_redirects(self) -> Redirects:
        """The redirects of the site, such as those in ``_redirects``. Unreadable files are skipped."""
        rules: list[RedirectRule] = []
        for file in self._redirect_files:
            with suppress(SitemapError):
                rules += read_redirects(file).rules
        return self._redirects_of(rules)

    def with_redirects(self, more: Iterable[RedirectRule]) -> Redirects:
        """Return the redirects of the site, followed by the redirect rules in ``more``.

        Raises:
            SitemapError: A file with redirects cannot be read.
        """
        return self._redirects_of([*self.redirects.rules, *more])

    def _redirects_of(self, rules: Iterable[RedirectRule]) -> Redirects:
        """Return the redirects by the rules in a file such as ``_redirects``, as the web host applies them.

        On some hosts, a redirect also applies if there is a file at the old address.
        """
        if self.hosting.redirects_win:
            rules = (rule._replace(forced=True) for rule in rules)
        return Redirects(tuple(rules), self.hosting.drops_html)

    @cached_property
    def headers(self) -> Headers:
        """The rules that add the HTTP header ``X-Robots-Tag`` to files of the site."""
        return read_headers(self.folder, self.rules_file, drops_html=self.hosting.drops_html)


def tried(path: str) -> list[str]:
    """Return the files that a server tries for a path: for ``a``, also ``a.html`` and ``a/index.html``."""
    if not path or path.endswith("/"):
        return [f"{path}index.html", f"{path}index.htm"]
    return [path, f"{path}.html", f"{path}/index.html"]


def find_refresh_target(head: Head, loc: str, file: Path | str, base: Base, folder: Path) -> str:
    """Return the URL of the other page to which a meta refresh sends readers, or ``""`` if there is none.

    A refresh to the file of the page itself only reloads the page, such as ``url=a.html`` if the sitemap
    lists ``a.html`` as ``/a``.

    Args:
        head: The ``<head>`` of the page.
        loc: The URL of the page.
        file: The HTML file of the page.
        base: The base URL of the site.
        folder: The built folder.
    """
    target = head.refresh_elsewhere(loc)
    path = base.path_of(target) if target else None
    if path is None:
        return target
    name = files.seen_from(folder, file)
    candidates = tried(path)
    if name not in candidates:
        return target
    # If a.html and a/index.html exist, a.html may send readers from a.html to a, and mean a/index.html.
    others = [each for each in candidates if each != name]
    is_ambiguous = any(os.path.isfile(f"{folder}/{each}") for each in others)  # noqa: PTH113
    return target if is_ambiguous else ""


class Visit(NamedTuple):
    """The answer of a built site to a request for one address: a page, a redirect or an error."""

    #: The requested address.
    url: str
    #: The kind of answer, with the target of a redirect as written, such as ``../new/``.
    outcome: Outcome
    #: The file at the address, such as ``guide/index.html``, or None.
    file: str | None = None
    #: The absolute address to which visitors are redirected, or ``""``.
    target: str = ""
    has_refresh: bool = False
    #: Whether the host only drops ``.html``, as from ``/a.html`` to ``/a``.
    drops_html: bool = False


@dataclass(frozen=True, kw_only=True)
class FolderVisitor:
    """Finds out what visitors of a built site get at an address, and follows redirects."""

    #: The built site. None if only the redirect rules of its host are known.
    webroot: Webroot | None
    #: The redirect rules of the host.
    redirects: Redirects
    #: Returns the ``<head>`` of a file. By default, the file is read from ``webroot``.
    read_head: Callable[[str], Head] | None = None
    #: Checks whether an address belongs to the site. By default, all addresses do.
    is_ours: Callable[[str], bool] | None = None
    #: Returns the address at which the host serves a page, such as ``/a`` for ``/a.html``. By default, the
    #: host of ``webroot`` decides.
    served_address: Callable[[str], str] | None = None

    def visit(self, url: str) -> Visit:
        """Return how the built site answers a request for a URL, without following redirects."""
        if self.is_ours and not self.is_ours(url):
            return Visit(url, Outcome(""))
        file = self.webroot.file_of(url) if self.webroot else None
        has_file = file is not None
        written = self.redirects.elsewhere(url, existing=has_file)
        if written:
            return Visit(url, Outcome("redirected", written), file, resolve(url, written))
        outcome = self.redirects.find(url, existing=has_file)
        if outcome is None and self.served_address:
            outcome = self.redirects.find(self.served_address(url), existing=has_file)
        if file is None:
            return self._visit_without_file(url, outcome)
        if outcome and outcome.kind != "redirected":
            return Visit(url, outcome, file)
        served = self._served_at(url, file)
        if served != url:
            return Visit(url, Outcome("redirected", served), file, served, drops_html=True)
        return self._visit_file(url, file)

    def _served_at(self, url: str, file: str | None) -> str:
        """Return the address at which the host serves a page, such as ``/a`` for ``/a.html``."""
        if self.webroot:
            return self.webroot.hosting.served_address(url, file or "")
        return self.served_address(url) if self.served_address else url

    def visit_page(self, url: str) -> Visit:
        """Return what the host would answer to a request for a page.

        If the host redirects ``/a.html`` to ``/a``, return the answer at ``/a``.
        """
        visit = self.visit(url)
        return self.visit(visit.target) if visit.drops_html else visit

    def find_outcome(self, url: str, listed: Container[str] = ()) -> Outcome:
        """Return what visitors of an address find: a page, a redirect or an error.

        A host may serve ``/a.html`` at ``/a``. If ``listed`` (the addresses in the sitemap) contains ``/a``,
        the outcome for ``/a.html`` is a redirect to ``/a``.
        """
        file = self.webroot.file_of(url) if self.webroot else None
        outcome = self.visit_page(url).outcome
        served = self._served_at(url, file)
        if served != url and served in listed and outcome.kind != "redirected":
            return Outcome("redirected", served)
        return outcome

    def _visit_without_file(self, url: str, outcome: Outcome | None) -> Visit:
        """Return how the site answers a request for a URL that has no file, such as a redirect or an error.

        ``outcome`` is the result of a redirect rule for the URL, or None if no rule matches.
        """
        if outcome and outcome.kind == "redirected":  # For example, /a/ redirects to /a.
            return Visit(url, outcome, None, resolve(url, outcome.target))
        if outcome:
            return Visit(url, outcome)
        is_known = self.webroot is not None or self.redirects.rules
        return Visit(url, Outcome("lost" if is_known else ""))

    def _visit_file(self, url: str, file: str) -> Visit:
        """Return what visitors get if ``url`` leads to ``file``: the file, or a redirect in its HTML."""
        if self.webroot is None or not files.is_html(file):
            return Visit(url, Outcome("served"), file)
        head = self.read_head(file) if self.read_head else head_inside(self.webroot.folder, file)
        loc = self.webroot.base.loc(address(file, "folders"))
        target = find_refresh_target(
            head, loc, self.webroot.folder / file, self.webroot.base, self.webroot.folder
        )
        if target:
            return Visit(url, Outcome("redirected", head.refresh or ""), file, target, has_refresh=True)
        return Visit(url, Outcome("served"), file)

    def follow(self, url: str) -> list[Visit]:
        """Request a URL, follow all redirects, and return the answers of the site in order.

        After ten redirects, for example in a circle, stop. Then the last answer is a redirect.
        """
        visits = [self.visit(url)]
        while visits[-1].target and len(visits) <= MAX_HOPS:
            next_url = visits[-1].target.partition("#")[0]
            visits.append(self.visit(next_url))
        return visits

    def find_end(self, url: str) -> Visit | None:
        """Follow all redirects from an address, and return the answer of the site at the last address.

        Return None if there are more than ten redirects, for example in a circle.
        """
        last = self.follow(url)[-1]
        return None if last.target else last


def address_finder(webroot: Webroot | None, platform: Platform) -> Callable[[str], str]:
    """Return a function that finds the address at which the host serves a page.

    For example, some hosts redirect ``https://example.com/a.html`` to ``https://example.com/a``.

    Args:
        webroot: The built site. If it is None, the host is guessed from the address of the page.
        platform: The platform on which sitemap-docs runs. It only matters if ``webroot`` is None.
    """
    if webroot:
        return webroot.hosting.served_address

    @lru_cache
    def hosting_of(origin: str) -> Hosting | None:
        try:
            return find_hosting(platform, Base.of(origin))
        except SitemapError:  # A sitemap may contain any text as an address.
            return None

    def served_address(loc: str) -> str:
        parts = split_url(loc)
        hosting = hosting_of(f"{parts.scheme}://{parts.netloc}/")
        return hosting.served_address(loc) if hosting else loc

    return served_address


def open_visitor(
    webroot: Webroot | None,
    redirect_files: Iterable[Path] = (),
    served_address: Callable[[str], str] | None = None,
) -> FolderVisitor:
    """Return a :class:`FolderVisitor`, which follows the redirects of a built site.

    Args:
        webroot: The built site, or None if only its address is known.
        redirect_files: More files with redirects, such as ``_redirects`` of another folder.
        served_address: A function from :func:`address_finder`. It is only used if ``webroot`` is None.

    Raises:
        SitemapError: A file with redirects cannot be read.
    """
    redirects = read_redirects(*redirect_files)
    if webroot:
        return FolderVisitor(webroot=webroot, redirects=webroot.with_redirects(redirects.rules))
    return FolderVisitor(webroot=None, redirects=redirects, served_address=served_address)
