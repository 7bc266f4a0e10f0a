"""Calls of which a page wants the newest answer alone, served beside everything else.

Of each page and procedure one call is being served and one waits. A call that comes while one waits takes its place, so
that however fast a page calls, nothing queues up.
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
Caller = tuple[str, str]  # an agent's id, and the procedure that it calls


class LatestCalls:
    """`serve` answers a call, in a thread of its page and procedure; `give_way` answers one that was overtaken."""

    def __init__(self, serve: Handle, give_way: Handle) -> None:
        self._serve_call = serve
        self._give_way = give_way
        self._waiting: dict[Caller, Call | None] = {}  # of those of whom a call is being served
        self._lock = threading.Lock()
        self._closed = False

    def put(self, agent: Agent, call: Call) -> None:
        caller = (agent.get_agent_id(), str(call.get("target")))
        with self._lock:
            if self._closed:  # the next operator is asked again
                return
            if caller not in self._waiting:
                self._waiting[caller] = None
                name = f"latest-{caller[0]}"
                threading.Thread(target=self._serve, args=(agent, caller, call), name=name, daemon=True).start()
                return
            overtaken, self._waiting[caller] = self._waiting[caller], call
        if overtaken is not None:
            self._give_way(agent, overtaken)

    def close(self) -> None:
        """Serve nothing more: what waits is left to the next operator."""
        with self._lock:
            self._closed = True

    def _serve(self, agent: Agent, caller: Caller, call: Call) -> None:
        while True:
            try:
                self._serve_call(agent, call)
            except Exception:  # later calls of the page must be served
                log.exception("a call of %s was not answered", agent)
            following = self._next(caller)
            if following is None:
                return
            call = following

    def _next(self, caller: Caller) -> Call | None:
        with self._lock:
            call = None if self._closed else self._waiting[caller]
            if call is None:
                del self._waiting[caller]
            else:
                self._waiting[caller] = None
            return call
