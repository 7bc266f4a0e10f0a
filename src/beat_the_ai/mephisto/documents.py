"""Mephisto's files on its agents, written behind: in its database at once, in their places a moment later.

Mephisto keeps two files for each agent, and rewrites them as the agent goes on. Making files costs more than anything
else that a HIT costs. Here a document is a row, as safe as the database's other rows, until a thread has
written its file. Whoever asks this database has the newest; Mephisto's own tools, which read files, have it a few
seconds later. A process that was killed leaves rows behind, of which the next one makes files.
"""

from __future__ import annotations

import fcntl
import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from beat_the_ai.files.atomic_write import replacing

TABLE = (
    "CREATE TABLE IF NOT EXISTS documents "
    "(number INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, content TEXT NOT NULL)"
)
LOCK = "documents.lock"
SETTLE_SECONDS = 5.0
AT_A_TIME, BREATH_SECONDS = 20, 0.02  # so that nobody waits for a thousand files
STOP_SECONDS = 10

log = logging.getLogger(__name__)
Connected = Callable[[], AbstractContextManager[sqlite3.Connection]]


class Documents:
    """Texts by their paths below `root`. `connected()` gives the database's connection, for a transaction.

    Unless it was started, a document's file is written at once.
    """

    def __init__(self, root: Path, connected: Connected) -> None:
        self._root = root
        self._connected = connected
        self._thread: threading.Thread | None = None
        self._stopped = threading.Event()

    def start(self) -> None:
        """From now on a thread writes the files."""
        self._thread = threading.Thread(target=self._run, name="documents", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Write what is left. Does nothing where it was not started."""
        if self._thread is not None:
            self._stopped.set()
            self._thread.join(STOP_SECONDS)
            self._thread = None
            with _failure_told():
                self.settle()

    def keep(self, documents: Mapping[Path, str]) -> None:
        """All of them, or none; each takes the place of the one before."""
        rows = [(self._name(path), content) for path, content in documents.items()]
        with self._connected() as connection:
            connection.executemany("INSERT OR REPLACE INTO documents (path, content) VALUES (?, ?)", rows)
        if self._thread is None:
            self.settle()

    def waiting(self, path: Path) -> str | None:
        """The document of a path whose file is yet to be written; None where the file has it, if anything does."""
        with self._connected() as connection:
            row = connection.execute("SELECT content FROM documents WHERE path = ?", (self._name(path),)).fetchone()
        return None if row is None else str(row["content"])

    def settle(self) -> None:
        """Write the files of all documents. What is replaced meanwhile stays, and has its file written again."""
        while self._settle_some():
            pass

    def _settle_some(self) -> bool:
        """Return whether there were any."""
        with self._alone():
            rows = self._some()
            for row in rows:
                with replacing(self._root / row["path"], synced=False) as file:
                    file.write(row["content"].encode())
            with self._connected() as connection:
                connection.executemany("DELETE FROM documents WHERE number = ?", [(row["number"],) for row in rows])
        return bool(rows)

    def _some(self) -> list[sqlite3.Row]:
        with self._connected() as connection:
            return connection.execute("SELECT * FROM documents ORDER BY number LIMIT ?", (AT_A_TIME,)).fetchall()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other processes from writing files: one with an older document could be the last to write it."""
        with (self._root / LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _run(self) -> None:
        is_busy = False
        while not self._stopped.wait(BREATH_SECONDS if is_busy else SETTLE_SECONDS):
            is_busy = False
            with _failure_told():
                is_busy = self._settle_some()

    def _name(self, path: Path) -> str:
        return str(path.relative_to(self._root))


@contextmanager
def _failure_told() -> Iterator[None]:
    """The disk may be full: the rows stay, and the next time, or the next process, may find room."""
    try:
        yield
    except Exception:
        log.exception("Mephisto's files cannot be written yet")
