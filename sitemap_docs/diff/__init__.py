"""What changed between two sitemaps of a site."""
