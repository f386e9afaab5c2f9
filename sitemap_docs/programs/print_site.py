"""mkdocs-print-site-plugin: the page that contains the whole site, for printing."""

import re

from sitemap_docs.programs.built_pages import BuiltPage, Generated, PageTemplate, from_template

_TEMPLATES = (
    PageTemplate(
        "the page with the whole site",
        re.compile(rb'<div id="print-site-page" class="'),
        beside="js/print-site.js",
    ),
)


def generated(page: BuiltPage) -> Generated | None:
    """Recognise the page with the whole site for printing: return its kind, or None for any other page."""
    return from_template(page, _TEMPLATES)
