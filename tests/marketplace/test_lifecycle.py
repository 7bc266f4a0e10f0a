"""What time does to HITs and assignments, on both databases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.marketplace.clock import FrozenClock
from beat_the_ai.marketplace.errors import RequestFailed
from beat_the_ai.marketplace.market import Market, open_market
from beat_the_ai.marketplace.workplace import Workplace
from tests.marketplace.desk import Desk, check_hits, check_ledger, new_worker, rows


@pytest.fixture
def desk(market: Market) -> Desk:
    return Desk.opened(market)


@pytest.fixture
def workplace(market: Market) -> Workplace:
    return Workplace(market)


def test_an_abandoned_assignment_frees_its_slot(desk: Desk, workplace: Workplace, clock: FrozenClock) -> None:
    worker, hit_id = new_worker(desk.market), desk.new_hit()
    assignment = workplace.accept(worker, hit_id)
    assert desk.hit(hit_id)["HITStatus"] == "Unassignable"
    clock.advance(timedelta(seconds=3599))
    assert desk.hit(hit_id)["HITStatus"] == "Unassignable"
    clock.advance(timedelta(seconds=1))
    assert desk.hit(hit_id)["HITStatus"] == "Assignable"
    with pytest.raises(Refused, match="abandoned"):
        workplace.submit(worker, assignment.id, [])
    workplace.accept(worker, hit_id)


def test_a_returned_assignment_frees_its_slot_until_the_hit_expires(
    desk: Desk, workplace: Workplace, clock: FrozenClock
) -> None:
    worker, hit_id = new_worker(desk.market), desk.new_hit(LifetimeInSeconds=60)
    workplace.give_back(worker, workplace.accept(worker, hit_id).id)
    assert desk.hit(hit_id)["HITStatus"] == "Assignable"
    assignment = workplace.accept(worker, hit_id)
    clock.advance(timedelta(seconds=61))
    assert desk.hit(hit_id)["HITStatus"] == "Unassignable"
    assert desk.balance == ("97.60", "2.40")
    workplace.give_back(worker, assignment.id)
    assert desk.hit(hit_id)["HITStatus"] == "Reviewable"
    assert desk.balance == ("100.00", "0.00")


def test_work_that_was_begun_may_be_submitted_after_the_expiry(
    desk: Desk, workplace: Workplace, clock: FrozenClock
) -> None:
    worker, hit_id = new_worker(desk.market), desk.new_hit(LifetimeInSeconds=60, MaxAssignments=2)
    assignment = workplace.accept(worker, hit_id)
    clock.advance(timedelta(seconds=61))
    workplace.submit(worker, assignment.id, [("q", "a")])
    assert desk.hit(hit_id)["HITStatus"] == "Reviewable"
    assert desk.balance == ("97.60", "2.40")
    with pytest.raises(Refused, match="nothing left"):
        workplace.accept(new_worker(desk.market, "AOTHER"), hit_id)


def test_what_nobody_decides_is_approved_when_the_delay_has_passed(
    desk: Desk, workplace: Workplace, clock: FrozenClock
) -> None:
    worker, hit_id = new_worker(desk.market), desk.new_hit()
    assignment = workplace.submit(worker, workplace.accept(worker, hit_id).id, [])
    clock.advance(timedelta(days=40))
    found = desk.ask("GetAssignment", AssignmentId=assignment.id)["Assignment"]
    assert found["AssignmentStatus"] == "Approved"
    assert found["ApprovalTime"] == found["AutoApprovalTime"]
    assert workplace.earnings(worker).cents == 200
    with pytest.raises(RequestFailed, match="status of: Submitted"):
        desk.ask("RejectAssignment", AssignmentId=assignment.id, RequesterFeedback="late")


def test_a_rejection_can_be_overridden_for_thirty_days(desk: Desk, workplace: Workplace, clock: FrozenClock) -> None:
    worker = new_worker(desk.market)
    ids = [workplace.accept(worker, desk.new_hit()).id for _ in range(2)]
    for assignment_id in ids:
        workplace.submit(worker, assignment_id, [])
        desk.ask("RejectAssignment", AssignmentId=assignment_id, RequesterFeedback="no")
    assert workplace.earnings(worker).rejected == 2
    clock.advance(timedelta(days=30))
    desk.ask("ApproveAssignment", AssignmentId=ids[0], OverrideRejection=True)
    clock.advance(timedelta(seconds=1))
    with pytest.raises(RequestFailed, match="30 days"):
        desk.ask("ApproveAssignment", AssignmentId=ids[1], OverrideRejection=True)
    earned = workplace.earnings(worker)
    assert (earned.cents, earned.approved, earned.rejected) == (200, 1, 1)


def test_hits_are_disposed_of_by_themselves_after_120_days(desk: Desk, clock: FrozenClock) -> None:
    hit_id = desk.new_hit(LifetimeInSeconds=60)
    clock.advance(timedelta(days=120, seconds=59))
    assert desk.hit(hit_id)["HITStatus"] == "Reviewable"
    clock.advance(timedelta(seconds=1))
    assert desk.hit(hit_id)["HITStatus"] == "Disposed"
    assert desk.ask("ListHITs")["HITs"] == []
    assert rows(desk.market, "agenda") == []


def test_a_long_leap_ends_where_small_steps_end(desk: Desk, workplace: Workplace, clock: FrozenClock) -> None:
    for number in range(3):
        worker = new_worker(desk.market, f"AWORKER{number}")
        workplace.accept(worker, desk.new_hit(LifetimeInSeconds=1800))
        workplace.submit(worker, workplace.accept(worker, desk.new_hit(MaxAssignments=2)).id, [])
    clock.advance(timedelta(days=365))
    assert desk.balance == ("92.80", "0.00")
    assert {hit.status for hit in rows(desk.market, "hits")} == {"Disposed"}
    abandoned = rows(desk.market, "assignments", status="Abandoned")
    assert len(abandoned) == 3
    check_ledger(desk.market)
    check_hits(desk.market)


def test_what_is_due_happens_once_in_many_processes(
    desk: Desk, workplace: Workplace, clock: FrozenClock, store_url: str
) -> None:
    worker = new_worker(desk.market)
    for _ in range(5):
        workplace.submit(worker, workplace.accept(worker, desk.new_hit()).id, [])
    clock.advance(timedelta(days=2))
    markets = [open_market(store_url, clock) for _ in range(3)]
    with ThreadPoolExecutor(3) as threads:
        assert (
            list(threads.map(lambda market: Desk(market, desk.requester_id).balance, markets))
            == [("88.00", "0.00")] * 3
        )
    for market in markets:
        market.close()
    check_ledger(desk.market)


def test_one_slot_goes_to_one_of_sixteen_workers(desk: Desk, workplace: Workplace, store_url: str) -> None:
    hit_id, workers = desk.new_hit(), [new_worker(desk.market, f"A{number}") for number in range(16)]
    other = open_market(store_url, desk.market.clock)
    ready = Barrier(16)

    def accept(number: int) -> bool:
        ready.wait()
        try:
            (workplace if number % 2 else Workplace(other)).accept(workers[number], hit_id)
        except Refused:
            return False
        return True

    with ThreadPoolExecutor(16) as threads:
        assert sum(threads.map(accept, range(16))) == 1
    other.close()
    check_hits(desk.market)


def test_a_worker_has_one_assignment_per_hit_and_only_its_own(desk: Desk, workplace: Workplace) -> None:
    worker, other = new_worker(desk.market), new_worker(desk.market, "AOTHER")
    hit_id = desk.new_hit(MaxAssignments=3)
    assignment = workplace.accept(worker, hit_id)
    with pytest.raises(Refused, match="already"):
        workplace.accept(worker, hit_id)
    for forbidden in (
        lambda: workplace.submit(other, assignment.id, []),
        lambda: workplace.give_back(other, assignment.id),
    ):
        with pytest.raises(Refused, match="not yours"):
            forbidden()
    workplace.submit(worker, assignment.id, [])
    with pytest.raises(Refused, match="submitted"):
        workplace.submit(worker, assignment.id, [])


def test_too_much_is_not_submitted_and_uses_nothing_up(desk: Desk, workplace: Workplace) -> None:
    worker = new_worker(desk.market)
    assignment = workplace.accept(worker, desk.new_hit())
    for answers in ([("q", "x" * 1_100_000)], [("q", "a")] * 1001, [("", "a")], [("q" * 256, "a")]):
        with pytest.raises(InvalidInput):
            workplace.submit(worker, assignment.id, answers)
    workplace.submit(worker, assignment.id, [("q", "a")])


def test_a_token_counts_for_24_hours(desk: Desk, clock: FrozenClock) -> None:
    first = desk.new_hit(UniqueRequestToken="t")
    clock.advance(timedelta(hours=24, seconds=-1))
    with pytest.raises(RequestFailed, match=f"already been processed: {first}"):
        desk.new_hit(UniqueRequestToken="t")
    clock.advance(timedelta(seconds=1))
    assert desk.new_hit(UniqueRequestToken="t") != first


def test_a_token_of_a_refused_request_can_be_used_again(market: Market) -> None:
    desk = Desk.opened(market, "poor", cents=100)
    with pytest.raises(RequestFailed, match="insufficient funds"):
        desk.new_hit(UniqueRequestToken="t")
    desk.new_hit(UniqueRequestToken="t", Reward="0.10")


def test_masters_cost_more(desk: Desk) -> None:
    masters = {"QualificationTypeId": "2F1QJWKUDD8XADTFD2Q0G6UTO95ALH", "Comparator": "Exists"}
    desk.new_hit(QualificationRequirements=[masters])
    assert desk.balance == ("97.50", "2.50")
    desk.new_hit(Reward="0.01")
    assert desk.balance == ("97.48", "2.52")
