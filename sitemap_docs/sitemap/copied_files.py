"""The files of a sitemap in a copy of a site, which may be deployed at any address."""

from pathlib import Path
from urllib.parse import unquote

from sitemap_docs import files
from sitemap_docs.urls.base import split_url

_DEEPEST = 32  # folders of an address


def find_copied(folder: Path, url: str) -> str | None:
    """Find the file for a URL in a local copy of the site, and return its path there, or None.

    The base URL may be unknown, so ``/v1/a.xml`` is also found at ``a.xml``.
    """
    written = [segment for segment in split_url(url).path.split("/") if segment][-_DEEPEST:]
    segments = [unquote(segment, errors="surrogateescape") for segment in written]
    if any("/" in segment for segment in segments):
        return None
    for start in range(len(segments)):
        name = "/".join(segments[start:])
        if files.find_inside(folder, name):
            return name
    return None
