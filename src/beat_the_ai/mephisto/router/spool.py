"""Submissions on their way to the operator, kept on disk until it confirms them.

The page is told "Submitted!" only after its submission is synced, so neither the router's death nor the operator's
absence loses a submission. Those that come while the disk is busy are synced together.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import sqlite3
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from beat_the_ai.errors import DiskFull
from beat_the_ai.files.disk_full import is_full
from beat_the_ai.mephisto.packets import Packet

FILE = "submissions.db"
DROP_SECONDS = 1.0  # a submission that was confirmed leaves the disk with the next one, or so much later
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL")
TABLE = "CREATE TABLE IF NOT EXISTS submissions (agent TEXT PRIMARY KEY, packet TEXT NOT NULL) WITHOUT ROWID"

log = logging.getLogger(__name__)


class Spool:
    """One packet per agent, in a database in `directory`. An agent's second submission does not replace the first.

    All but the disk's work happens on one event loop.
    """

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(directory / FILE, check_same_thread=False, isolation_level=None)
        for pragma in PRAGMAS:
            self._connection.execute(f"PRAGMA {pragma}")
        self._connection.execute(TABLE)
        self._disk = ThreadPoolExecutor(1, thread_name_prefix="spool")
        self._kept = {str(json.loads(agent)) for (agent,) in self._connection.execute("SELECT agent FROM submissions")}
        self._coming: dict[str, asyncio.Future[None]] = {}
        self._line: list[tuple[str, Packet]] = []
        self._dropped: list[str] = []
        self._writing: asyncio.Task[None] | None = None

    async def keep(self, agent_id: str, packet: Packet) -> bool:
        """Store a submission durably; False when there is one of this agent already. Raises `DiskFull`."""
        if agent_id in self._kept:
            return False
        if agent_id in self._coming:
            await asyncio.shield(self._coming[agent_id])
            return False
        self._coming[agent_id] = kept = asyncio.get_running_loop().create_future()
        self._line.append((agent_id, packet))
        self._write()
        await asyncio.shield(kept)
        return True

    def has(self, agent_id: str) -> bool:
        return agent_id in self._kept

    def drop(self, agent_id: str) -> None:
        if agent_id not in self._kept:
            return
        self._kept.remove(agent_id)
        self._dropped.append(agent_id)
        with contextlib.suppress(RuntimeError):  # without a loop it leaves with the next one
            asyncio.get_running_loop().call_later(DROP_SECONDS, self._write)

    def waiting(self) -> list[Packet]:
        """Return the kept submissions in no particular order."""
        rows = self._connection.execute("SELECT agent, packet FROM submissions").fetchall()
        return [json.loads(packet) for agent, packet in rows if json.loads(agent) in self._kept]

    def _write(self) -> None:
        if self._writing is None and (self._line or self._dropped):
            self._writing = asyncio.ensure_future(self._empty_line())

    async def _empty_line(self) -> None:
        loop = asyncio.get_running_loop()
        while self._line or self._dropped:
            (line, self._line), (dropped, self._dropped) = (self._line, []), (self._dropped, [])
            try:
                await loop.run_in_executor(self._disk, self._commit, line, dropped)
            except Exception as error:  # noqa: BLE001 - each of those who wait for it is told
                self._dropped += dropped
                for agent_id, _ in line:
                    self._coming.pop(agent_id).set_exception(_described(error))
                break  # what was dropped leaves with the next one
            self._kept.update(agent_id for agent_id, _ in line)
            for agent_id, _ in line:
                self._coming.pop(agent_id).set_result(None)
        self._writing = None
        if self._line:
            self._write()

    def _commit(self, line: Iterable[tuple[str, Packet]], dropped: Iterable[str]) -> None:
        """In the thread of the disk. As ASCII: what a page says may hold lone surrogates, which UTF-8 cannot carry."""
        kept = [(json.dumps(agent_id), json.dumps(packet)) for agent_id, packet in line]
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(
                "DELETE FROM submissions WHERE agent = ?", [(json.dumps(agent_id),) for agent_id in dropped]
            )
            self._connection.executemany("INSERT OR IGNORE INTO submissions VALUES (?, ?)", kept)


def _described(error: Exception) -> Exception:
    if not is_full(error):
        return error
    log.error("A submission cannot be kept: the disk is full.")
    full = DiskFull()
    full.__cause__ = error
    return full
