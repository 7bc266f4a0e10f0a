"""Pairs in the shapes in which other datasets are published, each row written by us; figures as their authors score.

Sources: the dataset cards of SNLI, MultiNLI, ANLI, WANLI and HANS on the Hugging Face hub; `format_convert.py` and the
annotation of facebookresearch/anli; `evaluation/datasets/nli` of facebookresearch/dynabench; tommccoy1/hans.
"""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.evaluation import InferenceEvaluation
from beat_the_ai.kinds.nli.pairs import LabelledPair, read_pairs
from tests.files.test_hostile_files import run

PREMISE, CLAIMS = "The mill at Tarn was built in 1871.", ("It is old.", "It is red.", "It is new.")
PAIR = {"premise": PREMISE, "hypothesis": CLAIMS[0]}
SENTENCES = {"sentence1": PREMISE, "sentence2": CLAIMS[0]}
IN_CONTEXT = {"context": PREMISE, "hypothesis": CLAIMS[0]}
TREES = {"sentence1_binary_parse": "( The mill )", "sentence2_binary_parse": "( It is )"}
SHAPES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {  # a row, and what is known of its pair
    "SNLI": (
        {"annotator_labels": ["neutral"], "captionID": "1.jpg#0", "gold_label": "neutral", "pairID": "1.jpg#0r1n"}
        | SENTENCES | TREES,
        {"id": "1.jpg#0r1n", "label": "neutral"},
    ),
    "MultiNLI": (
        {"gold_label": "contradiction", "genre": "fiction", "pairID": "7c", "promptID": "7"} | SENTENCES | TREES,
        {"id": "7c", "label": "contradiction", "genre": "fiction"},
    ),
    "MultiNLI on the hub": (
        {"promptID": 7, "pairID": "7e", "genre": "fiction", "label": 0, **PAIR},
        {"id": "7e", "label": "entailment", "genre": "fiction"},
    ),
    "ANLI": (
        {"uid": "u1", "label": "c", "model_label": "n", "emturk": True, "genre": "wiki", "reason": "", **IN_CONTEXT},
        {"id": "u1", "label": "contradiction", "model_label": "neutral", "exclusive": True},
    ),
    "ANLI on the hub": ({"uid": "u1", "label": 2, "reason": "why", **PAIR}, {"id": "u1", "label": "contradiction"}),
    "ANLI's annotation": (
        {"context": PREMISE, "statement": CLAIMS[0], "reason": "why", "adversary_pred": "n", "gold_label": "c",
         "A1Code": "Basic-Negation", "eid": "e", "uid": "u1", "tags": "['Basic', 'Negation']"},
        {"id": "u1", "label": "contradiction", "model_label": "neutral"},
    ),
    "FEVER-NLI": (
        {"cid": "9", "fid": "9.f", "context": PREMISE, "query": CLAIMS[0], "label": "NOT ENOUGH INFO"},
        {"id": "9.f", "label": "neutral"},
    ),
    "WANLI": (
        {"id": 3, "gold": "entailment", "genre": "generated", "pairID": "171", **PAIR},
        {"id": "171", "label": "entailment", "genre": "generated", "is_plain": True},
    ),
    "Dynabench": ({"uid": "d1", "label": "contradictory", **IN_CONTEXT}, {"id": "d1", "label": "contradiction"}),
    "Dynabench's HANS": (
        {"uid": "ex0", "label": ["neutral", "contradictory"], "tags": [], **IN_CONTEXT},
        {"id": "ex0", "label": "non-entailment"},
    ),
    "HANS": (
        {"gold_label": "non-entailment", "pairID": "ex0", "heuristic": "subsequence", "subcase": "a", "template": "t"}
        | SENTENCES | TREES,
        {"id": "ex0", "label": "non-entailment", "genre": "subsequence"},
    ),
    "a stress test": ({"gold_label": "neutral", "pairID": "5n", **SENTENCES}, {"id": "5n", "label": "neutral"}),
}  # fmt: skip


def csv_text(rows: list[dict[str, Any]], delimiter: str) -> str:
    text = io.StringIO()
    table = csv.DictWriter(text, list(rows[0]), delimiter=delimiter, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return text.getvalue()


def only(path: Path) -> LabelledPair:
    [pair] = read_pairs(path).pairs
    return pair


def ends(row: dict[str, Any]) -> list[str]:
    """Return the formats that a row is published in; no table of text has lists."""
    has_lists = any(isinstance(value, list) for value in row.values())
    return ["jsonl", "parquet", *([] if has_lists else ["csv", "tsv"])]


@pytest.mark.parametrize(("shape", "end"), [(shape, end) for shape, (row, _) in SHAPES.items() for end in ends(row)])
def test_a_published_shape_is_read_in_every_format(tmp_path: Path, shape: str, end: str) -> None:
    row, known = SHAPES[shape]
    path = tmp_path / f"gold.{end}"
    if end == "parquet":
        pq.write_table(pa.Table.from_pylist([row]), path)
    elif end == "jsonl":
        path.write_text(json.dumps(row) + "\n")
    else:
        path.write_text(csv_text([row], "," if end == "csv" else "\t"))
    pair = only(path)
    assert (pair.pair.premise, pair.pair.hypothesis) == (PREMISE, CLAIMS[0])
    assert {name: getattr(pair, name) for name in known} == known


def numbered(labels: list[Any]) -> list[dict[str, Any]]:
    return [{"premise": PREMISE, "hypothesis": CLAIMS[n], "label": label} for n, label in enumerate(labels)]


@pytest.mark.parametrize(
    ("name", "beside"),
    [
        ("dataset_info.json", '{"features": {"label": {"names": ["contradiction", "neutral", "entailment"]}}}'),
        (
            "dataset_infos.json",
            '{"plain": {"features": {"label": {"names": ["contradiction", "neutral", "entailment"]}}}}',
        ),
        (
            "README.md",
            "---\ndataset_info:\n  features:\n  - name: label\n    dtype:\n      class_label:\n        names:\n"
            "          '0': contradiction\n          '1': neutral\n          '2': entailment\n---\n# A card\n",
        ),
    ],
)
def test_numbers_follow_the_order_that_the_dataset_declares(tmp_path: Path, name: str, beside: str) -> None:
    gold = tmp_path / "data" / "test.jsonl"
    gold.parent.mkdir()
    gold.write_text("".join(f"{json.dumps(row)}\n" for row in numbered([0, 1, 2])))
    assert [pair.label for pair in read_pairs(gold).pairs] == ["entailment", "neutral", "contradiction"]
    for encoding in ("utf-8", "utf-8-sig"):
        (tmp_path / name).write_text(beside, encoding)
        assert [pair.label for pair in read_pairs(gold).pairs] == ["contradiction", "neutral", "entailment"]
    assert read_pairs(tmp_path).pairs == read_pairs(gold).pairs


@pytest.mark.parametrize("labels", [[0, 1], [0, 1, -1], [0, 1, "-"]], ids=str)
def test_numbers_that_may_be_of_two_labels_or_of_three_are_refused(tmp_path: Path, labels: list[Any]) -> None:
    """RTE's test part has -1 for each pair."""
    gold = tmp_path / "gold.jsonl"
    gold.write_text("".join(f"{json.dumps(row)}\n" for row in numbered(labels)))
    with pytest.raises(InvalidInput, match="labels its pairs with 0 and 1 alone"):
        read_pairs(gold)
    (tmp_path / "dataset_info.json").write_text('{"features": {"label": {"names": ["entailment", "non-entailment"]}}}')
    assert [pair.label for pair in read_pairs(gold).pairs] == ["entailment", "non-entailment"]


def test_names_of_classes_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text("".join(f"{json.dumps(row)}\n" for row in numbered([0, 1, 2])))
    (tmp_path / "dataset_info.json").write_text('{"features": {"label": ')
    with pytest.raises(InvalidInput, match=r"dataset_info\.json cannot be read as JSON"):
        read_pairs(gold)


def test_configurations_that_number_classes_differently_are_refused(tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text(json.dumps(numbered([0])[0]))
    infos = {n: {"features": {"label": {"names": names}}} for n, names in enumerate((["a", "b"], ["b", "a"]))}
    (tmp_path / "dataset_infos.json").write_text(json.dumps(infos))
    with pytest.raises(InvalidInput, match="numbers the classes of label in two ways: a, b; and b, a"):
        read_pairs(gold)


HANS = [  # gold, heuristic, and what a model of three labels says
    ("entailment", "lexical_overlap", "entailment"),
    ("entailment", "subsequence", "neutral"),
    ("non-entailment", "lexical_overlap", "neutral"),
    ("non-entailment", "lexical_overlap", "entailment"),
    ("non-entailment", "subsequence", "contradiction"),
]


@pytest.fixture
def hans(tmp_path: Path) -> Path:
    rows = [
        {
            "gold_label": gold,
            **SENTENCES,
            "pairID": f"ex{number}",
            "heuristic": heuristic,
            "subcase": "a",
            "template": "t",
        }
        for number, (gold, heuristic, _) in enumerate(HANS)
    ]
    path = tmp_path / "heuristics_evaluation_set.txt"
    path.write_text(csv_text(rows, "\t"))
    return path


@pytest.mark.parametrize("says_two", [False, True])
def test_hans_is_scored_as_its_script_does(hans: Path, says_two: bool) -> None:
    """Whatever is no entailment is non-entailment; by heuristic, apart for each gold label."""
    said = [label for *_, label in HANS]
    if says_two:
        said = [label if label == "entailment" else "non-entailment" for label in said]
    measured = InferenceEvaluation().measured(hans, {f"ex{number}": label for number, label in enumerate(said)})
    right = {item.id: item.marks["accuracy"] for item in measured.items}
    assert list(right.values()) == [1, 0, 1, 0, 1]
    assert {item.groups["heuristic and label"] for item in measured.items} == {
        f"{heuristic}, {gold}" for gold, heuristic, _ in HANS
    }


def test_two_labels_are_no_answer_to_gold_of_three(tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text(json.dumps({"id": "a", **PAIR, "label": "neutral"}))
    with pytest.raises(InvalidInput, match="non-entailment, and gold has three labels"):
        InferenceEvaluation().measured(gold, {"a": "non-entailment"})


def test_commands_read_hans_and_what_needs_three_labels_says_so(hans: Path, tmp_path: Path) -> None:
    task = ("--task", "nli")
    assert json.loads(run("stats", hans, "--json", *task).stdout)["labels"] == {"entailment": 2, "non-entailment": 3}
    for command in (("report", hans, "--json"), ("annotate", hans, "--out", tmp_path / "page.html")):
        assert run(*command, *task).exit_code == 0
    refused = run("rescore", hans, "--model", "onnx:cross-encoder-small", "--out", tmp_path / "rescored", *task)
    assert refused.exit_code == 2
    assert "is labelled non-entailment, which may be neutral or contradiction" in refused.stderr
