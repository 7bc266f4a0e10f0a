"""Permissions of the files that this process writes: a campaign's are private, the files to share are not."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

OWNER_ONLY = 0o077
PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
PRIVATE = "private"  # the folder, beside what is handed on, of what is not
OPERATOR_LOCK = "operator.lock"  # in the folder of a Mephisto database: a process that serves it has locked this file

_users_umask = os.umask(OWNER_ONLY)  # the only way to read it
os.umask(_users_umask)


@contextlib.contextmanager
def private_files() -> Iterator[None]:
    """Give files made in this block, also by child processes, to their owner alone."""
    previous = os.umask(OWNER_ONLY)
    try:
        yield
    finally:
        os.umask(previous)


def make_private(path: Path) -> None:
    """A file or folder that exists becomes its owner's alone."""
    path.chmod(PRIVATE_FOLDER if path.is_dir() else PRIVATE_FILE)


def make_shared_folder(folder: Path) -> None:
    """With the folders above it, each as this user's folders are."""
    if not folder.is_dir():
        if folder.exists():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
        make_shared_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        hand_on(folder)


def make_private_folder(folder: Path) -> None:
    """Make a private folder. Missing folders above it are made as shared ones."""
    make_shared_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    make_private(folder)


def hand_on(path: Path) -> None:
    """A file or folder that was made becomes readable as this user's files are, whatever is private meanwhile."""
    path.chmod((0o777 if path.is_dir() else 0o666) & ~_users_umask)
