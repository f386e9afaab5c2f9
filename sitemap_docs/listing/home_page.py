"""The home page of a site. Without it, visitors of the base URL get an error."""

import os
from collections.abc import Sequence
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.files import seen_from
from sitemap_docs.model import Finding
from sitemap_docs.rules import reported
from sitemap_docs.text import one_line
from sitemap_docs.webroot import HOME_PAGES, FolderVisitor, Webroot


def lacks_home(webroot: Webroot) -> bool:
    """Check whether visitors of the base URL get an error, because there is no home page and no redirect."""
    names = files.names_inside(os.path.realpath(webroot.folder), "")
    if any(name.startswith("index.") for name in names):  # Also index.php, for example.
        return False
    visitor = FolderVisitor(webroot=webroot, redirects=webroot.readable_redirects)
    return visitor.find_outcome(webroot.base.url).kind == "lost"


def missing_home_of_folder(webroot: Webroot, names: Sequence[str], here: Path) -> Finding | None:
    """Return a finding if a folder has pages, but no home page.

    The user may have passed the folder above the site. Then the message suggests the folder of the site, if
    it is found.

    Args:
        webroot: The folder.
        names: The files of the pages, such as ``public/index.html``.
        here: The current folder, to which paths in the message are relative.
    """
    if not names or any(name in HOME_PAGES for name in names) or not lacks_home(webroot):
        return None
    homes = [name.rpartition("/")[0] for name in names if name.rpartition("/")[2] in HOME_PAGES]
    depth = min((home.count("/") for home in homes), default=0)
    highest = [home for home in homes if home.count("/") == depth]
    root = os.path.realpath(webroot.folder)
    shown = [one_line(seen_from(here, f"{root}/{home}")) for home in highest]
    advice = "Pass the folder into which the site is built."
    if len(shown) == 1:
        advice = f"Did you mean {shown[0]}?"
    elif shown:
        advice = (
            f"Pass the folder of one site, such as {shown[0]}; to combine several, use `sitemap-docs join`."
        )
    place = (
        f"{webroot.folder} has no index.html. If it is the folder above the site, all addresses are wrong."
    )
    return home_missing(place, advice)


def missing_home_of_host(webroot: Webroot) -> Finding | None:
    """Return a finding if a site that Sphinx or MkDocs renders has no home page, otherwise None."""
    if not lacks_home(webroot):
        return None
    place = f"The site has no index.html, so visitors of {webroot.base.url} get an error."
    return home_missing(place, "Add a page with the name index, or redirect this address.")


@reported()
def home_missing(place: str, advice: str) -> str:
    """The site has pages, but no index.html at its root."""
    return f"{place} {advice} If the site has no home page, add home-missing to the option `ignore`."
