from __future__ import annotations

import json
from pathlib import Path

import pytest

from beat_the_ai.analysis.breakdown import Breakdown
from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.reading_comprehension.evaluation import SquadEvaluation

PASSAGE = "Rome was founded in 753 BC by Romulus."
ANSWERS = {"who": "Romulus", "when": "753 BC"}


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    asked = [
        {"id": name, "question": f"{name}?", "answers": [{"text": text, "answer_start": PASSAGE.index(text)}]}
        for name, text in ANSWERS.items()
    ]
    path = tmp_path / "gold.json"
    path.write_text(json.dumps({"data": [{"title": "", "paragraphs": [{"context": PASSAGE, "qas": asked}]}]}))
    return path


def test_each_question_is_marked_as_the_figures_count_it(gold: Path) -> None:
    evaluation, answers = SquadEvaluation(), {"who": "by Romulus", "when": "753 BC"}
    marks = evaluation.measured(gold, answers).marks
    assert marks == {"EM": {"who": 0, "when": 1}, "F1": {"who": pytest.approx(2 / 3), "when": 1}}
    figures = Breakdown(evaluation.measured(gold, answers)).figures
    assert figures["exact_match"] == pytest.approx(100 * sum(marks["EM"].values()) / 2)
    assert figures["f1"] == pytest.approx(100 * sum(marks["F1"].values()) / 2)
    assert evaluation.measured(gold, {}).marks["F1"] == {"who": 0, "when": 0}


def test_an_answer_that_is_no_text_is_refused(gold: Path) -> None:
    with pytest.raises(InvalidInput, match="is no text"):
        SquadEvaluation().measured(gold, {"who": 7.5})
