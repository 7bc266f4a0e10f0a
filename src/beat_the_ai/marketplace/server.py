"""The marketplace as a process: one port for the requester protocol, the worker portal, and a rehearsal's control.

It prints one line of JSON with its address once it listens. On SIGTERM or SIGINT it answers what it has begun and ends.
Nothing is lost when it is killed: what was answered is committed, what was due is made up for by the next one.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable, Callable
from functools import partial

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from beat_the_ai.errors import BeatTheAIError, Refused, StoreError
from beat_the_ai.listening import ConnectionLimits, Server, address_of, listen
from beat_the_ai.marketplace import fees
from beat_the_ai.marketplace.api.app import RequesterApi
from beat_the_ai.marketplace.api.faults import market_faults
from beat_the_ai.marketplace.clock import ShiftedClock
from beat_the_ai.marketplace.control import Control
from beat_the_ai.marketplace.courier import Courier
from beat_the_ai.marketplace.market import Market, open_market
from beat_the_ai.marketplace.notifications import NO_ENDPOINTS, Endpoints
from beat_the_ai.marketplace.people.recruiters import NoRecruiters, Recruiters
from beat_the_ai.marketplace.portal.app import Portal
from beat_the_ai.process.parent_death import announce
from beat_the_ai.web.control import read_body
from beat_the_ai.web.faults import is_not_on_purpose
from beat_the_ai.web.health import health_route
from beat_the_ai.web.wrong_paths import explained

WHAT_IT_IS = (
    "This is a marketplace that speaks the Mechanical Turk protocol. Workers sign in at /worker; requesters' programs "
    "take this server's address, without a path, as their endpoint."
)


def serve(
    store: str,
    host: str = "127.0.0.1",
    port: int = 0,
    *,
    rehearsal: bool = False,
    endpoints: Endpoints = NO_ENDPOINTS,
    limits: ConnectionLimits | None = None,
    charges_fees: bool | None = None,
    recruiters_of: Callable[[Market], Recruiters] = NoRecruiters.of,
) -> None:
    """Serve the marketplace of a store until a signal. Port 0 takes a free one.

    `endpoints` are the SQS and SNS servers that notifications are delivered to. `charges_fees` turns fees on or off in
    the store; None leaves them as they are there. `recruiters_of` makes those whom arrivals are checked with.
    """
    market = open_market(store)
    try:
        if charges_fees is not None:
            with market.writing() as moment:
                fees.charge(moment, charges_fees)
        if not rehearsal and isinstance(market.clock, ShiftedClock):
            raise StoreError(
                "This store's clock was advanced in a rehearsal. Serve it with --rehearsal, or a new store."
            )
        courier = Courier(market, endpoints)
        listener = listen(host, port)
        printed = {"address": address_of(listener)}
        token = secrets.token_urlsafe(24) if rehearsal else None
        recruiters = recruiters_of(market)
        app = build_app(market, endpoints, control_token=token, recruiters=recruiters)
        if token is not None:
            printed["control_token"] = token
        announce(printed)
        logging.getLogger("uvicorn.error").addFilter(is_not_on_purpose)
        with courier.running(), recruiters.running():
            Server(app, listener, limits or ConnectionLimits()).run()
    finally:
        market.close()


def build_app(
    market: Market, endpoints: Endpoints, control_token: str | None = None, recruiters: Recruiters | None = None
) -> Starlette:
    """The application. With a `control_token` it is a rehearsal: it has the control API and a clock to advance."""
    faults = market_faults()
    routes: list[BaseRoute] = [
        Route("/", RequesterApi(market, faults, endpoints).answer, methods=["POST"]),
        health_route("marketplace", partial(_look, market)),
        Route("/recruiter/notify", _notified(recruiters or NoRecruiters()), methods=["POST"]),
        *Portal(market, faults, recruiters).routes(),
    ]
    if control_token is not None:
        if not hasattr(market.clock, "advance"):
            market.clock = ShiftedClock()
        routes += Control(market, faults, control_token).routes()
    return Starlette(routes=routes, exception_handlers=explained(WHAT_IT_IS))


def _notified(recruiters: Recruiters) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint for notifications of recruiters."""

    async def answer(request: Request) -> Response:
        try:
            body = await read_body(request)
            await run_in_threadpool(recruiters.notify, request.headers, body)
        except BeatTheAIError as error:
            return JSONResponse({"error": str(error)}, 403 if isinstance(error, Refused) else 400)
        return Response(status_code=204)

    return answer


def _look(market: Market) -> None:
    with market.reading():
        pass
