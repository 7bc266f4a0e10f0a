"""Studies and their states.

UNPUBLISHED ─PUBLISH─> ACTIVE <─START── PAUSED       SCHEDULE_PUBLISH leads to SCHEDULED, and from there to ACTIVE
ACTIVE, PAUSED ─STOP─> COMPLETED ─more places─> ACTIVE
ACTIVE ─all places done─> AWAITING REVIEW ─all decided─> COMPLETED
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.recruiter import events
from beat_the_ai.recruiter.completion_codes import CompletionCode
from beat_the_ai.recruiter.errors import NotThere, WrongState
from beat_the_ai.recruiter.groups import check_groups
from beat_the_ai.recruiter.identifiers import new_id
from beat_the_ai.recruiter.reading import invalid, read
from beat_the_ai.recruiter.study_documents import StudyDocument
from beat_the_ai.recruiter.tables import studies, submissions
from beat_the_ai.recruiter.workspace import get_workspace

STATUSES = ("UNPUBLISHED", "SCHEDULED", "PUBLISHING", "ACTIVE", "AWAITING REVIEW", "PAUSED", "COMPLETED")
DRAFTS = ("UNPUBLISHED", "SCHEDULED")
RECRUITING = ("ACTIVE", "PAUSED", "AWAITING REVIEW")
TAKING = ("RESERVED", "ACTIVE")  # a submission holds its place, and its participant
HOLDING = (*TAKING, "AWAITING REVIEW", "APPROVED")  # a submission holds its place
CHANGEABLE = {"internal_name", "total_available_places", "submissions_config"}


@dataclass(frozen=True)
class Study:
    """A row of `studies`; `document` is the checked text of the researcher."""

    number: int
    id: str
    status: str
    document: StudyDocument
    created_at: datetime
    published_at: datetime | None
    publish_at: datetime | None

    @property
    def places(self) -> int:
        return self.document.total_available_places

    def code(self, entered: str | None, actor: str) -> CompletionCode | None:
        """Return the code that was entered, if it is this actor's."""
        return next((one for one in self.document.completion_codes if one.code == entered and one.actor == actor), None)


def add(moment: Moment, given: Mapping[str, Any]) -> Study:
    """Make a draft. Raises `Invalid`."""
    document = _checked(moment, given)
    identifier = new_id()
    row = {"id": identifier, "status": "UNPUBLISHED", "document": document.model_dump(), "created_at": moment.now}
    moment.connection.execute(sa.insert(studies).values(row))
    return get(moment, identifier)


def get(moment: Moment, study_id: str) -> Study:
    """Return a study. Raises `NotThere`."""
    row = moment.connection.execute(sa.select(studies).filter_by(id=study_id)).one_or_none()
    if row is None:
        raise NotThere("study", study_id)
    return from_row(row)


def from_row(row: sa.Row[Any]) -> Study:
    """Return the study of a row."""
    return Study(**{**row._mapping, "document": StudyDocument.model_validate(row.document)})


def all_of(moment: Moment, statuses: tuple[str, ...]) -> list[Study]:
    """Return the studies in these states, the oldest first."""
    query = sa.select(studies).where(studies.c.status.in_(statuses)).order_by(studies.c.number)
    return [from_row(row) for row in moment.connection.execute(query)]


def change(moment: Moment, study: Study, given: Mapping[str, Any]) -> Study:
    """Change what may be changed in its state. Raises `Invalid`."""
    before = study.document.model_dump()
    document = _checked(moment, {**before, **_merged(before, given)})
    if study.status not in DRAFTS:
        _check_published(study, document)
    _update(moment, study, document=document.model_dump())
    if document.total_available_places > study.places and study.status in ("COMPLETED", "AWAITING REVIEW"):
        _move(moment, study, "ACTIVE")
    return get(moment, study.id)


def delete(moment: Moment, study: Study) -> None:
    """Delete a draft. Raises `WrongState`."""
    if study.status not in DRAFTS:
        raise WrongState(f"This study is {study.status}; only drafts can be deleted.")
    moment.connection.execute(sa.delete(studies).filter_by(id=study.id))


def publish(moment: Moment, study: Study) -> None:
    """Open a draft to participants. Raises `Invalid` where it is not complete."""
    check_complete(study)
    _update(moment, study, published_at=moment.now, publish_at=None)
    _move(moment, study, "ACTIVE")


def schedule(moment: Moment, study: Study, at: datetime | None) -> None:
    """Publish it later. Raises `Invalid`."""
    check_complete(study)
    if at is None or at <= moment.now:
        raise invalid("publish_at", "A time in the future is needed, such as 2030-01-31T09:00:00Z")
    _update(moment, study, publish_at=at)
    _move(moment, study, "SCHEDULED")


def unschedule(moment: Moment, study: Study) -> None:
    """Make it a draft again."""
    _update(moment, study, publish_at=None, published_at=None)
    _move(moment, study, "UNPUBLISHED")


def check_complete(study: Study) -> None:
    """Raise `Invalid` for a study without completion codes."""
    if not study.document.completion_codes:
        raise invalid("completion_codes", "At least one completion code is needed")


def move(moment: Moment, study: Study, status: str) -> None:
    """Put a study into another state and, where it recruits, into the one that its submissions ask for."""
    _move(moment, study, status)
    settle(moment, study.id)


def settle(moment: Moment, study_id: str) -> None:
    """Bring the state of a study up to date with its submissions."""
    study = get(moment, study_id)
    if study.status not in ("ACTIVE", "AWAITING REVIEW"):
        return
    counts = count(moment, study_id)
    is_full = sum(counts.get(status, 0) for status in HOLDING) >= study.places
    is_under_way = any(counts.get(status, 0) for status in TAKING)
    reached = "ACTIVE"
    if is_full and not is_under_way:
        reached = "AWAITING REVIEW" if counts.get("AWAITING REVIEW") else "COMPLETED"
    if reached != study.status:
        _move(moment, study, reached)


def count(moment: Moment, study_id: str) -> dict[str, int]:
    """Return the number of submissions in each state that a submission of the study is in."""
    query = sa.select(submissions.c.status, sa.func.count()).filter_by(study_id=study_id).group_by(submissions.c.status)
    return {row[0]: row[1] for row in moment.connection.execute(query)}


def taken(counts: Mapping[str, int]) -> int:
    """Return the number of places that are not free."""
    return sum(counts.get(status, 0) for status in HOLDING)


def _checked(moment: Moment, given: Mapping[str, Any]) -> StudyDocument:
    document = read(StudyDocument, given)
    workspace = get_workspace(moment)
    if document.project not in (None, workspace.project_id):
        raise invalid(
            "project", f"There is no project {document.project!r}; this workspace's is {workspace.project_id}"
        )
    check_groups(moment, document.groups)
    filled = {"project": workspace.project_id, "maximum_allowed_time": document.minutes_allowed}
    return document.model_copy(update=filled)


def _merged(before: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a change in which `submissions_config` keeps what it does not name."""
    config = given.get("submissions_config")
    if not isinstance(config, dict):
        return dict(given)
    return {**given, "submissions_config": {**before["submissions_config"], **config}}


def _check_published(study: Study, document: StudyDocument) -> None:
    before, after = study.document.model_dump(), document.model_dump()
    for field in before.keys() - CHANGEABLE:
        if before[field] != after[field]:
            raise invalid(field, f"This study is {study.status}; of a published study this field cannot be changed")
    if document.total_available_places < study.places:
        raise invalid("total_available_places", f"The places of a published study can only grow; it has {study.places}")


def _move(moment: Moment, study: Study, status: str) -> None:
    _update(moment, study, status=status)
    events.study_changed(moment, study.id, status)


def _update(moment: Moment, study: Study, **values: Any) -> None:
    moment.connection.execute(sa.update(studies).filter_by(id=study.id).values(**values))
