"""Qualification types: a property of workers that a requester has thought of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from beat_the_ai.marketplace import identifiers, questions
from beat_the_ai.marketplace.answer_keys import read_answer_key
from beat_the_ai.marketplace.errors import RequestFailed, does_not_exist, wrong_parameter
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.pages import Page, PageRequest, fetch, page_of
from beat_the_ai.marketplace.requirements import SYSTEM_TYPES
from beat_the_ai.marketplace.tables import hit_requirements, hits, qualification_requests, qualification_types

DISPOSED = "Disposed"
MAX_QUERY_CHARACTERS = 500  # [ours]; databases refuse patterns of any length
NAME_TAKEN = (
    "You have already created a QualificationType with this name. A QualificationType's name must be unique among all "
    "of the QualificationTypes created by the same user."
)  # [seen: Dallinger #3331]; Mephisto matches on its beginning


@dataclass(frozen=True)
class Properties:
    """The properties of a qualification type that a requester decides."""

    name: str
    description: str
    status: str
    keywords: str | None = None
    test: str | None = None
    answer_key: str | None = None
    test_duration_seconds: int | None = None
    retry_delay_seconds: int | None = None
    auto_granted: bool = False
    auto_granted_value: int | None = None


@dataclass(frozen=True)
class QualificationType:
    id: str
    requester_id: str
    properties: Properties
    created_at: datetime


def create(moment: Moment, requester_id: str, properties: Properties) -> QualificationType:
    """Raises QualificationTypeAlreadyExists when the requester has one of that name."""
    _check(properties)
    taken = sa.select(qualification_types.c.id).filter_by(requester_id=requester_id, unique_name=properties.name)
    if moment.connection.scalar(taken) is not None:
        raise RequestFailed("QualificationTypeAlreadyExists", NAME_TAKEN)
    made = QualificationType(identifiers.new_entity(), requester_id, properties, moment.now)
    row = {"id": made.id, "requester_id": requester_id, "unique_name": properties.name, "created_at": moment.now}
    moment.connection.execute(sa.insert(qualification_types).values(**row, **properties.__dict__))
    return made


def _check(properties: Properties) -> None:
    if not 1 <= len(properties.name.strip()) <= 200:
        raise wrong_parameter("Name must have 1 to 200 characters.")
    if not 1 <= len(properties.description.strip()) <= 2_000:
        raise wrong_parameter("Description must have 1 to 2000 characters.")
    if len(properties.keywords or "") > 1_000:
        raise wrong_parameter("Keywords must have at most 1000 characters.")
    if (properties.test is None) != (properties.test_duration_seconds is None):
        raise wrong_parameter("Test and TestDurationInSeconds must be given together.")
    if properties.answer_key is not None and properties.test is None:
        raise wrong_parameter("An AnswerKey needs a Test.")
    if properties.auto_granted and properties.test is not None:
        raise wrong_parameter("A QualificationType with a Test cannot be AutoGranted.")
    for name in ("test_duration_seconds", "retry_delay_seconds"):
        seconds = getattr(properties, name)
        if seconds is not None and not 0 <= seconds <= 2**31 - 1:
            raise wrong_parameter(f"{name} must be between 0 and 2147483647.")
    if properties.test is not None:
        questions.check_form(properties.test, "Test")
    if properties.answer_key is not None:
        read_answer_key(properties.answer_key)


def get_type(moment: Moment, type_id: str, owner_id: str | None = None) -> QualificationType:
    """Raises QualificationTypeDoesNotExist when it was deleted, or is another's while `owner_id` asks to change it."""
    row = moment.connection.execute(sa.select(qualification_types).filter_by(id=type_id)).one_or_none()
    if row is None or row.status == DISPOSED or owner_id not in (None, row.requester_id):
        raise does_not_exist("QualificationType", type_id)
    return from_row(row)


def from_row(row: sa.Row[Any]) -> QualificationType:
    properties = Properties(**{name: getattr(row, name) for name in Properties.__dataclass_fields__})
    return QualificationType(row.id, row.requester_id, properties, row.created_at)


def update(moment: Moment, owner_id: str, type_id: str, changes: Mapping[str, Any]) -> QualificationType:
    """`changes` are properties. A test comes with its duration; without a key the new test has none [doc]."""
    known = get_type(moment, type_id, owner_id)
    if "test" in changes:
        changes = {"answer_key": None, "test_duration_seconds": None, **changes}
    elif {"answer_key", "test_duration_seconds"} & set(changes):
        raise wrong_parameter("To change AnswerKey or TestDurationInSeconds, give the Test again.")
    properties = replace(known.properties, **changes)
    _check(properties)
    moment.connection.execute(sa.update(qualification_types).filter_by(id=type_id).values(properties.__dict__))
    return replace(known, properties=properties)


def delete(moment: Moment, owner_id: str, type_id: str) -> None:
    """Pending requests are rejected, workers keep the qualification for the HITs that ask for it [doc]."""
    get_type(moment, type_id, owner_id)
    gone = {"status": DISPOSED, "unique_name": None}
    moment.connection.execute(sa.update(qualification_types).filter_by(id=type_id).values(gone))
    pending = sa.update(qualification_requests).filter_by(qualification_type_id=type_id, status="Pending")
    moment.connection.execute(pending.values(status="Rejected", reason="The qualification type was deleted."))


def search(
    moment: Moment, caller_id: str, asked: PageRequest, *, query: str | None, owned: bool, requestable: bool
) -> Page[QualificationType]:
    """Search by words in name, keywords or description. All types here can be requested; system types are left out."""
    if len(query or "") > MAX_QUERY_CHARACTERS:
        raise wrong_parameter(f"Query must have at most {MAX_QUERY_CHARACTERS} characters.")
    columns = qualification_types.c
    found = sa.select(qualification_types).where(columns.status != DISPOSED)
    if owned:
        found = found.where(columns.requester_id == caller_id)
    if requestable:
        found = found.where(columns.status == "Active")
    for word in (query or "").split():
        texts = (columns.name, columns.keywords, columns.description)
        found = found.where(sa.or_(*(text.icontains(word, autoescape=True) for text in texts)))
    rows = fetch(moment, found, columns.number, asked, newest_first=True)
    return page_of([from_row(row) for row in rows], [row.number for row in rows])


def names(moment: Moment, type_ids: set[str]) -> dict[str, str]:
    """Return the names of the known types."""
    own = type_ids - SYSTEM_TYPES.keys()
    columns = (qualification_types.c.id, qualification_types.c.name)
    if not own:
        return {}
    found = moment.connection.execute(sa.select(*columns).where(qualification_types.c.id.in_(own)))
    return {row.id: row.name for row in found}


def hits_asking_for(moment: Moment, requester_id: str, type_id: str, asked: PageRequest) -> Page[sa.Row[Any]]:
    """Rows of the requester's HITs that require the type."""
    query = (
        sa.select(hits)
        .join(hit_requirements, hit_requirements.c.hit_number == hits.c.number)
        .where(hit_requirements.c.qualification_type_id == type_id)
        .where(hit_requirements.c.requester_id == requester_id)
    )
    rows = fetch(moment, query, hit_requirements.c.hit_number, asked, newest_first=True)
    return page_of(rows, [row.number for row in rows])
