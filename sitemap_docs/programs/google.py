"""Google Search Console: the file that proves who owns a site."""

import re

from sitemap_docs.programs.built_pages import BuiltPage, Generated

_PROOF = re.compile(r"google[0-9a-f]{16}\.html")


def generated(page: BuiltPage) -> Generated | None:
    """If a page proves to Google who owns the site, return this kind of page, otherwise None."""
    return Generated("its file that proves ownership") if _PROOF.fullmatch(page.file) else None
