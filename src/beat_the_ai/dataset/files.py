"""Writing an export's files: each is replaced as a whole, and a manifest holds their checksums."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from beat_the_ai.files.atomic_write import replacing as replacing_file
from beat_the_ai.files.permissions import hand_on, make_shared_folder

MANIFEST = "SHA256SUMS"


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """As `beat_the_ai.files.atomic_write`: a file for other people, too, whatever is private meanwhile."""
    make_shared_folder(path.parent)
    with replacing_file(path) as file:
        hand_on(Path(file.name))
        yield file


def write_text(path: Path, text: str) -> None:
    with replacing(path) as file:
        file.write(text.encode())


def remove_others(folder: Path, pattern: str, kept: Collection[Path]) -> None:
    """Remove the files of an earlier export whose names this one does not have."""
    for path in folder.glob(pattern):
        if path not in kept:
            path.unlink()


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
