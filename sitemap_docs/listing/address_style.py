"""The address style of a site: all pages get addresses such as ``guide/``, or all get ``guide.html``."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from sitemap_docs import files
from sitemap_docs.config.options import LinkOption
from sitemap_docs.html.head import Head
from sitemap_docs.listing.indexing import names_file
from sitemap_docs.listing.selection import Decision, Selector
from sitemap_docs.model import Alternate
from sitemap_docs.urls.link_styles import STYLES, LinkStyle, address, count_styles
from sitemap_docs.webroot import Webroot


class AddressStyle(NamedTuple):
    """How the addresses of a site end, such as ``guide/`` or ``guide.html``.

    Attributes:
        links: The name of the style, such as ``folders``.
        by: How the style was found, such as ``from the canonical links``.
    """

    links: LinkOption = "auto"
    by: str = ""


def known_style(option: LinkOption, found: Iterable[AddressStyle]) -> AddressStyle:
    """Return the address style that the user has set, or else the first known style in ``found``.

    ``option`` is the value of the option ``links``. The style ``auto`` means that nothing is set or known. If
    no style is known, return ``auto``.
    """
    if option != "auto":
        return AddressStyle(option, "by the option `links`")
    known = (style for style in found if style.links != "auto")
    return next(known, AddressStyle())


def early_path(file: str, links: LinkOption = "auto", *, is_flat: bool = False) -> str:
    """Guess the path of a page, such as ``guide/``, before its canonical link has been read.

    Args:
        file: The HTML file, such as ``guide/index.html``.
        links: How addresses end, such as ``folders`` for ``a/``, or ``auto`` if it is unknown.
        is_flat: Whether to return the file name, because Sphinx' builder ``html`` has written the file.
    """
    if is_flat:
        return file
    return address(file, "folders" if links == "auto" else links)


class FinalDecisions(NamedTuple):
    """The decision about each page: whether the sitemap lists it, and at which address, such as ``a/``."""

    #: The pages, sorted by address.
    decisions: list[Decision]
    #: How most addresses end.
    style: AddressStyle
    #: The ``<head>`` of each page, for an audit.
    heads: Mapping[str, Head]


def settle_addresses(
    selector: Selector,
    read_decisions: Iterable[Decision],
    listed: Iterable[tuple[str, str]] = (),
    configured: LinkOption = "auto",
) -> FinalDecisions:
    """Choose the form of address, such as ``a/`` or ``a.html``, for pages without a canonical link.

    It is the form of most canonical links. If two forms are equally frequent, the more frequent form in the
    existing sitemap decides, then the form that the user has configured.

    Args:
        selector: Decides again about each page whose address changes.
        read_decisions: The decision about each page, with its canonical link.
        listed: The HTML file and the address of each page in the existing sitemap.
        configured: The form that the user has configured.
    """
    decisions = []
    heads: dict[str, Head] = {}
    shared_heads: dict[Head, Head] = {}  # Most pages without a canonical link have equal heads.
    shared_alternates: dict[tuple[Alternate, ...], tuple[Alternate, ...]] = {}
    for decision in read_decisions:
        if selector.described and decision.head:
            heads[files.seen_from(selector.output, decision.page.file)] = decision.head
        if decision.alternates:
            alternates = shared_alternates.setdefault(decision.alternates, decision.alternates)
            decision = decision._replace(alternates=alternates)  # noqa: PLW2901
        if decision.head:  # Only a page without a canonical link may still get another address.
            head = None if decision.link else shared_heads.setdefault(decision.head, decision.head)
            decision = decision._replace(head=head)  # noqa: PLW2901
        decisions.append(decision)

    style = AddressStyle()
    if selector.links == "auto":
        style = _find_style(decisions, selector.output, listed, configured)
    if style.links != "auto":
        styled = replace(selector, links=style.links)
        for number, decision in enumerate(decisions):
            page = decision.page
            name = files.seen_from(selector.output, page.file)
            if not decision.link and address(name, style.links) != page.path:
                decisions[number] = styled(page, decision.head)
    decisions.sort(key=attrgetter("loc"))
    return FinalDecisions(decisions, style, heads)


def _find_style(
    decisions: Iterable[Decision], output: Path, listed: Iterable[tuple[str, str]], configured: LinkOption
) -> AddressStyle:
    """Return the form of most canonical links on a site, such as ``a/`` or ``a.html``.

    If two forms are equally frequent, the more frequent form in the existing sitemap decides, then the form
    that the user has configured.

    Args:
        decisions: The decision about each page, with its canonical link.
        output: The folder of the built site.
        listed: The HTML file and the address of each page in the existing sitemap.
        configured: The form that the user has configured.
    """
    linked = []
    has_unlinked = False
    for decision in decisions:
        if decision.link and not decision.reason:
            linked.append(decision)
        elif not decision.reason:
            has_unlinked = True
    same = sum(decision.link == "same" for decision in linked)
    votes: Counter[LinkStyle] = Counter()
    if has_unlinked or same < len(linked):
        votes = count_styles(
            (files.seen_from(output, decision.page.file), decision.page.path) for decision in linked
        )
    most = max(same, *votes.values(), 0)
    fitting_styles = [style for style in votes if votes[style] == most]
    if has_unlinked and len(fitting_styles) > 1:
        counts = count_styles(listed)
        highest = max(counts[style] for style in fitting_styles)
        listed_styles = [style for style in fitting_styles if counts[style] == highest]
        if len(listed_styles) < len(fitting_styles):
            # The configured style is preferred if the existing sitemap fits several styles.
            links = "auto" if configured in listed_styles else listed_styles[0]
            return AddressStyle(links, "from the existing sitemap")
    if not linked:
        return AddressStyle()
    if same == most:
        return AddressStyle("auto", "from the canonical links")
    return AddressStyle(fitting_styles[0], "from the canonical links")


class BuiltAddresses:
    """Finds the addresses of pages in a built site, such as ``2.0/a`` for ``2.0/a.html``."""

    def __init__(
        self,
        webroot: Webroot,
        folder: str,
        listed: Iterable[str],
        links: LinkOption,
        is_flat: Callable[[str], bool],
    ) -> None:
        """Create an object that finds the addresses of the pages in one folder of a built site.

        Args:
            webroot: The built site, with all its versions.
            folder: The folder in the built site, such as ``2.0/``, or ``""``.
            listed: The URLs that the sitemap of the folder lists.
            links: How addresses end, such as ``folders`` for ``a/``, or ``auto`` if it is unknown.
            is_flat: A function that checks whether the address of a file is its name, as in ``a.html``.
        """
        self._webroot = webroot
        self._folder = folder
        self._links = links
        self._is_flat = is_flat
        #: The listed URLs by their paths.
        self._listed: dict[str, str] = {}
        for loc in listed:
            path = webroot.base.path_of(loc)
            if path is not None:
                self._listed.setdefault(path, loc)

    def find_listed(self, file: str) -> str:
        """Return the address at which the sitemap lists a file, or ``""``."""
        for style in STYLES:
            path = address(file, style)
            if path in self._listed and names_file(path, file, self._webroot.folder):
                return self._listed[path]
        return ""

    def spell(self, file: str) -> str:
        """Return a file's path in URLs, in the address style of the site: ``2.0/a`` for ``2.0/a.html``.

        The file need not exist.
        """
        if self._style == "auto":
            return early_path(file, is_flat=self._is_flat(file))
        return self._folder + address(file.removeprefix(self._folder), self._style)

    @cached_property
    def _style(self) -> LinkOption:
        """The style of most listed URLs, such as ``folders`` (``a/``) or ``files`` (``a.html``).

        It is ``auto`` if ``folders`` and ``files`` fit equally many URLs, for example if only the home page
        is listed.
        """
        if self._links != "auto":
            return self._links
        files_and_paths = []
        for path in self._listed:
            file = self._webroot.file_at(path)
            if file is not None:
                files_and_paths.append((file.removeprefix(self._folder), path.removeprefix(self._folder)))
        votes = count_styles(files_and_paths)
        most = max(votes.values())
        fitting_styles = [style for style in STYLES if votes[style] == most]
        return "auto" if {"folders", "files"} <= {*fitting_styles} else fitting_styles[0]
