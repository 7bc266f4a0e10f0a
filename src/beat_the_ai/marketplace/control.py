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

from collections.abc import Callable
from dataclasses import asdict
from datetime import timedelta
from secrets import compare_digest
from typing import Any

from pydantic_core import from_json
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from beat_the_ai.errors import BeatTheAIError, InvalidInput, Refused
from beat_the_ai.marketplace import credentials, requesters
from beat_the_ai.marketplace.api.faults import FaultRule, Faults
from beat_the_ai.marketplace.market import Market, advance
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.money import parse_cents
from beat_the_ai.marketplace.workers import Worker, add_worker

MAX_ADVANCE_SECONDS = 10 * 365 * 86_400
MAX_BODY_BYTES = 64 * 1024

Body = dict[str, Any]


class Control:
    """The rehearsal's routes; `routes()` goes into the application."""

    def __init__(self, market: Market, faults: Faults, token: str) -> None:
        self._market = market
        self._faults = faults
        self._expected = f"Bearer {token}".encode()

    def routes(self) -> list[Route]:
        posts = {
            "clock": self._clock,
            "workers": self._workers,
            "codes": self._codes,
            "deposits": self._deposits,
            "faults": self._switch,
        }
        made = [Route(f"/rehearsal/{name}", self._guarded(act), methods=["POST"]) for name, act in posts.items()]
        return [*made, Route("/rehearsal/faults", self._guarded(self._struck), methods=["GET"])]

    def _guarded(self, act: Callable[[Body], Body]) -> Callable[[Request], Any]:
        async def answer(request: Request) -> Response:
            if not compare_digest(request.headers.get("authorization", "").encode(), self._expected):
                return JSONResponse({"error": "This needs the token that the server printed when it started."}, 401)
            try:
                return JSONResponse(await run_in_threadpool(act, await _read(request)))
            except BeatTheAIError as error:
                return JSONResponse({"error": str(error)}, 409 if isinstance(error, Refused) else 400)

        return answer

    def _clock(self, given: Body) -> Body:
        seconds = _number(given, "advance_seconds", MAX_ADVANCE_SECONDS)
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

    def _switch(self, given: Body) -> Body:
        rules = given.get("rules", [])
        if not isinstance(rules, list):
            raise InvalidInput("rules", "rules is a list of objects.")
        self._faults.switch(tuple(FaultRule.read(rule) for rule in rules), int(_number(given, "seed", 2**63)))
        return self._struck({})

    def _struck(self, given: Body) -> Body:
        pairs = zip(self._faults.rules, self._faults.hits, strict=True)
        return {"rules": [{**asdict(rule), "struck": count} for rule, count in pairs]}


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
        prior_approved=int(_number(given, "approved", 10**7)),
        prior_rate_percent=int(_number({"approval_rate": 100, **given}, "approval_rate", 100)),
        adult=bool(given.get("adult", False)),
        masters=bool(given.get("masters", False)),
    )


def _number(given: Body, name: str, most: float) -> float:
    value = given.get(name, 0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise InvalidInput(name, f"{name} is {str(value)[:40]!r}; a number from 0 to {most} is needed.")
    return value


async def _read(request: Request) -> Body:
    if request.method == "GET":
        return {}
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            raise InvalidInput("body", f"At most {MAX_BODY_BYTES} bytes are read.")
    try:
        given = from_json(body)
    except ValueError as error:
        raise InvalidInput("body", f"The body is not JSON: {error}.") from None
    if not isinstance(given, dict):
        raise InvalidInput("body", "The body must be a JSON object.")
    return given
