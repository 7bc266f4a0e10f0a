"""Who may work, and since when: events here, and what the marketplace makes of them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection
from typing import TypeVar

import pytest

from beat_the_ai.campaign.money.payables import crowd_label
from beat_the_ai.errors import Declined, InvalidInput, Refused, Unanswered
from beat_the_ai.mephisto.mturk.unit import external_question
from beat_the_ai.requester import Label, Requester
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Difference, GateRequest, MTurkGate, Standing, Workforce
from tests.marketplace.rehearsal import Rehearsal
from tests.store.builders import campaign

T = TypeVar("T")
WORK = (Stage.WRITING, Stage.VALIDATION)


@pytest.fixture
def pilot(store: Store) -> Store:
    store.campaigns.create(campaign())
    return store


def stages(workforce: Workforce, worker: str = "A1") -> set[Stage]:
    return {stage for stage in Stage if workforce.may_work(worker, stage)}


def test_a_worker_goes_from_screening_to_work_and_out_and_back(pilot: Store) -> None:
    workforce = Workforce(BoundCampaign.open(pilot, "pilot"), needs_qualification=True)
    assert stages(workforce) == {Stage.SCREENING}
    workforce.enter_screening("A1", "3X-A1")
    assert (stages(workforce), workforce.standing("A1")) == (set(), Standing.CANDIDATE)
    workforce.qualify("A1", "ann", "good questions")
    assert stages(workforce) == set(WORK)
    workforce.revoke("A1", "bob", "copies the passage")
    assert (stages(workforce), pilot.standings.discarded("pilot")) == (set(), {"A1"})
    workforce.reinstate("A1", "ann", "it was somebody else")
    assert (stages(workforce), pilot.standings.discarded("pilot")) == (set(WORK), set())
    assert [(event.standing, event.by, event.reason) for event in workforce.history("A1")] == [
        ("candidate", "screening", "entered the screening"),
        ("qualified", "ann", "good questions"),
        ("revoked", "bob", "copies the passage"),
        ("qualified", "ann", "it was somebody else"),
    ]


def test_without_a_gate_all_may_work_but_the_revoked_and_the_blocked(pilot: Store) -> None:
    workforce = Workforce(BoundCampaign.open(pilot, "pilot"))
    workforce.enter_screening("A2", "3X")
    assert [stages(workforce, worker) for worker in ("A1", "A2")] == [set(Stage), set(WORK)]
    workforce.revoke("A1", "ann", "gibberish")
    workforce.block("A2", "ann", "threats")
    assert [stages(workforce, worker) for worker in ("A1", "A2")] == [set(), set()]
    assert pilot.standings.discarded("pilot") == {"A1"}  # a block says nothing about the work


def test_the_screening_is_taken_once_and_may_be_reloaded(pilot: Store) -> None:
    workforce = Workforce(BoundCampaign.open(pilot, "pilot"), needs_qualification=True)
    first = workforce.enter_screening("A1", "3X-A1")
    assert workforce.enter_screening("A1", "3X-A1") == first
    with pytest.raises(Refused, match="can be taken once"):
        workforce.enter_screening("A1", "3Y-A1")
    workforce.qualify("A1", "ann")
    assert workforce.enter_screening("A1", "3X-A1") == first
    assert workforce.standing("A1") is Standing.QUALIFIED
    assert not workforce.may_work("A1", Stage.SCREENING)


def test_candidates_wait_in_the_order_in_which_they_came(pilot: Store) -> None:
    workforce = Workforce(BoundCampaign.open(pilot, "pilot"))
    for worker in ("A3", "A1", "A2"):
        workforce.enter_screening(worker, f"3X-{worker}")
    workforce.qualify("A1", "ann")
    assert [event.worker for event in workforce.candidates()] == ["A3", "A2"]


def test_what_makes_no_sense_is_refused_and_a_repeat_changes_nothing(pilot: Store) -> None:
    workforce = Workforce(BoundCampaign.open(pilot, "pilot"))
    with pytest.raises(Refused, match="nothing to take back"):
        workforce.reinstate("A1", "ann", "why not")
    with pytest.raises(InvalidInput, match="reason is empty"):
        workforce.revoke("A1", "ann", " ")
    with pytest.raises(InvalidInput, match="reviewer is empty"):
        workforce.revoke("A1", "", "bad")
    with pytest.raises(InvalidInput, match="No worker was named"):
        workforce.revoke("", "ann", "bad")
    assert workforce.revoke("A1", "ann", "bad") == workforce.revoke("A1", "bob", "worse")
    with pytest.raises(Refused, match="Reinstate"):
        workforce.qualify("A1", "ann")
    assert len(workforce.history("A1")) == 1


def test_a_candidate_who_was_turned_down_by_mistake_is_a_candidate_again(pilot: Store) -> None:
    workforce = Workforce(BoundCampaign.open(pilot, "pilot"), needs_qualification=True)
    workforce.enter_screening("A1", "3X")
    workforce.revoke("A1", "ann", "no question is one")
    assert workforce.reinstate("A1", "ann", "I looked at the wrong page").standing == "candidate"
    assert stages(workforce) == set()


# With a marketplace that speaks MTurk's protocol.


def test_the_qualification_type_is_created_once(crowd: Requester) -> None:
    ids = {MTurkGate(crowd, campaign("pilot")).type_id for _ in range(3)}
    assert len(ids) == 1
    assert MTurkGate(crowd, campaign("pilot 2")).type_id not in ids


def test_campaigns_of_one_name_share_no_qualification(crowd: Requester, rehearsal: Rehearsal) -> None:
    gate, other = (MTurkGate(crowd, campaign("twin", pseudonym_key=key)) for key in ("one", "other"))
    worker = rehearsal.new_worker()
    for each in (gate, other):
        each.grant(worker)
    gate.withdraw(worker)
    assert (gate.holders(), other.holders()) == (set(), {worker})
    assert MTurkGate(crowd, campaign("twin", pseudonym_key="other")).type_id == other.type_id


def test_a_campaign_that_began_before_keeps_the_type_that_its_hits_ask_for(crowd: Requester) -> None:
    created = crowd.client.create_qualification_type(
        Name="Beat the AI: old", Description="Shared by name.", QualificationTypeStatus="Active"
    )
    shared = created["QualificationType"]["QualificationTypeId"]
    began, later = (campaign("old", pseudonym_key=key) for key in ("one", "other"))
    own = {"QualificationTypeId": shared, "Comparator": "DoesNotExist", "ActionsGuarded": "Accept"}
    hit_type = crowd.hit_type(
        Title="Training",
        Description="Learn it.",
        Reward="0.10",
        AssignmentDurationInSeconds=60,
        QualificationRequirements=[own],
    )
    label = Label(crowd_label(began, Stage.SCREENING), "run", "1")
    crowd.create_hit(label, hit_type, external_question("https://example.org/", 600), 60)
    assert MTurkGate(crowd, began).type_id == shared
    assert MTurkGate(crowd, later).requests() == []
    assert MTurkGate(crowd, later).type_id != shared


def test_the_crowd_follows_and_its_answer_is_written_down(pilot: Store, gate: MTurkGate, rehearsal: Rehearsal) -> None:
    worker, workforce = rehearsal.new_worker(), Workforce(BoundCampaign.open(pilot, "pilot"), gate)
    assert not gate.holds(worker)
    assert workforce.qualify(worker, "ann").answer == "confirmed"
    assert (gate.holds(worker), gate.holders()) == (True, {worker})
    assert workforce.revoke(worker, "ann", "copies from A2 and A3").answer == "confirmed"
    assert (gate.holds(worker), gate.holders()) == (False, set())
    assert workforce.reinstate(worker, "ann", "an error").answer == "confirmed"
    assert gate.holders() == {worker}
    assert workforce.reconcile() == []


def test_the_worker_is_told_but_not_what_reviewers_write(pilot: Store, gate: MTurkGate, rehearsal: Rehearsal) -> None:
    worker, workforce = rehearsal.new_worker(), Workforce(BoundCampaign.open(pilot, "pilot"), gate)
    workforce.qualify(worker, "ann")
    workforce.revoke(worker, "ann", "copies from A2")
    with rehearsal.workplace() as workplace:
        told = [message.body for message in workplace.messages(worker).items]
    assert len(told) == 2
    assert not any("A2" in text for text in told)


def test_more_holders_than_a_page_has_are_all_read(crowd: Requester, rehearsal: Rehearsal) -> None:
    gate = MTurkGate(crowd, campaign("many"))
    workers = {rehearsal.new_worker() for _ in range(105)}
    for worker in workers:
        gate.grant(worker)
    assert gate.holders() == workers


class LossyRequester(Requester):
    """Loses the reply of the next call of an operation, before or after it is carried out; then it is itself again."""

    lose: tuple[str, bool] | None = None

    def call(self, operation: str, **parameters: object) -> object:
        if self.lose is None or self.lose[0] != operation:
            return super().call(operation, **parameters)
        (_, carried_out), self.lose = self.lose, None
        if carried_out:
            with contextlib.suppress(Declined):
                super().call(operation, **parameters)
        raise Unanswered("The connection broke.")


@pytest.fixture
def lossy(crowd: Requester) -> LossyRequester:
    return LossyRequester(crowd.client, crowd._sleep)


OPERATIONS = (
    "associate_qualification_with_worker",
    "disassociate_qualification_from_worker",
    "get_qualification_score",
)


@pytest.mark.parametrize("carried_out", [True, False])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_whatever_reply_is_lost_is_made_up_for(
    pilot: Store, lossy: LossyRequester, rehearsal: Rehearsal, operation: str, carried_out: bool
) -> None:
    worker = rehearsal.new_worker()
    Workforce(BoundCampaign.open(pilot, "pilot"), MTurkGate(lossy, campaign("pilot"))).qualify(worker, "ann")
    gate = MTurkGate(lossy, campaign("pilot"))
    workforce = Workforce(BoundCampaign.open(pilot, "pilot"), gate)
    if operation == "disassociate_qualification_from_worker":
        lossy.lose = operation, carried_out
        event = workforce.revoke(worker, "ann", "gibberish")
    else:
        workforce.revoke(worker, "ann", "a mistake")
        gate = MTurkGate(lossy, campaign("second"))
        workforce = Workforce(BoundCampaign.open(pilot, "pilot"), gate)
        lossy.lose = operation, carried_out
        event = workforce.reinstate(worker, "ann", "sorry")
    assert (event.answer, event.answer_note) == ("unanswered", "The connection broke.")
    wanted = event.standing == "qualified"
    assert workforce.may_work(worker, Stage.WRITING) is wanted  # what stands here rules at once
    listed = workforce.reconcile(mend=False)
    assert [one.worker for one in listed] == [worker]
    assert not listed[0].mended
    assert [one.mended for one in workforce.reconcile()] == [True]
    assert gate.holds(worker) is wanted
    assert workforce.history(worker)[-1].answer == "confirmed"
    assert workforce.reconcile() == []


@pytest.mark.parametrize("carried_out", [True, False])
def test_the_qualification_type_is_asked_for_again_when_no_answer_comes(
    pilot: Store, lossy: LossyRequester, rehearsal: Rehearsal, carried_out: bool
) -> None:
    lossy.lose = "create_qualification_type", carried_out
    gate = MTurkGate(lossy, campaign(f"lost {carried_out}"))
    assert (
        Workforce(BoundCampaign.open(pilot, "pilot"), gate).qualify(rehearsal.new_worker(), "ann").answer == "confirmed"
    )
    assert gate.type_id == MTurkGate(lossy, campaign(f"lost {carried_out}")).type_id


def test_a_process_that_died_after_its_intent_left_a_difference_that_is_mended(
    pilot: Store, gate: MTurkGate, rehearsal: Rehearsal
) -> None:
    one, two = sorted(rehearsal.new_worker() for _ in range(2))
    Workforce(BoundCampaign.open(pilot, "pilot"), gate).qualify(two, "ann")
    local = Workforce(BoundCampaign.open(pilot, "pilot"))  # writes its events, and dies before it asks the crowd
    local.qualify(one, "ann")
    local.revoke(two, "ann", "gibberish")
    workforce = Workforce(BoundCampaign.open(pilot, "pilot"), gate)
    assert workforce.reconcile(mend=False) == [Difference(one, "missing", False), Difference(two, "surplus", False)]
    assert workforce.reconcile() == [Difference(one, "missing", True), Difference(two, "surplus", True)]
    assert gate.holders() == {one}


def test_a_crowd_that_refuses_keeps_the_difference_in_sight(pilot: Store, gate: MTurkGate) -> None:
    workforce = Workforce(BoundCampaign.open(pilot, "pilot"), gate)
    event = workforce.qualify("A0NOBODY", "ann")
    assert event.answer == "declined"
    [difference] = workforce.reconcile()
    assert (difference.kind, difference.mended) == ("missing", False)
    assert "A0NOBODY" in str(difference.note)


def test_who_was_let_in_elsewhere_is_listed_and_left_alone_but_may_not_work(
    pilot: Store, gate: MTurkGate, rehearsal: Rehearsal
) -> None:
    worker = rehearsal.new_worker()
    gate.grant(worker)
    workforce = Workforce(BoundCampaign.open(pilot, "pilot"), gate, needs_qualification=True)
    [difference] = workforce.reconcile()
    assert (difference.worker, difference.kind, difference.mended) == (worker, "unknown", False)
    assert not workforce.may_work(worker, Stage.WRITING)
    assert gate.holds(worker)


def test_a_block_on_the_marketplace_holds_for_every_stage(
    pilot: Store, gate: MTurkGate, crowd: Requester, rehearsal: Rehearsal
) -> None:
    worker, workforce = rehearsal.new_worker(), Workforce(BoundCampaign.open(pilot, "pilot"), gate)
    workforce.qualify(worker, "ann")
    crowd.call("create_worker_block", WorkerId=worker, Reason="threats")
    assert workforce.reconcile() == [Difference(worker, "blocked", True)]
    assert stages(workforce, worker) == set()
    assert workforce.history(worker)[-1].by == "crowd"
    assert not gate.holds(worker)
    assert workforce.reconcile() == []


class SlowGate:
    """A gate at which something else happens in the middle of a grant."""

    def __init__(self, meanwhile: Callable[[], object], blocked: Collection[str] = ()) -> None:
        self._held: set[str] = set()
        self._meanwhile = meanwhile
        self._blocked = set(blocked)

    def grant(self, worker: str) -> None:
        meanwhile, self._meanwhile = self._meanwhile, lambda: None
        meanwhile()
        self._held.add(worker)

    def withdraw(self, worker: str) -> None:
        self._held.discard(worker)

    def holds(self, worker: str) -> bool:
        return worker in self._held

    def holders(self) -> set[str]:
        return self._held

    def blocked(self) -> set[str]:
        return self._blocked

    def requests(self) -> list[GateRequest]:
        return []

    def reject(self, request: GateRequest) -> None:
        raise AssertionError(f"nobody asked for {request}")

    def tell(self, worker: str, subject: str, text: str) -> bool:
        raise AssertionError(f"nobody tells {worker}: {subject} {text}")


def test_a_grant_that_is_overtaken_by_a_revocation_does_not_stand(pilot: Store) -> None:
    gate = SlowGate(lambda: Workforce(BoundCampaign.open(pilot, "pilot"), gate).revoke("A1", "bob", "gibberish"))
    workforce = Workforce(BoundCampaign.open(pilot, "pilot"), gate)
    workforce.qualify("A1", "ann")
    assert workforce.standing("A1") is Standing.REVOKED
    assert not gate.holds("A1")
    assert workforce.reconcile() == []


def test_a_revocation_while_the_crowd_is_compared_is_not_taken_for_a_block(pilot: Store) -> None:
    """Which would let the discarded work count again."""
    Workforce(BoundCampaign.open(pilot, "pilot")).qualify("A1", "ann")
    gate = SlowGate(
        lambda: Workforce(BoundCampaign.open(pilot, "pilot")).revoke("A2", "bob", "gibberish"), blocked={"A2"}
    )
    workforce = Workforce(BoundCampaign.open(pilot, "pilot"), gate)
    assert [each.worker for each in workforce.reconcile()] == ["A1", "A2"]
    assert workforce.standing("A2") is Standing.REVOKED
    assert pilot.standings.discarded("pilot") == {"A2"}
    assert workforce.reconcile() == []


def test_a_crowd_whose_lists_cannot_be_read_is_reported(pilot: Store, lossy: LossyRequester) -> None:
    workforce = Workforce(BoundCampaign.open(pilot, "pilot"), MTurkGate(lossy, campaign("pilot")))
    lossy.lose = "list_worker_blocks", True
    with pytest.raises(Unanswered):
        workforce.reconcile()


def test_errors_of_the_crowd_other_than_not_held_are_raised(gate: MTurkGate) -> None:
    with pytest.raises(Declined):
        gate.withdraw("not an id!")
