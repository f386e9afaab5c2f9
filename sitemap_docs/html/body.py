"""What only the body of a rendered page shows: its links, and the dates that readers see."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from sitemap_docs import files
from sitemap_docs.html.head import Head, head_of, links_of
from sitemap_docs.html.trees import attributes, head_trees, trees, utf8
from sitemap_docs.text import linear

_UPDATED = re.compile(r"(?:last|date|git|page)[-_]?(?:updated|modified|revision)", re.IGNORECASE)
_DATE_LABEL = re.compile(r"last\s+(?:updated|modified|update|change)", re.IGNORECASE)
_DATED = ",".join(
    f"[{attribute}*={word} i]"
    for attribute in ("class", "id")
    for word in ("updated", "modified", "revision")
)
#: The last change of a page of Material for MkDocs; its creation follows.
_MATERIAL = ".md-source-file__fact:first-child > time[datetime]"
_HOLDERS = f"time,:is(span,p,div,small,li):is({_DATED})"


class Body(NamedTuple):
    """Canonical links outside the head, the dates shown to readers, the links without fragments."""

    canonicals: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    links: frozenset[str] = frozenset()


@linear
def read_page(file: Path) -> tuple[Head, Body]:
    """The described head and the body of a rendered page. Raises OSError."""
    data = utf8(files.read_file(file))
    head = head_of(head_trees(data), data, described=True)
    parts = list(trees(data))
    hrefs: set[str] = set()
    dates: list[str] = []
    for tree in parts:
        for anchor in (*tree.tags("a"), *tree.tags("area")):
            href = anchor.attrs.get("href")
            if href:
                hrefs.add(href.strip().partition("#")[0])
        for node in tree.css(_HOLDERS):
            own = attributes(node)
            is_leaf = next(node.iter(), None) is None
            named = is_leaf and _UPDATED.search(f"{own.get('class')} {own.get('id')}")
            if named or (node.tag == "time" and own.get("datetime") and _is_labelled(node)):
                dates.append((own.get("datetime") or own.get("title") or node.text()).strip())
        dates += [attributes(node).get("datetime", "").strip() for node in tree.css(_MATERIAL)]
    body = Body(
        # Those of the head come first in the whole page, too.
        canonicals=tuple(links_of(parts).canonicals[len(head.canonicals) :]),
        dates=tuple(dates),
        links=frozenset(hrefs - {""}),
    )
    return head, body


def _is_labelled(time: LexborNode) -> bool:
    """Whether the element around a date calls it that of the last change."""
    around = time.parent
    if around is None:
        return False
    name, text = attributes(around).get("class", ""), around.text(deep=False)
    return bool(_UPDATED.search(name) or _DATE_LABEL.search(text))
