"""An HTML page of a built site, with all facts that the rules of the audit check."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sitemap_docs.audit.registry import Location
from sitemap_docs.audit.sitemap_file import Url
from sitemap_docs.html.body import Body
from sitemap_docs.html.head import Head
from sitemap_docs.listing.indexing import Exclusion
from sitemap_docs.model import Alternate, Reason, Row
from sitemap_docs.urls.base import split_url

_PROGRAM = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlPage:
    """An HTML page of a built site, with the facts that an audit checks.

    Attributes:
        loc: The address of the page.
        elsewhere: The address of another page to which the canonical link leads, or ``""``.
        refreshes_to: Another page to which a meta refresh sends readers, or ``""``.
        url: The sitemap entry of the page, with its date and links, or None.
        unknown: Whether it is unknown why no sitemap lists the page.
    """

    row: Row
    file: str
    loc: str
    head: Head = Head()
    elsewhere: str = ""
    refreshes_to: str = ""
    url: Url | None = None
    body: Body | None = None
    source: str = ""
    exclusion: Exclusion | None = None
    reason: Reason | None = None
    unknown: bool = False
    # The date may come from an option in conf.py or mkdocs.yml that is not read here.
    dated_elsewhere: bool = False

    @property
    def canonicals(self) -> tuple[str, ...]:
        """The targets of ``<link rel="canonical">`` in the page, as absolute URLs."""
        return self.head.canonical_urls(self.loc)

    @property
    def noindex(self) -> bool:
        """Whether a meta tag or an HTTP header with ``noindex`` hides the page from search engines."""
        return self.exclusion is not None and self.exclusion.reason is Reason.NOINDEX

    @property
    def place(self) -> Location:
        return Location(self.loc, self.file, 0, self.source)

    @property
    def listed(self) -> bool:
        """Whether a sitemap lists the page, and the page is not a redirect."""
        return self.url is not None and not self.redirects

    @property
    def redirects(self) -> bool:
        """Whether the page redirects with ``<meta http-equiv="refresh">``."""
        return self.refreshes_to != ""

    @property
    def relative_translations(self) -> bool:
        """Whether the page links to translations, and all these links are relative, such as ``../de/``."""
        # Themes write such links in their language menus.
        links = self.head.alternates
        return bool(links) and not any(split_url(href).scheme for _, href in links)

    @property
    def generator(self) -> str:
        """The program that generated the page, such as ``docutils``."""
        name = _PROGRAM.match(self.head.generator or "")
        return "" if name is None else name[0].lower()

    @property
    def alternates(self) -> tuple[Alternate, ...]:
        """The absolute URLs of the page's translations, each with its language code."""
        absolute = self.head.absolute
        return tuple(Alternate(code, absolute(href, self.loc)) for code, href in self.head.alternates)
