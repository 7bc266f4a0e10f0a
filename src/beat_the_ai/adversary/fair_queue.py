"""The bounded waiting line in front of a model: requesters take turns, whoever asks most waits longest.

Each requester has a line of its own and the lines are served round-robin. When everything is full, the longest line
gives way: its newest entry leaves for a newcomer with a shorter one ("longest queue drop", McKenney 1991), so a flood
neither delays nor turns away the others. No threads and no clock in here; the scheduler locks.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from typing import Generic, Protocol, TypeVar


class Waiting(Protocol):
    """What can wait in line."""

    @property
    def requester(self) -> str: ...


EntryT = TypeVar("EntryT", bound=Waiting)


class FairQueue(Generic[EntryT]):
    """At most `capacity` entries, first come first served within a requester, in turn between requesters."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._lines: OrderedDict[str, deque[EntryT]] = OrderedDict()
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def put(self, entry: EntryT) -> EntryT | None:
        """Let it wait. Returns the entry that has to leave for lack of room, which may be this one."""
        leaving = None
        if self._length >= self.capacity:
            leaving = self._newest_of_longest_line(over=len(self._lines.get(entry.requester, ())) + 1)
            if leaving is None:
                return entry
            self.remove(leaving)
        self._lines.setdefault(entry.requester, deque()).append(entry)
        self._length += 1
        return leaving

    def take(self) -> EntryT:
        """The next entry; its requester then goes to the back. Raises `KeyError` when nobody waits."""
        requester, line = self._lines.popitem(last=False)
        entry = line.popleft()
        self._length -= 1
        if line:
            self._lines[requester] = line
        return entry

    def remove(self, entry: EntryT) -> bool:
        """Take an entry out of the line; False if it no longer waits."""
        line = self._lines.get(entry.requester)
        if line is None or entry not in line:
            return False
        line.remove(entry)
        self._length -= 1
        if not line:
            del self._lines[entry.requester]
        return True

    def _newest_of_longest_line(self, over: int) -> EntryT | None:
        longest = max(self._lines.values(), key=len)
        return longest[-1] if len(longest) > over else None
