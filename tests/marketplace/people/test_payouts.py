"""Payments outside of the marketplace: what is owed, and that no payment is noted twice."""

from __future__ import annotations

import csv

import pytest

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.people import payouts, person
from beat_the_ai.marketplace.people.person import NewPerson, Person
from beat_the_ai.marketplace.workplace import Workplace
from tests.marketplace.desk import Desk, check_ledger


@pytest.fixture
def earners(market: Market) -> list[Person]:
    """Ada has earned $4.00, Bo $2.00, and Cy nothing."""
    with market.writing() as moment:
        people = person.add_people(moment, [NewPerson("Ada", "ada@x.org"), NewPerson("Bo"), NewPerson("Cy")], "active")
    desk, workplace = Desk.opened(market), Workplace(market)
    for one in (people[0], people[0], people[1]):
        accepted = workplace.accept(one.worker_id, desk.new_hit())
        workplace.submit(one.worker_id, accepted.id, [])
        desk.ask("ApproveAssignment", AssignmentId=accepted.id)
    return people


def owed(market: Market) -> dict[str, tuple[int, int, int]]:
    with market.reading() as moment:
        return {one.person.shown_name: (one.earned_cents, one.paid_cents, one.cents) for one in payouts.owed(moment)}


def note(market: Market, text: str, reference: str = "November") -> list[str]:
    with market.writing() as moment:
        return payouts.note(moment, reference, payouts.read_amounts(moment, text.encode(), "paid.csv"))


def test_the_list_that_is_written_can_be_noted_and_counts_once(market: Market, earners: list[Person]) -> None:
    assert owed(market) == {"Ada": (400, 0, 400), "Bo": (200, 0, 200), "Cy": (0, 0, 0)}
    with market.reading() as moment:
        text = payouts.as_csv(payouts.owed(moment))
    ada, bo, _ = earners
    assert sorted(note(market, text)) == sorted([ada.worker_id, bo.worker_id])
    for again in (text, "\ufeff" + text, f"{text}\n,,,,,\n"):
        assert note(market, again) == []
    assert owed(market) == {"Ada": (400, 400, 0), "Bo": (200, 200, 0), "Cy": (0, 0, 0)}
    with market.reading() as moment:
        assert payouts.paid_cents(moment, ada.worker_id) == 400
    check_ledger(market)


def test_amounts_may_be_paid_in_parts_by_address_or_id(market: Market, earners: list[Person]) -> None:
    assert note(market, "worker,amount\nADA@x.org,$1.50\n") == [earners[0].worker_id]
    assert note(market, f"worker,amount\n{earners[0].worker_id},2.50\n", "December") == [earners[0].worker_id]
    assert owed(market)["Ada"] == (400, 400, 0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "needs a header"),
        ("worker,amount\n", "needs a header"),
        ("who,amount\nAda,1\n", "needs a header"),
        ("worker,amount\nAda,4.01\n", r"Ada is owed \$4\.00, and \$4\.01 was paid"),
        ("worker,amount\nCy,0.01\n", r"Cy is owed \$0\.00"),
        ("worker,amount\nAda,1e3\nBo,-1\nEve,1\n", "line 2.*line 3.*line 4: Nobody here is called 'Eve'"),
        ("worker,amount\nAda,1\nada@x.org,1\n", "Ada is on the list twice"),
        ("worker,amount\nAda\n", "line 2"),
        ("worker,amount\n" + "Eve,1\n" * 22, "line 21: .* and 2 more"),
        (f"worker,amount\nAda,{'1' * 140_000}\n", "paid.csv, line 2: field larger than field limit"),
    ],
)
def test_a_wrong_list_notes_nothing(market: Market, earners: list[Person], text: str, said: str) -> None:
    before, limit = owed(market), csv.field_size_limit()
    for allowed in (limit, 131_072, 10**9):  # whatever else in the process has set
        csv.field_size_limit(allowed)
        with pytest.raises((InvalidInput, Refused), match=f"(?s){said}"):
            note(market, text)
    csv.field_size_limit(limit)
    assert owed(market) == before


def test_a_reference_stands_for_one_amount(market: Market, earners: list[Person]) -> None:
    note(market, "worker,amount\nAda,1\n")
    with pytest.raises(Refused, match=r"Ada was paid \$1\.00 as 'November', not \$2\.00"):
        note(market, "worker,amount\nAda,2\nBo,2\n")
    assert owed(market)["Bo"] == (200, 0, 200)
    for same in ("november", " NOVEMBER "):
        assert note(market, "worker;amount\nAda;1\n", same) == []
    for wrong in ("", "<b>", "x" * 41):
        with pytest.raises(InvalidInput, match="is no reference"):
            note(market, "worker,amount\nAda,1\n", wrong)


def test_a_list_in_another_encoding_is_refused_with_what_to_do(market: Market) -> None:
    with market.writing() as moment, pytest.raises(InvalidInput, match="Save it again as CSV in UTF-8"):
        payouts.read_amounts(moment, "worker,amount\nZoë,1\n".encode("latin-1"), "paid.csv")
