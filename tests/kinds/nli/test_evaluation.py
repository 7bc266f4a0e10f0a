from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.analysis.breakdown import Breakdown
from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.evaluation import InferenceEvaluation
from beat_the_ai.kinds.nli.labels import Pair, Prediction, Probabilities
from beat_the_ai.statistics.intervals import wilson

GOLD = [
    ("a", "entailment", "fiction"),
    ("b", "entailment", "fiction"),
    ("c", "neutral", "news"),
    ("d", "contradiction", "news"),
    ("x", "-", "news"),
]


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.jsonl"
    rows = [
        {"sentence1": f"Premise {name}.", "sentence2": "It holds.", "gold_label": label, "pairID": name, "genre": genre}
        for name, label, genre in GOLD
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def test_a_model_is_asked_about_every_pair_with_a_label(gold: Path) -> None:
    queries = InferenceEvaluation().queries(gold)
    assert queries[0] == ("a", Pair(premise="Premise a.", hypothesis="It holds."))
    assert [name for name, _ in queries] == ["a", "b", "c", "d"]


def test_accuracy_is_given_in_all_by_label_and_by_genre(gold: Path) -> None:
    answers = {"a": "entailment", "b": "neutral", "c": "n", "d": "CONTRADICTION", "of another file": "e"}
    scores = Breakdown(InferenceEvaluation().measured(gold, answers))
    figures = scores.figures
    assert figures["accuracy"] == 75
    assert {(group.by, group.name): group.figures["accuracy"].value for group in scores.groups} == {
        ("label", "contradiction"): 100,
        ("label", "entailment"): 50,
        ("label", "neutral"): 100,
        ("genre", "fiction"): 50,
        ("genre", "news"): 100,
    }
    low, high = wilson(3, 4)
    assert (figures["accuracy_low"], figures["accuracy_high"]) == (100 * low, 100 * high)
    # F1: entailment 2·1/(2+1), neutral 2·1/(1+2), contradiction 1
    assert figures["macro_f1"] == pytest.approx(100 * (2 / 3 + 2 / 3 + 1) / 3)
    assert (figures["pairs"], figures["missing"], figures["without_label"]) == (4, 0, 1)


def test_each_pair_is_marked_as_the_accuracy_counts_it(gold: Path) -> None:
    answers = {"a": "entailment", "b": "neutral", "c": "n", "of another file": "e"}
    assert InferenceEvaluation().measured(gold, answers).marks == {"accuracy": {"a": 1, "b": 0, "c": 1, "d": 0}}


def test_what_has_no_prediction_is_wrong_and_said_to_be_missing(gold: Path) -> None:
    scores = Breakdown(InferenceEvaluation().measured(gold, {"a": "e"}))
    assert (scores.figures["accuracy"], scores.figures["missing"]) == (25, 3)
    assert scores.words[0].startswith("accuracy 25.00% (95% interval ")
    assert "3 pairs have no prediction and count as wrong." in scores.words
    assert "1 pairs without a gold label were left out." in scores.words


@pytest.mark.parametrize(
    "answer", ["maybe", 0, {"score": 0.9}, ["e", "n"], {"label": 2}, [{"label": "e"}, {"label": "n"}]]
)
def test_an_answer_that_is_no_label_is_refused(gold: Path, answer: Any) -> None:
    with pytest.raises(InvalidInput, match=r"The answer to 'a' is ") as refused:
        InferenceEvaluation().measured(gold, {"a": answer})
    assert refused.value.field == "PREDICTIONS"


@pytest.mark.parametrize(
    "answer",
    [
        {"label": "contradiction", "score": 0.9},
        {"label": "entailment", "prediction": "CONTRADICTION"},
        [{"label": "neutral", "score": 0.1}, {"label": "contradiction", "score": 0.8}],
        {"entailment": 0.1, "neutral": 0.2, "contradiction": 0.7},
    ],
)
def test_an_answer_of_a_pipeline_is_its_label(gold: Path, answer: Any) -> None:
    assert InferenceEvaluation().measured(gold, {"d": answer}).marks["accuracy"]["d"] == 1


def test_an_answer_of_null_is_missing(gold: Path) -> None:
    assert InferenceEvaluation().measured(gold, {"a": "e", "b": None}).missing == 3


def test_answers_of_other_pairs_are_counted_and_answers_of_no_pair_are_refused(gold: Path) -> None:
    scores = Breakdown(InferenceEvaluation().measured(gold, {"a": "e", "x": "e", "y": "e"}))
    assert scores.figures["foreign"] == 1
    assert "1 predictions have an id that is not in the gold file, and are left out." in scores.words
    with pytest.raises(InvalidInput, match=r"None of the 1 predictions has an id of .*gold\.jsonl.*'a', 'b', 'c'"):
        InferenceEvaluation().measured(gold, {"1": "e"})


def test_an_answer_in_a_file_is_the_label() -> None:
    shares = Probabilities(entailment=0.1, neutral=0.2, contradiction=0.7)
    assert InferenceEvaluation().answer(Prediction(label="contradiction", probabilities=shares)) == "contradiction"


def test_pairs_that_share_a_premise_are_no_independent_observations(tmp_path: Path) -> None:
    path = tmp_path / "A1.jsonl"
    rows = [
        {"uid": f"{n}", "context": f"Premise {n // 3}.", "hypothesis": f"{n}.", "label": "enc"[n % 3], "emturk": n < 6}
        for n in range(30)
    ]
    path.write_text("".join(f"{json.dumps({**row, 'tag': 'R1', 'genre': '', 'model_label': 'e'})}\n" for row in rows))
    scores = Breakdown(InferenceEvaluation().measured(path, {f"{n}": "e" for n in range(30)}))
    assert scores.intervals == "95% intervals: jackknife of 10 premises."
    assert {group.by for group in scores.groups} == {"label", "exclusive", "beat the model"}
    assert [(group.name, group.items) for group in scores.groups if group.by == "exclusive"] == [("no", 24), ("yes", 6)]
    beaten = {group.name: group.items for group in scores.groups if group.by == "beat the model"}
    assert beaten == {"no": 10, "yes": 20}
