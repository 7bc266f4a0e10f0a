"""The order in which a writer is offered HITs: those first whose examples a balanced part lacks most.

A part is balanced by label and genre (Nie et al. 2020, "HAMLET"), and what one combination has more than others is left
out. So of the HITs of such a part those are taken first whose combination has the fewest works. The parts keep their
turns: nobody writes test alone before train begins. HITs of a combination that has all that its part is to have come
last. Exclusive writers are offered the HITs of test first, by the combinations that lack exclusive works.

The order depends on the store and the order of the seed alone, so several operators, and one that resumes, agree.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from beat_the_ai.campaign.service.checked_contexts import PartsNow
from beat_the_ai.dataset.balance import Stratum
from beat_the_ai.rules.stage import Stage
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.division import TEST

HITS_REMEMBERED = 100_000


@dataclass(frozen=True)
class _Cell:
    """A combination of a part, or no combination of a part that is not balanced."""

    part: str
    aims: Stratum


def steering_of(campaign: BoundCampaign, number: int) -> Steering | None:
    """Return the order of a round's HITs; None where no part is balanced."""
    balanced = campaign.round(number).terms.dataset.balanced
    return Steering(campaign, number) if balanced and campaign.kind.dataset.balanced_by else None


class Steering:
    """The order of the HITs of a round for each writer."""

    def __init__(self, campaign: BoundCampaign, number: int) -> None:
        self._campaign, self._number = campaign, number
        self._store = campaign.store
        self._section = campaign.round(number).terms.dataset
        self._division = campaign.round(number).division
        self._parts = PartsNow(campaign)
        self._hit = lru_cache(HITS_REMEMBERED)(self._read)

    def __call__(self, worker: str, hits: Sequence[str]) -> Sequence[str]:
        """Return these HITs in the order in which the worker is offered them."""
        part_of, exclusive = self._parts(), self._division.is_exclusive(worker)
        missing = self._missing(part_of, exclusive=exclusive)
        cells = {hit: self._cell(hit, part_of) for hit in hits}
        turns: dict[str, deque[str]] = defaultdict(deque)
        for hit in sorted(hits, key=lambda hit: -missing.get(cells[hit], 0)):
            turns[cells[hit].part].append(hit)
        order = [turns[cells[hit].part].popleft() for hit in hits]
        if exclusive:
            order.sort(key=lambda hit: cells[hit].part != TEST)
        return sorted(order, key=lambda hit: missing.get(cells[hit]) == 0)

    def _read(self, hit_id: str) -> tuple[str, Stratum]:
        """Return the context of a HIT, and the combination at which it aims."""
        hit = self._store.campaigns.hit(hit_id)
        return hit.context.id, tuple(self._campaign.kind.dataset.aims(hit.task_item))

    def _cell(self, hit: str, part_of: Mapping[str, str]) -> _Cell:
        context_id, aims = self._hit(hit)
        part = part_of.get(context_id, "")  # it was offered a moment ago
        return _Cell(part, aims if part in self._section.balanced else ())

    def _missing(self, part_of: Mapping[str, str], *, exclusive: bool) -> dict[_Cell, int]:
        """Return how many works each combination of a balanced part lacks, for exclusive writers or for the others.

        They are those of the combination's size, or one more than the largest has where the part has no size.
        """
        every = {self._cell(hit, part_of) for hit in self._store.campaigns.offered(self._campaign.id, self._number)}
        works = self._works(part_of, exclusive=exclusive)
        missing: dict[_Cell, int] = {}
        for part in self._section.balanced:
            cells = [cell for cell in every if cell.part == part]
            size = self._section.most_exclusive if exclusive and part == TEST else None
            size = self._section.examples.get(part) if size is None else size
            most = (
                max((works[cell] for cell in cells), default=0) + 1 if size is None else -(-size // max(1, len(cells)))
            )
            missing |= {cell: max(0, most - works[cell]) for cell in cells}
        return missing

    def _works(self, part_of: Mapping[str, str], *, exclusive: bool) -> Counter[_Cell]:
        """Count works that may become examples, and one for each HIT that a writer has or that waits for the crowd.

        An exclusive writer's are those of exclusive writers.
        """
        discarded = self._store.standings.discarded(self._campaign.id)
        pending = self._store.assignments.pending(self._campaign.id, Stage.WRITING, self._number)
        found: Counter[_Cell] = Counter()
        for hit, worker in (*self._store.works.hits(self._campaign.id, self._number), *pending):
            if worker not in discarded and (not exclusive or self._division.is_exclusive(worker)):
                found[self._cell(hit, part_of)] += 1
        return found
