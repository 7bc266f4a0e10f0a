"""The works of an export that wait for validation, in words."""

from __future__ import annotations

from collections import Counter

from beat_the_ai.dataset.placement import NOT_LOOKED_AT, Placement
from beat_the_ai.dataset.tally import Tally
from beat_the_ai.rules.adjudication import Validity
from beat_the_ai.terms.division import PARTS


def waits_for_validation(placement: Placement, tally: Tally) -> list[str]:
    """Return a sentence for each of what is left out until it is validated, and what is in the dataset unchecked."""
    campaign = placement.campaign
    if campaign.kind.checking is None:
        return []
    rounds = {number: each.terms.validation.parts for number, each in campaign.rounds.items()}
    later = {part for number, parts in rounds.items() if number not in placement.validation.parts for part in parts}
    left_out = Counter[str]({part: tally.dropped[part, NOT_LOOKED_AT] for part in PARTS})
    left_out.update({part: tally.dropped[part, Validity.UNDECIDED.value] for part in PARTS})
    works = campaign.kind.words.works
    sentences = []
    if count := left_out.total():
        sentences.append(
            f"Left out, since they wait for validation (--stage validation): {count} {works}, {_by_part(left_out)}."
        )
    unchecked = Counter[str]({part: tally.unchecked_wins[part] for part in later})
    if count := unchecked.total():
        sentences.append(
            f"Validation has not begun: {count} {works} are in the dataset unchecked, {_by_part(unchecked)}. "
            "Once it begins, they are left out until they are validated (--stage validation)."
        )
    return sentences


def _by_part(counts: Counter[str]) -> str:
    return ", ".join(f"{part} {counts[part]}" for part in PARTS if counts[part])
