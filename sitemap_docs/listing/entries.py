"""Listed pages as the entries of a sitemap."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_docs.html.content import images
from sitemap_docs.listing.languages import Languages, read_locales
from sitemap_docs.model import Entry
from sitemap_docs.webroot.headers import read_headers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitemap_docs.config.options import Options
    from sitemap_docs.history.lastmod import Dates, Stamp
    from sitemap_docs.listing.selection import Decision
    from sitemap_docs.model import Alternate
    from sitemap_docs.urls.base import Base


@dataclass(frozen=True, slots=True)
class Recorder:
    """What gives a listed page its date, translations and images; the page's own options come first."""

    options: Options
    dates: Dates
    languages: Languages

    @classmethod
    def of(
        cls,
        options: Options,
        dates: Dates,
        base: Base,
        output: Path,
        language: str,
        listed: Mapping[str, tuple[Alternate, ...]],
    ) -> Recorder:
        """The recorder of a site; SitemapError for ``locales`` that name no language or no base URL."""
        locales = read_locales(options.locales, base, language)
        languages = Languages(
            base=base, output=output, locales=locales, headers=read_headers(output), listed=listed
        )
        return cls(options, dates, languages)

    def entry(self, decision: Decision) -> tuple[Entry, Stamp | None]:
        """The entry of a listed page, and the commit behind its date."""
        page, options = decision.page, self.options
        own = page.options
        stamp = self.dates.of(page.sources) if page.sources and not own.lastmod else None
        entry = Entry(
            loc=decision.loc,
            lastmod=stamp.when if stamp else own.lastmod,
            alternates=self.languages.alternates(decision),
            images=images(Path(page.file), decision.loc) if options.images else (),
            changefreq=own.changefreq or options.changefreq.get(page.names),
            priority=options.priority.get(page.names) if own.priority is None else own.priority,
            group=self._group(page.names) if options.groups else "",
        )
        return entry, stamp

    def _group(self, names: tuple[str, ...]) -> str:
        return next((name for name, globs in self.options.groups if globs.includes(names)), "")
