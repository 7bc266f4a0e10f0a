"""The progress of each round of a campaign, by the parts of its dataset."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from beat_the_ai.analysis.rounds import Errors
from beat_the_ai.campaign.money.on_hold import at_work
from beat_the_ai.campaign.results.tried_hits import TriedHit
from beat_the_ai.payments import HeldBack
from beat_the_ai.store import Round, Totals
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.division import PARTS


@dataclass
class Split:
    """The progress of one part of a round: contexts, HITs by state, attempts, and the works that others check."""

    contexts: int = 0
    hits: int = 0
    hits_at_work: int = 0
    hits_submitted: int = 0
    errors: Errors = field(default_factory=Errors)
    checked: Totals = field(default_factory=Totals)


@dataclass(frozen=True)
class RoundSplits:
    """A round, its parts by name, and the validation HITs that somebody is at work on."""

    record: Round
    splits: Mapping[str, Split]
    validation_at_work: int


def splits_by_round(
    campaign: BoundCampaign, part_of: Mapping[str, str], hits: Iterable[TriedHit], held: Iterable[HeldBack]
) -> list[RoundSplits]:
    """Return the progress of each round: attempts and works without those of revoked writers, HITs with them.

    `part_of` has the part of each context, `hits` those that count (`tried_hits`), `held` what is not paid by itself.
    """
    store = campaign.store
    found: defaultdict[tuple[int, str], Split] = defaultdict(Split)
    checked = store.works.totals_by_context(campaign.id, store.standings.discarded(campaign.id))
    round_of = dict[str, int]()
    for context_id, (number, offered, done) in store.campaigns.numbers_by_context(campaign.id).items():
        round_of[context_id] = number
        split = found[number, part_of[context_id]]
        split.contexts += 1
        split.hits += offered
        split.hits_submitted += done
        split.checked += checked.get(context_id, Totals())
    for hit in hits:
        found[hit.round, hit.part].errors.add(hit.trials)
    busy = at_work(campaign, held)
    for context_id in store.campaigns.context_of(each.hit for each in busy if not each.is_validation).values():
        found[round_of[context_id], part_of[context_id]].hits_at_work += 1
    validating = Counter(each.round for each in busy if each.is_validation)
    return [
        RoundSplits(
            each.record,
            {part: found[number, part] for part in PARTS if (number, part) in found},
            validating[number],
        )
        for number, each in campaign.rounds.items()
    ]
