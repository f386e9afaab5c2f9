"""What AsciiDoc includes, by paths and by the names of Antora."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from sitemap_docs.sources.markup import ComputedNameError, FileGroup, first_file, outside
from sitemap_docs.text import linear

_INCLUDE = re.compile(r"include::([^\[\]]+)\[[^\]]*\]\s*$")
_COMMENT = re.compile(r"(/{4,})\s*$")
_ATTRIBUTE = re.compile(r":([\w-]+):[ \t]+(\S.*)")
_REFERENCE = re.compile(r"\{([\w-]+)\}")
_LONGEST_VALUE = 4_096  # characters, where Asciidoctor bounds bytes
_FAMILIES = {"page": "pages", "partial": "partials", "example": "examples", "attachment": "attachments"}


@linear
def asciidoc(text: str, place: Path, page: Path) -> Iterator[FileGroup]:
    """``include::file[]`` of AsciiDoc, and Antora's names such as ``include::module:partial$file[]``.

    What an attribute refers to is resolved where the attribute is defined.
    """
    if "include::" not in text:
        return
    attributes = {"docdir": str(page)}

    def resolved(written: str) -> str:
        text, place = "", 0
        for name in _REFERENCE.finditer(written):
            text += written[place : name.start()] + attributes.get(name[1], name[0])
            place = name.end()
            if len(text) > _LONGEST_VALUE:
                break
        return (text + written[place:])[:_LONGEST_VALUE]

    for line in outside(text, _COMMENT):
        if attribute := _ATTRIBUTE.match(line):
            attributes[attribute[1]] = resolved(attribute[2].strip())
        elif include := _INCLUDE.match(line):
            name = resolved(include[1])
            if "{" in name:
                raise ComputedNameError(include[0].strip())
            yield first_file(name, [place]) or _antora_file(name, place, page)


def _antora_file(name: str, place: Path, page: Path) -> FileGroup:
    """The file that a resource of Antora names in a file in ``place``; none of another component or version.

    https://docs.antora.org/antora/latest/page/resource-id-coordinates/
    """
    start, dollar, path = name.rpartition("$")
    if not dollar:
        start, _, path = name.rpartition(":")
        start += ":"
    module, _, family = start.rpartition(":")
    if ":" in module or "@" in module:
        return ()
    for folder in (place, page):
        for modules in folder.parents:
            if modules.name == "modules":
                own, kind = (*folder.relative_to(modules).parts, "pages")[:2]
                kinds = [kind, "pages"]  # the family of the file itself
                if family:
                    kinds = list(filter(None, [_FAMILIES.get(family)]))
                return first_file(path, [modules / (module or own) / kind for kind in kinds])
    return ()
