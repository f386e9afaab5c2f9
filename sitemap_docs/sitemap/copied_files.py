"""The files of a sitemap in a copy of a site, which may be deployed at any address."""

from pathlib import Path
from urllib.parse import unquote

from sitemap_docs import files
from sitemap_docs.urls.base import split_url

_DEEPEST = 32  # folders of an address


def find_copied(folder: Path, url: str) -> str | None:
    """Find the file for a URL in a local copy of a site, and return its path in the copy, or None.

    The copy may start at any folder of the URL. The file for ``https://example.org/v1/a.xml`` may be
    ``v1/a.xml`` or ``a.xml``.
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
