"""mkdocs-click: the commands that pages document with ``::: mkdocs-click``."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sitemap_docs.linear import linear
from sitemap_docs.programs.mkdocstrings import MARK, documented_names
from sitemap_docs.sources.includes import FileGroup, IncludeReader, MarkdownConfig, UnknownError
from sitemap_docs.sources.modules import command_files


@linear
def reader(config: MarkdownConfig, options: Mapping[str, Any]) -> IncludeReader:
    """Return an :class:`IncludeReader` that finds the Python files of click commands in Markdown pages.

    To find these files, the project's modules must run. Outside a MkDocs build, they must not run, and the
    reader raises UnknownError.
    """

    def read(text: str, folder: Path, page: Path) -> Iterator[FileGroup]:
        for documented in documented_names(text):
            if documented.name != "mkdocs-click":
                continue
            command = f"{documented.options.get('module')}.{documented.options.get('command')}"
            if config.objects is None:
                raise UnknownError(
                    f"which Python files the command `{command}` uses is known only in a build with the "
                    "plugin"
                )
            try:
                yield tuple(map(Path, command_files(command)))
            except (Exception, SystemExit):  # noqa: BLE001  of any kind: the project's own code runs
                raise UnknownError(f"the module of the command `{command}` raises an error") from None

    return IncludeReader(read, MARK)
