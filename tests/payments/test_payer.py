"""Paying over a real connection, with a crowd that fails in every way."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from beat_the_ai.errors import Declined
from beat_the_ai.payments import Cap, Ledger, Owed, Payer, State, plan
from beat_the_ai.payments.ledger import CLAIM_LASTS
from beat_the_ai.payments.payer import PATIENCE
from beat_the_ai.requester import BookedBonus, Requester
from beat_the_ai.store import Store
from tests.payments.builders import owed
from tests.payments.cash_desk import TOKEN_LIFE, CashDesk
from tests.store.builders import at_once, campaign

BONUS, REWARD = owed(), owed("reward", cents=200)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def desk() -> CashDesk:
    return CashDesk(statuses={f"3X{number}": "Submitted" for number in ("", *range(9))})


@pytest.fixture
def ledger(store: Store, desk: CashDesk) -> Ledger:
    store.campaigns.create(campaign())
    return Ledger(store.database, "pilot", desk.clock)


@pytest.fixture
def payer(ledger: Ledger, crowd: Requester) -> Payer:
    return Payer(ledger, crowd, Cap(10**9))


def states(ledger: Ledger) -> list[str]:
    return [payment.state.value for payment in ledger.payments()]


def several(count: int) -> list[Owed]:
    return [owed(assignment=f"3X{number}") for number in range(count)]


def test_what_is_owed_is_paid_once_however_often_it_is_paid(payer: Payer, ledger: Ledger, desk: CashDesk) -> None:
    for _ in range(3):
        assert payer.pay([REWARD, BONUS]) is None
    assert desk.booked == [BookedBonus("A1", "3X", 30, BONUS.reason)]
    assert desk.statuses["3X"] == "Approved"
    assert states(ledger) == ["confirmed"] * 2


def test_a_payment_is_written_down_as_sent_before_it_leaves(payer: Payer, ledger: Ledger, desk: CashDesk) -> None:
    seen: list[str] = []
    desk.on_booked = lambda: seen.extend(states(ledger))
    payer.pay([BONUS])
    assert seen == ["sent"]


@pytest.mark.parametrize("fault", ["reply lost", "request lost", "fault", "fault after all", "gateway"])
@pytest.mark.parametrize("amount", [BONUS, REWARD], ids=["bonus", "reward"])
def test_a_payment_without_an_answer_is_looked_for_before_it_is_sent_again(
    payer: Payer, ledger: Ledger, desk: CashDesk, fault: str, amount: Owed
) -> None:
    desk.faults.append(fault)
    payer.pay([amount])
    payer.pay([amount])
    assert states(ledger) == ["confirmed"]
    assert len(desk.booked) == (amount is BONUS)
    if amount is BONUS:
        changes_and_lists = [name for name in desk.requests if name != "GetAccountBalance"]
        resent = "SendBonus" in changes_and_lists[2:]
        assert changes_and_lists[:3] == ["ListBonusPayments", "SendBonus", "ListBonusPayments"]
        assert resent == (fault in ("request lost", "fault"))


def test_a_request_that_arrives_after_it_was_sent_again_is_stopped_by_its_token(
    payer: Payer, ledger: Ledger, desk: CashDesk
) -> None:
    desk.faults.append("kept back")
    payer.pay([BONUS])
    payer.pay([BONUS])
    desk.deliver()
    assert len(desk.booked) == 1
    assert states(ledger) == ["confirmed"]


def test_a_spent_token_is_no_failure_the_list_decides(payer: Payer, ledger: Ledger, desk: CashDesk) -> None:
    desk.list_lag = 10 * MINUTE
    desk.faults.append("reply lost")
    for _ in range(3):  # the list does not show it yet; the token stops the second
        payer.pay([BONUS])
    assert states(ledger) == ["unknown"]
    desk.clock.pass_by(10 * MINUTE)
    payer.pay([BONUS])
    assert states(ledger) == ["confirmed"]
    assert len(desk.booked) == 1


def test_a_token_is_not_trusted_once_it_has_expired(payer: Payer, ledger: Ledger, desk: CashDesk) -> None:
    ledger.intend([BONUS], Cap(10**9).choose)
    assert ledger.claim(ledger.payments()[0], 10**9)  # its payer dies when the crowd has booked it
    desk.answer("SendBonus", _request(BONUS))
    desk.clock.pass_by(TOKEN_LIFE + MINUTE)
    payer.pay([BONUS])
    assert len(desk.booked) == 1
    assert states(ledger) == ["confirmed"]


def _request(amount: Owed) -> dict[str, str]:
    return {
        "WorkerId": amount.key.worker,
        "AssignmentId": amount.key.assignment,
        "BonusAmount": "0.30",
        "Reason": amount.reason,
        "UniqueRequestToken": amount.key.token,
    }


def test_a_payment_whose_token_was_spent_and_that_no_list_ever_shows_is_left_to_a_person(
    payer: Payer, ledger: Ledger, desk: CashDesk, caplog: pytest.LogCaptureFixture
) -> None:
    desk.list_lag = timedelta(days=1000)
    desk.faults.append("reply lost")
    for _ in range(3):
        payer.pay([BONUS])
        desk.clock.pass_by(timedelta(hours=12))
    payer.pay([BONUS])
    assert len(desk.booked) == 1
    assert states(ledger) == ["unknown"]
    assert "its token was used, and the crowd's list does not show it" in caplog.text


def test_a_ledger_that_was_lost_finds_its_payments_in_the_crowds_list(
    payer: Payer, crowd: Requester, desk: CashDesk, store: Store, ledger: Ledger
) -> None:
    desk.answer("SendBonus", _request(BONUS))  # by a ledger that is no more
    desk.clock.pass_by(2 * TOKEN_LIFE)
    payer.pay([BONUS])
    assert len(desk.booked) == 1
    assert states(ledger) == ["confirmed"]


def test_bonuses_of_one_assignment_are_told_apart(payer: Payer, ledger: Ledger, desk: CashDesk) -> None:
    amounts = [owed(f"verified:{number}", cents=10 + number) for number in (1, 2, 11)]
    desk.answer("SendBonus", _request(BONUS))
    payer.pay(amounts)
    assert [bonus.cents for bonus in desk.booked] == [30, 11, 12, 21]
    assert [payment.cents for payment in ledger.payments(State.CONFIRMED)] == [11, 12, 21]


def test_a_payment_that_another_payer_may_be_sending_is_left_alone(
    payer: Payer, ledger: Ledger, desk: CashDesk
) -> None:
    ledger.intend([BONUS], Cap(10**9).choose)
    ledger.claim(ledger.payments()[0], 10**9)
    payer.pay([BONUS])
    assert (desk.booked, states(ledger)) == ([], ["sent"])
    desk.clock.pass_by(CLAIM_LASTS)
    payer.pay([BONUS])
    assert (len(desk.booked), states(ledger)) == (1, ["confirmed"])


def test_a_payer_that_slept_too_long_between_looking_and_sending_does_not_send(
    ledger: Ledger, desk: CashDesk, crowd: Requester, payer: Payer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look_and_sleep(assignment: str) -> list[BookedBonus]:
        listed = looks(assignment)
        monkeypatch.undo()
        desk.clock.pass_by(CLAIM_LASTS)
        payer.pay([BONUS])  # another one, meanwhile
        desk.clock.pass_by(TOKEN_LIFE)
        return listed

    looks = crowd.bonuses_paid
    monkeypatch.setattr(crowd, "bonuses_paid", look_and_sleep)
    payer.pay([BONUS])
    assert len(desk.booked) == 1
    assert states(ledger) == ["confirmed"]


def test_of_many_payers_at_once_each_payment_is_sent_by_one(crowd: Requester, ledger: Ledger, desk: CashDesk) -> None:
    amounts = several(5)
    at_once(4, lambda _number: Payer(ledger, crowd, Cap(10**9)).pay(amounts))
    assert desk.requests.count("SendBonus") == len(desk.booked) == 5
    assert states(ledger) == ["confirmed"] * 5


def test_an_empty_account_ends_the_run_and_a_full_one_lets_it_go_on(
    payer: Payer, ledger: Ledger, desk: CashDesk
) -> None:
    desk.balance_cents = 100
    stopped = payer.pay(several(4))
    assert stopped
    assert "insufficient funds" in stopped
    assert states(ledger) == ["confirmed", "confirmed", "intent", "intent"]
    assert "insufficient funds" in (ledger.payments(State.INTENT)[0].error or "")
    desk.balance_cents = 1000
    assert payer.pay(several(4)) is None
    assert states(ledger) == ["confirmed"] * 4


def test_a_refused_payment_does_not_keep_the_others(
    payer: Payer, ledger: Ledger, desk: CashDesk, caplog: pytest.LogCaptureFixture
) -> None:
    missing = owed(assignment="3NONE")
    assert payer.pay([missing, BONUS]) is None
    assert [(payment.state.value, payment.error) for payment in ledger.payments()] == [
        ("intent", "AssignmentDoesNotExist: Assignment 3NONE does not exist."),
        ("confirmed", None),
    ]
    assert "pilot/wins/A1/3NONE was not paid" in caplog.text


def test_a_crowd_that_does_not_answer_is_asked_a_few_times_only(payer: Payer, ledger: Ledger, desk: CashDesk) -> None:
    desk.faults.extend(["request lost"] * 9)
    stopped = payer.pay(several(9))
    assert stopped
    assert "No answer" in stopped
    assert desk.requests.count("SendBonus") == PATIENCE
    assert states(ledger) == ["unknown"] * PATIENCE + ["intent"] * (9 - PATIENCE)


def test_nothing_is_written_down_when_the_crowd_does_not_know_us(ledger: Ledger, desk: CashDesk) -> None:
    class Stranger(Requester):
        def balance_cents(self) -> int:
            raise Declined("The request was not sent: no credentials")

    with desk.open() as address:
        stranger = Stranger.connect(address, aws_access_key_id="key", aws_secret_access_key="secret")
        with pytest.raises(Declined, match="no credentials"):
            Payer(ledger, stranger, Cap(10**9)).pay([BONUS])
        stranger.close()
    assert states(ledger) == []


def test_the_cap_is_not_passed_and_what_lies_beyond_it_is_said_before(
    crowd: Requester, ledger: Ledger, desk: CashDesk
) -> None:
    amounts, cap = several(4), Cap(2 * 36 + 35)
    assert _purposes(plan(amounts, ledger, cap).beyond_cap) == ["3X2", "3X3"]
    for _ in range(2):
        Payer(ledger, crowd, cap).pay(amounts)
    assert len(desk.booked) == 2
    Payer(ledger, crowd, Cap(10**9)).pay(amounts)
    assert len(desk.booked) == 4


def test_a_cap_that_was_lowered_stops_what_was_written_down_before(
    crowd: Requester, ledger: Ledger, desk: CashDesk
) -> None:
    ledger.intend(several(4), Cap(10**9).choose)
    Payer(ledger, crowd, Cap(100)).pay([])
    assert len(desk.booked) == 2


def _purposes(amounts: Sequence[Owed]) -> list[str]:
    return [one.key.assignment for one in amounts]


def test_a_plan_shows_everything_and_changes_nothing(payer: Payer, ledger: Ledger, desk: CashDesk) -> None:
    ledger.intend(several(3), Cap(10**9).choose)
    first, second, _ = ledger.payments()
    ledger.confirm(first)
    ledger.claim(second, 10**9)
    before = ledger.payments()
    shown = plan(several(5), ledger, Cap(4 * 36))
    assert _purposes(shown.new) == ["3X3"]
    assert [payment.key.assignment for payment in shown.waiting] == ["3X2"]
    assert [payment.key.assignment for payment in shown.unsettled] == ["3X1"]
    assert _purposes(shown.beyond_cap) == ["3X4"]
    assert shown.cost_cents == 3 * 36
    assert (ledger.payments(), desk.requests) == (before, [])
