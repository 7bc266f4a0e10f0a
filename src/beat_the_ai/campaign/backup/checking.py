"""Checking a backup as restoring it would: hashes, damage, the versions of schemas, and the rows of all tables."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

from beat_the_ai.campaign.backup.archive import CAMPAIGN, DUMPS, KEY, PEOPLE, PEOPLE_STORE, STORE, Archive, Watch
from beat_the_ai.databases import Schema, newest_schema, postgres_tools
from beat_the_ai.databases.snapshots import faults_of, rows_in
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.files.disk_full import full_disk_named
from beat_the_ai.marketplace.market import MIGRATIONS, open_market
from beat_the_ai.store import CAMPAIGN_MIGRATIONS, open_store

ROOM = "restored"


def check(archive: Archive, folder: Path, watch: Watch) -> None:
    """Restore an archive into a new folder below this one, and remove it again.

    Raises `InvalidInput` for an archive that is not sound, `Refused` for one of a newer version.
    """
    room = folder / ROOM
    with full_disk_named(folder.parent):
        try:
            room.mkdir()
            unpack_checked(archive, room, watch)
        finally:
            shutil.rmtree(room, ignore_errors=True)


def unpack_checked(archive: Archive, room: Path, watch: Watch) -> None:
    """Unpack an archive, check its databases, and bring those of SQLite to the schema of this version."""
    check_versions(archive)
    archive.unpack(room, watch("checking files", archive.manifest.size))
    advance = watch("checking databases", len(archive.manifest.databases))
    for packed in archive.manifest.databases:
        fault = _fault(room / packed.name, packed.rows)
        if fault is not None:
            raise InvalidInput(KEY, f"{archive.path} is no sound backup: {packed.name}: {fault}. Take another one.")
        advance(1)
    if (room / STORE).is_file():
        open_store(str(room / STORE)).close()
    if (room / PEOPLE_STORE).is_file():
        open_market(str(room / PEOPLE_STORE)).close()


def check_versions(archive: Archive) -> None:
    """Raise `Refused` where a database is of a newer version than this one, and `InvalidInput` without a store."""
    manifest = archive.manifest
    if not any(manifest.database(name) for name in (STORE, DUMPS[CAMPAIGN])):
        raise InvalidInput(KEY, f"{archive.path} is no backup of a campaign: it has no store.")
    of_people = (PEOPLE_STORE, DUMPS[PEOPLE])
    for packed in manifest.databases:
        migrations = MIGRATIONS if packed.name in of_people else CAMPAIGN_MIGRATIONS
        schema = Schema(packed.schema_version, newest_schema(migrations))
        if packed.name in (STORE, *DUMPS.values(), PEOPLE_STORE) and schema.is_newer:
            raise Refused(
                f"{archive.path} was made by a newer version ({manifest.version[:40]}; schema "
                f"{schema.version}, here {schema.newest}). Restore it with that version."
            )


def _fault(file: Path, rows: dict[str, int]) -> str | None:
    """Return what is wrong with an unpacked database."""
    if file.name in DUMPS.values():
        counted = postgres_tools.rows_in_dump(file)
    else:
        damage = faults_of(file)
        if damage:
            return "; ".join(damage)[:300]
        try:
            counted = dict(rows_in(file)[1])
        except sqlite3.Error as error:
            return str(error)
    different = sorted(name for name in {*rows, *counted} if rows.get(name) != counted.get(name))
    if different:
        name = different[0]
        return f"its table {name} has {counted.get(name)} rows, and {rows.get(name)} were backed up"
    return None
