"""Exclusive writers: their work is in the test part alone, in all rounds of a campaign, and they stay exclusive."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.dataset.placement import parts_of
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.division import TEST

SHOWN = 5  # workers in a message


def check_exclusive_writers(campaign: BoundCampaign, settings: Settings) -> None:
    """Raise `InvalidInput` unless a round keeps the exclusive writers of the rounds before, and adds no one whose work
    counts outside of the test part.
    """
    _check_all_stay(campaign, settings)
    division = settings.dataset.division(settings.seed)
    known = campaign.current.division
    if division.exclusive_writers <= known.exclusive_writers and division.exclusive_share <= known.exclusive_share:
        return
    outside = _writers_outside_test(campaign)
    added = sorted(each for each in outside if division.is_exclusive(each) and not known.is_exclusive(each))
    if added:
        raise InvalidInput(
            "dataset.exclusive_writers" if set(added) & division.exclusive_writers else "dataset.exclusive_share",
            f"Work of {_shown(added)} counts in train or dev, and work of exclusive writers is in test alone, in all "
            "rounds of a campaign. Name only workers who have written nothing yet, or for test alone.",
        )


def _check_all_stay(campaign: BoundCampaign, settings: Settings) -> None:
    earlier = [each.terms.dataset for number, each in campaign.rounds.items() if number < settings.round.number]
    missing = {name for each in earlier for name in each.exclusive_writers} - set(settings.dataset.exclusive_writers)
    if missing:
        raise InvalidInput(
            "dataset.exclusive_writers",
            f"{_shown(sorted(missing))} was exclusive in an earlier round, and an exclusive writer stays one for the "
            "whole campaign. Name all earlier exclusive writers, and new ones beside them.",
        )
    share = max((each.exclusive_share for each in earlier), default=0.0)
    if settings.dataset.exclusive_share < share:
        raise InvalidInput(
            "dataset.exclusive_share",
            f"{settings.dataset.exclusive_share} was given, and it was {share} in an earlier round. Exclusive writers "
            f"stay exclusive for the whole campaign: give {share} or more.",
        )


def _writers_outside_test(campaign: BoundCampaign) -> set[str]:
    """Return the workers some of whose work counts in train or dev, revoked or not."""
    part_of = parts_of(campaign)
    return {worker for context, worker in campaign.store.attempts.writers(campaign.id) if part_of[context] != TEST}


def check_no_exclusive_work(campaign: BoundCampaign, number: int, files: Iterable[Path]) -> None:
    """Raise `Refused` where one of these files of train or dev examples holds work of an exclusive writer."""
    store, division = campaign.store, campaign.rounds[number].division
    exclusive = {worker for _, worker in store.attempts.writers(campaign.id) if division.is_exclusive(worker)}
    ids = {row.attempt.id for worker in exclusive for row in store.attempts.of_campaign(campaign.id, worker)}
    for path in files if ids else ():
        with path.open(encoding="utf-8") as lines:
            found = sum(not ids.isdisjoint(filter(_is_text, json.loads(line).values())) for line in lines)
        if found:
            raise Refused(
                f"{path} holds {found} examples of exclusive writers, whose work is in test alone, in all rounds of a "
                "campaign. An exclusive writer has to be named before anything else of theirs counts."
            )


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _shown(workers: list[str]) -> str:
    more = f" and {len(workers) - SHOWN} more" if len(workers) > SHOWN else ""
    return ", ".join(workers[:SHOWN]) + more
