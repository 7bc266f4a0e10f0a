"""Bonuses through Prolific are paid once, whatever fails, and never again where nobody knows."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from beat_the_ai.cli.people import people
from beat_the_ai.crowds.prolific import bonuses
from beat_the_ai.errors import Refused
from beat_the_ai.marketplace.people import erasure, payouts, studies
from tests.crowds.prolific.scene import Scene

PAY = "pay-bonus-payments"


def beaten(scene: Scene, amount: str = "0.50") -> tuple[str, str]:
    """Let somebody work, be approved and get a bonus. Return session and assignment."""
    session, assignment_id = scene.work()
    scene.desk.ask("ApproveAssignment", AssignmentId=assignment_id)
    scene.give_bonus(session, assignment_id, amount)
    return session, assignment_id


def settle(scene: Scene) -> str | None:
    """Look until the asynchronous payment is through."""
    scene.look()
    scene.wait(5)
    return scene.look()


def bonuses_there(scene: Scene, session: str) -> list[float]:
    return list(scene.submission(session).get("bonus_payments", []))


def batch_of(scene: Scene) -> bonuses.Batch:
    with scene.market.reading() as moment:
        [batch] = bonuses.batches_of(moment, scene.key)
    return batch


def test_bonuses_of_several_people_are_paid_in_one_batch(scene: Scene) -> None:
    scene.offer(2)
    scene.look()
    first, assignment_id = beaten(scene)
    scene.give_bonus(first, assignment_id, "0.25")
    second, _ = beaten(scene, "12.05")
    assert settle(scene) is None
    assert (bonuses_there(scene, first), bonuses_there(scene, second)) == ([75], [1205])
    assert (scene.paid_here(first), scene.paid_here(second)) == (275, 1405)
    assert batch_of(scene).state == "paid"
    scene.look(2)
    assert scene.transport.asked("POST", "/pay/") == 1


def test_a_later_bonus_of_the_same_amount_is_another_one(scene: Scene) -> None:
    scene.offer()
    scene.look()
    session, assignment_id = beaten(scene)
    settle(scene)
    scene.give_bonus(session, assignment_id)
    assert scene.look() is None
    assert scene.paid_here(session) == 250  # sent, and not seen there yet
    assert settle(scene) is None
    assert bonuses_there(scene, session) == [50, 50]
    assert scene.paid_here(session) == 300


def test_a_lost_reply_to_a_payment_is_looked_up_and_nothing_is_sent_again(scene: Scene) -> None:
    scene.offer()
    scene.look()
    session, _ = beaten(scene)
    scene.recruiter.control("faults", {"rules": [{"kind": "lose_reply", "operations": [PAY], "times": 1}]})
    assert settle(scene) is None
    assert bonuses_there(scene, session) == [50]
    assert scene.paid_here(session) == 250
    assert scene.recruiter.control("books")["paid_twice"] == []


@pytest.mark.parametrize("is_paid", [True, False])
def test_where_asking_does_not_decide_a_person_does(scene: Scene, is_paid: bool) -> None:
    """An error of the gateway: Prolific may have paid, and does not show that it has."""
    scene.offer()
    scene.look()
    session, assignment_id = beaten(scene)
    scene.recruiter.control("faults", {"rules": [{"kind": "fault", "operations": [PAY], "times": 1}]})
    scene.look()
    assert batch_of(scene).state == "sent"
    scene.wait(3601)
    scene.look()
    problem = scene.look()
    assert problem is not None
    assert f"people bonus-batch {batch_of(scene).id} --paid (or --unpaid)" in problem
    scene.give_bonus(session, assignment_id, "0.10")
    scene.look(2)
    assert bonuses_there(scene, session) == []  # nothing more is sent until somebody has decided
    with scene.market.writing() as moment:
        bonuses.decide(moment, batch_of(scene).id, is_paid=is_paid)
    settle(scene)
    assert settle(scene) is None
    assert bonuses_there(scene, session) == ([10] if is_paid else [50, 10])
    assert scene.paid_here(session) == 260
    assert scene.recruiter.control("books")["paid_twice"] == []


def pay_by_hand(scene: Scene, session: str, amount: str) -> None:
    """Pay a bonus as somebody does on Prolific's page."""
    order = {"study_id": scene.external_id, "csv_bonuses": f"{session},{amount}"}
    researcher = scene.recruiter.researcher()
    made = researcher.ask("POST", "/api/v1/submissions/bonus-payments/", order, status=201)
    researcher.ask("POST", f"/api/v1/bulk-bonus-payments/{made['id']}/pay/", status=202)
    scene.wait(5)


def test_a_bonus_that_was_paid_by_hand_before_is_no_bonus_of_a_batch(scene: Scene) -> None:
    scene.offer()
    scene.look()
    session, assignment_id = scene.work()
    scene.desk.ask("ApproveAssignment", AssignmentId=assignment_id)
    scene.look()
    pay_by_hand(scene, session, "0.50")
    scene.give_bonus(session, assignment_id, "0.50")
    scene.recruiter.control("faults", {"rules": [{"kind": "fault", "operations": [PAY], "times": 1}]})
    scene.look()
    assert bonuses_there(scene, session) == [50]
    assert batch_of(scene).before == {session: Counter([50])}
    scene.wait(3601)
    scene.look()
    assert (batch_of(scene).state, scene.paid_here(session)) == ("doubtful", 200)


@pytest.mark.parametrize("is_paid", [True, False])
def test_a_person_is_asked_about_what_a_batch_does_not_show_as_paid(scene: Scene, is_paid: bool) -> None:
    scene.offer(2)
    scene.look()
    (shown, _), (other, _) = beaten(scene), beaten(scene, "0.30")
    scene.recruiter.control("faults", {"rules": [{"kind": "fault", "operations": [PAY], "times": 1}]})
    scene.look()
    pay_by_hand(scene, shown, "0.50")
    scene.look()
    batch = batch_of(scene)
    assert (batch.state, list(batch.paid), batch.unpaid) == ("sent", [shown], {other: 30})
    assert (scene.paid_here(shown), scene.paid_here(other)) == (250, 200)
    scene.wait(3601)
    scene.look()
    problem = scene.look() or ""
    assert f"£0.30 of submission {other}" in problem
    assert shown not in problem
    with scene.market.writing() as moment:
        bonuses.decide(moment, batch.id, is_paid=is_paid)
    assert settle(scene) is None
    assert (bonuses_there(scene, shown), bonuses_there(scene, other)) == ([50], [] if is_paid else [30])
    assert (scene.paid_here(shown), scene.paid_here(other)) == (250, 230)
    with scene.market.reading() as moment:
        assert bonuses.batches_of(moment, scene.key, unpaid=True) == []


def test_a_refused_payment_is_sent_when_it_can_be_paid(scene: Scene) -> None:
    scene.offer()
    scene.look()
    session, _ = beaten(scene)
    scene.recruiter.control("faults", {"rules": [{"kind": "throttle", "operations": [PAY], "times": 3}]})
    assert "asked too often" in (scene.look() or "")
    assert batch_of(scene).state == "ready"
    assert settle(scene) is None
    assert bonuses_there(scene, session) == [50]


def test_only_what_was_sent_can_be_decided(scene: Scene) -> None:
    scene.offer()
    scene.look()
    beaten(scene)
    settle(scene)
    with scene.market.writing() as moment, pytest.raises(Refused, match="nothing to decide"):
        bonuses.decide(moment, batch_of(scene).id, is_paid=False)
    with scene.market.writing() as moment, pytest.raises(Refused, match="no batch of bonuses"):
        bonuses.decide(moment, "x" * 100, is_paid=False)


@pytest.mark.parametrize("state", ["made", "sent"])
def test_somebody_who_is_erased_keeps_nobody_else_from_being_paid(scene: Scene, state: str) -> None:
    scene.offer(2)
    scene.look()
    (erased, _), (other, _) = beaten(scene), beaten(scene, "0.30")
    if state == "made":
        with scene.market.writing() as moment:
            bonuses.open_batch(moment, scene.followed.study)
    else:
        scene.recruiter.control("faults", {"rules": [{"kind": "lose_reply", "operations": [PAY], "times": 1}]})
        scene.look()
    assert batch_of(scene).state == state
    worker_id = scene.worker_of(erased)
    with scene.market.writing() as moment:
        erasure.erase(moment, worker_id, erasure.begin(moment, worker_id))
    assert settle(scene) is None
    assert bonuses_there(scene, other) == [30]
    assert scene.paid_here(other) == 230
    assert batch_of(scene).state == "paid"


def test_a_batch_whose_people_are_all_erased_is_over(scene: Scene) -> None:
    scene.offer()
    scene.look()
    session, _ = beaten(scene)
    with scene.market.writing() as moment:
        bonuses.open_batch(moment, scene.followed.study)
        worker_id = studies.get_visit(moment, scene.key, session)[1].worker_id
        erasure.erase(moment, worker_id, erasure.begin(moment, worker_id))
    assert scene.look() is None
    assert batch_of(scene).state == "paid"
    assert scene.transport.asked("POST", "/pay/") == 0


def test_a_batch_that_prolific_refuses_can_be_paid_by_hand(scene: Scene) -> None:
    scene.offer()
    scene.look()
    session, _ = beaten(scene)
    with scene.market.writing() as moment:
        batch = bonuses.open_batch(moment, scene.followed.study)
        assert batch is not None
        with pytest.raises(Refused, match="nothing to decide"):
            bonuses.decide(moment, batch.id, is_paid=False)
        bonuses.decide(moment, batch.id, is_paid=True)
    assert settle(scene) is None
    assert bonuses_there(scene, session) == []
    assert scene.paid_here(session) == 250


def test_a_batch_under_way_is_not_sent_again_at_a_persons_word(scene: Scene, tmp_path: Path) -> None:
    scene.offer()
    scene.look()
    session, _ = beaten(scene)
    scene.look()
    options = ["bonus-batch", batch_of(scene).id, "--unpaid", "--people", f"sqlite:///{tmp_path / 'people.db'}"]
    refused = CliRunner().invoke(people, options)
    assert "could be paid twice" in f"{refused.exception} {refused.output}"
    assert settle(scene) is None
    assert bonuses_there(scene, session) == [50]


def test_a_person_reads_what_is_paid_and_what_is_wrong(scene: Scene, tmp_path: Path) -> None:
    scene.offer(2)
    scene.look()
    beaten(scene)
    settle(scene)
    scene.desk.new_hit(Reward="3.00", RequesterAnnotation=f"{scene.prefix}other")
    scene.look()
    options = ["studies", "--people", f"sqlite:///{tmp_path / 'people.db'}"]
    [row] = json.loads(CliRunner().invoke(people, [*options, "--json"]).output)
    assert (row["external_id"], row["submitted"]) == (scene.external_id, 1)
    assert (row["rewards_paid_cents"], row["bonuses_paid_cents"], row["open_batches"]) == (200, 50, [])
    assert len(row["problems"]) == 1
    assert "200 and 300 cents" in CliRunner().invoke(people, options).output


KILLED = """
import os, signal, sys
from beat_the_ai.crowds.prolific import bonuses
from beat_the_ai.crowds.prolific.client import ProlificClient
from beat_the_ai.marketplace.market import open_market
from beat_the_ai.marketplace.people import studies
from tests.crowds.prolific.scene import CheckedTransport

store, address, token, key, external_id, moment, path = sys.argv[1:]

def die(request):
    if request.url.path.endswith(path):
        os.kill(os.getpid(), signal.SIGKILL)

transport = CheckedTransport(**{moment: die})
market = open_market(store)
with market.reading() as reading:
    study = studies.get_study(reading, key)
bonuses.pay(ProlificClient(address, token, transport=transport), market, study, external_id)
"""


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("path", ["/bonus-payments/", "/pay/"])
def test_a_process_that_is_killed_around_a_payment_pays_once(
    scene: Scene, tmp_path: Path, moment: str, path: str
) -> None:
    scene.offer()
    scene.look()
    session, assignment_id = scene.work()
    scene.desk.ask("ApproveAssignment", AssignmentId=assignment_id)
    scene.look()
    scene.give_bonus(session, assignment_id)
    named = [str(tmp_path / "people.db"), scene.recruiter.address, scene.recruiter.printed["token"], scene.key]
    program = [sys.executable, "-c", KILLED, *named, scene.external_id, moment, path]
    killed = subprocess.run(program, check=False, timeout=60, cwd=Path(__file__).parents[3])
    assert killed.returncode == -signal.SIGKILL
    settle(scene)
    scene.wait(3601)
    scene.look(2)
    batch = batch_of(scene)
    if (moment, path) == ("before", "/pay/"):  # written down as sent, and not sent: a person looks, and decides
        assert (batch.state, bonuses_there(scene, session)) == ("doubtful", [])
        with scene.market.writing() as writing:
            bonuses.decide(writing, batch.id, is_paid=False)
        settle(scene)
        scene.look()
    assert batch_of(scene).state == "paid"
    assert bonuses_there(scene, session) == [50]
    assert scene.paid_here(session) == 250
    assert scene.recruiter.control("books")["paid_twice"] == []


def test_a_connection_that_was_never_made_pays_nothing_and_is_tried_again(scene: Scene) -> None:
    scene.offer()
    scene.look()
    session, _ = beaten(scene)

    def unreachable(request: httpx.Request) -> None:
        if request.url.path.endswith("/pay/"):
            raise httpx.ConnectError("nobody listens")

    scene.transport.before = unreachable
    assert "cannot be reached" in (scene.look() or "")
    assert batch_of(scene).state == "ready"
    scene.transport.before = _nothing
    assert settle(scene) is None
    assert bonuses_there(scene, session) == [50]


def _nothing(request: httpx.Request) -> Any:
    return None


def test_what_the_recruiter_pays_is_not_noted_as_paid_by_hand(scene: Scene) -> None:
    """The requester would pay it, and the mirror a second time."""
    scene.offer()
    scene.look()
    session, _ = beaten(scene)
    worker_id = scene.worker_of(session)
    with scene.market.writing() as moment:
        text = payouts.as_csv(payouts.owed(moment))
        assert f"{worker_id},2.50,0.00,2.50,recruiter" in text
        assert payouts.read_amounts(moment, text.encode(), "owed.csv") == {}
        with pytest.raises(Refused, match="is paid by the recruiter"):
            payouts.note(moment, "November", {worker_id: 250})
        assert payouts.note(moment, f"reward {session}", {worker_id: 200}) == [worker_id]
