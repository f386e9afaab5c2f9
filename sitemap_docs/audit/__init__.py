"""The audit: finds what search engines would report or ignore in a built site.

Rules are registered and chosen (``registry``) and run (``run``) on one reading of a site (``site``) or on the
responses of its server (``deployed_site``); ``formats`` reports what they find. Importing this package fills
the registry.
"""

from sitemap_docs.audit.rules import canonical, hreflang, lastmod, live, llms, loc, pages, robots, sitemap

__all__ = ["canonical", "hreflang", "lastmod", "live", "llms", "loc", "pages", "robots", "sitemap"]
