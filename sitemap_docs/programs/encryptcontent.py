"""Pages that mkdocs-encryptcontent-plugin has encrypted."""

import re
from pathlib import Path

from sitemap_docs import files

_CIPHERTEXT = re.compile(rb"<div[^<>]*\sid=[\"']?mkdocs-encrypted-content\b", re.IGNORECASE)


def may_encrypt(site: Path) -> bool:
    """Whether a site has the script of the plugin: only then pages are read to the end."""
    return Path(site, "assets/javascripts/decrypt-contents.js").is_file()


def is_encrypted(file: Path | str) -> bool:
    """Whether the plugin has encrypted a page. Raises OSError."""
    return _CIPHERTEXT.search(files.read_file(file)) is not None
