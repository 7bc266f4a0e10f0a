"""Drafts and what was said of them, on both databases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from beat_the_ai.errors import Refused
from beat_the_ai.rules.protocol import Context
from beat_the_ai.store import Campaign, Edit, Store, now

FIRST, SECOND = {"guess": "Rome"}, {"guess": "Athens"}


def taken(store: Store, campaign: str = "pilot", contexts: int = 1) -> list[str]:
    store.campaigns.create(Campaign(campaign, "quizbowl", 7, "k" * 64, {}, now()))
    offered = [Context(f"c{number}", "A text.") for number in range(contexts)]
    hits = store.campaigns.offer(campaign, offered, round_number=1, slots=1)
    return [store.attempts.accept(hit, "w1", f"{campaign}-{hit}", now())[0].id for hit in hits]


def add(store: Store, assignment_id: str, key: str, text: str = "This") -> Edit:
    return store.edits.add(assignment_id, key, 1, "pause", {"text": text}, now())


def test_edits_come_back_in_order_with_their_first_answers(store: Store) -> None:
    [assignment_id] = taken(store)
    for number, text in enumerate(["This", "This river", "That river"]):
        edit = add(store, assignment_id, f"e{number}", text)
        if number != 1:
            store.edits.answer(edit, FIRST, "m1", "a" * 64)
            store.edits.answer(edit, SECOND, "m2", "b" * 64)
    edits = store.edits.of_assignment(assignment_id)
    assert [(edit.ordinal, edit.draft["text"], edit.prediction, edit.member) for edit in edits] == [
        (1, "This", FIRST, "m1"),
        (2, "This river", None, None),
        (3, "That river", FIRST, "m1"),
    ]


def test_one_key_is_one_edit_however_many_come_at_once(store: Store) -> None:
    [assignment_id] = taken(store)
    with ThreadPoolExecutor(8) as threads:
        edits = list(threads.map(lambda number: add(store, assignment_id, f"e{number % 4}"), range(16)))
    assert {edit.ordinal for edit in edits} == {1, 2, 3, 4}
    assert [edit.ordinal for edit in store.edits.of_assignment(assignment_id)] == [1, 2, 3, 4]


def test_nothing_new_is_kept_of_what_was_handed_in(store: Store) -> None:
    [assignment_id] = taken(store)
    kept = add(store, assignment_id, "e1")
    store.assignments.submit(assignment_id, None, now())
    assert add(store, assignment_id, "e1") == kept
    with pytest.raises(Refused, match="submitted"):
        add(store, assignment_id, "e2")


def test_a_campaigns_edits_are_its_own(store: Store) -> None:
    mine, theirs = taken(store, contexts=3), taken(store, "other")
    for assignment_id in [*reversed(mine), *theirs]:
        for key in ("e1", "e2"):
            add(store, assignment_id, key)
    found = [(edit.assignment_id, edit.ordinal) for edit in store.edits.of_campaign("pilot")]
    assert found == [(assignment_id, ordinal) for assignment_id in sorted(mine) for ordinal in (1, 2)]
