"""Reading datasets to analyse, and what is said of those that cannot be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.reading_comprehension.report.examples import Example, read_part, read_parts

ROME = "Rome fell in 476.\u2028It was old."


def row(**changes: Any) -> dict[str, Any]:
    answers = {"text": ["476", "in 476"], "answer_start": [13, 10]}
    return {"id": "q1", "title": "Rome", "context": ROME, "question": "When?", "answers": answers, **changes}


def lines(*rows: object) -> str:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows)


@pytest.mark.parametrize("name", ["part.jsonl", "part.json"])
def test_json_lines_are_known_by_their_name_or_their_first_line(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(lines(row()) + "\r\n" + lines(row(id=2, answers={"text": [], "answer_start": []})))
    part = read_part(path)
    assert part.examples == [Example("q1", ROME, "When?", "476", 13), Example("2", ROME, "When?", None)]
    assert (part.name, part.passages) == ("part", {ROME})


def test_squad_counts_distinct_passages_and_those_without_a_question(tmp_path: Path) -> None:
    question = {"id": "q1", "question": "When?", "answers": [{"text": "476", "answer_start": 13}]}
    paragraphs = [{"context": ROME, "qas": [question]}, {"context": ROME, "qas": []}, {"context": "Empty.", "qas": []}]
    path = tmp_path / "squad.json"
    path.write_text(json.dumps({"data": [{"title": "Rome", "paragraphs": paragraphs}]}))
    part = read_part(path)
    assert part.examples == [Example("q1", ROME, "When?", "476", 13)]
    assert part.passages == {ROME, "Empty."}


def test_a_folder_gives_its_parts_in_order(tmp_path: Path) -> None:
    (tmp_path / "test.jsonl").write_text(lines(row(id="t")))
    (tmp_path / "train.jsonl").write_text(lines(row(id="r")))
    (tmp_path / "notes.jsonl").write_text("no JSON")
    assert [(part.name, part.examples[0].id) for part in read_parts(tmp_path)] == [("train", "r"), ("test", "t")]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("x.jsonl", b'{"a": 1}\n', "line 1: .*question: Field required; it has a"),
        ("x.jsonl", b"\n[1]\n", "row 1: "),
        ("x.jsonl", lines(row(), row(question=7)).encode(), "line 2: .*question: "),
        ("x.jsonl", lines(row(answers={"text": ["a"], "answer_start": []})).encode(), "line 1: .*differ in length"),
        ("x.jsonl", lines(row(answers={"text": "a", "answer_start": 1})).encode(), "answers.text"),
        ("x.jsonl", b'{"context": "\xff"}\n', "cannot be read"),
        ("x.json", b"", "cannot be read as JSON"),
        ("x.json", b"{", "cannot be read as JSON"),
        ("x.json", b"[1, 2]", "row 1: a JSON object is needed"),
        ("x.json", b'{"data": [{"paragraphs": [{"context": 3, "qas": []}]}]}', "is not SQuAD"),
        ("x.json", b'{"data": ' + b"[" * 100_000, "cannot be read as JSON"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match=said) as raised:
        read_part(path)
    assert str(path) in str(raised.value)


def test_a_folder_without_parts_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="holds no train, dev or test part"):
        read_parts(tmp_path)
