"""The schema, and that no list or count reads more than its page."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.tables import transfers
from beat_the_ai.marketplace.workplace import Workplace
from tests.marketplace.desk import Desk, new_worker

# A search by words has no index; requesters have few qualification types.
MAY_SCAN = {"qualification_types"}


def test_transfers_cannot_be_changed(market: Market) -> None:
    Desk.opened(market).new_hit()
    for statement in (sa.update(transfers).values(cents=1), sa.delete(transfers)):
        with pytest.raises(sa.exc.DatabaseError, match="never changed"), market.writing() as moment:
            moment.connection.execute(statement)


def test_no_query_scans_or_sorts_a_table(planned: tuple[Market, list[tuple[str, str]]]) -> None:
    market, plans = planned
    desk, workplace, worker = Desk.opened(market), Workplace(market), new_worker(market)
    quiz = desk.ask("CreateQualificationType", Name="q", Description="d", QualificationTypeStatus="Active")
    quiz_id = quiz["QualificationType"]["QualificationTypeId"]
    desk.ask("AssociateQualificationWithWorker", QualificationTypeId=quiz_id, WorkerId=worker)
    wanted = {"QualificationTypeId": quiz_id, "Comparator": "Exists"}
    hit_id = desk.new_hit(QualificationRequirements=[wanted], UniqueRequestToken="t")
    hit = desk.hit(hit_id)
    workplace.offers(worker)
    workplace.hits(worker, hit["HITTypeId"])
    assignment_id = workplace.submit(worker, workplace.accept(worker, hit_id).id, []).id
    desk.ask("ApproveAssignment", AssignmentId=assignment_id)
    bonus = {"WorkerId": worker, "AssignmentId": assignment_id, "BonusAmount": "1", "Reason": "r"}
    desk.ask("SendBonus", **bonus, UniqueRequestToken="t")
    desk.ask("NotifyWorkers", Subject="s", MessageText="m", WorkerIds=[worker])
    token: dict[str, str] = {}
    for _ in range(2):
        token = {"NextToken": desk.ask("ListHITs", **token).get("NextToken", "")}
    lists: list[tuple[str, dict[str, Any]]] = [
        ("ListReviewableHITs", {}),
        ("ListReviewableHITs", {"HITTypeId": hit["HITTypeId"]}),
        ("ListHITsForQualificationType", {"QualificationTypeId": quiz_id}),
        ("ListAssignmentsForHIT", {"HITId": hit_id}),
        ("ListAssignmentsForHIT", {"HITId": hit_id, "AssignmentStatuses": ["Approved"]}),
        ("ListBonusPayments", {"HITId": hit_id}),
        ("ListBonusPayments", {"AssignmentId": assignment_id}),
        ("ListWorkerBlocks", {}),
        ("ListWorkersWithQualificationType", {"QualificationTypeId": quiz_id}),
        ("ListQualificationRequests", {}),
        ("ListQualificationRequests", {"QualificationTypeId": quiz_id}),
        ("GetAccountBalance", {}),
        ("GetAssignment", {"AssignmentId": assignment_id}),
        ("DeleteHIT", {"HITId": hit_id}),
    ]
    for name, asked in lists:
        desk.ask(name, **asked)
    workplace.assignments(worker)
    workplace.bonuses(worker)
    workplace.earnings(worker)
    workplace.messages(worker)
    slow = {
        (step, statement)
        for step, statement in plans
        if (step.startswith("SCAN") and step.split()[1] not in MAY_SCAN) or "TEMP B-TREE" in step
    }
    assert slow == set()
