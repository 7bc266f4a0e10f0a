"""Submissions on their way to the operator, kept on disk until it confirms them.

The page is told "Submitted!" only after the file is synced, so neither the router's death nor the operator's absence
loses a submission.
"""

from __future__ import annotations

import json
import logging
from pathlib import Path

from beat_the_ai.errors import DiskFull
from beat_the_ai.files.atomic_write import replacing
from beat_the_ai.files.disk_full import is_full
from beat_the_ai.mephisto.packets import Packet

log = logging.getLogger(__name__)


class Spool:
    """One JSON file per agent in `directory`. A second submission of the same agent does not replace the first."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._directory = directory

    def keep(self, agent_id: str, packet: Packet) -> bool:
        """Store a submission durably; False when there is one of this agent already. Raises `DiskFull`."""
        path = self._path(agent_id)
        if path.exists():
            return False
        try:
            with replacing(path) as file:
                file.write(json.dumps(packet).encode())
        except OSError as error:
            if not is_full(error):
                raise
            log.error("A submission cannot be kept: the disk is full.")
            raise DiskFull from error
        return True

    def has(self, agent_id: str) -> bool:
        return self._path(agent_id).exists()

    def drop(self, agent_id: str) -> None:
        self._path(agent_id).unlink(missing_ok=True)

    def waiting(self) -> list[Packet]:
        """Return the kept submissions in no particular order. A damaged file must not hold up the others."""
        packets = []
        for path in sorted(self._directory.glob("*.json")):
            try:
                packets.append(json.loads(path.read_text(encoding="utf-8")))
            except ValueError:
                log.exception("the submission in %s cannot be read", path.name)
        return packets

    def _path(self, agent_id: str) -> Path:
        return self._directory / f"{agent_id.encode().hex()}.json"
