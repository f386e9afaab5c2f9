"""The files of a sitemap in a copy of a site, which may be deployed at any address."""

from pathlib import Path
from urllib.parse import unquote

from sitemap_docs import files
from sitemap_docs.urls.base import split_url

_DEEPEST = 32  # folders of an address


def find_copied(folder: Path, url: str) -> str | None:
    """Return the name of the file below a folder that is a copy of the file at an address, or None.

    The folder may be deployed anywhere. The longest end of the address's path that leads to a file counts.
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
