"""``sitemap_url_scheme`` and ``sitemap_locales`` as sphinx-sitemap reads them, and what a switch changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from sitemap_docs.html.head import read_head
from sitemap_docs.languages import X_DEFAULT, hreflang
from sitemap_docs.model import Alternate, SitemapError
from sitemap_docs.options import PLAIN
from sitemap_docs.output.ownership import Maker, maker
from sitemap_docs.sitemap.reader import parse
from sitemap_docs.urls import compare_urls

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from sitemap_docs.model import Page
    from sitemap_docs.urls import Base

LINK = 1  # of a page's names


class Scheme(NamedTuple):
    """A scheme, what its placeholders stand for, and the languages that share it."""

    text: str
    language: str
    version: str
    languages: tuple[str, ...] = ()

    def path(self, link: str, language: str) -> str:
        """The path below the base URL at which a page, or its translation, has its address."""
        path = self.text.replace("{lang}", f"{language}/" if language else "")
        return path.replace("{version}", f"{self.version}/" if self.version else "").replace(PLAIN, link)

    def applied(self, page: Page, base: Base) -> Page:
        """The page, whose path is a plain link so far, at its address."""
        if self.text == PLAIN:
            return page
        hrefs = {code: base.loc(self.path(page.path, code)) for code in (self.language, *self.languages)}
        tags = [Alternate(hreflang(code) or code, href) for code, href in hrefs.items()]
        tags += [Alternate(X_DEFAULT, hrefs[code]) for code in self.languages[:1]]
        return page._replace(
            path=self.path(page.path, self.language),
            alternates=tuple(tags) if self.languages else page.alternates,
        )


def check_scheme(pages: Iterable[Page], base: Base) -> None:
    """Raises SitemapError when the first page that bears a canonical link has it without the scheme."""
    for page in pages:
        loc, plain = base.loc(page.path), base.loc(page.names[LINK])
        canonicals = read_head(page.file, loc).canonicals
        if loc != plain and any(compare_urls(href, plain) != "elsewhere" for href in canonicals):
            raise SitemapError(
                f"`sitemap_url_scheme` gives {loc}, but the page's own canonical link says {plain}. Remove "
                "`sitemap_url_scheme`; if the first address is the right one, write its language and version "
                "into `html_baseurl`."
            )
        if canonicals:
            return


def old_locs(file: Path) -> tuple[str, ...]:
    """The addresses in a sitemap that sphinx-sitemap left in the output folder; none without one."""
    if not file.is_file() or maker(file) is not Maker.GENERATOR:
        return ()
    try:
        return tuple(entry.loc for entry in parse(file).entries())
    except SitemapError:  # it is replaced, whatever is wrong with it
        return ()


def moved(old: Sequence[str], pages: Sequence[Page], base: Base) -> tuple[str, str] | None:
    """The old and the new address of one page, if they differ."""
    usual = [page for page in pages if not page.default]
    if not old or not usual:
        return None
    page = max(usual, key=lambda page: len(page.path))
    new = base.loc(page.path)
    link = page.names[LINK]
    before = [loc for loc in old if loc.endswith((link, quote(link)))]
    return (before[0], new) if before and new not in before else None
