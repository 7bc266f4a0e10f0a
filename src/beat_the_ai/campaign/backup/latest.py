"""The note in a campaign's folder on its latest backup."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, ValidationError

from beat_the_ai.files.atomic_write import replacing
from beat_the_ai.files.permissions import PRIVATE, private_files

LATEST = "latest_backup.json"


class LatestBackup(BaseModel):
    """The latest backup: when it was made, and where it was put."""

    made_at: datetime
    path: str


def note(folder: Path, latest: LatestBackup) -> None:
    """Take note of a backup of the campaign in this folder."""
    with private_files(), replacing(folder / PRIVATE / LATEST) as file:
        file.write(latest.model_dump_json().encode())


def latest_backup(folder: Path) -> LatestBackup | None:
    """Return the latest backup of the campaign in this folder, as far as is known there."""
    try:
        return LatestBackup.model_validate_json((folder / PRIVATE / LATEST).read_bytes())
    except (OSError, ValidationError):
        return None
