"""A desk's memory of assignments in progress, so that an attempt need not read them all again.

The memory has no authority: `Attempts.add` checks its conclusions against the store.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from beat_the_ai.store import Assignment, Attempt

Session = tuple[Assignment, list[Attempt]]


class SessionMemory:
    """The sessions that were used last, `size` of them. Safe to use from threads.

    What was read before a session was forgotten is not kept after it, and nor is what it would have replaced: `epoch`
    tells.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._forgotten: OrderedDict[str, int] = OrderedDict()  # when, as an epoch: the last `size` of them
        self._known_since = 0  # of what was forgotten in earlier epochs nothing is known
        self._lock = Lock()
        self.epoch = 0

    def recall(self, assignment_id: str) -> Session | None:
        with self._lock:
            if assignment_id in self._sessions:
                self._sessions.move_to_end(assignment_id)
            return self._sessions.get(assignment_id)

    def keep(self, session: Session, epoch: int) -> None:
        name = session[0].id
        with self._lock:
            self._sessions.pop(name, None)
            if epoch >= max(self._known_since, self._forgotten.get(name, 0)):
                self._sessions[name] = session
            if len(self._sessions) > self._size:
                self._sessions.popitem(last=False)

    def forget(self, assignment_id: str) -> None:
        with self._lock:
            self._sessions.pop(assignment_id, None)
            self.epoch += 1
            self._forgotten.pop(assignment_id, None)
            self._forgotten[assignment_id] = self.epoch
            if len(self._forgotten) > self._size:
                _, self._known_since = self._forgotten.popitem(last=False)
