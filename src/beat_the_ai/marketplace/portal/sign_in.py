"""Signing in with an access code or a password, and out again."""

from __future__ import annotations

import re

from starlette.responses import Response

from beat_the_ai.errors import Refused
from beat_the_ai.listening.root_path import cookie_path
from beat_the_ai.marketplace import credentials
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.people.mail import usable_server
from beat_the_ai.marketplace.people.passwords import is_password
from beat_the_ai.marketplace.people.person import Person, person_at, person_of
from beat_the_ai.marketplace.people.sign_in_links import check_may_enter
from beat_the_ai.marketplace.portal.entering import HOME, enter
from beat_the_ai.marketplace.portal.sessions import COOKIE
from beat_the_ai.marketplace.portal.visit import Visit
from beat_the_ai.marketplace.saying import said
from beat_the_ai.marketplace.workers import ID
from beat_the_ai.messages import message_of
from beat_the_ai.web.throttle import Throttle

LOCAL_PATH = re.compile(r"/worker(/[A-Za-z0-9_-]+)*", re.ASCII)
MAX_NAME_CHARS = 254


class SignIn:
    """The pages of the door."""

    def __init__(self) -> None:
        self._throttle = Throttle()

    def ask(self, visit: Visit) -> Response:
        if visit.session.worker_id is not None:
            return visit.go(HOME)
        return self._page(visit, visit.request.query_params.get("next", HOME))

    def enter(self, visit: Visit) -> Response:
        entered, target = visit.field("worker").strip(), visit.field("next")
        address, now = visit.request.client.host if visit.request.client else "", visit.market.clock.now()
        with visit.market.reading() as moment:
            worker_id = _named(moment, entered)
        if not self._throttle.admit(address, worker_id, now):
            return self._page(visit, target, said("portal_refusals.sign_in.too_often"), 429)
        with visit.market.reading() as moment:
            person = person_of(moment, worker_id)
            is_proven = _is_proven(moment, worker_id, person, visit.field("code"))
        if not is_proven:
            return self._page(visit, target, said("portal_refusals.sign_in.wrong"), 403)
        self._throttle.succeeded(address, worker_id, now)
        try:
            if person is not None:
                check_may_enter(person)
        except Refused as refusal:
            return self._page(visit, target, message_of(refusal), 403)
        with visit.market.reading() as moment:
            return enter(visit, moment, worker_id, _local(target))

    def leave(self, visit: Visit) -> Response:
        with visit.market.writing() as moment:
            credentials.end_sessions(moment, visit.worker_id)
        response = visit.go("/worker/sign-in")
        response.delete_cookie(COOKIE, cookie_path(visit.request))
        return response

    @staticmethod
    def _page(visit: Visit, target: str, problem: str = "", status: int = 200) -> Response:
        with visit.market.reading() as moment:
            sends_mail = usable_server(moment) is not None
        page: Response = visit.show(
            "sign_in",
            status=status,
            problem=problem,
            target=_local(target),
            entered=visit.field("worker")[:MAX_NAME_CHARS],
            sends_mail=sends_mail,
        )
        return page


def _named(moment: Moment, entered: str) -> str:
    """Return the worker id that is meant by an e-mail address or by itself; "" for what can be neither."""
    if "@" in entered:
        person = person_at(moment, entered)
        return "" if person is None else person.worker_id
    return entered.upper() if ID.fullmatch(entered.upper()) else ""


def _is_proven(moment: Moment, worker_id: str, person: Person | None, secret: str) -> bool:
    """Return whether it is the worker's access code or password. A wrong one takes as long where there is no worker."""
    return credentials.matches(credentials.find(moment, worker_id), secret) or is_password(moment, person, secret)


def _local(target: str) -> str:
    """Only ever back to a page of the portal."""
    return target if LOCAL_PATH.fullmatch(target) else HOME
