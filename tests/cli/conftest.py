"""A campaign's store in its folder, a marketplace of one's own, and the requester who launches on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from beat_the_ai.requester import Requester
from beat_the_ai.store import Store, open_store
from tests.cli.launching import make_workers_impatient
from tests.marketplace.rehearsal import Rehearsal, store_in
from tests.mephisto.mturk_rig import use


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A new, empty store, where the commands look for a campaign's."""
    opened = open_store(str(tmp_path / "campaign.db"))
    yield opened
    opened.close()


@pytest.fixture
def market(tmp_path: Path) -> Iterator[Rehearsal]:
    with Rehearsal.started(store_in(tmp_path)) as running:
        yield running


@pytest.fixture(scope="module")
def shared_market(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rehearsal]:
    """A marketplace for all tests of a module in which nobody works and nobody kills it."""
    with Rehearsal.started(store_in(tmp_path_factory.mktemp("market"))) as running:
        yield running


@pytest.fixture
def requester_alone(shared_market: Rehearsal, monkeypatch: pytest.MonkeyPatch) -> Iterator[Requester]:
    """A new requester on the marketplace of the module."""
    side = use(monkeypatch, shared_market)
    yield side
    side.close()


@pytest.fixture
def impatient_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    make_workers_impatient(monkeypatch)


@pytest.fixture
def requester(market: Rehearsal, monkeypatch: pytest.MonkeyPatch) -> Iterator[Requester]:
    side = use(monkeypatch, market)
    yield side
    side.close()
