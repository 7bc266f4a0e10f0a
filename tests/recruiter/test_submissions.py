"""The life of a submission: places, times, codes, decisions."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from beat_the_ai.recruiter.money import price_of
from beat_the_ai.recruiter.recruiter import Recruiter, advance
from tests.recruiter.conftest import BALANCE_CENTS
from tests.recruiter.running import AUTOMATIC, CODE, REASON, SCREENED, STUDY, Participant, Researcher

NewParticipant = Callable[[], Participant]
EACH = price_of(STUDY["reward"]).total


def test_a_submission_goes_from_reserved_to_paid(researcher: Researcher, new_participant: NewParticipant) -> None:
    study_id, person = researcher.publish(), new_participant()
    submission_id = person.take(study_id)
    reserved = researcher.submission(submission_id)
    assert (reserved["status"], reserved["participant"], reserved["study_id"]) == ("RESERVED", person.id, study_id)
    address = person.open(submission_id)
    assert address == (
        f"https://example.org/task?PROLIFIC_PID={person.id}&STUDY_ID={study_id}&SESSION_ID={submission_id}"
    )
    assert researcher.submission(submission_id)["status"] == "ACTIVE"
    assert person.open(submission_id) == address
    assert person.come_back(CODE) == submission_id
    waiting = researcher.submission(submission_id)
    assert (waiting["status"], waiting["entered_code"], waiting["bonus_payments"]) == ("AWAITING REVIEW", CODE, [])
    for _ in range(2):
        assert researcher.move(submission_id, "APPROVE")["status"] == "APPROVED"
    assert researcher.balance() == (BALANCE_CENTS - EACH, BALANCE_CENTS - 3 * EACH)
    researcher.reject(submission_id, 400)
    researcher.move(submission_id, "RETURN", 400)


def test_a_reservation_ends_after_ten_minutes(
    researcher: Researcher, new_participant: NewParticipant, recruiter: Recruiter
) -> None:
    study_id, person = researcher.publish(total_available_places=1), new_participant()
    submission_id = person.take(study_id)
    assert "no studies" in new_participant().get("/studies").text
    advance(recruiter, timedelta(minutes=11))
    assert researcher.submission(submission_id)["status"] == "RETURNED"
    person.get(f"/submissions/{submission_id}/open", 400)
    assert person.take(study_id) != submission_id  # it was never opened, so it does not count


def test_a_submission_times_out_and_frees_its_place(
    researcher: Researcher, new_participant: NewParticipant, recruiter: Recruiter
) -> None:
    study_id, person = researcher.publish(total_available_places=1), new_participant()
    submission_id = person.take(study_id)
    person.open(submission_id)
    advance(recruiter, timedelta(minutes=29))
    assert researcher.submission(submission_id)["status"] == "ACTIVE"
    advance(recruiter, timedelta(minutes=2))
    assert researcher.submission(submission_id)["status"] == "TIMED-OUT"
    person.post(f"/studies/{study_id}/take", status=409)  # once for each participant
    new_participant().work(study_id)


@pytest.mark.parametrize("way", ["return", "reject"])
def test_a_place_is_free_again(researcher: Researcher, new_participant: NewParticipant, way: str) -> None:
    study_id, person = researcher.publish(total_available_places=1), new_participant()
    submission_id = person.work(study_id)
    assert researcher.study(study_id)["status"] == "AWAITING REVIEW"
    if way == "return":
        person.post(f"/submissions/{submission_id}/return")
    else:
        researcher.reject(submission_id)
        assert REASON in person.get("/submissions").text
    assert researcher.study(study_id)["status"] == "ACTIVE"
    new_participant().work(study_id)
    assert researcher.balance()[0] == BALANCE_CENTS


def test_a_rejection_needs_a_long_message_and_a_category(
    researcher: Researcher, new_participant: NewParticipant
) -> None:
    submission_id = new_participant().work(researcher.publish())
    for more, field in (
        ({"rejection_category": "LOW_EFFORT"}, "message"),
        ({"message": "x" * 99, "rejection_category": "LOW_EFFORT"}, "message"),
        ({"message": " " * 200, "rejection_category": "LOW_EFFORT"}, "message"),
        ({"message": REASON}, "rejection_category"),
        ({"message": REASON, "rejection_category": "UGLY"}, "rejection_category"),
    ):
        answer = researcher.move(submission_id, "REJECT", 400, **more)
        assert list(answer["error"]["detail"]) == [field]
    assert researcher.reject(submission_id)["status"] == "REJECTED"
    assert researcher.reject(submission_id)["status"] == "REJECTED"
    researcher.move(submission_id, "APPROVE", 400)


def test_an_automatic_code_approves_at_once(researcher: Researcher, new_participant: NewParticipant) -> None:
    submission_id = new_participant().work(researcher.publish(), AUTOMATIC)
    assert researcher.submission(submission_id)["status"] == "APPROVED"
    assert researcher.balance()[0] == BALANCE_CENTS - EACH


def test_a_wrong_code_is_kept_for_the_researcher(researcher: Researcher, new_participant: NewParticipant) -> None:
    study_id, person = researcher.publish(), new_participant()
    for code in ("WRONG", SCREENED):  # the second is the researcher's own
        other = person if code == "WRONG" else new_participant()
        submission_id = other.work(study_id, code)
        found = researcher.submission(submission_id)
        assert (found["status"], found["entered_code"]) == ("AWAITING REVIEW", code)
    assert "not one of the study" in person.get("/submissions").text


def test_a_code_may_be_entered_by_hand_or_left_out(researcher: Researcher, new_participant: NewParticipant) -> None:
    study_id = researcher.publish()
    for code, kept in ((CODE, CODE), ("", "NOCODE")):
        person = new_participant()
        submission_id = person.take(study_id)
        person.post(f"/submissions/{submission_id}/complete", code=code, status=400)  # not opened yet
        person.open(submission_id)
        person.post(f"/submissions/{submission_id}/complete", code=code)
        person.post(f"/submissions/{submission_id}/complete", code=code)  # an impatient click
        assert researcher.submission(submission_id)["entered_code"] == kept


def test_the_researcher_completes_with_a_code_of_their_own(
    researcher: Researcher, new_participant: NewParticipant
) -> None:
    study_id, person = researcher.publish(), new_participant()
    submission_id = person.take(study_id)
    researcher.move(submission_id, "COMPLETE", 400, completion_code=SCREENED)
    person.open(submission_id)
    researcher.move(submission_id, "COMPLETE", 400)
    researcher.move(submission_id, "COMPLETE", 400, completion_code=CODE)
    for _ in range(2):
        done = researcher.move(submission_id, "COMPLETE", completion_code=SCREENED)
        assert (done["status"], done["entered_code"]) == ("AWAITING REVIEW", SCREENED)
    assert researcher.submission(submission_id)["return_requested"]
    assert "You do not qualify." in person.get("/messages").text


def test_a_code_screens_out_for_less_until_its_slots_are_used(
    researcher: Researcher, new_participant: NewParticipant
) -> None:
    payment = {"action": "FIXED_SCREEN_OUT_PAYMENT", "fixed_screen_out_reward": 20, "slots": 2}
    codes = [*STUDY["completion_codes"], {"code": "OUT", "code_type": "FIXED_SCREENOUT", "actions": [payment]}]
    study_id = researcher.publish(completion_codes=codes)
    paid = price_of(20).total
    assert researcher.balance() == (BALANCE_CENTS, BALANCE_CENTS - 3 * EACH - 2 * paid)
    for status in ("ACTIVE", "PAUSED"):
        submission_id = new_participant().work(study_id, "OUT")
        assert researcher.submission(submission_id)["status"] == "SCREENED OUT"
        assert researcher.study(study_id)["status"] == status
    assert researcher.balance() == (BALANCE_CENTS - 2 * paid, BALANCE_CENTS - 3 * EACH - 2 * paid)


def test_one_submission_at_a_time_and_one_for_each_study(
    researcher: Researcher, new_participant: NewParticipant
) -> None:
    first, second, person = researcher.publish(), researcher.publish(name="Other"), new_participant()
    submission_id = person.take(first)
    assert person.take(first) == submission_id
    person.post(f"/studies/{second}/take", status=409)
    person.open(submission_id)
    person.come_back(CODE)
    person.post(f"/studies/{first}/take", status=409)
    person.work(second)


def test_a_participant_may_have_several_submissions_where_the_study_wants_them(
    researcher: Researcher, new_participant: NewParticipant
) -> None:
    config = {"max_submissions_per_participant": 2}
    study_id, person = researcher.publish(submissions_config=config), new_participant()
    made = {person.work(study_id), person.work(study_id)}
    person.post(f"/studies/{study_id}/take", status=409)
    listed = researcher.ask("GET", f"/api/v1/studies/{study_id}/submissions/")["results"]
    assert {one["id"] for one in listed if one["has_siblings"]} == made


def test_only_so_many_participants_at_a_time(researcher: Researcher, new_participant: NewParticipant) -> None:
    study_id = researcher.publish(submissions_config={"max_concurrent_submissions": 1})
    first, second = new_participant(), new_participant()
    submission_id = first.take(study_id)
    second.post(f"/studies/{study_id}/take", status=409)
    first.post(f"/submissions/{submission_id}/return")
    second.take(study_id)


def test_a_paused_study_lets_in_nobody_and_lets_all_finish(
    researcher: Researcher, new_participant: NewParticipant
) -> None:
    study_id, person = researcher.publish(), new_participant()
    submission_id = person.take(study_id)
    researcher.move_study(study_id, "PAUSE")
    new_participant().post(f"/studies/{study_id}/take", status=409)
    person.open(submission_id)
    person.come_back(CODE)
    assert researcher.move(submission_id, "APPROVE")["status"] == "APPROVED"


def test_submissions_are_filtered_and_paged(researcher: Researcher, new_participant: NewParticipant) -> None:
    study_id = researcher.publish(total_available_places=4)
    made = [new_participant().work(study_id, AUTOMATIC if number else CODE) for number in range(3)]

    def listed(**query: Any) -> list[str]:
        found = researcher.ask("GET", "/api/v1/submissions/", study=study_id, **query)["results"]
        return [one["id"] for one in found]

    assert listed(wanted="APPROVED") == listed(approved="true") == made[1:]
    assert listed(awaiting_review="1") == made[:1]
    assert listed(ordering="-started_at", page="2", page_size="2") == made[:1]
    assert listed(submitted_from="01/01/2020", submitted_before="02/01/2020") == []
    counts = researcher.ask("GET", f"/api/v1/studies/{study_id}/submissions/counts/")
    assert (counts["APPROVED"], counts["AWAITING REVIEW"], counts["TOTAL"]) == (2, 1, 3)
    wrong: list[dict[str, Any]] = [{"page": "0"}, {"page": "x"}, {"approved": "maybe"}, {"submitted_from": "1"}]
    for query in [*wrong, {"ordering": "age"}]:
        researcher.ask("GET", "/api/v1/submissions/", study=study_id, status=400, **query)
    researcher.ask("GET", "/api/v1/submissions/", status=400)
    researcher.ask("GET", "/api/v1/submissions/", study="nothing", status=404)


def test_all_or_none_are_approved_in_bulk(researcher: Researcher, new_participant: NewParticipant) -> None:
    study_id, people = researcher.publish(), [new_participant() for _ in range(3)]
    made = [person.work(study_id) for person in people]

    def approve(status: int = 200, **body: Any) -> None:
        researcher.ask("POST", "/api/v1/submissions/bulk-approve/", body, status=status)

    approve(400, submission_ids=[*made, "5f0000000000000000000000"])
    approve(400, study_id=study_id, participant_ids=["5f0000000000000000000000"])
    approve(400)
    assert {researcher.submission(one)["status"] for one in made} == {"AWAITING REVIEW"}
    approve(submission_ids=made[:2])
    approve(study_id=study_id, participant_ids=[person.id for person in people])
    assert {researcher.submission(one)["status"] for one in made} == {"APPROVED"}
    assert researcher.balance()[0] == BALANCE_CENTS - 3 * EACH
