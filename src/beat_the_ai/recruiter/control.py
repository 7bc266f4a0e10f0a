"""The controls of a rehearsal: a clock to advance, participants, failures on purpose, and the books.

    POST /rehearsal/clock         {"advance_seconds": 86400}
    POST /rehearsal/participants  {"id": "5f0c…"}, or {} for a new id
    POST /rehearsal/faults        {"seed": 1, "rules": [{"kind": "lose_reply", "operations": ["pay-bonus-payments"]}]}
    GET  /rehearsal/faults        the rules and how often each has struck
    GET  /rehearsal/books         what each participant was paid, and what was paid twice

Every request carries the token that the server printed when it started, as `Authorization: Bearer`.
"""

from __future__ import annotations

from datetime import timedelta

from starlette.routing import Route

from beat_the_ai.recruiter import participants
from beat_the_ai.recruiter.books import books
from beat_the_ai.recruiter.errors import Fault, Throttled
from beat_the_ai.recruiter.reading import invalid
from beat_the_ai.recruiter.recruiter import Recruiter, advance
from beat_the_ai.web.control import Act, Body, control_route, number
from beat_the_ai.web.faults import OF_EVERY_SERVER, Faults

MAX_ADVANCE_SECONDS = 10 * 365 * 86_400
ERRORS = {"throttle": Throttled, "fault": Fault}
KINDS = (*ERRORS, *OF_EVERY_SERVER)


class Control:
    """The rehearsal's routes; `routes()` goes into the application."""

    def __init__(self, recruiter: Recruiter, faults: Faults, token: str) -> None:
        self._recruiter = recruiter
        self._faults = faults
        self._token = token

    def routes(self) -> list[Route]:
        acts: list[tuple[str, str, Act]] = [
            ("POST", "clock", self._clock),
            ("POST", "participants", self._participants),
            ("POST", "faults", self._faults.switch_by_request),
            ("GET", "faults", self._faults.struck),
            ("GET", "books", self._books),
        ]
        return [control_route(method, name, act, self._token) for method, name, act in acts]

    def _clock(self, given: Body) -> Body:
        seconds = number(given, "advance_seconds", MAX_ADVANCE_SECONDS)
        return {"now": advance(self._recruiter, timedelta(seconds=seconds)).isoformat()}

    def _participants(self, given: Body) -> Body:
        identifier = given.get("id")
        if identifier is not None and not isinstance(identifier, str):
            raise invalid("id", "A participant id is a text of 24 hexadecimal digits")
        with self._recruiter.writing() as moment:
            return {"id": participants.add(moment, identifier)}

    def _books(self, _given: Body) -> Body:
        with self._recruiter.reading() as moment:
            return books(moment)
