"""The way of people whom a recruiter sends: in by a link, through their HITs, and back with a code."""

from __future__ import annotations

from contextlib import suppress

from starlette.responses import Response

from beat_the_ai.errors import Refused
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.people import studies
from beat_the_ai.marketplace.people.studies import Study
from beat_the_ai.marketplace.portal.entering import enter
from beat_the_ai.marketplace.portal.visit import Visit

ENDED = "/worker/study/ended"


def arrive(visit: Visit) -> Response:
    """Opening the link begins nothing: mail scanners open links, too."""
    with visit.market.reading() as moment:
        study = studies.get_study(moment, visit.named("key"))
    person, session = studies.read_ids(study, visit.request.query_params)
    shown: Response = visit.show("arrival", study=study, ids=_ids(study, person, session))
    return shown


def begin(visit: Visit) -> Response:
    """Take the first HIT, in a session of the person's own."""
    with visit.market.writing() as moment:
        study = studies.get_study(moment, visit.named("key"))
        person, session = studies.read_ids(study, dict(visit.form))
        begun = studies.begin(moment, study, person, session, visit.session.worker_id)
        return enter(visit, moment, begun.worker_id, _next_page(visit, moment, study, begun))


def go_on(visit: Visit) -> Response:
    with visit.market.writing() as moment:
        return visit.go(_next_page(visit, moment, *_current(moment, visit.worker_id)))


def finish(visit: Visit) -> Response:
    """End the visit, unless a HIT is in progress."""
    with visit.market.writing() as moment:
        study, current = _current(moment, visit.worker_id)
        if (assignment_id := studies.in_progress(moment, study, current)) is not None:
            return visit.go(f"/worker/assignments/{assignment_id}")
        studies.end(moment, study, current)
    return visit.go(ENDED)


def ended(visit: Visit) -> Response:
    """Show the way back to the recruiter."""
    with visit.market.reading() as moment:
        study, current = _current(moment, visit.worker_id)
    if current.outcome is None:
        return visit.go("/worker/work")
    shown: Response = visit.show("visit_ended", outcome=current.outcome, address=study.address(current.outcome))
    return shown


def _next_page(visit: Visit, moment: Moment, study: Study, current: studies.Visit) -> str:
    """Return the address of the HIT in progress, or of the next one, or of the end of the visit."""
    if (at_work := studies.in_progress(moment, study, current)) is not None:
        return f"/worker/assignments/{at_work}"
    if (hit_id := studies.next_hit(moment, study, current)) is not None:
        with suppress(Refused):  # they do not qualify: there is no HIT for them
            return f"/worker/assignments/{visit.workplace.accept_at(moment, current.worker_id, hit_id).id}"
    studies.end(moment, study, current)
    return ENDED


def _current(moment: Moment, worker_id: str) -> tuple[Study, studies.Visit]:
    """Raises `Refused` for somebody whom no recruiter has sent."""
    current = studies.current_visit(moment, worker_id)
    if current is None:
        raise Refused(studies.UNKNOWN)
    return current


def _ids(study: Study, person: str, session: str) -> dict[str, str]:
    """Return the fields of the form that begins the visit."""
    known = {str(study.terms["person"]): person}
    return known if study.terms.get("session") is None else {**known, str(study.terms["session"]): session}
