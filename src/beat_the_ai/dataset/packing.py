"""The files of an export in one ZIP file: the same files give the same bytes. Anybody may have written one."""

from __future__ import annotations

import shutil
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from beat_the_ai.dataset.transcript.checksums import is_inside
from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.atomic_write import replacing

FIRST_MOMENT = (1980, 1, 1, 0, 0, 0)  # that a ZIP file can name
READABLE = 0o644 << 16
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
MOST_FILES, MOST_BYTES = 10_000, 2**34
ENCRYPTED = 1
# What `zipfile` raises for a damaged file, and a folder for two names that cannot both be in it.
_DAMAGE = (zipfile.BadZipFile, EOFError, OSError, RuntimeError, ValueError, struct.error, zlib.error)


def pack(folder: Path, files: Iterable[Path], archive: Path) -> None:
    """Write files of a folder into an archive, which is there as a whole or not at all."""
    with replacing(archive) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(files):
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), FIRST_MOMENT)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, READABLE
            with path.open("rb") as source, packed.open(entry, "w", force_zip64=True) as target:
                shutil.copyfileobj(source, target)


@contextmanager
def unpacked(archive: Path, key: str) -> Iterator[Path]:
    """Yield a folder with the files of an archive, until the end of the block; of one with a single folder, that one.

    Raises `InvalidInput` under `key` for what is no sound archive, and for more in it than an export can have.
    """
    with TemporaryDirectory(prefix="export-") as place:
        folder = Path(place) / archive.stem
        folder.mkdir()
        try:
            with zipfile.ZipFile(archive) as packed:
                for entry in _checked(packed.infolist(), archive, folder, key):
                    _unpack(packed, entry, folder)
        except _DAMAGE as error:
            raise InvalidInput(key, f"{archive} cannot be read as a ZIP file: {error}.") from error
        within = list(folder.iterdir())
        yield within[0] if len(within) == 1 and within[0].is_dir() else folder


def _checked(entries: Sequence[zipfile.ZipInfo], archive: Path, folder: Path, key: str) -> list[zipfile.ZipInfo]:
    """Return the files of an archive. Raises `InvalidInput` for names outside of it, and for too many or large ones."""
    files = [entry for entry in entries if not entry.is_dir()]
    names = [entry.filename for entry in files]
    if len(set(names)) < len(names) or not all(is_inside(name) and "\\" not in name for name in names):
        raise InvalidInput(key, f"{archive} names a file twice, or one outside of it: no export does. Get it again.")
    if any(entry.flag_bits & ENCRYPTED or entry.compress_type not in METHODS for entry in files):
        raise InvalidInput(key, f"{archive} is encrypted, or packed as no export is. Unpack it, and name the folder.")
    size, most = sum(entry.file_size for entry in files), min(MOST_BYTES, shutil.disk_usage(folder).free)
    if len(files) > MOST_FILES or size > most:
        raise InvalidInput(
            key,
            f"{archive} holds {len(files):,} files of {size:,} bytes; {MOST_FILES:,} of {most:,} can be unpacked here. "
            "Unpack it elsewhere, and name the folder.",
        )
    return files


def _unpack(packed: zipfile.ZipFile, entry: zipfile.ZipInfo, folder: Path) -> None:
    """Write a file. `zipfile` reads no more of it than its entry says. Raises `_DAMAGE`."""
    path = folder / entry.filename
    path.parent.mkdir(parents=True, exist_ok=True)
    with packed.open(entry) as source, path.open("xb") as target:
        shutil.copyfileobj(source, target)
