"""Lists in pages, as Mephisto and boto3's paginators read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from beat_the_ai.marketplace.errors import RequestFailed
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.workplace import Workplace
from tests.marketplace.desk import Desk, new_worker
from tests.marketplace.rehearsal import HIT, Rehearsal

if TYPE_CHECKING:
    from types_boto3_mturk import MTurkClient


def test_every_page_with_hits_has_a_token_and_the_last_is_empty(client: MTurkClient) -> None:
    made = [client.create_hit(**HIT)["HIT"]["HITId"] for _ in range(4)]
    found, page = [], client.list_hits(MaxResults=2)
    while page["HITs"]:  # the loop of Mephisto's get_outstanding_hits
        assert page["NumResults"] == len(page["HITs"]) == 2
        found += page["HITs"]
        page = client.list_hits(MaxResults=2, NextToken=page["NextToken"])
    assert "NextToken" not in page
    assert [hit["HITId"] for hit in found] == made[::-1]


def test_boto3s_paginators_read_every_list_to_its_end(client: MTurkClient, rehearsal: Rehearsal) -> None:
    hit_id = client.create_hit(**HIT, MaxAssignments=5)["HIT"]["HITId"]
    workers = [rehearsal.new_worker() for _ in range(5)]
    made = [rehearsal.submit(hit_id, worker) for worker in workers]
    for worker, assignment_id in zip(workers, made, strict=True):
        client.create_worker_block(WorkerId=worker, Reason="test")
        client.send_bonus(WorkerId=worker, AssignmentId=assignment_id, BonusAmount="0.01", Reason="test")
    lists: list[tuple[Any, dict[str, Any], str, str, list[str]]] = [
        ("list_assignments_for_hit", {"HITId": hit_id}, "Assignments", "AssignmentId", made),
        ("list_bonus_payments", {"HITId": hit_id}, "BonusPayments", "AssignmentId", made),
        ("list_worker_blocks", {}, "WorkerBlocks", "WorkerId", sorted(workers)),
    ]
    for name, asked, member, key, expected in lists:
        pages: Any = client.get_paginator(name).paginate(**asked, PaginationConfig={"PageSize": 2})
        assert [item[key] for page in pages for item in page[member]] == expected


def test_assignments_of_several_states_come_in_one_order(market: Market) -> None:
    desk, workplace = Desk.opened(market), Workplace(market)
    hit_id = desk.new_hit(MaxAssignments=9)
    made = []
    for number in range(9):
        worker = new_worker(market, f"A{number}")
        made.append(workplace.submit(worker, workplace.accept(worker, hit_id).id, []).id)
    for number, assignment_id in enumerate(made):
        if number % 3 == 0:
            desk.ask("ApproveAssignment", AssignmentId=assignment_id)
        elif number % 3 == 1:
            desk.ask("RejectAssignment", AssignmentId=assignment_id, RequesterFeedback="no")

    def listed(**asked: Any) -> list[str]:
        found, page = [], desk.ask("ListAssignmentsForHIT", HITId=hit_id, MaxResults=2, **asked)
        while page["Assignments"]:
            found += [one["AssignmentId"] for one in page["Assignments"]]
            token = page["NextToken"]
            page = desk.ask("ListAssignmentsForHIT", HITId=hit_id, MaxResults=2, NextToken=token, **asked)
        return found

    assert listed() == made
    assert listed(AssignmentStatuses=["Rejected", "Approved"]) == [one for n, one in enumerate(made) if n % 3 < 2]
    assert listed(AssignmentStatuses=["Submitted"]) == made[2::3]


def test_hits_made_meanwhile_shift_no_page(market: Market) -> None:
    desk = Desk.opened(market)
    old = [desk.new_hit() for _ in range(3)]
    first = desk.ask("ListHITs", MaxResults=2)
    desk.new_hit()
    second = desk.ask("ListHITs", MaxResults=2, NextToken=first["NextToken"])
    assert [hit["HITId"] for hit in first["HITs"] + second["HITs"]] == old[::-1]


@pytest.mark.parametrize(
    "token", ["x", "eyJhZnRlciI6IFsxXX0=", "eyJhZnRlciI6ICJhIn0=", "bnVsbA==", "é", "eyJhZnRlciI6IC0xfQ=="]
)
def test_a_token_that_was_not_given_out_is_refused(market: Market, token: str) -> None:
    desk = Desk.opened(market)
    with pytest.raises(RequestFailed, match="NextToken"):
        desk.ask("ListHITs", NextToken=token)
