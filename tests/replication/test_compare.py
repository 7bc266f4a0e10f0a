"""Ours beside the published figures: which figure is whose, the difference, and the interval."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from beat_the_ai.experiments.datasets import Datasets, prepare
from beat_the_ai.experiments.matrix import Matrix
from beat_the_ai.experiments.plan import Plan, plan
from beat_the_ai.experiments.results import Results
from beat_the_ai.kinds.reading_comprehension.evaluation import SquadEvaluation
from beat_the_ai.kinds.reading_comprehension.samples import QuestionSamples
from beat_the_ai.replication.compare import (
    Key,
    Ours,
    about_sections,
    compared,
    comparison_sections,
    figures_of_matrix,
    mean_of,
)
from beat_the_ai.replication.targets import MatrixRun, replication
from beat_the_ai.statistics.multi_bootstrap import Runs

RUN = MatrixRun(path="", tables=(5, 6, 7, 8), models={"big": "RoBERTa"}, datasets={"easy": "D_SQuAD"})
QUESTIONS = 20


def write_questions(path: Path, place: str) -> None:
    """A passage for each question, whose answer is its number."""
    paragraphs = [
        {
            "context": f"In {place} house {number} has {number} doors.",
            "qas": [
                {
                    "id": f"{place}{number}",
                    "question": f"How many doors has {number}?",
                    "answers": [{"text": f"house {number}", "answer_start": len(f"In {place} ")}],
                }
            ],
        }
        for number in range(QUESTIONS)
    ]
    path.write_text(json.dumps({"data": [{"title": place, "paragraphs": paragraphs}]}))


@pytest.fixture
def planned(tmp_path: Path) -> Plan:
    for name in ("easy", "easy-test", "hard", "hard-dev", "hard-test"):
        write_questions(tmp_path / f"{name}.json", name)
    content: dict[str, Any] = {
        "datasets": {
            "easy": {"train": "easy.json", "test": "easy-test.json"},
            "hard": {"label": "D_BERT", "train": "hard.json", "dev": "hard-dev.json", "test": "hard-test.json"},
        },
        "base": "easy",
        "same_contexts": False,
        "models": {"big": {"train": {"epochs": 1}, "original": {"hard": "onnx:bidaf-small"}}},
        "seeds": [0, 1, 2],
    }
    matrix = Matrix.model_validate_json(json.dumps(content))
    datasets: Datasets = prepare(matrix, QuestionSamples(), tmp_path, tmp_path / "data")
    return plan(matrix, datasets, tmp_path)


def answer(planned: Plan, right: int) -> None:
    """Let each cell answer: a seed more right than the one before, the rest partly right, which is an F1 of 2/3."""
    for cell in planned.cells.values():
        for gold, path in cell.job.golds.items():
            names = [
                one["qas"][0]["id"] for each in json.loads(Path(path).read_text())["data"] for one in each["paragraphs"]
            ]
            numbers = {name: name.lstrip("abcdefghijklmnopqrstuvwxyz-") for name in names}
            known = right + (cell.seed or 0)
            given = {
                name: f"house {numbers[name]}" if place < known else numbers[name] for place, name in enumerate(names)
            }
            cell.answers(gold).parent.mkdir(parents=True, exist_ok=True)
            cell.answers(gold).write_text(json.dumps(given))


def test_each_figure_of_a_matrix_has_its_place_in_the_papers_tables(planned: Plan) -> None:
    answer(planned, right=8)
    found = figures_of_matrix(RUN, planned, Results(SquadEvaluation()))
    rows = {table: {row for row, _ in of} for table, of in found.items()}
    assert rows == {
        "table-5": {("RoBERTa", "D_BERT", "original"), ("RoBERTa", "D_BERT", "retrained")},
        "table-6": {("RoBERTa", "D_SQuAD(10K)"), ("RoBERTa", "D_BERT")},
        "table-7": {("RoBERTa", "D_SQuAD"), ("RoBERTa", "D_SQuAD + D_BERT")},
        "table-8": {("RoBERTa", "D_SQuAD + D_BERT")},
    }
    assert {column for _, column in found["table-5"]} == {"EM", "F1"}
    assert {column for _, column in found["table-7"]} == {"D_SQuAD EM", "D_SQuAD F1", "D_BERT EM", "D_BERT F1"}
    original = found["table-5"][("RoBERTa", "D_BERT", "original"), "EM"]
    assert (original.runs, original.trained_on, original.measured_on) == (None, None, QUESTIONS)
    exact = found["table-6"][("RoBERTa", "D_BERT"), "D_BERT EM"]
    assert (exact.trained_on, exact.measured_on) == (QUESTIONS, QUESTIONS)
    assert exact.value == pytest.approx(100 * 9 / QUESTIONS)  # of 8, 9 and 10
    assert exact.runs == 3
    overlap = found["table-6"][("RoBERTa", "D_BERT"), "D_BERT F1"]
    assert overlap.value == pytest.approx(100 * (9 + 11 * 2 / 3) / QUESTIONS)


def test_the_interval_is_over_seeds_and_examples(planned: Plan) -> None:
    """Against a plain bootstrap of both."""
    answer(planned, right=8)
    found = figures_of_matrix(RUN, planned, Results(SquadEvaluation()))["table-6"][("RoBERTa", "D_BERT"), "D_BERT EM"]
    runs: Runs = np.array([[100.0 if place < 8 + seed else 0.0 for place in range(QUESTIONS)] for seed in range(3)])
    draw = np.random.default_rng(5)
    means = [runs[draw.integers(3, size=3)][:, draw.integers(QUESTIONS, size=QUESTIONS)].mean() for _ in range(4000)]
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])), abs=2)


def test_a_table_of_the_matrix_may_fill_several_published_ones(planned: Plan) -> None:
    answer(planned, right=8)
    run = RUN.model_copy(update={"fills": {"8": ("results", "anli-alone")}})
    found = figures_of_matrix(run, planned, Results(SquadEvaluation()))
    assert found.keys() == {"table-5", "table-6", "table-7", "results", "anli-alone"}
    assert found["results"] == found["anli-alone"]


def test_what_no_cell_has_answered_has_no_figure(planned: Plan) -> None:
    assert figures_of_matrix(RUN, planned, Results(SquadEvaluation())) == {}


def test_the_published_figure_stands_beside_ours_with_the_difference() -> None:
    target = replication("bartolo-2020/table-8")
    row = ("RoBERTa", "D_SQuAD + D_BiDAF + D_BERT + D_RoBERTa")
    ours: dict[str, dict[Key, Ours]] = {
        "table-8": {
            (row, "D_SQuAD F1"): Ours(85.4, 84.0, 87.0, 1, 2000, 500),
            (row, "D_BERT F1"): Ours(60.0, 58.0, 62.0),
        }
    }
    found = {one.published.column: one for one in compared(target, ours)}
    assert len(found) == 4
    near, far, none = found["D_SQuAD F1"], found["D_BERT F1"], found["D_BiDAF F1"]
    assert near.published.value == 86.9
    assert near.difference == pytest.approx(-1.5)
    assert [one.within for one in (near, far, none)] == [True, False, None]
    assert none.difference is None

    [section] = comparison_sections(target, list(found.values()))
    assert section.source == "§4.2"
    assert "deviations" in section.text  # what our copy lacks
    rows = {one[0]: list(one[1:]) for one in section.table.rows}
    name = f"{', '.join(row)}, "
    size = "2,000 train, 500 test, 1 seed"
    assert rows == {
        f"{name}D_SQuAD F1": ["86.9", "85.4 (84.0 to 87.0)", "−1.5, in our interval", size],
        f"{name}D_BERT F1": ["65.1", "60.0 (58.0 to 62.0)", "−5.1", "–"],
    }
    assert section.text.endswith("without ours, which are left out: 2.")


def test_a_table_without_ours_says_how_its_figures_are_named() -> None:
    target = replication("bartolo-2020/table-8")
    [section] = comparison_sections(target, compared(target, {}))
    assert section.table.rows == []
    assert "such as RoBERTa, D_SQuAD + D_BiDAF + D_BERT + D_RoBERTa, D_SQuAD F1" in section.text


def test_where_every_answer_is_wrong_the_interval_has_a_width() -> None:
    found = mean_of(np.zeros((2, 30)), [str(number // 3) for number in range(30)])
    assert (found.value, found.measured_on) == (0.0, 30)
    assert found.low == pytest.approx(0, abs=1e-9)
    assert found.high == pytest.approx(100 * 1.96**2 / (10 + 1.96**2), abs=0.01)  # Wilson's of none in ten contexts


def test_the_page_names_the_models_that_stand_in_for_the_papers(planned: Plan) -> None:
    target = replication("bartolo-2020/table-8")
    model = planned.matrix.models["big"].model_copy(update={"train": {"from": "onnx:small", "max-steps": 3}})
    datasets = {**planned.matrix.datasets, "squad": planned.matrix.datasets["easy"]}
    matrix = planned.matrix.model_copy(update={"models": {"roberta-large": model}, "datasets": datasets})
    found, data = about_sections(target, matrix, Path("mine.yaml"))
    rows = {row[0]: row[1] for row in found.table.rows}
    assert rows["matrix"].startswith("mine.yaml, in place of the target's")
    trained = "trained with --from onnx:small --max-steps 3"
    assert rows["RoBERTa is"] == f"roberta-large, {trained}; what onnx:small was trained on before is not counted"
    assert [row[:3] for row in data.table.rows] == [
        ["squad", "SQuAD v1.1", "87,599 train, 5,278 dev, 5,292 test"],
        ["easy", "a dataset of your own matrix", "–"],
        ["hard", "a dataset of your own matrix", "–"],
    ]


def test_published_figures_keep_the_papers_decimals() -> None:
    target = replication("nie-2019/results")
    ours: dict[str, dict[Key, Ours]] = {
        "results": {(("RoBERTa", "S,M,F,A1,A2,A3"), "MNLI-m accuracy"): Ours(55.0)},
        "anli-alone": {(("RoBERTa", "A1,A2,A3"), "MNLI-m accuracy"): Ours(55.0)},
    }
    shown = [section.table.rows[0][1] for section in comparison_sections(target, compared(target, ours))]
    assert shown == ["91.0", "86"]


def test_a_figure_without_an_interval_is_in_none() -> None:
    target = replication("bartolo-2020/crowd")
    ours: dict[str, dict[Key, Ours]] = {"table-2": {(("D_BiDAF",), "EM"): Ours(62.6)}}
    [found] = [one for one in compared(target, ours) if one.ours is not None]
    assert (found.difference, found.within) == (0.0, None)
