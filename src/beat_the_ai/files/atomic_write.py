"""Replacing a file as a whole: a reader never sees half of it, nor does whoever comes after a crash.

Every writer has a draft of its own. Of two that write one file at once each leaves it whole, and the later one stands.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replacing(path: Path, *, synced: bool = True) -> Iterator[BinaryIO]:
    """A file to write to. When the block ends it takes its place, on disk; when it raises nothing has changed.

    Unless it is `synced` the machine may go down before the disk has it, and leave an empty file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}.draft")
    try:
        with draft.open("xb") as file:
            yield file
            file.flush()
            if synced:
                os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    if synced:
        sync_folder(path.parent)


def copy_file(source: Path, target: Path) -> None:
    """Copy a file. The copy is there whole and on disk, or not at all."""
    with source.open("rb") as file, replacing(target) as copy:
        shutil.copyfileobj(file, copy)


def sync_folder(folder: Path) -> None:
    """Put the names of a folder's files on disk: a file's new name is there only when its folder is."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
