"""Failures on purpose, so that a requester's program and workers meet them in a rehearsal first. Drawn from a seed.

throttle, fault, insufficient_funds   the request is answered by that error and changes nothing
delay                                 it is carried out later
delay_reply                           it is carried out, and answered later
lose_reply                            it is carried out, and the connection breaks before the answer

`WorkerPortal` stands for the workers' pages among the operations; a rule strikes there only when it names it.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from threading import Lock
from typing import Any

from beat_the_ai.errors import InvalidInput
from beat_the_ai.marketplace.api.service_model import operation_names
from beat_the_ai.marketplace.errors import Fault, MarketplaceError, Throttled, insufficient_funds

WORKER_PORTAL = "WorkerPortal"
KINDS = ("throttle", "fault", "insufficient_funds", "delay", "delay_reply", "lose_reply")
MAX_SECONDS = 600


@dataclass(frozen=True)
class FaultRule:
    """A rule for faults in requests of these operations (of all, if none is named): so often, `times` at most."""

    kind: str
    operations: tuple[str, ...] = ()
    probability: float = 1.0
    times: int | None = None
    seconds: float = 0.0

    @classmethod
    def read(cls, written: Any) -> FaultRule:
        """From JSON. Raises `InvalidInput`."""
        if not isinstance(written, dict) or not written.keys() <= cls.__dataclass_fields__.keys():
            raise InvalidInput("rules", f"A rule is an object with {', '.join(cls.__dataclass_fields__)}.")
        rule = cls(**{**written, "operations": tuple(written.get("operations", ()))})
        if rule.kind not in KINDS:
            raise InvalidInput("kind", f"Unknown fault {str(rule.kind)[:40]!r}. Available: {', '.join(KINDS)}.")
        if unknown := set(rule.operations) - operation_names() - {WORKER_PORTAL}:
            raise InvalidInput("operations", f"Unknown operations: {', '.join(map(str, unknown))[:200]}.")
        if not 0 <= rule.probability <= 1 or not 0 <= rule.seconds <= MAX_SECONDS:
            raise InvalidInput("rules", f"probability is 0 to 1, seconds 0 to {MAX_SECONDS}.")
        return rule


@dataclass(frozen=True)
class Injected:
    """The faults injected into one request."""

    error: MarketplaceError | None = None
    seconds_before: float = 0.0
    seconds_after: float = 0.0
    lose_reply: bool = False


NOTHING = Injected()


class Faults:
    """The rules in force. The first that hits a request decides."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.switch((), seed=0)

    def switch(self, rules: tuple[FaultRule, ...], seed: int) -> None:
        """Put these rules in the place of all others."""
        with self._lock:
            self.rules = rules
            self._random = Random(seed)  # noqa: S311 - reproducible, not secret
            self._hits = [0] * len(rules)

    @property
    def hits(self) -> list[int]:
        """Return how often each rule has struck."""
        return list(self._hits)

    def draw(self, operation: str) -> Injected:
        with self._lock:
            for position, rule in enumerate(self.rules):
                concerned = operation in rule.operations or (not rule.operations and operation != WORKER_PORTAL)
                left = rule.times is None or self._hits[position] < rule.times
                if concerned and left and self._random.random() < rule.probability:
                    self._hits[position] += 1
                    return _injected(rule)
        return NOTHING


def _injected(rule: FaultRule) -> Injected:
    if rule.kind == "throttle":
        return Injected(error=Throttled())
    if rule.kind == "fault":
        return Injected(error=Fault())
    if rule.kind == "insufficient_funds":
        return Injected(error=insufficient_funds())
    if rule.kind == "lose_reply":
        return Injected(lose_reply=True)
    if rule.kind == "delay":
        return Injected(seconds_before=rule.seconds)
    return Injected(seconds_after=rule.seconds)
