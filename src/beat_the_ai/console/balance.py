"""The balance of a campaign's account at its crowd: asked at most once a minute, and never waited for long."""

from __future__ import annotations

import logging
import time
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TimeIsOver
from contextlib import closing
from threading import Lock, Thread

from beat_the_ai.campaign.money.crowd import has_crowd, requester_of
from beat_the_ai.console import views
from beat_the_ai.console.campaigns import Watched
from beat_the_ai.errors import BeatTheAIError
from beat_the_ai.store import now

STANDS_SECONDS = 60.0
PATIENCE_SECONDS = 5.0
AWAY = "The crowd could not be asked"

log = logging.getLogger(__name__)


class Balance:
    """The balance of one campaign. Safe to use from threads."""

    def __init__(self, watched: Watched) -> None:
        self._watched = watched
        self._lock = Lock()
        self._asked_at: float | None = None
        self._asking: Future[views.Balance] | None = None

    def now(self) -> views.Balance:
        """Return the balance as it was at most a minute ago, or why the crowd could not be asked."""
        with self._lock:
            is_over = self._asked_at is None or time.monotonic() - self._asked_at >= STANDS_SECONDS
            if self._asking is None or (is_over and self._asking.done()):
                self._asked_at, self._asking = time.monotonic(), self._begin_to_ask()
            asking = self._asking
        try:
            return asking.result(PATIENCE_SECONDS)
        except TimeIsOver:
            return views.Balance(cents=None, at=None, away=f"{AWAY}: no answer within {PATIENCE_SECONDS:g} seconds.")

    def _begin_to_ask(self) -> Future[views.Balance]:
        """Ask in a thread that keeps nobody from stopping the process."""
        asking = Future[views.Balance]()

        def ask() -> None:
            try:
                asking.set_result(self._ask())
            except Exception:  # the boundary of a thread
                log.exception("The balance of %s is not known.", self._watched.id)
                asking.set_result(views.Balance(cents=None, at=None, away=f"{AWAY}."))

        Thread(target=ask, name="balance", daemon=True).start()
        return asking

    def _ask(self) -> views.Balance:
        campaign = self._watched.desk.campaign
        if campaign.record.simulated or not has_crowd(campaign):  # the marketplace of a rehearsal ends with it
            return views.Balance(cents=None, at=None, away=None)
        try:
            with closing(requester_of(campaign, sleep=_do_not_insist)) as requester:
                return views.Balance(cents=requester.balance_cents(), at=now(), away=None)
        except BeatTheAIError as error:
            log.warning("The balance of %s is not known: %s", campaign.id, error)
            return views.Balance(cents=None, at=None, away=f"{AWAY}.")


def _do_not_insist(_seconds: float) -> None:
    """Somebody waits for the answer: the tries follow each other at once."""
