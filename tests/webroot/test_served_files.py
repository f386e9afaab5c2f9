"""The file behind an address, and the address of a file: one rule, both ways."""

from __future__ import annotations

import pytest

from sitemap_docs.urls.base import Base
from sitemap_docs.urls.spelling import address
from sitemap_docs.webroot.served_files import Webroot
from tests.conftest import write

BASE = Base.of("https://docs.example.org/")
NAMES = ["index.html", "a.html", "b/index.html", "g/Index.html", "h.html.html", "i.j.html"]
NAMES += ["c.htm", "d.HTML", "e/index.htm", "f.xhtml"]


@pytest.mark.parametrize("links", ["folders", "files", "clean", "bare"])
@pytest.mark.parametrize("name", NAMES)
def test_the_address_of_a_file_leads_to_it(tmp_path, links, name):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).touch()
    assert Webroot(tmp_path, BASE).file_at(address(name, links)) == name


GUESSED = {  # files, the addresses of a sitemap, and the base at which they are deployed
    "a folder of the base's name": (
        ["index.html", "docs/index.html", "docs/a.html"],
        ["docs/", "docs/docs/", "docs/docs/a.html"],
        "docs/",
    ),
    "the root": (["index.html", "docs/index.html", "docs/a.html"], ["", "docs/", "docs/a.html"], ""),
    "of equals the longest": (["index.html", "docs/index.html"], ["docs/"], "docs/"),
    "one that is gone": (["index.html", "a.html"], ["x/old/", "x/a.html", "x/"], "x/"),
    "none": (["a.html"], ["b.html"], None),
}


@pytest.mark.parametrize(("names", "paths", "expected"), GUESSED.values(), ids=GUESSED)
def test_the_base_at_which_most_addresses_have_their_files(tmp_path, names, paths, expected):
    write(tmp_path, dict.fromkeys(names, ""))
    for locs in (paths, reversed(paths)):
        built = Webroot.guess(tmp_path, ["mailto:me", "https://", *map(BASE.url.__add__, locs)])
        assert (built and built.base.url) == (expected if expected is None else BASE.url + expected)
