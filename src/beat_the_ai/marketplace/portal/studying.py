"""The way of people whom a recruiter sends: in by a link, through their HITs, and back with a code."""

from __future__ import annotations

import hmac

from starlette.responses import Response

from beat_the_ai.errors import Refused
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.people import studies
from beat_the_ai.marketplace.people.recruiters import Recruiters
from beat_the_ai.marketplace.people.studies import Study
from beat_the_ai.marketplace.portal.entering import enter
from beat_the_ai.marketplace.portal.visit import Visit
from beat_the_ai.marketplace.saying import said
from beat_the_ai.web.throttle import Throttle

NOW = "/worker/study/now"
PROOF = "proof"  # the field that says that this browser has opened a link which the recruiter has signed


class Arriving:
    """The page that a recruiter's link opens, and the way from there to the first HIT."""

    def __init__(self, recruiters: Recruiters) -> None:
        self._recruiters = recruiters
        self._throttle = Throttle(by_name=20, by_address=2_000)  # many people may share an address

    def arrive(self, visit: Visit) -> Response:
        """Opening the link begins nothing: mail scanners open links, too."""
        with visit.market.reading() as moment:
            study = studies.get_study(moment, visit.named("key"))
        asked = visit.request.query_params
        person, session = studies.read_ids(study, asked)
        self._recruiters.check_link(study, asked, visit.market.clock.now())
        proof = visit.seal.arrival(study.key, person, session, visit.session.browser)
        shown: Response = visit.show("arrival", study=study, ids={**_ids(study, person, session), PROOF: proof})
        return shown

    def begin(self, visit: Visit) -> Response:
        """Take the first HIT, in a session of the person's own."""
        with visit.market.reading() as moment:
            study = studies.get_study(moment, visit.named("key"))
        person, session = studies.read_ids(study, dict(visit.form))
        proof = visit.seal.arrival(study.key, person, session, visit.session.browser)
        if study.is_signed and not hmac.compare_digest(visit.field(PROOF).encode(), proof.encode()):
            raise Refused(said(studies.ELSEWHERE))
        self._check_place(visit, study, person, session)
        with visit.market.writing() as moment:
            study = studies.get_study(moment, study.key)
            begun = studies.begin(moment, study, person, session, visit.session.browser)
            page = _next_page(visit, moment, study, begun)
            return enter(visit, moment, begun.worker_id, page, only_visit=(begun.study, begun.session))

    def _check_place(self, visit: Visit, study: Study, person: str, session: str) -> None:
        """Ask the recruiter. Somebody who invents ids cannot make us ask without end."""
        address, now = visit.request.client.host if visit.request.client else "", visit.market.clock.now()
        if not self._throttle.admit(address, session, now):
            raise Refused(said("portal_refusals.study.too_often"))
        self._recruiters.check_place(study, person, session)
        self._throttle.succeeded(address, session, now)


def has_begun_in_another_tab(visit: Visit) -> bool:
    """Return whether the form of a link begins the visit that the browser is signed in to."""
    if visit.session.visit is None or "key" not in visit.request.path_params:
        return False
    with visit.market.reading() as moment:
        study = studies.get_study(moment, visit.named("key"))
    _, session = studies.read_ids(study, dict(visit.form))
    return [study.key, session] == list(visit.session.visit)


def go_on(visit: Visit) -> Response:
    with visit.market.writing() as moment:
        return visit.go(_next_page(visit, moment, *_current(visit, moment)))


def finish(visit: Visit) -> Response:
    """End the visit, unless a HIT is in progress."""
    with visit.market.writing() as moment:
        study, current = _current(visit, moment)
        if studies.in_progress(moment, study, current) is None:
            studies.end(moment, study, current)
    return visit.go(NOW)


def now(visit: Visit) -> Response:
    """Show where the visit stands: the HIT in progress, the choice between HITs, or the way back to the recruiter."""
    with visit.market.reading() as moment:
        study, current = _current(visit, moment)
        at_work = studies.in_progress(moment, study, current)
        following = studies.next_hit(moment, study, current)
    if at_work is not None:
        return visit.go(f"/worker/assignments/{at_work}")
    shown: Response
    if current.outcome is None:
        shown = visit.show("visit", study=study, following=following)
    else:
        shown = visit.show("visit_ended", outcome=current.outcome, address=study.address(current.outcome))
    return shown


def _next_page(visit: Visit, moment: Moment, study: Study, current: studies.Visit) -> str:
    """Return the address of the HIT in progress, or of the next one, or of the end of the visit."""
    if (at_work := studies.in_progress(moment, study, current)) is not None:
        return f"/worker/assignments/{at_work}"
    if (hit_id := studies.next_hit(moment, study, current)) is not None:
        try:
            return f"/worker/assignments/{visit.workplace.accept_at(moment, current.worker_id, hit_id).id}"
        except Refused:
            studies.end(moment, study, current, is_unqualified=True)
            return NOW
    studies.end(moment, study, current)
    return NOW


def _current(visit: Visit, moment: Moment) -> tuple[Study, studies.Visit]:
    """Raises `Refused` for somebody whom no recruiter has sent."""
    if visit.session.visit is None:
        raise Refused(said(studies.UNKNOWN))
    return studies.get_visit(moment, *visit.session.visit)


def _ids(study: Study, person: str, session: str) -> dict[str, str]:
    """Return the fields of the form that begins the visit."""
    known = {str(study.terms["person"]): person}
    return known if study.terms.get("session") is None else {**known, str(study.terms["session"]): session}
