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
#: The usual names of a text sitemap. Nobody looks there if a site has a sitemap of another name.
TEXT_NAMES = ("sitemap.txt", "sitemap.txt.gz")


def is_compressed(head: bytes) -> bool:
    """Check whether a file is compressed with gzip, by its first bytes."""
    return head.startswith(b"\x1f\x8b")
