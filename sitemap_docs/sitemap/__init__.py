"""The sitemap format: written, read and cut into files."""
