"""What only a whole rendered page shows: what stands outside its head, its links, the dates it shows."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from sitemap_docs import files
from sitemap_docs.html.charset import utf8
from sitemap_docs.html.head import Head, canonicals, head_of, related_links
from sitemap_docs.html.reader import Tree, attributes, head_trees, trees
from sitemap_docs.urls.base import resolve

_UPDATED = re.compile(r"(?:last|date|git|page)[-_]?(?:updated|modified|revision)", re.IGNORECASE)
_SHOWN = re.compile(r"last\s+(?:updated|modified|update|change)", re.IGNORECASE)
_CIPHERTEXT = re.compile(rb"<div[^<>]*\sid=[\"']?mkdocs-encrypted-content\b", re.IGNORECASE)
_DATED = ",".join(
    f"[{attribute}*={word} i]"
    for attribute in ("class", "id")
    for word in ("updated", "modified", "revision")
)
_HOLDERS = f"time,:is(span,p,div,small,li):is({_DATED})"


class Body(NamedTuple):
    """Canonical links outside the head, the dates shown to readers, the links as written."""

    canonicals: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    links: frozenset[str] = frozenset()


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
                hrefs.add(href.strip())
        dates += _shown_dates(tree)
    body = Body(
        # Those of the head come first in the whole page, too.
        canonicals=canonicals(related_links(parts))[len(head.canonicals) :],
        dates=tuple(dates),
        links=frozenset(hrefs),
    )
    return head, body


def is_encrypted(file: Path | str, site: Path) -> bool:
    """Whether mkdocs-encryptcontent-plugin has encrypted a page of a site. Raises OSError."""
    # Only a site that has the plugin's script needs to have its pages read to the end.
    if not os.path.isfile(f"{site}/assets/javascripts/decrypt-contents.js"):  # noqa: PTH113  for each page
        return False
    return _CIPHERTEXT.search(files.read_file(file)) is not None


def _shown_dates(tree: Tree) -> Iterator[str]:
    for node in tree.css(_HOLDERS):
        own = attributes(node)
        is_leaf = next(node.iter(), None) is None
        named = is_leaf and _UPDATED.search(f"{own.get('class')} {own.get('id')}")
        if named or (node.tag == "time" and own.get("datetime") and _is_labelled(node)):
            yield (own.get("datetime") or own.get("title") or node.text()).strip()


def _is_labelled(time: LexborNode) -> bool:
    """Whether the element around a date calls it that of the last change."""
    around = time.parent
    if around is None:
        return False
    name, text = attributes(around).get("class", ""), around.text(deep=False)
    return bool(_UPDATED.search(name) or _SHOWN.search(text))


_PLAIN = re.compile(r"(?:\.\./)*([A-Za-z0-9_%~-]+(?:[./][A-Za-z0-9_%~-]+)*/?)(?:#.*)?")
_ORIGIN = 3  # "https:", "", the host


def link_targets(hrefs: Iterable[str], url: str) -> Iterator[str]:
    """The addresses that links lead to, read against ``url``, without query and fragment."""
    folders = url.split("/")[:-1]
    for href in hrefs:
        # Plain relative ones are joined by hand: urljoin needs 15 µs, and a page has hundreds.
        plain = _PLAIN.fullmatch(href)
        up = href.count("../") if plain else 0
        if plain and up <= len(folders) - _ORIGIN:
            yield "/".join([*folders[: len(folders) - up], plain[1]])
        elif not href.startswith("#"):
            yield resolve(url, href).partition("#")[0].partition("?")[0]
