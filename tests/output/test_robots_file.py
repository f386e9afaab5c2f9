"""What robots.txt names besides the sitemap: the option ``extra_sitemaps``."""

from __future__ import annotations

import pytest

from sitemap_docs.model import SitemapError
from sitemap_docs.output.robots import extra_sitemaps
from sitemap_docs.urls.base import Base

BASE = Base.of("https://example.org/docs/")


def test_extra_sitemaps_are_absolute():
    urls = ["more.xml", "/more.xml", "https://other.example/a b.xml?x=1"]
    more = "https://example.org/docs/more.xml"
    assert list(extra_sitemaps(urls, BASE)) == [more, more, "https://other.example/a%20b.xml?x=1"]


@pytest.mark.parametrize("url", ["ftp://example.org/a.xml", "http://[a/"])
def test_extra_sitemaps_that_are_none(url):
    with pytest.raises(SitemapError, match="The option `extra_sitemaps` has"):
        list(extra_sitemaps([url], BASE))
