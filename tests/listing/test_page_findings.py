"""The findings about problems of pages."""

import pytest

from sitemap_docs.listing import page_findings
from sitemap_docs.listing.page_findings import Note, finding_of
from sitemap_docs.rules import BuildRule, build_rules

LOC = "https://example.org/docs/a%20b/"
RULES = [rule for rule in build_rules().values() if rule.function.__module__ == page_findings.__name__]


@pytest.mark.parametrize(("pages", "count"), [(1, "1 page "), (3, "3 pages ")])
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_findings_name_the_number_and_the_first(rule: BuildRule, pages: int, count: str) -> None:
    found = finding_of(Note(rule, LOC, "detail\n"), pages)
    assert (found.rule, found.where) == (rule.id, LOC)
    assert count in found.message
    assert LOC in found.message
    assert ("detail\\n" in found.message) is (rule.id not in {"noindex-not-rendered", "page-removed"})
