"""YAML in which a value, not the form, is wrong."""

import sys

import pytest

from sitemap_docs.config.yaml_loader import load


@pytest.fixture(autouse=True)
def _limit():
    """Set the usual limit of the recursion. Some plugins of MkDocs raise it for the whole process."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.parametrize("text", ["!!int ''", "!!timestamp x", "!!bool x", "[" * 500])
@pytest.mark.parametrize("of_page", [True, False])
def test_a_value_that_cannot_be_read(text, of_page):
    with pytest.raises(ValueError, match="a value cannot be read"):
        load(text, of_page=of_page)


def test_only_a_configuration_reads_the_environment(monkeypatch):
    monkeypatch.setenv("SECRET", "s")
    assert load("!ENV SECRET", of_page=True) is None
    assert load("!ENV SECRET", of_page=False) == "s"
