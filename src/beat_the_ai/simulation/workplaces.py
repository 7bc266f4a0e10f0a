"""The workplaces of simulated workers: the protocol, and the way of Mephisto's `mock` provider.

On the marketplace see `beat_the_ai.simulation.marketplace`.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import httpx

from beat_the_ai.simulation.page import PageClient


class Hit(Protocol):
    """A HIT that a worker holds. `page` is its page, not opened yet."""

    page: PageClient

    async def hand_in(self, final_data: Mapping[str, Any]) -> None:
        """Tell the crowd that it is done, as the page does after its submission. Raises `Refused` when it is over."""

    async def give_back(self) -> None:
        """Return it: there is no work behind it."""


class Workplace(Protocol):
    """One worker's way to HITs."""

    async def next_hit(self) -> Hit | None:
        """A HIT to work on, first of all one that the worker holds already; None when there is none at present."""


Workplaces = Callable[[int, httpx.AsyncClient], Workplace]
"""The workplace of the worker of that number, counted from 0, whose browser the client is."""


class MockWorkplace:
    """The `mock` provider knows no HITs: whoever opens the page with another assignment id asks for another one."""

    def __init__(self, url: str, http: httpx.AsyncClient, worker: str) -> None:
        self._url = url
        self._http = http
        self._worker = worker
        self._done = 0
        self._key = uuid.uuid4().hex  # as a browser keeps it

    async def next_hit(self) -> MockWorkplace:
        assignment = f"assignment-{self._done}"
        self.page = PageClient(self._url, self._http, self._worker, assignment, page_key=self._key)
        return self

    async def hand_in(self, final_data: Mapping[str, Any]) -> None:
        self._done += 1

    async def give_back(self) -> None:
        """Nobody waits for it."""


def mock_workplaces(url: str, name: str = "writer") -> Workplaces:
    """Every worker goes straight to the task's page at `url`; they are called `name` and their number."""
    return lambda number, http: MockWorkplace(url, http, mock_name(number, name))


def mock_name(number: int, name: str) -> str:
    return f"{name}-{number:03}"
