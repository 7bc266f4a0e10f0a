"""The store of a command's CAMPAIGN: its folder, its SQLite file, or a database URL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.files.permissions import PRIVATE, make_private_folder
from beat_the_ai.store import Store, open_store
from beat_the_ai.terms.campaign import SCREENING_OF, BoundCampaign

STORE_FILE = "campaign.db"


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
    store = open_store(given if "://" in given else str(_file(Path(given))))
    try:
        yield store
    finally:
        store.close()


def _file(path: Path) -> Path:
    file = store_file(path) if path.is_dir() else path
    if file is None or not file.is_file():
        raise InvalidInput("CAMPAIGN", f"{path} holds no {STORE_FILE}.")
    return file


def store_file(folder: Path) -> Path | None:
    """Return the store's file of the campaign in this folder; the second place is that of older versions."""
    return next((file for file in (folder / PRIVATE / STORE_FILE, folder / STORE_FILE) if file.is_file()), None)


def only_campaign(store: Store) -> BoundCampaign:
    """Return the campaign of a store. Raises `InvalidInput` unless it holds one, beside the one of sample HITs."""
    names = main_campaigns(store)
    if len(names) != 1:
        raise InvalidInput("--out", f"One campaign was expected there, and it holds {len(names)}: {', '.join(names)}.")
    return BoundCampaign.open(store, names[0])


def main_campaigns(store: Store) -> list[str]:
    """Without those of sample HITs."""
    return [name for name in store.campaigns.ids() if SCREENING_OF not in store.campaigns.get(name).config]
