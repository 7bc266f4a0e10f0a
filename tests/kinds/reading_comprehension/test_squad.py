from __future__ import annotations

import json
import re
import string
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.kinds.reading_comprehension.squad import Answer, Question

WORDS = st.sampled_from(["the", "a", "an", "The", "AN", "of", "Rome", "rome.", "U.S.", "a-b", "İ", "ß", "—", "’s", ""])
SEPARATORS = st.sampled_from([" ", "  ", "\t", "\u00a0", "\n", ".", ", ", "-"])
PHRASES = st.lists(st.tuples(WORDS, SEPARATORS), max_size=8).map(
    lambda pairs: "".join(word + separator for word, separator in pairs)
)
TEXTS = PHRASES | st.text(max_size=30)


def official_normalise(text: str) -> str:
    """`normalize_answer` of the official evaluation script for SQuAD v1.1, step by step."""
    without_punctuation = "".join(char for char in text.lower() if char not in set(string.punctuation))
    without_articles = re.sub(r"\b(a|an|the)\b", " ", without_punctuation)
    return " ".join(without_articles.split())


def official_f1(prediction: str, gold: str) -> float:
    """`f1_score` of the official script: from precision and recall."""
    predicted, expected = official_normalise(prediction).split(), official_normalise(gold).split()
    same = sum((Counter(predicted) & Counter(expected)).values())
    if same == 0:
        return 0.0
    precision, recall = same / len(predicted), same / len(expected)
    return 2 * precision * recall / (precision + recall)


def official_scores(questions: list[Question], predictions: dict[str, str]) -> tuple[float, float]:
    """`evaluate` of the official script: the best gold answer of each question counts, a missing one scores 0."""
    exact = overlap = 0.0
    for question in questions:
        if question.id in predictions:
            given_answer = predictions[question.id]
            golds = [gold.text for gold in question.answers]
            exact += max(official_normalise(given_answer) == official_normalise(gold) for gold in golds)
            overlap += max(official_f1(given_answer, gold) for gold in golds)
    return 100.0 * exact / len(questions), 100.0 * overlap / len(questions)


@given(TEXTS)
def test_normalisation_is_that_of_the_official_script(text: str) -> None:
    assert squad.normalise(text) == official_normalise(text)


@given(TEXTS, TEXTS)
def test_scores_of_two_answers_are_those_of_the_official_script(prediction: str, gold: str) -> None:
    assert squad.f1(prediction, gold) == pytest.approx(official_f1(prediction, gold), abs=1e-12)
    assert squad.exact_match(prediction, gold) == (official_normalise(prediction) == official_normalise(gold))


@given(
    golds=st.lists(st.lists(TEXTS, min_size=1, max_size=4), min_size=1, max_size=5),
    given_texts=st.dictionaries(st.integers(0, 6).map(str), TEXTS),
)
def test_scores_of_a_file_are_those_of_the_official_script(golds: list[list[str]], given_texts: dict[str, str]) -> None:
    questions = [
        Question(str(index), "Which?", tuple(Answer(text, 0) for text in texts)) for index, texts in enumerate(golds)
    ]
    scores = squad.evaluate(questions, given_texts)
    assert (scores.exact_match, scores.f1) == pytest.approx(official_scores(questions, given_texts), abs=1e-9)
    assert scores.questions == len(questions)
    assert scores.missing == sum(question.id not in given_texts for question in questions)


@pytest.mark.parametrize(
    ("text", "normalised"),
    [
        ("The  Denver\tBroncos!", "denver broncos"),
        ("an apple a day", "apple day"),
        ("theatre and Anna", "theatre and anna"),
        ("U.S.", "us"),
        ("the", ""),
        ("“quoted”", "“quoted”"),  # only ASCII punctuation goes, as in the official script
        ("the-end", "theend"),  # punctuation goes before articles
    ],
)
def test_known_normalisations(text: str, normalised: str) -> None:
    assert squad.normalise(text) == normalised


@pytest.mark.parametrize(
    ("prediction", "gold", "f1"),
    [
        ("New York City", "New York", 0.8),
        ("the Denver Broncos", "Denver Broncos", 1.0),
        ("Carolina Panthers", "Denver Broncos", 0.0),
        ("the", "a", 0.0),  # equal once normalised, yet without a word in common
        ("to be or not to be", "to be", 0.5),  # a word counts as often as both have it
        ("x y", "x b c", 0.4),
    ],
)
def test_known_word_overlaps(prediction: str, gold: str, f1: float) -> None:
    assert squad.f1(prediction, gold) == f1


def test_the_best_of_several_gold_answers_counts_and_a_missing_prediction_is_wrong() -> None:
    questions = [
        Question("q1", "Who?", (Answer("Romulus", 0), Answer("Romulus Augustulus", 0))),
        Question("q2", "When?", (Answer("476", 0),)),
    ]
    scores = squad.evaluate(questions, {"q1": "Augustulus", "stranger": "476"})
    assert (scores.exact_match, scores.questions, scores.missing) == (0.0, 2, 1)
    assert scores.f1 == pytest.approx(100 * (2 / 3) / 2)


def test_an_empty_prediction_is_wrong_but_not_missing() -> None:
    scores = squad.evaluate([Question("q", "When?", (Answer("476", 0),))], {"q": ""})
    assert (scores.exact_match, scores.f1, scores.missing) == (0.0, 0.0, 0)


def test_the_majority_is_of_normalised_answers() -> None:
    spellings = [Answer("Ada", 8), Answer("the old king", 16), Answer("The Old King.", 16)]
    assert squad.majority(spellings) == spellings[1]


def test_a_gold_file_without_questions_cannot_be_scored_against() -> None:
    with pytest.raises(InvalidInput, match="holds no questions"):
        squad.evaluate([], {"q": "476"})


def test_a_question_without_gold_answers_cannot_be_scored_against() -> None:
    with pytest.raises(InvalidInput, match=r"'q7'.*no answer"):
        squad.evaluate([Question("q7", "When?", ())], {"q7": "476"})


def squad_file(folder: Path, content: Any) -> Path:
    path = folder / "passages.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def article(title: str, *passages: str) -> dict[str, Any]:
    qa = {"id": "q", "question": "When?", "answers": [{"text": "476", "answer_start": 13}]}
    return {"title": title, "paragraphs": [{"context": text, "qas": [qa]} for text in passages]}


def test_passages_of_an_article_are_numbered_even_when_its_title_comes_again(tmp_path: Path) -> None:
    data = {"data": [article("Old_Rome", "Rome fell in 476.", "Two"), article("Goths"), article("Old_Rome", "Three")]}
    passages = squad.load(squad_file(tmp_path, data))
    assert [(passage.id, passage.title, passage.text) for passage in passages] == [
        ("Old_Rome/0", "Old Rome", "Rome fell in 476."),
        ("Old_Rome/1", "Old Rome", "Two"),
        ("Old_Rome/2", "Old Rome", "Three"),
    ]
    assert passages[0].questions == (Question("q", "When?", (Answer("476", 13),)),)


@pytest.mark.parametrize(
    "content",
    [
        "not json",
        '{"data": [',
        '"text"',
        "null",
        {},
        {"data": None},
        {"data": ["text"]},
        {"data": [{"title": "no paragraphs"}]},
        {"data": [{"paragraphs": [{"context": "no questions"}]}]},
        {"data": [{"paragraphs": [{"qas": []}]}]},
        {"data": [{"paragraphs": [{"context": 7, "qas": []}]}]},
        {"data": [{"paragraphs": [{"context": "x", "qas": [{"id": 1, "question": "no answers"}]}]}]},
        {"data": [{"paragraphs": [{"context": "x", "qas": [{"id": 1, "question": "?", "answers": [{}]}]}]}]},
        {
            "data": [
                {
                    "paragraphs": [
                        {
                            "context": "x",
                            "qas": [{"id": 1, "question": "?", "answers": [{"text": "x", "answer_start": "one"}]}],
                        }
                    ]
                }
            ]
        },
        "9" * 5000,
    ],
    ids=lambda content: json.dumps(content)[:60],
)
def test_a_file_that_is_not_squad_is_refused_by_name(tmp_path: Path, content: Any) -> None:
    path = squad_file(tmp_path, content)
    with pytest.raises(
        InvalidInput,
        match=r"passages\.json( cannot be read as JSON| is not SQuAD v1\.1 JSON|, (line|row) 1: a JSON object)",
    ):
        squad.load(path)


def test_a_file_that_is_missing_or_not_utf_8_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"gone\.json cannot be read"):
        squad.load(tmp_path / "gone.json")
    latin = tmp_path / "latin.json"
    latin.write_bytes('{"data": "é"}'.encode("latin-1"))
    with pytest.raises(InvalidInput, match=r"latin\.json cannot be read"):
        squad.load(latin)
