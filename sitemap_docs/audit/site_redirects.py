"""The redirects of a built site: those of its host, and those of pages with a meta refresh."""

from __future__ import annotations

from dataclasses import dataclass

from sitemap_docs.webroot import FolderVisitor


@dataclass(frozen=True, slots=True)
class SiteRedirects:
    """All redirects of a built site."""

    visitor: FolderVisitor

    def target_of(self, url: str) -> str:
        """Return the address to which a URL redirects, or ``""`` if it does not redirect.

        A redirect from ``/a.html`` to ``/a`` does not count: the rule ``addresses-redirect`` reports it.
        """
        return self.visitor.visit_page(url).target

    def end_of(self, url: str) -> str:
        """Follow all redirects from a URL, and return the last URL.

        Return ``""`` after more than ten redirects.
        """
        end = self.visitor.find_end(url)
        return end.url if end else ""
