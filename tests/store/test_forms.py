"""Forms and their answers in the store, on both databases."""

from __future__ import annotations

from beat_the_ai.store import FormAnswers, Store
from tests.store.builders import NEW_YEAR, at_once, campaign

FORM = "f" * 64


def test_of_many_answers_at_once_one_stands_and_all_are_told_which(store: Store) -> None:
    store.campaigns.create(campaign())
    store.forms.keep("pilot", FORM, {"title": "Zoë 𝄞"}, NEW_YEAR)
    store.forms.keep("pilot", FORM, {"title": "another"}, NEW_YEAR)
    assert store.forms.contents("pilot") == {FORM: {"title": "Zoë 𝄞"}}

    def answer(number: int) -> FormAnswers:
        return store.forms.answer("pilot", FormAnswers("w1", FORM, "given", {"age": number}, NEW_YEAR))

    told = at_once(8, answer)
    [kept] = store.forms.all_answers("pilot")
    assert {one.answers["age"] for one in told} == {kept.answers["age"]}
    assert store.forms.of_worker("pilot", "w1") == {FORM: kept}
    assert store.forms.of_worker("pilot", "w2") == {}
