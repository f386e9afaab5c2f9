"""Recognise sources that include files or show code that only the build of the page can find.

A page with such a source has no date, because the date of the source alone may be too old.
"""

import re
from collections.abc import Iterator

from sitemap_docs.linear import linear
from sitemap_docs.model import Cause
from sitemap_docs.programs.answers import Describes
from sitemap_docs.programs.followed import answers_to
from sitemap_docs.programs.mdbook import INCLUDE
from sitemap_docs.programs.sphinx import DIRECTIVE
from sitemap_docs.sources.code_blocks import (
    without_asciidoc_comments,
    without_blocks_of_text,
    without_myst_code,
    without_org_code,
    without_rst_code,
    without_script_comments,
)
from sitemap_docs.sources.includes import FENCE, MARKDOWN, Jinja, UnknownError, outside, spans, without
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
        # Shortcodes of Hugo and Quarto. Quarto shows a shortcode in three braces.
        r"|(?<!\{\{)\{[<%]\s*[\w/.-]*(?:include|read[Ff]ile|embed|snippet))"
    ),
    INCLUDE,
    re.compile(r"<!--\s*@include:"),  # VitePress
)
#: In Markdown, but not in code blocks.
_OUTSIDE_CODE = (
    re.compile(r"\{(?:(?<=```\{)|(?<=~~~\{)|(?<=:::\{))(?:literal)?include\}"),  # MyST
    re.compile(r"<(?<=\n<)<<\s"),  # VitePress
)
_LIQUID_COMMENT = re.compile(r"\{%-?\s*comment\s*-?%\}"), re.compile(r"\{%-?\s*endcomment\s*-?%\}")
_IMPORTING = MARKDOWN | {".mdx", ".astro", ".tsx", ".jsx"}
_IMPORT = re.compile(r"\nimport\b"), re.compile(r"""(["'])[^"'\n]*\1|\n[ \t]*\n""")
#: TypeScript removes the import of a type.
_TYPE = re.compile(r"type\s+(?!from\b)")
#: An import of a package, which is no file of the project. An alias of a folder may look like any package.
_PACKAGE = re.compile(r"[\w-]+|@(?:theme[\w-]*|docusaurus|astrojs)/[\w/-]+")


@linear
def include_mark(text: str, ending: str) -> Cause | None:
    """Return the cause of a missing date if a page includes a file that sitemap-docs cannot find.

    Otherwise, return None. ``text`` is the source of the page, and ``ending`` its file name extension, such
    as ``.adoc``.
    """
    text = f"\n{text}"
    mark = ""
    if ending in _IMPORTING and _IMPORT[0].search(text):
        mark = _first_import(without_script_comments("\n".join(outside(text, FENCE))))
    if "{%" in text:
        comments = ("{#", "#}") if ending == ".njk" else None
        text = without(Jinja(comments=comments).rendered(text), *_LIQUID_COMMENT)
    for pattern, part in _include_patterns(text, ending):
        if found := pattern.search(part):
            start = max(found.start(), part.rfind("\n", 0, found.end() - 1))  # of several lines, the last
            mark = part[start:].strip().partition("\n")[0]
    if not mark:
        return None
    error = UnknownError(one_line(f"sitemap-docs does not know the included file of {mark[:100].strip()}"))
    return error.cause


def _include_patterns(text: str, ending: str) -> Iterator[tuple[re.Pattern[str], str]]:
    """Yield each pattern for include tags, with the text in which to look for the pattern.

    ``text`` is the source of a page, and ``ending`` its file name extension, such as ``.adoc``. From the
    yielded text, code blocks are removed, because tags in them include no file.
    """
    if ending not in _MARKS:
        for pattern in _TAGS:
            yield pattern, without_blocks_of_text(text)
    clean = _WITHOUT_CODE.get(ending, without_myst_code)
    patterns = _MARKS.get(ending, _OUTSIDE_CODE)
    # Most sources contain no mark at all, so their code blocks need not be found.
    if any(pattern.search(text) for pattern in patterns):
        code_free_text = clean(text)
        for pattern in patterns:
            yield pattern, code_free_text


def _without_sphinx_code(text: str) -> str:
    """Remove code from a Sphinx source, in reStructuredText or Markdown."""
    return without_rst_code(without_myst_code(text))


#: The function that leaves out the code and the comments of a source, by the ending of the source.
_WITHOUT_CODE = {
    ".adoc": without_asciidoc_comments,
    ".asciidoc": without_asciidoc_comments,
    ".org": without_org_code,
    ".rst": _without_sphinx_code,
}


def _first_import(text: str) -> str:
    """Return the first ``import`` in an MDX page that imports a file and no package, or ``""``."""
    for span in spans(text, *_IMPORT):
        imported, name = span.inside.strip(), span.closing.strip()[1:-1]
        has_effect = not imported or (imported.endswith("from") and not _TYPE.match(imported))
        if name and has_effect and not _PACKAGE.fullmatch(name):
            return text[span.start : span.end]
    return ""
