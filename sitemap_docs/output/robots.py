"""robots.txt in the output folder, which names the sitemaps."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from sitemap_docs import files
from sitemap_docs.listing.extra import extra_sitemaps
from sitemap_docs.model import Finding, SitemapError
from sitemap_docs.robots import document
from sitemap_docs.robots.rules import CrawlerRules, lines_for
from sitemap_docs.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitemap_docs.config.options import Options
    from sitemap_docs.output.folder import Output
    from sitemap_docs.urls.base import Base
    from sitemap_docs.urls.platforms import Platform

ROBOTS = "robots.txt"
YOUR_ROBOTS = Finding(
    rule="robots-groups-unused",
    where=ROBOTS,
    message="The groups of the option `robots` are not used: you have a robots.txt of your own. Keep one.",
)


def add_robots(
    output: Output, sitemaps: Iterable[str], base: Base, platform: Platform, options: Options
) -> tuple[Finding, ...]:
    """Add the robots.txt that names the sitemaps to ``output``, where a crawler reads it there.

    ``sitemaps`` are the names of files below ``base``. What comes back are findings about lines that the user
    has to write, and about options that have no effect.
    """
    wanted = options.robots
    more = list(extra_sitemaps(options.extra_sitemaps, base))
    urls = [urljoin(base.url, name) for name in sitemaps] + more
    lines = " ".join(f"Sitemap: {url}" for url in urls)
    existing = output.folder / ROBOTS
    findings = []
    if wanted == "off":
        pass
    elif wanted == "auto" and platform.serves_robots:
        if more:
            message = (
                f"{platform.name} serves a robots.txt of its own, so the option `extra_sitemaps` has no "
                f"effect: {' '.join(more)}. Set the option `robots` to true to write one, with the rules for "
                "hidden versions that it has."
            )
            findings.append(Finding(rule="extra-sitemaps-unused", where=ROBOTS, message=message))
    elif not urls:
        _remove_our_lines(output)
    elif wanted == "auto" and not base.is_root:
        if platform.name:  # a build that somebody makes to look at it asks for nothing
            message = f"Crawlers read only {base.origin}/robots.txt. Add there: {lines}"
            findings.append(Finding(rule="robots-below-root", severity="info", message=message))
    elif _leads_outside(existing, output.folder):
        message = (
            f"{existing} is a link to a file outside the site, and is not changed. Add to its target: {lines}"
        )
        findings.append(Finding(rule="robots-link", where=ROBOTS, message=message))
    else:
        found = existing.read_bytes() if existing.is_file() else None
        groups = dict(wanted) if isinstance(wanted, tuple) else None
        if groups and found is not None and document.without(found) is not None:
            findings.append(YOUR_ROBOTS)
        output.add(ROBOTS, document.merge_robots(found, urls, groups))
    return tuple(findings)


class DisallowedUrls:
    """Counts the listed addresses that robots.txt, as :func:`add_robots` leaves it, forbids all crawlers."""

    def __init__(self, folder: Path, base: Base, options: Options) -> None:
        self._rules = _read_rules(folder, base, options)
        self._number = 0
        self._first = ""

    def add(self, loc: str) -> None:
        if self._rules and self._rules.forbid(loc):
            self._number += 1
            self._first = self._first or loc

    def findings(self) -> tuple[Finding, ...]:
        """One for all addresses."""
        if not self._number:
            return ()
        message = (
            f"robots.txt forbids all crawlers to read {self._number:,} of the addresses that the sitemap "
            f"lists, such as {one_line(self._first)}. Allow them there, or take the pages out of the sitemap "
            "with the option `excludes`."
        )
        return (Finding(rule="listed-url-disallowed", where=ROBOTS, message=message),)


def _read_rules(folder: Path, base: Base, options: Options) -> CrawlerRules | None:
    """None where no crawler reads robots.txt, or it cannot be read; and where it forbids the whole site."""
    if not base.is_root:
        return None
    groups = dict(options.robots) if isinstance(options.robots, tuple) else None
    try:
        found = files.read_inside(folder, ROBOTS, document.MAX_BYTES)
    except OSError:  # also for a link to a device or to a file outside the site
        found = None
    try:
        if found is None or document.without(found) is None:
            found = document.render_robots([], groups)
    except SitemapError:  # in UTF-16
        return None
    rules = CrawlerRules(lines_for(document.parse_robots(found), "*"))
    return None if rules.forbid(base.url) else rules


def _leads_outside(file: Path, folder: Path) -> bool:
    target = os.path.realpath(file)  # unlike Path.resolve, it answers for a link to itself
    return file.is_symlink() and not Path(target).is_relative_to(folder.resolve())


def _remove_our_lines(output: Output) -> None:
    """The lines of an earlier build would name a sitemap that is gone."""
    file = output.folder / ROBOTS
    if not file.is_file() or file.is_symlink():
        return
    found = file.read_bytes()
    kept = document.without(found)
    if kept is None:
        output.remove(ROBOTS)
    elif kept != found:
        output.add(ROBOTS, kept)
