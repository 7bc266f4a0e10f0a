"""The agreement of reviewers: in percent, and beyond chance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from beat_the_ai.statistics.agreement import cohens_kappa, krippendorff_alpha
from beat_the_ai.statistics.figure import Estimate


@dataclass(frozen=True)
class Agreement:
    """Over the units that two or more judged. None where it is not defined: nothing judged twice, or one verdict only.

    `percent` is of all pairs of verdicts on the same unit; `kappa` has Cohen's for each pair of judges.
    """

    units: int
    percent: float | None
    alpha: Estimate | None
    kappa: dict[tuple[str, str], Estimate | None]


def agreement(units: Iterable[Mapping[str, str]], *, with_intervals: bool = False) -> Agreement:
    """`units` are `{judge: verdict}`."""
    shared = [unit for unit in units if len(unit) > 1]
    pairs = [verdicts for unit in shared for verdicts in combinations(unit.values(), 2)]
    percent = 100 * sum(one == two for one, two in pairs) / len(pairs) if pairs else None
    judges = sorted({judge for unit in shared for judge in unit})
    kappa = {}
    for one, two in combinations(judges, 2):
        both = [(unit[one], unit[two]) for unit in shared if one in unit and two in unit]
        if both:
            kappa[one, two] = cohens_kappa(both, with_interval=with_intervals)
    alpha = krippendorff_alpha([list(unit.values()) for unit in shared], with_interval=with_intervals)
    return Agreement(len(shared), percent, alpha, kappa)
