"""Mephisto's database as the operator uses it: quick, safe from a kill, and asked for no more than is needed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from beat_the_ai.files.atomic_write import replacing
from beat_the_ai.files.permissions import make_private
from beat_the_ai.mephisto.mturk.datastore import CampaignDatastore
from beat_the_ai.mephisto.shim import Agent, AgentState, AssignmentState, LocalMephistoDB, TaskRun, Unit

INDEX = "CREATE INDEX IF NOT EXISTS unit_by_run_by_status_index ON units (task_run_id, status)"
UNITS_AT_A_TIME = 8
FREE_UNITS = (
    "SELECT * FROM units WHERE task_run_id = ? AND status = ? AND unit_id > ? AND unit_index >= 0 "
    "ORDER BY unit_id LIMIT ?"
)


class MephistoDatabase(LocalMephistoDB):  # type: ignore[misc]
    """Mephisto's database in WAL mode: it survives a kill of the process at a third of the cost per registration.

    One connection serves all threads (every access holds Mephisto's lock); Mephisto opens one for each thread for ever.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        make_private(path.parent)
        self._connection: sqlite3.Connection | None = None
        self._task_runs: dict[str, TaskRun] = {}
        self._datastores: list[Any] = []
        super().__init__(str(path))

    def init_tables(self) -> None:
        super().init_tables()
        with self.table_access_condition:
            self._get_connection().execute(INDEX)

    def _get_connection(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = super()._get_connection()
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=NORMAL")
        return self._connection

    def optimized_load(self, target_cls: type, db_id: str, row: Any = None) -> Any:
        """Task runs are kept: making one parses its whole configuration (9 ms), and every unit and agent makes one."""
        return self._task_runs.get(db_id) if target_cls is TaskRun else None

    def cache_result(self, target_cls: type, value: Any) -> None:
        if target_cls is TaskRun:
            self._task_runs[value.db_id] = value

    def new_agent(self, *given: Any, **more: Any) -> str:
        """Accepted from the start: to Mephisto a unit whose agent has no status is free, and looking makes it so."""
        with self.table_access_condition:
            agent_id = str(super().new_agent(*given, **more))
            self.update_agent(agent_id, status=AgentState.STATUS_ACCEPTED)
            return agent_id

    def free_units(self, run_id: str) -> Iterator[Unit]:
        """Units of a run that nobody has, in the order in which they were made, each read when it is asked for."""
        last = 0
        while rows := self._rows(FREE_UNITS, int(run_id), AssignmentState.LAUNCHED, last, UNITS_AT_A_TIME):
            for row in rows:
                yield Unit(self, row["unit_id"], row=row, _used_new_call=True)
            last = int(rows[-1]["unit_id"])

    def agent_of_run(self, agent_id: str, run_id: str) -> Agent | None:
        """None for one that is of no run, or of another."""
        rows = self._rows("SELECT * FROM agents WHERE agent_id = ? AND task_run_id = ?", agent_id, int(run_id))
        return Agent(self, rows[0]["agent_id"], row=rows[0], _used_new_call=True) if rows else None

    def number_of_units(self, run_id: str, states: Collection[str]) -> int:
        """Return the number of a run's units in these states."""
        [row] = self._rows(f"SELECT count(*) AS number {_units_in(states)}", int(run_id), *states)
        return int(row["number"])

    def assignments_of_units(self, run_id: str, states: Collection[str]) -> list[str]:
        """The assignments of a run's units in these states, in the order in which they were made."""
        query = f"SELECT assignment_id {_units_in(states)} ORDER BY unit_id"
        return [row["assignment_id"] for row in self._rows(query, int(run_id), *states)]

    def _rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        with self.table_access_condition:
            return self._get_connection().execute(query, values).fetchall()

    def write_dict(self, path_key: str, target_dict: dict[str, Any]) -> None:
        """In one step, that a kill leaves nothing half written; as safe from a power cut as the database's own rows."""
        self._assert_path_in_domain(path_key)
        with replacing(Path(path_key), synced=False) as file:
            file.write(json.dumps(target_dict).encode())

    def key_exists(self, key: str) -> bool:
        """Return whether a key exists and is not empty. An empty file was being written when the machine went down."""
        return super().key_exists(key) and Path(key).stat().st_size > 0

    def set_datastore_for_provider(self, provider_type: str, datastore: Any) -> None:
        super().set_datastore_for_provider(provider_type, datastore)
        self._datastores.append(datastore)

    def close(self) -> None:
        for datastore in self._datastores:
            if isinstance(datastore, CampaignDatastore):
                datastore.close()
                continue
            with datastore.table_access_condition:  # one of Mephisto's own
                for connection in datastore.conn.values():
                    connection.close()
                datastore.conn.clear()
        with self.table_access_condition:
            if self._connection is not None:
                self._connection.close()
            self._connection = None
            self.conn.clear()


def _units_in(states: Collection[str]) -> str:
    """To be given the run and the states."""
    return f"FROM units WHERE task_run_id = ? AND status IN ({', '.join('?' for _ in states)})"
