"""The addresses of the pages, once all are read: as each spells its own, else as the other pages do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from sitemap_docs.config.options import LinkOption
from sitemap_docs.files import seen_from
from sitemap_docs.html.head import Head
from sitemap_docs.listing.selection import Decision, Selector
from sitemap_docs.model import Alternate
from sitemap_docs.urls.base import STYLES, address, count_styles


class SiteStyle(NamedTuple):
    """How addresses are spelled (``auto``: as their front door has them), and where that was found."""

    links: LinkOption = "auto"
    by: str = ""


def addressed(
    selector: Selector,
    read: Iterable[Decision],
    listed: Iterable[tuple[str, str]] = (),
    configured: LinkOption = "auto",
) -> tuple[list[Decision], SiteStyle]:
    """The decisions at their final addresses, in their order, and the style that the pages themselves name.

    ``read`` are those of the selector, each at the address that the page itself names, else the one that its
    front door has, which is of the style ``configured`` where that is known. ``listed`` are files that a
    replaced sitemap lists, each with the path at which it does. What they hold of heads is given up as soon
    as it is used.
    """
    decisions = []
    alike: dict[Head, Head] = {}  # most pages without a canonical link have the same head
    named: dict[tuple[Alternate, ...], tuple[Alternate, ...]] = {}  # the translations of a page name the same
    for each in read:
        decision = each
        if decision.alternates:
            decision = decision._replace(alternates=named.setdefault(each.alternates, each.alternates))
        if decision.head and decision.link:
            decision = decision._replace(head=None)
        elif decision.head:
            decision = decision._replace(head=alike.setdefault(decision.head, decision.head))
        decisions.append(decision)

    style = SiteStyle()
    if selector.links == "auto":
        style = _style(decisions, selector.output, listed, configured)
    if style.links != "auto":
        styled = replace(selector, links=style.links)
        for number, decision in enumerate(decisions):
            page = decision.page
            if decision.link or address(_name(decision, selector.output), style.links) == page.path:
                continue
            decisions[number] = styled(page, decision.head)
    decisions.sort(key=attrgetter("loc"))
    return decisions, style


def _style(
    decisions: Iterable[Decision], output: Path, listed: Iterable[tuple[str, str]], configured: LinkOption
) -> SiteStyle:
    """The style of most canonical links; of several, those of most addresses in a replaced sitemap."""
    named = []
    others = False  # whether there are pages without such a link
    for decision in decisions:
        if decision.link and not decision.reason:
            named.append(decision)
        elif not decision.reason:
            others = True
    same = sum(decision.link == "same" for decision in named)
    votes: Counter[str] = Counter()
    if others or same < len(named):
        votes = count_styles((_name(decision, output), decision.page.path) for decision in named)
    most = max(same, *votes.values(), 0)
    fitting = [style for style in STYLES if votes[style] == most]
    if others and len(fitting) > 1:
        counted = count_styles(listed)
        often = max(counted[style] for style in fitting)
        listing = [style for style in fitting if counted[style] == often]
        if len(listing) < len(fitting) and configured not in listing:
            return SiteStyle(listing[0], "from the existing sitemap")
        if len(listing) < len(fitting):
            return SiteStyle("auto", "from the existing sitemap")
    if not named:
        return SiteStyle()
    if same == most:
        return SiteStyle("auto", "from the canonical links")
    return SiteStyle(fitting[0], "from the canonical links")


def _name(decision: Decision, output: Path) -> str:
    return seen_from(output, decision.page.file)
