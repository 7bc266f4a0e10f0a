"""Too few contexts for the workers of a rehearsal are told, with what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from beat_the_ai.campaign.settings.configuration import Settings, read_settings
from beat_the_ai.campaign.settings.planned_round import load_contexts
from beat_the_ai.rehearsal.shortage import shortage_of_contexts
from scripts.imports import ROOT

TASK = ROOT / "tasks" / "reading_comprehension"


def settings(out: Path, *overrides: str) -> Settings:
    return read_settings(TASK, list(overrides), out=out)


def test_enough_contexts_are_no_word_worth(tmp_path: Path) -> None:
    contexts = len(load_contexts(settings(tmp_path)))
    for overrides in (
        [],
        [f"round.max_hits={contexts}"],
        [f"round.max_hits={contexts + 1}", "round.hits_per_context=2"],
    ):
        assert shortage_of_contexts(settings(tmp_path, *overrides), 10) is None


def test_contexts_that_run_out_are_told_with_what_to_do(tmp_path: Path) -> None:
    contexts = len(load_contexts(settings(tmp_path)))
    told = shortage_of_contexts(settings(tmp_path, "round.max_hits=200"), 20)
    assert told is not None
    assert f"the {contexts} of sample.jsonl give {contexts} HITs, and 200 are wanted" in told
    for cure in ("contexts=FILE", "round.hits_per_context=N", f"--workers {20 * contexts // 200}"):
        assert cure in told


@pytest.mark.parametrize("workers", [1, 2])
def test_nobody_is_told_to_let_no_one_work(tmp_path: Path, workers: int) -> None:
    told = shortage_of_contexts(settings(tmp_path, "round.max_hits=2000"), workers)
    assert told is not None
    assert "--workers 1" in told
