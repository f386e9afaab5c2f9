"""Doxygen: the pages that it generates in addition to the documentation of files, classes and groups."""

import re

from sitemap_docs.programs.built_pages import BuiltPage, Generated, PageTemplate, from_template

_CONTENTS = rb'<div class="contents">\s*'
_TEMPLATES = (
    PageTemplate("search results", re.compile(rb'<body class="SRPage">'), folder="search"),
    PageTemplate(
        "source code",
        re.compile(_CONTENTS + rb'(?:<a href="[^"]*">[^<]*</a>\s*)?<(?:div|pre) class="fragment">'),
        re.compile(r".+_source\.html"),
    ),
    PageTemplate(
        "lists of members",
        re.compile(_CONTENTS + rb'<p>[^<]*<a class="el" href="[^"]*">[^<]*</a>[^<]*</p>\s*<table'),
        re.compile(r".+-members\.html"),
    ),
    PageTemplate(
        "alphabetical indexes",
        re.compile(
            _CONTENTS + rb'(?:(?:<div class="textblock">[^<]*</div>|&#160;)\s*<(?:h3|ul)|<div class="qindex")'
        ),
        re.compile(r"classes\.html|(?:functions|globals|(?:namespace|module)members)(?:_.+)?\.html"),
    ),
)


def generated(page: BuiltPage) -> Generated | None:
    """Return the kind of a page that Doxygen generates, such as ``source code``, or None for other pages."""
    return from_template(page, _TEMPLATES)
