"""Checks of the store: its database, who serves it, its clock, and backups."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta, timezone
from pathlib import Path

import sqlalchemy as sa

from beat_the_ai.campaign.backup.latest import latest_backup
from beat_the_ai.campaign.doctor.checks import check, fault, ok
from beat_the_ai.campaign.doctor.subject import Subject
from beat_the_ai.databases import Schema, postgres_tools, schema_of
from beat_the_ai.databases.snapshots import faults_of, place_of
from beat_the_ai.marketplace.people.store import is_database
from beat_the_ai.store import CAMPAIGN_MIGRATIONS, now, open_store
from beat_the_ai.terms.locate import store_file

Findings = Iterator[tuple[str, str | None]]
MOST_SKEW = timedelta(seconds=5)
MOST_AGE = timedelta(days=1)


def database_of(subject: Subject) -> Path | str | None:
    """Return the file or the URL of the store; without a campaign that of a database that is configured."""
    if subject.store is not None and "://" not in subject.store:
        return store_file(Path(subject.store))
    if subject.store is not None:
        return place_of(subject.store)
    place = None if subject.settings is None else place_of(subject.settings.store.url)
    return place if isinstance(place, str) else None


def schema_at(place: Path | str) -> Schema:
    """Return how the schema of a store stands; nothing is migrated. Raises `StoreError`."""
    return schema_of(str(place), CAMPAIGN_MIGRATIONS)


@check("store", "Start its database, or name the right one (BEAT_THE_AI_DATABASE).")
def store(subject: Subject) -> Findings:
    if (place := database_of(subject)) is None:
        return
    schema = schema_at(place)
    shown = place.name if isinstance(place, Path) else "PostgreSQL"
    if schema.is_newer:
        mend = "Update the suite to the version that wrote it."
        yield fault(f"The store has schema {schema.version}, and this version knows {schema.newest}.", mend)
    elif schema.is_older:
        mend = f"Stop what serves it, back it up, and bring it to date: beat-the-ai status {subject.folder}"
        yield fault(f"The store has schema {schema.version}, and this version {schema.newest}.", mend)
    else:
        yield ok(f"{shown}, schema {schema.version or 'none yet'}")
    if isinstance(place, Path) and (damage := faults_of(place)):
        yield fault(
            f"The store is damaged: {damage[0]}.", "Restore the latest backup: beat-the-ai restore FILE --to DIR."
        )


@check("lease", "Look who serves the campaign: beat-the-ai status CAMPAIGN.")
def lease(subject: Subject) -> Findings:
    if (place := database_of(subject)) is None or not schema_at(place).is_current:
        return
    with closing(open_store(str(place))) as opened:
        holders = opened.leases.holders()
    if subject.served and not holders:
        mend = "Stop that process (Ctrl-C), and start again: beat-the-ai launch --resume."
        yield fault(f"A process serves {', '.join(subject.served)} here and has no lease: it saves nothing.", mend)
    else:
        yield ok(f"served by {', '.join(holders)}" if holders else "nobody serves it")


@check("database_clock", "Set the clocks of both machines by NTP (timedatectl set-ntp true).")
def database_clock(subject: Subject) -> Findings:
    place = database_of(subject)
    if not isinstance(place, str):
        return
    engine = sa.create_engine(place, poolclass=sa.NullPool)
    try:
        with engine.connect() as connection:
            there = connection.scalar(sa.text("SELECT clock_timestamp()"))
    finally:
        engine.dispose()
    assert isinstance(there, datetime)
    yield skew("the database's", there, MOST_SKEW)


def skew(whose: str, there: datetime, most: timedelta) -> tuple[str, str | None]:
    """Compare a clock with this machine's."""
    ahead = datetime.now(timezone.utc) - there
    told = f"{abs(ahead).total_seconds():.0f} s {'ahead of' if ahead > timedelta() else 'behind'} {whose}"
    if abs(ahead) > most:
        return fault(f"This machine's clock is {told}.", "Set both clocks by NTP: timedatectl set-ntp true.")
    return ok(f"this machine is {told}")


@check("pg_dump", "Install PostgreSQL's client programs.")
def pg_dump(subject: Subject) -> Findings:
    people = None if subject.settings is None else subject.settings.crowd.people
    if isinstance(database_of(subject), str) or (people is not None and is_database(people)):
        yield ok(f"version {postgres_tools.major_version(postgres_tools.DUMP)}")


@check("backup", "Make one: beat-the-ai backup CAMPAIGN --to FOLDER.")
def backup(subject: Subject) -> Findings:
    """Only where the campaign runs."""
    if not subject.served:
        return
    mend = f"Make one now, and one an hour by cron: beat-the-ai backup {subject.folder} --to FOLDER --keep 30"
    latest = latest_backup(subject.folder)
    if latest is None:
        yield fault("The campaign runs, and there is no backup of it.", mend)
    elif not Path(latest.path).is_file():
        yield fault(f"The latest backup is gone: {latest.path}.", mend)
    elif (age := now() - latest.made_at) > MOST_AGE:
        yield fault(f"The latest backup is {age.total_seconds() / 3600:.0f} hours old.", mend)
    else:
        yield ok(f"{latest.path}, {age.total_seconds() / 60:.0f} minutes old")
