"""What authors may write, when the model is beaten, and what they see while typing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.quizbowl.backends.tantivy import load
from beat_the_ai.kinds.quizbowl.collection import read_questions
from beat_the_ai.kinds.quizbowl.guesses import Guess, Prediction, Turn
from beat_the_ai.kinds.quizbowl.hints import GuessHints
from beat_the_ai.kinds.quizbowl.writing import QuestionWriting, Work
from beat_the_ai.rules.protocol import Context, TaskItem
from tests.kinds.quizbowl.questions import KILN, LOOM, PIECE

HELD_OUT = Path(__file__).parents[3] / "tasks" / "quizbowl" / "held_out.jsonl"
WRITING = QuestionWriting(min_words=10, max_words=60)


def prediction(*turns: tuple[int, str], rank: int | None = None) -> Prediction:
    return Prediction(
        guesses=[Guess(page=turns[-1][1], confidence=0.5)] if turns else [],
        rank=rank,
        turns=[Turn(word=word, page=page, confidence=0.5) for word, page in turns],
        confidences=[],
        evidence=[],
        saliency=[],
    )


def test_a_question_is_cleaned_and_kept_with_its_page() -> None:
    assert WRITING.check(Work(text=f" {LOOM.replace(' ', '  ')}\n", answer="Loom"), PIECE) == Work(
        text=LOOM, answer="Loom"
    )


@pytest.mark.parametrize(
    ("change", "field", "said"),
    [
        ({"answer": "Spindle"}, "answer", "not on the list"),
        ({"answer": ""}, "answer", "not on the list"),
        ({"text": ""}, "text", "empty"),
        ({"text": "Name it. Now. Please."}, "text", "4 words"),
        ({"text": "word " * 61}, "text", "61 words"),
        ({"text": "a" * 100_000}, "text", "100,000 characters"),
        ({"text": LOOM.replace(". ", ", ")}, "text", "1 sentence;"),
        ({"text": f"{LOOM} The power-loom came later."}, "text", "its own answer"),
        ({"text": LOOM.replace("lever", "lev\u202eer")}, "text", "direction"),
        ({"text": LOOM.replace("lever", "<b>lever</b>")}, "text", "markup"),
    ],
    ids=str,
)
def test_what_breaks_a_rule_is_refused(change: dict[str, str], field: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said) as refused:
        WRITING.check(Work(**{"text": LOOM, "answer": "Loom", **change}), PIECE)
    assert refused.value.field == field


WORDS = len(LOOM.split())  # 36: the last that is early is the 27th


@pytest.mark.parametrize(
    ("given", "fooled"),
    [
        (prediction(), True),
        (prediction((1, "Kiln")), True),
        (prediction((1, "Loom"), (36, "Kiln"), rank=2), False),
        (prediction((27, "Loom"), rank=1), False),
        (prediction((1, "Kiln"), (28, "Loom"), rank=1), True),
        (prediction((1, "Loom"), (20, "Kiln"), (30, "Loom"), rank=1), False),
    ],
    ids=str,
)
def test_the_model_is_beaten_when_it_is_never_right_or_first_right_late(given: Prediction, fooled: bool) -> None:
    verdict = WRITING.judge(Work(text=LOOM, answer="Loom"), given, PIECE)
    assert verdict.fooled is fooled


@pytest.mark.parametrize(
    ("given", "fooled"),
    [
        (prediction((1, "Loom"), (36, "Kiln"), rank=2), True),
        (prediction((1, "Loom"), (20, "Kiln"), (27, "Loom"), rank=1), False),
        (prediction((1, "Loom"), (20, "Kiln"), (28, "Loom"), rank=1), True),
    ],
    ids=str,
)
def test_a_round_may_count_where_the_model_stays_right(given: Prediction, fooled: bool) -> None:
    writing = QuestionWriting(late_position="right_from")
    assert writing.judge(Work(text=LOOM, answer="Loom"), given, PIECE).fooled is fooled


def test_both_positions_are_kept_and_shown() -> None:
    given = prediction((3, "Loom"), (20, "Kiln"), (30, "Loom"), rank=1)
    work = Work(text=LOOM, answer="Loom")
    read = {"words": WORDS, "first_right": 3, "right_from": 30, "rank": 1}
    assert WRITING.judge(work, given, PIECE).scores.model_dump() == read
    shown = GuessHints(WRITING).shown(work, given, PIECE)
    assert {name: shown[name] for name in read} == read


def test_with_a_share_of_1_only_a_model_that_is_never_right_is_beaten() -> None:
    strict = QuestionWriting(late_share=1)
    work = Work(text=LOOM, answer="Loom")
    assert not strict.judge(work, prediction((WORDS, "Loom")), PIECE).fooled
    assert strict.judge(work, prediction((WORDS, "Kiln")), PIECE).fooled


def test_28_of_96_regular_questions_beat_the_shipped_model() -> None:
    model, writing = load("sample", LoadOptions()), QuestionWriting()
    context = Context("all", "", "", {"category": "", "answers": []})
    beaten = 0
    for question in read_questions(HELD_OUT):
        work = Work(text=question.text, answer=str(question.page))
        [given] = model.predict([writing.query(work, TaskItem(context, {}))])
        beaten += writing.judge(work, given, TaskItem(context, {})).fooled
    assert beaten == 28  # and 58 by where it stays right


@pytest.mark.parametrize(
    "options",
    [
        {"min_words": 0},
        {"min_words": 9, "max_words": 8},
        {"min_sentences": 0},
        {"late_share": 0.0},
        {"late_share": 1.1},
    ],
    ids=str,
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        QuestionWriting(**options)


def test_a_draft_is_read_as_it_was_typed() -> None:
    hints = GuessHints(WRITING)
    draft = hints.check(Work(text=" Salt  is", answer="Kiln"), PIECE)
    assert draft.text == " Salt  is"
    shown = hints.shown(draft, prediction((1, "Kiln"), rank=1), PIECE)
    assert (shown["words"], shown["right_from"], shown["rank"]) == (2, 1, 1)
    assert shown["guesses"] == [{"name": "Kiln", "confidence": 0.5, "right": True}]


@pytest.mark.parametrize(
    "draft",
    [
        {"text": "", "answer": "Kiln"},
        {"text": " ", "answer": "Kiln"},
        {"text": "Salt", "answer": "Oven"},
        {"text": "x" * 100_000, "answer": "Kiln"},
        {"text": "Salt\x00", "answer": "Kiln"},
        {"text": "Salt \ud800", "answer": "Kiln"},
    ],
    ids=lambda draft: repr(draft)[:40],
)
def test_a_draft_that_no_model_is_asked_about_is_refused(draft: dict[str, str]) -> None:
    with pytest.raises(InvalidInput):
        GuessHints(WRITING).check(Work(**draft), PIECE)


def test_the_same_question_in_other_letters_is_the_same() -> None:
    prints = {
        WRITING.fingerprint(Work(text=text, answer="Loom")) for text in (LOOM, LOOM.upper(), LOOM.replace(",", ""))
    }
    assert len(prints) == 1
    assert WRITING.fingerprint(Work(text=KILN, answer="Loom")) not in prints
