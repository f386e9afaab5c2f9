"""The audit: finds what search engines would report or ignore in a built site.

Rules are registered (``registry``), chosen (``settings``) and run (``run``) on one reading of a site
(``reading``, ``site``) or on the responses of its server (``live``); ``formats`` reports what they find.
"""

from sitemap_docs.audit import rules

__all__ = ["rules"]
