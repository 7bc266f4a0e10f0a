"""The section that compares arms: figures do not depend on the order of writers, and no interval is without width."""

from __future__ import annotations

from random import Random

from beat_the_ai.analysis.arms import ArmWriter, ComparedArms, arms_section
from beat_the_ai.analysis.rounds import Errors
from beat_the_ai.rules.kind import Words
from beat_the_ai.statistics.clustered import Clustered

FIRST = {"a": 0, "b": 3}  # of the numbers of an arm's writers
WORDS = Words("question", "questions", "passage", "passages")


def writer(wins: int, tries: int, kept: int) -> ArmWriter:
    errors = Errors(Clustered({f"w{wins} {tries}": (wins, tries)}))
    return ArmWriter(errors, hits=1, seconds=60.0 * tries, kept=kept, voted=kept, examples=kept, cents=100 * tries)


def rows(arms: dict[str, list[ArmWriter]]) -> list[tuple[str, ...]]:
    compared = ComparedArms(1, arms, dict.fromkeys(arms, 5), WORDS, "answerable", "USD")
    return [tuple(row) for row in arms_section(compared).table.rows]


def test_the_order_in_which_writers_come_makes_no_difference() -> None:
    arms = {
        name: [writer(n % 3 + 1, 4 + n, n) for n in range(first, first + 7)] for name, first in (("a", 0), ("b", 3))
    }
    again = {name: Random(1).sample(writers, len(writers)) for name, writers in arms.items()}
    assert rows(again) == rows(arms)


def test_a_share_that_is_the_same_for_all_writers_has_an_interval_with_a_width() -> None:
    """Each of four writers is one trial, of whom all succeed: 1 / (1 + t²/4) with t = 3.182."""
    found = {(row[0], row[1]): row[2] for row in rows({"a": [writer(1, 4, kept) for kept in (1, 2, 3, 4)]})}
    assert found["answerable, of the decided", "a"] == "100.0% (28.3% to 100.0%)"
