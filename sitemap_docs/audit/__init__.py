"""The audit finds what search engines would report or ignore in a site.

``registry`` knows all rules, and ``rule_settings`` decides which of them run. They run (``run``) on a built
site (``site``), or on the responses of its server (``deployed_site``). ``formats`` reports the findings.
"""
