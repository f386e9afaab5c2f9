"""Rendered pages, read as browsers and search engines read them."""
