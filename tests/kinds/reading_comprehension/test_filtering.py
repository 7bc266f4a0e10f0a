"""DROP and NaturalQuestions: what of the public files is kept, and that it reads as SQuAD."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from beat_the_ai.experiments.draws import split
from beat_the_ai.kinds.reading_comprehension.filtering import main
from beat_the_ai.kinds.reading_comprehension.passages import load
from beat_the_ai.kinds.reading_comprehension.samples import QuestionSamples

PASSAGE = "The Owls beat the Crows 21-7. Ann threw to Bea, and Bea scored twice."
NO_DATE = {"day": "", "month": "", "year": ""}


def drop_answer(*spans: str, number: str = "", date: dict[str, str] | None = None) -> dict[str, Any]:
    return {"number": number, "date": date or NO_DATE, "spans": list(spans)}


def pair(name: str, answer: dict[str, Any]) -> dict[str, Any]:
    return {"question": f"Question {name}?", "query_id": name, "answer": answer, "validated_answers": [answer]}


def page(name: int, html: str, *annotations: tuple[tuple[int, int], list[tuple[int, int]]]) -> dict[str, Any]:
    """Return a page of NaturalQuestions: tokens are parted by spaces, spans are of tokens."""
    tokens = [{"token": one, "html_token": one.startswith("<"), "start_byte": 0, "end_byte": 0} for one in html.split()]

    def span(start: int, end: int) -> dict[str, int]:
        return {"start_token": start, "end_token": end, "start_byte": 0, "end_byte": 0}

    return {
        "example_id": name,
        "document_title": f"Page {name}",
        "document_url": "https://example.org",
        "document_html": "",
        "question_text": f"question {name}",
        "question_tokens": [],
        "document_tokens": tokens,
        "long_answer_candidates": [],
        "annotations": [
            {
                "annotation_id": number,
                "long_answer": {**span(*long), "candidate_index": -1 if long[0] < 0 else 0},
                "short_answers": [span(*one) for one in short],
                "yes_no_answer": "NONE",
            }
            for number, (long, short) in enumerate(annotations)
        ],
    }


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments])


def answers(path: Path) -> dict[str, str]:
    """Return the answers of the questions by id, each looked up in its passage."""
    found = {}
    for passage in load(path):
        for question in passage.questions:
            [answer] = question.answers
            assert passage.text[answer.start : answer.start + len(answer.text)] == answer.text
            found[question.id] = answer.text
    return found


def test_of_drop_what_has_one_span_of_the_passage_is_kept(tmp_path: Path) -> None:
    pairs = [
        pair("one span", drop_answer("Ann")),
        pair("first place", drop_answer("Bea")),
        pair("two spans", drop_answer("Ann", "Bea")),
        pair("number", drop_answer(number="14")),
        pair("date", drop_answer(date={**NO_DATE, "year": "1999"})),
        pair("of the question", drop_answer("Lynxes")),
        pair("empty", drop_answer("")),
    ]
    path, out = tmp_path / "drop.json", tmp_path / "out.json"
    path.write_text(json.dumps({"nfl_1": {"passage": PASSAGE, "qa_pairs": pairs, "wiki_url": ""}}))
    result = run("drop", path, "--out", out)
    assert result.exit_code == 0, result.output
    assert "2 questions" in result.output
    assert answers(out) == {"one span": "Ann", "first place": "Bea"}


@pytest.mark.parametrize("packed", [False, True])
def test_of_natural_questions_long_answers_outside_of_tables_with_one_short_answer_are_kept(
    tmp_path: Path, packed: bool
) -> None:
    html = "<P> In 1998 <B> Larry </B> Page founded it . </P>"
    long = (0, 10)
    pages = [
        page(1, html, (long, [(4, 7)])),
        page(2, html, (long, [(2, 3), (4, 5)])),  # two short answers
        page(3, html, ((-1, -1), [])),  # no long answer
        page(4, html, (long, [])),
        page(5, html.replace("P>", "Table>", 1), (long, [(2, 3)])),
        page(6, html, (long, [(4, 5)]), (long, [(2, 3)]), ((-1, -1), []), (long, [(2, 3)])),  # most people
        page(7, html, (long, [(4, 5)]), (long, [(2, 3)])),  # of equals the first
        page(8, html, (long, [(1, 3)])),
    ]
    text = "".join(json.dumps(one) + "\n" for one in pages)
    path, out = tmp_path / ("dev.jsonl.gz" if packed else "dev.jsonl"), tmp_path / "out.json"
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    result = run("nq", path, "--out", out)
    assert result.exit_code == 0, result.output
    assert answers(out) == {"1": "Larry Page", "6": "1998", "7": "Larry", "8": "In 1998"}
    [first, *_] = load(out)
    assert first.text == "In 1998 Larry Page founded it ."
    assert first.title == "Page 1"


def test_a_matrix_splits_them_by_document(tmp_path: Path) -> None:
    sections = {
        f"s{number}": {"passage": f"{PASSAGE} Game {number}.", "qa_pairs": [pair(f"{number}", drop_answer("Ann"))]}
        for number in range(6)
    }
    path, out = tmp_path / "drop.json", tmp_path / "out.json"
    path.write_text(json.dumps(sections))
    assert run("drop", path, "--out", out).exit_code == 0
    parts = split(QuestionSamples().read(out), {"test": 3, "dev": 3}, seed=1)
    documents = [{sample.document for sample in part} for part in parts.values()]
    assert [len(one) for one in documents] == [3, 3]
    assert not documents[0] & documents[1]


def test_a_short_answer_elsewhere_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "dev.jsonl"
    for short in ((11, 12), (3, 3), (5, 90)):
        path.write_text(json.dumps(page(1, "<P> In 1998 . </P> <P> It was so . </P>", ((0, 5), [short]))))
        result = run("nq", path, "--out", tmp_path / "out.json")
        assert result.exit_code == 1
        assert "dev.jsonl, line 1: a short answer is not within its long answer" in result.output


@pytest.mark.parametrize("dataset", ["drop", "nq"])
@pytest.mark.parametrize("content", ["no JSON", '{"a": {"passage": 1}}', "[]"])
def test_a_file_in_another_shape_is_refused_with_its_place(tmp_path: Path, dataset: str, content: str) -> None:
    path = tmp_path / "given.json"
    path.write_text(content)
    result = run(dataset, path, "--out", tmp_path / "out.json")
    assert result.exit_code == 1
    assert "given.json" in result.output
    assert not (tmp_path / "out.json").exists()


@pytest.mark.parametrize("content", [b"\x1f\x8b damaged", b"\xff\xfe\x00", gzip.compress(b"{}", mtime=0)[:-9]])
def test_a_damaged_file_is_refused(tmp_path: Path, content: bytes) -> None:
    for path in (tmp_path / "dev.jsonl.gz", tmp_path / "dev.json"):
        path.write_bytes(content)
        for dataset in ("drop", "nq"):
            result = run(dataset, path, "--out", tmp_path / "out.json")
            assert (result.exit_code, type(result.exception)) == (1, SystemExit)
