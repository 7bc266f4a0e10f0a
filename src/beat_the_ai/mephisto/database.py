"""Mephisto's database as the operator uses it: quick, safe from a kill, and asked for no more than is needed.

Mephisto reads an agent and its unit anew at every step, and writes each step. While an agent is at work, only the
operator that has made it changes either. So that operator has both in memory, and writes the beginning and the end.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from beat_the_ai.files.permissions import make_private
from beat_the_ai.mephisto import documents
from beat_the_ai.mephisto.documents import Documents
from beat_the_ai.mephisto.mturk.datastore import CampaignDatastore
from beat_the_ai.mephisto.shim import Agent, AgentState, AssignmentState, LocalMephistoDB, TaskRun, Unit

INDEX = "CREATE INDEX IF NOT EXISTS unit_by_run_by_status_index ON units (task_run_id, status)"
UNITS_AT_A_TIME = 8
NEW_AGENT = (
    "INSERT INTO agents (worker_id, unit_id, task_id, task_run_id, assignment_id, task_type, provider_type, status) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
ASSIGN_UNIT = "UPDATE units SET status = ?, agent_id = ?, worker_id = ? WHERE unit_id = ?"
END_AGENT = "UPDATE agents SET status = ? WHERE agent_id = ?"
COMPLETE_UNIT = "UPDATE units SET status = ? WHERE unit_id = ? AND agent_id = ?"
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
        self._agents: dict[str, Agent] = {}  # at work, made by this process
        self._agent_rows: dict[str, dict[str, Any]] = {}
        self._unit_rows: dict[str, Mapping[str, Any]] = {}
        self._datastores: list[Any] = []
        self._documents = Documents(path.parent, self._connected)
        super().__init__(str(path))

    def init_tables(self) -> None:
        super().init_tables()
        with self._connected() as connection:
            connection.execute(INDEX)
            connection.execute(documents.TABLE)

    def _get_connection(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = super()._get_connection()
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=NORMAL")
        return self._connection

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        """For a transaction: committed when the block ends, rolled back when it raises."""
        with self.table_access_condition, self._get_connection() as connection:
            yield connection

    def optimized_load(self, target_cls: type, db_id: str, row: Any = None) -> Any:
        """Task runs are kept: making one parses its whole configuration (9 ms), and every unit and agent makes one."""
        if target_cls is TaskRun:
            return self._task_runs.get(db_id)
        return self._agents.get(str(db_id)) if issubclass(target_cls, Agent) else None

    def cache_result(self, target_cls: type, value: Any) -> None:
        if target_cls is TaskRun:
            self._task_runs[value.db_id] = value
        elif issubclass(target_cls, Agent) and value.db_id in self._agent_rows:
            self._agents[value.db_id] = value

    def new_agent(
        self,
        worker_id: str,
        unit_id: str,
        task_id: str,
        task_run_id: str,
        assignment_id: str,
        task_type: str,
        provider_type: str,
    ) -> str:
        """At work from the start: to Mephisto a unit whose agent has no status is free, and looking makes it so."""
        whose = (worker_id, unit_id, task_id, task_run_id, assignment_id)
        with self.table_access_condition:
            with self._connected() as connection:
                made = (*map(int, whose), task_type, provider_type, AgentState.STATUS_IN_TASK)
                agent_id = str(connection.execute(NEW_AGENT, made).lastrowid)
                assigned = (AssignmentState.ASSIGNED, int(agent_id), int(worker_id), int(unit_id))
                connection.execute(ASSIGN_UNIT, assigned)
            # Once it is committed: what was rolled back would stay here, and its unit would never be free again.
            self._unit_rows[unit_id] = dict(super().get_unit(unit_id))
            self._agent_rows[agent_id] = {
                "agent_id": agent_id,
                "worker_id": worker_id,
                "unit_id": unit_id,
                "task_id": task_id,
                "task_run_id": task_run_id,
                "assignment_id": assignment_id,
                "task_type": task_type,
                "provider_type": provider_type,
                "status": AgentState.STATUS_ACCEPTED,
            }
            return agent_id

    def is_at_work(self, agent_id: str) -> bool:
        """Return whether this process has made the agent, and it is at work: whatever is known of it is in memory."""
        return agent_id in self._agent_rows

    def get_agent(self, agent_id: str) -> Mapping[str, Any]:
        row: Mapping[str, Any] = self._agent_rows.get(str(agent_id)) or super().get_agent(agent_id)
        return row

    def get_unit(self, unit_id: str) -> Mapping[str, Any]:
        row: Mapping[str, Any] = self._unit_rows.get(str(unit_id)) or super().get_unit(unit_id)
        return row

    def update_agent(self, agent_id: str, status: str | None = None) -> None:
        """Write how an agent ends; its unit is completed in the same step."""
        with self.table_access_condition:
            row = self._agent_rows.get(agent_id)
            if row is not None and status not in AgentState.complete():
                row["status"] = status
                return
            if status not in AgentState.valid():
                super().update_agent(agent_id, status)  # raises Mephisto's error
            with self._connected() as connection:
                connection.execute(END_AGENT, (status, int(agent_id)))
                if status == AgentState.STATUS_COMPLETED:
                    unit_id = self.get_agent(agent_id)["unit_id"]
                    connection.execute(COMPLETE_UNIT, (AssignmentState.COMPLETED, int(unit_id), int(agent_id)))
                    self._unit_rows.pop(unit_id, None)
            self._agent_rows.pop(agent_id, None)
            self._agents.pop(agent_id, None)

    def update_unit(self, unit_id: str, agent_id: str | None = None, status: str | None = None) -> None:
        with self.table_access_condition:
            row = self._unit_rows.get(unit_id)
            if row is None or agent_id is not None or status != row["status"]:
                self._unit_rows.pop(unit_id, None)
                super().update_unit(unit_id, agent_id, status)

    def clear_unit_agent_assignment(self, unit_id: str) -> None:
        with self.table_access_condition:
            super().clear_unit_agent_assignment(unit_id)
            self._unit_rows.pop(unit_id, None)

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

    def start_writing_behind(self) -> None:
        """For the process that serves: files of agents are written behind, and when this database is closed."""
        self._documents.start()

    def write_dict(self, path_key: str, target_dict: Mapping[str, Any]) -> None:
        """In one step, that a kill leaves nothing half written; as safe from a power cut as the database's own rows."""
        self.write_dicts({path_key: target_dict})

    def write_dicts(self, contents: Mapping[str, Mapping[str, Any]]) -> None:
        """As `write_dict`, all of them or none."""
        for path_key in contents:
            self._assert_path_in_domain(path_key)
        self._documents.keep({Path(path_key): json.dumps(content) for path_key, content in contents.items()})

    def read_dict(self, path_key: str) -> dict[str, Any]:
        self._assert_path_in_domain(path_key)
        waiting = self._documents.waiting(Path(path_key))
        content: dict[str, Any] = super().read_dict(path_key) if waiting is None else json.loads(waiting)
        return content

    def key_exists(self, path_key: str) -> bool:
        """Return whether a key exists and is not empty. An empty file was being written when the machine went down."""
        self._assert_path_in_domain(path_key)
        if self._documents.waiting(Path(path_key)) is not None:
            return True
        path = Path(path_key)
        return path.is_file() and path.stat().st_size > 0

    def set_datastore_for_provider(self, provider_type: str, datastore: Any) -> None:
        super().set_datastore_for_provider(provider_type, datastore)
        self._datastores.append(datastore)

    def close(self) -> None:
        self._documents.stop()
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
