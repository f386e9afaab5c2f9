"""The report: what a maintainer wants to know of the whole site, in figures and on one page."""
