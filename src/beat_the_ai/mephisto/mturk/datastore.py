"""The HITs of a run, and the unit, HIT and assignment that belong together since a worker accepted.

Mephisto keeps one assignment for a HIT, and loses the assignment of a worker whose HIT it does not know.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from beat_the_ai.crowds import crowd_of
from beat_the_ai.errors import InvalidInput, StoreError
from beat_the_ai.mephisto.shim import MTurkDatastore
from beat_the_ai.requester import Label, Requester
from beat_the_ai.terms.crowd import CrowdTerms

TABLES = """
CREATE TABLE IF NOT EXISTS run_keys (run_id TEXT PRIMARY KEY, run_key TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS acceptances (
    number INTEGER PRIMARY KEY, assignment_id TEXT NOT NULL UNIQUE, hit_id TEXT NOT NULL, unit_id TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS acceptances_by_unit ON acceptances (unit_id);
CREATE TABLE IF NOT EXISTS deadlines (assignment_id TEXT PRIMARY KEY, deadline INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS hits_by_run ON run_mappings (run_id, hit_id);
"""


@dataclass(frozen=True)
class Holder:
    """The last acceptance of a HIT; `deadline` is 0 where the marketplace signs nothing."""

    assignment_id: str
    unit_id: str
    deadline: int


class CampaignDatastore(MTurkDatastore):  # type: ignore[misc]  # Mephisto is untyped
    """One connection and one client serve all threads; Mephisto opens a connection for each thread for ever."""

    def __init__(self, datastore_root: str, provider: str) -> None:
        self.crowd = CrowdTerms(provider=provider)
        self.offered: dict[str, dict[str, str]] = {}  # by run: which HIT is a unit's, as it was taken up
        self._connection: sqlite3.Connection | None = None
        self._requester: Requester | None = None
        self._signs_frames: bool | None = None
        self._closed = False
        super().__init__(datastore_root)

    def _get_connection(self) -> sqlite3.Connection:
        if self._closed:
            raise StoreError("This campaign's files are closed: another process may be serving it.")
        if self._connection is None:
            self._connection = super()._get_connection()
            self._connection.execute("PRAGMA journal_mode=WAL")
        return self._connection

    def init_tables(self) -> None:
        super().init_tables()
        with self.table_access_condition:
            self._get_connection().executescript(TABLES)

    def close(self) -> None:
        """For good: a thread that is still waiting for the marketplace changes nothing after this."""
        with self.table_access_condition:
            self._closed = True
            if self._connection is not None:
                self._connection.close()
            self._connection = None
            self.conn.clear()
            if self._requester is not None:
                self._requester.close()
            self._requester = None

    @property
    def requester(self) -> Requester:
        with self.table_access_condition:
            if self._requester is None:
                self._get_connection()
                self._requester = crowd_of(self.crowd).connect(self.crowd)
            return self._requester

    @property
    def signs_frames(self) -> bool:
        """Return whether the marketplace signs the addresses of pages; asked once. Raises `PaymentError`."""
        if self._signs_frames is None:
            self._signs_frames = self.requester.signs_frames()
        return self._signs_frames

    def get_client_for_requester(self, _requester_name: str) -> Any:
        """For what Mephisto does itself (blocks, qualifications): the same keys, whatever the requester is called."""
        return self.requester.client

    def get_session_for_requester(self, _requester_name: str) -> Any:
        raise NotImplementedError("A requester's keys are not kept under its name; use `requester`.")

    def _rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        with self.table_access_condition:
            return self._get_connection().execute(query, values).fetchall()

    def _write(self, statement: str, *values: object) -> None:
        with self.table_access_condition, self._get_connection() as connection:
            connection.execute(statement, values)

    def run_key(self, run_id: str) -> str:
        """Return the key that distinguishes this run's HITs from those of any other, drawn at the first call."""
        self._write("INSERT OR IGNORE INTO run_keys VALUES (?, ?)", run_id, secrets.token_hex(8))
        [row] = self._rows("SELECT run_key FROM run_keys WHERE run_id = ?", run_id)
        return str(row["run_key"])

    def is_registered(self, run_id: str) -> bool:
        return bool(self._rows("SELECT 1 FROM runs WHERE run_id = ?", run_id))

    def has_hit(self, run_id: str, hit_id: str) -> bool:
        return bool(self._rows("SELECT 1 FROM run_mappings WHERE run_id = ? AND hit_id = ?", run_id, hit_id))

    def number_of_hits(self, run_id: str) -> int:
        """Return the number of HITs that were ever offered."""
        [row] = self._rows("SELECT count(*) AS number FROM run_mappings WHERE run_id = ?", run_id)
        return int(row["number"])

    def keep_hit(self, hit_id: str, label: Label, duration_seconds: int, run_id: str) -> None:
        """The same HIT may be kept twice, also by two threads at once."""
        with self.table_access_condition:
            if not self.has_hit(run_id, hit_id):
                self.new_hit(hit_id, label.annotation, duration_seconds, run_id)

    # What a worker has accepted

    def register_assignment_to_hit(
        self, hit_id: str, unit_id: str | None = None, assignment_id: str | None = None, deadline: int = 0
    ) -> None:
        """A reload, or a page that was given another unit after a restart, replaces what was known.

        `deadline` is as the marketplace has signed it, if it signs.
        """
        if unit_id is None or assignment_id is None:
            raise InvalidInput("assignment_id", "A unit and an assignment are needed.")
        with self.table_access_condition, self._get_connection() as connection:
            accepted = (assignment_id, hit_id, unit_id)
            connection.execute(
                "INSERT OR REPLACE INTO acceptances (assignment_id, hit_id, unit_id) VALUES (?, ?, ?)", accepted
            )
            if deadline:
                connection.execute("INSERT OR REPLACE INTO deadlines VALUES (?, ?)", (assignment_id, deadline))

    def clear_hit_from_unit(self, unit_id: str) -> None:
        self._write("DELETE FROM acceptances WHERE unit_id = ?", unit_id)

    def get_hit_mapping(self, unit_id: str) -> sqlite3.Row:
        """The newest of the unit. Raises `IndexError` when nobody has it."""
        query = "SELECT * FROM acceptances WHERE unit_id = ? ORDER BY number DESC LIMIT 1"
        return self._rows(query, unit_id)[0]

    def accepted_hit(self, assignment_id: str) -> str | None:
        """The HIT of which a page has said that this is an assignment."""
        rows = self._rows("SELECT hit_id FROM acceptances WHERE assignment_id = ?", assignment_id)
        return str(rows[0]["hit_id"]) if rows else None

    def deadline(self, assignment_id: str) -> int:
        """Seconds since 1970, as the marketplace has signed it; 0 where it signs nothing."""
        rows = self._rows("SELECT deadline FROM deadlines WHERE assignment_id = ?", assignment_id)
        return int(rows[0]["deadline"]) if rows else 0

    def holder(self, hit_id: str) -> Holder | None:
        """Return the last holder of a HIT, as far as pages have registered here."""
        query = (
            "SELECT assignment_id, unit_id, coalesce(deadline, 0) AS deadline FROM acceptances "
            "LEFT JOIN deadlines USING (assignment_id) WHERE hit_id = ? ORDER BY number DESC LIMIT 1"
        )
        rows = self._rows(query, hit_id)
        return Holder(**rows[0]) if rows else None

    def holders(self) -> dict[str, str]:
        """Units by HIT: who has accepted last, and was not let go."""
        return {row["hit_id"]: row["unit_id"] for row in self._rows("SELECT * FROM acceptances ORDER BY number")}

    def accepted_hits(self, unit_ids: Iterable[str]) -> dict[str, str]:
        """HITs by unit."""
        held = {row["unit_id"]: row["hit_id"] for row in self._rows("SELECT * FROM acceptances ORDER BY number")}
        return {unit_id: held[unit_id] for unit_id in unit_ids if unit_id in held}
