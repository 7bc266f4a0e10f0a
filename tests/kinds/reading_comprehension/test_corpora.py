"""What models are trained on: questions that have an answer, held out by articles, apart from others."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.analysis.breakdown import Breakdown
from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.corpora import Corpus, Sources
from beat_the_ai.kinds.reading_comprehension.corpora import hold_out, read_parts, read_passages
from beat_the_ai.kinds.reading_comprehension.evaluation import SquadEvaluation
from beat_the_ai.kinds.reading_comprehension.question_files import read_answerable
from beat_the_ai.kinds.reading_comprehension.squad import Answer, Passage, Question

TEXT = "Rome fell in 476."


def asked(name: str, *answers: tuple[str, int], **more: Any) -> dict[str, Any]:
    found = [{"text": text, "answer_start": start} for text, start in answers]
    return {"id": name, "question": f"When, {name}?", "answers": found, **more}


def write(path: Path, *questions: dict[str, Any], text: str = TEXT, title: str = "Rome") -> Path:
    article = {"title": title, "paragraphs": [{"context": text, "qas": questions}]}
    path.write_text(json.dumps({"version": "v2.0", "data": [article]}))
    return path


@pytest.fixture
def second_version(tmp_path: Path) -> Path:
    """Questions of SQuAD 2.0: one with an answer, and three ways to have none."""
    return write(
        tmp_path / "v2.json",
        asked("year", ("476", 13), is_impossible=False),
        asked("impossible", is_impossible=True, plausible_answers=[{"text": "476", "answer_start": 13}]),
        asked("contradictory", ("476", 13), is_impossible=True),
        asked("empty", ("", 0)),
    )


def test_questions_without_an_answer_are_left_out_and_counted(second_version: Path) -> None:
    read = read_answerable(second_version)
    assert [question.id for question in read.questions] == ["year"]
    assert read.contents == "1 questions (3 without an answer left out)"


def test_models_are_measured_on_the_questions_that_have_an_answer(second_version: Path) -> None:
    evaluation = SquadEvaluation()
    assert [name for name, _ in evaluation.queries(second_version)] == ["year"]
    scores = Breakdown(evaluation.measured(second_version, {"year": "in 476"}))
    assert scores.figures["questions"] == 1
    assert "3 questions without an answer are left out." in scores.words


def test_an_answer_that_stands_elsewhere_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "moved.json", asked("year", ("476", 12)))
    with pytest.raises(InvalidInput, match=r"moved\.json, question 'year': '476' does not stand at 12"):
        read_passages(path)


def test_questions_of_a_part_kept_apart_are_refused(tmp_path: Path) -> None:
    data = write(tmp_path / "data.json", asked("year", ("476", 13)), asked("who", ("Rome", 0)))
    part = write(tmp_path / "part.json", asked("YEAR", ("476", 13)), text="Rome  fell in 476.")
    sources = Sources(data=(Corpus(data),), out=tmp_path)
    for apart in (replace(sources, dev=(part,)), replace(sources, apart=(part,))):
        with pytest.raises(InvalidInput, match=r"1 questions of .*data\.json are also in .*part\.json.*: year\."):
            read_parts(apart, 0)


def test_too_little_to_train_on_is_refused(tmp_path: Path, second_version: Path) -> None:
    nothing = write(tmp_path / "nothing.json", asked("impossible", is_impossible=True))
    for sources in (
        Sources(data=(Corpus(nothing),), out=tmp_path, dev=(second_version,)),
        Sources(data=(Corpus(second_version),), out=tmp_path, dev=(nothing,)),
        Sources(data=(Corpus(second_version),), out=tmp_path),
    ):
        with pytest.raises(InvalidInput, match="too few questions with an answer"):
            read_parts(sources, 0)


def passages(sizes: Sequence[tuple[str, int]]) -> list[Passage]:
    questions = tuple(Question(str(number), "When?", (Answer("476", 13),)) for number in range(20))
    return [
        Passage(f"{number}", title, f"{TEXT} {number}", questions[:size]) for number, (title, size) in enumerate(sizes)
    ]


def test_whole_articles_are_held_out_and_a_large_one_never() -> None:
    every = passages([("large", 20), ("large", 20), *((f"small {number % 5}", 2) for number in range(20))])
    [rest], out = hold_out([every], 0.2, seed=1)
    assert {passage.title for passage in rest}.isdisjoint(passage.title for passage in out)
    assert sum(len(passage.questions) for passage in out) in range(16, 24)
    assert "large" in {passage.title for passage in rest}
    assert hold_out([every], 0.2, seed=1) == ([rest], out)


def test_of_one_article_passages_are_held_out() -> None:
    every = passages([("", 2)] * 20)
    [rest], out = hold_out([every[:10] + every[10:]], 0.2, seed=1)
    assert (len(rest), len(out)) == (16, 4)
