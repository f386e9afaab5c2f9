"""robots.txt in the output folder, which names the sitemaps."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from sitemap_docs.listing.extra import extra_sitemaps
from sitemap_docs.model import Finding
from sitemap_docs.robots import document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

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
) -> Iterator[Finding]:
    """Adds the robots.txt that names the sitemaps to ``output`` or reports which lines belong elsewhere.

    ``sitemaps`` are the names of files below ``base``.
    """
    wanted = options.robots
    more = tuple(extra_sitemaps(options.extra_sitemaps, base))
    lines = (*(urljoin(base.url, name) for name in sitemaps), *more)
    if wanted == "auto" and platform.serves_robots:
        if more:
            yield _unnamed(platform.name, more)
        return
    if wanted == "off":
        return
    if not lines:
        _forget_sitemaps(output)
        return
    if wanted == "auto" and not base.is_root:
        yield Finding(
            rule="robots-below-root",
            severity="info",
            message=f"Crawlers read only {base.origin}/robots.txt. Add there: "
            + " ".join(f"Sitemap: {line}" for line in lines),
        )
        return
    yield from _merge_robots(output, lines, dict(wanted) if isinstance(wanted, tuple) else None)


def _merge_robots(
    output: Output, lines: Sequence[str], groups: Mapping[str, object] | None
) -> Iterator[Finding]:
    existing = output.folder / ROBOTS
    target = os.path.realpath(existing)  # unlike Path.resolve, it answers for a link to itself
    if existing.is_symlink() and not Path(target).is_relative_to(output.folder.resolve()):
        yield _linked_robots(existing, lines)
        return
    found = existing.read_bytes() if existing.is_file() else None
    if groups and found is not None and document.without(found) is not None:
        yield YOUR_ROBOTS
    output.add(ROBOTS, document.merge_robots(found, lines, groups))


def _forget_sitemaps(output: Output) -> None:
    """Takes the lines of an earlier build out of robots.txt, which would name a sitemap that is gone."""
    file = output.folder / ROBOTS
    if not file.is_file() or file.is_symlink():
        return
    found = file.read_bytes()
    kept = document.without(found)
    if kept is None:
        output.remove(ROBOTS)
    elif kept != found:
        output.add(ROBOTS, kept)


def _unnamed(platform: str, sitemaps: Iterable[str]) -> Finding:
    names = " ".join(sitemaps)
    message = (
        f"{platform} serves a robots.txt of its own, so the option `extra_sitemaps` has no effect: {names}. "
        "Set the option `robots` to true to write one, with the rules for hidden versions that it has."
    )
    return Finding(rule="extra-sitemaps-unused", where=ROBOTS, message=message)


def _linked_robots(file: Path, lines: Iterable[str]) -> Finding:
    added = " ".join(f"Sitemap: {line}" for line in lines)
    message = f"{file} is a link to a file outside the site, and is not changed. Add to its target: {added}"
    return Finding(rule="robots-link", where=ROBOTS, message=message)
