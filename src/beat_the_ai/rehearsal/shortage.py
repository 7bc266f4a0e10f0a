"""A word for rehearsals whose contexts are too few for the HITs that were wanted."""

from __future__ import annotations

from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.campaign.settings.planned_round import load_contexts, number_of_hits


def shortage_of_contexts(settings: Settings, workers: int) -> str | None:
    """Return how many HITs the contexts lack for these workers, and what to do; None where they suffice."""
    wanted, contexts = settings.round.max_hits, load_contexts(settings)
    offered = number_of_hits(settings, contexts)
    if wanted is None or offered >= wanted:
        return None
    fewer = max(1, workers * offered // wanted)
    return (
        f"The contexts run out: the {len(contexts):,} of {settings.contexts.name} give {offered:,} HITs, "
        f"and {wanted:,} are wanted. Name more (contexts=FILE), offer each to more writers (round.hits_per_context=N), "
        f"or let fewer people work (--workers {fewer})."
    )
