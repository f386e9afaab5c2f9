"""The files that a page says it is made of."""

from __future__ import annotations

from glob import glob
from itertools import chain
from os.path import normpath
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_docs.model import Finding

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
    found = sorted(glob(pattern.lstrip("/"), root_dir=top, recursive=True)) if top else ()  # noqa: PTH207  Path.glob rejects some
    paths = (Path(normpath(top / name)) for name in found if top)
    return (path for path in paths if path.is_file())


def repository(folder: Path) -> Path | None:
    """The nearest folder above ``folder``, or itself, that git manages; None without one."""
    return next((top for top in chain([folder], folder.parents) if (top / ".git").exists()), None)


def unmatched(where: str, pattern: str) -> Finding:
    return Finding(
        rule="page-sources",
        where=where,
        message=f"`sitemap: sources: {pattern}` matches no file. It starts at the page's folder, "
        "or with `/` at the top of the repository.",
    )
