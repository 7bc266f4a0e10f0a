"""The bounded waiting line in front of a model: requesters take turns, whoever asks most waits longest.

Each requester has a line of its own and the lines are served round-robin. When everything is full, the longest line
gives way: its newest entry leaves for a newcomer with a shorter one ("longest queue drop", McKenney 1991), so a flood
neither delays nor turns away the others. Entries that are `patient` are served when no other waits, in turn as well,
and are the first to leave. No threads and no clock in here; the scheduler locks.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Generic, Protocol, TypeVar


class Waiting(Protocol):
    """A query that can wait in line."""

    @property
    def requester(self) -> str: ...

    @property
    def patient(self) -> bool: ...


EntryT = TypeVar("EntryT", bound=Waiting)


class FairQueue(Generic[EntryT]):
    """At most `capacity` entries, first come first served within a requester, in turn between requesters."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._lines: OrderedDict[str, deque[EntryT]] = OrderedDict()
        self._patient_lines: OrderedDict[str, deque[EntryT]] = OrderedDict()
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def put(self, entry: EntryT) -> EntryT | None:
        """Let it wait. Returns the entry that has to leave for lack of room, which may be this one."""
        leaving = None
        if self._length >= self.capacity:
            leaving = self._in_the_way_of(entry)
            if leaving is None:
                return entry
            self.remove(leaving)
        self._lines_with(entry).setdefault(entry.requester, deque()).append(entry)
        self._length += 1
        return leaving

    def take(self) -> EntryT:
        """The next entry; its requester then goes to the back. Raises `KeyError` when nobody waits."""
        lines = self._lines or self._patient_lines
        requester, line = lines.popitem(last=False)
        entry = line.popleft()
        self._length -= 1
        if line:
            lines[requester] = line
        return entry

    def remove(self, entry: EntryT) -> bool:
        """Take an entry out of the line; False if it no longer waits."""
        lines = self._lines_with(entry)
        line = lines.get(entry.requester)
        if line is None or entry not in line:
            return False
        line.remove(entry)
        self._length -= 1
        if not line:
            del lines[entry.requester]
        return True

    def patient_entries(self) -> Iterator[EntryT]:
        return chain.from_iterable(self._patient_lines.values())

    def _lines_with(self, entry: EntryT) -> OrderedDict[str, deque[EntryT]]:
        return self._patient_lines if entry.patient else self._lines

    def _in_the_way_of(self, entry: EntryT) -> EntryT | None:
        """The newest of the longest line that may give way to a newcomer."""
        lines = self._patient_lines if self._patient_lines else self._lines_with(entry)
        longest: Sequence[EntryT] = max(lines.values(), key=len, default=())
        over = len(lines.get(entry.requester, ())) + 1 if lines is self._lines_with(entry) else 0
        return longest[-1] if len(longest) > over else None
