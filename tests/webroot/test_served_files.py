"""The file behind an address, and the address of a file: one rule, both ways."""

from __future__ import annotations

import pytest

from sitemap_docs.urls.base import Base
from sitemap_docs.urls.spelling import address
from sitemap_docs.webroot.served_files import Webroot

BASE = Base.of("https://docs.example.org/")
NAMES = ["index.html", "a.html", "b/index.html", "g/Index.html", "h.html.html", "i.j.html"]
NAMES += ["c.htm", "d.HTML", "e/index.htm", "f.xhtml"]


@pytest.mark.parametrize("links", ["folders", "files", "clean", "bare"])
@pytest.mark.parametrize("name", NAMES)
def test_the_address_of_a_file_leads_to_it(tmp_path, links, name):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).touch()
    assert Webroot(tmp_path, BASE).file_at(address(name, links)) == name
