"""``python -m sitemap_docs``."""

from sitemap_docs.cli.main import main

main()
