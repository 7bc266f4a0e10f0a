"""The accounts of a folder of campaigns, in a store of their own: whoever starts its first campaign has one there."""

from __future__ import annotations

import os
from pathlib import Path

from beat_the_ai.campaign.starting.ground import DRAFTS
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.files.permissions import OWNER_ONLY, make_private_folder
from beat_the_ai.store import Store, open_store

FILE = "accounts.db"


def new_accounts(folder: Path) -> None:
    """Make the store of a folder's accounts, unless it is there. Raises `InvalidInput` where it cannot be written."""
    place = folder / DRAFTS
    try:
        make_private_folder(place)
    except OSError as error:
        raise InvalidInput(
            "CAMPAIGN", f"{place} cannot be written: {error.strerror}. Choose another folder."
        ) from error
    open_store(str(place / FILE)).close()


def open_accounts(folder: Path) -> Store | None:
    """Return the open store of a folder's accounts; None before it has any.

    Raises `Refused` if somebody else may have written it: whoever has an account there can start campaigns.
    """
    place = folder / DRAFTS
    if not (place / FILE).is_file():
        return None
    for path in (place, place / FILE):
        found = path.lstat()
        if found.st_uid != os.getuid() or found.st_mode & OWNER_ONLY:
            raise Refused(f"{path} must be yours and nobody else's. Look who made it, then run: chmod go= {path}")
    return open_store(str(place / FILE))
