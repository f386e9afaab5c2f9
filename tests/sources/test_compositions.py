"""Pages made of other files, nested, missing, renamed and untracked: their dates are git's."""

import pytest

from tests.sources.compositions import compare

pytestmark = pytest.mark.once


@pytest.mark.parametrize("seed", range(12))
def test_a_page_is_dated_by_all_that_it_is_made_of(tmp_path, seed):
    assert compare(tmp_path, seed)
