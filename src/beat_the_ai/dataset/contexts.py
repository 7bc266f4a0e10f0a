"""The table of contexts: the part of each, whether anybody has written on it or not."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from beat_the_ai.dataset.further import FurtherTable
from beat_the_ai.dataset.placement import Placement
from beat_the_ai.rules.protocol import Value

ABOUT = "The table of contexts has every context that was offered. Another campaign can take its split from it."


class ContextRow(Value):
    """One context."""

    context_id: str = Field(description="the context's id, as in the table of attempts")
    round: int = Field(description="the round's number, from 1")
    part: str = Field(description="the part of its examples: train, dev or test")
    part_by: str = Field(description="as in the table of attempts")


def contexts(placement: Placement) -> FurtherTable:
    """Return the contexts of a campaign by round, in the order of their ids."""
    return FurtherTable("contexts", ContextRow, _rows(placement), ABOUT)


def _rows(placement: Placement) -> Iterator[Value]:
    campaign = placement.campaign
    for number, texts in sorted(campaign.store.campaigns.texts(campaign.id).items()):
        for text in texts:
            part_by = placement.part_by(text.id, number)
            yield ContextRow(context_id=text.id, round=number, part=placement.part_of[text.id], part_by=part_by)
