"""Entries that are nearly the same as earlier ones, without a store."""

from __future__ import annotations

from collections.abc import Sequence

from beat_the_ai.rules.kind import Words
from beat_the_ai.workforce.evidence import Entry, Evidence, near_copies
from beat_the_ai.workforce.likeness import LIKE, Likeness


def copies_among(entries: Sequence[Entry], words: Words) -> dict[str, list[Evidence]]:
    """`{attempt: what earlier entries it is like}`, without those that are like none."""
    likeness = Likeness(entry.text for entry in entries)
    found = {}
    for number, entry in enumerate(entries):
        earlier = [(entries[other], share) for other, share in likeness.like(number, LIKE) if other < number]
        if earlier:
            found[entry.attempt_id] = near_copies(entry, earlier, words)
    return found
