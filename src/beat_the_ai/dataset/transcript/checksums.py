"""The checksums of an export, and the place at which a file is not the one that was written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from beat_the_ai.dataset.files import MANIFEST, ROWS, sha256, sha256_and_rows
from beat_the_ai.dataset.transcript.reading import MAX_LINE_BYTES, Changed, Fault, is_hash, shown

CRC_DIGITS = 8
MAX_NAME_BYTES = 255  # of a file, with its folders


def listed(folder: Path) -> dict[str, str]:
    """Return `{file: SHA-256}` of a manifest. Raises `Changed`."""
    sums = {}
    for number, text in enumerate(_text(folder / MANIFEST, MANIFEST).splitlines(), start=1):
        digest, found, name = text.partition("  ")
        if not found or not is_hash(digest) or not is_inside(name) or name in sums:
            raise Changed(Fault(MANIFEST, "a checksum and the name of another file are needed", number))
        sums[name] = digest
    return sums


def faulty_files(folder: Path, sums: Mapping[str, str]) -> Iterator[str]:
    """Yield the files that are missing, or are not as they were."""
    for name, digest in sums.items():
        path = folder / name
        if not path.is_file() or sha256(path) != digest:
            yield name


def first_row(folder: Path, name: str) -> Fault:
    """Return the first place at which a file is not as it was; `ROWS` is."""
    path = folder / name
    if not path.is_file():
        return Fault(name, "it is missing")
    kept = dict(text.split(" ", 1) for text in _text(folder / ROWS, ROWS).splitlines() if " " in text).get(name)
    if kept is None:
        return Fault(name, "it is not the file that was exported: its checksum is another one")
    return _first(name, _cut(kept), _cut(sha256_and_rows(path)[1]))


def _first(name: str, before: list[str], after: list[str]) -> Fault:
    same = next((at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), None)
    if same is None:
        same = min(len(before), len(after))
        what = "rows are missing from here on" if len(after) < len(before) else "rows were added from here on"
        return Fault(name, what, same + 1) if len(before) != len(after) else Fault(name, "its checksum is another one")
    if before[same + 1 :] == after[same:]:
        return Fault(name, "the row that was here is missing", same + 1)
    if before[same:] == after[same + 1 :]:
        return Fault(name, "this row was added", same + 1)
    if sorted(before) == sorted(after):
        return Fault(name, "another row is here: rows were moved", same + 1)
    return Fault(name, "this row was changed", same + 1)


def _cut(digits: str) -> list[str]:
    return [digits[at : at + CRC_DIGITS] for at in range(0, len(digits), CRC_DIGITS)]


def _text(path: Path, name: str) -> str:
    """Return the text of a small file, or of one with long lines. Raises `Changed`."""
    try:
        if path.stat().st_size > MAX_LINE_BYTES * 4:
            raise Changed(Fault(name, "it is too long"))
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise Changed(Fault(name, "it is missing")) from None
    except (OSError, UnicodeDecodeError) as error:
        raise Changed(Fault(name, f"it cannot be read ({shown(error)})")) from None


def is_inside(name: str) -> bool:
    """Return whether a name is that of a file in the folder, whoever wrote it."""
    path = PurePosixPath(name)
    is_short = len(name.encode()) <= MAX_NAME_BYTES
    return bool(name) and is_short and not path.is_absolute() and ".." not in path.parts and "\0" not in name
