"""A file that a page sends: streamed to a private temporary file, which is removed when the request is over."""

from __future__ import annotations

import re
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.requests import Request

from beat_the_ai.errors import DiskFull
from beat_the_ai.files.disk_full import is_full
from beat_the_ai.review.visits import TooLarge

MOST_BYTES = 33 * 2**20  # 32 MiB of contexts, and what packing may add to them
TOO_LARGE = f"The file has more than {MOST_BYTES // 2**20} MiB. Send its contexts in several smaller files."
MOST_NAME_CHARS = 80


@asynccontextmanager
async def received(request: Request, name: str) -> AsyncIterator[Path]:
    """Yield the file that a request brings.

    Raises `TooLarge`, before it is read where its length is declared, and `DiskFull`.
    """
    declared = request.headers.get("content-length", "")
    if declared.isdigit() and int(declared) > MOST_BYTES:
        raise TooLarge(TOO_LARGE)
    with tempfile.TemporaryDirectory(prefix="beat-the-ai-upload-") as folder:  # which is its user's alone
        path = Path(folder) / plain_name(name)
        try:
            with path.open("wb") as file:
                size = 0
                async for chunk in request.stream():
                    size += len(chunk)
                    if size > MOST_BYTES:
                        raise TooLarge(TOO_LARGE)
                    file.write(chunk)
            yield path
        except OSError as error:  # also of whoever keeps the file
            if is_full(error):
                raise DiskFull from error
            raise


def plain_name(name: str) -> str:
    """Return the last part of a file's name without anything that a path or a terminal may take for a command."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", re.split(r"[/\\]", name)[-1]).lstrip(".-")
    return plain[-MOST_NAME_CHARS:].lstrip(".-") or "contexts.jsonl"
