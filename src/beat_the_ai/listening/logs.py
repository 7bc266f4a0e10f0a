"""A log that nobody outside can fill: so many records a minute from each place in the code, and a count of the rest."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

RECORDS_PER_PERIOD = 20
PERIOD_SECONDS = 60.0


@dataclass
class _Place:
    since: float
    passed: int = 0
    dropped: int = 0


class Moderation(logging.Filter):
    """Lets the first records of a period through; the first of a later one tells how many were left out."""

    def __init__(self) -> None:
        super().__init__()
        self._places: dict[tuple[str, int], _Place] = {}
        self._lock = threading.Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        where, now = (record.pathname, record.lineno), time.monotonic()
        with self._lock:
            place = self._places.setdefault(where, _Place(now))
            dropped = 0
            if now - place.since >= PERIOD_SECONDS:
                dropped = place.dropped
                place = self._places[where] = _Place(now)
            if place.passed >= RECORDS_PER_PERIOD:
                place.dropped += 1
                return False
            place.passed += 1
        if dropped:
            record.msg = f"{record.getMessage()} (and {dropped:,} more from here that were not logged)"
            record.args = ()
        return True


@contextmanager
def moderated_log() -> Iterator[None]:
    """For all that this process logs while the block runs."""
    moderation = Moderation()
    handlers = [*logging.getLogger().handlers, *([logging.lastResort] if logging.lastResort else [])]
    for handler in handlers:
        handler.addFilter(moderation)
    try:
        yield
    finally:
        for handler in handlers:
            handler.removeFilter(moderation)
