"""The cache of touch records: one file a repository, whole or not at all, dropped when anything is odd."""

from __future__ import annotations

import json
import os
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs import files
from sitemap_docs.executors import submit
from sitemap_docs.history.paths import folders, within
from sitemap_docs.history.repository import FIRST_PARENT, MERGED, Commit
from sitemap_docs.history.touches import Touches, read_touches

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from sitemap_docs.history.repository import Repository

_MAGIC = b"sitemap-docs touches 1\n"
_LARGEST = 1 << 30  # bytes; reading the history again costs less memory than a larger cache
_BYTES = "latin-1"  # every byte of a path is one character of it

Asked = dict[tuple[str, bytes], Commit | None]


class Kept(NamedTuple):
    """What was read of a repository: up to which commit, with which grafts, below which folders."""

    head: str
    grafts: str
    folders: tuple[bytes, ...]
    tree: Mapping[bytes, bytes]
    touches: Touches
    asked: Asked


def read_kept(
    repository: Repository, places: Collection[bytes], cache: Path | None, *, first_parent: bool
) -> Kept:
    """What is to be known of the places at HEAD: from the cache, the history since, or the whole history."""
    old = load(_file(cache, repository, first_parent=first_parent)) if cache else None
    if old is None or old.grafts != repository.grafts:
        kept = _read(repository, folders(places), first_parent=first_parent)
    elif not all(within(place, old.folders) for place in places):
        both = folders((*places, *(folder + b"/" for folder in old.folders)))
        kept = _read(repository, both, first_parent=first_parent)
    elif old.head == repository.head:
        return old
    elif repository.extends(old.head, first_parent=first_parent):
        kept = _read(repository, old.folders, first_parent=first_parent, old=old)
    else:
        kept = _read(repository, old.folders, first_parent=first_parent)
    if cache:
        save_kept(repository, cache, kept, first_parent=first_parent)
    return kept


def _read(
    repository: Repository, wanted: tuple[bytes, ...], *, first_parent: bool, old: Kept | None = None
) -> Kept:
    revisions = f"{old.head}..{repository.head}" if old else repository.head
    tokens = repository.touches(revisions, FIRST_PARENT if first_parent else MERGED, wanted)
    with ThreadPoolExecutor(1) as beside:
        tree = submit(beside, repository.tree, wanted)
        touches = read_touches(tokens, len(repository.head), old.touches if old else None)
    asked = {each: told for each, told in old.asked.items() if each[0] != old.head} if old else {}
    return Kept(repository.head, repository.grafts, wanted, tree.result(), touches, asked)


def save_kept(repository: Repository, cache: Path, kept: Kept, *, first_parent: bool) -> None:
    """Write the records, if the folder can be written."""
    with suppress(OSError):
        save(_file(cache, repository, first_parent=first_parent), kept)


def drop_kept(repository: Repository, cache: Path | None, *, first_parent: bool) -> None:
    """Remove the records of a repository, if the folder can be written."""
    if cache:
        with suppress(OSError):
            _file(cache, repository, first_parent=first_parent).unlink(missing_ok=True)


def load(file: Path) -> Kept | None:
    """What :func:`save` wrote, ``None`` when there is nothing or not just that."""
    try:
        return _parsed(files.read_file(file)) if file.stat().st_size <= _LARGEST else None
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None


def _parsed(data: bytes) -> Kept | None:
    start = len(_MAGIC) + 9
    if data[:start] != _MAGIC + b"%08x\n" % zlib.crc32(memoryview(data)[start:]):
        return None
    end = data.index(b"\n", start)
    facts = json.loads(data[start:end])
    body = memoryview(data)[end + 1 :]
    records = {}
    offset = facts["commits"]
    for path, length in facts["records"]:
        records[path.encode(_BYTES)] = body[offset : offset + length]
        offset += length
    return Kept(
        facts["head"],
        facts["grafts"],
        tuple(folder.encode(_BYTES) for folder in facts["folders"]),
        {path.encode(_BYTES): state.encode() for path, state in facts["tree"].items()},
        Touches(body[: facts["commits"]], records),
        {
            (start, path.encode(_BYTES)): Commit(*commit) if commit else None
            for start, path, commit in facts["asked"]
        },
    )


def save(file: Path, kept: Kept) -> None:
    """Write a file that :func:`load` reads back, or none: OSError."""
    facts = {
        "head": kept.head,
        "grafts": kept.grafts,
        "folders": [folder.decode(_BYTES) for folder in kept.folders],
        "tree": {path.decode(_BYTES): state.decode() for path, state in kept.tree.items()},
        "asked": [(start, path.decode(_BYTES), commit) for (start, path), commit in kept.asked.items()],
        "commits": len(kept.touches.commits),
        "records": [(path.decode(_BYTES), len(record)) for path, record in kept.touches.records.items()],
    }
    parts = (json.dumps(facts).encode(), b"\n", kept.touches.commits, *kept.touches.records.values())
    checksum = 0
    for part in parts:
        checksum = zlib.crc32(part, checksum)
    _write(file, (_MAGIC, b"%08x\n" % checksum, *parts))


def _file(cache: Path, repository: Repository, *, first_parent: bool) -> Path:
    name = sha256(os.fsencode(repository.root)).hexdigest()[:16]
    return cache / f"{'landing' if first_parent else 'commit'}-{name}.touches"


def _write(file: Path, parts: tuple[bytes | bytearray | memoryview, ...]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=file.name, dir=file.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.writelines(parts)
        Path(name).replace(file)
    finally:
        Path(name).unlink(missing_ok=True)
