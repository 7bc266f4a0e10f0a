"""The kind of task of a campaign, as its current round has it."""

from __future__ import annotations

from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.registry import bind
from beat_the_ai.store import Store

OPTIONS = (("task", "options"), ("validation", "rules"))  # where a round's configuration has what `bind` takes


def current_kind(store: Store, campaign_id: str) -> Kind:
    """Return the campaign's kind of task with the options of its current round. Raises as `bind`."""
    config = store.rounds.current(campaign_id).config
    return bind(
        store.campaigns.get(campaign_id).kind_place,
        *((config.get(section) or {}).get(name, {}) for section, name in OPTIONS),
    )
