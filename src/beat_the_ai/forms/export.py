"""The answers of a campaign's people as JSON Lines, apart from the dataset and under pseudonyms of their own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from beat_the_ai.files.atomic_write import replacing
from beat_the_ai.files.permissions import private_files
from beat_the_ai.rules.ids import keyed_hash
from beat_the_ai.store import Campaign
from beat_the_ai.terms.campaign import BoundCampaign

Name = Callable[[str, Campaign], str]


def export_answers(campaign: BoundCampaign, path: Path, joined_by: Name | None = None) -> int:
    """Write a line for each answered form, and return how many there are. The file is its owner's alone.

    A line has `person`, `form`, `version`, `title`, `outcome` (given, declined, failed), `at` and `answers`. People
    have pseudonyms that no dataset has, and `at` is a day, so that times join nothing either. With `joined_by` people
    are called as that says, and times are whole.
    """
    count = 0
    with private_files(), replacing(path) as file:
        for line in sorted(_lines(campaign, joined_by)):
            file.write(f"{line}\n".encode())
            count += 1
    return count


def _lines(campaign: BoundCampaign, joined_by: Name | None) -> Iterator[str]:
    """Sorted by pseudonym, lines tell nothing of the order of worker ids."""
    forms = campaign.store.forms.contents(campaign.id)
    for one in campaign.store.forms.all_answers(campaign.id):
        form = forms[one.form]
        shown = {field: form[field] for field in ("version", "title")}
        person = (joined_by or _pseudonym)(one.worker, campaign.record)
        at = one.at.date() if joined_by is None else one.at
        row = {"person": person, "form": form["name"], **shown, "outcome": one.outcome}
        yield json.dumps({**row, "at": at.isoformat(), "answers": one.answers}, ensure_ascii=False)


def _pseudonym(worker: str, campaign: Campaign) -> str:
    return f"p-{keyed_hash(f'forms {worker}', campaign.pseudonym_key)}"
