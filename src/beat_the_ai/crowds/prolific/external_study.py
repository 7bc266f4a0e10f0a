"""The study at Prolific: created as a draft, published, and open for as many participants as there are HITs.

Places at Prolific can be added and never taken away. So there are never more than HITs were on offer at one time, and
the study is paused while no HIT is open. If HITs were taken back, more places may be free than HITs are open: whoever
finds none is asked to return the place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from beat_the_ai.crowds.prolific.client import ProlificClient
from beat_the_ai.crowds.prolific.documents import FREE_AGAIN, UNDER_WAY, Json, ListedSubmission, StudyRecord
from beat_the_ai.crowds.prolific.groups import is_open_to_newcomers, requirements_of
from beat_the_ai.crowds.prolific.offers import FollowedStudy, Offer, Work, internal_name
from beat_the_ai.errors import Refused
from beat_the_ai.marketplace.people.studies import Study
from beat_the_ai.rules.amounts import show

STOPPED_AFTER = timedelta(days=1)  # without anything on offer
MINUTES_TO_ARRIVE = 10  # to read the arrival page, and consent
PERSON, SESSION, STUDY = "PROLIFIC_PID", "SESSION_ID", "STUDY_ID"
DECLINED_CONSENT = "You chose not to take part. Please return your submission; nothing else is asked of you."
NO_TASK = "There is no task left for you. That is not your fault: please return your submission."
DEVICES = ("desktop", "tablet", "mobile")


@dataclass(frozen=True)
class Change:
    """A change of the study at Prolific: an action, or more places."""

    action: Literal["PUBLISH", "PAUSE", "START", "STOP"] | None = None
    places: int | None = None


def described(followed: FollowedStudy, offer: Offer, portal: str) -> Json:
    """Return a study as `create_study` takes it."""
    study, terms, properties = followed.study, followed.terms, offer.hit_type.properties
    parameters = "&".join(f"{name}={{{{%{name}%}}}}" for name in (PERSON, STUDY, SESSION))
    content: dict[str, Any] = {
        "name": properties.title,
        "internal_name": internal_name(study),
        "description": properties.description,
        "external_study_url": f"{portal}/worker/study/{study.key}?{parameters}",
        "prolific_id_option": "url_parameters",
        "completion_codes": completion_codes(study),
        "total_available_places": offer.open,
        "estimated_completion_time": terms.minutes,
        "maximum_allowed_time": allowed_minutes(terms.minutes, properties.duration_seconds),
        "reward": properties.reward_cents,
        "device_compatibility": [*DEVICES],
        "filters": [*terms.filters, *_of_group(followed.group_id, offer)],
        "submissions_config": {"max_submissions_per_participant": 1 if study.is_for_once else -1},
        "metadata": study.key,
    }
    if terms.project is not None:
        content["project"] = terms.project
    if terms.signed:
        content["is_external_study_url_secure"] = True
    return content


def completion_codes(study: Study) -> list[Json]:
    """Return the codes of a study, with what Prolific does when one is entered."""
    codes = study.terms
    return [
        _code(codes["done"], "COMPLETED", {"action": "MANUALLY_REVIEW"}),
        _code(codes["finished"], "OTHER", {"action": "MANUALLY_REVIEW"}, actor="researcher"),
        _code(codes["returned"], "NO_CONSENT", {"action": "REQUEST_RETURN", "return_reason": DECLINED_CONSENT}),
        _code(codes["no_work"], "OTHER", {"action": "REQUEST_RETURN", "return_reason": NO_TASK}),
        _code(codes["unqualified"], "SCREENED_OUT", {"action": "REQUEST_RETURN", "return_reason": NO_TASK}),
    ]


def _code(code: str, kind: str, action: Json, actor: str = "participant") -> Json:
    return {"code": code, "code_type": kind, "actions": [action], "actor": actor}


def _of_group(group_id: str | None, offer: Offer) -> list[Json]:
    if group_id is None:
        return []
    kind = "blocklist" if is_open_to_newcomers(requirements_of(offer)) else "allowlist"
    return [{"filter_id": f"participant_group_{kind}", "selected_values": [group_id]}]


def allowed_minutes(minutes: int, duration_seconds: int) -> int:
    """Return the time after which a place goes to somebody else.

    It is no less than Prolific takes, and outlasts the HIT: it begins when the place is opened there.
    """
    least = 2 + 2 * minutes + 2 * math.sqrt(minutes)
    return max(math.ceil(least), math.ceil(duration_seconds / 60) + MINUTES_TO_ARRIVE)


def find_or_create(client: ProlificClient, followed: FollowedStudy, offer: Offer, portal: str) -> str:
    """Return the id of the study at Prolific. Raises `Refused` where the workspace cannot pay for it."""
    name = internal_name(followed.study)
    known = next((one.id for one in client.get_studies() if one.internal_name == name), None)
    if known is not None:
        return known
    check_funds(client, followed, offer, offer.open)
    return client.create_study(described(followed, offer, portal)).id


def check_funds(client: ProlificClient, followed: FollowedStudy, offer: Offer, places: int) -> None:
    """Raise `Refused` unless the workspace has the campaign's currency, and money for the places with fee and VAT."""
    balance = client.get_workspace_balance(followed.terms.workspace)
    if balance.currency_code != followed.currency:
        raise Refused(
            f"The workspace pays in {balance.currency_code}, and crowd.unit is {followed.currency}. "
            f" Name the workspace's currency."
        )
    reward_cents = offer.hit_type.properties.reward_cents
    cost_cents = math.ceil(client.calculate_study_cost(reward_cents, places).total_cost)
    if cost_cents > balance.available_balance:
        cost = "1 place costs" if places == 1 else f"{places} places cost"
        raise Refused(
            f"{cost} {show(cost_cents, followed.currency)} with fee and VAT, and the workspace has "
            f"{show(balance.available_balance, followed.currency)}. Top it up at Prolific."
        )


def next_change(
    record: StudyRecord,
    submissions: Sequence[ListedSubmission],
    works: dict[str, Work],
    offer: Offer,
    idle_since: datetime | None,
    now: datetime,
) -> Change | None:
    """Return the change after which the study fits what is on offer; None if it fits.

    Participants who have a place and have not arrived yet will need a HIT, too.
    """
    coming = sum(one.status in UNDER_WAY and one.id not in works for one in submissions)
    wanted = max(0, offer.open - coming)
    free = record.total_available_places - sum(one.status not in FREE_AGAIN for one in submissions)
    if record.status == "UNPUBLISHED":
        return Change("PUBLISH") if wanted else None
    if record.status in ("SCHEDULED", "PUBLISHING"):
        return None
    missing = wanted - max(0, free)
    if record.status in ("AWAITING REVIEW", "COMPLETED") and wanted:  # more places are what opens it again
        missing = max(1, missing)
    if missing > 0:
        return Change(places=record.total_available_places + missing)
    if record.status == "PAUSED":
        if wanted:
            return Change("START")
        return Change("STOP") if idle_since is not None and now - idle_since >= STOPPED_AFTER else None
    if record.status == "ACTIVE" and free > wanted == 0:
        return Change("PAUSE")
    return None


def apply(client: ProlificClient, study_id: str, change: Change) -> None:
    if change.action is not None:
        client.publish_study(study_id, change.action)
    if change.places is not None:
        client.update_study(study_id, {"total_available_places": change.places})
