"""Writing an export's files: each is replaced as a whole, and a manifest holds their checksums."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from beat_the_ai.modes import hand_on, make_shared_folder

MANIFEST = "SHA256SUMS"


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which takes its place when the block ends: a reader never sees half of it."""
    make_shared_folder(path.parent)
    draft = path.with_name(path.name + ".draft")
    try:
        with draft.open("wb") as file:
            hand_on(draft)
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    with replacing(path) as file:
        file.write(text.encode())


def sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def write_manifest(folder: Path, paths: Iterable[Path]) -> Path:
    """The checksums of these files, as `sha256sum --check SHA256SUMS` in that folder reads them."""
    names = sorted(path.relative_to(folder).as_posix() for path in paths)
    write_text(folder / MANIFEST, "".join(f"{sha256(folder / name)}  {name}\n" for name in names))
    return folder / MANIFEST
