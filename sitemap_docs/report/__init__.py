"""The report: what a maintainer wants to know of the whole site, in figures and on one page."""

from sitemap_docs.report.figures import Figures, figures
from sitemap_docs.report.page import render_report

__all__ = ["Figures", "figures", "render_report"]
