"""HIT types: what many HITs have in common. The same properties again give the same type back [doc]."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sa

from beat_the_ai.marketplace import identifiers, requirements
from beat_the_ai.marketplace.errors import does_not_exist, wrong_parameter
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.requirements import Requirement
from beat_the_ai.marketplace.tables import hit_types

DEFAULT_AUTO_APPROVAL_SECONDS = 2_592_000
MAX_AUTO_APPROVAL_SECONDS = 2_592_000
DURATION_SECONDS = range(30, 31_536_000 + 1)
MAX_CHARACTERS = {"title": 128, "description": 2_000, "keywords": 1_000}


@dataclass(frozen=True)
class Properties:
    """The properties of a HIT type that a requester decides. `requirements` are kept as the protocol writes them."""

    title: str
    description: str
    keywords: str | None
    reward_cents: int
    auto_approval_seconds: int
    duration_seconds: int
    requirements: Sequence[Mapping[str, Any]]

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class HitType:
    id: str
    requester_id: str
    properties: Properties

    @property
    def requirements(self) -> list[Requirement]:
        return [Requirement.read(one) for one in self.properties.requirements]


def register(moment: Moment, requester_id: str, properties: Properties) -> HitType:
    """A new type, or the one with these properties."""
    _check(properties)
    requirements.check(moment, properties.requirements)
    known = sa.select(hit_types.c.id).filter_by(requester_id=requester_id, fingerprint=properties.fingerprint)
    type_id = moment.connection.scalar(known)
    if type_id is None:
        type_id = identifiers.new_entity()
        new = {"id": type_id, "requester_id": requester_id, "fingerprint": properties.fingerprint}
        rest = {"assignable_hits": 0, "offered": False, "notifying": False, "created_at": moment.now}
        moment.connection.execute(sa.insert(hit_types).values(**new, **rest, **properties.__dict__))
    return HitType(type_id, requester_id, properties)


def _check(properties: Properties) -> None:
    for name, most in MAX_CHARACTERS.items():
        value = getattr(properties, name)
        if value is not None and len(value) > most:
            raise wrong_parameter(f"{name.title()} has {len(value)} characters; at most {most} are allowed.")
    if not properties.title.strip() or not properties.description.strip():
        raise wrong_parameter("Title and Description must not be empty.")
    if properties.duration_seconds not in DURATION_SECONDS:
        raise wrong_parameter("AssignmentDurationInSeconds must be between 30 and 31536000.")
    if not 0 <= properties.auto_approval_seconds <= MAX_AUTO_APPROVAL_SECONDS:
        raise wrong_parameter(f"AutoApprovalDelayInSeconds must be between 0 and {MAX_AUTO_APPROVAL_SECONDS}.")


def get_hit_type(moment: Moment, hit_type_id: str, requester_id: str | None = None) -> HitType:
    """Raises HITTypeDoesNotExist, also when it is not this requester's."""
    row = moment.connection.execute(_hit_type_of, {"of_id": hit_type_id}).one_or_none()
    if row is None or requester_id not in (None, row.requester_id):
        raise does_not_exist("HITType", hit_type_id)
    return from_row(row)


def from_row(row: sa.Row[Any]) -> HitType:
    properties = Properties(**{name: getattr(row, name) for name in Properties.__dataclass_fields__})
    return HitType(row.id, row.requester_id, properties)


def count_assignable(moment: Moment, hit_type_id: str, added: int) -> None:
    """Keep count of a type's assignable HITs; a type that has any is on offer."""
    assignable = hit_types.c.assignable_hits + added
    counted = {"assignable_hits": assignable, "offered": assignable > 0}
    moment.connection.execute(sa.update(hit_types).filter_by(id=hit_type_id).values(counted))


def set_notification(
    moment: Moment, requester_id: str, hit_type_id: str, specification: Mapping[str, Any] | None, active: bool | None
) -> None:
    """Replace the specification, switch notifications on or off, or both [doc]."""
    get_hit_type(moment, hit_type_id, requester_id)
    here = sa.update(hit_types).filter_by(id=hit_type_id)
    if specification is not None:
        moment.connection.execute(here.values(notification=dict(specification), notifying=active is not False))
        return
    if active is None:
        raise wrong_parameter("Either Notification or Active must be given.")
    if moment.connection.scalar(sa.select(hit_types.c.notification).filter_by(id=hit_type_id)) is None:
        raise wrong_parameter(f"HIT type {hit_type_id} has no notification specification yet; give one.")
    moment.connection.execute(here.values(notifying=active))


_hit_type_of = sa.select(hit_types).filter_by(id=sa.bindparam("of_id"))  # built once: it is a part of most requests
