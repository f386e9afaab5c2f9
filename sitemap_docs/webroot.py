"""Look up how a host serves a built folder: the file for an address, redirects and headers."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.host_rules import REDIRECTS, Headers, Outcome, RedirectRule, Redirects
from sitemap_docs.hosting import Hosting
from sitemap_docs.html.head import read_head
from sitemap_docs.model import SitemapError
from sitemap_docs.programs.host_files import find_rules_file, read_headers, read_redirects
from sitemap_docs.urls.base import Base, split_url, without_query

#: The files of the home page, in the order in which a web server looks for them.
HOME_PAGES = ("index.html", "index.htm")

_FOLDERS = 128  # whose names are remembered: addresses come sorted
_DEEPEST = 32  # folders of an address
_TRIES = 100  # addresses that are looked for, to learn where a folder is deployed to


class Webroot:
    """A built folder as its host serves it: it finds the file for an address, redirects and headers.

    Only regular files inside the folder are served, also if a link or an address leads out of it. Files with
    redirects and headers are read late, because they are complete only after the build.

    Args:
        folder: The folder.
        hosting: The host, with the base URL that the folder is deployed to.
        known: The names of files that are known to be in the folder. Other files are looked up.
        listed: The file of the listed page, by path below the base URL. Needed only for a path such as ``a``
            that could be ``a.html`` or ``a/index.html``.
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
        """Return a folder that is deployed to a base URL on an unknown host."""
        return cls(folder, Hosting(base=base))

    @classmethod
    def guess(cls, folder: Path, locs: Iterable[str]) -> Webroot | None:
        """Guess the base URL of a folder from addresses of its pages, and return the folder with it, or None.

        The best base URL is the one at which most of the first 100 addresses have a file in the folder.
        """
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
        """Return a copy of the folder that knows which files are listed pages.

        If a server could send ``a.html`` or ``a/index.html`` for the address of a page, the copy returns the
        file of the listed page.

        ``pages`` are the addresses of the listed pages, each with the file of the page.
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
        """Return the path of the file that a web server sends for an address of this site, or None."""
        name = self.file_of(url)
        return None if name is None else self.folder / name

    def file_of(self, url: str) -> str | None:
        """Return the file that a web server sends for an address, such as ``guide/index.html``, or None."""
        path = self.path_of(url)
        return None if path is None else self.file_at(path)

    def file_at(self, path: str) -> str | None:
        """Return the file that a web server sends for a path below the base URL, or None.

        The path is not percent-encoded. If the server could send ``a.html`` or ``a/index.html`` for ``a``,
        the file of the listed page is returned. If the sitemap lists neither, ``a.html`` is returned.
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
        """Return the path of an address below the base URL, without query and fragment, or None."""
        return self.base.path_of(without_query(url))

    # --- the rules of the host ---

    @cached_property
    def rules_file(self) -> Path | None:
        """The file with redirects and headers for one platform, such as netlify.toml, or None."""
        root = self.hosting.root
        folders = [root, files.repository_of(root)] if root else []
        return find_rules_file(self.folder, self.hosting.platform, filter(None, folders))

    @property
    def _redirect_files(self) -> list[Path]:
        """The files whose redirects the host follows, in their order."""
        found = []
        if files.find_inside(self.folder, REDIRECTS):
            found.append(self.folder / REDIRECTS)
        if self.rules_file:
            found.append(self.rules_file)
        return found

    @cached_property
    def redirects(self) -> Redirects:
        """The redirects of the site.

        Raises:
            SitemapError: A file with redirects cannot be read.
        """
        return self._redirects_of(read_redirects(*self._redirect_files).rules)

    @cached_property
    def readable_redirects(self) -> Redirects:
        """The redirects of the site. A file with redirects that cannot be read is skipped."""
        rules: list[RedirectRule] = []
        for file in self._redirect_files:
            with suppress(SitemapError):
                rules += read_redirects(file).rules
        return self._redirects_of(rules)

    def with_redirects(self, more: Iterable[RedirectRule]) -> Redirects:
        """Return the redirects of the site, followed by more rules that its host applies.

        Raises:
            SitemapError: A file with redirects cannot be read.
        """
        return self._redirects_of([*self.redirects.rules, *more])

    def _redirects_of(self, rules: Iterable[RedirectRule]) -> Redirects:
        """Return rules with the special behaviour of the host: on some hosts, a redirect wins over a file."""
        if self.hosting.redirects_win:
            rules = (rule._replace(forced=True) for rule in rules)
        return Redirects(tuple(rules), self.hosting.drops_html)

    @cached_property
    def headers(self) -> Headers:
        """The rules of the site for the header ``X-Robots-Tag``."""
        return read_headers(self.folder, self.rules_file, drops_html=self.hosting.drops_html)


def tried(path: str) -> list[str]:
    """Return the files that a web server looks for at a path, in the order of the server.

    For ``a``, they are ``a``, ``a.html`` and ``a/index.html``.
    """
    if not path or path.endswith("/"):
        return [f"{path}index.html", f"{path}index.htm"]
    return [path, f"{path}.html", f"{path}/index.html"]


def outcome_finder(webroot: Webroot | None, redirect_files: Iterable[Path] = ()) -> Callable[[str], Outcome]:
    """Return a function that finds what visitors get at an old address: a page, a redirect or an error.

    Args:
        webroot: The built site. None if only the address of the site is known.
        redirect_files: More files with redirects.

    Raises:
        SitemapError: A file with redirects cannot be read.
    """
    redirects = read_redirects(*redirect_files)
    if webroot:
        redirects = webroot.with_redirects(redirects.rules)

    def find(loc: str) -> Outcome:
        file = webroot and webroot.file(loc)
        outcome = redirects.find(loc, existing=file is not None)
        if outcome:
            return outcome
        if file:
            head = read_head(file)
            if head.refresh_elsewhere(loc):
                return Outcome("redirected", head.refresh or "")
            return Outcome("served")
        return Outcome("lost" if webroot or redirects.rules else "")

    return find
