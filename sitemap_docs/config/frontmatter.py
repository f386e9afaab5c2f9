"""The front matter of a source, or the field list at its top."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from sitemap_docs import files
from sitemap_docs.config.parsing import DEEPEST, as_mapping, loads_toml, loads_yaml
from sitemap_docs.model import SitemapError
from sitemap_docs.text import linear

# Most front matter has none of them and is not parsed: YAML takes a hundred times as long as this look.
_OURS = (b"sitemap", b"robots")


@linear
def read_front_matter(file: str, fields: Iterable[str] = ()) -> Mapping[str, object]:
    """The front matter of a source, YAML or TOML, where it names something of ours or a field; else empty.

    Of a source in reStructuredText it is the field list at the top. ``fields`` are dotted names. Raises
    SitemapError for front matter that cannot be read, or is longer than 64 KiB.
    """
    try:
        text = files.read_file(file, _SIZE_LIMIT)
    except OSError:
        return {}
    fence = _FENCE.match(text)
    if not fence:
        return _field_list(text) if file.endswith(".rst") else {}
    form, loads = _FORMS[fence[1]]
    match = form.match(text, fence.end())
    if not match and len(text) == _SIZE_LIMIT:
        raise SitemapError(f"The front matter does not end in the first {_SIZE_LIMIT:,} bytes. Shorten it.")
    names = (*_OURS, *(field.partition(".")[0].encode() for field in fields))
    if not match or not any(name in match[1] for name in names):
        return {}
    try:
        # An error names the line of the file: the fence is the first.
        return as_mapping(loads(_shallow("\n" + match[1].decode())))
    except (ValueError, RecursionError) as error:
        raise SitemapError(f"The front matter cannot be read: {error}. Correct it.") from None


def _shallow(text: str) -> str:
    """The text itself; ValueError where brackets nest so deep that PyYAML 6 takes quadratic time."""
    depth = 0
    for character in text:
        if character in "[{":
            depth += 1
            if depth > DEEPEST:
                raise ValueError(f"brackets nest more than {DEEPEST} levels deep")
        elif character in "]}":
            depth -= 1
    return text


def _field_list(source: bytes) -> dict[str, str]:
    """The fields with which a document in reStructuredText begins, below comments, labels and ``meta``."""
    fields: dict[str, str] = {}
    name = ""
    for line in source.decode("utf-8-sig", "replace").splitlines():
        match = _FIELD_LINE.match(line)
        if match:
            name = match[1]
            fields[name] = match[2].strip()
        elif not line.strip():
            continue
        elif line[0] in " \t":
            if name:
                fields[name] += f"\n{line.strip()}"
        elif fields or not _ABOVE_FIELDS.match(line):
            break
    return fields


_FIELD_LINE = re.compile(r":([^:\s][^:]*):(?:[ \t]|$)(.*)")
# What docutils passes over in the search for the field list of a document: no directive but `meta`.
_ABOVE_FIELDS = re.compile(r"\.\.(?:$|[ \t]+(?:meta::|(?![\w:.+-]+::)))")
_SIZE_LIMIT = 65_536
_FENCE = re.compile(rb"(?:\xef\xbb\xbf)?(---|\+\+\+)[ \t]*\r?\n")
_FORMS: dict[bytes, tuple[re.Pattern[bytes], Callable[[str], object]]] = {
    b"---": (
        re.compile(rb"(.*?\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL),
        partial(loads_yaml, of_page=True),
    ),
    b"+++": (re.compile(rb"(.*?\n)\+\+\+[ \t]*(?:\r?\n|\Z)", re.DOTALL), loads_toml),
}
