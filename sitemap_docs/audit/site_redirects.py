"""The redirects of a built site: those of its host, and those of pages with a meta refresh."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sitemap_docs.audit.html_page import HtmlPage
from sitemap_docs.urls.base import resolve
from sitemap_docs.webroot import Webroot

MAX_HOPS = 10
"""The number of redirects in a row that Google follows."""


@dataclass(frozen=True, slots=True)
class SiteRedirects:
    """All redirects of a built site.

    Attributes:
        served: The output folder as its host serves it. It finds the file for an address, and redirects.
        pages: The pages by their files, such as ``guide/index.html``.
        is_ours: A function that checks whether an address belongs to the site. Redirects of other addresses
            are unknown.
    """

    served: Webroot
    pages: Mapping[str, HtmlPage]
    is_ours: Callable[[str], bool]

    def target_of(self, url: str) -> str:
        """Return the address to which the host or the page redirects an address.

        A page redirects with ``<meta http-equiv="refresh">``. If there is no redirect, return ``""``.
        """
        if not self.is_ours(url):
            return ""
        file = self.served.file_of(url)
        target = self.served.redirects.elsewhere(url, existing=file is not None)
        if target:
            return resolve(url, target)
        page = self.pages.get(file or "")
        if page is None:
            return ""
        return page.head.refresh_elsewhere(page.loc)

    def end_of(self, url: str) -> str:
        """Follow all redirects from an address and return the last address.

        If there are more than ten redirects, for example in a circle, return ``""``.
        """
        for _ in range(MAX_HOPS + 1):
            target = self.target_of(url)
            if not target:
                return url
            url = target.partition("#")[0]
        return ""
