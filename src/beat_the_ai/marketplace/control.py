"""The controls of a rehearsal: a clock to advance, workers and money out of nothing, failures on purpose.

    POST /rehearsal/clock     {"advance_seconds": 86400}
    POST /rehearsal/workers   {"id": "A1", "locale": "US-CA", "approved": 1500, "approval_rate": 99, …}
    POST /rehearsal/codes     {"id": "A1"}
    POST /rehearsal/deposits  {"requester": "lab", "dollars": "100.00"}
    POST /rehearsal/faults    {"seed": 1, "rules": [{"kind": "lose_reply", "operations": ["SendBonus"], "times": 1}]}
    GET  /rehearsal/faults    the rules and how often each has struck

Every request carries the token that the server printed when it started, as `Authorization: Bearer`.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta

from starlette.routing import Route

from beat_the_ai.errors import InvalidInput
from beat_the_ai.marketplace import credentials, requesters
from beat_the_ai.marketplace.market import Market, advance
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.money import parse_cents
from beat_the_ai.marketplace.workers import Worker, add_worker
from beat_the_ai.web.control import Act, Body, control_route, number
from beat_the_ai.web.faults import Faults

MAX_ADVANCE_SECONDS = 10 * 365 * 86_400


class Control:
    """The rehearsal's routes; `routes()` goes into the application."""

    def __init__(self, market: Market, faults: Faults, token: str) -> None:
        self._market = market
        self._faults = faults
        self._token = token

    def routes(self) -> list[Route]:
        posts: dict[str, Act] = {
            "clock": self._clock,
            "workers": self._workers,
            "codes": self._codes,
            "deposits": self._deposits,
            "faults": self._faults.switch_by_request,
        }
        made = [control_route("POST", name, act, self._token) for name, act in posts.items()]
        return [*made, control_route("GET", "faults", self._faults.struck, self._token)]

    def _clock(self, given: Body) -> Body:
        seconds = number(given, "advance_seconds", MAX_ADVANCE_SECONDS)
        return {"now": advance(self._market, timedelta(seconds=seconds)).isoformat()}

    def _workers(self, given: Body) -> Body:
        with self._market.writing() as moment:
            return enrol(moment, given)

    def _codes(self, given: Body) -> Body:
        with self._market.writing() as moment:
            return renew_code(moment, str(given.get("id")))

    def _deposits(self, given: Body) -> Body:
        try:
            cents = parse_cents(str(given.get("dollars")))
        except ValueError as error:
            raise InvalidInput("dollars", str(error)) from None
        with self._market.writing() as moment:
            requester = requesters.requester_named(moment, str(given.get("requester")))
            requesters.deposit(moment, requester.id, cents)
            return asdict(requesters.balance(moment, requester.id))


def enrol(moment: Moment, given: Body) -> Body:
    """A new worker, and the access code for the portal: told now and never again."""
    worker = add_worker(moment, _read_worker(given))
    return {**asdict(worker), "access_code": credentials.issue(moment, worker.id)}


def renew_code(moment: Moment, worker_id: str) -> Body:
    """Another access code; the old one and whatever was signed in with it count no more."""
    return {"id": worker_id, "access_code": credentials.issue(moment, worker_id)}


def _read_worker(given: Body) -> Worker:
    """A worker in the words of the command line. Raises `InvalidInput`."""
    country, _, subdivision = str(given.get("locale", "US")).partition("-")
    return Worker(
        id=str(given.get("id")),
        country=country,
        subdivision=subdivision or None,
        prior_approved=int(number(given, "approved", 10**7)),
        prior_rate_percent=int(number({"approval_rate": 100, **given}, "approval_rate", 100)),
        adult=bool(given.get("adult", False)),
        masters=bool(given.get("masters", False)),
    )
