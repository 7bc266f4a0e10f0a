"""Failures on purpose, so that programs and people meet them in a rehearsal first. Drawn from a seed.

delay                                 the request is carried out later
delay_reply                           it is carried out, and answered later
lose_reply                            it is carried out, and the connection breaks before the answer

A server adds kinds of its own: the request is answered by that error and changes nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Set
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from random import Random
from threading import Lock
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from beat_the_ai.errors import BeatTheAIError, InvalidInput
from beat_the_ai.web.control import Body, number

OF_EVERY_SERVER = ("delay", "delay_reply", "lose_reply")
MAX_SECONDS = 600


@dataclass(frozen=True)
class FaultRule:
    """A rule for faults in requests of these operations (of all, if none is named): so often, `times` at most."""

    kind: str
    operations: tuple[str, ...] = ()
    probability: float = 1.0
    times: int | None = None
    seconds: float = 0.0


@dataclass(frozen=True)
class Injected:
    """The faults injected into one request."""

    error: BeatTheAIError | None = None
    seconds_before: float = 0.0
    seconds_after: float = 0.0
    lose_reply: bool = False


NOTHING = Injected()


class Faults:
    """The rules in force. The first that hits a request decides.

    `errors` makes the error of each kind that is the server's own. `pages` stands for the pages of people among the
    operations; a rule strikes there only when it names it.
    """

    def __init__(self, errors: Mapping[str, Callable[[], BeatTheAIError]], operations: Set[str], pages: str) -> None:
        self._errors = errors
        self._operations = operations
        self.pages = pages
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
        """Return the faults for a request of this operation."""
        with self._lock:
            for position, rule in enumerate(self.rules):
                concerned = operation in rule.operations or (not rule.operations and operation != self.pages)
                left = rule.times is None or self._hits[position] < rule.times
                if concerned and left and self._random.random() < rule.probability:
                    self._hits[position] += 1
                    return self._injected(rule)
        return NOTHING

    def switch_by_request(self, given: Body) -> Body:
        """Answer `POST /rehearsal/faults`. Raises `InvalidInput`."""
        rules = given.get("rules", [])
        if not isinstance(rules, list):
            raise InvalidInput("rules", "rules is a list of objects.")
        self.switch(tuple(self._read(rule) for rule in rules), int(number(given, "seed", 2**63)))
        return self.struck({})

    def struck(self, _given: Body) -> Body:
        """Answer `GET /rehearsal/faults`: the rules and how often each has struck."""
        pairs = zip(self.rules, self.hits, strict=True)
        return {"rules": [{**asdict(rule), "struck": count} for rule, count in pairs]}

    def _read(self, written: Any) -> FaultRule:
        """Return a rule that was written in JSON. Raises `InvalidInput`."""
        if not isinstance(written, dict) or not written.keys() <= FaultRule.__dataclass_fields__.keys():
            raise InvalidInput("rules", f"A rule is an object with {', '.join(FaultRule.__dataclass_fields__)}.")
        rule = FaultRule(**{**written, "operations": tuple(written.get("operations", ()))})
        kinds = (*self._errors, *OF_EVERY_SERVER)
        if rule.kind not in kinds:
            raise InvalidInput("kind", f"Unknown fault {str(rule.kind)[:40]!r}. Available: {', '.join(kinds)}.")
        if unknown := set(rule.operations) - self._operations - {self.pages}:
            raise InvalidInput("operations", f"Unknown operations: {', '.join(map(str, unknown))[:200]}.")
        if not 0 <= rule.probability <= 1 or not 0 <= rule.seconds <= MAX_SECONDS:
            raise InvalidInput("rules", f"probability is 0 to 1, seconds 0 to {MAX_SECONDS}.")
        return rule

    def _injected(self, rule: FaultRule) -> Injected:
        if rule.kind in self._errors:
            return Injected(error=self._errors[rule.kind]())
        if rule.kind == "lose_reply":
            return Injected(lose_reply=True)
        if rule.kind == "delay":
            return Injected(seconds_before=rule.seconds)
        return Injected(seconds_after=rule.seconds)


_ON_PURPOSE: ContextVar[bool] = ContextVar("on_purpose", default=False)


def is_not_on_purpose(_record: logging.LogRecord) -> bool:
    """Filter the server's log, which complains about every lost reply as about an application that fails."""
    return not _ON_PURPOSE.get()


class LostReply(Response):
    """Begins an answer of unknown length and never ends it: the server closes the connection, the client sees it break.

    An announced length would not do: botocore takes a body that is too short for an empty success.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        _ON_PURPOSE.set(True)
        await send({"type": "http.response.start", "status": 200, "headers": []})
