"""Texts that are alike."""

from __future__ import annotations

from beat_the_ai.rules.likeness import AlikeTexts

TEXT = "this general crossed the alps with elephants and won a battle at a lake before he lost the war"


def test_a_text_with_a_few_changed_words_is_found_by_its_number() -> None:
    texts = AlikeTexts()
    for text in ("a text about something else that has nothing in common with the others here", TEXT):
        texts.add(text)
    assert texts.alike(TEXT.replace("elephants", "Horses").upper()) == [1]
    assert texts.alike("the question is about a painter who never left his town and painted one bridge") == []
