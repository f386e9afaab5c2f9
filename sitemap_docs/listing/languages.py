"""The translations of a page: hreflang alternates that are complete, true and mutual."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from sitemap_docs.html.head import read_head
from sitemap_docs.listing.selection import Decision
from sitemap_docs.model import Alternate
from sitemap_docs.urls.base import Base, compare_urls
from sitemap_docs.urls.languages import X_DEFAULT, hreflang
from sitemap_docs.webroot.host_rules import Headers
from sitemap_docs.webroot.lookup import Webroot


class _Target(NamedTuple):
    """A page that a link leads to: its address, whether engines may index it, its translations."""

    loc: str
    indexed: bool = False
    links: tuple[str, ...] = ()


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
    _targets: dict[str, _Target | None] = field(default_factory=dict, repr=False, compare=False)
    _roots: dict[Path, Webroot] = field(default_factory=dict, repr=False, compare=False)

    def alternates(self, decision: Decision) -> tuple[Alternate, ...]:
        """The alternates of a listed page, itself included, sorted by code; none without a translation.

        The options come first, then the host, then the rendered head, then the existing sitemap.
        """
        loc, page, head = decision.loc, decision.page, decision.head
        found: Sequence[Alternate] = page.alternates
        if self.locales:
            found = self._from_locales(loc, page.path)
        elif not found and head and (named := head.alternate_urls(loc)):
            found = self._from_head(loc, named)
        elif not found:
            found = self.listed.get(loc, ())
        if not found:
            return ()
        kept = []
        for each in found:
            if each.href != loc and each.hreflang != X_DEFAULT:  # which may only choose a language
                target = self._target(each.href)
                if target and not target.indexed:
                    continue
            kept.append(each)
        return _complete(loc, kept)

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
            elif self._file(folder, base, path) is not None:
                # de/a/index.html answers for de/a, too, but its own address is de/a/: another page.
                target = self._target(href)
                if target is None or target.loc == href:
                    found.append(Alternate(code, href))
        return found

    def _folder(self, base: Base) -> Path | None:
        """The folder of a language's pages when all languages are built in one place."""
        below = self.base.path_of(base.url)
        if below is not None:
            return self.output / below
        if base.origin != self.base.origin:
            return None
        ours = urlsplit(self.base.url).path.strip("/").split("/")
        theirs = urlsplit(base.url).path.strip("/").split("/")
        if ours[:-1] == theirs[:-1]:
            return self.output.parent / theirs[-1]
        return None

    def _from_head(self, loc: str, alternates: Iterable[Alternate]) -> list[Alternate]:
        """The alternates of a rendered head that name a language, can be opened and link back."""
        found = []
        for written, href in alternates:
            code = hreflang(written)
            if not code or not href.isprintable():
                continue
            target = self._target(href)
            if self.base.path_of(href) is not None and not self._is_page(href, loc):
                if target is None:
                    continue
                # A page that only chooses a language need not link back.
                if code != X_DEFAULT and not any(self._is_page(back, loc) for back in target.links):
                    continue
            found.append(Alternate(code, target.loc if target else href))
        return found

    def _is_page(self, href: str, loc: str) -> bool:
        """Whether a link leads to the page at ``loc``, in whatever spelling."""
        if compare_urls(href, loc) != "elsewhere":
            return True
        if not self.address_of:
            return False
        target = self._target(href)
        return target is not None and target.loc == loc

    def _target(self, href: str) -> _Target | None:
        """The page of this build that a link leads to; None for any other place."""
        path = self.base.path_of(href)
        if path is None:
            return None
        if path not in self._targets:
            self._targets[path] = self._read_target(path)
        return self._targets[path]

    def _read_target(self, path: str) -> _Target | None:
        file = self._file(self.output, self.base, path)
        if file is None:
            return None
        if self.address_of:
            path = self.address_of(file.relative_to(self.output).as_posix())
        loc = self.base.loc(path)
        try:
            head = read_head(file)
        except OSError:
            return _Target(loc)
        barred = head.noindex or self.headers.noindex(loc)
        if barred or head.refresh_elsewhere(loc) or head.canonical_elsewhere(loc):
            return _Target(loc)
        return _Target(loc, indexed=True, links=tuple(href for _, href in head.alternate_urls(loc)))

    def _file(self, folder: Path, base: Base, path: str) -> Path | None:
        if folder not in self._roots:
            self._roots[folder] = Webroot(folder, base)
        name = self._roots[folder].file_at(path)
        if name is None:
            return None
        return folder / name


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
