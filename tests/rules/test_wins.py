"""Verified wins, streaks and ranks."""

from __future__ import annotations

from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.rules.wins import WinRecord, ranks, win_record

RESULTS = st.lists(st.sampled_from([True, False, None]))
RECORDS = st.dictionaries(st.text(max_size=3), st.builds(WinRecord, st.integers(0, 4)))


def test_a_streak_is_of_wins_in_a_row() -> None:
    assert win_record([]) == WinRecord(0, 0, 0)
    assert win_record([True, True, False, True]) == WinRecord(3, 1, 2)
    assert win_record([True, None, True, None]) == WinRecord(2, 2, 2)
    assert win_record([True, None, False, None]) == WinRecord(1, 0, 1)


@given(RESULTS)
def test_undecided_results_change_nothing(results: list[bool | None]) -> None:
    assert win_record(results) == win_record(result for result in results if result is not None)


@given(RESULTS)
def test_streaks_are_runs_of_wins(results: list[bool | None]) -> None:
    record = win_record(results)
    runs = [(won, len(list(run))) for won, run in groupby(result for result in results if result is not None)]
    assert record.wins == sum(length for won, length in runs if won)
    assert record.best == max((length for won, length in runs if won), default=0)
    assert record.streak == (runs[-1][1] if runs and runs[-1][0] else 0)
    assert 0 <= record.streak <= record.best <= record.wins


@given(RESULTS, RESULTS)
def test_a_loss_ends_the_streak_and_nothing_that_was_reached(
    before: list[bool | None], after: list[bool | None]
) -> None:
    one, other, both = win_record(before), win_record(after), win_record([*before, False, *after])
    assert both == WinRecord(one.wins + other.wins, other.streak, max(one.best, other.best))


@given(RECORDS)
def test_a_rank_is_one_more_than_the_number_of_those_with_more_wins(records: dict[str, WinRecord]) -> None:
    ranked = ranks(records)
    assert ranked == {
        name: 1 + sum(other.wins > record.wins for other in records.values()) for name, record in records.items()
    }
    assert list(ranked.values()) == sorted(ranked.values())
