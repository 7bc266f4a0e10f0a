"""`rehearse` with arms: drawn, served, paid and reported by arm, from the page to the report."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from beat_the_ai.payments import Ledger
from beat_the_ai.rehearsal.campaign import REHEARSAL
from beat_the_ai.rules.stage import Stage
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import campaign_store
from tests.cli.test_rehearse import TASK, rehearse
from tests.reports import unexplained

ARMS = (
    "round.arms={model: {}, human: {shows_model: false, round: {wins_wanted: 2, max_wins: 2}}, "
    "paid: {pay: {bonus_cents_per_win: 30}, round: {max_tries: 6}, suggestions: made.jsonl}}"
)
WORKERS = 4
SUGGESTED = ("Where do they go in the end?", "What is this passage mostly about?", "Which of them came first in time?")


@pytest.fixture(scope="module")
def rehearsed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rehearsal")
    out, task = folder / "arms", copytree(TASK, folder / "task")
    passages = map(json.loads, (task / "contexts" / "sample.jsonl").read_text("utf-8").splitlines())
    rows = [{"context_id": one["id"], "model": "gpt", "question": text} for one in passages for text in SUGGESTED]
    (task / "made.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    result = rehearse(out, ARMS, "--workers", str(WORKERS), "--seed", "5", task=task)
    assert (result.returncode, result.stderr) == (0, "")
    assert re.search(r"suggestions in arm paid: \d+; 0 of \d+ HITs have none", result.stdout)
    assert re.search(r"arm human .* workers", result.stdout)
    assert "Do the arms differ? Round 1" in result.stdout
    return out


@pytest.fixture(scope="module")
def rows(rehearsed: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (rehearsed / "attempts.jsonl").read_text("utf-8").splitlines()]


def test_each_worker_has_one_arm_and_they_are_balanced(rehearsed: Path, rows: list[dict[str, Any]]) -> None:
    pairs = {(row["worker"], row["arm"]) for row in rows}
    assert len(pairs) == len({worker for worker, _ in pairs}) == WORKERS
    assert sorted(Counter(arm for _, arm in pairs).values()) == [1, 1, 2]
    with campaign_store(str(rehearsed)) as store:
        drawn = store.arms.drawn(REHEARSAL)
        written = store.assignments.confirmed(REHEARSAL, Stage.WRITING)
        assert {(one.round, one.worker): one.arm for one in written} == drawn
        assert {one.arm for one in store.assignments.confirmed(REHEARSAL, Stage.VALIDATION)} == {None}


def test_hits_end_as_their_arm_has_it(rows: list[dict[str, Any]]) -> None:
    for assignment in {row["assignment"] for row in rows}:
        of_hit = [row for row in rows if row["assignment"] == assignment]
        kept = [row for row in of_hit if not row["retracted"]]
        if of_hit[0]["arm"] == "human":
            assert len(kept) <= 2
        if of_hit[0]["arm"] == "paid":
            assert len(of_hit) <= 6
    human = [row for row in rows if row["arm"] == "human"]
    assert {row["fooled"] for row in human} == {True, False}  # what the model said is known, and was not shown
    assert all(row["prediction"] for row in human)


def test_what_writers_made_of_suggestions_is_that_of_their_arm_alone(rows: list[dict[str, Any]]) -> None:
    made_of = [row for row in rows if row["suggestion"] is not None]
    assert {row["arm"] for row in made_of} == {"paid"}
    assert {row["work"]["question"] in SUGGESTED for row in made_of} == {True}
    assert {(row["suggestion"]["edited"], row["suggestion"]["distance"]) for row in made_of} == {(False, 0)}
    own = [row for row in rows if row["suggestion"] is None]
    assert {row["work"]["question"] in SUGGESTED for row in own} == {False}


def test_bonuses_are_paid_to_the_arm_that_was_promised_them(rehearsed: Path, rows: list[dict[str, Any]]) -> None:
    with campaign_store(str(rehearsed)) as store:
        campaign = BoundCampaign.open(store, REHEARSAL)
        made_in = {(one.worker, one.crowd_assignment): one for one in store.assignments.confirmed(REHEARSAL)}
        paid = [one for one in Ledger(store.database, campaign.id).payments() if one.key.purpose != "reward"]
        by_assignment = {made_in[one.key.worker, one.key.assignment].id: one.cents for one in paid}
    won = Counter(row["assignment"] for row in rows if row["arm"] == "paid" and row["fooled"] and not row["retracted"])
    assert won
    assert by_assignment == {assignment: 30 * wins for assignment, wins in won.items()}


def test_every_figure_of_report_and_card_follows_from_the_files_alone(rehearsed: Path) -> None:
    assert unexplained(rehearsed) == []
