"""Pages of a joined build that show the text of the default language in place of a translation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sitemap_docs.html.content import fingerprint
from sitemap_docs.model import Finding
from sitemap_docs.text import many

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sitemap_docs.model import Entry
    from sitemap_docs.webroot.lookup import Webroot


@dataclass(frozen=True, slots=True)
class Fallbacks:
    """Compares pages below ``webroot`` with those of the language ``default``; ``locs`` are those found."""

    webroot: Webroot
    default: str
    locs: list[str] = field(default_factory=list)

    def among(self, translations: Mapping[str, Entry]) -> Iterator[str]:
        """The languages, of those of one page, in which it has the words that it has in the default one."""
        original = translations.get(self.default)
        words = self._fingerprint(original) if original and len(translations) > 1 else ""
        for code, entry in translations.items() if words else ():
            if entry is not original and self._fingerprint(entry) == words:
                self.locs.append(entry.loc)
                yield code

    def findings(self) -> Iterator[Finding]:
        """One for all pages that were found, if any."""
        if self.locs:
            yield Finding(
                rule="not-translated",
                severity="info",
                message=f"Left out: {many(len(self.locs), 'page')} not translated, such as {self.locs[0]}: "
                f"the words are those of the page in {self.default}. To list all, set `min_translated` to 0.",
            )

    def _fingerprint(self, entry: Entry) -> str:
        file = self.webroot.file(entry.loc)
        try:
            return fingerprint(file) if file else ""
        except OSError:
            return ""
