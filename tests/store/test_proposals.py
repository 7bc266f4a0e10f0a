"""Proposals to revoke: one waits for a worker, it ends once, and it is carried out together with the standing."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from beat_the_ai.errors import Refused, UnknownName
from beat_the_ai.store import Proposal, Store
from tests.store.builders import NEW_YEAR, at_once, campaign

LATER = NEW_YEAR + timedelta(hours=1)


@pytest.fixture
def proposal(store: Store) -> Proposal:
    store.campaigns.create(campaign())
    return store.proposals.add("pilot", "A1", "ann", "", "copies 𝄞", NEW_YEAR)


def carry_out(store: Store, proposal: Proposal) -> None:
    store.standings.add("pilot", "A1", "revoked", by="bob", reason="x", at=LATER, settles=proposal.id)


def test_one_waits_for_a_worker_and_ends_once(store: Store, proposal: Proposal) -> None:
    assert store.proposals.waiting("pilot") == {"A1": proposal}
    with pytest.raises(Refused, match="ann has proposed"):
        store.proposals.add("pilot", "A1", "bob", "", "gibberish", LATER)
    store.proposals.withdraw(proposal, "ann", LATER)
    assert store.proposals.waiting("pilot") == {}
    with pytest.raises(Refused, match="withdrawn meanwhile"):
        store.proposals.withdraw(proposal, "bob", LATER)
    again = store.proposals.add("pilot", "A1", "bob", "root", "gibberish", LATER)
    known = store.proposals.of_campaign("pilot", "A1")
    assert [(one.by, one.outcome, one.closed_by, one.closed_at) for one in known] == [
        ("ann", "withdrawn", "ann", LATER),
        ("bob", None, None, None),
    ]
    assert known[-1] == again
    assert store.proposals.of_campaign("pilot", "A2") == []


def test_it_is_carried_out_with_the_standing_or_not_at_all(store: Store, proposal: Proposal) -> None:
    def refuse(_last: object) -> None:
        raise Refused("not now")

    with pytest.raises(Refused, match="not now"):
        store.standings.add("pilot", "A1", "revoked", by="bob", reason="x", at=LATER, settles=proposal.id, check=refuse)
    assert store.proposals.waiting("pilot") == {"A1": proposal}
    carry_out(store, proposal)
    assert store.standings.discarded("pilot") == {"A1"}
    assert [one.outcome for one in store.proposals.of_campaign("pilot")] == ["revoked"]
    with pytest.raises(Refused, match="it was revoked meanwhile"):
        carry_out(store, proposal)
    assert len(store.standings.history("pilot")) == 1


def test_of_a_withdrawal_and_confirmations_at_once_one_wins(store: Store, proposal: Proposal) -> None:
    def end(number: int) -> str:
        try:
            if number == 0:
                store.proposals.withdraw(proposal, "ann", LATER)
            else:
                carry_out(store, proposal)
        except Refused:
            return "late"
        return "withdrawn" if number == 0 else "revoked"

    ended = at_once(4, end)
    [outcome] = [one for one in ended if one != "late"]
    assert [one.outcome for one in store.proposals.of_campaign("pilot")] == [outcome]
    assert store.standings.discarded("pilot") == ({"A1"} if outcome == "revoked" else set())


def test_one_that_never_was_is_told(store: Store, proposal: Proposal) -> None:
    with pytest.raises(UnknownName, match="Unknown proposal"):
        store.proposals.withdraw(replace(proposal, id=proposal.id + 1), "ann", LATER)
    with pytest.raises(UnknownName, match="Unknown campaign"):
        store.proposals.add("second", "A1", "ann", "", "copies", NEW_YEAR)
