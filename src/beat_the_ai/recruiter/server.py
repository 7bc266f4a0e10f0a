"""The recruiter as a process: one port for the researcher's API, the participants' pages, and a rehearsal's control.

It prints one line of JSON with its address once it listens. On SIGTERM or SIGINT it answers what it has begun and ends.
Nothing is lost when it is killed: what was answered is committed, what was due is made up for by the next one.
"""

from __future__ import annotations

import logging
import secrets
from functools import partial

from starlette.applications import Starlette
from starlette.routing import BaseRoute

from beat_the_ai.errors import StoreError
from beat_the_ai.listening import ConnectionLimits, Server, address_of, listen
from beat_the_ai.marketplace.clock import ShiftedClock
from beat_the_ai.process.parent_death import announce
from beat_the_ai.recruiter.api.app import ResearcherApi
from beat_the_ai.recruiter.api.operations import NAMES, PARTICIPANT_PAGES
from beat_the_ai.recruiter.control import ERRORS, Control
from beat_the_ai.recruiter.courier import Courier
from beat_the_ai.recruiter.pages.app import Pages
from beat_the_ai.recruiter.recruiter import Recruiter, open_recruiter
from beat_the_ai.web.faults import Faults, is_not_on_purpose
from beat_the_ai.web.health import health_route
from beat_the_ai.web.wrong_paths import explained

WHAT_IT_IS = (
    "This is a local recruiter that speaks Prolific's API. Participants begin at /; researchers' programs take this "
    "server's address in the place of https://api.prolific.com."
)


def serve(
    store: str,
    host: str,
    port: int,
    *,
    currency: str,
    cents: int,
    rehearsal: bool = False,
    limits: ConnectionLimits | None = None,
) -> None:
    """Serve the recruiter of a store until a signal. Port 0 takes a free one.

    `currency` and `cents` are those of a new store.
    """
    recruiter = open_recruiter(store, currency, cents)
    try:
        if not rehearsal and isinstance(recruiter.clock, ShiftedClock):
            raise StoreError(
                "This store's clock was advanced in a rehearsal. Serve it with --rehearsal, or a new store."
            )
        listener = listen(host, port)
        workspace = recruiter.workspace
        printed = {
            "address": address_of(listener),
            "token": workspace.token,
            "workspace": workspace.id,
            "project": workspace.project_id,
        }
        token = secrets.token_urlsafe(24) if rehearsal else None
        app = build_app(recruiter, token)
        if token is not None:
            printed["control_token"] = token
        announce(printed)
        logging.getLogger("uvicorn.error").addFilter(is_not_on_purpose)
        with Courier(recruiter).running():
            Server(app, listener, limits or ConnectionLimits()).run()
    finally:
        recruiter.close()


def build_app(recruiter: Recruiter, control_token: str | None = None) -> Starlette:
    """The application. With a `control_token` it is a rehearsal: it has the control API and a clock to advance."""
    faults = Faults(ERRORS, NAMES, PARTICIPANT_PAGES)
    routes: list[BaseRoute] = [health_route("recruiter", partial(_look, recruiter))]
    if control_token is not None:
        if not hasattr(recruiter.clock, "advance"):
            recruiter.clock = ShiftedClock()
        routes += Control(recruiter, faults, control_token).routes()
    routes += ResearcherApi(recruiter, faults).routes()
    routes += Pages(recruiter, faults).routes()
    app = Starlette(routes=routes, exception_handlers=explained(WHAT_IT_IS))
    app.router.redirect_slashes = False  # a path without its last slash is not the document's
    return app


def _look(recruiter: Recruiter) -> None:
    with recruiter.reading():
        pass
