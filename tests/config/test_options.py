"""The one table of options: what each value may be, and what the message is otherwise."""

from __future__ import annotations

import pytest

from sitemap_docs.config.options import OPTIONS, Globs, Options
from sitemap_docs.model import SitemapError

WRONG = [
    pytest.param({"exclude": []}, "There is no option `exclude`. Did you mean `excludes`?", id="typo"),
    pytest.param(
        {"colour": []}, "There is no option `colour`. The options are: filename, excludes", id="unknown"
    ),
    pytest.param(
        {"max_urls": 50_001}, "`max_urls` must be a whole number from 1 to 50000, not 50001", id="limit"
    ),
    pytest.param({"max_urls": True}, "`max_urls` must be a whole number", id="bool is no number"),
    pytest.param({"index": 1}, "`index` must be 'auto', true or 'cascaded'", id="number is no bool"),
    pytest.param({"excludes": [1]}, "`excludes` must be a list of strings", id="list of numbers"),
    pytest.param(
        {"filename": "/srv/sitemap.xml"}, "`filename` must be a file name without folders", id="absolute"
    ),
    pytest.param({"filename": "sitemap.txt"}, "that ends in .xml", id="not xml"),
    pytest.param({"lastmod": "mtime"}, "`lastmod` must be one of commit, author, none", id="choice"),
    pytest.param(
        {"changefreq": {"*": "often"}}, "`changefreq` must be one of always, hourly", id="changefreq"
    ),
    pytest.param({"priority": {"*": 1.5}}, "`priority` must be a number from 0.0 to 1.0", id="priority"),
    pytest.param(
        {"priority": {"*": "nan"}}, "`priority` must be a number from 0.0 to 1.0", id="not a number"
    ),
    pytest.param(
        {"groups": {"a/b": ["*"]}},
        "`groups` must be a mapping from names",
        id="group name in a file name",
    ),
    pytest.param(
        {"url_scheme": "{lang}"}, "`url_scheme` must be a string with {link}", id="scheme without link"
    ),
    pytest.param({"gzip": "zip"}, "`gzip` must be one of auto, off, beside, instead", id="gzip, never zip"),
    pytest.param(
        {"locales": {"en": ["https://a.example/", "https://b.example/"]}},
        "`locales` must be a mapping from each language to one base URL",
        id="a language twice",
    ),
    pytest.param({"robots": 1}, "`robots` must be 'auto', true, false, or a mapping", id="robots"),
]


def test_defaults_are_valid_values() -> None:
    assert Options() == Options.of({})


@pytest.mark.parametrize("kind", [list, tuple, set])
def test_lists_are_welcome_in_every_form(kind: type) -> None:
    assert Options.of({"excludes": kind(["a/*"])}).excludes == Globs(("a/*",))


# What the JSON Schema does not say; it counts characters, and systems bytes.
NAMES = (
    pytest.param({"filename": f"{'é' * 100}.xml"}, "a file name of at most 180 bytes", id="bytes"),
    pytest.param({"filename": ".hidden.xml"}, "`filename` must be a file name", id="hidden"),
    pytest.param({"filename": "a\x1b.xml"}, "`filename` must be a file name", id="a control character"),
)


@pytest.mark.parametrize(("given", "reported"), [*WRONG, *NAMES])
def test_a_wrong_value_is_named(given: dict[str, object], reported: str) -> None:
    with pytest.raises(SitemapError) as error:
        Options.of(given)
    assert reported in str(error.value)


@pytest.mark.parametrize(
    ("name", "given", "stored"),
    [
        *(("gzip", given, stored) for given, stored in ((True, "beside"), (False, "off"), ("instead",) * 2)),
        *(("index", given, stored) for given, stored in ((True, "on"), (False, "auto"), ("cascaded",) * 2)),
        *(("indent", given, stored) for given, stored in ((True, 1), (False, 0), (-1, 0), (64, 64))),
        ("formats", {"text"}, ("text",)),
        ("lastmod_fields", {"b", "c", "a"}, ("a", "b", "c")),
        ("priority", {"*": 0}, (("*", 0.0),)),
        ("priority", {"*": "1"}, (("*", 1.0),)),
        ("filename", "a/../map.xml", "map.xml"),
    ],
)
def test_what_a_value_means(name: str, given: object, stored: object) -> None:
    found = getattr(Options.of({name: given}), name)
    assert getattr(found, "values", found) == stored


def test_locales_take_the_form_of_sphinx_sitemap() -> None:
    assert Options.of({"locales": ["de", "pt_BR"]}).locales == (("de", ""), ("pt_BR", ""))
    assert Options.of({"locales": [None]}).locales == ()
    assert Options.of({"locales": {"de": "https://example.org/de/"}}).locales == (
        ("de", "https://example.org/de/"),
    )


@pytest.mark.parametrize(
    ("patterns", "name", "expected"),
    [
        pytest.param(["a/*"], "a/b/c", (True, "a/*"), id="a star crosses slashes, as in sphinx-sitemap"),
        pytest.param(["a/*", "!a/b"], "a/b", (False, "!a/b"), id="the last match decides"),
        pytest.param(["!a/b", "a/*"], "a/b", (True, "a/*"), id="also when it excludes"),
        pytest.param(["a"], "A", None, id="letter case counts"),
        pytest.param(["a[1]"], "a1", (True, "a[1]"), id="classes"),
        pytest.param([], "a", None, id="no pattern"),
    ],
)
def test_globs(patterns: list[str], name: str, expected: tuple[bool, str] | None) -> None:
    assert Globs(tuple(patterns)).decision([name]) == expected
    assert Globs(tuple(patterns)).includes([name]) is bool(expected and expected[0])


def test_every_option_has_a_help_sentence() -> None:
    assert [option.name for option in OPTIONS if not option.help.endswith(".")] == []
