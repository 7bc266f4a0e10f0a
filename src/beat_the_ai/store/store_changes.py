"""A mark of a store that changes when anybody writes, and when the holder of a lease dies, who writes nothing."""

from __future__ import annotations

from beat_the_ai.databases import Changes
from beat_the_ai.store.leases import Leases


class StoreChanges:
    """The mark of a store. It holds one connection, and no transaction. Safe to use from threads."""

    def __init__(self, changes: Changes, leases: Leases) -> None:
        self._changes = changes
        self._leases = leases

    def mark(self) -> str:
        """Return the mark: another one after a change. Raises `StoreAway`."""
        return f"{self._changes.mark()} {[each.name for each in self._leases.abandoned()]}"

    def close(self) -> None:
        """Give the connection back."""
        self._changes.close()
