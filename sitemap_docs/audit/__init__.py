"""The audit: finds what search engines would report or ignore in a built site.

Rules are registered (``registry``), chosen (``settings``) and run (``run``) on one reading of a site
(``reading``, ``site``) or on the responses of its server (``live``); ``formats`` reports what they find.
"""

from sitemap_docs.audit import rules
from sitemap_docs.audit.registry import ALL, LIVE, RULES, deployed_rules
from sitemap_docs.audit.run import audit
from sitemap_docs.audit.settings import settings_of

__all__ = ["ALL", "LIVE", "RULES", "audit", "deployed_rules", "rules", "settings_of"]
