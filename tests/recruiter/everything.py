"""One researcher who calls every operation, so that each has an exchange with all its fields."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from beat_the_ai.recruiter.recruiter import Recruiter, advance
from tests.recruiter.running import AUTOMATIC, CODE, REASON, STUDY, Participant, Researcher

HOOK = "http://127.0.0.1:9/hook"  # nobody listens there
FILTERS = [
    {"filter_id": "age", "selected_range": {"lower": 18, "upper": 99}},
    {"filter_id": "country", "selected_values": ["0", "1"], "weightings": {"0": 1.5, "1": 2}},
    {"filter_id": "or", "selected_filters": [{"filter_id": "sex", "selected_values": ["0"]}]},
]
PATHS = {"study": "/api/v1/studies/", "submission": "/api/v1/submissions/", "group": "/api/v1/participant-groups/"}


def call_everything(researcher: Researcher, recruiter: Recruiter, new_participant: Callable[[], Participant]) -> None:
    """Call every operation at least once with success, and several with errors."""
    people = [new_participant() for _ in range(3)]
    workspace_id = _accounts(researcher)
    group_id = _groups(researcher, workspace_id, [one.id for one in people])
    _hooks(researcher, workspace_id)
    study_id = _studies(researcher, group_id)
    submission_ids = _submissions(researcher, study_id, people)
    _bonuses(researcher, study_id, submission_ids[0], people[1].id)
    advance(recruiter, timedelta(seconds=3))
    assert researcher.submission(submission_ids[0])["bonus_payments"] == [425]
    _messages(researcher, study_id, group_id, people)
    _lists(researcher, study_id, workspace_id, group_id)


def _accounts(researcher: Researcher) -> str:
    researcher.ask("GET", "/api/v1/users/me/")
    researcher.ask("GET", "/.well-known/study/jwks.json")
    [workspace] = researcher.ask("GET", "/api/v1/workspaces/")["results"]
    researcher.ask("GET", f"/api/v1/workspaces/{workspace['id']}/")
    researcher.balance()
    researcher.ask("GET", "/api/v1/workspaces/5f0000000000000000000000/", status=404)
    return str(workspace["id"])


def _groups(researcher: Researcher, workspace_id: str, people: list[str]) -> str:
    body = {"workspace_id": workspace_id, "name": "good writers", "description": "d", "participant_ids": people[:1]}
    made = researcher.ask("POST", PATHS["group"], body, status=201)
    path = f"{PATHS['group']}{made['id']}/"
    researcher.ask("POST", f"{path}participants/", {"participant_ids": people})
    researcher.ask("DELETE", f"{path}participants/", {"participant_ids": people[2:]})
    researcher.ask("PATCH", path, {"name": "writers", "participant_ids": people})
    other = researcher.ask("POST", PATHS["group"], {"workspace_id": workspace_id, "name": "other"}, status=201)
    researcher.ask("DELETE", f"{PATHS['group']}{other['id']}/", status=204)
    researcher.ask("POST", PATHS["group"], {"name": "n", "workspace_id": "w"}, status=400)
    return str(made["id"])


def _hooks(researcher: Researcher, workspace_id: str) -> None:
    researcher.ask("GET", "/api/v1/hooks/event-types/")
    researcher.ask("POST", "/api/v1/hooks/secrets/", {"workspace_id": workspace_id}, status=201)
    researcher.ask("GET", "/api/v1/hooks/secrets/", workspace_id=workspace_id)
    for event_type in ("submission.status.change", "study.status.change"):
        body = {"event_type": event_type, "target_url": HOOK, "workspace_id": workspace_id}
        answer = researcher.http.post(
            "/api/v1/hooks/subscriptions/", json=body, headers={"Authorization": f"Token {researcher.token}"}
        )
        path = f"/api/v1/hooks/subscriptions/{answer.json()['results'][0]['id']}/"
        researcher.ask("POST", path, {"secret": "wrong"}, status=400)
        researcher.ask("POST", path, {"secret": answer.headers["x-hook-secret"]})
    researcher.ask("POST", "/api/v1/hooks/subscriptions/", body, status=201)
    researcher.ask("GET", path)
    researcher.ask("PATCH", path, {"is_enabled": True, "event_type": event_type, "target_url": HOOK})


def _studies(researcher: Researcher, group_id: str) -> str:
    joining = {"action": "ADD_TO_PARTICIPANT_GROUP", "participant_group": group_id}
    codes = [*STUDY["completion_codes"], {"code": "JOIN", "code_type": "SCREENED_IN", "actions": [joining]}]
    study_id = researcher.create(completion_codes=codes, filters=FILTERS, metadata="m", total_available_places=4)
    path = f"{PATHS['study']}{study_id}/"
    researcher.ask("PATCH", path, {"internal_name": "i", "total_available_places": 5})
    researcher.ask("POST", PATHS["study"], {**STUDY, "reward": 0}, status=400)
    researcher.move_study(study_id, "PUBLISH")
    researcher.move_study(study_id, "PUBLISH", 400)
    researcher.ask("DELETE", f"{PATHS['study']}{researcher.create()}/")
    researcher.ask("POST", "/api/v1/study-cost-calculator/", {"reward": 100, "total_available_places": 3})
    return study_id


def _submissions(researcher: Researcher, study_id: str, people: list[Participant]) -> list[str]:
    submission_ids = [people[0].work(study_id, AUTOMATIC), *(one.work(study_id, CODE) for one in people[1:])]
    for path in (PATHS["submission"], f"{PATHS['study']}{study_id}/submissions/"):
        query: dict[str, Any] = {"study": study_id} if path == PATHS["submission"] else {}
        researcher.ask("GET", path, ordering="-started_at", **query)
    researcher.ask(
        "POST", f"{PATHS['submission']}{submission_ids[1]}/request-return/", {"request_return_reasons": ["r"]}
    )
    researcher.ask("GET", f"{PATHS['submission']}{submission_ids[1]}/")
    researcher.ask("POST", f"{PATHS['submission']}bulk-approve/", {"submission_ids": submission_ids[1:2]})
    body = {"study_id": study_id, "participant_ids": [people[1].id]}
    researcher.ask("POST", f"{PATHS['submission']}bulk-approve/", body)
    researcher.move(submission_ids[2], "REJECT", message=REASON, rejection_category="LOW_EFFORT")
    researcher.move(submission_ids[2], "APPROVE", 400)
    return submission_ids


def _bonuses(researcher: Researcher, study_id: str, submission_id: str, participant_id: str) -> None:
    order = researcher.set_up_bonuses(study_id, f"{submission_id},4.25\n{participant_id},1")
    researcher.pay_bonuses(order["id"])
    researcher.set_up_bonuses(study_id, "nobody,4.25", 400)


def _messages(researcher: Researcher, study_id: str, group_id: str, people: list[Participant]) -> None:
    path = "/api/v1/messages/"
    researcher.ask("POST", path, {"recipient_id": people[0].id, "body": "b", "study_id": study_id}, status=204)
    body = {"ids": [one.id for one in people], "body": "b", "study_id": study_id}
    researcher.ask("POST", f"{path}bulk/", body, status=204)
    body = {"participant_group_id": group_id, "body": "b", "study_id": study_id}
    researcher.ask("POST", f"{path}participant-group/", body, status=204)
    people[0].post("/messages", body="When am I paid?")
    researcher.ask("GET", path, user_id=people[0].id)
    researcher.ask("GET", path, created_after="2026-01-01T00:00:00Z", excluded_sender_ids="a,b")
    researcher.ask("GET", f"{path}unread/")
    researcher.ask("GET", path, status=400)


def _lists(researcher: Researcher, study_id: str, workspace_id: str, group_id: str) -> None:
    path = f"{PATHS['study']}{study_id}/"
    for place in ("cost/", "submissions/", "submissions/counts/", ""):
        researcher.ask("GET", f"{path}{place}")
    researcher.ask("GET", f"{path}cost/", is_projected="true")
    researcher.ask("GET", PATHS["study"], state="ACTIVE")
    project_id = researcher.study(study_id)["project"]
    query: dict[str, Any] = {"page": "1", "page_size": "5", "ordering": "-date_created"}
    researcher.ask("GET", f"/api/v1/projects/{project_id}/studies/", **query)
    researcher.ask("GET", f"{PATHS['group']}{group_id}/")
    researcher.ask("GET", f"{PATHS['group']}{group_id}/participants/")
    researcher.ask("GET", PATHS["group"], workspace_id=workspace_id, active="true")
    flags: dict[str, Any] = {
        "approved": "1",
        "wanted": "APPROVED",
        "ordering": "-started_at",
        "page": "1",
        "page_size": "3",
    }
    researcher.ask("GET", PATHS["submission"], study=study_id, **flags)
    subscriptions = researcher.ask("GET", "/api/v1/hooks/subscriptions/", is_enabled="true", workspace_id=workspace_id)
    for one in subscriptions["results"]:
        path = f"/api/v1/hooks/subscriptions/{one['id']}/"
        researcher.ask("GET", f"{path}events/", limit="5", offset="0", wanted="PENDING")
    researcher.ask("DELETE", path, status=204)
