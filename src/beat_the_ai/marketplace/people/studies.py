"""Studies: people whom a recruiter sends by a link with their ids, and who go back to the recruiter with a code.

The ids are whatever the browser says: nobody signs them. So an id is bounded in form, a visit belongs to the browser
that began it and opens nothing but itself, a person has one visit at a time, a session at the recruiter is one visit,
and each visit has so many HITs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from urllib.parse import quote, urlsplit

import sqlalchemy as sa

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.marketplace import credentials
from beat_the_ai.marketplace.assignments import GIVEN_UP, SHOWN_TO_REQUESTERS, oldest_open_hit
from beat_the_ai.marketplace.hits import Hit
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.people import links
from beat_the_ai.marketplace.people.person import MAY_WORK, NewPerson, Person, add_people, people_with
from beat_the_ai.marketplace.saying import said
from beat_the_ai.marketplace.tables import assignments, hits, recruited, studies, visits

EXTERNAL_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
Outcome = Literal["done", "partial", "returned", "no_work", "unqualified"]
UNKNOWN = "portal_refusals.study.unknown"
ELSEWHERE = "portal_refusals.study.elsewhere"
AT_WORK = "portal_refusals.study.at_work"
CLOSED = "portal_refusals.study.closed"
ONLY_BY_LINK = "portal_refusals.study.only_by_link"


@dataclass(frozen=True)
class Study:
    """A row of `studies`. `terms` are those of `beat_the_ai.terms.crowd.RecruiterTerms`, as JSON."""

    key: str
    prefix: str
    title: str
    terms: Mapping[str, Any]

    @property
    def recruiter(self) -> str:
        """Return the host to which people go back: an id is one person's at one recruiter."""
        return urlsplit(str(self.terms["finish_url"])).hostname or ""

    @property
    def is_signed(self) -> bool:
        """Return whether the recruiter signs the links of those whom it sends."""
        return bool(self.terms.get("signed"))

    @property
    def is_for_once(self) -> bool:
        """Return whether a person gets one HIT of the study in all, as in a screening."""
        return bool(self.terms.get("once"))

    @property
    def is_paid_by_recruiter(self) -> bool:
        """Return whether the recruiter pays, through an API of its own: Prolific is the one that does."""
        return self.terms.get("prolific") is not None

    def address(self, outcome: Outcome) -> str:
        """Return where a person goes back to the recruiter."""
        code = self.terms.get(outcome) or self.terms["no_work" if outcome == "unqualified" else outcome]
        return str(self.terms["finish_url"]).replace("{code}", quote(code or "", safe=""))


@dataclass(frozen=True)
class Visit:
    """A row of `visits`: one place that a person has taken at the recruiter's.

    Without a `browser` the next one that opens the link goes on with it.
    """

    study: str
    session: str
    worker_id: str
    browser: str | None
    started_at: datetime
    ended_at: datetime | None = None
    outcome: Outcome | None = None

    def includes(self, at: datetime) -> bool:
        """Return whether it was going on at a time."""
        return self.started_at <= at and (self.ended_at is None or at < self.ended_at)


def register(moment: Moment, prefix: str, title: str, terms: Mapping[str, Any]) -> str:
    """Return the key of the study whose HITs have annotations with this prefix; its terms are as given from now on.

    Raises `InvalidInput` for another recruiter than before.
    """
    study = study_of(moment, prefix)
    if study is not None:
        recruiter = Study(study.key, prefix, title, terms).recruiter
        if recruiter != study.recruiter:
            raise InvalidInput(
                "crowd.recruiter.finish_url",
                f"People go back to {study.recruiter} in this study, not to {recruiter}: their ids are those of one "
                "recruiter.",
            )
        here = sa.update(studies).filter_by(key=study.key)
        moment.connection.execute(here.values(title=title, terms=dict(terms)))
        return study.key
    key = links.new_token()
    row = {"key": key, "prefix": prefix, "title": title, "terms": dict(terms), "created_at": moment.now}
    moment.connection.execute(sa.insert(studies).values(row))
    return key


def study_of(moment: Moment, prefix: str) -> Study | None:
    """Return the study whose HITs have annotations with this prefix."""
    key = moment.connection.scalar(sa.select(studies.c.key).filter_by(prefix=prefix))
    return None if key is None else get_study(moment, str(key))


def get_study(moment: Moment, key: str) -> Study:
    """Raises `Refused` with words for the person."""
    row = moment.connection.execute(_study_of_key, {"of_key": key}).one_or_none()
    if row is None:
        raise Refused(said(UNKNOWN))
    return Study(**row._mapping)


def list_studies(moment: Moment) -> list[Study]:
    """Return all studies, the oldest first."""
    columns = [studies.c[name] for name in Study.__dataclass_fields__]
    rows = moment.connection.execute(sa.select(*columns).order_by(studies.c.created_at, studies.c.key))
    return [Study(**row._mapping) for row in rows]


def read_ids(study: Study, asked: Mapping[str, str]) -> tuple[str, str]:
    """Return the ids of the person and of their session from the link's parameters. Raises `InvalidInput`."""
    person = _id(asked, str(study.terms["person"]))
    session = study.terms.get("session")
    return person, person if session is None else _id(asked, str(session))


def _id(asked: Mapping[str, str], name: str) -> str:
    if not EXTERNAL_ID.fullmatch(text := asked.get(name, "").strip()):
        raise InvalidInput(name, said("portal_refusals.study.no_id", name=name))
    return text


def begin(moment: Moment, study: Study, person: str, session: str, browser: str) -> Visit:
    """Begin a visit in a browser, or go on with it there; one that has ended stays so.

    Raises `Refused` with words for the person.
    """
    visit = _visit(moment, study.key, session)
    ids = {"recruiter": study.recruiter, "external_id": person}
    worker_id = moment.connection.scalar(sa.select(recruited.c.worker_id).filter_by(**ids))
    if worker_id is not None and people_with(moment, [worker_id])[0].state != MAY_WORK:
        raise Refused(said(CLOSED))
    if visit is not None:
        return _go_on(moment, visit, worker_id, browser)
    if worker_id is None:
        if people_with(moment, [person.upper()]):  # it would name somebody else wherever people are named
            raise Refused(said(CLOSED))
        [added] = add_people(moment, [NewPerson(person)], MAY_WORK)
        worker_id = added.worker_id
        moment.connection.execute(sa.insert(recruited), {"worker_id": worker_id, **ids})
    else:
        _end_open(moment, worker_id, browser)
    begun = Visit(study.key, session, worker_id, browser, moment.now)
    moment.connection.execute(sa.insert(visits), begun.__dict__)
    credentials.begin(moment, worker_id)
    return begun


def _go_on(moment: Moment, visit: Visit, worker_id: str | None, browser: str) -> Visit:
    if visit.worker_id != worker_id or visit.browser not in (None, browser):
        raise Refused(said(ELSEWHERE))
    if visit.ended_at is None:
        moment.connection.execute(_row(visit).values(browser=browser))
    return visit


def _end_open(moment: Moment, worker_id: str, browser: str) -> None:
    """End the visit that is open, if there is one. Raises `Refused` where somebody may still be at it."""
    visit = _open_visit(moment, worker_id)
    if visit is None:
        return
    study = get_study(moment, visit.study)
    is_here = visit.browser == browser
    if in_progress(moment, study, visit) is not None:
        raise Refused(said(AT_WORK if is_here else ELSEWHERE))
    is_recent = moment.now < visit.started_at + credentials.SESSION_LASTS
    if not is_here and is_recent and next_hit(moment, study, visit) is not None:
        raise Refused(said(ELSEWHERE))
    end(moment, study, visit)


def release(moment: Moment, person: Person) -> None:
    """Let a person go on with the open visit in another browser. Raises `Refused` where none is open."""
    visit = _open_visit(moment, person.worker_id)
    if visit is None:
        raise Refused(f"{person.shown_name} has no open visit. A new one begins with the recruiter's link.")
    moment.connection.execute(_row(visit).values(browser=None))
    credentials.end_sessions(moment, person.worker_id)


def get_visit(moment: Moment, key: str, session: str) -> tuple[Study, Visit]:
    """Return a visit of a study. Raises `Refused` with words for the person."""
    visit = _visit(moment, key, session)
    if visit is None:
        raise Refused(said(UNKNOWN))
    return get_study(moment, key), visit


def next_hit(moment: Moment, study: Study, visit: Visit) -> str | None:
    """Return the oldest open HIT of the study that the worker has not done, while the visit has HITs left."""
    if not _has_hits_left(moment, study, visit):
        return None
    return oldest_open_hit(moment, visit.worker_id, belongs(study))


def is_recruited(moment: Moment, worker_id: str) -> bool:
    return bool(recruited_among(moment, [worker_id]))


def recruited_among(moment: Moment, worker_ids: Sequence[str]) -> set[str]:
    """Return those of the workers whom a recruiter has sent."""
    return set(moment.connection.scalars(sa.select(recruited.c.worker_id).where(recruited.c.worker_id.in_(worker_ids))))


def check_may_accept(moment: Moment, worker_id: str, hit: Hit) -> None:
    """Raise `Refused` for a worker whom a recruiter has sent, and who has no place for this HIT."""
    if not is_recruited(moment, worker_id):
        return
    visit = _open_visit(moment, worker_id)
    if visit is not None:
        study = get_study(moment, visit.study)
        is_of_study = moment.connection.scalar(sa.select(belongs(study)).where(hits.c.id == hit.id))
        if is_of_study and _has_hits_left(moment, study, visit):
            return
    raise Refused(said(ONLY_BY_LINK))


def end(moment: Moment, study: Study, visit: Visit, *, is_unqualified: bool = False) -> None:
    """End a visit, unless it has ended: it is done once all its HITs are submitted, or no HIT is left.

    `is_unqualified` says that there are HITs which this worker may not do.
    """
    if visit.outcome is not None:
        return
    submitted = _taken(moment, study, visit, SHOWN_TO_REQUESTERS)
    has_more = is_unqualified or next_hit(moment, study, visit) is not None
    outcome: Outcome = "unqualified" if is_unqualified else "no_work"
    if submitted:
        outcome = "partial" if has_more else "done"
    elif _taken(moment, study, visit, GIVEN_UP):
        outcome = "returned"
    moment.connection.execute(_row(visit).values(ended_at=moment.now, outcome=outcome))


def in_progress(moment: Moment, study: Study, visit: Visit) -> str | None:
    """Return the assignment on which the worker is at work."""
    at_work = _of(study, visit, assignments.c.id).where(assignments.c.status == "Accepted")
    assignment_id: str | None = moment.connection.scalar(at_work)
    return assignment_id


def _has_hits_left(moment: Moment, study: Study, visit: Visit) -> bool:
    if visit.ended_at is not None or (study.is_for_once and _has_taken_any(moment, study, visit.worker_id)):
        return False
    return _taken(moment, study, visit) < int(study.terms["hits_each"])


def _has_taken_any(moment: Moment, study: Study, worker_id: str) -> bool:
    query = sa.select(assignments.c.id).join(hits, hits.c.id == assignments.c.hit_id).filter_by(worker_id=worker_id)
    query = query.where(belongs(study), assignments.c.status.not_in(GIVEN_UP)).limit(1)
    return moment.connection.scalar(query) is not None


def _taken(moment: Moment, study: Study, visit: Visit, statuses: tuple[str, ...] | None = None) -> int:
    """Return the number of HITs that were accepted in a visit and not given back, or that have these statuses."""
    status = assignments.c.status
    chosen = status.not_in(GIVEN_UP) if statuses is None else status.in_(statuses)
    return int(moment.connection.scalars(_of(study, visit, sa.func.count()).where(chosen)).one())


def _of(study: Study, visit: Visit, column: Any) -> sa.Select[Any]:
    """Select a column of the assignments of a visit."""
    query = sa.select(column).select_from(assignments).join(hits, hits.c.id == assignments.c.hit_id)
    query = query.where(belongs(study), assignments.c.worker_id == visit.worker_id)
    query = query.where(assignments.c.accepted_at >= visit.started_at)
    return query if visit.ended_at is None else query.where(assignments.c.accepted_at < visit.ended_at)


def belongs(study: Study) -> sa.ColumnElement[bool]:
    """Say in SQL that a HIT is one of the study's, in the same letters: LIKE would not care on SQLite."""
    return sa.func.substr(hits.c.annotation, 1, len(study.prefix)) == study.prefix


def _row(visit: Visit) -> sa.Update:
    return sa.update(visits).filter_by(study=visit.study, session=visit.session)


def _open_visit(moment: Moment, worker_id: str) -> Visit | None:
    row = moment.connection.execute(_open_visit_of, {"of_worker": worker_id}).one_or_none()
    return None if row is None else Visit(**row._mapping)


def _visit(moment: Moment, key: str, session: str) -> Visit | None:
    row = moment.connection.execute(_visit_of, {"of_study": key, "of_session": session}).one_or_none()
    return None if row is None else Visit(**row._mapping)


# Built once: building takes longer than asking, and many may arrive at once.
_study_of_key = sa.select(*(studies.c[name] for name in Study.__dataclass_fields__)).filter_by(
    key=sa.bindparam("of_key")
)
_visits = sa.select(*(visits.c[name] for name in Visit.__dataclass_fields__))
_visit_of = _visits.filter_by(study=sa.bindparam("of_study"), session=sa.bindparam("of_session"))
_open_visit_of = _visits.filter_by(worker_id=sa.bindparam("of_worker"), ended_at=None).limit(1)
