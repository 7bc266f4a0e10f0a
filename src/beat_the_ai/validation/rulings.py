"""By which rules the votes of each round of a campaign are counted."""

from __future__ import annotations

from collections.abc import Mapping

from beat_the_ai.rules import adjudicator
from beat_the_ai.rules.adjudication import Adjudicator
from beat_the_ai.store import Campaign, Store

Rulings = Mapping[int, Adjudicator]  # by round


def rulings_or_default(store: Store, campaign: Campaign, rulings: Rulings | None) -> Rulings:
    """The defaults of the campaign's task where none are given."""
    if rulings is not None:
        return rulings
    return {each.number: adjudicator(campaign.task) for each in store.rounds.of_campaign(campaign.id)}
