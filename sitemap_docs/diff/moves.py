"""Pages that moved: the same content, or a file that git reports as renamed, at another address."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, groupby
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from sitemap_docs.history.repository import GitTrouble, open_repository
from sitemap_docs.html.content import fingerprint
from sitemap_docs.model import SitemapError
from sitemap_docs.sitemap.sorting import sorted_lines
from sitemap_docs.urls.base import split_url
from sitemap_docs.webroot.lookup import stem

if TYPE_CHECKING:
    from pathlib import Path

    from sitemap_docs.diff.difference import Change
    from sitemap_docs.webroot.lookup import Webroot

Keys = Callable[["Change"], Iterable[str]]
"""What a removed and an added page share when they are one page."""


def moves(changes: Iterable[Change], *ways: Keys) -> Mapping[str, str]:
    """Old address → new address of the pages that moved, by the first way that finds them.

    A key that several removed or several added pages share is ignored.
    """
    keyed = (
        f"{number}\t{key}\t{change.kind}\t{change.loc}"
        for change in changes
        for number, way in enumerate(ways)
        for key in way(change)
    )
    found: dict[str, str] = {}
    arrived: set[str] = set()
    for _, group in groupby(
        (line.split("\t") for line in sorted_lines(keyed)), key=lambda fields: fields[:2]
    ):
        added, removed = _pair([(kind, loc) for _, _, kind, loc in group])
        if added and removed and removed not in found and added not in arrived:
            found[removed] = added
            arrived.add(added)
    return found


def _pair(pages: list[tuple[str, str]]) -> tuple[str, str]:
    if [kind for kind, _ in pages] != ["added", "removed"]:
        return "", ""
    return pages[0][1], pages[1][1]


def by_content(old: Webroot, new: Webroot) -> Keys:
    """A key for the content of a page, read in the folder that holds it."""

    def keys(change: Change) -> Iterator[str]:
        file = (new if change.kind == "added" else old).file(change.loc)
        if file and (key := _fingerprint(file)):
            yield key

    return keys


def by_renames(renames: Mapping[str, str]) -> Keys:
    """Keys for a page that may be made of a renamed file: renames are old stem → new stem (``lookup.stem``).

    The sources may be below a folder that the addresses do not have, and the other way round.
    """
    pairs = dict(chain.from_iterable(_tails(old, new) for old, new in renames.items()))

    def keys(change: Change) -> Iterator[str]:
        own = _stem(change.loc)
        if change.kind == "added":
            yield _key(own)
            return
        for prefix, tail in _splits(own):
            if tail in pairs:
                yield _key(prefix + pairs[tail])
                return

    return keys


def git_renames(folder: Path, since: str, environ: Mapping[str, str]) -> Mapping[str, str]:
    """Old stem → newest stem of each file that git reports as renamed, since a commit or (``""``) ever.

    Raises SitemapError when git fails.
    """
    how = ("log", "--format=", "--find-renames", "--diff-filter=R", "--name-status", "-z", "--end-of-options")
    try:
        repository = open_repository(str(folder), environ)
        revisions = f"{since}..{repository.head}" if since else repository.head
        tokens = [
            token.decode("utf-8", "surrogateescape") for token in repository.git.tokens(*how, revisions, "--")
        ]
    except GitTrouble as trouble:
        raise SitemapError(
            f"git cannot list the renames in {folder}: {trouble.words or trouble.rule}. "
            "Use a full clone, and a commit that is in it."
        ) from None
    newest: dict[str, str] = {}
    # From the newest commit to the oldest, three tokens a file: how sure git is, the old and the new name.
    for old, new in zip(tokens[1::3], tokens[2::3], strict=True):
        newest.setdefault(stem(old), newest.get(stem(new), stem(new)))
    return {old: new for old, new in newest.items() if old != new}


def _fingerprint(file: Path) -> str:
    try:
        return fingerprint(file)
    except OSError:
        return ""


def _stem(loc: str) -> str:
    return stem(unquote(split_url(loc).path, errors="surrogateescape"))


def _key(path: str) -> str:
    return quote(path.encode("utf-8", "surrogateescape"))


def _splits(path: str) -> Iterator[tuple[str, str]]:
    """The ways to cut a path before a segment, the longest tail first."""
    segments = path.split("/")
    for start in range(len(segments)):
        yield "".join(f"{each}/" for each in segments[:start]), "/".join(segments[start:])


def _tails(old: str, new: str) -> Iterator[tuple[str, str]]:
    for folder, tail in _splits(old):
        if new.startswith(folder):
            yield tail, new[len(folder) :]
