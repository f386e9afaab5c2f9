"""Files that are nothing but files: what a pipe or a device gives may never end, or never begin."""

from __future__ import annotations

import errno
import os
from stat import S_ISREG
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

#: Opening a pipe that nobody writes to would wait for the writer.
READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)
_BLOCK = 1 << 20


def read_file(file: Path | str, size: int | None = None) -> bytes:
    """The content of a file, or its first bytes; OSError also for what is, after links, no file."""
    descriptor = os.open(file, READING)
    try:
        require_regular(descriptor)
        return read_rest(descriptor) if size is None else os.read(descriptor, size)
    finally:
        os.close(descriptor)


def require_regular(descriptor: int) -> None:
    """OSError for what is no file."""
    if not S_ISREG(os.fstat(descriptor).st_mode):
        raise OSError(errno.EINVAL, "It is no regular file")


def read_rest(descriptor: int) -> bytes:
    """What follows in an open file."""
    blocks = []
    while block := os.read(descriptor, _BLOCK):
        blocks.append(block)
    return b"".join(blocks)
