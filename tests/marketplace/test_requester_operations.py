"""Unmodified boto3 against the server's process, operation by operation; every answer fits the service model."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ClientError

from beat_the_ai.errors import Refused
from tests.marketplace.rehearsal import HIT, HIT_TYPE, QUESTION, Rehearsal

if TYPE_CHECKING:
    from types_boto3_mturk import MTurkClient

PAST = datetime(2015, 1, 1, tzinfo=timezone.utc)


def error_of(caught: pytest.ExceptionInfo[ClientError]) -> tuple[str, str]:
    """The TurkErrorCode without its prefix, and the message."""
    response: Any = caught.value.response
    return response["TurkErrorCode"].removeprefix("AWS.MechanicalTurk."), response["Error"]["Message"]


def balance(client: MTurkClient) -> tuple[str, str]:
    found = client.get_account_balance()
    return found["AvailableBalance"], found["OnHoldBalance"]


def new_hit(client: MTurkClient, **changes: Any) -> str:
    return client.create_hit(**{**HIT, **changes})["HIT"]["HITId"]


def test_a_hit_is_created_with_all_its_properties_and_its_money_is_held(client: MTurkClient) -> None:
    made = client.create_hit(**HIT, MaxAssignments=2, RequesterAnnotation="campaign/unit 1")["HIT"]
    assert made == client.get_hit(HITId=made["HITId"])["HIT"]
    assert made["HITStatus"] == "Assignable"
    assert made["Reward"] == "2.00"
    assert made["RequesterAnnotation"] == "campaign/unit 1"
    assert made["Question"] == QUESTION
    assert made["Expiration"] - made["CreationTime"] == timedelta(days=7)
    assert (made["NumberOfAssignmentsAvailable"], made["NumberOfAssignmentsPending"]) == (2, 0)
    assert balance(client) == ("95.20", "4.80")


def test_equal_hit_types_are_one(client: MTurkClient) -> None:
    first = client.create_hit_type(**HIT_TYPE)["HITTypeId"]
    assert client.create_hit_type(**HIT_TYPE)["HITTypeId"] == first
    assert client.create_hit_type(**{**HIT_TYPE, "Reward": "2.01"})["HITTypeId"] != first
    made = client.create_hit_with_hit_type(HITTypeId=first, LifetimeInSeconds=60, Question=QUESTION)["HIT"]
    assert (made["HITTypeId"], made["Title"]) == (first, HIT_TYPE["Title"])


def test_submitted_work_is_listed_approved_and_paid_once(client: MTurkClient, rehearsal: Rehearsal) -> None:
    hit_id, worker = new_hit(client), rehearsal.new_worker()
    assignment_id = rehearsal.submit(hit_id, worker, {"answer": "1 < 2 & \x01 𝄞"})
    [found] = client.list_assignments_for_hit(HITId=hit_id)["Assignments"]
    assert (found["AssignmentId"], found["WorkerId"], found["AssignmentStatus"]) == (assignment_id, worker, "Submitted")
    assert "<FreeText>1 &lt; 2 &amp; \N{REPLACEMENT CHARACTER} 𝄞</FreeText>" in found["Answer"]
    assert found["AutoApprovalTime"] - found["SubmitTime"] == timedelta(days=1)
    assert client.get_hit(HITId=hit_id)["HIT"]["HITStatus"] == "Reviewable"
    client.approve_assignment(AssignmentId=assignment_id, RequesterFeedback="Thank you")
    with pytest.raises(ClientError) as caught:
        client.approve_assignment(AssignmentId=assignment_id)
    code, message = error_of(caught)
    assert code == "InvalidAssignmentState"
    assert message.startswith("This operation can be called with a status of: Submitted (")
    approved = client.get_assignment(AssignmentId=assignment_id)
    assert approved["Assignment"]["AssignmentStatus"] == "Approved"
    assert approved["Assignment"]["RequesterFeedback"] == "Thank you"
    assert approved["HIT"]["NumberOfAssignmentsCompleted"] == 1
    assert balance(client) == ("97.60", "0.00")
    with rehearsal.workplace() as workplace:
        assert workplace.earnings(worker).cents == 200


def test_a_rejection_frees_the_money_and_can_be_overridden(client: MTurkClient, rehearsal: Rehearsal) -> None:
    hit_id, worker = new_hit(client), rehearsal.new_worker()
    assignment_id = rehearsal.submit(hit_id, worker)
    client.reject_assignment(AssignmentId=assignment_id, RequesterFeedback="Empty")
    assert balance(client) == ("100.00", "0.00")
    [rejected] = client.list_assignments_for_hit(HITId=hit_id, AssignmentStatuses=["Rejected"])["Assignments"]
    assert "RejectionTime" in rejected
    with pytest.raises(ClientError) as caught:
        client.approve_assignment(AssignmentId=assignment_id)
    assert error_of(caught)[0] == "InvalidAssignmentState"
    client.approve_assignment(AssignmentId=assignment_id, OverrideRejection=True)
    assert balance(client) == ("97.60", "0.00")
    assert client.get_assignment(AssignmentId=assignment_id)["Assignment"]["AssignmentStatus"] == "Approved"


def test_a_rejection_is_final_once_the_hit_is_deleted(client: MTurkClient, rehearsal: Rehearsal) -> None:
    hit_id = new_hit(client)
    assignment_id = rehearsal.submit(hit_id, rehearsal.new_worker())
    client.reject_assignment(AssignmentId=assignment_id, RequesterFeedback="Empty")
    client.delete_hit(HITId=hit_id)
    with pytest.raises(ClientError) as caught:
        client.approve_assignment(AssignmentId=assignment_id, OverrideRejection=True)
    assert error_of(caught)[0] == "InvalidAssignmentState"


def test_an_expired_hit_keeps_its_free_slots_in_the_count_and_gives_its_money_back(client: MTurkClient) -> None:
    # Mephisto takes a reviewable HIT with free slots for an expired one.
    hit_id = new_hit(client, MaxAssignments=3)
    client.update_expiration_for_hit(HITId=hit_id, ExpireAt=PAST)
    found = client.get_hit(HITId=hit_id)["HIT"]
    assert (found["HITStatus"], found["NumberOfAssignmentsAvailable"]) == ("Reviewable", 3)
    assert balance(client) == ("100.00", "0.00")
    client.update_expiration_for_hit(HITId=hit_id, ExpireAt=datetime.now(timezone.utc) + timedelta(days=300))
    assert client.get_hit(HITId=hit_id)["HIT"]["HITStatus"] == "Assignable"
    assert balance(client) == ("92.80", "7.20")


def test_a_hit_is_deleted_only_when_reviewable_and_decided(client: MTurkClient, rehearsal: Rehearsal) -> None:
    hit_id = new_hit(client)
    for status in ("Assignable", "Reviewable"):
        with pytest.raises(ClientError) as caught:
            client.delete_hit(HITId=hit_id)
        code, message = error_of(caught)
        assert code == "InvalidHITState"
        assert f"currently in the state '{status}'.  This operation can be called with a status of" in message
        if status == "Assignable":
            assignment_id = rehearsal.submit(hit_id, rehearsal.new_worker())
    client.approve_assignment(AssignmentId=assignment_id)
    client.delete_hit(HITId=hit_id)
    assert client.get_hit(HITId=hit_id)["HIT"]["HITStatus"] == "Disposed"
    assert client.list_hits()["HITs"] == []


def test_a_reviewable_hit_is_marked_as_being_reviewed_and_back(client: MTurkClient) -> None:
    hit_id = new_hit(client)
    with pytest.raises(ClientError):
        client.update_hit_review_status(HITId=hit_id)
    client.update_expiration_for_hit(HITId=hit_id, ExpireAt=PAST)
    client.update_hit_review_status(HITId=hit_id)
    assert client.list_reviewable_hits()["HITs"] == []
    [found] = client.list_reviewable_hits(Status="Reviewing")["HITs"]
    assert found["HITId"] == hit_id
    client.update_hit_review_status(HITId=hit_id, Revert=True)
    assert [hit["HITId"] for hit in client.list_reviewable_hits(HITTypeId=found["HITTypeId"])["HITs"]] == [hit_id]


def test_a_hit_gets_more_assignments_but_not_across_ten(client: MTurkClient) -> None:
    hit_id = new_hit(client, MaxAssignments=5)
    client.create_additional_assignments_for_hit(HITId=hit_id, NumberOfAdditionalAssignments=4, UniqueRequestToken="t")
    with pytest.raises(ClientError) as caught:
        client.create_additional_assignments_for_hit(
            HITId=hit_id, NumberOfAdditionalAssignments=4, UniqueRequestToken="t"
        )
    assert "has already been processed" in error_of(caught)[1]
    with pytest.raises(ClientError) as caught:
        client.create_additional_assignments_for_hit(HITId=hit_id, NumberOfAdditionalAssignments=1)
    assert error_of(caught)[0] == "InvalidMaximumAssignmentsIncrease"
    assert client.get_hit(HITId=hit_id)["HIT"]["MaxAssignments"] == 9
    assert balance(client) == ("78.40", "21.60")


def test_from_ten_assignments_the_fee_is_doubled(client: MTurkClient) -> None:
    hit_id = new_hit(client, MaxAssignments=10)
    assert balance(client) == ("72.00", "28.00")
    client.create_additional_assignments_for_hit(HITId=hit_id, NumberOfAdditionalAssignments=10)
    assert balance(client) == ("44.00", "56.00")


def test_a_hit_moves_to_another_hit_type(client: MTurkClient) -> None:
    hit_id = new_hit(client)
    cheaper = client.create_hit_type(**{**HIT_TYPE, "Reward": "1.00", "Title": "Cheaper"})["HITTypeId"]
    client.update_hit_type_of_hit(HITId=hit_id, HITTypeId=cheaper)
    found = client.get_hit(HITId=hit_id)["HIT"]
    assert (found["HITTypeId"], found["Title"], found["Reward"]) == (cheaper, "Cheaper", "1.00")
    assert balance(client) == ("98.80", "1.20")


def test_a_token_makes_one_hit(client: MTurkClient) -> None:
    made = client.create_hit(**HIT, UniqueRequestToken="once")["HIT"]
    of_type: Any = {"HITTypeId": made["HITTypeId"], "LifetimeInSeconds": 60, "Question": QUESTION}
    again: list[Callable[[], object]] = [
        lambda: client.create_hit(**HIT, UniqueRequestToken="once"),
        lambda: client.create_hit_with_hit_type(**of_type, UniqueRequestToken="once"),
    ]
    for create in again:
        with pytest.raises(ClientError) as caught:
            create()
        code, message = error_of(caught)
        assert code == "HITAlreadyExists"
        assert f'"once" has already been processed: {made["HITId"]}' in message
    assert len(client.list_hits()["HITs"]) == 1


def test_a_bonus_needs_submitted_work_of_that_worker_and_is_paid_once_per_token(
    client: MTurkClient, rehearsal: Rehearsal
) -> None:
    hit_id, worker, other = new_hit(client, MaxAssignments=2), rehearsal.new_worker(), rehearsal.new_worker()
    with rehearsal.workplace() as workplace:
        accepted = workplace.accept(worker, hit_id).id
    bonus: Any = {"WorkerId": worker, "AssignmentId": accepted, "BonusAmount": "1.50", "Reason": "key 1"}
    with pytest.raises(ClientError) as caught:
        client.send_bonus(**bonus)
    assert error_of(caught)[1].startswith(f"Assignment {accepted} does not exist.")
    with rehearsal.workplace() as workplace:
        workplace.submit(worker, accepted, [])
    with pytest.raises(ClientError) as caught:
        client.send_bonus(**{**bonus, "WorkerId": other})
    assert error_of(caught)[0] == "AssignmentDoesNotExist"
    client.send_bonus(**bonus, UniqueRequestToken="k1")
    with pytest.raises(ClientError) as caught:
        client.send_bonus(**bonus, UniqueRequestToken="k1")
    assert '"k1" has already been processed' in error_of(caught)[1]
    client.send_bonus(**{**bonus, "BonusAmount": "0.01"})
    assert balance(client) == ("93.38", "4.80")
    payments = client.list_bonus_payments(HITId=hit_id)
    assert [(paid["BonusAmount"], paid["Reason"]) for paid in payments["BonusPayments"]] == [
        ("1.50", "key 1"),
        ("0.01", "key 1"),
    ]
    assert client.list_bonus_payments(AssignmentId=accepted)["NumResults"] == 2
    with rehearsal.workplace() as workplace:
        assert workplace.earnings(worker).cents == 151
        assert len(workplace.bonuses(worker).items) == 2


def test_one_token_in_eight_threads_pays_once(client: MTurkClient, rehearsal: Rehearsal) -> None:
    worker = rehearsal.new_worker()
    assignment_id = rehearsal.submit(new_hit(client), worker)
    bonus: Any = {"WorkerId": worker, "AssignmentId": assignment_id, "BonusAmount": "1.00", "Reason": "once"}

    def send(_: int) -> str:
        try:
            client.send_bonus(**bonus, UniqueRequestToken="one")
        except ClientError as error:
            return str(error)
        return "paid"

    with ThreadPoolExecutor(8) as threads:
        outcomes = sorted(threads.map(send, range(8)), key=len)
    assert outcomes[0] == "paid"
    assert all("has already been processed" in outcome for outcome in outcomes[1:])
    assert client.list_bonus_payments(AssignmentId=assignment_id)["NumResults"] == 1
    assert balance(client) == ("96.40", "2.40")


def test_without_money_nothing_is_created_or_paid(rehearsal: Rehearsal) -> None:
    client = rehearsal.client(rehearsal.new_requester(dollars=3))
    hit_id = new_hit(client)
    assignment_id = rehearsal.submit(hit_id, worker := rehearsal.new_worker())
    for attempt in (
        lambda: new_hit(client),
        lambda: client.create_additional_assignments_for_hit(HITId=hit_id, NumberOfAdditionalAssignments=1),
        lambda: client.send_bonus(WorkerId=worker, AssignmentId=assignment_id, BonusAmount="0.60", Reason="good"),
    ):
        with pytest.raises(ClientError) as caught:
            attempt()
        code, message = error_of(caught)
        assert code == "InsufficientFunds"
        assert message.startswith("This Requester has insufficient funds in their account")
    assert balance(client) == ("0.60", "2.40")
    assert client.list_bonus_payments(HITId=hit_id)["BonusPayments"] == []


def test_a_blocked_worker_may_not_accept(client: MTurkClient, rehearsal: Rehearsal) -> None:
    hit_id, worker = new_hit(client), rehearsal.new_worker()
    client.create_worker_block(WorkerId=worker, Reason="spam")
    assert client.list_worker_blocks(MaxResults=100)["WorkerBlocks"] == [{"WorkerId": worker, "Reason": "spam"}]
    with rehearsal.workplace() as workplace, pytest.raises(Refused):
        workplace.accept(worker, hit_id)
    client.delete_worker_block(WorkerId=worker, Reason="a mistake")
    client.delete_worker_block(WorkerId=worker)
    assert client.list_worker_blocks()["WorkerBlocks"] == []
    rehearsal.submit(hit_id, worker)


def test_only_workers_with_decided_work_are_notified(client: MTurkClient, rehearsal: Rehearsal) -> None:
    known, stranger = rehearsal.new_worker(), rehearsal.new_worker()
    client.approve_assignment(AssignmentId=rehearsal.submit(new_hit(client), known))
    sent = client.notify_workers(Subject="New HITs", MessageText="Come back", WorkerIds=[known, stranger])
    [failure] = sent["NotifyWorkersFailureStatuses"]
    assert (failure["WorkerId"], failure["NotifyWorkersFailureCode"]) == (stranger, "HardFailure")
    with rehearsal.workplace() as workplace:
        assert [message.subject for message in workplace.messages(known).items] == ["New HITs"]
        assert workplace.messages(stranger).items == []


def test_another_requesters_things_do_not_exist(client: MTurkClient, rehearsal: Rehearsal) -> None:
    hit_id = new_hit(client)
    assignment_id = rehearsal.submit(hit_id, rehearsal.new_worker())
    stranger = rehearsal.client(rehearsal.new_requester())
    for attempt, code in (
        (lambda: stranger.get_hit(HITId=hit_id), "HITDoesNotExist"),
        (lambda: stranger.delete_hit(HITId=hit_id), "HITDoesNotExist"),
        (lambda: stranger.approve_assignment(AssignmentId=assignment_id), "AssignmentDoesNotExist"),
        (lambda: stranger.list_assignments_for_hit(HITId=hit_id), "HITDoesNotExist"),
        (lambda: stranger.list_bonus_payments(HITId=hit_id), "HITDoesNotExist"),
    ):
        with pytest.raises(ClientError) as caught:
            attempt()
        assert error_of(caught)[0] == code


def test_what_this_marketplace_lacks_is_refused_loudly(client: MTurkClient) -> None:
    policy: Any = {"PolicyName": "ScoreMyKnownAnswers/2011-09-01"}
    for attempt in (
        lambda: client.create_hit(**HIT, AssignmentReviewPolicy=policy),
        lambda: client.create_hit(**HIT, HITReviewPolicy=policy),
        lambda: client.create_hit(**HIT, HITLayoutId="3LAYOUT"),
        lambda: client.get_file_upload_url(AssignmentId="3A", QuestionIdentifier="q"),
        lambda: client.list_review_policy_results_for_hit(HITId="3A"),
    ):
        with pytest.raises(ClientError) as caught:
            attempt()
        assert error_of(caught)[0] == "UnsupportedOperation"
