"""Recognise sources that include files or show code which only the build of the page can find.

A page with such a source has no date, because the date of the source alone may be too old.
"""

import re

from sitemap_docs.linear import linear
from sitemap_docs.model import Cause
from sitemap_docs.programs.answers import Describes
from sitemap_docs.programs.followed import answers_to
from sitemap_docs.programs.mdbook import INCLUDE
from sitemap_docs.programs.sphinx import DIRECTIVE
from sitemap_docs.sources.includes import FENCE, MARKDOWN, Jinja, UnknownError, outside, spans
from sitemap_docs.text import one_line

_ASCIIDOC = re.compile(r"\ninclude::\S")
_DESCRIBING = "|".join(program.directive for program in answers_to(Describes))
#: The marks of includes, by the ending of the source. A line break precedes the text. Each expression begins
#: with a character that Python finds fast, because most sources have no mark.
_MARKS = {
    ".adoc": (_ASCIIDOC,),
    ".asciidoc": (_ASCIIDOC,),
    ".org": (re.compile(r"\n[ \t]*#\+(?i:include):"),),
    ".rst": (
        re.compile(rf"\n[ \t]*{DIRECTIVE}(?:(?:literal)?include|auto\w+|{_DESCRIBING})(?:::|\}})"),
        # Of a table, a graph or what is raw; MyST has options in YAML, too.
        re.compile(r"\n(?:[ \t]*:|---\n(?:[\w-]+:[^\n]*\n)*)file:[ \t]"),
    ),
    **dict.fromkeys((".mdx", ".astro", ".tsx", ".jsx"), ()),
}
#: In Markdown, HTML and templates. Liquid and Jinja render blocks of code, too, and so do shortcodes.
_TAGS = (
    re.compile(
        # Jekyll, Eleventy and others with Liquid or Nunjucks; Markdoc
        r"\{(?:%[-+]?\s*(?:include[\w-]*|remote_include|import|from|render(?:File)?|partial)\s"
        r"|\{[<%]\s*[\w/.-]*(?:include|read[Ff]ile|embed|snippet)"  # shortcodes of Hugo and Quarto
        r"|(?<=```\{|~~~\{|:::\{)(?:literal)?include\})"  # MyST
    ),
    INCLUDE,
    re.compile(r"<(?:!--\s*@include:|(?<=\n<)<<\s)"),  # VitePress
)
_IMPORTING = MARKDOWN | {".mdx", ".astro", ".tsx", ".jsx"}
_IMPORT = re.compile(r"\nimport\b"), re.compile(r"""(["'])[^"'\n]*\1|\n[ \t]*\n""")
#: An import of a package, which is no file of the project. An alias of a folder may look like any package.
_PACKAGE = re.compile(r"[\w-]+|@(?:theme[\w-]*|docusaurus|astrojs)/[\w/-]+")


@linear
def include_mark(text: str, ending: str) -> Cause | None:
    """Return the cause if a source has a mark of an include, which only a build can follow.

    The marks depend on the ``ending`` of the source, such as ``.rst``.
    """
    text = f"\n{text}"
    mark = ""
    if ending in _IMPORTING and _IMPORT[0].search(text):
        mark = _first_import("\n".join(outside(text, FENCE)))
    if "{%" in text:
        text = Jinja().rendered(text)
    for pattern in _MARKS.get(ending, _TAGS):
        if found := pattern.search(text):
            start = max(found.start(), text.rfind("\n", 0, found.end() - 1))  # of several lines, the last
            mark = text[start:].strip().partition("\n")[0]
    if not mark:
        return None
    error = UnknownError(one_line(f"an include is not followed, {mark[:100].strip()}"))
    return error.cause


def _first_import(text: str) -> str:
    """Return the first ``import`` in MDX or a template that may import a file of the project, or ``""``."""
    for span in spans(text, *_IMPORT):
        imported, name = span.inside.strip(), span.closing.strip()[1:-1]
        if name and (not imported or imported.endswith("from")) and not _PACKAGE.fullmatch(name):
            return text[span.start : span.end]
    return ""
