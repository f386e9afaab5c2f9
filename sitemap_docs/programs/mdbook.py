"""The configuration of mdBook, and what its pages include."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sitemap_docs import web
from sitemap_docs.config.parsing import as_mapping
from sitemap_docs.linear import linear
from sitemap_docs.programs.configuration import Configuration, GeneratorConfig
from sitemap_docs.sources.includes import FileGroup, MarkdownConfig, Reader, first_file, spans

#: How an include begins; behind the first brace, as a text is searched for that.
INCLUDE = re.compile(r"\{(?<!\\\{)\{\s*#(?:include|rustdoc_include|playground|playpen)\s")
_CLOSING = re.compile(r"\}\}?")


def read_configuration(written: Configuration) -> GeneratorConfig:
    """https://rust-lang.github.io/mdBook/format/configuration/renderers.html ``site-url`` may be a path."""
    site = written.folder("build", "build-dir", default="book")
    if len(as_mapping(written.value("output"))) > 1:
        site /= "html"
    docs = written.folder("book", "src", default="src")
    url = written.text("output", "html", "site-url")
    return GeneratorConfig(
        file=written.file,
        base_url=url if web.is_web(url) else "",
        site=site,
        source=docs,
        markdown=MarkdownConfig(docs=docs, root=written.root, start=written.root, plugins={"mdbook": {}}),
    )


@linear
def reader(_config: MarkdownConfig, _options: Mapping[str, Any]) -> Reader:
    """``{{#include file:anchor}}`` and its like, https://rust-lang.github.io/mdBook/format/mdbook.html ."""

    def read(text: str, place: Path, _: Path) -> Iterator[FileGroup]:
        for span in spans(text, INCLUDE, _CLOSING):
            words = span.inside.split(maxsplit=1)
            if words and span.closing == "}}":
                yield first_file(words[0].partition(":")[0], [place])

    return read
