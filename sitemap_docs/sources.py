"""The files that a page says it is made of."""

from __future__ import annotations

import re
from glob import glob
from itertools import chain
from os.path import isfile, normpath
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_docs.model import Finding
from sitemap_docs.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def named_sources(patterns: Iterable[str], folder: Path) -> Mapping[str, tuple[Path, ...]]:
    """The files that each glob of ``sitemap: {sources: […]}`` matches, in order; perhaps none.

    Globs start at ``folder``, the page's own, or with ``/`` at the top of the repository around it. ``**``
    crosses folders.
    """
    return {pattern: tuple(_matches(pattern, folder)) for pattern in patterns}


def _matches(pattern: str, folder: Path) -> Iterable[Path]:
    top = repository(folder) if pattern.startswith("/") else folder
    found = sorted(_glob(pattern.lstrip("/"), top)) if top else ()
    paths = (normpath(top / name) for name in found if top)
    return (Path(path) for path in paths if isfile(path))  # noqa: PTH113  names of any length


def _glob(pattern: str, top: Path) -> Iterable[str]:
    """What ``glob`` finds; ``**`` enters no links to folders, which may go round in circles."""
    if not _DEEP.search(pattern):
        return glob(pattern, root_dir=top)  # noqa: PTH207  Path.glob rejects some
    deep = "/".join(part if part == "**" else part.replace("**", "*") for part in pattern.split("/"))
    found = (path.relative_to(top).parts for path in top.glob(deep))
    hidden = "." in {part[:1] for part in deep.split("/")}
    return ["/".join(parts) for parts in found if hidden or not any(part[0] == "." for part in parts)]


_DEEP = re.compile(r"(?:^|/)\*\*(?:/|$)")


def repository(folder: Path) -> Path | None:
    """The nearest folder above ``folder``, or itself, that git manages; None without one."""
    return next((top for top in chain([folder], folder.parents) if (top / ".git").exists()), None)


def unmatched(where: str, pattern: str) -> Finding:
    return Finding(
        rule="page-sources",
        where=one_line(where),
        message=f"`sitemap: sources: {one_line(pattern)}` matches no file. It starts at the page's folder, "
        "or with `/` at the top of the repository.",
    )
