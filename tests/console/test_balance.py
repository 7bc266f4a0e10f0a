"""The balance at the crowd is asked once a minute at most, and nobody waits long for it."""

from __future__ import annotations

import socket
import time
from dataclasses import replace

import pytest

from beat_the_ai.cli.review.command import desk_of
from beat_the_ai.console import Watched, balance
from beat_the_ai.console.balance import Balance
from beat_the_ai.store import Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Workforce
from tests.cli.test_payments import PAY, ROUND
from tests.payments.cash_desk import CashDesk
from tests.store.builders import campaign


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")


def balance_at(store: Store, address: str, *, simulated: bool = False) -> Balance:
    made = campaign("banked")
    crowd = {"provider": "mturk", "endpoint_url": address}
    made = replace(made, config={**made.config, "crowd": crowd, "simulated": simulated})
    store.campaigns.create(made, {"round": ROUND, "pay": PAY})
    bound = BoundCampaign.open(store, "banked")
    return Balance(Watched("", desk_of(bound, Workforce(bound))))


def test_the_balance_stands_for_a_minute(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = CashDesk(balance_cents=12_345)
    with desk.open() as address:
        asked = balance_at(store, address)
        first = asked.now()
        assert (first.cents, first.away) == (12_345, None)
        desk.balance_cents = 1
        assert asked.now() == first
        assert desk.requests == ["GetAccountBalance"]
        monkeypatch.setattr(balance, "STANDS_SECONDS", 0.0)
        assert asked.now().cents == 1
    gone = asked.now()
    assert (gone.cents, gone.away) == (None, "The crowd could not be asked.")


def test_nobody_waits_for_a_crowd_that_hangs(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balance, "PATIENCE_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        asked = balance_at(store, f"http://127.0.0.1:{silent.getsockname()[1]}")
        began = time.monotonic()
        for _ in range(2):
            assert asked.now().away == "The crowd could not be asked: no answer within 0.3 seconds."
        assert time.monotonic() - began < balance.STANDS_SECONDS / 2
        silent.settimeout(20)
        silent.accept()[0].close()  # the one that asked
        silent.setblocking(False)
        with pytest.raises(BlockingIOError):
            silent.accept()


def test_a_rehearsals_marketplace_is_not_asked(store: Store) -> None:
    desk = CashDesk()
    with desk.open() as address:
        told = balance_at(store, address, simulated=True).now()
    assert (told.cents, told.away, desk.requests) == (None, None, [])
