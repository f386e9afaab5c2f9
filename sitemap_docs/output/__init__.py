"""The files of a sitemap, written whole or not at all."""
