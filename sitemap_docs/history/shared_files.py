"""Decide whether the commits of a file that many pages include, such as a footer, may date these pages."""

from typing import NamedTuple

#: On a site with fewer documents, a file may be included in all of them by chance.
_FEWEST_DOCUMENTS = 6
#: If so many pages, and this part of all pages, have the date of one included file, it is reported.
_FEWEST_DATED = 10
_PART_DATED = 0.4


class SharedFile(NamedTuple):
    """How a file that many pages include affects their dates.

    Attributes:
        is_configuration: Whether the file gives no page its date, because all documents include it.
        is_reported: Whether a finding reports the file, because many pages have its date.
    """

    is_configuration: bool  # as with rst_prolog in conf.py; only Sphinx knows the files of each document
    is_reported: bool  # the date may be right, so the pages keep it


def shared_file(with_file: int, pages: int) -> SharedFile:
    """Decide how an included file affects the dates of pages.

    Args:
        with_file: The number of pages that include the file, or that have its date.
        pages: The number of all pages: the documents of one format, or the listed pages.
    """
    return SharedFile(
        is_configuration=with_file == pages >= _FEWEST_DOCUMENTS,
        is_reported=with_file >= max(_FEWEST_DATED, _PART_DATED * pages),
    )
