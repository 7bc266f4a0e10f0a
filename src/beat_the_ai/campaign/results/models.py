"""The models that writers were up against: error rates, answer times, failures and cost of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from statistics import quantiles

from beat_the_ai.analysis.rounds import Errors, is_decided
from beat_the_ai.campaign.results.tried_hits import HitTrial, ModelKey, TriedHit
from beat_the_ai.store import Trouble
from beat_the_ai.terms.campaign import BoundCampaign


@dataclass
class ModelFigures:
    """One model: the error rates of its attempts, and the milliseconds of those answers whose time was measured.

    Cost is in millionths of a US cent, at most. `away_since`: its server does not answer.
    """

    key: ModelKey
    errors: Errors = field(default_factory=Errors)
    answer_ms: list[int] = field(default_factory=list)
    failures: int = 0
    away_since: datetime | None = None
    microcents: int = 0

    @property
    def answer_times(self) -> tuple[float, float] | None:
        """Return the median and the 95th percentile of the answer times, in milliseconds."""
        if len(self.answer_ms) < 2:
            return (float(self.answer_ms[0]),) * 2 if self.answer_ms else None
        cuts = quantiles(self.answer_ms, n=20, method="inclusive")
        return cuts[9], cuts[18]


def models_of(campaign: BoundCampaign, hits: Iterable[TriedHit]) -> list[ModelFigures]:
    """Return every model of the campaign's pools, and each that answered an attempt in these HITs (`tried_hits`).

    A HIT is decided as a whole, whichever models answered in it.
    """
    found = {key: ModelFigures(key) for key in _members(campaign)}
    for hit in hits:
        decided = is_decided(hit.trials)
        for key, trials in _by_model(hit.trials).items():
            figures = found.setdefault(key, ModelFigures(key))
            figures.errors.count(trials, decided=decided)
            if not trials[0].discarded:
                figures.answer_ms += [each.answer_ms for each in trials if each.answer_ms is not None]
    store = campaign.store
    costs, troubles = store.model_answers.spent_by_model(campaign.id), store.model_servers.of_campaign(campaign.id)
    for key, figures in found.items():
        trouble = troubles.get(key.member, Trouble())
        figures.failures, figures.away_since = trouble.failures, trouble.away_since
        figures.microcents = costs.get(key.hash, 0)
    return [found[key] for key in sorted(found)]


def _members(campaign: BoundCampaign) -> Iterable[ModelKey]:
    for each in campaign.rounds.values():
        for model in each.record.models:
            yield ModelKey(model["member"], model["name"], model["hash"])


def _by_model(trials: Iterable[HitTrial]) -> dict[ModelKey, list[HitTrial]]:
    found: defaultdict[ModelKey, list[HitTrial]] = defaultdict(list)
    for each in trials:
        found[each.model].append(each)
    return found
