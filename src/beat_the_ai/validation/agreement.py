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

Distance = Callable[[Hashable, Hashable], float]


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
    pairable = [unit for unit in units if len(unit) > 1]
    counts = Counter(value for unit in pairable for value in unit)
    total = counts.total()
    pairs = (total * total - sum(count * count for count in counts.values())) / 2
    alike = sum(counts[one] * counts[other] * squad.f1(one, other) for one, other in _sharing_words(counts))
    return _alpha(pairable, span_distance, pairs - alike)


def span_distance(one: Hashable, other: Hashable) -> float:
    if one == other:
        return 0.0
    return 1.0 if one is None or other is None else 1.0 - squad.f1(str(one), str(other))


def _sharing_words(texts: Iterable[Label]) -> set[tuple[str, str]]:
    """The pairs of distinct texts with a word in common: all others have an F1 of 0."""
    holding: dict[str, list[str]] = defaultdict(list)
    for text in texts:
        for word in set(squad.normalise(text).split()) if text is not None else ():
            holding[word].append(text or "")
    return {pair for sharing in holding.values() for pair in combinations(sorted(sharing), 2)}


def _alpha(units: Sequence[Sequence[Hashable]], distance: Distance, expected: float) -> float | None:
    """`expected` is the sum of distances over all unordered pairs of values."""
    total = sum(map(len, units))
    observed = sum(
        sum(distance(one, other) for one, other in combinations(unit, 2)) / (len(unit) - 1) for unit in units
    )
    if expected == 0:
        return None
    return 1.0 - (total - 1) * observed / expected
