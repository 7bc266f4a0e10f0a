"""Shares and means of things that share a cluster, such as the attempts of a writer, with intervals that know of it.

Attempts of one writer are no independent draws, so an interval that takes them for such is too short. The rule for all
of them is that of `jackknife`, which leaves out whole clusters.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from beat_the_ai.statistics.figure import Estimate

DIGITS = 9  # of a cluster's sums: the order in which they were added up makes no difference
ThingT = TypeVar("ThingT", bound=Hashable)
Bounded = tuple[float, float | None, float | None]
"""A share, and the ends of its interval; None where it has none."""


class Clustered:
    """Sums by cluster: of what was `found`, and among how many.

    Its estimates do not depend on names or order: the clusters are sorted by their sums.
    """

    def __init__(self, sums: Mapping[Any, tuple[float, float]] | None = None) -> None:
        """Begin with {cluster: (found, of)}."""
        self._found: dict[Hashable, float] = {}
        self._of: dict[Hashable, float] = {}
        for cluster, (found, of) in (sums or {}).items():
            self.add(cluster, found, of)

    @classmethod
    def of_values(cls, values: Iterable[float], clusters: Iterable[Hashable]) -> Clustered:
        """Return the sums of values and their number, by the cluster of each."""
        sums = cls()
        for value, cluster in zip(values, clusters, strict=True):
            sums.add(cluster, value)
        return sums

    @classmethod
    def of_things(
        cls, things: Iterable[ThingT], clusters: Iterable[Hashable], shown: Iterable[ThingT]
    ) -> dict[ThingT, Clustered]:
        """Return the share of each thing that is `shown` among all of them, by the cluster of each."""
        counts, totals = defaultdict[ThingT, Counter[Hashable]](Counter), Counter[Hashable]()
        for thing, cluster in zip(things, clusters, strict=True):
            counts[thing][cluster] += 1
            totals[cluster] += 1
        return {
            thing: cls({cluster: (counts[thing][cluster], of) for cluster, of in totals.items()}) for thing in shown
        }

    @classmethod
    def merged(cls, several: Iterable[Clustered]) -> Clustered:
        """Return the sums of several together; clusters of the same name are one."""
        whole = cls()
        for each in several:
            for cluster, of in each._of.items():
                whole.add(cluster, each._found[cluster], of)
        return whole

    def add(self, cluster: Hashable, found: float, of: float = 1) -> None:
        self._found[cluster] = self._found.get(cluster, 0) + found
        self._of[cluster] = self._of.get(cluster, 0) + of

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Clustered) and (self._found, self._of) == (other._found, other._of)

    def __hash__(self) -> int:
        raise TypeError("sums that grow have no hash")

    def __repr__(self) -> str:
        return f"Clustered({ {cluster: (self._found[cluster], of) for cluster, of in self._of.items()} })"

    @property
    def found(self) -> float:
        return sum(self._found.values())

    @property
    def of(self) -> float:
        return sum(self._of.values())

    @property
    def clusters(self) -> int:
        """Return the number of clusters that have any share in it."""
        return len(self.pairs)

    @property
    def share(self) -> Estimate | None:
        """Return `found` over `of`, a share, with its 95% interval; None of nothing."""
        from beat_the_ai.statistics.jackknife import Scale  # numpy takes a tenth of a second, and most processes none
        from beat_the_ai.statistics.ratios import ratio

        return ratio(self.pairs, Scale.SHARE)

    @property
    def bounded(self) -> Bounded | None:
        """Return the share for programs."""
        share = self.share
        return None if share is None else (share.value, *(share.interval or (None, None)))

    @property
    def mean(self) -> Estimate | None:
        """Return `found` over `of`, a mean of amounts, with its 95% interval; None of nothing."""
        from beat_the_ai.statistics.jackknife import Scale  # imports numpy
        from beat_the_ai.statistics.ratios import ratio

        return ratio(self.pairs, Scale.AMOUNT)

    def less(self, other: Clustered) -> Estimate | None:
        """Return by how much the share is above another one, of other clusters; None where one is none."""
        from beat_the_ai.statistics.ratios import difference  # imports numpy

        return difference(self.share, other.share)

    @property
    def pairs(self) -> list[tuple[float, float]]:
        """Return what was found of each cluster, and among how many, in ascending order."""
        pairs = [(self._found[cluster], of) for cluster, of in self._of.items() if of]
        return sorted((round(found, DIGITS), round(of, DIGITS)) for found, of in pairs)
