"""MTurk's protocol over an unmodified boto3: what each answer, or none, says about the money."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.errors import Declined, OutOfFunds, PaymentError, TokenSpent, Unanswered
from beat_the_ai.requester import BookedBonus, Requester
from beat_the_ai.requester.client import PAUSES_SECONDS
from beat_the_ai.rules.amounts import cents_of, dollars
from tests.payments.cash_desk import CashDesk


def send(crowd: Requester, token: str = "t1", cents: int = 15, assignment: str = "3X") -> None:
    crowd.send_bonus("A1", assignment, cents, "Thank you! [pilot/wins/A1/3X] 𝄞", token)


@pytest.fixture
def desk() -> CashDesk:
    return CashDesk(statuses={"3X": "Submitted", "3Y": "Submitted"}, balance_cents=1000)


def test_a_bonus_is_booked_in_dollars_with_its_reason(crowd: Requester, desk: CashDesk) -> None:
    send(crowd, cents=105)
    assert desk.booked == [BookedBonus("A1", "3X", 105, "Thank you! [pilot/wins/A1/3X] 𝄞")]
    assert crowd.balance_cents() == 1000 - 105 - 21


def test_all_pages_of_a_list_are_read_though_the_last_is_empty(crowd: Requester, desk: CashDesk) -> None:
    for number in range(5):
        send(crowd, token=f"t{number}", cents=number + 1)
    send(crowd, token="other", assignment="3Y")
    assert [bonus.cents for bonus in crowd.bonuses_paid("3X")] == [1, 2, 3, 4, 5]
    assert desk.requests.count("ListBonusPayments") == 4


def test_a_spent_token_is_told_apart_from_a_refusal(crowd: Requester, desk: CashDesk) -> None:
    send(crowd)
    with pytest.raises(TokenSpent, match="already been processed"):
        send(crowd)
    assert len(desk.booked) == 1


def test_missing_funds_and_unknown_assignments_are_refusals(crowd: Requester, desk: CashDesk) -> None:
    with pytest.raises(OutOfFunds, match="insufficient funds"):
        send(crowd, cents=900)
    with pytest.raises(Declined, match="3Z does not exist"):
        send(crowd, assignment="3Z")
    assert desk.booked == []


@pytest.mark.parametrize(
    ("fault", "error", "bookings"),
    [
        ("reply lost", Unanswered, 1),
        ("request lost", Unanswered, 0),
        ("fault", Unanswered, 0),
        ("fault after all", Unanswered, 1),
        ("gateway", Unanswered, 1),
    ],
)
def test_a_bonus_without_an_answer_is_in_doubt_and_leaves_this_machine_once(
    crowd: Requester, desk: CashDesk, fault: str, error: type[PaymentError], bookings: int
) -> None:
    desk.faults.append(fault)
    with pytest.raises(error):
        send(crowd)
    assert desk.requests == ["SendBonus"]
    assert len(desk.booked) == bookings


def test_a_throttled_call_is_repeated_and_given_up_as_a_refusal(crowd: Requester, desk: CashDesk) -> None:
    desk.faults.extend(["throttled"] * len(PAUSES_SECONDS))
    desk.list_faults.append("throttled")
    send(crowd)
    assert len(crowd.bonuses_paid("3X")) == 1
    desk.faults.extend(["throttled"] * (len(PAUSES_SECONDS) + 1))
    with pytest.raises(Declined, match="Rate exceeded"):
        send(crowd, token="t2")
    assert len(desk.booked) == 1


def test_an_approval_may_be_repeated_but_not_of_a_rejected_assignment(crowd: Requester, desk: CashDesk) -> None:
    for _ in range(2):
        crowd.approve("3X")
    assert desk.statuses["3X"] == "Approved"
    desk.statuses["3Y"] = "Rejected"
    with pytest.raises(Declined, match="Rejected"):
        crowd.approve("3Y")


WHOLE = b'{"BonusPayments": [], "NumResults": 0}'
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/x-amz-json-1.1\r\ncontent-length: %d\r\n\r\n" % len(WHOLE)


@contextmanager
def answering(answer: bytes) -> Iterator[Requester]:
    """By something that says just this, and hangs up."""

    class Handler(BaseRequestHandler):
        def handle(self) -> None:
            self.request.recv(65536)
            self.request.sendall(answer)

    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}"
        with closing(Requester.connect(address, aws_access_key_id="a", aws_secret_access_key="b")) as crowd:
            yield crowd
        server.shutdown()


@pytest.mark.parametrize("cut", [len(HEAD) // 2, len(HEAD), len(HEAD) + 1, len(HEAD + WHOLE) - 1])
def test_an_answer_that_was_cut_short_is_no_answer_and_not_one_without_bonuses(cut: int) -> None:
    with answering((HEAD + WHOLE)[:cut]) as crowd, pytest.raises(Unanswered):
        crowd.bonuses_paid("3X")
    with answering(HEAD + WHOLE) as crowd:
        assert crowd.bonuses_paid("3X") == []


def test_a_desk_that_is_closed_is_no_answer() -> None:
    desk = CashDesk()
    with desk.open() as address:
        pass
    client = Requester.connect(address, aws_access_key_id="key", aws_secret_access_key="secret")
    with pytest.raises(Unanswered, match="No answer from the crowd"):
        client.balance_cents()
    client.close()


def test_a_request_that_cannot_be_signed_was_certainly_not_sent(
    desk: CashDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    with desk.open() as address:
        client = Requester.connect(address)
        with pytest.raises(Declined, match="not sent"):
            client.balance_cents()
        client.close()
    assert desk.requests == []


@given(st.integers(0, 10**9))
def test_amounts_survive_the_way_through_dollars(cents: int) -> None:
    assert cents_of(dollars(cents)) == cents


@pytest.mark.parametrize(("amount", "cents"), [("5", 500), ("0.1", 10), ("101.42", 10142), ("7.", 700)])
def test_amounts_are_read_as_the_service_model_writes_them(amount: str, cents: int) -> None:
    assert cents_of(amount) == cents


@pytest.mark.parametrize("amount", ["", "-1", "1e3", "NaN", "1.234", "٣", "1.x", ".5"])
def test_anything_else_is_no_amount(amount: str) -> None:
    with pytest.raises(Unanswered, match="for an amount"):
        cents_of(amount)
