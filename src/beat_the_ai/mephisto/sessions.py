"""Units that are worked on: each is served whenever there is news of it, by a thread that is free at the moment.

In Mephisto each live unit has a thread of its own, which sleeps until its page calls. A thousand of them cost memory,
and making one for each HIT costs time.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

from beat_the_ai.mephisto.shim import Agent, Unit

AT_A_TIME = 256  # units that are served; each may have to wait for its model
LOOK_SECONDS = 0.5  # between two looks at which units' time is over

Call = Mapping[str, Any]


class _News(threading.Event):
    """An agent's `has_live_update`, which tells a listener whenever it is set."""

    def __init__(self) -> None:
        super().__init__()
        self.listener: Callable[[], None] | None = None

    def set(self) -> None:
        super().set()
        if self.listener is not None:
            self.listener()


class _Submission(threading.Event):
    """An agent's `did_submit`, which is news of it, too."""

    def __init__(self, news: _News) -> None:
        super().__init__()
        self._news = news

    def set(self) -> None:
        super().set()
        self._news.set()


def listen_for_news(agent: Agent) -> None:
    """Let the agent's calls and its submission be news of it. To be called before its page can reach it."""
    if not isinstance(agent.has_live_update, _News):
        agent.has_live_update = _News()
        agent.did_submit = _Submission(agent.has_live_update)


class Session:
    """A unit and the agent that works on it, for so many more seconds. `ended` is set once it is let go.

    `answered` are the newest answers by the ids of their calls.
    """

    def __init__(self, unit: Unit, agent: Agent, seconds_left: float) -> None:
        self.unit = unit
        self.agent = agent
        self.answered: OrderedDict[str, str] = OrderedDict()
        self.ended = threading.Event()
        self._ends = self._due = time.monotonic() + seconds_left
        self._lock = threading.Lock()
        self._is_attended = False
        self._has_news = False

    @property
    def is_over_time(self) -> bool:
        return time.monotonic() >= self._ends

    def look_again(self, seconds: float) -> None:
        """There is news in so many seconds, whatever happens meanwhile."""
        self._due = time.monotonic() + seconds

    def is_due(self, now: float) -> bool:
        return now >= self._due

    def next_call(self) -> Call | None:
        try:
            call: Call = self.agent.pending_actions.get_nowait()
        except Empty:
            return None
        return call

    def note_news(self) -> bool:
        """Return whether somebody has to be sent to attend to it: nobody does at the moment."""
        with self._lock:
            self._has_news = True
            free, self._is_attended = not self._is_attended, True
            return free

    def take_news(self) -> None:
        with self._lock:
            self._has_news = False
            self._due = self._ends

    def leave(self) -> bool:
        """Return whether nothing came meanwhile: whoever attended to it is through."""
        with self._lock:
            self._is_attended = self._has_news
            return not self._has_news


class Attendants:
    """Threads that attend to sessions. `attend(session)` returns whether the session is over."""

    def __init__(self, attend: Callable[[Session], bool]) -> None:
        self._attend = attend
        self._line: SimpleQueue[Session | None] = SimpleQueue()
        self._free = 0  # threads without a session, less the sessions in line: below 0, some have to wait
        self._threads: list[threading.Thread] = []
        self._sessions: set[Session] = set()
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._clock = threading.Thread(target=self._watch_time, name="unit-clock", daemon=True)
        self._clock.start()

    def admit(self, session: Session) -> None:
        """Attend to it now, and whenever there is news, until it is over."""
        with self._lock:
            self._sessions.add(session)
        session.agent.has_live_update.listener = partial(self._send_to, session)
        self._send_to(session)

    def stop(self, seconds: float) -> None:
        """Send nobody any more, and wait for so long for those who attend to somebody."""
        with self._lock:
            self._stopped.set()
            for _ in self._threads:
                self._line.put(None)
        deadline = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    def _send_to(self, session: Session) -> None:
        if not session.note_news():
            return
        with self._lock:
            if self._stopped.is_set():
                return
            self._free -= 1
            if self._free < 0 and len(self._threads) < AT_A_TIME:
                self._free += 1
                name = f"unit_{len(self._threads)}"
                thread = threading.Thread(target=self._work, name=name)
                self._threads.append(thread)
                thread.start()
            self._line.put(session)

    def _work(self) -> None:
        while (session := self._line.get()) is not None and not self._stopped.is_set():
            self._attend_to(session)
            with self._lock:
                self._free += 1

    def _attend_to(self, session: Session) -> None:
        while not self._stopped.is_set():
            session.take_news()
            if self._attend(session):
                with self._lock:
                    self._sessions.discard(session)
                session.agent.has_live_update.listener = None
                session.ended.set()
                return
            if session.leave():
                return

    def _watch_time(self) -> None:
        while not self._stopped.wait(LOOK_SECONDS):
            now = time.monotonic()
            with self._lock:
                due = [session for session in self._sessions if session.is_due(now)]
            for session in due:
                self._send_to(session)
