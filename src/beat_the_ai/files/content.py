"""The text of a file, whatever wrote it: gzip, byte order marks, and files that are something else."""

from __future__ import annotations

import codecs
import gzip
import zlib
from pathlib import Path

from beat_the_ai.errors import InvalidInput

GZIP = b"\x1f\x8b"
_ENCODINGS = {  # by the byte order mark with which Excel, Notepad and PowerShell begin a file
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # it begins as UTF-16's does
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_SOMETHING_ELSE = {
    b"PK\x03\x04": "a ZIP archive, as Excel's workbooks are. Unpack it, or save the sheet as CSV in UTF-8",
    b"version https://git-lfs": "the pointer of Git LFS to a file that is not here. Run: git lfs pull",
    b"SQLite format 3\x00": "an SQLite database. Save the rows that you need as CSV or JSON Lines",
    b"\x89HDF\r\n\x1a\n": "an HDF5 file. Save it as Parquet, as by pandas.read_hdf(FILE).to_parquet(NEW_FILE)",
    b"<!doctype html": "a web page. Download the file itself",
    b"<html": "a web page. Download the file itself",
    b"BZh91AY&SY": "compressed by bzip2. Unpack it: bunzip2 FILE",
    b"\xfd7zXZ\x00": "compressed by xz. Unpack it: unxz FILE",
    b"\x28\xb5\x2f\xfd": "compressed by zstd. Unpack it: unzstd FILE",
    GZIP: "compressed by gzip more than once. Unpack it: gunzip FILE",
}


def read_content(path: Path, key: str) -> bytes:
    """Return the bytes of a file, decompressed (gzip). Raises `InvalidInput` under `key` that names the file."""
    try:
        content = path.read_bytes()
        return gzip.decompress(content) if content.startswith(GZIP) else content
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or "it is a damaged gzip file"
        raise InvalidInput(key, f"{path} cannot be read: {reason}.") from error


def text_of(content: bytes, path: Path, key: str) -> str:
    """Decode what was read from a file: UTF-8, or what its byte order mark says. Raises `InvalidInput`."""
    for start, name in _SOMETHING_ELSE.items():
        if content[: len(start)].lower() == start.lower():
            raise InvalidInput(key, f"{path} cannot be read: it is {name}.")
    marked = (name for mark, name in _ENCODINGS.items() if content.startswith(mark) and len(content) > len(mark))
    encoding = next(marked, "utf-8")
    try:
        text = content.decode(encoding)
        fault = 0 if "\0" in text[:2] else None  # of UTF-16 without a mark every second byte is a null
    except UnicodeDecodeError as error:
        text, fault = "", error.start
    if fault is not None:
        line = content.count(b"\n", 0, fault) + 1
        message = f"{path} cannot be read: line {line} is no {encoding.upper()} text. Save it as UTF-8."
        raise InvalidInput(key, message)
    return text


def read_text(path: Path, key: str) -> str:
    """Return the text of a file. Raises `InvalidInput` under `key` that names the file and what is wrong with it."""
    return text_of(read_content(path, key), path, key)
