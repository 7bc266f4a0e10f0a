"""Questions in the shapes in which other datasets are published, each row written by us.

Sources: the dataset cards of SQuAD and AdversarialQA on the Hugging Face hub; `evaluation/datasets/qa` of
facebookresearch/dynabench; the README of mrqa/MRQA-Shared-Task-2019.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.reading_comprehension.corpora import read_passages
from beat_the_ai.kinds.reading_comprehension.squad import Answer, load

PASSAGE = "The mill at Tarn was built in 1871 by Ada Quill. Ada Quill died in 1911."
QUESTION = {"context": PASSAGE, "question": "Who built the mill?"}
ADA = Answer("Ada Quill", PASSAGE.index("Ada Quill"))
HUB = {"text": ["Ada Quill"], "answer_start": [ADA.start]}
SHAPES: dict[str, tuple[dict[str, Any], dict[str, str]]] = {  # a row, and the marks of its question
    "SQuAD on the hub": ({"id": "q", "title": "Tarn", "answers": HUB, **QUESTION}, {}),
    "AdversarialQA": (
        {
            "id": "q",
            "title": "Tarn",
            "answers": HUB,
            "metadata": {"split": "validation", "model_in_the_loop": "BERT"},
            **QUESTION,
        },
        {"model in the loop": "BERT"},
    ),
    "Dynabench": ({"uid": "q", "answer": "Ada Quill", "tags": ["a"], **QUESTION}, {}),
    "Dynabench with several answers": ({"uid": "q", "answer": ["Ada Quill", "Quill"], **QUESTION}, {}),
}


WAYS = [(shape, end) for shape in SHAPES for end in ("jsonl", "csv", "parquet")]
WAYS.remove(("Dynabench with several answers", "csv"))  # a cell of text is one answer


@pytest.mark.parametrize(("shape", "end"), WAYS)
def test_a_published_shape_is_read_in_every_format(tmp_path: Path, shape: str, end: str) -> None:
    row, marks = SHAPES[shape]
    path = tmp_path / f"gold.{end}"
    if end == "parquet":
        pq.write_table(pa.Table.from_pylist([row]), path)
    elif end == "jsonl":
        path.write_text(json.dumps(row) + "\n")
    else:  # as `Dataset.to_csv` prints what is no text
        pandas = pytest.importorskip("pandas", reason="pandas writes the table")
        pandas.DataFrame([row]).to_csv(path, index=False)
    [passage] = load(path)
    [question] = passage.questions
    assert (question.id, question.text, dict(question.marks)) == ("q", "Who built the mill?", marks)
    assert question.answers[0] == ADA


def test_a_file_of_mrqa_has_the_places_that_it_has_detected(tmp_path: Path) -> None:
    """`answers` are what is scored; an answer that was not detected stands where it first does."""
    again = PASSAGE.rindex("Ada Quill")
    asked = {
        "qid": "q",
        "id": "",
        "question": QUESTION["question"],
        "answers": ["Ada Quill", "Quill"],
        "detected_answers": [{"text": "Ada Quill", "char_spans": [[again, again + 8]], "token_spans": [[9, 10]]}],
    }
    lines = [{"header": {"dataset": "Mills", "split": "dev"}}, {"id": "", "context": PASSAGE, "qas": [asked]}]
    path = tmp_path / "dev.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    [passage] = load(path)
    [question] = passage.questions
    assert question.id == "q"
    assert question.answers == (Answer("Ada Quill", again), Answer("Quill", PASSAGE.index("Quill")))


def test_an_answer_that_is_not_in_its_passage_is_scored_and_not_trained_on(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps({"uid": "q", "answer": "Bede", **QUESTION}))
    [passage] = load(path)
    assert [answer.text for answer in passage.questions[0].answers] == ["Bede"]
    with pytest.raises(InvalidInput, match="'Bede' does not stand at -1 of its passage"):
        read_passages(path)
