"""Agreement beyond chance: Krippendorff's alpha of any number of people, Cohen's kappa of two.

Sources: Krippendorff 2011, "Computing ..."; Cohen 1960.

alpha = 1 - observed disagreement / disagreement expected by chance. In the observed one, a pair of values of the same
unit counts 1 / (values of it - 1). Chance pairs any two values. Units with fewer than two values are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import combinations

SMALLEST_SUM = 1e-6  # less is what sums of fractions leave of 0

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
    return alpha_of(pairable, distance, expected)


def alpha_of(units: Sequence[Sequence[Hashable]], distance: Distance, expected: float) -> float | None:
    """Return alpha of units with two or more values. `expected` sums the distances of all unordered pairs of values."""
    total = sum(map(len, units))
    observed = sum(
        sum(distance(one, other) for one, other in combinations(unit, 2)) / (len(unit) - 1) for unit in units
    )
    if expected < SMALLEST_SUM:
        return None
    return 1.0 - (total - 1) * observed / expected


def cohens_kappa(pairs: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Return kappa of two judges' verdicts on the same units; None when chance alone would make them agree always."""
    n = len(pairs)
    observed = sum(one == two for one, two in pairs) / n
    ones, twos = Counter(one for one, _ in pairs), Counter(two for _, two in pairs)
    expected = sum(ones[verdict] * twos[verdict] for verdict in ones) / n**2
    return None if expected == 1 else (observed - expected) / (1 - expected)
