"""The report: what a maintainer wants to know of the whole site, in figures and on one page."""

from sitemap_docs.report.figures import Figures, as_csv, figures
from sitemap_docs.report.html_report import render_report

__all__ = ["Figures", "as_csv", "figures", "render_report"]
