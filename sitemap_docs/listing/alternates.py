"""The translations of a page: hreflang alternates that are complete, true and mutual."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from sitemap_docs.config.options import LinkOption
from sitemap_docs.files import seen_from
from sitemap_docs.host_rules import Headers
from sitemap_docs.html.head import read_head
from sitemap_docs.listing.indexing import bar, own_path
from sitemap_docs.listing.selection import Decision
from sitemap_docs.model import Alternate, Reason
from sitemap_docs.urls.base import Base, address, compare_urls
from sitemap_docs.urls.languages import X_DEFAULT, hreflang
from sitemap_docs.webroot import Webroot

_BARRED = (Reason.NOINDEX, Reason.REDIRECT, Reason.CANONICAL, Reason.UNREADABLE)


class _Target(NamedTuple):
    """A page that a link leads to: its address, whether engines may index it, its translations.

    ``left_out``: it is a page of this build, which does not list it.
    """

    loc: str
    indexed: bool = False
    links: tuple[Alternate, ...] = ()
    left_out: bool = False


@dataclass(slots=True, eq=False, repr=False)
class Languages:
    """The languages of a site, as its options name them: ``locales`` is language → base URL.

    ``output`` is the folder deployed to ``base``: what is in it, or in the folder of a sibling language,
    is known to exist or not. ``headers`` are those with which it is served. ``listed`` are the alternates
    that a replaced sitemap has, by the file: those of a page whose head names none. ``decisions`` are those
    on the pages of this build, and ``links`` the style of the other files.
    """

    base: Base
    output: Path
    locales: Mapping[str, Base] = field(default_factory=dict)
    headers: Headers = Headers()
    listed: Mapping[str, tuple[Alternate, ...]] = field(default_factory=dict)
    decisions: Sequence[Decision] = ()
    links: LinkOption = "auto"
    _by_file: dict[str, Decision] = field(default_factory=dict)
    _targets: dict[str, _Target | None] = field(default_factory=dict)
    _back_by_page: dict[str, frozenset[str]] = field(default_factory=dict)
    _back_by_links: dict[tuple[Alternate, ...], frozenset[str]] = field(default_factory=dict)
    _root: Callable[[Path, Base], Webroot] = field(default_factory=lambda: cache(Webroot.at))
    _own_root: Webroot | None = None

    def alternates(self, decision: Decision) -> tuple[Alternate, ...]:
        """The alternates of a listed page, itself included, sorted by code; none without a translation.

        The options come first, then the host, then the rendered head, then a replaced sitemap. All have
        the addresses that the build lists.
        """
        candidates = []
        for each in decision.page.alternates:
            target = self._target(each.href)
            if target is None or not target.left_out:
                candidates.append(each)
        if self.locales:
            candidates = self._from_locales(decision)
        elif not candidates and decision.alternates:
            candidates = self._from_head(decision)
        elif not candidates and self.listed:
            named = self.listed.get(seen_from(self.output, decision.page.file), ())
            for each in named:  # but for pages of this site that are no longer there
                if self._target(each.href) or self.base.path_of(each.href) is None:
                    candidates.append(each)
        if not candidates:
            return ()
        kept = []
        for code, href in candidates:
            target = self._target(href)
            if target is None:
                kept.append(Alternate(code, href))
            elif target.indexed or target.loc == decision.loc or code == X_DEFAULT:
                # x-default may be a page that only chooses a language.
                kept.append(Alternate(code, target.loc))
        return _complete(decision.loc, kept)

    def _from_locales(self, decision: Decision) -> list[Alternate]:
        """The page in each language of the options, as far as it may be there."""
        name, path = seen_from(self.output, decision.page.file), decision.page.path
        for base in self.locales.values():  # a build may hold several languages, each in its folder
            below = self.base.path_of(base.url)
            if below and decision.loc.startswith(base.url):
                name, path = name.removeprefix(below), path.removeprefix(below)
                break
        alternates = []
        for code, base in self.locales.items():
            folder = self._folder(base)
            href = base.loc(path)
            if folder is None or not folder.is_dir():
                # A language that is built somewhere else is taken to have every page.
                alternates.append(Alternate(code, href))
                continue
            root = self._webroot() if base == self.base else self._root(folder, base)
            # de/a/index.html answers for de/a, too, but its own address is de/a/: another page.
            if root.file_at(path) == name:
                alternates.append(Alternate(code, href))
        return alternates

    def _webroot(self) -> Webroot:
        """Return the output folder as a web server shows it, with the addresses of the listed pages."""
        if self._own_root is None:
            listed = [decision for decision in self.decisions if decision.reason is None]
            pages = ((decision.loc, seen_from(self.output, decision.page.file)) for decision in listed)
            self._own_root = Webroot.at(self.output, self.base).with_pages(pages)
        return self._own_root

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

    def _from_head(self, decision: Decision) -> list[Alternate]:
        """The alternates of a rendered head that name a language, can be opened and link back."""
        loc = decision.loc
        alternates = []
        for written, href in decision.alternates:
            code = hreflang(written)
            if not code or not href.isprintable():
                continue
            target = self._target(href)
            if target is None and self.base.path_of(href) is not None:
                continue
            # A page that only chooses a language need not link back.
            if target and code != X_DEFAULT and target.loc != loc and loc not in self._links_back(target):
                continue
            alternates.append(Alternate(code, href))
        return alternates

    def _links_back(self, target: _Target) -> frozenset[str]:
        """Return the pages of this site that a page links to as its translations."""
        # A page is looked up once for each link to it. Its links are hashed only once, because that takes
        # time for each of them: pages that translate each other mostly have the same links, and share a set.
        if target.loc not in self._back_by_page:
            if target.links not in self._back_by_links:
                linked = [self._target(href) for _, href in target.links]
                pages = frozenset(page.loc for page in linked if page)
                self._back_by_links[target.links] = pages
            self._back_by_page[target.loc] = self._back_by_links[target.links]
        return self._back_by_page[target.loc]

    def _target(self, href: str) -> _Target | None:
        """The page of this site that a link leads to; None for any other place."""
        path = self.base.path_of(href)
        if path is None:
            return None
        if path not in self._targets:
            self._targets[path] = self._find_target(path)
        return self._targets[path]

    def _find_target(self, path: str) -> _Target | None:
        name = self._webroot().file_at(path)
        if name is None:
            return None
        if not self._by_file:
            for each in self.decisions:
                self._by_file[seen_from(self.output, each.page.file)] = each
        decision = self._by_file.get(name)
        if decision and decision.reason in (None, *_BARRED):
            is_listed = decision.reason is None
            return _Target(decision.loc, is_listed, decision.alternates, left_out=not is_listed)
        # Pages that this build did not read: those of other builds, and what the project leaves out.
        if decision:
            path = decision.page.path
        elif self.links != "auto":
            path = address(name, self.links)
        try:
            head = read_head(self.output / name)
        except OSError:
            return _Target(self.base.loc(path), left_out=decision is not None)
        if self.links == "auto" or not decision:
            path = own_path(head, path, self.output / name, self.base, self.output) or path
        loc = self.base.loc(path)
        if bar(head, loc, self.headers):
            return _Target(loc, left_out=decision is not None)
        return _Target(loc, indexed=True, links=head.alternate_urls(loc), left_out=decision is not None)


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
