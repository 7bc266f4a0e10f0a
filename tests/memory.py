"""Temporary files in memory: tests write and remove by the thousand what nobody needs once they are over."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
NEEDED_BYTES = 6 << 30  # several times what one run leaves lying


def keep_temporary_files_in_memory() -> None:
    """Those of this process and of all that it starts, where there is room and programs may be run from there."""
    if not MEMORY.is_dir() or shutil.disk_usage(MEMORY).free < NEEDED_BYTES:
        return
    if not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)
