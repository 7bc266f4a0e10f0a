"""Answers are known by all of their names, and by nothing else."""

from __future__ import annotations

import pytest

from beat_the_ai.kinds.quizbowl.answers import Answer, called, is_called, name_within, page_title, search
from tests.kinds.quizbowl.questions import ANSWERS

LOOM, KILN, EMILE = ANSWERS


@pytest.mark.parametrize("said", ["loom", "The LOOM!", "weaving  loom", "power loom", "“Power-Loom”", "a loom"])
def test_an_answer_is_called_by_its_names(said: str) -> None:
    assert is_called(LOOM, said)


@pytest.mark.parametrize("said", ["", " ", "the", "looms", "loom weaving", "heirloom", "kiln", "loom" * 100_000])
def test_an_answer_is_called_nothing_else(said: str) -> None:
    assert not is_called(LOOM, said)


@pytest.mark.parametrize("said", ["Emile", "ÉMILE", "E\u0301mile", "emile or on education", "Émile"])
def test_accents_and_disambiguation_matter_to_nobody(said: str) -> None:
    assert is_called(EMILE, said)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Søren Kierkegaard", "Soren Kierkegaard"),
        ("Łódź", "Lodz"),
        ("Đorđe Petrović", "Dorde Petrovic"),
        ("Þórr", "Thorr"),
        ("Ærø", "Aero"),
        ("Sigurður", "SIGURDUR"),
        ("Œdipe", "Oedipe"),
        ("Straße", "strasse"),
        ("Loom", "Lo\u200bom\ufeff"),
        ("Lo\u00adom", "loom"),
    ],
)
def test_letters_that_keyboards_lack_and_characters_without_a_shape_matter_to_nobody(name: str, said: str) -> None:
    answer = Answer(page="Some_page", name=name)
    assert is_called(answer, said)
    assert is_called(Answer(page="Other_page", name=said), name)
    assert search([answer], said[:4], 1) == [answer]
    assert name_within(answer, f"They call it {said}, or not.") == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Weavers sit at the LOOM.", "Loom"),
        ("A power-loom's noise", "Loom"),
        ("an heirloom of loomers", None),
        ("The (weaving) loom", "Loom"),
    ],
)
def test_a_name_stands_in_a_text_as_whole_words(text: str, name: str | None) -> None:
    assert name_within(LOOM, text) == name


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("lo", ["Loom"]),
        ("edu emi", ["Émile_(book)"]),
        ("l", ["Loom"]),
        ("", ["Kiln", "Loom"]),
        ("lom", []),
        ("weaving kiln", []),
    ],
)
def test_search_finds_beginnings_of_words(text: str, pages: list[str]) -> None:
    assert [answer.page for answer in search(ANSWERS, text, 2)] == pages


def test_the_closest_comes_first() -> None:
    names = ["New York City", "York", "Duke of York", "Yorkshire"]
    answers = [Answer(page=name.replace(" ", "_"), name=name) for name in names]
    assert [answer.name for answer in search(answers, "york", 9)] == [
        "York",
        "Yorkshire",
        "New York City",
        "Duke of York",
    ]


def test_a_page_is_shown_without_underscores_and_disambiguation() -> None:
    assert [page_title(page) for page in ("Émile_(book)", "Duke_of_York", "F(x)")] == ["Émile", "Duke of York", "F(x)"]


@pytest.mark.parametrize(
    ("said", "page"),
    [
        ("Power-loom", "Loom"),
        ("weavng loom", "Loom"),
        ("weaving looom", None),  # a short word is another one
        ("waeving loom", "Loom"),
        ("weevimg loom", None),  # two slips
        ("emile or on edcation", "Émile_(book)"),
        ("kilm", None),
        ("", None),
        ("?!", None),
    ],
)
def test_a_slip_in_a_long_word_is_forgiven(said: str, page: str | None) -> None:
    answer = called(ANSWERS, said)
    assert (answer.page if answer else None) == page


@pytest.mark.parametrize(("said", "name"), [("proton", "Photon"), ("Manet", "Monet"), ("Hume", "Home")])
def test_another_short_word_is_another_answer(said: str, name: str) -> None:
    assert called([Answer(page=name, name=name)], said) is None


def test_whoever_is_called_so_exactly_comes_before_whoever_may_be_meant() -> None:
    names = ["Henry Bolingbrook", "Henry Bolingbrock"]
    answers = [Answer(page=name.replace(" ", "_"), name=name) for name in names]
    found = [
        called(answers, said)
        for said in ("henry bolingbrock", "henry bolingbrook", "henry bolingbrck", "henry bolingbroook")
    ]
    assert [answer and answer.name for answer in found] == [
        "Henry Bolingbrock",
        "Henry Bolingbrook",
        "Henry Bolingbrock",
        "Henry Bolingbrook",
    ]
