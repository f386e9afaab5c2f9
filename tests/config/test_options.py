"""What each value may be, what it means, and what the message is otherwise."""

import pytest

from sitemap_docs.config.options import COMMAND_FLAGS, OPTIONS, Options
from sitemap_docs.config.patterns import Globs
from sitemap_docs.model import SitemapError
from tests.conftest import command as run_command

WRONG = [
    pytest.param({"exclude": []}, "There is no option `exclude`. Did you mean `excludes`?", id="typo"),
    pytest.param({"sitemap_excludes": []}, "Did you mean `excludes`?", id="of conf.py"),
    pytest.param({"colour": []}, "There is no option `colour`. The options are: filename", id="unknown"),
    pytest.param({"max_urls": 50_001}, "from 1 to 50000, not 50001", id="limit"),
    pytest.param({"max_urls": True}, "`max_urls` must be a whole number", id="bool is no number"),
    pytest.param({"index": 1}, "`index` must be one of auto, true, cascaded", id="number is no bool"),
    pytest.param({"filename": "/srv/sitemap.xml"}, "`filename` must be a file name without", id="absolute"),
    pytest.param({"filename": "sitemap.txt"}, "that ends in .xml", id="not xml"),
    pytest.param({"changefreq": {"*": "often"}}, "a mapping, each value one of always", id="changefreq"),
    pytest.param({"priority": {"*": 1.5}}, "a mapping, each value a number from 0.0", id="priority"),
    pytest.param({"priority": {"*": "nan"}}, "each value a number from 0.0 to 1.0", id="nan"),
    pytest.param({"groups": {"a/b": ["*"]}}, "`groups` must be a mapping from names", id="name of a file"),
    pytest.param({"url_scheme": "{lang}"}, "must be a text that ends in {link}", id="without link"),
    pytest.param({"locales": {"en": ["https://a.b/"] * 2}}, "each language to one base URL", id="twice"),
    pytest.param({"formats": ["rss"]}, "`formats` must be", id="formats"),
    pytest.param({"robots": "false"}, "auto, true, false (true and false without quotation", id="quoted"),
    pytest.param({"robots": 1}, "`robots` must be one of auto, true, false;", id="robots"),
    pytest.param({"extra_urls": [7]}, "`extra_urls` must be", id="no address"),
    pytest.param({"extra_urls": [{"loc": "a", "priority": 1}]}, "with loc and lastmod", id="another key"),
]


def test_defaults_are_valid_values_and_each_option_has_a_sentence() -> None:
    assert vars(Options()) == vars(Options.of({}))
    assert [option.name for option in OPTIONS if not option.help.endswith(".")] == []


@pytest.mark.parametrize("kind", [list, tuple, set])
def test_lists_are_welcome_in_every_form(kind: type) -> None:
    assert Options.of({"excludes": kind(["a/*"])}).excludes == Globs(("a/*",))


# What the JSON Schema does not say; it counts characters, and systems bytes.
NAMES = (
    pytest.param({"filename": f"{'é' * 100}.xml"}, "a file name of at most 180 bytes", id="bytes"),
    pytest.param({"extra_urls": [{"loc": "a", "lastmod": "soon"}]}, "a date such as 2026-01-31", id="date"),
    pytest.param({"extra_urls": [{"loc": "*.pdf", "lastmod": "2020-01-01"}]}, "from git", id="dated glob"),
    pytest.param({"filename": ".hidden.xml"}, "`filename` must be a file name", id="hidden"),
    pytest.param({"filename": "a\x1b.xml"}, "`filename` must be a file name", id="a control character"),
)


@pytest.mark.parametrize(("given", "reported"), [*WRONG, *NAMES])
def test_a_wrong_value_is_named(given: dict[str, object], reported: str) -> None:
    with pytest.raises(SitemapError) as error:
        Options.of(given)
    assert reported in str(error.value)


@pytest.mark.parametrize(("name", "command"), COMMAND_FLAGS.items())
def test_a_flag_of_a_command_is_no_option(name: str, command: str) -> None:
    """The message says which command has the flag, instead of a list of all options."""
    assert name not in {option.name for option in OPTIONS}
    shown = run_command(command, "--help").out
    assert f"--{name.replace('_', '-')} " in shown
    for given in (name, f"sitemap_{name}"):
        with pytest.raises(
            SitemapError, match=f"The option `{given}` is for the command `sitemap-docs {command}`"
        ):
            Options.of({given: "x"}, {"mkdocs"})


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
    assert found == stored


def test_locales_take_the_form_of_sphinx_sitemap() -> None:
    assert Options.of({"locales": ["de", "pt_BR"]}).locales == (("de", ""), ("pt_BR", ""))
    assert Options.of({"locales": [None]}).locales == ()
    german = {"de": "https://example.org/de/"}
    assert Options.of({"locales": german}).locales == tuple(german.items())
