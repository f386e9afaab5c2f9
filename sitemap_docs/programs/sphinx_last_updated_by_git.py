"""sphinx-last-updated-by-git, which writes dates into pages: its options, and ours with the same effect."""

import re
from collections.abc import Collection, Iterable

UPDATED_BY_GIT = "sphinx_last_updated_by_git"
#: The options of the extension in ``conf.py``, and what a user of our dates does instead.
REPLACED = {
    "git_exclude_commits": "list the commits in the file that sitemap_lastmod_ignore_revs names",
    "git_exclude_patterns": "write the globs into sitemap_lastmod_excludes",
    "git_last_updated_metatags": "sitemap-docs adds the element to pages that have none",
    "git_last_updated_timezone": "dates are in UTC",
    "git_untracked_check_dependencies": (
        "to count changes of included files or not, set sitemap_lastmod_dependencies"
    ),
    "git_untracked_show_sourcelink": "html_show_sourcelink of Sphinx decides about the link",
}
_DATE = re.compile(rb'<meta property="article:modified_time" content="[^"]*" />')


def dates_footers(extensions: Collection[str]) -> bool:
    """Check whether Sphinx loads sphinx-last-updated-by-git, which sets the date in the footer of pages."""
    return UPDATED_BY_GIT in extensions


def has_date(page: bytes) -> bool:
    """Check whether a page contains a date from sphinx-last-updated-by-git."""
    return _DATE.search(page) is not None


def replacement_advice(options: Iterable[str] = ()) -> str:
    """Return a text for the user: how to replace sphinx-last-updated-by-git by our option.

    ``options`` are the options of sphinx-last-updated-by-git that ``conf.py`` sets and that must be removed.
    """
    names = [f"{UPDATED_BY_GIT!r} from `extensions`", *options]
    advice = (
        f"To show the dates of the sitemap instead, change conf.py: remove {' and '.join(names)}, and add "
    )
    advice += "`sitemap_page_dates = True`."
    for option in options:
        advice += f" {option}: {REPLACED[option]}."
    return advice
