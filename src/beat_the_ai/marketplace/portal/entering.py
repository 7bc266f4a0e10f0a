"""A worker's session begins: the one way in, whatever proved who it is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from starlette.responses import Response

from beat_the_ai.listening.root_path import cookie_path
from beat_the_ai.marketplace import credentials
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.portal.sessions import COOKIE, Session, new_session
from beat_the_ai.marketplace.portal.visit import Visit

HOME = "/worker/hits"
COOKIE_LASTS = timedelta(days=90)


def enter(
    visit: Visit, moment: Moment, worker_id: str, target: str = HOME, *, only_visit: Sequence[str] | None = None
) -> Response:
    """Sign a worker in, to everything or to one visit, and go to a page of the portal."""
    credential = credentials.find(moment, worker_id)
    assert credential is not None, "whoever may sign in has one"
    response = visit.go(target)
    browser = visit.session.browser
    session = new_session(moment.now, worker_id, credential.epoch, browser=browser, visit=only_visit)
    set_cookie(visit, response, session)
    return response


def set_cookie(visit: Visit, response: Response, session: Session) -> None:
    """The browser keeps it longer than a session lasts: it goes on with its own visits."""
    lasts, sealed = int(COOKIE_LASTS.total_seconds()), visit.seal.close(session)
    path, secure = cookie_path(visit.request), visit.request.url.scheme == "https"
    response.set_cookie(COOKIE, sealed, lasts, path=path, httponly=True, samesite="lax", secure=secure)
