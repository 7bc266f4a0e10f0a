"""Verified wins of a worker, streaks of them, and ranks by them.

A result is what a worker's example that beat the model came to: True for a verified win, False for one that others
did not confirm, None while it is undecided.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class WinRecord:
    """Verified wins, those in a row up to now (`streak`), and the most in a row at any time (`best`)."""

    wins: int = 0
    streak: int = 0
    best: int = 0


def win_record(results: Iterable[bool | None]) -> WinRecord:
    """Return the record of a worker's results, given in the order of submission.

    An undecided result neither counts nor ends a streak.
    """
    wins = streak = best = 0
    for result in results:
        if result is None:
            continue
        wins += result
        streak = streak + 1 if result else 0
        best = max(best, streak)
    return WinRecord(wins, streak, best)


def ranks(records: Mapping[str, WinRecord]) -> dict[str, int]:
    """Return ranks from 1 by verified wins, the best first. Ties share a rank, and as many ranks after it are skipped.

    Workers with the same rank keep their order.
    """
    best_first = sorted(records, key=lambda worker: -records[worker].wins)
    ranked: dict[str, int] = {}
    for place, worker in enumerate(best_first, start=1):
        before = best_first[place - 2] if place > 1 else None
        is_tied = before is not None and records[before].wins == records[worker].wins
        ranked[worker] = ranked[before] if is_tied and before is not None else place
    return ranked
