"""Bonuses: two requests, money that moves later, and a second payment where it is asked for twice."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from beat_the_ai.recruiter.bonuses import BONUS_SECONDS
from beat_the_ai.recruiter.money import price_of
from beat_the_ai.recruiter.recruiter import Recruiter, advance
from tests.recruiter.running import AUTOMATIC, Participant, Researcher

NewParticipant = Callable[[], Participant]
LATER = timedelta(seconds=BONUS_SECONDS + 1)


@pytest.fixture
def study_id(researcher: Researcher) -> str:
    return researcher.publish()


@pytest.fixture
def person(new_participant: NewParticipant) -> Participant:
    return new_participant()


@pytest.fixture
def submission_id(study_id: str, person: Participant) -> str:
    return person.work(study_id, AUTOMATIC)


def test_a_bonus_is_set_up_then_paid_a_little_later(
    researcher: Researcher, recruiter: Recruiter, study_id: str, submission_id: str, person: Participant
) -> None:
    total, available = researcher.balance()
    order = researcher.set_up_bonuses(study_id, f"{submission_id},4.25\r\n\n{person.id},0.5\n")
    price = price_of(425) + price_of(50)
    assert order == {
        "id": order["id"],
        "study": study_id,
        "amount": 475,
        "fees": price.fee_cents,
        "vat": price.tax_cents,
        "total_amount": price.total,
    }
    assert researcher.balance() == (total, available)
    researcher.pay_bonuses(order["id"])
    assert researcher.submission(submission_id)["bonus_payments"] == []
    assert researcher.balance() == (total, available - price.total)
    advance(recruiter, LATER)
    assert researcher.submission(submission_id)["bonus_payments"] == [425, 50]
    assert researcher.balance() == (total - price.total, available - price.total)
    assert "£4.25" in person.get("/submissions").text
    cost = researcher.ask("GET", f"/api/v1/studies/{study_id}/cost/")
    assert cost["bonuses"]["rewards"]["amount"] == 475


def test_a_second_request_pays_a_second_time(
    researcher: Researcher, recruiter: Recruiter, study_id: str, submission_id: str
) -> None:
    order = researcher.set_up_bonuses(study_id, f"{submission_id},1")
    for _ in range(2):
        researcher.pay_bonuses(order["id"])
    advance(recruiter, LATER)
    assert researcher.submission(submission_id)["bonus_payments"] == [100, 100]
    books = researcher.http.get("/rehearsal/books", headers={"Authorization": "Bearer control"}).json()
    [twice] = books["paid_twice"]
    assert (twice["bulk_bonus_payment_id"], twice["times"], twice["extra_cents"]) == (order["id"], 2, 100)
    assert books["totals"]["bonuses_cents"] == 200


def test_a_balance_that_is_too_small_pays_nothing(
    researcher: Researcher, recruiter: Recruiter, study_id: str, submission_id: str
) -> None:
    before = researcher.balance()
    order = researcher.set_up_bonuses(study_id, f"{submission_id},5000")
    assert researcher.pay_bonuses(order["id"], 400)["error"]["title"] == "Not enough balance"
    advance(recruiter, LATER)
    assert (researcher.balance(), researcher.submission(submission_id)["bonus_payments"]) == (before, [])
    researcher.pay_bonuses("5f0000000000000000000000", 404)


def test_ids_that_have_not_taken_part_are_named(
    researcher: Researcher, new_participant: NewParticipant, study_id: str, submission_id: str
) -> None:
    stranger = new_participant()
    only_reserved = stranger.take(study_id)
    for unknown in ("5f0000000000000000000000", stranger.id, only_reserved):
        answer = researcher.set_up_bonuses(study_id, f"{submission_id},1\n{unknown},2", 400)
        assert unknown in answer["error"]["detail"]["csv_bonuses"][0]
        assert submission_id not in answer["error"]["detail"]["csv_bonuses"][0]


@pytest.mark.parametrize(
    "amount",
    [
        "0",
        "0.00",
        "-1",
        "-0.01",
        "NaN",
        "Infinity",
        "1e3",
        "4.255",
        "=1+1",
        "+1",
        "4,25",
        "",
        " ",
        "99999999",
        "１",
        "1.",
        "0x1",
    ],
)
def test_an_amount_that_is_none_is_refused(
    researcher: Researcher, study_id: str, submission_id: str, amount: str
) -> None:
    answer = researcher.set_up_bonuses(study_id, f"{submission_id},{amount}", 400)
    assert list(answer["error"]["detail"]) == ["csv_bonuses"]


def test_a_table_that_is_none_is_refused(researcher: Researcher, study_id: str, submission_id: str) -> None:
    for table in ("", "\n\n", submission_id, "=cmd|'/c calc'!A1,1", f"{submission_id},1\n" * 201, "\0,1", "<b>,1"):
        researcher.set_up_bonuses(study_id, table, 400)
    researcher.set_up_bonuses("5f0000000000000000000000", f"{submission_id},1", 404)
