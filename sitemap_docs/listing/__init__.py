"""Which pages are listed, and what the sitemap says of each."""
