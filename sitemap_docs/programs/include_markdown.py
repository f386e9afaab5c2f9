"""mkdocs-include-markdown-plugin: the files that pages include."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from os.path import isfile, normpath
from pathlib import Path
from typing import Any

from sitemap_docs import files
from sitemap_docs.config.parsing import as_mapping, as_text
from sitemap_docs.linear import linear
from sitemap_docs.sources.includes import ComputedNameError, FileGroup, IncludeReader, MarkdownConfig, spans

_QUOTED = re.compile(r"""\s*(?:"([^"]+)"|'([^']+)')""")
_EXCLUDE = re.compile(r"""\bexclude=(?:"([^"]+)"|'([^']+)')""")


@linear
def reader(config: MarkdownConfig, options: Mapping[str, Any]) -> IncludeReader:
    """Return an :class:`IncludeReader`, which finds ``a.md`` in ``{% include "a.md" %}``.

    ``options`` are the settings of the MkDocs plugin include-markdown, such as other directive names.
    """
    # These are the directives of version 6 and later.
    defaults = {"include": "include", "include-markdown": "include-markdown"}
    directives = {**defaults, **as_mapping(options.get("directives"))}
    words = "|".join(map(re.escape, filter(None, map(as_text, directives.values()))))
    opening = re.compile(rf"{re.escape(as_text(options.get('opening_tag')) or '{%')}\s*(?:{words})\s")
    closing = re.compile(re.escape(as_text(options.get("closing_tag")) or "%}"))
    folders = files.Folders()

    def read(text: str, folder: Path, page: Path) -> Iterator[FileGroup]:
        for span in spans(text, opening, closing):
            name = _QUOTED.match(span.inside)
            if not name:
                continue
            excluded = [path_of("".join(pair), folder) for pair in _EXCLUDE.findall(span.inside, name.end())]
            group = matching(path_of(name[1] or name[2], folder), tuple(excluded))
            if group is None:
                raise ComputedNameError(text[span.start : span.end])
            yield group

    def path_of(name: str, folder: Path) -> Path:
        start = folder if name.startswith(("./", "../")) else config.docs
        return Path(normpath(start / name))

    @cache
    def matching(glob: Path, excluded: tuple[Path, ...]) -> FileGroup | None:
        """Return the files that match ``glob`` but not ``excluded``, or None if there are too many."""
        paths: Iterable[str] | None = [str(glob)]
        if not isfile(glob):
            paths = folders.matching(glob.anchor, glob.parts[1:], glob.anchor)
        if paths is None:
            return None
        left_out: set[Path] = set()
        for excluded_glob in excluded:
            left_out.update(matching(excluded_glob, ()) or ())
        return tuple(path for path in map(Path, sorted(paths)) if path not in left_out)

    return IncludeReader(read)
