"""What the project itself has listed: extra URLs, and entries that it changed."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urljoin

from sitemap_docs import validators
from sitemap_docs.model import Entry, Finding, SitemapError
from sitemap_docs.urls import Base

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sitemap_docs.model import Page


def extra_locs(urls: Iterable[str], base: Base) -> list[str]:
    """The sorted locs of the option ``extra_urls``; SitemapError for one that cannot be listed."""
    return sorted({_extra(url, base) for url in urls})


def _extra(url: str, base: Base) -> str:
    try:
        return base.spelled(url)
    except ValueError as error:
        raise SitemapError(f"The option `extra_urls` has {url!r}: it {error}.") from None


def extra_sitemaps(urls: Iterable[str], base: Base) -> Iterator[str]:
    """The option ``extra_sitemaps`` as absolute URLs, on any host; SitemapError for one that is none."""
    for url in urls:
        try:
            absolute = urljoin(base.url, url.lstrip("/")).replace(" ", "%20")
            Base.of(absolute.partition("?")[0])
        except (SitemapError, ValueError):
            raise SitemapError(
                f"The option `extra_sitemaps` has {url!r}: it must be the address of a sitemap, absolute or "
                "below the base URL."
            ) from None
        yield absolute


def out_of_scope(locs: Iterable[str], base: Base) -> Iterator[Finding]:
    """A warning about URLs that do not lie below the base (https://www.sitemaps.org/protocol.html#location)."""
    outside = [loc for loc in locs if not loc.startswith(base.url)]
    if outside:
        yield Finding(
            rule="url-out-of-scope",
            where=outside[0],
            message=f"The option `extra_urls` has {len(outside)} that do not lie below {base.url}, such as "
            f"{outside[0]}. Search engines take these only if {base.origin}/robots.txt names the sitemap.",
        )


class HookError(Exception):
    """The project's own function raised an error, which is the cause: no fault of the site."""


def answer_of(function: Callable[[Page, Entry], Entry | None], page: Page, entry: Entry) -> Entry | None:
    """What the project's own function returns. HookError for an error that would pass for one of ours."""
    try:
        return function(page, entry)
    except (OSError, SitemapError) as error:
        cause = f"{type(error).__name__}: {error}"
        raise HookError(f"the project's own function failed for {entry.loc}: {cause}") from error


def changed(answer: object, entry: Entry, base: Base) -> Entry:
    """What the project made of ``entry``, if it can be listed; SitemapError otherwise."""
    if answer is entry:
        return entry
    who = f"The project's own function, for {entry.loc},"
    if not isinstance(answer, Entry):
        raise SitemapError(f"{who} returned {validators.shown(answer)}: return an entry, False or None.")
    try:
        loc = base.spelled(answer.loc)
    except ValueError as error:
        raise SitemapError(f"{who} returned the loc {answer.loc!r}: it {error}.") from None
    fields = {name: getattr(answer, name) for name in _FIELDS}
    for name, value in fields.items():
        try:
            fields[name] = None if value is None else _FIELDS[name](value)
        except ValueError as error:
            raise SitemapError(
                f"{who} returned a {name} of {validators.shown(value)}: it must be {error}."
            ) from None
    return answer._replace(loc=loc, **fields)


_FIELDS = {
    "lastmod": validators.timestamp,
    "changefreq": validators.changefreq,
    "priority": validators.priority,
}
