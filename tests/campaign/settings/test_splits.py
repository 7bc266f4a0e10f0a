"""A campaign against another model takes its parts from an earlier one (Bartolo et al. 2020, §3.2)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from beat_the_ai.campaign.service.hits import create_hits
from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import begin_or_resume
from beat_the_ai.dataset.contexts import contexts
from beat_the_ai.dataset.placement import Placement, parts_of
from beat_the_ai.errors import InvalidInput
from beat_the_ai.store import Store
from beat_the_ai.terms.campaign import BoundCampaign
from tests.cli.launching import TASK


def begun(store: Store, out: Path, *overrides: str) -> dict[str, str]:
    """Return the parts of a campaign's contexts, which are as its plan foretold."""
    planned = PlannedRound(store, read_settings(TASK, ["round.max_hits=20", *overrides], out=out))
    forecast = planned.part_sizes()
    campaign = begin_or_resume(planned)
    create_hits(planned)
    part_of = parts_of(BoundCampaign.open(store, campaign.id))
    assert Counter(part_of.values()) == forecast
    return part_of


def test_two_campaigns_have_the_same_contexts_in_the_same_parts(store: Store, tmp_path: Path) -> None:
    first = begun(store, tmp_path, "name=first", "dataset.train=1")
    file = tmp_path / "contexts.jsonl"
    rows = [row.model_dump_json() for row in contexts(Placement(BoundCampaign.open(store, "first"))).rows]
    file.write_text("\n".join(rows), "utf-8")
    given = ("name=second", "dataset.train=9", f"dataset.splits={file}")
    assert begun(store, tmp_path, *given) == first
    assert begun(store, tmp_path, "name=third", "dataset.train=9") != first

    file.write_text("\n".join(rows[1:]), "utf-8")
    assert begun(store, tmp_path, *given) == first  # what is on offer keeps its part
    planned = PlannedRound(store, read_settings(TASK, ["name=fourth", *given[1:]], out=tmp_path))
    with pytest.raises(InvalidInput, match="does not name the part of"):
        planned.part_sizes()
