from __future__ import annotations

from collections.abc import Iterator

import pytest

from beat_the_ai.requester import Requester
from beat_the_ai.workforce import MTurkGate
from tests.marketplace.rehearsal import Rehearsal, store_in
from tests.store.builders import campaign


@pytest.fixture(scope="session")
def rehearsal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rehearsal]:
    """A marketplace with MTurk's protocol, in a process of its own."""
    with Rehearsal.started(store_in(tmp_path_factory.mktemp("market"))) as running:
        yield running


@pytest.fixture
def crowd(rehearsal: Rehearsal) -> Iterator[Requester]:
    """The project's own client for a new requester."""
    key = rehearsal.new_requester()
    client = Requester.connect(
        rehearsal.address,
        sleep=lambda _seconds: None,
        aws_access_key_id=key.id,
        aws_secret_access_key=key.secret,
    )
    yield client
    client.close()


@pytest.fixture
def gate(crowd: Requester) -> MTurkGate:
    return MTurkGate(crowd, campaign("pilot"))
