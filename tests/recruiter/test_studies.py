"""Studies: what may be created, changed, published, and what money is set aside."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from beat_the_ai.recruiter.money import price_of
from beat_the_ai.recruiter.recruiter import Recruiter, advance
from tests.recruiter.conftest import BALANCE_CENTS
from tests.recruiter.running import AUTOMATIC, CODE, STUDY, Participant, Researcher

NewParticipant = Callable[[], Participant]
EACH = price_of(STUDY["reward"]).total


def test_a_draft_is_as_it_was_written(researcher: Researcher) -> None:
    study = researcher.study(researcher.create(metadata='{"round": 1}'))
    assert study["status"] == "UNPUBLISHED"
    assert {name: study[name] for name in STUDY if name != "completion_codes"} == {
        name: STUDY[name] for name in STUDY if name != "completion_codes"
    }
    assert [code["code"] for code in study["completion_codes"]] == [CODE, AUTOMATIC, "SCREEN"]
    assert (study["metadata"], study["is_ready_to_publish"]) == ('{"round": 1}', True)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("reward", 0),
        ("reward", -5),
        ("reward", 1.5),
        ("reward", "150"),
        ("reward", True),
        ("reward", 10**30),
        ("total_available_places", 0),
        ("estimated_completion_time", 0),
        ("maximum_allowed_time", 16),
        ("external_study_url", "javascript:alert(1)"),
        ("external_study_url", "not an address"),
        ("prolific_id_option", "guess"),
        ("name", ""),
        ("name", None),
        ("project", "5f0000000000000000000000"),
        ("completion_codes", [STUDY["completion_codes"][0]] * 2),
        ("completion_codes", [{"code": "A", "code_type": "NONE", "actions": []}]),
        ("completion_codes", [{"code": "A", "code_type": "OTHER", "actions": [{"action": "DANCE"}]}]),
        ("completion_codes", [{"code": "A", "code_type": "OTHER", "actions": [{"action": "DYNAMIC_PAYMENT"}]}]),
        ("completion_codes", [{"code": None, "code_type": "OTHER", "actions": [], "actor": "researcher"}]),
        ("filters", [{"filter_id": "participant_group_allowlist"}]),
        ("submissions_config", {"max_submissions_per_participant": 0}),
        ("data_collection_method", "AI_TASK_BUILDER_BATCH"),
    ],
)
def test_a_study_that_is_not_allowed_is_refused_by_the_name_of_the_field(
    researcher: Researcher, field: str, value: Any
) -> None:
    answer = researcher.ask("POST", "/api/v1/studies/", {**STUDY, field: value}, status=400)
    assert answer["error"]["status"] == 400
    assert [name.partition(".")[0] for name in answer["error"]["detail"]] == [field]


@pytest.mark.parametrize("field", ["name", "description", "external_study_url", "prolific_id_option", "reward"])
def test_a_required_field_is_required(researcher: Researcher, field: str) -> None:
    body = {name: value for name, value in STUDY.items() if name != field}
    answer = researcher.ask("POST", "/api/v1/studies/", body, status=400)
    assert list(answer["error"]["detail"]) == [field]


def test_two_settling_actions_cannot_be_used_together(researcher: Researcher) -> None:
    actions = [{"action": "AUTOMATICALLY_APPROVE"}, {"action": "MANUALLY_REVIEW"}]
    codes = [{"code": "A", "code_type": "OTHER", "actions": actions}]
    answer = researcher.ask("POST", "/api/v1/studies/", {**STUDY, "completion_codes": codes}, status=400)
    assert "cannot be used together" in str(answer["error"]["detail"])


def test_publishing_sets_the_money_of_all_places_aside(researcher: Researcher) -> None:
    study_id = researcher.publish()
    assert researcher.balance() == (BALANCE_CENTS, BALANCE_CENTS - 3 * EACH)
    [listed] = researcher.ask("GET", "/api/v1/studies/", state="ACTIVE")["results"]
    assert (listed["id"], listed["total_cost"], listed["places_taken"]) == (study_id, 3 * EACH, 0)
    researcher.move_study(study_id, "STOP")
    assert researcher.balance() == (BALANCE_CENTS, BALANCE_CENTS)


def test_a_study_that_the_balance_does_not_cover_stays_a_draft(researcher: Researcher) -> None:
    study_id = researcher.create(total_available_places=1000)
    answer = researcher.move_study(study_id, "PUBLISH", 400)
    assert answer["error"]["title"] == "Not enough balance"
    assert researcher.study(study_id)["status"] == "UNPUBLISHED"
    cost = researcher.ask("POST", "/api/v1/study-cost-calculator/", {"reward": 150, "total_available_places": 1000})
    assert cost["total_cost"] == 1000 * EACH


def test_the_table_of_transitions_is_the_documents(researcher: Researcher) -> None:
    study_id = researcher.create()
    for action in ("PAUSE", "START", "STOP", "CANCEL_PUBLISH"):
        researcher.move_study(study_id, action, 400)
    for action, reached in (
        ("PUBLISH", "ACTIVE"),
        ("PAUSE", "PAUSED"),
        ("START", "ACTIVE"),
        ("PAUSE", "PAUSED"),
        ("STOP", "COMPLETED"),
    ):
        assert researcher.move_study(study_id, action)["status"] == reached
    for action in ("PUBLISH", "PAUSE", "START", "STOP"):
        assert "COMPLETED" in researcher.move_study(study_id, action, 400)["error"]["detail"]
    researcher.move_study(study_id, "DANCE", 400)


def test_a_study_is_published_when_its_time_has_come(researcher: Researcher, recruiter: Recruiter) -> None:
    study_id = researcher.create()
    researcher.move_study(study_id, "SCHEDULE_PUBLISH", 400)
    at = (recruiter.clock.now() + timedelta(hours=1)).isoformat()
    assert researcher.move_study(study_id, "SCHEDULE_PUBLISH", publish_at=at)["status"] == "SCHEDULED"
    assert researcher.move_study(study_id, "CANCEL_PUBLISH")["status"] == "UNPUBLISHED"
    researcher.move_study(study_id, "SCHEDULE_PUBLISH", publish_at=at)
    advance(recruiter, timedelta(hours=2))
    assert researcher.study(study_id)["status"] == "ACTIVE"


def test_of_a_published_study_only_some_fields_change(researcher: Researcher) -> None:
    study_id = researcher.create()
    path = f"/api/v1/studies/{study_id}/"
    assert researcher.ask("PATCH", path, {"reward": 200})["reward"] == 200
    researcher.move_study(study_id, "PUBLISH")
    answer = researcher.ask("PATCH", path, {"reward": 300}, status=400)
    assert list(answer["error"]["detail"]) == ["reward"]
    answer = researcher.ask("PATCH", path, {"total_available_places": 2}, status=400)
    assert list(answer["error"]["detail"]) == ["total_available_places"]
    changed = researcher.ask(
        "PATCH",
        path,
        {
            "internal_name": "other",
            "total_available_places": 5,
            "submissions_config": {"max_submissions_per_participant": 2},
        },
    )
    assert (changed["internal_name"], changed["total_available_places"]) == ("other", 5)
    assert changed["submissions_config"]["max_submissions_per_participant"] == 2
    researcher.ask("PATCH", path, {"total_available_places": 1000}, status=400)
    assert researcher.study(study_id)["total_available_places"] == 5
    researcher.ask("DELETE", path, status=400)


def test_more_places_make_a_completed_study_active_again(
    researcher: Researcher, new_participant: NewParticipant
) -> None:
    study_id = researcher.publish(total_available_places=1)
    new_participant().work(study_id, AUTOMATIC)
    assert researcher.study(study_id)["status"] == "COMPLETED"
    changed = researcher.ask("PATCH", f"/api/v1/studies/{study_id}/", {"total_available_places": 2})
    assert changed["status"] == "ACTIVE"
    new_participant().work(study_id)
    assert researcher.study(study_id)["status"] == "AWAITING REVIEW"


def test_a_draft_can_be_deleted(researcher: Researcher) -> None:
    path = f"/api/v1/studies/{researcher.create()}/"
    assert researcher.ask("DELETE", path) == {}
    assert researcher.ask("GET", path, status=404)["error"]["title"] == "Not found"


def test_the_cost_is_what_was_paid(researcher: Researcher, new_participant: NewParticipant) -> None:
    study_id = researcher.publish()
    new_participant().work(study_id, AUTOMATIC)
    cost = researcher.ask("GET", f"/api/v1/studies/{study_id}/cost/")
    price = price_of(150)
    assert {name: one["amount"] for name, one in cost["rewards"].items()} == {
        "rewards": price.cents,
        "fees": price.fee_cents,
        "tax": price.tax_cents,
    }
    assert cost["bonuses"]["rewards"] == {"amount": 0, "currency": "GBP"}
    projected = researcher.ask("GET", f"/api/v1/studies/{study_id}/cost/", is_projected="true")
    assert projected["rewards"]["rewards"]["amount"] == 450


def test_studies_of_the_project_are_paged(researcher: Researcher) -> None:
    made = [researcher.create() for _ in range(3)]
    path = f"/api/v1/projects/{researcher.study(made[0])['project']}/studies/"
    newest = researcher.ask("GET", path, page="1", page_size="2", ordering="-date_created")["results"]
    assert [one["id"] for one in newest] == made[:0:-1]


def test_states_may_be_listed_together(researcher: Researcher) -> None:
    researcher.contract = None  # the document's words have it, its schema has not
    researcher.create()
    study_id = researcher.publish()
    [one] = researcher.ask("GET", "/api/v1/studies/", state="(active|paused)")["results"]
    assert one["id"] == study_id
    researcher.ask("GET", "/api/v1/studies/", state="(dancing)", status=400)
