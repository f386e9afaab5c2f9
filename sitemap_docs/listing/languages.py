"""The translations of a page: hreflang alternates that are complete, true and mutual."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitemap_docs.html.head import read_head
from sitemap_docs.model import Alternate
from sitemap_docs.urls.base import Base, compare_urls
from sitemap_docs.urls.languages import X_DEFAULT, hreflang
from sitemap_docs.webroot.headers import Headers
from sitemap_docs.webroot.lookup import Webroot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from sitemap_docs.listing.selection import Decision


@dataclass(slots=True)
class Languages:
    """The languages of a site, as its options name them: ``locales`` is language → base URL.

    ``output`` is the folder deployed to ``base``: what is in it, or in the folder of a sibling language,
    is known to exist or not. ``headers`` are those with which it is served. ``listed`` are the alternates
    that an existing sitemap has, by loc: those of a page whose head names none. ``address_of`` is the path at
    which the host serves a file of ``output``; None where every path that a link has is one.
    """

    base: Base
    output: Path
    locales: Mapping[str, Base] = field(default_factory=dict)
    headers: Headers = Headers()
    listed: Mapping[str, tuple[Alternate, ...]] = field(default_factory=dict)
    address_of: Callable[[str], str] | None = None
    _seen: dict[str, tuple[str, ...] | None] = field(default_factory=dict, repr=False, compare=False)
    _roots: dict[Path, Webroot] = field(default_factory=dict, repr=False, compare=False)

    def alternates(self, decision: Decision) -> tuple[Alternate, ...]:
        """The alternates of a listed page, itself included, sorted by code; none without a translation.

        The options come first, then the host, then the rendered head, then the existing sitemap.
        """
        loc, page = decision.loc, decision.page
        if self.locales:
            return _complete(loc, self._indexed(loc, self._from_locales(loc, page.path)))
        if page.alternates:
            return _complete(loc, self._indexed(loc, page.alternates))
        if decision.head:
            named = decision.head.alternate_urls(loc)
            if named:
                return _complete(loc, self._from_head(loc, named))
        return _complete(loc, self._indexed(loc, self.listed.get(loc, ())))

    def _from_locales(self, loc: str, path: str) -> list[Alternate]:
        """The page in each language of the options, as far as it may be there."""
        for base in self.locales.values():  # this build may hold several languages, each in its folder
            below = self.base.path_of(base.url)
            if below and loc.startswith(base.url):
                path = path.removeprefix(below)
                break
        found = []
        for code, base in self.locales.items():
            folder = self._folder(base)
            href = base.loc(path)
            if folder is None or not folder.is_dir():
                # A language that is built somewhere else is taken to have every page.
                found.append(Alternate(code, href))
            elif self._file(folder, base, path) is not None and self._own_loc(href) == href:
                # de/a/index.html answers for de/a, too, but its own address is de/a/: another page.
                found.append(Alternate(code, href))
        return found

    def _folder(self, base: Base) -> Path | None:
        """The folder of a language's pages when all languages are built in one place."""
        below = self.base.path_of(base.url)
        if below is not None:
            return self.output / below
        if base.origin != self.base.origin:
            return None
        ours, theirs = (urlsplit(each.url).path.strip("/").split("/") for each in (self.base, base))
        if ours[:-1] == theirs[:-1]:
            return self.output.parent / theirs[-1]
        return None

    def _from_head(self, loc: str, alternates: Iterable[Alternate]) -> list[Alternate]:
        """The alternates of a rendered head that name a language, can be opened and link back."""
        found = []
        for written in alternates:
            code = hreflang(written.hreflang)
            if code is None or not written.href.isprintable():
                continue
            alternate = Alternate(code, written.href)
            if self._is_mutual(loc, alternate):
                found.append(alternate._replace(href=self._own_loc(alternate.href)))
        return found

    def _own_loc(self, href: str) -> str:
        """The loc of a page of this build, where ``href`` leads to one; else as it is written."""
        path = self.base.path_of(href)
        file = None if path is None else self._file(self.output, self.base, path)
        if path is None or file is None:
            return href
        return self._loc(path, file)

    def _loc(self, path: str, file: Path) -> str:
        if self.address_of:
            path = self.address_of(file.relative_to(self.output).as_posix())
        return self.base.loc(path)

    def _is_mutual(self, loc: str, alternate: Alternate) -> bool:
        """Whether the target links back; one that is no page of this build gets the benefit of the doubt."""
        path = self.base.path_of(alternate.href)
        if path is None or self._is_page(alternate.href, loc):
            return True
        back = self._links(path)
        if alternate.hreflang == X_DEFAULT:  # a page that only chooses a language need not link back
            return self._file(self.output, self.base, path) is not None
        return any(self._is_page(href, loc) for href in back or ())

    def _is_page(self, href: str, loc: str) -> bool:
        """Whether a link leads to the page at ``loc``, in whatever spelling."""
        if compare_urls(href, loc) != "elsewhere":
            return True
        return self.address_of is not None and self._own_loc(href) == loc

    def _indexed(self, loc: str, alternates: Iterable[Alternate]) -> list[Alternate]:
        """Those that engines may index: the page itself is listed."""
        return [each for each in alternates if each.href == loc or self._is_indexed(each)]

    def _is_indexed(self, alternate: Alternate) -> bool:
        """Whether the target is no page of this build, may be indexed, or only chooses a language."""
        if alternate.hreflang == X_DEFAULT:
            return True
        path = self.base.path_of(alternate.href)
        if path is None or not self._file(self.output, self.base, path):
            return True
        return self._links(path) is not None

    def _links(self, path: str) -> tuple[str, ...] | None:
        """What the page at ``path`` names as its alternates; None when it is not there to be indexed."""
        if path not in self._seen:
            self._seen[path] = self._read_links(path)
        return self._seen[path]

    def _read_links(self, path: str) -> tuple[str, ...] | None:
        file = self._file(self.output, self.base, path)
        if file is None:
            return None
        loc = self._loc(path, file)
        if self.headers.noindex(loc):
            return None
        try:
            head = read_head(file)
        except OSError:
            return None
        if head.noindex or head.refresh_elsewhere(loc) or head.canonical_elsewhere(loc):
            return None
        return tuple(href for _, href in head.alternate_urls(loc))

    def _file(self, folder: Path, base: Base, path: str) -> Path | None:
        if folder not in self._roots:
            self._roots[folder] = Webroot(folder, base)
        name = self._roots[folder].file_at(path)
        return None if name is None else folder / name


def _complete(loc: str, alternates: Iterable[Alternate]) -> tuple[Alternate, ...]:
    """Sorted, ``x-default`` last; none when the page is not among them or has no second language."""
    by_code: dict[str, str] = {}
    for code, href in alternates:
        by_code.setdefault(code, href)
    own = [code for code, href in by_code.items() if compare_urls(href, loc) != "elsewhere"]
    languages = sorted(by_code.keys() - {X_DEFAULT})
    if len(languages) < 2 or not set(own) & set(languages):  # noqa: PLR2004  one language is no translation
        return ()
    for code in own:
        by_code[code] = loc
    if X_DEFAULT in by_code:
        languages.append(X_DEFAULT)
    return tuple(Alternate(code, by_code[code]) for code in languages)
