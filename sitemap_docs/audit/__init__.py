"""The audit: finds what search engines would report or ignore in a built site.

Rules are registered (``registry``) and run (``checking``) on one reading of a site (``reading``, ``site``).
"""

from sitemap_docs.audit import rules
from sitemap_docs.audit.checking import audit
from sitemap_docs.audit.registry import ALL, LIVE, RULES, deployed_rules
from sitemap_docs.audit.settings import Settings

__all__ = ["ALL", "LIVE", "RULES", "Settings", "audit", "deployed_rules", "rules"]
