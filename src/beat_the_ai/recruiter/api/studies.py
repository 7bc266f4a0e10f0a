"""Operations of the tag studies."""

from __future__ import annotations

from typing import Literal

from beat_the_ai.recruiter import payments, publishing, studies, submissions
from beat_the_ai.recruiter.api.call import Call, Json, Operation, Reply, read_time, show_time
from beat_the_ai.recruiter.api.submissions import short
from beat_the_ai.recruiter.errors import NotThere
from beat_the_ai.recruiter.money import Price, price_of
from beat_the_ai.recruiter.reading import Given, Positive, invalid, read, read_flag
from beat_the_ai.recruiter.studies import Study
from beat_the_ai.recruiter.submissions import Submission

ORDERS = ("started_at", "completed_at", "status", "ip", "time_taken", "participant_id", "study_code")
COUNTED = (*submissions.STATUSES, "PARTIALLY APPROVED")


class Transition(Given):
    """The body of `publish-study`."""

    action: Literal["PUBLISH", "SCHEDULE_PUBLISH", "CANCEL_PUBLISH", "PAUSE", "START", "STOP"]
    publish_at: str | None = None


class CostRequest(Given):
    """The body of `calculate-study-cost`."""

    reward: Positive
    total_available_places: Positive


def create(call: Call) -> Reply:
    return Reply(_whole(studies.add(call.moment, call.body)))


def listed(call: Call) -> Reply:
    wanted = _states(call.query["state"]) if "state" in call.query else studies.STATUSES
    return Reply({"results": [_short(call, one) for one in studies.all_of(call.moment, wanted)]})


def of_project(call: Call) -> Reply:
    """Without `page_size` the list is whole; `ordering` knows the date of creation alone."""
    if call.path["project_id"] != call.workspace.project_id:
        raise NotThere("project", call.path["project_id"])
    ordering = call.query.get("ordering", "date_created")
    if ordering not in ("date_created", "-date_created"):
        raise invalid("ordering", f"{ordering[:40]!r} is no order; use date_created or -date_created")
    found = studies.all_of(call.moment, studies.STATUSES)
    if ordering.startswith("-"):
        found.reverse()
    size, page = call.number("page_size", max(len(found), 1)), call.number("page", 1)
    return Reply({"results": [_short(call, one) for one in found[(page - 1) * size : page * size]]})


def get(call: Call) -> Reply:
    return Reply(_whole(_study(call)))


def update(call: Call) -> Reply:
    changed = studies.change(call.moment, _study(call), call.body)
    payments.check_covered(call.moment)
    return Reply(_whole(changed))


def delete(call: Call) -> Reply:
    studies.delete(call.moment, _study(call))
    return Reply({})


def transition(call: Call) -> Reply:
    given = read(Transition, call.body)
    at = None if given.publish_at is None else read_time(given.publish_at, "publish_at")
    return Reply(_whole(publishing.transition(call.moment, _study(call), given.action, at)))


def cost(call: Call) -> Reply:
    study = _study(call)
    rewards = payments.spent(call.moment, study.id, payments.REWARD)
    if read_flag(call.query.get("is_projected", "false"), "is_projected"):
        rewards = payments.reward_price(study)
    bonuses = payments.spent(call.moment, study.id, payments.BONUS)
    here = f"/api/v1/studies/{study.id}/cost/"
    content = {"rewards": _breakdown(call, rewards), "bonuses": _breakdown(call, bonuses)}
    return Reply({**content, "_links": {"self": {"href": here, "title": "Cost"}}})


def calculate(call: Call) -> Reply:
    given = read(CostRequest, call.body)
    return Reply({"total_cost": (price_of(given.reward) * given.total_available_places).total})


def of_study(call: Call) -> Reply:
    study = _study(call)
    found = submissions.of_study(call.moment, study.id)
    ordering = call.query.get("ordering", "started_at")
    field = ordering.removeprefix("-")
    if field not in ORDERS:
        raise invalid("ordering", f"{ordering[:40]!r} is no order; use one of {', '.join(ORDERS)}")
    found.sort(key=lambda one: _rank(one, field), reverse=ordering.startswith("-"))
    return Reply({"results": [short(call.moment, one) for one in found]})


def counts(call: Call) -> Reply:
    found = studies.count(call.moment, _study(call).id)
    return Reply({**{status: found.get(status, 0) for status in COUNTED}, "TOTAL": sum(found.values())})


def _study(call: Call) -> Study:
    return studies.get(call.moment, call.path["id"])


def _whole(study: Study) -> Json:
    return {
        **study.document.model_dump(),
        "id": study.id,
        "status": study.status,
        "is_ready_to_publish": bool(study.document.completion_codes),
    }


def _short(call: Call, study: Study) -> Json:
    """`places_taken` leaves out rejected submissions, too: their places are free again."""
    counts = studies.count(call.moment, study.id)
    document = study.document
    return {
        "id": study.id,
        "name": document.name,
        "internal_name": document.internal_name,
        "status": study.status,
        "study_type": "SINGLE",
        "estimated_completion_time": document.estimated_completion_time,
        "total_available_places": study.places,
        "places_taken": studies.taken(counts),
        "number_of_submissions": sum(counts.values()),
        "reward": document.reward,
        "total_cost": payments.reward_price(study).total,
        "published_at": show_time(study.published_at),
        "publish_at": show_time(study.publish_at),
        "date_created": show_time(study.created_at),
        "credential_pool_id": None,
        "is_ready_to_publish": bool(document.completion_codes),
    }


def _states(text: str) -> tuple[str, ...]:
    """Return the states that are asked for: one, or "(active|paused)"."""
    asked = tuple(word.strip().upper().replace("_", " ") for word in text.strip("()").split("|"))
    known = (*studies.STATUSES, "UNKNOWN")
    if unknown := [word for word in asked if word not in known]:
        raise invalid("state", f"{unknown[0][:40]!r} is no status; use one of {', '.join(known)}")
    return asked


def _rank(one: Submission, field: str) -> tuple[float | str, int]:
    started, ended = one.started_at or one.reserved_at, one.completed_at
    ranks: dict[str, float | str] = {
        "started_at": started.timestamp(),
        "completed_at": ended.timestamp() if ended else 0.0,
        "status": one.status,
        "time_taken": (ended - started).total_seconds() if ended else 0.0,
        "participant_id": one.participant_id,
        "study_code": one.entered_code or "",
    }
    return ranks.get(field, ""), one.number  # nothing is kept of a participant's ip


def _breakdown(call: Call, price: Price) -> Json:
    parts = {"rewards": price.cents, "fees": price.fee_cents, "tax": price.tax_cents}
    return {name: {"amount": cents, "currency": call.workspace.currency} for name, cents in parts.items()}


OPERATIONS = (
    Operation("create-study", "POST", "/api/v1/studies/", create, 201),
    Operation("get-studies", "GET", "/api/v1/studies/", listed),
    Operation("get-project-studies", "GET", "/api/v1/projects/{project_id}/studies/", of_project),
    Operation("get-study", "GET", "/api/v1/studies/{id}/", get),
    Operation("update-study", "PATCH", "/api/v1/studies/{id}/", update),
    Operation("delete-study", "DELETE", "/api/v1/studies/{id}/", delete),
    Operation("publish-study", "POST", "/api/v1/studies/{id}/transition/", transition),
    Operation("get-study-cost", "GET", "/api/v1/studies/{id}/cost/", cost),
    Operation("get-study-submissions", "GET", "/api/v1/studies/{id}/submissions/", of_study),
    Operation("count-study-submissions-by-status", "GET", "/api/v1/studies/{id}/submissions/counts/", counts),
    Operation("calculate-study-cost", "POST", "/api/v1/study-cost-calculator/", calculate),
)
