"""A full disk, by whatever name it comes."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
SQLITE_FULL = "database or disk is full"
POSTGRESQL_FULL = "53100"


def is_full(error: BaseException | None) -> bool:
    """Return whether a full disk is the reason why a file or a database could not be written."""
    if isinstance(error, OSError):
        return error.errno in FULL
    return str(error) == SQLITE_FULL or getattr(error, "sqlstate", None) == POSTGRESQL_FULL


@contextmanager
def full_disk_named(folder: Path) -> Iterator[None]:
    """Give the error of a full disk the folder that is written into in this block."""
    try:
        yield
    except OSError as error:
        if is_full(error):
            raise OSError(error.errno, error.strerror, str(folder)) from error
        raise
