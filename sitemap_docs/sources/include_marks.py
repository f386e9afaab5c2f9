"""How sources mark that they include files, where no generator is known whose way of finding these we follow.

Such a page has no date: that of its source alone may be too old.
"""

from __future__ import annotations

import re

from sitemap_docs.sources.includes import MARKDOWN
from sitemap_docs.sources.markdown import Jinja
from sitemap_docs.sources.markup import FENCE, outside, spans
from sitemap_docs.text import linear, one_line

_ASCIIDOC = re.compile(r"^include::\S", re.MULTILINE)
#: In Markdown, HTML and templates. Liquid and Jinja render blocks of code, too, and so do shortcodes.
_TAG = re.compile(
    # Jekyll, Eleventy and others with Liquid or Nunjucks; Markdoc
    r"\{%[-+]?\s*(?:include[\w-]*|remote_include|import|from|render(?:File)?|partial)\s"
    r"|\{\{[<%]\s*[\w/.-]*(?:include|readfile|embed|snippet)"  # shortcodes of Hugo and Quarto
    r"|\{\{\s*#\w*include\s"  # mdBook
    r"|<!--\s*@include:|^<<<\s"  # VitePress
    r"|(?:```|~~~|:::)\{(?:literal)?include\}",  # MyST
    re.MULTILINE | re.IGNORECASE,
)
_MARKS = {
    ".adoc": _ASCIIDOC,
    ".asciidoc": _ASCIIDOC,
    ".org": re.compile(r"^[ \t]*#\+include:", re.MULTILINE | re.IGNORECASE),
    ".rst": re.compile(r"^[ \t]*\.\.[ \t]+(?:literal)?include::", re.MULTILINE),
}
_ONLY_IMPORT = (".mdx", ".astro", ".tsx", ".jsx")
_IMPORT = re.compile(r"^import\b", re.MULTILINE), re.compile(r"""(["'])[^"'\n]*\1|\n[ \t]*\n""")
#: What is no file of the project; an alias of the project may look like any other package.
_PACKAGE = re.compile(r"[\w-]+|@(?:theme[\w-]*|docusaurus|astrojs)/[\w/-]+")


@linear
def include_mark(text: str, ending: str) -> str:
    """Why only the build knows what a source with the ``ending`` includes; ``""`` where no mark is in it."""
    mark = ""
    if ending not in _ONLY_IMPORT:
        text = Jinja({}).rendered(text)
        if found := _MARKS.get(ending, _TAG).search(text):
            mark = text[found.start() :].partition("\n")[0].strip()
    if ending in _ONLY_IMPORT or ending in MARKDOWN:
        mark = mark or _first_import(text)
    return mark and one_line(f"an include is not followed, {mark[:100]}")


def _first_import(text: str) -> str:
    """The first statement of MDX or a template that imports what may be a file of the project."""
    text = "\n".join(outside(text, FENCE))
    for span in spans(text, *_IMPORT):
        imported, name = span.inside.strip(), span.closing.strip()[1:-1]
        if name and (not imported or imported.endswith("from")) and not _PACKAGE.fullmatch(name):
            return text[span.start : span.end]
    return ""
