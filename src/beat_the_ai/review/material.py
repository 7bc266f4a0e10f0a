"""What other parts of the suite know of a worker or a question: screenings and validators' votes.

They are taken as they come, through the two protocols below, from a store that has them; others have none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from beat_the_ai.store import Store


class Screenings(Protocol):
    """Newcomers' trainings, and what they answered in them."""

    def of_campaign(self, campaign_id: str) -> Sequence[Any]: ...

    def session(self, assignment_id: str) -> tuple[Any, Sequence[Any]]: ...


class Validations(Protocol):
    """Which questions validators were shown, and what they said."""

    def snapshot(self, campaign_id: str) -> Any: ...


def screenings_of(store: Store, campaign_id: str) -> Iterator[tuple[Any, Sequence[Any]]]:
    """Each screening with its responses, in the order in which they were begun."""
    screenings: Screenings | None = getattr(store, "screenings", None)
    if screenings is not None:
        for screening in screenings.of_campaign(campaign_id):
            yield screenings.session(screening.assignment_id)


def votes_of(store: Store, campaign_id: str) -> dict[str, list[Mapping[str, Any]]]:
    """`{attempt: votes}` of those attempts that were voted on."""
    validations: Validations | None = getattr(store, "validations", None)
    votes: dict[str, list[Mapping[str, Any]]] = {}
    if validations is not None:
        for placed in validations.snapshot(campaign_id).placed:
            if placed.vote is not None and placed.item.attempt_id is not None:
                votes.setdefault(placed.item.attempt_id, []).append({"worker": placed.worker, **placed.vote.vote})
    return votes
