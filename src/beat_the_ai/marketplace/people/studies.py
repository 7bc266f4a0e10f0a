"""Studies: people whom a recruiter sends by a link with their ids, and who go back to the recruiter with a code.

The ids are whatever the browser says: nobody signs them. So an id is bounded in form, a visit belongs to the browser
that began it, a person who has ended a visit begins no other one under its session, and each visit has so many HITs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from urllib.parse import quote

import sqlalchemy as sa

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.marketplace import credentials
from beat_the_ai.marketplace.hits import Hit
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.people import links
from beat_the_ai.marketplace.people.person import MAY_WORK, NewPerson, add_people, people_with
from beat_the_ai.marketplace.tables import assignments, hits, recruited, studies, visits

EXTERNAL_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
GIVEN_UP = ("Returned", "Abandoned")
Outcome = Literal["done", "returned", "no_work"]
UNKNOWN = "There is no study at this address. Open the link from your recruiter again."
NO_ID = "Your link carries no id of yours ({name}). Open it from your recruiter's page, not from a copy."
ELSEWHERE = "This link was opened in another browser. Go on there, or ask your recruiter for another place."
OVER = "You have ended this visit. Thank you! Open the link from your recruiter's page if you have another place."
CLOSED = "You cannot take part. Ask your recruiter if that is a mistake."
ONLY_BY_LINK = "Your recruiter sends you to this work: open the link there. A visit has a fixed number of HITs."


@dataclass(frozen=True)
class Study:
    """A row of `studies`. `terms` are those of `beat_the_ai.terms.crowd.RecruiterTerms`, as JSON."""

    key: str
    prefix: str
    title: str
    terms: Mapping[str, Any]

    def address(self, outcome: Outcome) -> str:
        """Return where a person goes back to the recruiter."""
        return str(self.terms["finish_url"]).replace("{code}", quote(str(self.terms[outcome]), safe=""))


@dataclass(frozen=True)
class Visit:
    """A row of `visits`: one place that a person has taken at the recruiter's."""

    study: str
    session: str
    worker_id: str
    started_at: datetime
    ended_at: datetime | None
    outcome: Outcome | None


def register(moment: Moment, prefix: str, title: str, terms: Mapping[str, Any]) -> str:
    """Return the key of the study whose HITs have annotations with this prefix; its terms are as given from now on."""
    key = moment.connection.scalar(sa.select(studies.c.key).filter_by(prefix=prefix))
    if key is not None:
        here = sa.update(studies).filter_by(key=key)
        moment.connection.execute(here.values(title=title, terms=dict(terms)))
        return str(key)
    key = links.new_token()
    row = {"key": key, "prefix": prefix, "title": title, "terms": dict(terms), "created_at": moment.now}
    moment.connection.execute(sa.insert(studies).values(row))
    return key


def get_study(moment: Moment, key: str) -> Study:
    """Raises `Refused` with words for the person."""
    columns = [studies.c[name] for name in Study.__dataclass_fields__]
    row = moment.connection.execute(sa.select(*columns).filter_by(key=key)).one_or_none()
    if row is None:
        raise Refused(UNKNOWN)
    return Study(**row._mapping)


def read_ids(study: Study, asked: Mapping[str, str]) -> tuple[str, str]:
    """Return the ids of the person and of their session from the link's parameters. Raises `InvalidInput`."""
    person = _id(asked, str(study.terms["person"]))
    session = study.terms.get("session")
    return person, person if session is None else _id(asked, str(session))


def _id(asked: Mapping[str, str], name: str) -> str:
    if not EXTERNAL_ID.fullmatch(text := asked.get(name, "").strip()):
        raise InvalidInput(name, NO_ID.format(name=name))
    return text


def begin(moment: Moment, study: Study, person: str, session: str, browser_of: str | None) -> Visit:
    """Begin a visit, or go on with it. `browser_of` is the worker who is signed in at this browser.

    Raises `Refused` with words for the person.
    """
    visit = _visit(moment, study.key, session)
    worker_id = moment.connection.scalar(sa.select(recruited.c.worker_id).filter_by(external_id=person))
    if visit is not None and (visit.worker_id != worker_id or browser_of != visit.worker_id):
        raise Refused(ELSEWHERE)
    if visit is not None:
        if visit.ended_at is not None:
            raise Refused(OVER)
        return visit
    if worker_id is None:
        worker_id = _recruit(moment, person)
    elif people_with(moment, [worker_id])[0].state != MAY_WORK:
        raise Refused(CLOSED)
    elif _open_visit(moment, worker_id) is not None and browser_of != worker_id:
        raise Refused(ELSEWHERE)
    row = {"study": study.key, "session": session, "worker_id": worker_id, "started_at": moment.now}
    moment.connection.execute(sa.insert(visits).values(row))
    credentials.begin(moment, worker_id)
    return Visit(study.key, session, worker_id, moment.now, None, None)


def _recruit(moment: Moment, external_id: str) -> str:
    [person] = add_people(moment, [NewPerson(external_id)], MAY_WORK)
    row = {"worker_id": person.worker_id, "external_id": external_id}
    moment.connection.execute(sa.insert(recruited).values(row))
    return person.worker_id


def is_recruited(moment: Moment, worker_id: str) -> bool:
    return moment.connection.scalar(sa.select(recruited.c.worker_id).filter_by(worker_id=worker_id)) is not None


def current_visit(moment: Moment, worker_id: str) -> tuple[Study, Visit] | None:
    """Return the last visit of a worker, and its study; None for a worker whom no recruiter has sent."""
    query = _visits.filter_by(worker_id=worker_id).order_by(visits.c.started_at.desc()).limit(1)
    row = moment.connection.execute(query).one_or_none()
    if row is None:
        return None
    visit = Visit(**row._mapping)
    return get_study(moment, visit.study), visit


def next_hit(moment: Moment, study: Study, visit: Visit) -> str | None:
    """Return the oldest open HIT of the study that the worker has not done, while the visit has HITs left."""
    if visit.ended_at is not None or _taken(moment, study, visit) >= int(study.terms["hits_each"]):
        return None
    mine = sa.select(assignments.c.id).filter_by(worker_id=visit.worker_id)
    mine = mine.where(assignments.c.hit_id == hits.c.id, assignments.c.status.not_in(GIVEN_UP))
    of_study = hits.c.annotation.startswith(study.prefix, autoescape=True)
    query = sa.select(hits.c.id).where(of_study, hits.c.status == "Assignable", ~mine.exists())
    return moment.connection.scalar(query.order_by(hits.c.number).limit(1))


def check_may_accept(moment: Moment, worker_id: str, hit: Hit) -> None:
    """Raise `Refused` for a worker whom a recruiter has sent, and who has no place for this HIT."""
    if not is_recruited(moment, worker_id):
        return
    current = current_visit(moment, worker_id)
    if current is not None:
        study, visit = current
        belongs = (hit.annotation or "").startswith(study.prefix)
        if belongs and visit.ended_at is None and _taken(moment, study, visit) < int(study.terms["hits_each"]):
            return
    raise Refused(ONLY_BY_LINK)


def end(moment: Moment, study: Study, visit: Visit) -> Outcome:
    """End a visit, unless it has ended, and return how: with a HIT that was submitted it is done."""
    if visit.outcome is not None:
        return visit.outcome
    counted = ("Submitted", "Approved", "Rejected")
    outcome: Outcome = "no_work"
    if _taken(moment, study, visit, counted):
        outcome = "done"
    elif _taken(moment, study, visit, GIVEN_UP):
        outcome = "returned"
    here = sa.update(visits).filter_by(study=visit.study, session=visit.session)
    moment.connection.execute(here.values(ended_at=moment.now, outcome=outcome))
    return outcome


def in_progress(moment: Moment, study: Study, visit: Visit) -> str | None:
    """Return the assignment on which the worker is at work."""
    at_work = _of(study, visit, assignments.c.id).where(assignments.c.status == "Accepted")
    assignment_id: str | None = moment.connection.scalar(at_work)
    return assignment_id


def _taken(moment: Moment, study: Study, visit: Visit, statuses: tuple[str, ...] | None = None) -> int:
    """Return the number of HITs that were accepted in a visit and not given back, or that have these statuses."""
    status = assignments.c.status
    chosen = status.not_in(GIVEN_UP) if statuses is None else status.in_(statuses)
    return int(moment.connection.scalars(_of(study, visit, sa.func.count()).where(chosen)).one())


def _of(study: Study, visit: Visit, column: Any) -> sa.Select[Any]:
    """Select a column of the assignments of a visit."""
    query = sa.select(column).select_from(assignments).join(hits, hits.c.id == assignments.c.hit_id)
    of_study = hits.c.annotation.startswith(study.prefix, autoescape=True)
    return query.where(
        of_study, assignments.c.worker_id == visit.worker_id, assignments.c.accepted_at >= visit.started_at
    )


def _open_visit(moment: Moment, worker_id: str) -> Visit | None:
    row = moment.connection.execute(_visits.filter_by(worker_id=worker_id, ended_at=None).limit(1)).one_or_none()
    return None if row is None else Visit(**row._mapping)


def _visit(moment: Moment, key: str, session: str) -> Visit | None:
    row = moment.connection.execute(_visits.filter_by(study=key, session=session)).one_or_none()
    return None if row is None else Visit(**row._mapping)


_visits = sa.select(*(visits.c[name] for name in Visit.__dataclass_fields__))
