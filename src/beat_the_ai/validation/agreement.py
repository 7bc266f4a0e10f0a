"""How far validators agree with each other beyond chance: Krippendorff's alpha (Krippendorff 2011, "Computing ...").

alpha = 1 - observed disagreement / disagreement expected by chance, where a pair of votes on the same question counts
1 / (votes on it - 1) and chance pairs any two votes. Questions with fewer than two votes say nothing and are left out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import combinations

from beat_the_ai.rules import squad
from beat_the_ai.rules.adjudication import Label

SMALLEST_SUM = 1e-6  # less is what sums of fractions leave of 0

Distance = Callable[[Hashable, Hashable], float]
Words = tuple[str, ...]


def nominal(one: Hashable, other: Hashable) -> float:
    """The same or not."""
    return float(one != other)


def krippendorff_alpha(units: Iterable[Sequence[Hashable]], distance: Distance = nominal) -> float | None:
    """Alpha of the values that each unit was given; None where no two values differ, so that chance says nothing.

    The expected disagreement takes a comparison for every pair of distinct values.
    """
    pairable = [unit for unit in units if len(unit) > 1]
    counts = Counter(value for unit in pairable for value in unit)
    expected = sum(counts[one] * counts[other] * distance(one, other) for one, other in combinations(counts, 2))
    return _alpha(pairable, distance, expected)


def span_alpha(units: Iterable[Sequence[Label]]) -> float | None:
    """Alpha of marked answers, at a distance of 1 - word F1; "cannot be answered" is at a distance of 1 from all."""
    pairable = [[_words(label) for label in unit] for unit in units if len(unit) > 1]
    counts = Counter(words for unit in pairable for words in unit)
    total, unsaid = counts.total(), counts[None]
    pairs = (total * (total - 1) - unsaid * (unsaid - 1)) / 2
    return _alpha(pairable, span_distance, pairs - _sum_of_f1(counts))


def span_distance(one: Hashable, other: Hashable) -> float:
    """Between two bags of words, or None for no answer."""
    if one == other:
        return 0.0
    if not isinstance(one, tuple) or not isinstance(other, tuple):
        return 1.0
    return 1.0 - 2 * (Counter(one) & Counter(other)).total() / (len(one) + len(other))


def _words(label: Label) -> Words | None:
    return None if label is None else tuple(sorted(squad.normalise(label).split()))


def _sum_of_f1(counts: Counter[Words | None]) -> float:
    """The sum of F1 over all pairs of answers, without looking at the pairs.

    F1 is 2 * common / (words + words), and two answers have a word in common min(times, times) times: as often as there
    are k such that both have it at least k times. So it takes, for every word and k, how many answers of each length
    have it that often.
    """
    holding: dict[tuple[str, int], Counter[int]] = defaultdict(Counter)
    answers = 0
    for words, count in counts.items():
        if words:
            answers += count
            for word, times in Counter(words).items():
                for least in range(1, times + 1):
                    holding[word, least][len(words)] += count
    ordered_pairs = sum(
        one * other * 2 / (length + other_length)
        for lengths in holding.values()
        for length, one in lengths.items()
        for other_length, other in lengths.items()
    )
    without_words = counts[()]
    return (ordered_pairs - answers + without_words * (without_words - 1)) / 2


def _alpha(units: Sequence[Sequence[Hashable]], distance: Distance, expected: float) -> float | None:
    """`expected` is the sum of distances over all unordered pairs of values."""
    total = sum(map(len, units))
    observed = sum(
        sum(distance(one, other) for one, other in combinations(unit, 2)) / (len(unit) - 1) for unit in units
    )
    if expected < SMALLEST_SUM:
        return None
    return 1.0 - (total - 1) * observed / expected
