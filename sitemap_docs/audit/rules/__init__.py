"""The rules, grouped by what they are about. Importing this package fills the registry."""

from sitemap_docs.audit.rules import canonical, hreflang, lastmod, live, llms, loc, pages, robots, sitemap

__all__ = ["canonical", "hreflang", "lastmod", "live", "llms", "loc", "pages", "robots", "sitemap"]
