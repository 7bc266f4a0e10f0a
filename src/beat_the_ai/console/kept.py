"""Figures that are kept until somebody writes: made one at a time, at most a small part of the time, if asked for.

Large campaigns take seconds. Whoever asks gets the last figures at once, with the time of newer ones.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from threading import Event, Lock
from typing import Generic, TypeVar

from beat_the_ai.console.campaigns import Watched
from beat_the_ai.process.gc_control import search_paused
from beat_the_ai.validation import AdjudicatedWorks

MOST_SHARE = 0.05
LEAST_REST_SECONDS = 2.0

FiguresT = TypeVar("FiguresT")

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Kept(Generic[FiguresT]):
    figures: FiguresT
    mark: str
    made_at: float
    took_seconds: float

    @property
    def rest_seconds(self) -> float:
        """Return how long they stand, whatever is written."""
        passed = time.monotonic() - self.made_at
        return max(0.0, max(LEAST_REST_SECONDS, self.took_seconds / MOST_SHARE) - passed)


class Kept(Generic[FiguresT]):
    """Figures of one campaign that `make` makes. Safe to use from threads."""

    def __init__(self, watched: Watched, make: Callable[[Watched], FiguresT], executor: Executor) -> None:
        self._watched = watched
        self._make_figures = make
        self._executor = executor
        self._changes = watched.store.changes()
        self._making, self._state, self._was_tried = Lock(), Lock(), Event()
        self._kept: _Kept[FiguresT] | None = None
        self._is_due = False

    @property
    def last(self) -> FiguresT | None:
        """Return the last figures; None before the first ones are made."""
        return None if self._kept is None else self._kept.figures

    def now(self) -> tuple[FiguresT, float | None]:
        """Return the last figures, and in how many seconds newer ones are there. The first ones are waited for."""
        kept = self._kept or self._make()
        if self._changes.mark() == kept.mark:
            return kept.figures, None
        if kept.rest_seconds == 0:
            self.renew()
        return kept.figures, max(1.0, kept.rest_seconds + kept.took_seconds)

    def renew(self) -> None:
        """Have the figures made, unless they are being made."""
        with self._state:
            if not self._is_due:
                self._is_due = True
                self._executor.submit(self._make_anew)

    def wait(self, seconds: float) -> None:
        """Wait until the first figures are made, could not be made, or the time is over."""
        self._was_tried.wait(seconds)

    def close(self) -> None:
        """Give the connection back that looks for changes."""
        self._changes.close()

    def _make_anew(self) -> None:
        try:
            self._make(anew=True)
        except Exception:  # the last figures stand, and whoever asks for new ones has them tried again
            log.exception("The figures of %s could not be made.", self._watched.id)
        finally:
            self._is_due = False
            self._was_tried.set()

    def _make(self, *, anew: bool = False) -> _Kept[FiguresT]:
        with self._making:
            if self._kept is None or anew:
                began = time.monotonic()
                AdjudicatedWorks(self._watched.bound()).adjudicate()  # which writes
                mark = self._changes.mark()
                with search_paused():
                    figures = self._make_figures(self._watched)
                ended = time.monotonic()
                self._kept = _Kept(figures, mark, ended, ended - began)
            return self._kept
