"""The redirects of a built site: those of its host, and those of pages with a meta refresh."""

from __future__ import annotations

from dataclasses import dataclass

from sitemap_docs.webroot import FolderVisitor


@dataclass(frozen=True, slots=True)
class SiteRedirects:
    """All redirects of a built site.

    Redirects from addresses of other sites are unknown.
    """

    visitor: FolderVisitor

    def target_of(self, url: str) -> str:
        """Return the address to which the host or the page redirects an address.

        A page redirects with ``<meta http-equiv="refresh">``. If there is no redirect, return ``""``.
        """
        return self.visitor.visit(url).target

    def end_of(self, url: str) -> str:
        """Follow all redirects from an address and return the last address.

        If there are more than ten redirects, for example in a circle, return ``""``.
        """
        end = self.visitor.find_end(url)
        return end.url if end else ""
