"""mdBook: its configuration, and the files that pages include."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sitemap_docs.config.parsing import as_mapping
from sitemap_docs.linear import linear
from sitemap_docs.programs.configuration import Configuration, GeneratorConfig
from sitemap_docs.sources.includes import FileGroup, IncludeReader, MarkdownConfig, first_file, spans
from sitemap_docs.urls.base import is_web

#: The beginning of an include. The pattern begins with a brace, because Python finds a character fast.
INCLUDE = re.compile(r"\{(?<!\\\{)\{\s*#(?:include|rustdoc_include|playground|playpen)\s")
_CLOSING = re.compile(r"\}\}?")


def read_configuration(written: Configuration) -> GeneratorConfig:
    """Return the settings in ``written``, a parsed ``book.toml``.

    https://rust-lang.github.io/mdBook/format/configuration/renderers.html
    """
    site = written.folder("build", "build-dir", default="book")
    if len(as_mapping(written.value("output"))) > 1:
        site /= "html"
    docs = written.folder("book", "src", default="src")
    url = written.text("output", "html", "site-url")
    return GeneratorConfig(
        file=written.file,
        base_url=url if is_web(url) else "",
        site=site,
        source=docs,
        markdown=MarkdownConfig(docs=docs, root=written.root, start=written.root, plugins={"mdbook": {}}),
    )


@linear
def reader(config: MarkdownConfig, options: Mapping[str, Any]) -> IncludeReader:
    """Return an :class:`IncludeReader`, which finds included files: ``a.md`` in ``{{#include a.md}}``.

    https://rust-lang.github.io/mdBook/format/mdbook.html
    """

    def read(text: str, folder: Path, page: Path) -> Iterator[FileGroup]:
        for span in spans(text, INCLUDE, _CLOSING):
            words = span.inside.split(maxsplit=1)
            if words and span.closing == "}}":
                yield first_file(words[0].partition(":")[0], [folder])

    return IncludeReader(read)
