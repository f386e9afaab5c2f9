"""Listed pages as the entries of a sitemap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitemap_docs.config import validators
from sitemap_docs.html.content import images
from sitemap_docs.listing.languages import Languages
from sitemap_docs.model import Entry, Page, SitemapError

if TYPE_CHECKING:
    from sitemap_docs.config.options import Options
    from sitemap_docs.history.lastmod import Dates, Stamp
    from sitemap_docs.listing.selection import Decision
    from sitemap_docs.urls.base import Base

Transform = Callable[[Page, Entry], Entry | None]
"""A function of the project's own, which may change the entry of a page, or drop it by returning None."""


@dataclass(frozen=True, slots=True)
class EntryBuilder:
    """What gives a listed page its date, translations and images; the page's own options come first."""

    options: Options
    dates: Dates
    languages: Languages

    def entry(self, decision: Decision) -> tuple[Entry, Stamp | None]:
        """The entry of a listed page, and the commit behind its date."""
        page, own, options = decision.page, decision.page.options, self.options
        stamp = None
        lastmod = own.lastmod
        if page.sources and lastmod is None:
            stamp = self.dates.of(page.sources)
            lastmod = stamp.when if stamp else None
        priority = own.priority
        if priority is None:  # 0 is a priority
            priority = options.priority.get(page.names)
        entry = Entry(
            loc=decision.loc,
            lastmod=lastmod,
            alternates=self.languages.alternates(decision),
            images=images(Path(page.file), decision.loc) if options.images else (),
            changefreq=own.changefreq or options.changefreq.get(page.names),
            priority=priority,
            group=self._group(page.names),
        )
        return entry, stamp

    def _group(self, names: tuple[str, ...]) -> str:
        for name, globs in self.options.groups:
            if globs.includes(names):
                return name
        return ""


class HookError(Exception):
    """The project's own function raised an error, which is the cause: no fault of the site."""


def transformed(function: Transform, page: Page, entry: Entry, base: Base) -> Entry | None:
    """What the project's own function makes of an entry; None where it drops it.

    Raises HookError for an error that would pass for one of ours, and SitemapError for an answer that
    cannot be listed.
    """
    try:
        answer = function(page, entry)
    except (OSError, SitemapError) as error:
        cause = f"{type(error).__name__}: {error}"
        raise HookError(f"the project's own function failed for {entry.loc}: {cause}") from error
    if answer is None or answer is entry:
        return answer
    who = f"The project's own function, for {entry.loc},"
    if not isinstance(answer, Entry):
        raise SitemapError(f"{who} returned {validators.shown(answer)}: return an entry, False or None.")
    try:
        loc = base.spelled(answer.loc)
    except ValueError as error:
        raise SitemapError(f"{who} returned the loc {answer.loc!r}: it {error}.") from None
    fields: dict[str, Any] = {}
    for name, parse in _FIELDS.items():
        value = getattr(answer, name)
        try:
            fields[name] = None if value is None else parse(value)
        except ValueError as error:
            raise SitemapError(
                f"{who} returned a {name} of {validators.shown(value)}: it must be {error}."
            ) from None
    return answer._replace(loc=loc, **fields)


_FIELDS: dict[str, Callable[[object], object]] = {
    "lastmod": validators.timestamp,
    "changefreq": validators.changefreq,
    "priority": validators.priority,
}
