from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.marketplace.clock import ShiftedClock
from beat_the_ai.marketplace.market import open_market
from tests.contracts.prolific import Contract
from tests.crowds.prolific.scene import CheckedTransport, Scene, registered
from tests.marketplace.desk import Desk
from tests.recruiter.conftest import contract, contract_if_there
from tests.recruiter.running import Running

__all__ = ["contract", "contract_if_there"]

NewScene = Callable[..., Scene]


@pytest.fixture(scope="session")
def recruiter_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One recruiter for all tests: each has a study of its own."""
    store = tmp_path_factory.mktemp("recruiter") / "recruiter.db"
    with Running.started(store, "--balance", "100000.00") as running:
        yield running


@pytest.fixture
def recruiter(recruiter_process: Running) -> Iterator[Running]:
    yield recruiter_process
    recruiter_process.control("faults", {"rules": []})


@pytest.fixture
def new_scene(tmp_path: Path, recruiter: Running, contract_if_there: Contract | None) -> Iterator[NewScene]:
    market = open_market(str(tmp_path / "people.db"), ShiftedClock())
    desk = Desk.opened(market, "requester", 1_000_000_00)

    def make(**changes: Any) -> Scene:
        return Scene(
            market, desk, recruiter, CheckedTransport(contract_if_there), *registered(market, recruiter, **changes)
        )

    yield make
    market.close()


@pytest.fixture
def scene(new_scene: NewScene) -> Scene:
    return new_scene()
