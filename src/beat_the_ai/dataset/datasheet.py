"""The datasheet in a data card (Gebru et al. 2018): its questions, answered from what is known or by the requester.

Beside it all settings of the rounds, as they were checked when they were read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from beat_the_ai.dataset.tally import Tally
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.config_group import leaves
from beat_the_ai.terms.division import PARTS

OPEN = "The requester has not said."
SECTIONS = ("task", "language", "qualification", "round", "pay", "dataset", "validation", "review")
HIDDEN = ("dataset.exclusive_writers",)  # people
WORDS_ALONE = re.compile(r"[\w .,%+-]{0,200}")  # no places of files, no addresses
NOT_SHOWN = "set, not shown here"


def answers(campaign: BoundCampaign, tally: Tally) -> Iterator[tuple[str, str]]:
    """Yield (question, answer), the requester's text as it was given; nothing in it is text from workers."""
    release, words = campaign.release, campaign.kind.words
    examples = sum(tally.examples[part] for part in PARTS)
    yield "Why was the dataset created, by whom, and who funded it?", release.motivation or OPEN
    yield (
        "What do the instances represent, and how many are there?",
        f"Each is a {words.work}: {examples:,} of them, on {len(_contexts(tally)):,} {words.contexts}. All "
        f"{tally.all_attempts:,} attempts are in a table beside them.",
    )
    yield (
        "Is any information missing?",
        "“Not in the dataset” lists what was left out, and why. Writers have pseudonyms, whose key is not published.",
    )
    yield (
        "Might it contain offensive or personal content?",
        "Anonymous people wrote its texts, and nobody has checked all of them for that.",
    )
    yield "How was it collected, when, and what were people paid?", _collected(campaign, tally)
    yield (
        "Did people consent, and can they withdraw?",
        _consent(campaign),
    )
    yield "What should it be used for, and what not?", release.uses or OPEN
    yield "Under which licence may it be shared?", _licence(campaign)
    yield "Who maintains it, and will it change?", release.maintenance or OPEN


def _contexts(tally: Tally) -> set[bytes]:
    return set().union(*(tally.contexts[part] for part in PARTS))


def _collected(campaign: BoundCampaign, tally: Tally) -> str:
    when = f", from {tally.first_at:%Y-%m-%d} to {tally.last_at:%Y-%m-%d} (UTC)" if tally.first_at else ""
    who = "simulated people" if campaign.record.simulated else f"people of the crowd “{campaign.crowd.provider}”"
    return f"By {who}{when}; see “How it was collected”, and “Settings” for the pay."


def _consent(campaign: BoundCampaign) -> str:
    if campaign.record.simulated:
        return "No people took part."
    before = campaign.settings(campaign.current.record.number).get("forms", {}).get("before", ())
    named = ", ".join(Path(name).stem for name in before)
    asked = f"Everybody filled in these forms before the first HIT: {named}." if named else "They were shown no form."
    return f"{asked} Work that is erased at its writer's request is in no later export."


def _licence(campaign: BoundCampaign) -> str:
    name = campaign.release.license
    return f"{name}." if name else "No licence is named, so nobody may share it."


def settings(campaign: BoundCampaign) -> Iterator[tuple[str, str]]:
    """Yield (setting, value) of the campaign and its rounds; what differs between rounds is named with its round."""
    yield "seed", str(campaign.seed)
    rounds = {number: _told(campaign, number) for number in campaign.rounds}
    for key in dict.fromkeys(key for each in rounds.values() for key in each):
        values = {number: each[key] for number, each in rounds.items() if key in each}
        if len(set(values.values())) == 1 and len(values) == len(rounds):
            yield key, next(iter(values.values()))
        else:
            yield key, "; ".join(f"round {number}: {value}" for number, value in values.items())


def _told(campaign: BoundCampaign, number: int) -> dict[str, str]:
    known = campaign.settings(number)
    chosen = {name: known[name] for name in SECTIONS if name in known}
    return {key: _shown(key, value) for key, value in leaves(chosen) if value is not None}


def _shown(key: str, value: Any) -> str:
    if key in HIDDEN and value:
        return NOT_SHOWN
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    plain = text if isinstance(value, str) else re.sub(r"[][{}\":]", "", text)
    return text if WORDS_ALONE.fullmatch(plain) else NOT_SHOWN
