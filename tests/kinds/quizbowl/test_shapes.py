"""Questions in the shapes in which QANTA and Trick Me were released, each written by us.

Sources: `qanta/ingestion` of Pinafore/qb, whose `trickme.py` reads Trick Me's first release; the script of `qanta` on
the Hugging Face hub.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.quizbowl.collection import read_collection, read_questions

TEXT = "Weavers sit at one of these frames. Name this device."
QANTA = {
    "text": TEXT,
    "answer": "loom [or power loom]",
    "page": "Power_loom",
    "fold": "guesstrain",
    "year": 2018,
    "dataset": "protobowl",
    "proto_id": "5476990eea23cca905506d51",
    "qdb_id": None,
    "difficulty": "College",
    "category": "History",
    "subcategory": None,
    "qanta_id": 7,
    "tournament": "ACF",
    "gameplay": True,
    "first_sentence": "Weavers sit at one of these frames.",
    "tokenizations": [[0, 35], [36, 53]],
}
TRICK_ME: dict[str, Any] = {"email": "a@example.org", "model": "es", "category": "History"}
ON_THE_HUB = {
    **{name: QANTA[name] for name in ("text", "page", "category", "tournament", "qanta_id", "tokenizations")},
    "answer": QANTA["page"],
    "raw_answer": QANTA["answer"],
    "full_question": TEXT,
    "id": "7-full",
    "char_idx": -1,
    "sentence_idx": -1,
}
SHAPES = {
    "QANTA on the hub": [ON_THE_HUB],
    "QANTA": {"questions": [QANTA], "version": "2018.04.18", "maintainer_name": "", "bibtex": ""},
    "Trick Me": [{"Question": TEXT, "Answer": "Power loom", **TRICK_ME}],
    "Trick Me, the second half": [{"question": TEXT, "answer": "Power loom", **TRICK_ME}],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_published_shape_is_read(tmp_path: Path, shape: str) -> None:
    path = tmp_path / "questions.json.gz"
    path.write_bytes(gzip.compress(json.dumps(SHAPES[shape]).encode()))
    read = read_collection(path, "DATASET")
    [question] = read.questions
    assert (question.text, question.page, question.category) == (TEXT, "Power_loom", "History")
    assert (question.name, question.answer) == (
        ("7", "loom [or power loom]") if shape.startswith("QANTA") else ("1", "Power loom")
    )
    assert not read.left_out


def test_pairs_without_names_are_questions_with_their_pages(tmp_path: Path) -> None:
    path = tmp_path / "questions.json"
    for text in (json.dumps([[TEXT, "Power_loom"]] * 2), f"{json.dumps([TEXT, 'Power loom'])}\n" * 2):
        path.write_text(text)
        found = [(each.name, each.text, each.page) for each in read_collection(path, "DATASET").questions]
        assert found == [("1", TEXT, "Power_loom"), ("2", TEXT, "Power_loom")]
    path.write_text(json.dumps([[TEXT, "Power_loom", "History"]]))
    with pytest.raises(InvalidInput, match=r"row 1: a JSON object with 'text' and 'page' is needed .*a list of 3"):
        read_collection(path, "DATASET")


def test_the_sentences_of_a_question_on_the_hub_have_ids_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "guessdev.jsonl"
    rows = [{**ON_THE_HUB, "text": text, "sentence_idx": place, "id": f"7-sentence-{place}"}
            for place, text in enumerate(TEXT.split(". "))]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, rows)))
    assert [each.id for each in read_collection(path, "DATASET").questions] == ["7-sentence-0", "7-sentence-1"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("naqt.db", b"SQLite format 3\0" + b"\0" * 84, "it is an SQLite database. Save the rows that you need as CSV"),
        ("questions.h5", b"\x89HDF\r\n\x1a\n" + b"\0" * 8, "it is an HDF5 file. Save it as Parquet"),
        ("quiz.csv", b"id,answer,text\n1,Power_loom,Name this device.\n", "Call the column page that has the title"),
    ],
)
def test_another_form_of_a_release_is_refused_with_what_to_do(
    tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InvalidInput, match=said):
        read_questions(tmp_path / name)


def test_folds_for_guessers_and_buzzers_are_of_one_part(tmp_path: Path) -> None:
    for fold in ("guesstrain", "buzztrain", "guessdev"):
        release = json.dumps([{**QANTA, "qanta_id": fold}]).encode()
        (tmp_path / f"qanta.{fold}.json.gz").write_bytes(gzip.compress(release))
    questions = read_collection(tmp_path, "DATASET").questions
    assert [(question.id, question.part) for question in questions] == [
        ("buzztrain", "train"), ("guesstrain", "train"), ("guessdev", "dev")
    ]  # fmt: skip


def test_the_folds_of_a_release_are_parts(tmp_path: Path) -> None:
    for fold in ("train", "dev", "test"):
        release = {"questions": [{**QANTA, "qanta_id": fold}]}
        (tmp_path / f"qanta.{fold}.2018.04.18.json").write_text(json.dumps(release))
    questions = read_collection(tmp_path, "DATASET").questions
    assert [(question.id, question.part) for question in questions] == [
        (each, each) for each in ("train", "dev", "test")
    ]
