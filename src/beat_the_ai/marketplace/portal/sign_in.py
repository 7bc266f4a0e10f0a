"""Signing in with an access code, and out again."""

from __future__ import annotations

import re

from starlette.responses import Response

from beat_the_ai.marketplace import credentials
from beat_the_ai.marketplace.portal.sessions import COOKIE, LASTS, new_session
from beat_the_ai.marketplace.portal.visit import Visit
from beat_the_ai.marketplace.workers import ID
from beat_the_ai.web.throttle import Throttle

HOME = "/worker/hits"
LOCAL_PATH = re.compile(r"/worker(/[A-Za-z0-9_-]+)*", re.ASCII)
WRONG = "There is no worker with this id and access code. Check both, or ask whoever gave you the code for another."
TOO_OFTEN = "Too many wrong codes. Please try again in a quarter of an hour."


class SignIn:
    """The pages of the door."""

    def __init__(self) -> None:
        self._throttle = Throttle()

    def ask(self, visit: Visit) -> Response:
        if visit.session.worker_id is not None:
            return visit.go(HOME)
        return self._page(visit, visit.request.query_params.get("next", HOME))

    def enter(self, visit: Visit) -> Response:
        worker_id, target = visit.field("worker").strip().upper(), visit.field("next")
        address, now = visit.request.client.host if visit.request.client else "", visit.market.clock.now()
        worker_id = worker_id if ID.fullmatch(worker_id) else ""
        if not self._throttle.admit(address, worker_id, now):
            return self._page(visit, target, TOO_OFTEN, 429)
        with visit.market.reading() as moment:
            credential = credentials.find(moment, worker_id)
        if not credentials.matches(credential, visit.field("code")):
            return self._page(visit, target, WRONG, 403)
        assert credential is not None
        self._throttle.succeeded(address, worker_id, now)
        response = visit.go(_local(target))
        session = new_session(now, worker_id, credential.epoch)
        set_cookie(response, visit.seal.close(session), secure=visit.request.url.scheme == "https")
        return response

    def leave(self, visit: Visit) -> Response:
        with visit.market.writing() as moment:
            credentials.end_sessions(moment, visit.worker_id)
        response = visit.go("/worker/sign-in")
        response.delete_cookie(COOKIE)
        return response

    @staticmethod
    def _page(visit: Visit, target: str, problem: str = "", status: int = 200) -> Response:
        entered = visit.field("worker")[:64]
        page: Response = visit.show("sign_in", status=status, problem=problem, target=_local(target), entered=entered)
        return page


def _local(target: str) -> str:
    """Only ever back to a page of the portal."""
    return target if LOCAL_PATH.fullmatch(target) else HOME


def set_cookie(response: Response, sealed: str, *, secure: bool) -> None:
    lasts = int(LASTS.total_seconds())
    response.set_cookie(COOKIE, sealed, max_age=lasts, httponly=True, samesite="lax", secure=secure)
