"""From how many pages on a file that they include is configuration, or is reported."""

import pytest

from sitemap_docs.history.shared_files import shared_file


@pytest.mark.parametrize(
    ("with_file", "pages", "expected"),
    [
        pytest.param(5, 5, (False, False), id="a small site"),
        pytest.param(6, 6, (True, False), id="all documents"),
        pytest.param(6, 7, (False, False), id="all documents but one"),
        pytest.param(10, 25, (False, True), id="two fifths of the pages"),
        pytest.param(10, 26, (False, False), id="less than two fifths"),
        pytest.param(9, 12, (False, False), id="most of a few pages"),
        pytest.param(40, 40, (True, True), id="all of many pages"),
    ],
)
def test_the_number_of_pages_decides(with_file: int, pages: int, expected: tuple[bool, bool]) -> None:
    assert shared_file(with_file, pages) == expected
