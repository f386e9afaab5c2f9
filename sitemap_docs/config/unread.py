"""Find options in the source of a page that have no effect because of their form or their place.

Most sources mention no option of ours, so that most builds do not load this module.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sitemap_docs.config.frontmatter import FIELD_LINE, SIZE_LIMIT, check_depth, page_options
from sitemap_docs.config.parsing import as_mapping, loads_yaml, repeated_keys
from sitemap_docs.linear import linear
from sitemap_docs.model import PageOptions
from sitemap_docs.text import one_line

_QUOTED_AT_MOST = 120
_FENCE = re.compile(r"[ \t]*(-{3,}|\+\+\+)[ \t]*")
_OPTION = re.compile(r"""[ \t]*(?:- |\[)?["']?(sitemap(?:-\w+)?|robots)["']?[ \t]*[]:=]""")
_CODE = re.compile(r"[ \t]*(?:```|~~~)")
#: A line of front matter after a blank line. Other text there is text of the page.
_OF_MAPPING = re.compile(r"""[\s#\[]|-\s|["']?[\w.-]{1,64}["']?\s?[:=]""")
_META = re.compile(r"\.\.[ \t]+meta::")


class _Block(NamedTuple):
    """The lines at the start of a file that look like front matter."""

    start: int
    #: The first line, such as ``---``.
    opening: str
    content: list[str]
    is_closed: bool
    #: Whether the line break after the closing line is missing.
    is_cut: bool
    #: The first line that sets one of our options.
    option: re.Match[str]


@linear
def find_unread_block(
    text: str, read: Mapping[str, object], *, reports_errors: bool, reads_toml: bool = False
) -> str:
    """Return a message if an option in the front matter has no effect because of a mistake, or ``""``.

    For example, the front matter is not closed, or sets the same option twice.

    Args:
        text: The source of the page.
        read: The front matter that Sphinx or MkDocs has read.
        reports_errors: Whether the user already gets a warning about invalid front matter.
        reads_toml: Whether front matter in TOML is allowed.
    """
    block = _find_block(text[:SIZE_LIMIT])
    if block is None:
        return ""
    if block.option[1] in read:
        return _find_repeated(block)
    problem = _find_problem(block, reads_toml=reads_toml)
    if problem:
        return f"`{_quoted(block.option.string)}` has no effect: {problem}"
    if reports_errors:
        return ""
    return f"The front matter cannot be read: {_find_error(block)}. Correct it."


def _quoted(line: str) -> str:
    return one_line(line.strip())[:_QUOTED_AT_MOST]


def _find_block(text: str) -> _Block | None:
    """Return the lines that look like front matter if they set an option of sitemap-docs, otherwise None."""
    lines = text.splitlines()
    start = 0
    while start < len(lines) and not lines[start].strip():
        start += 1
    if start == len(lines) or not _FENCE.fullmatch(lines[start]):
        return None
    ends = (lines[start].strip(), "...")
    content: list[str] = []
    option = indent = None
    is_closed = False
    for line in lines[start + 1 :]:
        is_closed = line.rstrip() in ends
        if is_closed or not _belongs_to_front_matter(content, line):
            break
        content.append(line)
        if indent is None and line.strip():
            indent = len(line) - len(line.lstrip())
        if option is None and not line[indent : (indent or 0) + 1].isspace():
            option = _OPTION.match(line)
    if option is None:
        return None
    is_cut = start + len(content) + 2 == len(lines) and not text.endswith(("\n", "\r"))
    return _Block(start, lines[start], content, is_closed, is_closed and is_cut, option)


def _belongs_to_front_matter(content: Sequence[str], line: str) -> bool:
    """Check whether the next line still belongs to front matter. ``content`` are the lines before it."""
    if _CODE.match(line) or _FENCE.fullmatch(line):
        return False
    is_after_blank = not content or not content[-1].strip()
    return not line.strip() or not is_after_blank or _OF_MAPPING.match(line) is not None


def _find_problem(block: _Block, *, reads_toml: bool) -> str:
    """Return what is wrong with the opening or closing ``---`` of front matter, or ``""``.

    ``reads_toml`` says whether front matter in TOML, between two lines ``+++``, is allowed.
    """
    mark = block.opening.strip()
    if block.start or block.opening[0] in " \t":
        return f"the front matter must begin in the first line, with `{mark[:3]}` and no space before it."
    if mark[0] == "+" and not reads_toml:
        return "the front matter is TOML. Write YAML between two lines `---`."
    if len(mark) > len("---"):
        return "the front matter must begin with three dashes: `---`."
    if not block.is_closed:
        return f"the front matter is not closed. Write `{mark}` below it, with no space before it."
    if block.is_cut:
        return "the front matter is not closed. Write a line break after its last line."
    return ""


def _find_repeated(block: _Block) -> str:
    """Return a warning about an option, such as ``sitemap``, that front matter sets twice, or ``""``."""
    # Parsers of TOML refuse repeated options themselves.
    if block.opening.strip()[0] == "+":
        return ""
    # Empty lines come first, so that the lines have their numbers in the file.
    text = "\n".join((*[""] * (block.start + 1), *block.content, ""))
    try:
        check_depth(text)
    except ValueError:
        return ""
    for key in repeated_keys(text):
        if _OPTION.fullmatch(f"{key.path[0]}:"):
            first, last = key.lines
            name = ": ".join(map(one_line, key.path))[:_QUOTED_AT_MOST]
            return (
                f"The front matter has `{name}` twice, in lines {first} and {last}, and only the last one "
                "is used. Merge them into one."
            )
    return ""


def _find_error(block: _Block) -> str:
    """Return the reason why front matter cannot be parsed."""
    try:
        # The first line is empty, so that the error has the number of the line in the file.
        text = "\n".join(("", *block.content, ""))
        check_depth(text)
        value = loads_yaml(text, of_page=True)
    except (ValueError, RecursionError) as error:
        return str(error)
    if not as_mapping(value):
        return "it has no line of the form `name: value`"
    return "a value has a tag, such as `!name`"


@linear
def find_unread_fields(text: str, read: Mapping[str, object]) -> Iterator[str]:
    """Yield a warning for each option such as ``:sitemap: false`` that is too far down in a ``.rst`` file.

    ``read`` contains the options that Sphinx has found at the top of the file.
    """
    done = {*read}
    is_in_meta = False
    for line in text.splitlines():
        if line[:1].strip():
            is_in_meta = _META.match(line) is not None
        field = FIELD_LINE.match(line.lstrip(" \t"))
        if field is None or field[1] in done:
            continue
        name, value = field.groups()
        is_indented = line[0] in " \t"
        is_option = name == "sitemap" or name.startswith("sitemap-") or (name == "robots" and not is_indented)
        if not is_option or (is_indented and not is_in_meta):
            continue
        options, findings = page_options({name: value}, "")
        if options != PageOptions() and not findings:
            done.add(name)
            yield (
                f"`{_quoted(line)}` has no effect: it must be in the field list at the top of the document, "
                "above the title."
            )
