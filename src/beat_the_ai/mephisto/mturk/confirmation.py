"""Hand-ins compared with what the crowd has: what it lists of this worker counts, anything else is set aside.

A page hands in here first and posts the crowd's form then, so that most are confirmed at the first or second look. What
reached the crowd without a page is kept as set aside: a person decides about it before the crowd pays it by itself.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Mapping

from beat_the_ai.errors import PaymentError
from beat_the_ai.mephisto.hand_ins import HandInDesk
from beat_the_ai.mephisto.mturk.datastore import CampaignDatastore
from beat_the_ai.mephisto.mturk.survey import OfferedHit, submissions_to
from beat_the_ai.store import ANOTHER_HITS, ANOTHER_WORKERS, Assignment

FIRST_LOOK_SECONDS = 0.5
NEVER_ARRIVED = "the crowd never received it"

log = logging.getLogger(__name__)


class Confirmation:
    """Looks at each hand-in soon after it was made, then less and less often, up to every `longest_seconds`."""

    def __init__(self, desk: HandInDesk, datastore: CampaignDatastore, longest_seconds: float) -> None:
        self._desk = desk
        self._datastore = datastore
        self._longest_seconds = longest_seconds
        self._news = threading.Event()
        self._ending = threading.Event()
        self._suspects: set[str] = set()
        self._known_hits: set[str] = set()
        self._thread = threading.Thread(target=self._run, name="confirmation", daemon=True)

    def start(self) -> None:
        self._news.set()  # what an operator left that died
        self._thread.start()

    def stop(self, seconds: float | None = None) -> None:
        self._ending.set()
        self._news.set()
        self._thread.join(seconds)

    def look_soon(self) -> None:
        """Something was handed in."""
        self._news.set()

    def _run(self) -> None:
        pause_seconds = self._longest_seconds
        while not self._ending.is_set():
            if self._news.wait(pause_seconds):
                self._news.clear()
                pause_seconds = FIRST_LOOK_SECONDS
            else:
                pause_seconds = min(2 * pause_seconds, self._longest_seconds)
            try:
                is_done = self.look()
            except PaymentError as error:
                log.warning("the crowd cannot be asked what was handed in: %s", error)
            except Exception:  # the boundary of a thread
                if not self._ending.is_set():
                    log.exception("hand-ins cannot be confirmed")
            else:
                pause_seconds = self._longest_seconds if is_done else pause_seconds

    def look(self) -> bool:
        """Ask for everything that waits. Whether nothing does any more. Raises `PaymentError`."""
        waiting = self._desk.waiting()
        return not [hand_in for hand_in in waiting if not self._ending.is_set() and not self._settle(hand_in)]

    def _settle(self, hand_in: Assignment) -> bool:
        assignment_id = hand_in.crowd_assignment
        found = self._datastore.requester.assignment(assignment_id)
        if found is None:
            return False
        if found["WorkerId"] != hand_in.worker:
            self._set_aside(hand_in, ANOTHER_WORKERS)
        elif found["HITId"] != self._datastore.accepted_hit(assignment_id):
            self._set_aside(hand_in, ANOTHER_HITS)
        else:
            self._desk.confirm(hand_in.id)
            self._known_hits.add(found["HITId"])
        return True

    def give_up(self, waiting: list[Assignment], hits: Mapping[str, OfferedHit]) -> None:
        """Set aside what can never arrive. `hits` were read after `waiting`, which were not confirmed since.

        A list may lag behind: a HIT has to be found so twice.
        """
        suspects = set()
        for hand_in in waiting:
            hit = hits.get(self._datastore.accepted_hit(hand_in.crowd_assignment) or "")
            if hit is not None and hit.state == "accepted":
                continue
            if hand_in.id not in self._suspects:
                suspects.add(hand_in.id)
            elif not self._settle(hand_in):
                self._set_aside(hand_in, NEVER_ARRIVED)
        self._suspects = suspects

    def keep_unseen(self, hits: Iterable[OfferedHit]) -> None:
        """Whatever was submitted in these HITs and that no page has handed in; each HIT is asked about once."""
        for hit in hits:
            if hit.state != "submitted" or hit.id in self._known_hits:
                continue
            for submission in submissions_to(self._datastore.requester, hit.id):
                if self._desk.keep_unseen(submission.worker_id, submission.registration, submission.submitted_at):
                    log.warning("worker %r has posted the crowd's form without a page", submission.worker_id)
                self._known_hits.add(hit.id)

    def _set_aside(self, hand_in: Assignment, reason: str) -> None:
        log.warning("a hand-in in the name of worker %r is set aside: %s", hand_in.worker, reason)
        self._desk.set_aside(hand_in.id, reason)
