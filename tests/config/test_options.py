"""The one table of options: what each value may be, and what the message is otherwise."""

from __future__ import annotations

import pytest

from sitemap_docs.config.options import OPTIONS, Options
from sitemap_docs.config.patterns import Globs


def test_defaults_are_valid_values() -> None:
    assert vars(Options()) == vars(Options.of({}))


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
