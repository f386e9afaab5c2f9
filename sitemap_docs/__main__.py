"""``python -m sitemap_docs``."""

from sitemap_docs.cli import main

main()
