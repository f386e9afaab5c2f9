"""Pages of a joined build that show the text of the default language in place of a translation."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.html.page import fingerprint
from sitemap_docs.model import Finding
from sitemap_docs.text import many

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitemap_docs.model import Entry
    from sitemap_docs.webroot.lookup import Webroot


class Fallbacks(NamedTuple):
    """Compares pages below ``webroot`` with those of the language ``default``."""

    webroot: Webroot
    default: str

    def untranslated(self, translations: Mapping[str, Entry]) -> set[str]:
        """The languages, of those of one page, in which it has the words that it has in the default one."""
        original = translations.get(self.default)
        if original is None or len(translations) == 1:
            return set()
        words = self._fingerprint(original)
        if not words:  # too little text to compare
            return set()
        found = set()
        for code, entry in translations.items():
            if code != self.default and self._fingerprint(entry) == words:
                found.add(code)
        return found

    def finding(self, locs: Sequence[str]) -> Finding:
        """The finding about the pages that are not translated."""
        return Finding(
            rule="not-translated",
            severity="info",
            message=f"Left out: {many(len(locs), 'page')} not translated, such as {locs[0]}: "
            f"the words are those of the page in {self.default}. To list all, set `min_translated` to 0.",
        )

    def _fingerprint(self, entry: Entry) -> str:
        file = self.webroot.file(entry.loc)
        try:
            return fingerprint(file) if file else ""
        except OSError:
            return ""
