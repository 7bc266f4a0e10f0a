"""Signing in, as a participant who is known or as a new one."""

from __future__ import annotations

import re

from starlette.responses import Response

from beat_the_ai.recruiter import participants
from beat_the_ai.recruiter.pages.sessions import new_session
from beat_the_ai.recruiter.pages.visit import Visit

HOME = "/studies"
LOCAL_PATH = re.compile(r"/(?:[A-Za-z0-9_][!-\[\]-~]*)?", re.ASCII)
UNKNOWN = "No participant has this id here. Check it, or make a new participant below."


def ask(visit: Visit) -> Response:
    """Show the form, or the studies to whoever is signed in."""
    target = _local(visit.request.query_params.get("next", HOME))
    if visit.session.participant_id is not None:
        return visit.go(target)
    return visit.show("sign_in", target=target, entered="", problem=None)


def enter(visit: Visit) -> Response:
    """Sign in with the id of a participant."""
    target, entered = _local(visit.field("next")), visit.field("participant_id").strip().lower()
    with visit.recruiter.reading() as moment:
        is_known = participants.exists(moment, entered)
    if not is_known:
        return visit.show("sign_in", status=400, target=target, entered=entered, problem=UNKNOWN)
    return visit.go_as(new_session(entered), target)


def begin(visit: Visit) -> Response:
    """Make a participant, and sign in as that."""
    with visit.recruiter.writing() as moment:
        made = participants.add(moment)
    return visit.go_as(new_session(made), _local(visit.field("next")))


def leave(visit: Visit) -> Response:
    return visit.go_as(new_session(), "/")


def _local(target: str) -> str:
    """Only ever go on to a page of this server: browsers let no form lead to another site, as "Open study" would."""
    return target.removesuffix("/open") if target != "/" and LOCAL_PATH.fullmatch(target) else HOME
