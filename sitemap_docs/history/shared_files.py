"""Decide whether the commits of a file that many pages include, such as a footer, may date these pages."""

from typing import NamedTuple

#: On a site with fewer documents, a file may be included in all of them by chance.
_FEWEST_DOCUMENTS = 6
#: If so many pages, and this part of all pages, have the date of one included file, it is reported.
_FEWEST_DATED = 10
_PART_DATED = 0.4


class SharedFile(NamedTuple):
    """The effect of an included file on the dates of the pages.

    Attributes:
        is_configuration: Whether all documents of a format include the file, for example because of
            ``rst_prolog`` in conf.py. A commit of the file then says nothing about a single page, so it dates
            no page. Only Sphinx knows the files of each document well enough for this.
        is_reported: Whether many pages have the date of the file, but not because it is configuration.
            The date may be right, so the pages keep it, and a finding tells the user about the file.
    """

    is_configuration: bool
    is_reported: bool


def shared_file(with_file: int, pages: int) -> SharedFile:
    """Decide about an included file by the number of pages that it is part of.

    Args:
        with_file: The number of pages that include the file, or that have its date.
        pages: The number of all pages: the documents of one format, or the listed pages.
    """
    return SharedFile(
        is_configuration=with_file == pages >= _FEWEST_DOCUMENTS,
        is_reported=with_file >= max(_FEWEST_DATED, _PART_DATED * pages),
    )
