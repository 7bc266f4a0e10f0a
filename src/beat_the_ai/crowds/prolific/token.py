"""The token for Prolific's API: it can do everything, so it is read when it is needed and kept nowhere else."""

from __future__ import annotations

import os
from pathlib import Path

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.files.permissions import OWNER_ONLY, PRIVATE
from beat_the_ai.marketplace.people.store import is_database

VARIABLE = "PROLIFIC_TOKEN"
FILE = "prolific.token"


def token_file(place: str) -> Path | None:
    """Return the file for the token, in the private folder of people; a database has none."""
    return None if is_database(place) else Path(place) / PRIVATE / FILE


def has_token(place: str) -> bool:
    file = token_file(place)
    return bool(os.environ.get(VARIABLE)) or (file is not None and file.is_file())


def read_token(place: str) -> str:
    """Return the token, from the environment or else from the file.

    Raises `Refused` where there is none, and `InvalidInput` for a file that others may read.
    """
    if token := os.environ.get(VARIABLE, "").strip():
        return token
    file = token_file(place)
    if file is None or not file.is_file():
        where = "" if file is None else f", or write it into {file} with mode 0600"
        raise Refused(f"There is no token for Prolific. Set {VARIABLE}{where}.")
    if file.stat().st_mode & OWNER_ONLY:
        raise InvalidInput(VARIABLE, f"Others may read {file}. Take that away: chmod 600 {file}.")
    return file.read_text(encoding="utf-8").strip()
