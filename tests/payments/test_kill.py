"""A payer that is killed with SIGKILL pays nothing twice, and its successor pays the rest."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from beat_the_ai.payments import Cap, Ledger, Payer, State
from beat_the_ai.payments.ledger import CLAIM_LASTS
from beat_the_ai.requester import Requester
from beat_the_ai.store import Store, now, open_store
from tests.payments.cash_desk import CashDesk, Clock, connect
from tests.payments.dying_payer import AMOUNTS, MOMENTS
from tests.store.builders import campaign

ROOT = Path(__file__).parents[2]


@pytest.fixture
def desk() -> CashDesk:
    return CashDesk(Clock(now()), statuses={one.key.assignment: "Submitted" for one in AMOUNTS})


@pytest.fixture
def address(desk: CashDesk) -> Iterator[str]:
    with desk.open() as opened:
        yield opened


@pytest.fixture
def crowd(address: str) -> Iterator[Requester]:
    client = connect(address)
    yield client
    client.close()


def dying_payer(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.payments.dying_payer", *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def successor(store: Store, crowd: Requester, *, later: timedelta) -> Ledger:
    ledger = Ledger(store.database, "pilot", Clock(now() + later))
    Payer(ledger, crowd, Cap(10**9)).pay(AMOUNTS)
    return ledger


def all_paid_once(desk: CashDesk, ledger: Ledger) -> bool:
    assert {payment.state for payment in ledger.payments()} == {State.CONFIRMED}
    booked = Counter((bonus.reason, bonus.cents) for bonus in desk.booked)
    return booked == Counter((one.reason, one.cents) for one in AMOUNTS)


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_payer_that_dies_at_any_moment_of_a_payment_is_succeeded(
    store: Store, store_url: str, desk: CashDesk, address: str, crowd: Requester, moment: str
) -> None:
    store.campaigns.create(campaign())
    with dying_payer(store_url, address, moment) as process:
        process.wait(60)
    assert process.returncode == -signal.SIGKILL
    assert len(desk.booked) == len(AMOUNTS) - (moment == "claimed")
    at_once = successor(store, crowd, later=timedelta())
    assert [payment.state for payment in at_once.payments()][-1] is State.SENT  # its claim may still hold
    assert all_paid_once(desk, successor(store, crowd, later=CLAIM_LASTS))


def test_a_payer_that_is_killed_again_and_again_pays_everything_once(
    tmp_path: Path, desk: CashDesk, address: str, crowd: Requester
) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    store = open_store(url)
    store.campaigns.create(campaign())
    draw = random.Random(2020)
    for _ in range(3):
        with dying_payer(url, address, "any") as process:
            assert process.stdout
            process.stdout.readline()
            time.sleep(draw.uniform(0, 0.15))
            process.send_signal(signal.SIGKILL)
    assert all_paid_once(desk, successor(store, crowd, later=CLAIM_LASTS))
    store.close()
