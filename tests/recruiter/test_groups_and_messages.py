"""Groups of participants, who may see a study by them, and messages."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.recruiter.running import STUDY, Participant, Researcher

NewParticipant = Callable[[], Participant]
GROUPS = "/api/v1/participant-groups/"
MESSAGES = "/api/v1/messages/"


@pytest.fixture
def workspace_id(researcher: Researcher) -> str:
    return str(researcher.ask("GET", "/api/v1/workspaces/")["results"][0]["id"])


@pytest.fixture
def group_id(researcher: Researcher, workspace_id: str) -> str:
    body = {"workspace_id": workspace_id, "name": "writers"}
    return str(researcher.ask("POST", GROUPS, body, status=201)["id"])


def sees(person: Participant, study_id: str) -> bool:
    return study_id in person.get("/studies").text


@pytest.mark.parametrize("kind", ["allowlist", "blocklist"])
def test_a_group_decides_who_sees_a_study(
    researcher: Researcher, new_participant: NewParticipant, group_id: str, kind: str
) -> None:
    member, stranger = new_participant(), new_participant()
    filters = [{"filter_id": f"participant_group_{kind}", "selected_values": [group_id]}]
    study_id = researcher.publish(filters=[*filters, {"filter_id": "age", "selected_range": {"lower": 18}}])
    for _ in range(2):  # idempotent
        answer = researcher.ask("POST", f"{GROUPS}{group_id}/participants/", {"participant_ids": [member.id]})
        assert [one["participant_id"] for one in answer["results"]] == [member.id]
    assert (sees(member, study_id), sees(stranger, study_id)) == (kind == "allowlist", kind == "blocklist")
    excluded = stranger if kind == "allowlist" else member
    excluded.post(f"/studies/{study_id}/take", status=409)
    researcher.ask("DELETE", f"{GROUPS}{group_id}/participants/", {"participant_ids": [member.id, stranger.id]})
    assert sees(member, study_id) == sees(stranger, study_id) == (kind == "blocklist")


def test_filters_may_be_combined(researcher: Researcher, new_participant: NewParticipant, group_id: str) -> None:
    allowed = {"filter_id": "participant_group_allowlist", "selected_values": [group_id]}
    nobody = {"filter_id": "and", "selected_filters": [allowed, {"filter_id": "sex", "selected_values": ["0"]}]}
    study_id = researcher.publish(filters=[{"filter_id": "or", "selected_filters": [nobody]}])
    person = new_participant()
    assert not sees(person, study_id)
    researcher.ask("POST", f"{GROUPS}{group_id}/participants/", {"participant_ids": [person.id]})
    assert sees(person, study_id)


def test_a_completion_code_changes_a_group(
    researcher: Researcher, new_participant: NewParticipant, group_id: str
) -> None:
    codes = [
        {"code": name, "code_type": "OTHER", "actions": [{"action": action, "participant_group": group_id}]}
        for name, action in (("IN", "ADD_TO_PARTICIPANT_GROUP"), ("OUT", "REMOVE_FROM_PARTICIPANT_GROUP"))
    ]
    config = {"max_submissions_per_participant": -1}
    study_id, person = researcher.publish(completion_codes=codes, submissions_config=config), new_participant()
    for code, members in (("IN", [person.id]), ("OUT", [])):
        person.work(study_id, code)
        answer = researcher.ask("GET", f"{GROUPS}{group_id}/participants/")
        assert [one["participant_id"] for one in answer["results"]] == members
    [feeder] = researcher.ask("GET", f"{GROUPS}{group_id}/")["feeder_studies"]
    assert [code["code"] for code in feeder["feeder_completion_codes"]] == ["IN", "OUT"]


def test_a_group_is_listed_changed_and_deleted(
    researcher: Researcher, new_participant: NewParticipant, workspace_id: str, group_id: str
) -> None:
    first, second = new_participant(), new_participant()
    path = f"{GROUPS}{group_id}/"
    researcher.ask("PATCH", path, {"participant_ids": [first.id]})
    changed = researcher.ask("PATCH", path, {"name": "others", "participant_ids": [second.id]})
    assert (changed["name"], changed["participant_count"]) == ("others", 1)
    researcher.ask("DELETE", path, status=204)
    assert researcher.ask("GET", path)["is_deleted"] is True
    assert researcher.ask("GET", GROUPS, workspace_id=workspace_id)["results"] == []
    assert len(researcher.ask("GET", GROUPS, workspace_id=workspace_id, active="false")["results"]) == 1
    researcher.ask("DELETE", path, status=404)
    filters = [{"filter_id": "participant_group_allowlist", "selected_values": [group_id]}]
    researcher.ask("POST", "/api/v1/studies/", {**STUDY, "filters": filters}, status=400)


def test_wrong_ids_are_refused(researcher: Researcher, group_id: str) -> None:
    for wrong in ("nobody", "", "5F0000000000000000000000", "' OR 1=1 --", "0" * 25, "\N{ARABIC-INDIC DIGIT ONE}" * 24):
        path = f"{GROUPS}{group_id}/participants/"
        assert researcher.ask("POST", path, {"participant_ids": [wrong]}, status=400)
    researcher.ask("GET", GROUPS, status=400)
    researcher.ask("GET", GROUPS, workspace_id="other", status=400)


def test_messages_go_both_ways(researcher: Researcher, new_participant: NewParticipant) -> None:
    study_id, person, other = researcher.publish(), new_participant(), new_participant()
    person.post("/messages", body="When am I paid?")
    [unread] = researcher.ask("GET", f"{MESSAGES}unread/")["results"]
    assert (unread["sender_id"], unread["body"]) == (person.id, "When am I paid?")
    for recipient in (person, other):
        body = {"recipient_id": recipient.id, "body": "Tomorrow & <b>soon</b>", "study_id": study_id}
        researcher.ask("POST", MESSAGES, body, status=204)
    assert "Tomorrow &amp; &lt;b&gt;soon&lt;/b&gt;" in person.get("/messages").text
    assert researcher.ask("GET", f"{MESSAGES}unread/")["results"] == []
    thread = researcher.ask("GET", MESSAGES, user_id=person.id)["results"]
    assert [one["sender_id"] == person.id for one in thread] == [False, True]
    rest = researcher.ask("GET", MESSAGES, created_after="2020-01-01T00:00:00Z", excluded_sender_ids=person.id)
    assert len(rest["results"]) == 2
    for wrong in (
        {"recipient_id": "5f0000000000000000000000", "body": "b", "study_id": study_id},
        {"recipient_id": person.id, "body": "b", "study_id": "5f0000000000000000000000"},
    ):
        researcher.ask("POST", MESSAGES, wrong, status=404)
    researcher.ask("POST", MESSAGES, {"recipient_id": person.id, "body": "", "study_id": study_id}, status=400)
    researcher.ask("GET", MESSAGES, created_after="yesterday", status=400)
