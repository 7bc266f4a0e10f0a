"""The files of an export in one ZIP file: the same files give the same bytes."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Iterable
from pathlib import Path

from beat_the_ai.files.atomic_write import replacing

FIRST_MOMENT = (1980, 1, 1, 0, 0, 0)  # that a ZIP file can name
READABLE = 0o644 << 16


def pack(folder: Path, files: Iterable[Path], archive: Path) -> None:
    """Write files of a folder into an archive, which is there as a whole or not at all."""
    with replacing(archive) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(files):
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), FIRST_MOMENT)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, READABLE
            with path.open("rb") as source, packed.open(entry, "w", force_zip64=True) as target:
                shutil.copyfileobj(source, target)
