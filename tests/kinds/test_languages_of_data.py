"""Data in other languages than English: which rules apply to them, and where it is said."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.dataset import Example, Parts
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.languages import ENGLISH, is_english
from beat_the_ai.rules.protocol import Context, TaskItem
from beat_the_ai.rules.registry import KINDS, bind

ARABIC = "ar"
PASSAGE = "افتتحت ميرا المخبز عام 1954 مع أخيها توماس، الذي رحل إلى لشبونة بعد عامين."
ENGLISH_PASSAGE = "Mira opened the bakery in 1954 with her brother, who left for the city of Lisbon two years later."


def reading(language: str) -> Kind:
    return bind("reading_comprehension", language=language)


def question(kind: Kind, text: str, passage: str, answer: str) -> Any:
    work = kind.writing.work_type(question=text, answer={"text": answer, "start": passage.index(answer)})
    return kind.writing.check(work, TaskItem(Context("c", passage)))


def test_tags_of_english_are_those_of_any_country() -> None:
    assert [is_english(tag) for tag in ("en", "en-GB", "enm", "ar", "pt-BR")] == [True, True, False, False, False]


def test_the_floor_of_questions_is_english() -> None:
    """Two words, and no shape that English has; letters of another script are still refused."""
    for text in ("Mira when", "bakery Lisbon qwrtx zzkk"):
        with pytest.raises(InvalidInput):
            question(reading(ENGLISH), text, ENGLISH_PASSAGE, "1954")
        question(reading("nl"), text, ENGLISH_PASSAGE, "1954")
    question(reading(ARABIC), "متى افتُتح؟", PASSAGE, "1954")
    with pytest.raises(InvalidInput, match="letters"):
        question(reading(ARABIC), "When was it opened?", PASSAGE, "1954")


def test_the_floor_of_statements_is_english() -> None:
    for language, is_refused in ((ENGLISH, True), ("nl", False)):
        writing = bind("nli", language=language).writing
        work = writing.work_type(hypothesis="Is the bakery open?")
        refusal = pytest.raises(InvalidInput, match="question") if is_refused else nullcontext()
        with refusal:
            writing.check(work, TaskItem(Context("c", ENGLISH_PASSAGE), {"target": "neutral"}))


def test_the_articles_of_english_are_words_of_other_languages() -> None:
    """SQuAD's comparison leaves "a" and "the" out, and knows the punctuation of ASCII alone."""
    for language, is_same in ((ENGLISH, True), ("hu", False)):
        checking = reading(language).checking
        assert checking is not None
        assert checking.agree("a Lisbon", "Lisbon") == is_same
    checking = reading(ARABIC).checking
    assert checking is not None
    assert checking.agree("لشبونة؟", "«لشبونة»")


def test_no_filter_of_quizbowl_has_a_list_of_another_language() -> None:
    work = {"text": "This damn lamp was lit. Name it.", "answer": "Lamp"}
    told = []
    for language in (ENGLISH, "de"):
        kind = bind("quizbowl", language=language)
        assert kind.doubts is not None
        told.append(kind.doubts([]).about(kind.writing.work_type(**work), TaskItem(Context("c", "x"))))
    [[vulgar], nothing] = told
    assert "damn" in vulgar
    assert nothing == []


def test_reports_count_kinds_of_question_for_english_alone() -> None:
    work = {"question": "متى افتُتح؟", "answer": {"text": "1954", "start": 19}}
    context, prediction = Context("c", PASSAGE), {"text": "", "start": -1, "score": None}
    parts: Parts = {"train": [Example("e", "train", context, work, None, "m", prediction, True, 1, False, None)]}
    english, arabic = ({section.title for section in _report(reading(tag), parts)} for tag in (ENGLISH, ARABIC))
    assert english - arabic == {"Kinds of question", "Types of answer"}


def _report(kind: Kind, parts: Parts) -> Any:
    assert kind.report is not None
    return kind.report(parts, [])


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_says_which_of_its_rules_are_left_out(name: str) -> None:
    assert bind(name).left_out == ""
    left_out = bind(name, language=ARABIC).left_out
    assert left_out.startswith("The data are in the language ar. For English only, and not applied here: the ")
