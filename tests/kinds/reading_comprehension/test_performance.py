"""How well people answer, by one validator per question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from beat_the_ai.kinds.reading_comprehension.answerability import Answerability
from beat_the_ai.rules.adjudication import Label, Outcome
from beat_the_ai.statistics.figure import Figure
from tests.kinds.outcomes import outcome


def judged(name: object, *labels: Label) -> Outcome:
    """A question whose writer says "mill"."""
    return outcome(str(name), {"answer": {"text": "mill"}}, *labels)


def performance(outcomes: Sequence[Outcome], seed: int, *, adaptive: bool = False) -> Sequence[Figure]:
    return Answerability().performance(outcomes, seed, adaptive=adaptive)


def exact_match(*every: Outcome, seed: int = 1, adaptive: bool = False) -> float:
    share = performance(every, seed, adaptive=adaptive)[0].value
    assert share is not None
    return share


def test_human_performance_of_known_votes() -> None:
    every = [judged("a", "mill"), judged("b", "old mill"), judged("c", None), judged("d")]
    exact, overlap = performance(every, seed=1)
    assert (exact.observations, exact.unit) == (3, "%")
    assert exact.value == pytest.approx(100 / 3)
    assert overlap.value == pytest.approx(100 * (1 + 2 / 3 + 0) / 3)
    assert exact.interval is None  # all by one validator
    other = [replace(each, cast=tuple(replace(vote, worker="v9") for vote in each.cast)) for each in every[:2]]
    exact, _ = performance([*every, *other], seed=1)
    assert exact.value == pytest.approx(40)
    assert exact.interval is not None
    low, high = exact.interval
    assert low < 100 / 3 < 50 < high  # of each of the two alone
    assert [figure.value for figure in performance([], 1)] == [None, None]


def test_the_random_validator_is_the_seeds_choice_whatever_the_order_of_votes() -> None:
    every = [judged(number, "mill", None, "Oxbow") for number in range(200)]
    turned = [replace(each, cast=each.cast[::-1]) for each in every]
    assert performance(every, 1) == performance(turned, 1)
    assert performance(every, 1) != performance(every, 2)
    assert 20 < exact_match(*every) < 46  # a third of the votes is right


def test_with_an_adaptive_stop_the_first_vote_counts() -> None:
    """The last vote is the match that stopped the asking; a random one would make people look better than they are."""
    assert exact_match(*(judged(number, "Oxbow", "mill") for number in range(20)), adaptive=True) == 0
