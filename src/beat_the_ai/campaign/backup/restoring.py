"""A campaign out of its backup: checked, brought to this version and to its new place, then put there as a whole.

Every absolute path that a campaign keeps of itself is changed on the way. Mephisto's agents and assignments get numbers
that none had before. A page that has gone on since the backup holds the secret of an agent, which must not become
another worker's; and files are packed after the databases, so that some are of assignments which these do not have.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import sqlalchemy as sa

from beat_the_ai.campaign.backup.archive import (
    CAMPAIGN,
    DUMPS,
    INPUTS,
    PEOPLE,
    PEOPLE_STORE,
    STORE,
    Manifest,
    Watch,
    opened,
)
from beat_the_ai.campaign.backup.checking import check_versions, unpack_checked
from beat_the_ai.databases import postgres_tools, shown_place
from beat_the_ai.databases.snapshots import connected, place_of, tables_at
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.files.disk_full import full_disk_named
from beat_the_ai.files.permissions import PRIVATE, hand_on, make_shared_folder, private_files
from beat_the_ai.marketplace.market import open_market
from beat_the_ai.marketplace.people import campaigns as people_campaigns
from beat_the_ai.marketplace.people import store as people_store
from beat_the_ai.store import open_store
from beat_the_ai.terms.locate import keep_store_record
from beat_the_ai.terms.places import missing_folders, move

MEPHISTO = f"{CAMPAIGN}/{PRIVATE}/mephisto/"
MEPHISTO_FILE = "database.db"
UNUSED = 1_000_000
ROOM_FACTOR = 1.1  # of the files' size: migrating takes some, too


@dataclass(frozen=True)
class Restored:
    """A campaign that was restored.

    `people` is where its people are, `people_stayed` whether they were there already. The missing folders are those
    that it needs and that are not here.
    """

    folder: Path
    manifest: Manifest
    store: str
    people: str | None
    people_stayed: bool
    missing_tasks: list[str]
    missing_models: list[str]


def restore(path: Path, folder: Path, watch: Watch, *, store: str | None, people: str | None) -> Restored:
    """Restore a backup into a new folder, and into empty databases where it has dumps of PostgreSQL.

    Raises `InvalidInput` for an archive that is not sound, `Refused` for a place that has anything in it.
    """
    folder = folder.resolve()
    with opened(path) as archive, private_files():
        check_versions(archive)
        plan = _Plan.of(archive.manifest, folder, store, people)
        make_shared_folder(folder.parent)
        with _drafting(folder, archive.manifest.size) as draft:
            unpack_checked(archive, draft, watch)
            return plan.carry_out(draft)


@dataclass(frozen=True)
class _Plan:
    """The places for the parts of an archive."""

    manifest: Manifest
    folder: Path
    store: str | None  # a database's URL; without one it is in the folder
    people: str | None
    people_stay: bool

    @classmethod
    def of(cls, manifest: Manifest, folder: Path, store: str | None, people: str | None) -> _Plan:
        """Raise `Refused` or `InvalidInput` unless everything can go there."""
        _check_folder(folder, "--to")
        is_dumped = manifest.database(DUMPS[CAMPAIGN]) is not None
        if is_dumped and store is None:
            raise InvalidInput("--store", f"The store was {manifest.store}. Name an empty database: --store URL.")
        if store is not None and not is_dumped:
            raise InvalidInput("--store", "The store of this backup is a file in its folder: leave --store out.")
        if store is not None:
            _check_database(store, "--store")
        if manifest.people is None:
            if people is not None:
                raise InvalidInput("--people", "There are no people of one's own in this backup: leave --people out.")
            return cls(manifest, folder, store, None, people_stay=False)
        place = str(folder / PEOPLE) if people is None else people
        if not people_store.is_database(place):
            place = str(Path(place).resolve())
        return cls(manifest, folder, store, place, _check_people(manifest, place, folder))

    def carry_out(self, draft: Path) -> Restored:
        """Put everything in its place; the folder comes last, and as a whole."""
        (draft / CAMPAIGN / PRIVATE).mkdir(parents=True, exist_ok=True)
        inputs = self._inputs(draft)
        moved = {self.manifest.folder: str(self.folder), **inputs}
        if self.people is not None:
            self._leave_people(self.people) if self.people_stay else self._put_people(draft, self.people)
        if self.store is not None:
            postgres_tools.restore(draft / DUMPS[CAMPAIGN], sa.make_url(self.store))
        with closing(open_store(self.store or str(draft / STORE))) as opened_store:
            move(opened_store, moved, self.people)
            missing = missing_folders(opened_store)
        if self.store is not None and len(self.manifest.campaigns) == 1:
            keep_store_record(draft / CAMPAIGN, self.store, self.manifest.campaigns[0])
        for name in (each.name for each in self.manifest.databases if each.name.startswith(MEPHISTO)):
            if Path(name).name == MEPHISTO_FILE:
                _number_anew(draft / name)
        _hand_on(draft / CAMPAIGN)
        os.sync()
        (draft / CAMPAIGN).rename(self.folder)
        models = [model for model in self.manifest.models if not Path(model).exists()]
        where = str(self.folder / PRIVATE / Path(STORE).name) if self.store is None else shown_place(self.store)
        people = None if self.people is None else shown_place(self.people)
        return Restored(self.folder, self.manifest, where, people, self.people_stay, missing, models)

    def _inputs(self, draft: Path) -> dict[str, str]:
        """Put the files that the records name into the folder; return where each is by where it was.

        There may be some already, of a restoration before.
        """
        private = draft / CAMPAIGN / PRIVATE
        unused = next(name for name in map(f"{INPUTS}-{{}}".format, count(1)) if not (private / name).exists())
        if (draft / INPUTS).is_dir():
            (draft / INPUTS).rename(private / unused)
        named = dict(_as_named(Path(name).relative_to(INPUTS), Path(old)) for name, old in self.manifest.inputs.items())
        return {str(old): str(self.folder / PRIVATE / unused / name) for old, name in named.items()}

    def _leave_people(self, place: str) -> None:
        """Tell people who are there already where the campaign is: a person is erased in all of its copies."""
        with people_store.people_at(place) as market, market.writing() as moment:
            people_campaigns.add_copy(moment, self.manifest.folder, str(self.folder))

    def _put_people(self, draft: Path, place: str) -> None:
        is_dumped = self.manifest.database(DUMPS[PEOPLE]) is not None
        if is_dumped:
            postgres_tools.restore(draft / DUMPS[PEOPLE], sa.make_url(place))
        url = place if is_dumped else str(draft / PEOPLE_STORE)
        if is_dumped or Path(url).is_file():
            with closing(open_market(url)) as market, market.writing() as moment:
                people_campaigns.move(moment, self.manifest.folder, str(self.folder))
        if (draft / PEOPLE).is_dir() and not is_dumped:
            self._put_people_folder(draft, Path(place))

    def _put_people_folder(self, draft: Path, place: Path) -> None:
        """Put the folder of people there as a whole, or into the draft of the campaign where it belongs there."""
        if place.is_relative_to(self.folder):
            shutil.copytree(draft / PEOPLE, draft / CAMPAIGN / place.relative_to(self.folder), dirs_exist_ok=True)
            return
        make_shared_folder(place.parent)
        size = sum(file.size for file in self.manifest.files if file.name.startswith(f"{PEOPLE}/"))
        with _drafting(place, size) as whole:
            shutil.copytree(draft / PEOPLE, whole / PEOPLE)
            (whole / PEOPLE).rename(place)


def _check_people(manifest: Manifest, place: str, folder: Path) -> bool:
    """Return whether the people of this backup are at a place already. Raise `Refused` where others are."""
    if _is_taken(place):
        with people_store.people_at(place) as market, market.reading() as moment:
            if people_store.identity(moment) == manifest.people_identity:
                return True
        raise Refused(f"{shown_place(place)} has other people in it. Name a new place: --people PLACE.")
    if manifest.people_identity is None:
        return False
    is_dumped = manifest.database(DUMPS[PEOPLE]) is not None
    if people_store.is_database(place) != is_dumped:
        kind = "an empty database: --people URL" if is_dumped else "a new folder: --people FOLDER"
        raise InvalidInput("--people", f"The people of this backup go into {kind}.")
    if not is_dumped and not Path(place).is_relative_to(folder):
        _check_folder(Path(place), "--people")
    return False


def _is_taken(place: str) -> bool:
    return bool(tables_at(place)) if people_store.is_database(place) else people_store.is_there(place)


def _check_database(url: str, option: str) -> None:
    """Raise `Refused` for a database that has anything in it, `InvalidInput` for one of another kind."""
    if isinstance(place_of(url), Path):
        raise InvalidInput(option, f"{option} takes the URL of an empty PostgreSQL database.")
    if names := tables_at(url):
        raise Refused(
            f"{shown_place(url)} has {len(names)} tables in it ({', '.join(names[:4])}): nothing is overwritten. Name "
            f"an empty database: {option} URL."
        )


def _check_folder(folder: Path, option: str) -> None:
    """Raise `Refused` for a folder with anything in it: above all a campaign that goes on."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Refused(f"{folder} has something in it: nothing is overwritten. Name a new folder: {option} FOLDER.")
    if folder.is_mount():
        raise Refused(f"{folder} is where a disk begins. Name a new folder on it: {option} {folder / 'campaign'}.")


@contextmanager
def _drafting(folder: Path, size: int) -> Iterator[Path]:
    """Yield a folder beside this one for what is not whole yet; the rest of one that was killed is removed."""
    draft = folder.with_name(f".{folder.name}.restoring")
    with _alone(draft, folder), full_disk_named(folder.parent):
        try:
            for rest in draft.iterdir():
                shutil.rmtree(rest) if rest.is_dir() else rest.unlink()
            _check_room(folder, size)
            yield draft
        finally:
            shutil.rmtree(draft, ignore_errors=True)


@contextmanager
def _alone(draft: Path, folder: Path) -> Iterator[None]:
    """Make a draft, or take it over, and hold it. Raises `Refused` while somebody else does."""
    draft.mkdir(exist_ok=True)
    descriptor = os.open(draft, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if not _is_held(descriptor, draft):
            raise Refused(f"Another backup is being restored into {folder}. Wait for its end.")
        yield
    finally:
        os.close(descriptor)


def _is_held(descriptor: int, draft: Path) -> bool:
    """Lock a draft; return whether that is done, and the draft is none that its holder has just removed."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(descriptor), os.lstat(draft))
    except (BlockingIOError, FileNotFoundError):
        return False


def _check_room(folder: Path, size: int) -> None:
    free = shutil.disk_usage(folder.parent).free
    if free < size * ROOM_FACTOR:
        raise Refused(
            f"The backup needs {size * ROOM_FACTOR / 2**20:,.0f} MiB, and {folder.parent} has {free / 2**20:,.0f} "
            "MiB left. Free some space there."
        )


def _number_anew(file: Path) -> None:
    with closing(connected(file)) as connection:
        query = "UPDATE sqlite_sequence SET seq = seq + ? WHERE name IN ('agents', 'assignments')"
        connection.execute(query, (UNUSED,))


def _as_named(name: Path, old: Path) -> tuple[Path, Path]:
    """Return where a file was and is, as records name it: of one in a folder of contexts (1/FOLDER/FILE) the folder."""
    within = name.parts[2:]
    if within and len(old.parts) > len(within) and old.parts[-len(within) :] == within:
        return old.parents[len(within) - 1], Path(*name.parts[:2])
    return old, name


def _hand_on(campaign: Path) -> None:
    """Everything outside of private folders is as this user's files are."""
    hand_on(campaign)
    for place, folders, names in os.walk(campaign):
        folders[:] = [name for name in folders if name not in (PRIVATE, PEOPLE)]
        for name in (*folders, *names):
            hand_on(Path(place) / name)
