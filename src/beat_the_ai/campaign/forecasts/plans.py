"""A round as its settings plan it, for a forecast."""

from __future__ import annotations

import tempfile
from collections import Counter
from contextlib import closing

from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.forecast.plan import Plan
from beat_the_ai.store import open_store
from beat_the_ai.terms.division import PARTS


def plan_of(planned: PlannedRound) -> Plan:
    """Return the plan of a round. Raises as `PlannedRound.contexts`."""
    settings, contexts = planned.settings, planned.contexts()
    part_of, checking = planned.parts(contexts), settings.kind.checking
    hits = Counter(part_of[context_id] for context_id, _ in planned.slots(contexts))
    return Plan(
        campaign=settings.name,
        contexts=len(contexts),
        hits_by_part={part: hits[part] for part in PARTS},
        tariff=settings.terms.tariff(settings.kind).dearest,
        reoffers=settings.round.reoffers,
        checked=settings.validation.parts if checking is not None else (),
        works_per_hit=settings.validation.terms.works_per_hit,
        most_votes=0 if checking is None else checking.most_votes,
        places=settings.qualification.places,
        screening_reward_cents=settings.qualification.reward_cents,
        cap_cents=settings.pay.cap_cents,
        unit=settings.crowd.unit,
        is_balanced=bool(settings.dataset.balanced),
        wanted=settings.dataset.examples,
    )


def plan_of_settings(settings: Settings) -> Plan:
    """Return the plan of a campaign that has not begun. Raises as `PlannedRound.contexts`."""
    with tempfile.TemporaryDirectory() as folder, closing(open_store(f"sqlite:///{folder}/plan.db")) as store:
        return plan_of(PlannedRound(store, settings))
