"""``sitemap_url_scheme`` as sphinx-sitemap reads it: what stands between the base URL and a page."""

from __future__ import annotations

from typing import NamedTuple

from sitemap_docs.config.options import PLAIN
from sitemap_docs.urls.base import Base

LANGUAGE = "{lang}"
THEIR_DEFAULT = "{lang}{version}{link}"
"""Of sphinx-sitemap 2.9."""


class Scheme(NamedTuple):
    """A scheme that ends in ``{link}``, and what its ``{version}`` stands for."""

    text: str
    version: str

    def below(self, base: Base, language: str) -> Base:
        """The base of the pages in ``language``: ``base`` and the scheme, with single slashes.

        sphinx-sitemap only concatenates, so that ``{lang}/{link}`` has two slashes there.

        >>> Scheme("{lang}/{version}{link}", "1.2").below(Base("https://example.org/"), "en").url
        'https://example.org/en/1.2/'
        """
        text = self.text.replace(PLAIN, "").replace(LANGUAGE, f"{language}/" if language else "")
        parts = filter(None, text.replace("{version}", f"{self.version}/" if self.version else "").split("/"))
        return Base.of(base.loc("".join(f"{part}/" for part in parts)))
