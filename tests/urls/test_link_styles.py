"""The address of a file in each link style, and the styles in which a site is served."""

import pytest

from sitemap_docs.urls.link_styles import STYLES, LinkStyle, address, count_styles, spellings

FILES = ("index.html", "a.html", "b/index.html", "b/c.htm")
ADDRESSES: dict[LinkStyle, tuple[str, ...]] = {
    "folders": ("", "a.html", "b/", "b/c.htm"),
    "files": ("index.html", "a.html", "b/index.html", "b/c.htm"),
    "clean": ("", "a", "b/", "b/c.htm"),
    "bare": ("", "a", "b", "b/c.htm"),
}


@pytest.mark.parametrize("style", STYLES)
def test_each_style_has_its_own_addresses_and_the_most_files_are_served_in_it(style):
    paths = [address(file, style) for file in FILES]
    assert tuple(paths) == ADDRESSES[style]
    counts = count_styles(zip(FILES, paths, strict=True))
    assert [other for other in STYLES if counts[other] == len(FILES)] == [style]


def test_spellings_are_the_addresses_in_all_styles():
    for place, file in enumerate(FILES):
        assert spellings(file) == {paths[place] for paths in ADDRESSES.values()}
