"""pydoctor: the pages that it generates in addition to the documentation of modules and classes."""

import re

from sitemap_docs.programs.built_pages import BuiltPage, Generated, PageTemplate, from_template

_TEMPLATES = (
    PageTemplate(
        "the data of the search, indexes and help",
        re.compile(
            rb"<title>(?:All Documents|Index of Names|Module Index|Summary of Undocumented Objects|Help)"
            rb'</title>\s*<meta name="generator" content="pydoctor'
        ),
        re.compile(r"(?:all-documents|nameIndex|moduleIndex|undoccedSummary|apidocs-help)\.html"),
    ),
)


def generated(page: BuiltPage) -> Generated | None:
    """Return the kind of a page that pydoctor generates, such as an index, or None for other pages."""
    return from_template(page, _TEMPLATES)
