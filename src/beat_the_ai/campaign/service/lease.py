"""The lease of a stage or share in service: of several processes that would serve it, one does."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from beat_the_ai.errors import LeaseLost
from beat_the_ai.mephisto.operator import AlreadyServed
from beat_the_ai.store import LeaseHeld, Store


@contextmanager
def only_one(store: Store, name: str, stopped: threading.Event) -> Iterator[None]:
    """Hold the lease on these HITs, which two operators would offer twice.

    Raises `AlreadyServed`, also when the lease is lost.
    """
    try:
        with store.leases.holding(name, stopped.set):
            yield
    except LeaseHeld as error:
        raise AlreadyServed(f"Another process serves this campaign already: {error}. Stop that one first.") from error
    except LeaseLost as error:
        raise AlreadyServed(
            "This process was away for so long that another one serves the campaign by now. It has stopped, and has "
            "saved nothing since. `status` shows how the campaign stands."
        ) from error
