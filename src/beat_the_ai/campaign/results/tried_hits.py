"""The HITs of a campaign that count, with what was tried in them: the basis of its error rates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from beat_the_ai.campaign.results.outcomes import CampaignOutcomes
from beat_the_ai.rules.adjudication import is_confirmed, validity
from beat_the_ai.store import HandedIn, TriedWork
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.validation import AdjudicatedWorks


class ModelKey(NamedTuple):
    """A model under the name that a pool has for it."""

    member: str
    name: str
    hash: str


class HitTrial(NamedTuple):
    """An attempt that was not taken back, as far as error rates go (`rules.dataset.Trial`), and who answered it."""

    ordinal: int
    seconds: float
    fooled: bool
    confirmed: bool | None
    is_checked: bool
    discarded: bool
    writer: str
    model: ModelKey
    answer_ms: int | None


class TriedHit(NamedTuple):
    """A HIT that counts, in which something was tried. `part` is that of its context."""

    worker: str
    round: int
    part: str
    seconds: float
    submitted_at: datetime
    trials: Sequence[HitTrial]


def tried_hits(campaign: BoundCampaign, part_of: dict[str, str]) -> list[TriedHit]:
    """Return the HITs in the order of their submission, without those of revoked writers, from the store alone.

    `part_of` has the part of each context.
    """
    adjudicated = AdjudicatedWorks(campaign)
    adjudicated.adjudicate()
    discarded = adjudicated.discarded_writers
    checked = CampaignOutcomes(campaign).validation.parts
    tried: defaultdict[str, list[TriedWork]] = defaultdict(list)
    for work in campaign.store.verdict_feed.tried(campaign.id):
        tried[work.assignment_id].append(work)
    found = []
    for hit in campaign.store.verdict_feed.handed_in(campaign.id):
        if works := tried.get(hit.assignment_id):
            part, seconds = part_of[hit.context_id], (hit.submitted_at - hit.accepted_at).total_seconds()
            is_checked, is_discarded = part in checked.get(hit.round, ()), hit.worker in discarded
            trials = [_trial(work, hit, is_checked=is_checked, is_discarded=is_discarded) for work in works]
            found.append(TriedHit(hit.worker, hit.round, part, seconds, hit.submitted_at, trials))
    return found


def _trial(work: TriedWork, hit: HandedIn, *, is_checked: bool, is_discarded: bool) -> HitTrial:
    seconds = (work.created_at - hit.accepted_at).total_seconds()
    model = ModelKey(work.member, work.model_name, work.model_hash)
    confirmed = _is_confirmed(work)
    return HitTrial(
        work.ordinal, seconds, work.fooled, confirmed, is_checked, is_discarded, hit.worker, model, work.answer_ms
    )


def _is_confirmed(work: TriedWork) -> bool | None:
    kept, settled = work.kept, work.settled
    return is_confirmed(None if kept is None else validity(kept=kept, settled=bool(settled)), work.admitted)
