"""What is refused as no question, and what must not be."""

from __future__ import annotations

import random

import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds import english
from beat_the_ai.kinds.reading_comprehension.question_floor import QuestionFloor

FLOOR = QuestionFloor()
ALL_WORDS = sorted(english.known_words())
ENGLISH = (
    "The tide mill at Corran was built in 1782 by two brothers, who had quarrelled with the owner of the windmill. "
    "Twice a day the sea filled a pond behind a stone wall; the Mau Mau and Beyoncé never came there."
)
GERMAN = (
    "Die Gezeitenmühle wurde 1782 von zwei Brüdern gebaut, die sich mit dem Besitzer der Windmühle zerstritten hatten."
)


@pytest.mark.parametrize(
    "question",
    [
        "Who built the mill?",
        "who built the mill",
        "Who quarrelled with Zbigniew Brzeziński of Hódmezővásárhely?",
        "In which year was it finished, according to the author?",
        "Was the mill older than the wall?",
        "In 1782, did the brothers own a windmill?",
        "Name the people that built the mill.",
        "Tell me where the pond lay",
        "The mill stood where?",
        "The mill was built by ____ brothers.",
        "Whose windmill wasn't theirs?",
        "How many km² is 3.5?",
        "Who fought the Mau Mau?",
        "Who filled ponds?",
        "Who came earlier?",
        "Which pond filled?",
        "Who ruled last?",
        "By whom was it made?",
        "When was it over?",
        "Who is he?",
        "What does “Gezeitenmühle” mean?",
    ],
)
def test_a_question_is_taken(question: str) -> None:
    assert FLOOR.flaw(question, ENGLISH) is None


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("When", "at least 3 words"),
        ("When?", "at least 3 words"),
        ("Banana banana cat dog which?", "does not read as a question"),
        ("Which banana banana cat dog?", "does not read as a question"),
        ("good very nice?", "does not read as a question"),
        ("What is what?", "does not read as a question"),
        ("the mill at Corran was built", "does not read as a question"),
        ("asdf jkl qwer?", "asdf, jkl, qwer"),
        ("What is sdkfj wlekr xcvm?", "sdkfj, wlekr, xcvm"),
        ("Кто построил эту мельницу?", "letters of the passage"),
        ("谁建造了磨坊？", "letters of the passage"),
        ("Who built the mіll?", "letters of the passage"),  # with a Cyrillic і
    ],
)
def test_what_is_no_question_is_refused_with_the_reason(question: str, reason: str) -> None:
    assert reason in str(FLOOR.flaw(question, ENGLISH))


@pytest.mark.parametrize(
    ("question", "passage"),
    [
        ("Wer baute die Mühle?", GERMAN),
        ("谁建造了磨坊？", "潮汐磨坊建于1782年。"),
        ("どこですか？", "潮車は海のそばにあります。"),
        ("من بنى الطاحونة؟", "بنيت الطاحونة عام 1782."),
        ("מי בנה את הטחנה?", "הטחנה נבנתה בשנת 1782."),
    ],
)
def test_a_passage_in_another_language_is_asked_about_in_that_language(question: str, passage: str) -> None:
    assert FLOOR.flaw(question, passage) is None
    assert FLOOR.flaw("When", passage) is not None


@pytest.mark.parametrize("question", ["Кто построил эту мельницу?", "谁建造了磨坊？"])
def test_letters_of_another_script_are_refused_in_any_language(question: str) -> None:
    assert "letters of the passage" in str(FLOOR.flaw(question, GERMAN))


def test_each_check_can_be_switched_off() -> None:
    assert QuestionFloor(min_words=1, shape=False).flaw("When", ENGLISH) is None
    assert QuestionFloor(shape=False).flaw("Banana banana cat dog which?", ENGLISH) is None
    assert QuestionFloor(min_known_share=0).flaw("What is sdkfj wlekr xcvm?", ENGLISH) is None
    assert QuestionFloor(script=False, min_known_share=0, shape=False).flaw("谁建造了磨坊？", ENGLISH) is None


@pytest.mark.parametrize("options", [{"min_words": 0}, {"min_known_share": 1.5}])
def test_impossible_options_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(InvalidInput):
        QuestionFloor(**options)  # type: ignore[arg-type]


def _mash(rng: random.Random) -> str:
    return " ".join("".join(rng.choices("asdfghjklqwertyuiopzxcvbnm", k=rng.randint(3, 9))) for _ in range(4))


def _salad(rng: random.Random) -> str:
    return " ".join(rng.choices(ALL_WORDS, k=rng.randint(3, 7)))


@pytest.mark.parametrize(
    "gibberish",
    [
        lambda rng: f"{_mash(rng)}?",
        lambda rng: f"What is {_mash(rng)}?",
        lambda rng: f"{_salad(rng)}?",
        lambda rng: f"Which {_salad(rng)}?",
        lambda rng: f"{_salad(rng)} who?",
        lambda rng: " ".join(rng.choices(sorted(english.QUESTION_WORDS), k=5)),
    ],
    ids=["keys", "keys with a beginning", "any words", "words after which", "words before who", "whats"],
)
def test_gibberish_is_nearly_always_refused(gibberish: object) -> None:
    rng = random.Random(1)
    assert callable(gibberish)
    refused = sum(FLOOR.flaw(gibberish(rng), ENGLISH) is not None for _ in range(500))
    assert refused >= 450
