"""The model in the loop, as writers meet it: the protocol, the worker who asks, and the reply with its cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.protocol import Value

MICROCENTS = 1_000_000  # of a US cent


@dataclass(frozen=True)
class Reply:
    """The answer of the model in the loop, the model's identity, and the cost in millionths of a US cent."""

    prediction: Value
    member: str
    model_name: str
    model_hash: str
    model_precision: str
    microcents: int = 0


@dataclass(frozen=True)
class Asker:
    """The worker who asks the model, in an assignment whose HIT allows this many tries.

    One of `members` answers, where the worker's arm names some; else one of the whole pool.
    """

    assignment_id: str
    worker: str
    tries: int
    members: tuple[str, ...] = ()

    @property
    def requester(self) -> str:
        """Return the worker's opaque name on a model server."""
        return short_hash(self.worker)


class Adversary(Protocol):
    """The model in the loop. `key` decides which member of a pool is drawn; the same key draws the same one."""

    def ask(self, query: Value, *, key: str, asker: Asker, patient: bool = False) -> Reply:
        """Return the model's reply. A `patient` query gives way to others.

        Raises `AdversaryError` or `AdversaryBusy`: nothing was counted.
        """
