from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from beat_the_ai.adversary.fair_queue import FairQueue


@dataclass(eq=False)
class Entry:
    requester: str
    number: int = 0
    patient: bool = False


def test_requesters_take_turns() -> None:
    queue: FairQueue[Entry] = FairQueue(10)
    for entry in [Entry("flood", 1), Entry("flood", 2), Entry("flood", 3), Entry("quiet", 1), Entry("other", 1)]:
        queue.put(entry)
    taken = [queue.take() for _ in range(5)]
    assert [(entry.requester, entry.number) for entry in taken] == [
        ("flood", 1),
        ("quiet", 1),
        ("other", 1),
        ("flood", 2),
        ("flood", 3),
    ]


def test_when_full_the_newest_of_the_longest_line_leaves_for_a_newcomer() -> None:
    queue: FairQueue[Entry] = FairQueue(3)
    flood = [Entry("flood", number) for number in range(3)]
    assert [queue.put(entry) for entry in flood] == [None, None, None]
    assert queue.put(Entry("quiet")) is flood[2]
    assert len(queue) == 3


def test_when_full_a_newcomer_with_no_shorter_line_leaves_itself() -> None:
    queue: FairQueue[Entry] = FairQueue(2)
    queue.put(Entry("a"))
    queue.put(Entry("b"))
    again = Entry("a")
    assert queue.put(again) is again
    stranger = Entry("c")
    assert queue.put(stranger) is stranger


def test_the_patient_are_served_when_no_other_waits_and_give_way_first() -> None:
    queue: FairQueue[Entry] = FairQueue(3)
    first, second, third = Entry("a", 1, True), Entry("a", 2, True), Entry("b", 1, True)
    assert [queue.put(entry) for entry in (first, second, third)] == [None, None, None]
    urgent = Entry("a", 3)
    assert queue.put(urgent) is second
    assert queue.put(again := Entry("b", 2, True)) is again
    assert list(queue.patient_entries()) == [first, third]
    assert [queue.take() for _ in range(3)] == [urgent, first, third]


def test_the_patient_take_nobody_elses_place() -> None:
    queue: FairQueue[Entry] = FairQueue(2)
    assert [queue.put(Entry("a")), queue.put(Entry("a"))] == [None, None]
    assert queue.put(patient := Entry("b", patient=True)) is patient


def test_an_empty_queue_has_nothing_to_take() -> None:
    with pytest.raises(KeyError):
        FairQueue[Entry](1).take()


@given(st.dictionaries(st.sampled_from("abcd"), st.integers(1, 8), min_size=1))
def test_nobody_is_served_twice_while_another_waits_unserved(lines: dict[str, int]) -> None:
    queue: FairQueue[Entry] = FairQueue(100)
    for requester, length in lines.items():
        for number in range(length):
            queue.put(Entry(requester, number))
    for turn in range(max(lines.values())):
        still_waiting = [requester for requester, length in lines.items() if length > turn]
        assert sorted(queue.take().requester for _ in still_waiting) == sorted(still_waiting)
    assert len(queue) == 0


class QueueMachine(RuleBasedStateMachine):
    """Whatever is put, taken and removed: nothing is lost, nothing is served twice, the bound holds."""

    def __init__(self) -> None:
        super().__init__()
        self.queue: FairQueue[Entry] = FairQueue(5)
        self.inside: list[Entry] = []

    @rule(requester=st.sampled_from("abc"), patient=st.booleans())
    def put(self, requester: str, patient: bool) -> None:
        entry = Entry(requester, patient=patient)
        leaving = self.queue.put(entry)
        self.inside.append(entry)
        if leaving is not None:
            self.inside.remove(leaving)

    @precondition(lambda self: self.inside)
    @rule()
    def take(self) -> None:
        taken = self.queue.take()
        assert not (taken.patient and any(not entry.patient for entry in self.inside))
        alike = (taken.requester, taken.patient)
        assert taken is next(entry for entry in self.inside if (entry.requester, entry.patient) == alike)
        self.inside.remove(taken)

    @precondition(lambda self: self.inside)
    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        entry = data.draw(st.sampled_from(self.inside))
        assert self.queue.remove(entry)
        assert not self.queue.remove(entry)
        self.inside.remove(entry)

    @invariant()
    def its_length_is_what_is_inside(self) -> None:
        assert len(self.queue) == len(self.inside) <= 5


TestQueueMachine = QueueMachine.TestCase
