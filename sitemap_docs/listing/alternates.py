"""Find the translations of each page: hreflang links that are complete, true and mutual."""

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cache
from itertools import starmap
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from sitemap_docs.config.options import LinkOption
from sitemap_docs.files import is_below_any, seen_from
from sitemap_docs.listing.selection import Decision, Selector
from sitemap_docs.model import Alternate, Entry, Page
from sitemap_docs.urls.base import Base, compare_urls, is_web
from sitemap_docs.urls.languages import X_DEFAULT, Translation, add_default, hreflang
from sitemap_docs.urls.link_styles import address
from sitemap_docs.webroot import FolderVisitor, Webroot

#: The highest number of languages whose pages get links to each other: n languages need n * n links.
_MOST_LANGUAGES = 150


class _Target(NamedTuple):
    """The page to which a hreflang link leads."""

    loc: str
    #: Whether search engines may index the page.
    is_listed: bool = False
    #: Whether the page is on this site.
    is_ours: bool = True
    #: The hreflang links of the page.
    links: tuple[Alternate, ...] = ()


@dataclass(slots=True, eq=False, repr=False)
class Languages:
    """Finds the translations of the pages of a site."""

    select: Selector
    #: The base URL of each language.
    locales: Mapping[str, Base] = field(default_factory=dict)
    #: The hreflang links in a replaced sitemap, by file.
    listed: Mapping[str, tuple[Alternate, ...]] = field(default_factory=dict)
    #: The pages of this build.
    decisions: Sequence[Decision] = ()
    #: How the addresses of pages outside this build end.
    links: LinkOption = "auto"
    untranslated: Mapping[str, frozenset[str]] = field(default_factory=dict)
    _by_file: dict[str, Decision] = field(default_factory=dict)
    _valid_links: dict[tuple[Alternate, ...], tuple[Alternate, ...]] = field(default_factory=dict)
    _targets: dict[str, _Target | None] = field(default_factory=dict)
    _back_by_page: dict[str, frozenset[str]] = field(default_factory=dict)
    _back_by_links: dict[tuple[Alternate, ...], frozenset[str]] = field(default_factory=dict)
    _root: Callable[[Path, Base], Webroot] = field(default_factory=lambda: cache(Webroot.at))
    _own_root: Webroot | None = None

    @property
    def base(self) -> Base:
        """The base URL of the site."""
        return self.select.base

    @property
    def output(self) -> Path:
        """The folder with the built site, which is deployed to the base URL."""
        return self.select.output

    def alternates(self, decision: Decision) -> tuple[Alternate, ...]:
        """Return the hreflang links of a page, sorted by language.

        ``decision`` contains the page and its address. Translations that are not in the sitemap are left out.
        """
        targets = [*self._targets_of(decision)]
        if not targets:
            return ()
        pages_in_languages = {target.loc for code, target in targets if code != X_DEFAULT}
        alternates = []
        for code, target in targets:
            # A page that only lets readers choose a language is in none. It may be a redirect, for example.
            is_chooser = code == X_DEFAULT and target.loc not in pages_in_languages
            if target.is_listed or is_chooser or target.loc == decision.loc:
                alternates.append(Alternate(code, target.loc))
        return _complete(decision.loc, alternates)

    def _targets_of(self, decision: Decision) -> Iterator[tuple[str, _Target]]:
        """Yield the language code, such as ``de``, and the address of each translation of a page."""
        if self.locales:
            yield from self._from_locales(decision)
            return
        needs_link_back = not decision.page.alternates and bool(decision.alternates)
        for code, href in self._links_of(decision):
            target = self._target(href)
            if target is None:
                continue
            is_translation = code != X_DEFAULT and target.is_ours and target.loc != decision.loc
            if needs_link_back and is_translation and decision.loc not in self._links_back(target):
                continue
            yield code, target

    def _links_of(self, decision: Decision) -> tuple[Alternate, ...]:
        """Return the hreflang links of a page.

        If the page has none, return the links for this page in the old sitemap of another program.
        """
        if decision.page.alternates:
            return decision.page.alternates
        if decision.alternates:  # The pages of a site share few sets of links.
            if decision.alternates not in self._valid_links:
                self._valid_links[decision.alternates] = _valid(decision.alternates)
            return self._valid_links[decision.alternates]
        return self.listed.get(seen_from(self.output, decision.page.file), ()) if self.listed else ()

    def _from_locales(self, decision: Decision) -> Iterator[tuple[str, _Target]]:
        """Yield each language of the option ``locales``, such as ``de``, with the page in that language.

        Languages that lack the page are skipped. ``decision`` is the page with the decision whether the
        sitemap lists it.
        """
        name, path = seen_from(self.output, decision.page.file), decision.page.path
        for base in self.locales.values():  # A build may contain several languages, each in its folder.
            below = self.base.path_of(base.url)
            if below and decision.loc.startswith(base.url):
                name, path = name.removeprefix(below), path.removeprefix(below)
                break
        without_page = {
            self.locales[code]
            for code, files in self.untranslated.items()
            if os.fspath(decision.page.file) in files
        }
        for code, base in self.locales.items():
            if base in without_page:
                continue
            folder = self._folder(base)
            href = base.loc(path)
            if folder is None or not folder.is_dir():
                # A language that is built somewhere else is taken to have every page.
                yield code, _Target(href, is_listed=True, is_ours=False)
                continue
            root = self._webroot() if base == self.base else self._root(folder, base)
            # de/a/index.html answers for de/a, too, but its own address is de/a/: another page.
            target = self._target(href) if root.file_at(path) == name else None
            if target:
                yield code, target

    def _webroot(self) -> Webroot:
        """Return the built site as a :class:`Webroot`, which finds the HTML file for a URL."""
        if self._own_root is None:
            listed = [decision for decision in self.decisions if decision.reason is None]
            pages = ((decision.loc, seen_from(self.output, decision.page.file)) for decision in listed)
            self._own_root = Webroot.at(self.output, self.base).with_pages(pages)
        return self._own_root

    def _folder(self, base: Base) -> Path | None:
        """Return the local folder of a language, or None if the language is deployed elsewhere.

        ``base`` is the base URL of the language.
        """
        below = self.base.path_of(base.url)
        if below is not None:
            return self.output / below
        if base.origin != self.base.origin:
            return None
        own_path_segments = urlsplit(self.base.url).path.strip("/").split("/")
        path_segments = urlsplit(base.url).path.strip("/").split("/")
        if own_path_segments[:-1] == path_segments[:-1]:
            return self.output.parent / path_segments[-1]
        return None

    def _links_back(self, target: _Target) -> frozenset[str]:
        """Return the URLs to which the hreflang links of the page ``target`` lead."""
        # A page is looked up once for each link to it. Its links are hashed only once, because that takes
        # time for each of them: pages that translate each other mostly have the same links, and share a set.
        if target.loc not in self._back_by_page:
            if target.links not in self._back_by_links:
                linked_pages = [self._target(href) for _, href in target.links]
                self._back_by_links[target.links] = frozenset(page.loc for page in linked_pages if page)
            self._back_by_page[target.loc] = self._back_by_links[target.links]
        return self._back_by_page[target.loc]

    def _target(self, href: str) -> _Target | None:
        """Return the page to which a link leads, or None for a broken link."""
        path = self.base.path_of(href)
        if path is None:
            return _Target(href, is_listed=True, is_ours=False)
        if path not in self._targets:
            self._targets[path] = self._find_target(path)
        return self._targets[path]

    def _find_target(self, path: str) -> _Target | None:
        """Return the page at a path, or None if the page is missing."""
        name = self._webroot().file_at(path)
        if name is None:
            return None
        if not self._by_file:
            for decision in self.decisions:
                self._by_file[seen_from(self.output, decision.page.file)] = decision
        if name in self._by_file:
            decision = self._by_file[name]
        else:
            if self.links != "auto":
                path = address(name, self.links)
            decision = self.select.of_file(Page(path=path, file=self.output / name))
        return _Target(decision.loc, decision.reason is None, links=self._links_of(decision))


def link_translations(
    pages: Iterable[Page], translations: Mapping[Path | str, Translation], base: Base, default: str
) -> list[Page]:
    """Return the pages of a site, each with hreflang links to its translations.

    ``translations`` has the language of each HTML file. ``default`` is the language for all other readers
    (``x-default``).
    """
    hrefs_by_key: dict[str, dict[str, str]] = defaultdict(dict)
    for page in pages:
        if page.file in translations:
            translation = translations[page.file]
            hrefs_by_key[translation.key][translation.language] = base.loc(page.path)
    for hrefs in hrefs_by_key.values():
        add_default(hrefs, default)
    linked_pages = []
    for page in pages:
        if page.file in translations:
            hrefs = hrefs_by_key[translations[page.file].key]
            page = page._replace(alternates=tuple(starmap(Alternate, hrefs.items())))  # noqa: PLW2901
        linked_pages.append(page)
    return linked_pages


class JoinedLanguages(NamedTuple):
    """Sites that are translations of each other, such as ``de/`` and ``en/``, in one common sitemap."""

    #: The base URL of the tree that contains all sites.
    base: Base
    #: The language of each site.
    codes: AbstractSet[str]
    #: The URL of the folder of each site, such as ``https://example.com/de/``.
    folders: AbstractSet[str]
    #: The language for all other readers (``x-default``), or ``""``.
    default: str = ""
    #: The tree as its host serves it, or None if only the sitemaps are known.
    webroot: Webroot | None = None

    def contains(self, url: str) -> bool:
        """Check whether a URL leads into the folder of one of the joined languages, such as ``de/``."""
        path = self.base.path_of(url)
        return path is not None and is_below_any(f"{self.base.loc(path)}/", self.folders)


def link_joined_pages(pages: Mapping[str, Entry], joined: JoinedLanguages) -> dict[str, Entry]:
    """Add hreflang links between the translations of a page, and return the linked translations.

    The new links replace the links that the builds have written, except links to languages outside of
    ``joined``. If the page has no translation, all its links stay.

    Args:
        pages: The page in each language, such as ``{"de": …, "en": …}``.
        joined: The sites in the common sitemap of all languages.
    """
    hrefs = {code: entry.loc for code, entry in pages.items()}
    add_default(hrefs, joined.default)
    links = _in_order(hrefs)
    if not links:
        return {**pages}
    known = joined.codes | hrefs.keys()
    linked_pages = {}
    shared_links = {links: links}
    for language, entry in pages.items():
        page_links = links
        if any(link.hreflang not in known for link in entry.alternates):
            others = [*_links_outside(entry, known, joined)]
            if others:
                page_links = _complete(entry.loc, [*links, *others]) or links
                page_links = shared_links.setdefault(page_links, page_links)
        linked_pages[language] = entry._replace(alternates=page_links)
    return linked_pages


def _links_outside(entry: Entry, known: AbstractSet[str], joined: JoinedLanguages) -> Iterator[Alternate]:
    """Yield the hreflang links of a page that lead out of the joined folders, such as to another host.

    Left out are links to a language in ``known``, links to missing pages, and relative links. ``joined`` are
    the folders with one common sitemap.
    """
    webroot = joined.webroot
    # A tree may contain only the sitemaps. Then it does not show which pages exist.
    has_files = webroot is not None and webroot.file_of(entry.loc) is not None
    for link in entry.alternates:
        # The build assumes that a page exists in all languages. In the joined folders, the join knows.
        if link.hreflang in known or is_below_any(link.href, joined.folders):
            continue
        for valid_link in _valid([link]):
            href = valid_link.href
            if valid_link.hreflang in known or not is_web(href) or joined.contains(href):
                continue
            is_below = joined.base.path_of(href) is not None
            if webroot and has_files and is_below and not _is_served(webroot, href):
                continue
            yield valid_link


def _is_served(webroot: Webroot, url: str) -> bool:
    """Check whether a URL leads to a file, or to an address that a rule of the host serves.

    For example, the rule ``/fr/* https://fr.example.org/:splat 200`` serves the pages of another site.
    """
    if webroot.file_of(url) is not None:
        return True
    visitor = FolderVisitor(webroot=webroot, redirects=webroot.readable_redirects)
    return visitor.find_outcome(url).kind == "served"


def move_alternates(
    loc: str, alternates: tuple[Alternate, ...], moved_locs: Mapping[str, str | None]
) -> tuple[Alternate, ...]:
    """Return the hreflang links of a page, with the new addresses of pages that have moved.

    ``moved_locs`` maps old addresses to new ones, or to None if the page was removed.
    """
    if not any(link.href in moved_locs for link in alternates):
        return alternates
    moved_alternates = []
    for code, href in alternates:
        target = moved_locs.get(href, href)
        if target is not None:
            moved_alternates.append(Alternate(code, target))
    return _complete(loc, moved_alternates)


def _valid(links: Iterable[Alternate]) -> tuple[Alternate, ...]:
    """Return the hreflang links with a valid language code and an address without control characters."""
    valid_links = []
    for written_code, href in links:
        code = hreflang(written_code)
        if code and href.isprintable():
            valid_links.append(Alternate(code, href))
    return tuple(valid_links)


def _complete(loc: str, alternates: Iterable[Alternate]) -> tuple[Alternate, ...]:
    """Return the hreflang links of a page, sorted by language, with one link for each language.

    If no link gives the language of the page ``loc`` itself, return an empty tuple.
    """
    hrefs: dict[str, str] = {}
    for code, href in alternates:
        hrefs.setdefault(code, href)
    own_codes = [code for code, href in hrefs.items() if compare_urls(href, loc) != "elsewhere"]
    if not set(own_codes) - {X_DEFAULT}:
        return ()
    for code in own_codes:
        hrefs[code] = loc
    return _in_order(hrefs)


def _in_order(hrefs: Mapping[str, str]) -> tuple[Alternate, ...]:
    """Return hreflang links sorted by language, with ``x-default`` at the end.

    If there are fewer than 2 or more than 150 languages, return ``()``. ``hrefs`` maps languages to URLs.
    """
    languages = sorted(hrefs.keys() - {X_DEFAULT})
    if not 1 < len(languages) <= _MOST_LANGUAGES:
        return ()
    if X_DEFAULT in hrefs:
        languages.append(X_DEFAULT)
    return tuple(Alternate(code, hrefs[code]) for code in languages)
