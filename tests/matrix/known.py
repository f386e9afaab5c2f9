"""What the matrix finds today and an issue is going to mend: a predicate, never a row.

Each is an invariant, the rows in which it does not hold, what its problems are about, and the title of the
issue. It is expected to fail in each of these rows, strictly: who mends it takes the mark away.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tests.matrix.rows import Row


class Known(NamedTuple):
    """``about`` is a text in the lines of the invariant that are known."""

    invariant: str
    rows: Callable[[Row], bool]
    about: str
    issue: str

    def names(self, problem: str) -> bool:
        invariant, _, text = problem.partition(": ")
        return invariant == self.invariant and self.about in text


DECIDED_ONCE = "Decided once"
EVERY_COMMAND = "What the build decided, every command knows"
CANONICAL = "promise_3_every_loc_is_the_canonical_link_of_its_page"
FOLDER_DOOR = "promise_11_the_folder_door_agrees_with_the_plugin"
GROWTH = "Nothing grows faster than its input"


def has(odd: str) -> Callable[[Row], bool]:
    """The rows of projects that have something odd."""
    return lambda row: odd in row.project.odd


def next_to_another(row: Row) -> bool:
    """``explain`` and ``report`` read the sitemap of another generator, where ours has another name."""
    return row.host == "folder" and row.options.get("filename") == "map.xml"


def a_blog_without_dependencies(row: Row) -> bool:
    """The command dates archives by their posts, and the plugin does not."""
    return row["project"].name == "mkdocs-blog" and "lastmod_dependencies" in row.options


KNOWN: tuple[Known, ...] = (
    Known(FOLDER_DOOR, has("written at the end"), "late/page", EVERY_COMMAND),
    Known(
        CANONICAL,
        lambda row: row["base"].name == "two-schemes" and row.host == "mkdocs",
        "http://https",
        EVERY_COMMAND,
    ),
    Known("promise_11_explain_agrees_with_the_build", next_to_another, "explain", EVERY_COMMAND),
    Known("promise_11_report_agrees_with_the_build", next_to_another, "report of", EVERY_COMMAND),
    Known(FOLDER_DOOR, a_blog_without_dependencies, "blog/", DECIDED_ONCE),
)

#: The same for trees of builds: the test, and the tree.
KNOWN_OF_TREES: dict[tuple[str, str], str] = {}
