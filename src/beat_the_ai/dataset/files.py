"""Writing an export's files: each is replaced as a whole, and a manifest holds their checksums."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from beat_the_ai.files.atomic_write import replacing as replacing_file
from beat_the_ai.files.permissions import hand_on, make_shared_folder

MANIFEST, ROWS = "SHA256SUMS", "ROWS"


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a file that replaces one at once (`files.atomic_write`), and that other people may read then."""
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


def sha256_and_rows(path: Path) -> tuple[str, str]:
    """Return a file's SHA-256, and the CRC-32 of each of its lines: 8 hexadecimal digits each, without a space."""
    digest, rows = hashlib.sha256(), list[int]()
    with path.open("rb") as file:
        while lines := file.readlines(1 << 20):
            digest.update(b"".join(lines))
            rows += map(zlib.crc32, lines)
    return digest.hexdigest(), "".join([f"{row:08x}" for row in rows])


class Checksums(NamedTuple):
    """Checksums by the names of files, seen from their folder: the SHA-256 of each, and those of the rows of tables.

    Of JSON Lines there are the checksums of the rows, by which a changed one is found.
    """

    sums: Mapping[str, str]
    rows: Mapping[str, str]


def checksums(folder: Path, paths: Iterable[Path], chained: Collection[str] = ()) -> Checksums:
    """Return the checksums of these files. Rows of `chained` files tell themselves that they were changed."""
    sums, rows = {}, {}
    for name in sorted(path.relative_to(folder).as_posix() for path in paths):
        if name.endswith(".jsonl") and name not in chained:
            sums[name], rows[name] = sha256_and_rows(folder / name)
        else:
            sums[name] = sha256(folder / name)
    return Checksums(sums, rows)


def write_manifest(folder: Path, found: Checksums) -> list[Path]:
    """Write the checksums as `sha256sum --check SHA256SUMS` in that folder reads them, and those of rows beside it.

    Returns both files.
    """
    write_text(folder / ROWS, "".join(f"{name} {each}\n" for name, each in found.rows.items()))
    sums = {**found.sums, ROWS: sha256(folder / ROWS)}
    write_text(folder / MANIFEST, "".join(f"{sums[name]}  {name}\n" for name in sorted(sums)))
    return [folder / MANIFEST, folder / ROWS]
