"""Decide whether the commits of a file that many pages include, such as a footer, may date these pages."""

from typing import NamedTuple

#: On a site with fewer documents, a file may be included in all of them by chance.
_FEWEST_DOCUMENTS = 6
#: If so many pages, and this part of all pages, have the date of one included file, it is reported.
_FEWEST_DATED = 10
_PART_DATED = 0.4


class SharedFile(NamedTuple):
    """The decision whether a file that many pages include, such as a footer, may give them its date."""

    #: Whether all documents include the file, so that its commits date no page.
    # Only Sphinx needs this guess, because it does not tell a file in rst_prolog of conf.py from an include
    # in the text. MkDocs' configuration names such files, for example in auto_append of pymdownx.snippets.
    is_configuration: bool
    #: Whether to tell the user that many pages have the date of the file.
    is_reported: bool  # the date may be right, so the pages keep it


def shared_file(with_file: int, pages: int) -> SharedFile:
    """Return whether too many pages include a file to be dated by it, and whether to tell the user.

    ``with_file`` is the number of pages with this file, and ``pages`` is the number of all pages.
    """
    return SharedFile(
        is_configuration=with_file == pages >= _FEWEST_DOCUMENTS,
        is_reported=with_file >= max(_FEWEST_DATED, _PART_DATED * pages),
    )
