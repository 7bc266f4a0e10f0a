"""What waits for a person before it is paid: seen in `status` and `pay`, listed, released, withheld."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

from beat_the_ai.cli import main
from beat_the_ai.marketplace.people import store as people
from beat_the_ai.marketplace.requesters import AccessKey
from beat_the_ai.payments import Cap, Ledger, owed_by
from beat_the_ai.review import new_account
from beat_the_ai.store import ANOTHER_HITS, ANOTHER_WORKERS, PayDecision, Store, now, open_store
from tests.cli.test_payments import PAY, ROUND
from tests.marketplace.rehearsal import HIT, Rehearsal, store_in
from tests.payments.builders import attempts, tariffs
from tests.payments.paid import Paid
from tests.store.builders import campaign, context

if TYPE_CHECKING:
    from types_boto3_mturk import MTurkClient

HITS = 6
REASON = (
    "Nothing was written in this HIT: all five questions are empty, and the page was open for twenty seconds. If it "
    "was a fault of ours, please write to us."
)
PROLIFIC = {"workspace": "1", "minutes": 5}


@pytest.fixture(scope="module")
def rehearsal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rehearsal]:
    with Rehearsal.started(store_in(tmp_path_factory.mktemp("market"))) as running:
        yield running


@dataclass
class Held:
    """A campaign on the marketplace, whose HITs are done in whatever way a test says."""

    folder: Path
    store: Store
    rehearsal: Rehearsal
    crowd: MTurkClient
    hits: list[str]

    def done(self, letters: str, *, at_crowd: bool = True, handed_in: bool = True, confirmed: bool = True) -> str:
        """A HIT with these attempts (see `tests.payments.builders`); the assignment's id in the store."""
        worker = self.rehearsal.new_worker()
        hit_id = self.crowd.create_hit(**HIT)["HIT"]["HITId"]
        with self.rehearsal.workplace() as workplace:
            theirs = workplace.accept(worker, hit_id)
            if at_crowd:
                workplace.submit(worker, theirs.id, [("done", "yes")])
        long_ago = now() - timedelta(hours=2)
        made = self.store.attempts.accept(self.hits.pop(0), worker, f"{theirs.id}-{worker}", long_ago)[0]
        for one in attempts(letters, made.id):
            self.store.attempts.add(one)
        if handed_in:
            self.store.assignments.submit(made.id, None, long_ago + timedelta(minutes=5), awaits_crowd=not confirmed)
        return made.id

    def at_crowd(self, assignment: str) -> str:
        return str(self._crowds(assignment)["AssignmentStatus"])

    def feedback(self, assignment: str) -> str:
        return str(self._crowds(assignment)["RequesterFeedback"])

    def _crowds(self, assignment: str) -> Any:
        row = self.store.assignments.get(assignment)
        return self.crowd.get_assignment(AssignmentId=row.registration.removesuffix(f"-{row.worker}"))["Assignment"]

    def run(self, *arguments: str, status: int = 0) -> Result:
        result = CliRunner().invoke(main, list(arguments))
        assert result.exit_code == status, result.output
        return result

    def told(self, *arguments: str) -> Any:
        return json.loads(self.run(*arguments, "--json").stdout)

    def release(self, assignment: str, *more: str, status: int = 0) -> Result:
        return self.run("review", "release", str(self.folder), assignment, "--reason", "looked", *more, status=status)

    def paid_workers(self) -> list[str]:
        return [owed.key.worker for owed in owed_by(Paid(self.store, "pilot", tariffs()))]


@pytest.fixture
def held(tmp_path: Path, rehearsal: Rehearsal, monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    key = rehearsal.new_requester(dollars=1000)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", key.id)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", key.secret)
    crowd = {"provider": "mturk", "requester": "lab", "endpoint_url": rehearsal.address}
    with held_in(tmp_path, rehearsal, key, crowd) as opened:
        yield opened


@contextmanager
def held_in(folder: Path, rehearsal: Rehearsal, key: AccessKey, crowd: dict[str, Any]) -> Iterator[Held]:
    store = open_store(str(folder / "campaign.db"))
    store.campaigns.create(campaign(config={"crowd": crowd}), {"round": ROUND, "pay": PAY})
    hits = list(store.campaigns.offer("pilot", [context()], round_number=1, slots=HITS))
    yield Held(folder, store, rehearsal, rehearsal.client(key), hits)
    store.close()


@pytest.fixture
def held_at_prolific(tmp_path: Path) -> Iterator[Held]:
    """The people of a crowd that rejects with a reason and a category only."""
    people_store = store_in(tmp_path)
    with people.people_at(people_store, create=True) as market:
        key = people.requester_key(market)
    with Rehearsal.started(people_store) as running:
        at = {"provider": "prolific", "requester": "lab", "people": people_store, "endpoint_url": running.address}
        with held_in(tmp_path, running, key, {**at, "prolific": PROLIFIC}) as opened:
            yield opened


def test_what_waits_is_counted_and_priced_in_status_and_pay_with_the_command_that_settles_it(held: Held) -> None:
    held.done("WL")
    held.done("")
    held.done("WW", handed_in=False)
    aside = held.done("W", confirmed=False)
    held.store.assignments.set_aside(aside, ANOTHER_WORKERS, now())
    waiting = {
        "empty": {"assignments": 1, "cents": 240},
        "set_aside": {"assignments": 1, "cents": 240 + 30},
        "not_handed_in": {"assignments": 1, "cents": 240 + 60 + 6},
    }
    [status] = held.told("status", str(held.folder))
    [pay] = held.told("pay", str(held.folder))
    assert status["waiting"] == pay["waiting"] == waiting
    for command in ("status", "pay"):
        shown = " ".join(held.run(command, str(held.folder)).stdout.split())
        for words in ("empty, waiting for a person", "never handed in", "beat-the-ai review held CAMPAIGN"):
            assert words in shown
    listed = held.told("review", "held", str(held.folder))
    assert {row["kind"]: row["cents"] for row in listed} == {kind: each["cents"] for kind, each in waiting.items()}


@pytest.mark.parametrize("tried", ["WL", ""])
def test_pay_does_not_say_that_everything_is_paid_while_something_waits(held: Held, tried: str) -> None:
    held.done("WL")
    held.done(tried, confirmed=not tried)
    paid = held.run("pay", str(held.folder), "--confirm")
    assert "Everything is paid" not in paid.stderr
    assert "HITs that wait: 1." in paid.stderr
    assert "launch --resume" in paid.stderr
    assert ("launch --resume" in " ".join(paid.stdout.split())) is bool(tried)


def test_where_nothing_waits_nothing_is_said_of_it(held: Held) -> None:
    held.done("WL")
    assert "Nothing waits" in held.run("review", "held", str(held.folder)).stdout
    assert "review held" not in held.run("status", str(held.folder)).stdout
    assert "review held" not in held.run("pay", str(held.folder)).stdout


def test_what_somebody_may_still_be_working_on_waits_for_nobody(held: Held) -> None:
    held.store.attempts.accept(held.hits[0], "A1", "3X-A1", now())
    assert held.told("review", "held", str(held.folder)) == []


def test_what_is_released_is_paid_by_the_next_pay(held: Held) -> None:
    empty = held.done("")
    assert held.paid_workers() == []
    assert "the next `beat-the-ai pay" in held.release(empty).stdout
    held.run("pay", str(held.folder), "--confirm")
    assert held.at_crowd(empty) == "Approved"
    [status] = held.told("status", str(held.folder))
    assert (status["waiting"], status["money"]["confirmed_cents"]) == ({}, 240)
    [entry] = held.store.audit.entries()
    assert (entry.action, entry.subject, entry.note) == ("release", empty, "looked")
    decision = held.store.pay_decisions.last()[empty]
    assert (decision.pays, decision.by, decision.reason) == (True, entry.who, "looked")


def test_only_leads_decide_what_is_paid_and_prove_their_names(held: Held) -> None:
    empty, secret = held.done(""), "correct horse battery"
    new_account(held.store, "ann", secret)
    command = ["review", "release", str(held.folder), empty, "--reason", "looked", "--reviewer", "ann"]
    assert "not the password of ann" in CliRunner().invoke(main, command, input="guess\n").stderr
    assert "their pay takes the role requester or lead" in CliRunner().invoke(main, command, input=f"{secret}\n").stderr
    assert held.store.pay_decisions.last() == {}
    assert [entry.action for entry in held.store.audit.entries()][:2] == ["release_failed", "release"]


def test_what_is_withheld_is_rejected_at_the_crowd_so_that_nothing_pays_it(held: Held) -> None:
    empty = held.done("")
    assert "The crowd has rejected it." in held.release(empty, "--withhold").stdout
    assert held.at_crowd(empty) == "Rejected"
    held.rehearsal.control("clock", {"advance_seconds": HIT["AutoApprovalDelayInSeconds"] + 60})
    assert held.at_crowd(empty) == "Rejected"
    held.run("pay", str(held.folder), "--confirm")
    assert (held.paid_workers(), held.at_crowd(empty)) == ([], "Rejected")
    assert [entry.action for entry in held.store.audit.entries()] == ["withhold"]


def test_a_second_decision_undoes_the_first(held: Held) -> None:
    empty = held.done("")
    held.release(empty, "--withhold")
    assert "The crowd has approved it." in held.release(empty).stdout
    assert held.at_crowd(empty) == "Approved"
    held.run("pay", str(held.folder), "--confirm")
    [row] = held.told("review", "held", str(held.folder))
    assert row["decision"]["pays"] is True


def test_a_rejection_is_not_taken_back_beyond_the_cap(held: Held) -> None:
    empty = held.done("")
    held.release(empty, "--withhold")
    ledger = Ledger(held.store.database, "pilot")
    for _ in range(3):
        held.done("W")
    dear = owed_by(Paid(held.store, "pilot", tariffs(40_000)))
    ledger.intend(dear, Cap(10**9).choose)
    result = held.release(empty, status=1)
    assert "leaves no room" in result.stderr
    assert held.at_crowd(empty) == "Rejected"


def test_what_is_paid_already_cannot_be_withheld(held: Held) -> None:
    empty = held.done("")
    held.release(empty)
    held.run("pay", str(held.folder), "--confirm")
    assert "in the ledger already" in held.release(empty, "--withhold", status=1).stderr
    assert held.at_crowd(empty) == "Approved"


@pytest.mark.parametrize("reason", [ANOTHER_WORKERS, ANOTHER_HITS])
def test_what_is_somebodys_other_work_is_neither_paid_nor_rejected(held: Held, reason: str) -> None:
    """Whoever forged the hand-in named an assignment of the crowd that is real, and another's."""
    aside = held.done("W", confirmed=False)
    held.store.assignments.set_aside(aside, reason, now())
    assert reason in held.release(aside, status=1).stderr
    held.release(aside, "--withhold")
    assert held.at_crowd(aside) == "Submitted"


def test_what_was_withheld_before_it_counted_can_still_be_paid(held: Held) -> None:
    late = held.done("WL", confirmed=False)
    worker = held.store.assignments.get(late).worker
    held.release(late, "--withhold")
    held.store.assignments.confirm(late, now())
    [row] = held.told("review", "held", str(held.folder))
    assert (row["assignment"], row["kind"], row["decision"]["pays"]) == (late, "withheld", False)
    assert worker not in held.paid_workers()
    held.release(late)
    assert worker in held.paid_workers()
    assert held.told("review", "held", str(held.folder)) == []


def test_what_was_released_is_not_paid_once_it_turns_out_to_be_another_workers(held: Held) -> None:
    forged = held.done("W", confirmed=False)
    worker = held.store.assignments.get(forged).worker
    held.release(forged)
    assert worker in held.paid_workers()
    held.store.assignments.set_aside(forged, ANOTHER_WORKERS, now())
    assert worker not in held.paid_workers()
    [row] = held.told("review", "held", str(held.folder))
    assert (row["kind"], row["decision"]) == ("set_aside", None)


def test_a_page_under_the_name_of_a_workers_real_assignment_does_not_get_that_rejected(held: Held) -> None:
    real = held.store.assignments.get(held.done("W"))
    long_ago = now() - timedelta(hours=2)
    forged = held.store.attempts.accept(held.hits.pop(0), real.worker, real.registration, long_ago)[0]
    held.release(forged.id, "--withhold")
    assert held.at_crowd(real.id) == "Submitted"
    assert real.worker in held.paid_workers()


def test_an_assignment_that_does_not_wait_is_a_typing_error(held: Held) -> None:
    counting = held.done("W")
    assert "Unknown ASSIGNMENT" in held.release(counting, status=2).stderr
    assert held.store.audit.entries() == []


def test_what_was_withheld_by_a_process_that_died_before_the_crowd_heard_of_it_is_rejected_by_reconcile(
    held: Held,
) -> None:
    empty, other = held.done(""), held.done("")
    held.store.pay_decisions.add(PayDecision(empty, False, "nora", "nothing there", now()))
    [row] = held.told("review", "reconcile", str(held.folder), "--dry-run")
    assert (row["kind"], row["mended"], held.at_crowd(empty)) == ("withheld", False, "Submitted")
    [row] = held.told("review", "reconcile", str(held.folder))
    assert (row["kind"], row["mended"], row["note"]) == ("withheld", True, f"assignment {empty}")
    assert (held.at_crowd(empty), held.at_crowd(other)) == ("Rejected", "Submitted")
    assert held.told("review", "reconcile", str(held.folder)) == []


def withhold(held: Held, assignment: str, reason: str, *more: str, status: int = 0) -> Result:
    at = ("--endpoint", held.rehearsal.address)
    command = ("review", "release", str(held.folder), assignment, "--withhold", "--reason", reason, *at)
    return held.run(*command, *more, status=status)


@pytest.mark.parametrize(
    ("reason", "category", "told"),
    [
        ("Nothing there.", "NO_DATA", "has 14 characters, and this crowd takes at least 100"),
        (REASON * 6, "NO_DATA", "at most 900 are allowed"),
        (REASON, None, "Name one: TOO_QUICKLY (done too quickly), "),
        (REASON, "NO_DAT", "Did you mean 'NO_DATA'?"),
    ],
)
def test_a_crowd_that_asks_for_reason_and_category_rejects_with_nothing_less(
    held_at_prolific: Held, reason: str, category: str | None, told: str
) -> None:
    held = held_at_prolific
    empty = held.done("")
    chosen = () if category is None else ("--category", category)
    assert told in withhold(held, empty, reason, *chosen, status=2).stderr
    assert (held.at_crowd(empty), held.store.pay_decisions.last()) == ("Submitted", {})
    assert [entry.action for entry in held.store.audit.entries()][:1] in ([], ["withhold_failed"])


def test_reason_and_category_are_kept_and_reach_the_crowd(held_at_prolific: Held) -> None:
    held = held_at_prolific
    empty = held.done("")
    assert "The crowd has rejected it." in withhold(held, empty, REASON, "--category", "NO_DATA").stdout
    assert held.feedback(empty) == f"Category: NO_DATA\n{REASON}"
    decision = held.store.pay_decisions.last()[empty]
    assert (decision.reason, decision.category) == (REASON, "NO_DATA")
    [entry] = held.store.audit.entries()
    assert (entry.action, entry.note) == ("withhold", f"NO_DATA: {REASON}")
    [row] = held.told("review", "held", str(held.folder))
    assert row["decision"]["category"] == "NO_DATA"


def test_other_crowds_take_any_reason_and_show_the_worker_none(held: Held) -> None:
    empty = held.done("")
    held.release(empty, "--withhold", "--category", "NO_DATA")
    assert held.store.pay_decisions.last()[empty].category is None
    assert held.feedback(empty).startswith("Too little was done in this task")


def test_reconcile_rejects_with_the_reason_that_was_kept(held_at_prolific: Held) -> None:
    held = held_at_prolific
    empty = held.done("")
    held.store.pay_decisions.add(PayDecision(empty, False, "nora", REASON, now(), "NO_DATA"))
    held.run("review", "reconcile", str(held.folder), "--endpoint", held.rehearsal.address)
    assert held.feedback(empty) == f"Category: NO_DATA\n{REASON}"
