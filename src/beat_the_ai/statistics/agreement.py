"""Agreement beyond chance: Krippendorff's alpha of any number of people, Cohen's kappa of two, with 95% intervals.

Sources: Krippendorff 2011, "Computing ..."; Cohen 1960.

alpha = 1 - observed disagreement / disagreement expected by chance. In the observed one, a pair of values of the same
unit counts 1 / (values of it - 1). Chance pairs any two values. Units with fewer than two values are left out.

Intervals are by a bootstrap over units, which keeps its promise for alpha (Zapf et al. 2016, BMC Medical Research
Methodology 16:93): a unit is drawn with all values that it was given. The expected disagreement follows the drawn units
to first order, by the distances of each unit's values to all values; so no resample compares all pairs again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from beat_the_ai.statistics.figure import Estimate
    from beat_the_ai.statistics.jackknife import Matrix

SMALLEST_SUM = 1e-6  # less is what sums of fractions leave of 0
DIGITS = 9  # of a unit's sums: the order in which they were added up makes no difference

Distance = Callable[[Hashable, Hashable], float]


def nominal(one: Hashable, other: Hashable) -> float:
    """Return 0 for the same value, else 1."""
    return float(one != other)


def krippendorff_alpha(
    units: Iterable[Sequence[Hashable]], distance: Distance = nominal, *, with_interval: bool = True
) -> Estimate | None:
    """Return alpha of the values that each unit was given; None where no two values differ and chance says nothing.

    An interval takes thousands of draws: pages that are asked for again and again do without.
    The expected disagreement takes a comparison for every pair of distinct values.
    """
    pairable = [unit for unit in units if len(unit) > 1]
    counts = Counter(value for unit in pairable for value in unit)
    if distance is nominal:
        apart = {value: float(counts.total() - count) for value, count in counts.items()}
    else:
        apart = {one: sum(count * distance(one, other) for other, count in counts.items()) for one in counts}
    return alpha_of(pairable, distance, apart.__getitem__, with_interval=with_interval)


def alpha_of(
    units: Sequence[Sequence[Hashable]],
    distance: Distance,
    apart: Callable[[Hashable], float],
    *,
    with_interval: bool = True,
) -> Estimate | None:
    """Return alpha of units with two or more values. `apart` sums the distances of a value to all values."""
    import numpy as np  # a tenth of a second, for what most processes never ask

    from beat_the_ai.statistics.figure import Estimate
    from beat_the_ai.statistics.resampling import interval_of, resampled

    sums = np.asarray([_row(unit, distance, apart) for unit in units], dtype=float).reshape(-1, 3)
    whole = sums.sum(axis=0)
    expected = whole[2] / 2
    if expected < SMALLEST_SUM:
        return None

    def alphas(of: Matrix) -> Matrix:
        values, observed, apart_from_all = of.T
        by_chance = apart_from_all - expected
        with np.errstate(divide="ignore", invalid="ignore"):
            found: Matrix = np.where(by_chance < SMALLEST_SUM, np.nan, 1 - (values - 1) * observed / by_chance)
        return found

    interval = interval_of(alphas(resampled(_sorted(sums))), len(sums)) if with_interval else None
    return Estimate(float(alphas(whole[None])[0]), interval)


def _row(unit: Sequence[Hashable], distance: Distance, apart: Callable[[Hashable], float]) -> tuple[float, ...]:
    """Return the values of a unit, the disagreement in it, and the distances of its values to all values."""
    observed = sum(distance(one, other) for one, other in combinations(unit, 2)) / (len(unit) - 1)
    return len(unit), observed, sum(map(apart, unit))


def _sorted(rows: Matrix) -> Matrix:
    """Return rows in an order of their own."""
    import numpy as np

    rounded = np.round(rows, DIGITS)
    ordered: Matrix = rounded[np.lexsort(rounded.T[::-1])]
    return ordered


def cohens_kappa(pairs: Sequence[tuple[Hashable, Hashable]], *, with_interval: bool = True) -> Estimate | None:
    """Return kappa of two judges' verdicts on the same units; None when chance alone would make them agree always."""
    import numpy as np

    from beat_the_ai.statistics.figure import Estimate
    from beat_the_ai.statistics.resampling import interval_of, resampled

    verdicts = {verdict: place for place, verdict in enumerate(dict.fromkeys(each for pair in pairs for each in pair))}
    kinds = len(verdicts)
    cells = [kinds * verdicts[one] + verdicts[other] for one, other in pairs]

    def kappas(sums: Matrix) -> Matrix:
        tables = sums.reshape(-1, kinds, kinds) / len(pairs)
        agreed = np.trace(tables, axis1=1, axis2=2)
        by_chance = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            found: Matrix = np.where(by_chance > 1 - SMALLEST_SUM, np.nan, (agreed - by_chance) / (1 - by_chance))
        return found

    rows = np.eye(kinds**2)[sorted(cells)]
    [value] = kappas(rows.sum(axis=0)[None])
    if np.isnan(value):
        return None
    return Estimate(float(value), interval_of(kappas(resampled(rows)), len(rows)) if with_interval else None)
