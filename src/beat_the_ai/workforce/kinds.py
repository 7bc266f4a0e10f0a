"""The kind of task of a campaign, as its current round has it."""

from __future__ import annotations

from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.registry import bind
from beat_the_ai.store import Campaign, Store

OPTIONS = (("task", "options"), ("validation", "rules"))  # where a round's configuration has what `bind` takes


def current_kind(store: Store, campaign: Campaign) -> Kind:
    """Return the campaign's kind of task with the options of its current round. Raises as `bind`."""
    config = store.rounds.current(campaign.id).config
    return bind(
        campaign.kind_place,
        *((config.get(section) or {}).get(name, {}) for section, name in OPTIONS),
    )
