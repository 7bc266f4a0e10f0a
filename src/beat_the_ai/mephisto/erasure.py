"""Erasing a worker from the files of a run that nobody serves: its database, its agents' files, the spool."""

from __future__ import annotations

import fcntl
import json
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from beat_the_ai.errors import Refused
from beat_the_ai.files.permissions import OPERATOR_LOCK
from beat_the_ai.mephisto.router.spool import FILE as SPOOL
from beat_the_ai.mephisto.shim import AssignmentState

DATABASE, CROWD_DATABASES = "database.db", "*/mturk.db"
SPOOLS = f"data/runs/*/*/router/**/{SPOOL}"
SANDBOX = "_sandbox"  # which Mephisto adds to the name of a worker
BUSY_SECONDS = 30
FORGET_DEADLINES = (
    "DELETE FROM deadlines WHERE assignment_id IN (SELECT assignment_id FROM acceptances WHERE unit_id = ?)"
)
FORGET_WORKER = (  # each is given two names
    "UPDATE units SET worker_id = NULL WHERE worker_id IN (SELECT worker_id FROM workers WHERE worker_name IN (?, ?))",
    "DELETE FROM granted_qualifications WHERE worker_id IN (SELECT worker_id FROM workers WHERE worker_name IN (?, ?))",
    "DELETE FROM onboarding_agents WHERE worker_id IN (SELECT worker_id FROM workers WHERE worker_name IN (?, ?))",
    "DELETE FROM workers WHERE worker_name IN (?, ?)",
)


@contextmanager
def unserved(folders: Sequence[Path]) -> Iterator[None]:
    """Keep operators from serving these folders until the block ends. Raises `Refused` while one does."""
    with ExitStack() as locks:
        for folder in folders:
            lock = locks.enter_context((folder / OPERATOR_LOCK).open("a"))
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise Refused(
                    f"{folder} is being served. Stop `launch` or `serve` first (Ctrl-C loses nothing); both resume."
                ) from None
        yield


def erase_worker(folder: Path, worker: str) -> int:
    """Erase a worker from the folder of a stage, and return the number of agents that were theirs.

    Units that the worker has not submitted are free again. What was begun by a process that died is finished.
    """
    file = folder / DATABASE
    if not file.is_file():
        return 0
    with closing(_connect(file)) as database:
        agents = database.execute(
            "SELECT agent_id, unit_id, assignment_id, task_run_id, status FROM agents JOIN workers USING (worker_id) "
            "WHERE worker_name IN (?, ?)",
            (worker, worker + SANDBOX),
        ).fetchall()
        for each in agents:
            _erase_files(folder, database, each)
        for crowd in folder.glob(CROWD_DATABASES):
            _erase_acceptances(crowd, [str(each["unit_id"]) for each in agents])
        for spool in folder.glob(SPOOLS):
            _erase_submissions(spool, [str(each["agent_id"]) for each in agents])
        with database:  # last: until then the agents are found again
            _erase_rows(database, agents, worker)
    for each in (file, *folder.glob(CROWD_DATABASES), *folder.glob(SPOOLS)):
        _scrub(each)
    return len(agents)


def _erase_files(folder: Path, database: sqlite3.Connection, agent: sqlite3.Row) -> None:
    place = f"{agent['task_run_id']}/{agent['assignment_id']}/{agent['agent_id']}"
    for path in folder.glob(f"data/runs/*/{place}"):
        shutil.rmtree(path)
    with database:
        database.execute("DELETE FROM documents WHERE path LIKE ?", (f"data/runs/%/{place}/%",))


def _erase_acceptances(file: Path, units: Sequence[str]) -> None:
    with closing(_connect(file)) as database, database:
        for unit in units:
            database.execute(FORGET_DEADLINES, (unit,))
            database.execute("DELETE FROM acceptances WHERE unit_id = ?", (unit,))


def _erase_submissions(file: Path, agents: Sequence[str]) -> None:
    with closing(_connect(file)) as database, database:
        database.executemany("DELETE FROM submissions WHERE agent = ?", [(json.dumps(agent),) for agent in agents])


def _erase_rows(database: sqlite3.Connection, agents: Sequence[sqlite3.Row], worker: str) -> None:
    for each in agents:
        theirs = (each["unit_id"], each["agent_id"])
        database.execute(
            "UPDATE units SET status = ? WHERE unit_id = ? AND agent_id = ? AND status = ?",
            (AssignmentState.LAUNCHED, *theirs, AssignmentState.ASSIGNED),
        )
        database.execute(
            "UPDATE units SET agent_id = NULL, worker_id = NULL WHERE unit_id = ? AND agent_id = ?", theirs
        )
        database.execute("DELETE FROM agents WHERE agent_id = ?", (each["agent_id"],))
    names = (worker, worker + SANDBOX)
    for statement in FORGET_WORKER:
        database.execute(statement, names)


def _connect(file: Path) -> sqlite3.Connection:
    database = sqlite3.connect(file, timeout=BUSY_SECONDS)
    database.row_factory = sqlite3.Row
    return database


def _scrub(file: Path) -> None:
    """Leave nothing of deleted rows in a database's files."""
    with closing(_connect(file)) as database:
        database.execute("VACUUM")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
