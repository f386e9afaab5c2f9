"""The findings about problems of pages."""

import pytest

from sitemap_docs.listing import page_findings
from sitemap_docs.listing.page_findings import Note, finding_of
from sitemap_docs.model import DECLARED

LOC = "https://example.org/docs/a%20b/"


@pytest.mark.parametrize(("pages", "count"), [(1, "1 page "), (3, "3 pages ")])
@pytest.mark.parametrize(
    "rule", [each.id for each in DECLARED if each.function.__module__ == page_findings.__name__]
)
def test_findings_name_the_number_and_the_first(rule: str, pages: int, count: str) -> None:
    make = getattr(page_findings, rule.replace("-", "_"))
    found = finding_of(Note(make, LOC, "detail\n"), pages)
    assert (found.rule, found.where) == (rule, LOC)
    assert count in found.message
    assert LOC in found.message
    assert ("detail\\n" in found.message) is (rule not in {"noindex-not-rendered", "page-removed"})
