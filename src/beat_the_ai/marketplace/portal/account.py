"""The worker's own account: how they are known here, and a password that they choose."""

from __future__ import annotations

from starlette.responses import Response

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.marketplace import withdrawals
from beat_the_ai.marketplace.people import mail, passwords
from beat_the_ai.marketplace.people.person import person_of
from beat_the_ai.marketplace.portal.entering import enter
from beat_the_ai.marketplace.portal.visit import Visit
from beat_the_ai.marketplace.saying import said
from beat_the_ai.web.passwords import MIN_CHARACTERS


def account(visit: Visit) -> Response:
    return _page(visit)


def change_password(visit: Visit) -> Response:
    """Ends every session of the worker but this one."""
    try:
        with visit.market.writing() as moment:
            person = person_of(moment, visit.worker_id)
            if person is None:
                raise Refused(said("portal_refusals.with_a_code"))
            passwords.choose(moment, person, visit.field("password"))
            return enter(visit, moment, visit.worker_id, "/worker/account/changed")
    except InvalidInput as problem:
        return _page(visit, problem)


def changed(visit: Visit) -> Response:
    return _page(visit, done="changed")


def welcome(visit: Visit) -> Response:
    """For people without an e-mail address: they need their worker ID to come back."""
    return _page(visit, done="welcome")


def _page(visit: Visit, problem: InvalidInput | None = None, *, done: str = "") -> Response:
    with visit.market.reading() as moment:
        person = person_of(moment, visit.worker_id)
        has_password = passwords.has_password(moment, visit.worker_id)
        sends_mail = mail.usable_server(moment) is not None
        withdrawal = withdrawals.find(moment, visit.worker_id)
    shown: Response = visit.show(
        "account",
        status=400 if problem else 200,
        person=person,
        has_password=has_password,
        sends_mail=sends_mail,
        withdrawal=withdrawal,
        problem=problem,
        done=done,
        min_password=MIN_CHARACTERS,
    )
    return shown
