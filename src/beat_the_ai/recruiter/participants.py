"""Participants: which studies each may take, and the place that they take."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

import sqlalchemy as sa

from beat_the_ai.errors import Refused
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.recruiter import filters, groups, signing, studies, submissions
from beat_the_ai.recruiter.errors import NotThere
from beat_the_ai.recruiter.identifiers import is_id, new_id
from beat_the_ai.recruiter.reading import invalid
from beat_the_ai.recruiter.studies import TAKING, Study
from beat_the_ai.recruiter.study_documents import WITHOUT_END
from beat_the_ai.recruiter.submissions import Submission
from beat_the_ai.recruiter.tables import participants
from beat_the_ai.recruiter.tables import submissions as submission_table
from beat_the_ai.recruiter.workspace import get_workspace


@dataclass(frozen=True)
class Offer:
    """A study that a participant may take."""

    study: Study
    places_left: int


def add(moment: Moment, participant_id: str | None = None) -> str:
    """Add a participant, once; without an id with a new one. Raises `Invalid`."""
    identifier = participant_id or new_id()
    if not is_id(identifier):
        raise invalid("id", f"{identifier[:40]!r} is no participant id; 24 of the digits 0-9 and a-f are needed")
    if not exists(moment, identifier):
        moment.connection.execute(sa.insert(participants).values(id=identifier, created_at=moment.now))
    return identifier


def exists(moment: Moment, participant_id: str) -> bool:
    """Return whether there is a participant with this id."""
    return moment.connection.scalar(sa.select(participants.c.id).filter_by(id=participant_id)) is not None


def check_exists(moment: Moment, participant_id: str) -> None:
    """Raise `NotThere` for an id that is no participant's."""
    if not exists(moment, participant_id):
        raise NotThere("participant", participant_id)


def offers(moment: Moment, participant_id: str) -> list[Offer]:
    """Return the studies that a participant may take when no other one is under way, the newest first."""
    is_member = groups.membership(moment, participant_id)
    listed = []
    for study in reversed(studies.all_of(moment, ("ACTIVE",))):
        counts = studies.count(moment, study.id)
        left = study.places - studies.taken(counts)
        if (
            left > 0
            and filters.lets_in(study.document.filters, is_member)
            and _may_again(moment, study, participant_id)
        ):
            listed.append(Offer(study, left))
    return listed


def under_way(moment: Moment, participant_id: str) -> Submission | None:
    """Return the participant's reserved or active submission."""
    query = sa.select(submission_table).filter_by(participant_id=participant_id)
    row = moment.connection.execute(query.where(submission_table.c.status.in_(TAKING))).first()
    return None if row is None else Submission(**row._mapping)


def take(moment: Moment, participant_id: str, study_id: str) -> Submission:
    """Reserve a place, or return the one that is reserved already. Raises `Refused`."""
    current = under_way(moment, participant_id)
    if current is not None and current.study_id == study_id:
        return current
    if current is not None:
        raise Refused("You have another submission under way. Complete it or return it first.")
    offer = next((one for one in offers(moment, participant_id) if one.study.id == study_id), None)
    if offer is None:
        raise Refused("There is no place for you in this study. Choose another one.")
    most = offer.study.document.submissions_config.max_concurrent_submissions or WITHOUT_END
    if most != WITHOUT_END and submissions.count_at_once(studies.count(moment, study_id)) >= most:
        raise Refused("This study lets in only a few participants at a time. Try again later.")
    return submissions.reserve(moment, offer.study, participant_id)


def address(moment: Moment, one: Submission) -> str:
    """Return where the participant's study is, with the ids filled in and, for a secure one, signed."""
    document = studies.get(moment, one.study_id).document
    url = document.external_study_url
    values = {"PROLIFIC_PID": one.participant_id, "STUDY_ID": one.study_id, "SESSION_ID": one.id}
    for name, value in values.items():
        url = url.replace(f"{{{{%{name}%}}}}", quote(value, safe=""))
    if not document.is_external_study_url_secure:
        return url
    workspace = get_workspace(moment)
    return signing.signed(url, one.id, workspace.id, workspace.key_id, workspace.signing_key)


def _may_again(moment: Moment, study: Study, participant_id: str) -> bool:
    """Return whether the study wants another submission of theirs. One that was never opened does not count."""
    most = study.document.submissions_config.max_submissions_per_participant or 1
    if most == WITHOUT_END:
        return True
    mine = sa.select(sa.func.count()).select_from(submission_table)
    begun = mine.filter_by(study_id=study.id, participant_id=participant_id).where(
        submission_table.c.started_at.is_not(None)
    )
    return (moment.connection.scalar(begun) or 0) < most
