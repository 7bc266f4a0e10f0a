"""Suggestions to writers: which are shown and in what order, and what an attempt was made of, found by the server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.errors import AdversaryError, InvalidInput, Refused
from beat_the_ai.kinds.nli.suggestions import HypothesisSuggestions, SuggestedHypothesis
from beat_the_ai.kinds.nli.writing import HypothesisWriting
from beat_the_ai.kinds.reading_comprehension.suggestions import QuestionSuggestions, SuggestedQuestion
from beat_the_ai.kinds.reading_comprehension.writing import ReadingComprehension, Span
from beat_the_ai.rules.protocol import Context, TaskItem
from beat_the_ai.store import ArmBlocks, Assignment, Round, Store, now
from beat_the_ai.terms.prospect import NoOutlook
from beat_the_ai.terms.writing import Terms
from beat_the_ai.writing import DeskArms, Suggested, SuggestionDesk, SuggestionPool, WriterTerms, WritingDesk
from beat_the_ai.writing.suggestions import edit_distance
from tests.writing.fakes import PASSAGE, RIGHT, FakeModel, offer_hits, payload

RULES = QuestionSuggestions(ReadingComprehension())
ANSWER = Span(text=RIGHT, start=13)
FILE = [
    Suggested("s1", "gpt", SuggestedQuestion(question="In which year did Rome fall?", answer=ANSWER)),
    Suggested("s2", "gpt", SuggestedQuestion(question="Who was the last emperor?")),
    Suggested("s3", "bart", SuggestedQuestion(question="What happened to Rome in that year?", answer=ANSWER)),
]
ARMS = ("assisted", "alone")


def desks(
    store: Store, model: FakeModel | None = None, file: Sequence[Suggested] = FILE
) -> tuple[WritingDesk, SuggestionDesk]:
    writing = ReadingComprehension()
    suggestions = SuggestionDesk(store, writing, {"assisted": SuggestionPool({PASSAGE.id: file}, RULES)}, seed=4)
    terms = {name: WriterTerms(Terms(), NoOutlook()) for name in ARMS}
    arms = DeskArms(ArmBlocks(ARMS, seed=4), terms)
    return WritingDesk(store, writing, model or FakeModel(), Terms(), arms=arms, suggestions=suggestions), suggestions


def taken(store: Store, desk: WritingDesk, slots: int = 2) -> dict[str, Assignment]:
    """An assignment in each arm."""
    hits = offer_hits(store, slots)
    store.rounds.open(Round("pilot", 1, {}, now()))
    return {str(one.arm): one for one in (desk.accept(hit, f"w{hit}", f"r{hit}")[0] for hit in hits)}


def names(suggestions: SuggestionDesk, made_in: Assignment, ordinal: int) -> list[str]:
    return [one.name for one in suggestions.show(made_in.id, ordinal).shown]


def test_one_more_is_kept_and_shown_at_a_time_in_the_order_of_the_hit(store: Store) -> None:
    desk, suggestions = desks(store)
    made_in = taken(store, desk)["assisted"]
    first = suggestions.show(made_in.id, 1)
    assert (len(first.shown), first.more) == (1, True)
    assert suggestions.show(made_in.id, 1) == first
    assert suggestions.show(made_in.id, 3) == first  # not before the second
    order = [names(suggestions, made_in, ordinal) for ordinal in (2, 3, 4)]
    assert [len(each) for each in order] == [2, 3, 3]
    assert sorted(order[-1]) == ["s1", "s2", "s3"]
    assert suggestions.show(made_in.id, 3).more is False
    assert [one.name for one in store.suggestions.of_assignment(made_in.id)] == order[-1]


def test_the_order_is_of_seed_and_hit_whatever_the_order_of_the_file(store: Store) -> None:
    desk, suggestions = desks(store)
    made_in = taken(store, desk)["assisted"]
    names(suggestions, made_in, 1)
    _, again = desks(store, file=list(reversed(FILE)))  # the same operator, started again
    order = [names(again, made_in, ordinal) for ordinal in (2, 3)][-1]
    wanted = sorted(FILE, key=lambda one: suggestions._left(suggestions._pools["assisted"], made_in, []).index(one))
    assert order == [one.id for one in wanted]


def test_hits_on_one_context_begin_with_different_suggestions(store: Store) -> None:
    desk, suggestions = desks(store)
    hits = offer_hits(store, 12)
    pool = suggestions._pools["assisted"]
    firsts = set()
    for hit in hits:
        made_in = desk.store.attempts.accept(hit, f"w{hit}", f"r{hit}", now())[0]
        firsts.add(suggestions._left(pool, made_in, [])[0].id)
    assert firsts == {"s1", "s2", "s3"}


@pytest.mark.parametrize("ordinal", [0, -1, "1", None, True, 1.0, 10**30])
def test_an_ordinal_is_a_number_from_1(store: Store, ordinal: object) -> None:
    desk, suggestions = desks(store)
    made_in = taken(store, desk)["assisted"]
    for call in (suggestions.show, suggestions.take):
        with pytest.raises(InvalidInput):
            call(made_in.id, ordinal)
    assert store.suggestions.of_assignment(made_in.id) == []


def test_other_arms_are_shown_nothing(store: Store) -> None:
    desk, suggestions = desks(store)
    made_in = taken(store, desk)["alone"]
    for call in (suggestions.show, suggestions.take):
        with pytest.raises(Refused, match="There are no suggestions in this task"):
            call(made_in.id, 1)
    made, _ = desk.submit(made_in.id, "k", PASSAGE.id, payload("In which year did Rome fall?"))
    assert made.suggestion is None


def shown_question(store: Store, suggestions: SuggestionDesk, made_in: Assignment, wanted: str) -> int:
    """Show all, and return the ordinal of one."""
    for ordinal in (1, 2, 3):
        suggestions.show(made_in.id, ordinal)
    return next(one.ordinal for one in store.suggestions.of_assignment(made_in.id) if one.name == wanted)


def submitted(desk: WritingDesk, made_in: Assignment, question: str, **more: Any) -> Any:
    made, _ = desk.submit(made_in.id, question[:40].replace(" ", "-").strip("?"), PASSAGE.id, payload(question, **more))
    assert desk.store.attempts.of_assignment(made_in.id)[-1].suggestion == made.suggestion
    return made.suggestion


def test_an_attempt_names_the_suggestion_that_it_was_made_of_and_what_was_changed(store: Store) -> None:
    desk, suggestions = desks(store)
    made_in = taken(store, desk)["assisted"]
    suggestions.take(made_in.id, shown_question(store, suggestions, made_in, "s1"))
    of = {"id": "s1", "model": "gpt"}
    assert submitted(desk, made_in, "In which year did Rome fall?") == {**of, "edited": False, "distance": 0}
    assert submitted(desk, made_in, "In which year did old Rome fall?") == {**of, "edited": True, "distance": 4}
    assert submitted(desk, made_in, "Who of all these people was of old?") is None  # more than half is the writer's own


def test_the_answer_alone_may_be_changed(store: Store) -> None:
    desk, suggestions = desks(store)
    made_in = taken(store, desk)["assisted"]
    suggestions.take(made_in.id, shown_question(store, suggestions, made_in, "s1"))
    changed = submitted(desk, made_in, "In which year did Rome fall?", text="Rome", start=0)
    assert changed == {"id": "s1", "model": "gpt", "edited": True, "distance": 0}


def test_an_answer_that_a_suggestion_lacks_is_no_edit(store: Store) -> None:
    desk, suggestions = desks(store)
    made_in = taken(store, desk)["assisted"]
    suggestions.take(made_in.id, shown_question(store, suggestions, made_in, "s2"))
    assert submitted(desk, made_in, "Who was the last emperor?")["edited"] is False


def test_a_suggestion_that_was_not_taken_counts_only_where_it_is_repeated(store: Store) -> None:
    desk, suggestions = desks(store)
    made_in = taken(store, desk)["assisted"]
    shown_question(store, suggestions, made_in, "s1")
    assert submitted(desk, made_in, "In which year did old Rome fall?") is None
    assert submitted(desk, made_in, "In which year did Rome fall?")["id"] == "s1"


def test_a_suggestion_that_was_never_shown_is_nobodys_source(store: Store) -> None:
    desk, _ = desks(store)
    made_in = taken(store, desk)["assisted"]
    assert submitted(desk, made_in, "In which year did Rome fall?") is None


def test_the_same_key_again_names_the_same_source_whatever_was_taken_since(store: Store) -> None:
    desk, suggestions = desks(store)
    made_in = taken(store, desk)["assisted"]
    ordinal = shown_question(store, suggestions, made_in, "s1")
    question = payload("In which year did old Rome fall?")
    first, _ = desk.submit(made_in.id, "k", PASSAGE.id, question)
    suggestions.take(made_in.id, ordinal)
    again, _ = desk.submit(made_in.id, "k", PASSAGE.id, question)
    assert first.suggestion is again.suggestion is None


def test_what_the_model_did_not_answer_uses_up_neither_a_try_nor_the_suggestion(store: Store) -> None:
    desk, suggestions = desks(store, FakeModel(AdversaryError("away")))
    made_in = taken(store, desk)["assisted"]
    suggestions.take(made_in.id, shown_question(store, suggestions, made_in, "s1"))
    with pytest.raises(AdversaryError):
        submitted(desk, made_in, "In which year did Rome fall?")
    assert submitted(desk, made_in, "In which year did Rome fall?")["edited"] is False


def test_a_hypothesis_is_suggested_for_its_target_alone() -> None:
    context = Context("p", "A premise.")
    found = [
        Suggested(target, "gpt", SuggestedHypothesis(hypothesis="It rains.", target=target))
        for target in ("neutral", "entailment")
    ]
    pool = SuggestionPool({"p": found}, HypothesisSuggestions(HypothesisWriting()))
    assert [one.id for one in pool.fitting(TaskItem(context, {"target": "neutral"}))] == ["neutral"]
    assert pool.fitting(TaskItem(context, {"target": "contradiction"})) == []


def slow_distance(one: str, other: str) -> int:
    """By the definition."""
    if not one or not other:
        return len(one) + len(other)
    replaced = slow_distance(one[1:], other[1:]) + (one[0] != other[0])
    return min(replaced, slow_distance(one[1:], other) + 1, slow_distance(one, other[1:]) + 1)


@given(st.text("ab𝄞", max_size=6), st.text("ab𝄞", max_size=6))
def test_the_edit_distance_is_that_of_its_definition(one: str, other: str) -> None:
    assert edit_distance(one, other) == slow_distance(one, other)


def test_the_edit_distance_of_the_longest_texts() -> None:
    assert edit_distance("ab" * 1200, "ba" * 1200) == 2
