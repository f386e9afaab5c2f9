"""The sitemap format: written, read and cut into files."""

#: Where a sitemap is looked for that nothing names; engines try sitemap.xml and sitemap_index.xml.
NAMES = (
    "sitemap.xml",
    "sitemap.xml.gz",
    "sitemap_index.xml",
    "sitemap_index.xml.gz",
    "sitemap-index.xml",
    "sitemap-index.xml.gz",
)
