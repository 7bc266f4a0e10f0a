from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from beat_the_ai.marketplace.clock import ShiftedClock
from beat_the_ai.recruiter.recruiter import Recruiter, open_recruiter
from beat_the_ai.recruiter.server import build_app
from tests.contracts.prolific import Contract, read_contract
from tests.recruiter.running import Participant, Researcher

CONTROL = "control"
BALANCE_CENTS = 100_00


@pytest.fixture(scope="session")
def contract(shared_data: Path) -> Contract:
    return read_contract(shared_data / "prolific")


@pytest.fixture(scope="session")
def contract_if_there(request: pytest.FixtureRequest) -> Contract | None:
    """The contract; without the document the rules are tested all the same."""
    try:
        found: Contract = request.getfixturevalue("contract")
    except pytest.skip.Exception:
        return None
    return found


@pytest.fixture(scope="session")
def new_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new recruiter's store, to be copied: its tables and its key take a while."""
    file = tmp_path_factory.mktemp("template") / "recruiter.db"
    open_recruiter(str(file), "GBP", BALANCE_CENTS).close()
    return file


@pytest.fixture
def recruiter(tmp_path: Path, new_store: Path) -> Iterator[Recruiter]:
    file = shutil.copy(new_store, tmp_path / "recruiter.db")
    opened = open_recruiter(str(file), "GBP", BALANCE_CENTS, ShiftedClock())
    yield opened
    opened.close()


@pytest.fixture
def new_client(recruiter: Recruiter) -> Iterator[Callable[[], TestClient]]:
    """Clients of one application, each with cookies of its own."""
    app = build_app(recruiter, CONTROL)
    clients: list[TestClient] = []

    def make() -> TestClient:
        clients.append(TestClient(app, base_url="http://testserver"))
        return clients[-1]

    yield make
    for client in clients:
        client.close()


@pytest.fixture
def researcher(
    new_client: Callable[[], TestClient], recruiter: Recruiter, contract_if_there: Contract | None
) -> Researcher:
    return Researcher(new_client(), recruiter.workspace.token, contract_if_there)


@pytest.fixture
def new_participant(new_client: Callable[[], TestClient]) -> Callable[[], Participant]:
    return lambda: Participant(new_client()).sign_up()
