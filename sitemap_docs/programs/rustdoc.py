"""rustdoc: the pages that it generates in addition to the documentation of items."""

import re

from sitemap_docs.programs.built_pages import BuiltPage, Generated, PageTemplate, from_template

_TEMPLATES = (
    PageTemplate("source code", re.compile(rb'<body class="rustdoc (?:src|source)">'), folder="src"),
    PageTemplate(
        "lists of all items, help and settings",
        re.compile(rb'<body class="rustdoc mod sys">'),
        re.compile(r"(?:all|help|settings|scrape-examples-help)\.html"),
    ),
)


def generated(page: BuiltPage) -> Generated | None:
    """Return the kind of a page that rustdoc generates, such as ``source code``, or None for other pages."""
    return from_template(page, _TEMPLATES)
