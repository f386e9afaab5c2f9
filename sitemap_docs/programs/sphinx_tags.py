"""sphinx-tags 0.4: the documents that it writes, one for each tag and one for all."""

from collections.abc import Iterable
from typing import Any


def lists_of_tags(config: Any, names: Iterable[str]) -> set[str]:  # noqa: ANN401  of Sphinx
    """The documents that list the pages of one tag; that of all tags is none."""
    folder = f"{config.tags_output_dir}/"
    return {name for name in names if name.startswith(folder) and name != f"{folder}tagsindex"}
