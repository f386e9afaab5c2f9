"""What pages in AsciiDoc include."""

from __future__ import annotations

import os
import tracemalloc

import pytest

from sitemap_docs.sources.includes import Includes
from tests.conftest import write

PART = "../partials/part.adoc"
OTHER = "../../other/partials/q.adoc"


ASCIIDOC = [
    pytest.param("include::b.adoc[]", ["b.adoc"], id="beside"),
    pytest.param("----\ninclude::../../x.py[lines=1..3]\n----\n", ["../../x.py"], id="in a block"),
    pytest.param("include::partial$part.adoc[]", [PART, "../../x.py"], id="Antora"),
    pytest.param("include::other:example$e.txt[]", ["../../other/examples/e.txt"], id="of another module"),
    pytest.param("include::version@c:other:example$e.txt[]", [], id="of another component"),
    pytest.param(":dir: ..\n\ninclude::{dir}/../x.py[]", ["../../x.py"], id="an attribute"),
    pytest.param(":x: b\n:y: {x}.adoc\n\ninclude::{y}[]", ["b.adoc"], id="an attribute of another"),
    pytest.param(":x: b\ninclude::{x}.adoc[]\n:x: c\n", ["b.adoc"], id="an attribute with a later value"),
    pytest.param("////\n/////\n:x: c\n////\n\n////\ninclude::b.adoc[]", ["b.adoc"], id="an open comment"),
    pytest.param(
        "include::other:o.adoc[]", ["../../other/pages/o.adoc", OTHER], id="a page of another module"
    ),
    pytest.param("include::other:partial$p.adoc[]", [f"{OTHER[:-6]}p.adoc", OTHER], id="within its module"),
    pytest.param("include::other:partial$r.adoc[]", [f"{OTHER[:-6]}r.adoc", OTHER], id="of its own family"),
    pytest.param("include::1.0@other:o.adoc[] include::unknown$o.adoc[]", [], id="of another version"),
    pytest.param("////\ninclude::b.adoc[]\n////\n\\include::b.adoc[]\nx include::b.adoc[]", [], id="none"),
]


@pytest.mark.parametrize(("text", "expected"), ASCIIDOC)
def test_asciidoc(tmp_path, text, expected):
    root = tmp_path / "modules"
    write(root, {
        "ROOT/pages/b.adoc": "B", "x.py": "", "other/examples/e.txt": "",
        "ROOT/partials/part.adoc": "include::../../x.py[]",
        "other/pages/o.adoc": "include::partial$q.adoc[]",
        "other/partials/p.adoc": "include::partial$q.adoc[]", "other/partials/q.adoc": "",
        "other/partials/r.adoc": "include::other:q.adoc[]",
    })  # fmt: skip
    pages = root / "ROOT/pages"
    found = Includes().of(text, pages, ".adoc").files
    assert [os.path.relpath(path, pages) for path in found] == expected


def test_asciidoc_with_an_attribute_of_the_build(tmp_path):
    text = "include::{version}.adoc[]"
    assert Includes().of(text, tmp_path, ".adoc").unknown.endswith(text)


def test_asciidoc_with_attributes_that_double(tmp_path):
    lines = [":a0: " + "a" * 5_000, *(f":a{number}: {{a{number - 1}}}" * 2 for number in range(1, 40))]
    double = [f":a{number}: {{a{number - 1}}}{{a{number - 1}}}" for number in range(1, 40)]
    for written in (lines, [lines[0], *double], [lines[0], ":b: " + "{a0}" * 100_000]):
        text = "\n".join([*written, "include::{a0}.adoc[]", "include::{b}{a39}{a1}.adoc[]"])
        tracemalloc.start()
        found = Includes().of(text, tmp_path, ".adoc")
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert not found.files
        assert peak < 4_000_000
