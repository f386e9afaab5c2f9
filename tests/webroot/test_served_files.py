"""The file behind an address, and the address of a file: one rule, both ways."""

from __future__ import annotations

import pytest

from sitemap_docs.cli.main import group
from sitemap_docs.sitemap.reader import parse
from sitemap_docs.urls.base import Base
from sitemap_docs.urls.spelling import address
from sitemap_docs.webroot.served_files import Webroot
from tests.conftest import runner, write

BASE = Base.of("https://docs.example.org/")
WITH_ENDINGS = ["c.htm", "d.HTML", "e/index.htm", "f.xhtml"]
NAMES = ["index.html", "a.html", "b/index.html", "g/Index.html", "h.html.html", "i.j.html", *WITH_ENDINGS]


@pytest.mark.parametrize("links", ["folders", "files", "clean", "bare"])
@pytest.mark.parametrize("name", NAMES)
def test_the_address_of_a_file_leads_to_it(tmp_path, links, name):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).touch()
    assert Webroot(tmp_path, BASE).file_at(address(name, links)) == name


@pytest.mark.parametrize("links", ["clean", "bare"])
def test_a_check_finds_what_a_build_with_clean_addresses_lists(tmp_path, links):
    """What no host serves without its ending keeps it."""
    page = "<!doctype html><html lang=en><title>Page {0}</title><body><h1>{0}</h1></body></html>"
    write(tmp_path, {name: page.format(number) for number, name in enumerate(NAMES)})
    flags = [str(tmp_path), "--base-url", BASE.url]
    assert runner().invoke(group, ["build", *flags, "--links", links]).exit_code == 0
    listed = {entry.loc.removeprefix(BASE.url) for entry in parse(tmp_path / "sitemap.xml").entries()}
    folder = "b/" if links == "clean" else "b"
    assert listed == {"", "a", folder, "g/Index", "h.html", "i.j", *WITH_ENDINGS}
    checked = runner().invoke(group, ["check", *flags])
    assert checked.exit_code == 0
    assert "No errors or warnings" in checked.stdout
