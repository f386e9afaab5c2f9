"""The commands of click that pages document by ``:::`` of mkdocs-click."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sitemap_docs.linear import linear
from sitemap_docs.programs.mkdocstrings import documented_names
from sitemap_docs.sources.includes import FileGroup, MarkdownConfig, Reader, UnknownError
from sitemap_docs.sources.modules import command_files

MARK = ":::"


@linear
def reader(config: MarkdownConfig, _: Mapping[str, Any]) -> Reader:
    """The Python modules of mkdocs-click, which a build has imported, but for pages that are up to date."""

    def read(text: str, _: Path, __: Path) -> Iterator[FileGroup]:
        for each in documented_names(text):
            if each.name != "mkdocs-click":
                continue
            command = f"{each.options.get('module')}.{each.options.get('command')}"
            if config.objects is None:
                raise UnknownError(
                    f"only a build with the plugin knows the modules of the command `{command}`"
                )
            try:
                yield tuple(map(Path, command_files(command)))
            except (Exception, SystemExit):  # noqa: BLE001  of any kind: the project's own code runs
                raise UnknownError(f"the module of the command `{command}` fails") from None

    return read
