"""The functions that answer the operations, and whether each changes anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.notifications import Endpoints

Request = Mapping[str, Any]
Reply = dict[str, Any]


@dataclass(frozen=True)
class Call:
    """The caller of an operation, the transaction that answers it, and the endpoints for notifications."""

    moment: Moment
    requester_id: str
    endpoints: Endpoints


Answer = Callable[[Call, Request], Reply]


@dataclass(frozen=True)
class Operation:
    answer: Answer
    writes: bool


OPERATIONS: dict[str, Operation] = {}


def operation(name: str, *, writes: bool) -> Callable[[Answer], Answer]:
    """Registers the function that it decorates."""

    def register(answer: Answer) -> Answer:
        OPERATIONS[name] = Operation(answer, writes)
        return answer

    return register
