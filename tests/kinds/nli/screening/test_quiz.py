"""The screening quiz: what a page is shown, how it is graded, and which files are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.labels import LABELS, Pair, Prediction, Probabilities
from beat_the_ai.kinds.nli.people import known_hypotheses
from beat_the_ai.kinds.nli.screening import PairScreening
from beat_the_ai.kinds.nli.screening.newcomers import PairNewcomers
from beat_the_ai.kinds.nli.screening.quiz import Labels, PairQuiz
from beat_the_ai.kinds.nli.writing import Work
from beat_the_ai.rules.protocol import Json
from tests.kinds.nli.premises import WRITING

FILE = Path(__file__).parents[1] / "quiz.yaml"
SCREENING = PairScreening(WRITING)


@pytest.fixture
def quiz() -> PairQuiz:
    return SCREENING.load_quiz(FILE)


@pytest.fixture
def newcomers() -> PairNewcomers:
    return SCREENING.newcomers(FILE)


def labels(quiz: PairQuiz, wrong: int = 0) -> dict[str, list[str]]:
    """The keys, the first few replaced."""
    keys = quiz.content.labels
    other = {"entailment": "neutral", "neutral": "contradiction", "contradiction": "entailment"}
    return {"labels": [other[key] if number < wrong else key for number, key in enumerate(keys)]}


def test_labels_come_first_then_writing_then_the_sample_hit(quiz: PairQuiz) -> None:
    assert [(step.id, step.kind) for step in quiz.steps] == [
        ("labelling", "labelling"),
        ("sails", "writing"),
        ("time", "writing"),
    ]
    sample = quiz.sample
    assert (sample.min_attempts, sample.wins_wanted, sample.max_wins, sample.max_tries) == (1, 1, 1, 5)
    assert sample.context.title == "The clock of Ermelen"


def test_a_page_sees_an_example_of_each_label_and_no_key(quiz: PairQuiz) -> None:
    shown = quiz.shown("labelling")
    assert [example["label"] for example in shown["examples"]] == list(LABELS)
    assert set(shown["wordings"]) == set(LABELS)
    assert len(shown["items"]) == 6
    assert {name for item in shown["items"] for name in item} == {"id", "premise", "hypothesis"}
    assert [premise["id"] for premise in shown["premises"]] == ["library", "goat", "bell"]
    writing = quiz.shown("sails")
    assert (writing["target"], writing["wording"]) == ("contradiction", "definitely incorrect")
    sent = json.dumps([shown, writing, dict(quiz.page_config)])
    for task in quiz.content.labelling:
        assert not any(why in sent for why in task.wrong.values())
    assert quiz.content.writing[0].reference not in sent


@pytest.mark.parametrize(("wrong", "mistake"), [(0, None), (1, None), (2, "wrong 2"), (6, "wrong 6")])
def test_labels_pass_from_a_bound_on(quiz: PairQuiz, wrong: int, mistake: str | None) -> None:
    grade = quiz.grade("labelling", labels(quiz, wrong), [])
    assert grade.mistake == mistake
    assert (grade.scores["labelled_right"], len(grade.scores["wrong"])) == (6 - wrong, wrong)
    assert isinstance(grade.work, Labels)
    assert quiz.query("labelling", grade.work) is None


def test_saying_the_same_of_all_is_not_enough(quiz: PairQuiz) -> None:
    for label in LABELS:
        assert quiz.grade("labelling", {"labels": [label] * 6}, []).mistake == "wrong 4"


def test_a_mistake_says_how_many_are_wrong_and_not_which(quiz: PairQuiz) -> None:
    shown = quiz.explanation("labelling", "wrong 2", 0)
    assert (shown["message"], shown["hint"]) == ("2 of these are wrong. Look at the examples once more.", None)


def test_who_got_through_is_told_why_the_other_labels_were_wrong(quiz: PairQuiz) -> None:
    told = quiz.disclosure(quiz.grade("labelling", labels(quiz, 1), []).scores)
    assert told == {"labelled_right": 5, "wrong": [{"id": "spring", "label": "neutral", "why": "It fell ill in May."}]}
    assert quiz.disclosure(quiz.grade("labelling", labels(quiz), []).scores) == {"labelled_right": 6, "wrong": []}
    assert quiz.disclosure({}) == {"model_label": None}


@pytest.mark.parametrize(
    "payload", [{"labels": ["neutral"] * 5}, {"labels": ["n"] * 6}, {"labels": ["neutral"] * 101}, {}, None]
)
def test_what_are_no_labels_uses_up_no_try(quiz: PairQuiz, payload: object) -> None:
    with pytest.raises(InvalidInput):
        quiz.grade("labelling", payload, [])


def test_a_hypothesis_is_checked_by_the_rules_of_the_round_and_put_to_the_model(quiz: PairQuiz) -> None:
    earlier = [labels(quiz)]
    grade = quiz.grade("sails", {"hypothesis": " Nobody had\n a boat. "}, earlier)
    assert (grade.work, grade.mistake) == (Work(hypothesis="Nobody had a boat.", target="contradiction"), None)
    assert isinstance(grade.work, Work)
    query = quiz.query("sails", grade.work)
    assert query == Pair(premise=quiz.content.premises["boats"].text, hypothesis="Nobody had a boat.")
    said = Prediction(
        label="contradiction", probabilities=Probabilities(entailment=0.1, neutral=0.2, contradiction=0.7)
    )
    evidence = quiz.evidence(grade.work, said)
    assert evidence == {"model_label": "contradiction", "target": "contradiction"}
    assert quiz.disclosure(evidence) == {"model_label": "contradiction"}
    with pytest.raises(InvalidInput, match="word by word"):
        quiz.grade("sails", {"hypothesis": "Three of the five boats had sails"}, earlier)


@pytest.mark.parametrize("hypothesis", ["the bell CRACKED in a fire", "What I wrote before."])
def test_what_stands_in_the_quiz_or_was_written_before_is_a_mistake(quiz: PairQuiz, hypothesis: str) -> None:
    earlier: list[Json] = [labels(quiz), {"hypothesis": "What I wrote before", "target": "neutral"}]
    assert quiz.grade("sails", {"hypothesis": hypothesis}, earlier).mistake == "repeated"
    hints = [quiz.explanation("sails", "repeated", number)["hint"] for number in range(3)]
    assert hints == ["Take a number of the text.", *["Write that all of them had sails or oars."] * 2]
    assert quiz.explanation("time", "repeated", 0)["hint"] is None


def test_the_digest_names_the_content(quiz: PairQuiz, tmp_path: Path) -> None:
    other = tmp_path / "quiz.yaml"
    other.write_text(FILE.read_text("utf-8").replace("two litres", "three litres"), encoding="utf-8")
    assert len(quiz.digest) == 64
    assert quiz.digest == SCREENING.load_quiz(FILE).digest != SCREENING.load_quiz(other).digest


def without(*keys: str | int) -> Callable[[dict[str, Any]], object]:
    """What removes the value at a place."""

    def remove(content: Any) -> None:
        for key in keys[:-1]:
            content = content[key]
        del content[keys[-1]]

    return remove


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (without("explanations", 1), "explanations: there is nothing with the label neutral"),
        (without("premises", "bell"), r"labelling\.3: there is no premise 'bell'. The quiz has: boats, clock, goat"),
        (lambda content: content.update(min_right=7), "min_right=7: with 6 hypotheses it must be 3 to 6"),
        (lambda content: content.update(min_right=2), "min_right=2"),
        (lambda content: content["writing"][0].update(reference="Three of the five boats"), r"writing\.0: its own"),
        (lambda content: content["writing"][0].update(label="wrong"), r"writing\.0\.label"),
        (lambda content: content["writing"][0].update(id="time"), "id 'time' is used 2 times"),
        (lambda content: content["writing"][0].update(id="labelling"), "id 'labelling'"),
        (lambda content: content["premises"]["goat"].update(text="a\0b"), r"premises\.goat has a NUL"),
        (lambda content: content["labelling"][0].update(hint="x"), r"labelling\.0\.hint"),
        (without("labelling", 0, "wrong", "neutral"), r"labelling\.0\.wrong: both labels but entailment"),
        (lambda content: content["labelling"][0]["wrong"].update(entailment="x"), r"labelling\.0\.wrong"),
        (without("labelling"), "labelling"),
        (lambda content: content.update(writing=[]), "writing"),
    ],
)
def test_a_quiz_that_is_not_as_it_should_be_is_named_with_the_place(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], reason: str
) -> None:
    content = yaml.safe_load(FILE.read_text("utf-8"))
    change(content)
    path = tmp_path / "broken.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    with pytest.raises(InvalidInput, match=reason) as caught:
        SCREENING.load_quiz(path)
    assert "broken.yaml" in str(caught.value)


@pytest.mark.parametrize("hypothesis", ["asdf jkl qwer", "Who had a boat?", "Banana window cat dog."])
def test_what_is_no_statement_is_a_mistake_to_learn_from(quiz: PairQuiz, hypothesis: str) -> None:
    grade = quiz.grade("sails", {"hypothesis": hypothesis}, [])
    assert grade.mistake == "not_a_statement"
    assert "not an English statement" in quiz.explanation("sails", "not_a_statement", 1)["message"]


def test_good_newcomers_pass_and_malicious_ones_do_not(quiz: PairQuiz, newcomers: PairNewcomers) -> None:
    def mistakes(persona: str) -> int:
        responses = (newcomers.response(persona, "labelling", Random(seed)) for seed in range(40))
        return sum(quiz.grade("labelling", response, []).mistake is not None for response in responses)

    assert mistakes("good") == 0
    assert 0 < mistakes("sloppy") < 20
    assert mistakes("malicious") >= 35
    response = newcomers.response("good", "sails", Random(1))
    assert quiz.grade("sails", response, []).mistake is None


@pytest.mark.parametrize("target", LABELS)
def test_in_the_sample_hit_the_good_write_what_is_asked_for(newcomers: PairNewcomers, target: Any) -> None:
    [work] = newcomers.works("good", {"target": target}, Random(1))
    assert dict(known_hypotheses(newcomers.quiz.sample))[work["hypothesis"]] == target
    [nonsense] = newcomers.works("malicious", {"target": target}, Random(1))
    assert nonsense["hypothesis"] not in dict(known_hypotheses(newcomers.quiz.sample))
