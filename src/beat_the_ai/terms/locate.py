"""The store of a command's CAMPAIGN: its folder, its SQLite file, or a database URL.

The folder of a campaign whose store is in a database has a record of it. If that is the database of the environment,
or there is no record, the environment names it.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.files.atomic_write import replacing
from beat_the_ai.files.permissions import OPERATOR_LOCK, PRIVATE, make_private_folder, private_files
from beat_the_ai.store import Store, open_store
from beat_the_ai.terms.campaign import BoundCampaign

DATABASE_VARIABLE = "BEAT_THE_AI_DATABASE"
STORE_FILE = "campaign.db"
STORE_RECORD = "store-place.json"  # in the private folder
ROUNDS = "rounds"  # the folder of frozen rounds, their models and the scores of models
EXPORTS = "exports"  # in the private folder: what pages may give away
LOCKS = f"{PRIVATE}/mephisto/*/{OPERATOR_LOCK}"  # by stage


def private_folder(out: Path) -> Path:
    """Made if need be, and its owner's alone. Raises `InvalidInput` where nothing can be written."""
    folder = out / PRIVATE
    if (out / STORE_FILE).is_file() and not folder.exists():
        raise Refused(
            f"{out} holds a campaign as older versions kept it. Stop what serves it, move {STORE_FILE} and the folder "
            f"mephisto in it to {folder}, and run the same command again."
        )
    try:
        make_private_folder(folder)
    except OSError as error:
        raise InvalidInput("--out", f"{out} cannot be written: {error.strerror}. Choose another folder.") from error
    return folder


@contextmanager
def campaign_store(given: str) -> Iterator[Store]:
    """The open store. A folder or file that is not there is an error, never created."""
    store = open_store(given if "://" in given else _place(Path(given)))
    try:
        yield store
    finally:
        store.close()


def _place(path: Path) -> str:
    if path.is_dir():
        place = store_of(path) if is_of_campaign(path) else None
    else:
        place = str(path) if path.is_file() else None
    if place is None:
        raise InvalidInput("CAMPAIGN", f"{path} holds no {STORE_FILE}.")
    return place


class StoreRecord(BaseModel):
    """The store of a campaign's folder in a database. Without a `url` it is the database of the environment."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    campaign: str
    url: str | None = None


def keep_store_record(out: Path, url: str, campaign_id: str) -> None:
    """Keep in a campaign's private folder that its store is in a database. A file of its own needs no record."""
    if not url.startswith("postgresql"):
        return
    record = StoreRecord(campaign=campaign_id, url=None if url == os.environ.get(DATABASE_VARIABLE) else url)
    with private_files(), replacing(out / PRIVATE / STORE_RECORD) as file:  # a URL may have a password
        file.write(record.model_dump_json().encode())


def has_record(folder: Path) -> bool:
    """Return whether a folder says in which database its campaign is."""
    return (folder / PRIVATE / STORE_RECORD).is_file()


def store_record(folder: Path) -> StoreRecord | None:
    """Return the record of a store in a database, if there is one. Raises `InvalidInput` if it cannot be read."""
    path = folder / PRIVATE / STORE_RECORD
    try:
        return StoreRecord.model_validate_json(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValidationError):
        raise InvalidInput(
            "CAMPAIGN", f"{path} cannot be read. Remove it, and set {DATABASE_VARIABLE} to the URL of the database."
        ) from None


def store_of(folder: Path) -> str | None:
    """Return where the store of a campaign's folder is: its file, or the URL of a database. None if nobody knows."""
    if (file := store_file(folder)) is not None:
        return str(file)
    record = store_record(folder)
    return os.environ.get(DATABASE_VARIABLE) if record is None or record.url is None else record.url


def store_file(folder: Path) -> Path | None:
    """Return the store's file of the campaign in this folder; the second place is that of older versions."""
    return next((file for file in (folder / PRIVATE / STORE_FILE, folder / STORE_FILE) if file.is_file()), None)


def is_of_campaign(folder: Path) -> bool:
    """Return whether a folder is that of a campaign, in a file there or in a database."""
    return store_file(folder) is not None or (folder / PRIVATE).is_dir()


def is_folder_of_campaigns(place: str) -> bool:
    """Return whether a place is a folder that is none of a campaign, but may hold such folders."""
    folder = Path(place)
    return "://" not in place and folder.is_dir() and not is_of_campaign(folder)


def only_campaign(store: Store) -> BoundCampaign:
    """Return the campaign of a store. Raises `InvalidInput` unless it holds one, beside the one of sample HITs."""
    campaigns = main_campaigns(store)
    if len(campaigns) != 1:
        names = ", ".join(campaign.id for campaign in campaigns)
        raise InvalidInput("--out", f"One campaign was expected there, and it holds {len(campaigns)}: {names}.")
    return campaigns[0]


def main_campaigns(store: Store) -> list[BoundCampaign]:
    """Return the campaigns of a store without those of sample HITs."""
    return [campaign for campaign in BoundCampaign.all_in(store) if not campaign.is_of_samples]


def served_stages(folder: Path) -> list[str] | None:
    """The stages that processes serve in this folder; None when that cannot be told from here."""
    if not folder.is_dir():
        return None
    return [lock.parent.name for lock in sorted(folder.glob(LOCKS)) if _is_held(lock)]


def _is_held(lock: Path) -> bool:
    with lock.open("r") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        fcntl.flock(file, fcntl.LOCK_UN)
    return False
