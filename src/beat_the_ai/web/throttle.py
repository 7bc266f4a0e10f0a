"""The limit of tries to sign in."""

from __future__ import annotations

from collections import OrderedDict
from datetime import datetime, timedelta
from threading import Lock


class Throttle:
    """Wrong tries by address, and by address and name: no one can lock another out from elsewhere.

    A try counts from its beginning, so that many at once gain nothing; one that succeeds is taken off again.
    """

    WITHIN = timedelta(minutes=15)
    REMEMBERED = 10_000

    def __init__(self, by_name: int = 10, by_address: int = 50) -> None:
        self._most = {"name": by_name, "address": by_address}
        self._tries: OrderedDict[tuple[str, str], list[datetime]] = OrderedDict()
        self._lock = Lock()

    def admit(self, address: str, name: str, now: datetime) -> bool:
        """Count a try. False, and not counted, when there were too many."""
        with self._lock:
            recent = {
                place: [at for at in self._tries.get(place, ()) if at > now - self.WITHIN]
                for place in self._places(address, name)
            }
            if any(len(times) >= self._most[place[0]] for place, times in recent.items()):
                return False
            for place, times in recent.items():
                self._tries[place] = [*times, now]
                self._tries.move_to_end(place)
            while len(self._tries) > self.REMEMBERED:
                self._tries.popitem(last=False)
            return True

    def succeeded(self, address: str, name: str, begun: datetime) -> None:
        """The try that was admitted at `begun` was no wrong one."""
        with self._lock:
            for place in self._places(address, name):
                if begun in self._tries.get(place, ()):
                    self._tries[place].remove(begun)

    @staticmethod
    def _places(address: str, name: str) -> list[tuple[str, str]]:
        return [("address", address), ("name", f"{address} {name}")]
