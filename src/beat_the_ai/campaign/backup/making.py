"""Making a backup of a campaign, which may be served meanwhile.

The databases are read at one moment, before the files: Mephisto makes files of what its database has.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.metadata import version
from pathlib import Path

from beat_the_ai.campaign.backup.archive import (
    ENDING,
    FORMAT,
    Advance,
    Manifest,
    PackedDatabase,
    Packer,
    Watch,
    opened,
)
from beat_the_ai.campaign.backup.checking import check
from beat_the_ai.campaign.backup.latest import LatestBackup, note
from beat_the_ai.campaign.backup.sources import DRAFT, LOCK, Sources, content
from beat_the_ai.databases import shown_place
from beat_the_ai.databases.snapshots import SqliteSnapshot, at_one_moment
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.files.atomic_write import sync_folder
from beat_the_ai.files.disk_full import full_disk_named
from beat_the_ai.files.permissions import OWNER_ONLY, make_private_folder, private_files
from beat_the_ai.store import now

FOLDER_VARIABLE = "BEAT_THE_AI_BACKUPS"
NAMED = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True)
class Backup:
    """An archive that was made, those that it replaces, and whether the rest of one that was cut off is removed."""

    path: Path
    manifest: Manifest
    removed: list[Path]
    had_rest: bool


def back_up(folder: Path, store_place: str, to: Path, watch: Watch, *, keep: int | None, checked: bool) -> Backup:
    """Make a backup of the campaign in `folder`, and remove all but the newest `keep` of it.

    Raises `InvalidInput`, `Refused` and `StoreError`; `OSError` for a full disk, with the folder.
    """
    _make_folder(to)
    with private_files(), _alone(to) as had_rest, _drafting(to) as draft:
        sources = Sources.of(folder, store_place, to)
        made_at = now()
        while (path := to / f"{sources.campaigns[0]}-{made_at:{NAMED}}{ENDING}").exists():
            time.sleep(0.1)  # one that was made in the same second
            made_at = now()
        packed = draft / path.name
        manifest = _pack(sources, packed, draft, made_at, watch)
        if checked:
            with opened(packed) as archive:
                check(archive, draft, watch)
        packed.replace(path)
        sync_folder(to)
        note(sources.folder, LatestBackup(made_at=made_at, path=str(path.resolve())))
        removed = [] if keep is None else _remove_older(path, manifest, keep)
    return Backup(path, manifest, removed, had_rest)


def backups_in(folder: Path, identity: list[str]) -> list[Path]:
    """Return the backups of a campaign in a folder, the newest first."""
    made: list[tuple[datetime, Path]] = []
    for path in folder.glob(f"*{ENDING}"):
        with suppress(InvalidInput, Refused), opened(path) as archive:
            if archive.manifest.identity == identity:
                made.append((archive.manifest.made_at, path))
    return [path for _, path in sorted(made, reverse=True)]


def _remove_older(made: Path, manifest: Manifest, keep: int) -> list[Path]:
    """Keep the backup that was made, whatever the clock said when others were."""
    others = [path for path in backups_in(made.parent, manifest.identity) if path != made]
    older = others[keep - 1 :]
    for path in older:
        path.unlink()
    return older


def _pack(sources: Sources, packed: Path, draft: Path, made_at: datetime, watch: Watch) -> Manifest:
    """Write the archive, and have it on disk."""
    copies, databases, apart = _copied(sources, draft, watch("copying databases", sources.bytes_of_databases))
    size = sum(path.stat().st_size for path in copies.values()) + sources.bytes_of_files
    with packed.open("xb") as stream:
        with Packer(stream, watch("packing", size)) as packer:
            for name, copy in copies.items():
                with copy.open("rb") as source:
                    packer.add(name, source)
                copy.unlink()
            for name, path in sources.files.items():
                with suppress(FileNotFoundError), content(path) as source:  # the campaign goes on
                    packer.add(name, source)
            manifest = Manifest(
                format=FORMAT,
                version=version("beat-the-ai"),
                made_at=made_at,
                campaigns=sources.campaigns,
                identity=sources.identity,
                folder=str(sources.folder),
                store=shown_place(sources.store),
                people=None if sources.people_place is None else shown_place(sources.people_place),
                people_identity=sources.people_identity,
                inputs=sources.inputs,
                models=sources.models,
                apart_ms=apart / timedelta(milliseconds=1),
                files=packer.files,
                databases=databases,
            )
            packer.add_manifest(manifest)
        stream.flush()
        os.fsync(stream.fileno())
    return manifest


def _copied(sources: Sources, draft: Path, advance: Advance) -> tuple[dict[str, Path], list[PackedDatabase], timedelta]:
    """Copy all databases as they are at one moment; those that are dumped last, which takes longest."""
    copies, databases = {}, []
    with at_one_moment(list(sources.databases.values())) as (snapshots, apart):
        named = zip(sources.databases, snapshots, strict=True)
        in_turn = sorted(named, key=lambda pair: not isinstance(pair[1], SqliteSnapshot))
        for number, (name, snapshot) in enumerate(in_turn):
            copy = copies[name] = draft / f"{number}.copy"
            snapshot.copy(copy, advance)
            schema, rows = snapshot.rows(copy) if isinstance(snapshot, SqliteSnapshot) else snapshot.rows()
            databases.append(PackedDatabase(name=name, schema_version=schema, rows=dict(rows)))
    return copies, databases, apart


def _make_folder(to: Path) -> None:
    """Make a private folder. Raises `InvalidInput` for one that others may enter."""
    if to.is_dir():
        if to.stat().st_mode & OWNER_ONLY:
            raise InvalidInput("--to", f"Others may enter {to}. Take that away (chmod 700 {to}), or name a new folder.")
        return
    try:
        make_private_folder(to)
    except OSError as error:
        raise InvalidInput("--to", f"{to} cannot be made: {error.strerror}. Name another folder.") from error


@contextmanager
def _alone(to: Path) -> Iterator[bool]:
    """Make one backup at a time in a folder; yield whether there is the rest of one that was cut off."""
    with (to / LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refused(f"Another backup is being made in {to}. Wait for its end, or name another folder.") from None
        had_rest = (to / DRAFT).exists()
        shutil.rmtree(to / DRAFT, ignore_errors=True)
        yield had_rest


@contextmanager
def _drafting(to: Path) -> Iterator[Path]:
    """Yield a folder for what is not whole yet. Whatever happens nothing stays of it, unless the process is killed."""
    draft = to / DRAFT
    with full_disk_named(to):
        try:
            draft.mkdir()
            yield draft
        finally:
            shutil.rmtree(draft, ignore_errors=True)
