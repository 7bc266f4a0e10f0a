"""Calls of which a page wants the newest answer alone, served beside everything else.

Of each page one call is being served and one waits. A call that comes while one waits takes its place, so that however
fast a page calls, nothing queues up.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any

from beat_the_ai.mephisto.shim import Agent

log = logging.getLogger(__name__)
Call = Mapping[str, Any]
Handle = Callable[[Agent, Call], None]


class LatestCalls:
    """`serve` answers a call, in a thread of its page; `give_way` answers one that was overtaken."""

    def __init__(self, serve: Handle, give_way: Handle) -> None:
        self._serve_call = serve
        self._give_way = give_way
        self._waiting: dict[str, Call | None] = {}  # by agents of which a call is being served
        self._lock = threading.Lock()
        self._closed = False

    def put(self, agent: Agent, call: Call) -> None:
        name = agent.get_agent_id()
        with self._lock:
            if self._closed:  # the next operator is asked again
                return
            if name not in self._waiting:
                self._waiting[name] = None
                threading.Thread(target=self._serve, args=(agent, call), name=f"latest-{name}", daemon=True).start()
                return
            overtaken, self._waiting[name] = self._waiting[name], call
        if overtaken is not None:
            self._give_way(agent, overtaken)

    def close(self) -> None:
        """Serve nothing more: what waits is left to the next operator."""
        with self._lock:
            self._closed = True

    def _serve(self, agent: Agent, call: Call) -> None:
        while True:
            try:
                self._serve_call(agent, call)
            except Exception:  # later calls of the page must be served
                log.exception("a call of %s was not answered", agent)
            following = self._next(agent.get_agent_id())
            if following is None:
                return
            call = following

    def _next(self, name: str) -> Call | None:
        with self._lock:
            call = None if self._closed else self._waiting[name]
            if call is None:
                del self._waiting[name]
            else:
                self._waiting[name] = None
            return call
