"""The audit finds problems that search engines would report or that would make them ignore pages.

``registry`` knows all rules, and ``rule_settings`` decides which rules run. ``run`` runs them on a built site
(``site``), or on the responses of a server (``deployed_site``). ``formats`` reports the findings.
"""
