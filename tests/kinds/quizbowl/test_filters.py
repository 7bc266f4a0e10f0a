"""Which questions reviewers look at first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.quizbowl.collection import SHIPPED, Question, read_questions
from beat_the_ai.kinds.quizbowl.filters import QuestionFilters
from beat_the_ai.kinds.quizbowl.kind import kind
from beat_the_ai.kinds.quizbowl.people import NONSENSE
from beat_the_ai.kinds.quizbowl.writing import Work
from beat_the_ai.rules.languages import ENGLISH
from tests.kinds.quizbowl.questions import KILN, LOOM, PIECE

HERE, KNOWN = "in this campaign", "in a collection of questions"

HELD_OUT = Path(__file__).parents[3] / "tasks" / "quizbowl" / "held_out.jsonl"
SAMPLE = SHIPPED / "sample.jsonl"
DULL = (
    "In the evening we went back with a bus. It was late and rather cold, so nobody talked. Then my brother asked for "
    "tea, because he was tired. What do you think that it is? Please tell it."
)


def about(filters: QuestionFilters, text: str) -> str:
    return " ".join(filters.about(Work(text=text, answer="Loom"), PIECE))


@pytest.mark.parametrize(
    "text", [LOOM, "God, a slave and Dick Cheney kill a virgin organ in Reich's Moby-Dick. Assess it."]
)
def test_nothing_is_said_of_an_ordinary_question(text: str) -> None:
    assert about(QuestionFilters(), text) == ""


@pytest.mark.parametrize("word", ["fucking", "Sh1t", "CUNT"])
def test_a_vulgar_word_is_named(word: str) -> None:
    assert f"({word})" in about(QuestionFilters(), f"{LOOM} It is {word} old.")


def test_a_repeat_is_known_though_words_are_changed() -> None:
    changed = LOOM.replace("A lever", "One lever").replace("flies", "runs").upper()
    filters = QuestionFilters([{"text": LOOM, "answer": "Loom"}], [Question(text=KILN, page="Kiln")])
    assert HERE in about(filters, changed)
    assert KNOWN in about(filters, f"Now then. {KILN}")
    assert about(filters, "Weavers throw a shuttle over it. They beat what it made. Name it, please.") == ""


def test_what_was_judged_is_remembered() -> None:
    filters = QuestionFilters()
    assert about(filters, LOOM) == ""
    filters.remember({"text": LOOM, "answer": "Loom"})
    assert HERE in about(filters, LOOM)


def test_very_short_and_very_long_texts_are_compared_too() -> None:
    filters = QuestionFilters([{"text": "One", "answer": "Loom"}])
    assert HERE in about(filters, "one")
    assert HERE not in about(filters, "word " * 2000)


def filters_of(**options: object) -> QuestionFilters:
    """As a campaign has them."""
    found = kind(options, {}, ENGLISH).doubts
    assert found is not None
    filters = found([])
    assert isinstance(filters, QuestionFilters)
    return filters


def test_a_question_of_any_collection_is_doubtful_under_any_answer(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps({"text": KILN, "page": "Kiln"}), "utf-8")
    shipped = read_questions(SAMPLE)[0].text
    for options in ({"known_questions": ["sample", str(path)]}, {"regular_questions": ["sample", str(path)]}):
        filters = filters_of(**options)
        assert KNOWN in about(filters, KILN)
        assert KNOWN in about(filters, shipped)


@pytest.mark.parametrize("option", ["known_questions", "regular_questions"])
def test_a_collection_that_is_not_there_is_named_with_its_option(option: str) -> None:
    with pytest.raises(InvalidInput, match=r"'nothing' is no file of questions, and no collection that ships") as found:
        filters_of(**{option: ["nothing"]})
    assert found.value.field == f"task.options.{option}"


@pytest.fixture(scope="module")
def shipped() -> QuestionFilters:
    return filters_of(known_questions=["sample"], regular_questions=[str(HELD_OUT)])


def test_every_regular_question_is_doubtful_even_if_two_fifths_of_it_are_new(shipped: QuestionFilters) -> None:
    for question in read_questions(HELD_OUT):
        words = question.text.split()
        new = [f"new{number}" for number in range(len(words) * 2 // 5)]
        assert KNOWN in about(shipped, question.text)
        assert "word for word" in about(shipped, " ".join([*words[: -len(new)], *new]))
        assert "word for word" in about(shipped, " ".join([*new, *words[len(new) :]]).upper())


def test_a_short_sentence_that_is_copied_is_told_from_a_phrase_that_many_use(shipped: QuestionFilters) -> None:
    copied = f"{LOOM} Helen Burns is her saintly friend at Lowood."
    assert "“Helen Burns is her saintly friend at Lowood” stands word for word" in about(shipped, copied)
    assert about(shipped, LOOM) == ""
    assert about(shipped, f"{LOOM} Helen Burns is her friend at Lowood.") == ""


def test_regular_questions_are_honest_ones_for_those_who_know_only_the_others() -> None:
    filters = filters_of(known_questions=["sample"])
    for question in read_questions(HELD_OUT):
        doubts = filters.about(Work(text=question.text, answer=str(question.page)), PIECE)
        assert [doubt for doubt in doubts if "vulgar" not in doubt] == [], question.page


@pytest.mark.parametrize(
    "text", [f"{NONSENSE} " * 5, "Name it. " * 30, f"{LOOM} {LOOM}", "asdf qwer zxcv " * 20], ids=lambda text: text[:20]
)
def test_what_says_the_same_again_is_doubtful(text: str) -> None:
    assert "more than once" in about(QuestionFilters(), text)
    assert "more than once" not in about(QuestionFilters(), LOOM)


def test_a_question_with_nothing_of_its_answer_is_doubtful_where_that_is_known(shipped: QuestionFilters) -> None:
    def clueless(text: str, answer: str) -> bool:
        return "hardly anything of what known questions say" in " ".join(
            shipped.about(Work(text=text, answer=answer), PIECE)
        )

    assert clueless(DULL, "Helium")
    assert not clueless(DULL, "Loom")  # no question on it is known
    gibberish = " ".join(f"w{number}rt" for number in range(70))
    assert all(clueless(gibberish, str(question.page)) for question in read_questions(HELD_OUT))
    assert not any(clueless(question.text, str(question.page)) for question in read_questions(SAMPLE))
