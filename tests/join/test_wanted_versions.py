"""Which versions of a tree are joined, and what a list of versions says."""

from __future__ import annotations

import pytest

from sitemap_docs.join.wanted_versions import Policy
from sitemap_docs.model import BuildRow, BuildSitemap, SitemapError
from sitemap_docs.programs.mike import read_aliases
from sitemap_docs.tree import version_of
from tests.conftest import write

VERSIONS = ["0.9/", "1.0/", "1.10/", "1.9/", "2.0rc1/", "dev/", "stable/", "guide/"]


def table(paths: list[str]) -> list[BuildRow]:
    return [BuildRow(path, version=version_of(path), sitemaps=(BuildSitemap(path),)) for path in paths]


@pytest.mark.parametrize(
    ("policy", "builds", "wanted"),
    [
        pytest.param(Policy(), VERSIONS, VERSIONS, id="all"),
        pytest.param(Policy(names=["stable"]), VERSIONS, ["guide/", "stable/"], id="a name; or no version"),
        pytest.param(
            Policy(names=["1.*", "dev"]), VERSIONS, ["1.0/", "1.10/", "1.9/", "dev/", "guide/"], id="globs"
        ),
        pytest.param(Policy(newest=2), VERSIONS, ["1.10/", "1.9/", "guide/"], id="PEP 440, no pre-releases"),
        pytest.param(
            Policy(names=["lts"], aliases={"1.9": ["lts"]}), VERSIONS, ["1.9/", "guide/"], id="mike's alias"
        ),
        pytest.param(Policy(newest=1), ["en/1.0a1/", "de/1.0a2/"], ["de/1.0a2/"], id="pre-releases alone"),
        pytest.param(Policy(newest=1), ["9" * 5_000, "1.0/"], ["1.0/", "9" * 5_000], id="a hash"),
    ],
)
def test_policies(policy, builds, wanted):
    chosen, _ = policy.wanted(table(builds))
    assert sorted(chosen) == sorted(wanted)


@pytest.mark.parametrize("policy", [Policy(names=["3"]), Policy(canonical="3")])
def test_a_version_that_is_none(policy):
    with pytest.raises(SitemapError, match=r"called '3'\. There are: 1\.0, 2\.0\."):
        policy.wanted(table(["1.0/", "2.0/"]))


def test_no_list_at_all(tmp_path):
    write(tmp_path, {"versions.json": "{"})
    with pytest.raises(SitemapError, match="mike"):
        read_aliases(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "[1]", "1", "5", "null", "{}", "[[]]", '{"a": 1}', '[{"title": "x"}]', '[{"version": null}]',
        '[{"version": "1.0", "aliases": [{}]}]', '[{"version": 5, "aliases": [6]}]',
        '[{"version": "1.0", "aliases": 5}]',
    ],
)  # fmt: skip
def test_a_list_of_versions_of_another_form_names_none(tmp_path, text):
    assert read_aliases(write(tmp_path, {"versions.json": text})) == {}
