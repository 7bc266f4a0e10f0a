"""The participant group of a study, so that Prolific sends those alone who meet the requirements of its HITs.

If newcomers meet them, the group is a blocklist with those who do not; otherwise it is an allowlist. It is about the
qualifications that the requester grants: others are Prolific's filters (`crowd.prolific.filters`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from beat_the_ai.crowds.prolific.client import ProlificClient
from beat_the_ai.crowds.prolific.offers import FollowedStudy, Offer, internal_name
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.people.person import MAY_WORK
from beat_the_ai.marketplace.requirements import SYSTEM_TYPES, Profile, Requirement, is_met
from beat_the_ai.marketplace.tables import people, qualifications, recruited, withdrawals, workers
from beat_the_ai.marketplace.workers import Worker


def requirements_of(offer: Offer) -> list[Requirement]:
    """Return the requirements that ask for a qualification which the requester grants."""
    return [one for one in offer.hit_type.requirements if one.qualification_type_id not in SYSTEM_TYPES]


def is_open_to_newcomers(asked: Sequence[Requirement]) -> bool:
    """Return whether somebody without any qualification meets these requirements."""
    newcomer = Profile(Worker("newcomer", "US"), {})
    return all(is_met(newcomer, one) for one in asked)


def members(moment: Moment, followed: FollowedStudy, asked: Sequence[Requirement]) -> set[str]:
    """Return the participants who belong into the group."""
    is_blocklist = is_open_to_newcomers(asked)
    granted: dict[str, dict[str, int | None]] = defaultdict(dict)
    types = {one.qualification_type_id for one in asked}
    of_types = sa.select(qualifications).filter_by(status="Granted")
    for row in moment.connection.execute(of_types.where(qualifications.c.qualification_type_id.in_(types))):
        granted[row.worker_id][row.qualification_type_id] = row.value
    columns: list[Any] = [workers.c[name] for name in Worker.__dataclass_fields__]
    query = sa.select(recruited.c.external_id, people.c.state, withdrawals.c.at, *columns).join(
        workers, workers.c.id == recruited.c.worker_id
    )
    query = query.join(people, people.c.worker_id == recruited.c.worker_id)
    query = query.outerjoin(withdrawals, withdrawals.c.worker_id == recruited.c.worker_id)
    query = query.where(recruited.c.recruiter == followed.study.recruiter)
    participants = set()
    for row in moment.connection.execute(query):
        worker = Worker(**{name: getattr(row, name) for name in Worker.__dataclass_fields__})
        profile = Profile(worker, granted[worker.id])
        may_work = row.state == MAY_WORK and row.at is None and all(is_met(profile, one) for one in asked)
        if may_work != is_blocklist:
            participants.add(str(row.external_id))
    return participants


def find_or_create(client: ProlificClient, followed: FollowedStudy) -> str:
    """Return the id of the study's group."""
    workspace, name = followed.terms.workspace, internal_name(followed.study)
    known = next((one.id for one in client.get_participant_groups(workspace) if one.name == name), None)
    return known or client.create_participant_group(workspace, name).id


def differences(client: ProlificClient, group_id: str, wanted: set[str]) -> tuple[list[str], list[str]]:
    """Return the participants whom the group lacks, and those who do not belong into it."""
    present = {one.participant_id for one in client.get_participant_group_participants(group_id)}
    return sorted(wanted - present), sorted(present - wanted)


def bring_up_to_date(client: ProlificClient, group_id: str, wanted: set[str]) -> None:
    """Add and remove participants until the group is as wanted."""
    missing, surplus = differences(client, group_id, wanted)
    if missing:
        client.add_to_participant_group(group_id, missing)
    if surplus:
        client.remove_from_participant_group(group_id, surplus)
