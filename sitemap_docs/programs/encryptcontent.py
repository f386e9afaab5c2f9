"""mkdocs-encryptcontent-plugin: the pages that it has encrypted."""

import re
from pathlib import Path

from sitemap_docs import files

_CIPHERTEXT = re.compile(rb"<div[^<>]*\sid=[\"']?mkdocs-encrypted-content\b", re.IGNORECASE)


def may_encrypt(site: Path) -> bool:
    """Check whether a site contains the script with which mkdocs-encryptcontent-plugin decrypts pages."""
    return Path(site, "assets/javascripts/decrypt-contents.js").is_file()


def is_encrypted(file: Path | str) -> bool:
    """Check whether a page is encrypted.

    Raises:
        OSError: The file cannot be read.
    """
    return _CIPHERTEXT.search(files.read_file(file)) is not None
