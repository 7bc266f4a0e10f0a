"""Models measured in the course of questions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.analysis.breakdown import Breakdown
from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.quizbowl.evaluation import GuessEvaluation

TEXT = "one two three four five six seven eight"


def asked(name: str, page: str, **more: Any) -> dict[str, Any]:
    return {"qanta_id": name, "text": TEXT, "page": page, "category": "Science", **more}


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    rows = [
        asked("a", "Heart", tournament="Round 1", model="ir"),
        asked("b", "Heart", tournament="Round 2", model="ir"),
        asked("c", "Saturn", tournament="Round 2", model="dan"),
        {**asked("d", "Saturn"), "page": None},
    ]
    path = tmp_path / "gold.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def test_accuracy_is_that_of_the_best_guess_after_a_share_of_the_words(gold: Path) -> None:
    answers = {"a": [[2, "Heart"]], "b": [[1, "Lung"], [4, "Heart"], [6, "Lung"], [8, "Heart"]], "x": [[1, "Heart"]]}
    scores = Breakdown(GuessEvaluation().measured(gold, answers))
    figures = scores.figures
    assert [figures[f"accuracy.{share}"] for share in (25, 50, 75, 100)] == pytest.approx(
        [100 / 3, 200 / 3, 100 / 3, 200 / 3]
    )
    assert (figures["first_right"], figures["right_from"]) == (100 * (2 / 8 + 4 / 8) / 2, 100 * (2 / 8 + 8 / 8) / 2)
    assert [figures[name] for name in ("questions", "pages", "missing", "foreign")] == [3, 2, 1, 1]
    assert "1 questions without a page are left out." in scores.words
    assert scores.intervals == "95% intervals: jackknife of 2 pages."


def test_groups_are_rounds_and_models_where_they_differ(gold: Path) -> None:
    scores = Breakdown(GuessEvaluation().measured(gold, {"c": [[1, "Saturn"]]}))
    found = {(group.by, group.name): group.figures["accuracy.25"].value for group in scores.groups}
    assert found == {
        ("round", "Round 1"): 0,
        ("round", "Round 2"): 50,
        ("model in the loop", "dan"): 100,
        ("model in the loop", "ir"): 0,
    }


def test_guesses_after_the_end_of_a_question_are_refused(gold: Path) -> None:
    with pytest.raises(InvalidInput, match="from word 9 on, and the question has 8"):
        GuessEvaluation().measured(gold, {"a": [[9, "Heart"]]})
