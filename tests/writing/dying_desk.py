"""An operator that submits the given keys and kills itself at the named moment of the last one.

It prints the key of each verdict that it got. At "any" it submits keys without end, until somebody else kills it.
"""

from __future__ import annotations

import os
import signal
import sys
from itertools import count

import sqlalchemy as sa

from beat_the_ai.databases import Database, open_database
from beat_the_ai.store import CAMPAIGN_MIGRATIONS, Attempt, Attempts, Store, Telemetry
from tests.writing.fakes import PASSAGE, WRONG, FakeModel, new_desk, payload_of

MOMENTS = ("asked", "inserted", "committing", "committed")


def die() -> str:
    os.kill(os.getpid(), signal.SIGKILL)
    return WRONG  # never: for the type's sake


class DyingAttempts(Attempts):
    def add(self, attempt: Attempt, telemetry: Telemetry | None = None) -> Attempt:
        made = super().add(attempt, telemetry)
        die()
        return made


def die_when(moment: str, database: Database, store: Store, model: FakeModel) -> None:
    if moment == "asked":
        model.answers.append(die)
    elif moment == "inserted":
        sa.event.listen(database.engine, "after_cursor_execute", lambda *call: "INSERT" in call[2] and die())
    elif moment == "committing":
        sa.event.listen(database.engine, "commit", lambda connection: die())
    elif moment == "committed":
        store.attempts = DyingAttempts(database)


def main(url: str, assignment_id: str, moment: str, *keys: str) -> None:
    database, model = open_database(url, CAMPAIGN_MIGRATIONS), FakeModel()
    store = Store(database)
    desk = new_desk(store, model, max_tries=10_000, max_wins=10_000)
    for number, key in enumerate(keys or map(str, count()), start=1):
        if number == len(keys):
            die_when(moment, database, store, model)
        made, _ = desk.submit(assignment_id, key, PASSAGE.id, payload_of(key))
        print(made.key, flush=True)


main(*sys.argv[1:])
