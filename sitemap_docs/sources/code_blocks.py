"""Find the parts of a source in which marks of includes have no effect, such as code blocks and comments.

If such a part is not found, its page has no date. If too much is found, the date of the page may be too old.
So only the parts that each format defines clearly are found.
"""

import re
from collections.abc import Iterator

from sitemap_docs.sources.includes import FENCE, without

#: A directive of MyST whose content is parsed, such as ``{note}``. The content of the others is code.
_PARSED_DIRECTIVE = re.compile(r"\{(?!code|sourcecode|math\}|mermaid\}|parsed-literal\})[\w:.+-]+\}")

#: The settings of a code block that switch off shortcodes in Quarto, and tags in Markdoc.
_WITHOUT_SHORTCODES = re.compile(r"shortcodes=[\"']?false|process=false")

_RST_CODE = re.compile(r"\.\. +(?:code|code-block|sourcecode|parsed-literal|math|prompt|doctest) ?::")
_RST_COMMENT = re.compile(r"\.\. +(?![\w:.+-]+ ?::|[_|\[])\S")
_RST_BULLETS = re.compile(r"[ \t]*(?:(?:[-*+•]|\(?(?:\d+|[a-zA-Z#])[.)])[ \t]+)*")

_ASCIIDOC_DELIMITER = re.compile(r"(-{4,}|\.{4,}|\+{4,}|/{4,}|`{3,})[ \t]*\r?")
_ORG_BEGIN = re.compile(r"[ \t]*#\+begin_(comment|example|src|export)\b", re.IGNORECASE)
_SCRIPT_COMMENT = re.compile(r"\n[ \t]*(?:\{?/\*|<!--)"), re.compile(r"\*/|-->")


def without_myst_code(text: str) -> str:
    """Remove code blocks from Markdown, but keep directives such as ``{note}``."""
    return "\n".join(_outside_code(text))


def _outside_code(text: str) -> Iterator[str]:
    lines = text.split("\n")
    last_numbers = {line.strip(): number for number, line in enumerate(lines)}
    directive_fences: list[str] = []
    code_fence = ""
    for number, line in enumerate(lines):
        if code_fence:
            if line.strip() == code_fence:
                code_fence = ""
            continue
        if directive_fences and line.strip() == directive_fences[-1]:
            directive_fences.pop()
        elif (match := FENCE.match(line)) and last_numbers.get(match[1], 0) > number:
            if not _PARSED_DIRECTIVE.match(line[match.end() :].strip()):
                code_fence = match[1]
                continue
            directive_fences.append(match[1])
        yield line


def opening_fences(text: str) -> Iterator[str]:
    """Yield the first line of each fenced block in Markdown, such as ``~~~ python``."""
    lines = text.split("\n")
    last_numbers = {line.strip(): number for number, line in enumerate(lines)}
    open_fence = ""
    for number, line in enumerate(lines):
        if open_fence:
            if line.strip() == open_fence:
                open_fence = ""
        elif match := FENCE.match(line):
            yield line
            if last_numbers.get(match[1], 0) > number:
                open_fence = match[1]


def without_blocks_of_text(text: str) -> str:
    """Remove code blocks that switch off includes with a setting such as ``shortcodes=false``."""
    if not _WITHOUT_SHORTCODES.search(text):
        return text
    kept_lines = []
    fence = ""
    for line in text.split("\n"):
        match = FENCE.match(line)
        if fence:
            if line.strip() == fence:
                fence = ""
        elif match and _WITHOUT_SHORTCODES.search(line):
            fence = match[1]
        else:
            kept_lines.append(line)
    return "\n".join(kept_lines)


def without_rst_code(text: str) -> str:
    """Remove code blocks and comments from reStructuredText."""
    lines = text.split("\n")
    kept_lines = []
    depth = -1  # the column of the text before a block, or -1 outside of blocks
    for number, line in enumerate(lines):
        content = line.strip()
        column = len(line) - len(line.lstrip())
        if depth >= 0 and (not content or column > depth):
            continue
        depth = -1
        kept_lines.append(line)
        is_explicit = content.startswith("..")
        next_line = lines[number + 1] if number + 1 < len(lines) else ""
        if _RST_CODE.match(content) or _RST_COMMENT.match(content) or (content == ".." and next_line.strip()):
            depth = column
        elif content.endswith("::") and not is_explicit and not content.startswith(":"):
            bullets = _RST_BULLETS.match(line)
            depth = bullets.end() if bullets else column
    return "\n".join(kept_lines)


def without_asciidoc_comments(text: str) -> str:
    """Remove comment blocks from AsciiDoc."""
    lines = text.split("\n")
    last_numbers = {line.strip(): number for number, line in enumerate(lines)}
    kept_lines = []
    delimiter = ""
    for number, line in enumerate(lines):
        match = _ASCIIDOC_DELIMITER.fullmatch(line)
        if delimiter:
            is_comment = delimiter.startswith("/")
            if match and match[1] == delimiter:
                delimiter = ""
            # All other blocks stay, because AsciiDoc resolves includes even in code.
            if is_comment:
                continue
        elif match and last_numbers[line.strip()] > number:
            delimiter = match[1]
            if delimiter.startswith("/"):
                continue
        kept_lines.append(line)
    return "\n".join(kept_lines)


def without_org_code(text: str) -> str:
    """Remove code, examples and comments from Org mode, such as ``#+begin_src`` to ``#+end_src``."""
    lines = text.split("\n")
    last_numbers = {line.strip().lower(): number for number, line in enumerate(lines)}
    kept_lines = []
    block_end = ""
    for number, line in enumerate(lines):
        if block_end:
            if line.strip().lower() == block_end:
                block_end = ""
            continue
        match = _ORG_BEGIN.match(line)
        end = f"#+end_{match[1].lower()}" if match else ""
        if match and last_numbers.get(end, 0) > number:
            block_end = end
        else:
            kept_lines.append(line)
    return "\n".join(kept_lines)


def without_script_comments(text: str) -> str:
    """Remove comments from MDX, Astro or JSX if they begin at the start of a line."""
    return without(text, *_SCRIPT_COMMENT)
