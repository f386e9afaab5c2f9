"""Answer how the web host serves a site, for example whether it redirects ``a.html`` to ``a``.

Only this module and ``webroot.py`` answer questions about hosts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import unquote

from sitemap_docs.host_rules import drop_html
from sitemap_docs.programs import followed
from sitemap_docs.urls.base import Base, host_of, split_url
from sitemap_docs.urls.hosts import Platform
from sitemap_docs.urls.versions import preview_in_address

CrawledRobots = Literal["of the site", "of the default version", "of the host"]
"""The robots.txt that crawlers read.

``of the site``: The file of this site, which is at the root of its host.
``of the default version``: The file of the project's default version. That may be this build, but no build
knows which version is the default one.
``of the host``: A file at the root of the host, which is no part of this site.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosting:
    """The web host of a site and its behaviour, such as a redirect from ``a.html`` to ``a``."""

    #: The base URL of the site.
    base: Base
    #: The platform that serves the site.
    platform: Platform = Platform()
    #: The reason why this deployment is a preview, or ``""``.
    preview: str = ""
    #: The folder of the project.
    root: Path | None = None

    @property
    def crawled_robots(self) -> CrawledRobots:
        """The robots.txt that crawlers read, as words for a message, such as ``of the host``."""
        if self.base.is_root:
            return "of the site"
        return "of the default version" if self.platform.serves_robots else "of the host"

    @property
    def makes_robots(self) -> bool:
        """Whether the platform makes a robots.txt if the project has none."""
        return self.platform.serves_robots

    @property
    def redirects_win(self) -> bool:
        """Whether the host follows a redirect even if a file exists at its address."""
        return self.platform.redirects_win

    @property
    def drops_html(self) -> bool:
        """Whether the host redirects ``a.html`` to ``a``."""
        return self.platform.drops_html

    def served_address(self, loc: str, file: str = "") -> str:
        """Return the address at which the host serves a page, such as ``/a`` for ``/a.html``.

        If the file of the page is known, an address without the ending of the file stays: ``/a.html`` is the
        address of the file ``a.html.html``.
        """
        if not self.drops_html:
            return loc
        name = unquote(loc.rpartition("/")[2], errors="surrogateescape")
        if file and file.rpartition("/")[2] != name:
            return loc
        return drop_html(loc)


def find_hosting(platform: Platform, base: Base, host: str = "auto", root: Path | None = None) -> Hosting:
    """Find the platform that serves a site, and whether the site is a preview.

    Args:
        platform: The platform on which the build runs.
        base: The base URL of the site.
        host: The option ``host``: the name of a platform, or ``auto``.
        root: The folder of the project.
    """
    return Hosting(
        base=base,
        platform=followed.serving_platform(platform, base, host, root),
        preview=find_preview(platform, base),
        root=root,
    )


def find_preview(platform: Platform, base: Base) -> str:
    """Return why a site is only a preview, for example because of its host name. Otherwise, return ``""``.

    ``platform`` is the platform on which the build runs, such as Netlify.
    """
    if platform.preview:
        return platform.preview
    host = host_of(base.url)
    if followed.previewing_platform(host):
        return f"its host is {host}"
    folder = preview_in_address(split_url(base.url).path)
    return f"its base URL contains {folder}/" if folder else ""


def why_preview(url: str) -> str:
    """Return ``is a preview (Netlify)`` for the URL of a preview's folder, or ``""``."""
    name = followed.previewing_platform(host_of(url)) or preview_in_address(split_url(url).path)
    return f"is a preview ({name})" if name else ""


def why_not_deployed(environ: Mapping[str, str]) -> str:
    """Return the reason why the new pages are not public yet, such as a preview, or ``""``."""
    platform = followed.platform(environ)
    review = followed.why_review(environ)
    if review:
        return f"this run is for a review, not for the public site ({review})"
    if platform.preview:
        return f"this is a preview deployment ({platform.preview})"
    if platform.deploys_later:
        return f"{platform.name} deploys after the build, so search engines would still get the old pages"
    return ""
