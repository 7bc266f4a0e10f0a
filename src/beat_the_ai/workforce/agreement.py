"""How far reviewers agree: in percent, and beyond chance (Cohen 1960; Krippendorff 2004, nominal data)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True)
class Agreement:
    """Over the units that two or more judged. None where it is not defined: nothing judged twice, or one verdict only.

    `percent` is of all pairs of verdicts on the same unit; `kappa` has Cohen's for each pair of judges.
    """

    units: int
    percent: float | None
    alpha: float | None
    kappa: dict[tuple[str, str], float | None]


def agreement(units: Iterable[Mapping[str, str]]) -> Agreement:
    """`units` are `{judge: verdict}`."""
    shared = [unit for unit in units if len(unit) > 1]
    pairs = [verdicts for unit in shared for verdicts in combinations(unit.values(), 2)]
    percent = 100 * sum(one == two for one, two in pairs) / len(pairs) if pairs else None
    judges = sorted({judge for unit in shared for judge in unit})
    kappa = {}
    for one, two in combinations(judges, 2):
        both = [(unit[one], unit[two]) for unit in shared if one in unit and two in unit]
        if both:
            kappa[one, two] = cohens_kappa(both)
    return Agreement(len(shared), percent, krippendorffs_alpha([list(unit.values()) for unit in shared]), kappa)


def cohens_kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Of two judges' verdicts on the same units; None when chance alone would make them agree always."""
    n = len(pairs)
    observed = sum(one == two for one, two in pairs) / n
    ones, twos = Counter(one for one, _ in pairs), Counter(two for _, two in pairs)
    expected = sum(ones[verdict] * twos[verdict] for verdict in ones) / n**2
    return None if expected == 1 else (observed - expected) / (1 - expected)


def krippendorffs_alpha(units: Sequence[Sequence[str]]) -> float | None:
    """Of any number of judges per unit; units that fewer than two judged do not count. None without two verdicts."""
    paired = [unit for unit in units if len(unit) > 1]
    totals = Counter(verdict for unit in paired for verdict in unit)
    n = sum(totals.values())
    expected = n**2 - sum(count**2 for count in totals.values())
    if expected == 0:
        return None
    observed = sum((len(unit) ** 2 - sum(c**2 for c in Counter(unit).values())) / (len(unit) - 1) for unit in paired)
    return 1 - (n - 1) * observed / expected
