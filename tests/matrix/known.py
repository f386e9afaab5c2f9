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


def below_a_root_of_read_the_docs(row: Row) -> bool:
    """Whether the base URL is that of Read the Docs."""
    is_used = row["base"].name == "platform" or row.host == "sphinx"
    return is_used and row["environment"].name.startswith("rtd")


def named(row: Row) -> bool:
    """Whether the sitemap has another name than other programs expect."""
    return "filename" in row.options


def a_blog_without_dependencies(row: Row) -> bool:
    """The command dates archives by their posts, and the plugin does not."""
    return row["project"].name == "mkdocs-blog" and "lastmod_dependencies" in row.options


KNOWN: tuple[Known, ...] = (
    Known("promise_11_report_agrees_with_the_build", has("drafts"), "drafts/", DECIDED_ONCE),
    Known("promise_11_report_agrees_with_the_build", has("empty template"), "empty.html", DECIDED_ONCE),
    Known(FOLDER_DOOR, has("drafts"), "drafts/", DECIDED_ONCE),
    Known(FOLDER_DOOR, has("empty template"), "empty.html", DECIDED_ONCE),
    Known(FOLDER_DOOR, has("`..` in docs_dir"), "javadoc/", DECIDED_ONCE),
    Known(FOLDER_DOOR, has("`..` in docs_dir"), "old.html", DECIDED_ONCE),
    Known(CANONICAL, has("three spellings"), "the canonical link of its page", DECIDED_ONCE),
    Known(FOLDER_DOOR, has("written at the end"), "late/page", EVERY_COMMAND),
    Known(
        CANONICAL,
        lambda row: row["base"].name == "two-schemes" and row.host == "mkdocs",
        "http://https",
        EVERY_COMMAND,
    ),
    Known("promise_11_explain_agrees_with_the_build", named, "explain", EVERY_COMMAND),
    Known("promise_11_report_agrees_with_the_build", named, "report of", EVERY_COMMAND),
    Known(FOLDER_DOOR, a_blog_without_dependencies, "blog/", DECIDED_ONCE),
    Known(
        "promise_11_check_agrees_with_the_build",
        below_a_root_of_read_the_docs,
        "robots-not-at-host-root",
        EVERY_COMMAND,
    ),
)

#: The same for trees of builds: the test, and the tree.
KNOWN_OF_TREES: dict[tuple[str, str], str] = {
    (test, "languages-of-sphinx"): EVERY_COMMAND
    for test in (
        "test_promise_11_check_finds_nothing",
        "test_promise_11_elsewhere_check_finds_no_error",
        "test_promise_11_explain_has_the_reason_of_the_build",
        "test_promise_11_the_report_counts_what_the_sitemaps_list",
    )
}
