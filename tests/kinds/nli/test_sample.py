"""The premises, hypotheses and quiz that ship with the task: whole, in balance, and silent about their labels."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from beat_the_ai.kinds.nli.labels import LABELS

ROOT = Path(__file__).parents[3]
SAMPLE = ROOT / "tasks" / "nli" / "contexts" / "sample.jsonl"
QUIZ = ROOT / "qualification" / "quizzes" / "nli.yaml"

GENRES = {"encyclopedia": 32, "news": 12, "fiction": 12, "spoken": 12, "how_to": 12}
SKILLS = {"numerical", "reference", "basic", "lexical", "tricky", "reasoning"}
GIVE_AWAYS = ["not", "never", "no", "some", "may", "might", "only", "all", "always", "nobody", "every", "probably"]

Record = dict[str, Any]


@pytest.fixture(scope="module")
def premises() -> list[Record]:
    return [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def hypotheses(premises: list[Record]) -> list[Record]:
    return [hypothesis for premise in premises for hypothesis in premise["hypotheses"]]


@pytest.fixture(scope="module")
def quiz() -> Record:
    content: Record = yaml.safe_load(QUIZ.read_text(encoding="utf-8"))
    return content


def words(text: str) -> set[str]:
    return set(re.findall(r"[\w’]+", text.lower()))


class TestPremises:
    def test_have_the_genres_of_the_later_rounds(self, premises: list[Record]) -> None:
        assert Counter(premise["genre"] for premise in premises) == GENRES

    def test_have_their_own_ids_titles_and_texts(self, premises: list[Record]) -> None:
        for key in ("id", "title", "context"):
            assert len({premise[key] for premise in premises}) == len(premises)

    def test_have_slugs_for_ids(self, premises: list[Record]) -> None:
        slug = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
        assert [premise["id"] for premise in premises if not slug.fullmatch(premise["id"])] == []

    def test_have_250_to_600_characters_on_a_line_without_stray_spaces(self, premises: list[Record]) -> None:
        for premise in premises:
            assert 250 <= len(premise["context"]) <= 600, premise["id"]
            assert premise["context"] == " ".join(premise["context"].split()), premise["id"]


class TestHypotheses:
    def test_of_a_premise_hold_each_label_three_times(self, premises: list[Record]) -> None:
        for premise in premises:
            labels = Counter(hypothesis["label"] for hypothesis in premise["hypotheses"])
            assert labels == dict.fromkeys(LABELS, 3), premise["id"]

    def test_of_a_premise_begin_with_a_gold_one_of_each_label(self, premises: list[Record]) -> None:
        for premise in premises:
            gold = [hypothesis for hypothesis in premise["hypotheses"] if hypothesis.get("gold")]
            assert gold == premise["hypotheses"][:3], premise["id"]
            assert {hypothesis["label"] for hypothesis in gold} == set(LABELS), premise["id"]

    def test_differ_and_do_not_stand_in_their_premise(self, premises: list[Record], hypotheses: list[Record]) -> None:
        assert len({hypothesis["text"].casefold() for hypothesis in hypotheses}) == len(hypotheses)
        for premise in premises:
            for hypothesis in premise["hypotheses"]:
                assert hypothesis["text"] not in premise["context"]

    def test_have_4_to_25_words_and_end_as_sentences_do(self, hypotheses: list[Record]) -> None:
        for hypothesis in hypotheses:
            assert 4 <= len(hypothesis["text"].split()) <= 25, hypothesis["text"]
            assert hypothesis["text"] == " ".join(hypothesis["text"].split())
            assert hypothesis["text"].endswith(".")

    def test_say_what_they_ask_for_and_why_they_are_right(self, hypotheses: list[Record]) -> None:
        assert {hypothesis["skill"] for hypothesis in hypotheses} == SKILLS
        assert all(hypothesis["reason"].endswith((".", "”")) for hypothesis in hypotheses)

    def test_share_out_the_words_that_give_labels_away(self, hypotheses: list[Record]) -> None:
        uses = {
            word: Counter(item["label"] for item in hypotheses if word in words(item["text"])) for word in GIVE_AWAYS
        }
        frequent = {word: labels for word, labels in uses.items() if labels.total() >= 10}
        assert {"not", "no", "some", "all"} <= set(frequent)
        assert {word: labels for word, labels in frequent.items() if max(labels.values()) > 0.7 * labels.total()} == {}

    def test_are_as_long_whatever_the_label(self, hypotheses: list[Record]) -> None:
        means = [
            sum(lengths) / len(lengths)
            for label in LABELS
            if (lengths := [len(item["text"].split()) for item in hypotheses if item["label"] == label])
        ]
        assert max(means) - min(means) < 1


class TestQuiz:
    def test_explains_each_label_once(self, quiz: Record) -> None:
        assert [example["label"] for example in quiz["explanations"]] == list(LABELS)

    def test_asks_for_each_label_three_times(self, quiz: Record) -> None:
        assert Counter(item["label"] for item in quiz["labelling"]) == dict.fromkeys(LABELS, 3)

    def test_says_of_each_wrong_label_why_it_is_wrong(self, quiz: Record) -> None:
        for item in quiz["labelling"]:
            assert set(item["wrong"]) == set(LABELS) - {item["label"]}, item["id"]

    def test_has_targets_hints_and_references_for_writing(self, quiz: Record) -> None:
        assert len({item["label"] for item in quiz["writing"]}) == len(quiz["writing"]) == 2
        for item in quiz["writing"]:
            assert item["label"] in LABELS
            assert item["hints"]
            assert item["reference"] not in quiz["premises"][item["premise"]]["text"]

    def test_has_premises_of_its_own_of_the_right_length(self, quiz: Record, premises: list[Record]) -> None:
        steps = quiz["explanations"] + quiz["labelling"] + quiz["writing"]
        assert {step["premise"] for step in steps} == set(quiz["premises"])
        texts = {premise["text"] for premise in quiz["premises"].values()}
        assert all(250 <= len(text) <= 600 for text in texts)
        assert not texts & {premise["context"] for premise in premises}
