"""The manual, built by Sphinx: sphinx-build -b dirhtml -c example_docs example_docs/pages OUTPUT."""

project = "sitemap-docs"
extensions = ["myst_parser", "sitemap_docs"]
html_baseurl = "https://sitemap-docs.example/"
html_theme = "alabaster"
