"""sphinx-last-updated-by-git, which dates footers: its options, and ours with the same effect."""

from collections.abc import Collection

UPDATED_BY_GIT = "sphinx_last_updated_by_git"
#: The options of the extension in ``conf.py``, and what a user of our dates does instead.
REPLACED = {
    "git_exclude_commits": "list the commits in the file of sitemap_lastmod_ignore_revs",
    "git_exclude_patterns": "write the globs into sitemap_lastmod_excludes",
    "git_last_updated_metatags": "the element is written where the page has none",
    "git_last_updated_timezone": "dates are in UTC",
    "git_untracked_check_dependencies": "sitemap_lastmod_dependencies decides about included files",
    "git_untracked_show_sourcelink": "html_show_sourcelink of Sphinx decides about the link",
}


def dates_footers(extensions: Collection[str]) -> bool:
    """Check whether the extension is one of the ``extensions`` of a build, so that it dates the footers."""
    return UPDATED_BY_GIT in extensions
