"""Training mixes, models on hypotheses alone and stress tests, as a matrix fills their tables."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.experiments.datasets import prepare
from beat_the_ai.experiments.matrix import read_matrix
from beat_the_ai.experiments.plan import plan
from beat_the_ai.experiments.results import Results
from beat_the_ai.experiments.tables import sections
from beat_the_ai.kinds.nli.evaluation import InferenceEvaluation
from beat_the_ai.kinds.nli.samples import PairSamples
from tests.experiments.matrices import BASE_CUES, OTHER_CUES, TASK, run, write_matrix, write_pairs

MATRICES = Path(__file__).parents[2] / "tasks" / "nli" / "matrices"
BAYES, BLIND = {"train": {"share": 0.5}}, {"beside": "bayes", "train": {"share": 0.5, "hypothesis-only": True}}

RELEASED = {"anli_v1.0": ("context", "hypothesis", "label"), "nli_fever": ("context", "query", "label")}  # by folder


def settings(**changes: Any) -> dict[str, Any]:
    return {
        "task": TASK,
        "datasets": {
            "s": {"label": "S", "train": "s.jsonl", "dev": "s-dev.jsonl", "test": "s-test.jsonl"},
            "a1": {
                "label": "A1",
                "train": "a1.jsonl",
                "dev": "a1-dev.jsonl",
                "test": ["a1-test.jsonl", "a1-own.jsonl"],
            },
            "own": {"label": "A1-E", "test": ["a1-test.jsonl", "a1-own.jsonl"], "where": {"exclusive": "yes"}},
            "negation": {"label": "NG", "test": "ng.jsonl", "stress": True},
        },
        "mixes": {"S": ["s"], "S,A1": ["s", "a1"], "A1": ["a1"]},
        "models": {"bayes": BAYES, "blind": {**BLIND, "mixes": ["S,A1"]}},
        "seeds": [0, 1],
        **changes,
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("mixes")
    write_pairs(made / "s.jsonl", BASE_CUES, range(40))
    write_pairs(made / "s-dev.jsonl", BASE_CUES, range(90, 93))
    write_pairs(made / "s-test.jsonl", BASE_CUES, range(100, 115))
    write_pairs(made / "a1.jsonl", OTHER_CUES, range(40, 80), emturk=False)
    write_pairs(made / "a1-dev.jsonl", OTHER_CUES, range(93, 96))
    write_pairs(made / "a1-test.jsonl", OTHER_CUES, range(120, 130), emturk=False)
    write_pairs(made / "a1-own.jsonl", OTHER_CUES, range(130, 134), emturk=True)
    write_pairs(made / "ng.jsonl", BASE_CUES, range(140, 150))
    return made


@pytest.fixture(scope="module")
def rows(folder: Path) -> list[dict[str, str]]:
    done = run(write_matrix(folder / "matrix.yaml", settings()), folder / "out")
    assert done.exit_code == 0, done.output
    return list(csv.DictReader(io.StringIO((folder / "out" / "results.csv").read_text())))


def test_each_table_has_its_models_mixes_and_tests(rows: list[dict[str, str]]) -> None:
    found = {(row["table"], row["model"], row["trained_on"], row["measured_on"], row["examples"]) for row in rows}
    tests = [("S", "60"), ("A1", "56"), ("A1-E", "16")]
    mixes = ["S", "S,A1", "A1"]
    assert found == {
        *(("mixes", "bayes", mix, *test) for mix in mixes for test in tests),
        *(("hypothesis_only", model, "S,A1", *test) for model in ("bayes", "blind") for test in tests),
        *(("stress", "bayes", mix, "NG", "40") for mix in mixes),
    }
    assert {row["training_examples"] for row in rows if row["trained_on"] == "S,A1"} == {"320"}


def test_a_cell_is_trained_on_its_mix_and_stopped_by_the_dev_parts_of_it(
    folder: Path, rows: list[dict[str, str]]
) -> None:
    [cell] = {row["cell"] for row in rows if (row["model"], row["trained_on"], row["seed"]) == ("blind", "S,A1", "0")}
    job = (folder / "out" / "cells" / cell / "cell.json").read_text()
    words = [word.strip(' ",') for word in job.splitlines()]
    files = [Path(words[place + 1]) for place, word in enumerate(words) if word in ("--data", "--dev")]
    assert [(file.parent.name, file.name) for file in files] == [
        *(("s", "train.jsonl"), ("a1", "train.jsonl")),
        *(("s", "dev.jsonl"), ("a1", "dev.jsonl")),
    ]
    assert "--hypothesis-only" in words


def test_every_mix_may_be_tuned_on_one_dataset(folder: Path, tmp_path: Path) -> None:
    """As the paper does for each stress test."""
    negation = {"label": "NG", "stress": True, "split": {"files": "ng.jsonl", "test": 32, "dev": 8}}
    datasets = {**settings()["datasets"], "negation": negation}
    path = write_matrix(folder / "tuned.yaml", settings(datasets=datasets, tuned_on="negation", tables=["stress"]))
    matrix = read_matrix(path)
    planned = plan(matrix, prepare(matrix, PairSamples(), folder, tmp_path / "data"), tmp_path)
    arguments = [cell.job.arguments or [] for cell in planned.cells.values()]
    assert {each.count("--dev") for each in arguments} == {1}
    assert {Path(each[each.index("--dev") + 1]) for each in arguments} == {tmp_path / "data" / "negation" / "dev.jsonl"}
    [table, *_] = sections(planned, Results(InferenceEvaluation()))
    assert "here examples of NG decide when to stop" in table.text


def test_the_papers_own_matrix_reads_its_datasets_as_they_are_released(tmp_path: Path) -> None:
    matrix = read_matrix(MATRICES / "paper.yaml")
    names = {name for files in matrix.datasets.values() for of in files.files.values() for name in of}
    for name in sorted(names):
        premise, hypothesis, label = RELEASED.get(name.partition("/")[0], ("sentence1", "sentence2", "gold_label"))
        pairs = ({premise: f"{name} {number}", hypothesis: "H", label: "neutral"} for number in range(3))
        rows = [{**pair, "uid": f"{name}-{number}", "emturk": True} for number, pair in enumerate(pairs)]
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    planned = plan(matrix, prepare(matrix, PairSamples(), tmp_path, tmp_path / "data"), tmp_path / "out")
    mixes, blind, stress = planned.tables
    assert len(planned.cells) == 3 * len(matrix.mixes) + 3  # models on pairs, and three mixes of hypotheses
    assert max(sum(file.examples for file in cell.data) for cell in planned.cells.values()) == 3 * 6
    assert [column.gold.examples for column in mixes.measurements[0].columns] == [3, 3, 3, 3, 9, 9, 3, 3]
    assert len(blind.measurements) == 3
    assert len(stress.measurements[0].columns) == 7


def test_tables_say_what_they_compare(folder: Path, rows: list[dict[str, str]]) -> None:
    assert rows
    text = (folder / "out" / "matrix.md").read_text()
    for title in ("Training mixes", "Trained on hypotheses alone", "Stress tests"):
        assert f"## {title}\n" in text
    assert "Nie et al. 2020" in text
    assert "Bartolo" not in text
    assert "| bayes | S,A1 | S | A1 test | accuracy |" in text
    assert "| blind | S,A1 | bayes, S,A1 | A1 test | accuracy |" in text


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mixes": {"S": ["t"]}}, "Unknown dataset in mixes.S"),
        ({"mixes": {"S": ["own"]}}, "has own, and datasets.own has no train part"),
        ({"models": {"bayes": {**BAYES, "mixes": ["T"]}}}, "Unknown mix in models.bayes.mixes"),
        ({"models": {"blind": BLIND}}, "beside is 'bayes'.*there is none"),
        ({"models": {"bayes": BAYES, "blind": {**BLIND, "beside": ""}}}, "is to stand beside: bayes"),
        ({"tables": [7]}, "has 7, which this matrix cannot fill. It can fill: mixes, hypothesis_only, stress"),
        ({"mixes": {}}, "Unknown dataset in base"),
    ],
)
def test_what_is_wrong_with_mixes_is_said(folder: Path, changes: dict[str, Any], message: str) -> None:
    path = write_matrix(folder / "wrong.yaml", settings(**changes))
    with pytest.raises(InvalidInput, match=message):
        read_matrix(path)


def test_a_group_that_no_file_has_is_named_with_those_there_are(folder: Path, tmp_path: Path) -> None:
    datasets = settings()["datasets"]
    own = {**datasets["own"], "where": {"exclusive": "perhaps"}}
    path = write_matrix(folder / "wrong.yaml", settings(datasets={**datasets, "own": own}))
    done = run(path, tmp_path, "--plan")
    assert done.exit_code == 2
    told = " ".join(done.stderr.split())
    assert "datasets.own.where has exclusive: perhaps." in told
    assert "in exclusive are: no, yes." in told


@pytest.mark.parametrize("path", sorted(MATRICES.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_shipped_matrix_is_read(path: Path) -> None:
    matrix = read_matrix(path)
    assert matrix.filled[:2] == ["mixes", "hypothesis_only"]
    assert len(matrix.mixes) >= 4
