"""The parts of a campaign that go into a backup, and where they lie."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from beat_the_ai.campaign.backup.archive import (
    CAMPAIGN,
    DUMPS,
    ENDING,
    INPUTS,
    PEOPLE,
    PEOPLE_STORE,
    STORE,
    is_plain,
)
from beat_the_ai.campaign.backup.latest import LATEST
from beat_the_ai.crowds.prolific.token import FILE as TOKEN_FILE
from beat_the_ai.databases.snapshots import JOURNALS, is_sqlite, place_of
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.files.folders import dataset_files
from beat_the_ai.files.permissions import PRIVATE
from beat_the_ai.marketplace.people import store as people_store
from beat_the_ai.mephisto.router.spool import FILE as SPOOL_FILE
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import EXPORTS, STORE_RECORD, campaign_store, main_campaigns
from beat_the_ai.terms.places import context_folders, files_named, folders_named

DRAFT, LOCK = ".backup.draft", ".backup.lock"  # in a folder of backups
LEFT_OUT = (*JOURNALS, ".lock", ".pid", ".sock", ".draft")  # how names end of files that belong to a process
OF_OTHERS = {TOKEN_FILE, LATEST, STORE_RECORD}  # a secret that is kept once, and notes on this folder
MADE_ANEW = {("static", "router"), (EXPORTS, PRIVATE)}  # pages that a router lays out, and exports
ADDRESS_FILE = "address.json"  # in a router's folder


@dataclass(frozen=True)
class Sources:
    """A campaign's folder, its databases in the order in which they are read, and the files that its records name."""

    folder: Path
    store: Path | str
    people: Path | str | None
    people_place: str | None
    people_identity: str | None
    databases: dict[str, Path | str]
    files: dict[str, Path]
    inputs: dict[str, str]
    models: list[str]
    campaigns: list[str]
    identity: list[str]

    @property
    def bytes_of_databases(self) -> int:
        return sum(_size(place) for place in self.databases.values() if isinstance(place, Path))

    @property
    def bytes_of_files(self) -> int:
        return sum(map(_size, self.files.values()))

    @classmethod
    def of(cls, folder: Path, store_place: str, apart: Path) -> Sources:
        """Find them; `apart` is a folder that is no part of the campaign, wherever it lies.

        Raises `InvalidInput` where there is no campaign, or a part of it is `apart`, and `Refused` where people of
        several places work in it.
        """
        folder, apart = folder.resolve(), apart.resolve()
        with campaign_store(store_place) as store:
            campaigns = main_campaigns(store)
            database = place_of(store.database.url)
        if not campaigns:
            raise InvalidInput("CAMPAIGN", f"{folder} holds no campaign yet: there is nothing to back up.")
        people = {each.crowd.people for each in campaigns} - {None}
        if len(people) > 1:
            raise Refused(
                f"The store holds campaigns with people in several places: {', '.join(sorted(map(str, people)))}. "
                "Give each campaign a store of its own."
            )
        people_place = next(iter(people), None)
        of_people = None if people_place is None else _people_at(people_place)
        inputs = _inputs(campaigns, folder)
        _check_apart(apart, [folder, *([of_people.parent] if isinstance(of_people, Path) else [])])
        kept_apart = [apart, *([] if people_place is None else [Path(people_place).resolve()])]
        files = {f"{CAMPAIGN}/{name}": path for name, path in walked(folder, kept_apart)}
        if isinstance(of_people, Path):
            private = of_people.parent
            files |= {f"{PEOPLE}/{PRIVATE}/{name}": path for name, path in walked(private, [apart])}
        files |= inputs
        _check_names(files)
        return cls(
            folder=folder,
            store=database,
            people=of_people,
            people_place=people_place,
            people_identity=None if of_people is None else _identity(str(people_place)),
            databases=_databases(files, database, of_people),
            files={name: path for name, path in files.items() if not is_database(path)},
            inputs={name: str(path) for name, path in inputs.items()},
            models=sorted({model for each in campaigns for model in folders_named(each) if not _within(model, folder)}),
            campaigns=[each.id for each in campaigns],
            identity=sorted(each.record.crowd_name for each in campaigns),
        )


def _inputs(campaigns: Sequence[BoundCampaign], folder: Path) -> dict[str, Path]:
    """Return the files outside a campaign's folder that its records name, and those of folders, by their new names."""
    named = {path for each in campaigns for path in (*files_named(each), *context_folders(each))}
    inputs: dict[str, Path] = {}
    for number, path in enumerate(sorted(each for each in named if not each.is_relative_to(folder)), 1):
        try:
            files = dataset_files(path)
        except InvalidInput:  # a folder of contexts that has changed since
            continue
        inputs |= {f"{INPUTS}/{number}/{file.relative_to(path.parent).as_posix()}": file for file in files}
    return inputs


def _check_apart(apart: Path, folders: list[Path]) -> None:
    """Raise `InvalidInput` for a folder in one of these that has more in it than backups: it would be left out."""
    if any(apart.is_relative_to(folder) for folder in folders):
        others = [each.name for each in apart.iterdir() if each.suffix != ENDING and each.name not in (DRAFT, LOCK)]
        if others:
            raise InvalidInput(
                "--to", f"{apart} has a part of the campaign in it ({min(others)}). Name a folder for backups alone."
            )


def _people_at(place: str) -> Path | str | None:
    """Return the database of people; None where there are none yet."""
    if not people_store.is_there(place):
        return None
    url = people_store.store_url(place)
    return place_of(url) if people_store.is_database(place) else Path(url).resolve()


def _identity(place: str) -> str:
    with people_store.people_at(place) as market, market.reading() as moment:
        return people_store.identity(moment)


def _databases(files: dict[str, Path], store: Path | str, people: Path | str | None) -> dict[str, Path | str]:
    """Return the databases by their names in the archive.

    What moves from one to the next is in both: a submission moves from the spool to Mephisto's database and the store.
    A payment is in the ledger before it is with the people.
    """
    own = {name: path for name, path in files.items() if is_database(path)}
    last = {path for path in (store, people) if isinstance(path, Path)}
    others = sorted((name for name in own if own[name] not in last), key=lambda name: Path(name).name != SPOOL_FILE)
    ordered: dict[str, Path | str] = {name: own[name] for name in others}
    ordered[STORE if isinstance(store, Path) else DUMPS[CAMPAIGN]] = store
    if people is not None:
        ordered[PEOPLE_STORE if isinstance(people, Path) else DUMPS[PEOPLE]] = people
    return ordered


def is_database(path: Path) -> bool:
    """Return whether a file is an SQLite database, or a private one is called so; one that is gone by now is none.

    A database that is damaged is not packed as any other file: nobody could go on with it.
    """
    with suppress(FileNotFoundError):
        return is_sqlite(path) or (path.suffix == ".db" and PRIVATE in path.parts)
    return False


def walked(folder: Path, apart: list[Path]) -> Iterator[tuple[str, Path]]:
    """Yield the files below a folder by their names there, without those of processes, nor what lies `apart`.

    Links lead to what they mean, and each folder is entered once.
    """
    seen = {folder.resolve()}
    for place, folders, names in os.walk(folder, followlinks=True):
        here = Path(place)
        within = [here / name for name in sorted(folders) if (name, here.name) not in MADE_ANEW]
        entered = [each for each in within if each.resolve() not in {*seen, *apart}]
        seen |= {each.resolve() for each in entered}
        folders[:] = [each.name for each in entered]
        for name in sorted(names):
            path = here / name
            if path.is_file() and not name.endswith(LEFT_OUT) and name not in OF_OTHERS:
                yield str(path.relative_to(folder)), path.resolve() if path.is_symlink() else path


def content(path: Path) -> IO[bytes]:
    """Open a file. The address of a router is left without its process, which is none elsewhere."""
    if path.name != ADDRESS_FILE or path.parent.name != "router":
        return path.open("rb")
    address = json.loads(path.read_text(encoding="utf-8"))
    return io.BytesIO(json.dumps({key: value for key, value in address.items() if key != "pid"}).encode())


def _check_names(files: dict[str, Path]) -> None:
    for name, path in files.items():
        if not is_plain(name):
            raise InvalidInput("CAMPAIGN", f"{str(path)!r} cannot be backed up under this name. Rename it.")


def _within(path: str, folder: Path) -> bool:
    return Path(path).is_relative_to(folder)


def _size(path: Path) -> int:
    with suppress(FileNotFoundError):
        return path.stat().st_size
    return 0
